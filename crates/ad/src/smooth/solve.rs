//! The solvers of the second-order primitives (S §5.2): integrals, roots and optima.
//!
//! Each solver takes a function of one bound variable, whose other inputs are jets over some algebra. It returns a jet over
//! that algebra: the value with all its derivatives. Roots are lifted from their value by the implicit function theorem.
//! Integrals are sums over panels, whose ends may themselves be jets (the positions of kinks).

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

/// The precision of doubles in bits, up to which numbers are those of the first tier.
const DOUBLE_BITS: u32 = 53;
/// The least order of Taylor expansions in doubles: polynomials of at most this degree have no remainder. A choice.
const LEAST_ORDER_IN_DOUBLES: u32 = 8;

/// Returns `true` if a bracket of a root is as good as a point: its width is at most 2^(−16·precision).
///
/// Without this limit a root at 0 would be narrowed down to the least exponent.
pub(crate) fn is_settled<C: Hooked>(context: &C, bracket: &C::Num) -> bool {
    context.width(bracket) <= Magnitude::power_of_two(-16 * i64::from(context.precision()))
}

/// The function that a second-order primitive is applied to, with its other inputs.
#[derive(Debug)]
pub struct Function<'f, 'm, C: Hooked> {
    /// The evaluator of the block.
    pub machine: &'f Machine<'m, C>,
    /// The function: a block of one parameter.
    pub block: &'f Block,
    /// The other inputs of the block.
    pub captures: &'f [Jet<C::Num>],
    /// The source position of the primitive.
    pub site: Site,
    /// The known signs at the ends of the bound variable's interval, and a record of those that are needed.
    pub events: &'f Events,
    /// The alpha-beta window of the primitive's result.
    pub window: Window<C::Num>,
}

/// The value and the slope of a function over a range of the bound variable.
#[derive(Clone, Debug)]
pub struct Line<N> {
    /// The range of the function.
    pub value: N,
    /// The range of its derivative in the bound variable.
    pub slope: N,
}

impl<'f, 'm, C: Hooked> Function<'f, 'm, C> {
    /// Returns the function of a block, with an unbounded window.
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
    /// Returns the arithmetic of numbers.
    #[must_use]
    pub fn context(&self) -> &C {
        self.machine.context
    }

    /// Returns the arithmetic of jets over an algebra.
    #[must_use]
    pub fn jets<'a>(&'a self, algebra: &'a Algebra) -> Jets<'a, C> {
        self.machine.jets(algebra)
    }

    /// Evaluates the first output of the block at a jet.
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

    /// Evaluates all outputs of the block at a jet.
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

    /// Returns the other inputs without their nilpotent parts.
    #[must_use]
    pub fn base_captures(&self) -> Vec<Jet<C::Num>> {
        self.captures.iter().map(|c| c.truncated(1)).collect()
    }

    /// Returns `true` if the other inputs are points, or narrower than a sixteenth of the tolerance. Otherwise their widths
    /// set a floor to what a search can gain.
    #[must_use]
    pub fn has_fine_captures(&self) -> bool {
        let fine = self.machine.effort.tolerance().shifted(-4);
        self.captures.iter().flat_map(Jet::coefficients).flatten().all(|c| self.context().width(c) <= fine)
    }

    /// Returns `true` if the [base captures](Self::base_captures) are [fine](Self::has_fine_captures).
    pub(super) fn has_fine_base(&self) -> bool {
        self.with(&self.base_captures()).has_fine_captures()
    }

    /// Returns the same function of other inputs. Its window is unbounded.
    #[must_use]
    pub fn with<'g>(&'g self, captures: &'g [Jet<C::Num>]) -> Function<'g, 'g, C> {
        Function::new(self.machine, self.block, captures, self.site, self.events)
    }

    /// Encloses value and slope over a range of the bound variable, of the function or of one of its branch points. The
    /// captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn line(&self, x: &C::Num, branches: &mut Branches, target: Target) -> Result<Line<C::Num>, SmoothError> {
        let Some(algebra) = self.machine.real.adjoin(Generator::Direction(1)) else {
            return Ok(Line { value: self.context().bottom(), slope: self.context().bottom() });
        };
        // f(x + ε) = f(x) + f′(x)·ε, where ε² = 0.
        let x = Jet::new([Some(x.clone()), Some(self.context().integer(1))]);
        let y = self.at(&algebra, x, branches, target)?;
        // A structural zero is the number 0 from here on.
        let value = y.get(0).cloned().unwrap_or_else(|| self.context().integer(0));
        let slope = y.get(1).cloned().unwrap_or_else(|| self.context().integer(0));
        // A slope without a value is not that of a function.
        let defined = self.context().is_defined(&value);
        Ok(Line { slope: if defined { slope } else { self.context().undefined(slope) }, value })
    }

    /// Encloses the value over a range of the bound variable. The captures must be [base captures](Self::base_captures).
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn value(&self, x: &C::Num, branches: &mut Branches, target: Target) -> Result<C::Num, SmoothError> {
        let y = self.at(&self.machine.real.clone(), Jet::constant(x.clone()), branches, target)?;
        Ok(y.get(0).cloned().unwrap_or_else(|| self.context().integer(0)))
    }

    /// Returns a jet with this value, and ⊥ for every derivative that is not structurally zero.
    #[must_use]
    pub fn not_differentiable(&self, algebra: &Algebra, value: C::Num) -> Jet<C::Num> {
        let jets = self.jets(algebra);
        // Only directions in which some capture moves can have a derivative.
        let support = self.captures.iter().fold(Jet::zero(), |sum, c| jets.add(&sum, &jets.nilpotent_part(c)));
        jets.bottom_beyond(value, &[&support])
    }
}
