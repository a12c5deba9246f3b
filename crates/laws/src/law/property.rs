//! Laws quantified over terms, tested by quickcheck.
//!
//! The types of the binders are values at run time, so a [`Property`] is its own [`Testable`]. Quickcheck decides how
//! many samples are drawn, from which stream, and how many may be vacuous. The terms are drawn by [`generate`] and made
//! smaller by [`shrink`]. A failure reports the smallest refuting terms that were found, with both sides.
//!
//! [`generate`]: super::generate
//! [`shrink`]: super::term
//!
//! # The variables that a law quantifies over
//!
//! The variables that a law quantifies over, and how their samples are drawn.
//!
//! A sample is a closed well-typed term. A law may demand more than the type. A [`SampleCondition`] is met by construction and
//! is decidable on the term, so it can be checked after shrinking. Elements of a named type, such as integrals among
//! all functionals, are made by the [constructors](ConstructorSampler) that a theory declares for it.
//!
//! # Equality of two programs as a law
//!
//! `left ~ right` holds if their enclosures overlap at every tolerance.

use super::generate::{TermGenerator, TermVocabulary};
use super::term;
use super::term::{BinderId, ParsedProgram, TermHead, TestTerm};
use crate::function::{Function, Monotonicity};
use crate::meaning::presheaf::PresheafInterpreter;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::syntax::constant::Constant;
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use quickcheck::{Arbitrary, Gen, QuickCheck, TestResult, Testable};
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// The statement of a law: a verdict on each tuple of terms.
pub type LawStatement = dyn Fn(&[TestTerm]) -> Verdict + Send + Sync;

/// A law: a statement for all closed terms of these types.
#[derive(Clone)]
pub struct Property {
    binders: Vec<LawBinder>,
    statement: Arc<LawStatement>,
    /// Returns `true` if no further samples are to be tried.
    is_over: Arc<dyn Fn() -> bool + Send + Sync>,
    /// The refutation that the last run found.
    last_refutation: Arc<Mutex<Option<TermRefutation>>>,
    count: Arc<SampleCounts>,
}

/// The counts of samples of one run.
#[derive(Debug, Default)]
struct SampleCounts {
    drawn: AtomicU64,
    informative: AtomicU64,
    /// The number of samples after which a run without any informative sample stops.
    vacuous_limit: AtomicU64,
}

/// The effort with which a law is tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TestConfig {
    /// The number of samples that must survive.
    pub samples: u64,
    /// The greatest number of samples drawn for that, vacuous ones included. Fewer are drawn if the first ones are all
    /// vacuous.
    pub max_samples: u64,
    /// The largest size, in heads, that is asked of the generator.
    pub size: usize,
    /// The seed. The samples depend on it alone.
    pub seed: u64,
}

impl Default for TestConfig {
    /// 100 informative samples among at most 1000, of size at most 12.
    fn default() -> Self {
        Self { samples: 100, max_samples: 1000, size: 12, seed: 0 }
    }
}

/// Terms that refute a law, with both sides.
#[derive(Clone, Debug, PartialEq)]
pub struct TermRefutation {
    /// One term for each binder.
    pub witness: Vec<TestTerm>,
    /// The left side.
    pub left: String,
    /// The right side.
    pub right: String,
}

/// The outcome of testing a law.
#[derive(Clone, Debug, PartialEq)]
pub enum TestOutcome {
    /// Some terms refute the law.
    Refuted(Box<TermRefutation>),
    /// The required number of samples survived.
    Survived,
    /// No sample refutes the law, but too few were informative.
    Vacuous {
        /// The number of samples drawn.
        drawn: u64,
    },
}

/// The greatest number of candidates that the shrinker tries for one binder in one round. A choice: time against the
/// size of the report.
const SHRINK_ATTEMPTS: usize = 400;

/// The factor of the limit after which a silent law is vacuous, `VACUITY_FACTOR · max_samples / samples` draws. A law needs the share
/// `p = samples / max_samples` of informative samples. With that share, `10 / p` draws are all vacuous with probability `(1 −
/// p)^(10/p) ≤ e⁻¹⁰`.
const VACUITY_FACTOR: u64 = 10;

impl Property {
    /// Makes the law that a statement holds for all closed terms of these types, in the full vocabulary. The statement
    /// must be vacuous where it makes no sense: the shrinker also tries ill-typed terms.
    #[must_use]
    pub fn new(binders: Vec<Ty>, statement: impl Fn(&[TestTerm]) -> Verdict + Send + Sync + 'static) -> Self {
        let full = |ty: Ty| LawBinder { vocabulary: TermVocabulary::Full, ..ty.into() };
        Self::with_binders(binders.into_iter().map(full).collect(), statement)
    }

    /// Like [`Property::new`], but for terms that are drawn with demands.
    #[must_use]
    pub fn with_binders(
        binders: Vec<LawBinder>,
        statement: impl Fn(&[TestTerm]) -> Verdict + Send + Sync + 'static,
    ) -> Self {
        Self {
            binders,
            statement: Arc::new(statement),
            is_over: Arc::new(|| false),
            last_refutation: Arc::default(),
            count: Arc::default(),
        }
    }

    /// Returns the law with a condition that stops the run: as soon as it holds, no further sample is tried.
    #[must_use]
    pub fn stop_when(self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self { is_over: Arc::new(is_over), ..self }
    }

    /// Tests the law, and returns the refutation with smallest terms if there is one.
    #[must_use]
    pub fn run_tests(&self, trials: TestConfig) -> TestOutcome {
        // the fields are shared with the clone that quickcheck runs, so results of earlier runs are removed first
        *self.last_refutation.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.count.drawn.store(0, Relaxed);
        self.count.informative.store(0, Relaxed);
        let rare = VACUITY_FACTOR.saturating_mul(trials.max_samples.div_ceil(trials.samples.max(1)));
        self.count.vacuous_limit.store(rare.max(trials.samples), Relaxed);
        let result = QuickCheck::new()
            .tests(trials.samples)
            .max_tests(trials.max_samples)
            .min_tests_passed(trials.samples)
            .rng(Gen::from_size_and_seed(trials.size, trials.seed))
            .quicktest(self.clone());
        match (self.last_refutation.lock().unwrap_or_else(PoisonError::into_inner).take(), result) {
            (Some(refutation), _) => TestOutcome::Refuted(Box::new(refutation)),
            (None, Ok(passed)) if passed >= trials.samples => TestOutcome::Survived,
            (None, _) => TestOutcome::Vacuous { drawn: self.count.drawn.load(Relaxed) },
        }
    }

    /// Shrinks the terms one binder at a time while they refute the law, until a round makes none of them smaller.
    fn shrink_witness(&self, mut witness: Vec<TestTerm>, mut last: (String, String)) -> TermRefutation {
        let refutes = |terms: &[TestTerm]| match (self.statement)(terms) {
            Verdict::Refuted { left, right, .. } => Some((left, right)),
            Verdict::Survived | Verdict::Vacuous => None,
        };
        loop {
            let before: usize = witness.iter().map(TestTerm::size).sum();
            for i in 0..witness.len() {
                let mut others = witness.clone();
                witness[i] = term::shrink_term(witness[i].clone(), SHRINK_ATTEMPTS, |smaller| {
                    others[i] = smaller.clone();
                    let found = refutes(&others);
                    found.is_some_and(|sides| {
                        last = sides;
                        true
                    })
                });
            }
            if witness.iter().map(TestTerm::size).sum::<usize>() >= before {
                break;
            }
        }
        let (left, right) = last;
        TermRefutation { witness, left, right }
    }
}

impl Testable for Property {
    fn result(&self, g: &mut Gen) -> TestResult {
        let SampleCounts { drawn, informative: said, vacuous_limit: silent } = &*self.count;
        // quickcheck cannot be stopped early, but a discarded sample costs nothing
        let is_silent = said.load(Relaxed) == 0 && drawn.load(Relaxed) >= silent.load(Relaxed);
        if is_silent || (self.is_over)() {
            return TestResult::discard();
        }
        drawn.fetch_add(1, Relaxed);
        let size = g.size();
        let mut random = SplitMix64::new(u64::arbitrary(g));
        let draw = |binder: &LawBinder| {
            let size = 1 + random.next_below(size);
            binder.draw_sample(&mut random, size)
        };
        let terms: Vec<TestTerm> = self.binders.iter().map(draw).collect();
        match (self.statement)(&terms) {
            Verdict::Survived => {
                said.fetch_add(1, Relaxed);
                TestResult::passed()
            }
            Verdict::Vacuous => TestResult::discard(),
            Verdict::Refuted { left, right, .. } => {
                // shrunk here, not by quickcheck: its shrinker needs an `Arbitrary` type for each binder
                let refutation = self.shrink_witness(terms, (left, right));
                let message = refutation.to_string();
                *self.last_refutation.lock().unwrap_or_else(PoisonError::into_inner) = Some(refutation);
                TestResult::error(message)
            }
        }
    }
}

impl fmt::Debug for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Property").field("binders", &self.binders).finish_non_exhaustive()
    }
}

impl fmt::Display for TermRefutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.witness.iter().map(TestTerm::to_string).collect();
        write!(f, "at {}: {} is not {}", terms.join(" and "), self.left, self.right)
    }
}

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
        if let Some(sampler) = &self.sampler {
            return sampler.admits_element(term);
        }
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

impl ConstructorSampler {
    /// Returns `true` if a term is a constructor applied to admitted arguments. Shrinking may make others of the same type.
    fn admits_element(&self, term: &TestTerm) -> bool {
        let (mut head, mut arguments) = (term, Vec::new());
        while let (TermHead::Apply, [function, argument]) = (&head.head, &head.parts[..]) {
            arguments.push(argument);
            head = function;
        }
        arguments.reverse();
        let TermHead::Parsed(closed) = &head.head else { return false };
        self.constructors.get().into_iter().flatten().any(|constructor| {
            Arc::ptr_eq(closed, &constructor.closed)
                && constructor.arguments.len() == arguments.len()
                && constructor.arguments.iter().zip(&arguments).all(|(expected, argument)| match expected {
                    SampleArgument::SampledType => self.admits_element(argument),
                    SampleArgument::Other(binder) => binder.admits_term(argument),
                })
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

/// The tolerances. A survivor reaches the first one; the second is attempted for a sharper comparison. A choice.
const TOLERANCES: [(i64, i64); 2] = [(1, 1_000), (1, 1_000_000_000)];
/// The time limit for one side at one tolerance. A choice: vacuous verdicts against long runs.
const SIDE_TIME_LIMIT: Duration = Duration::from_millis(200);

/// Two closed programs of the same type `T₁ -> … -> Tₙ -> R`, where R consists of real numbers and tuples: a law over
/// their arguments.
#[derive(Clone, Debug)]
pub struct ProgramEquation {
    left: Core,
    right: Core,
    binders: Vec<Ty>,
}

impl ProgramEquation {
    /// Makes the law `left ~ right` over the first `binders` arguments of both sides.
    ///
    /// # Errors
    /// Returns a message if a side has no type, if the types differ, or if there are fewer than `binders` arguments.
    pub fn new(library: &Library, binders: usize, left: &str, right: &str) -> Result<Self, String> {
        let infer = |text: &str| library.infer_expression(text).map_err(|e| format!("{text}: {e}"));
        let ((left, ty), (right, other)) = (infer(left)?, infer(right)?);
        if ty != other {
            return Err(format!("the sides have different types: {ty}, and {other}"));
        }
        let mut rest = ty.clone();
        let mut types = Vec::with_capacity(binders);
        for _ in 0..binders {
            let TyKind::Function(domain, codomain) = rest.kind() else {
                return Err(format!("expected {binders} arguments, found the type {ty}"));
            };
            types.push(domain.clone());
            rest = codomain.clone();
        }
        Ok(Self { left, right, binders: types })
    }

    /// Returns the law as a property that can be tested.
    #[must_use]
    pub fn as_property(&self) -> Property {
        let this = self.clone();
        Property::new(self.binders.clone(), move |terms| this.check_at(terms))
    }

    /// Returns the verdict on these arguments. Vacuous if an argument is not closed or a side has no value.
    pub fn check_at(&self, arguments: &[TestTerm]) -> Verdict {
        let cores: Option<Vec<Core>> = arguments.iter().map(TestTerm::to_core).collect();
        let Some(cores) = cores else { return Verdict::Vacuous };
        let [left, right] = [&self.left, &self.right]
            .map(|side| cores.iter().fold(side.clone(), |f, x| Core::apply(f, x.clone(), Span::default())));
        let mut verdict = Verdict::Vacuous;
        for (index, tolerance) in TOLERANCES.into_iter().map(Rational::from).enumerate() {
            let (Some(left), Some(right)) = (enclose_numbers(&left, &tolerance), enclose_numbers(&right, &tolerance))
            else {
                break;
            };
            let mut reached = !left.is_empty();
            // an undefined enclosure says nothing about the value, so only two defined ones can refute
            for ((left, known), (right, also_known)) in left.iter().zip(&right) {
                if left.is_defined() && right.is_defined() && !left.overlaps(right) {
                    let witness: Vec<String> = arguments.iter().map(TestTerm::to_string).collect();
                    return Verdict::refuted(witness.join(", "), left, right);
                }
                reached &= *known && *also_known;
            }
            // a survivor must reach the first tolerance; the second one may only refute
            match (index, reached) {
                (0, true) => verdict = Verdict::Survived,
                (0, false) => break,
                _ => {}
            }
        }
        verdict
    }
}

/// Encloses the numbers of a program, each with `true` if it is as narrow as asked. Returns `None` if a number is not
/// enclosed or the value has other parts.
fn enclose_numbers(term: &Core, tolerance: &Rational) -> Option<Vec<(Enclosure, bool)>> {
    let budget = Arc::new(Budget::with_time_limit(SIDE_TIME_LIMIT));
    let element = PresheafInterpreter::new(budget.clone()).interpret_program(term).ok()?;
    let mut found = Vec::new();
    for graph in real_components(&element)? {
        let answer = graph.to_real().ok()?.enclose(tolerance, &budget).ok()?;
        found.push((answer.enclosure, answer.reached));
    }
    Some(found)
}

/// Returns the numbers that an element consists of. Returns `None` if it has other parts.
fn real_components(element: &Element) -> Option<Vec<Graph>> {
    match element {
        Element::Real(graph) => Some(vec![graph.clone()]),
        Element::Unit => Some(Vec::new()),
        Element::Tuple(parts) => {
            let all: Option<Vec<_>> = parts.iter().map(real_components).collect();
            all.map(|all| all.concat())
        }
        _ => None,
    }
}
