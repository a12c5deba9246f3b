//! Numbers, maps and solvers: certified values and derivatives of first order.

mod accuracy;
mod balls;
mod borders;
mod complex;
mod containment;
mod decimal;
mod ends;
mod events;
mod exchange;
mod gamma;
mod gradients;
mod graphs;
mod growth;
mod guards;
mod map;
mod more_work;
mod number;
mod optimum;
mod plain;
mod planar;
mod puiseux;
mod quadrature;
mod real;
mod solvers;
mod soundness;
mod tape;
mod threads;
mod tower;
mod traps;
mod units;
mod why;
mod windows;

use smoothish::number::Rational;
use smoothish::number::context::Context;
use smoothish::smooth::algebra::{Algebra, Generator};
use smoothish::smooth::jet::Jet;
use smoothish::smooth::program::{Block, Instruction, Program};
use std::sync::Arc;

/// The body of the integral in a program.
fn integrand(program: &Program) -> Arc<Block> {
    let of = |instruction: &Instruction| match instruction {
        Instruction::Second { body, .. } => Some(body.clone()),
        _ => None,
    };
    program.root.instructions.iter().find_map(of).expect("an integral")
}

/// An input that moves to an order, and the algebra of its derivatives.
fn moving<C: Context>(context: &C, at: &Rational, order: u32) -> (Arc<Algebra>, Jet<C::Num>) {
    let real = Algebra::real();
    let mut input = Jet::constant(context.rational(at));
    if order > 0 {
        input.set(1, Some(context.integer(1)));
    }
    (real.adjoin(Generator::Direction(order)).unwrap_or(real), input)
}

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
