//! Borders: where guards of degree two at most in a draw are 0.
//!
//! The zeros of `a·y + b` and of `a·y² + b·y + c` are maps of the coordinates before, the latter where the discriminant D = b² - 4ac is
//! positive: `(-b ± √D)/2a`, or `-b/2a ± √(D/4a²)` where a is a number. Two borders are told apart off the zeros of the resultant of the two guards, which is a polynomial in
//! their coefficients.

use super::{Cut, Cutter, Obstacle};
use crate::function::Function;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::measure::eliminate::form::{coefficients, is_zero};
use crate::number::Rational;
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;

/// A guard, by its coefficients, that of the highest power first.
#[derive(Clone, Debug)]
pub(super) enum Curve {
    /// Of degree one.
    Line([Graph; 2]),
    /// Of degree two.
    Conic([Graph; 3]),
}

/// A border: a zero of a guard.
#[derive(Clone, Debug)]
pub(super) struct Border {
    /// Where it lies.
    pub graph: Graph,
    /// Whose zero it is.
    pub curve: Curve,
    /// Whether the sign of the guard matters.
    pub matters: bool,
    /// It is there where this is positive; everywhere without it.
    pub exists: Option<Graph>,
}

impl Border {
    /// The zero of a map of degree one.
    pub fn line([a, b]: [Graph; 2], matters: bool) -> Self {
        Self { graph: divide(&negate(&b), &a), curve: Curve::Line([a, b]), matters, exists: None }
    }

    /// A border that is known by itself.
    pub fn at(graph: Graph, matters: bool) -> Self {
        let curve = Curve::Line([Graph::integer(1), negate(&graph)]);
        Self { graph, curve, matters, exists: None }
    }
}

impl Cutter<'_> {
    /// What is 0 where two curves meet.
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
                match is_zero(&left) || is_zero(&right) {
                    true => ends,
                    false => subtract(&square(&ends), &multiply(&left, &right)),
                }
            }
        }
    }

    /// Whether two curves have the same zeros: one has multiples of the coefficients of the other.
    pub(super) fn is_one(&mut self, one: &Curve, other: &Curve) -> bool {
        let pairs = match (one, other) {
            (Curve::Line([a, b]), Curve::Line([p, q])) => vec![[a, b, p, q]],
            (Curve::Conic([a, b, c]), Curve::Conic([p, q, r])) => vec![[a, b, p, q], [a, c, p, r], [b, c, q, r]],
            _ => return false,
        };
        pairs.into_iter().all(|[a, b, p, q]| self.is_zero(&subtract(&multiply(a, q), &multiply(p, b))))
    }

    /// The zeros of a map of degree two in a coordinate, and what else cuts for their sake; nothing where it has no such degree.
    ///
    /// # Errors
    /// [`Obstacle::Close`], [`Obstacle::Meet`]: the degree is less at this parameter, or zeros meet.
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
        if depends(&a) {
            below.push(Cut { graph: a.clone(), matters: *matters });
        } else if self.sign(&a, &[], &[])? == Ordering::Equal {
            return Err(meets);
        }
        let product = multiply(&Graph::integer(4), &multiply(&a, &c));
        let discriminant = self.forms.simplest(&subtract(&power(&b, &Rational::from(2)), &product));
        let twice = multiply(&Graph::integer(2), &a);
        if self.is_zero(&discriminant) {
            return Ok(Some(vec![Border::line([twice, b], *matters)]));
        }
        let exists = if depends(&discriminant) {
            below.push(Cut { graph: discriminant.clone(), matters: true });
            Some(discriminant.clone())
        } else {
            match self.sign(&discriminant, &[], &[])? {
                Ordering::Less => return Ok(Some(Vec::new())),
                Ordering::Equal => return Err(meets),
                Ordering::Greater => None,
            }
        };
        // a number goes under the root: -b/2a ± √(D/4a²)
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
        Ok(Some(vec![border(&negate(&root)), border(&root)]))
    }
}
