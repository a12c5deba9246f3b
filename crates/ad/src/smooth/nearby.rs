//! Where a function is defined for all inputs near the ones given: the condition for its derivatives (S §4.1).
//!
//! A derivative at a point says something about a neighbourhood. `c ↦ max 1 √c` has a value at 0 and none to its left, so
//! it has no derivative there, though the branch that is taken has one. So a derivative, structural zeros included, is
//! claimed only if the function has a second enclosure, made by the same operations from a box of positive radius round
//! the inputs that vary. What varies is what a generator moves: whoever adjoins a generator answers for it, by
//! [`Machine::derivatives`].
//!
//! **Only edges ask for it.** The operations are defined on open sets and continuous there, so that a value is defined
//! nearby whenever it is defined, except where the edge of a domain belongs to the domain: at 0 for even roots, at ±1 for
//! asin and acos, at 1 for acosh, and anywhere for a primitive from outside, whose domain is not known. A run notes which
//! generators move an argument that lies at an edge ([`Edges`]), and where there are none that is all.
//!
//! **The second run is one of values**, over ℝ. A number that was computed outside of a binder, and is captured, has a
//! second enclosure of its own by the same run, so it makes no difference what is computed where. A derivative inside has a
//! neighbourhood in what it binds at once, so nested derivatives cost a run each. A bound variable of an integral or an
//! optimum stays in `[0, 1]`, which is all that these ask of a function: `∫√x` has no edge at 0.

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

/// What a run has met of the edges of domains.
#[derive(Debug, Default)]
pub struct Edges(Cell<Met>);

/// Whether some argument lay at an edge, and the generators that move one which does.
#[derive(Clone, Copy, Debug, Default)]
struct Met {
    any: bool,
    /// As bits; all from the 63rd on are one.
    generators: u64,
}

fn bit(generator: usize) -> u64 {
    1 << generator.min(63)
}

impl Edges {
    /// Notes that something computed from these inputs may not be defined beside them.
    pub fn note<'j, C: Hooked + 'j>(&self, jets: &Jets<C>, inputs: impl IntoIterator<Item = &'j Jet<C::Num>>) {
        let moved = jets.support(inputs);
        let moved = moved.iter().enumerate().filter(|(_, moved)| **moved);
        let generators = moved.fold(self.0.get().generators, |all, (g, _)| all | bit(g));
        self.0.set(Met { any: true, generators });
    }

    /// Notes that something of which no more is known may not be defined beside what it was computed from.
    pub fn note_any(&self) {
        self.0.set(Met { any: true, ..self.0.get() });
    }

    /// Whether some argument lay at an edge.
    #[must_use]
    pub fn are_met(&self) -> bool {
        self.0.get().any
    }

    /// Notes what a run of another program met.
    pub fn adopt(&self, other: &Self) {
        if other.0.get().any {
            self.note_any();
        }
    }

    /// What another thread met in a part of this run.
    pub fn join(&self, other: &Self) {
        let (own, other) = (self.0.get(), other.0.get());
        self.0.set(Met { any: own.any || other.any, generators: own.generators | other.generators });
    }

    /// Does a step that runs something over other algebras. An edge that it meets may be met by all of its inputs.
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
    /// An elementary function of this jet is computed.
    pub(super) fn meet(&self, jets: &Jets<C>, f: Function, x: &Jet<C::Num>) {
        let met = match x.get(0) {
            Some(value) => self.context.meets_edge(f, value),
            None => self.context.meets_edge(f, &self.context.integer(0)),
        };
        if met {
            self.edges.note(jets, [x]);
        }
    }

    /// Runs a block over an algebra whose generators from `first` on are adjoined here: a coefficient of theirs is not
    /// known to be defined unless the function is, for all inputs near the ones given that they move.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn derivatives(
        &self,
        block: &Block,
        algebra: &Arc<Algebra>,
        [parameters, captures]: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut Branches,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        let mut outputs = self.run(block, algebra, parameters, captures, branches, Target::Outputs)?;
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
        let everywhere = near(&all)?;
        if everywhere.iter().all(|defined| *defined) {
            return Ok(outputs);
        }
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

    /// Whether each output of a block is certainly defined for all inputs in a neighbourhood of the ones given, as far as
    /// the generators move them.
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

    /// Inputs as numbers; those that move are all numbers near by.
    pub(in crate::smooth) fn all_near(&self, inputs: &[Jet<C::Num>]) -> Vec<Jet<C::Num>> {
        let near = |x: &Jet<C::Num>| {
            let value = Jet::constant(x.get(0).cloned().unwrap_or_else(|| self.context.integer(0)));
            if x.is_constant() { value } else { self.neighbourhood(&value) }
        };
        inputs.iter().map(near).collect()
    }

    /// The jet at all numbers near its value. Any radius will do, and the least is the first at which a function is shown
    /// to be defined.
    pub(super) fn neighbourhood(&self, x: &Jet<C::Num>) -> Jet<C::Num> {
        let value = x.get(0).cloned().unwrap_or_else(|| self.context.integer(0));
        let mut near = x.clone();
        near.set(0, Some(self.context.widened(&value)));
        near
    }
}
