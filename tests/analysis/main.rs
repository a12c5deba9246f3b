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
mod quadrature;
mod real;
mod solvers;
mod soundness;
mod tape;
mod tower;
mod traps;
mod units;

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
