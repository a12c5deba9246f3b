//! Maps, jets and solvers that need no program: certified values and derivatives.

mod algebra;
mod blocks;
mod curve;
mod domains;
mod exact;
mod germs;
mod growth;
mod guards;
mod hooks;
mod partitions;
mod phase;
mod puiseux;
mod series;
mod subdivide;
mod towers;

use smoothish_ad::number::Rational;
use smoothish_ad::number::arithmetic::Context;
use smoothish_ad::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish_ad::smooth::jet::Jet;
use smoothish_ad::smooth::program::{Block, BlockInstruction, CompiledMap};
use std::sync::Arc;

/// The body of the integral in a program.
fn integrand(program: &CompiledMap) -> Arc<Block> {
    let of = |instruction: &BlockInstruction| match instruction {
        BlockInstruction::Second { body, .. } => Some(body.clone()),
        _ => None,
    };
    program.root.instructions.iter().find_map(of).expect("an integral")
}

/// An input that moves to an order, and the algebra of its derivatives.
fn moving<C: Context>(context: &C, at: &Rational, order: u32) -> (Arc<Algebra>, Jet<C::Num>) {
    let real = Algebra::real();
    let mut input = Jet::constant(context.enclose_rational(at));
    if order > 0 {
        input.set(1, Some(context.enclose_integer(1)));
    }
    (real.adjoin(AlgebraGenerator::Direction(order)).unwrap_or(real), input)
}

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
