//! Printing of terms.

use super::cases::constructor_place;
use super::operators::{as_negation, as_operator, as_spread, compared_literals, operator_place, said_of};
use crate::number::Rational;
use crate::stack::deep;
use crate::syntax::name::Name;
use crate::syntax::parser::power_of_ten;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Annotated(self, &|_, _| false).fmt(f)
    }
}

/// A position at which a type can be written.
#[derive(Clone, Copy, PartialEq, Eq)]
#[doc(hidden)]
pub enum Of {
    /// The variable of a function.
    Function,
    /// The variable of a recursion.
    Recursion,
    /// A constructor whose argument does not determine its type: `Nothing`, `[]`, `Left x`.
    Constructor,
}

/// A term to be printed with the types of the positions that satisfy the predicate.
#[doc(hidden)]
pub struct Annotated<'t>(pub &'t Term, pub &'t dyn Fn(&Ty, Of) -> bool);

impl fmt::Display for Annotated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut free = FxHashSet::default();
        collect_free(self.0, &mut free);
        let (taken, hints) = (free.into_iter().map(|name| (name, 1)).collect(), FxHashMap::default());
        Printer { scope: Vec::new(), taken, hints, types: self.1 }.print(self.0, Place::Whole, f)
    }
}

/// Collects the names of definitions, constants and constructors in a term.
fn collect_free(term: &Term, names: &mut FxHashSet<Name>) {
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
            kind.children().for_each(|child| deep(|| collect_free(child, names)));
        }
    }
}

/// The precedence that a position requires of a term, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
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
pub(super) enum Bound {
    Name(Name),
    /// The pair of two other variables.
    Pair(Name, Name),
    /// `()`
    Unit,
}

impl Bound {
    fn names(&self) -> impl Iterator<Item = &Name> {
        let names = match self {
            Bound::Name(name) => [Some(name), None],
            Bound::Pair(first, second) => [Some(first), Some(second)],
            Bound::Unit => [None, None],
        };
        names.into_iter().flatten()
    }
}

pub(super) struct Printer<'t> {
    /// The variables in scope, the innermost last.
    scope: Vec<Bound>,
    /// For each name, the number of variables in scope, definitions and constants with it.
    taken: FxHashMap<Name, usize>,
    /// For each name in the source, the number of variables in scope with it.
    hints: FxHashMap<Name, usize>,
    /// The positions whose types are written.
    pub(super) types: &'t dyn Fn(&Ty, Of) -> bool,
}

impl Printer<'_> {
    /// Chooses a name similar to the one in the source that nothing in scope has.
    pub(super) fn choose(&self, hint: &Name) -> Name {
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
    pub(super) fn enter(&mut self, hint: &Name, bound: Bound) {
        *self.hints.entry(hint.clone()).or_default() += 1;
        for name in bound.names() {
            *self.taken.entry(name.clone()).or_default() += 1;
        }
        self.scope.push(bound);
    }

    /// Takes the innermost variable out of scope.
    pub(super) fn leave(&mut self, hint: &Name) {
        let bound = self.scope.pop();
        for name in bound.iter().flat_map(Bound::names) {
            if let Some(count) = self.taken.get_mut(name) {
                *count -= 1;
            }
        }
        if let Some(count) = self.hints.get_mut(hint) {
            *count -= 1;
        }
    }

    /// Prints the body of a binder.
    pub(super) fn under(
        &mut self,
        hint: &Name,
        bound: Bound,
        body: &Term,
        place: Place,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        self.enter(hint, bound);
        let result = self.print(body, place, f);
        self.leave(hint);
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
            self.print(part, Place::Whole, f)?;
        }
        f.write_char(close)
    }

    /// Returns the text of the variable of an index. `None` for a free variable.
    fn bound(&self, index: usize) -> Option<&Bound> {
        self.scope.get(self.scope.len().checked_sub(index + 1)?)
    }

    pub(super) fn print(&mut self, term: &Term, place: Place, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = match term.kind() {
            TermKind::Lambda { .. }
            | TermKind::Let { .. }
            | TermKind::LetRec { .. }
            | TermKind::If { .. }
            | TermKind::Match { .. } => Place::Whole,
            TermKind::Inject { constructor, .. } => constructor_place(constructor, term),
            TermKind::Apply { .. } if said_of(term).is_some() => Place::Argument,
            TermKind::Apply { .. } => match as_operator(term) {
                Some((constant, ..)) => operator_place(constant).0,
                None if as_negation(term).is_some() => Place::Negation,
                None => Place::Function,
            },
            // A quotient of integers: a fraction with another denominator than a power of ten has no literal.
            TermKind::Real(value) if decimal(&value.clone().abs()).is_none() => Place::Product,
            TermKind::Real(value) if *value < 0 => Place::Negation,
            _ => Place::Argument,
        };
        deep(|| {
            if own >= place {
                return self.print_here(term, f);
            }
            f.write_char('(')?;
            self.print_here(term, f)?;
            f.write_char(')')
        })
    }

    fn print_here(&mut self, term: &Term, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match term.kind() {
            TermKind::Variable { index, name } => match self.bound(*index) {
                Some(Bound::Name(name)) => f.write_str(name),
                Some(Bound::Pair(first, second)) => write!(f, "({first}, {second})"),
                Some(Bound::Unit) => f.write_str("()"),
                None => f.write_str(name),
            },
            // A definition without a module, as a prompt makes it, has only its name.
            TermKind::Global(definition) if definition.module.is_empty() => f.write_str(&definition.name),
            TermKind::Global(definition) => write!(f, "{}.{}", definition.module, definition.name),
            TermKind::Constant(constant) => f.write_str(constant.name()),
            TermKind::Real(value) => {
                let (sign, value) = (if *value < 0 { "-" } else { "" }, value.clone().abs());
                match decimal(&value) {
                    Some(text) => write!(f, "{sign}{text}"),
                    None => write!(f, "{sign}{} / {}", value.numer(), value.denom()),
                }
            }
            TermKind::Nat(value) => write!(f, "{value}"),
            TermKind::Bool(value) => f.write_str(if *value { "tt" } else { "ff" }),
            TermKind::Unit => f.write_str("()"),
            TermKind::Lambda { name: hint, body } => {
                let name = self.choose(hint);
                match term.domain() {
                    ty if (self.types)(&ty, Of::Function) => write!(f, "\\({name} : {ty}) => ")?,
                    _ => write!(f, "\\{name} => ")?,
                }
                self.under(hint, Bound::Name(name), body, Place::Whole, f)
            }
            TermKind::Let { name: hint, value, body } => {
                let name = self.choose(hint);
                write!(f, "let {name} = ")?;
                self.print(value, Place::Whole, f)?;
                f.write_str(" in ")?;
                self.under(hint, Bound::Name(name), body, Place::Whole, f)
            }
            TermKind::LetRec { name: hint, value, body } => {
                let name = self.choose(hint);
                match value.ty() {
                    ty if (self.types)(ty, Of::Recursion) => write!(f, "let rec {name} : {ty} = ")?,
                    _ => write!(f, "let rec {name} = ")?,
                }
                self.under(hint, Bound::Name(name.clone()), value, Place::Whole, f)?;
                f.write_str(" in ")?;
                self.under(hint, Bound::Name(name), body, Place::Whole, f)
            }
            TermKind::If { condition, then, otherwise } => {
                f.write_str("if ")?;
                self.print(condition, Place::Whole, f)?;
                f.write_str(" then ")?;
                self.print(then, Place::Whole, f)?;
                f.write_str(" else ")?;
                self.print(otherwise, Place::Whole, f)
            }
            TermKind::Apply { function, argument } => {
                if let Some((constant, sign, left, right)) = as_operator(term) {
                    let (_, on_left, on_right) = operator_place(constant);
                    let said = said_of(term);
                    if said.is_some() {
                        f.write_char('(')?;
                    }
                    if compared_literals(term) == Some(true) {
                        f.write_char('(')?;
                        self.print(left, Place::Whole, f)?;
                        f.write_str(" : Real)")?;
                    } else {
                        self.print(left, on_left, f)?;
                    }
                    write!(f, " {sign} ")?;
                    self.print(right, on_right, f)?;
                    said.map_or(Ok(()), |ty| write!(f, " : {ty})"))
                } else if let Some((constant, left, right)) = as_spread(term) {
                    write!(f, "{} (", constant.name())?;
                    self.print(left, Place::Whole, f)?;
                    f.write_str(" : Real) ")?;
                    self.print(right, Place::Argument, f)
                } else if let Some(operand) = as_negation(term) {
                    // Tighter than the negation itself, so that `-(-x)` is not printed as `--x`, which the lexer
                    // rejects.
                    f.write_char('-')?;
                    self.print(operand, Place::Power, f)
                } else {
                    self.print(function, Place::Function, f)?;
                    f.write_char(' ')?;
                    self.print(argument, Place::Argument, f)
                }
            }
            TermKind::Tuple(parts) => self.print_all('(', &parts.iter().collect::<Vec<_>>(), ')', f),
            TermKind::Inject { constructor, argument }
                if !constructor.is_determined(|_| true) && (self.types)(term.ty(), Of::Constructor) =>
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
                    && let Some(Bound::Pair(first, second)) = self.bound(*variable)
                {
                    return f.write_str(if *index == 0 { first } else { second });
                }
                self.print(tuple, Place::Argument, f)?;
                write!(f, "[{index}]")
            }
            TermKind::To(iso) => {
                self.print(iso, Place::Argument, f)?;
                f.write_str(".to")
            }
            TermKind::From(iso) => {
                self.print(iso, Place::Argument, f)?;
                f.write_str(".from")
            }
        }
    }
}

/// Returns the decimal literal of a number that is not negative. `None` for a negative number, or a fraction whose
/// denominator has a prime factor other than 2 and 5.
fn decimal(value: &Rational) -> Option<String> {
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
