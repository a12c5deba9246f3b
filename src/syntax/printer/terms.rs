//! Terms.

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::limit::deep;
use crate::syntax::name::Name;
use crate::syntax::parser::power_of_ten;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Annotated(self, &FxHashMap::default()).fmt(f)
    }
}

/// A term, with the types of the binders that have these addresses.
pub(crate) struct Annotated<'t>(pub(crate) &'t Term, pub(crate) &'t FxHashMap<usize, Ty>);

impl fmt::Display for Annotated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut free = FxHashSet::default();
        collect_free(self.0, &mut free);
        let (taken, hints) = (free.into_iter().map(|name| (name, 1)).collect(), FxHashMap::default());
        Printer { scope: Vec::new(), taken, hints, types: self.1 }.print(self.0, Place::Whole, f)
    }
}

/// The names of definitions and constants in a term.
fn collect_free(term: &Term, names: &mut FxHashSet<Name>) {
    match term.kind() {
        TermKind::Global(definition) => {
            names.insert(definition.name.clone());
        }
        TermKind::Constant(constant) => {
            names.insert(Name::from(*constant));
        }
        kind => kind.children().for_each(|child| deep(|| collect_free(child, names))),
    }
}

/// How tight the place of a term binds, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    Whole,
    Comparison,
    Operand,
    Sum,
    Product,
    Factor,
    Negation,
    Power,
    Function,
    Argument,
}

/// How an operator binds: by itself, on its left, on its right.
fn operator_place(constant: Constant) -> (Place, Place, Place) {
    match constant {
        Constant::Add | Constant::Subtract => (Place::Sum, Place::Sum, Place::Product),
        Constant::Multiply | Constant::Divide => (Place::Product, Place::Product, Place::Factor),
        Constant::Power => (Place::Power, Place::Function, Place::Power),
        _ => (Place::Comparison, Place::Operand, Place::Operand),
    }
}

/// A term that is an operator between two operands.
fn as_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
    let TermKind::Apply { function, argument: right } = term.kind() else {
        return None;
    };
    let TermKind::Apply { function, argument: left } = function.kind() else {
        return None;
    };
    let TermKind::Constant(constant) = function.kind() else {
        return None;
    };
    Some((*constant, constant.operator()?, left, right))
}

/// A term that is a negation.
fn as_negation(term: &Term) -> Option<&Term> {
    let TermKind::Apply { function, argument } = term.kind() else {
        return None;
    };
    matches!(function.kind(), TermKind::Constant(Constant::Negate)).then_some(argument)
}

struct Printer<'t> {
    /// The names of the variables in scope, the innermost last.
    scope: Vec<Name>,
    /// How often a name is in scope, and which names definitions and constants have.
    taken: FxHashMap<Name, usize>,
    /// How many variables in scope have the same name in the source.
    hints: FxHashMap<Name, usize>,
    /// The types of binders, by address.
    types: &'t FxHashMap<usize, Ty>,
}

impl Printer<'_> {
    /// A name like the one in the source that nothing in scope has.
    fn choose(&self, hint: &Name) -> Name {
        if &**hint == "_" {
            return hint.clone();
        }
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

    /// Prints what is inside a binder.
    fn under(&mut self, hint: &Name, name: Name, body: &Term, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        *self.hints.entry(hint.clone()).or_default() += 1;
        *self.taken.entry(name.clone()).or_default() += 1;
        self.scope.push(name);
        let result = self.print(body, Place::Whole, f);
        let name = self.scope.pop();
        for count in [name.and_then(|name| self.taken.get_mut(&name)), self.hints.get_mut(hint)].into_iter().flatten() {
            *count -= 1;
        }
        result
    }

    fn print(&mut self, term: &Term, place: Place, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let own = match term.kind() {
            TermKind::Lambda { .. } | TermKind::Let { .. } | TermKind::LetRec { .. } | TermKind::If { .. } => {
                Place::Whole
            }
            TermKind::Apply { .. } => match as_operator(term) {
                Some((constant, ..)) => operator_place(constant).0,
                None if as_negation(term).is_some() => Place::Negation,
                None => Place::Function,
            },
            TermKind::Real(value) if decimal(value).is_none() => Place::Product,
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
            TermKind::Variable { index, name } => {
                let position = self.scope.len().checked_sub(index + 1);
                f.write_str(position.map_or(name, |position| &self.scope[position]))
            }
            TermKind::Global(definition) => write!(f, "{}.{}", definition.module, definition.name),
            TermKind::Constant(constant) => f.write_str(constant.name()),
            TermKind::Real(value) => match decimal(value) {
                Some(text) => f.write_str(&text),
                None => write!(f, "{} / {}", value.numer(), value.denom()),
            },
            TermKind::Nat(value) => write!(f, "{value}"),
            TermKind::Bool(value) => f.write_str(if *value { "tt" } else { "ff" }),
            TermKind::Unit => f.write_str("()"),
            TermKind::Lambda { name: hint, body } => {
                let name = self.choose(hint);
                match self.types.get(&term.address()) {
                    Some(ty) => write!(f, "\\({name} : {ty}) => ")?,
                    None => write!(f, "\\{name} => ")?,
                }
                self.under(hint, name, body, f)
            }
            TermKind::Let { name: hint, value, body } => {
                let name = self.choose(hint);
                write!(f, "let {name} = ")?;
                self.print(value, Place::Whole, f)?;
                f.write_str(" in ")?;
                self.under(hint, name, body, f)
            }
            TermKind::LetRec { name: hint, value, body } => {
                let name = self.choose(hint);
                match self.types.get(&term.address()) {
                    Some(ty) => write!(f, "let rec {name} : {ty} = ")?,
                    None => write!(f, "let rec {name} = ")?,
                }
                self.under(hint, name.clone(), value, f)?;
                f.write_str(" in ")?;
                self.under(hint, name, body, f)
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
                    self.print(left, on_left, f)?;
                    write!(f, " {sign} ")?;
                    self.print(right, on_right, f)
                } else if let Some(operand) = as_negation(term) {
                    f.write_char('-')?;
                    self.print(operand, Place::Power, f)
                } else {
                    self.print(function, Place::Function, f)?;
                    f.write_char(' ')?;
                    self.print(argument, Place::Argument, f)
                }
            }
            TermKind::Tuple(parts) => {
                f.write_char('(')?;
                for (number, part) in parts.iter().enumerate() {
                    if number > 0 {
                        f.write_str(", ")?;
                    }
                    self.print(part, Place::Whole, f)?;
                }
                f.write_char(')')
            }
            TermKind::Project { tuple, index } => {
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

/// The literal of a number that is an integer over a power of ten, as every literal of a source text is.
fn decimal(value: &Rational) -> Option<String> {
    let small = |number: u32| Rational::from(number).into_numer_denom().0;
    let (rest, fives) = value.denom().clone().remove_factor(&small(5));
    let (rest, twos) = rest.remove_factor(&small(2));
    if rest != 1 || *value < 0 {
        return None;
    }
    let places = fives.max(twos);
    let shifted = (value * Rational::from(1)) * power_of_ten(places);
    let (digits, zeros) = if places == 0 && !value.is_zero() {
        let (rest, fives) = shifted.numer().clone().remove_factor(&small(5));
        let (_, twos) = rest.remove_factor(&small(2));
        let zeros = fives.min(twos);
        ((shifted / power_of_ten(zeros)).numer().to_string(), zeros)
    } else {
        (shifted.numer().to_string(), 0)
    };
    Some(match places as usize {
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
