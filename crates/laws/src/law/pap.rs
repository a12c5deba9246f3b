//! The theorems of W on programs in pieces, tested on random programs, with half of their points on borders.
//!
//! The programs are rational. They are also evaluated here on dual numbers over ℚ, which shares nothing with the model.
//! Each law is a function of the [rules](crate::meaning::pap::hooks), so that it can be tested with wrong ones.
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

pub mod generate;
pub mod meanings;

use crate::meaning::pap::hooks::Hooks;
use crate::meaning::pap::point::Question;
use crate::meaning::pap::replay::{Unfolded, Unfolding};
use crate::meaning::partial::Partially;
use crate::model::answer::{Answer, Cause, Meaning, MeaningError, Number};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::intensional::{Claim, Where, check, gradient};
use crate::pieces::{Decided, Guard, Outcome, Pap, Piece, Region, Test};
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::library::Library;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::{Site, Value};
use crate::verdict::Verdict;
use generate::{Dual, Sample, sample};
use std::sync::Arc;

/// A law, tested on the sample of a stream of random numbers.
pub type Law = fn(Random, &Arc<dyn Hooks>) -> Verdict;

/// All laws, with their names.
pub const LAWS: &[(&str, Law)] = &[
    ("derivative_of_the_path", derivative_of_the_path),
    ("pieces_are_the_program", pieces_are_the_program),
    ("lengths_sum_up", lengths_sum_up),
    ("composites_are_preimages", composites_are_preimages),
    ("derivatives_are_intensional", derivatives_are_intensional),
    ("claims_compose", |random, rules| claims_compose(random, rules, &chain_rule)),
    ("fuel_says_nothing", fuel_says_nothing),
    ("almost_everywhere", almost_everywhere),
    ("meanings_agree", meanings::meanings_agree),
    ("borders_without_a_seam", meanings::borders_without_a_seam),
];

/// Half the length of the interval [−4, 4] on which programs are unfolded. A choice: it contains all points of samples.
const REACH: i64 = 4;

/// Infers a program. Returns `None` if it is ill-typed.
fn term(text: &str) -> Option<Term> {
    Library::new().infer_expression(text).ok().map(|(term, _)| term)
}

/// Returns the work limit of one evaluation. A choice.
fn budget() -> Arc<Budget> {
    Arc::new(Budget::new(400_000, None, None))
}

/// Returns the tolerance of answers. A choice: the exact values are known, so a tight one costs little.
fn eps() -> Rational {
    Rational::from((1, 1_000_000_000))
}

/// Evaluates a closed program in the model of programs in pieces.
fn asked(rules: &Arc<dyn Hooks>, unfoldings: Option<u64>, term: &Term) -> Result<Answer, MeaningError> {
    Question { term, primitives: &[], unfoldings, hooks: rules.clone(), to: &eps().into(), budget: &budget() }.answer()
}

/// Returns the enclosure of an answer. Returns `None` for other values.
fn enclosure(answer: &Answer) -> Option<&Enclosure> {
    match &answer.value {
        Value::Real(Number::Enclosure(found)) => Some(&found.enclosure),
        _ => None,
    }
}

/// Unfolds a program of one real variable to its pieces, `limit` of them at most. Returns `None` if that fails.
fn unfolded(rules: &Arc<dyn Hooks>, limit: usize, text: &str) -> Option<Unfolded> {
    let unfolding = Unfolding { hooks: rules.clone(), unfoldings: None, limit, steps: 5_000, budget: budget() };
    unfolding.on(&term(text)?, &Rational::from(-REACH), &Rational::from(REACH)).ok()
}

/// Compares an answer with the exact value; `None` if the program has no value.
fn judged(at: &dyn Fn() -> String, expected: Option<&Rational>, found: Result<Answer, MeaningError>) -> Verdict {
    let told = expected.map_or_else(|| "no value".to_owned(), Rational::to_string);
    match (expected, found) {
        (Some(q), Ok(answer)) => match enclosure(&answer) {
            Some(found) if found.contains(q) && found.is_defined() && found.is_within(&eps()) => Verdict::Survived,
            found => Verdict::refuted(at(), told, format!("{found:?}")),
        },
        // undefined by its domain is the right answer; undefined by lack of fuel claims nothing
        (None, Err(MeaningError::Undefined(found))) if found.cause == Cause::Domain => Verdict::Survived,
        (_, Err(MeaningError::Undefined(found))) if found.cause == Cause::Fuel => Verdict::Vacuous,
        (_, found) => Verdict::refuted(at(), told, format!("{:?}", found.map(|answer| answer.value))),
    }
}

/// Tests W18 and W20: value and derivative at a point are those of the path of the primal point.
fn derivative_of_the_path(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let Sample { program, points, .. } = sample(random);
    let mut all = Verdict::Vacuous;
    for point in &points {
        let known = program.at(point);
        for (text, expected) in [
            (format!("({program}) ({point})"), known.as_ref().map(|dual| &dual.value)),
            (format!("deriv ({program}) ({point})"), known.as_ref().map(|dual| &dual.slope)),
        ] {
            let Some(term) = term(&text) else { return Verdict::refuted(text, "a program", "none") };
            all = all.and(judged(&|| text.clone(), expected, asked(rules, None, &term)));
        }
    }
    all
}

/// Compares the pieces of a program at a point with the exact value and derivative of the program.
fn on_pieces(pap: &Pap, point: &Rational, expected: Option<&Dual>, at: &dyn Fn() -> String) -> Verdict {
    let point = std::slice::from_ref(point);
    let budget = budget();
    let (pieces, decided) = pap.all_at(point, &budget);
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
        (Outcome::Undefined(_), None) => Verdict::Survived,
        (Outcome::Value(value), Some(dual)) => {
            let slope = gradient(&pap.variables, value).swap_remove(0);
            let mut all = Verdict::Survived;
            for (graph, q) in [(value, &dual.value), (&slope, &dual.slope)] {
                let found = graph.substitute(&bindings).real().map(|real| real.enclose(&eps(), &budget));
                // the number could not be computed within the budget: no claim
                let Ok(Ok(found)) = found else { return Verdict::Vacuous };
                if !(found.enclosure.is_defined() && found.enclosure.contains(q) && found.enclosure.is_within(&eps())) {
                    all = Verdict::refuted(at(), q, format!("{}", found.enclosure));
                }
            }
            all
        }
        (outcome, expected) => Verdict::refuted(at(), format!("{expected:?}"), format!("{outcome:?}")),
    }
}

/// Tests W2 and W17: a point lies on one piece, which has the value and the derivative of the program there.
fn pieces_are_the_program(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let Sample { program, points, .. } = sample(random);
    let Some(found) = unfolded(rules, 40, &program.to_string()) else { return Verdict::Vacuous };
    let mut all = Verdict::Vacuous;
    for point in &points {
        all =
            all.and(on_pieces(&found.pap, point, program.at(point).as_ref(), &|| format!("x = {point} in {program}")));
    }
    all
}

/// Tests W2: the lengths of pieces and frontier add up to that of the interval.
fn lengths_sum_up(mut random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    // a low limit of pieces, so that the frontier is often not empty
    let limit = 1 + random.below(5);
    let Sample { program, .. } = sample(random);
    let Some(found) = unfolded(rules, limit, &program.to_string()) else { return Verdict::Vacuous };
    let (pieces, rest) = (&found.pap.pieces, &found.pap.frontier);
    let regions = pieces.iter().map(|piece| &piece.region).chain(rest.iter().map(|part| &part.region));
    let lengths = regions.flatten().map(Region::length);
    // ends are algebraic numbers known by rational bounds, so the sum is known by two bounds as well
    let [least, most] = lengths.fold([Rational::new(), Rational::new()], |[a, b], [c, d]| [a + c, b + d]);
    let whole = Rational::from(2 * REACH);
    match least <= whole && whole <= most {
        true => Verdict::Survived,
        false => Verdict::refuted(&program, &whole, format!("[{least}, {most}]")),
    }
}

/// Tests W5 and W12: composing unfolded pieces is unfolding the composite.
fn composites_are_preimages(mut random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let (seed, other) = (random.next(), random.next());
    let (first, second) = (sample(Random::new(seed)), sample(Random::new(other)));
    let (f, g) = (&first.program, &second.program);
    let (Some(inner), Some(outer)) = (unfolded(rules, 30, &f.to_string()), unfolded(rules, 30, &g.to_string())) else {
        return Verdict::Vacuous;
    };
    let finest = Rational::from(1) >> 40;
    let Some(pap) = inner.pap.then(&outer.pap, &finest, &budget()) else { return Verdict::Vacuous };
    let mut all = Verdict::Vacuous;
    for point in &first.points {
        let between = f.at(point);
        // the second program is unfolded on the interval only, so a value outside of it lies on no piece
        if between.as_ref().is_some_and(|dual| dual.value.clone().abs() > REACH) {
            continue;
        }
        let expected = between.as_ref().and_then(|inner| {
            let outer = g.at(&inner.value)?;
            Some(Dual { slope: outer.slope * &inner.slope, value: outer.value })
        });
        let at = || format!("x = {point} in ({g}) after ({f})");
        all = all.and(on_pieces(&pap, point, expected.as_ref(), &at));
    }
    all
}

/// Tests W6: the pieces of `deriv f`, found by running `deriv` and not from the pieces of f, are an intensional
/// derivative of f.
fn derivatives_are_intensional(mut random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let seed = random.next();
    let Sample { program, .. } = sample(Random::new(seed));
    let derivative = format!("\\x => deriv ({program}) x");
    let (Some(of_program), Some(of_derivative)) =
        (unfolded(rules, 20, &program.to_string()), unfolded(rules, 20, &derivative))
    else {
        return Verdict::Vacuous;
    };
    let (f, df) = (&of_program.pap, &of_derivative.pap);
    let part = |piece: &Piece| match &piece.outcome {
        Outcome::Value(slope) => {
            let at = [(df.variables[0], Graph::variable(f.variables[0]))];
            Some((Where::Guards(along(&piece.guards, &at)), vec![slope.substitute(&at)]))
        }
        Outcome::Undefined(_) => None,
    };
    let claim = Claim(df.pieces.iter().filter_map(part).collect());
    // the claim is checked against the pieces of f itself, over the same interval
    check(f, &claim, REACH as u32, &mut random, &budget()).at(|| program.to_string())
}

/// Substitutes graphs for the variables of guards.
fn along(guards: &[Decided], bindings: &[(Variable, Graph)]) -> Vec<Decided> {
    guards.iter().map(|decided| Decided { guard: decided.guard.along(bindings), ..decided.clone() }).collect()
}

/// A part of an analytic set: the decided guards that cut it out, the map on it, and the slope claimed for it.
type ClaimedPart = (Vec<Decided>, Graph, Graph);

/// Returns the pieces of a function with their slopes. Before each piece stand single points of it, with an arbitrary
/// slope.
fn claimed(random: &mut Random, f: &Pap, points: &[Rational]) -> Vec<ClaimedPart> {
    let x = Graph::variable(f.variables[0]);
    let mut parts = Vec::new();
    for piece in &f.pieces {
        let Outcome::Value(value) = &piece.outcome else { continue };
        for point in points {
            let guard = Guard::between(&x, &Graph::rational(point.clone()), Test::Zero, Site::NOWHERE);
            let at = Decided { guard, holds: true, is_condition: false };
            // an intensional derivative may have any value on a set of measure 0, so a random integer is claimed there
            let number = Graph::integer(random.below(19) as i64 - 9);
            parts.push(([&[at], &piece.guards[..]].concat(), value.clone(), number));
        }
        parts.push((piece.guards.clone(), value.clone(), gradient(&f.variables, value).swap_remove(0)));
    }
    parts
}

/// Returns dg(f x) · df x.
#[must_use]
pub fn chain_rule(outer: &Graph, inner: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, outer, inner)
}

/// Tests W7: `rule`, applied to the slopes of g at f x and of f at x, gives an intensional derivative of g ∘ f.
pub fn claims_compose(mut random: Random, rules: &Arc<dyn Hooks>, rule: &dyn Fn(&Graph, &Graph) -> Graph) -> Verdict {
    let (seed, other) = (random.next(), random.next());
    let (first, second) = (sample(Random::new(seed)), sample(Random::new(other)));
    let (f, g) = (&first.program, &second.program);
    let (Some(inner), Some(outer)) = (unfolded(rules, 8, &f.to_string()), unfolded(rules, 8, &g.to_string())) else {
        return Verdict::Vacuous;
    };
    let Some(composite) = inner.pap.then(&outer.pap, &(Rational::from(1) >> 40), &budget()) else {
        return Verdict::Vacuous;
    };
    let [of_f, of_g] = [(&inner.pap, &first), (&outer.pap, &second)]
        .map(|(pap, sample)| claimed(&mut random, pap, &sample.points[..1]));
    let (x, y) = (inner.pap.variables[0], outer.pap.variables[0]);
    let mut parts = Vec::new();
    for (guards, value, slope) in &of_f {
        // the composite part is where x lies in the part of f, and f x in the part of g
        for (further, _, of_outer) in &of_g {
            let at = [(y, value.clone())];
            let slope = rule(&of_outer.substitute(&at), slope);
            let here = [(x, Graph::variable(composite.variables[0]))];
            let guards = along(&[&guards[..], &along(further, &at)].concat(), &here);
            parts.push((Where::Guards(guards), vec![slope.substitute(&here)]));
        }
    }
    check(&composite, &Claim(parts), REACH as u32, &mut random, &budget()).at(|| format!("({g}) after ({f})"))
}

/// Tests W11 and W19: lack of fuel makes no claim, and a value stays the same after more unfoldings.
fn fuel_says_nothing(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let Sample { program, points, .. } = sample(random);
    let mut all = Verdict::Vacuous;
    for point in &points {
        let text = format!("({program}) ({point})");
        let Some(term) = term(&text) else { return Verdict::Vacuous };
        let run = |n: u64| match asked(rules, Some(n), &term) {
            Ok(answer) => Some(enclosure(&answer).cloned()),
            Err(MeaningError::Undefined(found)) if found.cause == Cause::Domain => Some(None),
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
fn almost_everywhere(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    let Sample { program, points, .. } = sample(random);
    let mut all = Verdict::Vacuous;
    for point in &points {
        let text = format!("deriv ({program}) ({point})");
        let Some(term) = term(&text) else { return Verdict::Vacuous };
        let Ok(smooth) = Partially::default().answer(&term, &Ty::real(), &eps(), &budget()) else { continue };
        let Some(smooth) = enclosure(&smooth).filter(|found| found.is_defined()) else { continue };
        all = all.and(match asked(rules, None, &term) {
            Ok(found) if enclosure(&found).is_some_and(|found| found.overlaps(smooth)) => Verdict::Survived,
            found => Verdict::refuted(&text, smooth, format!("{:?}", found.map(|answer| answer.value))),
        });
    }
    all
}
