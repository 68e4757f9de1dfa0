// SPDX-License-Identifier: BSD-3-Clause
//
// core/channel/recycle.c: the slot of a process that has gone is made new once all others have forgotten it, in the
// round in which it was retired. Then another process may take it (core/job/open.c).
use crate::memory::{together, until, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const LEFT: u64 = 1;
const SPARE: u64 = 2;
const RUNNING: u64 = 3;

struct Job {
    round: Word,
    seen: Word,    // of the peer
    retired: Word, // of the slot
    state: Word,   // of the slot
    memory: Plain, // of the slot
}

pub fn recycle() {
    let j = Arc::new(Job {
        round: Word::new(0),
        seen: Word::new(0),
        retired: Word::new(0),
        state: Word::new(LEFT),
        memory: Plain::new(1),
    });

    together(3, &j, |j, me| {
        match me {
            0 => {
                j.retired.store(1, Order::Relaxed);
                j.round.store(1, order!("recycle.retire"));
                j.seen
                    .until(order!("recycle.forgotten"), |seen| seen == 1)?;
                j.memory.write(0); // make_new
                j.state.store(SPARE, order!("recycle.spare"));
            }
            1 => {
                let now = j.round.until(order!("recycle.round"), |round| round > 0)?;
                assert_eq!(
                    j.retired.load(Order::Relaxed),
                    now,
                    "which slot was retired"
                );
                assert_eq!(j.memory.read(), 1); // core_channel_drain, its last look at it
                j.seen.store(now, order!("recycle.forget"));
            }
            _ => {
                until(|| {
                    j.state
                        .change_from(SPARE, RUNNING, order!("recycle.take"))
                        .then_some(())
                })?;
                j.memory.write(2);
            }
        }
        Some(())
    });
}
