// SPDX-License-Identifier: BSD-3-Clause
//
// core/channel/peers.h: the pair's lines, which whoever has them may put a message in, and which go to and fro; other
// messages go by the ring. At one PE a thread sends while another drains.
use crate::memory::{together, until, Word};
use crate::order;
use crate::order::Order;
use crate::ring::{in_of, out_of, pack, In, Line, Out, Ring};
use loom::sync::Arc;
use loom::thread;

const UPPER: u64 = 8; // in a stamp: sent by the upper of both

/// Two PEs: the lower one, with two threads, and the upper one.
struct Pair {
    lower_ours: Word,
    upper_ours: Word,
    pair: Line,
    up: Ring,
    down: Ring,
}

/// What a PE knows of the other one.
struct Peer<'a> {
    ours: &'a Word,
    pair: &'a Line,
}

fn put(p: &Peer, out: &mut Out, stamp: u64, threads: bool) -> Option<()> {
    if p.ours.load(order!("pair.has")) == 0 {
        return until(|| out.push(stamp, 1).then_some(()));
    }
    if threads {
        p.pair.word.store(0, order!("pair.clear"));
    }
    p.ours.store(0, order!("pair.give"));
    p.pair.payload.write(stamp);
    p.pair.word.store(pack(stamp, 1), order!("pair.publish"));
    Some(())
}

fn is_next(word: u64, stamp: u64) -> bool {
    word >> 16 == stamp
}

/// True: the message of that stamp was there, and has been taken.
fn look_and_take(p: &Peer, r: &mut In, stamp: u64) -> bool {
    if p.ours.load(order!("pair.look_whose")) == 0 {
        let word = p.pair.word.load(order!("pair.look"));
        if is_next(word, stamp) {
            return take(p, stamp);
        }
    }
    let word = r.look();
    if word == 0 {
        return false;
    }
    if is_next(word, stamp) {
        r.take(word);
        return true;
    }
    assert!(
        is_next(p.pair.word.load(order!("pair.look_again")), stamp),
        "the ring holds rubbish"
    );
    take(p, stamp)
}

fn take(p: &Peer, stamp: u64) -> bool {
    assert_eq!(p.pair.payload.read(), stamp, "payload of another message");
    p.ours.store(1, order!("pair.take"));
    true
}

fn await_message(p: &Peer, r: &mut In, stamp: u64) -> Option<()> {
    until(|| look_and_take(p, r, stamp).then_some(()))
}

fn pair_of(lower_ours: u64, upper_ours: u64) -> Arc<Pair> {
    Arc::new(Pair {
        lower_ours: Word::new(lower_ours),
        upper_ours: Word::new(upper_ours),
        pair: Line::new(),
        up: Ring::new(),
        down: Ring::new(),
    })
}

/// The lower PE sends two messages, of which the first goes by the pair, and the upper one answers the first.
pub fn to_and_fro() {
    together(3, &pair_of(1, 0), |s, me| {
        let lower = Peer {
            ours: &s.lower_ours,
            pair: &s.pair,
        };
        let upper = Peer {
            ours: &s.upper_ours,
            pair: &s.pair,
        };
        match me {
            0 => {
                let mut out = out_of(&s.up);
                put(&lower, &mut out, 1, true)?;
                thread::yield_now();
                put(&lower, &mut out, 2, true)
            }
            1 => await_message(&lower, &mut in_of(&s.down), 1 | UPPER),
            _ => {
                let mut r = in_of(&s.up);
                await_message(&upper, &mut r, 1)?;
                put(&upper, &mut out_of(&s.down), 1 | UPPER, false)?;
                await_message(&upper, &mut r, 2)
            }
        }
    });
}

/// Numbers repeat: the other PE's last message in the pair has the number that is expected next. The draining thread
/// does not take it again while this PE puts another one there.
pub fn numbers_repeat() {
    let stamp = 1 | UPPER;
    let s = pair_of(1, 0);
    s.pair.word.store(pack(stamp, 1), Order::Relaxed);
    s.pair.payload.write(stamp);

    together(2, &s, move |s, me| {
        let p = Peer {
            ours: &s.lower_ours,
            pair: &s.pair,
        };
        if me == 0 {
            return put(&p, &mut out_of(&s.up), 7, true);
        }
        assert!(
            !look_and_take(&p, &mut in_of(&s.down), stamp),
            "taken twice"
        );
        Some(())
    });
}

/// The draining thread takes the other PE's message, and this one may then send in the same lines.
pub fn given_back() {
    let stamp = 1 | UPPER;
    let s = pair_of(0, 0);
    s.pair.payload.write(stamp);
    s.pair.word.store(pack(stamp, 1), Order::Relaxed);

    together(2, &s, move |s, me| {
        let p = Peer {
            ours: &s.lower_ours,
            pair: &s.pair,
        };
        if me == 0 {
            return await_message(&p, &mut in_of(&s.down), stamp);
        }
        thread::yield_now();
        put(&p, &mut out_of(&s.up), 1, true)
    });
}

/// The first message goes by the pair, the second one by the ring, where it may be seen first.
pub fn in_order() {
    together(2, &pair_of(1, 0), |s, me| {
        if me == 0 {
            let (p, mut out) = (
                Peer {
                    ours: &s.lower_ours,
                    pair: &s.pair,
                },
                out_of(&s.up),
            );
            put(&p, &mut out, 1, false)?;
            return put(&p, &mut out, 2, false);
        }
        let (p, mut r) = (
            Peer {
                ours: &s.upper_ours,
                pair: &s.pair,
            },
            in_of(&s.up),
        );
        await_message(&p, &mut r, 1)?;
        await_message(&p, &mut r, 2)
    });
}
