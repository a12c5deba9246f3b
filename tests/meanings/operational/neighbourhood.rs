//! Boxes on which traces are valid (A Thm 6.2 (2)), against exact arithmetic at points of them.

use super::command::smoothish;
use super::*;
use smoothish::law::generate::program::{ProgramVocabulary, draw_trace_sample_in};
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::trace::question::{TraceAnswer, TraceQuestion, ValidityInterval, trace_with_region};
use smoothish::trace::term::approximant;
use std::time::Duration;

fn asked(program: &CoreProgram, point: &CoreProgram) -> Result<TraceAnswer, TraceError> {
    let budget = Budget::with_time_limit(Duration::from_secs(60));
    trace_with_region(&TraceQuestion {
        program,
        point: Some(point),
        strategy: Strategy::default(),
        record: None,
        budget: &budget,
    })
}

/// A number of a range, at some part of the way from its lower end.
fn within(range: &ValidityInterval, part: &Rational) -> Rational {
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
    let numbers = Rationals { max_bits: 4_000 };
    let (mut boxes, mut bounded) = (0, 0);
    for index in 0..120 {
        let sample = draw_trace_sample_in(SplitMix64::for_sample(11, index), ProgramVocabulary::RATIONAL);
        let parameters = vec![(sample.x.clone(), sample.ty.clone())];
        let term = approximant(&sample.term, 5);
        let program = CoreProgram::new(parameters, term, sample.codomain.clone());
        for point in &sample.points[..2] {
            let at = format!("{point} in {}", program.term);
            let reals: Vec<CoreTerm> =
                point.real_components().into_iter().map(|x| CoreTerm::number(x.clone())).collect();
            let term = reals.into_iter().reduce(|a, b| CoreTerm::pair(CoreTy::Real, CoreTy::Real, a, b)).unwrap();
            let point = CoreProgram::new(Vec::new(), term, sample.ty.clone());
            let Ok(TraceAnswer { trace, validity_region: Some(ranges), .. }) = asked(&program, &point) else {
                continue;
            };
            boxes += 1;
            bounded += u64::from(ranges.iter().any(|range| range.lo.is_some() || range.hi.is_some()));
            for part in [(0, 1), (1, 7), (1, 2), (9, 10), (1, 1)] {
                let part = Rational::from(part);
                let mut coordinates = ranges.iter().map(|range| within(range, &part));
                let value = CoreValue::from_reals(&sample.ty, &mut coordinates).unwrap();
                let rho = CoreEnvironment::of_variable(&sample.x, value);
                let run = |term: &CoreTerm| {
                    TraceEvaluator::new(&numbers).with_step_limit(STEPS).evaluate_ordinary(
                        &FunctionEnvironment::default(),
                        &rho,
                        term,
                    )
                };
                match (run(&program.term), run(&trace)) {
                    (Ok(program), Ok(trace)) => assert_eq!(program, trace, "{at}"),
                    // a number that grew too long says nothing
                    (program, trace) => {
                        let unknown = |r: &Result<_, TraceError>| {
                            r.as_ref().is_err_and(|e| e.as_undefined().is_some_and(|u| !u.certain))
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
        (newton, "2", vec!["0.8859", "2.69825"]),
        // 10^¼ and √10
        (r"\x => let rec f (y : Real) : Real = if 10 < y then y else f (y * y) in f x", "2", vec!["1.77828", "3.1622"]),
        // f calls itself and its derivative down to below 1
        (
            "let rec f (x : Real) : Real = if x < 1 then x * x else x * rd f (x - 1) 1 in f",
            "7/2",
            vec!["3.00001", "3.99999"],
        ),
        // the domain of log, and of what is in both branches
        (r"\x => if x < 5 then log x else 0", "1", vec!["0.00001", "4.9999"]),
        (r"\x => x * x", "1", vec!["-inf", "inf"]),
    ] {
        let answer = asked(&program(text), &program(at)).unwrap();
        let [range] = &answer.validity_region.unwrap()[..] else { panic!("{text}") };
        assert_eq!(range.to_decimals().to_vec(), expected, "{text}");
    }
}

/// The box that is printed of each input, as text and as JSON.
fn printed(text: &str, at: &str) -> Vec<[String; 2]> {
    let (line, complaint, status) = smoothish(&["trace", "--at", at, text]);
    assert_eq!((&*complaint, status), ("", 0), "{text}");
    let (_, ranges) = line.lines().find_map(|line| line.split_once(" in [")).unwrap_or_else(|| panic!("{line}"));
    let ends = |range: &str| {
        let (lo, hi) = range.trim_matches(['[', ']']).split_once(", ").unwrap_or_else(|| panic!("{line}"));
        [lo.to_owned(), hi.to_owned()]
    };
    let as_text: Vec<[String; 2]> = ranges.split(" × ").map(ends).collect();
    let (json, _, status) = smoothish(&["trace", "--json", "--at", at, text]);
    assert_eq!(status, 0);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let end = |range: &serde_json::Value, name: &str| range[name].as_str().unwrap().to_owned();
    let as_json: Vec<_> =
        json["valid"].as_array().unwrap().iter().map(|range| ["lo", "hi"].map(|name| end(range, name))).collect();
    assert_eq!(as_text, as_json, "{text}");
    as_text
}

/// Theorem 6.2 (2) of what is printed: the point lies in its inside, on every axis there is a reach that the guard allows, and at all corners
/// of the part near the point the branches are those of the point. The functions of the guards are written here again.
#[test]
fn the_point_lies_inside_of_the_printed_box() {
    type Holds = fn(&[f64]) -> bool;
    let asked: [(&str, &str, &[f64], Holds, f64); 9] = [
        (r"\(t : Real) => (if t < 1e9 then 1/t else t)", "0.3", &[0.3], |t| 0.0 < t[0] && t[0] < 1e9, 0.29),
        (
            r"\(t : Real) => if t * (1000 - t) > 0 then t else 0",
            "0.00001",
            &[0.00001],
            |t| t[0] * (1000.0 - t[0]) > 0.0,
            0.000009,
        ),
        (r"\(t : Real) => if 0 < t then t else 0", "1e-7", &[1e-7], |t| 0.0 < t[0], 9e-8),
        (r"\(t : Real) => sqrt (t / t)", "0.8", &[0.8], |t| t[0] > 0.0, 0.79),
        (
            r"\(t, u) => if t * u < 1/5 then t else u",
            "(1/3, 1/3)",
            &[1.0 / 3.0, 1.0 / 3.0],
            |t| t[0] * t[1] < 0.2,
            0.11,
        ),
        (
            r"\(x, y, z) => if x*x + y*y + z*z < 4 then x else y",
            "(1,1,1)",
            &[1.0, 1.0, 1.0],
            |x| x.iter().map(|x| x * x).sum::<f64>() < 4.0,
            0.15,
        ),
        // of the same kind, with other numbers: far away, near to both ends, a point that is no rational number
        (r"\(t : Real) => if t > -1e12 then t else 0", "-7e11", &[-7e11], |t| t[0] > -1e12, 2.9e11),
        (
            r"\(t : Real) => if t < 2.00001 then log (t - 1.99999) else 0",
            "2",
            &[2.0],
            |t| t[0] < 2.00001 && t[0] > 1.99999,
            9e-6,
        ),
        (
            r"\(t, u) => if t < u then t else u",
            "(sqrt 2, pi/2)",
            &[std::f64::consts::SQRT_2, std::f64::consts::FRAC_PI_2],
            |t| t[0] < t[1],
            0.07,
        ),
    ];
    for (text, at, point, holds, reach) in asked {
        let printed = printed(text, at);
        assert_eq!(printed.len(), point.len(), "{text}");
        let ends: Vec<[f64; 2]> =
            printed.iter().map(|range| [&range[0], &range[1]].map(|end| end.parse().unwrap())).collect();
        for ([lo, hi], x) in ends.iter().zip(point) {
            // the largest cube is in the box
            assert!(lo < x && x < hi && x - lo >= reach && hi - x >= reach, "{text}: {printed:?}");
        }
        for corner in 0..1u32 << point.len() {
            let at: Vec<f64> = ends
                .iter()
                .enumerate()
                .map(|(i, ends)| match ends[(corner >> i & 1) as usize] {
                    end if end.is_finite() => end,
                    end => 1e9f64.copysign(end),
                })
                .collect();
            assert!(holds(&at), "{text} at {at:?}");
        }
    }
}

/// The first axis does not take the room of the last: beside a disc all have the same.
#[test]
fn all_axes_grow_together() {
    let [x, y] = &printed(r"\(x, y) => if x*x + y*y < 4 then x else y", "(0, 0)")[..] else { panic!() };
    assert_eq!(x, y);
    // √2, rounded inward
    assert_eq!(x, &["-1.4142".to_owned(), "1.4142".to_owned()]);
}
