//! Boundaries of cells: roots of guards of degree at most two in a draw.
//!
//! The roots of `a·y + b` and of `a·y² + b·y + c` are maps of the earlier coordinates. The latter exist where the
//! discriminant D = b² - 4ac is positive: `(-b ± √D)/2a`, or `-b/2a ± √(D/4a²)` if a is a number. Two boundaries are
//! separated where the resultant of the two guards, a polynomial in their coefficients, is not 0.

use super::{Cut, Cutter, Obstacle};
use crate::function::Function;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::measure::eliminate::form::{coefficients, is_zero};
use crate::number::Rational;
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;

/// The coefficients of a guard, the leading one first.
#[derive(Clone, Debug)]
pub(super) enum Curve {
    /// A guard of degree one.
    Line([Graph; 2]),
    /// A guard of degree two.
    Conic([Graph; 3]),
}

/// A boundary: a root of a guard, as a map.
#[derive(Clone, Debug)]
pub(super) struct Border {
    /// The root.
    pub graph: Graph,
    /// The guard.
    pub curve: Curve,
    /// `true` if the sign of the guard is needed.
    pub matters: bool,
    /// The discriminant, where the root exists only if that is positive. `None` if it exists everywhere.
    pub exists: Option<Graph>,
}

impl Border {
    /// Makes the boundary for the root of a map of degree one.
    pub fn line([a, b]: [Graph; 2], matters: bool) -> Self {
        Self { graph: divide(&negate(&b), &a), curve: Curve::Line([a, b]), matters, exists: None }
    }

    /// Makes the boundary for a known map.
    pub fn at(graph: Graph, matters: bool) -> Self {
        let curve = Curve::Line([Graph::integer(1), negate(&graph)]);
        Self { graph, curve, matters, exists: None }
    }
}

impl Cutter<'_> {
    /// Returns the resultant of two guards, which is 0 where they have a common root.
    pub(super) fn resultant(&mut self, one: &Curve, other: &Curve) -> Graph {
        let square = |g: &Graph| power(g, &Rational::from(2));
        match (one, other) {
            (Curve::Line([a, b]), Curve::Line([p, q])) => subtract(&multiply(a, q), &multiply(p, b)),
            (Curve::Line([p, q]), Curve::Conic([a, b, c])) | (Curve::Conic([a, b, c]), Curve::Line([p, q])) => {
                let ends = add(&multiply(a, &square(q)), &multiply(c, &square(p)));
                subtract(&ends, &multiply(b, &multiply(p, q)))
            }
            (Curve::Conic([a, b, c]), Curve::Conic([p, q, r])) => {
                let mut minor = |[a, b]: [&Graph; 2], [p, q]: [&Graph; 2]| {
                    self.forms.simplest(&subtract(&multiply(a, q), &multiply(p, b)))
                };
                let (ends, left, right) = (minor([a, c], [p, r]), minor([a, b], [p, q]), minor([b, c], [q, r]));
                // the resultant is the square of `ends` then, which has the same zeros
                match is_zero(&left) || is_zero(&right) {
                    true => ends,
                    false => subtract(&square(&ends), &multiply(&left, &right)),
                }
            }
        }
    }

    /// Returns `true` if two guards have the same roots, since their coefficients are proportional.
    pub(super) fn is_one(&mut self, one: &Curve, other: &Curve) -> bool {
        let pairs = match (one, other) {
            (Curve::Line([a, b]), Curve::Line([p, q])) => vec![[a, b, p, q]],
            (Curve::Conic([a, b, c]), Curve::Conic([p, q, r])) => vec![[a, b, p, q], [a, c, p, r], [b, c, q, r]],
            _ => return false,
        };
        pairs.into_iter().all(|[a, b, p, q]| self.is_zero(&subtract(&multiply(a, q), &multiply(p, b))))
    }

    /// Returns the roots of a map of degree two in a coordinate, and adds maps to the projection. Returns `None` if the
    /// map has another degree.
    ///
    /// # Errors
    /// [`Obstacle::Close`] or [`Obstacle::Meet`] if the degree is less at this parameter, or if the roots meet.
    pub(super) fn conic(
        &mut self,
        cut: &Cut,
        y: Variable,
        before: &[Variable],
        below: &mut Vec<Cut>,
    ) -> Result<Option<Vec<Border>>, Obstacle> {
        let Cut { graph, matters } = cut;
        let Some([c, b, a, third, fourth]) = coefficients(graph, y, &mut self.forms) else { return Ok(None) };
        if !is_zero(&third) || !is_zero(&fourth) {
            return Ok(None);
        }
        let depends = |graph: &Graph| before.iter().any(|v| graph.depends_on(*v));
        let meets = if self.order() > 0 { Obstacle::Meet } else { Obstacle::Close };
        // where the leading coefficient vanishes, one root tends to infinity
        if depends(&a) {
            below.push(Cut { graph: a.clone(), matters: *matters });
        } else if self.sign(&a, &[], &[])? == Ordering::Equal {
            return Err(meets);
        }
        let product = multiply(&Graph::integer(4), &multiply(&a, &c));
        let discriminant = self.forms.simplest(&subtract(&power(&b, &Rational::from(2)), &product));
        let twice = multiply(&Graph::integer(2), &a);
        // a double root everywhere: the guard is a square, up to a
        if self.is_zero(&discriminant) {
            return Ok(Some(vec![Border::line([twice, b], *matters)]));
        }
        let exists = if depends(&discriminant) {
            below.push(Cut { graph: discriminant.clone(), matters: true });
            Some(discriminant.clone())
        } else {
            match self.sign(&discriminant, &[], &[])? {
                // no real roots: the guard has one sign
                Ordering::Less => return Ok(Some(Vec::new())),
                Ordering::Equal => return Err(meets),
                Ordering::Greater => None,
            }
        };
        // a rational a goes under the root, -b/2a ± √(D/4a²), where the forms of discs stay simple
        let (root, middle, scale) = match a.as_rational() {
            Some(_) => {
                let square = power(&twice, &Rational::from(2));
                (divide(&discriminant, &square), divide(&negate(&b), &twice), Graph::integer(1))
            }
            None => (discriminant, negate(&b), twice),
        };
        let root = self.forms.simplest(&root);
        let [root, middle] = [Graph::function(Function::Sqrt, &root), middle].map(|g| self.forms.simplest(&g));
        let curve = Curve::Conic([a, b, c]);
        let border = |root: &Graph| {
            let graph = divide(&add(&middle, root), &scale);
            Border { graph, curve: curve.clone(), matters: *matters, exists: exists.clone() }
        };
        // for a negative a the two are exchanged, which the lifting sorts
        Ok(Some(vec![border(&negate(&root)), border(&root)]))
    }
}
