// SPDX-License-Identifier: BSD-3-Clause
//
// core/wait/poll.c: a PE that waits for the network sleeps in poll(), with a pipe for whoever rings it. It says that it
// polls and then looks whether it was rung; who rings looks after that whether it polls.
use crate::kernel::Pipe;
use crate::memory::{together, Word};
use crate::order;
use loom::sync::Arc;

struct Ctrl {
    rung: Word,
    polls: Word,
    pipe: Pipe,
}

pub fn poll() {
    let ctrl = Arc::new(Ctrl {
        rung: Word::new(0),
        polls: Word::new(0),
        pipe: Pipe::new(),
    });

    together(2, &ctrl, |c, me| {
        if me == 1 {
            c.rung.fetch_add(1, order!("poll.rung"));
            if c.polls.load(order!("poll.asks")) != 0 {
                c.pipe.write();
            }
        } else {
            c.polls.store(1, order!("poll.says"));
            if c.rung.load(order!("poll.looks")) == 0 {
                c.pipe.poll();
            }
        }
        Some(())
    });
}
