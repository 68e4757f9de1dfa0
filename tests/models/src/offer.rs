// SPDX-License-Identifier: BSD-3-Clause
//
// mpi/p2p/offer.c: a blocking send offers its buffer. The receiver takes the body from there, or the sender, when that
// does not happen soon, copies it into the offer; a compare-and-swap decides.
use crate::memory::{together, Plain, Word};
use crate::order;
use loom::sync::Arc;

const OFFERED: u64 = 0;
const TAKEN: u64 = 1;
const COPYING: u64 = 2;
const COPIED: u64 = 3;
const DONE: u64 = 4;

struct Offer {
    state: Word,
    user: Plain, // the sender's buffer
    data: Plain, // the copy
}

fn state_of(o: &Offer) -> u64 {
    o.state.load(order!("offer.state"))
}

fn claim(o: &Offer, value: u64) -> bool {
    o.state.change_from(OFFERED, value, order!("offer.claim"))
}

fn await_state(o: &Offer, state: u64) -> Option<u64> {
    o.state.until(order!("offer.state"), |now| now == state)
}

fn send(o: &Offer) -> Option<()> {
    let copies = state_of(o) == OFFERED && claim(o, COPYING);

    if copies {
        o.data.write(o.user.read());
        o.state.store(COPIED, order!("offer.copied"));
        o.user.write(2); // the call returns
    }
    await_state(o, DONE)?;
    if copies {
        o.data.write(3); // the block is used for another offer
    } else {
        o.user.write(2);
    }
    Some(())
}

fn receive(o: &Offer) -> Option<()> {
    if claim(o, TAKEN) {
        assert_eq!(o.user.read(), 1);
    } else {
        await_state(o, COPIED)?;
        assert_eq!(o.data.read(), 1);
    }
    o.state.store(DONE, order!("offer.done"));
    Some(())
}

pub fn offer() {
    let o = Arc::new(Offer {
        state: Word::new(OFFERED),
        user: Plain::new(1),
        data: Plain::new(0),
    });

    together(2, &o, |o, me| if me == 0 { send(o) } else { receive(o) });
}
