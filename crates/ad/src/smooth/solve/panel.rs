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

mod border;
mod end;
mod frames;
mod kink;
mod nodes;

use super::SolverFunction;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::KinkBranch;
use crate::smooth::machine::switch::BranchPoint;
use crate::smooth::machine::{BranchDecisions, EvalTarget};
use frames::TaylorExpansion;
pub use frames::TaylorExpansions;

/// For each output: `∫_{-1}^{1}` of the integrand, and the part of its width that no splitting narrows.
type Sums<N> = Vec<(Jet<N>, Jet<N>)>;

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
    undecided: Vec<BranchPoint>,
    /// `true` if the integrand has no bounded slope near an end at which it may be singular.
    is_steep: bool,
    /// The kinks at the midpoint, with the number of halvings in a row at which each has been there.
    midpoint_kinks: Vec<(MidpointKink, u32)>,
    /// The widths of the coefficients that no splitting narrows.
    unsplittable_widths: Vec<Jet<Magnitude>>,
    /// The approximate work units of computing it.
    pub work: u64,
}

/// A kink at the midpoint of a panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MidpointKink {
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
            f.block.depth <= 1 && piece.ends != [PieceEnd::Inner; 2] && coefficients.any(|c| !end::is_known(context, c))
        };
        if let ([estimate], [least]) = (&mut estimates[..], &mut least[..])
            && is_decided
            && (is_steep || is_ragged())
        {
            piece.narrow_near_ends(f, frames, estimate, least)?;
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
    fn measure_excess<C: HookedContext<Num = N>>(&mut self, context: &C) {
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
                half.measure_excess(f.context());
            }
        }
        Ok(Some(halves))
    }
}
