//! Looking on while a program is evaluated symbolically: which rule is applied to which redex, in which context.

use crate::trace::context::Frame;
use crate::trace::term::{Term, TermKind, Variable};
use std::fmt;

/// A rule of symbolic evaluation (A Figs. 4 and 5), by its conclusion. `E[R] ⇝ let x = C in D` is none: its first premise is
/// an evaluation that is [entered](Observer::entered), and C is [bound](Observer::bound) afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// `V ⇝ V`
    Value,
    /// `V + W ⇝ V + W`
    Add,
    /// `op(V) ⇝ op(V)`
    Operation,
    /// `if true then M else N ⇝ C`, and the same of false
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
    /// The rule for a redex.
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

/// Who looks on. All methods are called in the order in which evaluation goes on.
pub trait Observer: fmt::Debug {
    /// A rule is applied to a term in a context, from where the innermost evaluation began.
    fn applied(&self, rule: Rule, redex: &Term, context: &[Frame]);
    /// What stands in the hole of a context is evaluated, or the body of an `rd`, whose context is trivial.
    fn entered(&self, context: &[Frame]);
    /// That evaluation is over, and what it bound is part of its result.
    fn left(&self);
    /// The trace of the innermost evaluation goes on with `let x = C in`.
    fn bound(&self, x: &Variable, value: &Term);
}
