//! Expressions as the paper prints them. Numbers and the four operators are written without ⌊ and ⌋.

use super::arrow::{ArrowKind, infix};
use super::{Term, TermKind};
use smoothish::stack::with_stack;
use std::fmt;

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        with_stack(|| match self.kind() {
            TermKind::Variable(name) => f.write_str(name),
            TermKind::Unit => f.write_str("!"),
            TermKind::Apply(arrow, argument) => {
                if let Some(value) = self.as_number() {
                    return write!(f, "{value}");
                }
                if let (ArrowKind::Operation(constant), TermKind::Pair(left, right)) = (arrow.kind(), argument.kind())
                    && let Some(sign) = infix(*constant)
                {
                    return write!(f, "{} {sign} {}", Atom(left), Atom(right));
                }
                match argument.kind() {
                    // (e₁, e₂) has its parentheses
                    TermKind::Pair(..) => write!(f, "⌊{arrow}⌋{argument}"),
                    _ => write!(f, "⌊{arrow}⌋({argument})"),
                }
            }
            TermKind::Pair(first, second) => write!(f, "({first}, {second})"),
            TermKind::Derivative { body, variable, at, along } => {
                write!(f, "∂{}/∂{variable}|{variable}={}·{}", Atom(body), Atom(at), Atom(along))
            }
            TermKind::Let { variable, value, body } => write!(f, "let {variable} ≜ {value} in {body}"),
        })
    }
}

impl fmt::Debug for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An expression in parentheses, unless it is closed by itself.
struct Atom<'t>(&'t Term);

impl fmt::Display for Atom<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let closed = match self.0.kind() {
            TermKind::Variable(_) | TermKind::Unit | TermKind::Pair(..) => true,
            TermKind::Apply(arrow, argument) => match (arrow.kind(), argument.kind()) {
                (ArrowKind::Number(value), TermKind::Unit) => *value >= 0 && value.is_integer(),
                (ArrowKind::Operation(constant), TermKind::Pair(..)) => infix(*constant).is_none(),
                _ => true,
            },
            TermKind::Derivative { .. } | TermKind::Let { .. } => false,
        };
        if closed { write!(f, "{}", self.0) } else { write!(f, "({})", self.0) }
    }
}
