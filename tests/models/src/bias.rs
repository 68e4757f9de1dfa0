// SPDX-License-Identifier: BSD-3-Clause
//
// core/wait/bias.h: the owner's sections cost two stores until another thread ends the bias, by a membarrier; after
// that all take the lock. The third thread comes when another one may have ended it already.
use crate::kernel::Membarrier;
use crate::memory::{together, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::{Arc, Mutex};

struct Bias {
    on: Word,
    wanted: Word,
    inside: Word,
    ending: Mutex<()>,
    lock: Mutex<()>,
    barrier: Membarrier,
    guarded: Plain,
}

fn enter(b: &Bias) -> bool {
    if order!("bias.compiler") == Order::None {
        // what the compiler might do without its fence
        let wanted = b.wanted.load(Order::Relaxed);
        b.barrier.point();
        b.inside.store(1, Order::Relaxed);
        b.barrier.point();
        return wanted == 0;
    }
    b.inside.store(1, Order::Relaxed);
    b.barrier.point();
    let wanted = b.wanted.load(Order::Relaxed);
    b.barrier.point();
    if wanted == 0 {
        return true;
    }
    leave(b);
    false
}

fn leave(b: &Bias) {
    b.inside.store(0, order!("bias.leave"));
}

fn wait_until_outside(b: &Bias) -> Option<u64> {
    b.wanted.store(1, order!("bias.wanted"));
    b.barrier.call(order!("bias.membarrier"));
    b.inside.until(order!("bias.outside"), |inside| inside == 0)
}

fn end(b: &Bias) -> Option<()> {
    if b.on.load(order!("bias.is_on")) == 0 {
        return Some(());
    }
    let _ending = b.ending.lock().unwrap();
    if b.on.load(Order::Relaxed) != 0 {
        wait_until_outside(b)?;
        b.on.store(0, order!("bias.off"));
    }
    Some(())
}

fn change(b: &Bias) {
    b.guarded.write(b.guarded.read() + 1);
}

fn under_lock(b: &Bias) {
    let _lock = b.lock.lock().unwrap();
    change(b);
}

pub fn bias() {
    let b = Arc::new(Bias {
        on: Word::new(1),
        wanted: Word::new(0),
        inside: Word::new(0),
        ending: Mutex::new(()),
        lock: Mutex::new(()),
        barrier: Membarrier::new(),
        guarded: Plain::new(0),
    });

    let whole = together(3, &b, |b, me| {
        if me > 0 {
            end(b)?;
            under_lock(b);
        } else if enter(b) {
            change(b);
            b.barrier.point();
            leave(b);
            b.barrier.point();
            b.barrier.end();
        } else {
            b.barrier.end();
            under_lock(b);
        }
        Some(())
    });
    assert!(!whole || b.guarded.read() == 3);
}
