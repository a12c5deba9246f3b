//! The printer: types and terms as text that parses back.
//!
//! Variables keep their names. A prime is added if a name would be captured, or would hide a name used inside.
//! Definitions are printed with their modules.
//!
//! # Printing of terms
//!
//! # Printing of constructors
//!
//! Printing of constructors, lists and `match`.
//!
//! The variable of a case `x :: rest` stands for the pair of both. It is printed by the names of its components: `x`
//! for the first, `(x, rest)` for the pair.
//!
//! # Operators between operands
//!
//! Operators between operands, and the literals that they compare.
//!
//! # Printing of types

mod lines;

use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::exact;
use crate::syntax::name::Name;
use crate::syntax::parser::power_of_ten;
use crate::syntax::term::{MatchBranch, Term, TermKind};
use crate::syntax::ty::{Scheme, Ty, TyKind};
pub use lines::break_lines;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::fmt::Write;

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
enum TermPrecedence {
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
enum PrintedVariable {
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

struct TermPrinter<'t> {
    /// The variables in scope, the innermost last.
    scope: Vec<PrintedVariable>,
    /// For each name, the number of variables in scope, definitions and constants with it.
    taken: FxHashMap<Name, usize>,
    /// For each name in the source, the number of variables in scope with it.
    hints: FxHashMap<Name, usize>,
    /// The positions whose types are written.
    types: &'t dyn Fn(&Ty, TypePosition) -> bool,
}

impl TermPrinter<'_> {
    /// Chooses a name similar to the one in the source that nothing in scope has.
    fn choose_name(&self, hint: &Name) -> Name {
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
    fn enter_scope(&mut self, hint: &Name, bound: PrintedVariable) {
        *self.hints.entry(hint.clone()).or_default() += 1;
        for name in bound.used_names() {
            *self.taken.entry(name.clone()).or_default() += 1;
        }
        self.scope.push(bound);
    }

    /// Takes the innermost variable out of scope.
    fn leave_scope(&mut self, hint: &Name) {
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
    fn print_under(
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
    fn print_all(&mut self, open: char, parts: &[&Term], close: char, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    fn print_term(&mut self, term: &Term, place: TermPrecedence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

/// Returns the precedence of a constructor with its argument.
fn constructor_precedence(constructor: &Constructor, whole: &Term) -> TermPrecedence {
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
    fn print_constructor(
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

    fn print_match(
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

/// Returns the precedence of an operator, and those required of its left and its right operand.
fn operator_precedence(constant: Constant) -> (TermPrecedence, TermPrecedence, TermPrecedence) {
    match constant {
        Constant::Add | Constant::Subtract => (TermPrecedence::Sum, TermPrecedence::Sum, TermPrecedence::Product),
        Constant::Multiply | Constant::NaturalProduct | Constant::Divide => {
            (TermPrecedence::Product, TermPrecedence::Product, TermPrecedence::Factor)
        }
        Constant::Power | Constant::RealPower | Constant::NaturalPower => {
            (TermPrecedence::Power, TermPrecedence::Function, TermPrecedence::Power)
        }
        // Comparisons do not associate: both operands must bind tighter.
        _ => (TermPrecedence::Comparison, TermPrecedence::Operand, TermPrecedence::Operand),
    }
}

/// Matches a term that is printed as an operator between operands: constant, sign, left and right operand.
///
/// `None` for an operator that the parser would evaluate as exact arithmetic of literals; it is printed before its
/// operands.
fn as_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
    applied_operator(term).filter(|(constant, _, left, right)| !is_printed_prefix(*constant, left, right))
}

/// Returns `true` if an operator is printed before its operands.
fn is_printed_prefix(constant: Constant, left: &Term, right: &Term) -> bool {
    // Between exact operands the parser would replace `a == b` by its truth value, and `x ^ 2` by a constant exponent.
    let is_exact = |term: &Term| exact::exact_value(term, &|_| None).is_some();
    match constant {
        Constant::RealPower => is_exact(right),
        _ => constant.equates_reals() && is_exact(left) && is_exact(right),
    }
}

/// Returns the type that is printed after a difference of natural numbers that stops at 0. `None` for all other terms.
/// Without this type the text would mean a difference that is refused below 0.
pub(crate) fn ascribed_type(term: &Term) -> Option<&Ty> {
    // Differences that are refused below 0 are another constant, which needs no type.
    let (Constant::Subtract, ..) = as_operator(term)? else { return None };
    let TermKind::Apply { function, .. } = term.kind() else { return None };
    let TermKind::Apply { function, .. } = function.kind() else { return None };
    let TyKind::Function(of, _) = function.ty().kind() else { return None };
    contains_naturals(of).then_some(of)
}

/// Returns `true` if a type of numbers contains `Nat`.
fn contains_naturals(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Nat => true,
        TyKind::Tuple(parts) => parts.iter().any(|part| with_stack(|| contains_naturals(part))),
        _ => false,
    }
}

/// Matches a comparison of reals that is printed before its operands. `None` for other terms.
fn as_prefix_comparison(term: &Term) -> Option<(Constant, &Term, &Term)> {
    applied_operator(term).and_then(|(constant, _, left, right)| {
        (constant.equates_reals() && is_printed_prefix(constant, left, right)).then_some((constant, left, right))
    })
}

/// Matches an operator applied to two operands. `None` for other terms.
fn applied_operator(term: &Term) -> Option<(Constant, &'static str, &Term, &Term)> {
    let TermKind::Apply { function, argument: right } = term.kind() else {
        return None;
    };
    let TermKind::Apply { function, argument: left } = function.kind() else {
        return None;
    };
    let TermKind::Constant(constant) = function.kind() else {
        return None;
    };
    Some((*constant, constant.operator_sign()?, left, right))
}

/// Returns `true` if a term is printed with literals alone. They are read as natural numbers where they are compared,
/// unless they are subtracted.
fn is_literal(term: &Term) -> bool {
    with_stack(|| match term.kind() {
        TermKind::Real(value) => value.is_integer() && *value >= 0,
        TermKind::Nat(_) => true,
        TermKind::If { then, otherwise, .. } => is_literal(then) && is_literal(otherwise),
        _ => match as_operator(term) {
            Some((
                Constant::Add | Constant::Subtract | Constant::Multiply | Constant::NaturalProduct,
                _,
                left,
                right,
            )) => is_literal(left) && is_literal(right),
            _ => false,
        },
    })
}

/// Returns `true` for a comparison of literals as reals, `false` for one as naturals, `None` for other terms. The text
/// then writes the type.
pub(crate) fn compares_literals_as_reals(term: &Term) -> Option<bool> {
    let (constant, _, left, right) = applied_operator(term)?;
    let real = constant.compares_reals();
    ((real || constant.real_comparison().is_some()) && is_literal(left) && is_literal(right)).then_some(real)
}

/// Returns the operand of a negation. `None` for other terms.
fn as_negation(term: &Term) -> Option<&Term> {
    let TermKind::Apply { function, argument } = term.kind() else {
        return None;
    };
    matches!(function.kind(), TermKind::Constant(Constant::Negate)).then_some(argument)
}

/// The precedence that a position requires of a type, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TypePrecedence {
    Whole,
    Arrow,
    Product,
    Factor,
    Argument,
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_type(self, TypePrecedence::Whole, f)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.ty, f)
    }
}

/// A type to be printed as an argument: in parentheses unless it is one word.
#[doc(hidden)]
pub struct TypeArgument<'t>(&'t Ty);

impl fmt::Display for TypeArgument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_type(self.0, TypePrecedence::Argument, f)
    }
}

impl Ty {
    /// Returns the type for printing as an argument.
    #[doc(hidden)]
    pub fn as_argument(&self) -> TypeArgument<'_> {
        TypeArgument(self)
    }
}

fn print_type(ty: &Ty, place: TypePrecedence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let own = match ty.kind() {
        // `A^n` binds tighter than `A * B`.
        TyKind::Tuple(parts) => {
            if repeated_component(parts).is_some() {
                TypePrecedence::Factor
            } else {
                TypePrecedence::Product
            }
        }
        TyKind::Function(..) => TypePrecedence::Arrow,
        TyKind::Tangent(_) => TypePrecedence::Factor,
        TyKind::Data(_, arguments) if !arguments.is_empty() => TypePrecedence::Factor,
        TyKind::Iso(..) => TypePrecedence::Whole,
        _ => TypePrecedence::Argument,
    };
    with_stack(|| {
        if own >= place {
            return print_bare_type(ty, f);
        }
        f.write_char('(')?;
        print_bare_type(ty, f)?;
        f.write_char(')')
    })
}

fn print_bare_type(ty: &Ty, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match ty.kind() {
        TyKind::Variable(_, name) => f.write_str(name),
        TyKind::Real => f.write_str("Real"),
        TyKind::Nat => f.write_str("Nat"),
        TyKind::Bool => f.write_str("Bool"),
        TyKind::Unit => f.write_str("unit"),
        TyKind::Tuple(parts) => {
            if let Some(part) = repeated_component(parts) {
                print_type(part, TypePrecedence::Argument, f)?;
                return write!(f, "^{}", parts.len());
            }
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    f.write_str(" * ")?;
                }
                print_type(part, TypePrecedence::Factor, f)?;
            }
            Ok(())
        }
        TyKind::Function(domain, codomain) => {
            // Arrows associate to the right: a function in the domain needs parentheses.
            print_type(domain, TypePrecedence::Product, f)?;
            f.write_str(" -> ")?;
            print_type(codomain, TypePrecedence::Arrow, f)
        }
        TyKind::Tangent(inner) => {
            f.write_str("Tan ")?;
            print_type(inner, TypePrecedence::Argument, f)
        }
        TyKind::Data(data, arguments) => {
            f.write_str(data.name())?;
            arguments.iter().try_for_each(|argument| {
                f.write_char(' ')?;
                print_type(argument, TypePrecedence::Argument, f)
            })
        }
        TyKind::Iso(left, right) => {
            print_type(left, TypePrecedence::Arrow, f)?;
            f.write_str(" ~= ")?;
            print_type(right, TypePrecedence::Arrow, f)
        }
    }
}

/// Returns the component of a tuple of equal components. `None` if they differ.
fn repeated_component(parts: &[Ty]) -> Option<&Ty> {
    let first = parts.first()?;
    parts.iter().all(|part| part == first).then_some(first)
}
