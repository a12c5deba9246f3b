//! Hooks that replace single rules of the semantics, to test that a wrong rule is detected. The result of a comparison
//! of equal numbers belongs to the [numbers](super::number::Numbers).

use super::environment::Functions;
use super::operation::Operation;
use super::renaming::Renaming;
use super::term::Term;
use super::ty::Ty;
use std::fmt::Debug;

/// Rules of the semantics that may be replaced. The provided methods are the rules of the paper.
///
/// *Theorems to keep*: Propositions 3.4 to 3.6, and that reverse derivatives are transposed derivatives, definedness
/// included (Theorem 6.1). The laws in `law::trace` test them.
pub trait Hooks: Debug + Send + Sync {
    /// Returns the function environment in which the body of a function is evaluated: that of its closure (static
    /// scope), not that of the call.
    fn scope<'f>(&self, closure: &'f Functions, call: &'f Functions) -> &'f Functions {
        let _ = call;
        closure
    }
    /// Returns a branch to evaluate before the taken one; `None`, since only the taken branch is evaluated.
    fn besides<'t>(&self, other: &'t Term) -> Option<&'t Term> {
        let _ = other;
        None
    }
    /// Returns the branch that is traced: the taken one.
    fn traced<'t>(&self, taken: &'t Term, other: &'t Term) -> &'t Term {
        let _ = other;
        taken
    }
    /// Returns a value as it stands in a trace: with its variables. `closed` is the value of ρ as a term, if its
    /// numbers are rational.
    fn value(&self, value: Term, closed: Option<Term>) -> Term {
        let _ = closed;
        value
    }
    /// Returns a term in place of a call without unfoldings left; `None`, since such a call is undefined.
    fn exhausted(&self, codomain: &Ty) -> Option<Term> {
        let _ = codomain;
        None
    }

    // ---- W.R_V(x : T. C)

    /// Renames the bound variables of C, so that all are different, and none is free in V or W.
    fn apart(&self, trace: &Term) -> Term {
        Renaming::apart(trace)
    }
    /// Returns the components of `op_r⟨⟨x₁, …, xₖ⟩, w⟩`, where y is the value of op.
    fn pullback(&self, operation: &Operation, x: &[Term], y: &Term, w: &Term) -> Vec<Term> {
        operation.pullback(x, y, w)
    }
    /// Returns `true` if op_r evaluates op too, so that it has the domain of op.
    fn whole_domain(&self) -> bool {
        true
    }
    /// Adds the cotangents of a variable from two of its uses.
    fn together(&self, so_far: Term, next: Term) -> Term {
        Term::sum(so_far, next)
    }
    /// Returns the cotangents of the two parts of a pair, which have the same type, from the parts y and z of its
    /// cotangent.
    fn pair(&self, y: Term, z: Term) -> [Term; 2] {
        [y, z]
    }
    /// Returns the parts of the cotangent of M in `fst(M)`, for parts of the same type: `⟨W, 0⟩`.
    fn first(&self, w: Term, zero: Term) -> [Term; 2] {
        [w, zero]
    }
    /// Returns `true` if the trace is run even where its derivative is 0 because no part depends on x, or W is 0.
    fn runs_constants(&self) -> bool {
        true
    }
    /// Returns the point at which the body of `let y = D in E` is differentiated in y: y itself, which has the value of
    /// D.
    fn let_point(&self, y: Term, x: &Term, same_type: bool) -> Term {
        let _ = (x, same_type);
        y
    }

    // ---- derivatives of programs

    /// Returns the branches of the derivative of a conditional, from the derivatives of its branches (A Prop. 4.3).
    fn branches(&self, then: Term, otherwise: Term) -> [Term; 2] {
        [then, otherwise]
    }
    /// Returns the cotangent of the argument, of type T, of a call, from the call of the derivative function (A Prop.
    /// 4.4).
    fn call(&self, derivative: Term, domain: &Ty) -> Term {
        let _ = domain;
        derivative
    }
}

/// The hooks of the paper's rules.
#[derive(Clone, Copy, Debug)]
pub struct Library;

impl Hooks for Library {}
