//! The campaign: its oracles know the truth, its paths agree, and a run can be taken up where it was left.

use smoothish::cli;
use smoothish::cli::evaluator::TheorySession;
use smoothish::law::campaign::{CampaignFault, DifferentialCampaign};
use smoothish::law::float::{FloatPrediction, estimate_graph, predict_float};
use smoothish::law::path::{EvaluationPath, PathResult, PathSubject};
use smoothish::meaning::presheaf::PresheafInterpreter;
use smoothish::number::Enclosure;
use smoothish::number::budget::Budget;
use smoothish::smooth::graph::Graph;
use std::sync::Arc;
use std::time::Duration;

fn subject(program: &str) -> PathSubject {
    graph(program).into()
}

fn graph(program: &str) -> Graph {
    let library = smoothish::syntax::library::Library::new();
    let (term, _) = library.infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
    let element = PresheafInterpreter::new(Arc::new(Budget::unlimited())).interpret_program(&term).unwrap();
    element.as_real().unwrap().clone()
}

/// Programs with closed forms.
const KNOWN: &[(&str, f64)] = &[
    ("1/3 + sqrt 2 - 3 * log 2", 1.0 / 3.0 + std::f64::consts::SQRT_2 - 3.0 * std::f64::consts::LN_2),
    (r"integral01 (\x => max 0 (x - 0.6))", 0.08),
    (r"deriv (\c => integral01 (\x => exp (c * x))) 0", 0.5),
    (r"deriv (\x => deriv (\y => y^3) x) 2", 12.0),
    (r"integral01 (\x => integral01 (\y => abs (x - y)))", 1.0 / 3.0),
    (r"deriv (\c => cutRoot (\x => c - x - x^3)) 2", 0.25),
    (r"firstRoot (\x => 1/4 - x^2)", 0.5),
    (r"max01 (\x => x * (1 - x))", 0.25),
    (r"argmax01 (\x => - (x - 1/3)^2)", 1.0 / 3.0),
    (r"deriv (\c => max01 (\x => c * x)) 2", 1.0),
    (r"(-8)^(2/3)", 4.0),
];

#[test]
fn floating_point_arithmetic_knows_closed_forms() {
    for (program, value) in KNOWN {
        let found = estimate_graph(&graph(program)).unwrap_or_else(|| panic!("{program}: no estimate"));
        let slack = 16.0 * found.error + 1e-6;
        assert!((found.value - value).abs() <= slack && slack < 0.05, "{program} is {value}, not {found}");
        let point = |x: f64| Enclosure::point(rug::Float::with_val(53, x)).unwrap();
        assert!(!found.contradicts(&point(*value)), "{program}: {found}");
        assert!(found.contradicts(&point(value + 0.2)) && found.contradicts(&point(value - 0.2)), "{program}: {found}");
    }
}

#[test]
fn there_is_no_estimate_where_floating_point_arithmetic_knows_nothing() {
    for program in [
        "1 / 0",
        "log (-1)",
        "signum 0",
        r"deriv (\x => max 0 x) 0",
        r"deriv abs (1/2 - 1/2)",
        r"argmax01 (\x => 1)",
        r"argmax01 (\x => (x - 1/2)^2)",
        r"integral01 (\x => 1 / x)",
        r"cutRoot (\x => 1)",
        r"integral01 (\x => integral01 (\y => integral01 (\z => sin (x * y * z))))",
    ] {
        assert_eq!(estimate_graph(&graph(program)), None, "{program}");
    }
}

#[test]
fn floating_point_arithmetic_sees_what_is_clearly_undefined() {
    for program in [
        "log (-1)",
        "0 * sqrt (-1/100)",
        r"integral01 (\x => log (x - 1/2))",
        r"max01 (\x => asin (2 * x))",
        r"deriv (\x => (x - 2)^(1/2)) 1",
        r"integral01 (\x => deriv (\y => y + log (x - 1/3)) 1)",
    ] {
        assert_eq!(predict_float(&graph(program)), FloatPrediction::Undefined, "{program}");
    }
    for program in
        ["sqrt 0", "asin 1", "log (1e-9)", r"deriv (\x => sqrt x) 1e-4", r"firstRoot (\x => sqrt (1/2 - x) - 1/2)"]
    {
        assert_ne!(predict_float(&graph(program)), FloatPrediction::Undefined, "{program}");
    }
}

#[test]
fn the_paths_without_shortcuts_are_what_they_say() {
    let width = |program: &str, path: EvaluationPath| match path
        .evaluate_subject(&subject(program), Duration::from_secs(2))
        .unwrap()
    {
        PathResult::Enclosure { enclosure, .. } => enclosure.width().floor_log2(),
        other => panic!("{program}: {path}: {other:?}"),
    };
    // sums of ranges converge like one over their number, expansions at once
    assert!(width(r"integral01 (\x => exp x)", EvaluationPath::Sums) > -20);
    assert!(width(r"integral01 (\x => exp x)", EvaluationPath::Double) < -45);
    // halving at a kink stops at the tolerance, splitting there is exact to rounding
    let kink = r"integral01 (\x => abs (x - 1/3))";
    assert!((-30..-18).contains(&width(kink, EvaluationPath::Halving)), "{}", width(kink, EvaluationPath::Halving));
    assert!(width(kink, EvaluationPath::Double) < -45);
    let smooth = graph("sin 1");
    assert_eq!(
        EvaluationPath::Sums.evaluate_subject(&smooth.into(), Duration::from_secs(1)).unwrap(),
        PathResult::Absent
    );
    let solved = graph(r"max01 (\x => x)");
    assert_eq!(
        EvaluationPath::Tower.evaluate_subject(&solved.into(), Duration::from_secs(1)).unwrap(),
        PathResult::Absent
    );
}

/// The status, and what is printed.
fn campaign(arguments: &[&str], interrupted: bool) -> (u8, String, String) {
    let mut library = TheorySession::load();
    let all = ["smoothish", "campaign"].iter().chain(arguments).map(Into::into);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let flag = Arc::new(interrupted.into());
    let status = cli::run_command_line(all, &mut library, &flag, &mut out, &mut err).unwrap();
    (status.code(), String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn a_run_goes_on_where_it_was_left() {
    let folder = std::env::temp_dir().join(format!("smoothish-campaign-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("state.json");
    let name = file.to_str().unwrap();
    let last = |text: &str| -> serde_json::Value { serde_json::from_str(text.lines().last().unwrap()).unwrap() };

    let first = campaign(&["--programs", "6", "--resume", name, "--json"], false);
    assert_eq!((first.0, &*first.2), (0, ""), "{}", first.1);
    let both = campaign(&["--programs", "15", "--resume", name, "--json"], false);
    let both = last(&both.1);
    assert_eq!((both["programs"].as_u64(), both["next"].as_u64()), (Some(15), Some(15)));
    let path = &both["paths"]["session"];
    let total: u64 = ["bounded", "half", "nothing", "absent"].iter().map(|k| path[k].as_u64().unwrap()).sum();
    assert_eq!(total, 15);

    // nothing is left to do
    let again = last(&campaign(&["--programs", "15", "--resume", name, "--json"], false).1);
    assert_eq!(again["paths"], both["paths"]);

    let (status, _, message) = campaign(&["--programs", "15", "--resume", name, "--seed", "2"], false);
    assert_eq!(status, 2);
    assert!(message.contains("made with --seed 1, not 2"), "{message}");
    std::fs::write(&file, "not JSON").unwrap();
    let (status, _, message) = campaign(&["--resume", name], false);
    assert_eq!(status, 2);
    assert!(message.contains("expected a file that"), "{message}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn an_interrupted_run_prints_its_counts_and_how_to_go_on() {
    let (status, out, _) = campaign(&["--programs", "100", "--seed", "9", "--from", "40"], true);
    assert_eq!(status, 0);
    let command = "to go on: smoothish campaign --seed 9 --millis 50 --from 40 --programs 100";
    assert!(out.contains("0 programs of seed 9") && out.contains(command), "{out}");
    let (status, _, err) = campaign(&["--millis", "0"], false);
    assert_eq!((status, &*err), (2, ""), "clap prints its own message");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_first_programs_have_no_fault() {
        let campaign = DifferentialCampaign::new(20_260_101, Duration::from_millis(10));
        let (mut answered, mut moving) = ([0; EvaluationPath::ALL.len()], [0; EvaluationPath::ALL.len()]);
        for index in 0..150 {
            let (verdict, disagreements) = campaign.judge_program(index);
            // how long it takes is the business of the machine
            let faults = disagreements.iter().filter(|d| !matches!(d.finding.fault, CampaignFault::Overrun(_)));
            assert_eq!(faults.map(|d| format!("{d:?}")).next(), None);
            assert_eq!(verdict.answers.len(), EvaluationPath::ALL.len());
            for (place, (_, found)) in verdict.answers.iter().enumerate() {
                if let PathResult::Enclosure { enclosure, .. } = found {
                    answered[place] += 1;
                    moving[place] += usize::from(!enclosure.contains(&smoothish::number::Rational::new()));
                }
            }
        }
        // by sweeps, and by the macro: a derivative that is 0 shows little
        let [reverse, by_macro, pieces] = [EvaluationPath::Reverse, EvaluationPath::Macro, EvaluationPath::Pieces]
            .map(|p| EvaluationPath::ALL.iter().position(|q| *q == p).unwrap());
        assert!(answered[reverse] > 60 && moving[reverse] > 30, "{answered:?} {moving:?}");
        assert!(answered[by_macro] > 20 && moving[by_macro] > 10, "{answered:?} {moving:?}");
        assert!(answered[pieces] > 60 && moving[pieces] > 30, "{answered:?} {moving:?}");
    }

    #[test]
    fn every_path_encloses_what_is_known() {
        let more = [(r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6", -0.4)];
        for (program, value) in KNOWN.iter().chain(&more) {
            let subject = subject(program);
            let mut answered = 0;
            for path in EvaluationPath::ALL {
                match path.evaluate_subject(&subject, Duration::from_secs(2)).unwrap() {
                    PathResult::Enclosure { enclosure, .. } => {
                        answered += 1;
                        let near = |end: &rug::Float, sign: f64| end.to_f64() * sign <= value * sign + 1e-15;
                        assert!(
                            near(enclosure.lo(), 1.0) && near(enclosure.hi(), -1.0),
                            "{program}: {path}: {enclosure}"
                        );
                    }
                    PathResult::Nothing { .. } => assert_eq!(path, EvaluationPath::Sums, "{program}"),
                    PathResult::Absent => {
                        let may_be = [
                            EvaluationPath::Tower,
                            EvaluationPath::Sums,
                            EvaluationPath::Halving,
                            EvaluationPath::Reverse,
                            EvaluationPath::Macro,
                            EvaluationPath::Pieces,
                        ];
                        assert!(may_be.contains(&path), "{program}: {path}");
                    }
                }
            }
            assert!(answered >= 4, "{program}");
        }
    }
}
