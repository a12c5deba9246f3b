//! Preimages of a point in a chart: as exact numbers if they can be found, or else as roots in boxes that can be narrowed.

use super::search::{EquationSystem, SearchBox, enclose_on_box};
use super::{MAX_DIMENSIONS, SupportChart, end_guards};
use crate::measure::change::injective::injectivity_proof;
use crate::measure::distribution::{add, multiply, negate, subtract};
use crate::measure::range::{PRECISION_BITS, enclose_range, enclose_rational as numeral};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::SignTest;
use crate::pieces::sign::decide_sign;
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;
use std::sync::Arc;

/// The largest denominator of a number that is tried. A choice.
const LARGEST_DENOMINATOR: u32 = 1_000_000;
/// The precisions to which a box is narrowed, in bits. A choice.
const PRECISIONS: [u32; 3] = [PRECISION_BITS, 512, 1536];

/// A preimage: draws that a map takes to a point.
#[derive(Clone, Debug)]
pub enum Preimage {
    /// Exact numbers.
    Exact(Vec<(Variable, Graph)>),
    /// The only solution of a system in a box.
    InBox(Vec<Variable>, SearchBox, Arc<EquationSystem>),
}

/// The preimages of a point in a chart.
#[derive(Clone, Debug)]
pub enum Preimages {
    /// There is none.
    Empty,
    /// These preimages, and no others.
    Complete(Vec<Preimage>),
    /// These preimages, and perhaps others; with the reason why this is not known.
    Incomplete(Vec<Preimage>, &'static str),
}

impl Preimage {
    /// Encloses the value of a map at the preimage, if possible within `eps`.
    #[must_use]
    pub fn enclose_value(&self, map: &Graph, eps: &Rational, budget: &Budget) -> Enclosure {
        match self {
            Self::Exact(place) => enclose_closed(&map.substitute(place), eps, budget),
            Self::InBox(variables, area, system) => {
                let mut found = enclose_on_box(map, variables, area, PRECISION_BITS, budget);
                for bits in PRECISIONS {
                    if found.has_width_at_most(eps) || budget.is_exhausted() {
                        break;
                    }
                    let next = enclose_on_box(map, variables, &system.refine_root(area, bits, budget), bits, budget);
                    found = next.intersection(&found).map_or(next, |both| both.with_defined(found.is_defined()));
                }
                found
            }
        }
    }

    /// Returns the sign of a map at the preimage; `None` if it is undecided.
    #[must_use]
    pub fn sign_of(&self, map: &Graph, budget: &Budget) -> Option<Ordering> {
        match self {
            Self::Exact(place) => decide_sign(&map.substitute(place), budget).ok(),
            Self::InBox(variables, area, _) => {
                let found = enclose_on_box(map, variables, area, PRECISION_BITS, budget);
                let is_told = found.is_defined();
                match () {
                    () if is_told && *found.lo() > 0 => Some(Ordering::Greater),
                    () if is_told && *found.hi() < 0 => Some(Ordering::Less),
                    () => map.as_rational().map(|q| q.cmp0()),
                }
            }
        }
    }
}

/// Encloses the value of a map without variables; the whole line if it is not certainly defined.
#[must_use]
pub fn enclose_closed(map: &Graph, eps: &Rational, budget: &Budget) -> Enclosure {
    let found = map.to_real().ok().and_then(|real| real.enclose(eps, budget).ok()).map(|found| found.enclosure);
    found.filter(Enclosure::is_defined).unwrap_or_else(Enclosure::bottom)
}

/// The reason why a preimage may be missing: one was neither found nor excluded.
const UNDECIDED_ROOT: &str = "whether the point lies on the image of a chart, or how often, is not told";
/// The reason why a preimage may be missing: the search ended early.
const SEARCH_ENDED: &str = "not everywhere was looked for what is taken to the point";
/// The number of preimages at which the search ends. A choice.
const MAX_PREIMAGES: usize = 32;

impl SupportChart {
    /// Finds the draws of the chart that are taken to a point.
    #[must_use]
    pub fn find_preimages(&self, point: &[Graph], budget: &Budget) -> Preimages {
        let kept = self.image_draws();
        let maps: Vec<Graph> = self.image.iter().zip(point).map(|(map, y)| subtract(map, y)).collect();
        if kept.is_empty() {
            let place = Preimage::Exact(Vec::new());
            return match self.maps_vanish_at(&place, &maps, budget) {
                Some(true) => Preimages::Complete(vec![place]),
                Some(false) => Preimages::Empty,
                None => Preimages::Incomplete(Vec::new(), "whether the point is that of an atom is not told"),
            };
        }
        if kept.len() > MAX_DIMENSIONS {
            return Preimages::Incomplete(Vec::new(), "more than three draws have to be found together");
        }
        let Some(system) = EquationSystem::new(&kept, &maps) else {
            return Preimages::Incomplete(Vec::new(), UNDECIDED_ROOT);
        };
        let system = Arc::new(system);
        let hull = self.draw_ranges();
        let within: SearchBox =
            kept.iter().filter_map(|v| hull.iter().find(|(own, _)| own == v).map(|(_, range)| range.clone())).collect();
        let roots = system.find_roots(&within, budget);
        let mut found: Vec<Preimage> = Vec::new();
        let mut why = roots.is_partial.then_some(SEARCH_ENDED);
        for (area, is_proven) in
            roots.proven.iter().map(|area| (area, true)).chain(roots.undecided.iter().map(|area| (area, false)))
        {
            if budget.is_exhausted() || found.len() >= MAX_PREIMAGES {
                why = why.or(Some(SEARCH_ENDED));
                break;
            }
            // Exact numbers are tried first, as guards can be decided at them; in a box a guard that is 0 stays undecided.
            if let Some(place) = self.exact_preimage(&kept, area, &maps, budget) {
                if !is_unique_root(&kept, area, &maps, budget) {
                    why = why.or(Some(UNDECIDED_ROOT));
                }
                if !found.iter().any(|other| are_equal_preimages(other, &place, budget)) {
                    found.push(place);
                }
                continue;
            }
            // A box may hold a root of some components that is no root of all.
            let is_off = maps.iter().any(|map| {
                let range = enclose_on_box(
                    map,
                    &kept,
                    &system.refine_root(area, PRECISION_BITS, budget),
                    PRECISION_BITS,
                    budget,
                );
                range.is_defined() && (*range.lo() > 0 || *range.hi() < 0)
            });
            match () {
                () if is_off => {}
                () if !is_proven || maps.len() > kept.len() => why = why.or(Some(UNDECIDED_ROOT)),
                () => found.push(
                    monotone_root(&kept, area, &maps, budget)
                        .unwrap_or_else(|| Preimage::InBox(kept.clone(), area.clone(), system.clone())),
                ),
            }
        }
        // The search ignores guards and open ends, so each root is tested against them.
        let mut inside = Vec::new();
        for place in found {
            match self.contains_preimage(&place, budget) {
                Some(true) => inside.push(place),
                Some(false) => {}
                None => why = why.or(Some("whether a draw lies where it may is not told")),
            }
        }
        match (inside.is_empty(), why) {
            (true, None) => Preimages::Empty,
            (_, None) => Preimages::Complete(inside),
            (_, Some(why)) => Preimages::Incomplete(inside, why),
        }
    }

    /// Returns `true` if a preimage satisfies the guards on its draws alone, and these lie in their supports; `None` if
    /// undecided.
    #[must_use]
    pub fn contains_preimage(&self, place: &Preimage, budget: &Budget) -> Option<bool> {
        let own = match place {
            Preimage::Exact(place) => place.iter().map(|(v, _)| *v).collect(),
            Preimage::InBox(variables, ..) => variables.clone(),
        };
        let others: Vec<Variable> = self.path.coordinates().map(|x| x.variable).filter(|v| !own.contains(v)).collect();
        let is_own = |graph: &Graph| !others.iter().any(|v| graph.depends_on(*v));
        let draws = self.path.coordinates().filter(|x| own.contains(&x.variable));
        let ends = draws.flat_map(|x| end_guards(&Graph::variable(x.variable), &x.distribution));
        let decided = self.path.decisions.iter().map(|decided| (decided.guard.clone(), decided.holds));
        let mut all = Some(true);
        let told = decided.map(|(guard, holds)| (guard, holds, false)).chain(ends.map(|guard| (guard, true, true)));
        for (guard, holds, is_end) in told.filter(|(guard, ..)| is_own(&guard.graph)) {
            match place.sign_of(&guard.graph, budget) {
                // The path requires g ≠ 0, which excludes a set without mass alone; the density may be continued to it.
                Some(Ordering::Equal) if guard.test == SignTest::Zero && !holds => {}
                // At an end of a support the density is not unique, and may be unbounded.
                Some(Ordering::Equal) if is_end && guard.test == SignTest::Positive => all = None,
                Some(sign) if guard.test.is_satisfied_by(sign) != holds => return Some(false),
                Some(_) => {}
                None => all = None,
            }
        }
        all
    }

    /// Returns `true` if all maps are 0 at a preimage; `None` if undecided.
    fn maps_vanish_at(&self, place: &Preimage, maps: &[Graph], budget: &Budget) -> Option<bool> {
        let mut all = Some(true);
        for map in maps {
            match place.sign_of(map, budget) {
                Some(Ordering::Equal) => {}
                Some(_) => return Some(false),
                None => all = None,
            }
        }
        all
    }

    /// Returns simple rational numbers in a box, or simple multiples of π, at which all maps are 0. Returns `None` if there are
    /// none.
    fn exact_preimage(&self, kept: &[Variable], area: &SearchBox, maps: &[Graph], budget: &Budget) -> Option<Preimage> {
        // A rational lower bound of π suffices, as each candidate is checked exactly.
        let pi = enclose_closed(&Graph::pi(), &(Rational::from(1) >> 60), budget).lo().to_rational()?;
        let tried = |side: &Enclosure| -> Option<Vec<Graph>> {
            let (a, b) = (side.lo().to_rational()?, side.hi().to_rational()?);
            let slack = search_margin(&a);
            let (a, b) = (a - &slack, b + &slack);
            let plain = simplest_fraction(&a, &b).map(Graph::rational);
            let turned = simplest_fraction(&Rational::from(&a / &pi), &Rational::from(&b / &pi)).filter(|q| *q != 0);
            let turned = turned.map(|q| multiply(&Graph::rational(q), &Graph::pi()));
            Some(plain.into_iter().chain(turned).collect())
        };
        let tried: Vec<Vec<Graph>> = area.iter().map(tried).collect::<Option<_>>()?;
        let mut places: Vec<Vec<Graph>> = vec![Vec::new()];
        for choices in &tried {
            let more = |place: &Vec<Graph>| {
                let with = |choice: &Graph| place.iter().cloned().chain([choice.clone()]).collect::<Vec<_>>();
                choices.iter().map(with).collect::<Vec<_>>()
            };
            places = places.iter().flat_map(more).collect();
        }
        let places = places.into_iter().map(|place| Preimage::Exact(kept.iter().copied().zip(place).collect()));
        places.into_iter().find(|place| self.maps_vanish_at(place, maps, budget) == Some(true))
    }
}

/// Returns the margin around a box in which simple numbers are tried, 10⁻¹²·(1 + |a|). A choice: boxes are rounded, so a
/// simple root may lie just outside.
fn search_margin(a: &Rational) -> Rational {
    Rational::from((1, 1_000_000_000_000u64)) * (Rational::from(1) + a.clone().abs())
}

/// Returns `true` if the maps certainly have at most one common zero in a box and the margin around it. Then an exact number
/// that is found there is the only preimage.
fn is_unique_root(kept: &[Variable], area: &SearchBox, maps: &[Graph], budget: &Budget) -> bool {
    let wider = |side: &Enclosure| -> Option<Enclosure> {
        let (a, b) = (side.lo().to_rational()?, side.hi().to_rational()?);
        let slack = search_margin(&a);
        Some(numeral(&Rational::from(&a - &slack)).hull(&numeral(&Rational::from(&b + &slack))))
    };
    let around: Option<Vec<_>> = kept.iter().zip(area).map(|(v, side)| Some((*v, wider(side)?))).collect();
    around.is_some_and(|around| injectivity_proof(maps, kept, &around, budget).is_some())
}

/// Returns `true` if two preimages are certainly equal, as exact numbers.
fn are_equal_preimages(a: &Preimage, b: &Preimage, budget: &Budget) -> bool {
    let (Preimage::Exact(a), Preimage::Exact(b)) = (a, b) else { return false };
    a.iter().zip(b).all(|((_, x), (_, y))| decide_sign(&subtract(x, y), budget) == Ok(Ordering::Equal))
}

/// Returns the root of a map of one draw in a box, as a real number that can be computed to any precision. Returns `None` if
/// the map is not monotone around the box, or is a map of several draws.
fn monotone_root(kept: &[Variable], area: &SearchBox, maps: &[Graph], budget: &Budget) -> Option<Preimage> {
    let ([v], [side], [map]) = (kept, &area[..], maps) else { return None };
    let (lo, hi) = (side.lo().to_rational()?, side.hi().to_rational()?);
    let slope = crate::measure::slope::partial_derivative(map, *v)?;
    for bits in [8, 16, 24, 32, 40] {
        // The box is widened so that the map has certain signs at its ends; too wide a box would lose monotonicity.
        let reach = (Rational::from(1) + lo.clone().abs()) >> bits;
        let (a, b) = (Rational::from(&lo - &reach), Rational::from(&hi + &reach));
        let around = crate::measure::range::enclose_rational(&a).hull(&crate::measure::range::enclose_rational(&b));
        let slopes = enclose_range(&slope, &[(*v, around)], budget);
        let falls = *slopes.hi() < 0;
        if !slopes.is_defined() || !falls && *slopes.lo() <= 0 {
            continue;
        }
        let falling = if falls { map.clone() } else { negate(map) };
        let at = |q: &Rational| decide_sign(&falling.substitute(&[(*v, Graph::rational(q.clone()))]), budget);
        if at(&a) != Ok(Ordering::Greater) || at(&b) != Ok(Ordering::Less) {
            continue;
        }
        let s = Variable::fresh();
        let width = Graph::rational(Rational::from(&b - &a));
        let x = add(&Graph::rational(a), &multiply(&width, &Graph::variable(s)));
        let root = Graph::first_root(s, falling.substitute(&[(*v, x.clone())]));
        return Some(Preimage::Exact(vec![(*v, x.substitute(&[(s, root)]))]));
    }
    None
}

/// Returns the fraction with the least denominator in [a, b]. Returns `None` if the denominator exceeds
/// [`LARGEST_DENOMINATOR`].
fn simplest_fraction(a: &Rational, b: &Rational) -> Option<Rational> {
    if *a <= 0 && *b >= 0 {
        return Some(Rational::new());
    }
    if *b < 0 {
        return simplest_fraction(&Rational::from(-b), &Rational::from(-a)).map(|q| -q);
    }
    // By continued fractions: as long as a and b have the same integer part, it is a partial quotient of the result.
    let (mut a, mut b) = (a.clone(), b.clone());
    let mut whole = Vec::new();
    let last = loop {
        let floor = a.clone().floor();
        if whole.len() > 32 {
            return None;
        }
        if floor == a {
            break floor;
        }
        if Rational::from(&floor + 1) <= b {
            break floor + 1;
        }
        let (low, high) = (Rational::from(&b - &floor), Rational::from(&a - &floor));
        whole.push(floor);
        (a, b) = (low.recip(), high.recip());
    };
    let found = whole.into_iter().rev().fold(last, |rest, floor| floor + rest.recip());
    (*found.denom() <= LARGEST_DENOMINATOR).then_some(found)
}
