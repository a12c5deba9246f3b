//! The variables that a law quantifies over, and how their samples are drawn.
//!
//! A sample is a closed well-typed term. A law may demand more than the type. A [`SampleCondition`] is met by construction and
//! is decidable on the term, so it can be checked after shrinking. Elements of a named type, such as integrals among
//! all functionals, are made by the [constructors](ConstructorSampler) that a theory declares for it.

use super::generate::{TermGenerator, TermVocabulary};
use super::term::{BinderId, ParsedProgram, TermHead, TestTerm};
use crate::function::{Function, Monotonicity};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::{Arc, OnceLock};

/// A condition on the samples of a variable, beside being well-typed and total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SampleCondition {
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

impl SampleCondition {
    /// Returns the conjunction of two conditions on samples of one type.
    #[must_use]
    pub fn combined_with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Total, demand) | (demand, Self::Total) => demand,
            // two different conditions on one function type are among `SmoothMap`, `Increasing` and both
            (first, second) if first == second => first,
            _ => Self::SmoothIncreasing,
        }
    }

    /// Returns the name of the condition in reports.
    #[must_use]
    pub fn condition_name(self) -> &'static str {
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
pub struct LawBinder {
    /// The type of the samples.
    pub ty: Ty,
    /// The condition on the samples.
    pub condition: SampleCondition,
    /// The operations that samples are made of, if the condition is [`SampleCondition::Total`].
    pub vocabulary: TermVocabulary,
    /// The constructors of the samples. `None` if the type alone determines how they are made.
    pub sampler: Option<Arc<ConstructorSampler>>,
}

/// The constructors of a named type, from which its samples are built.
#[derive(Debug, Default)]
pub struct ConstructorSampler {
    /// The constructors. They are set after the sampler is made, since they may take elements of the type themselves.
    pub constructors: OnceLock<Vec<SampleConstructor>>,
}

/// A function whose results are samples of a named type.
#[derive(Clone, Debug)]
pub struct SampleConstructor {
    /// The program of the function.
    pub closed: Arc<ParsedProgram>,
    /// The type of the function.
    pub ty: Ty,
    /// The arguments it takes.
    pub arguments: Vec<SampleArgument>,
}

/// The kind of an argument of a constructor.
#[derive(Clone, Debug)]
pub enum SampleArgument {
    /// An element of the sampled type itself.
    SampledType,
    /// A sample of another variable.
    Other(LawBinder),
}

impl From<Ty> for LawBinder {
    fn from(ty: Ty) -> Self {
        Self { ty, condition: SampleCondition::Total, vocabulary: TermVocabulary::Total, sampler: None }
    }
}

impl LawBinder {
    /// Draws a sample with about `size` heads.
    #[must_use]
    pub fn draw_sample(&self, random: &mut SplitMix64, size: usize) -> TestTerm {
        if let Some(sampler) = &self.sampler {
            return sampler.draw_element(random, &self.ty, size);
        }
        // a stream of its own, so that a larger sample does not shift the samples after it
        let random = SplitMix64::new(random.next());
        match self.condition {
            SampleCondition::Total => {
                draw_sample_term(TermGenerator::with_vocabulary(random, self.vocabulary), &self.ty, size)
            }
            SampleCondition::Smooth => {
                draw_sample_term(TermGenerator::with_vocabulary(random, TermVocabulary::Smooth), &self.ty, size)
            }
            SampleCondition::Increasing => {
                draw_increasing(&mut TermGenerator::with_vocabulary(random, TermVocabulary::Total), size)
            }
            SampleCondition::SmoothIncreasing => {
                draw_increasing(&mut TermGenerator::with_vocabulary(random, TermVocabulary::Smooth), size)
            }
            SampleCondition::Positive => {
                TestTerm::real_literal(TermGenerator::with_vocabulary(random, TermVocabulary::Total).draw_positive())
            }
        }
    }

    /// Returns `true` if a term of the type meets the condition, also after shrinking.
    #[must_use]
    pub fn admits_term(&self, term: &TestTerm) -> bool {
        match self.condition {
            SampleCondition::Total => self.vocabulary.admits_term(term),
            SampleCondition::SmoothIncreasing => TermVocabulary::Smooth.admits_term(term) && is_increasing(term),
            SampleCondition::Smooth => TermVocabulary::Smooth.admits_term(term),
            SampleCondition::Increasing => is_increasing(term),
            SampleCondition::Positive => matches!(&term.head, TermHead::Real(q) if *q > 0),
        }
    }
}

/// The percentage of functions of several numbers that are drawn as functions combining two of them. A choice.
const JOINT_PERCENT: usize = 30;

/// Draws a term of type `ty`; for functions of several numbers, in some cases one that combines two of them.
fn draw_sample_term(mut generator: TermGenerator, ty: &Ty, size: usize) -> TestTerm {
    let met = generator.draw_joint_function(ty, size, JOINT_PERCENT);
    met.unwrap_or_else(|| generator.draw_term(ty, size))
}

impl ConstructorSampler {
    /// Draws an element: a constructor applied to smaller samples.
    fn draw_element(&self, random: &mut SplitMix64, ty: &Ty, size: usize) -> TestTerm {
        let constructors = self.constructors.get().map_or(&[][..], Vec::as_slice);
        let is_leaf = |c: &&SampleConstructor| !c.arguments.iter().any(|a| matches!(a, SampleArgument::SampledType));
        let leaves: Vec<&SampleConstructor> = constructors.iter().filter(is_leaf).collect();
        // at small sizes only constructors that take no element of the type, so that the recursion ends
        let among: Vec<&SampleConstructor> = if size < 3 { leaves } else { constructors.iter().collect() };
        // no constructor is left only if the theory was refused, and then the sample is not used
        let Some(constructor) = (!among.is_empty()).then(|| *random.pick(&among)) else {
            return TestTerm::real_literal(0);
        };
        let each = size.saturating_sub(1) / constructor.arguments.len().max(1);
        let start = TestTerm::new(TermHead::Parsed(constructor.closed.clone()), constructor.ty.clone(), Vec::new());
        constructor.arguments.iter().fold(start, |function, argument| {
            let argument = match argument {
                SampleArgument::SampledType => self.draw_element(random, ty, each),
                SampleArgument::Other(binder) => binder.draw_sample(random, each.max(1)),
            };
            let applied = match function.ty.kind() {
                TyKind::Function(_, codomain) => codomain.clone(),
                _ => ty.clone(),
            };
            TestTerm::new(TermHead::Apply, applied, vec![function, argument])
        })
    }
}

/// Returns `true` if a constant is a strictly increasing function of one variable on the whole line.
fn is_increasing_constant(constant: Constant) -> bool {
    let Constant::Elementary(f) = constant else { return false };
    f.is_total() && matches!(f.row().monotonicity, Monotonicity::Increasing | Monotonicity::Root(_))
}

/// Draws `\x => e` with `e` strictly increasing in `x`.
fn draw_increasing(generator: &mut TermGenerator, size: usize) -> TestTerm {
    let id = generator.fresh_id();
    let body = draw_increasing_body(generator, id, size.saturating_sub(1).max(1));
    TestTerm::new(TermHead::Lambda(id, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![body])
}

/// Draws a number that increases strictly in the variable `id`. Each form is recognised by `is_increasing_in`.
fn draw_increasing_body(generator: &mut TermGenerator, id: BinderId, size: usize) -> TestTerm {
    if size < 3 {
        return TestTerm::new(TermHead::Variable(id), Ty::real(), Vec::new());
    }
    match generator.random.next_below(6) {
        0 => TestTerm::real_operation(
            Constant::Add,
            vec![draw_increasing_body(generator, id, size / 2), draw_increasing_body(generator, id, size / 2)],
        ),
        1 => TestTerm::real_operation(
            Constant::Add,
            vec![draw_increasing_body(generator, id, size - 2), TestTerm::real_literal(generator.draw_number())],
        ),
        2 => TestTerm::real_operation(
            Constant::Multiply,
            vec![TestTerm::real_literal(generator.draw_positive()), draw_increasing_body(generator, id, size - 2)],
        ),
        3 => TestTerm::new(
            TermHead::Power(Rational::from(3)),
            Ty::real(),
            vec![draw_increasing_body(generator, id, size - 1)],
        ),
        _ => {
            let all: Vec<_> =
                Constant::ALL.iter().copied().filter(|constant| is_increasing_constant(*constant)).collect();
            let constant = generator.pick_constant(&all);
            // nested exponentials exceed every exponent range, so their arguments are bounded by atan
            let part = if matches!(constant, Constant::Elementary(f) if f.row().outgrows_powers) {
                let atan = Constant::Elementary(Function::Atan);
                TestTerm::real_operation(atan, vec![draw_increasing_body(generator, id, size.saturating_sub(2).max(1))])
            } else {
                draw_increasing_body(generator, id, size - 1)
            };
            TestTerm::real_operation(constant, vec![part])
        }
    }
}

/// Returns `true` if a function is visibly strictly increasing: a sufficient condition on its syntax.
fn is_increasing(function: &TestTerm) -> bool {
    match (&function.head, &function.parts[..]) {
        (TermHead::Lambda(id, _), [body]) => is_increasing_in(body, *id),
        (TermHead::Call(c), []) => is_increasing_constant(*c),
        _ => false,
    }
}

/// Returns `true` if `term` visibly increases strictly in the variable `id`. The cases are the forms that `draw_increasing_body`
/// draws.
fn is_increasing_in(term: &TestTerm, id: BinderId) -> bool {
    match (&term.head, &term.parts[..]) {
        (TermHead::Variable(v), []) => *v == id,
        (TermHead::Call(Constant::Add), [a, b]) => {
            let still = |t: &TestTerm| matches!(t.head, TermHead::Real(_));
            (is_increasing_in(a, id) && (is_increasing_in(b, id) || still(b))) || (still(a) && is_increasing_in(b, id))
        }
        (TermHead::Call(Constant::Multiply), [a, b]) => {
            matches!(&a.head, TermHead::Real(q) if *q > 0) && is_increasing_in(b, id)
        }
        (TermHead::Power(q), [part]) => q.is_integer() && q.numer().is_odd() && *q > 0 && is_increasing_in(part, id),
        (TermHead::Call(c), [part]) => is_increasing_constant(*c) && is_increasing_in(part, id),
        _ => false,
    }
}
