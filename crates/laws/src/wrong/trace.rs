//! Mutants of traces and their derivatives (A §3, §6.2).

use crate::number::Rational;
use crate::stack::deep;
use crate::trace::environment::Functions;
use crate::trace::error::Obstacle;
use crate::trace::hooks::{Hooks, Library};
use crate::trace::neighbourhood::Range;
use crate::trace::number::Numbers;
use crate::trace::operation::Operation;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{Definition, Term, TermKind};
use crate::trace::ty::Ty;
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

impl Hooks for Trace {
    fn scope<'f>(&self, closure: &'f Functions, call: &'f Functions) -> &'f Functions {
        if *self == Self::DynamicScope { call } else { closure }
    }
    fn besides<'t>(&self, other: &'t Term) -> Option<&'t Term> {
        (*self == Self::BothBranches).then_some(other)
    }
    fn traced<'t>(&self, taken: &'t Term, other: &'t Term) -> &'t Term {
        if *self == Self::OtherBranch { other } else { taken }
    }
    fn value(&self, value: Term, closed: Option<Term>) -> Term {
        match closed {
            Some(closed) if *self == Self::Inlined => closed,
            _ => value,
        }
    }
    fn exhausted(&self, codomain: &Ty) -> Option<Term> {
        (*self == Self::LimitAnswers).then(|| sugar::zero(codomain))
    }
    fn apart(&self, trace: &Term) -> Term {
        if *self == Self::Captured { trace.clone() } else { deep(|| Renaming::apart(trace)) }
    }
    fn pullback(&self, operation: &Operation, x: &[Term], y: &Term, w: &Term) -> Vec<Term> {
        match (self, operation) {
            // the slope of x^q is q x^(q−1), here at the cotangent in place of x; q = 0 has no slope to misplace
            (Self::AtCotangent, Operation::Power(q)) if *q != 0 => {
                let slope = Term::operation(Operation::Power(Rational::from(q - 1)), w.clone());
                let slope = Term::binary(Operation::Multiply, Term::number(q.clone()), slope);
                vec![Term::binary(Operation::Multiply, w.clone(), slope)]
            }
            (Self::OwnFactor, Operation::Multiply) => {
                let mut pulled = operation.pullback(x, y, w);
                pulled.reverse();
                pulled
            }
            _ => operation.pullback(x, y, w),
        }
    }
    fn whole_domain(&self) -> bool {
        *self != Self::LargerDomain
    }
    fn together(&self, so_far: Term, next: Term) -> Term {
        if *self == Self::LastUse { next } else { Term::sum(so_far, next) }
    }
    fn pair(&self, y: Term, z: Term) -> [Term; 2] {
        if *self == Self::PairSwapped { [z, y] } else { [y, z] }
    }
    fn first(&self, w: Term, zero: Term) -> [Term; 2] {
        if *self == Self::FirstBoth { [w.clone(), w] } else { [w, zero] }
    }
    fn runs_constants(&self) -> bool {
        *self != Self::ConstantsSkipped
    }
    fn branches(&self, then: Term, otherwise: Term) -> [Term; 2] {
        if *self == Self::OtherSlope { [otherwise, then] } else { [then, otherwise] }
    }
    fn call(&self, derivative: Term, domain: &Ty) -> Term {
        if *self == Self::ConstantCall { sugar::zero(domain) } else { derivative }
    }
    fn let_point(&self, y: Term, x: &Term, same_type: bool) -> Term {
        if *self == Self::LetAtPoint && same_type { x.clone() } else { y }
    }
}

/// The rules of the semantics, of its numbers, and of its output.
pub trait TraceRules: Hooks {
    /// Returns the value of a comparison of equal numbers; `None` if it is undefined.
    fn on_the_diagonal(&self) -> Option<bool> {
        None
    }
    /// Returns the program that is run in place of `term`.
    fn program(&self, term: &Term) -> Term {
        term.clone()
    }
    /// Returns the decimals of a range.
    fn printed(&self, range: &Range) -> [String; 2] {
        range.decimals()
    }
}

impl TraceRules for Library {}

impl TraceRules for Trace {
    fn on_the_diagonal(&self) -> Option<bool> {
        (*self == Self::Diagonal).then_some(true)
    }
    fn program(&self, term: &Term) -> Term {
        if *self == Self::LimitOff { unfolded_more(term) } else { term.clone() }
    }
    fn printed(&self, range: &Range) -> [String; 2] {
        let (Self::BoxByWidth, [least, most]) = (self, &range.point) else { return range.decimals() };
        // `decimals` rounds an end by its distance from the point, so the other end in place of the point gives the
        // width
        let part = Rational::from((1, 100));
        let point = match (&range.lo, &range.hi) {
            (Some(lo), Some(hi)) => [hi.clone(), lo.clone()],
            (Some(lo), None) => [lo + part, most.clone()],
            // a range without a second end has no width; 1/100 is a choice
            (None, Some(hi)) => [least.clone(), hi - part],
            (None, None) => return range.decimals(),
        };
        Range { point, ..range.clone() }.decimals()
    }
}

/// Returns the program with one more unfolding for each limited recursive function.
fn unfolded_more(term: &Term) -> Term {
    let found = term.kind().map(&mut |part| deep(|| unfolded_more(part)));
    let found = match found {
        TermKind::LetRec(definition, rest) => {
            let (body, limit) = (deep(|| unfolded_more(&definition.body)), definition.limit.map(|n| n + 1));
            TermKind::LetRec(Arc::new(Definition { body, limit, ..(*definition).clone() }), rest)
        }
        other => other,
    };
    Term::from(found).at(term.site())
}

/// Numbers that are compared under replaced rules.
#[derive(Clone, Copy, Debug)]
pub struct Compared<'r, N> {
    /// The numbers.
    pub numbers: &'r N,
    /// The rules of comparison.
    pub rules: &'r dyn TraceRules,
}

impl<N: Numbers> Numbers for Compared<'_, N> {
    type Number = N::Number;

    fn rational(&self, q: &Rational) -> N::Number {
        self.numbers.rational(q)
    }
    fn add(&self, a: &N::Number, b: &N::Number) -> N::Number {
        self.numbers.add(a, b)
    }
    fn apply(&self, operation: &Operation, arguments: &[&N::Number]) -> Result<N::Number, Obstacle> {
        self.numbers.apply(operation, arguments)
    }
    fn compare(&self, a: &N::Number, b: &N::Number) -> Result<Ordering, Option<i64>> {
        self.numbers.compare(a, b)
    }
    fn on_the_diagonal(&self) -> Option<bool> {
        self.rules.on_the_diagonal()
    }
    fn exactly(&self, number: &N::Number) -> Option<Rational> {
        self.numbers.exactly(number)
    }
}
