//! Maps against other ways to compute them, towers, tapes, gluing, categories: what needs the laws and nothing above them.

mod arbitrary;
mod campaign;
mod categories;
mod clauses;
mod conditions;
mod depth;
mod derived;
mod extensions;
mod first_order;
mod functors;
mod generate;
mod glue;
mod gradients;
mod graphs;
mod had;
mod nested;
mod normal_form;
mod plain;
mod programs;
mod reverse;
mod sequence;
mod sets;
mod shrink;
mod theorems;
mod tower;
mod units_graphs;

#[path = "../../../../tests/tier.rs"]
mod tier;

use tier::{drawn, in_tiers};

/// The seeds with each of which a wrong rule must be refuted: two of them, and twenty in the deep tier.
fn seeds() -> std::ops::Range<u64> {
    0..in_tiers(2, 20)
}

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
