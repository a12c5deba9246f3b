//! Taylor representations of derivatives and integrals, which H's language lacks.

use super::Taylor;
use crate::function::Functional;
use crate::meaning::taylor::block::{apply_constant_term, term_without_source, variable_term};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};

impl Taylor {
    /// Builds `f ↦ x ↦ ∂_s f (x₀ + s, x₁, …)_α` at s = 0, for each α.
    pub(super) fn derivative_function(&self) -> Term {
        let [f, x, s] = ["f", "x", "s"].map(Name::from);
        let moved = (0..self.basis.len()).map(|index| {
            let coordinate = term_without_source(TermKind::Project { tuple: variable_term(1, &x), index });
            if index == 0 { apply_constant_term(Constant::Add, [coordinate, variable_term(0, &s)]) } else { coordinate }
        });
        let value =
            Term::apply(variable_term(2, &f), term_without_source(TermKind::Tuple(moved.collect())), Span::default());
        let parts = (0..self.basis.len()).map(|index| {
            let body = term_without_source(TermKind::Project { tuple: value.clone(), index });
            let function = term_without_source(TermKind::Lambda { name: s.clone(), body });
            apply_constant_term(Constant::Deriv, [function, term_without_source(TermKind::Real(Rational::new()))])
        });
        let body = term_without_source(TermKind::Tuple(parts.collect()));
        let body = term_without_source(TermKind::Lambda { name: x, body });
        term_without_source(TermKind::Lambda { name: f, body })
    }

    /// Builds `f ↦ ∫ f (x, 0, …)_α dx`, for each α.
    pub(super) fn integral_function(&self) -> Term {
        let [f, x] = ["f", "x"].map(Name::from);
        // the variable of integration does not depend on the outer variables: its derivatives are 0
        let value = Term::apply(variable_term(1, &f), self.constant_jet(variable_term(0, &x)), Span::default());
        let parts = (0..self.basis.len()).map(|index| {
            let body = term_without_source(TermKind::Project { tuple: value.clone(), index });
            apply_constant_term(
                Constant::Functional(Functional::Integral),
                [term_without_source(TermKind::Lambda { name: x.clone(), body })],
            )
        });
        let body = term_without_source(TermKind::Tuple(parts.collect()));
        term_without_source(TermKind::Lambda { name: f, body })
    }
}
