// SPDX-License-Identifier: BSD-3-Clause
//
// Puts, and what tells of them: a signal (shmem/rma_signal.c), or a fence (core/rma/rma.h) and another put, on a word
// that the target waits for or polls; the last bytes of a long copy (core/mem/copy.c) come after such a fence, too.
use crate::memory::{fence, together, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

struct Target {
    data: [Plain; 2],
    word: Word,
}

fn target() -> Arc<Target> {
    Arc::new(Target {
        data: [Plain::new(0), Plain::new(0)],
        word: Word::new(0),
    })
}

pub fn set() {
    together(2, &target(), |t, me| {
        if me == 1 {
            t.data[0].write(1);
            t.word.store(1, order!("signal.set"));
            return Some(());
        }
        t.word.until(order!("signal.fetch"), |word| word == 1)?;
        assert_eq!(t.data[0].read(), 1);
        Some(())
    });
}

/// From two PEs, each with data of its own.
pub fn add() {
    together(3, &target(), |t, me| {
        if me > 0 {
            t.data[me - 1].write(1);
            t.word.fetch_add(1, order!("signal.add"));
            return Some(());
        }
        t.word.until(order!("signal.wait"), |word| word == 2)?;
        assert!(t.data.iter().all(|data| data.read() == 1));
        Some(())
    });
}

pub fn put() {
    together(2, &target(), |t, me| {
        if me == 1 {
            t.data[0].write(1);
            fence(order!("signal.put_fence"));
            t.word.store(1, Order::Relaxed);
            return Some(());
        }
        t.word.until(order!("signal.wait"), |word| word == 1)?;
        assert_eq!(t.data[0].read(), 1);
        Some(())
    });
}
