//! Random well-typed programs, from which the laws draw their samples.
//!
//! A term of a given type is made from the root down, with a size that its parts share. Half of the numbers lie on
//! kinks and edges of common programs: 0, 1, ½, and other short dyadics.
//!
//! Many operations are undefined for some arguments. Most of their arguments are put into the domain, so that most
//! programs have a value. The others may be undefined.
//!
//! Programs are read in a [`data_library`] that declares a few data types, those of the theory `DataType`.
//!
//! The program number `index` of a seed depends on these two numbers alone.
//!
//! # Random terms of variants and lists
//!
//! Random terms of variants and lists, matches and folds.
//!
//! # Random quotients
//!
//! Random quotients, powers and elementary functions, with arguments in their domains.
//!
//! # Random terms of type `Real`
//!
//! A root of a random function is seldom one. So the argument of `cutRoot` is made from an increasing function, a
//! level and a steepness: programs keep their promises by construction, and a promise that is reported as broken
//! is a fault.
//!
//! # Random terms of function types and of tangent types
//!
//! # Random functions of several numbers
//!
//! Random functions of several numbers that combine two of their arguments.
//!
//! Most random functions of several numbers are sums of functions of one number, or ignore all arguments but one. Some
//! false laws hold for such functions, for example that a maximum of minima is the minimum of the maxima, and are
//! refuted late or never. The functions here combine two arguments before any other operation.

pub mod oracle;
pub mod program;
mod using;

use super::term::{BinderId, TermHead, TestTerm, pair_type, tangent_type};
use crate::function::{ArgumentCondition, Domain, DomainEnd, Function, Functional, NumberSet, Planar, SpecialId};
use crate::law::term::{IncreasingFunction, branch_binder_types};
use crate::model::fragment::Fragment;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType, HeightCache, least_constructor};
use crate::syntax::library::Library;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::ty::{Ty, TyKind};
use std::sync::LazyLock;

/// The largest size, in heads, that is asked for. Guards that put arguments into domains come on top. A choice: larger
/// programs have more derivatives and take longer.
pub const MAX_PROGRAM_SIZE: usize = 40;
/// The greatest depth of nested integrals, roots and optima. A choice: each level multiplies the cost of evaluation.
const SECOND_ORDER_DEPTH: u32 = 2;
/// The greatest depth of nested derivatives inside a program. A choice, for the same reason.
const DERIVATIVE_DEPTH: u32 = 2;

/// The set of operations that terms are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TermVocabulary {
    /// All operations.
    Full,
    /// Operations with a value for all arguments, and that value a single number.
    Total,
    /// The operations of `Total` that have all derivatives everywhere.
    Smooth,
    /// The language of H §5: smooth operations, higher-order functions, variants, lists and folds. Terms have all
    /// derivatives wherever they have a value.
    Derivable,
}

impl TermVocabulary {
    /// Returns `true` if the vocabulary contains a constant.
    #[must_use]
    pub fn allows_constant(self, constant: Constant) -> bool {
        use Constant::{Abs, Deriv, Divide, Elementary, Jvp, Max, Min, Rd, RealPower, Signum};
        use Functional::Integral;
        match self {
            Self::Full => true,
            Self::Total => match constant {
                // functions with poles or a domain that is not the whole line are excluded
                Elementary(f) => f.is_total(),
                Constant::Planar(_) => false,
                // a quotient is allowed by `admits`, where its denominator is visibly not 0
                Divide | Deriv | Jvp | Rd | RealPower | Signum | Constant::Special(_) => false,
                Constant::Functional(f) => f.is_total(),
                _ => true,
            },
            Self::Smooth => match constant {
                // a derivative of a smooth total function is total
                Deriv | Jvp | Rd => true,
                Elementary(f) => f.row().conditions.is_analytic_everywhere(),
                Max | Min | Abs => false,
                Constant::Functional(f) => f == Integral,
                _ => Self::Total.allows_constant(constant),
            },
            // every derivative of log Γ is a function of its own, and costs as much as log Γ
            Self::Derivable if let Elementary(f) = constant => f.derivative_function().is_none(),
            Self::Derivable => {
                Fragment::Derivable.has_constant(constant)
                    && !constant.is_analytic()
                    && !matches!(constant, Constant::Special(_))
            }
        }
    }

    /// Returns `true` if terms may be undefined for some arguments.
    fn is_partial(self) -> bool {
        matches!(self, Self::Full | Self::Derivable)
    }

    /// Returns `true` if the vocabulary has variants and lists.
    fn has_data(self) -> bool {
        matches!(self, Self::Full | Self::Derivable)
    }

    /// Returns `true` if a term stays within the vocabulary. Quotients and binary functions are admitted where their
    /// second argument is visibly in the domain.
    #[must_use]
    pub fn admits_term(self, term: &TestTerm) -> bool {
        let own = match (&term.head, &term.parts[..]) {
            (TermHead::Call(Constant::Divide), [_, below]) => self.is_partial() || is_apart_from_zero(below),
            (TermHead::Call(Constant::Planar(_)), [_, beside]) => self == Self::Full || is_positive(beside),
            (TermHead::Call(constant), _) => self.allows_constant(*constant),
            (TermHead::CutRoot(..), _) => self.allows_constant(Constant::Functional(Functional::CutRoot)),
            (TermHead::Power(q), _) => self.is_partial() || (q.is_integer() && *q >= 0),
            _ => true,
        };
        own && term.parts.iter().all(|part| self.admits_term(part))
    }
}

/// Picks a function, a special one in one draw of sixteen: it takes hundreds of times the work of an elementary one, and a law that
/// finds it in every sample tests little else in its time.
fn pick_function(random: &mut SplitMix64, among: &[Constant]) -> Constant {
    let is_special = |constant: &&Constant| matches!(constant, Constant::Elementary(Function::Special(..)));
    let (special, elementary): (Vec<&Constant>, Vec<&Constant>) = among.iter().partition(is_special);
    let of = if !special.is_empty() && random.next_below(16) == 0 { special } else { elementary };
    **random.pick(&of)
}

/// Returns `true` if a number is visibly not 0: a literal, or of the form `1 + e²`.
fn is_apart_from_zero(term: &TestTerm) -> bool {
    matches!(&term.head, TermHead::Real(q) if !q.is_zero()) || is_positive(term)
}

/// Returns `true` if a number is visibly above 0: a literal, or of the form `1 + e²`.
fn is_positive(term: &TestTerm) -> bool {
    match (&term.head, &term.parts[..]) {
        (TermHead::Real(q), _) => *q > 0,
        (TermHead::Call(Constant::Add), [one, square]) => {
            matches!(&one.head, TermHead::Real(q) if *q > 0) && matches!(&square.head, TermHead::Power(q) if *q == 2)
        }
        _ => false,
    }
}

/// A random program, and the order of its derivative at the root.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// The number of derivatives at the root: 0, 1 or 2.
    pub order: u32,
    /// The term, closed and of type `Real`.
    pub term: TestTerm,
}

/// The constant of the derivatives of log Γ.
const POLYGAMMA: Constant = Constant::Special(SpecialId::Gamma);

/// Returns the program number `index` of a seed.
#[must_use]
pub fn random_program(seed: u64, index: u64) -> RandomProgram {
    let mut generator = TermGenerator::new(SplitMix64::for_sample(seed, index));
    // a choice: values and first derivatives equally often, second derivatives half as often, since they cost more
    let order = generator.random.pick_weighted(&[(4, 0), (4, 1), (2, 2)]);
    let size = 4 + generator.random.next_below(MAX_PROGRAM_SIZE - 3);
    let term = if order == 0 { generator.draw_term(&Ty::real(), size) } else { generator.draw_derivative(order, size) };
    RandomProgram { order, term }
}

/// A generator of random well-typed terms.
#[derive(Debug)]
pub struct TermGenerator {
    pub(super) random: SplitMix64,
    vocabulary: TermVocabulary,
    last_binder: BinderId,
    scope: Vec<(BinderId, Ty)>,
    solver_depth: u32,
    derivative_depth: u32,
}

impl TermGenerator {
    /// Makes a generator of all operations, with no variable in scope.
    #[must_use]
    pub fn new(random: SplitMix64) -> Self {
        Self::with_vocabulary(random, TermVocabulary::Full)
    }

    /// Makes a generator of terms in a vocabulary, with no variable in scope.
    #[must_use]
    pub fn with_vocabulary(random: SplitMix64, vocabulary: TermVocabulary) -> Self {
        Self { random, vocabulary, last_binder: 0, scope: Vec::new(), solver_depth: 0, derivative_depth: 0 }
    }

    /// Draws one of these constants that the vocabulary contains. At least one must be allowed.
    pub(super) fn pick_constant(&mut self, among: &[Constant]) -> Constant {
        let vocabulary = self.vocabulary;
        let allowed: Vec<Constant> = among.iter().copied().filter(|c| vocabulary.allows_constant(*c)).collect();
        *self.random.pick(&allowed)
    }

    /// Draws a term of type `ty` over the variables in scope. Any type that is not listed here is taken as `Real`.
    pub fn draw_term(&mut self, ty: &Ty, size: usize) -> TestTerm {
        match ty.kind() {
            TyKind::Nat => self.draw_natural(size),
            TyKind::Bool => self.draw_boolean(size),
            TyKind::Unit => TestTerm::new(TermHead::Tuple, ty.clone(), Vec::new()),
            TyKind::Tuple(parts) => self.draw_tuple(ty, parts, size),
            TyKind::Function(domain, codomain) => self.draw_function(ty, domain, codomain, size),
            TyKind::Tangent(of) => self.draw_tangent(ty, of, size),
            TyKind::Data(data, arguments) => self.draw_data(ty, data, arguments, size),
            _ => self.draw_real(size),
        }
    }

    /// Returns a fresh number for a binder.
    pub(super) fn fresh_id(&mut self) -> BinderId {
        self.last_binder += 1;
        self.last_binder
    }

    /// Runs `make` with more variables in scope, and removes them afterwards.
    fn with_binders<R>(&mut self, binders: &[(BinderId, Ty)], make: impl FnOnce(&mut Self) -> R) -> R {
        let outside = self.scope.len();
        self.scope.extend(binders.iter().cloned());
        let made = make(self);
        self.scope.truncate(outside);
        made
    }

    /// Draws a variable of type `ty`. Returns `None` if none is in scope.
    fn draw_variable(&mut self, ty: &Ty) -> Option<TestTerm> {
        let fitting: Vec<BinderId> = self.scope.iter().filter(|(_, t)| t == ty).map(|(id, _)| *id).collect();
        let last = *fitting.last()?;
        // a choice: half of the draws take the innermost variable, so that most binders are used
        let id = if self.random.random_bool(50) { last } else { *self.random.pick(&fitting) };
        Some(TestTerm::new(TermHead::Variable(id), ty.clone(), Vec::new()))
    }

    /// Returns sizes of `N` parts, each at least 1, that add up to about `size - 1`.
    fn split_size<const N: usize>(&mut self, size: usize) -> [usize; N] {
        let mut sizes = [1; N];
        for _ in 0..size.saturating_sub(1 + N) {
            sizes[self.random.next_below(N)] += 1;
        }
        sizes
    }

    /// Draws a rational number; about half of the draws lie on 0, 1, ½ or another usual kink or edge.
    pub(super) fn draw_number(&mut self) -> Rational {
        let small = |random: &mut SplitMix64, bound: usize| random.next_below(bound) as i64;
        let random = &mut self.random;
        let number = match random.pick_weighted(&[(9, 0), (4, 1), (3, 2), (3, 3), (1, 4)]) {
            0 => *random.pick(&[(0, 1), (0, 1), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1), (1, 4), (3, 4), (3, 1)]),
            1 => (small(random, 65), 1i64 << random.next_below(7)),
            2 => (small(random, 21), 10),
            3 => (1 + small(random, 9), *random.pick(&[3, 5, 6, 7, 9])),
            // extremes: tiny, large, and 1 + 2⁻⁵³, which no double holds
            _ => {
                *random.pick(&[(1, 1i64 << 30), (1, 1_000_000_000), (1000, 1), (1 << 20, 1), ((1 << 53) + 1, 1 << 53)])
            }
        };
        let number = Rational::from(number);
        if random.random_bool(20) { -number } else { number }
    }

    /// Draws a rational number above 0.
    pub(super) fn draw_positive(&mut self) -> Rational {
        let number = self.draw_number().abs();
        // 0 is frequent among numbers, so 1 replaces it
        if number.is_zero() { Rational::from(1) } else { number }
    }

    /// Draws a term of type `Nat`.
    fn draw_natural(&mut self, size: usize) -> TestTerm {
        let nat = || Ty::new(TyKind::Nat);
        if self.random.random_bool(40)
            && let Some(variable) = self.draw_variable(&nat())
        {
            return variable;
        }
        if size > 2 && self.random.random_bool(50) {
            let [a, b] = self.split_size(size);
            let constant = *self.random.pick(&[Constant::Add, Constant::Subtract]);
            return TestTerm::apply_constant(constant, nat(), vec![self.draw_natural(a), self.draw_natural(b)]);
        }
        TestTerm::new(TermHead::Nat(self.random.next_below(5) as u64), nat(), Vec::new())
    }

    /// Draws a term of type `Bool`.
    fn draw_boolean(&mut self, size: usize) -> TestTerm {
        let bool = || Ty::new(TyKind::Bool);
        if self.random.random_bool(30)
            && let Some(variable) = self.draw_variable(&bool())
        {
            return variable;
        }
        if size > 2 {
            let sizes = self.split_size(size);
            return match self.random.next_below(4) {
                0 => TestTerm::apply_constant(Constant::Not, bool(), vec![self.draw_boolean(size - 1)]),
                1 => self.draw_conditional(&bool(), size),
                _ => self.draw_comparison(sizes),
            };
        }
        TestTerm::new(TermHead::Bool(self.random.random_bool(50)), bool(), Vec::new())
    }

    /// Draws a comparison of natural numbers.
    fn draw_comparison(&mut self, [a, b]: [usize; 2]) -> TestTerm {
        use Constant::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let comparison = *self.random.pick(&[Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual]);
        let left = self.draw_natural(a);
        // comparisons differ where both sides are equal, which two random sides rarely are
        let is_same = self.vocabulary == TermVocabulary::Derivable && self.random.random_bool(50);
        let right = if is_same { left.clone() } else { self.draw_natural(b) };
        TestTerm::apply_constant(comparison, Ty::new(TyKind::Bool), vec![left, right])
    }

    /// Draws a conditional with branches of type `ty`.
    fn draw_conditional(&mut self, ty: &Ty, size: usize) -> TestTerm {
        let [a, b, c] = self.split_size(size);
        let parts = vec![self.draw_boolean(a), self.draw_term(ty, b), self.draw_term(ty, c)];
        TestTerm::new(TermHead::If, ty.clone(), parts)
    }

    /// Draws a term of a product type: a variable, a conditional, a tangent taken apart, or its components.
    fn draw_tuple(&mut self, ty: &Ty, components: &[Ty], size: usize) -> TestTerm {
        if self.random.random_bool(30)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        if size > 4 && self.random.random_bool(15) {
            return self.draw_conditional(ty, size);
        }
        // a tangent to the reals is a pair through its isomorphism
        if size > 4
            && self.vocabulary.allows_constant(Constant::Tangent)
            && *ty == pair_type(Ty::real(), Ty::real())
            && self.random.random_bool(30)
        {
            let tangent = self.draw_term(&tangent_type(Ty::real()), size - 1);
            return TestTerm::new(TermHead::IsoForward(Constant::TangentR), ty.clone(), vec![tangent]);
        }
        let each = (size.saturating_sub(1) / components.len()).max(1);
        let parts = components.iter().map(|component| self.draw_term(component, each)).collect();
        TestTerm::new(TermHead::Tuple, ty.clone(), parts)
    }
}

/// The declarations of the types that random programs use, as in the theory `DataType`.
pub const DATA_DECLARATIONS: [&str; 3] = [
    "type Maybe A = Nothing | Just A",
    "type Either A B = Left A | Right B",
    "type Tree A = Leaf | Node (Tree A * A * Tree A)",
];

/// The greatest length of an ordinary list. A choice.
const MAX_LIST_LENGTH: usize = 4;
/// The greatest length of the few long lists that samples of laws contain. A choice.
const MAX_LONG_LIST_LENGTH: usize = 12;

/// Returns the library that random programs are read in: a module `DataType` with their types.
#[must_use]
pub fn data_library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let mut library = Library::new();
        library.add_module("Data".into(), Vec::new());
        for text in DATA_DECLARATIONS {
            if let Ok(PromptInput::Type(declaration)) = parse_input(text, &[]) {
                // the result can be ignored: a test reads programs of every constructor
                let _ = library.define_type("Data", text, &declaration);
            }
        }
        library
    });
    &LIBRARY
}

/// Returns the type `name` of the library at `arguments`. Returns `None` if the library does not declare it.
fn declared_type(name: &str, arguments: Vec<Ty>) -> Option<Ty> {
    let module = data_library().module("Data")?;
    Some(module.find_named_type(name)?.scheme.ty.with_arguments(&arguments))
}

/// Returns the type `Maybe A`.
#[must_use]
pub fn maybe_type(of: Ty) -> Ty {
    declared_type("Maybe", vec![of]).unwrap_or_else(Ty::real)
}

/// Returns the type `Either A B`.
#[must_use]
pub fn either_type(a: Ty, b: Ty) -> Ty {
    declared_type("Either", vec![a, b]).unwrap_or_else(Ty::real)
}

/// Returns the type `Tree A`.
#[must_use]
pub fn tree_type(of: Ty) -> Ty {
    declared_type("Tree", vec![of]).unwrap_or_else(Ty::real)
}

impl TermGenerator {
    /// Draws the type of a variant or of a list.
    fn data_type(&mut self) -> Ty {
        let real = Ty::real;
        match self.random.pick_weighted(&[(4, 0), (4, 1), (2, 2), (1, 3), (1, 4)]) {
            0 => maybe_type(real()),
            1 => Ty::list(real()),
            2 => either_type(real(), Ty::function(real(), real())),
            3 => Ty::list(maybe_type(real())),
            _ => maybe_type(Ty::list(real())),
        }
    }

    /// Draws a term of a data type: a constructor, a variable or a conditional.
    fn draw_data(&mut self, ty: &Ty, data: &DataType, arguments: &[Ty], size: usize) -> TestTerm {
        if self.random.random_bool(30)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        if size > 4 && self.random.random_bool(15) {
            return self.draw_conditional(ty, size);
        }
        if data.is_list() {
            return self.draw_list(ty, &arguments[0], size);
        }
        // no size is left for a subterm of the same type: end with the value of least depth
        if data.is_recursive() && size <= 1 {
            return self.least_value(ty, &mut HeightCache::default());
        }
        let mut constructors: Vec<Constructor> = data.constructors().collect();
        // without this most trees would be leaves
        if data.is_recursive() && size > 3 && self.random.random_bool(70) {
            constructors.retain(Constructor::is_recursive);
        }
        let constructor = self.random.pick(&constructors).clone();
        let domain = constructor.argument().map(|argument| argument.with_arguments(arguments));
        let parts = domain.iter().map(|domain| self.draw_term(domain, size.saturating_sub(1).max(1))).collect();
        TestTerm::new(TermHead::Inject(constructor), ty.clone(), parts)
    }

    /// Returns a value of the least depth, counted in nested constructors.
    fn least_value(&mut self, ty: &Ty, known: &mut HeightCache) -> TestTerm {
        match ty.kind() {
            TyKind::Tuple(components) => {
                let parts = components.iter().map(|component| self.least_value(component, known)).collect();
                TestTerm::new(TermHead::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.constructor_count() > 0 => {
                // `least` is `None` for a type without constructors only, excluded by the guard above
                let constructor = least_constructor(data, arguments, known).unwrap_or_else(Constructor::nil);
                let domain = constructor.argument().map(|argument| argument.with_arguments(arguments));
                let parts = domain.iter().map(|domain| self.least_value(domain, known)).collect();
                TestTerm::new(TermHead::Inject(constructor), ty.clone(), parts)
            }
            _ => self.draw_term(ty, 1),
        }
    }

    /// Draws a list: random elements in front of the empty list or, in one case of five, of a variable.
    fn draw_list(&mut self, ty: &Ty, of: &Ty, size: usize) -> TestTerm {
        let nil = TestTerm::new(TermHead::Inject(Constructor::nil()), ty.clone(), Vec::new());
        // a choice: long lists occur in samples of laws alone, to keep full programs cheap
        let is_long = self.vocabulary != TermVocabulary::Full && self.random.random_bool(10);
        let length = self.random.next_below(if is_long { MAX_LONG_LIST_LENGTH } else { MAX_LIST_LENGTH.min(size) } + 1);
        let end = if self.random.random_bool(20) { self.draw_variable(ty).unwrap_or(nil) } else { nil };
        let each = (size / length.max(1)).max(1);
        (0..length).fold(end, |rest, _| {
            let parts = vec![self.draw_term(of, each), rest];
            TestTerm::new(TermHead::Inject(Constructor::cons()), ty.clone(), parts)
        })
    }

    /// Draws `match e with …`, with answers of type `ty`.
    fn draw_match(&mut self, ty: &Ty, size: usize) -> TestTerm {
        let matched = self.data_type();
        let TyKind::Data(data, arguments) = matched.kind() else { return self.draw_term(ty, size) };
        let [scrutinee, each] = self.split_size(size);
        let mut parts = vec![self.draw_term(&matched, scrutinee)];
        let mut binders = Vec::new();
        for constructor in data.constructors() {
            let bound: Vec<_> =
                branch_binder_types(&constructor, arguments).into_iter().map(|ty| (self.fresh_id(), ty)).collect();
            // a size of 2 at least, so that a case can be more than a leaf
            let each = (each / data.constructor_count()).max(2);
            parts.push(self.with_binders(&bound, |g| g.draw_term(ty, each)));
            binders.push(bound.into_iter().map(|(id, _)| id).collect());
        }
        TestTerm::new(TermHead::Match(data.clone(), binders), ty.clone(), parts)
    }

    /// Draws `fold step start list`, with a result of type `ty`.
    fn draw_fold(&mut self, ty: &Ty, size: usize) -> TestTerm {
        let of = if self.random.random_bool(80) { Ty::real() } else { maybe_type(Ty::real()) };
        let [step, start, list] = self.split_size(size);
        // a choice: a third of the size at least for the step, which has two binders to use
        let step = self.draw_lambdas(&[of.clone(), ty.clone()], ty, step.max(size / 3));
        let parts = vec![step, self.draw_term(ty, start), self.draw_term(&Ty::list(of), list)];
        TestTerm::apply_constant(Constant::Fold, ty.clone(), parts)
    }

    /// Draws `\x y => body`, with one λ for each domain.
    fn draw_lambdas(&mut self, domains: &[Ty], codomain: &Ty, size: usize) -> TestTerm {
        let Some((domain, rest)) = domains.split_first() else { return self.draw_term(codomain, size.max(1)) };
        let ty = domains.iter().rev().fold(codomain.clone(), |ty, domain| Ty::function(domain.clone(), ty));
        let id = self.fresh_id();
        let body =
            self.with_binders(&[(id, domain.clone())], |g| g.draw_lambdas(rest, codomain, size.saturating_sub(1)));
        TestTerm::new(TermHead::Lambda(id, domain.clone()), ty, vec![body])
    }
}

impl TermGenerator {
    /// Draws a quotient; mostly the denominator is `1 + e²`, which has no zero.
    fn draw_quotient(&mut self, size: usize) -> TestTerm {
        let [a, b] = self.split_size(size);
        let (a, b) = (self.draw_real(a), self.draw_real(b));
        let b = if self.vocabulary != TermVocabulary::Full || self.random.random_bool(60) {
            Self::one_plus(Self::square_of(b))
        } else {
            b
        };
        TestTerm::real_operation(Constant::Divide, vec![a, b])
    }

    /// Draws a power with a constant exponent; exponents other than natural numbers in the full vocabulary alone.
    fn draw_power(&mut self, size: usize) -> TestTerm {
        let part = self.draw_real(size - 1);
        let full = usize::from(self.vocabulary == TermVocabulary::Full);
        let exponent = match self.random.pick_weighted(&[(8, 0), (full, 1), (2 * full, 2)]) {
            // a choice: squares are the most frequent; the exponents 0 and 1 are edge cases
            0 => Rational::from(*self.random.pick(&[2, 2, 2, 3, 3, 4, 5, 1, 0])),
            1 => Rational::from(*self.random.pick(&[-1, -2, -3])),
            _ => Rational::from(*self.random.pick(&[(1, 2), (1, 3), (2, 3), (3, 2), (-1, 2), (4, 3)])),
        };
        TestTerm::new(TermHead::Power(exponent), Ty::real(), vec![part])
    }

    /// Draws an elementary function of one or two variables.
    fn draw_elementary(&mut self, size: usize) -> TestTerm {
        let vocabulary = self.vocabulary;
        let functions = Function::ALL.iter().copied().map(Constant::Elementary).chain([Constant::Sigmoid]);
        let allowed = functions.filter(|constant| vocabulary.allows_constant(*constant));
        // binary functions get a guarded argument in every vocabulary, so none of them is excluded
        let all: Vec<_> = allowed.chain(Planar::ALL.iter().copied().map(Constant::Planar)).collect();
        // the derivatives of special functions are defined on positive arguments: 1 + e² is one
        if vocabulary.allows_constant(POLYGAMMA) && self.random.random_bool(4) {
            let order =
                TestTerm::new(TermHead::Nat(self.random.next_below(4) as u64), Ty::new(TyKind::Nat), Vec::new());
            let part = self.draw_real(size - 1);
            let family = Constant::Special(*self.random.pick(SpecialId::ALL));
            return TestTerm::real_operation(family, vec![order, Self::one_plus(Self::square_of(part))]);
        }
        let constant = pick_function(&mut self.random, &all);
        if let Constant::Planar(function) = constant {
            return self.draw_binary_function(function, size);
        }
        let part = self.draw_real(size - 1);
        let part = match constant {
            Constant::Elementary(f) if self.vocabulary != TermVocabulary::Full || self.random.random_bool(75) => {
                self.guard_argument(f, part)
            }
            _ => part,
        };
        TestTerm::real_operation(constant, vec![part])
    }

    /// Draws a function of two numbers, mostly on the right half-plane, where the angle is smooth.
    fn draw_binary_function(&mut self, function: Planar, size: usize) -> TestTerm {
        let [a, b] = self.split_size(size);
        let (a, b) = (self.draw_real(a), self.draw_real(b));
        let guarded = self.vocabulary != TermVocabulary::Full || self.random.random_bool(60);
        let b = if guarded { Self::one_plus(Self::square_of(b)) } else { b };
        TestTerm::real_operation(function.into(), vec![a, b])
    }

    /// Transforms an argument so that it lies in the domain of `f`; in the vocabulary `Derivable`, in the interior of
    /// it.
    fn guard_argument(&mut self, f: Function, part: TestTerm) -> TestTerm {
        let of = |f: Function, part: TestTerm| TestTerm::real_operation(f.into(), vec![part]);
        let above = |edge: i8, part: TestTerm| match edge {
            0 => part,
            edge => TestTerm::real_operation(Constant::Add, vec![TestTerm::real_literal(edge), part]),
        };
        let magnitude = |part: TestTerm| TestTerm::real_operation(Constant::Abs, vec![part]);
        let derivable = self.vocabulary == TermVocabulary::Derivable;
        let row = f.row();
        let Domain { left, right } = row.conditions.interval();
        let is_beyond_zero = |condition: ArgumentCondition| {
            matches!(condition.set, NumberSet::ExceptNonPositiveIntegers | NumberSet::AboveMinusInverseE)
        };
        match (left, right) {
            // squares are smooth and magnitudes have a kink, so derivable terms use squares
            (DomainEnd::Open(edge) | DomainEnd::Closed(edge), DomainEnd::None) if derivable => {
                above(edge + 1, Self::square_of(part))
            }
            (DomainEnd::Open(edge), DomainEnd::None) => above(edge + 1, magnitude(part)),
            (DomainEnd::Closed(edge), DomainEnd::None) => match self.random.next_below(3) {
                0 => above(edge, magnitude(part)),
                1 => above(edge, Self::square_of(part)),
                _ => above(edge + 1, Self::square_of(part)),
            },
            // asin and acos have infinite slopes at ±1; sin (sin x) stays away from both
            (DomainEnd::Closed(_), _) if derivable => of(Function::Sin, of(Function::Sin, part)),
            (DomainEnd::Closed(_), _) => of(Function::Sin, part),
            (DomainEnd::Open(_), _) => of(Function::Tanh, part),
            // log Γ, W and their derivatives are smooth on (0, ∞)
            _ if row.conditions.value.single_conditions().any(is_beyond_zero) => Self::one_plus(Self::square_of(part)),
            // sin x lies in [−1, 1], between the poles next to 0
            _ if f.is_tangent() => of(Function::Sin, part),
            _ if derivable && !row.conditions.is_analytic_everywhere() => Self::one_plus(Self::square_of(part)),
            // nested exponentials would exceed every exponent range
            _ if row.outgrows_powers && (self.vocabulary != TermVocabulary::Full || self.random.random_bool(50)) => {
                of(Function::Atan, part)
            }
            _ => part,
        }
    }
}

/// A production of the grammar for terms of type `Real`.
#[derive(Clone, Copy)]
enum RealProduction {
    Leaf,
    Arithmetic,
    Quotient,
    Power,
    Elementary,
    Kink,
    Let,
    Application,
    Component,
    Condition,
    Recursion,
    FromNatural,
    SecondOrder,
    CutRoot,
    Derivative,
    Tangent,
    Vector,
    Linear,
    Match,
    Fold,
}

impl TermGenerator {
    /// Draws a term of type `Real` by one of the weighted productions. The weights are a choice: arithmetic dominates,
    /// and binders need a size above 4.
    fn draw_real(&mut self, size: usize) -> TestTerm {
        let full = usize::from(self.vocabulary == TermVocabulary::Full);
        let smooth = usize::from(matches!(self.vocabulary, TermVocabulary::Smooth | TermVocabulary::Derivable));
        let (data, has_solvers) = (
            usize::from(self.vocabulary.has_data()),
            self.vocabulary.allows_constant(Constant::Functional(Functional::Integral)),
        );
        let second = if has_solvers && self.solver_depth < SECOND_ORDER_DEPTH { 2 + 6 * full } else { 0 };
        // a derivative of a function with kinks need not be total, so `Total` gets none
        let derivative =
            if self.vocabulary.allows_constant(Constant::Tangent) && self.derivative_depth < DERIVATIVE_DEPTH {
                4 * full + 2 * smooth
            } else {
                0
            };
        let large = usize::from(size > 4);
        let choice = match size {
            0 | 1 => RealProduction::Leaf,
            _ => self.random.pick_weighted(&[
                (2, RealProduction::Leaf),
                (14, RealProduction::Arithmetic),
                (3, RealProduction::Quotient),
                (5, RealProduction::Power),
                (9, RealProduction::Elementary),
                (9 * (1 - smooth), RealProduction::Kink),
                (4 * large, RealProduction::Let),
                (4 * large, RealProduction::Application),
                (3 * large, RealProduction::Component),
                (2 * large, RealProduction::Condition),
                (2 * large, RealProduction::Recursion),
                (1, RealProduction::FromNatural),
                (2 * second * large, RealProduction::SecondOrder),
                (second / 2 * large * (1 - smooth), RealProduction::CutRoot),
                (derivative * large, RealProduction::Derivative),
                (derivative / 2 * large, RealProduction::Tangent),
                (derivative / 2 * large, RealProduction::Vector),
                (2 * large, RealProduction::Linear),
                (3 * large * data, RealProduction::Match),
                (3 * large * data, RealProduction::Fold),
            ]),
        };
        match choice {
            RealProduction::Leaf => self.draw_leaf(),
            RealProduction::Arithmetic => {
                let constant = *self.random.pick(&[Constant::Add, Constant::Subtract, Constant::Multiply]);
                self.draw_operation(constant, size)
            }
            RealProduction::Quotient => self.draw_quotient(size),
            RealProduction::Power => self.draw_power(size),
            RealProduction::Elementary => self.draw_elementary(size),
            // signum jumps at 0 and so is not total: the full vocabulary alone has it
            RealProduction::Kink => match self.random.pick_weighted(&[
                (4, Constant::Max),
                (3, Constant::Min),
                (3, Constant::Abs),
                (full, Constant::Signum),
                (1, Constant::Negate),
            ]) {
                two @ (Constant::Max | Constant::Min) => self.draw_operation(two, size),
                one => TestTerm::real_operation(one, vec![self.draw_real(size - 1)]),
            },
            RealProduction::Let => {
                let ty = self.draw_value_type();
                let [value, body] = self.split_size(size);
                let (id, value) = (self.fresh_id(), self.draw_term(&ty, value));
                let body = self.with_binders(&[(id, ty)], |g| g.draw_real(body));
                TestTerm::new(TermHead::Let(id), Ty::real(), vec![value, body])
            }
            RealProduction::Application => {
                let domain = self.draw_value_type();
                self.draw_application(&domain, &Ty::real(), size)
            }
            RealProduction::Component => self.draw_component(size),
            RealProduction::Condition => self.draw_conditional(&Ty::real(), size),
            RealProduction::Recursion => self.draw_recursion(size),
            RealProduction::FromNatural => {
                TestTerm::real_operation(Constant::ToReal, vec![self.draw_natural(size - 1)])
            }
            RealProduction::SecondOrder => {
                // a bare cut root would rarely meet its promise; `CutRoot` below is decreasing by construction
                let all = Functional::ALL.iter().copied().filter(|f| *f != Functional::CutRoot);
                // a choice: integrals weigh three times as much as each other functional
                let integrals = [Functional::Integral; 2];
                let all: Vec<_> = all.chain(integrals).map(Constant::Functional).collect();
                let constant = self.pick_constant(&all);
                self.solver_depth += 1;
                let function = self.draw_term(&Ty::function(Ty::real(), Ty::real()), size - 1);
                self.solver_depth -= 1;
                TestTerm::real_operation(constant, vec![function])
            }
            RealProduction::CutRoot => {
                let [level, steepness] = self.split_size(size);
                let (id, rise) = (self.fresh_id(), *self.random.pick(&IncreasingFunction::ALL));
                self.solver_depth += 1;
                let parts = vec![self.draw_real(level), self.draw_real(steepness)];
                self.solver_depth -= 1;
                TestTerm::new(TermHead::CutRoot(id, rise), Ty::real(), parts)
            }
            RealProduction::Match => self.draw_match(&Ty::real(), size),
            RealProduction::Fold => self.draw_fold(&Ty::real(), size),
            RealProduction::Derivative => self.draw_derivative(1, size),
            RealProduction::Vector => self.draw_vector_derivative(size),
            RealProduction::Linear => self.draw_linear_algebra(size),
            RealProduction::Tangent => {
                let tangent = self.draw_term(&tangent_type(Ty::real()), size - 2);
                if self.random.random_bool(20) {
                    return TestTerm::real_operation(Constant::TangentValue, vec![tangent]);
                }
                let parts = pair_type(Ty::real(), Ty::real());
                let parts = TestTerm::new(TermHead::IsoForward(Constant::TangentR), parts, vec![tangent]);
                self.project_component(parts, 2, 1)
            }
        }
    }

    /// Draws a variable, a real component of one, or a constant.
    fn draw_leaf(&mut self) -> TestTerm {
        if self.random.random_bool(80)
            && let Some(variable) = self.draw_variable(&Ty::real()).or_else(|| self.draw_coordinate())
        {
            return variable;
        }
        match self.random.next_below(12) {
            0 => TestTerm::real_operation(Constant::Pi, Vec::new()),
            1 => TestTerm::real_operation(Constant::E, Vec::new()),
            _ => TestTerm::real_literal(self.draw_number()),
        }
    }

    /// Draws a real component of a tuple in scope, at any depth. Returns `None` if there is none.
    fn draw_coordinate(&mut self) -> Option<TestTerm> {
        let mut found = Vec::new();
        for (id, ty) in &self.scope {
            let variable = TestTerm::new(TermHead::Variable(*id), ty.clone(), Vec::new());
            collect_real_components(&variable, &mut found);
        }
        if found.is_empty() { None } else { Some(self.random.pick(&found).clone()) }
    }

    /// Draws an operation on two real numbers.
    fn draw_operation(&mut self, constant: Constant, size: usize) -> TestTerm {
        let [a, b] = self.split_size(size);
        TestTerm::real_operation(constant, vec![self.draw_real(a), self.draw_real(b)])
    }

    /// Returns `1 + part`.
    fn one_plus(part: TestTerm) -> TestTerm {
        TestTerm::real_operation(Constant::Add, vec![TestTerm::real_literal(1), part])
    }

    /// Returns `part²`.
    fn square_of(part: TestTerm) -> TestTerm {
        TestTerm::new(TermHead::Power(Rational::from(2)), Ty::real(), vec![part])
    }

    /// Draws a type for a `let`, an argument or a component.
    fn draw_value_type(&mut self) -> Ty {
        let real = Ty::real;
        let data = usize::from(self.vocabulary.has_data());
        match self.random.pick_weighted(&[
            (8, 0),
            (4, 1),
            (2, 2),
            (1, 3),
            (1, 4),
            (1, 5),
            (1, 6),
            (1, 7),
            (2 * data, 8),
        ]) {
            0 => real(),
            1 => Ty::function(real(), real()),
            2 => pair_type(real(), real()),
            3 => Ty::function(real(), Ty::function(real(), real())),
            4 => Ty::function(Ty::function(real(), real()), real()),
            5 => Ty::new(TyKind::Nat),
            6 => Ty::new(TyKind::Bool),
            8 => self.data_type(),
            _ => pair_type(Ty::function(real(), real()), real()),
        }
    }

    /// Applies a function to an argument: mostly a function variable with this codomain, if there is one.
    fn draw_application(&mut self, domain: &Ty, codomain: &Ty, size: usize) -> TestTerm {
        let [f, x] = self.split_size(size);
        let known: Vec<_> = self
            .scope
            .iter()
            .filter(|(_, ty)| matches!(ty.kind(), TyKind::Function(_, c) if c == codomain))
            .cloned()
            .collect();
        let function = if !known.is_empty() && self.random.random_bool(70) {
            let (id, ty) = self.random.pick(&known).clone();
            TestTerm::new(TermHead::Variable(id), ty, Vec::new())
        } else {
            self.draw_term(&Ty::function(domain.clone(), codomain.clone()), f)
        };
        // a variable that fits may have another domain than the one asked for
        let TyKind::Function(domain, _) = function.ty.kind() else { return self.draw_leaf() };
        let domain = domain.clone();
        let argument = self.draw_term(&domain, x);
        TestTerm::new(TermHead::Apply, codomain.clone(), vec![function, argument])
    }

    /// Draws a real component of a pair.
    fn draw_component(&mut self, size: usize) -> TestTerm {
        let other = self.draw_value_type();
        let index = self.random.next_below(2);
        let ty = if index == 0 { pair_type(Ty::real(), other) } else { pair_type(other, Ty::real()) };
        let tuple = self.draw_term(&ty, size - 1);
        self.project_component(tuple, 2, index)
    }

    /// Projects a tuple of `width` components to the real one at `index`; a pair also by `fst` and `snd`.
    fn project_component(&mut self, tuple: TestTerm, width: usize, index: usize) -> TestTerm {
        if width == 2 && self.random.random_bool(40) {
            let name = if index == 0 { Constant::Fst } else { Constant::Snd };
            return TestTerm::real_operation(name, vec![tuple]);
        }
        TestTerm::new(TermHead::Project(index), Ty::real(), vec![tuple])
    }

    /// Draws an iteration of a random step.
    fn draw_recursion(&mut self, size: usize) -> TestTerm {
        let (function, counter, state) = (self.fresh_id(), self.fresh_id(), self.fresh_id());
        let [step, count, start] = self.split_size(size);
        let binders = [(counter, Ty::new(TyKind::Nat)), (state, Ty::real())];
        let step = self.with_binders(&binders, |g| g.draw_real(step));
        let parts = vec![step, self.draw_natural(count), self.draw_real(start)];
        TestTerm::new(TermHead::Iterate { function, counter, state }, Ty::real(), parts)
    }

    /// Draws a component of `jvp f x v` or of `rd f x w`, for numbers and pairs of numbers.
    fn draw_vector_derivative(&mut self, size: usize) -> TestTerm {
        let vectors = [Ty::real(), pair_type(Ty::real(), Ty::real())];
        let [domain, codomain] = [(); 2].map(|()| self.random.pick(&vectors).clone());
        let is_forward = self.random.random_bool(30);
        // forward mode pushes a tangent of the domain, reverse mode pulls a covector of the codomain back
        let (constant, along, ty) =
            if is_forward { (Constant::Jvp, &domain, &codomain) } else { (Constant::Rd, &codomain, &domain) };
        let [function, rest] = self.split_size(size);
        self.derivative_depth += 1;
        let function = self.draw_term(&Ty::function(domain.clone(), codomain.clone()), function.max(size / 2));
        self.derivative_depth -= 1;
        let [point, along] = [self.draw_term(&domain, rest.min(5)), self.draw_term(along, rest.min(4))];
        let slope = TestTerm::apply_constant(constant, ty.clone(), vec![function, point, along]);
        if matches!(ty.kind(), TyKind::Real) {
            return slope;
        }
        let index = self.random.next_below(2);
        self.project_component(slope, 2, index)
    }

    /// Draws a number from linear algebra: an inner product, a trace, a determinant, or a component. Components are
    /// taken of a scaled vector, of the solution of a linear system, or of a sum with 0.
    fn draw_linear_algebra(&mut self, size: usize) -> TestTerm {
        let plane = pair_type(Ty::real(), Ty::real());
        let ty = self.random.pick(&[Ty::real(), plane.clone(), pair_type(plane.clone(), Ty::real())]).clone();
        let [first, second] = self.split_size(size);
        match self.random.next_below(4) {
            0 => {
                let map = self.draw_term(&Ty::function(ty.clone(), ty), size - 1);
                TestTerm::real_operation(
                    if size.is_multiple_of(2) { Constant::Trace } else { Constant::Det },
                    vec![map],
                )
            }
            1 => {
                // a determinant may be 0, so solutions occur in the full vocabulary alone
                let (constant, of) = match size % 3 {
                    0 if self.vocabulary == TermVocabulary::Full => {
                        (Constant::LinearSolve, Ty::function(plane.clone(), plane.clone()))
                    }
                    _ => (Constant::Scale, Ty::real()),
                };
                let parts = vec![self.draw_term(&of, first), self.draw_term(&plane, second)];
                let product = TestTerm::apply_constant(constant, plane, parts);
                let index = self.random.next_below(2);
                self.project_component(product, 2, index)
            }
            2 => {
                let zeros = TestTerm::apply_constant(Constant::Zero, plane.clone(), Vec::new());
                let parts = vec![self.draw_term(&plane, size - 1), zeros];
                let index = self.random.next_below(2);
                self.project_component(TestTerm::apply_constant(Constant::Add, plane, parts), 2, index)
            }
            _ => TestTerm::real_operation(Constant::Dot, vec![self.draw_term(&ty, first), self.draw_term(&ty, second)]),
        }
    }

    /// Draws `deriv f x`; for `order > 1` the derivatives are nested: `deriv (\x => deriv f x) x`.
    pub(in crate::law) fn draw_derivative(&mut self, order: u32, size: usize) -> TestTerm {
        let [body, point] = self.split_size(size);
        // counted while the body is drawn, so that the body nests fewer derivatives of its own
        self.derivative_depth += order;
        let mut function = self.draw_term(&Ty::function(Ty::real(), Ty::real()), body.max(size / 2));
        for _ in 1..order {
            let id = self.fresh_id();
            let variable = TestTerm::new(TermHead::Variable(id), Ty::real(), Vec::new());
            let slope = TestTerm::real_operation(Constant::Deriv, vec![function, variable]);
            function =
                TestTerm::new(TermHead::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![slope]);
        }
        self.derivative_depth -= order;
        let point = if self.random.random_bool(70) { self.draw_leaf() } else { self.draw_real(point) };
        TestTerm::real_operation(Constant::Deriv, vec![function, point])
    }
}

/// Collects the real components of a tuple, at any depth.
fn collect_real_components(tuple: &TestTerm, found: &mut Vec<TestTerm>) {
    let TyKind::Tuple(parts) = tuple.ty.kind() else { return };
    for (index, part) in parts.iter().enumerate() {
        let component = TestTerm::new(TermHead::Project(index), part.clone(), vec![tuple.clone()]);
        match part.kind() {
            TyKind::Real => found.push(component),
            _ => collect_real_components(&component, found),
        }
    }
}

impl TermGenerator {
    /// Draws a function: a variable, a constant without its arguments, a conditional, or a λ-abstraction.
    fn draw_function(&mut self, ty: &Ty, domain: &Ty, codomain: &Ty, size: usize) -> TestTerm {
        if self.random.random_bool(15)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        let reals = [domain, codomain].iter().all(|ty| matches!(ty.kind(), TyKind::Real));
        if reals && self.random.random_bool(if size < 3 { 25 } else { 8 }) {
            return self.draw_named_function(ty, size);
        }
        let binary = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
        if *ty == binary && self.random.random_bool(25) {
            use Constant::{Add, Divide, Max, Min, Multiply, Subtract};
            let constant = self.pick_constant(&[Add, Subtract, Multiply, Divide, Max, Min]);
            return TestTerm::apply_constant(constant, ty.clone(), Vec::new());
        }
        if self.vocabulary.allows_constant(Constant::Functional(Functional::Integral))
            && *ty == Ty::function(Ty::function(Ty::real(), Ty::real()), Ty::real())
            && self.random.random_bool(25)
        {
            let constant = self.pick_constant(&[
                Constant::Functional(Functional::Integral),
                Constant::Functional(Functional::Maximum),
                Constant::Functional(Functional::Minimiser),
            ]);
            return TestTerm::apply_constant(constant, ty.clone(), Vec::new());
        }
        if size > 6 && self.random.random_bool(5) {
            return self.draw_conditional(ty, size);
        }
        let id = self.fresh_id();
        let body = self.with_binders(&[(id, domain.clone())], |g| g.draw_term(codomain, size.saturating_sub(1).max(1)));
        TestTerm::new(TermHead::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// Draws a function on the reals without a λ: a constant, perhaps with its first argument.
    fn draw_named_function(&mut self, ty: &Ty, size: usize) -> TestTerm {
        use Constant::{Abs, Deriv, Elementary, Max, Min, Multiply, Negate, Subtract};
        use Function::{Atan, Cos, Exp, Sin};
        let functions = [Exp, Sin, Cos, Atan].map(Elementary);
        let others = [Abs, Negate, Max, Min, Subtract, Multiply, Deriv];
        let constant = self.pick_constant(&[&functions[..], &others].concat());
        match constant {
            Deriv => {
                self.derivative_depth += 1;
                let function = self.draw_term(ty, size.saturating_sub(1).max(2));
                self.derivative_depth -= 1;
                TestTerm::apply_constant(Deriv, ty.clone(), vec![function])
            }
            Max | Min | Subtract | Multiply => {
                let first = self.draw_term(&Ty::real(), size.saturating_sub(1).max(1));
                TestTerm::apply_constant(constant, ty.clone(), vec![first])
            }
            _ => TestTerm::apply_constant(constant, ty.clone(), Vec::new()),
        }
    }

    /// Draws a tangent: a variable, the image of a tangent under a map, or a value with a direction.
    fn draw_tangent(&mut self, ty: &Ty, of: &Ty, size: usize) -> TestTerm {
        if self.random.random_bool(20)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        // a choice: three of five, since this is the only form that differentiates
        if size > 5 && self.random.random_bool(60) {
            return self.push_tangent(ty, of, size);
        }
        let [a, b] = self.split_size(size);
        match of.kind() {
            // T(A × B) ≅ TA × TB
            TyKind::Tuple(parts) if parts.len() == 2 => {
                let sides = vec![
                    self.draw_term(&tangent_type(parts[0].clone()), a),
                    self.draw_term(&tangent_type(parts[1].clone()), b),
                ];
                let sides = TestTerm::new(
                    TermHead::Tuple,
                    pair_type(tangent_type(parts[0].clone()), tangent_type(parts[1].clone())),
                    sides,
                );
                TestTerm::new(TermHead::IsoInverse(Constant::TangentProd), ty.clone(), vec![sides])
            }
            TyKind::Real => self.attach_direction(ty, of, Constant::TangentR, a, b),
            TyKind::Function(_, codomain) if matches!(codomain.kind(), TyKind::Real) => {
                self.attach_direction(ty, of, Constant::TangentToR, a, b)
            }
            _ => self.push_tangent(ty, of, size),
        }
    }

    /// Attaches a direction to a value, by an isomorphism `TA ≅ A × A`.
    fn attach_direction(&mut self, ty: &Ty, of: &Ty, isomorphism: Constant, a: usize, b: usize) -> TestTerm {
        let parts = vec![self.draw_term(of, a), self.draw_term(of, b)];
        let parts = TestTerm::new(TermHead::Tuple, pair_type(of.clone(), of.clone()), parts);
        TestTerm::new(TermHead::IsoInverse(isomorphism), ty.clone(), vec![parts])
    }

    /// Draws `tangent f v`, with v a tangent to a number, to a pair of numbers, or to a real function.
    fn push_tangent(&mut self, ty: &Ty, of: &Ty, size: usize) -> TestTerm {
        let real = Ty::real;
        let domain = match self.random.next_below(4) {
            0 | 1 => real(),
            2 => pair_type(real(), real()),
            _ => Ty::function(real(), real()),
        };
        let [f, v] = self.split_size(size);
        self.derivative_depth += 1;
        let function = self.draw_term(&Ty::function(domain.clone(), of.clone()), f.max(size / 2));
        self.derivative_depth -= 1;
        let tangent = self.draw_term(&tangent_type(domain), v.min(5));
        TestTerm::apply_constant(Constant::Tangent, ty.clone(), vec![function, tangent])
    }
}

/// Returns the number of real arguments until the result is a number. Returns `None` if an argument or the result
/// consists of anything else.
fn count_real_arguments(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Real => Some(0),
        TyKind::Function(domain, codomain) => Some(domain.real_dimension()? + count_real_arguments(codomain)?),
        _ => None,
    }
}

impl TermGenerator {
    /// In `percent` cases of a hundred, draws a function of type `ty` that combines two of its arguments. Returns
    /// `None` in the other cases, and if the function takes fewer than two numbers.
    pub fn draw_joint_function(&mut self, ty: &Ty, size: usize, percent: usize) -> Option<TestTerm> {
        (count_real_arguments(ty)? >= 2 && self.random.random_bool(percent))
            .then(|| self.draw_joint_body(ty, &mut Vec::new(), size))
    }

    /// Binds the arguments of a function of type `ty`, collects their numbers in `taken`, and then draws the body.
    fn draw_joint_body(&mut self, ty: &Ty, taken: &mut Vec<TestTerm>, size: usize) -> TestTerm {
        let TyKind::Function(domain, codomain) = ty.kind() else { return self.join_arguments(taken, size) };
        let id: BinderId = self.fresh_id();
        collect_numbers(TestTerm::new(TermHead::Variable(id), domain.clone(), Vec::new()), taken);
        let body = self.with_binders(&[(id, domain.clone())], |g| {
            g.draw_joint_body(codomain, taken, size.saturating_sub(1).max(1))
        });
        TestTerm::new(TermHead::Lambda(id, domain.clone()), ty.clone(), vec![body])
    }

    /// Combines two of the numbers in `taken`, and in half of the cases the result with a random term.
    fn join_arguments(&mut self, taken: &mut Vec<TestTerm>, size: usize) -> TestTerm {
        let mut pick = |random: &mut crate::random::SplitMix64| taken.swap_remove(random.next_below(taken.len()));
        let (a, b) = (pick(&mut self.random), pick(&mut self.random));
        // each form has its kink or zero on a curve that depends on both numbers
        let joint = match self.random.next_below(3) {
            0 => TestTerm::real_operation(Constant::Subtract, vec![a, b]),
            1 => TestTerm::real_operation(
                Constant::Subtract,
                vec![TestTerm::real_operation(Constant::Add, vec![a, b]), TestTerm::real_literal(1)],
            ),
            _ => {
                let half = |term| {
                    TestTerm::real_operation(
                        Constant::Subtract,
                        vec![term, TestTerm::real_literal(Rational::from((1, 2)))],
                    )
                };
                TestTerm::real_operation(Constant::Multiply, vec![half(a), half(b)])
            }
        };
        let bent = if self.vocabulary.allows_constant(Constant::Abs) && self.random.random_bool(40) {
            TestTerm::real_operation(Constant::Abs, vec![joint])
        } else if self.random.random_bool(70) {
            TestTerm::new(TermHead::Power(Rational::from(2)), Ty::real(), vec![joint])
        } else {
            joint
        };
        if self.random.random_bool(50) {
            return bent;
        }
        let other = self.draw_term(&Ty::real(), (size / 2).max(1));
        let constant = self.pick_constant(&[Constant::Add, Constant::Subtract, Constant::Multiply]);
        TestTerm::real_operation(constant, vec![bent, other])
    }
}

/// Collects the numbers that an element of a type of numbers consists of.
fn collect_numbers(term: TestTerm, found: &mut Vec<TestTerm>) {
    let TyKind::Tuple(parts) = term.ty.kind() else { return found.push(term) };
    for (index, part) in parts.clone().iter().enumerate() {
        collect_numbers(TestTerm::new(TermHead::Project(index), part.clone(), vec![term.clone()]), found);
    }
}
