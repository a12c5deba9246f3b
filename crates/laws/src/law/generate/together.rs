//! Random functions of several numbers that combine two of their arguments.
//!
//! Most random functions of several numbers are sums of functions of one number, or ignore all arguments but one. Some
//! false laws hold for such functions, for example that a maximum of minima is the minimum of the maxima, and are
//! refuted late or never. The functions here combine two arguments before any other operation.

use super::Generator;
use crate::law::term::{Head, Id, Term};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// Returns the number of real arguments until the result is a number. Returns `None` if an argument or the result
/// consists of anything else.
fn arguments(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Real => Some(0),
        TyKind::Function(domain, codomain) => Some(domain.numbers()? + arguments(codomain)?),
        _ => None,
    }
}

impl Generator {
    /// In `percent` cases of a hundred, draws a function of type `ty` that combines two of its arguments. Returns
    /// `None` in the other cases, and if the function takes fewer than two numbers.
    pub fn together(&mut self, ty: &Ty, size: usize, percent: usize) -> Option<Term> {
        (arguments(ty)? >= 2 && self.random.chance(percent)).then(|| self.meeting(ty, &mut Vec::new(), size))
    }

    /// Binds the arguments of a function of type `ty`, collects their numbers in `taken`, and then draws the body.
    fn meeting(&mut self, ty: &Ty, taken: &mut Vec<Term>, size: usize) -> Term {
        let TyKind::Function(domain, codomain) = ty.kind() else { return self.met(taken, size) };
        let id: Id = self.id();
        components(Term::new(Head::Variable(id), domain.clone(), Vec::new()), taken);
        let body = self.under(&[(id, domain.clone())], |g| g.meeting(codomain, taken, size.saturating_sub(1).max(1)));
        Term::new(Head::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// Combines two of the numbers in `taken`, and in half of the cases the result with a random term.
    fn met(&mut self, taken: &mut Vec<Term>, size: usize) -> Term {
        let mut pick = |random: &mut crate::random::Random| taken.swap_remove(random.below(taken.len()));
        let (a, b) = (pick(&mut self.random), pick(&mut self.random));
        // each form has its kink or zero on a curve that depends on both numbers
        let joint = match self.random.below(3) {
            0 => Term::operation(Constant::Subtract, vec![a, b]),
            1 => Term::operation(Constant::Subtract, vec![Term::operation(Constant::Add, vec![a, b]), Term::real(1)]),
            _ => {
                let half = |term| Term::operation(Constant::Subtract, vec![term, Term::real(Rational::from((1, 2)))]);
                Term::operation(Constant::Multiply, vec![half(a), half(b)])
            }
        };
        let bent = if self.vocabulary.allows(Constant::Abs) && self.random.chance(40) {
            Term::operation(Constant::Abs, vec![joint])
        } else if self.random.chance(70) {
            Term::new(Head::Power(Rational::from(2)), Ty::real(), vec![joint])
        } else {
            joint
        };
        if self.random.chance(50) {
            return bent;
        }
        let other = self.term(&Ty::real(), (size / 2).max(1));
        let constant = self.pick(&[Constant::Add, Constant::Subtract, Constant::Multiply]);
        Term::operation(constant, vec![bent, other])
    }
}

/// Collects the numbers that an element of a type of numbers consists of.
fn components(term: Term, found: &mut Vec<Term>) {
    let TyKind::Tuple(parts) = term.ty.kind() else { return found.push(term) };
    for (index, part) in parts.clone().iter().enumerate() {
        components(Term::new(Head::Project(index), part.clone(), vec![term.clone()]), found);
    }
}
