//! The theorems of W on programs in pieces, tested on random programs, with half of their points on borders.
//!
//! The programs are also evaluated by the [oracle](crate::law::generate::oracle), which shares nothing with the model.
//! Where exact regions and composites are needed, they are rational.
//! Each law is a function of the [rules](crate::meaning::pap), so that it can be tested with wrong ones.
//!
//! | law | statement | W |
//! |---|---|---|
//! | `derivative_of_the_path` | value and derivative at a point are those of the path that the primal point selects | W18, W20 |
//! | `pieces_are_the_program` | a point lies on one piece, with the value and the derivative of the program there, or none | W2, W17 |
//! | `lengths_sum_up` | pieces and frontier together are as long as the interval | W2 |
//! | `composites_are_preimages` | unfolding a composite is composing the unfolded pieces | W5, W12 |
//! | `derivatives_are_intensional` | the pieces of `deriv f` are an intensional derivative of f | W6 |
//! | `claims_compose` | dg(f x) · df x is an intensional derivative of g ∘ f, for any values of df and dg on borders | W7 |
//! | `fuel_says_nothing` | a value after more unfoldings was not undefined after fewer, and values do not change | W11, W19 |
//! | `almost_everywhere` | where a partial map has a derivative, it is the same | W21 |
//! | `meanings_agree` | off borders partial maps, presheaves and doubles have the same numbers; on them partial maps have none | X1, X2, X3 |
//! | `borders_without_a_seam` | where the pieces beside a border are one function, partial maps have no value on it, and pieces have | X3 |
//! | `cells_are_the_program`, `volumes_sum_up`, `samples_lie_alone`, `composites_in_the_plane` | the same in [two variables](plane) | W2, W5, W12 |
//!
//! # Comparison of the semantics on programs in pieces
//!
//! Comparison of the semantics on programs in pieces (X1–X3), and counts over many programs.

pub mod plane;

use crate::law::generate::oracle::{KnownReal, NoValue};
use crate::law::generate::program::{
    DrawnProgram, TypedProgram, draw_pieces_sample, draw_rational_pieces_sample, draw_removable_border,
};
use crate::law::property::{LawSuite, SampleSettings, suite_of_table};
use crate::meaning::float::FloatSemantics;
use crate::meaning::pap::point::PointRequest;
use crate::meaning::pap::replay::{ExplorationOptions, ExploredPieces};
use crate::meaning::partial::{PartialUniverse, PartialValue};
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer::{AnswerNumber, ProgramAnswer, Semantics, SemanticsError, UndefinedCause};
use crate::model::universe::EvaluatorModel;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Exact, Mpfr, Rational};
use crate::pieces::intensional::{IntensionalDerivative, PointSet, check_intensional, partial_derivatives};
use crate::pieces::{GuardCondition, IntervalUnion, PieceValue, PiecewiseMap, SignGuard, SignTest};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::syntax::library::Library;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{SourceId, Value, ValueError};
use crate::verdict::Verdict;
use crate::wrong::RuleSet;
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// A law, tested on the sample of a stream of random numbers.
pub type PiecesLaw = fn(SplitMix64, &RuleSet) -> Verdict;

/// All laws, with their names.
pub const LAWS: &[(&str, PiecesLaw)] = &[
    ("derivative_of_the_path", derivative_of_the_path),
    ("pieces_are_the_program", pieces_are_the_program),
    ("lengths_sum_up", lengths_sum_up),
    ("composites_are_preimages", composites_are_preimages),
    ("derivatives_are_intensional", derivatives_are_intensional),
    ("claims_compose", claims_compose),
    ("fuel_says_nothing", fuel_says_nothing),
    ("almost_everywhere", almost_everywhere),
    ("meanings_agree", meanings_agree),
    ("borders_without_a_seam", borders_without_a_seam),
    ("cells_are_the_program", plane::cells_are_the_program),
    ("volumes_sum_up", plane::volumes_sum_up),
    ("samples_lie_alone", plane::samples_lie_alone),
    ("composites_in_the_plane", plane::composites_in_the_plane),
];

/// Returns [`LAWS`] as a suite for quickcheck, with rules that may be wrong.
pub fn pieces_suite(rules: &RuleSet, samples: &SampleSettings) -> LawSuite<Infallible> {
    let rules = rules.clone();
    suite_of_table(LAWS, samples, move |law: PiecesLaw, random| law(random, &rules))
}

/// Half the length of the interval [−4, 4] on which programs are unfolded. A choice: it contains all points of samples.
const UNFOLDING_RADIUS: i64 = 4;

/// Infers a program. Returns `None` if it is ill-typed.
fn infer_term(text: &str) -> Option<Term> {
    Library::new().infer_expression(text).ok().map(|(term, _)| term)
}

/// Returns the work limit of one evaluation. A choice.
fn work_budget() -> Arc<Budget> {
    Arc::new(Budget::new(400_000, None, None))
}

/// Returns the tolerance of answers. A choice: the exact values are known, so a tight one costs little.
fn law_tolerance() -> Rational {
    Rational::from((1, 1_000_000_000))
}

/// Evaluates a closed program in the model of programs in pieces.
fn ask_pieces(rules: &RuleSet, unfoldings: Option<u64>, term: &Term) -> Result<ProgramAnswer, SemanticsError> {
    PointRequest {
        term,
        primitives: &[],
        unfolding_limit: unfoldings,
        hooks: rules.pieces_hooks(),
        to: &law_tolerance().into(),
        budget: &work_budget(),
    }
    .evaluate()
}

/// Returns the enclosure of an answer. Returns `None` for other values.
fn enclosure_of(answer: &ProgramAnswer) -> Option<&Enclosure> {
    match &answer.value {
        Value::Real(AnswerNumber::Enclosure(found)) => Some(&found.enclosure),
        _ => None,
    }
}

/// Unfolds a program of one real variable to its pieces, `limit` of them at most. Returns `None` if that fails.
fn unfold_program(rules: &RuleSet, limit: usize, text: &str) -> Option<ExploredPieces> {
    let unfolding = ExplorationOptions {
        hooks: rules.pieces_hooks(),
        unfolding_limit: None,
        limit,
        max_steps: 5_000,
        budget: work_budget(),
    };
    unfolding
        .explore_interval(&infer_term(text)?, &Rational::from(-UNFOLDING_RADIUS), &Rational::from(UNFOLDING_RADIUS))
        .ok()
}

/// Explores a random program on [−4, 4], with the right rules and up to 8 pieces. Returns `None` if that fails.
pub(crate) fn explore_pieces(program: &TypedProgram) -> Option<PiecewiseMap> {
    let rules = RuleSet::default();
    unfold_program(&rules, 8, &program.to_string()).map(|explored| explored.pap)
}

/// Returns `true` if an enclosure contains a number, or if that number is not rational and this is not refuted.
fn contains_known(found: &Enclosure, known: &KnownReal) -> bool {
    known.rational().map_or_else(|| found.overlaps(&known.enclosure()), |q| found.contains(q))
}

/// Prints what the oracle knows of a number.
fn print_known(known: &Result<KnownReal, NoValue>) -> String {
    match known {
        Ok(known) => known.rational().map_or_else(|| known.enclosure().to_string(), Rational::to_string),
        Err(NoValue::Undefined) => "no value".to_owned(),
        Err(NoValue::Unknown) => "not known".to_owned(),
    }
}

/// Compares an answer with what the oracle knows.
fn judge_answer(
    at: &dyn Fn() -> String,
    expected: &Result<KnownReal, NoValue>,
    found: Result<ProgramAnswer, SemanticsError>,
) -> Verdict {
    match (expected, found) {
        (Err(NoValue::Unknown), _) => Verdict::Vacuous,
        (Ok(q), Ok(answer)) => match enclosure_of(&answer) {
            Some(found)
                if contains_known(found, q) && found.is_defined() && found.has_width_at_most(&law_tolerance()) =>
            {
                Verdict::Survived
            }
            found => Verdict::refuted(at(), print_known(expected), format!("{found:?}")),
        },
        // undefined by its domain is the right answer; undefined by lack of fuel or of precision claims nothing
        (Err(NoValue::Undefined), Err(SemanticsError::Undefined(found))) if found.cause == UndefinedCause::Domain => {
            Verdict::Survived
        }
        (_, Err(SemanticsError::Undefined(found)))
            if matches!(found.cause, UndefinedCause::Fuel | UndefinedCause::Undecided) =>
        {
            Verdict::Vacuous
        }
        (_, found) => Verdict::refuted(at(), print_known(expected), format!("{:?}", found.map(|answer| answer.value))),
    }
}

/// Tests W18 and W20: value and derivative at a point are those of the path of the primal point.
fn derivative_of_the_path(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let DrawnProgram { program, points } = draw_pieces_sample(random);
    let mut all = Verdict::Vacuous;
    for point in points.iter().flatten() {
        let known = program.value_and_slope(point);
        let part = |index: usize| known.clone().map(|[value, slope]| if index == 0 { value } else { slope });
        for (text, expected) in
            [(format!("({program}) ({point})"), part(0)), (format!("deriv ({program}) ({point})"), part(1))]
        {
            let Some(term) = infer_term(&text) else { return Verdict::refuted(text, "a program", "none") };
            all = all.and(judge_answer(&|| text.clone(), &expected, ask_pieces(rules, None, &term)));
        }
    }
    all
}

/// Compares the pieces of a program at a point with the exact value and derivative of the program.
fn check_on_pieces(
    pap: &PiecewiseMap,
    point: &Rational,
    expected: &Result<[KnownReal; 2], NoValue>,
    at: &dyn Fn() -> String,
) -> Verdict {
    let point = std::slice::from_ref(point);
    let budget = work_budget();
    let (pieces, decided) = pap.pieces_at(point, &budget);
    // a point in the frontier lies on no piece yet
    let in_frontier = pap
        .frontier
        .iter()
        .filter_map(|part| part.region.as_ref())
        .any(|region| region.0.iter().any(|stretch| stretch.left.lo <= point[0] && point[0] <= stretch.right.hi));
    let piece = match &pieces[..] {
        [piece] => piece,
        [] if in_frontier || !decided => return Verdict::Vacuous,
        several => return Verdict::refuted(at(), "1 piece", format!("{} pieces", several.len())),
    };
    let bindings = [(pap.variables[0], Graph::rational(point[0].clone()))];
    match (&piece.outcome, expected) {
        (_, Err(NoValue::Unknown)) => Verdict::Vacuous,
        (PieceValue::Undefined(_), Err(NoValue::Undefined)) => Verdict::Survived,
        (PieceValue::Values(values), Ok(known)) if values.len() == 1 => {
            let value = &values[0];
            let slope = partial_derivatives(&pap.variables, value).swap_remove(0);
            let mut all = Verdict::Survived;
            for (graph, q) in [value, &slope].into_iter().zip(known) {
                let found = graph.substitute(&bindings).to_real().map(|real| real.enclose(&law_tolerance(), &budget));
                // the number could not be computed within the budget: no claim
                let Ok(Ok(found)) = found else { return Verdict::Vacuous };
                if !(found.enclosure.is_defined()
                    && contains_known(&found.enclosure, q)
                    && found.enclosure.has_width_at_most(&law_tolerance()))
                {
                    all = Verdict::refuted(at(), print_known(&Ok(q.clone())), format!("{}", found.enclosure));
                }
            }
            all
        }
        (outcome, expected) => Verdict::refuted(at(), format!("{expected:?}"), format!("{outcome:?}")),
    }
}

/// Tests that the reciprocal of a program, less its value at a point, lies on no piece with a value there. Drawn programs that divide by 0
/// at one of their points are rare, so that this one is made.
fn check_pole(rules: &RuleSet, program: &TypedProgram, point: &Rational) -> Verdict {
    let value = match program.value_and_slope(point) {
        Ok([value, _]) => value.rational().cloned(),
        Err(_) => None,
    };
    let Some(value) = value else { return Verdict::Vacuous };
    let text = format!("\\x => 1 / (({program}) x - ({value}))");
    let Some(found) = unfold_program(rules, 40, &text) else { return Verdict::Vacuous };
    check_on_pieces(&found.pap, point, &Err(NoValue::Undefined), &|| format!("x = {point} in {text}"))
}

/// The percentage of programs of which a pole is made. A choice: unfolding it takes as long as unfolding the program.
const PERCENT_OF_POLES: usize = 30;

/// Tests W2 and W17: a point lies on one piece, which has the value and the derivative of the program there.
fn pieces_are_the_program(random: SplitMix64, rules: &RuleSet) -> Verdict {
    // a stream beside that of the program
    let has_pole = SplitMix64::new(random.clone().next()).random_bool(PERCENT_OF_POLES);
    let DrawnProgram { program, points } = draw_pieces_sample(random);
    let Some(found) = unfold_program(rules, 40, &program.to_string()) else { return Verdict::Vacuous };
    let mut all = Verdict::Vacuous;
    for point in points.iter().flatten() {
        all = all.and(check_on_pieces(&found.pap, point, &program.value_and_slope(point), &|| {
            format!("x = {point} in {program}")
        }));
    }
    match points.iter().flatten().next().filter(|_| has_pole) {
        Some(point) => all.and(check_pole(rules, &program, point)),
        None => all,
    }
}

/// Tests W2: the lengths of pieces and frontier add up to that of the interval.
fn lengths_sum_up(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    // a low limit of pieces, so that the frontier is often not empty
    let limit = 1 + random.next_below(5);
    let DrawnProgram { program, .. } = draw_rational_pieces_sample(random);
    let Some(found) = unfold_program(rules, limit, &program.to_string()) else { return Verdict::Vacuous };
    let (pieces, rest) = (&found.pap.pieces, &found.pap.frontier);
    let regions = pieces.iter().map(|piece| &piece.region).chain(rest.iter().map(|part| &part.region));
    let lengths = regions.flatten().map(IntervalUnion::length_bounds);
    // ends are algebraic numbers known by rational bounds, so the sum is known by two bounds as well
    let [least, most] = lengths.fold([Rational::new(), Rational::new()], |[a, b], [c, d]| [a + c, b + d]);
    let whole = Rational::from(2 * UNFOLDING_RADIUS);
    match least <= whole && whole <= most {
        true => Verdict::Survived,
        false => Verdict::refuted(&program, &whole, format!("[{least}, {most}]")),
    }
}

/// The greatest degree of the guards of a composite. A choice: the roots of others take seconds.
const MOST_COMPOSED_DEGREE: usize = 12;

/// The greatest number of conditions that are pulled back along pieces. A choice: more take seconds.
const MOST_PULLED_BACK: usize = 200;

/// Returns the greatest degree of some rational maps of a variable; that of others is without a bound.
fn greatest_degree<'a>(maps: impl Iterator<Item = &'a Graph>, v: Variable) -> usize {
    let mut forms = RationalNormalForm::default();
    let degree = |map: &Graph| {
        forms.as_quotient(map, v).map_or(usize::MAX, |parts| parts.map(|p| p.degree()).into_iter().max().unwrap_or(0))
    };
    maps.map(degree).max().unwrap_or(0)
}

/// The greatest degree of the guards of a program and of its derivative, as their forms bound it. A choice: normal forms of others take
/// minutes.
const MOST_WRITTEN_DEGREE: u64 = 48;

/// Bounds the degrees of numerator and denominator of a map by its form, without a normal form. Other functions count as variables.
fn written_degrees(graph: &Graph, known: &mut HashMap<usize, [u64; 2]>) -> [u64; 2] {
    if let Some(found) = known.get(&graph.address()) {
        return *found;
    }
    let mut of = |part: &Graph| crate::stack::with_stack(|| written_degrees(part, known));
    let found = match graph.operation() {
        NodeOperation::Variable(_) => [1, 0],
        NodeOperation::Unary(Unary::Negate, a) => of(a),
        NodeOperation::Power(a, e) if e.denominator == 1 => {
            let [over, under] = of(a).map(|degree| degree.saturating_mul(e.numerator.unsigned_abs()));
            if e.numerator < 0 { [under, over] } else { [over, under] }
        }
        NodeOperation::Binary(operation, a, b) => {
            let ([a, c], [b, d]) = (of(a), of(b));
            let sum = |x: u64, y: u64| x.saturating_add(y);
            match operation {
                Binary::Multiply => [sum(a, b), sum(c, d)],
                Binary::Divide => [sum(a, d), sum(c, b)],
                _ => [sum(a, d).max(sum(b, c)), sum(c, d)],
            }
        }
        _ => [u64::from(graph.as_rational().is_none()), 0],
    };
    known.insert(graph.address(), found);
    found
}

/// Returns `true` if the guards of some maps in pieces have normal forms of moderate size.
fn has_short_guards<'p>(maps: impl IntoIterator<Item = &'p PiecewiseMap>) -> bool {
    let mut known = HashMap::new();
    let guards = maps.into_iter().flat_map(|map| &map.pieces).flat_map(|piece| &piece.guards);
    guards
        .into_iter()
        .all(|guard| written_degrees(&guard.guard.graph, &mut known).iter().sum::<u64>() <= MOST_WRITTEN_DEGREE)
}

/// Returns `true` if the composite of two rational maps in pieces takes no long time: by its degrees and its conditions.
fn is_composed_quickly(inner: &PiecewiseMap, outer: &PiecewiseMap) -> bool {
    let values = inner.pieces.iter().filter_map(|piece| piece.outcome.as_number());
    let guards = outer.pieces.iter().flat_map(|piece| piece.guards.iter().map(|guard| &guard.guard.graph));
    let degree =
        greatest_degree(values, inner.variables[0]).saturating_mul(greatest_degree(guards, outer.variables[0]));
    let of_pieces = outer.pieces.iter().map(|piece| piece.guards.len());
    let conditions: usize = of_pieces.chain(outer.frontier.iter().map(|part| part.guards.len())).sum();
    let pulled_back = inner.pieces.len().saturating_mul(conditions);
    degree <= MOST_COMPOSED_DEGREE && pulled_back <= MOST_PULLED_BACK
}

/// Tests W5 and W12: composing unfolded pieces is unfolding the composite.
fn composites_are_preimages(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    let (seed, other) = (random.next(), random.next());
    let (first, second) =
        (draw_rational_pieces_sample(SplitMix64::new(seed)), draw_rational_pieces_sample(SplitMix64::new(other)));
    let (f, g) = (&first.program, &second.program);
    let (Some(inner), Some(outer)) =
        (unfold_program(rules, 6, &f.to_string()), unfold_program(rules, 6, &g.to_string()))
    else {
        return Verdict::Vacuous;
    };
    if !is_composed_quickly(&inner.pap, &outer.pap) {
        return Verdict::Vacuous;
    }
    let finest = Rational::from(1) >> 40;
    let Some(pap) = rules.pieces.compose_pieces(&inner.pap, &outer.pap, &finest, &work_budget()) else {
        return Verdict::Vacuous;
    };
    let mut all = Verdict::Vacuous;
    for point in first.points.iter().flatten() {
        let between = f.value_and_slope(point);
        // the second program is unfolded on the interval only, so a value outside of it lies on no piece
        let is_outside = |[y, _]: &[KnownReal; 2]| y.rational().is_none_or(|y| y.clone().abs() > UNFOLDING_RADIUS);
        if between.as_ref().is_ok_and(is_outside) {
            continue;
        }
        let expected = between.and_then(|[y, slope]| {
            let [value, outer] = g.value_and_slope(y.rational().ok_or(NoValue::Unknown)?)?;
            Ok([value, outer.times(&slope)?])
        });
        let at = || format!("x = {point} in ({g}) after ({f})");
        all = all.and(check_on_pieces(&pap, point, &expected, &at));
    }
    all
}

/// Tests W6: the pieces of `deriv f`, found by running `deriv` and not from the pieces of f, are an intensional
/// derivative of f.
fn derivatives_are_intensional(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    let seed = random.next();
    let DrawnProgram { program, .. } = draw_rational_pieces_sample(SplitMix64::new(seed));
    let derivative = format!("\\x => deriv ({program}) x");
    let (Some(of_program), Some(of_derivative)) =
        (unfold_program(rules, 20, &program.to_string()), unfold_program(rules, 20, &derivative))
    else {
        return Verdict::Vacuous;
    };
    let (f, df) = (&of_program.pap, &of_derivative.pap);
    if !has_short_guards([f, df]) {
        return Verdict::Vacuous;
    }
    let (x, mut parts) = (Graph::variable(f.variables[0]), Vec::new());
    for piece in &df.pieces {
        let Some(slope) = piece.outcome.as_number() else { continue };
        let at = [(df.variables[0], x.clone())];
        let guards = substitute_in_guards(&piece.guards, &at);
        for (further, claimed) in rules.pieces.claimed_slopes(slope.substitute(&at), &x) {
            parts.push((PointSet::Guards([&further[..], &guards].concat()), vec![claimed]));
        }
    }
    let claim = IntensionalDerivative(parts);
    // the claim is checked against the pieces of f itself, over the same interval
    check_intensional(f, &claim, UNFOLDING_RADIUS as u32, &mut random, &work_budget())
        .with_witness(|| program.to_string())
}

/// Substitutes graphs for the variables of guards.
fn substitute_in_guards(guards: &[GuardCondition], bindings: &[(Variable, Graph)]) -> Vec<GuardCondition> {
    guards
        .iter()
        .map(|decided| GuardCondition { guard: decided.guard.preimage_under(bindings), ..decided.clone() })
        .collect()
}

/// A part of an analytic set: the decided guards that cut it out, the map on it, and the slope claimed for it.
type ClaimedPart = (Vec<GuardCondition>, Graph, Graph);

/// Returns the pieces of a function with their slopes. Before each piece stand single points of it, with an arbitrary
/// slope.
fn claim_parts(random: &mut SplitMix64, f: &PiecewiseMap, points: &[Rational]) -> Vec<ClaimedPart> {
    let x = Graph::variable(f.variables[0]);
    let mut parts = Vec::new();
    for piece in &f.pieces {
        let Some(value) = piece.outcome.as_number() else { continue };
        for point in points {
            let guard =
                SignGuard::of_difference(&x, &Graph::rational(point.clone()), SignTest::Zero, SourceId::NOWHERE);
            let at = GuardCondition { guard, holds: true, is_condition: false };
            // an intensional derivative may have any value on a set of measure 0, so a random integer is claimed there
            let number = Graph::integer(random.next_below(19) as i64 - 9);
            parts.push(([&[at], &piece.guards[..]].concat(), value.clone(), number));
        }
        parts.push((piece.guards.clone(), value.clone(), partial_derivatives(&f.variables, value).swap_remove(0)));
    }
    parts
}

/// Tests W7: dg(f x) · df x is an intensional derivative of g ∘ f.
pub fn claims_compose(mut random: SplitMix64, rules: &RuleSet) -> Verdict {
    let (seed, other) = (random.next(), random.next());
    let (first, second) =
        (draw_rational_pieces_sample(SplitMix64::new(seed)), draw_rational_pieces_sample(SplitMix64::new(other)));
    let (f, g) = (&first.program, &second.program);
    let (Some(inner), Some(outer)) =
        (unfold_program(rules, 8, &f.to_string()), unfold_program(rules, 8, &g.to_string()))
    else {
        return Verdict::Vacuous;
    };
    if !is_composed_quickly(&inner.pap, &outer.pap) {
        return Verdict::Vacuous;
    }
    let Some(composite) = inner.pap.then(&outer.pap, &(Rational::from(1) >> 40), &work_budget()) else {
        return Verdict::Vacuous;
    };
    let [of_f, of_g] = [(&inner.pap, &first), (&outer.pap, &second)]
        .map(|(pap, sample)| claim_parts(&mut random, pap, &sample.points[0]));
    let (x, y) = (inner.pap.variables[0], outer.pap.variables[0]);
    let mut parts = Vec::new();
    for (guards, value, slope) in &of_f {
        // the composite part is where x lies in the part of f, and f x in the part of g
        for (further, _, of_outer) in &of_g {
            let at = [(y, value.clone())];
            let outer_slope = |place: &Graph| of_outer.substitute(&[(y, place.clone())]);
            let slope = rules.pieces.composite_slope(&outer_slope, [value, &Graph::variable(x), slope]);
            let here = [(x, Graph::variable(composite.variables[0]))];
            let guards = substitute_in_guards(&[&guards[..], &substitute_in_guards(further, &at)].concat(), &here);
            parts.push((PointSet::Guards(guards), vec![slope.substitute(&here)]));
        }
    }
    check_intensional(&composite, &IntensionalDerivative(parts), UNFOLDING_RADIUS as u32, &mut random, &work_budget())
        .with_witness(|| format!("({g}) after ({f})"))
}

/// Returns the contents of the sample that the laws draw from `random`.
#[must_use]
pub fn sample_contents(random: SplitMix64) -> Vec<&'static str> {
    let sample = draw_pieces_sample(random);
    let features = sample.program.features();
    let has = [
        (features.guard, "a border"),
        (features.recursion, "a recursion"),
        (sample.points.iter().any(|x| sample.program.observe(x).moves()), "a derivative that is not 0"),
    ];
    has.into_iter().filter(|(has, _)| *has).map(|(_, what)| what).collect()
}

/// Tests W11 and W19: lack of fuel makes no claim, and a value stays the same after more unfoldings.
fn fuel_says_nothing(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let DrawnProgram { program, points } = draw_pieces_sample(random);
    let mut all = Verdict::Vacuous;
    for point in points.iter().flatten() {
        let text = format!("({program}) ({point})");
        let Some(term) = infer_term(&text) else { return Verdict::Vacuous };
        let run = |n: u64| match ask_pieces(rules, Some(n), &term) {
            Ok(answer) => Some(enclosure_of(&answer).cloned()),
            Err(SemanticsError::Undefined(found)) if found.cause == UndefinedCause::Domain => Some(None),
            Err(_) => None,
            // without a claim the run is left out of the comparison
        };
        let runs: Vec<_> = [0, 1, 3, 12].into_iter().filter_map(run).collect();
        for pair in runs.windows(2) {
            all = all.and(match (&pair[0], &pair[1]) {
                (None, None) => Verdict::Survived,
                (Some(less), Some(more)) if less.overlaps(more) => Verdict::Survived,
                (less, more) => Verdict::refuted(&text, format!("{less:?}"), format!("{more:?}")),
            });
        }
    }
    all
}

/// Tests W21: where a partial map has a derivative, the derivative by pieces is the same.
fn almost_everywhere(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let DrawnProgram { program, points } = draw_pieces_sample(random);
    let mut all = Verdict::Vacuous;
    for point in points.iter().flatten() {
        let text = format!("deriv ({program}) ({point})");
        let Some(term) = infer_term(&text) else { return Verdict::Vacuous };
        let SemanticsAnswer::Enclosure(smooth) = ask_partial_maps(rules, &term) else { continue };
        all = all.and(match ask_pieces(rules, None, &term) {
            Ok(found) if enclosure_of(&found).is_some_and(|found| found.overlaps(&smooth)) => Verdict::Survived,
            found => Verdict::refuted(&text, smooth, format!("{:?}", found.map(|answer| answer.value))),
        });
    }
    all
}

/// The answer of a semantics to a question about a number.
enum SemanticsAnswer {
    /// An enclosure of a number that certainly exists.
    Enclosure(Enclosure),
    /// A floating-point number with its estimated error.
    Float(f64, f64),
    /// The number certainly does not exist.
    Undefined,
    /// No information.
    Unknown,
}

/// Evaluates a closed real program in a semantics.
fn ask_semantics(meaning: &dyn Semantics, term: &Term) -> SemanticsAnswer {
    match meaning.evaluate(term, &Ty::real(), &law_tolerance(), &work_budget()).map(|answer| answer.value) {
        Ok(Value::Real(AnswerNumber::Enclosure(found))) if found.enclosure.is_defined() => {
            SemanticsAnswer::Enclosure(found.enclosure)
        }
        Ok(Value::Real(AnswerNumber::Float { value, error })) if value.is_finite() => {
            SemanticsAnswer::Float(value, error)
        }
        Err(SemanticsError::Undefined(found)) if found.cause == UndefinedCause::Domain => SemanticsAnswer::Undefined,
        _ => SemanticsAnswer::Unknown,
    }
}

/// The precisions at which partial maps are evaluated if their numbers are not rational. A choice.
const PARTIAL_BITS: [u32; 2] = [128, 512];

/// Evaluates a closed real program as a partial map, over the rationals if all of its operations have values there.
fn ask_partial_maps(rules: &RuleSet, term: &Term) -> SemanticsAnswer {
    match run_partial_map(rules, Exact { bits: 2_000 }, term) {
        SemanticsAnswer::Unknown => {}
        found => return found,
    }
    for bits in PARTIAL_BITS {
        match run_partial_map(rules, Mpfr::new(bits), term) {
            SemanticsAnswer::Enclosure(found) if !found.has_width_at_most(&law_tolerance()) => {}
            SemanticsAnswer::Unknown => {}
            found => return found,
        }
    }
    SemanticsAnswer::Unknown
}

/// Evaluates a closed real program as a partial map in one arithmetic.
fn run_partial_map<C: Context>(rules: &RuleSet, context: C, term: &Term) -> SemanticsAnswer {
    let universe = PartialUniverse::new(context.clone(), work_budget()).with_hooks(rules.partial_hooks());
    let found: Result<PartialValue<C>, _> = EvaluatorModel::new(universe).evaluate_closed(term);
    match found {
        Ok(Value::Real(x)) => match context.to_enclosure(&x.value_in(&context)) {
            found if found.is_defined() && found.is_bounded() => SemanticsAnswer::Enclosure(found),
            _ => SemanticsAnswer::Unknown,
        },
        Err(SemanticsError::Run(ValueError::Undefined(found))) if found.certain => SemanticsAnswer::Undefined,
        _ => SemanticsAnswer::Unknown,
    }
}

/// A question about a program at a point: its value, or its derivative.
struct PointQuestion<'p> {
    program: &'p TypedProgram,
    point: &'p Rational,
    is_slope: bool,
}

impl PointQuestion<'_> {
    /// Returns the text of the closed program that answers the question.
    fn program_text(&self) -> String {
        let word = if self.is_slope { "deriv " } else { "" };
        format!("{word}({}) ({})", self.program, self.point)
    }

    /// Returns the answer of the oracle.
    fn known_answer(&self) -> Result<KnownReal, NoValue> {
        self.program.value_and_slope(self.point).map(|[value, slope]| if self.is_slope { slope } else { value })
    }

    /// Compares all semantics. Off borders they have one number. On borders partial maps have none, and the derivative
    /// of presheaves is a set, which need not contain that of the piece.
    fn check_semantics(&self, rules: &RuleSet) -> Verdict {
        let text = self.program_text();
        let Some(term) = infer_term(&text) else { return Verdict::refuted(text, "a program", "none") };
        let known = self.known_answer();
        let touches = self.program.observe(std::slice::from_ref(self.point)).touches;
        let mut all = judge_answer(&|| text.clone(), &known, ask_pieces(rules, None, &term));
        // without a known answer the others claim nothing
        if known == Err(NoValue::Unknown) {
            return all;
        }
        let said = |who: &str| format!("{who}: {text}");
        let inside = |who: &str, found: &Enclosure| match &known {
            Ok(q) if contains_known(found, q) => Verdict::Survived,
            known => Verdict::refuted(said(who), found, print_known(known)),
        };
        // X3: partial maps are defined off borders only, and agree there
        all = all.and(match (ask_partial_maps(rules, &term), &known) {
            (SemanticsAnswer::Enclosure(found), _) if touches => {
                Verdict::refuted(said("partial, on a border"), found, "no value")
            }
            (SemanticsAnswer::Enclosure(found), _) => inside("partial", &found),
            (SemanticsAnswer::Undefined, Ok(_)) if !touches => {
                Verdict::refuted(said("partial"), "no value", print_known(&known))
            }
            _ => Verdict::Vacuous,
        });
        all = all.and(match ask_semantics(&PresheafSemantics, &term) {
            // on a border the derivative of presheaves is a set that need not contain that of the piece (X2)
            SemanticsAnswer::Enclosure(found) if !(touches && self.is_slope) => inside("presheaf", &found),
            _ => Verdict::Vacuous,
        });
        all.and(match (ask_semantics(&FloatSemantics, &term), &known) {
            (SemanticsAnswer::Float(value, error), Ok(q)) if !touches => {
                // a choice: 16 estimated errors, and a little for an estimate that is 0 by chance
                let (q, slack) = (q.enclosure().lo().to_f64(), 16.0 * error + 1e-6);
                match (value - q).abs() <= slack + 1e-6 * q.abs() {
                    true => Verdict::Survived,
                    false => Verdict::refuted(said("float"), value, q),
                }
            }
            _ => Verdict::Vacuous,
        })
    }

    /// Returns `true` if presheaves have a proper set of values that contains the number of the piece.
    fn is_in_a_set(&self) -> bool {
        let found = infer_term(&self.program_text()).map(|term| ask_semantics(&PresheafSemantics, &term));
        match (found, self.known_answer()) {
            (Some(SemanticsAnswer::Enclosure(found)), Ok(q)) => {
                contains_known(&found, &q) && !found.has_width_at_most(&law_tolerance())
            }
            _ => false,
        }
    }
}

/// Tests X1 to X3.
fn meanings_agree(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let DrawnProgram { program, points } = draw_pieces_sample(random);
    let mut all = Verdict::Vacuous;
    for point in points.iter().flatten() {
        for is_slope in [false, true] {
            all = all.and(PointQuestion { program: &program, point, is_slope }.check_semantics(rules));
        }
    }
    all
}

/// Tests X3, and that its converse fails. On a border at which nothing changes partial maps have no value, and the
/// piece has the slope of the function. Beside the border both have that slope.
fn borders_without_a_seam(random: SplitMix64, rules: &RuleSet) -> Verdict {
    let (program, smooth, border) = draw_removable_border(random);
    let step = Rational::from((1, 1000));
    let mut all = Verdict::Vacuous;
    for (point, is_border) in
        [(border.clone(), true), (Rational::from(&border - &step), false), (Rational::from(&border + &step), false)]
    {
        let text = format!("deriv ({program}) ({point})");
        let Some(term) = infer_term(&text) else { return Verdict::refuted(text, "a program", "none") };
        // elsewhere than at borders the function may have no value, or none that is known
        let Ok([_, slope]) = smooth.value_and_slope(&point) else { continue };
        let told = print_known(&Ok(slope.clone()));
        all = all.and(judge_answer(&|| text.clone(), &Ok(slope.clone()), ask_pieces(rules, None, &term)));
        all = all.and(match (ask_partial_maps(rules, &term), is_border) {
            (SemanticsAnswer::Undefined, true) => Verdict::Survived,
            (SemanticsAnswer::Enclosure(found), false) if contains_known(&found, &slope) => Verdict::Survived,
            (SemanticsAnswer::Enclosure(found), _) => Verdict::refuted(format!("partial: {text}"), found, told),
            (_, true) => Verdict::Vacuous,
            (SemanticsAnswer::Undefined, false) => Verdict::refuted(format!("partial: {text}"), "no value", told),
            (_, false) => Verdict::Vacuous,
        });
    }
    all
}

/// The counts over a number of programs with borders.
#[derive(Clone, Debug, Default)]
pub struct PiecesTally {
    /// The number of programs.
    pub programs: u64,
    /// The number of programs on which the semantics agreed in some answer.
    pub survived: u64,
    /// The number of programs without a claim.
    pub vacuous: u64,
    /// The refuted programs, by index, with their verdicts.
    pub refuted: Vec<(u64, Verdict)>,
    /// The number of programs with a border.
    pub branching: u64,
    /// The number of programs with a recursion.
    pub recursive: u64,
    /// The number of programs with a derivative other than 0 at one of their points.
    pub nonconstant: u64,
    /// The number of points.
    pub points: u64,
    /// The number of points on a border.
    pub on_borders: u64,
    /// The number of these at which presheaves have several numbers for the derivative, that of the piece among them.
    pub set_derivatives: u64,
}

impl PiecesTally {
    /// Compares all semantics on program number `index`, unfolds it, and counts it.
    pub fn add_program(&mut self, seed: u64, index: u64) {
        let rules = RuleSet::default();
        // one stream for all, so that both laws see the program that is counted
        let random = || SplitMix64::for_sample(seed, index);
        let DrawnProgram { program, points } = draw_pieces_sample(random());
        let features = program.features();
        let verdict = meanings_agree(random(), &rules).and(pieces_are_the_program(random(), &rules));
        self.programs += 1;
        match verdict {
            Verdict::Survived => self.survived += 1,
            Verdict::Vacuous => self.vacuous += 1,
            refuted => self.refuted.push((index, refuted)),
        }
        self.branching += u64::from(features.guard);
        self.recursive += u64::from(features.recursion);
        self.nonconstant += u64::from(points.iter().any(|point| program.observe(point).moves()));
        self.points += points.len() as u64;
        for point in points.iter().filter(|point| program.observe(point).touches).flatten() {
            self.on_borders += 1;
            self.set_derivatives += u64::from(PointQuestion { program: &program, point, is_slope: true }.is_in_a_set());
        }
    }
}
