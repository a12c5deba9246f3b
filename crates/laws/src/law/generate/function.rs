//! Random terms of function types and of tangent types.

use super::Generator;
use crate::function::{Function, Functional};
use crate::law::term::{Head, Term, pair, tangents};
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

impl Generator {
    /// Draws a function: a variable, a constant without its arguments, a conditional, or a λ-abstraction.
    pub(super) fn function(&mut self, ty: &Ty, domain: &Ty, codomain: &Ty, size: usize) -> Term {
        if self.random.chance(15)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        let reals = [domain, codomain].iter().all(|ty| matches!(ty.kind(), TyKind::Real));
        if reals && self.random.chance(if size < 3 { 25 } else { 8 }) {
            return self.named(ty, size);
        }
        let binary = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
        if *ty == binary && self.random.chance(25) {
            use Constant::{Add, Divide, Max, Min, Multiply, Subtract};
            let constant = self.pick(&[Add, Subtract, Multiply, Divide, Max, Min]);
            return Term::call(constant, ty.clone(), Vec::new());
        }
        if self.vocabulary.allows(Constant::Functional(Functional::Integral))
            && *ty == Ty::function(Ty::function(Ty::real(), Ty::real()), Ty::real())
            && self.random.chance(25)
        {
            let constant = self.pick(&[
                Constant::Functional(Functional::Integral),
                Constant::Functional(Functional::Maximum),
                Constant::Functional(Functional::Minimiser),
            ]);
            return Term::call(constant, ty.clone(), Vec::new());
        }
        if size > 6 && self.random.chance(5) {
            return self.conditional(ty, size);
        }
        let id = self.id();
        let body = self.under(&[(id, domain.clone())], |g| g.term(codomain, size.saturating_sub(1).max(1)));
        Term::new(Head::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// Draws a function on the reals without a λ: a constant, perhaps with its first argument.
    fn named(&mut self, ty: &Ty, size: usize) -> Term {
        use Constant::{Abs, Deriv, Elementary, Max, Min, Multiply, Negate, Subtract};
        use Function::{Atan, Cos, Exp, Sin};
        let functions = [Exp, Sin, Cos, Atan].map(Elementary);
        let others = [Abs, Negate, Max, Min, Subtract, Multiply, Deriv];
        let constant = self.pick(&[&functions[..], &others].concat());
        match constant {
            Deriv => {
                self.derivatives += 1;
                let function = self.term(ty, size.saturating_sub(1).max(2));
                self.derivatives -= 1;
                Term::call(Deriv, ty.clone(), vec![function])
            }
            Max | Min | Subtract | Multiply => {
                let first = self.term(&Ty::real(), size.saturating_sub(1).max(1));
                Term::call(constant, ty.clone(), vec![first])
            }
            _ => Term::call(constant, ty.clone(), Vec::new()),
        }
    }

    /// Draws a tangent: a variable, the image of a tangent under a map, or a value with a direction.
    pub(super) fn tangent(&mut self, ty: &Ty, of: &Ty, size: usize) -> Term {
        if self.random.chance(20)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        // a choice: three of five, since this is the only form that differentiates
        if size > 5 && self.random.chance(60) {
            return self.pushed(ty, of, size);
        }
        let [a, b] = self.split(size);
        match of.kind() {
            // T(A × B) ≅ TA × TB
            TyKind::Tuple(parts) if parts.len() == 2 => {
                let sides = vec![self.term(&tangents(parts[0].clone()), a), self.term(&tangents(parts[1].clone()), b)];
                let sides = Term::new(Head::Tuple, pair(tangents(parts[0].clone()), tangents(parts[1].clone())), sides);
                Term::new(Head::From(Constant::TangentProd), ty.clone(), vec![sides])
            }
            TyKind::Real => self.attached(ty, of, Constant::TangentR, a, b),
            TyKind::Function(_, codomain) if matches!(codomain.kind(), TyKind::Real) => {
                self.attached(ty, of, Constant::TangentToR, a, b)
            }
            _ => self.pushed(ty, of, size),
        }
    }

    /// Attaches a direction to a value, by an isomorphism `TA ≅ A × A`.
    fn attached(&mut self, ty: &Ty, of: &Ty, isomorphism: Constant, a: usize, b: usize) -> Term {
        let parts = vec![self.term(of, a), self.term(of, b)];
        let parts = Term::new(Head::Tuple, pair(of.clone(), of.clone()), parts);
        Term::new(Head::From(isomorphism), ty.clone(), vec![parts])
    }

    /// Draws `tangent f v`, with v a tangent to a number, to a pair of numbers, or to a real function.
    fn pushed(&mut self, ty: &Ty, of: &Ty, size: usize) -> Term {
        let real = Ty::real;
        let domain = match self.random.below(4) {
            0 | 1 => real(),
            2 => pair(real(), real()),
            _ => Ty::function(real(), real()),
        };
        let [f, v] = self.split(size);
        self.derivatives += 1;
        let function = self.term(&Ty::function(domain.clone(), of.clone()), f.max(size / 2));
        self.derivatives -= 1;
        let tangent = self.term(&tangents(domain), v.min(5));
        Term::call(Constant::Tangent, ty.clone(), vec![function, tangent])
    }
}
