//! Types and terms as text that can be read back.
//!
//! Variables keep their names, with primes added where a name would be captured or would hide what is used inside.

use super::constant::Constant;
use super::limit::deep;
use super::name::Name;
use super::parser::power_of_ten;
use super::term::{Term, TermKind};
use super::ty::{Scheme, Ty, TyKind};
use crate::number::Rational;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::{self, Write};

/// How tight the place of a type binds, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TypePlace {
    Whole,
    Arrow,
    Product,
    Factor,
    Argument,
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_type(self, TypePlace::Whole, f)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.ty, f)
    }
}

fn print_type(ty: &Ty, place: TypePlace, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let own = match ty.kind() {
        TyKind::Tuple(parts) => {
            if repeated(parts).is_some() {
                TypePlace::Factor
            } else {
                TypePlace::Product
            }
        }
        TyKind::Function(..) => TypePlace::Arrow,
        TyKind::Tangent(_) => TypePlace::Factor,
        TyKind::Iso(..) => TypePlace::Whole,
        _ => TypePlace::Argument,
    };
    deep(|| {
        if own >= place {
            return print_type_here(ty, f);
        }
        f.write_char('(')?;
        print_type_here(ty, f)?;
        f.write_char(')')
    })
}

fn print_type_here(ty: &Ty, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match ty.kind() {
        TyKind::Variable(_, name) => f.write_str(name),
        TyKind::Real => f.write_str("Real"),
        TyKind::Nat => f.write_str("Nat"),
        TyKind::Bool => f.write_str("Bool"),
        TyKind::Unit => f.write_str("unit"),
        TyKind::Tuple(parts) => {
            if let Some(part) = repeated(parts) {
                print_type(part, TypePlace::Argument, f)?;
                return write!(f, "^{}", parts.len());
            }
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    f.write_str(" * ")?;
                }
                print_type(part, TypePlace::Factor, f)?;
            }
            Ok(())
        }
        TyKind::Function(domain, codomain) => {
            print_type(domain, TypePlace::Product, f)?;
            f.write_str(" -> ")?;
            print_type(codomain, TypePlace::Arrow, f)
        }
        TyKind::Tangent(inner) => {
            f.write_str("Tan ")?;
            print_type(inner, TypePlace::Argument, f)
        }
        TyKind::Iso(left, right) => {
            print_type(left, TypePlace::Arrow, f)?;
            f.write_str(" ~= ")?;
            print_type(right, TypePlace::Arrow, f)
        }
    }
}

/// The one component of a tuple all of whose components are the same.
fn repeated(parts: &[Ty]) -> Option<&Ty> {
    let first = parts.first()?;
    parts.iter().all(|part| part == first).then_some(first)
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut free = FxHashSet::default();
        collect_free(self, &mut free);
        let mut printer = Printer { scope: Vec::new(), taken: FxHashMap::default() };
        for name in free {
            printer.taken.insert(name, 1);
        }
        printer.print(self, Place::Whole, f)
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

struct Printer {
    scope: Vec<Name>,
    taken: FxHashMap<Name, usize>,
}

impl Printer {
    /// A name like the one in the source that nothing in scope has.
    fn choose(&self, hint: &Name) -> Name {
        let mut name = hint.clone();
        while &*name != "_" && self.taken.get(&name).copied().unwrap_or(0) > 0 {
            name = format!("{name}'").into();
        }
        name
    }

    /// Prints what is inside a binder.
    fn under(&mut self, name: Name, body: &Term, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        *self.taken.entry(name.clone()).or_default() += 1;
        self.scope.push(name);
        let result = self.print(body, Place::Whole, f);
        if let Some(count) = self.scope.pop().and_then(|name| self.taken.get_mut(&name)) {
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
            TermKind::Lambda { name, body } => {
                let name = self.choose(name);
                write!(f, "\\{name} => ")?;
                self.under(name, body, f)
            }
            TermKind::Let { name, value, body } => {
                let name = self.choose(name);
                write!(f, "let {name} = ")?;
                self.print(value, Place::Whole, f)?;
                f.write_str(" in ")?;
                self.under(name, body, f)
            }
            TermKind::LetRec { name, value, body } => {
                let name = self.choose(name);
                write!(f, "let rec {name} = ")?;
                self.under(name.clone(), value, f)?;
                f.write_str(" in ")?;
                self.under(name, body, f)
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
