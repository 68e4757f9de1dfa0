// SPDX-License-Identifier: BSD-3-Clause
//
// models NAME: all executions of that model, within its bound of preemptions. Status 0: it holds in all of them.
// With MODEL_MUTANT=TAG:ORDER one access or fence is weaker than in the library, and it should not.
// models --list: the names.
mod barrier;
mod bell;
mod bias;
mod block;
mod drain;
mod kernel;
mod lock;
mod meet;
mod memory;
mod offer;
mod order;
mod pair;
mod poll;
mod publish;
mod ready;
mod recycle;
mod ring;
mod rma_lock;
mod rndv;
mod seqlock;
mod signal;

struct Model {
    name: &'static str,
    runs: &'static [fn()],
    preemptions: usize, // 0: no bound
}

const MODELS: &[Model] = &[
    Model {
        name: "bell",
        runs: &[bell::bell],
        preemptions: 3,
    },
    Model {
        name: "tell",
        runs: &[bell::tell_of_task],
        preemptions: 4,
    },
    Model {
        name: "ready",
        runs: &[ready::ready],
        preemptions: 2,
    },
    Model {
        name: "poll",
        runs: &[poll::poll],
        preemptions: 0,
    },
    Model {
        name: "bias",
        runs: &[bias::bias],
        preemptions: 3,
    },
    Model {
        name: "ring",
        runs: &[ring::ring],
        preemptions: 3,
    },
    Model {
        name: "pair",
        runs: &[
            pair::to_and_fro,
            pair::numbers_repeat,
            pair::given_back,
            pair::in_order,
        ],
        preemptions: 2,
    },
    Model {
        name: "drain",
        runs: &[drain::drain],
        preemptions: 4,
    },
    Model {
        name: "news",
        runs: &[drain::news],
        preemptions: 0,
    },
    Model {
        name: "rndv",
        runs: &[rndv::rndv],
        preemptions: 3,
    },
    Model {
        name: "pull",
        runs: &[rndv::pull],
        preemptions: 3,
    },
    Model {
        name: "recycle",
        runs: &[recycle::recycle],
        preemptions: 2,
    },
    Model {
        name: "spread",
        runs: &[barrier::spread],
        preemptions: 1,
    },
    Model {
        name: "doubling",
        runs: &[barrier::doubling],
        preemptions: 3,
    },
    Model {
        name: "central",
        runs: &[barrier::central, barrier::central_of_many],
        preemptions: 1,
    },
    Model {
        name: "transient",
        runs: &[barrier::transient, barrier::transient_of_many],
        preemptions: 1,
    },
    Model {
        name: "meet",
        runs: &[meet::words, meet::word],
        preemptions: 2,
    },
    Model {
        name: "block",
        runs: &[block::block, block::crowded, block::one_way],
        preemptions: 3,
    },
    Model {
        name: "begun",
        runs: &[block::begun, block::begun_of_tasks],
        preemptions: 4,
    },
    Model {
        name: "lock",
        runs: &[lock::three_pes, lock::threads, lock::trying],
        preemptions: 2,
    },
    Model {
        name: "rma_lock",
        runs: &[
            rma_lock::sleeping,
            rma_lock::sleeping_task,
            rma_lock::free,
            rma_lock::tickets,
        ],
        preemptions: 3,
    },
    Model {
        name: "offer",
        runs: &[offer::offer],
        preemptions: 3,
    },
    Model {
        name: "signal",
        runs: &[signal::set, signal::add, signal::put],
        preemptions: 0,
    },
    Model {
        name: "publish",
        runs: &[
            publish::set,
            publish::first,
            publish::counted,
            publish::spun,
        ],
        preemptions: 0,
    },
    Model {
        name: "seqlock",
        runs: &[seqlock::numbered, seqlock::zeroed],
        preemptions: 0,
    },
];

fn main() {
    let name = std::env::args().nth(1).unwrap_or_default();
    if name == "--list" {
        MODELS.iter().for_each(|m| println!("{}", m.name));
        return;
    }
    let Some(model) = MODELS.iter().find(|m| m.name == name) else {
        eprintln!("usage: models NAME | --list");
        std::process::exit(2);
    };
    let mut builder = loom::model::Builder::new();
    builder.max_branches = 20_000;
    builder.preemption_bound = (model.preemptions > 0).then_some(model.preemptions);
    let executions = std::sync::Arc::new(std::sync::atomic::AtomicU64::new(0));
    for run in model.runs {
        let count = executions.clone();
        builder.check(move || {
            count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            run();
        });
    }
    println!("whole {}", order::whole());
    println!(
        "executions {}",
        executions.load(std::sync::atomic::Ordering::Relaxed)
    );
    println!("tags {}", order::used().join(" "));
}
