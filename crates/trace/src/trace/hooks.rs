//! Hooks of the semantics, with which a rule of it is replaced: to see what becomes of programs under a wrong one. What comparisons make of
//! equal numbers is a matter of the [numbers](super::number::Numbers).

use super::environment::Functions;
use super::operation::Operation;
use super::renaming::Renaming;
use super::term::Term;
use super::ty::Ty;
use std::fmt::Debug;

/// What is asked where a rule may be replaced. What is not written is as in the paper.
///
/// *Theorems to keep*: Propositions 3.4 to 3.6, and that reverse derivatives are transposed derivatives, definedness
/// included (Theorem 6.1). `law::trace` tries them.
pub trait Hooks: Debug + Send + Sync {
    /// In which environment the body of a function is evaluated, of that of its closure and that of the call: the former.
    fn scope<'f>(&self, closure: &'f Functions, call: &'f Functions) -> &'f Functions {
        let _ = call;
        closure
    }
    /// What is evaluated of a conditional, given the branch that is taken and the other one, before the former is.
    fn besides<'t>(&self, other: &'t Term) -> Option<&'t Term> {
        let _ = other;
        None
    }
    /// The branch that is traced.
    fn traced<'t>(&self, taken: &'t Term, other: &'t Term) -> &'t Term {
        let _ = other;
        taken
    }
    /// What a value becomes in a trace, given the value of ρ there where its numbers are rational: it stays.
    fn value(&self, value: Term, closed: Option<Term>) -> Term {
        let _ = closed;
        value
    }
    /// What a call of a function that may not be unfolded again is: undefined.
    fn exhausted(&self, codomain: &Ty) -> Option<Term> {
        let _ = codomain;
        None
    }

    // ---- W.R_V(x : T. C)

    /// C with bound variables that are all different, and none of which is free in V or W.
    fn apart(&self, trace: &Term) -> Term {
        Renaming::apart(trace)
    }
    /// The components of `op_r⟨⟨x₁, …, xₖ⟩, w⟩`, op being y there.
    fn pullback(&self, operation: &Operation, x: &[Term], y: &Term, w: &Term) -> Vec<Term> {
        operation.pullback(x, y, w)
    }
    /// Whether op is evaluated wherever op_r is.
    fn whole_domain(&self) -> bool {
        true
    }
    /// What is handed to a variable by several of its uses: the sum.
    fn together(&self, so_far: Term, next: Term) -> Term {
        Term::sum(so_far, next)
    }
    /// What a pair of two parts of one type hands to them, of the parts y and z of its cotangent.
    fn pair(&self, y: Term, z: Term) -> [Term; 2] {
        [y, z]
    }
    /// What the first part of a pair of two parts of one type hands to the pair: `⟨W, 0⟩`.
    fn first(&self, w: Term, zero: Term) -> [Term; 2] {
        [w, zero]
    }
    /// Whether the trace is run where its derivative is 0 because nothing depends on x, or W is 0.
    fn runs_constants(&self) -> bool {
        true
    }
    /// At which variable the body of `let y = D in E` is differentiated: at y itself, which has the value of D.
    fn let_point(&self, y: Term, x: &Term, same_type: bool) -> Term {
        let _ = (x, same_type);
        y
    }

    // ---- of programs

    /// What a conditional hands on, by its branches: each what it does itself (A Prop. 4.3).
    fn branches(&self, then: Term, otherwise: Term) -> [Term; 2] {
        [then, otherwise]
    }
    /// What a call hands to its argument of type T: what the derivative of the function says (A Prop. 4.4).
    fn call(&self, derivative: Term, domain: &Ty) -> Term {
        let _ = domain;
        derivative
    }
}

/// Those of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
