//! `smoothish plot` as a person meets it.

use serde_json::Value as Json;
use smoothish::number::{Rational, decimal};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.arg("plot").args(arguments).stdin(Stdio::null());
    command.env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8").env_remove("COLUMNS");
    command
}

fn run(arguments: &[&str]) -> (Option<i32>, String, String) {
    ended(command(arguments).output().expect("the program starts"))
}

fn ended(Output { status, stdout, stderr }: Output) -> (Option<i32>, String, String) {
    let [out, err] = [stdout, stderr].map(|bytes| String::from_utf8(bytes).expect("UTF-8"));
    assert!(!err.contains("panicked"), "{err}");
    (status.code(), out, err)
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn text_is_printed_without_a_file() {
    let (status, out, err) = run(&[r"\x => abs x", "--from", "-1", "--to", "1", "--deriv", "1"]);
    assert_eq!((status, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("\\x => abs x\nf′\n"), "{out}");
    assert!(out.lines().all(|l| l.chars().count() <= 80) && out.contains('⡇') && !out.is_ascii(), "{out}");
    let ascii = ended(command(&[r"\x => x", "--from=0", "--to=1"]).env("LC_ALL", "C").output().unwrap());
    assert!(ascii.1.is_ascii(), "{}", ascii.1);
    assert!(run(&[r"\x => x", "--from=0", "--to=1", "--ascii"]).1.is_ascii());
    let narrow = ended(command(&[r"\x => x", "--from=0", "--to=1"]).env("COLUMNS", "40").output().unwrap());
    assert!(narrow.1.lines().all(|l| l.chars().count() <= 40), "{}", narrow.1);
}

#[test]
fn statuses_follow_what_is_drawn() {
    for (arguments, status, note) in [
        (&[r"\x => x^2", "--from=-1", "--to=1"][..], 0, ""),
        (
            &[r"\x => 1/x", "--from=-1", "--to=2", "--columns=3"],
            3,
            "not shown to be defined on 2 of 3 columns: x in [-1, 1]",
        ),
        (&[r"\x => log (-1 - x^2)", "--from=-1", "--to=1", "--columns=4"], 4, "on 4 of 4 columns: x in [-1, 1]"),
        (&[r"\c => cutRoot (\x => c - x^3)", "--from=1", "--to=2", "--columns=4"], 0, "assuming that cutRoot"),
    ] {
        let (found, out, err) = run(arguments);
        assert_eq!(found, Some(status), "{arguments:?}: {err}");
        assert!(err.contains(note) && (!note.is_empty() || err.is_empty()), "{arguments:?}: {err}");
        assert!(!out.is_empty());
    }
}

#[test]
fn wrong_questions_are_refused() {
    let from_to = |rest: &[&'static str]| [&["--from=0", "--to=1"], rest].concat();
    for (arguments, reason) in [
        (from_to(&["2"]), "expected Real -> Real, found Real; write `\\x => …`"),
        (from_to(&[r"\x y => x + y"]), "found Real -> Real -> Real"),
        (from_to(&[r"\x => derv x"]), "--> question:1:7"),
        (from_to(&[r"\c => cutRoot (\x => x - c)"]), "cutRoot needs a function"),
        (from_to(&[r"\x => x", "--deriv", "21"]), "21 is not in 0..=20"),
        (from_to(&[r"\x => x", "--deriv", "-1"]), "invalid value '-1' for '--deriv <K>'"),
        (from_to(&[r"\x => x", "--columns", "0"]), "between 1 and 10000"),
        (from_to(&[r"\x => x", "--ymin=1", "--ymax=0"]), "the vertical axis would run from 1 to 0"),
        (from_to(&[r"\x => x", "-o", "x.gif"]), "x.gif: a picture is a file that ends in .svg or .png"),
        (from_to(&[r"\x => x", "-o", "svg"]), "ends in .svg or .png"),
        (from_to(&[r"\x => x", "-o", "no such folder/x.svg"]), "there is no folder no such folder"),
        (from_to(&[r"\x => x", "-o", "x.svg", "--width=100"]), "between 160 and 4000, not 100"),
        (from_to(&[r"\x => x", "--width=10"]), "between 20 and 1000, not 10"),
        (from_to(&[r"\x => x", "--timeout=0"]), "greater than 0"),
        (vec![r"\x => x", "--from=1", "--to=1/2"], "the horizontal axis would run from 1 to 0.5"),
        (vec![r"\x => x", "--from=po", "--to=4"], "`po` is not a number"),
        (vec![r"\x => x", "--from=1/0", "--to=4"], "is not a number"),
        (vec![r"\x => x", "--from=0", "--to=1e99999"], "binary digits"),
        (vec![r"\x => x", "--from=0", "--to=inf"], "`inf` is not a number"),
        (vec![r"\x => x", "--from=0"], "--to <B>"),
        (vec!["--from=0", "--to=1"], "<EXPR>"),
    ] {
        let (status, out, err) = run(&arguments);
        assert_eq!((status, out.as_str()), (Some(2), ""), "{arguments:?}: {err}");
        assert!(err.contains(reason), "{arguments:?}: {err}");
    }
    assert!(!PathBuf::from("x.gif").exists() && !PathBuf::from("x.svg").exists());
}

#[test]
fn pictures_are_written_whole() {
    let folder = folder("pictures");
    for name in ["a.svg", "b.PNG"] {
        let path = folder.join(name);
        fs::write(&path, "what was there before").unwrap();
        let (status, out, err) = run(&[r"\x => x^2", "--from=-1", "--to=1", "-o", path.to_str().unwrap()]);
        assert_eq!((status, out.as_str(), err.as_str()), (Some(0), "", ""));
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.starts_with(b"<svg ") || bytes.starts_with(b"\x89PNG"));
    }
    let refused = folder.join("a.svg");
    let before = fs::read(&refused).unwrap();
    assert_eq!(run(&[r"\x => y", "--from=-1", "--to=1", "-o", refused.to_str().unwrap()]).0, Some(2));
    assert_eq!(fs::read(&refused).unwrap(), before);
    let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 2, "nothing else is left: {names:?}");
}

#[cfg(unix)]
#[test]
fn a_link_keeps_pointing_where_it_does() {
    let folder = folder("links");
    fs::write(folder.join("target.svg"), "old").unwrap();
    std::os::unix::fs::symlink("target.svg", folder.join("link.svg")).unwrap();
    let link = folder.join("link.svg");
    assert_eq!(run(&[r"\x => x", "--from=0", "--to=1", "-o", link.to_str().unwrap()]).0, Some(0));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(folder.join("target.svg")).unwrap().starts_with("<svg "));
}

#[test]
fn json_has_every_column() {
    let arguments = [r"\x => x * x", "--from=1/3", "--to=2", "--columns=7", "--deriv=0", "--deriv=1", "--json"];
    let (status, out, _) = run(&arguments);
    assert_eq!((status, out.lines().count()), (Some(0), 1));
    let object: Json = serde_json::from_str(&out).unwrap();
    assert_eq!((&object["version"], &object["from"], &object["to"]), (&1.into(), &"1/3".into(), &"2".into()));
    assert_eq!((&object["question"], &object["reached"]), (&r"\x => x * x".into(), &true.into()));
    let number = |text: &Json| -> Rational {
        let text = text.as_str().unwrap();
        if text == "1/3" { Rational::from((1, 3)) } else { decimal::parse(text).unwrap() }
    };
    for (order, plot) in object["plots"].as_array().unwrap().iter().enumerate() {
        assert_eq!(plot["deriv"], order);
        let columns = plot["columns"].as_array().unwrap();
        assert_eq!(columns.len(), 7);
        let mut last = Rational::from((1, 3));
        for column in columns {
            let [a, b, lo, hi] = ["x_lo", "x_hi", "y_lo", "y_hi"].map(|key| number(&column[key]));
            assert!(a == last && a < b && column["state"] == "enclosed");
            let f = |x: &Rational| if order == 0 { x.clone() * x } else { x.clone() * 2u32 };
            assert!(lo <= f(&a) && f(&b) <= hi && f(&a) - &lo < 0.01 && hi - f(&b) < 0.01);
            last = b;
        }
        assert_eq!(last, 2);
    }
    let (status, out, _) = run(&[r"\x => 1/x", "--from=-1", "--to=1", "--columns=1", "--json"]);
    let object: Json = serde_json::from_str(&out).unwrap();
    let column = &object["plots"][0]["columns"][0];
    assert_eq!(
        (status, &column["state"], &column["y_lo"], &column["y_hi"]),
        (Some(4), &"undefined".into(), &"-inf".into(), &"inf".into())
    );
}

/// A function that takes long everywhere.
const LONG: &str = r"\c => integral01 (\x => integral01 (\y => abs (sin (17*x) + cos (23*y) - c*exp (x*y))))";

#[test]
fn a_function_is_read_from_the_input() {
    let mut child = command(&["-", "--from=0", "--to=1"]);
    let mut child = child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"\\x =>\n  x\n").unwrap();
    let (status, out, _) = ended(child.wait_with_output().unwrap());
    assert_eq!((status, out.lines().next()), (Some(0), Some("\\x => x")));
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn a_plot_that_runs_out_of_time_is_drawn_as_far_as_it_is_known() {
        let path = folder("late").join("late.svg");
        let (status, _, err) = run(&[LONG, "--from=0", "--to=1", "--timeout=2", "-o", path.to_str().unwrap()]);
        assert!(matches!(status, Some(3 | 4)), "{err}");
        assert!(err.contains("within 2 s on") && err.contains("of 720 columns"), "{err}");
        assert!(fs::read_to_string(&path).unwrap().starts_with("<svg "));
    }

    #[cfg(unix)]
    #[test]
    fn an_interrupted_plot_is_drawn_as_far_as_it_is_known() {
        let child =
            command(&[LONG, "--from=0", "--to=1"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        thread::sleep(Duration::from_secs(2));
        assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let (status, out, err) = ended(child.wait_with_output().unwrap());
        assert!(matches!(status, Some(3 | 4)), "{err}");
        assert!(err.contains("before it was interrupted on") && out.starts_with(r"\c => integral01"), "{out}{err}");
    }
}
