//! The extension module `smoothish._smoothish`: the library as Python sees it.
//!
//! | file | what it holds |
//! |---|---|
//! | [`exact`] | numbers of Python as exact rationals, and back; how accurately something is asked |
//! | [`signals`] | budgets that Ctrl-C ends |
//! | [`error`], [`words`] | exceptions, and messages in the words of Python |
//! | [`interval`], [`value`] | enclosures, and the values of programs |
//! | [`answer`] | answers with their notes |
//! | [`session`], [`real`], [`sampled`], [`traced`] | programs as text, programs that sample, traces and pieces |
//! | [`foreign`] | functions of Python as constants of the language |
//! | [`function`], [`batch`] | maps, at points and on arrays |
//! | [`audit`] | whether a number is a derivative |
//! | [`plot`] | envelopes as pictures |
//! | [`clock`] | how long the library takes for itself |
//!
//! What takes time runs without the interpreter's lock.

mod answer;
mod audit;
mod batch;
mod clock;
mod error;
mod exact;
mod foreign;
mod function;
mod interval;
mod plot;
mod real;
mod sampled;
mod session;
mod signals;
mod traced;
mod value;
mod words;

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
