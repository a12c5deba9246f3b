//! Exponentials of natural numbers under other distributions of them.
//! Which ones is a fact of their [family](crate::measure::distribution).
//!
//! A factor e^(c n + b) with c ≤ h, h ≥ 0 and b ≤ B is at most eᴮ e^(hn). Here b may depend on other numbers.

use crate::function::Function;
use crate::measure::distribution::{Distribution, Tilted, add, exp, multiply, subtract};
use crate::measure::draws::{Draw, ExecutionPath};
use crate::measure::majorant::{Majorant, MajorantJet, MajorantSearch, max_abs_of};
use crate::number::{Magnitude, Rational};
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};

/// How fast the exponentials of each number grow together at most.
#[derive(Debug, Default)]
pub(super) struct GrowthRates(Vec<(Variable, Rational)>);

impl GrowthRates {
    /// Bounds a factor without its exponentials of tail variables, whose growth rates are recorded. Returns `None` if
    /// there is no bound.
    pub fn bound_factor(
        &mut self,
        factor: &Graph,
        path: &ExecutionPath,
        jets: &mut MajorantSearch<'_>,
    ) -> Option<MajorantJet> {
        if let Some(found) = jets.bound_jet(factor) {
            return Some(found);
        }
        match factor.operation() {
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                let [a, b] = [self.bound_factor(a, path, jets)?, self.bound_factor(b, path, jets)?];
                jets.multiply_jets(&a, &b)
            }
            NodeOperation::Unary(Unary::Negate, a) => self.bound_factor(a, path, jets),
            NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
                let mut rest = a.clone();
                for draw in &path.draws {
                    let Draw::Tail(n, ..) = draw else { continue };
                    if rest.depends_on(*n) {
                        let [c, b] = affine_coefficients(&rest, *n)?;
                        let c = jets.enclose_range(&c);
                        let highest = c.hi().to_rational().filter(|_| c.is_defined())?;
                        // n ≥ 0, so that a negative rate is at most 0
                        self.0.push((*n, highest.max(Rational::new())));
                        rest = b;
                    }
                }
                let rest = Some(max_abs_of(&jets.enclose_range(&exp(&rest)))).filter(|most| most.is_finite())?;
                let exponent = jets.bound_jet(a)?;
                // of order 0 this is 1: the value of the exponential is in the tilt and in `rest`
                Some(jets.exp_ratio(&exponent)?.iter().map(|part: &Majorant| part.scale_by(rest)).collect())
            }
            _ => None,
        }
    }

    /// Returns the tilted distribution of a number, and the factor. Returns `None` if the exponentials have no mean, or
    /// no bound.
    pub fn tilt_distribution(
        &self,
        n: Variable,
        distribution: &Distribution,
        majorants: &MajorantSearch<'_>,
    ) -> Option<(Distribution, Magnitude)> {
        let own = self.0.iter().filter(|(v, _)| *v == n).map(|(_, h)| h.clone());
        let Some(sum) = own.reduce(|a, b| a + b) else { return Some((distribution.clone(), Magnitude::ONE)) };
        let growth = exp(&Graph::rational(sum));
        let Tilted { distribution, positive, factor } = distribution.tilted(&growth)?;
        let is_positive = |graph: Graph| {
            let found = majorants.enclose_range(&graph);
            found.is_defined() && *found.lo() > 0
        };
        if !positive.is_none_or(is_positive) {
            return None;
        }
        Some((distribution, max_abs_of(&majorants.enclose_range(&factor)))).filter(|(_, most)| most.is_finite())
    }
}

/// Returns the coefficients `[c, b]` of a map `c·n + b`. Returns `None` if it is not affine in `n`.
fn affine_coefficients(graph: &Graph, n: Variable) -> Option<[Graph; 2]> {
    let mut forms = RationalNormalForm::default();
    let at = |k: i64| graph.substitute(&[(n, Graph::integer(k))]);
    let b = forms.simplify_graph(&at(0));
    let c = forms.simplify_graph(&subtract(&at(1), &b));
    let line = add(&multiply(&c, &Graph::variable(n)), &b);
    forms.normal_form(&subtract(graph, &line))?.is_zero().then_some([c, b])
}
