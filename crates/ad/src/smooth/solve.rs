//! The numerical engines of the second-order primitives (S §5.2).
//!
//! Each takes a function of one bound variable, whose other inputs are jets over some algebra, and returns a jet over
//! that algebra: the value with all its derivatives. Roots are lifted from their value by the implicit function theorem;
//! integrals are sums over panels, whose ends may themselves be jets (the places of kinks).

pub mod analytic;
pub mod cut_root;
pub mod degree;
pub mod domain;
pub mod end;
pub mod first_root;
pub mod integral;
pub mod optimum;
pub mod panel;
pub mod root;
mod threads;

use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Site;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::{Jet, Jets};
use crate::smooth::machine::switch::Events;
use crate::smooth::machine::window::Window;
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Block;
use std::sync::Arc;

/// The precision of doubles, up to which numbers are those of the first tier.
const DOUBLE_BITS: u32 = 53;
/// The least order of expansion there, of which a polynomial of that degree has no remainder.
const LEAST_ORDER_IN_DOUBLES: u32 = 8;

/// Whether a bracket of a root is as good as a point: a root at 0 would otherwise be narrowed down to the least exponent.
pub(crate) fn is_settled<C: Hooked>(context: &C, bracket: &C::Num) -> bool {
    context.width(bracket) <= Magnitude::power_of_two(-16 * i64::from(context.precision()))
}

/// The function that a second-order primitive is applied to, in the context of its other inputs.
#[derive(Debug)]
pub struct Function<'f, 'm, C: Hooked> {
    /// What runs it.
    pub machine: &'f Machine<'m, C>,
    /// A block of one parameter.
    pub block: &'f Block,
    /// The other inputs.
    pub captures: &'f [Jet<C::Num>],
    /// Where the primitive stands.
    pub site: Site,
    /// What is known of the signs at the ends of its interval, and what is to be asked of them.
    pub events: &'f Events,
    /// Where the result of the primitive has to be known.
    pub window: Window<C::Num>,
}

/// A value and a slope: what the value-level searches look at.
#[derive(Clone, Debug)]
pub struct Line<N> {
    /// The range of the function.
    pub value: N,
    /// The range of its derivative in the bound variable.
    pub slope: N,
}

impl<'f, 'm, C: Hooked> Function<'f, 'm, C> {
    /// The function of a block, of which everything has to be known.
    #[must_use]
    pub fn new(
        machine: &'f Machine<'m, C>,
        block: &'f Block,
        captures: &'f [Jet<C::Num>],
        site: Site,
        events: &'f Events,
    ) -> Self {
        Self { machine, block, captures, site, events, window: Window::open() }
    }
}

impl<C: Hooked> Function<'_, '_, C> {
    /// The arithmetic of numbers.
    #[must_use]
    pub fn context(&self) -> &C {
        self.machine.context
    }

    /// The arithmetic of jets over an algebra.
    #[must_use]
    pub fn jets<'a>(&'a self, algebra: &'a Algebra) -> Jets<'a, C> {
        self.machine.jets(algebra)
    }

    /// The function at a jet.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn at(
        &self,
        algebra: &Arc<Algebra>,
        x: Jet<C::Num>,
        branches: &mut Branches,
        target: Target,
    ) -> Result<Jet<C::Num>, SmoothError> {
        Ok(self.all_at(algebra, x, branches, target)?.swap_remove(0))
    }

    /// All outputs of the block at a jet.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn all_at(
        &self,
        algebra: &Arc<Algebra>,
        x: Jet<C::Num>,
        branches: &mut Branches,
        target: Target,
    ) -> Result<Vec<Jet<C::Num>>, SmoothError> {
        self.machine.run(self.block, algebra, &[x], self.captures, branches, target)
    }

    /// The other inputs without their nilpotent parts.
    #[must_use]
    pub fn base_captures(&self) -> Vec<Jet<C::Num>> {
        self.captures.iter().map(|c| c.truncated(1)).collect()
    }

    /// Whether the other inputs are points, or as good as points beside the tolerance. Otherwise their widths set a floor
    /// to what a search can gain.
    #[must_use]
    pub fn has_fine_captures(&self) -> bool {
        let fine = self.machine.effort.tolerance().shifted(-4);
        self.captures.iter().flat_map(Jet::coefficients).flatten().all(|c| self.context().width(c) <= fine)
    }

    /// Whether their values are.
    pub(super) fn has_fine_base(&self) -> bool {
        self.with(&self.base_captures()).has_fine_captures()
    }

    /// The same function of other inputs.
    #[must_use]
    pub fn with<'g>(&'g self, captures: &'g [Jet<C::Num>]) -> Function<'g, 'g, C> {
        Function::new(self.machine, self.block, captures, self.site, self.events)
    }

    /// Value and slope over a range of the bound variable, of the function or of one of its switches. The captures must
    /// be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn line(&self, x: &C::Num, branches: &mut Branches, target: Target) -> Result<Line<C::Num>, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(Generator::Direction(1)) else {
            return Ok(Line { value: self.context().bottom(), slope: self.context().bottom() });
        };
        let x = Jet::new([Some(x.clone()), Some(self.context().integer(1))]);
        let y = self.at(&algebra, x, branches, target)?;
        let value = y.get(0).cloned().unwrap_or_else(|| self.context().integer(0));
        let slope = y.get(1).cloned().unwrap_or_else(|| self.context().integer(0));
        let defined = self.context().is_defined(&value);
        Ok(Line { slope: if defined { slope } else { self.context().undefined(slope) }, value })
    }

    /// The value at a range of the bound variable. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn value(&self, x: &C::Num, branches: &mut Branches, target: Target) -> Result<C::Num, SmoothError> {
        let y = self.at(&self.machine.real.clone(), Jet::constant(x.clone()), branches, target)?;
        Ok(y.get(0).cloned().unwrap_or_else(|| self.context().integer(0)))
    }

    /// `value` with ⊥ for every derivative that is not structurally zero.
    #[must_use]
    pub fn not_differentiable(&self, algebra: &Algebra, value: C::Num) -> Jet<C::Num> {
        let jets = self.jets(algebra);
        let support = self.captures.iter().fold(Jet::zero(), |sum, c| jets.add(&sum, &jets.nilpotent_part(c)));
        jets.bottom_beyond(value, &[&support])
    }
}
