//! The theorems of A on its operational semantics, tested on random programs over the rationals.
//!
//! Recursions are limited, so that a program without a value is recognised as such (A §6.2). A sample is vacuous if a
//! number or a run became too long. Each law is a function of the [rules](crate::trace::hooks), so that it can be
//! tested with wrong ones.
//!
//! | law | statement |
//! |---|---|
//! | `determinacy` | a program has one value, by big steps and by small steps, and one trace up to renaming (Prop. 3.4) |
//! | `interpolation` | `M ⇒ V` if and only if `M ⇝ C` and `C ⇒ V` (Prop. 3.5) |
//! | `subject_reduction` | values and traces have the type of the program (Props. 3.3, 3.6) |
//! | `unique_decomposition` | a term is a value or `E[R]`; R may be replaced by any term of its type (L3.1, L3.2) |
//! | `strategies_agree` | the literal derivative of a trace is the accumulated one |
//! | `tape_is_accumulated` | values and derivatives of order 1 and 2 by instructions and a tape are those of the relations |
//! | `source_is_accumulated` | programs with every derivative written out have the values of the relations (Props. 4.3, 4.4) |
//! | `reverse_is_transposed` | `W.R_V(x. C)` is Jᵗ W, and defined where C is (Thm 6.1); J by forward mode |
//! | `reverse_has_the_domain` | `W.R_V(x. C)` is defined where C is, for elementary functions |
//! | `reverse_captures_nothing` | the derivative does not depend on the names of bound variables |
//! | `trace_is_local` | near the point, the trace is the program (Thm 6.2 (2)) |
//! | `printed_box_holds_the_point` | a box on which a trace is valid contains the point in its interior, as printed (Thm 6.2 (2)) |
//! | `trace_is_linear` | the sizes of traces and derivatives are bounded by steps |
//! | `guards_turn` | `if a < b then M else N` is `if b < a then N else M` |
//! | `scope_is_static` | a program does not depend on the names of its functions |
//! | `limited_is_unrolled` | `letrecₙ` is n functions, each calling the next, the last undefined (Fig. 8) |
//! | `approximants_increase` | a value of `M⁽ⁿ⁾` is the value of `M⁽ⁿ⁺¹⁾` (L6.5, L6.6) |

pub mod boxes;
pub mod dual;
pub mod generate;
mod reverse;
mod small_steps;
mod source;
mod tape;
mod transform;

pub(super) use reverse::transposed_derivative;
pub use reverse::{
    reverse_captures_nothing, reverse_has_the_domain, reverse_is_transposed, strategies_agree,
    transposed_by_forward_mode,
};
pub use source::source_is_accumulated;
pub use tape::tape_is_accumulated;

use crate::number::Rational;
use crate::random::SplitMix64;
use crate::stack::with_stack;
use crate::trace::context::{Focus, decompose, plug_context};
use crate::trace::environment::{CoreEnvironment, FunctionEnvironment};
use crate::trace::error::TraceError;
use crate::trace::evaluation::{Strategy, TraceEvaluator};
use crate::trace::limited::approximant;
use crate::trace::number::{NumberSystem, Rationals};
use crate::trace::sugar;
use crate::trace::term::CoreTerm;
use crate::trace::ty::CoreTy;
use crate::trace::typing::{CoreVariableTypes, FunctionTypes, type_of, type_of_value};
use crate::trace::value::CoreValue;
use crate::verdict::Verdict;
use crate::wrong::{HookedNumbers, TraceMutationHooks};
use generate::{TraceSample, draw_sample};
use std::fmt::Debug;

/// A law, tested on the sample of a stream of random numbers.
pub type TraceLaw = fn(SplitMix64, &dyn TraceMutationHooks) -> Verdict;

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
    ("printed_box_holds_the_point", boxes::printed_box_holds_the_point),
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
/// Rational numbers of limited size, in bits. A choice.
const NUMBERS: Rationals = Rationals { max_bits: 2_000 };

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

/// Evaluates `ρ ⊢ M ⇒ V` over the rationals, with accumulated derivatives.
fn run_rational(
    rules: &dyn TraceMutationHooks,
    rho: &CoreEnvironment<Rational>,
    term: &CoreTerm,
) -> RunOutcome<CoreValue<Rational>> {
    run_ordinary(&NUMBERS, rules, Strategy::Accumulated, rho, term)
}

/// Evaluates `ρ ⊢ M ⇝ C`, and returns the trace C with its value.
pub fn run_symbolic(
    rules: &dyn TraceMutationHooks,
    rho: &CoreEnvironment<Rational>,
    term: &CoreTerm,
) -> RunOutcome<(CoreTerm, CoreValue<Rational>)> {
    let compared = HookedNumbers { numbers: &NUMBERS, hooks: rules };
    let evaluator = TraceEvaluator::new(&compared).with_hooks(rules).with_step_limit(MAX_STEPS);
    RunOutcome::from_result(evaluator.evaluate_symbolic(
        &FunctionEnvironment::default(),
        rho,
        &rules.program_to_run(term),
    ))
}

/// Returns the conjunction of the verdicts of `law` at the points of a random sample with limited recursions.
fn check_at_points(random: SplitMix64, law: impl Fn(&TraceSample, &CoreEnvironment<Rational>) -> Verdict) -> Verdict {
    let mut sample = draw_sample(random);
    sample.term = approximant(&sample.term, UNFOLDING_LIMIT);
    let verdicts = sample.points.iter().map(|point| {
        let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
        law(&sample, &rho)
            .with_witness(|| format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term)))
    });
    verdicts.fold(Verdict::Vacuous, Verdict::and)
}

/// Prints a term, cut after 600 characters.
pub(super) fn print_shortened(term: &CoreTerm) -> String {
    let text = term.to_string();
    if text.chars().count() > 600 { text.chars().take(600).chain(['…']).collect() } else { text }
}

/// Tests proposition 3.4. Recursions are unrolled first, as in Figure 8.
pub fn determinacy(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    let mut sample = draw_sample(random);
    // small steps keep definitions by name, so all functions need different names
    sample.term =
        with_stack(|| transform::separate_functions(&transform::unroll_recursions(&sample.term, UNROLLED_COPIES)));
    let alike = |term: &CoreTerm| with_stack(|| transform::rename_alike(term));
    let renamed = alike(&sample.term);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let small = small_steps::run_small_steps(&sample.term, &sample.x, point);
        all = all.and(kleene_equal(at, run_rational(rules, &rho, &sample.term), small));
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
            RunOutcome::Defined((trace, _)) => run_rational(rules, rho, trace),
            RunOutcome::Undefined => RunOutcome::Undefined,
            RunOutcome::Unknown => RunOutcome::Unknown,
        };
        let value = run_rational(rules, rho, &sample.term);
        let pair = traced.map(|(_, value)| value);
        kleene_equal(String::new, value.clone(), pair).and(kleene_equal(String::new, value, through))
    })
}

/// Tests propositions 3.3 and 3.6.
pub fn subject_reduction(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let gamma = CoreVariableTypes::default().with_entry(&sample.x, sample.ty.clone());
        let of = |term: &CoreTerm| type_of(&FunctionTypes::default(), &gamma, term).map_err(|e| e.to_string());
        let has = |found: RunOutcome<_>, ty: &CoreTy| match found {
            // an undefined run has no value whose type could be compared
            RunOutcome::Undefined => Verdict::Vacuous,
            found => kleene_equal(String::new, found, RunOutcome::Defined(Ok(ty.clone()))),
        };
        let traced = |term: &CoreTerm| run_symbolic(rules, rho, term).map(|(trace, _)| of(&trace));
        let value = run_rational(rules, rho, &sample.term).map(|value| Ok(type_of_value(&value)));
        let program = has(RunOutcome::Defined(of(&sample.term)), &sample.codomain);
        let reverse = has(traced(&reverse::transposed_derivative(sample, &sample.term)), &sample.ty);
        program.and(has(value, &sample.codomain)).and(has(traced(&sample.term), &sample.codomain)).and(reverse)
    })
}

/// Tests lemmas 3.1 and 3.2.
pub fn unique_decomposition(random: SplitMix64, _: &dyn TraceMutationHooks) -> Verdict {
    let sample = draw_sample(random);
    let gamma = CoreVariableTypes::default().with_entry(&sample.x, sample.ty.clone());
    let phi = FunctionTypes::default();
    let (context, found) = decompose(&sample.term);
    let (redex, is_value) = match found {
        Focus::Value(value) => (value, true),
        Focus::Redex(redex) => (redex, false),
        Focus::Boolean { .. } => return Verdict::Vacuous,
    };
    let text = |term: &CoreTerm| term.to_string();
    let again = text(&plug_context(&context, redex.clone()));
    let whole =
        kleene_equal(|| again.clone(), RunOutcome::Defined(again.clone()), RunOutcome::Defined(text(&sample.term)));
    let value = RunOutcome::Defined(sample.term.is_value());
    // lemma 3.2: any value of the type of the hole may replace what stands in it
    let hole = type_of(&phi, &gamma, &redex).map(|ty| plug_context(&context, sugar::zero_of_type(&ty)));
    let ty = hole.and_then(|term| type_of(&phi, &gamma, &term));
    let polymorphic =
        kleene_equal(|| again.clone(), RunOutcome::Defined(ty), RunOutcome::Defined(Ok(sample.codomain.clone())));
    whole.and(kleene_equal(String::new, value, RunOutcome::Defined(is_value))).and(polymorphic)
}

/// Tests theorem 6.2 (2).
pub fn trace_is_local(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let RunOutcome::Defined((trace, _)) = run_symbolic(rules, rho, &sample.term) else { return Verdict::Vacuous };
        let Some(point) = rho.get(&sample.x) else { return Verdict::Vacuous };
        let mut all = Verdict::Vacuous;
        for side in [-1, 1] {
            // a choice: far below the 2⁻⁴⁰ by which sample points lie off borders
            let near = point.map(&mut |x| x.clone() + (Rational::from(side) >> 300u32));
            let rho = CoreEnvironment::of_variable(&sample.x, near);
            all = all.and(kleene_equal(
                String::new,
                run_rational(rules, &rho, &trace),
                run_rational(rules, &rho, &sample.term),
            ));
        }
        all
    })
}

/// Tests that the size of a trace is bounded by its steps, and its accumulated derivative by its size.
pub fn trace_is_linear(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
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
    })
}

/// Tests that `if a < b then M else N` is `if b < a then N else M`.
pub fn guards_turn(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let turned = transform::turn_guards(&sample.term);
        kleene_equal(String::new, run_rational(rules, rho, &sample.term), run_rational(rules, rho, &turned))
    })
}

/// Tests that a program does not depend on the names of its functions.
pub fn scope_is_static(random: SplitMix64, rules: &dyn TraceMutationHooks) -> Verdict {
    check_at_points(random, |sample, rho| {
        let apart = transform::separate_functions(&sample.term);
        let run = |term: &CoreTerm| run_rational(rules, rho, term);
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
    let sample = draw_sample(random);
    let mut all = Verdict::Vacuous;
    for n in 0..4 {
        let limited = approximant(&sample.term, n);
        let unrolled = with_stack(|| transform::unroll_recursions(&transform::separate_functions(&sample.term), n));
        for point in &sample.points {
            let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
            let run = |term: &CoreTerm| run_rational(rules, &rho, term);
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
    let sample = draw_sample(random);
    let mut all = Verdict::Vacuous;
    for point in &sample.points {
        let rho = CoreEnvironment::of_variable(&sample.x, point.clone());
        let at = || format!("{} = {point} in {}", sample.x.name(), print_shortened(&sample.term));
        let run = |term: &CoreTerm| run_rational(rules, &rho, term);
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
