//! More work never widens an answer: what a budget gives is a part of what a smaller one gives, exactly.

use super::Counted;
use smoothish::cli::demo::PROGRAMS;
use smoothish::law::generate;
use smoothish::number::budget::Budget;
use smoothish::number::real::Precision;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::plot::{PlotRequest, plot_function};
use smoothish::session::tolerance::list_enclosures;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::map::{Map, coordinates};
use std::sync::{Arc, OnceLock};
use typenum::{U1, U2};

fn session() -> &'static Session {
    static SESSION: OnceLock<Session> = OnceLock::new();
    SESSION.get_or_init(Session::new)
}

/// Budgets that grow by this factor, in hundredths.
fn works(least: u64, most: u64, percent: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(least), move |w| Some(w * percent / 100 + 1)).take_while(move |w| *w <= most)
}

/// The numbers of an answer; `None` where the program could not be read to its end.
fn ask(question: &str, eps: &Rational, work: u64) -> Option<Vec<Enclosure>> {
    let limits = Limits { work: Some(work), ..Limits::none() };
    let answer = session().ask(&Evaluate::new(question).with_width(eps.clone()), &limits).ok()?;
    Some(list_enclosures(answer.value()).into_iter().map(|number| number.enclosure.clone()).collect())
}

/// Each list of enclosures says at least as much as the one before. The last one.
fn nested(name: &str, answers: impl IntoIterator<Item = (u64, Option<Vec<Enclosure>>)>) -> Vec<Enclosure> {
    let mut last: Option<(u64, Vec<Enclosure>)> = None;
    for (work, found) in answers {
        let Some(found) = found else {
            assert!(last.is_none(), "{name}: an answer at less work than {work}, and none there");
            continue;
        };
        if let Some((less, before)) = &last {
            for (a, b) in before.iter().zip(&found) {
                assert!(a.specializes(b), "{name}: {a:?} for {less}, and {b:?} for {work}");
            }
        }
        last = Some((work, found));
    }
    last.unwrap_or_else(|| panic!("{name}: no answer")).1
}

fn asked(question: &str, eps: &str, works: impl IntoIterator<Item = u64>) -> Vec<Enclosure> {
    let eps = decimal::parse(eps).unwrap();
    nested(question, works.into_iter().map(|work| (work, ask(question, &eps, work))))
}

/// Whether the width is at most this.
fn is_narrow(enclosure: &Enclosure, width: &str) -> bool {
    enclosure.is_defined() && enclosure.has_width_at_most(&decimal::parse(width).unwrap())
}

#[test]
fn the_questions_of_the_demonstration() {
    for program in PROGRAMS {
        let found = asked(program.source, "1e-6", works(10, 400_000, 170).chain([20_000_000]));
        assert!(found.iter().all(|e| e.is_bounded()), "{}: {found:?}", program.title);
    }
}

#[test]
fn a_minimum_that_a_later_cut_lost() {
    let question = r"argmin01 (\m => integral01 (\x => (let r = abs (x^2 - m) in max (r^2/2) (0.2*(r - 0.1)))))";
    let found = asked(question, "1e-9", works(1_000, 3_000_000, 120));
    assert!(is_narrow(&found[0], "0.1") && found[0].contains(&Rational::from((1, 3))), "{found:?}");
}

/// The quarter disc and the unit square, both filled: the corner (1, 1) is farthest from the disc.
const DISC: &str = r"let disc (f : Real^2 -> Real) : Real =
  max01 (\r => max01 (\t => f (r * cos (pi/2 * t), r * sin (pi/2 * t)))) in
  let square (f : Real^2 -> Real) : Real = max01 (\x => max01 (\y => f (x, y))) in ";

#[test]
fn the_distance_of_two_filled_shapes() {
    let corner = decimal::parse("0.41421356237309504880").unwrap();
    let farthest = format!(r"{DISC} square (\p => - disc (\q => - R2Dist p q))");
    let found = asked(&farthest, "1e-6", works(1_000, 3_000_000, 150));
    assert!(found[0].contains(&corner), "{found:?}");
    let both = format!("{DISC} Maximizer.hausdorffDist R2Dist square disc");
    let found = asked(&both, "1e-6", works(1_000, 3_000_000, 200));
    assert!(found[0].contains(&corner), "{found:?}");
}

#[test]
fn hausdorff_distances() {
    for question in [
        "hausdorffDist R2Dist lShape (quarterCircle 0)",
        r"deriv (\y => hausdorffDist R2Dist lShape (quarterCircle y)) 0",
        r"hausdorffDist (\(a b : Real) => abs (a - b)) unitInterval (map (\x => x + 1/4) unitInterval)",
    ] {
        let question = format!("let map = Maximizer.map in {question}");
        asked(&question, "1e-6", works(100, 500_000, 150));
    }
}

#[test]
fn tuples_and_lists_share_a_budget() {
    let question = r"(integral01 (\x => abs (x^2 - 1/3)), [cutRoot (\x => 2 - x^3), max01 (\x => x * exp (-x))],
        Just (integral01 (\x => max01 (\y => sin (3*x*y)))), pi)";
    let found = asked(question, "1e-12", works(10, 3_000_000, 130));
    assert!(found.len() == 5 && found.iter().all(|e| is_narrow(e, "1e-3")), "{found:?}");
}

#[test]
fn the_same_work_gives_the_same_answer() {
    let question = r"integral01 (\x => max01 (\y => sin (3*x*y) - abs (x - y)))";
    let eps = Rational::from((1, 1_000_000));
    for work in [3_000, 30_000, 300_000] {
        assert_eq!(ask(question, &eps, work), ask(question, &eps, work));
    }
}

#[test]
fn maps_over_points_and_boxes() {
    let f: Map<(U2, U1), U1> = {
        let [x, y] = coordinates::<U2, 2>();
        let (place, t) = (Map::<(U2, U1), U2>::first(), Map::<(U2, U1), U1>::second());
        let [x, y] = [place.then(&x), place.then(&y)];
        (&x * &t).sin() + (&y - &t).relu()
    };
    let (area, highest) = (f.integral01(), f.max01());
    let point = [Rational::from((1, 3)), Rational::from((2, 3))];
    let around = point.clone().map(|q| [q.clone() - 1u32, q + 1u32]);
    let eps = Rational::from((1, 1_000_000_000));
    let direction = vec![Rational::from(1), Rational::from(2)];
    for map in [&area, &highest] {
        for directions in [vec![], vec![direction.clone()], vec![direction.clone(), direction.clone()]] {
            let found = works(10, 300_000, 150).map(|work| {
                let value = map.derivative_at(&point, &directions).unwrap();
                (work, Some(value.enclose(&eps, &Budget::new(work, None, None)).unwrap().enclosures()))
            });
            nested("a derivative", found);
        }
        for tier in [Precision::Double, Precision::Mpfr(128)] {
            let ask = |work: u64| map.range_slice(&around, tier, &Budget::new(work, None, None)).unwrap();
            nested("a range", works(10, 300_000, 150).map(|work| (work, Some(ask(work)))));
            let slopes =
                |work: u64| map.derivative_over(&around, tier, &Budget::new(work, None, None)).unwrap().concat();
            nested("slopes on a box", works(10, 300_000, 150).map(|work| (work, Some(slopes(work)))));
        }
    }
}

#[test]
fn a_stream_of_one_number() {
    let (term, _) = session().infer(r"integral01 (\x => max01 (\y => sin (3*x*y) - abs (x - y)))").unwrap();
    let streams = works(1_000, 1_000_000, 200).map(|work| {
        let budget = Arc::new(Budget::unlimited());
        let element = smoothish::meaning::presheaf::PresheafInterpreter::new(budget).interpret_program(&term).unwrap();
        let real = element.as_real().unwrap().to_real().unwrap();
        let budget = Budget::new(work, None, None);
        let stages: Vec<_> = real.nested_enclosures(4, &budget).take(4).map(Result::unwrap).collect();
        assert!(stages.windows(2).all(|pair| pair[0].specializes(&pair[1])), "{stages:?}");
        (work, Some(vec![stages.last().unwrap().clone()]))
    });
    nested("a stream", streams);
}

#[test]
fn the_columns_of_a_plot() {
    let source = r"\c => integral01 (\x => max01 (\y => sin (5*x*y) - abs (x - c*y)))";
    let [low, high] = [-2, 2].map(|n| Some(Rational::from(n)));
    let request =
        PlotRequest { columns: 4, rows: 20, orders: vec![0, 1], low, high, ..PlotRequest::new(0.into(), 1.into()) };
    let plots = works(100, 1_000_000, 170).map(|work| {
        let plot = plot_function(
            &session().infer_curve(source).unwrap(),
            source,
            &request,
            &Arc::new(Budget::new(work, None, None)),
        )
        .unwrap();
        let columns = plot.envelopes.iter().flat_map(|envelope| &envelope.columns);
        (work, Some(columns.map(|c| c.enclosure().cloned().unwrap_or_else(Enclosure::bottom)).collect()))
    });
    let found = nested("a plot", plots);
    assert!(found.iter().any(Enclosure::is_bounded), "{found:?}");
}

/// Once the work is used up nothing is begun that the answer would not have: the rest of a round of halves above all.
#[test]
fn a_search_ends_where_its_work_does() {
    let work = 2_000_000;
    for question in [
        r"integral01 (\x => integral01 (\y => 1/(x*y)))",
        r"integral01 (\x => integral01 (\y => abs (sin (40*x*y))))",
        r"integral01 (\x => max01 (\y => max01 (\z => sin (30*x*y*z) + cos (20*y + z))))",
        r"max01 (\x => max01 (\y => max01 (\z => sin (x*y*30 + z*20) * cos (x*17) + x*y - z^2)))",
    ] {
        let limits = Limits { work: Some(work), ..Limits::none() };
        let asked = Counted(Evaluate::new(question).with_width("1e-12"));
        let (_, done) = session().ask(&asked, &limits).expect("a program").into_value();
        println!("{done} of {work}: {question}");
        assert!(done > work && done < work + work / 100, "{done} of {work}: {question}");
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn random_programs() {
        let eps = Rational::from((1, 1_000_000));
        for index in 0..crate::drawn(300) {
            let text = generate::random_program(14, index).term.to_string();
            nested(
                &text,
                [30, 300, 3_000, 10_000, 30_000, 100_000, 300_000]
                    .into_iter()
                    .take(crate::in_tiers(5, 7))
                    .map(|work| (work, ask(&text, &eps, work))),
            );
        }
    }
}
