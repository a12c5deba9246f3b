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

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
