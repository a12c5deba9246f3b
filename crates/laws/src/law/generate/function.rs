//! Random terms of function types and of tangent types.

use super::TermGenerator;
use crate::function::{Function, Functional};
use crate::law::term::{TermHead, TestTerm, pair_type, tangent_type};
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

impl TermGenerator {
    /// Draws a function: a variable, a constant without its arguments, a conditional, or a λ-abstraction.
    pub(super) fn draw_function(&mut self, ty: &Ty, domain: &Ty, codomain: &Ty, size: usize) -> TestTerm {
        if self.random.random_bool(15)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        let reals = [domain, codomain].iter().all(|ty| matches!(ty.kind(), TyKind::Real));
        if reals && self.random.random_bool(if size < 3 { 25 } else { 8 }) {
            return self.draw_named_function(ty, size);
        }
        let binary = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
        if *ty == binary && self.random.random_bool(25) {
            use Constant::{Add, Divide, Max, Min, Multiply, Subtract};
            let constant = self.pick_constant(&[Add, Subtract, Multiply, Divide, Max, Min]);
            return TestTerm::apply_constant(constant, ty.clone(), Vec::new());
        }
        if self.vocabulary.allows_constant(Constant::Functional(Functional::Integral))
            && *ty == Ty::function(Ty::function(Ty::real(), Ty::real()), Ty::real())
            && self.random.random_bool(25)
        {
            let constant = self.pick_constant(&[
                Constant::Functional(Functional::Integral),
                Constant::Functional(Functional::Maximum),
                Constant::Functional(Functional::Minimiser),
            ]);
            return TestTerm::apply_constant(constant, ty.clone(), Vec::new());
        }
        if size > 6 && self.random.random_bool(5) {
            return self.draw_conditional(ty, size);
        }
        let id = self.fresh_id();
        let body = self.with_binders(&[(id, domain.clone())], |g| g.draw_term(codomain, size.saturating_sub(1).max(1)));
        TestTerm::new(TermHead::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// Draws a function on the reals without a λ: a constant, perhaps with its first argument.
    fn draw_named_function(&mut self, ty: &Ty, size: usize) -> TestTerm {
        use Constant::{Abs, Deriv, Elementary, Max, Min, Multiply, Negate, Subtract};
        use Function::{Atan, Cos, Exp, Sin};
        let functions = [Exp, Sin, Cos, Atan].map(Elementary);
        let others = [Abs, Negate, Max, Min, Subtract, Multiply, Deriv];
        let constant = self.pick_constant(&[&functions[..], &others].concat());
        match constant {
            Deriv => {
                self.derivative_depth += 1;
                let function = self.draw_term(ty, size.saturating_sub(1).max(2));
                self.derivative_depth -= 1;
                TestTerm::apply_constant(Deriv, ty.clone(), vec![function])
            }
            Max | Min | Subtract | Multiply => {
                let first = self.draw_term(&Ty::real(), size.saturating_sub(1).max(1));
                TestTerm::apply_constant(constant, ty.clone(), vec![first])
            }
            _ => TestTerm::apply_constant(constant, ty.clone(), Vec::new()),
        }
    }

    /// Draws a tangent: a variable, the image of a tangent under a map, or a value with a direction.
    pub(super) fn draw_tangent(&mut self, ty: &Ty, of: &Ty, size: usize) -> TestTerm {
        if self.random.random_bool(20)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        // a choice: three of five, since this is the only form that differentiates
        if size > 5 && self.random.random_bool(60) {
            return self.push_tangent(ty, of, size);
        }
        let [a, b] = self.split_size(size);
        match of.kind() {
            // T(A × B) ≅ TA × TB
            TyKind::Tuple(parts) if parts.len() == 2 => {
                let sides = vec![
                    self.draw_term(&tangent_type(parts[0].clone()), a),
                    self.draw_term(&tangent_type(parts[1].clone()), b),
                ];
                let sides = TestTerm::new(
                    TermHead::Tuple,
                    pair_type(tangent_type(parts[0].clone()), tangent_type(parts[1].clone())),
                    sides,
                );
                TestTerm::new(TermHead::IsoInverse(Constant::TangentProd), ty.clone(), vec![sides])
            }
            TyKind::Real => self.attach_direction(ty, of, Constant::TangentR, a, b),
            TyKind::Function(_, codomain) if matches!(codomain.kind(), TyKind::Real) => {
                self.attach_direction(ty, of, Constant::TangentToR, a, b)
            }
            _ => self.push_tangent(ty, of, size),
        }
    }

    /// Attaches a direction to a value, by an isomorphism `TA ≅ A × A`.
    fn attach_direction(&mut self, ty: &Ty, of: &Ty, isomorphism: Constant, a: usize, b: usize) -> TestTerm {
        let parts = vec![self.draw_term(of, a), self.draw_term(of, b)];
        let parts = TestTerm::new(TermHead::Tuple, pair_type(of.clone(), of.clone()), parts);
        TestTerm::new(TermHead::IsoInverse(isomorphism), ty.clone(), vec![parts])
    }

    /// Draws `tangent f v`, with v a tangent to a number, to a pair of numbers, or to a real function.
    fn push_tangent(&mut self, ty: &Ty, of: &Ty, size: usize) -> TestTerm {
        let real = Ty::real;
        let domain = match self.random.next_below(4) {
            0 | 1 => real(),
            2 => pair_type(real(), real()),
            _ => Ty::function(real(), real()),
        };
        let [f, v] = self.split_size(size);
        self.derivative_depth += 1;
        let function = self.draw_term(&Ty::function(domain.clone(), of.clone()), f.max(size / 2));
        self.derivative_depth -= 1;
        let tangent = self.draw_term(&tangent_type(domain), v.min(5));
        TestTerm::apply_constant(Constant::Tangent, ty.clone(), vec![function, tangent])
    }
}
