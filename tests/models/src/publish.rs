// SPDX-License-Identifier: BSD-3-Clause
//
// The shape that most ordered accesses of the sources have: memory is set up, and a word, pointer or state that is
// stored then says so. set: by one. first: by whoever comes first. counted: by all, and the last one to count goes on.
use crate::memory::{together, until, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::{Arc, Mutex};

struct Thing {
    word: Word,
    made: [Plain; 2],
    lock: Mutex<()>,
}

fn thing() -> Arc<Thing> {
    Arc::new(Thing {
        word: Word::new(0),
        made: [Plain::new(0), Plain::new(0)],
        lock: Mutex::new(()),
    })
}

/// As core_peer_meet: the one that finds nothing makes it, under a lock.
fn meet(t: &Thing) {
    if t.word.load(order!("publish.see")) == 0 {
        let _lock = t.lock.lock().unwrap();
        if t.word.load(Order::Relaxed) == 0 {
            t.made[0].write(1);
            t.word.store(1, order!("publish.set"));
        }
    }
    assert_eq!(t.made[0].read(), 1);
}

pub fn set() {
    together(2, &thing(), |t, _| {
        meet(t);
        Some(())
    });
}

/// As core_peer_pipes: both make one, and one of the two is kept.
fn keep(t: &Thing, me: usize) {
    let mut known = t.word.load(order!("publish.see"));
    if known == 0 {
        t.made[me].write(1);
        known = if t.word.change_from(0, me as u64 + 1, order!("publish.keep")) {
            me as u64 + 1
        } else {
            t.word.load(Order::Acquire) // its order of failure
        };
    }
    assert_eq!(t.made[known as usize - 1].read(), 1);
}

pub fn first() {
    together(2, &thing(), |t, me| {
        keep(t, me);
        Some(())
    });
}

/// As pmix_load.c and backend_pmix.c: each counts what it has done; the last one sees all.
pub fn counted() {
    together(2, &thing(), |t, me| {
        t.made[me].write(1);
        if t.word.fetch_add(1, order!("publish.count")) == 1 {
            assert!(t.made.iter().all(|made| made.read() == 1));
        }
        Some(())
    });
}

/// As race_lock: a word that spins.
pub fn spun() {
    together(2, &thing(), |t, _| {
        until(|| (t.word.exchange(1, order!("publish.lock")) == 0).then_some(()))?;
        t.made[0].write(t.made[0].read() + 1);
        t.word.store(0, order!("publish.unlock"));
        Some(())
    });
}
