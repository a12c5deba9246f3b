//! Definedness on a neighbourhood of the inputs: the condition for derivatives (S §4.1).
//!
//! A derivative at a point concerns a neighbourhood. `c ↦ max 1 √c` has a value at 0 and none to its left, so it has no
//! derivative there, though the branch that is taken has one. So a derivative, structural zeros included, is claimed
//! only if the function has a second enclosure, by the same operations, from a box of positive radius around the
//! varying inputs. An input varies if a generator moves it. Code that adjoins a generator checks this, by
//! [`Machine::derivatives`].
//!
//! **Only domain boundaries need the check.** The operations are defined on open sets and continuous there, so a value
//! that is defined is defined nearby. The exceptions are closed ends of domains: 0 for even roots, ±1 for asin and
//! acos, 1 for acosh, and any point for a primitive from outside, whose domain is unknown. A run records the generators
//! that move an argument at such a boundary ([`Edges`]). If there are none, nothing else is needed.
//!
//! **The second run is one of values**, over ℝ. A number that was computed outside a binder and is captured has a
//! second enclosure by the same run, so the place of a computation makes no difference. A derivative inside gets a
//! neighbourhood of its own, so nested derivatives cost one run each. A bound variable of an integral or an optimum
//! stays in `[0, 1]`, the set on which these need the function: `∫√x` has no boundary at 0.

use crate::number::context::Function;
use crate::smooth::algebra::Algebra;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Block;
use rustc_hash::FxHashMap;
use std::cell::Cell;
use std::sync::Arc;

/// The domain boundaries that a run has met.
#[derive(Debug, Default)]
pub struct Edges(Cell<Met>);

/// `any`: some argument lay at a boundary; `generators`: those that move such an argument.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    any: bool,
    /// One bit each; all generators from the 63rd on share a bit.
    generators: u64,
}

fn bit(generator: usize) -> u64 {
    1 << generator.min(63)
}

impl Edges {
    /// Records that a result of these inputs may be undefined next to them.
    pub fn note<'j, C: Hooked + 'j>(&self, jets: &Jets<C>, inputs: impl IntoIterator<Item = &'j Jet<C::Num>>) {
        let moved = jets.support(inputs);
        let moved = moved.iter().enumerate().filter(|(_, moved)| **moved);
        let generators = moved.fold(self.0.get().generators, |all, (g, _)| all | bit(g));
        self.0.set(Met { any: true, generators });
    }

    /// Records that a result may be undefined next to its inputs, which are not known.
    pub fn note_any(&self) {
        self.0.set(Met { any: true, ..self.0.get() });
    }

    /// Returns `true` if some argument lay at a boundary.
    #[must_use]
    pub fn are_met(&self) -> bool {
        self.0.get().any
    }

    /// Records the boundaries of a run of another program, without its generators: they are of another algebra.
    pub fn adopt(&self, other: &Self) {
        if other.0.get().any {
            self.note_any();
        }
    }

    /// Merges the boundaries that another thread met in a part of this run.
    pub fn join(&self, other: &Self) {
        let (own, other) = (self.0.get(), other.0.get());
        self.0.set(Met { any: own.any || other.any, generators: own.generators | other.generators });
    }

    /// Runs a step that works over other algebras. A boundary met in it counts for all of its inputs.
    pub fn around<'j, C: Hooked + 'j, T>(
        &self,
        jets: &Jets<C>,
        inputs: impl IntoIterator<Item = &'j Jet<C::Num>>,
        step: impl FnOnce() -> T,
    ) -> T {
        let before = self.0.take();
        let result = step();
        let met = self.0.replace(before).any;
        if met {
            self.note(jets, inputs);
        }
        result
    }
}

impl<C: Hooked> Machine<'_, C> {
    /// Records the boundary if the elementary function `f` is computed at one.
    pub(super) fn meet(&self, jets: &Jets<C>, f: Function, x: &Jet<C::Num>) {
        let met = match x.get(0) {
            Some(value) => self.context.meets_edge(f, value),
            None => self.context.meets_edge(f, &self.context.integer(0)),
        };
        if met {
            self.edges.note(jets, [x]);
        }
    }

    /// Runs a block over an algebra whose generators from `first` on are adjoined here. Their coefficients are marked
    /// undefined unless the function is certainly defined on a neighbourhood of the inputs, in the directions they
    /// move.
    ///
    /// # Errors
    /// Errors of [`Machine::run`].
    pub fn derivatives(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut Branches,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut outputs = self.run(block, algebra, parameters, captures, branches, Target::Outputs)?;
        // several kinks with one linear form: narrowed, unless this run is itself a second one
        if !self.beside {
            outputs = self.sharpened(block, algebra, [parameters, captures], branches, outputs)?;
        }
        let met = self.edges.0.get().generators;
        let moved = |generators: &[usize]| generators.iter().any(|&g| met & bit(g) != 0);
        let own = |monomial: usize| algebra.generators(monomial).filter(|&g| g >= first).collect::<Vec<_>>();
        let all: Vec<_> = (first..algebra.generator_count()).collect();
        if self.beside || !moved(&all) {
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
            *output = jets.undefined_where(output.clone(), inputs, |monomial| !claimed[monomial][i]);
        }
        Ok(outputs)
    }

    /// Returns for each output whether it is certainly defined on a neighbourhood of the inputs, moved by `generators`
    /// only.
    fn is_defined_near(
        &self,
        block: &Block,
        jets: &Jets<C>,
        parameters: &[Jet<C::Num>],
        captures: &[Jet<C::Num>],
        generators: &[usize],
    ) -> Result<Vec<bool>, SmoothError> {
        let moves = |x: &Jet<C::Num>, m: usize| {
            x.get(m).is_some() && jets.algebra.generators(m).all(|g| generators.contains(&g))
        };
        let near = |x: &Jet<C::Num>| {
            let base = Jet::constant(jets.value(x));
            if (1..x.len()).any(|m| moves(x, m)) { self.neighbourhood(&base) } else { base }
        };
        let [parameters, captures] = [parameters, captures].map(|inputs| inputs.iter().map(near).collect::<Vec<_>>());
        let machine = self.moved_beside();
        let (branches, target) = (&mut Branches::default(), Target::Outputs);
        let values = machine.run(block, &self.real, &parameters, &captures, branches, target)?;
        Ok(values.iter().map(|y| self.context.is_defined(&jets.value(y))).collect())
    }

    /// Reduces inputs to numbers: a varying input becomes an enclosure of a neighbourhood, a constant one its value.
    pub(in crate::smooth) fn all_near(&self, inputs: &[Jet<C::Num>]) -> Vec<Jet<C::Num>> {
        let near = |x: &Jet<C::Num>| {
            let value = Jet::constant(x.get(0).cloned().unwrap_or_else(|| self.context.integer(0)));
            if x.is_constant() { value } else { self.neighbourhood(&value) }
        };
        inputs.iter().map(near).collect()
    }

    /// Widens the value of a jet to a neighbourhood. Any positive radius will do; the smallest is the easiest to prove
    /// a function defined on.
    pub(super) fn neighbourhood(&self, x: &Jet<C::Num>) -> Jet<C::Num> {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.integer(0));
        let mut near = x.clone();
        near.set(0, Some(self.context.widened(&value)));
        near
    }
}
