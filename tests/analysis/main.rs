//! Numbers, maps and solvers: certified values and derivatives of first order.

mod accuracy;
mod balls;
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
mod tower;
mod traps;
mod units;

use smoothish::smooth::program::{Block, Instruction, Program};

/// The body of the integral in a program.
fn integrand(program: &Program) -> std::sync::Arc<Block> {
    let of = |instruction: &Instruction| match instruction {
        Instruction::Second { body, .. } => Some(body.clone()),
        _ => None,
    };
    program.root.instructions.iter().find_map(of).expect("an integral")
}

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
