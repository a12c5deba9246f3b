//! Evaluation requests: one run of a map, at a point or on a box, for values and derivatives together.
//!
//! A request has inputs, intervals with exact endpoints, and directions with a generator for each. The map is run once
//! over the Weil algebra of these generators, and the requested coefficients are read off. If the algebra has too many
//! monomials, the answer is ⊥.

use super::untyped::Untyped;
use crate::number::effort::Effort;
use crate::number::{Double, Enclosure, Mpfr, Rational, real::Tier};
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Machine};
use crate::smooth::question::{Followed, Run, certain};
use crate::smooth::spine::Spine;
use std::sync::Arc;

/// The interval of one input, from the first to the second number.
pub type Range = [Rational; 2];

/// A map with the inputs and the derivatives of one run.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The map.
    pub map: Arc<Untyped>,
    /// The inputs, one interval per coordinate; a point has equal endpoints.
    pub inputs: Vec<Range>,
    /// The directions, each with its generator.
    pub directions: Vec<(Generator, Vec<Rational>)>,
    /// The requested derivatives: the order in each direction.
    pub wanted: Vec<Vec<u32>>,
    /// `true` if derivatives are divided by the factorials: Taylor coefficients.
    pub as_coefficient: bool,
}

impl Probe {
    /// Requests the value.
    #[doc(hidden)]
    pub fn value(map: &Arc<Untyped>, inputs: Vec<Range>) -> Self {
        let map = map.clone();
        Self { map, inputs, directions: Vec::new(), wanted: vec![Vec::new()], as_coefficient: false }
    }

    /// Returns the number of results: all components of the first requested derivative, then of the next.
    pub(super) fn len(&self) -> usize {
        self.wanted.len() * self.map.outputs().len()
    }

    /// Computes the results in one arithmetic.
    pub(super) fn run_in<C: Hooked>(&self, context: &C, effort: &Effort) -> Result<Vec<C::Num>, SmoothError> {
        self.run_along(context, effort, None)
    }

    /// Like [`run_in`](Self::run_in). With `followed`, solvers start from the results of other runs, and intermediate
    /// enclosures are reported.
    fn run_along<C: Hooked>(
        &self,
        context: &C,
        effort: &Effort,
        followed: Option<Followed>,
    ) -> Result<Vec<C::Num>, SmoothError> {
        let real = Algebra::real();
        let nothing = || vec![context.bottom(); self.len()];
        let mut algebra = real.clone();
        let mut generators = Vec::with_capacity(self.directions.len());
        for (generator, _) in &self.directions {
            let Some(extended) = algebra.adjoin(*generator) else { return Ok(nothing()) };
            algebra = extended;
            generators.push(algebra.generator());
        }
        let program = self.map.program();
        let machine = Machine::new(context, effort, &real, program);
        let inputs: Vec<_> =
            self.inputs.iter().enumerate().map(|(i, x)| self.jet(context, &generators, i, x)).collect();
        let run = |machine: &Machine<C>| {
            let y = machine.derivatives(&program.root, &algebra, [&inputs, &[]], 0, &mut Branches::default())?;
            Ok(self.read(machine, &algebra, &y))
        };
        // a derivative also needs a neighbourhood of the inputs, for which no solver has recorded results
        let Some(Followed { ledger, hear }) = followed.filter(|_| self.directions.is_empty()) else {
            return run(&machine);
        };
        let replay = |machine: &Machine<C>| run(machine).map(|found| hear(&certain(context, &found)));
        run(&machine.along(&Spine::new(ledger, &replay)))
    }

    /// Reads the requested coefficients from the output jets.
    fn read<C: Hooked>(&self, machine: &Machine<C>, algebra: &Algebra, y: &[Jet<C::Num>]) -> Vec<C::Num> {
        let (context, jets) = (machine.context, machine.jets(algebra));
        let mut found = Vec::with_capacity(self.len());
        for exponents in &self.wanted {
            let monomial = if exponents.is_empty() { Some(0) } else { algebra.index(exponents) };
            let factors = if self.as_coefficient { Vec::new() } else { factorials(exponents) };
            for jet in y {
                let value = jets.value(jet);
                let coefficient = match monomial {
                    None => context.bottom(),
                    Some(m) => jet.get(m).cloned().unwrap_or_else(|| context.integer(0)),
                };
                // a derivative is the coefficient times the factorials; it is defined only where the value is
                let derivative = factors.iter().fold(coefficient, |c, n| context.scale(&c, *n));
                found.push(if context.is_defined(&value) { derivative } else { context.undefined(derivative) });
            }
        }
        found
    }

    fn jet<C: Hooked>(&self, context: &C, generators: &[usize], i: usize, [lo, hi]: &Range) -> Jet<C::Num> {
        let x =
            if lo == hi { context.rational(lo) } else { context.hull(&context.rational(lo), &context.rational(hi)) };
        let mut jet = Jet::constant(x);
        for (generator, (_, v)) in generators.iter().zip(&self.directions) {
            if !v[i].is_zero() {
                jet.set(*generator, Some(context.rational(&v[i])));
            }
        }
        jet
    }

    /// Computes the results at a precision; ⊥ for a number that is not certainly defined.
    #[doc(hidden)]
    pub fn run(&self, tier: Tier, effort: &Effort) -> Result<Vec<Enclosure>, SmoothError> {
        self.run_at(tier, effort, None)
    }

    fn run_at(&self, tier: Tier, effort: &Effort, followed: Option<Followed>) -> Result<Vec<Enclosure>, SmoothError> {
        fn run<C: Hooked>(
            probe: &Probe,
            context: &C,
            effort: &Effort,
            followed: Option<Followed>,
        ) -> Result<Vec<Enclosure>, SmoothError> {
            Ok(certain(context, &probe.run_along(context, effort, followed)?))
        }
        match tier {
            Tier::Double => run(self, &Double, effort, followed),
            Tier::Mpfr(bits) => run(self, &Mpfr::new(bits), effort, followed),
        }
    }
}

impl Run for Probe {
    fn run(&self, tier: Tier, effort: &Effort, followed: Followed) -> Result<Vec<Enclosure>, SmoothError> {
        self.run_at(tier, effort, Some(followed))
    }

    fn count(&self) -> usize {
        self.len()
    }

    fn least_precision(&self) -> u32 {
        // a long numerator needs as many bits as a long constant
        let inputs = self.inputs.iter().map(|[low, _]| low.numer().significant_bits());
        inputs.fold(self.map.program().least_precision(), u32::max)
    }

    fn has_solver(&self) -> bool {
        self.map.program().root.has_solver
    }
}

/// Returns the factors of Π αᵢ!, without 1.
fn factorials(exponents: &[u32]) -> Vec<i64> {
    exponents.iter().flat_map(|&k| 2..=i64::from(k)).collect()
}
