//! Mutants of traces and their derivatives (A §3, §6.2).

use crate::number::Rational;
use crate::stack::with_stack;
use crate::trace::environment::FunctionEnvironment;
use crate::trace::error::TraceError;
use crate::trace::hooks::{DefaultTraceHooks, TraceHooks};
use crate::trace::neighbourhood::ValidityInterval;
use crate::trace::number::NumberSystem;
use crate::trace::operation::OperationSymbol;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{CoreDefinition, CoreTerm, CoreTermKind};
use crate::trace::ty::CoreTy;
use std::cmp::Ordering;
use std::sync::Arc;

rules! {
    /// Evaluation to traces, and their derivatives.
    Trace {
        Diagonal "trace_diagonal", "a comparison of equal numbers has no answer (A §2)" => "it is true";
        DynamicScope "trace_dynamic_scope", "a function is evaluated where it was defined (A Fig. 2)" => "where it is called";
        BothBranches "trace_both_branches", "of a conditional one branch is evaluated (A Fig. 2)" => "both are";
        OtherBranch "trace_other_branch", "the trace is that of the branch that is taken (A Fig. 4)" => "of the other one";
        Inlined "trace_inlined", "a variable stays in a trace (A Fig. 4)" => "its value stands there";
        LimitOff "trace_limit_off", "of letrecₙ a call unfolds n levels (A Fig. 8)" => "n + 1 levels";
        LimitAnswers "trace_limit_answers", "a function that may not be unfolded any more has no value (A Fig. 8)" => "it is 0";
        Captured "trace_captured", "bound variables of a trace are apart from V and W (A Fig. 6)" => "they are what they are";
        AtCotangent "trace_at_cotangent", "op_r⟨V, W⟩ has the slope at V (A §3)" => "at W";
        OwnFactor "trace_own_factor", "a factor is handed W times the other one (A §3)" => "times itself";
        LargerDomain "trace_larger_domain", "op_r is defined on Dom(op) × U (A §3)" => "wherever the slope is";
        LastUse "trace_last_use", "what the uses of a variable hand to it is added (A Fig. 6)" => "the last of it counts";
        PairSwapped "trace_pair_swapped", "a pair hands each part of W to its own part (A Fig. 6)" => "to the other part";
        FirstBoth "trace_first_both", "fst hands ⟨W, 0⟩ to the pair (A Fig. 6)" => "⟨W, W⟩";
        ConstantsSkipped "trace_constants_skipped", "a trace without x is run, since it may be undefined (A Thm 6.1)" => "its derivative is 0";
        OtherSlope "trace_other_slope", "the derivative of a conditional is that of the branch that is taken (A Prop. 4.3)" => "of the other one";
        ConstantCall "trace_constant_call", "a recursive call hands on what the derivative of the function says (A Prop. 4.4)" => "0";
        BoxByWidth "trace_box_by_width", "an end of a box is printed to a part of its distance from the point (A Thm 6.2)" => "of the width of the box";
        LetAtPoint "trace_let_at_point", "the body of let y = D is differentiated at the value of D (A Fig. 6)" => "at x";
    }
}

impl TraceHooks for Trace {
    fn body_scope<'f>(
        &self,
        closure: &'f FunctionEnvironment,
        call: &'f FunctionEnvironment,
    ) -> &'f FunctionEnvironment {
        if *self == Self::DynamicScope { call } else { closure }
    }
    fn also_evaluated<'t>(&self, other: &'t CoreTerm) -> Option<&'t CoreTerm> {
        (*self == Self::BothBranches).then_some(other)
    }
    fn traced_branch<'t>(&self, taken: &'t CoreTerm, other: &'t CoreTerm) -> &'t CoreTerm {
        if *self == Self::OtherBranch { other } else { taken }
    }
    fn traced_value(&self, value: CoreTerm, closed: Option<CoreTerm>) -> CoreTerm {
        match closed {
            Some(closed) if *self == Self::Inlined => closed,
            _ => value,
        }
    }
    fn exhausted_call(&self, codomain: &CoreTy) -> Option<CoreTerm> {
        (*self == Self::LimitAnswers).then(|| sugar::zero_of_type(codomain))
    }
    fn rename_apart(&self, trace: &CoreTerm) -> CoreTerm {
        if *self == Self::Captured { trace.clone() } else { with_stack(|| Renaming::rename_apart(trace)) }
    }
    fn operation_pullback(
        &self,
        operation: &OperationSymbol,
        x: &[CoreTerm],
        y: &CoreTerm,
        w: &CoreTerm,
    ) -> Vec<CoreTerm> {
        match (self, operation) {
            // the slope of x^q is q x^(q−1), here at the cotangent in place of x; q = 0 has no slope to misplace
            (Self::AtCotangent, OperationSymbol::Power(q)) if *q != 0 => {
                let slope = CoreTerm::operation(OperationSymbol::Power(Rational::from(q - 1)), w.clone());
                let slope = CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::number(q.clone()), slope);
                vec![CoreTerm::binary_operation(OperationSymbol::Multiply, w.clone(), slope)]
            }
            (Self::OwnFactor, OperationSymbol::Multiply) => {
                let mut pulled = operation.pullback(x, y, w);
                pulled.reverse();
                pulled
            }
            _ => operation.pullback(x, y, w),
        }
    }
    fn keeps_operation_domain(&self) -> bool {
        *self != Self::LargerDomain
    }
    fn add_cotangents(&self, so_far: CoreTerm, next: CoreTerm) -> CoreTerm {
        if *self == Self::LastUse { next } else { CoreTerm::sum(so_far, next) }
    }
    fn pair_cotangents(&self, y: CoreTerm, z: CoreTerm) -> [CoreTerm; 2] {
        if *self == Self::PairSwapped { [z, y] } else { [y, z] }
    }
    fn first_cotangents(&self, w: CoreTerm, zero: CoreTerm) -> [CoreTerm; 2] {
        if *self == Self::FirstBoth { [w.clone(), w] } else { [w, zero] }
    }
    fn runs_constants(&self) -> bool {
        *self != Self::ConstantsSkipped
    }
    fn derivative_branches(&self, then: CoreTerm, otherwise: CoreTerm) -> [CoreTerm; 2] {
        if *self == Self::OtherSlope { [otherwise, then] } else { [then, otherwise] }
    }
    fn call_cotangent(&self, derivative: CoreTerm, domain: &CoreTy) -> CoreTerm {
        if *self == Self::ConstantCall { sugar::zero_of_type(domain) } else { derivative }
    }
    fn let_point(&self, y: CoreTerm, x: &CoreTerm, same_type: bool) -> CoreTerm {
        if *self == Self::LetAtPoint && same_type { x.clone() } else { y }
    }
}

/// The rules of the semantics, of its numbers, and of its output.
pub trait TraceMutationHooks: TraceHooks {
    /// Returns the value of a comparison of equal numbers; `None` if it is undefined.
    fn on_the_diagonal(&self) -> Option<bool> {
        None
    }
    /// Returns the program that is run in place of `term`.
    fn program_to_run(&self, term: &CoreTerm) -> CoreTerm {
        term.clone()
    }
    /// Returns the decimals of a range.
    fn printed_range(&self, range: &ValidityInterval) -> [String; 2] {
        range.to_decimals()
    }
}

impl TraceMutationHooks for DefaultTraceHooks {}

impl TraceMutationHooks for Trace {
    fn on_the_diagonal(&self) -> Option<bool> {
        (*self == Self::Diagonal).then_some(true)
    }
    fn program_to_run(&self, term: &CoreTerm) -> CoreTerm {
        if *self == Self::LimitOff { unfold_once_more(term) } else { term.clone() }
    }
    fn printed_range(&self, range: &ValidityInterval) -> [String; 2] {
        let (Self::BoxByWidth, [least, most]) = (self, &range.point) else { return range.to_decimals() };
        // `to_decimals` rounds an end by its distance from the point, so the other end in place of the point gives the
        // width
        let part = Rational::from((1, 100));
        let point = match (&range.lo, &range.hi) {
            (Some(lo), Some(hi)) => [hi.clone(), lo.clone()],
            (Some(lo), None) => [lo + part, most.clone()],
            // a range without a second end has no width; 1/100 is a choice
            (None, Some(hi)) => [least.clone(), hi - part],
            (None, None) => return range.to_decimals(),
        };
        ValidityInterval { point, ..range.clone() }.to_decimals()
    }
}

/// Returns the program with one more unfolding for each limited recursive function.
fn unfold_once_more(term: &CoreTerm) -> CoreTerm {
    let found = term.kind().map_children(&mut |part| with_stack(|| unfold_once_more(part)));
    let found = match found {
        CoreTermKind::LetRec(definition, rest) => {
            let (body, limit) = (with_stack(|| unfold_once_more(&definition.body)), definition.limit.map(|n| n + 1));
            CoreTermKind::LetRec(Arc::new(CoreDefinition { body, limit, ..(*definition).clone() }), rest)
        }
        other => other,
    };
    CoreTerm::from(found).with_site(term.site())
}

/// Numbers that are compared under replaced rules.
#[derive(Clone, Copy, Debug)]
pub struct HookedNumbers<'r, N> {
    /// The numbers.
    pub numbers: &'r N,
    /// The rules of comparison.
    pub hooks: &'r dyn TraceMutationHooks,
}

impl<N: NumberSystem> NumberSystem for HookedNumbers<'_, N> {
    type Number = N::Number;

    fn represent_rational(&self, q: &Rational) -> N::Number {
        self.numbers.represent_rational(q)
    }
    fn add(&self, a: &N::Number, b: &N::Number) -> N::Number {
        self.numbers.add(a, b)
    }
    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&N::Number]) -> Result<N::Number, TraceError> {
        self.numbers.apply_operation(operation, arguments)
    }
    fn compare(&self, a: &N::Number, b: &N::Number) -> Result<Ordering, Option<i64>> {
        self.numbers.compare(a, b)
    }
    fn decide_equal(&self) -> Option<bool> {
        self.hooks.on_the_diagonal()
    }
    fn exact_rational(&self, number: &N::Number) -> Option<Rational> {
        self.numbers.exact_rational(number)
    }
}
