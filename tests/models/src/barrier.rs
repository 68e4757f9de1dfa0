// SPDX-License-Identifier: BSD-3-Clause
//
// The barriers of src/coll: spread (dissemination) and central, sync.c; transient, in the caller's words, of the same
// file; doubling, reduce.c, whose lines carry data. Several in a row, as each uses again what the one before left.
use crate::memory::{together, until, Plain, Word};
use crate::order;
use crate::order::Order;
use loom::sync::Arc;

const PES: usize = 3;

/// What each PE owns: written before a barrier, read by the others after it, and written again after the next one.
struct Data([Plain; PES]);

impl Data {
    fn new() -> Data {
        Data(std::array::from_fn(|_| Plain::new(0)))
    }

    fn step(&self, me: usize, mut barrier: impl FnMut() -> Option<()>) -> Option<()> {
        self.0[me].write(1);
        barrier()?;
        for other in &self.0 {
            assert_eq!(other.read(), 1);
        }
        barrier()?;
        self.0[me].write(2);
        Some(())
    }
}

// ---- spread

struct Spread {
    flag: [[[Word; 2]; 2]; PES], // of a PE: by the epoch's parity, by round
    data: Data,
}

fn spread_barrier(s: &Spread, me: usize, epoch: u64) -> Option<()> {
    for (round, ahead) in [1, 2].into_iter().enumerate() {
        let to = (me + ahead) % PES;
        s.flag[to][epoch as usize & 1][round].store(epoch, order!("spread.send"));
        s.flag[me][epoch as usize & 1][round].until(order!("spread.poll"), |flag| flag == epoch)?;
    }
    Some(())
}

pub fn spread() {
    let flag =
        std::array::from_fn(|_| std::array::from_fn(|_| std::array::from_fn(|_| Word::new(0))));

    together(
        PES,
        &Arc::new(Spread {
            flag,
            data: Data::new(),
        }),
        |s, me| {
            s.data.0[me].write(1);
            spread_barrier(s, me, 1)?;
            assert!(s.data.0.iter().all(|data| data.read() == 1));
            Some(())
        },
    );
}

// ---- doubling

struct Line {
    flag: Word,
    payload: Plain,
}

/// Two PEs, three reductions: two copies of a line are enough.
pub fn doubling() {
    let lines: [[Line; 2]; 2] = std::array::from_fn(|_| {
        std::array::from_fn(|_| Line {
            flag: Word::new(0),
            payload: Plain::new(0),
        })
    });

    together(2, &Arc::new(lines), |lines, me| {
        for epoch in 1..=3u64 {
            let there = &lines[1 - me][epoch as usize & 1];
            there.payload.write(epoch);
            there.flag.store(epoch, order!("doubling.send"));
            let here = &lines[me][epoch as usize & 1];
            here.flag
                .until(order!("doubling.poll"), |flag| flag == epoch)?;
            assert_eq!(here.payload.read(), epoch);
        }
        Some(())
    });
}

// ---- central

struct Central {
    count: Word,
    released: Word,
    data: Data,
    last: Plain, // what the one who releases does for all (coll_last)
}

fn central_release(c: &Central, epoch: u64) {
    c.count.store(0, Order::Relaxed);
    c.last.write(c.last.read() + 1);
    c.released.store(epoch, order!("central.release"));
}

/// `many`: rank 0 releases all, when it sees that the last one has come.
fn central_barrier(c: &Central, me: usize, epoch: u64, many: bool) -> Option<()> {
    if c.count.fetch_add(1, order!("central.arrive")) + 1 == PES as u64 && (!many || me == 0) {
        central_release(c, epoch);
        return Some(());
    }
    until(|| {
        if many && me == 0 && c.count.load(order!("central.all_here")) == PES as u64 {
            central_release(c, epoch);
        }
        (c.released.load(order!("central.poll")) >= epoch).then_some(())
    })
}

fn central_of(many: bool) {
    let c = Central {
        count: Word::new(0),
        released: Word::new(0),
        data: Data::new(),
        last: Plain::new(0),
    };

    together(PES, &Arc::new(c), move |c, me| {
        let mut epoch = 0;
        c.data.step(me, || {
            epoch += 1;
            central_barrier(c, me, epoch, many)
        })?;
        assert_eq!(c.last.read(), 2);
        Some(())
    });
}

pub fn central() {
    central_of(false);
}

pub fn central_of_many() {
    central_of(true);
}

// ---- transient

struct Words {
    count: Word,
    release: [Word; PES],
    data: Data,
}

fn transient_release(w: &Words) {
    w.count.store(0, Order::Relaxed);
    for word in &w.release {
        word.store(1, order!("transient.release"));
    }
}

/// Nobody is released again before it has arrived again.
fn transient_barrier(w: &Words, me: usize, many: bool) -> Option<()> {
    if w.count.fetch_add(1, order!("transient.arrive")) + 1 == PES as u64 && (!many || me == 0) {
        transient_release(w);
    }
    until(|| {
        if many && me == 0 && w.count.load(order!("transient.all_here")) == PES as u64 {
            transient_release(w);
        }
        (w.release[me].load(order!("transient.poll")) != 0).then_some(())
    })?;
    w.release[me].store(0, Order::Relaxed);
    Some(())
}

fn transient_of(many: bool) {
    let w = Words {
        count: Word::new(0),
        release: std::array::from_fn(|_| Word::new(0)),
        data: Data::new(),
    };

    together(PES, &Arc::new(w), move |w, me| {
        w.data.step(me, || transient_barrier(w, me, many))
    });
}

pub fn transient() {
    transient_of(false);
}

pub fn transient_of_many() {
    transient_of(true);
}
