//! The theorems of A on its operational semantics, tested on [random programs](crate::law::generate::program) over
//! numbers that are known exactly or by narrow enclosures.
//!
//! Recursions are limited, so that a program without a value is recognised as such (A §6.2). A sample is vacuous if a
//! number or a run became too long. Each law is a function of the [rules](crate::trace::evaluation), so that it can be
//! tested with wrong ones.
//!
//! | law | statement |
//! |---|---|
//! | `determinacy` | one small step is possible, of all by the rules; the value is that of big steps, the trace one up to renaming (Prop. 3.4) |
//! | `interpolation` | `M ⇒ V` if and only if `M ⇝ C` and `C ⇒ V` (Prop. 3.5) |
//! | `subject_reduction` | values and traces have the type of the program (Props. 3.3, 3.6) |
//! | `unique_decomposition` | by the grammar of contexts a term is a value, or `E[R]` in one way; R may be replaced by any term of its type (L3.1, L3.2) |
//! | `strategies_agree` | the literal derivative of a trace is the accumulated one |
//! | `tape_is_accumulated` | values and derivatives of order 1 and 2 by instructions and a tape are those of the relations |
//! | `source_is_accumulated` | programs with every derivative written out have the values of the relations (Props. 4.3, 4.4) |
//! | `reverse_is_transposed` | `W.R_V(x. C)` is Jᵗ W, and defined where C is (Thm 6.1); J by forward mode |
//! | `reverse_has_the_domain` | `W.R_V(x. C)` is defined where C is, for elementary functions |
//! | `reverse_captures_nothing` | the derivative does not depend on the names of bound variables |
//! | `trace_is_local` | near the point, the trace is the program (Thm 6.2 (2)) |
//! | `printed_box_holds_the_point` | a box on which a trace is valid contains the point in its interior, as printed (Thm 6.2 (2)) |
//! | `printed_box_holds` | on the box of a program, as printed, the program is its trace (Thm 6.2 (2)) |
//! | `trace_is_linear` | the sizes of traces and derivatives are bounded by steps; n doublings have a trace of size O(n) |
//! | `guards_turn` | `if a < b then M else N` is `if b < a then N else M` |
//! | `scope_is_static` | a program does not depend on the names of its functions |
//! | `limited_is_unrolled` | `letrecₙ` is n functions, each calling the next, the last undefined (Fig. 8) |
//! | `approximants_increase` | a value of `M⁽ⁿ⁾` is the value of `M⁽ⁿ⁺¹⁾` (L6.5, L6.6) |
//!
//! # Laws of the derivatives of traces
//!
//! Laws of the derivatives of traces (A Fig. 6, Thm 6.1).
//!
//! # The source transformation
//!
//! The source transformation, which writes programs without `rd`.
//!
//! # The strategy `tape`
//!
//! The strategy `tape`, compared with the relations. They share only the numbers and op_r.
//!
//! # The printed form of the boxes on which a trace is valid

pub(in crate::law) mod small_steps;

use crate::function::Function;
use crate::law::generate::oracle::{KnownReal, KnownReals};
use crate::law::generate::program::{
    ProgramVocabulary, TraceSample, draw_name_clash, draw_trace_sample, draw_trace_sample_in,
};
use crate::law::property::{LawSuite, SampleSettings, suite_of_table};
use crate::number::budget::Budget;
use crate::number::{Rational, decimal};
use crate::random::SplitMix64;
use crate::stack::with_stack;
use crate::trace::compiled::CompiledProgram;
use crate::trace::differentiate::simplify_program;
use crate::trace::embed::CoreProgram;
use crate::trace::evaluation::{
    ContextFrame, DefaultTraceHooks, Focus, Strategy, TraceError, TraceEvaluator, decompose, plug_context,
};
use crate::trace::number::{Doubles, NumberSystem};
use crate::trace::operation::OperationSymbol;
use crate::trace::question::{TraceAnswer, TraceQuestion, ValidityInterval, trace_with_region};
use crate::trace::source::eliminate_reverse_with;
use crate::trace::term;
use crate::trace::term::{BooleanTerm, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable, Renaming, approximant};
use crate::trace::typing::{
    CoreEnvironment, CoreVariableTypes, FunctionEnvironment, FunctionTypes, type_of, type_of_value,
};
use crate::verdict::Verdict;
use crate::wrong::{HookedNumbers, TraceMutationHooks};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::fmt::Debug;
use std::sync::Arc;

/// A law, tested on the sample of a stream of random numbers.
pub type TraceLaw = fn(SplitMix64, &dyn TraceMutationHooks) -> Verdict;

/// Returns [`LAWS`] as a suite for quickcheck, with rules that may be wrong.
pub fn trace_suite(rules: &Arc<dyn TraceMutationHooks>, samples: &SampleSettings) -> LawSuite<Infallible> {
    let rules = rules.clone();
    suite_of_table(LAWS, samples, move |law: TraceLaw, random| law(random, &*rules))
}

/// All laws, with their names.
pub const LAWS: &[(&str, TraceLaw)] = &[
    ("determinacy", determinacy),
    ("interpolation", interpolation),
    ("subject_reduction", subject_reduction),
    ("unique_decomposition", unique_decomposition),
    ("strategies_agree", strategies_agree),
    ("tape_is_accumulated", tape_is_accumulated),
    ("source_is_accumulated", source_is_accumulated),
    ("reverse_is_transposed", reverse_is_transposed),
    ("reverse_has_the_domain", reverse_has_the_domain),
    ("reverse_captures_nothing", reverse_captures_nothing),
    ("trace_is_local", trace_is_local),
    ("printed_box_holds_the_point", printed_box_holds_the_point),
    ("printed_box_holds", printed_box_holds),
    ("trace_is_linear", trace_is_linear),
    ("guards_turn", guards_turn),
    ("scope_is_static", scope_is_static),
    ("limited_is_unrolled", limited_is_unrolled),
    ("approximants_increase", approximants_increase),
];

/// The number of unfoldings of recursions. A choice.
const UNFOLDING_LIMIT: u64 = 6;
/// The number of copies of a function that replace a recursion. A choice.
const UNROLLED_COPIES: u64 = 4;
/// The greatest number of steps of one run. A choice.
const MAX_STEPS: u64 = 20_000;
/// The numbers that programs run on: fractions where they are, and narrow enclosures elsewhere.
const NUMBERS: KnownReals = KnownReals;
/// A value with known numbers.
pub(super) type KnownPoint = CoreValue<KnownReal>;

/// The result of a run.
#[derive(Clone, Debug, PartialEq)]
pub enum RunOutcome<V> {
    /// The program has this value.
    Defined(V),
    /// The program certainly has no value.
    Undefined,
    /// The run did not decide whether there is a value.
    Unknown,
}

impl<V> RunOutcome<V> {
    /// Classifies the result of an evaluator: a limit that was reached leaves the outcome unknown.
    pub(super) fn from_result(result: Result<V, TraceError>) -> Self {
        match result {
            Ok(value) => RunOutcome::Defined(value),
            Err(TraceError::Undefined(undefined)) if !undefined.certain => RunOutcome::Unknown,
            Err(
                TraceError::LiteralTooLarge | TraceError::ProgramTooLarge | TraceError::DefinedByOwnDerivative { .. },
            ) => RunOutcome::Unknown,
            // other errors count as undefined: a stuck term violates type safety, and so differs from every value
            Err(_) => RunOutcome::Undefined,
        }
    }

    /// Maps the value, if there is one.
    pub(super) fn map<W>(self, of: impl FnOnce(V) -> W) -> RunOutcome<W> {
        match self {
            RunOutcome::Defined(value) => RunOutcome::Defined(of(value)),
            RunOutcome::Undefined => RunOutcome::Undefined,
            RunOutcome::Unknown => RunOutcome::Unknown,
        }
    }
}

/// Compares by Kleene's equality: both sides are defined and equal, or neither is defined. Vacuous if one is unknown,
/// and also if both are undefined.
pub(super) fn kleene_equal<V: PartialEq + Debug>(
    at: impl Fn() -> String,
    left: RunOutcome<V>,
    right: RunOutcome<V>,
) -> Verdict {
    match (&left, &right) {
        (RunOutcome::Unknown, _) | (_, RunOutcome::Unknown) | (RunOutcome::Undefined, RunOutcome::Undefined) => {
            Verdict::Vacuous
        }
        _ if left == right => Verdict::Survived,
        _ => Verdict::refuted(at(), format!("{left:?}"), format!("{right:?}")),
    }
}

/// Evaluates `ρ ⊢ M ⇒ V`.
pub fn run_ordinary<N: NumberSystem>(
    numbers: &N,
    rules: &dyn TraceMutationHooks,
    strategy: Strategy,
    rho: &CoreEnvironment<N::Number>,
    term: &CoreTerm,
) -> RunOutcome<CoreValue<N::Number>> {
    let compared = HookedNumbers { numbers, hooks: rules };
    let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy).with_step_limit(MAX_STEPS);
    RunOutcome::from_result(evaluator.evaluate_ordinary(
        &FunctionEnvironment::default(),
        rho,
        &rules.program_to_run(term),
    ))
}

/// Returns a rational point as a value of known numbers.
pub(super) fn known_point(point: &CoreValue<Rational>) -> KnownPoint {
    point.map(&mut |x| x.clone().into())
}

/// Returns the environment of a sample at a rational point.
fn environment_at(sample: &TraceSample, point: &CoreValue<Rational>) -> CoreEnvironment<KnownReal> {
    CoreEnvironment::of_variable(&sample.x, known_point(point))
}

/// Evaluates `ρ ⊢ M ⇒ V` over known numbers, with accumulated derivatives.
pub(super) fn run_known(
    rules: &dyn TraceMutationHooks,
    rho: &CoreEnvironment<KnownReal>,
    term: &CoreTerm,
) -> RunOutcome<KnownPoint> {
    run_ordinary(&NUMBERS, rules, Strategy::Accumulated, rho, term)
}

/// Evaluates `ρ ⊢ M ⇝ C`, and returns the trace C with its value.
pub fn run_symbolic(
    rules: &dyn TraceMutationHooks,
    rho: &CoreEnvironment<KnownReal>,
    term: &CoreTerm,
) -> RunOutcome<(CoreTerm, KnownPoint)> {
    let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
    let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_step_limit(MAX_STEPS);
    RunOutcome::from_result(evaluator.evaluate_symbolic(
        &FunctionEnvironment::default(),
        rho,
        &rules.program_to_run(term),
    ))
    .map(|(trace, value)| (rules.finished_trace(trace), value))
}

/// Returns the conjunction of the verdicts of `law` at the points of a random sample with limited recursions.
fn check_at_points(random: SplitMix64, law: impl Fn(&TraceSample, &CoreEnvironment<KnownReal>) -> Verdict) -> Verdict {
    check_sample(draw_trace_sample(random), law)
}

/// The language of programs with short traces.
const SHORT: ProgramVocabulary = ProgramVocabulary::TRACES.with_definitions(1);

/// Returns the conjunction of the verdicts of `law` at the points of a sample, with limited recursions.
fn check_sample(
    mut sample: TraceSample,
    law: impl Fn(&TraceSample, &CoreEnvironment<KnownReal>) -> Verdict,
) -> Verdict {
    sample.term = approximant(&sample.term, UNFOLDING_LIMIT);
    let verdicts = sample.points.iter().map(|point| {
        law(&sample, &environment_at(&sample, point))
            .with_witness(|| format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term)))
    });
    verdicts.fold(Verdict::Vacuous, Verdict::and)
}

/// Prints a term, cut after 600 characters.
pub(super) fn print_shortened(term: &CoreTerm) -> String {
    let text = term.to_string();
    if text.chars().count() > 600 { text.chars().take(600).chain(['…']).collect() } else { text }
}

/// Gives all functions different names.
fn separate_all_functions(term: &CoreTerm) -> CoreTerm {
    term::separate_functions(term, &FxHashMap::default())
}

/// Tests proposition 3.4. Recursions are unrolled first, as in Figure 8.
pub fn determinacy(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    // small steps write numbers down, so these must be rational
    let mut sample = draw_trace_sample_in(random, ProgramVocabulary::RATIONAL);
    // small steps keep definitions by name, so all functions need different names
    sample.term = with_stack(|| separate_all_functions(&small_steps::unroll_recursions(&sample.term, UNROLLED_COPIES)));
    let alike = |term: &CoreTerm| with_stack(|| small_steps::rename_alike(term));
    let renamed = alike(&sample.term);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = environment_at(&sample, point);
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let small = match small_steps::run_small_steps(rules, &sample.term, &sample.x, point) {
            Ok(found) => found.map(|value| known_point(&value)),
            Err(several) => return several.with_witness(at),
        };
        all = all.and(kleene_equal(at, run_known(rules, &rho, &sample.term), small));
        let text = |term: &CoreTerm| run_symbolic(rules, &rho, term).map(|(trace, _)| alike(&trace).to_string());
        all = all.and(kleene_equal(at, text(&sample.term), text(&renamed)));
    }
    all
}

/// Tests proposition 3.5.
pub fn interpolation(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let traced = run_symbolic(rules, rho, &sample.term);
        let through = match &traced {
            RunOutcome::Defined((trace, _)) => run_known(rules, rho, trace),
            RunOutcome::Undefined => RunOutcome::Undefined,
            RunOutcome::Unknown => RunOutcome::Unknown,
        };
        let value = run_known(rules, rho, &sample.term);
        let pair = traced.map(|(_, value)| value);
        kleene_equal(String::new, value.clone(), pair).and(kleene_equal(String::new, value, through))
    })
}

/// Returns the type of a term with the free variable of the sample, or the error as text.
pub(super) fn type_in_sample(sample: &TraceSample, term: &CoreTerm) -> Result<CoreTy, String> {
    let gamma = CoreVariableTypes::default().with_entry(&sample.x, sample.ty.clone());
    type_of(&FunctionTypes::default(), &gamma, term).map_err(|e| e.to_string())
}

/// Compares the type of a result with the one that is claimed. An undefined run has no value whose type could be
/// compared.
fn has_type(found: RunOutcome<Result<CoreTy, String>>, ty: &CoreTy) -> Verdict {
    match found {
        RunOutcome::Undefined => Verdict::Vacuous,
        found => kleene_equal(String::new, found, RunOutcome::Defined(Ok(ty.clone()))),
    }
}

/// Tests that the derivative of a trace has the type that `claimed` says; proposition 3.3 says that of the point.
pub fn check_derivative_type(
    random: SplitMix64,
    rules: &dyn TraceMutationHooks,
    claimed: impl Fn(&TraceSample) -> CoreTy,
) -> Verdict {
    check_at_points(random, |sample, rho| {
        let derivative = transposed_derivative(sample, &sample.term);
        let traced = run_symbolic(rules, rho, &derivative).map(|(trace, _)| type_in_sample(sample, &trace));
        has_type(traced, &claimed(sample))
    })
}

/// Tests that the program, its values and its traces have the type that `claimed` says; proposition 3.6 says that of
/// the program.
pub fn check_value_types(
    random: SplitMix64,
    rules: &dyn TraceMutationHooks,
    claimed: impl Fn(&TraceSample) -> CoreTy,
) -> Verdict {
    check_at_points(random, |sample, rho| {
        let traced = run_symbolic(rules, rho, &sample.term).map(|(trace, _)| type_in_sample(sample, &trace));
        let value = run_known(rules, rho, &sample.term).map(|value| Ok(type_of_value(&value)));
        let program = has_type(RunOutcome::Defined(type_in_sample(sample, &sample.term)), &claimed(sample));
        program.and(has_type(value, &claimed(sample))).and(has_type(traced, &claimed(sample)))
    })
}

/// Tests propositions 3.3 and 3.6, on M and on `fst ⟨M, ∗⟩`, in which two parts have different types.
pub fn subject_reduction(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let values = check_value_types(random.clone(), rules, |sample| sample.codomain.clone());
    let beside_unit = check_at_points(random.clone(), |sample, rho| {
        let pair = CoreTerm::pair(sample.codomain.clone(), CoreTy::Unit, sample.term.clone(), CoreTerm::unit());
        let first = CoreTermKind::First(sample.codomain.clone(), CoreTy::Unit, pair).into();
        let value = run_known(rules, rho, &first).map(|value| Ok(type_of_value(&value)));
        has_type(value, &sample.codomain)
    });
    values.and(beside_unit).and(check_derivative_type(random, rules, |sample| sample.ty.clone()))
}

/// Tests lemmas 3.1 and 3.2, for the program and for each of its parts. By the grammar of contexts there is one
/// decomposition, or none of a value. It is the one of the library, which gives the term again.
pub fn unique_decomposition(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let mut all = check_replacement(random.clone(), &term::zero_of_type);
    let mut parts = vec![draw_trace_sample(random).term];
    while let Some(term) = parts.pop() {
        term.kind().for_each_child(|child| parts.push(child.clone()));
        all = all.and(check_decomposition(&term, rules));
    }
    all
}

/// Tests lemma 3.1 on a term, with the order of evaluation of `rules`.
fn check_decomposition(term: &CoreTerm, rules: &dyn TraceMutationHooks) -> Verdict {
    let ways = small_steps::all_decompositions(term, rules.evaluation_order());
    let (context, found) = decompose(term);
    let again = match found {
        Focus::Value(_) if context.is_empty() && term.is_value() && ways.is_empty() => return Verdict::Survived,
        Focus::Value(value) => plug_context(&context, value),
        Focus::Redex(redex) => plug_context(&context, redex),
        Focus::Boolean { predicate, argument, then, otherwise, .. } => plug_context(
            &context,
            CoreTermKind::If(BooleanTerm::Predicate(predicate, argument), then, otherwise).into(),
        ),
    };
    let (again, text) = (again.to_string(), term.to_string());
    match &ways[..] {
        [way] if way.len() == context.len() && again == text && is_redex_of(&context, way) => Verdict::Survived,
        _ => {
            Verdict::refuted(print_shortened(term), format!("{} frames of {again}", context.len()), format!("{ways:?}"))
        }
    }
}

/// Returns `true` if a context goes through the parts of these positions.
fn is_redex_of(context: &[ContextFrame], way: &[usize]) -> bool {
    context.iter().zip(way).all(|(frame, part)| frame.position() == *part)
}

/// Tests lemma 3.2: a term of the type of the hole may replace what stands in the hole, in every context of a program.
pub fn check_replacement(random: SplitMix64, of_type: &dyn Fn(&CoreTy) -> CoreTerm) -> Verdict {
    let sample = draw_trace_sample(random);
    let (context, found) = decompose(&sample.term);
    let (Focus::Value(hole) | Focus::Redex(hole)) = found else { return Verdict::Vacuous };
    let mut all = Verdict::Vacuous;
    for depth in 0..=context.len() {
        let part = plug_context(&context[depth..], hole.clone());
        let filled = type_in_sample(&sample, &part).map(|ty| plug_context(&context[..depth], of_type(&ty)));
        let ty = filled.and_then(|term| type_in_sample(&sample, &term));
        let wanted = RunOutcome::Defined(Ok(sample.codomain.clone()));
        all = all.and(kleene_equal(|| print_shortened(&sample.term), RunOutcome::Defined(ty), wanted));
    }
    all
}

/// Tests fact 1 on `let y = M in 1`, a function that is constant on its domain: its derivative is 0 where it is
/// defined, and undefined elsewhere. The wrong version claims this of M.
pub fn constants_have_slope_zero(random: SplitMix64, is_wrong: bool) -> Verdict {
    let mut sample = draw_trace_sample(random);
    if !is_wrong {
        let y = CoreVariable::fresh(&"y".into());
        let one = CoreTerm::number(Rational::from(1));
        sample.term = CoreTermKind::Let(y, sample.codomain.clone(), sample.term, one.clone()).into();
        (sample.codomain, sample.cotangent) = (CoreTy::Real, one);
    }
    let derivative = transposed_derivative(&sample, &sample.term);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = environment_at(&sample, point);
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let value = run_known(&DefaultTraceHooks, &rho, &sample.term);
        let zero = value.map(|_| sample.ty.dimension());
        let slope = run_known(&DefaultTraceHooks, &rho, &derivative);
        // the number of components that are 0, of all
        let zeros = slope.map(|slope| slope.real_components().iter().filter(|x| !x.is_nonzero()).count());
        all = all.and(kleene_equal(at, zeros, zero));
    }
    all
}

/// The contents of a sample whose program has a recursive function.
pub const RECURS: &str = "a recursion";
/// The contents of a sample whose trace leaves out a part of the program.
pub const BRANCHES: &str = "a branch";
/// The contents of a sample that has no value at some point.
pub const UNDEFINED: &str = "a point without a value";
/// The contents of a sample that has a derivative that is not 0 at some point.
pub const HAS_SLOPE: &str = "a derivative that is not 0";

/// Returns the contents of the sample that the laws draw from `random`: of its program, and of its runs with
/// recursions cut after a few unfoldings.
#[must_use]
pub fn sample_contents(random: SplitMix64) -> Vec<&'static str> {
    let mut sample = draw_trace_sample(random);
    let mut found = Vec::new();
    if sample.features().recursion {
        found.push(RECURS);
    }
    sample.term = term::approximant(&sample.term, UNFOLDING_LIMIT);
    let point_contents = |point: &CoreValue<Rational>| {
        let rho = environment_at(&sample, point);
        let value = run_ordinary(&NUMBERS, &DefaultTraceHooks, Strategy::Accumulated, &rho, &sample.term);
        let traced = run_symbolic(&DefaultTraceHooks, &rho, &sample.term);
        let branches = matches!(traced, RunOutcome::Defined(_)) && !sample.term.is_trace();
        let slope = transposed_by_forward_mode(&sample, &sample.term, &known_point(point));
        let moves =
            matches!(slope, RunOutcome::Defined(value) if value.real_components().iter().any(|x| x.is_nonzero()));
        [(branches, BRANCHES), (value == RunOutcome::Undefined, UNDEFINED), (moves, HAS_SLOPE)]
    };
    for (has, what) in sample.points.iter().flat_map(point_contents) {
        if has && !found.contains(&what) {
            found.push(what);
        }
    }
    found
}

/// Tests theorem 6.2 (2).
pub fn trace_is_local(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let RunOutcome::Defined((trace, _)) = run_symbolic(rules, rho, &sample.term) else { return Verdict::Vacuous };
        let Some(point) = rho.get(&sample.x) else { return Verdict::Vacuous };
        let mut all = Verdict::Vacuous;
        for side in [-1, 1] {
            // a choice: far below the 2⁻⁴⁰ by which sample points lie off borders
            let near = point.map(&mut |x| x.rational().cloned().unwrap_or_default() + (Rational::from(side) >> 300u32));
            let rho = environment_at(sample, &near);
            all = all.and(kleene_equal(
                String::new,
                run_known(rules, &rho, &trace),
                run_known(rules, &rho, &sample.term),
            ));
        }
        all
    })
}

/// Tests that the size of a trace is bounded by its steps, and its accumulated derivative by its size. The trace of n
/// doublings, `let y = x + x in let z = y + y in …`, has a size of at most 8 n.
pub fn trace_is_linear(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    // a choice: a copy for each use makes 2ⁿ parts of n doublings, which 12 to 16 tell apart soon
    let doublings = 12 + random.next_below(5) as u64;
    let x = CoreVariable::fresh(&"x".into());
    let names: Vec<CoreVariable> = (0..doublings).map(|_| CoreVariable::fresh(&"y".into())).collect();
    let last = CoreTerm::variable(names.last().unwrap_or(&x));
    let twice = names.iter().enumerate().rev().fold(last, |body, (place, y)| {
        let before = CoreTerm::variable(place.checked_sub(1).and_then(|place| names.get(place)).unwrap_or(&x));
        CoreTerm::bind(y, CoreTy::Real, CoreTerm::sum(before.clone(), before), body)
    });
    let rho = CoreEnvironment::of_variable(&x, CoreValue::Real(Rational::from(1).into()));
    let doubled = match run_symbolic(rules, &rho, &twice) {
        RunOutcome::Defined((trace, _)) if trace.size() <= 8 * doublings => Verdict::Survived,
        RunOutcome::Defined((trace, _)) => {
            Verdict::refuted(format!("{doublings} doublings"), trace.size(), 8 * doublings)
        }
        found => Verdict::refuted(format!("{doublings} doublings"), format!("{found:?}"), "a trace"),
    };
    doubled.and(check_at_points(random, |sample, rho| {
        let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
        let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_step_limit(MAX_STEPS);
        let Ok((trace, _)) = evaluator.evaluate_symbolic(&FunctionEnvironment::default(), rho, &sample.term) else {
            return Verdict::Vacuous;
        };
        let point = CoreTerm::variable(&sample.x.renamed());
        let (x, w) = (&sample.x, &sample.cotangent);
        let Ok(reverse) = evaluator.differentiate(w, &point, x, &sample.ty, &trace) else { return Verdict::Vacuous };
        let at_most = |what: &str, size: u64, bound: u64| {
            if size <= bound { Verdict::Survived } else { Verdict::refuted(what, size, bound) }
        };
        // one step adds at most a copy of the program to the trace
        let steps = evaluator.step_count().saturating_mul(sample.term.size());
        // the theorem promises linear size; the factor 16 is a choice
        let linear = 16 * trace.size() + 16 * (1 + sample.ty.dimension() as u64 + w.size());
        at_most("trace", trace.size(), steps).and(at_most("derivative", reverse.size(), linear))
    }))
}

/// Tests that `if a < b then M else N` is `if b < a then N else M`.
pub fn guards_turn(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let turned = small_steps::turn_guards(&sample.term);
        kleene_equal(String::new, run_known(rules, rho, &sample.term), run_known(rules, rho, &turned))
    })
}

/// Tests that a program does not depend on the names of its functions.
pub fn scope_is_static(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let apart = separate_all_functions(&sample.term);
        let run = |term: &CoreTerm| run_known(rules, rho, term);
        let traced = |term: &CoreTerm| run_symbolic(rules, rho, term).map(|(_, value)| value);
        kleene_equal(String::new, run(&sample.term), run(&apart)).and(kleene_equal(
            String::new,
            traced(&sample.term),
            traced(&apart),
        ))
    })
}

/// Tests Figure 8: limited recursions are unrolled functions.
pub fn limited_is_unrolled(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let sample = draw_trace_sample(random);
    let mut all = Verdict::Vacuous;
    for n in 0..4 {
        let limited = approximant(&sample.term, n);
        let unrolled = with_stack(|| small_steps::unroll_recursions(&separate_all_functions(&sample.term), n));
        for point in &sample.points {
            let rho = environment_at(&sample, point);
            let run = |term: &CoreTerm| run_known(rules, &rho, term);
            let traced = |term: &CoreTerm| run_symbolic(rules, &rho, term).map(|(_, value)| value);
            let at = || format!("{} = {point}, n = {n} in {}", sample.x.name(), print_shortened(&sample.term));
            all = all.and(kleene_equal(at, run(&limited), run(&unrolled)));
            all = all.and(kleene_equal(at, traced(&limited), traced(&unrolled)));
        }
    }
    all
}

/// Tests lemmas 6.5 and 6.6: approximants increase, and the program itself is above them.
pub fn approximants_increase(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let sample = draw_trace_sample(random);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = environment_at(&sample, point);
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let run = |term: &CoreTerm| run_known(rules, &rho, term);
        let mut before = RunOutcome::Undefined;
        for n in [0, 1, 2, 3, 5] {
            let next = run(&approximant(&sample.term, n));
            if let RunOutcome::Defined(_) = before {
                all = all.and(kleene_equal(at, before, next.clone()));
            }
            before = next;
        }
        if let RunOutcome::Defined(_) = before {
            all = all.and(kleene_equal(at, before, run(&sample.term)));
        }
    }
    all
}

/// Tests that both strategies give the same derivative of a program, and of its trace at all points. The literal one has
/// the rules of the library, so that a wrong rule is wrong in one of the two.
pub fn strategies_agree(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_sample(draw_short_sample(random), |sample, rho| {
        let mut all = Verdict::Vacuous;
        for (term, rho) in programs_at_points(sample, rho).into_iter().filter(|(term, rho)| is_short(term, rho)) {
            let reverse = transposed_derivative(sample, &term);
            let run = |strategy, rules| run_ordinary(&NUMBERS, rules, strategy, &rho, &reverse);
            let literal = run(Strategy::Literal, &DefaultTraceHooks);
            all = all.and(kleene_equal(String::new, literal, run(Strategy::Accumulated, rules)));
        }
        all
    })
}

/// The number of samples that are drawn for a short one. A choice.
const SHORT_ATTEMPTS: usize = 8;

/// Draws a sample whose trace is short at one of its points at least, if one is found.
fn draw_short_sample(mut random: SplitMix64) -> TraceSample {
    let mut draw = || draw_trace_sample_in(SplitMix64::new(random.next()), SHORT);
    let is_asked =
        |sample: &TraceSample| sample.points.iter().any(|point| is_short(&sample.term, &environment_at(sample, point)));
    let mut sample = draw();
    for _ in 1..SHORT_ATTEMPTS {
        if is_asked(&sample) {
            break;
        }
        sample = draw();
    }
    sample
}

/// The greatest size of a trace that is differentiated by the literal clauses. Their derivative grows much faster than
/// the trace. A choice.
const MAX_LITERAL_SIZE: u64 = 26;

/// Returns `true` if the trace of a program is short enough for the literal clauses.
fn is_short(term: &CoreTerm, rho: &CoreEnvironment<KnownReal>) -> bool {
    term.is_trace() && term.size() <= MAX_LITERAL_SIZE
        || matches!(run_symbolic(&DefaultTraceHooks, rho, term), RunOutcome::Defined((trace, _)) if trace.size() <= MAX_LITERAL_SIZE)
}

/// Returns `W.rd_x(x. M)`, the transposed derivative of `term` at the variable of the sample.
pub(in crate::law) fn transposed_derivative(sample: &TraceSample, term: &CoreTerm) -> CoreTerm {
    let inner = sample.x.renamed();
    let body = Renaming::substitute(term, &sample.x, CoreTerm::variable(&inner));
    term::reverse_derivative(sample.cotangent.clone(), CoreTerm::variable(&sample.x), &inner, &sample.ty, body)
}

/// Returns the derivative of a sample, and the derivative of that.
fn two_derivatives(sample: &TraceSample) -> [CoreTerm; 2] {
    let first = transposed_derivative(sample, &sample.term);
    let again = TraceSample { codomain: sample.ty.clone(), cotangent: ones_cotangent(&sample.ty), ..sample.clone() };
    [first.clone(), transposed_derivative(&again, &first)]
}

/// Returns the cotangent of ones: `1`, `⟨1, 1⟩`, ….
fn ones_cotangent(ty: &CoreTy) -> CoreTerm {
    match ty {
        CoreTy::Real => CoreTerm::number(1),
        CoreTy::Unit => CoreTerm::unit(),
        CoreTy::Product(parts) => {
            let (t, u) = &**parts;
            CoreTerm::pair(t.clone(), u.clone(), ones_cotangent(t), ones_cotangent(u))
        }
    }
}

/// Returns a program at its point, and its trace from there at all points. At other points the trace may be undefined.
fn programs_at_points(
    sample: &TraceSample,
    rho: &CoreEnvironment<KnownReal>,
) -> Vec<(CoreTerm, CoreEnvironment<KnownReal>)> {
    let mut places = vec![(sample.term.clone(), rho.clone())];
    if let RunOutcome::Defined((trace, _)) = run_symbolic(&DefaultTraceHooks, rho, &sample.term) {
        let at = |point: &CoreValue<Rational>| (trace.clone(), environment_at(sample, point));
        places.extend(sample.points.iter().map(at));
    }
    places
}

/// The number of the ε of forward mode. Derivatives in programs are made by the relations, so one is enough.
const FORWARD: u32 = 1;

/// Computes Jᵗ W by forward mode, with one run on dual numbers for each coordinate.
pub fn transposed_by_forward_mode(sample: &TraceSample, term: &CoreTerm, at: &KnownPoint) -> RunOutcome<KnownPoint> {
    // the cotangent is closed, so it needs no environment
    let none = CoreEnvironment::default();
    let RunOutcome::Defined(cotangent) = run_known(&DefaultTraceHooks, &none, &sample.cotangent) else {
        return RunOutcome::Unknown;
    };
    let mut slopes = Vec::new();
    for moved in 0..sample.ty.dimension() {
        let mut place = 0;
        let point = at.map(&mut |x| {
            place += 1;
            if place - 1 == moved { x.clone().moving(FORWARD) } else { x.clone() }
        });
        let rho = CoreEnvironment::of_variable(&sample.x, point);
        match run_ordinary(&NUMBERS, &DefaultTraceHooks, Strategy::Accumulated, &rho, term) {
            RunOutcome::Defined(found) => {
                // component i of Jᵗ W is the inner product of W with the derivative along coordinate i
                let mut products = found.real_components().into_iter().zip(cotangent.real_components());
                let sum = products
                    .try_fold(KnownReal::from(Rational::new()), |sum, (y, w)| sum.plus(&y.slope_at(FORWARD).times(w)?));
                let Ok(sum) = sum else { return RunOutcome::Unknown };
                slopes.push(sum);
            }
            RunOutcome::Undefined => return RunOutcome::Undefined,
            RunOutcome::Unknown => return RunOutcome::Unknown,
        }
    }
    match CoreValue::from_reals(&sample.ty, &mut slopes.into_iter()) {
        Some(value) => RunOutcome::Defined(value),
        None => RunOutcome::Unknown,
    }
}

/// Tests theorem 6.1 by both strategies, for programs and for their traces at all points, where these may be undefined.
pub fn reverse_is_transposed(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let mut all = Verdict::Vacuous;
        for (term, rho) in programs_at_points(sample, rho) {
            let Some(point) = rho.get(&sample.x).cloned() else { continue };
            let expected = transposed_by_forward_mode(sample, &term, &point);
            let strategies: &[_] = match is_short(&term, &rho) {
                true => &[Strategy::Accumulated, Strategy::Literal],
                false => &[Strategy::Accumulated],
            };
            for strategy in strategies.iter().copied() {
                let found = run_ordinary(&NUMBERS, rules, strategy, &rho, &transposed_derivative(sample, &term));
                all = all.and(kleene_equal(String::new, found, expected.clone()));
                // `rd` runs its body to a trace first; a trace can be differentiated directly as well
                if term.is_trace() {
                    let point = CoreTerm::variable(&sample.x);
                    let inner = sample.x.renamed();
                    let trace = Renaming::substitute(&term, &sample.x, CoreTerm::variable(&inner));
                    let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
                    let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy);
                    let w = &sample.cotangent;
                    let reverse =
                        RunOutcome::from_result(evaluator.differentiate(w, &point, &inner, &sample.ty, &trace));
                    if let RunOutcome::Defined(reverse) = reverse {
                        let found = run_ordinary(&NUMBERS, rules, strategy, &rho, &reverse);
                        all = all.and(kleene_equal(String::new, found, expected.clone()));
                    }
                }
            }
        }
        all
    })
}

/// Tests that `W.R_V(x. C)` is defined where C is, in doubles, for traces with functions that are not defined
/// everywhere.
pub fn reverse_has_the_domain(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let [x, inner, y] = ["x", "x", "y"].map(|name| CoreVariable::fresh(&name.into()));
    let functions = [Function::Log, Function::Sqrt, Function::Asin, Function::Acos, Function::Cbrt, Function::Acosh];
    let function = CoreTerm::operation(OperationSymbol::Function(*random.pick(&functions)), CoreTerm::variable(&inner));
    // two of the three ignore the value of y, or multiply it by 0: its domain must count all the same
    let of_y = match random.next_below(3) {
        0 => CoreTerm::number(3),
        1 => CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::variable(&y), CoreTerm::variable(&inner)),
        _ => CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::number(0), CoreTerm::variable(&y)),
    };
    let trace = CoreTerm::bind(&y, CoreTy::Real, function.clone(), of_y);
    let trace = if random.random_bool(30) { function } else { trace };
    let w = CoreTerm::number(*random.pick(&[0, 1]));
    let mut all = Verdict::Vacuous;
    for at in [-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0] {
        // the value itself is compared elsewhere; here only definedness counts
        let value_at = |x: &CoreVariable, term: &CoreTerm| {
            let rho = CoreEnvironment::of_variable(x, CoreValue::Real(at));
            run_ordinary(&Doubles, rules, Strategy::Accumulated, &rho, term).map(|_| ())
        };
        let expected = value_at(&inner, &trace);
        for strategy in [Strategy::Accumulated, Strategy::Literal] {
            let compared = HookedNumbers { numbers: &Doubles, hooks: rules };
            let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy);
            let reverse = evaluator.differentiate(&w, &CoreTerm::variable(&x), &inner, &CoreTy::Real, &trace);
            let found = match RunOutcome::from_result(reverse) {
                RunOutcome::Defined(reverse) => value_at(&x, &reverse),
                other => other.map(|_| ()),
            };
            all = all.and(kleene_equal(|| format!("x = {at} in {}", print_shortened(&trace)), found, expected.clone()));
        }
    }
    all
}

/// Tests that `z.R_z(x. C)`, where C binds z, is the same as with another name for the bound z in C.
pub fn reverse_captures_nothing(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let at = CoreValue::Real(Rational::from(1 + random.next_below(5) as i64).into());
    let (trace, x, z) = draw_name_clash(random);
    let apart = Renaming::rename_apart(&trace);
    let rho = CoreEnvironment::of_variable(&z, at);
    let run = |strategy, rules: &dyn TraceMutationHooks, trace: &CoreTerm| {
        let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
        let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_strategy(strategy);
        let v = CoreTerm::variable(&z);
        match RunOutcome::from_result(evaluator.differentiate(&v, &v, &x, &CoreTy::Real, trace)) {
            RunOutcome::Defined(reverse) => run_known(rules, &rho, &reverse),
            other => other.map(|_| CoreValue::Unit),
        }
    };
    let verdicts = [Strategy::Accumulated, Strategy::Literal]
        // renamed apart there is no clash, so the library's own rules are the reference
        .map(|strategy| {
            kleene_equal(
                || print_shortened(&trace),
                run(strategy, rules, &trace),
                run(strategy, &DefaultTraceHooks, &apart),
            )
        });
    let [first, second] = verdicts;
    first.and(second)
}

/// Tests programs and their first and second derivatives, written out. They have no `rd`, they have the right types,
/// and their values are those of the relations; so are those of the simplified programs. Recursions are not limited.
pub fn source_is_accumulated(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let sample = draw_trace_sample(random);
    let parameters = [(sample.x.clone(), sample.ty.clone())];
    let [first, second] = two_derivatives(&sample);
    let mut all = Verdict::Vacuous;
    for (term, ty) in [(&sample.term, &sample.codomain), (&first, &sample.ty), (&second, &sample.ty)] {
        let RunOutcome::Defined(written) = RunOutcome::from_result(eliminate_reverse_with(rules, &parameters, term))
        else {
            continue;
        };
        // simplification must succeed on every program that was written out
        let RunOutcome::Defined(tidied) = RunOutcome::from_result(simplify_program(&parameters, &written)) else {
            return Verdict::refuted("in fewer words", print_shortened(&written), "nothing");
        };
        for program in [&written, &tidied] {
            let variables = CoreVariableTypes::default().with_entry(&sample.x, sample.ty.clone());
            let found = type_of(&FunctionTypes::default(), &variables, program);
            if found.as_ref() != Ok(ty) || has_reverse(program) {
                return Verdict::refuted(print_shortened(program), format!("{found:?}"), ty.to_string());
            }
            for point in &sample.points {
                let rho = environment_at(&sample, point);
                let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
                all = all.and(kleene_equal(
                    at,
                    run_known(&DefaultTraceHooks, &rho, term),
                    run_known(&DefaultTraceHooks, &rho, program),
                ));
            }
        }
    }
    all
}

/// Returns `true` if a reverse derivative occurs in the term.
fn has_reverse(term: &CoreTerm) -> bool {
    let mut found = matches!(term.kind(), CoreTermKind::Reverse { .. });
    term.kind().for_each_child(|part| found = found || crate::stack::with_stack(|| has_reverse(part)));
    found
}

/// The lengths of a tape at which repetitions become loops: at once, and late. A choice that covers both ways.
const TAPE_LENGTHS: [u32; 2] = [0, 9];

/// Tests that programs, their first and their second derivatives have the same values by tape as by the relations. The
/// transposed derivative by a sweep is compared as well. Recursions are not limited.
pub fn tape_is_accumulated(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let sample = draw_trace_sample(random);
    let [first, second] = two_derivatives(&sample);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = environment_at(&sample, point);
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let run = |term: &CoreTerm| run_known(rules, &rho, term);
        let (value, slope) = (run(&sample.term), run(&first));
        for longest in TAPE_LENGTHS {
            let tape = |term: &CoreTerm, ty: &CoreTy| {
                let parameters = vec![(sample.x.clone(), sample.ty.clone())];
                let program = CoreProgram::new(parameters, term.clone(), ty.clone());
                CompiledProgram::from_program(&program).map(|compiled| compiled.with_tape_limit(longest))
            };
            // the compiled program takes the real components of its argument, in order
            let at_point: Vec<KnownReal> = known_point(point).real_components().into_iter().cloned().collect();
            let by_tape = |term: &CoreTerm, ty: &CoreTy| {
                let found = tape(term, ty).and_then(|tape| tape.value_at(&NUMBERS, &step_budget(), &at_point));
                value_from_reals(ty, RunOutcome::from_result(found))
            };
            all = all.and(kleene_equal(at, value.clone(), by_tape(&sample.term, &sample.codomain)));
            all = all.and(kleene_equal(at, slope.clone(), by_tape(&first, &sample.ty)));
            all = all.and(kleene_equal(at, run(&second), by_tape(&second, &sample.ty)));
            // the sweep takes the cotangent as numbers; it is a closed term, so it has a value at every point
            let RunOutcome::Defined(w) = run(&sample.cotangent) else { continue };
            let w: Vec<KnownReal> = w.real_components().into_iter().cloned().collect();
            let swept = tape(&sample.term, &sample.codomain)
                .and_then(|tape| tape.pull_back_at(&NUMBERS, &step_budget(), &at_point, &w))
                .map(|[_, found]| found);
            all =
                all.and(kleene_equal(at, slope.clone(), value_from_reals(&sample.ty, RunOutcome::from_result(swept))));
        }
    }
    all
}

/// Returns the limit of steps of one run.
fn step_budget() -> Budget {
    Budget::new(MAX_STEPS, None, None)
}

/// Returns the numbers as a value of type `ty`. Too few numbers give the unit, which differs from any value of that
/// type.
fn value_from_reals(ty: &CoreTy, found: RunOutcome<Vec<KnownReal>>) -> RunOutcome<KnownPoint> {
    found.map(|reals| CoreValue::from_reals(ty, &mut reals.into_iter()).unwrap_or(CoreValue::Unit))
}

/// Tests that a printed range contains the point in its interior, and goes no farther than the exact range. Theorem 6.2
/// (2) speaks of an open set around the point. Ranges are drawn in all sizes, near the point on one side and far from
/// it on the other.
pub fn printed_box_holds_the_point(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let mut all = Verdict::Vacuous;
    for _ in 0..8 {
        let number = |random: &mut SplitMix64| {
            let digits = Rational::from(1 + random.next_below(999) as i64);
            let power = (0..random.next_below(30)).fold(Rational::from(1), |power, _| power * 10);
            if random.random_bool(50) { digits * power } else { digits / power }
        };
        let sign = if random.random_bool(50) { -1 } else { 1 };
        let least = if random.random_bool(20) { Rational::new() } else { number(&mut random) * sign };
        // an irrational point is known by two rational bounds
        let most = if random.random_bool(50) { least.clone() } else { &least + number(&mut random) / 1000 };
        let end =
            // one range in five is unbounded on a side
            |random: &mut SplitMix64, from: &Rational, up: i64| (!random.random_bool(20)).then(|| from + number(random) * up);
        let (lo, hi) = (end(&mut random, &least, -1), end(&mut random, &most, 1));
        all = all.and(check_printed_range(&ValidityInterval { lo, hi, point: [least, most] }, rules));
    }
    all
}

/// The number of points of a printed box at which a program is compared with its trace. A choice.
const BOX_POINTS: usize = 50;

/// Tests that a program is its trace on the box that is printed of it. The text of the box is read again.
pub fn printed_box_holds(mut random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let mut sample = draw_trace_sample(SplitMix64::new(random.next()));
    sample.term = approximant(&sample.term, UNFOLDING_LIMIT);
    let core = |parameters, term, ty: &CoreTy| CoreProgram::new(parameters, term, ty.clone());
    let program = core(vec![(sample.x.clone(), sample.ty.clone())], sample.term.clone(), &sample.codomain);
    // on a border there is no trace, so the first point that has one is taken
    let traced = sample.points.iter().find_map(|point| {
        let place = core(Vec::new(), small_steps::value_term(point), &sample.ty);
        let answer = trace_with_region(&TraceQuestion {
            program: &program,
            point: Some(&place),
            strategy: Strategy::default(),
            record: None,
            budget: &Budget::new(BOX_WORK, None, None),
        });
        let TraceAnswer { trace, validity_region, .. } = answer.ok()?;
        Some((point, trace, validity_region?))
    });
    let Some((point, trace, ranges)) = traced else { return Verdict::Vacuous };
    let mut all = Verdict::Vacuous;
    let printed: Vec<[String; 2]> = ranges.iter().map(|range| rules.printed_range(range)).collect();
    for _ in 0..BOX_POINTS {
        let mut reals = Vec::new();
        for ([lo, hi], at) in printed.iter().zip(point.real_components()) {
            // an unbounded side is tried up to a distance of 1000, a choice
            let far = |text: &str, up: i64| match text {
                "inf" | "-inf" => Ok(Rational::from(at + 1000 * up)),
                text => decimal::parse(text),
            };
            let (Ok(lo), Ok(hi)) = (far(lo, -1), far(hi, 1)) else {
                return Verdict::refuted(format!("{printed:?}"), "two ends", "others");
            };
            // ends and their neighbourhood are drawn as often as all of the rest
            let part = match random.next_below(4) {
                0 => Rational::from(random.next_below(2) as i64),
                1 => Rational::from((random.next_below(2) as i64 * 98 + 1, 100)),
                _ => Rational::from((random.next_below(101) as i64, 100)),
            };
            reals.push(Rational::from(&hi - &lo) * part + lo);
        }
        let Some(other) = CoreValue::from_reals(&sample.ty, &mut reals.into_iter()) else { return Verdict::Vacuous };
        let rho = environment_at(&sample, &other);
        let run = |term: &CoreTerm| run_known(&DefaultTraceHooks, &rho, term);
        let at = || format!("{other} in {printed:?} of {} at {point}", print_shortened(&sample.term));
        all = all.and(kleene_equal(at, run(&sample.term), run(&trace)));
    }
    all
}

/// The work units of the search for a box. A choice.
const BOX_WORK: u64 = 20_000;

/// Tests one printed range.
pub fn check_printed_range(range: &ValidityInterval, rules: &dyn TraceMutationHooks) -> Verdict {
    let [lo, hi] = rules.printed_range(range);
    let end = |text: &str| match text {
        "-inf" | "inf" => Ok(None),
        _ => decimal::parse(text).map(Some),
    };
    let (Ok(least), Ok(most)) = (end(&lo), end(&hi)) else {
        return Verdict::refuted(format!("{range:?}"), "two ends", format!("[{lo}, {hi}]"));
    };
    // printing rounds towards the point, but must not reach it
    let is_inside = |exact: &Option<Rational>, printed: &Option<Rational>, up: bool| match (exact, printed) {
        (None, None) => true,
        (Some(exact), Some(printed)) if up => printed <= exact && *printed > range.point[1],
        (Some(exact), Some(printed)) => printed >= exact && *printed < range.point[0],
        _ => false,
    };
    match is_inside(&range.lo, &least, false) && is_inside(&range.hi, &most, true) {
        true => Verdict::Survived,
        false => Verdict::refuted("a printed range", format!("{range:?}"), format!("[{lo}, {hi}]")),
    }
}
