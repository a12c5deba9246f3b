//! Typed terms: the random generator makes them, and the shrinker replaces them by smaller ones.
//!
//! A term is a head with its parts, and carries its type. Every binder has a number of its own. So a part can replace
//! the whole wherever the variables it mentions are in scope.
//!
//! [`Display`](fmt::Display) prints a program that can be pasted into `smoothish eval`. Its binders are annotated, so
//! that inference finds the intended type. Laws do not run that text: [`TestTerm::to_core`] builds the program directly.
//!
//! # Conversion of random terms to core terms of the language
//!
//! Conversion of random terms to core terms of the language, without a detour through text and parser.
//!
//! # Shrinking of terms
//!
//! A failure is reported on a term without a smaller neighbour that fails, within a limit of
//! attempts.
//!
//! A neighbour differs in one subterm. That is replaced by a simplest term of its type, by a part of its own with the
//! same type, by its β-reduct, or by itself with a simpler number. Scopes are not checked. A neighbour that mentions an
//! unbound variable is not a program, and the test must not count it as a failure.

use crate::function::{Function, Functional};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term;
use crate::syntax::term::{MatchBranch, Term as Core, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use std::fmt;
use std::sync::Arc;

/// The number of a binder, unique in its term.
pub type BinderId = u32;

/// A typed term, on which a law is tried.
#[derive(Clone, Debug, PartialEq)]
pub struct TestTerm {
    /// The operation or binder at the root.
    pub head: TermHead,
    /// The type of the term.
    pub ty: Ty,
    /// The immediate parts, in the order in which they are written.
    pub parts: Vec<TestTerm>,
}

/// The operation, literal or binder at the root of a term.
#[derive(Clone, Debug, PartialEq)]
pub enum TermHead {
    /// A literal of type `Real`.
    Real(Rational),
    /// A literal of type `Nat`.
    Nat(u64),
    /// `tt` or `ff`.
    Bool(bool),
    /// A bound variable.
    Variable(BinderId),
    /// A closed program that was parsed from text.
    Parsed(Arc<ParsedProgram>),
    /// A constant, applied to as many arguments as there are parts: none, some or all.
    Call(Constant),
    /// The part raised to a constant power.
    Power(Rational),
    /// `\(x : T) => part`
    Lambda(BinderId, Ty),
    /// The first part applied to the second.
    Apply,
    /// `let x = first part in second part`
    Let(BinderId),
    /// A tuple of the parts; the unit if there are none.
    Tuple,
    /// The component of the part with this index, counted from 0.
    Project(usize),
    /// `if first then second else third`
    If,
    /// Iteration of `step` by recursion on ℕ. Part 0 is the step, under a binder for the number of steps left and one
    /// for the state. Part 1 is the number of steps, part 2 the first state.
    Iterate {
        /// The binder of the recursive function.
        function: BinderId,
        /// The binder of the number of steps left.
        counter: BinderId,
        /// The binder of the state.
        state: BinderId,
    },
    /// `let rec f (x : T) = first part in second part`, at a type that contains itself
    LetRec {
        /// f
        function: BinderId,
        /// x
        argument: BinderId,
        /// T
        of: Ty,
    },
    /// `cutRoot (\x => a - (1 + |b|) * rise x)`. The function decreases for all a and b, so the promise of `cutRoot`
    /// holds. The parts are a and b; x is in the scope of neither.
    CutRoot(BinderId, IncreasingFunction),
    /// The forward direction of an isomorphism, applied to the part.
    IsoForward(Constant),
    /// The inverse direction of an isomorphism, applied to the part.
    IsoInverse(Constant),
    /// A constructor applied to its argument, if it takes one. `::` has two parts.
    Inject(Constructor),
    /// `match first with …`: part 0 is the scrutinee, then one part for each constructor, under its binders. The case
    /// `x :: rest` has two binders, any other at most one.
    Match(DataType, Vec<Vec<BinderId>>),
}

/// A closed program, as text and as a term of the language.
#[derive(Debug)]
pub struct ParsedProgram {
    /// The source text.
    pub text: Arc<str>,
    /// The parsed program.
    pub term: term::Term,
}

impl PartialEq for ParsedProgram {
    fn eq(&self, other: &Self) -> bool {
        // equal texts are parsed in the same library, so the terms need no comparison
        self.text == other.text
    }
}

/// A strictly increasing function from ℝ onto ℝ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IncreasingFunction {
    /// x
    Identity,
    /// x + x³
    Cubic,
    /// sinh x
    Sinh,
    /// x + max 0 x, with a kink at 0
    PlusRelu,
    /// x + sin x / 2
    PlusSine,
    /// cbrt x, with an infinite slope at 0
    Cbrt,
    /// x³, with slope 0 at 0
    Cube,
}

impl IncreasingFunction {
    /// All these functions.
    pub const ALL: [IncreasingFunction; 7] = [
        IncreasingFunction::Identity,
        IncreasingFunction::Cubic,
        IncreasingFunction::Sinh,
        IncreasingFunction::PlusRelu,
        IncreasingFunction::PlusSine,
        IncreasingFunction::Cbrt,
        IncreasingFunction::Cube,
    ];

    /// Prints the function at the atomic expression `x`.
    pub(super) fn print_at(self, x: &str) -> String {
        match self {
            IncreasingFunction::Identity => x.to_owned(),
            IncreasingFunction::Cubic => format!("({x} + {x}^3)"),
            IncreasingFunction::Sinh => format!("sinh {x}"),
            IncreasingFunction::PlusRelu => format!("({x} + max 0 {x})"),
            IncreasingFunction::PlusSine => format!("({x} + sin {x} / 2)"),
            IncreasingFunction::Cbrt => format!("cbrt {x}"),
            IncreasingFunction::Cube => format!("{x}^3"),
        }
    }
}

/// Returns the type of pairs `a × b`.
#[must_use]
pub fn pair_type(a: Ty, b: Ty) -> Ty {
    Ty::new(TyKind::Tuple(vec![a, b]))
}

/// Returns the type of tangents to `of`.
#[must_use]
pub fn tangent_type(of: Ty) -> Ty {
    Ty::new(TyKind::Tangent(of))
}

impl TestTerm {
    /// Makes a term from a head, its type and its parts.
    #[must_use]
    pub fn new(head: TermHead, ty: Ty, parts: Vec<TestTerm>) -> Self {
        Self { head, ty, parts }
    }

    /// Makes a literal of type `Real`.
    #[must_use]
    pub fn real_literal(value: impl Into<Rational>) -> Self {
        Self::new(TermHead::Real(value.into()), Ty::real(), Vec::new())
    }

    /// Applies a constant to arguments; the result has type `ty`.
    #[must_use]
    pub fn apply_constant(constant: Constant, ty: Ty, parts: Vec<TestTerm>) -> Self {
        Self::new(TermHead::Call(constant), ty, parts)
    }

    /// Applies a constant to real arguments; the result has type `Real`.
    #[must_use]
    pub fn real_operation(constant: Constant, parts: Vec<TestTerm>) -> Self {
        Self::apply_constant(constant, Ty::real(), parts)
    }

    /// Returns the number of heads in the term.
    #[must_use]
    pub fn size(&self) -> usize {
        1 + self.parts.iter().map(TestTerm::size).sum::<usize>()
    }

    /// Returns the size and, as a tie-breaker, the weight of the heads: mainly the bits of the literals. Every
    /// shrinking step decreases this pair in the lexicographic order, so shrinking terminates.
    #[must_use]
    pub fn shrink_cost(&self) -> (usize, u64) {
        let own = match &self.head {
            TermHead::Real(q) => {
                u64::from(q.numer().significant_bits() + q.denom().significant_bits()) + u64::from(*q < 0)
            }
            TermHead::Nat(n) => *n,
            TermHead::Bool(b) => u64::from(*b),
            TermHead::Power(q) => {
                u64::from(q.numer().significant_bits() + q.denom().significant_bits()) + u64::from(*q < 0)
            }
            TermHead::Lambda(_, ty) => ty.size() as u64,
            TermHead::CutRoot(_, rise) => u64::from(*rise != IncreasingFunction::Identity),
            // a choice: a variable weighs more than 0 and tt, and a named constant more than a variable, so that each
            // may be replaced by the simpler one
            TermHead::Variable(_) => 3,
            TermHead::Call(_) => 4,
            TermHead::Inject(constructor) => constructor.index() as u64,
            _ => 0,
        };
        let parts = self.parts.iter().map(TestTerm::shrink_cost);
        parts.fold((1, own), |(size, bits), (s, b)| (size + s, bits + b))
    }

    /// Returns `true` if `wanted` holds for some head in the term.
    pub fn contains_head(&self, wanted: &mut impl FnMut(&TermHead) -> bool) -> bool {
        wanted(&self.head) || self.parts.iter().any(|part| part.contains_head(wanted))
    }
}

/// Returns the types of the binders in the case of a constructor, for a data type with these `arguments`.
#[must_use]
pub fn branch_binder_types(constructor: &Constructor, arguments: &[Ty]) -> Vec<Ty> {
    match constructor.argument().map(|argument| argument.with_arguments(arguments)) {
        None => Vec::new(),
        // the pattern `x :: rest` binds the components; other constructors bind their argument as one variable
        Some(argument) => match argument.kind() {
            TyKind::Tuple(parts) if constructor.is_cons() => parts.clone(),
            _ => vec![argument],
        },
    }
}

/// Returns `true` if `Nat` occurs in a type that consists of numbers.
fn contains_nat(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Nat => true,
        TyKind::Tuple(parts) => parts.iter().any(contains_nat),
        _ => false,
    }
}

/// A term printed in parentheses, unless it is atomic.
struct AtomicTerm<'t>(&'t TestTerm);

impl fmt::Display for AtomicTerm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = self.0;
        let bare = match &term.head {
            // the sign of a negative literal and the bar of a fraction would bind to a neighbour
            TermHead::Real(q) => *q >= 0 && q.is_integer(),
            TermHead::Nat(_) | TermHead::Bool(_) | TermHead::Variable(_) | TermHead::Tuple | TermHead::Project(_) => {
                true
            }
            TermHead::Call(c) => term.parts.is_empty() && c.operator_sign().is_none(),
            TermHead::Inject(_) => term.parts.is_empty(),
            _ => false,
        };
        if bare || matches!(&term.head, TermHead::Call(c) if term.parts.is_empty() && c.operator_sign().is_some()) {
            write!(f, "{term}")
        } else {
            write!(f, "({term})")
        }
    }
}

impl fmt::Display for TestTerm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = |i: usize| AtomicTerm(&self.parts[i]);
        match &self.head {
            TermHead::Real(q) => write!(f, "{q}"),
            TermHead::Power(q) if q.is_integer() && *q >= 0 => write!(f, "{}^{q}", part(0)),
            TermHead::Power(q) => write!(f, "{}^({q})", part(0)),
            TermHead::Nat(n) => write!(f, "{n}"),
            TermHead::Parsed(closed) => f.write_str(&closed.text),
            TermHead::Bool(b) => f.write_str(if *b { "tt" } else { "ff" }),
            TermHead::Variable(id) => write!(f, "v{id}"),
            // without a neighbour to be added to, inference would not find the type of `zeros`
            TermHead::Call(Constant::Zero) => write!(f, "({} : {})", Constant::Zero.name(), self.ty),
            TermHead::Call(Constant::Negate) if self.parts.len() == 1 => write!(f, "-{}", part(0)),
            TermHead::Call(c) => match (c.operator_sign(), &self.parts[..]) {
                // two literals alone could be of either type
                (Some(sign), [left, _]) if c.real_comparison().is_some() => {
                    write!(f, "({left} : Nat) {sign} {}", part(1))
                }
                // subtraction of natural numbers is truncated at 0; the annotation selects it
                (Some(sign), [_, _]) if *c == Constant::Subtract && contains_nat(&self.ty) => {
                    write!(f, "({} {sign} {} : {})", part(0), part(1), self.ty)
                }
                (Some(sign), [_, _]) => write!(f, "{} {sign} {}", part(0), part(1)),
                _ => {
                    f.write_str(c.name())?;
                    (0..self.parts.len()).try_for_each(|i| write!(f, " {}", part(i)))
                }
            },
            TermHead::Lambda(id, ty) => write!(f, "\\(v{id} : {ty}) => {}", self.parts[0]),
            TermHead::Apply => write!(f, "{} {}", part(0), part(1)),
            TermHead::Let(id) => {
                write!(f, "let v{id} : {} = {} in {}", self.parts[0].ty, self.parts[0], self.parts[1])
            }
            TermHead::Tuple => {
                f.write_str("(")?;
                for (i, component) in self.parts.iter().enumerate() {
                    write!(f, "{}{component}", if i == 0 { "" } else { ", " })?;
                }
                f.write_str(")")
            }
            TermHead::Project(i) => match &self.parts[0].head {
                TermHead::Variable(_) | TermHead::Tuple | TermHead::Project(_) => write!(f, "{}[{i}]", self.parts[0]),
                _ => write!(f, "({})[{i}]", self.parts[0]),
            },
            TermHead::If => write!(f, "if {} then {} else {}", part(0), part(1), part(2)),
            TermHead::Iterate { function, counter, state } => {
                write!(f, "let rec v{function} (v{counter} : Nat) (v{state} : {0}) : {0} = ", self.ty)?;
                write!(f, "if v{counter} == 0 then v{state} else v{function} (v{counter} - 1) ({})", self.parts[0])?;
                write!(f, " in v{function} {} {}", part(1), part(2))
            }
            TermHead::LetRec { function, argument, of } => {
                let (body, rest) = (&self.parts[0], &self.parts[1]);
                write!(f, "let rec v{function} (v{argument} : {of}) : {} = {body} in {rest}", body.ty)
            }
            // the factor −(1 + |b|) is negative, so the function decreases strictly
            TermHead::CutRoot(id, rise) => {
                write!(
                    f,
                    "cutRoot (\\v{id} => {} - (1 + abs {}) * {})",
                    part(0),
                    part(1),
                    rise.print_at(&format!("v{id}"))
                )
            }
            TermHead::Inject(constructor) if constructor.is_cons() => write!(f, "{} :: {}", part(0), part(1)),
            TermHead::Inject(constructor) => {
                f.write_str(constructor.name())?;
                (0..self.parts.len()).try_for_each(|i| write!(f, " {}", part(i)))
            }
            TermHead::Match(data, binders) => {
                write!(f, "match {} with", part(0))?;
                for (i, (constructor, binders)) in data.constructors().zip(binders).enumerate() {
                    f.write_str(if i == 0 { " " } else { " | " })?;
                    match &binders[..] {
                        [] => f.write_str(constructor.name())?,
                        [x] => write!(f, "{} v{x}", constructor.name())?,
                        [x, rest, ..] => write!(f, "v{x} :: v{rest}")?,
                    }
                    write!(f, " => {}", part(i + 1))?;
                }
                Ok(())
            }
            TermHead::IsoForward(iso) => write!(f, "{}.to {}", iso.name(), part(0)),
            TermHead::IsoInverse(iso) => write!(f, "{}.from {}", iso.name(), part(0)),
        }
    }
}

// generated terms have no source text, so every span is empty
const SPAN: Span = Span { start: 0, end: 0 };

impl TestTerm {
    /// Returns the typed program. Returns `None` if a variable occurs outside of its binder: not every candidate of the
    /// shrinker is a closed term.
    #[must_use]
    pub fn to_core(&self) -> Option<Core> {
        IndexedScope::default().convert_term(self)
    }
}

/// The binders that enclose a term, with their types, outermost first. A binder without a number cannot be looked up.
#[derive(Default)]
struct IndexedScope(Vec<(Option<BinderId>, Ty)>);

/// Makes a core term with an empty span.
fn core_term(kind: TermKind) -> Core {
    Core::new(kind, SPAN)
}

/// Returns the printed name of a binder.
pub(super) fn binder_name(id: BinderId) -> Name {
    format!("v{id}").into()
}

/// Applies a function to arguments one after the other.
fn apply_all(function: Core, arguments: impl IntoIterator<Item = Core>) -> Core {
    arguments.into_iter().fold(function, |function, argument| Core::apply(function, argument, SPAN))
}

/// Applies a constant to arguments; the result has type `ty`. The types of the arguments give the constant its type.
fn constant_application(constant: impl Into<Constant>, arguments: Vec<Core>, ty: Ty) -> Core {
    let ty = arguments.iter().rev().fold(ty, |ty, argument| Ty::function(argument.ty().clone(), ty));
    apply_all(Core::with_type(TermKind::Constant(constant.into()), ty, SPAN), arguments)
}

/// Applies a constant to real arguments; the result has type `Real`.
fn real_application(constant: impl Into<Constant>, arguments: impl Into<Vec<Core>>) -> Core {
    constant_application(constant, arguments.into(), Ty::real())
}

/// Returns a rational number as the parser would read it: literals have no sign, and a fraction is a quotient.
fn number_literal(q: &Rational) -> Core {
    let literal = |q: Rational| core_term(TermKind::Real(q));
    let above = literal(q.numer().clone().abs().into());
    let above = if *q < 0 { real_application(Constant::Negate, [above]) } else { above };
    if q.is_integer() { above } else { real_application(Constant::Divide, [above, literal(q.denom().clone().into())]) }
}

/// Raises `base` to a constant power.
fn real_power(base: Core, exponent: &Rational) -> Core {
    real_application(Constant::Power, [base, number_literal(exponent)])
}

impl IncreasingFunction {
    /// Applies the function to `x`.
    fn apply_to(self, x: Core) -> Core {
        let cube = |x: &Core| real_power(x.clone(), &Rational::from(3));
        match self {
            IncreasingFunction::Identity => x,
            IncreasingFunction::Cubic => real_application(Constant::Add, [x.clone(), cube(&x)]),
            IncreasingFunction::Sinh => real_application(Function::Sinh, [x]),
            IncreasingFunction::PlusRelu => real_application(
                Constant::Add,
                [x.clone(), real_application(Constant::Max, [number_literal(&Rational::new()), x])],
            ),
            IncreasingFunction::PlusSine => {
                let half = [real_application(Function::Sin, [x.clone()]), number_literal(&Rational::from(2))];
                real_application(Constant::Add, [x, real_application(Constant::Divide, half)])
            }
            IncreasingFunction::Cbrt => real_application(Function::Cbrt, [x]),
            IncreasingFunction::Cube => cube(&x),
        }
    }
}

impl IndexedScope {
    /// Runs `make` with more binders in scope, and removes them afterwards.
    fn with_binders<R>(&mut self, binders: &[(Option<BinderId>, Ty)], make: impl FnOnce(&mut Self) -> R) -> R {
        let outside = self.0.len();
        self.0.extend_from_slice(binders);
        let made = make(self);
        self.0.truncate(outside);
        made
    }

    /// Returns the variable with the number `id` as a de Bruijn index. Returns `None` if it is not in scope.
    fn resolve_variable(&self, id: BinderId) -> Option<Core> {
        // search from the inside out: the position from the end is the de Bruijn index
        let (index, (_, ty)) = self.0.iter().rev().enumerate().find(|(_, (bound, _))| *bound == Some(id))?;
        Some(Core::variable(index, binder_name(id), ty.clone(), SPAN))
    }

    /// Makes a λ-abstraction over the binder `id`.
    fn make_lambda(&mut self, id: BinderId, domain: &Ty, body: impl FnOnce(&mut Self) -> Option<Core>) -> Option<Core> {
        let body = self.with_binders(&[(Some(id), domain.clone())], body)?;
        Some(Core::lambda(binder_name(id), domain.clone(), body, SPAN))
    }

    /// Converts all parts. Returns `None` if one of them has an unbound variable.
    fn convert_all(&mut self, parts: &[TestTerm]) -> Option<Vec<Core>> {
        parts.iter().map(|part| self.convert_term(part)).collect()
    }

    /// Converts a term. Returns `None` if a variable is unbound, or if a head has the wrong number of parts.
    fn convert_term(&mut self, drawn: &TestTerm) -> Option<Core> {
        let ty = || drawn.ty.clone();
        let isomorphism =
            |iso: &Constant, a: Ty, b: Ty| Core::with_type(TermKind::Constant(*iso), Ty::new(TyKind::Iso(a, b)), SPAN);
        Some(match (&drawn.head, &drawn.parts[..]) {
            (TermHead::Real(q), _) => number_literal(q),
            (TermHead::Nat(n), _) => core_term(TermKind::Nat(*n)),
            (TermHead::Bool(b), _) => core_term(TermKind::Bool(*b)),
            (TermHead::Variable(id), _) => self.resolve_variable(*id)?,
            (TermHead::Parsed(closed), _) => closed.term.clone(),
            (TermHead::Power(q), [base]) => real_power(self.convert_term(base)?, q),
            (TermHead::Call(constant), parts) => constant_application(*constant, self.convert_all(parts)?, ty()),
            (TermHead::Lambda(id, domain), [body]) => {
                self.make_lambda(*id, domain, |scope| scope.convert_term(body))?
            }
            (TermHead::Apply, [function, argument]) => {
                apply_all(self.convert_term(function)?, [self.convert_term(argument)?])
            }
            (TermHead::Let(id), [value, body]) => {
                let value = self.convert_term(value)?;
                // the binder is in scope of the body alone, not of the value
                let body = self.with_binders(&[(Some(*id), value.ty().clone())], |scope| scope.convert_term(body))?;
                core_term(TermKind::Let { name: binder_name(*id), value, body })
            }
            (TermHead::Tuple, []) => core_term(TermKind::Unit),
            (TermHead::Tuple, parts) => core_term(TermKind::Tuple(self.convert_all(parts)?)),
            (TermHead::Project(index), [tuple]) => {
                core_term(TermKind::Project { tuple: self.convert_term(tuple)?, index: *index })
            }
            (TermHead::If, [condition, then, otherwise]) => {
                let (condition, then) = (self.convert_term(condition)?, self.convert_term(then)?);
                core_term(TermKind::If { condition, then, otherwise: self.convert_term(otherwise)? })
            }
            (TermHead::Iterate { function, counter, state }, [step, count, start]) => {
                // the function is in scope of its own definition, so its type is needed before that is converted
                let itself = Ty::function(Ty::nat(), Ty::function(ty(), ty()));
                self.with_binders(&[(Some(*function), itself)], |scope| {
                    let value = scope.make_lambda(*counter, &Ty::nat(), |scope| {
                        scope.make_lambda(*state, &drawn.ty, |scope| {
                            scope.recursion_step(*function, *counter, *state, step)
                        })
                    })?;
                    let body = apply_all(
                        scope.resolve_variable(*function)?,
                        [scope.convert_term(count)?, scope.convert_term(start)?],
                    );
                    Some(core_term(TermKind::LetRec { name: binder_name(*function), value, body }))
                })?
            }
            (TermHead::LetRec { function, argument, of }, [body, rest]) => {
                let itself = Ty::function(of.clone(), body.ty.clone());
                self.with_binders(&[(Some(*function), itself)], |scope| {
                    let value = scope.make_lambda(*argument, of, |scope| scope.convert_term(body))?;
                    Some(core_term(TermKind::LetRec {
                        name: binder_name(*function),
                        value,
                        body: scope.convert_term(rest)?,
                    }))
                })?
            }
            (TermHead::CutRoot(id, rise), [level, steepness]) => {
                // level and steepness are drawn outside of the binder; conversion under it shifts their indices
                let falling = self.make_lambda(*id, &Ty::real(), |scope| {
                    let (level, steepness) =
                        (scope.convert_term(level)?, real_application(Constant::Abs, [scope.convert_term(steepness)?]));
                    let factor = real_application(Constant::Add, [number_literal(&Rational::from(1)), steepness]);
                    let rise =
                        real_application(Constant::Multiply, [factor, rise.apply_to(scope.resolve_variable(*id)?)]);
                    Some(real_application(Constant::Subtract, [level, rise]))
                })?;
                real_application(Constant::Functional(Functional::CutRoot), [falling])
            }
            (TermHead::IsoForward(iso), [part]) => {
                let part = self.convert_term(part)?;
                apply_all(core_term(TermKind::To(isomorphism(iso, part.ty().clone(), ty()))), [part])
            }
            (TermHead::IsoInverse(iso), [part]) => {
                let part = self.convert_term(part)?;
                apply_all(core_term(TermKind::From(isomorphism(iso, ty(), part.ty().clone()))), [part])
            }
            (TermHead::Inject(constructor), parts) => {
                let mut parts = self.convert_all(parts)?;
                let argument = match parts.len() {
                    0 => core_term(TermKind::Unit),
                    1 => parts.pop()?,
                    _ => core_term(TermKind::Tuple(parts)),
                };
                Core::inject(constructor.clone(), argument, ty(), SPAN)
            }
            (TermHead::Match(data, binders), [scrutinee, answers @ ..]) => {
                let scrutinee = self.convert_term(scrutinee)?;
                let TyKind::Data(_, arguments) = scrutinee.ty().kind() else { return None };
                let cases = data.argument_types(arguments).into_iter().zip(binders).zip(answers);
                let branches = cases.map(|((domain, binders), answer)| self.match_branch(domain, binders, answer));
                let branches = branches.collect::<Option<_>>()?;
                core_term(TermKind::Match { data: data.clone(), scrutinee, branches })
            }
            _ => return None,
        })
    }

    /// Makes `if counter == 0 then state else function (counter - 1) step`.
    fn recursion_step(
        &mut self,
        function: BinderId,
        counter: BinderId,
        state: BinderId,
        step: &TestTerm,
    ) -> Option<Core> {
        let nat = |n| core_term(TermKind::Nat(n));
        let condition =
            constant_application(Constant::Equal, vec![self.resolve_variable(counter)?, nat(0)], Ty::bool());
        let left = constant_application(Constant::Subtract, vec![self.resolve_variable(counter)?, nat(1)], Ty::nat());
        let otherwise = apply_all(self.resolve_variable(function)?, [left, self.convert_term(step)?]);
        Some(core_term(TermKind::If { condition, then: self.resolve_variable(state)?, otherwise }))
    }

    /// Makes the branch of one case. A constructor that binds several variables takes a tuple, and each variable is a
    /// projection of it.
    fn match_branch(&mut self, domain: Ty, binders: &[BinderId], answer: &TestTerm) -> Option<MatchBranch> {
        let (TyKind::Tuple(types), [_, _, ..]) = (domain.kind(), binders) else {
            let id = binders.first().copied();
            let body = self.with_binders(&[(id, domain)], |scope| scope.convert_term(answer))?;
            return Some(MatchBranch { name: id.map_or_else(|| "_".into(), binder_name), body });
        };
        let pair = Name::from("pair");
        // the tuple itself has no number, so no variable can resolve to it
        let mut scope = vec![(None, domain.clone())];
        scope.extend(binders.iter().zip(types).map(|(id, ty)| (Some(*id), ty.clone())));
        let answer = self.with_binders(&scope, |scope| scope.convert_term(answer))?;
        // seen from the let of component `index`, the lets of the earlier components lie between it and the tuple
        let body = binders.iter().enumerate().rev().fold(answer, |body, (index, id)| {
            let tuple = Core::variable(index, pair.clone(), domain.clone(), SPAN);
            core_term(TermKind::Let {
                name: binder_name(*id),
                value: core_term(TermKind::Project { tuple, index }),
                body,
            })
        });
        Some(MatchBranch { name: pair, body })
    }
}

/// Returns the smallest failing term that is found by going from neighbour to neighbour. `fails` is called at most
/// `patience` times, and never on `term` itself.
pub fn shrink_term(term: TestTerm, patience: usize, mut fails: impl FnMut(&TestTerm) -> bool) -> TestTerm {
    let (mut best, mut asked) = (term, 0);
    'again: loop {
        // the cost decreases strictly in a well-founded order, so the loop ends even without the limit
        for candidate in smaller_terms(&best) {
            if asked == patience {
                return best;
            }
            asked += 1;
            if fails(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Returns the terms that differ from `term` in one subterm and cost less, the cheapest first. They have its type, but
/// some are not closed.
#[must_use]
pub fn smaller_terms(term: &TestTerm) -> Vec<TestTerm> {
    let cost = term.shrink_cost();
    let mut next: Vec<TestTerm> = term_neighbours(term).into_iter().filter(|t| t.shrink_cost() < cost).collect();
    // cheapest first: one large step saves many small ones
    next.sort_by_cached_key(TestTerm::shrink_cost);
    next.dedup();
    next
}

/// Returns the terms that differ from `term` in one subterm. Some are larger, and some are not closed.
fn term_neighbours(term: &TestTerm) -> Vec<TestTerm> {
    let mut found = root_replacements(term);
    for (i, part) in term.parts.iter().enumerate() {
        found.extend(term_neighbours(part).into_iter().map(|smaller| {
            let mut parts = term.parts.clone();
            parts[i] = smaller;
            TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
        }));
    }
    found
}

/// Returns the candidates that may replace a whole term.
fn root_replacements(term: &TestTerm) -> Vec<TestTerm> {
    let mut found = simplest_terms(&term.ty);
    // a choice: parts down to depth 3 skip several heads at once
    collect_descendants(term, &term.ty, 3, &mut found);
    let leaf = |head: TermHead| TestTerm::new(head, term.ty.clone(), Vec::new());
    match (&term.head, &term.parts[..]) {
        (TermHead::Real(q), _) => found.extend(simpler_numbers(q).into_iter().map(TestTerm::real_literal)),
        (TermHead::Nat(n), _) => found.extend([n / 2, n.saturating_sub(1)].map(|n| leaf(TermHead::Nat(n)))),
        (TermHead::Power(q), [part]) => {
            let with = |q| TestTerm::new(TermHead::Power(q), term.ty.clone(), vec![part.clone()]);
            found.extend(simpler_numbers(q).into_iter().map(with));
        }
        (TermHead::CutRoot(id, rise), parts) if *rise != IncreasingFunction::Identity => {
            found.push(TestTerm::new(
                TermHead::CutRoot(*id, IncreasingFunction::Identity),
                term.ty.clone(),
                parts.to_vec(),
            ));
        }
        // β-reduction copies the value, so the result may be larger; the filter of `shrink_term` decides
        (TermHead::Let(id), [value, body]) => found.push(substitute_variable(body, *id, value)),
        (TermHead::Apply, [function, argument]) => {
            if let (TermHead::Lambda(id, _), [body]) = (&function.head, &function.parts[..]) {
                found.push(substitute_variable(body, *id, argument));
            }
        }
        (TermHead::Match(_, binders), [scrutinee, branches @ ..]) => {
            if let TermHead::Inject(constructor) = &scrutinee.head {
                let place = constructor.index();
                let bound = binders[place].iter().zip(&scrutinee.parts);
                found.push(
                    bound.fold(branches[place].clone(), |body, (id, part)| substitute_variable(&body, *id, part)),
                );
            }
        }
        (TermHead::Call(Constant::Fold), [step, start, list]) => {
            if let (TermHead::Inject(_), [head, rest]) = (&list.head, &list.parts[..])
                && let TyKind::Function(_, step_at) = step.ty.kind()
            {
                let rest = TestTerm::apply_constant(
                    Constant::Fold,
                    term.ty.clone(),
                    vec![step.clone(), start.clone(), rest.clone()],
                );
                let applied = TestTerm::new(TermHead::Apply, step_at.clone(), vec![step.clone(), head.clone()]);
                found.push(TestTerm::new(TermHead::Apply, term.ty.clone(), vec![applied, rest]));
            }
        }
        (TermHead::Project(i), [tuple]) if tuple.head == TermHead::Tuple => found.extend(tuple.parts.get(*i).cloned()),
        (head, [choice]) if choice.head == TermHead::If => {
            // push a projection into the branches: `(if c then (a, b) else (d, e))[0]` becomes `if c then a else d`
            if let (Some(i), [condition, then, otherwise]) = (projected_index(head), &choice.parts[..])
                && then.head == TermHead::Tuple
                && otherwise.head == TermHead::Tuple
                && let (Some(then), Some(otherwise)) = (then.parts.get(i), otherwise.parts.get(i))
            {
                let parts = vec![condition.clone(), then.clone(), otherwise.clone()];
                found.push(TestTerm::new(TermHead::If, term.ty.clone(), parts));
            }
        }
        _ => {}
    }
    found
}

/// Returns the index of the component that a head projects to. Returns `None` if it is no projection.
fn projected_index(head: &TermHead) -> Option<usize> {
    match head {
        TermHead::Project(i) => Some(*i),
        TermHead::Call(Constant::Fst) => Some(0),
        TermHead::Call(Constant::Snd) => Some(1),
        _ => None,
    }
}

/// Returns the simplest terms of a type. Empty if the type has no obvious one.
fn simplest_terms(ty: &Ty) -> Vec<TestTerm> {
    match ty.kind() {
        TyKind::Real => [0, 1, 2].map(TestTerm::real_literal).to_vec(),
        TyKind::Nat => vec![TestTerm::new(TermHead::Nat(0), ty.clone(), Vec::new())],
        TyKind::Bool => [true, false].map(|b| TestTerm::new(TermHead::Bool(b), ty.clone(), Vec::new())).to_vec(),
        TyKind::Data(data, _) => {
            let constants = data.constructors().filter(|constructor| constructor.layer_type().is_none());
            constants.map(|constructor| TestTerm::new(TermHead::Inject(constructor), ty.clone(), Vec::new())).collect()
        }
        TyKind::Function(domain, codomain) if domain == codomain => {
            // generated binders count from 1, so 0 is free
            let id = 0;
            let body = TestTerm::new(TermHead::Variable(id), codomain.clone(), Vec::new());
            vec![TestTerm::new(TermHead::Lambda(id, domain.clone()), ty.clone(), vec![body])]
        }
        _ => Vec::new(),
    }
}

/// Collects the proper subterms of type `ty`, down to depth `depth + 1`.
fn collect_descendants(term: &TestTerm, ty: &Ty, depth: u32, into: &mut Vec<TestTerm>) {
    for part in &term.parts {
        if part.ty == *ty {
            into.push(part.clone());
        }
        if depth > 0 {
            collect_descendants(part, ty, depth - 1, into);
        }
    }
}

/// Returns candidates for a simpler number than `q`; some may be more complex.
fn simpler_numbers(q: &Rational) -> Vec<Rational> {
    let mut simpler: Vec<Rational> = [0, 1, 2].map(Rational::from).to_vec();
    simpler.extend([Rational::from(-q), q.clone().abs().floor(), q.clone().abs().ceil(), Rational::from((1, 2))]);
    let half = Rational::from(q / 2u32).abs().floor();
    simpler.extend([Rational::from(q * 2u32), Rational::from(q / 2u32), half.clone(), half + 1u32]);
    simpler
}

/// Returns the term with `value` in the place of the variable `id`. Binders are unique, so no variable is captured.
pub(super) fn substitute_variable(term: &TestTerm, id: BinderId, value: &TestTerm) -> TestTerm {
    if term.head == TermHead::Variable(id) {
        return value.clone();
    }
    let parts = term.parts.iter().map(|part| substitute_variable(part, id, value)).collect();
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}

/// Returns a random neighbour of a term, for mutations. It need not be smaller.
#[must_use]
pub fn random_neighbour(term: &TestTerm, random: &mut SplitMix64) -> TestTerm {
    if term.parts.is_empty() || random.random_bool(25) {
        let mut found = root_replacements(term);
        return if found.is_empty() { term.clone() } else { found.swap_remove(random.next_below(found.len())) };
    }
    let at = random.next_below(term.parts.len());
    let mut parts = term.parts.clone();
    parts[at] = random_neighbour(&term.parts[at], random);
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}
