//! Isolation of the roots of guards of one coordinate, as maps of the parameter.

use super::{CellDecomposition, DecompositionError};
use crate::measure::distribution::{add, multiply, negate};
use crate::measure::range::{enclose_range, enclose_rational, half_line};
use crate::number::{Enclosure, Rational};
use crate::pieces::{IntervalUnion, LineInterval, SignGuard, SignTest};
use crate::smooth::graph::{Graph, Variable};
use crate::value::SourceId;
use std::cmp::Ordering;

/// The least width of intervals to split in the search for roots, as a power of two. A choice.
const FINEST_PART_BITS: u32 = 60;
/// The distance from 0, as a power of two, to search for roots on an unbounded line. A choice: 4096.
const SEARCH_LIMIT_BITS: u32 = 12;

impl CellDecomposition<'_> {
    /// Returns an interval that contains all roots of a map of one variable, for all parameters nearby.
    ///
    /// Outside of it the range of the map does not contain 0. The error is [`DecompositionError::RootsNotIsolated`].
    fn root_interval(&self, graph: &Graph, y: Variable) -> Result<[Rational; 2], DecompositionError> {
        let far = Rational::from(1) << SEARCH_LIMIT_BITS;
        let out = add(&Graph::rational(far.clone()), &Graph::variable(y));
        for out in [out.clone(), negate(&out)] {
            let mut within: Vec<(Variable, Enclosure)> = vec![(y, half_line())];
            within.extend(self.parameter.map(|p| (p.variable, p.enclose_nearby())));
            let found = enclose_range(&graph.substitute(&[(y, out)]), &within, self.budget);
            if !found.is_defined() || (*found.lo() <= 0 && *found.hi() >= 0) {
                return Err(DecompositionError::RootsNotIsolated);
            }
        }
        Ok([Rational::from(-&far), far])
    }

    /// Returns an interval that contains all roots of a polynomial. Returns `None` for other maps.
    ///
    /// A root is at most 1 + max |cᵢ/c|, with the leading coefficient c (Cauchy's bound).
    fn cauchy_interval(&mut self, graph: &Graph, y: Variable) -> Option<[Rational; 2]> {
        let coefficients = self.forms.as_polynomial(graph, y)?;
        let (leading, others) = coefficients.split_last().filter(|(leading, _)| **leading != 0)?;
        let greatest = others.iter().map(|c| Rational::from(c / leading).abs()).max().unwrap_or_default();
        // an integer: short endpoints keep the search cheap
        let far = greatest.ceil() + 1;
        Some([Rational::from(-&far), far])
    }

    /// Returns `true` if a map has no root near the ends of an interval, for any parameter nearby.
    fn keeps_off(&self, graph: &Graph, y: Variable, window: &[Rational; 2]) -> bool {
        let length = Rational::from(&window[1] - &window[0]);
        let beside = |end: &Rational, inwards: i32, bits: u32| {
            let step = Rational::from(&length >> bits) * inwards;
            let mut within = vec![(y, enclose_rational(end).hull(&enclose_rational(&(end + step))))];
            within.extend(self.parameter.map(|p| (p.variable, p.enclose_nearby())));
            let found = enclose_range(graph, &within, self.budget);
            *found.lo() > 0 || *found.hi() < 0
        };
        [(&window[0], 1), (&window[1], -1)]
            // narrow neighbourhoods of the end have narrower ranges, so that one of them may exclude 0
            .into_iter()
            .all(|(end, inwards)| [10, 20, 40].into_iter().any(|bits| beside(end, inwards, bits)))
    }

    /// Returns the roots of a map of one variable at the value of the parameter, as maps of the parameter.
    ///
    /// The error is [`DecompositionError::RootsNotIsolated`], [`DecompositionError::Undecided`] or [`DecompositionError::BoundariesMeet`].
    pub(super) fn isolate_roots(&mut self, graph: &Graph, y: Variable) -> Result<Vec<Graph>, DecompositionError> {
        let at = self.substitute_point(graph, &[], &[]);
        let moves = self.derivative_order() > 0 && self.parameter.is_some_and(|p| graph.depends_on(p.variable));
        let window = match self.within.iter().find(|(v, _)| *v == y).map(|(_, range)| range) {
            Some(range) if range.is_bounded() => {
                [range.lo(), range.hi()].map(|end| end.to_rational().unwrap_or_default())
            }
            // Cauchy's bound is for this parameter: a moving root could leave the interval
            _ => match self.cauchy_interval(&at, y).filter(|_| !moves) {
                Some(window) => window,
                None => self.root_interval(graph, y)?,
            },
        };
        // a root that enters or leaves at an end would change the number of cells
        if moves && !self.keeps_off(graph, y, &window) {
            return Err(DecompositionError::BoundariesMeet);
        }
        let whole = IntervalUnion(vec![LineInterval::closed_between(&window[0], &window[1])]);
        let finest = Rational::from(1) >> FINEST_PART_BITS;
        let mut ends: Vec<[Rational; 2]> = Vec::new();
        // a zero at which the map is not positive on either side bounds no part: its opposite is searched as well
        for map in [at.clone(), negate(&at)] {
            let guard = SignGuard::new(&map, SignTest::Positive, SourceId::NOWHERE);
            let [holds, fails, open] = whole.split_by_guard(y, &guard, &mut self.forms, &finest, self.budget);
            if !open.is_empty() {
                return Err(DecompositionError::RootsNotIsolated);
            }
            for stretch in holds.0.iter().chain(&fails.0) {
                for end in [&stretch.left, &stretch.right] {
                    let found = [end.lo.clone(), end.hi.clone()];
                    let is_known = ends.iter().any(|[lo, hi]| *lo <= found[1] && found[0] <= *hi);
                    // the ends of the interval are no roots by themselves, and each root ends two parts
                    if !window.contains(&found[0]) && !is_known {
                        ends.push(found);
                    }
                }
            }
        }
        ends.sort();
        let mut roots = Vec::new();
        for (index, [lo, hi]) in ends.iter().enumerate() {
            let left = index.checked_sub(1).map_or(&window[0], |i| &ends[i][1]);
            let right = ends.get(index + 1).map_or(&window[1], |next| &next[0]);
            // samples between the root and its neighbours, nearer to the root
            let (a, b) = ((left + lo * Rational::from(3)) / 4, (right + hi * Rational::from(3)) / 4);
            let before = self.sign_at(&at, &[y], std::slice::from_ref(&a))?;
            let behind = self.sign_at(&at, &[y], std::slice::from_ref(&b))?;
            // a root without a change of sign is a boundary too, or a sample could lie on it; but a double root may
            // split or vanish
            if before == behind && moves {
                return Err(DecompositionError::BoundariesMeet);
            }
            // an exact root that does not move needs no search
            if lo == hi && !moves {
                roots.push(Graph::rational(lo.clone()));
                continue;
            }
            if before == behind {
                return Err(DecompositionError::RootsNotIsolated);
            }
            // `first_root` wants a falling map, and an interval that contains this root alone
            let s = Variable::fresh();
            let width = Graph::rational(Rational::from(&b - &a));
            let x = add(&Graph::rational(a), &multiply(&width, &Graph::variable(s)));
            let falling = if before == Ordering::Greater { graph.clone() } else { negate(graph) };
            let root = Graph::first_root(s, falling.substitute(&[(y, x.clone())]));
            roots.push(x.substitute(&[(s, root)]));
        }
        Ok(roots)
    }
}
