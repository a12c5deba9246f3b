//! Closed integrals over the whole support of gamma and beta draws.

use super::{DensityKernel, KernelContext, exp_of, integer_constant, log_of, sum_of};
use crate::function::Function;
use crate::measure::distribution::{divide, multiply, negate, plus, times};
use crate::measure::draws::TraceCoordinate;
use crate::measure::eliminate::form::quartic_coefficients;
use crate::number::Rational;
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::Graph;

/// The highest degree of a polynomial f. A choice.
const MAX_POLYNOMIAL_DEGREE: usize = 64;

fn log_gamma_of(a: &Graph) -> Graph {
    Graph::function(Function::LogGamma, a)
}

impl DensityKernel {
    /// Integrates the kernel over the whole support of the draw. Returns `None` if it is not in the table of the
    /// [module](super).
    #[must_use]
    pub fn integrate_support(&self, x: &TraceCoordinate, known: KernelContext<'_>) -> Option<Graph> {
        let ends = x.distribution.ends().map(|end| end.map(|end| end.as_rational().cloned()));
        let [zero, one] = [0, 1].map(Rational::from);
        let is_gamma = ends == [Some(Some(zero.clone())), None];
        let is_beta = ends == [Some(Some(zero)), Some(Some(one))];
        let polynomial = self.polynomial_factor()?;
        let [p, q] = self.powers.each_ref().map(|p| plus(p, &integer_constant(1)));
        // p > -1, or the integral diverges at 0
        if !known.is_positive(&p) || polynomial.is_empty() {
            return None;
        }
        let mut logarithms = self.logarithms.clone();
        // the quotient of the kth moment and the one before
        let next: Box<dyn Fn(i64) -> Graph> = match &self.exponents[..] {
            [linear] if is_gamma && self.powers[1].as_rational().is_some_and(|q| *q == 0) && self.is_linear(linear) => {
                let b = times(&integer_constant(-1), &linear.substitute(&[(self.y, integer_constant(1))]));
                if !known.is_positive(&b) {
                    return None;
                }
                logarithms.extend([log_gamma_of(&p), negate(&times(&p, &log_of(&b)))]);
                Box::new(move |k| quotient_of(&plus(&p, &integer_constant(k - 1)), &b))
            }
            [] if is_beta && known.is_positive(&q) => {
                let whole = plus(&p, &q);
                logarithms.extend([log_gamma_of(&p), log_gamma_of(&q), negate(&log_gamma_of(&whole))]);
                Box::new(move |k| {
                    quotient_of(&plus(&p, &integer_constant(k - 1)), &plus(&whole, &integer_constant(k - 1)))
                })
            }
            _ => return None,
        };
        // Γ(z + 1) = z Γ(z): each moment follows from the one before
        let (mut total, mut moment) = (integer_constant(0), integer_constant(1));
        for (k, c) in (0i64..).zip(&polynomial) {
            if k > 0 {
                moment = times(&moment, &next(k));
            }
            total = plus(&total, &times(c, &moment));
        }
        let constants = self.constants.iter().fold(total, |product, factor| multiply(&product, factor));
        Some(multiply(&constants, &exp_of(&sum_of(&logarithms))))
    }

    /// Returns the coefficients of f, the constant one first. Returns `None` if f is no polynomial.
    fn polynomial_factor(&self) -> Option<Vec<Graph>> {
        let mut forms = RationalNormalForm::default();
        let mut product = vec![integer_constant(1)];
        for factor in &self.rest {
            // numbers first: their polynomials may have any degree, those with maps as coefficients at most 4
            let numbers = forms.as_polynomial(factor, self.y).filter(|own| own.len() <= MAX_POLYNOMIAL_DEGREE + 1);
            let own: Vec<Graph> = match numbers {
                Some(own) => own.into_iter().map(Graph::rational).collect(),
                None => quartic_coefficients(factor, self.y, &mut forms)?.to_vec(),
            };
            let mut next = vec![integer_constant(0); product.len() + own.len() - 1];
            for (i, a) in product.iter().enumerate() {
                for (j, b) in own.iter().enumerate() {
                    next[i + j] = plus(&next[i + j], &times(a, b));
                }
            }
            product = next;
            if product.len() > MAX_POLYNOMIAL_DEGREE + 1 {
                return None;
            }
        }
        Some(product)
    }
}

/// Returns the quotient of two maps, as a number if both are.
fn quotient_of(a: &Graph, b: &Graph) -> Graph {
    match (a.as_rational(), b.as_rational()) {
        (Some(p), Some(q)) if *q != 0 => Graph::rational(Rational::from(p / q)),
        _ => divide(a, b),
    }
}
