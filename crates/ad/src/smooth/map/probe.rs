//! Evaluation requests: one run of a map, at a point or on a box, for values and derivatives together.
//!
//! A request has inputs, intervals with exact endpoints, and directions with a generator for each. The map is run once
//! over the Weil algebra of these generators, and the requested coefficients are read off. If the algebra has too many
//! monomials, the answer is ⊥.

use super::untyped::DynMap;
use crate::number::effort::PassOptions;
use crate::number::{Double, Enclosure, Mpfr, Rational, real::Precision};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, JetEvaluator};
use crate::smooth::question::{JointProgram, RunObserver, all_defined_or_bottom};
use crate::smooth::spine::AnytimeSolvers;
use std::sync::Arc;

/// The interval of one input, from the first to the second number.
pub type InputInterval = [Rational; 2];

/// A map with the inputs and the derivatives of one run.
#[derive(Clone, Debug)]
pub struct EvalRequest {
    /// The map.
    pub map: Arc<DynMap>,
    /// The inputs, one interval per coordinate; a point has equal endpoints.
    pub inputs: Vec<InputInterval>,
    /// The directions, each with its generator.
    pub directions: Vec<(AlgebraGenerator, Vec<Rational>)>,
    /// The requested derivatives: the order in each direction.
    pub requested: Vec<Vec<u32>>,
    /// `true` if derivatives are divided by the factorials: Taylor coefficients.
    pub as_coefficient: bool,
}

impl EvalRequest {
    /// Requests the value.
    #[doc(hidden)]
    pub fn for_value(map: &Arc<DynMap>, inputs: Vec<InputInterval>) -> Self {
        let map = map.clone();
        Self { map, inputs, directions: Vec::new(), requested: vec![Vec::new()], as_coefficient: false }
    }

    /// Returns the number of results: all components of the first requested derivative, then of the next.
    pub(super) fn len(&self) -> usize {
        self.requested.len() * self.map.outputs().len()
    }

    /// Computes the results in one arithmetic.
    pub(super) fn run_in<C: HookedContext>(
        &self,
        context: &C,
        effort: &PassOptions,
    ) -> Result<Vec<C::Num>, SmoothError> {
        self.run_observed(context, effort, None)
    }

    /// Like [`run_in`](Self::run_in). With `followed`, solvers start from the results of other runs, and intermediate
    /// enclosures are reported.
    fn run_observed<C: HookedContext>(
        &self,
        context: &C,
        effort: &PassOptions,
        followed: Option<RunObserver>,
    ) -> Result<Vec<C::Num>, SmoothError> {
        let real = Algebra::real();
        let nothing = || vec![context.bottom(); self.len()];
        let mut algebra = real.clone();
        let mut generators = Vec::with_capacity(self.directions.len());
        for (generator, _) in &self.directions {
            let Some(extended) = algebra.adjoin(*generator) else { return Ok(nothing()) };
            algebra = extended;
            generators.push(algebra.last_generator());
        }
        let program = self.map.program();
        let machine = JetEvaluator::new(context, effort, &real, program);
        let inputs: Vec<_> =
            self.inputs.iter().enumerate().map(|(i, x)| self.input_jet(context, &generators, i, x)).collect();
        let run = |machine: &JetEvaluator<C>| {
            let y = machine.eval_derivatives(
                &program.root,
                &algebra,
                [&inputs, &[]],
                0,
                &mut BranchDecisions::default(),
            )?;
            Ok(self.read_coefficients(machine, &algebra, &y))
        };
        // a derivative also needs a neighbourhood of the inputs, for which no solver has recorded results
        let Some(RunObserver { results: ledger, observe: hear }) = followed.filter(|_| self.directions.is_empty())
        else {
            return run(&machine);
        };
        let replay =
            |machine: &JetEvaluator<C>| run(machine).map(|found| hear(&all_defined_or_bottom(context, &found)));
        run(&machine.with_anytime(&AnytimeSolvers::new(ledger, &replay)))
    }

    /// Reads the requested coefficients from the output jets.
    fn read_coefficients<C: HookedContext>(
        &self,
        machine: &JetEvaluator<C>,
        algebra: &Algebra,
        y: &[Jet<C::Num>],
    ) -> Vec<C::Num> {
        let (context, jets) = (machine.context, machine.jets(algebra));
        let mut found = Vec::with_capacity(self.len());
        for exponents in &self.requested {
            let monomial = if exponents.is_empty() { Some(0) } else { algebra.index(exponents) };
            let factors = if self.as_coefficient { Vec::new() } else { factorial_factors(exponents) };
            for jet in y {
                let value = jets.value_of(jet);
                let coefficient = match monomial {
                    None => context.bottom(),
                    Some(m) => jet.get(m).cloned().unwrap_or_else(|| context.enclose_integer(0)),
                };
                // a derivative is the coefficient times the factorials; it is defined only where the value is
                let derivative = factors.iter().fold(coefficient, |c, n| context.mul_integer(&c, *n));
                found.push(if context.is_defined(&value) { derivative } else { context.mark_undefined(derivative) });
            }
        }
        found
    }

    fn input_jet<C: HookedContext>(
        &self,
        context: &C,
        generators: &[usize],
        i: usize,
        [lo, hi]: &InputInterval,
    ) -> Jet<C::Num> {
        let x = if lo == hi {
            context.enclose_rational(lo)
        } else {
            context.hull(&context.enclose_rational(lo), &context.enclose_rational(hi))
        };
        let mut jet = Jet::constant(x);
        for (generator, (_, v)) in generators.iter().zip(&self.directions) {
            if !v[i].is_zero() {
                jet.set(*generator, Some(context.enclose_rational(&v[i])));
            }
        }
        jet
    }

    /// Computes the results at a precision; ⊥ for a number that is not certainly defined.
    #[doc(hidden)]
    pub fn enclose_results(&self, tier: Precision, effort: &PassOptions) -> Result<Vec<Enclosure>, SmoothError> {
        self.run_at(tier, effort, None)
    }

    fn run_at(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: Option<RunObserver>,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        fn run<C: HookedContext>(
            probe: &EvalRequest,
            context: &C,
            effort: &PassOptions,
            followed: Option<RunObserver>,
        ) -> Result<Vec<Enclosure>, SmoothError> {
            Ok(all_defined_or_bottom(context, &probe.run_observed(context, effort, followed)?))
        }
        match tier {
            Precision::Double => run(self, &Double, effort, followed),
            Precision::Mpfr(bits) => run(self, &Mpfr::new(bits), effort, followed),
        }
    }
}

impl JointProgram for EvalRequest {
    fn run_joint(
        &self,
        tier: Precision,
        effort: &PassOptions,
        followed: RunObserver,
    ) -> Result<Vec<Enclosure>, SmoothError> {
        self.run_at(tier, effort, Some(followed))
    }

    fn output_count(&self) -> usize {
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
fn factorial_factors(exponents: &[u32]) -> Vec<i64> {
    exponents.iter().flat_map(|&k| 2..=i64::from(k)).collect()
}
