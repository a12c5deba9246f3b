//! Linear substitutions that turn a guard of several normal draws into one normal draw.
//!
//! Let a guard be g = a·y + r with a rational a ≠ 0, where y is normal with mean m and deviation s given the earlier
//! draws. Then g is normal with mean a·m + r and deviation |a|·s, given the same. The path draws g instead of y, and y
//! = (g - r)/a.
//!
//! The guard then tests one variable, so that no boundary depends on the draws in r. The normal ones among these are
//! integrated in closed form if the other factors allow it: of `x + y + z < 1` one draw remains.

use super::distribution::{Distribution, Normal, add, divide, multiply, subtract};
use super::draws::{Draw, ExecutionPath, TraceCoordinate};
use super::eliminate::form::{is_constant_zero, quartic_coefficients};
use super::range::real_line;
use crate::number::Rational;
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::{GuardCondition, SignGuard};
use crate::smooth::graph::{Graph, Variable};

/// Substitutes guards for draws, where possible, in a path and in factors along it. The law of the path is unchanged.
#[must_use]
pub fn linear_substitution(path: &ExecutionPath, factors: &[Graph]) -> (ExecutionPath, Vec<Graph>) {
    let (mut path, mut factors, mut forms) = (path.clone(), factors.to_vec(), RationalNormalForm::default());
    // a tail's distribution is not rewritten below
    if path.has_tail() {
        return (path, factors);
    }
    for index in 0..path.decisions.len() {
        if let Some(shear) = LinearGuard::match_linear(&path, index, &mut forms) {
            shear.substitute_in_path(&mut path, &mut factors, index, &mut forms);
        }
    }
    (path, factors)
}

/// A guard a·y + r, and the positions of its draws.
struct LinearGuard {
    /// The position of y.
    draw_index: usize,
    /// The position of the last draw in the guard. No draw up to there depends on y.
    last_index: usize,
    /// The coefficient a.
    slope: Rational,
    /// The remainder r.
    remainder: Graph,
}

impl LinearGuard {
    /// Matches a guard that is linear in two or more normal draws which occur in no other guard. Returns `None`
    /// otherwise.
    fn match_linear(path: &ExecutionPath, index: usize, forms: &mut RationalNormalForm) -> Option<Self> {
        let guard = &path.decisions[index].guard.graph;
        let mut others = path.decisions.clone();
        others.remove(index);
        let is_free = |v: Variable| !others.iter().any(|decided| decided.guard.graph.depends_on(v));
        let own: Vec<(usize, &TraceCoordinate)> = (0..)
            .zip(&path.draws)
            .filter_map(|(place, draw)| match draw {
                Draw::Real(x) if guard.depends_on(x.variable) => Some((place, x)),
                _ => None,
            })
            .collect();
        let to = own.last()?.0;
        let mut linear = |x: &TraceCoordinate| {
            if x.distribution.parameters_of(&Normal).is_none() || !is_free(x.variable) {
                return None;
            }
            let [rest, slope, second, third, fourth] = quartic_coefficients(guard, x.variable, forms)?;
            // at most linear: the coefficients of degree 2 to 4 are 0
            [second, third, fourth].iter().all(is_constant_zero).then_some([rest, slope])
        };
        let found: Vec<_> = own.iter().filter_map(|(place, x)| Some((*place, x.variable, linear(x)?))).collect();
        // with one draw alone, the guard tests one variable already
        if found.len() < 2 {
            return None;
        }
        // the last draw first: fewer draws lie between y and the position of g
        found.into_iter().rev().find_map(|(from, y, [rest, slope])| {
            let slope = slope.as_rational().filter(|slope| **slope != 0)?.clone();
            let depends = |draw: &Draw| match draw {
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.depends_on(y),
                Draw::Real(_) | Draw::Tail(..) => draw.coordinate().is_some_and(|(_, of)| of.depends_on(y)),
            };
            // g is drawn after all draws of r, so none of these may depend on y
            (!path.draws[from..=to].iter().any(depends)).then_some(Self {
                draw_index: from,
                last_index: to,
                slope,
                remainder: rest,
            })
        })
    }

    /// Replaces y by the guard as a draw, placed after the draws that it depends on.
    fn substitute_in_path(
        &self,
        path: &mut ExecutionPath,
        factors: &mut [Graph],
        index: usize,
        forms: &mut RationalNormalForm,
    ) {
        let Self { draw_index: from, last_index: to, slope, remainder: rest } = self;
        let Draw::Real(TraceCoordinate { variable: y, distribution, .. }) = path.draws.remove(*from) else { return };
        let Some([mean, deviation]) = distribution.parameters_of(&Normal) else { return };
        let (d, a) = (Variable::fresh(), Graph::rational(slope.clone()));
        let mean = forms.simplify_graph(&add(&multiply(&a, mean), rest));
        let deviation = multiply(&Graph::rational(slope.clone().abs()), deviation);
        let turned = divide(&subtract(&Graph::variable(d), rest), &a);
        let along = |graph: &Graph| graph.substitute(&[(y, turned.clone())]);
        for draw in &mut path.draws[*to..] {
            match draw {
                Draw::Real(x) => x.distribution = x.distribution.map(&along),
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => *chance = along(chance),
                Draw::Tail(..) => {}
            }
        }
        let distribution = Distribution::normal(mean, deviation);
        path.draws.insert(*to, Draw::Real(TraceCoordinate { variable: d, distribution, range: real_line() }));
        factors.iter_mut().for_each(|factor| *factor = along(factor));
        let GuardCondition { guard, .. } = &mut path.decisions[index];
        *guard = SignGuard::new(&Graph::variable(d), guard.test, guard.site);
    }
}
