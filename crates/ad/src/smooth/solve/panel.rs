//! One panel of an integral: Taylor enclosures of every order, and the kink at which it is split.
//!
//! On a panel [A, B], whose ends are jets, `x = m + h·t` with t ∈ [-1, 1]. With `c_j` the Taylor coefficients in t of the
//! integrand at the midpoint and `C_j` those over the whole panel, for every q
//!
//! `∫_A^B f dx  ∈  h·( Σ_{j<q, j even} 2c_j/(j+1)  +  R_q )`,
//! `R_q = 2C_q/(q+1)` for even q, `(C_q - C_q)/(q+1)` for odd q,
//!
//! and the intersection over q is kept, coefficient by coefficient (Moore 1966; the ends being jets, this is an identity of
//! jets). `C_q - C_q` is the difference of two intervals, as the halves of the panel need not have the same coefficient. If
//! a kink is undecided on the panel, `C_q` is ⊥ for q ≥ 2 and only q = 0, 1 contribute.
//!
//! # Taylor expansions of an integrand on panels
//!
//! Taylor expansions of an integrand on panels, and their orders.
//!
//! # Splits of a panel
//!
//! At a kink, at the border of a guard, or at the jump of an angle.
//!
//! At a border the integrand jumps, so the derivatives of the integral depend on the place of the split alone (Leibniz'
//! rule). On either side the branch is given up to the end. A branch point that is 0 at the end of a panel needs no split.
//!
//! On its side a branch *is* the max, the min or the absolute value. So its value lies in the enclosure of that as
//! well, and a root of it is defined up to the kink. Its derivatives are those of the branch. A branch point is
//! not narrowed in this way, because Newton's method follows it beyond the panel.
//!
//! # Slopes that are sets
//!
//! Where the inputs lie at a kink for all x, as c = 0 does for `max 0 (c·(x - 1/2))`, the slope of the integrand is known as a
//! set [l x, u x]. That of the integral lies in [∫l, ∫u] (Clarke 1983, 2.7.2; Aumann 1965; S §5.2.1), and is that set if the
//! integrand is regular. Over all choices of sides, u is at most the maximum of the slopes f_σ, and equal to it if every choice
//! occurs. `∫ max f_σ` is at least each `∫f_σ`, and at most one of them with what others exceed it by. Halving narrows the
//! rest: it is of second order in the length of a panel on which two slopes cross.
//!
//! # Pieces at whose ends the integrand is singular
//!
//! Unbounded, 0/0, or without a bounded slope.
//!
//! At an end of the interval, and at the zero of a branch point, the integrand need not be defined: there it may be bounded
//! by a [power](crate::smooth::machine). Its value at a single point does not change an integral; it has to be
//! defined on the rest of the piece.
//!
//! A piece that a kink carries along keeps its length. A change of length adds on one side of the cut as much as
//! it takes away on the other, and both may be unbounded.
//!
//! Inside of a piece nothing of the kind is assumed: there the integrand is certainly defined. In optima -∞ counts
//! as less than every number.
//!
//! # Pieces that contain the border of a guard
//!
//! Pieces that contain the border of a guard. The integrand has no value there, but an integral ignores a null set.
//!
//! If the border is a null set for every input, so do the derivatives in inputs that the border does not move with.
//!
//! Where a border lies cannot be decided if the inputs are wide, or if the border only touches 0. The value is
//! then the hull of both sides. It is defined if two conditions hold. Both sides are defined on all of the piece.
//! And some derivative of the branch point has no zero there, so that the branch point has finitely many zeros for
//! every input.

use super::{SolverFunction, analytic};
use crate::function::Monotonicity;
use crate::number::arithmetic::Sign;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::asymptotic::OneSidedLimit;
use crate::smooth::asymptotic::puiseux::puiseux_expansion;
use crate::smooth::asymptotic::series::EndIntegral;
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::{EvalHooks, HookedContext, IntegrandKink};
use crate::smooth::jet::{Jet, KinkBranch};
use crate::smooth::machine::switch::{BinderView, BranchPoint};
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use crate::smooth::program::{Block, BlockInstruction};
use crate::smooth::solve::analytic::polynomial_degree;
use crate::smooth::solve::root::RootEquation;
use std::sync::{Arc, OnceLock};

/// For each output: `∫_{-1}^{1}` of the integrand, and the part of its width that no splitting narrows.
pub(crate) type Sums<N> = Vec<(Jet<N>, Jet<N>)>;

/// The kind of an end of a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PieceEnd {
    /// A point inside the interval of integration.
    Inner,
    /// An end of the interval of integration.
    Outer,
    /// The zero of a branch point.
    Root(BranchPoint),
}

/// A piece of the interval of integration.
#[derive(Clone, Debug)]
pub struct PanelPiece<N> {
    /// The left end and the right one.
    pub between: [Jet<N>; 2],
    /// The kinds of these ends.
    pub ends: [PieceEnd; 2],
    /// The branches known on this piece.
    pub forced: Vec<(BranchPoint, KinkBranch)>,
    /// The signs of branch points known at each end, up to zeros, in addition to those that can be computed there.
    pub known: [Vec<(BranchPoint, KinkBranch)>; 2],
    /// `true` for a part of a piece on which integration by nodes has been tried.
    pub was_tried: bool,
}

/// A piece of the interval of integration, with the enclosure of the integral over it.
#[derive(Clone, Debug)]
pub struct IntegralPanel<N> {
    /// The piece.
    pub piece: PanelPiece<N>,
    /// The enclosures of the integrals over the piece, one for each output of the integrand.
    pub estimates: Vec<Jet<N>>,
    /// The width that splitting may still narrow: that of the estimates well above the floor.
    pub excess: Magnitude,
    /// The width that splitting cannot narrow: it comes with the inputs and with rounding.
    pub floor: Magnitude,
    /// The coefficients of the estimates that are unbounded or not known to be defined.
    pub unbounded: Vec<usize>,
    /// The number of ancestors in a row that were unbounded.
    pub unbounded_for: u32,
    /// The branch points that are undecided on the panel.
    pub(crate) undecided: Vec<BranchPoint>,
    /// `true` if the integrand has no bounded slope near an end at which it may be singular.
    pub(crate) is_steep: bool,
    /// The kinks at the midpoint, with the number of halvings in a row at which each has been there.
    pub(crate) midpoint_kinks: Vec<(MidpointKink, u32)>,
    /// The widths of the coefficients that no splitting narrows.
    pub(crate) unsplittable_widths: Vec<Jet<Magnitude>>,
    /// For coefficients that are integrals of sets: the widths of their ends, which splitting narrows.
    pub(crate) set_ends: Jet<Magnitude>,
    /// `true` if some coefficient is known as a set that no splitting and no more digits narrow.
    pub is_set: bool,
    /// `true` if the integral over the piece is shown to be infinite.
    pub diverges: bool,
    /// The approximate work units of computing it.
    pub work: u64,
}

/// A kink at the midpoint of a panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum MidpointKink {
    /// A branch point that is undecided even there.
    BranchPoint(BranchPoint),
    /// A kink inside of the integrand, such as that of a nested optimum or root.
    Inside,
}

/// The number of halvings in a row at which a midpoint has to meet one kink before the panel gets a floor. A choice.
///
/// Only a kink that is wide, because the inputs are, is met for long. A step that halves nothing does not count, nor does
/// another kink: those at 1/2, 1/4, 1/8 and 1/16 lie on the midpoints of one panel after another.
const MIDPOINT_KINK_LIMIT: u32 = 3;

impl<N: Clone + Send + Sync> IntegralPanel<N> {
    /// Encloses the integral over a piece.
    ///
    /// # Errors
    /// Those of the integrand; [`SmoothError::DisjointEnclosures`].
    pub fn new<C: HookedContext<Num = N>>(
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        piece: PanelPiece<N>,
    ) -> Result<Self, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        let before = f.machine.effort.budget.work_done();
        let mut piece = piece;
        let mut branches = BranchDecisions::with_forced(piece.forced.clone());
        let span = context.hull(&jets.value_of(&piece.between[0]), &jets.value_of(&piece.between[1]));
        let is_steep = piece.is_steep(f, frames, &span, &mut branches)?;
        let [left, right] = &piece.between;
        let mut undecided = std::mem::take(&mut branches.undecided);
        if undecided.is_empty()
            && !is_steep
            && let Some(panel) = piece.integrate_analytically(f, frames)?
        {
            return Ok(panel);
        }
        // A Taylor expansion across a kink or a singularity has no remainder: order 1 is all that helps there.
        let is_fine = undecided.is_empty() && !is_steep;
        let straight = if is_fine { frames.for_linear(f, &piece.forced) } else { None };
        let frame = straight.unwrap_or(if is_fine { &frames.fine } else { &frames.coarse });
        let halve = |j: &Jet<N>| jets.map_coefficients(j, |c| context.div_integer(c, 2));
        let half = halve(&jets.subtract(right, left));
        let along = |start: Jet<N>| {
            let mut x = start;
            for &(outer, inner) in &frame.steps {
                x.set(inner as usize, half.get(outer as usize).cloned());
            }
            x
        };
        let whole = jets.hull(left, right);
        let ranges = f.eval_outputs(&frame.algebra, along(whole.clone()), &mut branches, EvalTarget::Outputs)?;
        let is_decided = undecided.is_empty();
        if is_decided {
            // For its derivatives an optimum inside evaluates its maximisers too, so more may be undecided than for values.
            undecided.append(&mut branches.undecided);
        }
        let middle = halve(&jets.add(left, right));
        let by_nodes = match frames.rule.as_ref().filter(|_| straight.is_none() && undecided.is_empty() && !is_steep) {
            Some(rule) => rule.integrate_by_nodes(f, frames, frame, [&middle, &half], &ranges, &mut branches)?,
            None => None,
        };
        let sums = match by_nodes {
            Some(sums) => sums,
            None => {
                let centers =
                    f.eval_outputs(&frame.algebra, along(middle.clone()), &mut branches, EvalTarget::Outputs)?;
                // In another expansion the floor would be computed for coefficients that hardly matter.
                let is_fine = frames.outer.taylor_generator_count() == 0 && f.has_fine_captures();
                Self::integrate_expansions(context, frame, [&centers, &ranges], is_fine)?
            }
        };
        let (mut estimates, mut least) = (Vec::with_capacity(sums.len()), Vec::with_capacity(sums.len()));
        for (sum, rest) in sums {
            estimates.push(jets.multiply(&half, &sum));
            let rest = jets.multiply(&half, &rest);
            least.push(Jet::new(rest.coefficients().map(|c| c.map(|c| context.width(c)))));
        }
        let is_ragged = || {
            let mut coefficients = ranges.iter().flat_map(Jet::coefficients).flatten();
            // With binders inside, solvers would have to run again.
            f.block.depth <= 1 && piece.ends != [PieceEnd::Inner; 2] && coefficients.any(|c| !is_known(context, c))
        };
        let mut diverges = false;
        if let ([estimate], [least]) = (&mut estimates[..], &mut least[..])
            && is_decided
            && (is_steep || is_ragged())
        {
            diverges = piece.narrow_near_ends(f, frames, estimate, least)?;
        }
        // The border of a guard leaves the value undefined, though it is a null set.
        if let ([estimate], [least]) = (&mut estimates[..], &mut least[..])
            && undecided.iter().any(|switch| f.block.is_border(*switch))
            && estimate.get(0).is_some_and(|value| !context.is_defined(value))
        {
            piece.cross_borders(f, frames, [&whole, &middle], (estimate, least))?;
        }
        let mut panel = Self {
            piece,
            estimates,
            excess: Magnitude::ZERO,
            floor: Magnitude::ZERO,
            unbounded: Vec::new(),
            unbounded_for: 0,
            undecided,
            is_steep,
            midpoint_kinks: Self::midpoint_kinks(&branches.undecided, Self::has_inner_kink(f, &least)),
            unsplittable_widths: least,
            set_ends: Jet::zero(),
            is_set: false,
            diverges,
            work: f.machine.effort.budget.work_done().saturating_sub(before),
        };
        panel.measure_excess(context);
        Ok(panel)
    }

    /// Returns the kinks that a midpoint meets, each for the first time.
    fn midpoint_kinks(undecided: &[BranchPoint], is_blurred_inside: bool) -> Vec<(MidpointKink, u32)> {
        let switches = undecided.iter().map(|switch| (MidpointKink::BranchPoint(*switch), 0));
        switches.chain(is_blurred_inside.then_some((MidpointKink::Inside, 0))).collect()
    }

    /// Returns `true` if the midpoint meets a kink inside of the integrand: the inputs are as good as points, but the value
    /// there is wide.
    fn has_inner_kink<C: HookedContext<Num = N>>(f: &SolverFunction<C>, least: &[Jet<Magnitude>]) -> bool {
        let tolerance = f.machine.effort.tolerance();
        least.iter().flat_map(Jet::coefficients).flatten().any(|floor| *floor > tolerance) && f.has_fine_captures()
    }

    /// Encloses `∫_{-1}^{1} f dt` of each output by the expansions at the midpoint and over the panel.
    ///
    /// Also returns the part that no splitting narrows. For fine captures it is the width at the midpoint: all other
    /// rounding vanishes with the length of a panel.
    fn integrate_expansions<C: HookedContext<Num = N>>(
        context: &C,
        frame: &TaylorExpansion,
        [centers, ranges]: [&[Jet<N>]; 2],
        is_fine: bool,
    ) -> Result<Sums<N>, SmoothError> {
        let mut sums = Vec::with_capacity(centers.len());
        for (center, range) in centers.iter().zip(ranges) {
            let (mut sum, mut rest) = (Jet::zero(), Jet::zero());
            for (monomial, column) in frame.columns.iter().enumerate() {
                if let Some((enclosure, floor)) = Self::integrate_column(context, column, [center, range], is_fine)? {
                    sum.set(monomial, Some(enclosure));
                    rest.set(monomial, Some(floor));
                }
            }
            sums.push((sum, rest));
        }
        Ok(sums)
    }

    /// Encloses one coefficient of `∫_{-1}^{1} f dt`, and returns the part of it that no splitting narrows.
    fn integrate_column<C: HookedContext<Num = N>>(
        context: &C,
        column: &[usize],
        [center, range]: [&Jet<N>; 2],
        is_fine: bool,
    ) -> Result<Option<(N, N)>, SmoothError> {
        let mut partial = context.enclose_integer(0);
        let mut floor = context.enclose_integer(0);
        let mut best: Option<N> = None;
        let mut present = false;
        for (q, &index) in (0u64..).zip(column) {
            let over = range.get(index).cloned();
            present |= over.is_some() || center.get(index).is_some();
            let over = over.unwrap_or_else(|| context.enclose_integer(0));
            // ∫ t^q·g(t) dt: for even q the weight is positive, for odd q positive and negative halves may meet different g.
            let remainder = if q % 2 == 0 { context.mul_integer(&over, 2) } else { context.sub(&over, &over) };
            let candidate = context.add(&partial, &context.div_integer(&remainder, q + 1));
            best = Some(match best {
                None => candidate,
                Some(b) => context
                    .intersect(&b, &candidate)
                    .ok_or(SmoothError::DisjointEnclosures { construct: "the Taylor enclosures of an integral" })?,
            });
            // Odd powers have integral 0, so only even coefficients at the midpoint count.
            if let Some(c) = center.get(index).filter(|_| q % 2 == 0) {
                partial = context.add(&partial, &context.div_integer(&context.mul_integer(c, 2), q + 1));
                if context.is_bounded(&partial) && (q == 0 || !is_fine) {
                    floor = partial.clone();
                }
            }
        }
        Ok(best.filter(|_| present).map(|b| (b, floor)))
    }

    /// Splits the width of the estimate into the excess, which splitting can narrow, and the floor, which it cannot.
    pub(crate) fn measure_excess<C: HookedContext<Num = N>>(&mut self, context: &C) {
        (self.excess, self.floor) = (Magnitude::ZERO, Magnitude::ZERO);
        self.unbounded.clear();
        let is_floor = self.midpoint_kinks.iter().all(|(_, halvings)| *halvings >= MIDPOINT_KINK_LIMIT);
        let coefficients = self.estimates.iter().zip(&self.unsplittable_widths).flat_map(|(estimate, least)| {
            (0..estimate.len()).filter_map(move |m| Some((m, estimate.get(m)?, least.get(m))))
        });
        for (monomial, c, least) in coefficients {
            if !context.is_bounded(c) || !context.is_defined(c) {
                self.unbounded.push(monomial);
                continue;
            }
            if let Some(ends) = self.set_ends.get(monomial) {
                self.excess = self.excess + *ends;
                continue;
            }
            let width = context.width(c);
            let floor = least.copied().unwrap_or(Magnitude::ZERO);
            // Up to twice the floor a width counts as floor: splitting would gain less than half.
            if width > floor.mul_exp2(1) || !is_floor {
                self.excess = self.excess + width;
            } else {
                self.floor = self.floor + width;
            }
        }
    }

    /// Returns `true` if every output is certainly defined and bounded on the panel, nothing is undecided, and no end is
    /// singular.
    #[must_use]
    pub fn is_smooth(&self) -> bool {
        self.unbounded.is_empty() && self.undecided.is_empty() && !self.is_steep
    }

    /// Returns `true` if every branch point is decided on the panel.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.undecided.is_empty()
    }

    /// Counts on the halvings of those kinks at the midpoint that the parent met `before`. Returns `true` if there is one.
    fn carry_midpoint_kinks(&mut self, before: &[(MidpointKink, u32)], is_halved: bool) -> bool {
        let mut has_met = false;
        for (blur, halvings) in &mut self.midpoint_kinks {
            if let Some((_, times)) = before.iter().find(|(other, _)| other == blur) {
                *halvings = times + u32::from(is_halved);
                has_met = true;
            }
        }
        has_met
    }

    /// Splits the panel: at a kink if there is one to split at, else near the middle. The result is a single panel if a
    /// guard is decided everywhere but at an end. Returns `None` if no number lies strictly between the ends.
    ///
    /// # Errors
    /// Those of [`IntegralPanel::new`].
    pub fn split_panel<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Option<Vec<Self>>, SmoothError> {
        let at_kink = self.split_at_kink(f, frames)?;
        let is_halved = at_kink.is_none();
        let mut halves = match at_kink {
            Some(parts) => parts,
            None => {
                let context = f.context();
                let jets = f.jets(frames.outer);
                let PanelPiece { between: [left, right], ends: [first, last], forced, known, .. } = &self.piece;
                let ends = (context.upper(&jets.value_of(left)), context.lower(&jets.value_of(right)));
                let (Some(a), Some(b)) = ends else { return Ok(None) };
                let middle = if self.undecided.is_empty() {
                    context.midpoint(&context.hull(&a, &b))
                } else {
                    self.point_off_kinks(f, frames, [&a, &b])?
                };
                if !context.is_strictly_below(&a, &middle) || !context.is_strictly_below(&middle, &b) {
                    return Ok(None);
                }
                // A piece with a singular end keeps its length for all inputs: the singularity moves, and so does the middle.
                let moving = self.piece.end_at_root().filter(|_| self.is_steep);
                let mut middle = Jet::constant(middle);
                for m in 1..moving.map_or(0, Jet::len) {
                    middle.set(m, moving.and_then(|place| place.get(m)).cloned());
                }
                let piece = |between: [&Jet<N>; 2], ends, known| PanelPiece {
                    between: between.map(Clone::clone),
                    ends,
                    forced: forced.clone(),
                    known,
                    was_tried: self.undecided.is_empty(),
                };
                let [at_first, at_last] = known.clone();
                let halves = vec![
                    piece([left, &middle], [*first, PieceEnd::Inner], [at_first, Vec::new()]),
                    piece([&middle, right], [PieceEnd::Inner, *last], [Vec::new(), at_last]),
                ];
                f.map_places(halves, Some(self.work), |f, half| Self::new(f, frames, half))?
            }
        };
        for half in &mut halves {
            if !half.unbounded.is_empty() && !self.unbounded.is_empty() {
                half.unbounded_for = self.unbounded_for + 1;
            }
            if half.carry_midpoint_kinks(&self.midpoint_kinks, is_halved) {
                // A kink that both midpoints meet is not at one place.
                if is_halved {
                    half.narrow_slope_sets(f, frames)?;
                }
                half.measure_excess(f.context());
            }
        }
        Ok(Some(halves))
    }
}

/// The Taylor expansions that all panels of one integral share.
#[derive(Debug)]
pub struct TaylorExpansions<'a, N> {
    /// The algebra of the result.
    pub outer: &'a Arc<Algebra>,
    /// Taylor expansion to full order, for panels without undecided kinks.
    fine: TaylorExpansion,
    /// The full order.
    order: u32,
    /// Taylor expansion to order 1, for panels with a kink. For a solver inside, the slope is expanded to full order as well.
    coarse: TaylorExpansion,
    /// Taylor expansion to order 2, made on demand: a linear function needs no more. `None` if it has too many monomials.
    straight: OnceLock<Option<TaylorExpansion>>,
    /// The quadrature nodes of that order. `None` if panels are integrated by expansions alone.
    rule: Option<analytic::GaussRule<N>>,
    /// The captures without nilpotent parts.
    base: Vec<Jet<N>>,
}

/// A Taylor expansion of one order.
#[derive(Debug)]
pub(crate) struct TaylorExpansion {
    /// The outer algebra with the Taylor variable t adjoined.
    algebra: Arc<Algebra>,
    /// For each monomial of the outer algebra, the indices of its products with t⁰, t¹, …
    pub(crate) columns: Vec<Vec<usize>>,
    /// The monomials of the outer algebra with their products with t.
    steps: Vec<(u32, u32)>,
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
            rule: fine.as_ref().and_then(|(order, _)| analytic::GaussRule::new(f, *order)),
            order: fine.as_ref().map_or(0, |(order, _)| *order),
            fine: fine.map_or_else(coarse, |(_, frame)| frame),
            coarse: coarse(),
            straight: OnceLock::new(),
            base: f.base_captures(),
        }
    }

    /// Returns the expansion for a function that is linear with these branches. Returns `None` for any other function.
    fn for_linear<C: HookedContext<Num = N>>(
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

/// The signs of a branch point on a piece.
enum SignPattern {
    /// One sign on all of the piece, except for zeros at its ends.
    OneSign(KinkBranch),
    /// Strictly monotone, with these signs at the ends and a zero inside.
    Crosses {
        /// The signs at the left and the right end.
        signs: [KinkBranch; 2],
        /// `true` if both signs are computed. Otherwise one is given, and the zero may be at that end.
        certain: bool,
    },
    /// Unknown inside, with these signs at the ends.
    Unknown([KinkBranch; 2]),
}

impl<N: Clone + Send + Sync> IntegralPanel<N> {
    /// Splits the panel at the zero of an undecided branch point that is certainly monotone on it, with opposite signs at
    /// its ends.
    ///
    /// The zero is a jet, by the implicit function theorem, so the derivatives of the integral take its motion into
    /// account. Returns `None` if there is no such branch point.
    fn split_at_kink<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Option<Vec<Self>>, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        if !f.machine.effort.solver_options.kinks {
            return Ok(None);
        }
        let base = f.with_captures(&frames.base);
        let PanelPiece { between, ends, forced, known, .. } = &self.piece;
        let bracket = context.hull(&jets.value_of(&between[0]), &jets.value_of(&between[1]));
        let mut branches = BranchDecisions::with_forced(forced.clone());
        let poles = self.vanishing_operands(f, frames)?;
        for &switch in self.undecided.iter().chain(&poles) {
            let target = EvalTarget::BranchPoint(switch);
            let piece = |between: [&Jet<N>; 2], ends, side: KinkBranch, known| {
                let mut forced = forced.clone();
                forced.push((switch, side));
                PanelPiece { between: between.map(Clone::clone), ends, forced, known, was_tried: false }
            };
            let (signs, certain) = match self.sign_pattern(f, frames, switch)? {
                // An operand that keeps its sign on the piece needs no split, and has no branch to force.
                SignPattern::OneSign(_) if poles.contains(&switch) => continue,
                // No split is needed: the branch is forced on the whole piece.
                SignPattern::OneSign(side) => {
                    let whole = piece([&between[0], &between[1]], *ends, side, known.clone());
                    return Ok(Some(vec![Self::new(f, frames, whole)?]));
                }
                SignPattern::Crosses { signs, certain } => (signs, certain),
                SignPattern::Unknown(_) => continue,
            };
            // Orientation: from positive to negative.
            let falling = signs[0] == KinkBranch::Left;
            let mut equation =
                RootEquation { function: &base, target, branches: branches.clone(), is_decreasing: falling };
            let zero = match equation.iterate_newton(bracket.clone()) {
                // Between two ends that are not told apart, a given sign need not be right.
                Err(SmoothError::DisjointEnclosures { .. }) if !certain => continue,
                zero => zero?,
            };
            let kink =
                IntegrandKink { position: f.lift_root(frames.outer, zero, &mut branches, target)?, sides: signs };
            let IntegrandKink { position: place, sides } =
                if C::ACTIVE { f.context().hooks().integral_kink(kink) } else { kink };
            let root = PieceEnd::Root(switch);
            let [at_root, from_root] = self.signs_beyond_kink(f, frames, &place, (switch, sides))?;
            let [at_left, at_right] = known.clone();
            let sides = vec![
                piece([&between[0], &place], [ends[0], root], sides[0], [at_left, at_root]),
                piece([&place, &between[1]], [root, ends[1]], sides[1], [from_root, at_right]),
            ];
            return f.map_places(sides, Some(self.work), |f, side| Self::new(f, frames, side)).map(Some);
        }
        Ok(None)
    }

    /// Returns the operations that may be singular inside of an unbounded panel: those with an operand that may be 0.
    ///
    /// Beside its zero such an operand is a power of the distance, as at a kink. So the integrand may be integrable on either
    /// side.
    fn vanishing_operands<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Vec<BranchPoint>, SmoothError> {
        let mut found = Vec::new();
        // Kinks first: beyond one of them the operand may have a sign.
        if !self.undecided.is_empty() || self.unbounded.first() != Some(&0) {
            return Ok(found);
        }
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let base = f.with_captures(&frames.base);
        let span = context.hull(&jets.value_of(&self.piece.between[0]), &jets.value_of(&self.piece.between[1]));
        for (index, instruction) in f.block.instructions.iter().enumerate() {
            // An even root or a logarithm is not defined on one side.
            let may_be_singular = match instruction {
                BlockInstruction::Binary(Binary::Divide, ..) => true,
                BlockInstruction::Power(_, e) => {
                    !e.denominator.is_multiple_of(2) && (e.numerator < 0 || e.denominator > 1)
                }
                BlockInstruction::Unary(Unary::Function(g), _) => {
                    matches!(g.row().monotonicity, Monotonicity::Root(n) if n % 2 == 1)
                }
                _ => false,
            };
            if !may_be_singular || found.len() == MOST_OPERANDS {
                continue;
            }
            let switch = BranchPoint::of_instruction(base_of_powers(f.block, f.captures.len() + 1, index));
            let mut branches = BranchDecisions::with_forced(self.piece.forced.clone());
            let number = base.value_over(&span, &mut branches, EvalTarget::BranchPoint(switch))?;
            if is_known(context, &number) && context.sign(&number) == Sign::Undecided && !found.contains(&switch) {
                found.push(switch);
            }
        }
        Ok(found)
    }

    /// Returns what is known of the signs of a branch point on the piece.
    fn sign_pattern<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        switch: BranchPoint,
    ) -> Result<SignPattern, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        let base = f.with_captures(&frames.base);
        let PanelPiece { between, forced, .. } = &self.piece;
        let bracket = context.hull(&jets.value_of(&between[0]), &jets.value_of(&between[1]));
        let (signs, certain) = self.signs_at_ends(f, frames, switch)?;
        let line = base.value_and_slope(
            &bracket,
            &mut BranchDecisions::with_forced(forced.clone()),
            EvalTarget::BranchPoint(switch),
        )?;
        let slope = KinkBranch::from_sign(context.sign(&line.slope));
        let is_monotone = slope != KinkBranch::Undecided && context.is_bounded(&line.slope);
        let vanishes = |end: usize| f.vanishes_at(frames.outer, &between[end], forced, switch);
        // A strictly monotone number that is 0 at one end has the sign of the other end inside. If both ends have one sign,
        // that is it.
        let unknown = SignPattern::Unknown(signs);
        Ok(match signs {
            [KinkBranch::Undecided, KinkBranch::Undecided] => unknown,
            [KinkBranch::Undecided, side] | [side, KinkBranch::Undecided] if !is_monotone => {
                if base.is_constant_in_variable(&bracket, forced, switch)? {
                    SignPattern::OneSign(side)
                } else {
                    unknown
                }
            }
            [KinkBranch::Undecided, side] if vanishes(0)? => SignPattern::OneSign(side),
            [side, KinkBranch::Undecided] if vanishes(1)? => SignPattern::OneSign(side),
            [KinkBranch::Undecided, _] | [_, KinkBranch::Undecided] => unknown,
            [a, b] if a == b => {
                let knows = is_monotone || base.is_constant_in_variable(&bracket, forced, switch)?;
                if knows { SignPattern::OneSign(a) } else { unknown }
            }
            // The slope has the sign of the right end: rising from negative, or falling from positive.
            [_, last] if is_monotone && last == slope => SignPattern::Crosses { signs, certain },
            _ => unknown,
        })
    }

    /// Returns the signs of other branch points at the zero of a kink, for the pieces before and behind it.
    ///
    /// If a branch point does not depend on the variable on one side of the kink, it has there the sign of the far end. At
    /// a kink nothing jumps, so that is also its sign at the kink for the piece on the other side.
    fn signs_beyond_kink<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        place: &Jet<N>,
        (kink, sides): (BranchPoint, [KinkBranch; 2]),
    ) -> Result<[Vec<(BranchPoint, KinkBranch)>; 2], SmoothError> {
        let mut known = [Vec::new(), Vec::new()];
        if f.block.is_border(kink) {
            return Ok(known);
        }
        let base = f.with_captures(&frames.base);
        let jets = f.jets(frames.outer);
        for &switch in self.undecided.iter().filter(|switch| **switch != kink) {
            let (signs, _) = self.signs_at_ends(f, frames, switch)?;
            for side in 0..2 {
                let mut forced = self.piece.forced.clone();
                forced.push((kink, sides[side]));
                let span = f.context().hull(&jets.value_of(&self.piece.between[side]), &jets.value_of(place));
                if signs[side] != KinkBranch::Undecided && base.is_constant_in_variable(&span, &forced, switch)? {
                    known[1 - side].push((switch, signs[side]));
                }
            }
        }
        Ok(known)
    }

    /// Returns the signs of a branch point at the ends of the piece, and `true` if both are computed.
    ///
    /// A sign that cannot be computed may be known. At an end of the interval, or at the zero of another kink, it may also
    /// be given.
    fn signs_at_ends<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        switch: BranchPoint,
    ) -> Result<([KinkBranch; 2], bool), SmoothError> {
        let base = f.with_captures(&frames.base);
        let jets = f.jets(frames.outer);
        let mut branches = BranchDecisions::with_forced(self.piece.forced.clone());
        let mut signs = [KinkBranch::Undecided; 2];
        let mut certain = true;
        for (end, sign) in signs.iter_mut().enumerate() {
            let value = base.value_over(
                &jets.value_of(&self.piece.between[end]),
                &mut branches,
                EvalTarget::BranchPoint(switch),
            )?;
            *sign = KinkBranch::from_sign(f.context().sign(&value));
            if *sign != KinkBranch::Undecided {
                continue;
            }
            certain = false;
            if let Some((_, known)) = self.piece.known[end].iter().find(|(other, _)| *other == switch) {
                *sign = *known;
            } else if let Some((look, target)) = self.event_at_end(f, end, switch) {
                *sign = f.events.given_sign(look, target);
            }
        }
        Ok((signs, certain))
    }

    /// Returns the event whose sign is that of a branch point at an end of the piece. Returns `None` for an inner end.
    fn event_at_end<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        end: usize,
        switch: BranchPoint,
    ) -> Option<(BinderView, EvalTarget)> {
        match self.piece.ends[end] {
            PieceEnd::Inner => None,
            PieceEnd::Outer => Some((BinderView::at_end(end), EvalTarget::BranchPoint(switch))),
            PieceEnd::Root(root) => {
                let pair = BranchPoint::at_zero_of(root, switch)?;
                // Without a side there is no single number at the root.
                f.machine.side_to_evaluate(f.block, root, switch)?;
                Some((BinderView::AtRoot, EvalTarget::BranchPoint(pair)))
            }
        }
    }

    /// Records the events whose signs would decide the branches on the piece.
    pub(in crate::smooth::solve) fn record_events<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<(), SmoothError> {
        // A piece with inner ends alone has no events: splitting has to decide it.
        if self.piece.ends != [PieceEnd::Inner; 2] && f.machine.effort.solver_options.kinks {
            for &switch in &self.undecided {
                let SignPattern::Unknown(signs) = self.sign_pattern(f, frames, switch)? else { continue };
                for end in (0..2).filter(|end| signs[*end] == KinkBranch::Undecided) {
                    if let Some((look, target)) = self.event_at_end(f, end, switch) {
                        f.events.record_undecided(look, target);
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns a point at which to split a piece without a kink to split at: near the middle, and where the branch points
    /// have signs.
    ///
    /// If there is no such point among a few, the first one is taken. A kink that moves with the inputs over the point of a
    /// split is on neither half for certain.
    fn point_off_kinks<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        [left, right]: [&N; 2],
    ) -> Result<N, SmoothError> {
        let context = f.context();
        let base = f.with_captures(&frames.base);
        let length = context.sub(right, left);
        let place =
            |part| context.midpoint(&context.add(left, &context.div_integer(&context.mul_integer(&length, part), 128)));
        // Shares of 128, off the middle, where kinks often lie: a choice.
        let parts = [61, 79, 47, 93, 34];
        let mut branches = BranchDecisions::with_forced(self.piece.forced.clone());
        for part in parts {
            let mut is_beside = true;
            for &switch in &self.undecided {
                let value = base.value_over(&place(part), &mut branches, EvalTarget::BranchPoint(switch))?;
                is_beside &= context.sign(&value) != Sign::Undecided;
            }
            if is_beside {
                return Ok(place(part));
            }
        }
        Ok(place(parts[0]))
    }
}

impl<N: Clone> PanelPiece<N> {
    /// Returns the end that is the zero of a branch point. Returns `None` if there is none.
    fn end_at_root(&self) -> Option<&Jet<N>> {
        self.between.iter().zip(self.ends).find_map(|(place, end)| matches!(end, PieceEnd::Root(_)).then_some(place))
    }

    /// Returns `true` if the integrand has no bounded slope on a piece whose end may be singular.
    ///
    /// For pieces with inner ends only the branches are computed. Branches that power bounds decide are forced from then on.
    fn is_steep<C: HookedContext<Num = N>>(
        &mut self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        span: &N,
        branches: &mut BranchDecisions,
    ) -> Result<bool, SmoothError> {
        let base = f.with_captures(&frames.base);
        let value = base.value_over(span, branches, EvalTarget::Outputs)?;
        let shortcuts = f.machine.effort.solver_options;
        if self.ends == [PieceEnd::Inner; 2] || !shortcuts.kinks || !shortcuts.expansions {
            return Ok(false);
        }
        let context = f.context();
        let mut value = value;
        // An unbounded value may hide the sign of a number; a power bound still shows it. Blocks with binders would be too
        // expensive.
        if !branches.undecided.is_empty() && !is_known(context, &value) && f.block.depth <= 1 {
            let sides = self.branches_near_ends(f, frames)?;
            if !sides.is_empty() {
                self.forced.extend(sides);
                *branches = BranchDecisions::with_forced(self.forced.clone());
                value = base.value_over(span, branches, EvalTarget::Outputs)?;
            }
        }
        if !branches.undecided.is_empty() {
            return Ok(false);
        }
        Ok(!is_known(context, &value)
            || !is_known(context, &base.value_and_slope(span, branches, EvalTarget::Outputs)?.slope))
    }

    /// Returns the branches on the piece that power bounds near an end decide.
    fn branches_near_ends<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<Vec<(BranchPoint, KinkBranch)>, SmoothError> {
        let jets = f.jets(frames.outer);
        let [left, right] = &self.between;
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                PieceEnd::Inner => continue,
                PieceEnd::Outer => None,
                PieceEnd::Root(switch) => Some(switch),
            };
            let approach = OneSidedLimit { end, length: &jets.subtract(other, end), root };
            let given = BranchDecisions::with_forced(self.forced.clone());
            let sides = f.machine.branches_by_power_bounds(f.block, &approach, f.captures, &given)?;
            if !sides.is_empty() {
                return Ok(sides);
            }
        }
        Ok(Vec::new())
    }

    /// Narrows the integral over the piece by expansions and bounds near its ends. Returns `true` if the integral is infinite.
    fn narrow_near_ends<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        estimate: &mut Jet<N>,
        least: &mut Jet<Magnitude>,
    ) -> Result<bool, SmoothError> {
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let [left, right] = &self.between;
        let length = jets.subtract(right, left);
        for (end, other, kind) in [(left, right, self.ends[0]), (right, left, self.ends[1])] {
            let root = match kind {
                PieceEnd::Inner => continue,
                PieceEnd::Outer => None,
                PieceEnd::Root(switch) => Some(switch),
            };
            let approach = OneSidedLimit { end, length: &jets.subtract(other, end), root };
            let mut branches = BranchDecisions::with_forced(self.forced.clone());
            // Puiseux first: its remainder has a high order, where a power bound has the range alone.
            let expanded = puiseux_expansion(
                f.machine,
                f.block,
                (frames.outer, frames.order),
                &approach,
                f.captures,
                &mut branches,
            )?;
            if let Some(found) = expanded.map(|found| found.integrate(context, frames.outer)).transpose()?.flatten() {
                let [sum, floor] = found.map(|sum| jets.multiply(&length, &sum));
                let floor = Jet::new(floor.coefficients().map(|c| c.map(|c| context.width(c))));
                narrow_estimate(context, estimate, (least, &floor), &sum)?;
            }
            if estimate.coefficients().flatten().all(|c| is_known(context, c)) {
                return Ok(false);
            }
            let mean = f.machine.integral_at_end(f.block, frames.outer, &approach, f.captures, &mut branches)?;
            let mean = match mean {
                EndIntegral::Value(mean) => mean,
                EndIntegral::Diverges(_) => return Ok(true),
                EndIntegral::Unknown => continue,
            };
            let integral = jets.multiply(&length, &mean);
            narrow_estimate(context, estimate, (least, &Jet::zero()), &integral)?;
        }
        Ok(false)
    }
}

/// Returns the instruction whose operand is 0 where that of an operation is, and not flat there: that of `1/(x-1)²` is a square,
/// without a change of sign, and `x - 1` changes sign. The registers of the instructions of a block begin with `first`.
fn base_of_powers(block: &Block, first: usize, mut index: usize) -> usize {
    loop {
        let operand = match block.instructions[index] {
            BlockInstruction::Binary(Binary::Divide, _, x)
            | BlockInstruction::Binary(Binary::Multiply, x, _)
            | BlockInstruction::Power(x, _)
            | BlockInstruction::Unary(_, x) => x,
            _ => return index,
        };
        let Some(inner) = (operand.0 as usize).checked_sub(first) else { return index };
        match block.instructions[inner] {
            BlockInstruction::Power(_, e) if e.numerator > 0 => index = inner,
            BlockInstruction::Binary(Binary::Multiply, x, y) if x == y => index = inner,
            _ => return index,
        }
    }
}

/// The number of operands at whose zeros a panel may be split, at most. A choice.
const MOST_OPERANDS: usize = 4;

/// Returns `true` if a coefficient is certainly defined and bounded.
pub(super) fn is_known<C: HookedContext>(context: &C, c: &C::Num) -> bool {
    context.is_defined(c) && context.is_bounded(c)
}

/// Narrows an estimate. Where nothing was known, it also sets the part that no splitting narrows.
fn narrow_estimate<C: HookedContext>(
    context: &C,
    estimate: &mut Jet<C::Num>,
    (least, floor): (&mut Jet<Magnitude>, &Jet<Magnitude>),
    integral: &Jet<C::Num>,
) -> Result<(), SmoothError> {
    for monomial in 0..estimate.len() {
        let found = integral.get(monomial).cloned().unwrap_or_else(|| context.enclose_integer(0));
        let Some(all) = estimate.get(monomial).filter(|_| is_known(context, &found)) else { continue };
        let both = if is_known(context, all) {
            let both = context.intersect(all, &found);
            both.ok_or(SmoothError::DisjointEnclosures { construct: "an integral beside an end" })?
        } else {
            least.set(monomial, Some(floor.get(monomial).copied().unwrap_or(Magnitude::ZERO)));
            found
        };
        estimate.set(monomial, Some(both));
    }
    Ok(())
}

/// The number of linear forms whose signs are combined, at most. A choice: each doubles the evaluations.
const MOST_COMBINED_KINKS: usize = 3;

impl<N: Clone + Send + Sync> IntegralPanel<N> {
    /// Narrows the first derivatives of the integral over the panel to integrals of sets, by the branches of its undecided
    /// kinks; see the [module](self). Inside of other expansions nothing is done.
    fn narrow_slope_sets<C: HookedContext<Num = N>>(
        &mut self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
    ) -> Result<(), SmoothError> {
        let is_alone = frames.outer.taylor_generator_count() == 0 && f.has_fine_captures();
        let ([estimate], true) = (&mut self.estimates[..], is_alone && !self.is_steep) else { return Ok(()) };
        let (jets, undecided) = (f.jets(frames.outer), &self.undecided);
        let [left, right] = &self.piece.between;
        let halve = |j: &Jet<N>| jets.map_coefficients(j, |c| f.context().div_integer(c, 2));
        let places = [jets.hull(left, right), halve(&jets.add(left, right)), halve(&jets.subtract(right, left))];
        let (context, outer) = (f.context(), frames.outer);
        let slopes = (1..estimate.len()).filter(|m| outer.degree(*m) == 1);
        let wide: Vec<usize> = slopes
            .filter(|m| estimate.get(*m).is_some_and(|c| is_known(context, c) && !context.width(c).is_zero()))
            .collect();
        // Kinks of one linear form are on its side together.
        let groups = f.machine.kink_groups(f.block, undecided);
        let has_all = undecided.iter().all(|switch| switch.is_own())
            && groups.iter().map(Vec::len).sum::<usize>() == undecided.len();
        if wide.is_empty() || groups.is_empty() || groups.len() > MOST_COMBINED_KINKS || !has_all {
            return Ok(());
        }
        let base = f.with_captures(&frames.base);
        let span = f.jets(frames.outer).value_of(&places[0]);
        let mut is_at_kinks = true;
        for switch in undecided {
            let mut given = BranchDecisions::with_forced(self.piece.forced.clone());
            let number = base.value_over(&span, &mut given, EvalTarget::BranchPoint(*switch))?;
            is_at_kinks &= context.is_defined(&number) && context.is_point(&number) && context.contains_zero(&number);
        }
        // For each choice of branches, the integral and the integrand over the piece.
        let mut branches = Vec::new();
        for choice in 0..1_usize << groups.len() {
            let sides = groups.iter().enumerate().flat_map(|(bit, group)| {
                let is_positive = choice >> bit & 1 == 0;
                group.iter().map(move |(index, left)| {
                    let side = if *left == is_positive { KinkBranch::Left } else { KinkBranch::Right };
                    (BranchPoint::of_instruction(*index), side)
                })
            });
            match self.piece.integrate_branch(f, frames, &places, sides.collect()) {
                Ok(Some(branch)) => branches.push(branch),
                // No branch, or one that is nowhere taken.
                Ok(None) | Err(SmoothError::DisjointEnclosures { .. }) => return Ok(()),
                Err(error) => return Err(error),
            }
        }
        let column = |m: usize| &frames.fine.columns[m][..];
        for m in wide {
            let ends = [false, true].map(|is_upper| end_of_set(context, &branches, (m, column(m)), is_upper));
            let [Some(low), Some(high)] = ends else { continue };
            let Some(all) = estimate.get(m).cloned() else { continue };
            let Some(both) = context.intersect(&all, &context.hull(&low, &high)) else {
                return Err(SmoothError::DisjointEnclosures { construct: "the integral of a set of slopes" });
            };
            // An estimate that excludes an end has seen that kinks belong together: then the set is a smaller one. Where the
            // inputs are only near the kinks, more digits tell the sides apart.
            let has_both = [&low, &high].iter().all(|end| context.intersect(&all, end).is_some());
            if has_both && is_at_kinks {
                self.set_ends.set(m, Some(context.width(&low) + context.width(&high)));
                let apart = context.sub(&high, &low);
                self.is_set |= context.sign(&apart) == Sign::Positive;
            }
            estimate.set(m, Some(both));
        }
        Ok(())
    }
}

impl<N: Clone + Send + Sync> PanelPiece<N> {
    /// Integrates over the piece with the given sides of kinks. `places` are the piece as a range, its middle, and half of its length. Returns `None` if a further branch point is undecided.
    fn integrate_branch<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        [whole, middle, half]: &[Jet<N>; 3],
        sides: Vec<(BranchPoint, KinkBranch)>,
    ) -> Result<Option<BranchIntegral<N>>, SmoothError> {
        let (jets, frame) = (f.jets(frames.outer), &frames.fine);
        let mut branches = BranchDecisions::with_forced(self.forced.iter().copied().chain(sides).collect());
        let mut expansion = |start: &Jet<N>| {
            let mut x = start.clone();
            for &(outer, inner) in &frame.steps {
                x.set(inner as usize, half.get(outer as usize).cloned());
            }
            let found = f.eval_outputs(&frame.algebra, x, &mut branches, EvalTarget::Outputs)?;
            Ok::<_, SmoothError>((found, branches.undecided.is_empty()))
        };
        let ((ranges, true), (centers, true)) = (expansion(whole)?, expansion(middle)?) else { return Ok(None) };
        let sums = IntegralPanel::integrate_expansions(f.context(), frame, [&centers, &ranges], true)?;
        let ([(sum, _)], [center], [range]) = (&sums[..], &centers[..], &ranges[..]) else { return Ok(None) };
        let mut scale = Jet::zero();
        for (column, c) in frame.columns.iter().zip(half.coefficients()) {
            scale.set(column[0], c.cloned());
        }
        let [center, range] = [center, range].map(|jet| f.jets(&frame.algebra).multiply(&scale, jet));
        Ok(Some(BranchIntegral { integral: jets.multiply(half, sum), center, range }))
    }
}

/// The integral of a branch over a piece, with the expansions at the midpoint and over the piece of the integrand in t.
struct BranchIntegral<N> {
    integral: Jet<N>,
    center: Jet<N>,
    range: Jet<N>,
}

/// Encloses the upper end ∫u of an integral of sets, or the lower one, in one coefficient, whose column of the expansions is
/// given. Returns `None` if a branch is unbounded.
///
/// `∫u` is at least each ∫f_σ. For any σ it is at most `∫f_σ + Σ_τ ∫max 0 (f_τ - f_σ)`.
fn end_of_set<C: HookedContext>(
    context: &C,
    branches: &[BranchIntegral<C::Num>],
    (m, column): (usize, &[usize]),
    is_upper: bool,
) -> Option<C::Num> {
    let zero = context.enclose_integer(0);
    let turn = |c: C::Num| if is_upper { c } else { context.neg(&c) };
    let integral =
        |branch: &BranchIntegral<C::Num>| turn(branch.integral.get(m).cloned().unwrap_or_else(|| zero.clone()));
    if !branches.iter().all(|branch| is_known(context, &integral(branch))) {
        return None;
    }
    let least = branches.iter().map(integral).reduce(|a, b| context.max(&a, &b))?;
    let mut most: Option<C::Num> = None;
    for own in branches {
        let mut bound = context.upper(&integral(own))?;
        for other in branches.iter().filter(|other| !std::ptr::eq(*other, own)) {
            let above = upper_difference(context, column, [other, own], is_upper)?;
            // t runs over an interval of length 2.
            bound = context.add(&bound, &context.mul_integer(&context.max(&above, &zero), 2));
        }
        let bound = context.upper(&bound)?;
        most = Some(most.map_or_else(|| bound.clone(), |most| context.min(&most, &bound)));
    }
    let end = context.hull(&context.lower(&least)?, &context.upper(&most?)?);
    Some(if is_upper { end } else { context.neg(&end) })
}

/// Returns an upper bound of the difference of two integrands over a piece, or of that of their negatives, in one
/// coefficient: the least by their expansions of all orders. Returns `None` if none is bounded.
fn upper_difference<C: HookedContext>(
    context: &C,
    column: &[usize],
    [a, b]: [&BranchIntegral<C::Num>; 2],
    is_upper: bool,
) -> Option<C::Num> {
    let zero = context.enclose_integer(0);
    let difference = |a: &Jet<C::Num>, b: &Jet<C::Num>, index: usize| {
        let [a, b] = [a, b].map(|jet| jet.get(index).cloned().unwrap_or_else(|| zero.clone()));
        if is_upper { context.sub(&a, &b) } else { context.sub(&b, &a) }
    };
    let (mut partial, mut least): (_, Option<C::Num>) = (zero.clone(), None);
    for (q, &index) in column.iter().enumerate() {
        // t^q for t in [-1, 1]
        let lowest = if q == 0 { 1 } else { -i64::from(q % 2 == 1) };
        let power = context.hull(&context.enclose_integer(lowest), &context.enclose_integer(1));
        let bound = context.add(&partial, &context.mul(&power, &difference(&a.range, &b.range, index)));
        if let Some(bound) = context.upper(&bound).filter(|_| is_known(context, &bound)) {
            least = Some(least.map_or_else(|| bound.clone(), |least| context.min(&least, &bound)));
        }
        partial = context.add(&partial, &context.mul(&power, &difference(&a.center, &b.center, index)));
    }
    least
}

/// The number of borders on one piece, at most. A choice: the sides double with each.
const MOST_BORDERS: usize = 4;
/// The highest derivative of a branch point that is computed. A choice.
const HIGHEST: u32 = 4;

impl<N: Clone> PanelPiece<N> {
    /// Replaces the integral over the piece, and the part of it that no splitting narrows, by those off the borders, as far
    /// as they are known. `places` are the piece as a range, and its middle.
    fn cross_borders<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        places: [&Jet<N>; 2],
        (estimate, least): (&mut Jet<N>, &mut Jet<Magnitude>),
    ) -> Result<(), SmoothError> {
        let Some(ranges) = self.beside_borders(f, frames, places)? else { return Ok(()) };
        let (context, jets) = (f.context(), f.jets(frames.outer));
        let length = jets.subtract(&self.between[1], &self.between[0]);
        let [integral, rest] = ranges.map(|range| jets.multiply(&length, &range));
        for monomial in 0..integral.len() {
            let known = integral.get(monomial).filter(|known| is_known(context, known));
            if let (Some(_), Some(known)) = (estimate.get(monomial), known) {
                estimate.set(monomial, Some(known.clone()));
                least.set(monomial, rest.get(monomial).map(|rest| context.width(rest)));
            }
        }
        Ok(())
    }

    /// Encloses the integrand on the piece and at its middle, for all inputs, wherever it is off the borders.
    ///
    /// Returns `None` if the borders are not certainly null sets, or the integrand is not certainly defined off them.
    /// Derivatives that a border moves with are ⊥.
    ///
    /// # Errors
    /// Those of the integrand.
    fn beside_borders<C: HookedContext<Num = N>>(
        &self,
        f: &SolverFunction<C>,
        frames: &TaylorExpansions<N>,
        places: [&Jet<N>; 2],
    ) -> Result<Option<[Jet<N>; 2]>, SmoothError> {
        let whole = places[0];
        let mut search =
            BorderSearch { piece: self, f, frames, whole, sides: Vec::new(), null: Vec::new(), moving: Vec::new() };
        let mut ranges = || {
            let Some(whole) = search.on_sides(places[0])? else { return Ok(None) };
            // In the middle other guards may be undecided, without a proof that their borders are null sets: then nothing
            // remains as a floor.
            Ok(Some([whole, search.on_sides(places[1])?.unwrap_or_else(Jet::zero)]))
        };
        let [whole, other] = match ranges() {
            Ok(Some(ranges)) => ranges,
            // A combination of sides that the piece does not have need not be consistent.
            Ok(None) | Err(SmoothError::DisjointEnclosures { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let stays = |m: usize| frames.outer.generators_of(m).all(|g| search.moving.get(g) != Some(&true));
        let context = f.context();
        let known = |range: Jet<N>| {
            // A structural 0 on all sides is known as well.
            let value = |m: usize| range.get(m).cloned().unwrap_or_else(|| context.enclose_integer(0));
            let known = |m: usize| Some(if stays(m) { value(m) } else { context.bottom() });
            Jet::new((0..frames.outer.len()).map(known))
        };
        Ok(Some([known(whole), known(other)]))
    }
}

/// A search over the sides of the borders on one piece.
struct BorderSearch<'s, 'f, 'm, 'a, C: HookedContext> {
    piece: &'s PanelPiece<C::Num>,
    f: &'s SolverFunction<'f, 'm, C>,
    frames: &'s TaylorExpansions<'a, C::Num>,
    whole: &'s Jet<C::Num>,
    /// The sides taken at present.
    sides: Vec<(BranchPoint, KinkBranch)>,
    /// The borders proved to be null sets, each with the sides for which it is proved.
    null: Vec<(BranchPoint, Vec<(BranchPoint, KinkBranch)>)>,
    /// The generators with which some border moves.
    moving: Vec<bool>,
}

impl<C: HookedContext> BorderSearch<'_, '_, '_, '_, C> {
    /// Returns the hull of the ranges on all sides of the undecided borders. Returns `None` if a border may have positive
    /// measure.
    fn on_sides(&mut self, place: &Jet<C::Num>) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let Self { piece, f, frames, .. } = *self;
        let context = f.context();
        let mut branches = BranchDecisions::with_forced(piece.forced.iter().chain(&self.sides).copied().collect());
        let range = f.eval_jet(frames.outer, place.clone(), &mut branches, EvalTarget::Outputs)?;
        if range.get(0).is_none_or(|value| context.is_defined(value)) {
            return Ok(Some(range));
        }
        let Some(&border) = branches.undecided.iter().find(|switch| f.block.is_border(**switch)) else {
            return Ok(None);
        };
        if self.sides.len() == MOST_BORDERS || !self.is_null(border)? {
            return Ok(None);
        }
        // Both sides of the border, since either may be on the piece.
        let mut hull: Option<Jet<C::Num>> = None;
        for side in [KinkBranch::Left, KinkBranch::Right] {
            self.sides.push((border, side));
            let part = self.on_sides(place)?;
            self.sides.pop();
            let Some(part) = part else { return Ok(None) };
            hull = Some(hull.map_or_else(|| part.clone(), |hull| f.jets(frames.outer).hull(&hull, &part)));
        }
        Ok(hull)
    }

    /// Returns `true` if for each input a branch point is 0 at finitely many points of the piece. Notes the generators it
    /// moves with.
    ///
    /// A function whose n-th derivative is 0 nowhere has at most n zeros (Rolle), so one such derivative is enough. At an
    /// undecided kink the first derivative is the hull of both, which shows as much; there are no higher ones. On the
    /// present sides of guards the number is that of their branches, all over the piece. Events of solvers are different:
    /// their signs are not used. The zeros also move with the ends of the piece.
    fn is_null(&mut self, switch: BranchPoint) -> Result<bool, SmoothError> {
        let key = (switch, self.sides.clone());
        if self.null.contains(&key) {
            return Ok(true);
        }
        let Self { piece, f, frames, whole, .. } = *self;
        let is_guard = |(side, _): &&(BranchPoint, KinkBranch)| {
            side.is_own() && matches!(f.block.instructions[side.instruction()], BlockInstruction::Guard(_))
        };
        let forced: Vec<_> = piece.forced.iter().chain(self.sides.iter().filter(is_guard)).copied().collect();
        let (context, target) = (f.context(), EvalTarget::BranchPoint(switch));
        let Some(algebra) = f.machine.real.adjoin(AlgebraGenerator::Direction(HIGHEST)) else { return Ok(false) };
        let x = Jet::new([Some(f.jets(frames.outer).value_of(whole)), Some(context.enclose_integer(1))]);
        let base = f.with_captures(&frames.base);
        let number = base.eval_jet(&algebra, x, &mut BranchDecisions::with_forced(forced.clone()), target)?;
        let mut derivatives = (1..number.len()).filter_map(|n| number.get(n));
        let is_null = number.get(0).is_some_and(|value| is_known(context, value))
            && derivatives.any(|c| is_known(context, c) && context.sign(c) != Sign::Undecided);
        if is_null {
            self.null.push(key);
            let number = f.eval_jet(frames.outer, whole.clone(), &mut BranchDecisions::with_forced(forced), target)?;
            let moving = f.jets(frames.outer).generator_support([&number]);
            self.moving.resize(moving.len(), false);
            self.moving.iter_mut().zip(moving).for_each(|(known, new)| *known |= new);
        }
        Ok(is_null)
    }
}
