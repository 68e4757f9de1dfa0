// SPDX-License-Identifier: BSD-3-Clause
//
// core/channel/ring.h: a ring of lines from one sender to one receiver, each with its own position. Lines that were
// given back are written anew; a message that does not fit before the end leaves a SKIP there.
use crate::memory::{together, until, Plain, Word};
use crate::order;
use loom::sync::Arc;

pub const SLOTS: usize = 4;
const PORTION: u64 = 1;
const SKIP: u64 = 2;
const VALID: u64 = 1;

pub struct Line {
    pub word: Word,
    pub payload: Plain,
}

impl Line {
    pub fn new() -> Line {
        Line {
            word: Word::new(0),
            payload: Plain::new(0),
        }
    }
}

pub struct Ring {
    freed: Word,
    pub line: [Line; SLOTS],
}

impl Ring {
    pub fn new() -> Ring {
        Ring {
            freed: Word::new(0),
            line: std::array::from_fn(|_| Line::new()),
        }
    }
}

pub struct Out<'a> {
    ring: &'a Ring,
    used: u64,
    freed: u64,
    slot: usize,
}

pub struct In<'a> {
    ring: &'a Ring,
    read: u64,
    freed: u64,
    slot: usize,
}

pub fn out_of(ring: &Ring) -> Out<'_> {
    Out {
        ring,
        used: 0,
        freed: 0,
        slot: 0,
    }
}

pub fn in_of(ring: &Ring) -> In<'_> {
    In {
        ring,
        read: 0,
        freed: 0,
        slot: 0,
    }
}

/// A message's word: its stamp and the number of its lines.
pub fn pack(stamp: u64, lines: usize) -> u64 {
    stamp << 16 | (lines as u64) << 8 | VALID
}

impl Out<'_> {
    fn has_room(&mut self, lines: usize) -> bool {
        if self.used + lines as u64 + 1 - self.freed <= SLOTS as u64 {
            return true;
        }
        self.freed = self.ring.freed.load(order!("ring.room"));
        self.used + lines as u64 + 1 - self.freed <= SLOTS as u64
    }

    fn publish(&mut self, word: u64, lines: usize, next: usize) {
        self.ring.line[next].word.store(0, order!("ring.clear"));
        self.ring.line[self.slot]
            .word
            .store(word, order!("ring.publish"));
        self.used += lines as u64;
        self.slot = next;
    }

    pub fn push(&mut self, stamp: u64, lines: usize) -> bool {
        let skip = if self.slot + lines > SLOTS {
            SLOTS - self.slot
        } else {
            0
        };
        if !self.has_room(skip + lines) {
            return false;
        }
        if skip > 0 {
            self.publish(SKIP, skip, 0);
        }
        for i in 0..lines {
            self.ring.line[self.slot + i].payload.write(stamp);
        }
        let next = if self.slot + lines < SLOTS {
            self.slot + lines
        } else {
            0
        };
        self.publish(pack(stamp, lines), lines, next);
        true
    }
}

impl In<'_> {
    fn release(&mut self, lines: usize) {
        self.read += lines as u64;
        self.slot = if self.slot + lines < SLOTS {
            self.slot + lines
        } else {
            0
        };
        if self.read - self.freed >= PORTION {
            self.freed = self.read;
            self.ring.freed.store(self.freed, order!("ring.release"));
        }
    }

    fn peek(&self) -> u64 {
        self.ring.line[self.slot].word.load(order!("ring.peek"))
    }

    /// The word of the message at its position; 0: none.
    pub fn look(&mut self) -> u64 {
        let word = self.peek();
        if word != SKIP {
            return word;
        }
        self.release(SLOTS - self.slot);
        self.peek()
    }

    pub fn take(&mut self, word: u64) {
        let lines = (word >> 8 & 0xff) as usize;
        for i in 0..lines {
            assert_eq!(
                self.ring.line[self.slot + i].payload.read(),
                word >> 16,
                "payload of another message"
            );
        }
        self.release(lines);
    }
}

const SIZES: [usize; 3] = [1, 2, 2]; // the third does not fit before the end

pub fn ring() {
    together(2, &Arc::new(Ring::new()), |ring, me| {
        if me == 1 {
            let mut out = out_of(ring);
            for (i, lines) in SIZES.iter().enumerate() {
                until(|| out.push(i as u64 + 1, *lines).then_some(()))?;
            }
            return Some(());
        }
        let mut r = in_of(ring);
        for stamp in 1..=SIZES.len() as u64 {
            let word = until(|| Some(r.look()).filter(|word| *word != 0))?;
            assert_eq!(word >> 16, stamp, "the next message");
            r.take(word);
        }
        Some(())
    });
}
