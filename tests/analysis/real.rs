//! Numbers that can be asked: streams of nested enclosures, escalation, early stop, budgets (S3–S7).

use super::ends::ask_within;
use smoothish::law::generate::{TermGenerator, TermVocabulary};
use smoothish::meaning::presheaf::PresheafInterpreter;
use smoothish::number::accuracy::PassOptions;
use smoothish::number::arithmetic::{Context, Extension, Function};
use smoothish::number::budget::Budget;
use smoothish::number::real::{ComputableReal, DisjointEnclosures, Precision, RefinableReal};
use smoothish::number::{Double, Enclosure, Interval, Mpfr, Rational, decimal};
use smoothish::random::SplitMix64;
use smoothish::session::Session;
use smoothish::smooth::graph::{Binary, Graph, Variable};
use smoothish::smooth::primitive::Primitive;
use smoothish::syntax::ty::Ty;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn number(text: &str) -> Rational {
    decimal::parse(text).expect("a decimal")
}

fn sqrt(n: i64) -> Graph {
    Graph::function(Function::Sqrt, &Graph::integer(n))
}

fn minus(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Subtract, a, b)
}

/// S3: every stage lies inside the one before, and the widths go to 0.
#[test]
fn a_stream_is_nested_and_narrows() {
    let budget = Budget::unlimited();
    let root = sqrt(2).to_real().expect("a closed graph");
    let stages: Vec<Enclosure> =
        root.nested_enclosures(30, &budget).take(8).map(|s| s.expect("no contradiction")).collect();
    assert_eq!(stages.len(), 8);
    for pair in stages.windows(2) {
        assert!(pair[0].contains_enclosure(&pair[1]), "{} ⊉ {}", pair[0], pair[1]);
    }
    let width = Rational::from(1) >> 210u32;
    assert!(stages[7].has_width_at_most(&width));
}

/// S3, of random closed programs that have a value: each stage lies in the one before, and the widths go to 0.
#[test]
fn streams_of_random_numbers_are_nested_and_narrow() {
    let (mut narrow, mut told) = (0, 0);
    for index in 0..80 {
        let mut generator = TermGenerator::with_vocabulary(SplitMix64::for_sample(3, index), TermVocabulary::Smooth);
        let Some(program) = generator.draw_using_scope(&Ty::real(), 12).to_core() else { continue };
        let budget = Budget::with_time_limit(Duration::from_secs(5));
        let value = PresheafInterpreter::new(Arc::new(Budget::with_time_limit(Duration::from_secs(5))))
            .interpret_program(&program);
        let Ok(number) = value.and_then(|value| value.as_real().cloned()) else { continue };
        let stages: Vec<Enclosure> =
            number.to_real().expect("closed").nested_enclosures(30, &budget).take(5).map_while(Result::ok).collect();
        for pair in stages.windows(2) {
            assert!(pair[0].contains_enclosure(&pair[1]), "{index}: {} ⊉ {}", pair[0], pair[1]);
        }
        told += 1;
        let width = Rational::from(1) >> 60u32;
        narrow += u32::from(stages.last().is_some_and(|last| last.has_width_at_most(&width)));
    }
    assert!(told > 60 && narrow * 10 >= told * 8, "{narrow} of {told}");
}

/// S4: √2, whose square is 2: the squares of the ends lie on either side, decided by rational arithmetic.
#[test]
fn the_square_root_of_two() {
    let answer = sqrt(2).to_real().expect("closed").enclose(&number("1e-40"), &Budget::unlimited()).expect("an answer");
    assert!(answer.reached);
    let ends = answer.enclosure.print_decimals(&number("1e-40"));
    let (low, high) = (number(ends.lo()), number(ends.hi()));
    assert!(Rational::from(&low * &low) <= 2 && Rational::from(&high * &high) >= 2);
    assert!(Rational::from(&high - &low) <= number("1e-40"));
}

/// S5: (√2)² and 2, 1/5 + 2/5 and 3/5, overlap at every precision, and 0.1 + 0.2 contains 0.3.
#[test]
fn equal_numbers_overlap_at_every_stage() {
    let fifth = |n: i64| Graph::rational(Rational::from((n, 5)));
    let pairs = [
        (Graph::binary(Binary::Multiply, &sqrt(2), &sqrt(2)), Graph::integer(2)),
        (Graph::binary(Binary::Add, &fifth(1), &fifth(2)), fifth(3)),
        (Graph::power(&sqrt(2), &Rational::from(2)).expect("a power"), Graph::integer(2)),
    ];
    let budget = Budget::unlimited();
    for (a, b) in pairs {
        let (a, b) = (a.to_real().expect("closed"), b.to_real().expect("closed"));
        for (x, y) in a.nested_enclosures(40, &budget).take(6).zip(b.nested_enclosures(40, &budget)) {
            assert!(x.expect("a stage").overlaps(&y.expect("a stage")));
        }
    }
    let sum =
        |context: &dyn Fn(&Rational) -> Interval<f64>| Double.add(&context(&number("0.1")), &context(&number("0.2")));
    assert!(Double.to_enclosure(&sum(&|q| Double.enclose_rational(q))).contains(&number("0.3")));
}

/// S6: a question that has no answer as narrow as asked gets the best one at once, marked as not reached.
#[test]
fn a_set_is_answered_at_once() {
    let v = Variable::fresh();
    let relu = Graph::binary(Binary::Maximum, &Graph::integer(0), &Graph::variable(v));
    let slope = Graph::derivative(vec![v], relu, vec![Graph::integer(0)], vec![Graph::integer(1)]);
    let ask =
        |eps: &str| slope.to_real().expect("closed").enclose(&number(eps), &Budget::unlimited()).expect("an answer");
    assert!(ask("2").reached);
    let start = Instant::now();
    let narrow = ask("0.1");
    assert!(start.elapsed() < Duration::from_secs(5), "early stop");
    assert!(!narrow.reached && !narrow.exhausted);
    assert!(narrow.enclosure.contains(&number("0")) && narrow.enclosure.contains(&number("1")));
    assert!(narrow.enclosure.has_width_at_most(&number("1")));
}

/// A constant that counts how often it is read and the highest precision it was read at.
struct Instrumented {
    reads: AtomicU64,
    bits: AtomicU32,
}

impl Extension for Instrumented {
    fn eval_double(&self, context: &Double, _: &[Interval<f64>]) -> Interval<f64> {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bits.fetch_max(53, Ordering::Relaxed);
        context.enclose_rational(&Rational::from((1, 3)))
    }

    fn eval_mpfr(&self, context: &Mpfr, _: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        self.reads.fetch_add(1, Ordering::Relaxed);
        self.bits.fetch_max(context.precision(), Ordering::Relaxed);
        context.enclose_rational(&Rational::from((1, 3)))
    }
}

/// S7: an answer of finite precision reads its input finitely often, at finite precision.
#[test]
fn finite_precision_reads_finite_precision() {
    let input = Arc::new(Instrumented { reads: AtomicU64::new(0), bits: AtomicU32::new(0) });
    let third = Primitive::fold_der("third", 0, input.clone(), |_, _| Graph::integer(0));
    let x = Graph::primitive(&third, Vec::new());
    let question = minus(&Graph::function(Function::Exp, &x), &Graph::integer(1)).to_real().expect("closed");
    let coarse = question.enclose(&number("1e-6"), &Budget::unlimited()).expect("an answer");
    assert!(coarse.reached);
    assert_eq!(input.bits.load(Ordering::Relaxed), 53);
    let fine = question.enclose(&number("1e-50"), &Budget::unlimited()).expect("an answer");
    assert!(fine.reached && coarse.enclosure.contains_enclosure(&fine.enclosure));
    assert!(input.reads.load(Ordering::Relaxed) < 20 && input.bits.load(Ordering::Relaxed) <= 512);
}

/// A cancellation that `f64` cannot see through needs more bits, and gets them.
#[test]
fn precision_grows_until_it_suffices() {
    let big = Graph::rational(number("1e60"));
    let sum = minus(&minus(&Graph::binary(Binary::Add, &big, &sqrt(2)), &big), &sqrt(2));
    let answer = sum.to_real().expect("closed").enclose(&number("1e-20"), &Budget::unlimited()).expect("an answer");
    assert!(answer.reached && answer.bits > 200);
    assert!(answer.enclosure.contains(&Rational::new()));
}

/// A source whose second pass contradicts its first.
struct Liar;

#[derive(Debug)]
struct Lie;

impl From<DisjointEnclosures> for Lie {
    fn from(_: DisjointEnclosures) -> Self {
        Self
    }
}

impl ComputableReal for Liar {
    type Error = Lie;

    fn enclose_in_pass(&self, tier: Precision, _: &PassOptions) -> Result<Enclosure, Lie> {
        let n = if tier == Precision::Double { 1 } else { 2 };
        Ok(Double.to_enclosure(&Double.hull(&Double.enclose_integer(3 * n), &Double.enclose_integer(3 * n + 1))))
    }
}

/// Disjoint enclosures of one number are an error, never a result.
#[test]
fn a_contradiction_is_an_error() {
    assert!(RefinableReal::new(Liar).enclose(&number("1e-3"), &Budget::unlimited()).is_err());
}

/// A budget ends a question that would take long: by work, by time, and by an interrupt, each with an enclosure.
#[test]
fn asking_always_ends() {
    let (v, w) = (Variable::fresh(), Variable::fresh());
    let kink = Graph::binary(
        Binary::Maximum,
        &Graph::integer(0),
        &Graph::function(
            Function::Sin,
            &Graph::binary(
                Binary::Multiply,
                &Graph::integer(40),
                &Graph::binary(Binary::Multiply, &Graph::variable(v), &Graph::variable(w)),
            ),
        ),
    );
    let integral = Graph::integral(v, Graph::integral(w, kink));
    let stopped = Arc::new(AtomicBool::new(true));
    let budgets = [
        Budget::new(1_000_000, None, None),
        Budget::with_time_limit(Duration::from_millis(50)),
        Budget::new(u64::MAX, None, Some(stopped)),
    ];
    for budget in budgets {
        let start = Instant::now();
        let answer = integral.to_real().expect("closed").enclose(&number("1e-40"), &budget).expect("an answer");
        assert!(!answer.reached && answer.exhausted);
        assert!(start.elapsed() < Duration::from_secs(10));
    }
}

/// Work is counted by the size of numbers: what a budget of work allows is bounded, and what would take longer than the time
/// that is left is not begun.
#[test]
fn work_grows_with_the_size_of_numbers() {
    let sine = || Graph::function(Function::Sin, &Graph::integer(1)).to_real().expect("closed");
    let work = |eps: &str| {
        let budget = Budget::unlimited();
        assert!(sine().enclose(&number(eps), &budget).expect("an answer").reached);
        budget.work_done()
    };
    let (short, long) = (work("1e-600"), work("1e-6000"));
    assert!(short < 1_000 && long > 100 * short, "{short}, {long}");
    // the pass of twenty thousand bits is not begun
    let little = Budget::new(long / 2, None, None);
    let answer = sine().enclose(&number("1e-6000"), &little).expect("an answer");
    assert!(!answer.reached && answer.exhausted && answer.enclosure.is_defined());
    // nor is what would take minutes, where there is a second
    let begun = Instant::now();
    let answer =
        sine().enclose(&number("1e-900000"), &Budget::with_time_limit(Duration::from_secs(1))).expect("an answer");
    assert!(!answer.reached && answer.exhausted && answer.enclosure.is_defined());
    assert!(begun.elapsed() < Duration::from_secs(20));
}

/// Long constants cost work where they are rounded, and ⊥ is what is known of one for which there was none.
#[test]
fn long_constants_cost_work() {
    let long = Graph::rational(number("1e-99999") + Rational::from((1, 3)));
    let ask = |budget: &Budget| long.to_real().expect("closed").enclose(&number("1e-6"), budget).expect("an answer");
    let unlimited = Budget::unlimited();
    assert!(ask(&unlimited).reached && unlimited.work_done() > 10_000, "{}", unlimited.work_done());
    let small = ask(&Budget::new(1_000, None, None));
    assert!(small.exhausted && small.enclosure.is_bottom());
}

/// The same question gets the same answer, to the last bit.
#[test]
fn answers_are_deterministic() {
    let v = Variable::fresh();
    let integral = Graph::integral(v, Graph::function(Function::Exp, &Graph::variable(v)));
    let ask = || {
        let budget = Budget::unlimited();
        let answer = integral.to_real().expect("closed").enclose(&number("1e-25"), &budget).expect("an answer");
        (answer.enclosure.lo().clone(), answer.enclosure.hi().clone(), budget.work_done())
    };
    assert_eq!(ask(), ask());
}

/// √2, said to be with a solver or without one, and the passes that were made.
struct Traced {
    has_solver: bool,
    passes: Arc<Mutex<Vec<Precision>>>,
}

impl ComputableReal for Traced {
    type Error = Lie;

    fn enclose_in_pass(&self, tier: Precision, _: &PassOptions) -> Result<Enclosure, Lie> {
        self.passes.lock().unwrap().push(tier);
        Ok(match tier {
            Precision::Double => Double.to_enclosure(&Double.root(&Double.enclose_integer(2), 2)),
            Precision::Mpfr(bits) => {
                Mpfr::new(bits).to_enclosure(&Mpfr::new(bits).root(&Mpfr::new(bits).enclose_integer(2), 2))
            }
        })
    }

    fn contains_solver(&self) -> bool {
        self.has_solver
    }
}

/// What a tolerance changes nothing about is not computed again for another tolerance.
#[test]
fn a_pass_without_solvers_is_not_made_twice() {
    let passes = |has_solver, eps: &str| {
        let passes = Arc::new(Mutex::default());
        let real = RefinableReal::new(Traced { has_solver, passes: passes.clone() });
        let found = real.enclose(&number(eps), &Budget::unlimited()).map_err(|_| "no lie").unwrap();
        assert!(found.reached);
        passes.lock().map(|passes| passes.clone()).unwrap()
    };
    assert_eq!(passes(false, "1e-3"), [Precision::Double]);
    assert_eq!(passes(false, "1e-17"), [Precision::Double, Precision::Mpfr(128)]);
    assert_eq!(passes(true, "1e-17"), [Precision::Double, Precision::Double, Precision::Mpfr(128)]);
    assert_eq!(passes(false, "1e-30"), [Precision::Double, Precision::Mpfr(192)]);
}

/// A small part of the work that an answer takes is enough for a bounded one, of a derivative as well.
#[test]
fn there_is_an_answer_before_there_are_digits() {
    let integral = "integral01 (\\x => abs (sin (100*c*x) + x))";
    for question in [format!("let c = 0.7 in {integral}"), format!("deriv (\\c => {integral}) 0.7")] {
        // half of the least power of two that is enough
        let little = (0..40).map(|bits| 1_u64 << bits).find(|work| ask_within(2 * work, &question, "1e-12").reached);
        let little = little.expect("an answer");
        assert!(little > 10_000, "{question}: {little}");
        let early = ask_within(little / 32, &question, "1e-12");
        assert!(!early.reached && early.enclosure.is_defined(), "{question}: {early:?}");
        assert!(early.enclosure.lo().is_finite() && early.enclosure.hi().is_finite(), "{question}: {early:?}");
    }
}

/// Who asks for little is told at least that there is a number.
#[test]
fn a_wide_answer_is_an_answer() {
    let session = Session::new();
    for eps in ["1e-3", "1", "10", "1e6", "1e30"] {
        let question = "deriv (\\y => hausdorffDist R2Dist lShape (quarterCircle y)) 0";
        let found = session.enclose_to(question, number(eps)).unwrap();
        assert!(found.reached && found.enclosure.is_defined(), "{eps}: {found:?}");
        // -1/√2 lies inside: the ends are negative, and its square lies between theirs
        let ends = [found.enclosure.lo(), found.enclosure.hi()].map(|end| end.to_rational().unwrap());
        let [above, below] = ends.clone().map(|end| end.square());
        let half = Rational::from((1, 2));
        assert!(ends[0] < 0 && above >= half && (ends[1] >= 0 || below <= half), "{eps}: {found:?}");
    }
}

#[test]
fn a_solver_is_seen_behind_derivatives_and_functions() {
    let session = Session::new();
    let has_solver = |program: &str| {
        let (term, _) = session.infer(program).unwrap();
        let value = PresheafInterpreter::new(Arc::new(Budget::unlimited())).interpret_program(&term).unwrap();
        value.as_real().expect("a number").compile_evaluation().unwrap().contains_solver()
    };
    for program in
        ["integral01 (\\x => x)", "1 + max01 (\\x => x^2 - x)", "deriv (\\c => firstRoot (\\x => c - x)) (1/2)"]
    {
        assert!(has_solver(program), "{program}");
    }
    for program in
        ["sin 1 + max 1 2", "nthDeriv 3 (\\x => exp (sin x)) 0.3", "let f = \\x => integral01 (\\y => x*y) in 2"]
    {
        assert!(!has_solver(program), "{program}");
    }
}
