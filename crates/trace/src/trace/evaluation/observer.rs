//! Observation of symbolic evaluation: the applied rules, with their redexes and contexts.

use crate::trace::context::Frame;
use crate::trace::term::{Term, TermKind, Variable};
use std::fmt;

/// A rule of symbolic evaluation (A Figs. 4 and 5), named by its conclusion. `E[R] ⇝ let x = C in D` is not among them.
/// Its first premise is a nested evaluation that is [entered](Observer::entered); afterwards C is
/// [bound](Observer::bound).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
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

impl Rule {
    /// Returns the rule for a redex.
    pub(super) fn of(redex: &Term) -> Rule {
        match redex.kind() {
            TermKind::Add(..) => Rule::Add,
            TermKind::Operation(..) => Rule::Operation,
            TermKind::If(..) => Rule::If,
            TermKind::LetRec(..) => Rule::LetRec,
            TermKind::Let(..) => Rule::Let,
            TermKind::First(..) => Rule::First,
            TermKind::Second(..) => Rule::Second,
            TermKind::Call(..) => Rule::Call,
            TermKind::Reverse { .. } => Rule::Reverse,
            TermKind::Variable(_) | TermKind::Number(_) | TermKind::Unit | TermKind::Pair(..) => Rule::Value,
        }
    }
}

impl fmt::Display for Rule {
    /// The conclusion, as the paper prints it but for types.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Rule::Value => "V ⇝ V",
            Rule::Add => "V + W ⇝ V + W",
            Rule::Operation => "op(V) ⇝ op(V)",
            Rule::If => "if b then M else N ⇝ C",
            Rule::LetRec => "letrec f(x) = M in N ⇝ C",
            Rule::Let => "let x = V in N ⇝ let x = V in C",
            Rule::First => "fst(V) ⇝ fst(V)",
            Rule::Second => "snd(V) ⇝ snd(V)",
            Rule::Call => "f(V) ⇝ let x = V in C",
            Rule::Reverse => "W.rd_V(x. N) ⇝ W.R_V(x. C)",
            Rule::Predicate(true) => "E[pred(V)] ⇝ C, pred(V) ⇒ true",
            Rule::Predicate(false) => "E[pred(V)] ⇝ C, pred(V) ⇒ false",
        })
    }
}

/// An observer of symbolic evaluation. Its methods are called in the order of evaluation.
pub trait Observer: fmt::Debug {
    /// A rule was applied to a redex. The context reaches from the start of the innermost evaluation to the redex.
    fn applied(&self, rule: Rule, redex: &Term, context: &[Frame]);
    /// The evaluation of the term in the hole of a context begins, or that of the body of an `rd`, with an empty
    /// context.
    fn entered(&self, context: &[Frame]);
    /// The evaluation that was entered last is over; its bindings are part of its result.
    fn left(&self);
    /// The trace of the innermost evaluation is extended by `let x = C in`.
    fn bound(&self, x: &Variable, value: &Term);
}
