//! Printing of terms.

use super::cases::constructor_precedence;
use super::operators::{
    as_negation, as_operator, as_prefix_comparison, ascribed_type, compares_literals_as_reals, operator_precedence,
};
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::name::Name;
use crate::syntax::parser::power_of_ten;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        AnnotatedTerm(self, &|_, _| false).fmt(f)
    }
}

/// A position at which a type can be written.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum TypePosition {
    /// The variable of a function.
    Function,
    /// The variable of a recursion.
    Recursion,
    /// A constructor whose argument does not determine its type: `Nothing`, `[]`, `Left x`.
    Constructor,
}

/// A term to be printed with the types of the positions that satisfy the predicate.
#[doc(hidden)]
pub struct AnnotatedTerm<'t>(pub &'t Term, pub &'t dyn Fn(&Ty, TypePosition) -> bool);

impl fmt::Display for AnnotatedTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut free = FxHashSet::default();
        collect_free_names(self.0, &mut free);
        let (taken, hints) = (free.into_iter().map(|name| (name, 1)).collect(), FxHashMap::default());
        TermPrinter { scope: Vec::new(), taken, hints, types: self.1 }.print_term(self.0, TermPrecedence::Whole, f)
    }
}

/// Collects the names of definitions, constants and constructors in a term.
fn collect_free_names(term: &Term, names: &mut FxHashSet<Name>) {
    match term.kind() {
        TermKind::Global(definition) => {
            names.insert(definition.name.clone());
        }
        TermKind::Constant(constant) => {
            names.insert(Name::from(*constant));
        }
        kind => {
            match kind {
                TermKind::Inject { constructor, .. } => drop(names.insert(constructor.name().clone())),
                TermKind::Match { data, .. } => names.extend(data.constructors().map(|c| c.name().clone())),
                _ => {}
            }
            kind.children().for_each(|child| with_stack(|| collect_free_names(child, names)));
        }
    }
}

/// The precedence that a position requires of a term, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TermPrecedence {
    Whole,
    Comparison,
    /// The operand of a comparison or of `::`.
    Operand,
    Sum,
    Product,
    Factor,
    Negation,
    Power,
    Function,
    Argument,
}

/// The text of a variable in scope.
pub(super) enum PrintedVariable {
    Name(Name),
    /// The pair of two other variables.
    Pair(Name, Name),
    /// `()`
    Unit,
}

impl PrintedVariable {
    fn used_names(&self) -> impl Iterator<Item = &Name> {
        let names = match self {
            PrintedVariable::Name(name) => [Some(name), None],
            PrintedVariable::Pair(first, second) => [Some(first), Some(second)],
            PrintedVariable::Unit => [None, None],
        };
        names.into_iter().flatten()
    }
}

pub(super) struct TermPrinter<'t> {
    /// The variables in scope, the innermost last.
    scope: Vec<PrintedVariable>,
    /// For each name, the number of variables in scope, definitions and constants with it.
    taken: FxHashMap<Name, usize>,
    /// For each name in the source, the number of variables in scope with it.
    hints: FxHashMap<Name, usize>,
    /// The positions whose types are written.
    pub(super) types: &'t dyn Fn(&Ty, TypePosition) -> bool,
}

impl TermPrinter<'_> {
    /// Chooses a name similar to the one in the source that nothing in scope has.
    pub(super) fn choose_name(&self, hint: &Name) -> Name {
        if &**hint == "_" {
            return hint.clone();
        }
        // A start at the number of variables with this hint: nested equal names need no search from 0.
        let mut number = self.hints.get(hint).copied().unwrap_or(0);
        loop {
            let name: Name = match number {
                0 => hint.clone(),
                1..=3 => format!("{hint}{}", "'".repeat(number)).into(),
                _ => format!("{hint}_{number}").into(),
            };
            if self.taken.get(&name).copied().unwrap_or(0) == 0 {
                return name;
            }
            number += 1;
        }
    }

    /// Brings a variable into scope, with the name `hint` in the source.
    pub(super) fn enter_scope(&mut self, hint: &Name, bound: PrintedVariable) {
        *self.hints.entry(hint.clone()).or_default() += 1;
        for name in bound.used_names() {
            *self.taken.entry(name.clone()).or_default() += 1;
        }
        self.scope.push(bound);
    }

    /// Takes the innermost variable out of scope.
    pub(super) fn leave_scope(&mut self, hint: &Name) {
        let bound = self.scope.pop();
        for name in bound.iter().flat_map(PrintedVariable::used_names) {
            if let Some(count) = self.taken.get_mut(name) {
                *count -= 1;
            }
        }
        if let Some(count) = self.hints.get_mut(hint) {
            *count -= 1;
        }
    }

    /// Prints the body of a binder.
    pub(super) fn print_under(
        &mut self,
        hint: &Name,
        bound: PrintedVariable,
        body: &Term,
        place: TermPrecedence,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        self.enter_scope(hint, bound);
        let result = self.print_term(body, place, f);
        self.leave_scope(hint);
        result
    }

    /// Prints parts with commas between them, in brackets.
    pub(super) fn print_all(
        &mut self,
        open: char,
        parts: &[&Term],
        close: char,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        f.write_char(open)?;
        for (number, part) in parts.iter().enumerate() {
            if number > 0 {
                f.write_str(", ")?;
            }
            self.print_term(part, TermPrecedence::Whole, f)?;
        }
        f.write_char(close)
    }

    /// Returns the text of the variable of an index. `None` for a free variable.
    fn variable_at(&self, index: usize) -> Option<&PrintedVariable> {
        self.scope.get(self.scope.len().checked_sub(index + 1)?)
    }

    pub(super) fn print_term(&mut self, term: &Term, place: TermPrecedence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = match term.kind() {
            TermKind::Lambda { .. }
            | TermKind::Let { .. }
            | TermKind::LetRec { .. }
            | TermKind::If { .. }
            | TermKind::Match { .. } => TermPrecedence::Whole,
            TermKind::Inject { constructor, .. } => constructor_precedence(constructor, term),
            TermKind::Apply { .. } if ascribed_type(term).is_some() => TermPrecedence::Argument,
            TermKind::Apply { .. } => match as_operator(term) {
                Some((constant, ..)) => operator_precedence(constant).0,
                None if as_negation(term).is_some() => TermPrecedence::Negation,
                None => TermPrecedence::Function,
            },
            // A quotient of integers: a fraction with another denominator than a power of ten has no literal.
            TermKind::Real(value) if decimal_literal(&value.clone().abs()).is_none() => TermPrecedence::Product,
            TermKind::Real(value) if *value < 0 => TermPrecedence::Negation,
            _ => TermPrecedence::Argument,
        };
        with_stack(|| {
            if own >= place {
                return self.print_bare(term, f);
            }
            f.write_char('(')?;
            self.print_bare(term, f)?;
            f.write_char(')')
        })
    }

    fn print_bare(&mut self, term: &Term, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match term.kind() {
            TermKind::Variable { index, name } => match self.variable_at(*index) {
                Some(PrintedVariable::Name(name)) => f.write_str(name),
                Some(PrintedVariable::Pair(first, second)) => write!(f, "({first}, {second})"),
                Some(PrintedVariable::Unit) => f.write_str("()"),
                None => f.write_str(name),
            },
            // A definition without a module, as a prompt makes it, has only its name.
            TermKind::Global(definition) if definition.module.is_empty() => f.write_str(&definition.name),
            TermKind::Global(definition) => write!(f, "{}.{}", definition.module, definition.name),
            TermKind::Constant(constant) => f.write_str(constant.name()),
            TermKind::Real(value) => {
                let (sign, value) = (if *value < 0 { "-" } else { "" }, value.clone().abs());
                match decimal_literal(&value) {
                    Some(text) => write!(f, "{sign}{text}"),
                    None => write!(f, "{sign}{} / {}", value.numer(), value.denom()),
                }
            }
            TermKind::Nat(value) => write!(f, "{value}"),
            TermKind::Bool(value) => f.write_str(if *value { "tt" } else { "ff" }),
            TermKind::Unit => f.write_str("()"),
            TermKind::Lambda { name: hint, body } => {
                let name = self.choose_name(hint);
                match term.domain() {
                    ty if (self.types)(&ty, TypePosition::Function) => write!(f, "\\({name} : {ty}) => ")?,
                    _ => write!(f, "\\{name} => ")?,
                }
                self.print_under(hint, PrintedVariable::Name(name), body, TermPrecedence::Whole, f)
            }
            TermKind::Let { name: hint, value, body } => {
                let name = self.choose_name(hint);
                write!(f, "let {name} = ")?;
                self.print_term(value, TermPrecedence::Whole, f)?;
                f.write_str(" in ")?;
                self.print_under(hint, PrintedVariable::Name(name), body, TermPrecedence::Whole, f)
            }
            TermKind::LetRec { name: hint, value, body } => {
                let name = self.choose_name(hint);
                match value.ty() {
                    ty if (self.types)(ty, TypePosition::Recursion) => write!(f, "let rec {name} : {ty} = ")?,
                    _ => write!(f, "let rec {name} = ")?,
                }
                self.print_under(hint, PrintedVariable::Name(name.clone()), value, TermPrecedence::Whole, f)?;
                f.write_str(" in ")?;
                self.print_under(hint, PrintedVariable::Name(name), body, TermPrecedence::Whole, f)
            }
            TermKind::If { condition, then, otherwise } => {
                f.write_str("if ")?;
                self.print_term(condition, TermPrecedence::Whole, f)?;
                f.write_str(" then ")?;
                self.print_term(then, TermPrecedence::Whole, f)?;
                f.write_str(" else ")?;
                self.print_term(otherwise, TermPrecedence::Whole, f)
            }
            TermKind::Apply { function, argument } => {
                if let Some((constant, sign, left, right)) = as_operator(term) {
                    let (_, on_left, on_right) = operator_precedence(constant);
                    let said = ascribed_type(term);
                    if said.is_some() {
                        f.write_char('(')?;
                    }
                    if compares_literals_as_reals(term) == Some(true) {
                        f.write_char('(')?;
                        self.print_term(left, TermPrecedence::Whole, f)?;
                        f.write_str(" : Real)")?;
                    } else {
                        self.print_term(left, on_left, f)?;
                    }
                    write!(f, " {sign} ")?;
                    self.print_term(right, on_right, f)?;
                    said.map_or(Ok(()), |ty| write!(f, " : {ty})"))
                } else if let Some((constant, left, right)) = as_prefix_comparison(term) {
                    write!(f, "{} (", constant.name())?;
                    self.print_term(left, TermPrecedence::Whole, f)?;
                    f.write_str(" : Real) ")?;
                    self.print_term(right, TermPrecedence::Argument, f)
                } else if let Some(operand) = as_negation(term) {
                    // Tighter than the negation itself, so that `-(-x)` is not printed as `--x`, which the lexer
                    // rejects.
                    f.write_char('-')?;
                    self.print_term(operand, TermPrecedence::Power, f)
                } else {
                    self.print_term(function, TermPrecedence::Function, f)?;
                    f.write_char(' ')?;
                    self.print_term(argument, TermPrecedence::Argument, f)
                }
            }
            TermKind::Tuple(parts) => self.print_all('(', &parts.iter().collect::<Vec<_>>(), ')', f),
            TermKind::Inject { constructor, argument }
                if !constructor.is_determined(|_| true) && (self.types)(term.ty(), TypePosition::Constructor) =>
            {
                f.write_char('(')?;
                self.print_constructor(constructor, argument, term, f)?;
                write!(f, " : {})", term.ty())
            }
            TermKind::Inject { constructor, argument } => self.print_constructor(constructor, argument, term, f),
            TermKind::Match { data, scrutinee, branches } => self.print_match(data, scrutinee, branches, f),
            TermKind::Project { tuple, index } => {
                // The components of a pair matched by `x :: rest` have names of their own.
                if let TermKind::Variable { index: variable, .. } = tuple.kind()
                    && let Some(PrintedVariable::Pair(first, second)) = self.variable_at(*variable)
                {
                    return f.write_str(if *index == 0 { first } else { second });
                }
                self.print_term(tuple, TermPrecedence::Argument, f)?;
                write!(f, "[{index}]")
            }
            TermKind::To(iso) => {
                self.print_term(iso, TermPrecedence::Argument, f)?;
                f.write_str(".to")
            }
            TermKind::From(iso) => {
                self.print_term(iso, TermPrecedence::Argument, f)?;
                f.write_str(".from")
            }
        }
    }
}

/// Returns the decimal literal of a number that is not negative. `None` for a negative number, or a fraction whose
/// denominator has a prime factor other than 2 and 5.
fn decimal_literal(value: &Rational) -> Option<String> {
    let small = |number: u32| Rational::from(number).into_numer_denom().0;
    let (rest, fives) = value.denom().clone().remove_factor(&small(5));
    let (rest, twos) = rest.remove_factor(&small(2));
    if rest != 1 || *value < 0 {
        return None;
    }
    let places = fives.max(twos);
    let shifted = (value * Rational::from(1)) * power_of_ten(places);
    // Trailing zeros of a large integer go into the exponent.
    let (digits, zeros) = if places == 0 && !value.is_zero() {
        let (rest, fives) = shifted.numer().clone().remove_factor(&small(5));
        let (_, twos) = rest.remove_factor(&small(2));
        let zeros = fives.min(twos);
        ((shifted / power_of_ten(zeros)).numer().to_string(), zeros)
    } else {
        (shifted.numer().to_string(), 0)
    };
    Some(match places as usize {
        // Choices: beyond 20 zeros or 40 places an exponent is easier to read than digits.
        0 if zeros > 20 => format!("{digits}e{zeros}"),
        0 => digits + &"0".repeat(zeros as usize),
        places if places > 40 => format!("{digits}e-{places}"),
        places => {
            let padded = format!("{digits:0>width$}", width = places + 1);
            let (whole, fraction) = padded.split_at(padded.len() - places);
            format!("{whole}.{fraction}")
        }
    })
}
