// SPDX-License-Identifier: BSD-3-Clause
//
// Bodies that others read: the sender may use its memory again, or the receiver what was fetched, when a word says so.
// rndv: core/channel/rndv.c; the word's thread drains, another one waits. pull: core/channel/pull.c, push.c: a count of
// transfers, which several threads count down.
use crate::memory::{together, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

struct Sending {
    body: Plain,
    ended: Word, // the receiver's message, through the ring
    state: Word,
}

pub fn rndv() {
    let s = Arc::new(Sending {
        body: Plain::new(1),
        ended: Word::new(0),
        state: Word::new(1),
    });

    together(3, &s, |s, me| {
        match me {
            0 => {
                s.state.until(order!("rndv.ended"), |state| state == 0)?;
                s.body.write(2);
            }
            1 => {
                s.ended.until(Order::Acquire, |ended| ended == 1)?;
                s.state.store(0, order!("rndv.end"));
            }
            _ => {
                assert_eq!(s.body.read(), 1);
                s.ended.store(1, Order::Release);
            }
        }
        Some(())
    });
}

struct Flow {
    pulls: Word,
    to: [Plain; 2],
}

pub fn pull() {
    let f = Arc::new(Flow {
        pulls: Word::new(2),
        to: [Plain::new(0), Plain::new(0)],
    });

    together(3, &f, |f, me| {
        if me > 0 {
            f.to[me - 1].write(1);
            f.pulls.fetch_sub(1, order!("pull.done"));
            return Some(());
        }
        f.pulls.until(order!("pull.idle"), |pulls| pulls == 0)?;
        assert!(f.to.iter().all(|to| to.read() == 1));
        Some(())
    });
}
