//! Boxes on which traces are valid (A Thm 6.2 (2)), against exact arithmetic at points of them.

use super::*;
use smoothish::law::trace::generate::sample;
use smoothish::number::budget::Budget;
use smoothish::random::Random;
use smoothish::trace::limited::approximant;
use smoothish::trace::neighbourhood::Range;
use smoothish::trace::question::{Answer, Question, ask};
use std::time::Duration;

fn asked(program: &Program, point: &Program) -> Result<Answer, Obstacle> {
    let budget = Budget::within(Duration::from_secs(60));
    ask(&Question { program, point: Some(point), strategy: Strategy::default(), record: None, budget: &budget })
}

/// A number of a range, at some part of the way from its lower end.
fn within(range: &Range, part: &Rational) -> Rational {
    let far = Rational::from(1000);
    let [lo, hi] = match (&range.lo, &range.hi) {
        (Some(lo), Some(hi)) => [lo.clone(), hi.clone()],
        (Some(lo), None) => [lo.clone(), lo.clone() + far],
        (None, Some(hi)) => [hi.clone() - far, hi.clone()],
        (None, None) => [-far.clone(), far],
    };
    lo.clone() + (hi - lo) * part
}

/// On all of the box the program is its trace, and defined: random programs, the ends of their boxes among the points.
#[test]
fn on_its_box_a_trace_is_the_program() {
    let numbers = Rationals { bits: 4_000 };
    let (mut boxes, mut bounded) = (0, 0);
    for index in 0..120 {
        let sample = sample(Random::of(11, index));
        let parameters = vec![(sample.x.clone(), sample.ty.clone())];
        let term = approximant(&sample.term, 5);
        let program = Program { parameters, term, ty: sample.codomain.clone(), places: Vec::new() };
        for point in &sample.points[..2] {
            let at = format!("{point} in {}", program.term);
            let reals: Vec<Term> = point.reals().into_iter().map(|x| Term::number(x.clone())).collect();
            let term = reals.into_iter().reduce(|a, b| Term::pair(Ty::Real, Ty::Real, a, b)).unwrap();
            let point = Program { parameters: Vec::new(), term, ty: sample.ty.clone(), places: Vec::new() };
            let Ok(Answer { trace, neighbourhood: Some(ranges), .. }) = asked(&program, &point) else { continue };
            boxes += 1;
            bounded += u64::from(ranges.iter().any(|range| range.lo.is_some() || range.hi.is_some()));
            for part in [(0, 1), (1, 7), (1, 2), (9, 10), (1, 1)] {
                let part = Rational::from(part);
                let mut coordinates = ranges.iter().map(|range| within(range, &part));
                let value = Value::from_reals(&sample.ty, &mut coordinates).unwrap();
                let rho = Environment::of(&sample.x, value);
                let run =
                    |term: &Term| Evaluator::new(&numbers).within(STEPS).ordinary(&Functions::default(), &rho, term);
                match (run(&program.term), run(&trace)) {
                    (Ok(program), Ok(trace)) => assert_eq!(program, trace, "{at}"),
                    // a number that grew too long says nothing
                    (program, trace) => {
                        let unknown = |r: &Result<_, Obstacle>| {
                            r.as_ref().is_err_and(|e| e.undefined().is_some_and(|u| !u.certain))
                        };
                        assert!(unknown(&program) || unknown(&trace), "{at}: {program:?}, {trace:?}, {ranges:?}");
                    }
                }
            }
        }
    }
    println!("{boxes} boxes, {bounded} of them with an end");
    assert!(boxes > 100 && bounded > 60);
}

/// Ends that are known: by exact bisection, or in closed form.
#[test]
fn boxes_reach_to_the_guards() {
    let newton = r"\a => let rec it (x : Real) (a : Real) : Real = if x * x - a < 1e-3 then x else it ((x + a / x) / 2) a in it 2 a";
    for (text, at, expected) in [
        // three steps are taken between 0.885848855… and 2.698255235…
        (newton, "2", vec!["0.8859", "2.6982"]),
        // 10^¼ and √10
        (r"\x => let rec f (y : Real) : Real = if 10 < y then y else f (y * y) in f x", "2", vec!["1.7783", "3.1622"]),
        // f calls itself and its derivative down to below 1
        (
            "let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in f",
            "7/2",
            vec!["3.00001", "3.99999"],
        ),
        // the domain of log, and of what is in both branches
        (r"\x => if x < 5 then log x else 0", "1", vec!["0.0001", "4.9999"]),
        (r"\x => x * x", "1", vec!["-inf", "inf"]),
    ] {
        let answer = asked(&program(text), &program(at)).unwrap();
        let [range] = &answer.neighbourhood.unwrap()[..] else { panic!("{text}") };
        assert_eq!(range.decimals().to_vec(), expected, "{text}");
    }
}
