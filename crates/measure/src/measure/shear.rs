//! Linear substitutions that turn a guard of several normal draws into one normal draw.
//!
//! Let a guard be g = a·y + r with a rational a ≠ 0, where y is normal with mean m and deviation s given the earlier
//! draws. Then g is normal with mean a·m + r and deviation |a|·s, given the same. The path draws g instead of y, and y
//! = (g - r)/a.
//!
//! The guard then tests one variable, so that no boundary depends on the draws in r. The normal ones among these are
//! integrated in closed form if the other factors allow it: of `x + y + z < 1` one draw remains.

use super::distribution::{Distribution, Normal, add, divide, multiply, subtract};
use super::draws::{Coordinate, Draw, Path};
use super::eliminate::form::{coefficients, is_zero};
use super::range::line;
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::pieces::{Decided, Guard};
use crate::smooth::graph::{Graph, Variable};

/// Substitutes guards for draws, where possible, in a path and in factors along it. The law of the path is unchanged.
#[must_use]
pub fn sheared(path: &Path, factors: &[Graph]) -> (Path, Vec<Graph>) {
    let (mut path, mut factors, mut forms) = (path.clone(), factors.to_vec(), Normaliser::default());
    // a tail's distribution is not rewritten below
    if path.has_tail() {
        return (path, factors);
    }
    for index in 0..path.decided.len() {
        if let Some(shear) = Shear::of(&path, index, &mut forms) {
            shear.turn(&mut path, &mut factors, index, &mut forms);
        }
    }
    (path, factors)
}

/// A guard a·y + r, and the positions of its draws.
struct Shear {
    /// The position of y.
    from: usize,
    /// The position of the last draw in the guard. No draw up to there depends on y.
    to: usize,
    /// The coefficient a.
    slope: Rational,
    /// The remainder r.
    rest: Graph,
}

impl Shear {
    /// Matches a guard that is linear in two or more normal draws which occur in no other guard. Returns `None`
    /// otherwise.
    fn of(path: &Path, index: usize, forms: &mut Normaliser) -> Option<Self> {
        let guard = &path.decided[index].guard.graph;
        let mut others = path.decided.clone();
        others.remove(index);
        let is_free = |v: Variable| !others.iter().any(|decided| decided.guard.graph.depends_on(v));
        let own: Vec<(usize, &Coordinate)> = (0..)
            .zip(&path.draws)
            .filter_map(|(place, draw)| match draw {
                Draw::Real(x) if guard.depends_on(x.variable) => Some((place, x)),
                _ => None,
            })
            .collect();
        let to = own.last()?.0;
        let mut linear = |x: &Coordinate| {
            if x.distribution.parameters_of(&Normal).is_none() || !is_free(x.variable) {
                return None;
            }
            let [rest, slope, second, third, fourth] = coefficients(guard, x.variable, forms)?;
            // at most linear: the coefficients of degree 2 to 4 are 0
            [second, third, fourth].iter().all(is_zero).then_some([rest, slope])
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
            (!path.draws[from..=to].iter().any(depends)).then_some(Self { from, to, slope, rest })
        })
    }

    /// Replaces y by the guard as a draw, placed after the draws that it depends on.
    fn turn(&self, path: &mut Path, factors: &mut [Graph], index: usize, forms: &mut Normaliser) {
        let Self { from, to, slope, rest } = self;
        let Draw::Real(Coordinate { variable: y, distribution, .. }) = path.draws.remove(*from) else { return };
        let Some([mean, deviation]) = distribution.parameters_of(&Normal) else { return };
        let (d, a) = (Variable::fresh(), Graph::rational(slope.clone()));
        let mean = forms.simplest(&add(&multiply(&a, mean), rest));
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
        path.draws.insert(*to, Draw::Real(Coordinate { variable: d, distribution, range: line() }));
        factors.iter_mut().for_each(|factor| *factor = along(factor));
        let Decided { guard, .. } = &mut path.decided[index];
        *guard = Guard::new(&Graph::variable(d), guard.test, guard.site);
    }
}
