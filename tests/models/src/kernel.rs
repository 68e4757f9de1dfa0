// SPDX-License-Identifier: BSD-3-Clause
//
// What the kernel does for the library: sleeps on a futex and on a pipe, and membarrier.
use crate::memory::{fence, Word};
use crate::order::Order;
use loom::sync::{Condvar, Mutex};
use loom::thread;

/// The list of those who sleep on one word.
pub struct Futex {
    list: Mutex<()>,
    wakes: Condvar,
}

impl Futex {
    pub fn new() -> Futex {
        Futex {
            list: Mutex::new(()),
            wakes: Condvar::new(),
        }
    }

    /// Without a limit of time: a wake-up that is lost is a deadlock.
    pub fn wait(&self, word: &Word, value: u64) {
        let list = self.list.lock().unwrap();
        if word.load(Order::Relaxed) == value {
            drop(self.wakes.wait(list).unwrap());
        }
    }

    pub fn wake(&self) {
        let _list = self.list.lock().unwrap();
        self.wakes.notify_all();
    }
}

/// A pipe that carries a byte: poll() returns when there is one.
pub struct Pipe {
    full: Mutex<bool>,
    wakes: Condvar,
}

impl Pipe {
    pub fn new() -> Pipe {
        Pipe {
            full: Mutex::new(false),
            wakes: Condvar::new(),
        }
    }

    pub fn write(&self) {
        *self.full.lock().unwrap() = true;
        self.wakes.notify_all();
    }

    pub fn poll(&self) {
        let mut full = self.full.lock().unwrap();
        while !*full {
            full = self.wakes.wait(full).unwrap();
        }
        *full = false;
    }
}

/// membarrier() makes a running thread pass a full fence at whatever point it has come to. That thread says by point()
/// where it can be interrupted: between any two of its accesses. end(): it runs no more, which is a fence, too.
pub struct Membarrier {
    asked: Word,
    passed: Word,
}

impl Membarrier {
    pub fn new() -> Membarrier {
        Membarrier {
            asked: Word::new(0),
            passed: Word::new(0),
        }
    }

    pub fn point(&self) {
        if self.asked.load(Order::Acquire) > self.passed.load(Order::Relaxed) {
            fence(Order::SeqCst);
            self.passed
                .store(self.asked.load(Order::Acquire), Order::Release);
        }
    }

    pub fn end(&self) {
        fence(Order::SeqCst);
        self.passed.store(u64::MAX, Order::Release);
    }

    pub fn call(&self, order: Order) {
        if order == Order::None {
            return;
        }
        fence(Order::SeqCst);
        let ask = self.asked.fetch_add(1, Order::Release) + 1;
        while self.passed.load(Order::Acquire) < ask {
            thread::yield_now();
        }
        fence(Order::SeqCst);
    }
}
