//! Printing of constructors, lists and `match`.
//!
//! The variable of a case `x :: rest` stands for the pair of both. It is printed by the names of its components: `x`
//! for the first, `(x, rest)` for the pair.

use super::terms::{PrintedVariable, TermPrecedence, TermPrinter};
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use std::fmt::{self, Write};

/// Returns the precedence of a constructor with its argument.
pub(super) fn constructor_precedence(constructor: &Constructor, whole: &Term) -> TermPrecedence {
    if constructor.is_cons() && whole.as_cons().is_some() {
        return if list_elements(whole).1.is_none() { TermPrecedence::Argument } else { TermPrecedence::Operand };
    }
    if is_constant(constructor, whole) { TermPrecedence::Argument } else { TermPrecedence::Function }
}

/// Returns `true` if only the name of the constructor is printed.
fn is_constant(constructor: &Constructor, whole: &Term) -> bool {
    constructor.layer_type().is_none()
        && matches!(whole.kind(), TermKind::Inject { argument, .. } if matches!(argument.kind(), TermKind::Unit))
}

/// Splits a list into its known elements and the rest; `None` for a rest of `[]`.
fn list_elements(mut list: &Term) -> (Vec<&Term>, Option<&Term>) {
    let mut found = Vec::new();
    while let Some((head, tail)) = list.as_cons() {
        found.push(head);
        list = tail;
    }
    let ends = matches!(list.kind(), TermKind::Inject { constructor, .. } if constructor.is_nil());
    (found, (!ends).then_some(list))
}

/// Matches a body that begins by naming both components of the pair of index 0. Returns the names and the rest of the
/// body.
fn named_components(body: &Term) -> Option<(&Name, &Name, &Term)> {
    let component = |value: &Term, variable: usize, component: usize| match value.kind() {
        TermKind::Project { tuple, index } if *index == component => {
            matches!(tuple.kind(), TermKind::Variable { index, .. } if *index == variable)
        }
        _ => false,
    };
    match body.kind() {
        TermKind::Let { name: head, value, body } if component(value, 0, 0) => match body.kind() {
            TermKind::Let { name: tail, value, body } if component(value, 1, 1) => Some((head, tail, body)),
            _ => None,
        },
        _ => None,
    }
}

impl TermPrinter<'_> {
    pub(super) fn print_constructor(
        &mut self,
        constructor: &Constructor,
        argument: &Term,
        whole: &Term,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        if constructor.is_cons() && whole.as_cons().is_some() {
            let (elements, rest) = list_elements(whole);
            let Some(rest) = rest else {
                return self.print_all('[', &elements, ']', f);
            };
            for element in elements {
                self.print_term(element, TermPrecedence::Sum, f)?;
                f.write_str(" :: ")?;
            }
            return self.print_term(rest, TermPrecedence::Operand, f);
        }
        if constructor.is_cons() {
            // A constructor `::` whose argument is not written as a pair needs a function around it.
            f.write_str("(\\p => p[0] :: p[1])")?;
        } else {
            f.write_str(constructor.name())?;
            if is_constant(constructor, whole) {
                return Ok(());
            }
        }
        f.write_char(' ')?;
        self.print_term(argument, TermPrecedence::Argument, f)
    }

    pub(super) fn print_match(
        &mut self,
        data: &DataType,
        scrutinee: &Term,
        branches: &[MatchBranch],
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        f.write_str("match ")?;
        self.print_term(scrutinee, TermPrecedence::Comparison, f)?;
        f.write_str(" with ")?;
        for (constructor, branch) in data.constructors().zip(branches) {
            let is_last = constructor.index() + 1 == branches.len();
            if constructor.index() > 0 {
                f.write_str(" | ")?;
            }
            // A `let` or `if` reaches as far as it can, so without parentheses it would take in the next case.
            self.print_case(
                &constructor,
                branch,
                if is_last { TermPrecedence::Whole } else { TermPrecedence::Comparison },
                f,
            )?;
        }
        Ok(())
    }

    fn print_case(
        &mut self,
        constructor: &Constructor,
        branch: &MatchBranch,
        place: TermPrecedence,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        if constructor.is_cons() {
            return self.print_cons(branch, place, f);
        }
        f.write_str(constructor.name())?;
        if constructor.layer_type().is_none() {
            f.write_str(" => ")?;
            // The variable of a constructor without argument stands for `()`.
            return self.print_under(&branch.name, PrintedVariable::Unit, &branch.body, place, f);
        }
        let name = self.choose_name(&branch.name);
        write!(f, " {name} => ")?;
        self.print_under(&branch.name, PrintedVariable::Name(name), &branch.body, place, f)
    }

    fn print_cons(&mut self, branch: &MatchBranch, place: TermPrecedence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = named_components(&branch.body);
        let (hints, body) = match named {
            Some((head, tail, body)) => ([head.clone(), tail.clone()], body),
            None => (["x".into(), "rest".into()], &branch.body),
        };
        // The names are chosen one inside the other, so that they differ.
        let head = self.choose_name(&hints[0]);
        self.enter_scope(&hints[0], PrintedVariable::Name(head.clone()));
        let tail = self.choose_name(&hints[1]);
        self.leave_scope(&hints[0]);
        write!(f, "{head} :: {tail} => ")?;
        // The scope is the pair, and then its components if the body names them.
        self.enter_scope(&branch.name, PrintedVariable::Pair(head.clone(), tail.clone()));
        let result = if named.is_some() {
            self.enter_scope(&hints[0], PrintedVariable::Name(head));
            self.enter_scope(&hints[1], PrintedVariable::Name(tail));
            let result = self.print_term(body, place, f);
            self.leave_scope(&hints[1]);
            self.leave_scope(&hints[0]);
            result
        } else {
            self.print_term(body, place, f)
        };
        self.leave_scope(&branch.name);
        result
    }
}
