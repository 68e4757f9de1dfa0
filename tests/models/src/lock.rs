// SPDX-License-Identifier: BSD-3-Clause
//
// shmem/lock.c: the queue of those who want a lock, whose tail is at the lock's home and whose links are in each PE's own
// word. two_pes and three_pes: a thread each. threads: two threads of one PE take turns at its place in the queue.
use crate::memory::{together, until, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const WAITING: u64 = 1 << 31;
const HELD: u64 = 1 << 30;
const NEXT: u64 = HELD - 1;
const PES: usize = 3;

struct Lock {
    tail: Word,
    node: [Word; PES],
    guarded: Plain,
}

fn wait_for_turn(l: &Lock, me: usize, before: usize) -> Option<()> {
    l.node[me].fetch_or(WAITING, order!("lock.waiting"));
    l.node[before].fetch_or(me as u64 + 1, order!("lock.stand_behind"));
    l.node[me].until(order!("lock.turn"), |node| node & WAITING == 0)?;
    Some(())
}

fn set(l: &Lock, me: usize) -> Option<()> {
    until(|| {
        l.node[me]
            .change_from(0, HELD, order!("lock.enter"))
            .then_some(())
    })?;
    let before = l.tail.exchange(me as u64 + 1, order!("lock.exchange"));
    if before == 0 {
        return Some(());
    }
    wait_for_turn(l, me, before as usize - 1)
}

fn test(l: &Lock, me: usize) -> bool {
    if l.tail.load(Order::Relaxed) != 0 || !l.node[me].change_from(0, HELD, order!("lock.enter")) {
        return false;
    }
    if l.tail.change_from(0, me as u64 + 1, order!("lock.change")) {
        return true;
    }
    l.node[me].store(0, Order::Relaxed);
    false
}

fn successor(l: &Lock, me: usize) -> Option<u64> {
    let next = l.node[me].load(order!("lock.next")) & NEXT;
    if next == 0 && l.tail.change_from(me as u64 + 1, 0, order!("lock.change")) {
        return Some(0);
    }
    Some(l.node[me].until(order!("lock.next"), |node| node & NEXT != 0)? & NEXT)
}

/// Without the fence of core_quiet, which the lock does not depend on.
fn clear(l: &Lock, me: usize) -> Option<()> {
    let next = successor(l, me)?;
    l.node[me].store(0, order!("lock.leave"));
    if next != 0 {
        l.node[next as usize - 1].fetch_and(!WAITING, order!("lock.hand_over"));
    }
    Some(())
}

fn work(l: &Lock) {
    l.guarded.write(l.guarded.read() + 1);
}

fn run(pes: &'static [usize], trying: Option<usize>) {
    let l = Arc::new(Lock {
        tail: Word::new(0),
        node: std::array::from_fn(|_| Word::new(0)),
        guarded: Plain::new(0),
    });

    let whole = together(pes.len(), &l, move |l, thread| {
        let me = pes[thread];
        if trying != Some(me) {
            set(l, me)?;
        } else if !test(l, me) {
            return Some(());
        }
        work(l);
        clear(l, me)
    });
    assert!(!whole || trying.is_some() || l.guarded.read() == pes.len() as u64);
}

pub fn three_pes() {
    run(&[0, 1, 2], None);
}

pub fn threads() {
    run(&[0, 0, 1], None);
}

pub fn trying() {
    run(&[0, 1], Some(1));
}
