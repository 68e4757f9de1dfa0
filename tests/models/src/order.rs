// SPDX-License-Identifier: BSD-3-Clause
//
// The orders of accesses and fences, by tag: those of orders.tsv, which are compared with the C sources by
// tools/models.py, but for the one of MODEL_MUTANT=TAG:ORDER.
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    None, // the access or fence is left out
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

static WHOLE: AtomicU64 = AtomicU64::new(0);
static USED: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

fn parse(word: &str) -> Order {
    match word {
        "none" => Order::None,
        "relaxed" => Order::Relaxed,
        "acquire" => Order::Acquire,
        "release" => Order::Release,
        "acq_rel" => Order::AcqRel,
        "seq_cst" | "membarrier" | "full" => Order::SeqCst,
        _ => panic!("no order: {word}"),
    }
}

fn in_table(tag: &str) -> &'static str {
    include_str!("../orders.tsv")
        .lines()
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .find(|row| row[0] == tag)
        .unwrap_or_else(|| panic!("orders.tsv has no row {tag}"))[1]
}

pub fn of(tag: &'static str) -> Order {
    USED.lock().unwrap().insert(tag);
    let mutants = std::env::var("MODEL_MUTANT").unwrap_or_default();
    let mutant = mutants
        .split(',')
        .filter_map(|m| m.split_once(':'))
        .find(|m| m.0 == tag);
    let order = mutant.map_or(in_table(tag), |m| m.1).to_string();
    parse(order.split('/').next().unwrap()) // of a compare-and-swap: the first one; failures are loads
}

/// An execution in which no thread has ended in a wait.
pub fn count_whole() {
    WHOLE.fetch_add(1, Ordering::Relaxed);
}

pub fn whole() -> u64 {
    WHOLE.load(Ordering::Relaxed)
}

pub fn used() -> Vec<&'static str> {
    USED.lock().unwrap().iter().copied().collect()
}

/// The order of a tag, looked up once.
#[macro_export]
macro_rules! order {
    ($tag:literal) => {{
        static ORDER: std::sync::OnceLock<$crate::order::Order> = std::sync::OnceLock::new();
        *ORDER.get_or_init(|| $crate::order::of($tag))
    }};
}
