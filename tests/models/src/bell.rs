// SPDX-License-Identifier: BSD-3-Clause
//
// A writer stores and then looks whether the owner of the memory sleeps; a sleeper announces its sleep and then looks
// at the memory. bell: core/wait/wait.c, include/mpt/fast.h, between processes, where the sleeper's membarrier stands
// for the writer's fence. tell: core/wait/notify.h and brief.h, of tasks, where both have a fence.
use crate::kernel::{Futex, Membarrier};
use crate::memory::{fence, together, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const AWAKE: u64 = 0;
const WAITS_FOR_RING: u64 = 1;
const WATCHES_MEMORY: u64 = 2;

struct Bell {
    sleeping: Word,
    watched: Word, // watch_lo and watch_hi in one
    rung: Word,
    futex: Futex,
}

impl Bell {
    fn new() -> Bell {
        Bell {
            sleeping: Word::new(AWAKE),
            watched: Word::new(0),
            rung: Word::new(0),
            futex: Futex::new(),
        }
    }

    fn ring(&self) {
        if self.sleeping.exchange(AWAKE, order!("bell.ring")) != AWAKE {
            self.rung.fetch_add(1, Order::AcqRel); // model poll has its order
            self.futex.wake();
        }
    }
}

const VALUE: u64 = 1; // what is watched: 1 for `data`, 2 for something else
const LAST: u64 = 2;

struct Shared {
    bell: Bell,
    data: Word,
    barrier: Membarrier,
}

fn store_and_notify(s: &Shared, value: u64) {
    s.data.store(value, Order::Relaxed);
    s.barrier.point();
    if s.bell.sleeping.load(order!("bell.watched")) == WATCHES_MEMORY {
        s.barrier.point();
        if s.bell.watched.load(Order::Relaxed) == VALUE {
            s.barrier.point();
            s.bell.ring();
        }
    }
    s.barrier.point();
}

fn tell(s: &Shared) -> u64 {
    let rung = s.bell.rung.load(Order::Relaxed);
    s.bell.watched.store(VALUE, Order::Relaxed);
    s.bell
        .sleeping
        .overwrite(WATCHES_MEMORY, order!("bell.announce"));
    fence(order!("bell.fence"));
    s.barrier.call(order!("bell.membarrier"));
    rung
}

fn shared() -> Arc<Shared> {
    Arc::new(Shared {
        bell: Bell::new(),
        data: Word::new(0),
        barrier: Membarrier::new(),
    })
}

/// The writer stores twice, and the sleeper waits for the second value: core_wait_word.
pub fn bell() {
    together(2, &shared(), |s, me| {
        if me == 1 {
            for value in 1..=LAST {
                store_and_notify(s, value);
            }
            s.barrier.end();
            return Some(());
        }
        loop {
            let rung = tell(s);
            if s.data.load(Order::Relaxed) == LAST {
                return Some(());
            }
            s.bell.futex.wait(&s.bell.rung, rung);
        }
    });
}

/// core_sleeps, of a job with tasks.
fn sleeps(bell: &Bell) -> bool {
    if bell.sleeping.load(Order::Relaxed) != AWAKE {
        return true;
    }
    fence(order!("tell.look_fence"));
    bell.sleeping.load(Order::Relaxed) != AWAKE
}

/// The list of tasks that can run is a model of its own (ready): here it is the futex.
pub fn tell_of_task() {
    together(2, &shared(), |s, me| {
        if me == 1 {
            for value in 1..=LAST {
                s.data.store(value, Order::Relaxed);
                if sleeps(&s.bell) {
                    s.bell.ring();
                }
            }
            return Some(());
        }
        loop {
            let rung = s.bell.rung.load(Order::Relaxed);
            s.bell
                .sleeping
                .overwrite(WAITS_FOR_RING, order!("tell.announce"));
            fence(order!("tell.fence"));
            if s.data.load(Order::Relaxed) == LAST {
                return Some(());
            }
            s.bell.futex.wait(&s.bell.rung, rung);
        }
    });
}
