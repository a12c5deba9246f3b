//! A guard of several normal draws as one draw.
//!
//! Where a guard is g = a·y + r with a number a, and y is normal with mean m and deviation s given what was drawn before it, g itself is normal
//! with mean a·m + r and deviation |a|·s, given the same. Drawn in the place of y, which is (g - r)/a, it is all that the guard looks at. So
//! no border leans on the draws that r depends on any more, and the normal ones among these are integrated over in closed form if the rest
//! lets them: of `x + y + z < 1` one draw is left.

use super::distribution::{Distribution, add, divide, multiply, subtract};
use super::draws::{Coordinate, Draw, Path};
use super::eliminate::form::{coefficients, is_zero};
use super::range::line;
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::pieces::{Decided, Guard};
use crate::smooth::graph::{Graph, Variable};

/// A path, and factors along it, with the guards that can be as draws; of the same law.
#[must_use]
pub fn sheared(path: &Path, factors: &[Graph]) -> (Path, Vec<Graph>) {
    let (mut path, mut factors, mut forms) = (path.clone(), factors.to_vec(), Normaliser::default());
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

/// A guard as a·y + r.
struct Shear {
    /// Where y is drawn.
    from: usize,
    /// Where the last of the draws is that r depends on, or y itself: nothing up to there depends on y.
    to: usize,
    slope: Rational,
    rest: Graph,
}

impl Shear {
    /// Of a guard that looks at a normal draw through another one, where no other guard looks at either.
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
            if !matches!(x.distribution, Distribution::Normal(..)) || !is_free(x.variable) {
                return None;
            }
            let [rest, slope, second, third, fourth] = coefficients(guard, x.variable, forms)?;
            [second, third, fourth].iter().all(is_zero).then_some([rest, slope])
        };
        let found: Vec<_> = own.iter().filter_map(|(place, x)| Some((*place, x.variable, linear(x)?))).collect();
        if found.len() < 2 {
            return None;
        }
        found.into_iter().rev().find_map(|(from, y, [rest, slope])| {
            let slope = slope.as_rational().filter(|slope| **slope != 0)?.clone();
            let depends = |draw: &Draw| match draw {
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => chance.depends_on(y),
                Draw::Real(_) | Draw::Tail(..) => draw.coordinate().is_some_and(|(_, of)| of.depends_on(y)),
            };
            (!path.draws[from..=to].iter().any(depends)).then_some(Self { from, to, slope, rest })
        })
    }

    /// Draws the guard in the place of y, after what it depends on.
    fn turn(&self, path: &mut Path, factors: &mut [Graph], index: usize, forms: &mut Normaliser) {
        let Self { from, to, slope, rest } = self;
        let Draw::Real(Coordinate { variable: y, distribution: Distribution::Normal(mean, deviation), .. }) =
            path.draws.remove(*from)
        else {
            return;
        };
        let (d, a) = (Variable::fresh(), Graph::rational(slope.clone()));
        let mean = forms.simplest(&add(&multiply(&a, &mean), rest));
        let deviation = multiply(&Graph::rational(slope.clone().abs()), &deviation);
        let turned = divide(&subtract(&Graph::variable(d), rest), &a);
        let along = |graph: &Graph| graph.substitute(&[(y, turned.clone())]);
        for draw in &mut path.draws[*to..] {
            match draw {
                Draw::Real(x) => x.distribution = x.distribution.map(&along),
                Draw::Natural(_, chance) | Draw::Truth(_, chance) => *chance = along(chance),
                Draw::Tail(..) => {}
            }
        }
        let distribution = Distribution::Normal(mean, deviation);
        path.draws.insert(*to, Draw::Real(Coordinate { variable: d, distribution, range: line() }));
        factors.iter_mut().for_each(|factor| *factor = along(factor));
        let Decided { guard, .. } = &mut path.decided[index];
        *guard = Guard::new(&Graph::variable(d), guard.test, guard.site);
    }
}
