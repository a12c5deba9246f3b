//! Definedness on a neighbourhood of the inputs: the condition for derivatives (S §4.1).
//!
//! A derivative at a point concerns a neighbourhood. `c ↦ max 1 √c` has a value at 0 and none to its left, so it has no
//! derivative there, though the branch that is taken has one. So a derivative, structural zeros included, is claimed
//! only if the function has a second enclosure, by the same operations, from a box of positive radius around the
//! varying inputs. An input varies if a generator moves it. Code that adjoins a generator checks this, by
//! [`JetEvaluator::eval_derivatives`].
//!
//! **Only domain boundaries need the check.** The operations are defined on open sets and continuous there, so a value
//! that is defined is defined nearby. The exceptions are closed ends of domains: 0 for even roots, ±1 for asin and
//! acos, 1 for acosh, and any point for a primitive from outside, whose domain is unknown. A run records the generators
//! that move an argument at such a boundary ([`DomainBoundary`]). If there are none, nothing else is needed.
//!
//! **The second run is one of values**, over ℝ. A number that was computed outside a binder and is captured has a
//! second enclosure by the same run, so the place of a computation makes no difference. A derivative inside gets a
//! neighbourhood of its own, so nested derivatives cost one run each. A bound variable of an integral or an optimum
//! stays in `[0, 1]`, the set on which these need the function: `∫√x` has no boundary at 0.
//!
//! **Other designs that fail.** A bit "inside the open domain" is too weak: `max 1 √(c²)` lies on an edge at 0 and
//! yet has values on both sides. To widen what a binder captures fails too: what was computed outside arrives as a
//! number, so the answer would depend on the place where something is written.
//!
//! The losing side of a `max` counts, since `max` is an operation of both. The branch of a choice that is not
//! taken does not.

use crate::number::context::Function;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic};
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::Block;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// The domain boundaries that a run has met.
#[derive(Debug, Default)]
pub struct DomainBoundary(Cell<MetBoundaries>);

/// `any`: some argument lay at a boundary; `generators_of`: those that move such an argument.
#[derive(Clone, Copy, Debug, Default)]
struct MetBoundaries {
    any: bool,
    /// One bit each; all generators from the 63rd on share a bit.
    generators: u64,
}

fn generator_bit(generator: usize) -> u64 {
    1 << generator.min(63)
}

impl DomainBoundary {
    /// Records that a result of these inputs may be undefined next to them.
    pub fn record_boundary<'j, C: HookedContext + 'j>(
        &self,
        jets: &JetArithmetic<C>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
    ) {
        let moved = jets.generator_support(inputs);
        let moved = moved.iter().enumerate().filter(|(_, moved)| **moved);
        let generators = moved.fold(self.0.get().generators, |all, (g, _)| all | generator_bit(g));
        self.0.set(MetBoundaries { any: true, generators });
    }

    /// Records that a result may be undefined next to its inputs, which are not known.
    pub fn record_unknown_boundary(&self) {
        self.0.set(MetBoundaries { any: true, ..self.0.get() });
    }

    /// Returns `true` if some argument lay at a boundary.
    #[must_use]
    pub fn is_met(&self) -> bool {
        self.0.get().any
    }

    /// Records the boundaries of a run of another program, without its generators: they are of another algebra.
    pub fn adopt_boundaries(&self, other: &Self) {
        if other.0.get().any {
            self.record_unknown_boundary();
        }
    }

    /// Merges the boundaries that another thread met in a part of this run.
    pub fn merge_boundaries(&self, other: &Self) {
        let (own, other) = (self.0.get(), other.0.get());
        self.0.set(MetBoundaries { any: own.any || other.any, generators: own.generators | other.generators });
    }

    /// Runs a step that works over other algebras. A boundary met in it counts for all of its inputs.
    pub fn around_step<'j, C: HookedContext + 'j, T>(
        &self,
        jets: &JetArithmetic<C>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
        step: impl FnOnce() -> T,
    ) -> T {
        let before = self.0.take();
        let result = step();
        let met = self.0.replace(before).any;
        if met {
            self.record_boundary(jets, inputs);
        }
        result
    }
}

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Records the boundary if the elementary function `f` is computed at one.
    pub(super) fn record_function_boundary(&self, jets: &JetArithmetic<C>, f: Function, x: &Jet<C::Num>) {
        let met = match x.get(0) {
            Some(value) => self.context.meets_domain_end(f, value),
            None => self.context.meets_domain_end(f, &self.context.enclose_integer(0)),
        };
        if met {
            self.edges.record_boundary(jets, [x]);
        }
    }

    /// Runs a block over an algebra whose generators from `first` on are adjoined here. Their coefficients are marked
    /// undefined unless the function is certainly defined on a neighbourhood of the inputs, in the directions they
    /// move.
    ///
    /// # Errors
    /// Errors of [`JetEvaluator::eval_block`].
    pub fn eval_derivatives(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut BranchDecisions,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut outputs = self.eval_block(block, algebra, parameters, captures, branches, EvalTarget::Outputs)?;
        // several kinks with one linear form: narrowed, unless this run is itself a second one
        if !self.is_widened {
            outputs = self.sharpen_shared_kinks(block, algebra, [parameters, captures], branches, outputs)?;
        }
        let met = self.edges.0.get().generators;
        let moved = |generators: &[usize]| generators.iter().any(|&g| met & generator_bit(g) != 0);
        let own = |monomial: usize| algebra.generators_of(monomial).filter(|&g| g >= first).collect::<Vec<_>>();
        let all: Vec<_> = (first..algebra.generator_count()).collect();
        if self.is_widened || !moved(&all) {
            return Ok(outputs);
        }
        let jets = self.jets(algebra);
        let near = |generators: &[usize]| self.is_defined_near(block, &jets, parameters, captures, generators);
        // one run with all generators moved proves it for every subset of them
        let everywhere = near(&all)?;
        if everywhere.iter().all(|defined| *defined) {
            return Ok(outputs);
        }
        // otherwise by monomial: a coefficient needs only the generators that divide it
        let mut known = FxHashMap::default();
        known.insert(all, everywhere);
        let mut claimed = Vec::with_capacity(algebra.len());
        for monomial in 0..algebra.len() {
            let generators = own(monomial);
            claimed.push(if !moved(&generators) {
                vec![true; outputs.len()]
            } else if let Some(known) = known.get(&generators) {
                known.clone()
            } else {
                let found = near(&generators)?;
                known.insert(generators, found.clone());
                found
            });
        }
        for (i, output) in outputs.iter_mut().enumerate() {
            let inputs = parameters.iter().chain(captures);
            *output = jets.mark_undefined_where(output.clone(), inputs, |monomial| !claimed[monomial][i]);
        }
        Ok(outputs)
    }

    /// Returns for each output whether it is certainly defined on a neighbourhood of the inputs, moved by `generators_of`
    /// only.
    fn is_defined_near(
        &self,
        block: &Block,
        jets: &JetArithmetic<C>,
        parameters: &[Jet<C::Num>],
        captures: &[Jet<C::Num>],
        generators: &[usize],
    ) -> Result<Vec<bool>, SmoothError> {
        let moves = |x: &Jet<C::Num>, m: usize| {
            x.get(m).is_some() && jets.algebra.generators_of(m).all(|g| generators.contains(&g))
        };
        let near = |x: &Jet<C::Num>| {
            let base = Jet::constant(jets.value_of(x));
            if (1..x.len()).any(|m| moves(x, m)) { self.widen_to_neighbourhood(&base) } else { base }
        };
        let [parameters, captures] = [parameters, captures].map(|inputs| inputs.iter().map(near).collect::<Vec<_>>());
        let machine = self.on_widened_inputs();
        let (branches, target) = (&mut BranchDecisions::default(), EvalTarget::Outputs);
        let values = machine.eval_block(block, &self.real, &parameters, &captures, branches, target)?;
        Ok(values.iter().map(|y| self.context.is_defined(&jets.value_of(y))).collect())
    }

    /// Reduces inputs to numbers: a varying input becomes an enclosure of a neighbourhood, a constant one its value.
    pub(in crate::smooth) fn widen_inputs(&self, inputs: &[Jet<C::Num>]) -> Vec<Jet<C::Num>> {
        let near = |x: &Jet<C::Num>| {
            let value = Jet::constant(x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0)));
            if x.is_constant() { value } else { self.widen_to_neighbourhood(&value) }
        };
        inputs.iter().map(near).collect()
    }

    /// Widens the value of a jet to a neighbourhood. Any positive radius will do; the smallest is the easiest to prove
    /// a function defined on.
    pub(super) fn widen_to_neighbourhood(&self, x: &Jet<C::Num>) -> Jet<C::Num> {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.enclose_integer(0));
        let mut near = x.clone();
        near.set(0, Some(self.context.inflate_slightly(&value)));
        near
    }
}
