//! Taylor expansions of an integrand on panels, and their orders.

use super::nodes;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::solve::SolverFunction;
use crate::smooth::solve::degree::polynomial_degree;
use std::sync::{Arc, OnceLock};

/// The Taylor expansions that all panels of one integral share.
#[derive(Debug)]
pub struct TaylorExpansions<'a, N> {
    /// The algebra of the result.
    pub outer: &'a Arc<Algebra>,
    /// Taylor expansion to full order, for panels without undecided kinks.
    pub(super) fine: TaylorExpansion,
    /// The full order.
    pub(super) order: u32,
    /// Taylor expansion to order 1, for panels with a kink. For a solver inside, the slope is expanded to full order as well.
    pub(super) coarse: TaylorExpansion,
    /// Taylor expansion to order 2, made on demand: a linear function needs no more. `None` if it has too many monomials.
    straight: OnceLock<Option<TaylorExpansion>>,
    /// The quadrature nodes of that order. `None` if panels are integrated by expansions alone.
    pub(super) rule: Option<nodes::GaussRule<N>>,
    /// The captures without nilpotent parts.
    pub(super) base: Vec<Jet<N>>,
}

/// A Taylor expansion of one order.
#[derive(Debug)]
pub(super) struct TaylorExpansion {
    /// The outer algebra with the Taylor variable t adjoined.
    pub(super) algebra: Arc<Algebra>,
    /// For each monomial of the outer algebra, the indices of its products with t⁰, t¹, …
    pub(super) columns: Vec<Vec<usize>>,
    /// The monomials of the outer algebra with their products with t.
    pub(super) steps: Vec<(u32, u32)>,
}

impl<'a, N: Clone + Send + Sync> TaylorExpansions<'a, N> {
    /// Returns the expansions of an order, or of a lower one if there would be too many monomials.
    #[must_use]
    pub fn new<C: HookedContext<Num = N>>(f: &SolverFunction<C>, outer: &'a Arc<Algebra>, order: u32) -> Self {
        let order = if f.machine.effort.solver_options.expansions { order } else { 0 };
        // Halved until the algebra fits; an order of 1 or less has no use beside `coarse`.
        let halving = std::iter::successors(Some(order), |o| Some(o / 2)).take_while(|o| *o > 1);
        let first = || {
            if order == 0 { None } else { TaylorExpansion::new(outer, AlgebraGenerator::Divided { order: 1, by: 1 }) }
        };
        let coarse = || first().unwrap_or_else(|| TaylorExpansion::without_expansion(outer));
        let fine = halving.filter_map(|o| Some((o, TaylorExpansion::new(outer, AlgebraGenerator::Taylor(o))?))).next();
        Self {
            outer,
            rule: fine.as_ref().and_then(|(order, _)| nodes::GaussRule::new(f, *order)),
            order: fine.as_ref().map_or(0, |(order, _)| *order),
            fine: fine.map_or_else(coarse, |(_, frame)| frame),
            coarse: coarse(),
            straight: OnceLock::new(),
            base: f.base_captures(),
        }
    }

    /// Returns the expansion for a function that is linear with these branches. Returns `None` for any other function.
    pub(super) fn for_linear<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        forced: &[(BranchPoint, KinkBranch)],
    ) -> Option<&TaylorExpansion> {
        // Inside of another expansion the second order would be cut off.
        let is_alone = self.outer.taylor_generator_count() == 0;
        let is_straight = is_alone
            && self.order > 2
            && polynomial_degree(f.block, f.captures.len(), forced).is_some_and(|degree| degree <= 1);
        let frame = || self.straight.get_or_init(|| TaylorExpansion::new(self.outer, AlgebraGenerator::Taylor(2)));
        if is_straight { frame().as_ref() } else { None }
    }
}

impl TaylorExpansion {
    /// Returns the expansion by one generator. Returns `None` if it has too many monomials.
    fn new(outer: &Algebra, generator: AlgebraGenerator) -> Option<Self> {
        let algebra = outer.adjoin(generator)?;
        let columns = algebra.generator_columns(outer.len());
        let steps = algebra.power_slice(1).to_vec();
        Some(Self { algebra, columns, steps })
    }

    /// Returns the expansion of order 0: the range of the integrand alone.
    fn without_expansion(outer: &Arc<Algebra>) -> Self {
        let columns = (0..outer.len()).map(|monomial| vec![monomial]).collect();
        Self { algebra: outer.clone(), columns, steps: Vec::new() }
    }
}
