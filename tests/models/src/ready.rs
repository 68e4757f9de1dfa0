// SPDX-License-Identifier: BSD-3-Clause
//
// core/task/run.c: the tasks of a process that can run, by bits that whoever wakes them sets; the process sleeps while
// there are none. Here two others store what a task waits for, a word each, and wake it.
use crate::kernel::Futex;
use crate::memory::{together, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const BIT: u64 = 1;
const SLEEPS: u64 = 1; // CORE_TASK_SLEEPS

struct Board {
    ready: Word,
    idle: Word,
    futex: Futex,
    data: [Word; 2],
}

/// core_task_ready_all
fn make_ready(b: &Board) {
    b.ready.fetch_or(BIT, order!("ready.set"));
    if b.idle.load(order!("ready.is_idle")) == 0 {
        return;
    }
    if b.idle.exchange(0, order!("ready.wake")) == SLEEPS {
        b.futex.wake();
    }
}

/// take_ready, of one task.
fn take_ready(b: &Board) -> bool {
    if b.ready.load(order!("ready.look")) & BIT == 0 {
        return false;
    }
    if b.ready.load(Order::Relaxed) & BIT != 0 {
        b.ready.fetch_and(!BIT, order!("ready.take"));
    }
    true
}

/// sleep_all
fn sleep_all(b: &Board) {
    b.idle.overwrite(SLEEPS, order!("ready.idle"));
    if b.ready.load(order!("ready.somebody")) == 0 {
        b.futex.wait(&b.idle, SLEEPS);
    }
    b.idle.overwrite(0, Order::Relaxed);
}

fn both(b: &Board) -> bool {
    b.data.iter().all(|word| word.load(Order::Relaxed) == 1)
}

pub fn ready() {
    let b = Arc::new(Board {
        ready: Word::new(0),
        idle: Word::new(0),
        futex: Futex::new(),
        data: [Word::new(0), Word::new(0)],
    });

    together(3, &b, |b, me| {
        if me > 0 {
            b.data[me - 1].store(1, Order::Relaxed);
            make_ready(b);
            return Some(());
        }
        while !both(b) {
            while !take_ready(b) {
                sleep_all(b);
            }
        }
        Some(())
    });
}
