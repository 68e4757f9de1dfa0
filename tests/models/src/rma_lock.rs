// SPDX-License-Identifier: BSD-3-Clause
//
// mpi/rma/rma_lock.c: the lock of a window. Waiters that have had enough draw a ticket; who leaves wakes the head of
// their queue. `free`: those who only try. A leaver and a waiter that goes to sleep: as in `begun`.
use crate::kernel::{Futex, Membarrier};
use crate::memory::{fence, together, until, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const WRITER: u64 = 1 << 31;
const PES: usize = 2;

struct Ctrl {
    state: Word,
    next: Word,
    serve: Word,
    who: [Word; PES],
    sleeping: Word, // of the PE that waits
    rung: Word,
    futex: Futex,
    barrier: Membarrier,
    memory: Plain,
    read: [Plain; PES],
}

impl Ctrl {
    fn new() -> Arc<Ctrl> {
        Arc::new(Ctrl {
            state: Word::new(0),
            next: Word::new(0),
            serve: Word::new(0),
            who: [Word::new(u64::MAX), Word::new(u64::MAX)],
            sleeping: Word::new(0),
            rung: Word::new(0),
            futex: Futex::new(),
            barrier: Membarrier::new(),
            memory: Plain::new(0),
            read: [Plain::new(0), Plain::new(0)],
        })
    }
}

fn enter(c: &Ctrl, exclusive: bool) -> bool {
    if exclusive {
        return c.state.change_from(0, WRITER, order!("rma_lock.enter"));
    }
    loop {
        let state = c.state.load(Order::Relaxed);
        if state & WRITER != 0 {
            return false;
        }
        if c.state
            .change_from(state, state + 1, order!("rma_lock.enter_shared"))
        {
            return true;
        }
    }
}

fn attempt(c: &Ctrl, exclusive: bool) -> bool {
    c.next.load(Order::Relaxed) == c.serve.load(Order::Relaxed) && enter(c, exclusive)
}

fn draw(c: &Ctrl, pe: usize) -> u64 {
    let ticket = c.next.fetch_add(1, order!("rma_lock.draw"));
    c.who[ticket as usize % PES].store(pe as u64, order!("rma_lock.who"));
    ticket
}

/// core_wake of the only PE that waits.
fn wake(c: &Ctrl, tasks: bool) {
    if tasks {
        fence(Order::SeqCst); // core_sleeps: model tell
    }
    if c.sleeping.load(Order::Relaxed) != 0 && c.sleeping.exchange(0, Order::AcqRel) != 0 {
        c.rung.fetch_add(1, Order::AcqRel);
        c.futex.wake();
    }
}

fn wake_head(c: &Ctrl, tasks: bool) {
    let serve = c.serve.load(Order::Relaxed);
    c.barrier.point();
    if c.next.load(Order::Relaxed) == serve {
        return;
    }
    c.barrier.point();
    let who = c.who[serve as usize % PES].load(order!("rma_lock.head"));
    c.barrier.point();
    if who == 1 {
        wake(c, tasks);
    }
}

fn turn(c: &Ctrl, ticket: u64, exclusive: bool) -> bool {
    if c.serve.load(order!("rma_lock.turn")) != ticket || !enter(c, exclusive) {
        return false;
    }
    c.serve.store(ticket + 1, order!("rma_lock.served"));
    true
}

fn leave(c: &Ctrl, exclusive: bool, tasks: bool) {
    if exclusive {
        c.state.store(0, order!("rma_lock.leave"));
    } else {
        c.state.fetch_sub(1, order!("rma_lock.leave_shared"));
    }
    c.barrier.point();
    if tasks {
        fence(order!("begun.fence"));
    }
    wake_head(c, tasks);
}

fn work(c: &Ctrl, pe: usize, exclusive: bool) {
    if exclusive {
        c.memory.write(c.memory.read() + 1);
    } else {
        c.read[pe].write(c.memory.read());
    }
}

/// PE 0 has the lock; PE 1 draws a ticket and sleeps until it is its turn.
fn sleeper(exclusive: bool, tasks: bool) {
    let c = Ctrl::new();

    assert!(attempt(&c, true));
    together(2, &c, move |c, me| {
        if me == 1 {
            work(c, 0, true);
            leave(c, true, tasks);
            c.barrier.end();
            return Some(());
        }
        let ticket = draw(c, 1);
        loop {
            let rung = c.rung.load(Order::Relaxed);
            c.sleeping.overwrite(1, Order::Release);
            if tasks {
                fence(Order::SeqCst);
            } else {
                c.barrier.call(order!("bell.membarrier"));
            }
            if turn(c, ticket, exclusive) {
                break;
            }
            c.futex.wait(&c.rung, rung);
        }
        work(c, 1, exclusive);
        Some(())
    });
}

pub fn sleeping() {
    sleeper(true, false);
}

pub fn sleeping_task() {
    sleeper(true, true);
}

/// One who writes and two who read; they only try.
pub fn free() {
    together(3, &Ctrl::new(), |c, me| {
        let exclusive = me == 0;
        if attempt(c, exclusive) {
            work(c, me % PES, exclusive);
            leave(c, exclusive, false);
        }
        Some(())
    });
}

/// Two tickets: the second one has its turn when the first one has had its own.
pub fn tickets() {
    together(2, &Ctrl::new(), |c, me| {
        let exclusive = me == 0;
        let ticket = draw(c, me);
        until(|| turn(c, ticket, exclusive).then_some(()))?;
        work(c, me, exclusive);
        leave(c, exclusive, false);
        Some(())
    });
}
