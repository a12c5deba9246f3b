//! What programs mean: the models and their agreement, the Taylor macro, gluing, theories, and the wrong models.

mod acceptance;
mod audit;
mod campaign;
mod clarke;
mod compile;
mod errata;
mod failures;
mod features;
mod foreign;
mod fragments;
mod measure;
mod model;
mod mutants;
mod nearby;
mod operational;
mod pap;
mod paper;
mod partial;
mod taylor;
mod theory;
mod undefined;

#[path = "../tier.rs"]
mod tier;

use tier::{drawn, in_tiers};

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
