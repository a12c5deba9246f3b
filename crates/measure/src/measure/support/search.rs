//! Where a map takes a given value: all places in a box, as far as they are found, by exclusion and Krawczyk's test.
//!
//! For a box X with the middle m and a matrix Y near the inverse of the slopes there, with
//! `K = m - Y·f(m) + (I - Y·f′(X))·(X - m)`: where K lies inside of X there is one root in X, and it lies in K; and every root in X lies in K
//! (Krawczyk 1969; Moore 1977). Boxes may have infinite ends, and are halved until they are excluded, proved, or short.
//!
//! A map into more coordinates than it has is tested by as many of them, and a root of these need not be one of all.

use crate::measure::range::BITS;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::Effort;
use crate::number::{Double, Enclosure, Magnitude, Mpfr};
use crate::smooth::algebra::Algebra;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::Hooked;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{Branches, Machine, Target};
use crate::smooth::program::Program;
use std::collections::VecDeque;

/// The most boxes that are looked at.
const MOST_BOXES: usize = 6000;
/// The most roots that are wanted.
const MOST_ROOTS: usize = 8;
/// Boxes are not halved below this part of the size of their numbers.
const SHORTEST: f64 = 1e-11;
/// How far out boxes are halved that have an infinite end.
const FAR: f64 = 1e18;
/// How often a proven root is narrowed.
const ROUNDS: usize = 60;

/// A box.
pub type Area = Vec<Enclosure>;

/// The values of a map on a box, and its slopes, row by row.
type Found<C> = (Vec<<C as Context>::Num>, Vec<Vec<<C as Context>::Num>>);

/// A map less a value.
#[derive(Debug)]
pub struct System {
    variables: usize,
    components: usize,
    program: Program,
}

/// The places found.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    /// Boxes in each of which is one root of the components that were tested.
    pub proven: Vec<Area>,
    /// Boxes that were not decided.
    pub open: Vec<Area>,
    /// Whether an open box is large: nothing is known of what lies in it.
    pub is_partial: bool,
}

impl System {
    /// The map `variables ↦ maps`, with its slopes; nothing where the maps mention other variables.
    #[must_use]
    pub fn new(variables: &[Variable], maps: &[Graph]) -> Option<Self> {
        let slopes = super::Chart::slopes(maps, variables);
        let all: Vec<Graph> = maps.iter().cloned().chain(slopes.into_iter().flatten()).collect();
        let (program, unbound) = Program::of(variables, &all);
        unbound.is_empty().then_some(Self { variables: variables.len(), components: maps.len(), program })
    }

    /// The map and its slopes on a box.
    fn on<C: Hooked>(&self, context: &C, area: &[C::Num], budget: &Budget) -> Option<Found<C>> {
        let real = Algebra::real();
        let effort = Effort::new(Magnitude::power_of_two(-i64::from(context.precision())), budget);
        let machine = Machine::new(context, &effort, &real, &self.program);
        let inputs: Vec<Jet<C::Num>> = area.iter().map(|x| Jet::constant(x.clone())).collect();
        let found = machine.run(&self.program.root, &real, &inputs, &[], &mut Branches::default(), Target::Outputs);
        let mut values = found.ok()?.iter().map(|jet| machine.jets(&real).value(jet)).collect::<Vec<_>>().into_iter();
        let maps: Vec<C::Num> = values.by_ref().take(self.components).collect();
        let mut rows = Vec::new();
        for _ in 0..self.components {
            rows.push(values.by_ref().take(self.variables).collect());
        }
        Some((maps, rows))
    }

    /// All places in a box at which the map is 0, as far as they are found.
    #[must_use]
    pub fn roots(&self, within: &[Enclosure], budget: &Budget) -> Roots {
        let (mut found, mut waiting, mut seen) = (Roots::default(), VecDeque::from([within.to_vec()]), 0);
        while let Some(area) = waiting.pop_front() {
            seen += 1;
            if seen > MOST_BOXES || found.proven.len() >= MOST_ROOTS || budget.is_exhausted() {
                found.is_partial = true;
                found.open.extend(std::iter::once(area).chain(waiting));
                break;
            }
            match self.look(&area, budget) {
                Look::Nothing => {}
                Look::One(area) => {
                    // neighbours that share an end may each have found it
                    if !found.proven.iter().any(|other| overlap(other, &area)) {
                        found.proven.push(area);
                    }
                }
                Look::Narrower(area) => match halved(&area) {
                    Some(parts) => waiting.extend(parts),
                    None => {
                        found.is_partial |= area.iter().any(|side| !side.is_bounded());
                        found.open.push(area);
                    }
                },
            }
        }
        found.open.retain(|area| !found.proven.iter().any(|root| overlap(root, area)));
        found
    }

    fn look(&self, area: &Area, budget: &Budget) -> Look {
        let context = Double;
        let x: Vec<_> = area.iter().map(|side| context.enclosure(side)).collect();
        let Some((values, slopes)) = self.on(&context, &x, budget) else { return Look::Narrower(area.clone()) };
        if values.iter().any(|value| !context.contains_zero(value)) {
            return Look::Nothing;
        }
        let is_sound = values.iter().chain(slopes.iter().flatten()).all(|found| context.is_defined(found));
        if !is_sound || !area.iter().all(Enclosure::is_bounded) {
            return Look::Narrower(area.clone());
        }
        match self.tested(&context, &x, slopes, budget) {
            Some((inside, next)) => match (inside, next) {
                (true, next) => Look::One(self.narrowed(&context, next, budget)),
                (false, next) => {
                    let both: Option<Vec<_>> = x.iter().zip(&next).map(|(x, k)| context.intersect(x, k)).collect();
                    match both {
                        None => Look::Nothing,
                        Some(both) => Look::Narrower(both.iter().map(|side| context.to_enclosure(side)).collect()),
                    }
                }
            },
            None => Look::Narrower(area.clone()),
        }
    }

    /// Krawczyk's operator on a box, and whether it lies inside; nothing where the slopes have no inverse.
    fn tested<C: Hooked>(
        &self,
        context: &C,
        area: &[C::Num],
        slopes: Vec<Vec<C::Num>>,
        budget: &Budget,
    ) -> Option<(bool, Vec<C::Num>)> {
        let float = |x: &C::Num| context.to_enclosure(&context.midpoint(x)).lo().to_f64();
        let middles: Vec<Vec<f64>> = slopes.iter().map(|row| row.iter().map(float).collect()).collect();
        let (rows, inverse) = inverse(&middles, self.variables)?;
        let exact = |x: f64| crate::number::Rational::from_f64(x).map(|q| context.rational(&q));
        let inverse: Option<Vec<Vec<C::Num>>> =
            inverse.iter().map(|row| row.iter().map(|x| exact(*x)).collect()).collect();
        let inverse = inverse?;
        let middle: Vec<C::Num> = area.iter().map(|x| context.midpoint(x)).collect();
        let (at, _) = self.on(context, &middle, budget)?;
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
                let mut entry = context.integer(i64::from(i == k));
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

    /// A box that holds one root, as narrow as a precision allows.
    fn narrowed<C: Hooked>(&self, context: &C, mut area: Vec<C::Num>, budget: &Budget) -> Area {
        for _ in 0..ROUNDS {
            let Some((values, slopes)) = self.on(context, &area, budget) else { break };
            if !values.iter().chain(slopes.iter().flatten()).all(|found| context.is_defined(found)) {
                break;
            }
            let Some((_, next)) = self.tested(context, &area, slopes, budget) else { break };
            let width = |area: &[C::Num]| area.iter().map(|x| context.width(x)).max();
            let both: Option<Vec<_>> = area.iter().zip(&next).map(|(x, k)| context.intersect(x, k)).collect();
            let Some(both) = both else { break };
            if width(&both).map(Magnitude::half) >= width(&area).map(Magnitude::half) {
                break;
            }
            area = both;
        }
        area.iter().map(|side| context.to_enclosure(side)).collect()
    }

    /// A proven root at a higher precision.
    #[must_use]
    pub fn refined(&self, area: &Area, bits: u32, budget: &Budget) -> Area {
        let context = Mpfr::new(bits.max(BITS));
        self.narrowed(&context, area.iter().map(|side| context.enclosure(side)).collect(), budget)
    }
}

/// A map on a box, at a precision; ⊥ where it is not shown to be defined.
#[must_use]
pub fn on_area(graph: &Graph, variables: &[Variable], area: &Area, bits: u32, budget: &Budget) -> Enclosure {
    let context = Mpfr::new(bits);
    let system = match Program::of(variables, std::slice::from_ref(graph)) {
        (program, unbound) if unbound.is_empty() => System { variables: 0, components: 1, program },
        _ => return Enclosure::bottom(),
    };
    let area: Vec<_> = area.iter().map(|side| context.enclosure(side)).collect();
    match system.on(&context, &area, budget) {
        Some((found, _)) if context.is_defined(&found[0]) => context.to_enclosure(&found[0]),
        _ => Enclosure::bottom(),
    }
}

enum Look {
    Nothing,
    One(Area),
    Narrower(Area),
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.iter().zip(b).all(|(x, y)| x.overlaps(y))
}

/// Halves of a box, along the side that is longest where the line is bent into an interval; nothing where it is short, or lies far out.
fn halved(area: &Area) -> Option<[Area; 2]> {
    let bent = |x: f64| if x.is_finite() { x / (1.0 + x.abs()) } else { x.signum() };
    let length = |side: &Enclosure| bent(side.hi().to_f64()) - bent(side.lo().to_f64());
    let is_short = |side: &Enclosure| {
        let (a, b) = (side.lo().to_f64(), side.hi().to_f64());
        (b - a) / (1.0 + a.abs().min(b.abs())) < SHORTEST
    };
    let long = area.iter().enumerate().filter(|(_, side)| !is_short(side));
    let (longest, side) = long.max_by(|x, y| length(x.1).total_cmp(&length(y.1)))?;
    let (a, b) = (side.lo().to_f64(), side.hi().to_f64());
    let at = match (a.is_finite(), b.is_finite()) {
        (true, true) => a + (b - a) * 0.493,
        // places at which there is rarely a root
        (true, false) => 2.0 * a.abs() + 1.37,
        (false, true) => -2.0 * b.abs() - 1.37,
        (false, false) => 0.37,
    };
    if at.abs() > FAR {
        return None;
    }
    let at = crate::measure::range::number(&crate::number::Rational::from_f64(at)?);
    let part = |lo: &Enclosure, hi: &Enclosure| Enclosure::new(lo.lo().clone(), hi.hi().clone(), true).ok();
    let with = |side: Enclosure| {
        let mut area = area.clone();
        area[longest] = side;
        area
    };
    Some([with(part(side, &at)?), with(part(&at, side)?)])
}

/// Rows of a matrix that have an inverse, and that; nothing where none are found.
fn inverse(a: &[Vec<f64>], d: usize) -> Option<(Vec<usize>, Vec<Vec<f64>>)> {
    if a.len() < d || a.iter().flatten().any(|x| !x.is_finite()) {
        return None;
    }
    // columns are taken one after another, each with the row that is largest in it
    let (mut rest, mut rows): (Vec<Vec<f64>>, Vec<usize>) = (a.to_vec(), Vec::new());
    for column in 0..d {
        let free = (0..a.len()).filter(|row| !rows.contains(row));
        let pivot = free.max_by(|x, y| rest[*x][column].abs().total_cmp(&rest[*y][column].abs()))?;
        let top = rest[pivot].clone();
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
