//! The extension module `smoothish._smoothish`: the library as Python sees it.
//!
//! | file | what it holds |
//! |---|---|
//! | [`exact`] | numbers of Python as exact rationals, and back; how accurately something is asked |
//! | [`signals`] | budgets that Ctrl-C ends |
//! | [`error`] | exceptions |
//! | [`interval`], [`value`] | enclosures, and the values of programs |
//! | [`session`], [`real`] | programs as text |
//! | [`function`], [`batch`] | maps, at points and on arrays |
//! | [`audit`] | whether a number is a derivative |
//! | [`plot`] | envelopes as pictures |
//! | [`clock`] | how long the library takes for itself |
//!
//! What takes time runs without the interpreter's lock.

mod audit;
mod batch;
mod clock;
mod error;
mod exact;
mod function;
mod interval;
mod plot;
mod real;
mod session;
mod signals;
mod value;

use pyo3::prelude::pymodule;

#[pymodule]
mod _smoothish {
    #[pymodule_export]
    use super::audit::Audited;
    #[pymodule_export]
    use super::clock::{seconds_of_at, seconds_of_eval};
    #[pymodule_export]
    use super::function::Function;
    #[pymodule_export]
    use super::interval::Interval;
    #[pymodule_export]
    use super::plot::Plot;
    #[pymodule_export]
    use super::real::Real;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::signals::Stop;
}
