//! Evaluation contexts E, redexes R, and the unique decomposition of terms into them (A §3, Lemma 3.1).
//!
//! A context is a term with a hole at the next redex. It is kept as the list of the terms around the hole, the
//! outermost first, each with the index of its part that holds the hole. The boolean contexts `pred(E)` of the paper
//! occur in conditionals alone, so `if pred([]) then M else N` is one frame.

use super::operation::PredicateSymbol;
use super::term::{BooleanTerm, CoreTerm, CoreTermKind, SourceId};

/// One level of a context: a term, one of whose immediate parts is the hole.
#[derive(Clone, Debug)]
pub struct ContextFrame {
    whole: CoreTerm,
    part: usize,
}

impl ContextFrame {
    /// Fills the hole with `part`.
    #[must_use]
    pub fn plug_hole(&self, part: CoreTerm) -> CoreTerm {
        let whole = self.whole.kind().clone();
        let first = self.part == 0;
        let kind = match whole {
            CoreTermKind::Add(_, right) if first => CoreTermKind::Add(part, right),
            CoreTermKind::Add(left, _) => CoreTermKind::Add(left, part),
            CoreTermKind::Operation(op, _) => CoreTermKind::Operation(op, part),
            CoreTermKind::Let(x, ty, _, body) => CoreTermKind::Let(x, ty, part, body),
            CoreTermKind::Pair(t, u, _, right) if first => CoreTermKind::Pair(t, u, part, right),
            CoreTermKind::Pair(t, u, left, _) => CoreTermKind::Pair(t, u, left, part),
            CoreTermKind::First(t, u, _) => CoreTermKind::First(t, u, part),
            CoreTermKind::Second(t, u, _) => CoreTermKind::Second(t, u, part),
            CoreTermKind::If(BooleanTerm::Predicate(pred, _), then, otherwise) => {
                CoreTermKind::If(BooleanTerm::Predicate(pred, part), then, otherwise)
            }
            CoreTermKind::Call(f, _) => CoreTermKind::Call(f, part),
            CoreTermKind::Reverse { cotangent, variable, ty, body, .. } if first => {
                CoreTermKind::Reverse { cotangent, point: part, variable, ty, body }
            }
            CoreTermKind::Reverse { point, variable, ty, body, .. } => {
                CoreTermKind::Reverse { cotangent: part, point, variable, ty, body }
            }
            // Frames are made of terms with active parts alone.
            kind => kind,
        };
        CoreTerm::from(kind).with_site(self.whole.site())
    }
}

/// Returns the parts of a term that are evaluated before it is a redex or a value, in the order of evaluation.
fn active_parts(kind: &CoreTermKind) -> [Option<&CoreTerm>; 2] {
    match kind {
        CoreTermKind::Add(left, right) | CoreTermKind::Pair(_, _, left, right) => [Some(left), Some(right)],
        CoreTermKind::Operation(_, part)
        | CoreTermKind::Let(_, _, part, _)
        | CoreTermKind::First(_, _, part)
        | CoreTermKind::Second(_, _, part)
        | CoreTermKind::Call(_, part)
        | CoreTermKind::If(BooleanTerm::Predicate(_, part), ..) => [Some(part), None],
        // The point is evaluated before the cotangent, though it is written behind it.
        CoreTermKind::Reverse { cotangent, point, .. } => [Some(point), Some(cotangent)],
        _ => [None; 2],
    }
}

/// The term in the hole of a decomposition.
#[derive(Clone, Debug)]
pub enum Focus {
    /// A value; the context is empty.
    Value(CoreTerm),
    /// A redex R.
    Redex(CoreTerm),
    /// `pred(V)`, the condition of the conditional `if pred(V) then M else N`, which is the innermost frame.
    Boolean {
        /// pred
        predicate: PredicateSymbol,
        /// V
        argument: CoreTerm,
        /// M
        then: CoreTerm,
        /// N
        otherwise: CoreTerm,
        /// The position of the conditional.
        site: SourceId,
    },
}

/// Decomposes `E[M]` further, for a context E that is decomposed already. The caller need not start again from the root
/// after each step.
pub fn focus_next(context: &mut Vec<ContextFrame>, mut term: CoreTerm) -> Focus {
    loop {
        let next = {
            let mut waiting = active_parts(term.kind()).into_iter().enumerate();
            waiting.find_map(|(part, of)| of.filter(|of| !of.is_value()).map(|of| (part, of.clone())))
        };
        if let Some((part, of)) = next {
            context.push(ContextFrame { whole: term, part });
            term = of;
            continue;
        }
        // A value in the hole: the frame around it goes on, with its next part or as a redex.
        if term.is_value() {
            match context.pop() {
                Some(frame) => term = frame.plug_hole(term),
                None => return Focus::Value(term),
            }
            continue;
        }
        if let CoreTermKind::If(BooleanTerm::Predicate(predicate, argument), then, otherwise) = term.kind() {
            let (argument, then, otherwise) = (argument.clone(), then.clone(), otherwise.clone());
            return Focus::Boolean { predicate: *predicate, argument, then, otherwise, site: term.site() };
        }
        return Focus::Redex(term);
    }
}

/// Decomposes M: `M = E[R]`, `M = E[R_bool]`, or M is a value. Exactly one of these holds (Lemma 3.1).
#[must_use]
pub fn decompose(term: &CoreTerm) -> (Vec<ContextFrame>, Focus) {
    let mut context = Vec::new();
    let found = focus_next(&mut context, term.clone());
    (context, found)
}

/// Returns `E[M]`.
#[must_use]
pub fn plug_context(context: &[ContextFrame], hole: CoreTerm) -> CoreTerm {
    context.iter().rev().fold(hole, |part, frame| frame.plug_hole(part))
}
