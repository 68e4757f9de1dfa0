// SPDX-License-Identifier: BSD-3-Clause
//
// coll/block.c: collectives on the block of a node. block: posts and meetings are used again when all have begun a later
// epoch. begun: who waits for that says so in `blocked`, and who begins looks there whether to wake; of processes the
// sleeper's membarrier covers the two, in jobs with tasks a fence.
use crate::kernel::{Futex, Membarrier};
use crate::memory::{fence, together, until, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const POSTS: u64 = 2; // COLL_BLOCK_POSTS
const EPOCHS: u64 = 3;

struct Post {
    said: Plain,
    epoch: Word,
}

struct Meeting {
    arrived: Word,
    released: Word,
}

struct Member {
    at: Word,
    post: [Post; POSTS as usize],
}

struct Shared {
    member: [Member; 2],
    meet: [Meeting; POSTS as usize],
}

fn slot(e: u64) -> usize {
    (e % POSTS) as usize
}

fn enter(s: &Shared, me: usize, e: u64) -> Option<()> {
    s.member[me].at.store(e, order!("block.begin"));
    if e <= POSTS {
        return Some(());
    }
    until(|| {
        s.member
            .iter()
            .all(|m| m.at.load(order!("block.begun")) > e - POSTS)
            .then_some(())
    })
}

fn post(s: &Shared, me: usize, e: u64) {
    let p = &s.member[me].post[slot(e)];
    p.said.write(e);
    p.epoch.store(e, order!("block.post"));
}

/// Each reads what the other has said.
fn body(s: &Shared, me: usize) -> Option<()> {
    for e in 1..=EPOCHS {
        enter(s, me, e)?;
        post(s, me, e);
        let other = &s.member[1 - me].post[slot(e)];
        other
            .epoch
            .until(order!("block.wait"), |epoch| epoch == e)?;
        assert_eq!(other.said.read(), e);
    }
    Some(())
}

/// The same, crowded: all are counted, and the last one releases.
fn crowded_body(s: &Shared, me: usize) -> Option<()> {
    for e in 1..=EPOCHS {
        enter(s, me, e)?;
        s.member[me].post[slot(e)].said.write(e);
        let m = &s.meet[slot(e)];
        if m.arrived.fetch_add(1, order!("block.arrive")) + 1 == 2 {
            m.arrived.store(0, Order::Relaxed);
            m.released.store(e, order!("block.release"));
        }
        m.released
            .until(order!("block.released"), |released| released == e)?;
        assert_eq!(s.member[1 - me].post[slot(e)].said.read(), e);
    }
    Some(())
}

fn two(body: fn(&Shared, usize) -> Option<()>) {
    let s = Arc::new(Shared {
        member: std::array::from_fn(|_| Member {
            at: Word::new(0),
            post: std::array::from_fn(|_| Post {
                said: Plain::new(0),
                epoch: Word::new(0),
            }),
        }),
        meet: std::array::from_fn(|_| Meeting {
            arrived: Word::new(0),
            released: Word::new(0),
        }),
    });

    together(2, &s, body);
}

pub fn block() {
    two(body);
}

/// Only one has something to say: that the other one has read it is known by where it has begun.
pub fn one_way() {
    two(|s, me| {
        for e in 1..=EPOCHS {
            enter(s, me, e)?;
            if me == 0 {
                post(s, me, e);
                continue;
            }
            let other = &s.member[0].post[slot(e)];
            other
                .epoch
                .until(order!("block.wait"), |epoch| epoch == e)?;
            assert_eq!(other.said.read(), e);
        }
        Some(())
    });
}

pub fn crowded() {
    two(crowded_body);
}

// ---- begun

struct Begun {
    at: Word,
    blocked: Word,
    rung: Word,
    sleeping: Word,
    futex: Futex,
    barrier: Membarrier,
}

fn begin(b: &Begun, tasks: bool) {
    b.at.store(1, Order::Release);
    b.barrier.point();
    if tasks {
        fence(order!("begun.fence"));
    }
    if b.blocked.load(Order::Relaxed) == 0 {
        return b.barrier.end();
    }
    b.barrier.point();
    if tasks {
        fence(Order::SeqCst); // core_sleeps: model tell
    }
    if b.sleeping.load(Order::Relaxed) != 0 && b.sleeping.exchange(0, Order::AcqRel) != 0 {
        b.rung.fetch_add(1, Order::AcqRel);
        b.futex.wake();
    }
    b.barrier.end();
}

fn wait_begun(b: &Begun, tasks: bool) {
    b.blocked.fetch_add(1, order!("begun.blocked"));
    loop {
        let rung = b.rung.load(Order::Relaxed);
        b.sleeping.overwrite(1, Order::Release);
        if tasks {
            fence(Order::SeqCst);
        } else {
            b.barrier.call(order!("bell.membarrier"));
        }
        if b.at.load(order!("block.begun")) == 1 {
            return;
        }
        b.futex.wait(&b.rung, rung);
    }
}

fn both(tasks: bool) {
    let b = Arc::new(Begun {
        at: Word::new(0),
        blocked: Word::new(0),
        rung: Word::new(0),
        sleeping: Word::new(0),
        futex: Futex::new(),
        barrier: Membarrier::new(),
    });

    together(2, &b, move |b, me| {
        if me == 1 {
            begin(b, tasks);
        } else {
            wait_begun(b, tasks);
        }
        Some(())
    });
}

pub fn begun() {
    both(false);
}

pub fn begun_of_tasks() {
    both(true);
}
