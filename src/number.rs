//! Numbers: enclosures of real numbers, and the arithmetic that computes them.
pub mod context;
pub mod enclosure;
pub mod magnitude;

pub use rug::Rational;
