//! Random well-typed programs.
//!
//! A term of a wanted type is made from the root down, with a size that its parts share. Half of the numbers lie on the
//! kinks and edges that programs have: 0, 1, ½, and other short dyadics. Where an operation is undefined for many
//! arguments, most of its arguments are put into its domain, so that most programs have a value; the rest are left to be
//! undefined.
//!
//! Programs are read in a [`library`] with a few types of their own, those of the theory `Data`.
//!
//! The program number `index` of a seed depends on these two numbers and on nothing else.

mod between;
mod data;
mod elementary;
mod function;
mod real;
mod together;
mod using;

pub use data::{DECLARATIONS, either, library, maybe, tree};

use super::term::{Head, Id, Term, pair, tangents};
use crate::function::Functional;
use crate::model::fragment::Fragment;
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// How many heads a program has, at most, before the guards that put arguments into domains.
pub const LARGEST: usize = 40;
/// How deep integrals, roots and optima are nested.
const SECOND_ORDER_DEPTH: u32 = 2;
/// How deep derivatives are nested inside a program.
const DERIVATIVE_DEPTH: u32 = 2;

/// What terms are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Everything.
    Full,
    /// What has a value for all arguments, one number.
    Total,
    /// Of that, what has all derivatives everywhere.
    Smooth,
    /// The language of H §5: smooth operations, functions of functions, variants, lists and folds. Terms have all
    /// derivatives wherever they have a value.
    Derivable,
}

impl Vocabulary {
    /// Whether the vocabulary has a constant.
    #[must_use]
    pub fn allows(self, constant: Constant) -> bool {
        use Constant::{Abs, Deriv, Divide, Elementary, Jvp, Max, Min, Rd, RealPower, Signum};
        use Functional::Integral;
        match self {
            Self::Full => true,
            Self::Total => match constant {
                Elementary(f) => f.is_total(),
                Constant::Planar(_) => false,
                Divide | Deriv | Jvp | Rd | RealPower | Signum | Constant::Polygamma => false,
                Constant::Functional(f) => f.is_total(),
                _ => true,
            },
            Self::Smooth => match constant {
                Deriv | Jvp | Rd => true,
                Elementary(f) => f.is_total() && f.is_smooth(),
                Max | Min | Abs => false,
                Constant::Functional(f) => f == Integral,
                _ => Self::Total.allows(constant),
            },
            // each derivative of log Γ is a function of its own, and costs as much as one
            Self::Derivable if let Elementary(f) = constant => f.raised().is_none(),
            Self::Derivable => {
                Fragment::Derivable.has(constant) && !constant.is_analytic() && constant != Constant::Polygamma
            }
        }
    }

    /// Whether terms may be undefined for some arguments.
    fn is_partial(self) -> bool {
        matches!(self, Self::Full | Self::Derivable)
    }

    /// Whether there are variants and lists.
    fn has_data(self) -> bool {
        matches!(self, Self::Full | Self::Derivable)
    }

    /// Whether a term says nothing beyond the vocabulary.
    #[must_use]
    pub fn admits(self, term: &Term) -> bool {
        let own = match (&term.head, &term.parts[..]) {
            (Head::Call(Constant::Divide), [_, below]) => self.is_partial() || is_apart_from_zero(below),
            (Head::Call(Constant::Planar(_)), [_, beside]) => self == Self::Full || is_positive(beside),
            (Head::Call(constant), _) => self.allows(*constant),
            (Head::CutRoot(..), _) => self.allows(Constant::Functional(Functional::CutRoot)),
            (Head::Power(q), _) => self.is_partial() || (q.is_integer() && *q >= 0),
            _ => true,
        };
        own && term.parts.iter().all(|part| self.admits(part))
    }
}

/// Whether a number is not 0 for a reason that can be read off the term: a literal, or `1 + e²`.
fn is_apart_from_zero(term: &Term) -> bool {
    matches!(&term.head, Head::Real(q) if !q.is_zero()) || is_positive(term)
}

/// The same for a number above 0.
fn is_positive(term: &Term) -> bool {
    match (&term.head, &term.parts[..]) {
        (Head::Real(q), _) => *q > 0,
        (Head::Call(Constant::Add), [one, square]) => {
            matches!(&one.head, Head::Real(q) if *q > 0) && matches!(&square.head, Head::Power(q) if *q == 2)
        }
        _ => false,
    }
}

/// A program, and how it came about.
#[derive(Clone, Debug)]
pub struct Program {
    /// How often a body is differentiated at the root: 0, 1 or 2.
    pub order: u32,
    /// The term, closed and of type `Real`.
    pub term: Term,
}

/// The program number `index` of a seed.
#[must_use]
pub fn program(seed: u64, index: u64) -> Program {
    let mut generator = Generator::new(Random::of(seed, index));
    let order = generator.random.weighted(&[(4, 0), (4, 1), (2, 2)]);
    let size = 4 + generator.random.below(LARGEST - 3);
    let term = if order == 0 { generator.term(&Ty::real(), size) } else { generator.derivative(order, size) };
    Program { order, term }
}

/// Makes terms from random numbers.
#[derive(Debug)]
pub struct Generator {
    pub(super) random: Random,
    vocabulary: Vocabulary,
    fresh: Id,
    scope: Vec<(Id, Ty)>,
    second_order: u32,
    derivatives: u32,
}

impl Generator {
    /// A generator with no variable in scope.
    #[must_use]
    pub fn new(random: Random) -> Self {
        Self::within(random, Vocabulary::Full)
    }

    /// A generator of terms in a vocabulary.
    #[must_use]
    pub fn within(random: Random, vocabulary: Vocabulary) -> Self {
        Self { random, vocabulary, fresh: 0, scope: Vec::new(), second_order: 0, derivatives: 0 }
    }

    /// One of these constants that the vocabulary has.
    pub(super) fn pick(&mut self, among: &[Constant]) -> Constant {
        let vocabulary = self.vocabulary;
        let allowed: Vec<Constant> = among.iter().copied().filter(|c| vocabulary.allows(*c)).collect();
        *self.random.pick(&allowed)
    }

    /// A term of this type, over the variables in scope. Types that this generator does not make itself, functions among
    /// them, have parts that it does.
    pub fn term(&mut self, ty: &Ty, size: usize) -> Term {
        match ty.kind() {
            TyKind::Nat => self.natural(size),
            TyKind::Bool => self.boolean(size),
            TyKind::Unit => Term::new(Head::Tuple, ty.clone(), Vec::new()),
            TyKind::Tuple(parts) => self.tuple(ty, parts, size),
            TyKind::Function(domain, codomain) => self.function(ty, domain, codomain, size),
            TyKind::Tangent(of) => self.tangent(ty, of, size),
            TyKind::Data(data, arguments) => self.data(ty, data, arguments, size),
            _ => self.real(size),
        }
    }

    /// A fresh number for a binder.
    pub(super) fn id(&mut self) -> Id {
        self.fresh += 1;
        self.fresh
    }

    /// What `make` makes with more variables in scope.
    fn under<R>(&mut self, binders: &[(Id, Ty)], make: impl FnOnce(&mut Self) -> R) -> R {
        let outside = self.scope.len();
        self.scope.extend(binders.iter().cloned());
        let made = make(self);
        self.scope.truncate(outside);
        made
    }

    /// A variable of this type, where there is one; the innermost more often than the others.
    fn variable(&mut self, ty: &Ty) -> Option<Term> {
        let fitting: Vec<Id> = self.scope.iter().filter(|(_, t)| t == ty).map(|(id, _)| *id).collect();
        let last = *fitting.last()?;
        let id = if self.random.chance(50) { last } else { *self.random.pick(&fitting) };
        Some(Term::new(Head::Variable(id), ty.clone(), Vec::new()))
    }

    /// Sizes of parts that add up to about one less than `size`.
    fn split<const N: usize>(&mut self, size: usize) -> [usize; N] {
        let mut sizes = [1; N];
        for _ in 0..size.saturating_sub(1 + N) {
            sizes[self.random.below(N)] += 1;
        }
        sizes
    }

    /// A number, as often as not on a kink or an edge.
    pub(super) fn number(&mut self) -> Rational {
        let small = |random: &mut Random, bound: usize| random.below(bound) as i64;
        let random = &mut self.random;
        let number = match random.weighted(&[(9, 0), (4, 1), (3, 2), (3, 3), (1, 4)]) {
            0 => *random.pick(&[(0, 1), (0, 1), (1, 1), (1, 1), (1, 2), (1, 2), (2, 1), (1, 4), (3, 4), (3, 1)]),
            1 => (small(random, 65), 1i64 << random.below(7)),
            2 => (small(random, 21), 10),
            3 => (1 + small(random, 9), *random.pick(&[3, 5, 6, 7, 9])),
            _ => {
                *random.pick(&[(1, 1i64 << 30), (1, 1_000_000_000), (1000, 1), (1 << 20, 1), ((1 << 53) + 1, 1 << 53)])
            }
        };
        let number = Rational::from(number);
        if random.chance(20) { -number } else { number }
    }

    /// A number above 0.
    pub(super) fn positive(&mut self) -> Rational {
        let number = self.number().abs();
        if number.is_zero() { Rational::from(1) } else { number }
    }

    fn natural(&mut self, size: usize) -> Term {
        let nat = || Ty::new(TyKind::Nat);
        if self.random.chance(40)
            && let Some(variable) = self.variable(&nat())
        {
            return variable;
        }
        if size > 2 && self.random.chance(50) {
            let [a, b] = self.split(size);
            let constant = *self.random.pick(&[Constant::Add, Constant::Subtract]);
            return Term::call(constant, nat(), vec![self.natural(a), self.natural(b)]);
        }
        Term::new(Head::Nat(self.random.below(5) as u64), nat(), Vec::new())
    }

    fn boolean(&mut self, size: usize) -> Term {
        let bool = || Ty::new(TyKind::Bool);
        if self.random.chance(30)
            && let Some(variable) = self.variable(&bool())
        {
            return variable;
        }
        if size > 2 {
            let sizes = self.split(size);
            return match self.random.below(4) {
                0 => Term::call(Constant::Not, bool(), vec![self.boolean(size - 1)]),
                1 => self.conditional(&bool(), size),
                _ => self.comparison(sizes),
            };
        }
        Term::new(Head::Bool(self.random.chance(50)), bool(), Vec::new())
    }

    /// A comparison of natural numbers.
    fn comparison(&mut self, [a, b]: [usize; 2]) -> Term {
        use Constant::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
        let comparison = *self.random.pick(&[Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual]);
        let left = self.natural(a);
        // where the numbers are equal is where comparisons differ
        let is_same = self.vocabulary == Vocabulary::Derivable && self.random.chance(50);
        let right = if is_same { left.clone() } else { self.natural(b) };
        Term::call(comparison, Ty::new(TyKind::Bool), vec![left, right])
    }

    fn conditional(&mut self, ty: &Ty, size: usize) -> Term {
        let [a, b, c] = self.split(size);
        let parts = vec![self.boolean(a), self.term(ty, b), self.term(ty, c)];
        Term::new(Head::If, ty.clone(), parts)
    }

    fn tuple(&mut self, ty: &Ty, components: &[Ty], size: usize) -> Term {
        if self.random.chance(30)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        if size > 4 && self.random.chance(15) {
            return self.conditional(ty, size);
        }
        if size > 4
            && self.vocabulary.allows(Constant::Tangent)
            && *ty == pair(Ty::real(), Ty::real())
            && self.random.chance(30)
        {
            let tangent = self.term(&tangents(Ty::real()), size - 1);
            return Term::new(Head::To(Constant::TangentR), ty.clone(), vec![tangent]);
        }
        let each = (size.saturating_sub(1) / components.len()).max(1);
        let parts = components.iter().map(|component| self.term(component, each)).collect();
        Term::new(Head::Tuple, ty.clone(), parts)
    }
}
