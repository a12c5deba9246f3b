//! One panel of an integral: Taylor enclosures of every order, and the kink to split at.
//!
//! On a panel [A, B], whose ends are jets, `x = m + h·t` with t ∈ [-1, 1]. With `c_j` the Taylor coefficients in t of the
//! integrand at the midpoint and `C_j` those over the whole panel, for every q
//!
//! `∫_A^B f dx  ∈  h·( Σ_{j<q, j even} 2c_j/(j+1)  +  R_q )`,
//! `R_q = 2C_q/(q+1)` for even q, `(C_q - C_q)/(q+1)` for odd q,
//!
//! and the intersection over q is kept, coefficient by coefficient (Moore 1966; the ends being jets, this is an identity
//! of jets). Where a kink is undecided on the panel, `C_q` is ⊥ for q ≥ 2 and only q = 0, 1 contribute.

mod border;
mod end;
mod frames;
mod kink;
mod nodes;

use super::Function;
use crate::number::magnitude::Magnitude;
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::jet::kinks::Branch;
use crate::smooth::machine::switch::Switch;
use crate::smooth::machine::{Branches, Target};
use frames::Frame;
pub use frames::Frames;

/// For each output, `∫_{-1}^{1}` of the integrand and the part of it that no splitting narrows.
type Sums<N> = Vec<(Jet<N>, Jet<N>)>;

/// What the end of a piece is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// A place inside the interval of integration.
    Inner,
    /// An end of the interval of integration.
    Outer,
    /// The zero of a switch.
    Root(Switch),
}

/// A piece of the interval of integration.
#[derive(Clone, Debug)]
pub struct Piece<N> {
    /// The left end and the right one.
    pub between: [Jet<N>; 2],
    /// What they are.
    pub ends: [End; 2],
    /// The branches known on this piece.
    pub forced: Vec<(Switch, Branch)>,
    /// The signs of switches that are known at each end, up to zeros, beside those that can be told there.
    pub known: [Vec<(Switch, Branch)>; 2],
    /// Whether it is a part of a piece that has been tried at its nodes at once.
    pub was_tried: bool,
}

/// A piece of the interval of integration, and what is known of the integral over it.
#[derive(Clone, Debug)]
pub struct Panel<N> {
    /// The piece.
    pub piece: Piece<N>,
    /// The enclosures of the integrals over the piece, one for each output of the integrand.
    pub estimates: Vec<Jet<N>>,
    /// What splitting may still gain: the widths of the estimates where they are well above the floor.
    pub excess: Magnitude,
    /// What splitting cannot gain: the width that comes with the inputs and with rounding.
    pub floor: Magnitude,
    /// Which coefficients of the estimates are unbounded or not known to be defined.
    pub unbounded: Vec<usize>,
    /// How many ancestors in a row were unbounded.
    pub unbounded_for: u32,
    /// The switches that could not be decided.
    undecided: Vec<Switch>,
    /// Whether the integrand has no bounded slope beside an end at which it may grow.
    is_steep: bool,
    /// The kinks that the midpoint meets, and for how many halvings in a row it has met each of them.
    blurs: Vec<(Blur, u32)>,
    /// The widths of the coefficients that no splitting narrows.
    least: Vec<Jet<Magnitude>>,
    /// About what work it took.
    pub work: u64,
}

/// What the midpoint of a panel meets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Blur {
    /// A switch that could not be decided even there.
    Switch(Switch),
    /// A kink inside the integrand, that of a nested optimum or root say.
    Inside,
}

/// A panel whose midpoint meets a kink has no floor until it has met that one after so many halvings in a row. A kink is met for
/// long only where it is wide, because the inputs are. A step that halves nothing does not count, nor does another kink: those at
/// 1/2, 1/4, 1/8 and 1/16 lie on the midpoints of one panel after another.
const BLURRED_AFTER: u32 = 3;

impl<N: Clone + Send + Sync> Panel<N> {
    /// The enclosure of the integral over a piece.
    ///
    /// # Errors
    /// Those of the integrand; [`SmoothError::Contradiction`].
    pub fn new<C: Hooked<Num = N>>(f: &Function<C>, frames: &Frames<N>, piece: Piece<N>) -> Result<Self, SmoothError> {
        let context = f.context();
        let jets = f.jets(frames.outer);
        let before = f.machine.effort.budget.work_done();
        let mut piece = piece;
        let mut branches = Branches::forced(piece.forced.clone());
        let span = context.hull(&jets.value(&piece.between[0]), &jets.value(&piece.between[1]));
        let is_steep = piece.is_steep(f, frames, &span, &mut branches)?;
        let [left, right] = &piece.between;
        let mut undecided = std::mem::take(&mut branches.undecided);
        if undecided.is_empty()
            && !is_steep
            && let Some(panel) = piece.at_once(f, frames)?
        {
            return Ok(panel);
        }
        let is_fine = undecided.is_empty() && !is_steep;
        let straight = if is_fine { frames.for_straight(f, &piece.forced) } else { None };
        let frame = straight.unwrap_or(if is_fine { &frames.fine } else { &frames.coarse });
        let halve = |j: &Jet<N>| jets.map(j, |c| context.divide(c, 2));
        let half = halve(&jets.subtract(right, left));
        let along = |start: Jet<N>| {
            let mut x = start;
            for &(outer, inner) in &frame.steps {
                x.set(inner as usize, half.get(outer as usize).cloned());
            }
            x
        };
        let whole = jets.hull(left, right);
        let ranges = f.all_at(&frame.algebra, along(whole.clone()), &mut branches, Target::Outputs)?;
        let is_decided = undecided.is_empty();
        if is_decided {
            // for its derivatives an optimum inside looks at its places too
            undecided.append(&mut branches.undecided);
        }
        let middle = halve(&jets.add(left, right));
        let by_nodes = match frames.rule.as_ref().filter(|_| straight.is_none() && undecided.is_empty() && !is_steep) {
            Some(rule) => rule.over_unit_panel(f, frames, frame, [&middle, &half], &ranges, &mut branches)?,
            None => None,
        };
        let sums = match by_nodes {
            Some(sums) => sums,
            None => {
                let centers = f.all_at(&frame.algebra, along(middle.clone()), &mut branches, Target::Outputs)?;
                // in another expansion that would be asked of coefficients that make next to no difference
                let is_fine = frames.outer.taylor_generator_count() == 0 && f.has_fine_captures();
                Self::expanded(context, frame, [&centers, &ranges], is_fine)?
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
            // solvers inside would be asked anew
            f.block.depth <= 1 && piece.ends != [End::Inner; 2] && coefficients.any(|c| !end::is_known(context, c))
        };
        if let ([estimate], [least]) = (&mut estimates[..], &mut least[..])
            && is_decided
            && (is_steep || is_ragged())
        {
            piece.narrow(f, frames, estimate, least)?;
        }
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
            blurs: Self::blurs(&branches.undecided, Self::is_blurred_inside(f, &least)),
            least,
            work: f.machine.effort.budget.work_done().saturating_sub(before),
        };
        panel.measure(context);
        Ok(panel)
    }

    /// What a midpoint meets, for the first time.
    fn blurs(undecided: &[Switch], is_blurred_inside: bool) -> Vec<(Blur, u32)> {
        let switches = undecided.iter().map(|switch| (Blur::Switch(*switch), 0));
        switches.chain(is_blurred_inside.then_some((Blur::Inside, 0))).collect()
    }

    /// Whether the midpoint meets a kink inside the integrand, that of a nested optimum or root say: the inputs are as good
    /// as points and its value is not.
    fn is_blurred_inside<C: Hooked<Num = N>>(f: &Function<C>, least: &[Jet<Magnitude>]) -> bool {
        let tolerance = f.machine.effort.tolerance();
        least.iter().flat_map(Jet::coefficients).flatten().any(|floor| *floor > tolerance) && f.has_fine_captures()
    }

    /// For each output, `∫_{-1}^{1} f dt` by the expansions at the midpoint and over the panel, and the part of it that no splitting
    /// narrows. Of fine captures that is the width at the midpoint: all other rounding vanishes with the length of a panel.
    fn expanded<C: Hooked<Num = N>>(
        context: &C,
        frame: &Frame,
        [centers, ranges]: [&[Jet<N>]; 2],
        is_fine: bool,
    ) -> Result<Sums<N>, SmoothError> {
        let mut sums = Vec::with_capacity(centers.len());
        for (center, range) in centers.iter().zip(ranges) {
            let (mut sum, mut rest) = (Jet::zero(), Jet::zero());
            for (monomial, column) in frame.columns.iter().enumerate() {
                if let Some((enclosure, floor)) = Self::over_unit_panel(context, column, [center, range], is_fine)? {
                    sum.set(monomial, Some(enclosure));
                    rest.set(monomial, Some(floor));
                }
            }
            sums.push((sum, rest));
        }
        Ok(sums)
    }

    /// One coefficient of `∫_{-1}^{1} f dt`, and the part of it that no splitting narrows.
    fn over_unit_panel<C: Hooked<Num = N>>(
        context: &C,
        column: &[usize],
        [center, range]: [&Jet<N>; 2],
        is_fine: bool,
    ) -> Result<Option<(N, N)>, SmoothError> {
        let mut partial = context.integer(0);
        let mut floor = context.integer(0);
        let mut best: Option<N> = None;
        let mut present = false;
        for (q, &index) in (0u64..).zip(column) {
            let over = range.get(index).cloned();
            present |= over.is_some() || center.get(index).is_some();
            let over = over.unwrap_or_else(|| context.integer(0));
            let remainder = if q % 2 == 0 { context.scale(&over, 2) } else { context.sub(&over, &over) };
            let candidate = context.add(&partial, &context.divide(&remainder, q + 1));
            best = Some(match best {
                None => candidate,
                Some(b) => context
                    .intersect(&b, &candidate)
                    .ok_or(SmoothError::Contradiction { construct: "the Taylor enclosures of an integral" })?,
            });
            if let Some(c) = center.get(index).filter(|_| q % 2 == 0) {
                partial = context.add(&partial, &context.divide(&context.scale(c, 2), q + 1));
                if context.is_bounded(&partial) && (q == 0 || !is_fine) {
                    floor = partial.clone();
                }
            }
        }
        Ok(best.filter(|_| present).map(|b| (b, floor)))
    }

    /// Sorts the width of the estimate into what splitting can gain and what it cannot.
    fn measure<C: Hooked<Num = N>>(&mut self, context: &C) {
        (self.excess, self.floor) = (Magnitude::ZERO, Magnitude::ZERO);
        self.unbounded.clear();
        let is_floor = self.blurs.iter().all(|(_, halvings)| *halvings >= BLURRED_AFTER);
        let coefficients = self.estimates.iter().zip(&self.least).flat_map(|(estimate, least)| {
            (0..estimate.len()).filter_map(move |m| Some((m, estimate.get(m)?, least.get(m))))
        });
        for (monomial, c, least) in coefficients {
            if !context.is_bounded(c) || !context.is_defined(c) {
                self.unbounded.push(monomial);
                continue;
            }
            let width = context.width(c);
            let floor = least.copied().unwrap_or(Magnitude::ZERO);
            if width > floor.shifted(1) || !is_floor {
                self.excess = self.excess + width;
            } else {
                self.floor = self.floor + width;
            }
        }
    }

    /// Whether every output is certainly defined and bounded on the panel, nothing undecided, and no end one beside which it grows.
    #[must_use]
    pub fn is_smooth(&self) -> bool {
        self.unbounded.is_empty() && self.undecided.is_empty() && !self.is_steep
    }

    /// Whether every switch is decided on the panel.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.undecided.is_empty()
    }

    /// Counts how long the midpoint has met each of its kinks, where the panel is a part of one that met these; whether it met one of them.
    fn carry_blurs(&mut self, before: &[(Blur, u32)], is_halved: bool) -> bool {
        let mut has_met = false;
        for (blur, halvings) in &mut self.blurs {
            if let Some((_, times)) = before.iter().find(|(other, _)| other == blur) {
                *halvings = times + u32::from(is_halved);
                has_met = true;
            }
        }
        has_met
    }

    /// The panel in two: at a kink where there is one to split at, else near the middle. It stays one where a guard is
    /// decided everywhere but at an end. `None` when no number lies strictly between the ends.
    ///
    /// # Errors
    /// Those of [`Panel::new`].
    pub fn split<C: Hooked<Num = N>>(
        &self,
        f: &Function<C>,
        frames: &Frames<N>,
    ) -> Result<Option<Vec<Self>>, SmoothError> {
        let at_kink = self.split_at_kink(f, frames)?;
        let is_halved = at_kink.is_none();
        let mut halves = match at_kink {
            Some(parts) => parts,
            None => {
                let context = f.context();
                let jets = f.jets(frames.outer);
                let Piece { between: [left, right], ends: [first, last], forced, known, .. } = &self.piece;
                let ends = (context.upper(&jets.value(left)), context.lower(&jets.value(right)));
                let (Some(a), Some(b)) = ends else { return Ok(None) };
                let middle = if self.undecided.is_empty() {
                    context.midpoint(&context.hull(&a, &b))
                } else {
                    self.beside_kinks(f, frames, [&a, &b])?
                };
                if !context.strictly_below(&a, &middle) || !context.strictly_below(&middle, &b) {
                    return Ok(None);
                }
                // a piece on which the integrand is steep is as long for all inputs: what is unbounded moves along with it
                let moving = self.piece.root().filter(|_| self.is_steep);
                let mut middle = Jet::constant(middle);
                for m in 1..moving.map_or(0, Jet::len) {
                    middle.set(m, moving.and_then(|place| place.get(m)).cloned());
                }
                let piece = |between: [&Jet<N>; 2], ends, known| Piece {
                    between: between.map(Clone::clone),
                    ends,
                    forced: forced.clone(),
                    known,
                    was_tried: self.undecided.is_empty(),
                };
                let [at_first, at_last] = known.clone();
                let halves = vec![
                    piece([left, &middle], [*first, End::Inner], [at_first, Vec::new()]),
                    piece([&middle, right], [End::Inner, *last], [Vec::new(), at_last]),
                ];
                f.each(halves, Some(self.work), |f, half| Self::new(f, frames, half))?
            }
        };
        for half in &mut halves {
            if !half.unbounded.is_empty() && !self.unbounded.is_empty() {
                half.unbounded_for = self.unbounded_for + 1;
            }
            if half.carry_blurs(&self.blurs, is_halved) {
                half.measure(f.context());
            }
        }
        Ok(Some(halves))
    }
}
