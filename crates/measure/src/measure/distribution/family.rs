//! The interface of a family of distributions: all facts about it that the integrals, the bounds, the estimators and the samplers need.
//!
//! Each family is one file beside this one. The module above registers it in three lines: `mod`, `pub use` and an entry of
//! [`FAMILIES`](super::FAMILIES). Graphs `p` are its parameters, in the order in
//! which the constructor of the theory `Trace` has them. The density of the theory shares nothing with the one here: they check each other.

use super::{Distribution, Kind};
use crate::measure::draws::NaturalRange;
use crate::measure::majorant::Majorant;
use crate::number::Magnitude;
use crate::pieces::SignTest;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use std::fmt::Debug;

/// A constraint on a parameter of a distribution.
#[derive(Clone, Debug)]
pub struct Demand {
    /// The parameter and the distribution, in words.
    pub what: &'static str,
    /// The constraint in words.
    pub has_to_be: &'static str,
    /// A map of what was drawn before…
    pub graph: Graph,
    /// …which has to pass this.
    pub test: SignTest,
}

impl Demand {
    /// The demand that a map is positive.
    #[must_use]
    pub fn positive(what: &'static str, graph: &Graph) -> Self {
        Self { what, has_to_be: "> 0", graph: graph.clone(), test: SignTest::Positive }
    }

    /// The demand that a map is not negative.
    #[must_use]
    pub fn not_negative(what: &'static str, graph: &Graph) -> Self {
        Self { what, has_to_be: ">= 0", graph: graph.clone(), test: SignTest::NonNegative }
    }

    /// Makes the same constraint for `1 - graph`, with its own words.
    #[must_use]
    pub fn of_rest(self, has_to_be: &'static str) -> Self {
        Self { has_to_be, graph: 1 - &self.graph, ..self }
    }
}

/// The closed forms of integrals of draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosedForm {
    /// Closed forms of normal draws over the whole line, by [`eliminate`](crate::measure::eliminate).
    Normal,
    /// Closed forms of powers and exponentials over the whole support, by [`kernel`](crate::measure::kernel).
    Powers,
}

/// A distribution of natural numbers n that takes up a factor e^(hn).
#[derive(Clone, Debug)]
pub struct Tilted {
    /// The other distribution.
    pub distribution: Distribution,
    /// The graph that has to be positive.
    pub positive: Option<Graph>,
    /// e^(hn) times the chance of n is this times the other chance of n.
    pub factor: Graph,
}

/// A family of distributions.
///
/// The families of natural numbers and of truth values say how likely a draw is by [`natural`](Self::natural) and
/// [`truth`](Self::truth), those of real numbers by [`density`](Self::density).
pub trait Family: Debug + Send + Sync {
    /// Returns the name of its constructor in the theory `Trace`.
    fn name(&self) -> &'static str;

    /// Returns how many parameters it has.
    fn arity(&self) -> usize;

    /// Returns the kind of its draws.
    fn kind(&self) -> Kind {
        Kind::Real
    }

    /// Returns what its parameters have to be: the one table of that, for draws and for what is seen, in integrals and in samplers.
    ///
    /// The theory `Trace` demands the same by where its densities have values, with words of its own.
    fn demands(&self, p: &[Graph]) -> Vec<Demand>;

    /// Returns the ends of the interval on which real draws lie; `None` for an infinite one.
    fn ends(&self, _p: &[Graph]) -> [Option<Graph>; 2] {
        [None, None]
    }

    /// Returns whether each end belongs to where draws lie: whether the density is there what it is beside it, inside.
    fn has_ends(&self, _p: &[Graph]) -> [bool; 2] {
        [false; 2]
    }

    /// Returns a place where the bulk of it lies, and how wide that is; `None` if neither is known.
    fn bulk(&self, _p: &[Graph]) -> Option<[Graph; 2]> {
        None
    }

    /// Returns the density of a real draw, inside of its ends.
    fn density(&self, _p: &[Graph], _x: &Graph) -> Graph {
        Graph::integer(1)
    }

    /// Returns the chance of a truth value.
    fn truth(&self, _p: &[Graph], _holds: bool) -> Graph {
        Graph::integer(0)
    }

    /// Returns the chance of a natural number.
    fn natural(&self, _p: &[Graph], _n: u64) -> Graph {
        Graph::integer(0)
    }

    /// Returns the terms of the logarithm of the density, or of the chance, at x, but for those that are numbers.
    fn log_density(&self, p: &[Graph], x: &Graph) -> Vec<Graph>;

    /// Returns at least the chance of natural numbers, where it is defined and positive.
    fn tail(&self, _p: &[Graph], _span: NaturalRange) -> Graph {
        Graph::integer(1)
    }

    /// Returns about where the likeliest natural number is, and how many are about as likely; `None` if it is the first.
    fn mode(&self, _p: &[Graph]) -> Option<Graph> {
        None
    }

    /// Returns at least E |x|ᵏ for k ≥ 1, by bounds of maps of what was drawn before; `None` if no bound is known, or if there is none.
    fn moment(&self, _p: &[Graph], _k: u32, _of: &mut dyn FnMut(&Graph) -> Option<Majorant>) -> Option<Majorant> {
        None
    }

    /// Returns at least E nᵏ over the natural numbers from one on, by bounds of maps and of the chance of all numbers from one on; `None` if
    /// no bound is known.
    fn tail_moment(
        &self,
        _p: &[Graph],
        _k: u32,
        _from: u64,
        _at: &dyn Fn(&Graph) -> Magnitude,
        _beyond: &dyn Fn(u64) -> Magnitude,
    ) -> Option<Magnitude> {
        None
    }

    /// Returns the distribution of natural numbers that takes up a factor e^(hn), given eʰ; `None` if it is not of this family.
    fn tilted(&self, _p: &[Graph], _growth: &Graph) -> Option<Tilted> {
        None
    }

    /// Returns the draw as a map of one by fewer parameters, with those: by location and scale.
    fn standard(&self, p: &[Graph], z: &Graph) -> (Vec<Graph>, Graph) {
        (p.to_vec(), z.clone())
    }

    /// Returns the distribution of the logarithm of a draw, if integrals draw that in its place: then a draw is positive. `None` for other
    /// families.
    fn logarithm(&self, _p: &[Graph]) -> Option<Distribution> {
        None
    }

    /// Returns, for each parameter, why it is neither a location nor a scale; `None` where it is one.
    fn shapes(&self) -> Vec<Option<&'static str>> {
        vec![None; self.arity()]
    }

    /// Returns at least P(|z| > r) for a standard draw, which has the parameters `p`; `None` if no bound is known for that r.
    fn chance_beyond(&self, _p: &[Graph], _r: u32) -> Option<Graph> {
        None
    }

    /// Returns which integrals of a draw have a closed form.
    fn closed_form(&self) -> Option<ClosedForm> {
        None
    }

    /// Draws a number in `f64`; a truth value as 0 or 1.
    fn draw(&self, p: &[f64], random: &mut SplitMix64) -> f64;

    /// Returns whether a number can be drawn, in `f64`.
    fn is_inside(&self, _p: &[f64], _x: f64) -> bool {
        true
    }

    /// Returns about how wide it is, in `f64`.
    fn scale(&self, _p: &[f64]) -> f64 {
        1.0
    }

    /// Returns what a scaling move leaves where it is, in `f64`: the left end, or the mean.
    fn pivot(&self, _p: &[f64]) -> f64 {
        0.0
    }
}

impl PartialEq for dyn Family {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}
