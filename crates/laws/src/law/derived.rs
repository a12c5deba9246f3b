//! Laws of derived programs beyond H: roots and optima (S §5.2), and kinks with sets of slopes.
//!
//! | law | states | judge |
//! |---|---|---|
//! | [`solver_jets`] | a derived program with solvers has the derivatives of the program, in 1 or 2 directions | nested `deriv` in the presheaf model |
//! | [`kinked_integrals`] | a derived program whose integrand has a kink has a second derivative nowhere near the kink, and the right ones elsewhere | closed forms |
//! | [`clarke_jets`] | the slopes of a derived program contain the limits of slopes nearby (Clarke); where these differ it has no second derivative | the same, at the point and beside it |
//!
//! The programs are drawn so that the parts that matter occur: solutions in the interior and at both ends, and points on kinks. Where a
//! solution lies is known by construction. Let a = 1/2 + sin(…)/4 + shift and m = 1 + sin(…)/2. Then
//! `a − p y − m y³` falls, is positive at 0 for shift 0 and negative at 1. It is negative at 0 for shift −1, and positive at 1
//! for shift p + 2. `argmax01` gets an antiderivative of it. A kink is put on a rational point by subtraction of the exact value
//! of a polynomial.

use super::agreement::derivatives::derivative_programs_with;
use super::generate::data_library;
use super::property;
use crate::function::Functional;
use crate::meaning;
use crate::meaning::taylor::functor::{ClarkeTaylorHooks, TaylorHooks};
use crate::model::answer::AnswerNumber;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::Ty;
use crate::value::Value;
use crate::verdict::Verdict;
use crate::wrong::Solver;
use std::sync::Arc;

/// The budget of one program, in work units. A choice.
const WORK: u64 = 4_000_000;
/// A number is compared if it is known within this. A choice: wrong rules are off by more.
const NARROW: (i64, i64) = (1, 1000);
/// The distance of the points beside a kink, as a power of 2. A choice: slopes then differ from their limits by less than `NARROW`.
const BESIDE: u32 = 20;

/// The place of a solution on [0, 1].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolutionPlace {
    /// In the interior, where the derivatives are those of a root.
    Inside,
    /// At 0.
    Left,
    /// At 1.
    Right,
}

/// A drawn program of one or two real numbers, with what occurs in it.
#[derive(Clone, Debug)]
pub struct DerivedSample {
    /// The program, of type `Real -> Real` or `Real -> Real -> Real`.
    pub text: String,
    /// The point, with a coordinate for each variable.
    pub point: Vec<Rational>,
    /// The order of the derivatives.
    pub order: usize,
    /// The solvers, with the places of their solutions.
    pub solvers: Vec<(Functional, SolutionPlace)>,
    /// The number of kinks at the point, and of those beside it.
    pub kinks: [usize; 2],
}

impl DerivedSample {
    /// Draws a program with solvers, a point, and an order up to 3.
    #[must_use]
    pub fn with_solvers(random: &mut SplitMix64) -> Self {
        let variables: &[&str] = if random.random_bool(70) { &["a"] } else { &["a", "b"] };
        let mut drawer = SampleGenerator { random, names: 0, solvers: Vec::new(), kinks: [0; 2] };
        let names: Vec<String> = variables.iter().map(|name| (*name).to_owned()).collect();
        let (outer, solved) = (drawer.draw_number(&names, 1, false), drawer.draw_solver(&names, 1));
        let text = format!("\\{} => {outer} + {solved}", variables.join(" "));
        let (solvers, kinks) = (drawer.solvers, drawer.kinks);
        let point = variables.iter().map(|_| draw_half(random)).collect();
        let order = 1 + random.next_below(if variables.len() == 1 { 3 } else { 2 });
        Self { text, point, order, solvers, kinks }
    }

    /// Draws a program with kinks, half of them at its point, which are tested to order 2.
    #[must_use]
    pub fn with_kinks(random: &mut SplitMix64) -> Self {
        let at = draw_half(random);
        let mut drawer = SampleGenerator { random, names: 0, solvers: Vec::new(), kinks: [0; 2] };
        let text = format!("\\x => {}", drawer.draw_kinked_number(&at));
        let (solvers, kinks) = (drawer.solvers, drawer.kinks);
        Self { text, point: vec![at], order: 2, solvers, kinks }
    }
}

/// Draws a half from −2 to 2.
fn draw_half(random: &mut SplitMix64) -> Rational {
    Rational::from((random.next_below(9) as i64 - 4, 2))
}

/// The state of the generator.
struct SampleGenerator<'r> {
    random: &'r mut SplitMix64,
    names: usize,
    solvers: Vec<(Functional, SolutionPlace)>,
    kinks: [usize; 2],
}

impl SampleGenerator<'_> {
    fn fresh_name(&mut self, stem: &str) -> String {
        self.names += 1;
        format!("{stem}{}", self.names)
    }

    /// Draws a smooth number over the variables, which may contain a solver.
    fn draw_number(&mut self, variables: &[String], depth: usize, solves: bool) -> String {
        if depth == 0 {
            return match self.random.random_bool(75) {
                true => self.random.pick(variables).clone(),
                false => format!("({} / 2 : Real)", 1 + self.random.next_below(5)),
            };
        }
        if solves && self.random.random_bool(6) {
            return self.draw_solver(variables, depth - 1);
        }
        let x = self.draw_number(variables, depth - 1, solves);
        let y = self.draw_number(variables, depth - 1, solves);
        match self.random.next_below(5) {
            0 => format!("({x} + {y})"),
            1 => format!("({x} * {y})"),
            2 => format!("(sin ({x} + {y}))"),
            3 => format!("({y} * atan {x})"),
            _ => format!("({x} - {y}^2)"),
        }
    }

    /// Draws a solver.
    fn draw_solver(&mut self, variables: &[String], depth: usize) -> String {
        use Functional::{CutRoot, FirstRoot, Maximiser, Maximum, Minimiser, Minimum};
        let solver = *self.random.pick(&[CutRoot, CutRoot, FirstRoot, Maximiser, Maximum, Minimiser, Minimum]);
        let place = match solver {
            CutRoot => SolutionPlace::Inside,
            _ => self.random.pick_weighted(&[
                (2, SolutionPlace::Inside),
                (1, SolutionPlace::Left),
                (1, SolutionPlace::Right),
            ]),
        };
        self.solvers.push((solver, place));
        // an integral over a parameter of a root, which is smooth
        let (over, mut names) = (self.fresh_name("x"), variables.to_vec());
        let is_integrated = solver == CutRoot && self.random.random_bool(15);
        if is_integrated {
            names.push(over.clone());
        }
        let [e, c, free] = [0, 1, 2].map(|_| self.draw_number(&names, depth + 1, depth > 0));
        let (y, p) = (self.fresh_name("y"), 1 + self.random.next_below(3) as i64);
        let shift = match place {
            SolutionPlace::Inside => 0,
            SolutionPlace::Left => -1,
            SolutionPlace::Right => p + 2,
        };
        let (a, m) = (format!("(1/2 + sin {e} / 4 + {shift})"), format!("(1 + sin {c} / 2)"));
        let body = match solver {
            CutRoot => format!("{e} - {p} * {y} - {m} * {y}^3"),
            FirstRoot => format!("{a} - {p} * {y} - {m} * {y}^3"),
            Maximiser | Maximum => format!("{free} + {a} * {y} - {p} * {y}^2 / 2 - {m} * {y}^4 / 4"),
            _ => format!("{free} - {a} * {y} + {p} * {y}^2 / 2 + {m} * {y}^4 / 4"),
        };
        let (name, function) = (solver.name(), format!("(\\({y} : Real) => {body})"));
        // the macro sees a solver of a function that it knows by its name alone
        let solved = match self.random.random_bool(25) {
            true => format!("(let solve = \\(f : Real -> Real) => {name} f in solve {function})"),
            false => format!("({name} {function})"),
        };
        if is_integrated { format!("(integral01 (\\({over} : Real) => {solved}))") } else { solved }
    }

    /// Draws a polynomial in x, of which kinks may be parts. Returns its value at a point as well.
    fn draw_polynomial(&mut self, at: &Rational, depth: usize, bends: bool) -> (String, Rational) {
        if depth == 0 {
            let q = draw_half(self.random);
            return if self.random.random_bool(75) { ("x".into(), at.clone()) } else { (format!("({q} : Real)"), q) };
        }
        if bends && self.random.random_bool(30) {
            return self.draw_kink(at, depth - 1);
        }
        let (x, u) = self.draw_polynomial(at, depth - 1, bends);
        let (y, v) = self.draw_polynomial(at, depth - 1, bends);
        match self.random.next_below(3) {
            0 => (format!("({x} + {y})"), u + v),
            1 => (format!("({x} - 2 * {y})"), u - v * 2),
            _ => (format!("({x} * {y})"), u * v),
        }
    }

    /// Draws a kink, at the point or beside it, with its value at the point.
    fn draw_kink(&mut self, at: &Rational, depth: usize) -> (String, Rational) {
        let (x, u) = self.draw_polynomial(at, depth, depth > 0);
        let is_on = self.random.random_bool(60);
        self.kinks[usize::from(!is_on)] += 1;
        let off = if is_on { Rational::new() } else { Rational::from(*self.random.pick(&[-1, 1])) };
        match self.random.next_below(4) {
            0 | 1 => (format!("(abs ({x} - ({} : Real)))", Rational::from(&u - &off)), off.abs()),
            case => {
                let (y, v) = self.draw_polynomial(at, depth, false);
                // the second argument has the value of the first one, but for the distance
                let moved = Rational::from(&u - &v) + &off;
                let (name, value) = match (case, off > 0) {
                    (2, true) | (3, false) => (if case == 2 { "max" } else { "min" }, Rational::from(&u + &off)),
                    _ => (if case == 2 { "max" } else { "min" }, u),
                };
                (format!("({name} {x} ({y} + ({moved} : Real)))"), value)
            }
        }
    }

    /// Draws a number with kinks: smooth operations and roots of them.
    fn draw_kinked_number(&mut self, at: &Rational) -> String {
        let (kink, _) = self.draw_kink(at, 1);
        let (other, _) = self.draw_polynomial(at, 1, true);
        match self.random.next_below(6) {
            0 => format!("sin ({kink}) + {other}"),
            1 => format!("{kink} * {other}"),
            2 => format!("{other} - exp ({kink} / 4)"),
            3 => {
                self.solvers.push((Functional::CutRoot, SolutionPlace::Inside));
                format!("cutRoot (\\(y : Real) => {kink} + {other} - 3 * y - y^3)")
            }
            4 => format!("integral01 (\\(t : Real) => {kink} * t) + {other}"),
            _ => format!("{kink} + 2 * {other}"),
        }
    }
}

/// A number of a program: an enclosure, or `None` if it is not shown to be defined.
type FoundNumber = Option<Enclosure>;

/// Evaluates a tuple of numbers in the presheaf model. Returns `None` if it has no answer.
fn evaluate_numbers(term: &Term, ty: &Ty) -> Option<Vec<FoundNumber>> {
    let budget = Arc::new(Budget::new(WORK, None, None));
    let model = meaning::semantics_named(meaning::DEFAULT_SEMANTICS)?;
    let answer = model.evaluate(term, ty, &Rational::from((1, 1_000_000)), &budget).ok()?;
    let Value::Tuple(numbers) = &answer.value else { return None };
    let number = |number: &Value<AnswerNumber>| match number {
        Value::Real(AnswerNumber::Enclosure(found)) => {
            Some(found.enclosure.is_defined().then(|| found.enclosure.clone()))
        }
        _ => None,
    };
    numbers.iter().map(number).collect()
}

/// The derivatives of a sample: by nested `deriv`, and by the derived program.
struct BothDerivatives {
    names: Vec<String>,
    /// The degree of each.
    degrees: Vec<usize>,
    nested: Vec<FoundNumber>,
    derived: Vec<FoundNumber>,
}

/// Returns the numbers of a sample by both ways.
///
/// # Errors
/// A refutation if the program has no type or the macro no well-typed image of it, and the vacuous verdict if a side has no
/// answer.
fn both_derivatives(sample: &DerivedSample, rules: &'static dyn TaylorHooks) -> Result<BothDerivatives, Verdict> {
    let refuted = |expected: &str, found: &dyn std::fmt::Display| Verdict::refuted(&sample.text, expected, found);
    let (term, ty) = data_library().infer_expression(&sample.text).map_err(|e| refuted("a program", &e))?;
    let point: Vec<Term> = sample.point.iter().map(|q| Term::new(TermKind::Real(q.clone()), Span::default())).collect();
    let both = derivative_programs_with(rules, &term, &ty, &point, sample.order)
        .map_err(|e| refuted("derivatives at a point", &e))?;
    let (program, value) = both.derived.map_err(|e| refuted("a derived program", &e))?;
    program.check_types().map_err(|e| refuted("a derived program with a type", &e))?;
    let found = |term| evaluate_numbers(term, &both.ty).ok_or(Verdict::Vacuous);
    Ok(BothDerivatives {
        names: both.basis.names(),
        degrees: both.basis.indices().iter().map(|index| index.iter().sum()).collect(),
        nested: found(&both.nested)?,
        derived: found(&value)?,
    })
}

/// Compares a number by both ways. Survived if both are defined and narrow.
fn compare_numbers(name: &str, nested: &FoundNumber, derived: &FoundNumber) -> Verdict {
    let (Some(nested), Some(derived)) = (nested, derived) else { return Verdict::Vacuous };
    if !nested.overlaps(derived) {
        return Verdict::refuted(name, nested, derived);
    }
    let is_narrow = |number: &Enclosure| number.has_width_at_most(&Rational::from(NARROW));
    if is_narrow(nested) && is_narrow(derived) { Verdict::Survived } else { Verdict::Vacuous }
}

/// Adds the program and its point to the witness of a refutation.
fn name_sample(verdict: Verdict, sample: &DerivedSample) -> Verdict {
    match verdict {
        Verdict::Refuted { witness, left, right } => {
            Verdict::refuted(format!("derivative {witness} of {} at {:?}", sample.text, sample.point), left, right)
        }
        other => other,
    }
}

/// Tests that a derived program with roots and optima has the derivatives that nested `deriv` has. Survived if every derivative
/// was compared.
pub fn solver_jets(mut random: SplitMix64, rules: &'static dyn TaylorHooks) -> Verdict {
    let sample = DerivedSample::with_solvers(&mut random);
    let both = match both_derivatives(&sample, rules) {
        Ok(both) => both,
        Err(verdict) => return verdict,
    };
    let numbers = both.names.iter().zip(both.nested.iter().zip(&both.derived));
    let verdict = numbers
        .map(|(name, (nested, derived))| compare_numbers(name, nested, derived))
        .reduce(Verdict::and_part)
        .unwrap_or(Verdict::Vacuous);
    name_sample(verdict, &sample)
}

/// Tests the derived program of a program with kinks at a point. Its slopes must meet those of the presheaf model, and contain the
/// slopes at points close by. Where these differ it must have no second derivative; elsewhere its second derivative is compared.
pub fn clarke_jets(mut random: SplitMix64, rules: &'static dyn TaylorHooks) -> Verdict {
    let sample = DerivedSample::with_kinks(&mut random);
    let both = match both_derivatives(&sample, rules) {
        Ok(both) => both,
        Err(verdict) => return verdict,
    };
    let place = |degree: usize| both.degrees.iter().position(|other| *other == degree).unwrap_or(0);
    let at = |degree: usize| (&both.nested[place(degree)], &both.derived[place(degree)]);
    let slopes: Vec<RationalInterval> = [-1, 1].iter().filter_map(|side| slope_beside(&sample, *side)).collect();
    let overlap = |degree: usize| {
        let (nested, derived) = at(degree);
        match compare_numbers(&degree.to_string(), nested, derived) {
            refuted @ Verdict::Refuted { .. } => refuted,
            // a set is wide, and has been compared all the same
            _ if nested.is_some() && derived.is_some() => Verdict::Survived,
            _ => Verdict::Vacuous,
        }
    };
    let mut verdict = overlap(0).and_part(overlap(1)).and_part(contains_slopes(at(1).1, &slopes));
    let [left, right] = &slopes[..] else { return name_sample(verdict.and_part(Verdict::Vacuous), &sample) };
    // what is further apart than both errors is two slopes
    let tolerance = slope_tolerance(left) + slope_tolerance(right);
    let is_kink = are_apart(left, right, &tolerance);
    verdict = verdict.and_part(match (is_kink, at(2).1) {
        (true, Some(number)) => Verdict::refuted("2", format!("none, where slopes are {left:?} and {right:?}"), number),
        (true, None) => Verdict::Survived,
        (false, _) => overlap(2),
    });
    name_sample(verdict, &sample)
}

/// The ends of an enclosure.
type RationalInterval = [Rational; 2];

/// Tests the derivatives of c ↦ k ∫₀¹ |x − c| dx, to order 2, against closed forms: k (c² + (1 − c)²)/2 for c in [0, 1], and
/// k |c − 1/2| elsewhere.
///
/// For c in (0, 1) the integrand has no second derivative at x = c. So the derived program need not have one either, but a number
/// has to be the right one, 2 k. At 0 and at 1 there is none.
pub fn kinked_integrals(mut random: SplitMix64, rules: &'static dyn TaylorHooks) -> Verdict {
    let (factor, quarters) = (1 + random.next_below(4) as i64, random.next_below(9) as i64 - 2);
    let (text, point) = (format!("\\c => {factor} * integral01 (\\x => abs (x - c))"), Rational::from((quarters, 4)));
    let sample = DerivedSample { text, point: vec![point.clone()], order: 2, solvers: Vec::new(), kinks: [0; 2] };
    let both = match both_derivatives(&sample, rules) {
        Ok(both) => both,
        Err(verdict) => return verdict,
    };
    let slope = match quarters {
        ..0 => Rational::from(-factor),
        0..=4 => (point * 2u32 - 1u32) * factor,
        _ => Rational::from(factor),
    };
    let second = match quarters {
        0 | 4 => None,
        1..=3 => Some(Rational::from(2 * factor)),
        _ => Some(Rational::new()),
    };
    let at =
        |degree: usize| both.degrees.iter().position(|other| *other == degree).and_then(|i| both.derived[i].as_ref());
    let compare = |degree: usize, truth: Option<&Rational>| match (at(degree), truth) {
        (Some(number), Some(truth)) if number.contains(truth) => Verdict::Survived,
        (Some(number), Some(truth)) => Verdict::refuted(degree, truth, number),
        (Some(number), None) => Verdict::refuted(degree, "none", number),
        // what is not claimed is not wrong
        (None, _) => Verdict::Vacuous,
    };
    name_sample(compare(1, Some(&slope)).and(compare(2, second.as_ref())), &sample)
}

/// A law of derived programs, on the sample of a seed and with the rules of a macro.
pub type DerivedLaw = fn(SplitMix64, &'static dyn TaylorHooks) -> Verdict;

/// All wrong rules of solvers and kinks, each with the law that refutes it and its name.
pub const SOLVER_MUTANTS: &[(Solver, &str, DerivedLaw)] = &[
    (Solver::RootSign, "solver_jets", solver_jets),
    (Solver::LowerCoordinates, "solver_jets", solver_jets),
    (Solver::Ends, "solver_jets", solver_jets),
    (Solver::UndefinedKink, "clarke_jets", clarke_jets),
    (Solver::Integrands, "kinked_integrals", kinked_integrals),
];

/// The largest number of samples until a law has to refute a wrong rule. A choice: each is refuted within 30.
pub const MAX_SOLVER_SAMPLES: u64 = 60;

/// Returns the number of samples of a seed until a law refutes a wrong rule. Returns `None` if [`MAX_SOLVER_SAMPLES`] are not
/// enough.
#[must_use]
pub fn samples_until_refuted(rule: Solver, law: DerivedLaw, seed: u64) -> Option<u64> {
    property::samples_until_refuted(seed, MAX_SOLVER_SAMPLES, |random| law(random, rule.as_hooks()))
}

/// Returns the ends of an enclosure; `None` if one is infinite.
fn rational_ends(number: &Enclosure) -> Option<RationalInterval> {
    Some([number.lo().to_rational()?, number.hi().to_rational()?])
}

/// Returns `true` if all points of one interval are further from all of the other than a distance.
fn are_apart(left: &RationalInterval, right: &RationalInterval, distance: &Rational) -> bool {
    let gap = |below: &Rational, above: &Rational| Rational::from(above - below) > *distance;
    gap(&left[1], &right[0]) || gap(&right[1], &left[0])
}

/// Returns the slope of a sample at a point very close to its own, by `deriv`. Returns `None` if it is not known.
fn slope_beside(sample: &DerivedSample, side: i64) -> Option<RationalInterval> {
    let (term, ty) = data_library().infer_expression(&sample.text).ok()?;
    let near = Rational::from(&sample.point[0] + &Rational::from((side, 1i64 << BESIDE)));
    let point = [Term::new(TermKind::Real(near), Span::default())];
    // only the nested derivatives are used: any rules will do
    let both = derivative_programs_with(&ClarkeTaylorHooks, &term, &ty, &point, 1).ok()?;
    let slope = evaluate_numbers(&both.nested, &both.ty)?.pop()??;
    slope.has_width_at_most(&Rational::from(NARROW)).then(|| rational_ends(&slope))?
}

/// Returns how far a slope beside a point may be from its limit at the point.
fn slope_tolerance([lo, hi]: &RationalInterval) -> Rational {
    (lo.clone().abs() + hi.clone().abs() + 1u32) / 100u32
}

/// Tests that a set of slopes contains those close by.
fn contains_slopes(set: &FoundNumber, slopes: &[RationalInterval]) -> Verdict {
    let Some(ends) = set.as_ref().and_then(rational_ends) else { return Verdict::Vacuous };
    match slopes.iter().find(|slope| are_apart(&ends, slope, &slope_tolerance(slope))) {
        Some(slope) => Verdict::refuted("1", format!("a set with {slope:?}"), format!("{ends:?}")),
        None if slopes.is_empty() => Verdict::Vacuous,
        None => Verdict::Survived,
    }
}
