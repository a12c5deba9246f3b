//! Hooks that replace single rules of the semantics, to test that a wrong rule is detected. The result of a comparison
//! of equal numbers belongs to the [numbers](super::number::NumberSystem).

use super::environment::FunctionEnvironment;
use super::operation::OperationSymbol;
use super::renaming::Renaming;
use super::term::CoreTerm;
use super::ty::CoreTy;
use std::fmt::Debug;

/// Rules of the semantics that may be replaced. The provided methods are the rules of the paper.
///
/// *Theorems to keep*: Propositions 3.4 to 3.6, and that reverse derivatives are transposed derivatives, definedness
/// included (Theorem 6.1). The laws in `law::trace` test them.
pub trait TraceHooks: Debug + Send + Sync {
    /// Returns the function environment in which the body of a function is evaluated: that of its closure (static
    /// scope), not that of the call.
    fn body_scope<'f>(
        &self,
        closure: &'f FunctionEnvironment,
        call: &'f FunctionEnvironment,
    ) -> &'f FunctionEnvironment {
        let _ = call;
        closure
    }
    /// Returns a branch to evaluate before the taken one; `None`, since only the taken branch is evaluated.
    fn also_evaluated<'t>(&self, other: &'t CoreTerm) -> Option<&'t CoreTerm> {
        let _ = other;
        None
    }
    /// Returns the branch that is traced: the taken one.
    fn traced_branch<'t>(&self, taken: &'t CoreTerm, other: &'t CoreTerm) -> &'t CoreTerm {
        let _ = other;
        taken
    }
    /// Returns a value as it stands in a trace: with its variables. `closed` is the value of ρ as a term, if its
    /// numbers are rational.
    fn traced_value(&self, value: CoreTerm, closed: Option<CoreTerm>) -> CoreTerm {
        let _ = closed;
        value
    }
    /// Returns a term in place of a call without unfoldings left; `None`, since such a call is undefined.
    fn exhausted_call(&self, codomain: &CoreTy) -> Option<CoreTerm> {
        let _ = codomain;
        None
    }

    // ---- W.R_V(x : T. C)

    /// Renames the bound variables of C, so that all are different, and none is free in V or W.
    fn rename_apart(&self, trace: &CoreTerm) -> CoreTerm {
        Renaming::rename_apart(trace)
    }
    /// Returns the components of `operation_pullback⟨⟨x₁, …, xₖ⟩, w⟩`, where y is the value of op.
    fn operation_pullback(
        &self,
        operation: &OperationSymbol,
        x: &[CoreTerm],
        y: &CoreTerm,
        w: &CoreTerm,
    ) -> Vec<CoreTerm> {
        operation.pullback(x, y, w)
    }
    /// Returns `true` if op_r evaluates op too, so that it has the domain of op.
    fn keeps_operation_domain(&self) -> bool {
        true
    }
    /// Adds the cotangents of a variable from two of its uses.
    fn add_cotangents(&self, so_far: CoreTerm, next: CoreTerm) -> CoreTerm {
        CoreTerm::sum(so_far, next)
    }
    /// Returns the cotangents of the two parts of a pair, which have the same type, from the parts y and z of its
    /// cotangent.
    fn pair_cotangents(&self, y: CoreTerm, z: CoreTerm) -> [CoreTerm; 2] {
        [y, z]
    }
    /// Returns the parts of the cotangent of M in `fst(M)`, for parts of the same type: `⟨W, 0⟩`.
    fn first_cotangents(&self, w: CoreTerm, zero: CoreTerm) -> [CoreTerm; 2] {
        [w, zero]
    }
    /// Returns `true` if the trace is run even where its derivative is 0 because no part depends on x, or W is 0.
    fn runs_constants(&self) -> bool {
        true
    }
    /// Returns the point at which the body of `let y = D in E` is differentiated in y: y itself, which has the value of
    /// D.
    fn let_point(&self, y: CoreTerm, x: &CoreTerm, same_type: bool) -> CoreTerm {
        let _ = (x, same_type);
        y
    }

    // ---- derivatives of programs

    /// Returns the branches of the derivative of a conditional, from the derivatives of its branches (A Prop. 4.3).
    fn derivative_branches(&self, then: CoreTerm, otherwise: CoreTerm) -> [CoreTerm; 2] {
        [then, otherwise]
    }
    /// Returns the cotangent of the argument, of type T, of a call, from the call of the derivative function (A Prop.
    /// 4.4).
    fn call_cotangent(&self, derivative: CoreTerm, domain: &CoreTy) -> CoreTerm {
        let _ = domain;
        derivative
    }
}

/// The hooks of the paper's rules.
#[derive(Clone, Copy, Debug)]
pub struct DefaultTraceHooks;

impl TraceHooks for DefaultTraceHooks {}
