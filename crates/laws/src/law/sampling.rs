//! What a law quantifies over, and how its samples are drawn and made smaller.
//!
//! A sample is a closed well-typed term. A law may demand more than the type: a [`Demand`] is met by construction and can
//! be decided on the term, so that it still holds after shrinking. Elements of a named type, such as integrals among all
//! functionals, are made by the [constructors](Sampler) that a theory gives for it.

use super::generate::{Generator, Vocabulary};
use super::term::{Closed, Head, Id, Term};
use crate::function::{Course, Function};
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::{Arc, OnceLock};

/// What samples of a variable must be, beside well-typed and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demand {
    /// Nothing more.
    #[default]
    Total,
    /// A function without kinks.
    Smooth,
    /// A strictly increasing function of a real number.
    Increasing,
    /// Both.
    SmoothIncreasing,
    /// A real number above 0.
    Positive,
}

impl Demand {
    /// What is demanded by both of two that are made of one type.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Total, demand) | (demand, Self::Total) => demand,
            (first, second) if first == second => first,
            _ => Self::SmoothIncreasing,
        }
    }

    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Total => "total",
            Self::Smooth => "smooth",
            Self::Increasing => "increasing",
            Self::SmoothIncreasing => "smooth and increasing",
            Self::Positive => "positive",
        }
    }
}

/// A variable of a law.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The type of its samples.
    pub ty: Ty,
    /// What they must be.
    pub demand: Demand,
    /// What they are made of, where nothing more is demanded.
    pub vocabulary: Vocabulary,
    /// How they are made, where not by their type alone.
    pub sampler: Option<Arc<Sampler>>,
}

/// The constructors of a named type.
#[derive(Debug, Default)]
pub struct Sampler {
    /// The constructors: known only after the sampler is, since they may take elements of the type.
    pub constructors: OnceLock<Vec<Constructor>>,
}

/// A function whose answers are samples.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The function.
    pub closed: Arc<Closed>,
    /// The type of the function.
    pub ty: Ty,
    /// What it is applied to.
    pub arguments: Vec<Argument>,
}

/// What a constructor is applied to.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An element of the type that is sampled.
    Same,
    /// Another sample.
    Other(Binder),
}

impl From<Ty> for Binder {
    fn from(ty: Ty) -> Self {
        Self { ty, demand: Demand::Total, vocabulary: Vocabulary::Total, sampler: None }
    }
}

impl Binder {
    /// A sample with about `size` heads.
    #[must_use]
    pub fn draw(&self, random: &mut Random, size: usize) -> Term {
        if let Some(sampler) = &self.sampler {
            return sampler.draw(random, &self.ty, size);
        }
        let random = Random::new(random.next());
        match self.demand {
            Demand::Total => drawn(Generator::within(random, self.vocabulary), &self.ty, size),
            Demand::Smooth => drawn(Generator::within(random, Vocabulary::Smooth), &self.ty, size),
            Demand::Increasing => increasing(&mut Generator::within(random, Vocabulary::Total), size),
            Demand::SmoothIncreasing => increasing(&mut Generator::within(random, Vocabulary::Smooth), size),
            Demand::Positive => Term::real(Generator::within(random, Vocabulary::Total).positive()),
        }
    }

    /// Whether a term of the type, made smaller perhaps, is what is demanded.
    #[must_use]
    pub fn admits(&self, term: &Term) -> bool {
        match self.demand {
            Demand::Total => self.vocabulary.admits(term),
            Demand::SmoothIncreasing => Vocabulary::Smooth.admits(term) && is_increasing(term),
            Demand::Smooth => Vocabulary::Smooth.admits(term),
            Demand::Increasing => is_increasing(term),
            Demand::Positive => matches!(&term.head, Head::Real(q) if *q > 0),
        }
    }
}

/// How many of a hundred functions of several numbers are made so that these meet.
const TOGETHER: usize = 30;

fn drawn(mut generator: Generator, ty: &Ty, size: usize) -> Term {
    let met = generator.together(ty, size, TOGETHER);
    met.unwrap_or_else(|| generator.term(ty, size))
}

impl Sampler {
    fn draw(&self, random: &mut Random, ty: &Ty, size: usize) -> Term {
        let constructors = self.constructors.get().map_or(&[][..], Vec::as_slice);
        let is_leaf = |c: &&Constructor| !c.arguments.iter().any(|a| matches!(a, Argument::Same));
        let leaves: Vec<&Constructor> = constructors.iter().filter(is_leaf).collect();
        let among: Vec<&Constructor> = if size < 3 { leaves } else { constructors.iter().collect() };
        // there is a leaf, or the theory was refused
        let Some(constructor) = (!among.is_empty()).then(|| *random.pick(&among)) else { return Term::real(0) };
        let each = size.saturating_sub(1) / constructor.arguments.len().max(1);
        let start = Term::new(Head::Text(constructor.closed.clone()), constructor.ty.clone(), Vec::new());
        constructor.arguments.iter().fold(start, |function, argument| {
            let argument = match argument {
                Argument::Same => self.draw(random, ty, each),
                Argument::Other(binder) => binder.draw(random, each.max(1)),
            };
            let applied = match function.ty.kind() {
                TyKind::Function(_, codomain) => codomain.clone(),
                _ => ty.clone(),
            };
            Term::new(Head::Apply, applied, vec![function, argument])
        })
    }
}

/// Whether a constant is a function of one variable that rises strictly on the whole line.
fn is_rising(constant: Constant) -> bool {
    let Constant::Elementary(f) = constant else { return false };
    f.is_total() && matches!(f.row().course, Course::Rising | Course::Root(_))
}

/// `\x => e` with e rising in x.
fn increasing(generator: &mut Generator, size: usize) -> Term {
    let id = generator.id();
    let body = rising(generator, id, size.saturating_sub(1).max(1));
    Term::new(Head::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![body])
}

fn rising(generator: &mut Generator, id: Id, size: usize) -> Term {
    if size < 3 {
        return Term::new(Head::Variable(id), Ty::real(), Vec::new());
    }
    match generator.random.below(6) {
        0 => Term::operation(Constant::Add, vec![rising(generator, id, size / 2), rising(generator, id, size / 2)]),
        1 => Term::operation(Constant::Add, vec![rising(generator, id, size - 2), Term::real(generator.number())]),
        2 => {
            Term::operation(Constant::Multiply, vec![Term::real(generator.positive()), rising(generator, id, size - 2)])
        }
        3 => Term::new(Head::Power(Rational::from(3)), Ty::real(), vec![rising(generator, id, size - 1)]),
        _ => {
            let all: Vec<_> = Constant::ALL.iter().copied().filter(|constant| is_rising(*constant)).collect();
            let constant = generator.pick(&all);
            // towers of exponentials are larger than any number
            let part = if matches!(constant, Constant::Elementary(f) if f.row().grows) {
                let atan = Constant::Elementary(Function::Atan);
                Term::operation(atan, vec![rising(generator, id, size.saturating_sub(2).max(1))])
            } else {
                rising(generator, id, size - 1)
            };
            Term::operation(constant, vec![part])
        }
    }
}

/// Whether a function rises strictly, for a reason that can be read off the term.
fn is_increasing(function: &Term) -> bool {
    match (&function.head, &function.parts[..]) {
        (Head::Lambda(id, _), [body]) => rises(body, *id),
        (Head::Call(c), []) => is_rising(*c),
        _ => false,
    }
}

fn rises(term: &Term, id: Id) -> bool {
    match (&term.head, &term.parts[..]) {
        (Head::Variable(v), []) => *v == id,
        (Head::Call(Constant::Add), [a, b]) => {
            let still = |t: &Term| matches!(t.head, Head::Real(_));
            (rises(a, id) && (rises(b, id) || still(b))) || (still(a) && rises(b, id))
        }
        (Head::Call(Constant::Multiply), [a, b]) => matches!(&a.head, Head::Real(q) if *q > 0) && rises(b, id),
        (Head::Power(q), [part]) => q.is_integer() && q.numer().is_odd() && *q > 0 && rises(part, id),
        (Head::Call(c), [part]) => is_rising(*c) && rises(part, id),
        _ => false,
    }
}
