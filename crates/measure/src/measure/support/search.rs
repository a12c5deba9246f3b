//! Certified search for the zeros of a map in a box, by exclusion and Krawczyk's test.
//!
//! Let X be a box with midpoint m, Y a matrix near the inverse of the slopes at m, and
//! `K = m - Y·f(m) + (I - Y·f′(X))·(X - m)`. If K lies in the interior of X, there is exactly one root in X. Every root in X
//! lies in K (Krawczyk 1969; Moore 1977). Boxes may have infinite ends. They are halved until they are excluded, proved, or
//! short.
//!
//! A map with more components than variables is tested by as many of them as it has variables. A root of these need not be a
//! root of all.

use crate::measure::range::PRECISION_BITS;
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::tuning::Tuning;
use crate::number::{Double, Enclosure, Magnitude, Mpfr};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::CompiledMap;
use crate::smooth::solve::subdivide::{
    End, OpenPieces, PieceBound, Split, SplitOrder, SubdivisionCaps, SubdivisionProblem, subdivide,
};
use std::convert::Infallible;

/// The largest number of proven roots. A choice.
const MAX_ROOTS: usize = 8;
/// The relative width below which boxes are not halved. A choice: doubles have 2⁻⁵² ≈ 2·10⁻¹⁶.
const MIN_RELATIVE_WIDTH: f64 = 1e-11;
/// The largest absolute value at which a box is cut. A choice: it ends the halving of unbounded boxes.
const MAX_CUT: f64 = 1e18;
/// The largest number of steps that narrow a proven root. A choice: convergence is quadratic near a root.
const MAX_NARROWING_STEPS: usize = 60;

/// A box, as one interval per variable.
pub type SearchBox = Vec<Enclosure>;

/// The values of a map on a box, and its slopes, row by row.
type MapAndSlopes<C> = (Vec<<C as Context>::Num>, Vec<Vec<<C as Context>::Num>>);

/// A system of equations `f(x) = 0`, compiled with the slopes of f.
#[derive(Debug)]
pub struct EquationSystem {
    variables: usize,
    components: usize,
    program: CompiledMap,
}

/// The result of a search for roots.
#[derive(Clone, Debug, Default)]
pub struct SystemRoots {
    /// Boxes that contain exactly one root of the tested components.
    pub proven: Vec<SearchBox>,
    /// Undecided boxes.
    pub undecided: Vec<SearchBox>,
    /// `true` if the search ended early or an undecided box is unbounded. Then `open` may contain large boxes.
    pub is_partial: bool,
}

impl EquationSystem {
    /// Compiles the map `variables ↦ maps`, with its slopes. Returns `None` if the maps mention other variables.
    #[must_use]
    pub fn new(variables: &[Variable], maps: &[Graph]) -> Option<Self> {
        let slopes = super::SupportChart::slope_matrix(maps, variables);
        let all: Vec<Graph> = maps.iter().cloned().chain(slopes.into_iter().flatten()).collect();
        let (program, unbound) = CompiledMap::compile_open(variables, &all);
        unbound.is_empty().then_some(Self { variables: variables.len(), components: maps.len(), program })
    }

    /// Encloses the map and its slopes on a box. Returns `None` if the evaluation fails.
    fn evaluate_on<C: HookedContext>(&self, context: &C, area: &[C::Num], budget: &Budget) -> Option<MapAndSlopes<C>> {
        let real = Algebra::real();
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(context.precision())), budget);
        let machine = JetEvaluator::new(context, &effort, &real, &self.program);
        let inputs: Vec<Jet<C::Num>> = area.iter().map(|x| Jet::constant(x.clone())).collect();
        let found = machine.eval_block(
            &self.program.root,
            &real,
            &inputs,
            &[],
            &mut BranchDecisions::default(),
            EvalTarget::Outputs,
        );
        let mut values =
            found.ok()?.iter().map(|jet| machine.jets(&real).value_of(jet)).collect::<Vec<_>>().into_iter();
        let maps: Vec<C::Num> = values.by_ref().take(self.components).collect();
        let mut rows = Vec::new();
        for _ in 0..self.components {
            rows.push(values.by_ref().take(self.variables).collect());
        }
        Some((maps, rows))
    }

    /// Encloses the values of a map of one variable and its slopes on an interval, where they are defined. Returns `None` if the
    /// evaluation fails.
    #[must_use]
    pub fn enclose_on_interval(&self, side: &Enclosure, budget: &Budget) -> Option<[Enclosure; 2]> {
        let context = Double;
        let (values, slopes) = self.evaluate_on(&context, &[context.round_enclosure(side)], budget)?;
        Some([context.to_enclosure(values.first()?), context.to_enclosure(slopes.first()?.first()?)])
    }

    /// Finds all zeros of the map in a box, as far as the limits allow.
    ///
    /// The boxes that are examined meet in faces only, and a proven root lies in the interior of its own. So its box overlaps no
    /// other box, and no root is lost to one that is proven beside it.
    #[must_use]
    pub fn find_roots(&self, within: &[Enclosure], budget: &Budget) -> SystemRoots {
        let caps = SubdivisionCaps { bounded: Tuning::to_size(budget.tuning().system_boxes), ..SubdivisionCaps::NONE };
        let mut search = SystemSearch { system: self, found: SystemRoots::default(), budget };
        let Ok(left) = subdivide(&mut search, vec![within.to_vec()], caps, Some(budget));
        let mut found = search.found;
        found.is_partial =
            matches!(left.end, End::Cap | End::Cut) || left.stuck.iter().flatten().any(|side| !side.is_bounded());
        found.undecided = left.stuck.into_iter().chain(left.open).collect();
        found
    }

    /// Examines a box: excludes it, proves one root in it, or returns a part of it that contains all of its roots.
    fn examine_box(&self, area: &SearchBox, budget: &Budget) -> BoxVerdict {
        // Doubles suffice for the search; proven roots are refined later.
        let context = Double;
        let x: Vec<_> = area.iter().map(|side| context.round_enclosure(side)).collect();
        let Some((values, slopes)) = self.evaluate_on(&context, &x, budget) else {
            return BoxVerdict::Narrower(area.clone());
        };
        if values.iter().any(|value| !context.contains_zero(value)) {
            return BoxVerdict::NoRoot;
        }
        // Krawczyk's theorem needs a map that is continuously differentiable on a bounded box.
        let is_sound = values.iter().chain(slopes.iter().flatten()).all(|found| context.is_defined(found));
        if !is_sound || !area.iter().all(Enclosure::is_bounded) {
            return BoxVerdict::Narrower(area.clone());
        }
        match self.krawczyk_operator(&context, &x, slopes, budget) {
            Some((inside, next)) => match (inside, next) {
                (true, next) => BoxVerdict::OneRoot(self.narrow_root(&context, next, budget)),
                (false, next) => {
                    let both: Option<Vec<_>> = x.iter().zip(&next).map(|(x, k)| context.intersect(x, k)).collect();
                    match both {
                        None => BoxVerdict::NoRoot,
                        Some(both) => {
                            BoxVerdict::Narrower(both.iter().map(|side| context.to_enclosure(side)).collect())
                        }
                    }
                }
            },
            None => BoxVerdict::Narrower(area.clone()),
        }
    }

    /// Returns Krawczyk's operator K on a box X, with `true` if K lies in the interior of X. Returns `None` if the slopes at the
    /// midpoint have no numerical inverse.
    fn krawczyk_operator<C: HookedContext>(
        &self,
        context: &C,
        area: &[C::Num],
        slopes: Vec<Vec<C::Num>>,
        budget: &Budget,
    ) -> Option<(bool, Vec<C::Num>)> {
        let float = |x: &C::Num| context.to_enclosure(&context.midpoint(x)).lo().to_f64();
        let middles: Vec<Vec<f64>> = slopes.iter().map(|row| row.iter().map(float).collect()).collect();
        let (rows, inverse) = invert_rows(&middles, self.variables)?;
        let exact = |x: f64| crate::number::Rational::from_f64(x).map(|q| context.enclose_rational(&q));
        let inverse: Option<Vec<Vec<C::Num>>> =
            inverse.iter().map(|row| row.iter().map(|x| exact(*x)).collect()).collect();
        let inverse = inverse?;
        let middle: Vec<C::Num> = area.iter().map(|x| context.midpoint(x)).collect();
        // The midpoint is an interval of width 0, or nearly, so f(m) is narrow.
        let (at, _) = self.evaluate_on(context, &middle, budget)?;
        if rows.iter().any(|row| !context.is_defined(&at[*row])) {
            return None;
        }
        let mut next = Vec::with_capacity(area.len());
        for i in 0..area.len() {
            let mut sum = middle[i].clone();
            for (j, row) in rows.iter().enumerate() {
                sum = context.sub(&sum, &context.mul(&inverse[i][j], &at[*row]));
            }
            for k in 0..area.len() {
                let mut entry = context.enclose_integer(i64::from(i == k));
                for (j, row) in rows.iter().enumerate() {
                    entry = context.sub(&entry, &context.mul(&inverse[i][j], &slopes[*row][k]));
                }
                sum = context.add(&sum, &context.mul(&entry, &context.sub(&area[k], &middle[k])));
            }
            next.push(sum);
        }
        let sides = || area.iter().zip(&next).map(|(x, k)| (context.to_enclosure(x), context.to_enclosure(k)));
        let inside = sides().all(|(x, k)| k.is_bounded() && k.lo() > x.lo() && k.hi() < x.hi());
        Some((inside, next))
    }

    /// Narrows a box that contains one root, as far as the precision allows.
    fn narrow_root<C: HookedContext>(&self, context: &C, mut area: Vec<C::Num>, budget: &Budget) -> SearchBox {
        for _ in 0..MAX_NARROWING_STEPS {
            let Some((values, slopes)) = self.evaluate_on(context, &area, budget) else { break };
            if !values.iter().chain(slopes.iter().flatten()).all(|found| context.is_defined(found)) {
                break;
            }
            let Some((_, next)) = self.krawczyk_operator(context, &area, slopes, budget) else { break };
            let width = |area: &[C::Num]| area.iter().map(|x| context.width(x)).max();
            let both: Option<Vec<_>> = area.iter().zip(&next).map(|(x, k)| context.intersect(x, k)).collect();
            let Some(both) = both else { break };
            // Without progress, rounding dominates: further steps would not help.
            if width(&both).map(Magnitude::half) >= width(&area).map(Magnitude::half) {
                break;
            }
            area = both;
        }
        area.iter().map(|side| context.to_enclosure(side)).collect()
    }

    /// Narrows the box of a proven root at a higher precision, in bits.
    #[must_use]
    pub fn refine_root(&self, area: &SearchBox, bits: u32, budget: &Budget) -> SearchBox {
        let context = Mpfr::new(bits.max(PRECISION_BITS));
        self.narrow_root(&context, area.iter().map(|side| context.round_enclosure(side)).collect(), budget)
    }
}

/// Encloses a map on a box, at a precision in bits; ⊥ if it is not certainly defined on the box.
#[must_use]
pub fn enclose_on_box(
    graph: &Graph,
    variables: &[Variable],
    area: &SearchBox,
    bits: u32,
    budget: &Budget,
) -> Enclosure {
    let context = Mpfr::new(bits);
    let system = match CompiledMap::compile_open(variables, std::slice::from_ref(graph)) {
        (program, unbound) if unbound.is_empty() => EquationSystem { variables: 0, components: 1, program },
        _ => return Enclosure::bottom(),
    };
    let area: Vec<_> = area.iter().map(|side| context.round_enclosure(side)).collect();
    match system.evaluate_on(&context, &area, budget) {
        Some((found, _)) if context.is_defined(&found[0]) => context.to_enclosure(&found[0]),
        _ => Enclosure::bottom(),
    }
}

/// A search for the roots of a system, box by box.
struct SystemSearch<'s> {
    system: &'s EquationSystem,
    found: SystemRoots,
    budget: &'s Budget,
}

impl SubdivisionProblem for SystemSearch<'_> {
    type Piece = SearchBox;
    type Error = Infallible;

    fn split_order(&self) -> SplitOrder {
        SplitOrder::Oldest
    }

    fn judge_open(&mut self, _: &mut OpenPieces<SearchBox>) -> Result<Option<End>, Infallible> {
        Ok((self.found.proven.len() >= MAX_ROOTS).then_some(End::Cap))
    }

    fn bound_piece(&mut self, area: &mut SearchBox) -> Result<PieceBound, Infallible> {
        match self.system.examine_box(area, self.budget) {
            BoxVerdict::NoRoot => {}
            BoxVerdict::OneRoot(root) => {
                debug_assert!(
                    !self.found.proven.iter().any(|other| boxes_overlap(other, &root)),
                    "two boxes of one root"
                );
                self.found.proven.push(root);
            }
            BoxVerdict::Narrower(part) => {
                *area = part;
                return Ok(PieceBound::open(0, Magnitude::INFINITY));
            }
        }
        Ok(PieceBound::SETTLED)
    }

    fn split_pieces(&mut self, boxes: Vec<SearchBox>) -> Result<Vec<Split<SearchBox>>, Infallible> {
        let split = |area: SearchBox| match halve_box(&area) {
            Some(parts) => Split::Parts(parts.into()),
            None => Split::Stuck(area),
        };
        Ok(boxes.into_iter().map(split).collect())
    }
}

/// The result of the examination of a box.
enum BoxVerdict {
    /// The box contains no root.
    NoRoot,
    /// The box contains exactly one root.
    OneRoot(SearchBox),
    /// All roots lie in this part of the box.
    Narrower(SearchBox),
}

/// Returns `true` if two boxes have a point in common.
fn boxes_overlap(a: &SearchBox, b: &SearchBox) -> bool {
    a.iter().zip(b).all(|(x, y)| x.overlaps(y))
}

/// Halves a box along its longest side, measured by `x / (1 + |x|)`, in which the line has length 2. Returns `None` if all
/// sides are short, or the cut would lie beyond [`MAX_CUT`].
pub(in crate::measure) fn halve_box(area: &SearchBox) -> Option<[SearchBox; 2]> {
    let bent = |x: f64| if x.is_finite() { x / (1.0 + x.abs()) } else { x.signum() };
    let length = |side: &Enclosure| bent(side.hi().to_f64()) - bent(side.lo().to_f64());
    let is_short = |side: &Enclosure| {
        let (a, b) = (side.lo().to_f64(), side.hi().to_f64());
        (b - a) / (1.0 + a.abs().min(b.abs())) < MIN_RELATIVE_WIDTH
    };
    let long = area.iter().enumerate().filter(|(_, side)| !is_short(side));
    let (longest, side) = long.max_by(|x, y| length(x.1).total_cmp(&length(y.1)))?;
    let (a, b) = (side.lo().to_f64(), side.hi().to_f64());
    let at = match (a.is_finite(), b.is_finite()) {
        // Off the middle, and below at odd numbers: roots at simple numbers would lie on the cut, in both halves.
        (true, true) => a + (b - a) * 0.493,
        (true, false) => 2.0 * a.abs() + 1.37,
        (false, true) => -2.0 * b.abs() - 1.37,
        (false, false) => 0.37,
    };
    if at.abs() > MAX_CUT {
        return None;
    }
    let at = crate::measure::range::enclose_rational(&crate::number::Rational::from_f64(at)?);
    let part = |lo: &Enclosure, hi: &Enclosure| Enclosure::new(lo.lo().clone(), hi.hi().clone(), true).ok();
    let with = |side: Enclosure| {
        let mut area = area.clone();
        area[longest] = side;
        area
    };
    Some([with(part(side, &at)?), with(part(&at, side)?)])
}

/// Returns `d` rows of a matrix with `d` columns that form an invertible matrix, and its approximate inverse. Returns `None` if
/// none are found.
fn invert_rows(a: &[Vec<f64>], d: usize) -> Option<(Vec<usize>, Vec<Vec<f64>>)> {
    if a.len() < d || a.iter().flatten().any(|x| !x.is_finite()) {
        return None;
    }
    // Gaussian elimination selects the rows: for each column the one with the largest entry, as pivot.
    let (mut rest, mut rows): (Vec<Vec<f64>>, Vec<usize>) = (a.to_vec(), Vec::new());
    for column in 0..d {
        let free = (0..a.len()).filter(|row| !rows.contains(row));
        let pivot = free.max_by(|x, y| rest[*x][column].abs().total_cmp(&rest[*y][column].abs()))?;
        let top = rest[pivot].clone();
        // An approximate inverse need not be good, so only overflow in the division has to be avoided.
        if top[column].abs() < 1e-200 {
            return None;
        }
        rows.push(pivot);
        for (row, entries) in rest.iter_mut().enumerate() {
            if !rows.contains(&row) {
                let factor = entries[column] / top[column];
                entries.iter_mut().zip(&top).for_each(|(x, y)| *x -= factor * y);
            }
        }
    }
    // Gauss–Jordan inversion of the selected rows.
    let mut left: Vec<Vec<f64>> = rows.iter().map(|row| a[*row].clone()).collect();
    let mut right: Vec<Vec<f64>> = (0..d).map(|i| (0..d).map(|j| f64::from(u8::from(i == j))).collect()).collect();
    for column in 0..d {
        let pivot = (column..d).max_by(|x, y| left[*x][column].abs().total_cmp(&left[*y][column].abs()))?;
        left.swap(column, pivot);
        right.swap(column, pivot);
        let scale = left[column][column];
        if scale.abs() < 1e-200 {
            return None;
        }
        left[column].iter_mut().for_each(|x| *x /= scale);
        right[column].iter_mut().for_each(|x| *x /= scale);
        let (l, r) = (left[column].clone(), right[column].clone());
        for row in (0..d).filter(|row| *row != column) {
            let factor = left[row][column];
            left[row].iter_mut().zip(&l).for_each(|(x, y)| *x -= factor * y);
            right[row].iter_mut().zip(&r).for_each(|(x, y)| *x -= factor * y);
        }
    }
    Some((rows, right))
}
