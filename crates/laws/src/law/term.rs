//! Typed terms: the random generator makes them, and the shrinker replaces them by smaller ones.
//!
//! A term is a head with its parts, and carries its type. Every binder has a number of its own. So a part can replace
//! the whole wherever the variables it mentions are in scope.
//!
//! [`Display`](fmt::Display) prints a program that can be pasted into `smoothish eval`. Its binders are annotated, so
//! that inference finds the intended type. Laws do not run that text: [`TestTerm::to_core`] builds the program directly.

mod core;

use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term;
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
    fn print_at(self, x: &str) -> String {
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
