//! The variables that a law quantifies over, and how their samples are drawn.
//!
//! A sample is a closed well-typed term. A law may demand more than the type. A [`Demand`] is met by construction and
//! is decidable on the term, so it can be checked after shrinking. Elements of a named type, such as integrals among
//! all functionals, are made by the [constructors](Sampler) that a theory declares for it.

use super::generate::{Generator, Vocabulary};
use super::term::{Closed, Head, Id, Term};
use crate::function::{Course, Function};
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::{Arc, OnceLock};

/// A condition on the samples of a variable, beside being well-typed and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Demand {
    /// No further condition.
    #[default]
    Total,
    /// A function without kinks.
    Smooth,
    /// A strictly increasing function of a real number.
    Increasing,
    /// A strictly increasing function without kinks.
    SmoothIncreasing,
    /// A real number above 0.
    Positive,
}

impl Demand {
    /// Returns the conjunction of two conditions on samples of one type.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Total, demand) | (demand, Self::Total) => demand,
            // two different conditions on one function type are among `Smooth`, `Increasing` and both
            (first, second) if first == second => first,
            _ => Self::SmoothIncreasing,
        }
    }

    /// Returns the name of the condition in reports.
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

/// A variable of a law, with what is required of its samples.
#[derive(Clone, Debug)]
pub struct Binder {
    /// The type of the samples.
    pub ty: Ty,
    /// The condition on the samples.
    pub demand: Demand,
    /// The operations that samples are made of, if the condition is [`Demand::Total`].
    pub vocabulary: Vocabulary,
    /// The constructors of the samples. `None` if the type alone determines how they are made.
    pub sampler: Option<Arc<Sampler>>,
}

/// The constructors of a named type, from which its samples are built.
#[derive(Debug, Default)]
pub struct Sampler {
    /// The constructors. They are set after the sampler is made, since they may take elements of the type themselves.
    pub constructors: OnceLock<Vec<Constructor>>,
}

/// A function whose results are samples of a named type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The program of the function.
    pub closed: Arc<Closed>,
    /// The type of the function.
    pub ty: Ty,
    /// The arguments it takes.
    pub arguments: Vec<Argument>,
}

/// The kind of an argument of a constructor.
#[derive(Clone, Debug)]
pub enum Argument {
    /// An element of the sampled type itself.
    Same,
    /// A sample of another variable.
    Other(Binder),
}

impl From<Ty> for Binder {
    fn from(ty: Ty) -> Self {
        Self { ty, demand: Demand::Total, vocabulary: Vocabulary::Total, sampler: None }
    }
}

impl Binder {
    /// Draws a sample with about `size` heads.
    #[must_use]
    pub fn draw(&self, random: &mut Random, size: usize) -> Term {
        if let Some(sampler) = &self.sampler {
            return sampler.draw(random, &self.ty, size);
        }
        // a stream of its own, so that a larger sample does not shift the samples after it
        let random = Random::new(random.next());
        match self.demand {
            Demand::Total => drawn(Generator::within(random, self.vocabulary), &self.ty, size),
            Demand::Smooth => drawn(Generator::within(random, Vocabulary::Smooth), &self.ty, size),
            Demand::Increasing => increasing(&mut Generator::within(random, Vocabulary::Total), size),
            Demand::SmoothIncreasing => increasing(&mut Generator::within(random, Vocabulary::Smooth), size),
            Demand::Positive => Term::real(Generator::within(random, Vocabulary::Total).positive()),
        }
    }

    /// Returns `true` if a term of the type meets the condition, also after shrinking.
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

/// The percentage of functions of several numbers that are drawn as functions combining two of them. A choice.
const TOGETHER: usize = 30;

/// Draws a term of type `ty`; for functions of several numbers, in some cases one that combines two of them.
fn drawn(mut generator: Generator, ty: &Ty, size: usize) -> Term {
    let met = generator.together(ty, size, TOGETHER);
    met.unwrap_or_else(|| generator.term(ty, size))
}

impl Sampler {
    /// Draws an element: a constructor applied to smaller samples.
    fn draw(&self, random: &mut Random, ty: &Ty, size: usize) -> Term {
        let constructors = self.constructors.get().map_or(&[][..], Vec::as_slice);
        let is_leaf = |c: &&Constructor| !c.arguments.iter().any(|a| matches!(a, Argument::Same));
        let leaves: Vec<&Constructor> = constructors.iter().filter(is_leaf).collect();
        // at small sizes only constructors that take no element of the type, so that the recursion ends
        let among: Vec<&Constructor> = if size < 3 { leaves } else { constructors.iter().collect() };
        // no constructor is left only if the theory was refused, and then the sample is not used
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

/// Returns `true` if a constant is a strictly increasing function of one variable on the whole line.
fn is_rising(constant: Constant) -> bool {
    let Constant::Elementary(f) = constant else { return false };
    f.is_total() && matches!(f.row().course, Course::Rising | Course::Root(_))
}

/// Draws `\x => e` with `e` strictly increasing in `x`.
fn increasing(generator: &mut Generator, size: usize) -> Term {
    let id = generator.id();
    let body = rising(generator, id, size.saturating_sub(1).max(1));
    Term::new(Head::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![body])
}

/// Draws a number that increases strictly in the variable `id`. Each form is recognised by `rises`.
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
            // nested exponentials exceed every exponent range, so their arguments are bounded by atan
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

/// Returns `true` if a function is visibly strictly increasing: a sufficient condition on its syntax.
fn is_increasing(function: &Term) -> bool {
    match (&function.head, &function.parts[..]) {
        (Head::Lambda(id, _), [body]) => rises(body, *id),
        (Head::Call(c), []) => is_rising(*c),
        _ => false,
    }
}

/// Returns `true` if `term` visibly increases strictly in the variable `id`. The cases are the forms that `rising`
/// draws.
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
