//! Observation of symbolic evaluation: the applied rules, with their redexes and contexts.

use crate::trace::context::ContextFrame;
use crate::trace::term::{CoreTerm, CoreTermKind, CoreVariable};
use std::fmt;

/// A rule of symbolic evaluation (A Figs. 4 and 5), named by its conclusion. `E[R] ⇝ let x = C in D` is not among them.
/// Its first premise is a nested evaluation that is [entered](EvaluationObserver::evaluation_entered); afterwards C is
/// [bound](EvaluationObserver::binding_added).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolicRule {
    /// `V ⇝ V`
    Value,
    /// `V + W ⇝ V + W`
    Add,
    /// `op(V) ⇝ op(V)`
    Operation,
    /// `if true then M else N ⇝ C`, and likewise for `false`
    If,
    /// `letrec f(x) = M in N ⇝ C`
    LetRec,
    /// `let x = V in N ⇝ let x = V in C`
    Let,
    /// `fst(V) ⇝ fst(V)`
    First,
    /// `snd(V) ⇝ snd(V)`
    Second,
    /// `f(V) ⇝ let x = V in C`
    Call,
    /// `W.rd_V(x. N) ⇝ W.R_V(x. C)`
    Reverse,
    /// `E[pred(V)] ⇝ C`, where `pred(V) ⇒` this truth value
    Predicate(bool),
}

impl SymbolicRule {
    /// Returns the rule for a redex.
    pub(super) fn of_redex(redex: &CoreTerm) -> SymbolicRule {
        match redex.kind() {
            CoreTermKind::Add(..) => SymbolicRule::Add,
            CoreTermKind::Operation(..) => SymbolicRule::Operation,
            CoreTermKind::If(..) => SymbolicRule::If,
            CoreTermKind::LetRec(..) => SymbolicRule::LetRec,
            CoreTermKind::Let(..) => SymbolicRule::Let,
            CoreTermKind::First(..) => SymbolicRule::First,
            CoreTermKind::Second(..) => SymbolicRule::Second,
            CoreTermKind::Call(..) => SymbolicRule::Call,
            CoreTermKind::Reverse { .. } => SymbolicRule::Reverse,
            CoreTermKind::Variable(_) | CoreTermKind::Number(_) | CoreTermKind::Unit | CoreTermKind::Pair(..) => {
                SymbolicRule::Value
            }
        }
    }
}

impl fmt::Display for SymbolicRule {
    /// The conclusion, as the paper prints it but for types.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            SymbolicRule::Value => "V ⇝ V",
            SymbolicRule::Add => "V + W ⇝ V + W",
            SymbolicRule::Operation => "op(V) ⇝ op(V)",
            SymbolicRule::If => "if b then M else N ⇝ C",
            SymbolicRule::LetRec => "letrec f(x) = M in N ⇝ C",
            SymbolicRule::Let => "let x = V in N ⇝ let x = V in C",
            SymbolicRule::First => "fst(V) ⇝ fst(V)",
            SymbolicRule::Second => "snd(V) ⇝ snd(V)",
            SymbolicRule::Call => "f(V) ⇝ let x = V in C",
            SymbolicRule::Reverse => "W.rd_V(x. N) ⇝ W.R_V(x. C)",
            SymbolicRule::Predicate(true) => "E[pred(V)] ⇝ C, pred(V) ⇒ true",
            SymbolicRule::Predicate(false) => "E[pred(V)] ⇝ C, pred(V) ⇒ false",
        })
    }
}

/// An observer of symbolic evaluation. Its methods are called in the order of evaluation.
pub trait EvaluationObserver: fmt::Debug {
    /// A rule was applied to a redex. The context reaches from the start of the innermost evaluation to the redex.
    fn rule_applied(&self, rule: SymbolicRule, redex: &CoreTerm, context: &[ContextFrame]);
    /// The evaluation of the term in the hole of a context begins, or that of the body of an `rd`, with an empty
    /// context.
    fn evaluation_entered(&self, context: &[ContextFrame]);
    /// The evaluation that was entered last is over; its bindings are part of its result.
    fn evaluation_left(&self);
    /// The trace of the innermost evaluation is extended by `let x = C in`.
    fn binding_added(&self, x: &CoreVariable, value: &CoreTerm);
}
