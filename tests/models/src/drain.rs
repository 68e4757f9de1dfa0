// SPDX-License-Identifier: BSD-3-Clause
//
// drain: core/channel/progress.c (and core/net/progress.c): one thread at a time takes messages out, and who finds
// another one at it either finds it out again or is woken by it. news: src/mpi/rt/inbox.c and lock.c: what a handler
// cannot do because another thread has the lock is left in an inbox, which is looked at after the lock was given back.
use crate::kernel::Futex;
use crate::memory::{fence, together, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::{Arc, Mutex};

struct Inbox {
    draining: Word,
    missed: Word,
    message: Word,
    handled: Plain, // what handlers change: the draining thread's
    done: Word,
    rung: Word,
    sleepers: Word,
    futex: Futex,
}

fn enter(i: &Inbox) -> bool {
    if i.draining.exchange(1, order!("drain.enter")) == 0 {
        return true;
    }
    i.missed.store(1, order!("drain.miss"));
    i.draining.exchange(1, order!("drain.again")) == 0
}

fn leave(i: &Inbox, mut handled: bool) {
    i.draining.overwrite(0, order!("drain.leave"));
    if i.missed.load(order!("drain.missed")) != 0 {
        i.missed.store(0, Order::Relaxed);
        handled = true;
    }
    if handled && i.sleepers.load(Order::Relaxed) > 0 {
        i.rung.fetch_add(1, Order::AcqRel);
        i.futex.wake();
    }
}

fn progress(i: &Inbox) {
    if !enter(i) {
        return;
    }
    let came = i.message.load(Order::Acquire) == 1;
    i.handled.write(i.handled.read() + 1);
    if came {
        i.message.store(0, Order::Relaxed);
        i.done.store(1, Order::Relaxed);
    }
    leave(i, came);
}

/// A message comes for a thread that then announces its sleep, while another one makes progress.
pub fn drain() {
    let i = Arc::new(Inbox {
        draining: Word::new(0),
        missed: Word::new(0),
        message: Word::new(0),
        handled: Plain::new(0),
        done: Word::new(0),
        rung: Word::new(0),
        sleepers: Word::new(0),
        futex: Futex::new(),
    });
    together(2, &i, |i, me| {
        if me == 1 {
            progress(i);
            return Some(());
        }
        i.message.store(1, Order::Release);
        i.sleepers.fetch_add(1, Order::Relaxed);
        loop {
            let rung = i.rung.load(Order::Relaxed);
            progress(i);
            if i.done.load(Order::Relaxed) == 1 {
                return Some(());
            }
            i.futex.wait(&i.rung, rung);
        }
    });
}

struct News {
    lock: Mutex<()>,
    items: Mutex<u64>,
    news: Word,
    handled: Word,
}

fn take(n: &News) {
    let mut items = n.items.lock().unwrap();
    n.handled.fetch_add(*items, Order::Relaxed);
    *items = 0;
    n.news.store(0, Order::Relaxed);
}

/// give() of lock.c: the lock is held.
fn give(n: &News) {
    let mut lock = n.lock.lock().unwrap();
    loop {
        if n.news.load(Order::Relaxed) != 0 {
            take(n);
        }
        drop(lock);
        fence(order!("news.look_fence"));
        if n.news.load(Order::Relaxed) == 0 {
            return;
        }
        match n.lock.try_lock() {
            Ok(again) => lock = again,
            Err(_) => return,
        }
    }
}

pub fn news() {
    let n = Arc::new(News {
        lock: Mutex::new(()),
        items: Mutex::new(0),
        news: Word::new(0),
        handled: Word::new(0),
    });
    together(2, &n, |n, me| {
        if me == 1 {
            give(n);
            return Some(());
        }
        *n.items.lock().unwrap() += 1;
        n.news.store(1, Order::Relaxed);
        fence(order!("news.left_fence"));
        if let Ok(lock) = n.lock.try_lock() {
            take(n);
            drop(lock);
        }
        Some(())
    });
    assert_eq!(n.handled.load(Order::Relaxed), 1, "left for ever");
}
