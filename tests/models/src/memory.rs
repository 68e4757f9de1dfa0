// SPDX-License-Identifier: BSD-3-Clause
//
// Words, fences and plain memory. loom takes accesses that are seq_cst for acq_rel, so their single order is made here
// of a word of its own: a store adds what its thread has seen, a load takes what others have added. Of two threads that
// store and then load the other's word one sees the other, if all four accesses are seq_cst, and not otherwise.
use crate::order::{self, Order};
use loom::cell::UnsafeCell;
use loom::sync::atomic::{self, AtomicU64, Ordering};
use loom::sync::Arc;
use loom::thread;

loom::lazy_static! {
    static ref SINGLE: AtomicU64 = AtomicU64::new(0);
}

fn join(order: Ordering) {
    SINGLE.fetch_add(0, order);
}

pub struct Word(AtomicU64);

impl Word {
    pub fn new(value: u64) -> Word {
        Word(AtomicU64::new(value))
    }

    pub fn load(&self, order: Order) -> u64 {
        match order {
            Order::None | Order::Relaxed | Order::Release => self.0.load(Ordering::Relaxed),
            Order::Acquire | Order::AcqRel => self.0.load(Ordering::Acquire),
            Order::SeqCst => {
                join(Ordering::Acquire);
                self.0.load(Ordering::Acquire)
            }
        }
    }

    pub fn store(&self, value: u64, order: Order) {
        match order {
            Order::None => {}
            Order::Relaxed | Order::Acquire => self.0.store(value, Ordering::Relaxed),
            Order::Release | Order::AcqRel => self.0.store(value, Ordering::Release),
            Order::SeqCst => {
                self.0.store(value, Ordering::Release);
                join(Ordering::Release);
            }
        }
    }

    fn change<T>(&self, order: Order, by: impl FnOnce(&AtomicU64, Ordering) -> T) -> T {
        match order {
            Order::None | Order::Relaxed => by(&self.0, Ordering::Relaxed),
            Order::Acquire => by(&self.0, Ordering::Acquire),
            Order::Release => by(&self.0, Ordering::Release),
            Order::AcqRel => by(&self.0, Ordering::AcqRel),
            Order::SeqCst => {
                join(Ordering::Acquire);
                let was = by(&self.0, Ordering::AcqRel);
                join(Ordering::Release);
                was
            }
        }
    }

    pub fn exchange(&self, value: u64, order: Order) -> u64 {
        self.change(order, |word, o| word.swap(value, o))
    }

    /// A store, to a word that all others change by read-modify-writes only: so it comes after those that it could see.
    /// loom does not know that of a mere store.
    pub fn overwrite(&self, value: u64, order: Order) {
        self.0.swap(
            value,
            match order {
                Order::Release | Order::AcqRel | Order::SeqCst => Ordering::Release,
                _ => Ordering::Relaxed,
            },
        );
        if order == Order::SeqCst {
            join(Ordering::Release);
        }
    }

    /// A wait for this word: its value, when it holds. None: not soon, and the thread ends there, as a longer wait would
    /// show nothing new.
    pub fn until(&self, order: Order, holds: impl Fn(u64) -> bool) -> Option<u64> {
        until(|| Some(self.load(order)).filter(|value| holds(*value)))
    }

    pub fn fetch_add(&self, value: u64, order: Order) -> u64 {
        self.change(order, |word, o| word.fetch_add(value, o))
    }

    pub fn fetch_sub(&self, value: u64, order: Order) -> u64 {
        self.change(order, |word, o| word.fetch_sub(value, o))
    }

    pub fn fetch_or(&self, value: u64, order: Order) -> u64 {
        if order == Order::None {
            return self.0.load(Ordering::Relaxed);
        }
        self.change(order, |word, o| word.fetch_or(value, o))
    }

    pub fn fetch_and(&self, value: u64, order: Order) -> u64 {
        self.change(order, |word, o| word.fetch_and(value, o))
    }

    /// True if it was `from` and is `to` now. A failure is a relaxed load.
    pub fn change_from(&self, from: u64, to: u64, order: Order) -> bool {
        self.change(order, |word, o| {
            word.compare_exchange(from, to, o, Ordering::Relaxed)
                .is_ok()
        })
    }
}

/// Of Order::None: nothing.
pub fn fence(order: Order) {
    match order {
        Order::None | Order::Relaxed => {}
        Order::Acquire => atomic::fence(Ordering::Acquire),
        Order::Release => atomic::fence(Ordering::Release),
        Order::AcqRel => atomic::fence(Ordering::AcqRel),
        Order::SeqCst => atomic::fence(Ordering::SeqCst),
    }
}

/// Memory that is read and written by ordinary instructions: loom reports two accesses that nothing orders.
pub struct Plain(UnsafeCell<u64>);

unsafe impl Sync for Plain {}
unsafe impl Send for Plain {}

impl Plain {
    pub fn new(value: u64) -> Plain {
        Plain(UnsafeCell::new(value))
    }

    pub fn read(&self) -> u64 {
        self.0.with(|at| unsafe { *at })
    }

    pub fn write(&self, value: u64) {
        self.0.with_mut(|at| unsafe { *at = value })
    }
}

const LOOKS: usize = 3;

/// A wait for what `look` gives. None: the thread ends there.
pub fn until<T>(mut look: impl FnMut() -> Option<T>) -> Option<T> {
    for _ in 0..LOOKS {
        thread::yield_now();
        if let Some(found) = look() {
            return Some(found);
        }
    }
    None
}

/// Threads 0 to n - 1 run the body. True: none of them has ended in a wait.
pub fn together<T: Send + Sync + 'static>(
    n: usize,
    shared: &Arc<T>,
    body: impl Fn(&T, usize) -> Option<()> + Copy + Send + 'static,
) -> bool {
    let _: &AtomicU64 = &SINGLE; // here: whoever comes after the one that makes it has seen all that this one did
    let others: Vec<_> = (1..n)
        .map(|me| {
            let shared = shared.clone();
            thread::spawn(move || body(&shared, me))
        })
        .collect();
    let mut whole = body(shared, 0).is_some();

    for other in others {
        whole &= other.join().unwrap().is_some();
    }
    if whole {
        order::count_whole();
    }
    whole
}
