//! Evaluation contexts E, redexes R, and the unique decomposition of terms into them (A §3, Lemma 3.1).
//!
//! A context is a term with a hole at the next redex. It is kept as the list of the terms around the hole, the
//! outermost first, each with the index of its part that holds the hole. The boolean contexts `pred(E)` of the paper
//! occur in conditionals alone, so `if pred([]) then M else N` is one frame.

use super::operation::Predicate;
use super::term::{Boolean, Site, Term, TermKind};

/// One level of a context: a term, one of whose immediate parts is the hole.
#[derive(Clone, Debug)]
pub struct Frame {
    whole: Term,
    part: usize,
}

impl Frame {
    /// Fills the hole with `part`.
    #[must_use]
    pub fn plug(&self, part: Term) -> Term {
        let whole = self.whole.kind().clone();
        let first = self.part == 0;
        let kind = match whole {
            TermKind::Add(_, right) if first => TermKind::Add(part, right),
            TermKind::Add(left, _) => TermKind::Add(left, part),
            TermKind::Operation(op, _) => TermKind::Operation(op, part),
            TermKind::Let(x, ty, _, body) => TermKind::Let(x, ty, part, body),
            TermKind::Pair(t, u, _, right) if first => TermKind::Pair(t, u, part, right),
            TermKind::Pair(t, u, left, _) => TermKind::Pair(t, u, left, part),
            TermKind::First(t, u, _) => TermKind::First(t, u, part),
            TermKind::Second(t, u, _) => TermKind::Second(t, u, part),
            TermKind::If(Boolean::Predicate(pred, _), then, otherwise) => {
                TermKind::If(Boolean::Predicate(pred, part), then, otherwise)
            }
            TermKind::Call(f, _) => TermKind::Call(f, part),
            TermKind::Reverse { cotangent, variable, ty, body, .. } if first => {
                TermKind::Reverse { cotangent, point: part, variable, ty, body }
            }
            TermKind::Reverse { point, variable, ty, body, .. } => {
                TermKind::Reverse { cotangent: part, point, variable, ty, body }
            }
            // Frames are made of terms with active parts alone.
            kind => kind,
        };
        Term::from(kind).at(self.whole.site())
    }
}

/// Returns the parts of a term that are evaluated before it is a redex or a value, in the order of evaluation.
fn active(kind: &TermKind) -> [Option<&Term>; 2] {
    match kind {
        TermKind::Add(left, right) | TermKind::Pair(_, _, left, right) => [Some(left), Some(right)],
        TermKind::Operation(_, part)
        | TermKind::Let(_, _, part, _)
        | TermKind::First(_, _, part)
        | TermKind::Second(_, _, part)
        | TermKind::Call(_, part)
        | TermKind::If(Boolean::Predicate(_, part), ..) => [Some(part), None],
        // The point is evaluated before the cotangent, though it is written behind it.
        TermKind::Reverse { cotangent, point, .. } => [Some(point), Some(cotangent)],
        _ => [None; 2],
    }
}

/// The term in the hole of a decomposition.
#[derive(Clone, Debug)]
pub enum Focus {
    /// A value; the context is empty.
    Value(Term),
    /// A redex R.
    Redex(Term),
    /// `pred(V)`, the condition of the conditional `if pred(V) then M else N`, which is the innermost frame.
    Boolean {
        /// pred
        predicate: Predicate,
        /// V
        argument: Term,
        /// M
        then: Term,
        /// N
        otherwise: Term,
        /// The position of the conditional.
        site: Site,
    },
}

/// Decomposes `E[M]` further, for a context E that is decomposed already. The caller need not start again from the root
/// after each step.
pub fn focus(context: &mut Vec<Frame>, mut term: Term) -> Focus {
    loop {
        let next = {
            let mut waiting = active(term.kind()).into_iter().enumerate();
            waiting.find_map(|(part, of)| of.filter(|of| !of.is_value()).map(|of| (part, of.clone())))
        };
        if let Some((part, of)) = next {
            context.push(Frame { whole: term, part });
            term = of;
            continue;
        }
        // A value in the hole: the frame around it goes on, with its next part or as a redex.
        if term.is_value() {
            match context.pop() {
                Some(frame) => term = frame.plug(term),
                None => return Focus::Value(term),
            }
            continue;
        }
        if let TermKind::If(Boolean::Predicate(predicate, argument), then, otherwise) = term.kind() {
            let (argument, then, otherwise) = (argument.clone(), then.clone(), otherwise.clone());
            return Focus::Boolean { predicate: *predicate, argument, then, otherwise, site: term.site() };
        }
        return Focus::Redex(term);
    }
}

/// Decomposes M: `M = E[R]`, `M = E[R_bool]`, or M is a value. Exactly one of these holds (Lemma 3.1).
#[must_use]
pub fn decompose(term: &Term) -> (Vec<Frame>, Focus) {
    let mut context = Vec::new();
    let found = focus(&mut context, term.clone());
    (context, found)
}

/// Returns `E[M]`.
#[must_use]
pub fn plug(context: &[Frame], hole: Term) -> Term {
    context.iter().rev().fold(hole, |part, frame| frame.plug(part))
}
