//! Boundaries of cells: roots of guards of degree at most two in a draw.
//!
//! The roots of `a·y + b` and of `a·y² + b·y + c` are maps of the earlier coordinates. The latter exist where the
//! discriminant D = b² - 4ac is positive: `(-b ± √D)/2a`, or `-b/2a ± √(D/4a²)` if a is a number. Two boundaries are
//! separated where the resultant of the two guards, a polynomial in their coefficients, is not 0.

use super::{Boundary, CellDecomposition, DecompositionError};
use crate::function::Function;
use crate::measure::distribution::{add, divide, multiply, negate, power, subtract};
use crate::measure::eliminate::form::{is_constant_zero, quartic_coefficients};
use crate::number::Rational;
use crate::smooth::graph::{Graph, Variable};
use std::cmp::Ordering;

/// The coefficients of a guard, the leading one first.
#[derive(Clone, Debug)]
pub(super) enum BoundaryCurve {
    /// A guard of degree one.
    Line([Graph; 2]),
    /// A guard of degree two.
    Conic([Graph; 3]),
}

/// A boundary: a root of a guard, as a map.
#[derive(Clone, Debug)]
pub(super) struct BoundaryRoot {
    /// The root.
    pub graph: Graph,
    /// The guard.
    pub curve: BoundaryCurve,
    /// `true` if the sign of the guard is needed.
    pub needs_sign: bool,
    /// The discriminant, where the root exists only if that is positive. `None` if it exists everywhere.
    pub discriminant: Option<Graph>,
}

impl BoundaryRoot {
    /// Makes the boundary for the root of a map of degree one.
    pub fn of_linear([a, b]: [Graph; 2], needs_sign: bool) -> Self {
        Self { graph: divide(&negate(&b), &a), curve: BoundaryCurve::Line([a, b]), needs_sign, discriminant: None }
    }

    /// Makes the boundary for a known map.
    pub fn of_map(graph: Graph, needs_sign: bool) -> Self {
        let curve = BoundaryCurve::Line([Graph::integer(1), negate(&graph)]);
        Self { graph, curve, needs_sign, discriminant: None }
    }
}

impl CellDecomposition<'_> {
    /// Returns the resultant of two guards, which is 0 where they have a common root.
    pub(super) fn resultant_of(&mut self, one: &BoundaryCurve, other: &BoundaryCurve) -> Graph {
        let square = |g: &Graph| power(g, &Rational::from(2));
        match (one, other) {
            (BoundaryCurve::Line([a, b]), BoundaryCurve::Line([p, q])) => subtract(&multiply(a, q), &multiply(p, b)),
            (BoundaryCurve::Line([p, q]), BoundaryCurve::Conic([a, b, c]))
            | (BoundaryCurve::Conic([a, b, c]), BoundaryCurve::Line([p, q])) => {
                let ends = add(&multiply(a, &square(q)), &multiply(c, &square(p)));
                subtract(&ends, &multiply(b, &multiply(p, q)))
            }
            (BoundaryCurve::Conic([a, b, c]), BoundaryCurve::Conic([p, q, r])) => {
                let mut minor = |[a, b]: [&Graph; 2], [p, q]: [&Graph; 2]| {
                    self.forms.simplify_graph(&subtract(&multiply(a, q), &multiply(p, b)))
                };
                let (ends, left, right) = (minor([a, c], [p, r]), minor([a, b], [p, q]), minor([b, c], [q, r]));
                // the resultant is the square of `ends` then, which has the same zeros
                match is_constant_zero(&left) || is_constant_zero(&right) {
                    true => ends,
                    false => subtract(&square(&ends), &multiply(&left, &right)),
                }
            }
        }
    }

    /// Returns `true` if two guards have the same roots, since their coefficients are proportional.
    pub(super) fn have_same_roots(&mut self, one: &BoundaryCurve, other: &BoundaryCurve) -> bool {
        let pairs = match (one, other) {
            (BoundaryCurve::Line([a, b]), BoundaryCurve::Line([p, q])) => vec![[a, b, p, q]],
            (BoundaryCurve::Conic([a, b, c]), BoundaryCurve::Conic([p, q, r])) => {
                vec![[a, b, p, q], [a, c, p, r], [b, c, q, r]]
            }
            _ => return false,
        };
        pairs.into_iter().all(|[a, b, p, q]| self.is_zero(&subtract(&multiply(a, q), &multiply(p, b))))
    }

    /// Returns the roots of a map of degree two in a coordinate, and adds maps to the projection. Returns `None` if the
    /// map has another degree.
    ///
    /// # Errors
    /// [`DecompositionError::Undecided`] or [`DecompositionError::BoundariesMeet`] if the degree is less at this parameter, or if the roots meet.
    pub(super) fn roots_of_quadratic(
        &mut self,
        cut: &Boundary,
        y: Variable,
        before: &[Variable],
        below: &mut Vec<Boundary>,
    ) -> Result<Option<Vec<BoundaryRoot>>, DecompositionError> {
        let Boundary { graph, needs_sign: matters } = cut;
        let Some([c, b, a, third, fourth]) = quartic_coefficients(graph, y, &mut self.forms) else { return Ok(None) };
        if !is_constant_zero(&third) || !is_constant_zero(&fourth) {
            return Ok(None);
        }
        let depends = |graph: &Graph| before.iter().any(|v| graph.depends_on(*v));
        let meets = if self.derivative_order() > 0 {
            DecompositionError::BoundariesMeet
        } else {
            DecompositionError::Undecided
        };
        // where the leading coefficient vanishes, one root tends to infinity
        if depends(&a) {
            below.push(Boundary { graph: a.clone(), needs_sign: *matters });
        } else if self.sign_at(&a, &[], &[])? == Ordering::Equal {
            return Err(meets);
        }
        let product = multiply(&Graph::integer(4), &multiply(&a, &c));
        let discriminant = self.forms.simplify_graph(&subtract(&power(&b, &Rational::from(2)), &product));
        let twice = multiply(&Graph::integer(2), &a);
        // a double root everywhere: the guard is a square, up to a
        if self.is_zero(&discriminant) {
            return Ok(Some(vec![BoundaryRoot::of_linear([twice, b], *matters)]));
        }
        let exists = if depends(&discriminant) {
            below.push(Boundary { graph: discriminant.clone(), needs_sign: true });
            Some(discriminant.clone())
        } else {
            match self.sign_at(&discriminant, &[], &[])? {
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
        let root = self.forms.simplify_graph(&root);
        let [root, middle] = [Graph::function(Function::Sqrt, &root), middle].map(|g| self.forms.simplify_graph(&g));
        let curve = BoundaryCurve::Conic([a, b, c]);
        let border = |root: &Graph| {
            let graph = divide(&add(&middle, root), &scale);
            BoundaryRoot { graph, curve: curve.clone(), needs_sign: *matters, discriminant: exists.clone() }
        };
        // for a negative a the two are exchanged, which the lifting sorts
        Ok(Some(vec![border(&negate(&root)), border(&root)]))
    }
}
