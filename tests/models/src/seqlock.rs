// SPDX-License-Identifier: BSD-3-Clause
//
// mpi/rma/win_attach.c: a table with a number that is odd while it changes; who reads it reads the number before and
// after. zeroed: mpi/p2p/ahead.c, where a word of 0 takes the place of odd numbers.
use crate::memory::{fence, together, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

struct Table {
    seq: Word,
    at: Word,
    n: Word,
}

/// What the reader finds, if it was not written meanwhile.
fn look(t: &Table, settled: impl Fn(u64) -> bool) -> Option<(u64, u64, u64)> {
    let seq = t.seq.load(order!("seqlock.read"));
    let found = (seq, t.at.load(Order::Relaxed), t.n.load(Order::Relaxed));
    fence(order!("seqlock.again"));
    (settled(seq) && t.seq.load(Order::Relaxed) == seq).then_some(found)
}

fn change(t: &Table, during: u64, value: u64, after: u64) {
    t.seq.store(during, Order::Relaxed);
    fence(order!("seqlock.begin"));
    t.at.store(value, Order::Relaxed);
    t.n.store(value, Order::Relaxed);
    t.seq.store(after, order!("seqlock.end"));
}

pub fn numbered() {
    let t = Arc::new(Table {
        seq: Word::new(0),
        at: Word::new(0),
        n: Word::new(0),
    });

    together(2, &t, |t, me| {
        if me == 1 {
            change(t, 1, 1, 2);
        } else if let Some((seq, at, n)) = look(t, |seq| seq % 2 == 0) {
            assert_eq!((at, n), (seq / 2, seq / 2), "half of a change");
        }
        Some(())
    });
}

pub fn zeroed() {
    let t = Arc::new(Table {
        seq: Word::new(1),
        at: Word::new(1),
        n: Word::new(1),
    });

    together(2, &t, |t, me| {
        if me == 1 {
            change(t, 0, 2, 2);
        } else if let Some((word, at, n)) = look(t, |word| word != 0) {
            assert_eq!((at, n), (word, word), "half of a change");
        }
        Some(())
    });
}
