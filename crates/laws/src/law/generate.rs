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

mod between;
mod data;
mod elementary;
mod function;
mod real;
mod together;
mod using;

pub use data::{DATA_DECLARATIONS, data_library, either_type, maybe_type, tree_type};

use super::term::{BinderId, TermHead, TestTerm, pair_type, tangent_type};
use crate::function::Functional;
use crate::model::fragment::Fragment;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

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
                Divide | Deriv | Jvp | Rd | RealPower | Signum | Constant::Polygamma => false,
                Constant::Functional(f) => f.is_total(),
                _ => true,
            },
            Self::Smooth => match constant {
                // a derivative of a smooth total function is total
                Deriv | Jvp | Rd => true,
                Elementary(f) => f.is_total() && f.is_smooth(),
                Max | Min | Abs => false,
                Constant::Functional(f) => f == Integral,
                _ => Self::Total.allows_constant(constant),
            },
            // every derivative of log Γ is a function of its own, and costs as much as log Γ
            Self::Derivable if let Elementary(f) = constant => f.derivative_function().is_none(),
            Self::Derivable => {
                Fragment::Derivable.has_constant(constant) && !constant.is_analytic() && constant != Constant::Polygamma
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
