//! `smoothish table`: the points, the columns, the three formats, and what is wrong.

use super::cli::{run, run_interrupted};

const CLAMP: &str = r"\x => min 1 (max 0 (2 * x))";

#[test]
fn every_point_has_a_line() {
    let table = run(&["table", "--from=-1", "--to=1", "--steps", "4", "--deriv", "0", "--deriv", "1", r"\x => x^2"]);
    let expected = "x     f     f'\n\
                    -1    1     -2\n\
                    -0.5  0.25  -1\n\
                    0     0     0\n\
                    0.5   0.25  1\n\
                    1     1     2\n";
    assert_eq!((table.status, &*table.out), (Some(0), expected), "{table:?}");
}

/// Numbers of different lengths leave the columns in line.
#[test]
fn columns_are_in_line() {
    let asked =
        ["table", "--from=-1", "--to=1", "--steps", "150", "--deriv", "0", "--deriv", "1", r"\x => exp (10 * x)"];
    let table = run(&asked);
    let lines: Vec<_> = table.out.lines().collect();
    assert_eq!((table.status, lines.len()), (Some(0), 152), "{table:?}");
    // those that wait for each other
    let places: Vec<_> = lines[1..101].iter().filter_map(|line| line.rfind('[')).collect();
    assert!(places.len() == 99 && places.iter().all(|place| *place == places[0]), "{}", table.out);
}

/// At kinks a derivative is a set, and beyond a domain there is nothing, which is empty, and no zero.
#[test]
fn comma_separated_values_are_the_ends() {
    let kinks = run(&["table", "--from=0", "--to=1", "--steps", "2", "--deriv", "0", "--deriv", "1", "--csv", CLAMP]);
    assert_eq!(
        (kinks.status, &*kinks.out),
        (Some(3), "x,f lo,f hi,f' lo,f' hi\n0,0,0,0,2\n0.5,1,1,0,2\n1,1,1,0,0\n"),
        "{kinks:?}"
    );
    let edge = run(&["table", "--from=-1", "--to=1/2", "--steps", "3", "--csv", r"\x => (log x, 1)"]);
    assert_eq!(edge.status, Some(4));
    let lines: Vec<_> = edge.out.lines().collect();
    assert_eq!(lines[..4], ["x,f[0] lo,f[0] hi,f[1] lo,f[1] hi", "-1,,,1,1", "-0.5,,,1,1", "0,,,1,1"], "{edge:?}");
    assert!(lines[4].starts_with("0.5,-0.693147") && lines[4].ends_with(",1,1"), "{edge:?}");
    let list = run(&["table", "--from=0", "--to=1", "--steps=1", "--csv", r"\x => (x, [x, x])"]);
    let text = "\"[0, 0]\"";
    assert_eq!(list.out.lines().nth(1), Some(&*format!("0,0,0,{text},{text}")), "{list:?}");
    let float = run(&["table", "--from=0", "--to=1", "--steps=1", "--model=float", "sqrt"]);
    assert!(float.err.contains("no digit is certified"), "{float:?}");
}

#[test]
fn every_line_is_an_object() {
    let table = run(&["table", "--from=0", "--to=1", "--steps", "3", "--digits", "5", "--json", "exp"]);
    let lines: Vec<serde_json::Value> =
        table.out.lines().map(|l| serde_json::from_str(l).expect("an object")).collect();
    assert_eq!(
        (table.status, lines.len(), &lines[1]["x"], &lines[0]["f"]["lo"]),
        (Some(0), 4, &"1/3".into(), &"1".into())
    );
    assert_eq!(lines[3]["f"], serde_json::json!({ "lo": "2.718281", "hi": "2.718282" }), "{table:?}");
    assert!(lines.iter().all(|line| line["reached"] == true && line["version"] == 1));
}

#[test]
fn what_is_no_function_of_a_number_is_refused() {
    for (arguments, words) in [
        (&["--from=1", "--to=0", "abs"][..], "--from must be less than --to"),
        (&["--from=0", "--to=1", "max"], "found Real -> Real -> Real"),
        (&["--from=0", "--to=1", "3"], "expected a function of one Real, found Real"),
        (&["--from=0", "--to=1", "--deriv=1", r"\x => (x, x)"], "take a component"),
        (&["--from=0", "--to=1", "--steps=0", "abs"], "1..=100000"),
        (&["--from=0", "--to=1", "--csv", "--json", "abs"], "cannot be used with"),
        (&["--from=0", "--to=po", "abs"], "`po` is not a number"),
        (&["--from=0", "--to=1", r"\x => x**2"], "a power is written x^2"),
        (
            &["--from=0", "--to=1", "--model", "pap", r"\x => integral01 (\y => x * y)"],
            "`pap` does not define `integral01`",
        ),
    ] {
        let table = run(&[&["table"], arguments].concat());
        assert!(
            table.status == Some(2)
                && table.err.contains(words)
                && table.out.is_empty() != arguments.contains(&"--json"),
            "{arguments:?}: {table:?}"
        );
    }
}

/// A number that is not defined has no bounds, and a line of JSON says of which column that is, in every model: sqrt at -1 and log at -1
/// have no value. With a cause where the model has one.
#[test]
fn what_is_not_defined_says_so_in_every_model() {
    for function in [r"\x => sigmoid (sqrt x)", r"\x => atan (log x)"] {
        for model in ["presheaf", "tower", "partial", "pap", "float"] {
            let asked = ["table", "--from=-1", "--to", "1", "--steps", "1", "--json", "--model", model, function];
            let table = run(&asked);
            let lines: Vec<serde_json::Value> =
                table.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
            assert_eq!(lines.len(), 2, "{model}: {table:?}");
            let (outside, inside) = (&lines[0], &lines[1]);
            assert!(outside["undefined"]["f"]["message"].is_string(), "{model}: {outside}");
            assert!(inside["undefined"].is_null(), "{model}: {inside}");
            let bounds = &outside["f"];
            assert!(
                bounds.is_null() || bounds["lo"] == "-inf" && bounds["hi"] == "inf" || bounds["float"] == "NaN",
                "{model}: {outside}"
            );
        }
    }
    // nor as text
    let text = run(&["table", "--from=-1", "--to", "1", "--steps", "1", "--model", "tower", r"\x => sigmoid (sqrt x)"]);
    assert!(text.out.lines().nth(1).is_some_and(|line| line.contains("[-inf, inf]")), "{text:?}");
}

/// The note on missing points is written if points are missing, and only then.
#[test]
fn an_interrupt_at_the_last_point_loses_none() {
    let asked = ["table", "--from=0", "--to=1", "--steps=2", "--csv", r"\x => x"];
    let (out, err) = run_interrupted(&asked, "\n1,");
    assert!(out.lines().count() == 4 && !err.contains("interrupted"), "{out}{err}");
    let (out, err) = run_interrupted(&asked, "\n0.5,");
    assert!(out.lines().count() == 3 && err.contains("note: interrupted: the last points are missing"), "{out}{err}");
}
