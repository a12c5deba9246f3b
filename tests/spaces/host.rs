//! The host language: λ_S in Rust.

mod closing;
mod programs;
mod random;
mod variants;
