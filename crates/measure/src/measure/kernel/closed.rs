//! Closed integrals over the whole support of gamma and beta draws.

use super::{Kernel, Where, exp, integer, log, sum};
use crate::function::Function;
use crate::measure::distribution::{divide, multiply, negate, plus, times};
use crate::measure::draws::Coordinate;
use crate::measure::eliminate::form::coefficients;
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::Graph;

/// The highest degree of a polynomial f. A choice.
const HIGHEST: usize = 64;

fn lgamma(a: &Graph) -> Graph {
    Graph::function(Function::LogGamma, a)
}

impl Kernel {
    /// Integrates the kernel over the whole support of the draw. Returns `None` if it is not in the table of the
    /// [module](super).
    #[must_use]
    pub fn closed(&self, x: &Coordinate, known: Where<'_>) -> Option<Graph> {
        let ends = x.distribution.ends().map(|end| end.map(|end| end.as_rational().cloned()));
        let [zero, one] = [0, 1].map(Rational::from);
        let is_gamma = ends == [Some(Some(zero.clone())), None];
        let is_beta = ends == [Some(Some(zero)), Some(Some(one))];
        let polynomial = self.polynomial()?;
        let [p, q] = self.powers.each_ref().map(|p| plus(p, &integer(1)));
        // p > -1, or the integral diverges at 0
        if !known.is_positive(&p) || polynomial.is_empty() {
            return None;
        }
        let mut logarithms = self.logarithms.clone();
        // the quotient of the kth moment and the one before
        let next: Box<dyn Fn(i64) -> Graph> = match &self.exponents[..] {
            [linear] if is_gamma && self.powers[1].as_rational().is_some_and(|q| *q == 0) && self.is_linear(linear) => {
                let b = times(&integer(-1), &linear.substitute(&[(self.y, integer(1))]));
                if !known.is_positive(&b) {
                    return None;
                }
                logarithms.extend([lgamma(&p), negate(&times(&p, &log(&b)))]);
                Box::new(move |k| over(&plus(&p, &integer(k - 1)), &b))
            }
            [] if is_beta && known.is_positive(&q) => {
                let whole = plus(&p, &q);
                logarithms.extend([lgamma(&p), lgamma(&q), negate(&lgamma(&whole))]);
                Box::new(move |k| over(&plus(&p, &integer(k - 1)), &plus(&whole, &integer(k - 1))))
            }
            _ => return None,
        };
        // Γ(z + 1) = z Γ(z): each moment follows from the one before
        let (mut total, mut moment) = (integer(0), integer(1));
        for (k, c) in (0i64..).zip(&polynomial) {
            if k > 0 {
                moment = times(&moment, &next(k));
            }
            total = plus(&total, &times(c, &moment));
        }
        let constants = self.constants.iter().fold(total, |product, factor| multiply(&product, factor));
        Some(multiply(&constants, &exp(&sum(&logarithms))))
    }

    /// Returns the coefficients of f, the constant one first. Returns `None` if f is no polynomial.
    fn polynomial(&self) -> Option<Vec<Graph>> {
        let mut forms = Normaliser::default();
        let mut product = vec![integer(1)];
        for factor in &self.rest {
            // numbers first: their polynomials may have any degree, those with maps as coefficients at most 4
            let numbers = forms.polynomial(factor, self.y).filter(|own| own.len() <= HIGHEST + 1);
            let own: Vec<Graph> = match numbers {
                Some(own) => own.into_iter().map(Graph::rational).collect(),
                None => coefficients(factor, self.y, &mut forms)?.to_vec(),
            };
            let mut next = vec![integer(0); product.len() + own.len() - 1];
            for (i, a) in product.iter().enumerate() {
                for (j, b) in own.iter().enumerate() {
                    next[i + j] = plus(&next[i + j], &times(a, b));
                }
            }
            product = next;
            if product.len() > HIGHEST + 1 {
                return None;
            }
        }
        Some(product)
    }
}

/// Returns the quotient of two maps, as a number if both are.
fn over(a: &Graph, b: &Graph) -> Graph {
    match (a.as_rational(), b.as_rational()) {
        (Some(p), Some(q)) if *q != 0 => Graph::rational(Rational::from(p / q)),
        _ => divide(a, b),
    }
}
