//! Functions of several numbers in which these meet.
//!
//! Of the functions of several numbers that are made at random most are sums of what each number does alone, or look at one of them.
//! A law that holds of such, as that a maximum of minima is the minimum of the maxima, is then refuted late or never. Here two numbers meet
//! before something is done to what they make together.

use super::Generator;
use crate::law::term::{Head, Id, Term};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// How many numbers a function takes until it answers with one; nothing where it takes or answers with something else.
fn arguments(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Real => Some(0),
        TyKind::Function(domain, codomain) => Some(domain.numbers()? + arguments(codomain)?),
        _ => None,
    }
}

impl Generator {
    /// In so many of a hundred cases, a function of this type in which two of the numbers that it takes meet, if it takes two.
    pub fn together(&mut self, ty: &Ty, size: usize, percent: usize) -> Option<Term> {
        (arguments(ty)? >= 2 && self.random.chance(percent)).then(|| self.meeting(ty, &mut Vec::new(), size))
    }

    fn meeting(&mut self, ty: &Ty, taken: &mut Vec<Term>, size: usize) -> Term {
        let TyKind::Function(domain, codomain) = ty.kind() else { return self.met(taken, size) };
        let id: Id = self.id();
        components(Term::new(Head::Variable(id), domain.clone(), Vec::new()), taken);
        let body = self.under(&[(id, domain.clone())], |g| g.meeting(codomain, taken, size.saturating_sub(1).max(1)));
        Term::new(Head::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// What becomes of two of these numbers together, and now and then of something else.
    fn met(&mut self, taken: &mut Vec<Term>, size: usize) -> Term {
        let mut pick = |random: &mut crate::random::Random| taken.swap_remove(random.below(taken.len()));
        let (a, b) = (pick(&mut self.random), pick(&mut self.random));
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

/// The numbers of an element of a type that is made of numbers.
fn components(term: Term, found: &mut Vec<Term>) {
    let TyKind::Tuple(parts) = term.ty.kind() else { return found.push(term) };
    for (index, part) in parts.clone().iter().enumerate() {
        components(Term::new(Head::Project(index), part.clone(), vec![term.clone()]), found);
    }
}
