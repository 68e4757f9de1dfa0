// SPDX-License-Identifier: BSD-3-Clause
//
// core/wait/meet.c: PEs are counted on the board of their process, in words of bits, of which the last one to be full
// counts the process in; the last process releases each board. Here a process of two PEs, in one word or each in a word
// of its own, and one of one PE, which meet twice.
use crate::memory::{together, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const PES: usize = 3;
const PROCESSES: u64 = 2;

struct Board {
    here: [Word; 2], // a bit each
    full: Word,
    released: Word,
}

struct Job {
    board: [Board; PROCESSES as usize],
    processes: Word,
    data: [Plain; PES],
    last: Plain,
}

/// `n` PEs, in so many words.
fn complete(b: &Board, bit: usize, n: usize, words: u64) -> bool {
    let (word, mine) = if words > 1 { (bit, 1) } else { (0, 1 << bit) };
    let all = if words > 1 { 1 } else { (1 << n) - 1 };

    if b.here[word].fetch_or(mine, order!("meet.here")) | mine != all {
        return false;
    }
    if words > 1 && b.full.fetch_add(1, order!("meet.full")) + 1 != words {
        return false;
    }
    b.full.store(0, Order::Relaxed);
    for word in &b.here {
        word.store(0, Order::Relaxed);
    }
    true
}

fn release(j: &Job) {
    for b in &j.board {
        b.released
            .store(b.released.load(Order::Relaxed) + 1, order!("meet.release"));
    }
}

fn meet(j: &Job, me: usize, words: u64) -> Option<()> {
    let (process, bit, n, words) = if me < 2 {
        (0, me, 2, words)
    } else {
        (1, 0, 1, 1)
    };
    let b = &j.board[process];
    let epoch = b.released.load(Order::Relaxed) + 1;

    if complete(b, bit, n, words)
        && j.processes.fetch_add(1, order!("meet.process")) + 1 == PROCESSES
    {
        j.processes.store(0, Order::Relaxed);
        j.last.write(epoch); // hooks->last
        release(j);
        return Some(());
    }
    b.released
        .until(order!("meet.over"), |released| released >= epoch)?;
    Some(())
}

fn body(j: &Job, me: usize, words: u64) -> Option<()> {
    j.data[me].write(1);
    meet(j, me, words)?;
    for other in &j.data {
        assert_eq!(other.read(), 1);
    }
    assert_eq!(j.last.read(), 1);
    meet(j, me, words)?;
    j.data[me].write(2);
    Some(())
}

fn meeting(words: u64) {
    let board = || Board {
        here: [Word::new(0), Word::new(0)],
        full: Word::new(0),
        released: Word::new(0),
    };
    let j = Arc::new(Job {
        board: [board(), board()],
        processes: Word::new(0),
        data: std::array::from_fn(|_| Plain::new(0)),
        last: Plain::new(0),
    });

    together(PES, &j, move |j, me| body(j, me, words));
}

pub fn word() {
    meeting(1);
}

pub fn words() {
    meeting(2);
}
