//! `--eps`, `--rel`, `--digits` and `--timeout`: the same four for every command that answers.

use super::cli::run;
use serde_json::Value;

#[test]
fn every_command_that_answers_takes_the_same_four() {
    let function = r"\x => exp (20 * x)";
    for asked in
        [&["--digits", "12"][..], &["--rel", "1e-12"], &["--eps", "1e-3", "--rel", "1e-12"], &["--timeout", "5"]]
    {
        for question in [
            &["eval", "exp 20"][..],
            &["agree", "exp 20"],
            &["agree", "--at", "1", function],
            &["table", "--from", "0", "--to", "1", function],
        ] {
            let run = run(&[&question[..1], asked, &question[1..]].concat());
            assert_eq!(run.status, Some(0), "{question:?} {asked:?}: {run:?}");
        }
    }
    for command in ["eval", "agree"] {
        let both = run(&[command, "--digits", "3", "--rel", "1e-3", "1"]);
        assert!(both.status == Some(2) && both.err.contains("cannot be used with"), "{both:?}");
        let none = run(&[command, "--digits", "0", "1"]);
        assert!(none.status == Some(2) && none.err.contains("significant digits"), "{none:?}");
    }
}

/// e²⁰ = 485165195.40979027796910683054154…: of three digits both ends agree with the first, and no more is printed than is asked.
#[test]
fn models_are_compared_to_significant_digits() {
    let answers = |asked: &[&str]| {
        let run = run(&[&["agree", "--json"], asked, &["exp 20"]].concat());
        let object: Value = serde_json::from_str(&run.out).expect("an object");
        let number = |end: &str| object["models"][0]["answer"][end].as_str().and_then(|end| end.parse::<f64>().ok());
        (number("lo").expect("a number"), number("hi").expect("a number"), object)
    };
    let truth = 485_165_195.409_790_3;
    let (lo, hi, three) = answers(&["--digits", "3"]);
    assert!(lo <= truth && truth <= hi && hi - lo <= 1e-3 * truth && hi - lo >= 1.0, "{three}");
    assert_eq!((&three["digits"], &three["eps"]), (&Value::from(3), &Value::Null));
    let (lo, hi, width) = answers(&["--eps", "1e-3"]);
    assert!(lo <= truth && truth <= hi && hi - lo <= 1e-3, "{width}");
    assert_eq!((&width["digits"], &width["eps"]), (&Value::Null, &Value::from("1e-3")));
}

/// The models take 10 seconds each where nothing is said, the others a minute; the help says of what.
#[test]
fn the_help_says_how_long() {
    for (command, words) in [
        ("agree", "Time limit of one semantics, in seconds [default: 10]"),
        ("eval", "Time limit of one question, in seconds [default: 60]"),
        ("table", "Time limit of one number, in seconds [default: 60]"),
    ] {
        let help = run(&[command, "-h"]);
        let help = help.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(help.contains(words) && help.contains("--digits <N>"), "{help}");
    }
}

/// The limits of the searches, as a command line sets them.
mod tuning {
    use super::super::cli::{finish, start};
    use super::run;
    use std::path::{Path, PathBuf};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("smoothish-tuning-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// Writes a file of limits.
    fn file(folder: &Path, text: &str) -> String {
        let file = folder.join("t.toml");
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }

    #[test]
    fn what_is_printed_can_be_read_again() {
        let folder = folder("printed");
        let printed = run(&["tuning"]);
        assert_eq!(printed.status, Some(0));
        assert!(
            printed.out.contains("\npanels = 65536\n") && printed.out.contains("\npanel_patience = 6\n"),
            "{printed:?}"
        );
        let all = file(&folder, &printed.out);
        assert_eq!(run(&["tuning", "--tuning", &all]).out, printed.out);
        // each limit is read, not only accepted
        let doubled: String = printed
            .out
            .lines()
            .map(|line| match line.split_once(" = ") {
                Some((key, value)) => format!("{key} = {}\n", 2 * value.parse::<u64>().unwrap()),
                None => format!("{line}\n"),
            })
            .collect();
        assert_ne!(doubled, printed.out);
        assert_eq!(run(&["tuning", "--tuning", &file(&folder, &doubled)]).out, doubled);
        // an effort multiplies limits on pieces alone
        let effort = run(&["tuning", "--effort", "4"]).out;
        assert!(effort.contains("\npanels = 262144\n") && effort.contains("\npanel_patience = 6\n"), "{effort}");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_wrong_limit_is_refused_with_what_was_expected() {
        let folder = folder("wrong");
        for (text, expected) in [
            ("pannels = 3", "t.toml: unknown key \"pannels\"; did you mean \"panels\"?"),
            ("# pieces\ncolour = \"red\"", "t.toml: unknown key \"colour\""),
            ("panels = 0", "t.toml: panels is a whole number from 1 to 1099511627776, not 0"),
            ("panels = -5", "not -5"),
            ("panels = \"many\"", "t.toml: panels is a whole number, not \"many\""),
            ("panels = 1.5", "t.toml: panels is a whole number, not 1.5"),
            ("\npanels", "t.toml: line 2: "),
        ] {
            let run = run(&["eval", "--tuning", &file(&folder, text), "1"]);
            assert!(run.status == Some(2) && run.out.is_empty() && run.err.contains(expected), "{text}: {run:?}");
        }
        let commands: [&[&str]; 4] = [
            &["eval", "1"],
            &["repl"],
            &["audit", "--at", "1", "--claim", "1", r"\x => x"],
            &["pieces", "--from", "0", "--to", "1", r"\x => x"],
        ];
        for command in commands {
            let missing = run(&[command, &["--tuning", "/nowhere/t.toml"]].concat());
            assert!(missing.status == Some(2) && missing.err.contains("/nowhere/t.toml"), "{command:?}: {missing:?}");
        }
        for (effort, expected) in [
            ("0.5", "effort is at least 1, not 0.5"),
            ("-3", "not -3"),
            ("NaN", "effort is at least 1"),
            ("much", "much"),
        ] {
            let run = run(&["eval", "--effort", effort, "1"]);
            assert!(run.status == Some(2) && run.err.contains(expected), "{effort}: {run:?}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    /// Three arches of 1/10 each and a part of the fourth: ∫₀¹ max(0, sin 20x) dx = 3/10 + (1 - cos 20)/20.
    const TRUTH: f64 = 0.329_595_896_909_330_4;

    #[test]
    fn limits_change_the_width_and_never_the_truth() {
        let folder = folder("width");
        let question = r"integral01 (\x => max 0 (sin (20*x)))";
        let width = |arguments: &[&str]| {
            let run = run(&[&["eval", "--message-format", "short"], arguments, &[question]].concat());
            let ends: Vec<f64> = run.out.split_whitespace().map(|end| end.parse().unwrap()).collect();
            let [lo, hi] = ends[..] else { panic!("{run:?}") };
            assert!(lo <= TRUTH && TRUTH <= hi, "{arguments:?}: {run:?}");
            hi - lo
        };
        let few = file(&folder, "panels = 2\npatient_panels = 2");
        let usual = width(&[]);
        assert!(usual <= 1e-6, "{usual}");
        assert!(width(&["--tuning", &few]) > 1e-3, "two panels are too few");
        // every command that searches reads them
        let piped = |arguments: &[&str]| {
            let run = finish(start(&[&["repl"], arguments].concat()), format!("{question}\n").into());
            format!("{}{}", run.out, run.err)
        };
        assert!(!piped(&[]).contains("not reached"), "{}", piped(&[]));
        assert!(piped(&["--tuning", &few]).contains("not reached"), "{}", piped(&["--tuning", &few]));
        // the effort grants what the file withholds
        assert!(width(&["--tuning", &few, "--effort", "1000"]) <= 1e-6);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
