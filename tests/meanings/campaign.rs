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
use std::path::{Path, PathBuf};
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

/// Records the answers to questions, and returns the lines of the record.
fn record_questions(folder: &Path, questions: &str) -> Vec<String> {
    let [from, to] = ["questions.txt", "answers.rec"].map(|name| folder.join(name));
    std::fs::write(&from, questions).unwrap();
    let [from, to] = [&from, &to].map(|file| file.to_str().unwrap());
    let (status, out, err) = campaign(&["--record", to, "--work", "20000", "--questions", from], false);
    assert_eq!((status, &*err), (0, ""), "{out}");
    std::fs::read_to_string(to).unwrap().lines().map(str::to_owned).collect()
}

/// Compares this build with a record of these lines.
fn compare_with(folder: &Path, lines: &[String]) -> (u8, String, String) {
    let file = folder.join("changed.rec");
    std::fs::write(&file, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
    campaign(&["--against", file.to_str().unwrap()], false)
}

/// A folder of a test.
fn make_folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("smoothish-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_record_depends_on_neither_the_run_nor_the_threads() {
    let folder = make_folder("record");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let record = |name: &str, threads: &str| {
        let arguments =
            ["--record", &file(name), "--work", "30000", "--programs", "24", "--seed", "5", "--threads", threads];
        let (status, out, err) = campaign(&arguments, false);
        assert_eq!((status, &*err), (0, ""), "{out}");
        std::fs::read_to_string(file(name)).unwrap()
    };
    let first = record("a", "1");
    assert_eq!(first, record("b", "1"));
    assert_eq!(first, record("c", "2"));
    // a line of options and one for each program; some passes, and some limits that were met
    assert_eq!(first.lines().count(), 25);
    assert!(first.matches("\"tolerance\"").count() > 24 && first.contains("\"exhausted\":true"), "{first}");
    let (status, out, _) = campaign(&["--against", &file("a"), "--threads", "2"], false);
    assert_eq!(status, 0);
    assert!(out.starts_with("24 answers: 0 worse; 24 with the same passes, bit by bit\n"), "{out}");
    assert!(out.contains("median 1.000, 99th percentile 1.000"), "{out}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Each line: how a record is changed, and what is said about an answer that is as before.
#[test]
fn a_changed_record_is_refused_for_each_reason() {
    let folder = make_folder("against");
    // √2 = 0x1.6a09e667…; a set, [0, 1], whose ends are not found any closer; and a value that does not exist
    let questions = "sqrt 2\nderiv (\\x => max 0 x) 0\n1/0\n";
    let lines = record_questions(&folder, questions);
    assert_eq!(compare_with(&folder, &lines).0, 0);
    let answer = |line: &str| -> serde_json::Value { serde_json::from_str(line).unwrap() };
    let changed = |number: usize, changes: &[(&str, serde_json::Value)]| {
        let (mut lines, mut object) = (lines.clone(), answer(&lines[number]));
        for (key, value) in changes {
            object[*key] = value.clone();
        }
        lines[number] = object.to_string();
        compare_with(&folder, &lines)
    };
    for (number, changes, reason) in [
        (1, &[("lo", "1.6a09e667".into()), ("hi", "1.6a09e667".into())][..], Some("disjoint: ")),
        (1, &[("lo", "-1".into()), ("hi", "1.6a09e667".into())], Some("disjoint: ")),
        // wider than now, and therefore no loss
        (1, &[("lo", "1".into()), ("hi", "2".into())], None),
        (2, &[("reached", true.into())], Some("missed: ")),
        (2, &[("lo", "0.04".into())], Some("wider: ")),
        // by half a hundredth
        (2, &[("lo", "0.01".into())], None),
        (3, &[("defined", true.into())], Some("undefined: ")),
        (3, &[("lo", "0".into())], Some("wider: ")),
    ] {
        let (status, out, err) = changed(number, changes);
        match reason {
            Some(reason) => {
                assert!(status == 1 && out.starts_with(reason), "{changes:?}: {status} {out}{err}");
                assert!(out.contains("3 answers: 1 worse; 2 with the same passes"), "{changes:?}: {out}");
            }
            None => {
                assert!(status == 0 && out.starts_with("3 answers: 0 worse; 2 with the same passes"), "{out}{err}");
            }
        }
    }
    // an error that the record does not have
    let question = |text: &str| changed(1, &[("program", text.into())]);
    let (status, out, _) = question("sqrt");
    assert!(status == 1 && out.starts_with("failed: ") && out.contains("not recorded: its type is"), "{out}");
    // the work of the three answers is 2, 1 and 1 times what the record says
    let work = answer(&lines[1])["work"].as_u64().unwrap();
    let (_, out, _) = changed(1, &[("work", (work / 2).into())]);
    assert!(out.contains("median 1.000, 99th percentile 2.000"), "{out}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_file_that_is_no_record_is_refused() {
    let folder = make_folder("no-record");
    let lines = record_questions(&folder, "1/3\n----\nlet x = 2 in\nsqrt x\n");
    assert!(lines.len() == 3 && lines[2].contains("let x = 2 in\\nsqrt x"), "{lines:?}");
    let mut without_line = lines.clone();
    without_line.pop();
    let mut broken = lines.clone();
    broken[1] = broken[1].replace("\"work\"", "\"labour\"");
    for (lines, expected) in [
        (vec!["{}".to_owned()], "line 1 is not what `smoothish campaign --record` writes"),
        (without_line, "it has 1 programs, and its first line tells of 2"),
        (broken, "line 2 is not what"),
        (Vec::new(), "line 1 is not what"),
    ] {
        let (status, out, err) = compare_with(&folder, &lines);
        assert!(status == 2 && err.contains(expected) && out.is_empty(), "{err}");
    }
    // a random program that this build makes otherwise
    let file = folder.join("random.rec");
    let name = file.to_str().unwrap();
    assert_eq!(campaign(&["--record", name, "--work", "10", "--programs", "2"], false).0, 0);
    let text = std::fs::read_to_string(&file).unwrap().replace("\"index\":1", "\"index\":7");
    std::fs::write(&file, text).unwrap();
    let (status, _, err) = campaign(&["--against", name], false);
    assert!(
        status == 2 && err.contains("program 7 of seed 1") && err.contains("is another program in this build"),
        "{err}"
    );
    let (status, _, err) = campaign(&["--against", "/nowhere/a.rec"], false);
    assert!(status == 2 && err.contains("/nowhere/a.rec"), "{err}");
    let (status, _, err) = campaign(&["--record", "/nowhere/a.rec"], false);
    assert!(status == 2 && err.contains("there is no folder /nowhere"), "{err}");
    assert_eq!(campaign(&["--work", "5"], false).0, 2);
    let (status, _, err) = campaign(&["--questions", name], false);
    assert!(status == 2 && err.contains("--questions needs --record FILE"), "{err}");
    std::fs::remove_dir_all(&folder).unwrap();
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
