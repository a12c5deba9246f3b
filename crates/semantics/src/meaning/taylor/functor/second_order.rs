//! Taylor representations of derivatives and integrals, which H's language lacks.

use super::Taylor;
use crate::function::Functional;
use crate::meaning::taylor::block::{call, term, variable};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};

impl Taylor {
    /// Builds `f ↦ x ↦ ∂_s f (x₀ + s, x₁, …)_α` at s = 0, for each α.
    pub(super) fn derivative(&self) -> Term {
        let [f, x, s] = ["f", "x", "s"].map(Name::from);
        let moved = (0..self.basis.len()).map(|index| {
            let coordinate = term(TermKind::Project { tuple: variable(1, &x), index });
            if index == 0 { call(Constant::Add, [coordinate, variable(0, &s)]) } else { coordinate }
        });
        let value = Term::apply(variable(2, &f), term(TermKind::Tuple(moved.collect())), Span::default());
        let parts = (0..self.basis.len()).map(|index| {
            let body = term(TermKind::Project { tuple: value.clone(), index });
            let function = term(TermKind::Lambda { name: s.clone(), body });
            call(Constant::Deriv, [function, term(TermKind::Real(Rational::new()))])
        });
        let body = term(TermKind::Tuple(parts.collect()));
        let body = term(TermKind::Lambda { name: x, body });
        term(TermKind::Lambda { name: f, body })
    }

    /// Builds `f ↦ ∫ f (x, 0, …)_α dx`, for each α.
    pub(super) fn integral(&self) -> Term {
        let [f, x] = ["f", "x"].map(Name::from);
        // the variable of integration does not depend on the outer variables: its derivatives are 0
        let value = Term::apply(variable(1, &f), self.still(variable(0, &x)), Span::default());
        let parts = (0..self.basis.len()).map(|index| {
            let body = term(TermKind::Project { tuple: value.clone(), index });
            call(Constant::Functional(Functional::Integral), [term(TermKind::Lambda { name: x.clone(), body })])
        });
        let body = term(TermKind::Tuple(parts.collect()));
        term(TermKind::Lambda { name: f, body })
    }
}
