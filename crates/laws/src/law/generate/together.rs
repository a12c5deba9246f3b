//! Random functions of several numbers that combine two of their arguments.
//!
//! Most random functions of several numbers are sums of functions of one number, or ignore all arguments but one. Some
//! false laws hold for such functions, for example that a maximum of minima is the minimum of the maxima, and are
//! refuted late or never. The functions here combine two arguments before any other operation.

use super::TermGenerator;
use crate::law::term::{BinderId, TermHead, TestTerm};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// Returns the number of real arguments until the result is a number. Returns `None` if an argument or the result
/// consists of anything else.
fn count_real_arguments(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Real => Some(0),
        TyKind::Function(domain, codomain) => Some(domain.real_dimension()? + count_real_arguments(codomain)?),
        _ => None,
    }
}

impl TermGenerator {
    /// In `percent` cases of a hundred, draws a function of type `ty` that combines two of its arguments. Returns
    /// `None` in the other cases, and if the function takes fewer than two numbers.
    pub fn draw_joint_function(&mut self, ty: &Ty, size: usize, percent: usize) -> Option<TestTerm> {
        (count_real_arguments(ty)? >= 2 && self.random.random_bool(percent))
            .then(|| self.draw_joint_body(ty, &mut Vec::new(), size))
    }

    /// Binds the arguments of a function of type `ty`, collects their numbers in `taken`, and then draws the body.
    fn draw_joint_body(&mut self, ty: &Ty, taken: &mut Vec<TestTerm>, size: usize) -> TestTerm {
        let TyKind::Function(domain, codomain) = ty.kind() else { return self.join_arguments(taken, size) };
        let id: BinderId = self.fresh_id();
        collect_numbers(TestTerm::new(TermHead::Variable(id), domain.clone(), Vec::new()), taken);
        let body = self.with_binders(&[(id, domain.clone())], |g| {
            g.draw_joint_body(codomain, taken, size.saturating_sub(1).max(1))
        });
        TestTerm::new(TermHead::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// Combines two of the numbers in `taken`, and in half of the cases the result with a random term.
    fn join_arguments(&mut self, taken: &mut Vec<TestTerm>, size: usize) -> TestTerm {
        let mut pick = |random: &mut crate::random::SplitMix64| taken.swap_remove(random.next_below(taken.len()));
        let (a, b) = (pick(&mut self.random), pick(&mut self.random));
        // each form has its kink or zero on a curve that depends on both numbers
        let joint = match self.random.next_below(3) {
            0 => TestTerm::real_operation(Constant::Subtract, vec![a, b]),
            1 => TestTerm::real_operation(
                Constant::Subtract,
                vec![TestTerm::real_operation(Constant::Add, vec![a, b]), TestTerm::real_literal(1)],
            ),
            _ => {
                let half = |term| {
                    TestTerm::real_operation(
                        Constant::Subtract,
                        vec![term, TestTerm::real_literal(Rational::from((1, 2)))],
                    )
                };
                TestTerm::real_operation(Constant::Multiply, vec![half(a), half(b)])
            }
        };
        let bent = if self.vocabulary.allows_constant(Constant::Abs) && self.random.random_bool(40) {
            TestTerm::real_operation(Constant::Abs, vec![joint])
        } else if self.random.random_bool(70) {
            TestTerm::new(TermHead::Power(Rational::from(2)), Ty::real(), vec![joint])
        } else {
            joint
        };
        if self.random.random_bool(50) {
            return bent;
        }
        let other = self.draw_term(&Ty::real(), (size / 2).max(1));
        let constant = self.pick_constant(&[Constant::Add, Constant::Subtract, Constant::Multiply]);
        TestTerm::real_operation(constant, vec![bent, other])
    }
}

/// Collects the numbers that an element of a type of numbers consists of.
fn collect_numbers(term: TestTerm, found: &mut Vec<TestTerm>) {
    let TyKind::Tuple(parts) = term.ty.kind() else { return found.push(term) };
    for (index, part) in parts.clone().iter().enumerate() {
        collect_numbers(TestTerm::new(TermHead::Project(index), part.clone(), vec![term.clone()]), found);
    }
}
