//! Gauss–Legendre quadrature on a panel.
//!
//! Let `g` be a coefficient of the integrand as a function of t ∈ [-1, 1], and `C_k` an interval that contains `g⁽ᵏ⁾(t)/k!`
//! for all t. With n nodes and 1 ≤ k ≤ 2n-1
//!
//! `|∫g dt - Σ wᵢ g(tᵢ)|  ≤  4·2⁻ᵏ·w(C_k)`,  w(C_k) being the width of `C_k`.
//!
//! *Proof.* Let c be the middle of `C_k`, and h = g - c·tᵏ, so that `|h⁽ᵏ⁾/k!| ≤ w(C_k)/2` on [-1, 1]. The polynomial p of
//! degree at most k-1 that agrees with h at the k zeros of Chebyshev's `T_k` has `|h - p| ≤ max|h⁽ᵏ⁾/k!|·max|T_k|/2ᵏ⁻¹ ≤
//! 2⁻ᵏ·w(C_k)`. Both p and c·tᵏ have a degree of at most 2n-1, for which the rule is exact. So the error is that of h - p
//! alone: at most 2 max|h - p| from the integral, and as much from the sum, whose weights are positive and have the sum 2.
//! ∎ A g⁽ᵏ⁻¹⁾/k! with Lipschitz constants in `C_k` is enough, as at a kink.
//!
//! Panels are integrated so only if nothing is undecided, and each coefficient of the integrand is certainly defined on the
//! whole panel with its `C_0, …, C_k`, `C_k` being bounded. Each coefficient has a remainder of its own, the least over k,
//! and lies in `2·C_0` as well.
//!
//! In doubles there is no rule: each node rounds, so the expansion at the midpoint is narrower.

use super::{IntegralPanel, PanelPiece, Sums, TaylorExpansion, TaylorExpansions};
use crate::number::magnitude::Magnitude;
use crate::number::{Rational, legendre, work};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::complex::has_kinks;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::solve::{DOUBLE_BITS, SolverFunction, analytic};

/// The Gauss–Legendre rule that belongs to an order of expansion, at the precision of a tier. There is none in doubles.
#[derive(Debug)]
pub(super) struct GaussRule<N> {
    /// The nodes in (-1, 1), with their weights.
    nodes: Vec<(N, N)>,
}

impl<N: Clone + Send + Sync> GaussRule<N> {
    /// Returns the rule that is exact for degrees up to the order and one more. Returns `None` in doubles, or without budget.
    pub(super) fn new<C: HookedContext<Num = N>>(f: &SolverFunction<C>, order: u32) -> Option<Self> {
        let bits = f.context().precision();
        // Doubles round at each node: their expansions at the midpoint are narrower.
        if bits <= DOUBLE_BITS || order < 2 {
            return None;
        }
        let n = order / 2 + 1;
        // The price is paid whether the rule is cached or not, so that the work does not depend on earlier questions.
        if !f.machine.effort.budget.spend(u64::from(n * n) * work::product_units(work::limb_count(bits))) {
            return None;
        }
        let context = f.context();
        let number = |enclosure| context.round_enclosure(enclosure);
        let nodes = legendre::gauss_legendre_nodes(n, bits)?;
        Some(Self { nodes: nodes.iter().map(|node| (number(&node.abscissa), number(&node.weight))).collect() })
    }

    /// Encloses `∫_{-1}^{1}` of each output, and returns the part that no splitting narrows. `ranges` are the expansions
    /// over the panel.
    ///
    /// Returns `None` if some coefficient has no bounded remainder, or a branch is undecided at a node.
    pub(super) fn integrate_by_nodes<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        frame: &TaylorExpansion,
        [middle, half]: [&Jet<N>; 2],
        ranges: &[Jet<N>],
        branches: &mut BranchDecisions,
    ) -> Result<Option<Sums<N>>, SmoothError> {
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let degree = 2 * self.nodes.len() - 1;
        let mut remainders = Vec::with_capacity(ranges.len());
        for range in ranges {
            let columns = frame.columns.iter();
            let all: Option<Vec<_>> = columns.map(|column| least_remainder(context, degree, column, range)).collect();
            let Some(all) = all else { return Ok(None) };
            remainders.push(all);
        }
        let mut sums = vec![Jet::zero(); ranges.len()];
        let places = self.nodes.iter().map(|(place, _)| jets.add(middle, &jets.scale(half, place))).collect();
        let values = f.map_places(places, None, |f, place| {
            let mut branches = BranchDecisions::with_forced(branches.forced.clone());
            let values = f.eval_outputs(frames.outer, place, &mut branches, EvalTarget::Outputs)?;
            Ok((values, branches.undecided))
        })?;
        for ((values, undecided), (_, weight)) in values.into_iter().zip(&self.nodes) {
            if !undecided.is_empty() {
                branches.undecided = undecided;
                return Ok(None);
            }
            for (sum, value) in sums.iter_mut().zip(&values) {
                *sum = jets.add(sum, &jets.scale(value, weight));
            }
        }
        let mut found = Vec::with_capacity(ranges.len());
        for ((sum, range), remainders) in sums.into_iter().zip(ranges).zip(remainders) {
            let mut enclosure = Jet::zero();
            for ((monomial, remainder), column) in remainders.into_iter().enumerate().zip(&frame.columns) {
                let over = column.first().and_then(|&index| range.get(index));
                // A coefficient that is structurally zero everywhere stays so.
                let is_zero = sum.get(monomial).is_none() && column.iter().all(|&index| range.get(index).is_none());
                if is_zero {
                    continue;
                }
                let zero = context.enclose_integer(0);
                let by_nodes = context.add(sum.get(monomial).unwrap_or(&zero), &remainder);
                let by_range = context.mul_integer(over.unwrap_or(&zero), 2);
                let both = context.intersect(&by_nodes, &by_range);
                let both = both.ok_or(SmoothError::DisjointEnclosures { construct: "the nodes of an integral" })?;
                enclosure.set(monomial, Some(both));
            }
            // The enclosure of a node may reach beyond the panel and be unbounded. Then the width would all count as floor.
            if sum.coefficients().flatten().any(|c| !context.is_bounded(c)) {
                return Ok(None);
            }
            found.push((enclosure, sum));
        }
        Ok(Some(found))
    }
}

impl<N: Clone + Send + Sync> PanelPiece<N> {
    /// Integrates a piece between kinks, or between one and an end of the interval, on which the integrand is certainly
    /// analytic.
    ///
    /// Splitting gains nothing more on such a panel. Returns `None` for any other piece.
    ///
    /// # Errors
    /// Those of the integrand.
    pub(super) fn integrate_analytically<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Option<IntegralPanel<N>>, SmoothError> {
        // Without kinks the whole interval has been tried before.
        if self.was_tried || f.block.outputs.len() != 1 || (self.forced.is_empty() && !has_kinks(f.block)) {
            return Ok(None);
        }
        let before = f.machine.effort.budget.work_done();
        let [left, right] = &self.between;
        let stretch = analytic::SmoothInterval { between: [left, right], forced: &self.forced };
        let Some(integral) = analytic::integrate(f, frames.outer, Some(&stretch))? else { return Ok(None) };
        let context = f.context();
        let mut panel = IntegralPanel {
            piece: self.clone(),
            excess: Magnitude::ZERO,
            floor: Magnitude::ZERO,
            unbounded: Vec::new(),
            unbounded_for: 0,
            undecided: Vec::new(),
            is_steep: false,
            midpoint_kinks: Vec::new(),
            unsplittable_widths: vec![Jet::new(integral.coefficients().map(|c| c.map(|c| context.width(c))))],
            estimates: vec![integral],
            work: f.machine.effort.budget.work_done().saturating_sub(before),
        };
        panel.measure_excess(context);
        Ok(Some(panel))
    }
}

/// Returns `[-1, 1]·4·2⁻ᵏ·w(C_k)`, the least over the k up to a degree. Returns `None` if no `C_k` is bounded.
fn least_remainder<C: HookedContext>(
    context: &C,
    degree: usize,
    column: &[usize],
    range: &Jet<C::Num>,
) -> Option<C::Num> {
    let mut best: Option<(Magnitude, C::Num)> = None;
    for (k, &index) in column.iter().enumerate().take(degree + 1) {
        let zero = context.enclose_integer(0);
        let over = range.get(index).unwrap_or(&zero);
        // All lower coefficients have to be defined, up to the one that is used.
        if !context.is_defined(over) {
            break;
        }
        if k == 0 || !context.is_bounded(over) {
            continue;
        }
        let shift = u32::try_from(k).ok()?;
        let bound = context.width(over).mul_exp2(2 - i64::from(shift));
        if best.as_ref().is_none_or(|(least, _)| bound < *least) {
            // C_k - C_k is [-1, 1]·w(C_k).
            let share = context.enclose_rational(&(Rational::from(4) >> shift));
            best = Some((bound, context.mul(&context.sub(over, over), &share)));
        }
    }
    best.map(|(_, remainder)| remainder)
}
