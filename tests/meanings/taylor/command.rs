//! `smoothish derive` and `smoothish agree --at`.

use std::process::Command;

/// What a command prints, what it complains of, and its exit status.
fn run(arguments: &[&str]) -> (String, String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_smoothish")).args(arguments).env("NO_COLOR", "1").output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("a status"))
}

/// What is printed can be pasted: the derived program at a jet, in `eval`.
#[test]
fn derived_programs_can_be_pasted() {
    let (program, complaint, status) = run(&["derive", "--order", "2", "\\x => exp (x * x)"]);
    assert_eq!((&*complaint, status), ("", 0));
    let (value, complaint, status) = run(&["eval", "--eps", "1e-9", &format!("({program}) (1, 1, 0)")]);
    assert_eq!((&*complaint, status), ("", 0));
    // e, 2e, 6e
    for digits in ["2.718281828", "5.436563656", "16.309690970"] {
        assert!(value.contains(&digits[..digits.len() - 1]), "{value}");
    }
}

#[test]
fn derived_programs_as_json() {
    let (text, _, status) = run(&["derive", "--json", "--k", "2", "\\x y => x * y"]);
    assert_eq!(status, 0);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["coordinates"], serde_json::json!(["00", "01", "10"]));
    assert_eq!(json["type"], "Real^3 -> Real^3 -> Real^3");
    assert!(json["size"].as_u64().is_some_and(|size| size > 10));
}

/// Types that the macro makes are declared before the program.
#[test]
fn declarations_are_printed() {
    let folder = std::env::temp_dir().join(format!("smoothish-derive-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("own.theory");
    let theory = "theory Own extends Prelude\ntype Shape = Circle Real | Box (Real * Real)\n\
        let area (s : Shape) : Real = match s with Circle r => 3 * r^2 | Box (a, b) => a * b\n";
    std::fs::write(&path, theory).expect("a file");
    let (text, complaint, status) =
        run(&["derive", "--load", path.to_str().expect("a path"), "\\x => area (Circle x)"]);
    std::fs::remove_dir_all(&folder).expect("the folder goes");
    assert_eq!((&*complaint, status), ("", 0));
    assert!(text.contains("\ntype Shape' = Circle' (Real^2) | Box' ((Real^2)^2)\n"), "{text}");
    assert!(text.contains("\\x => area' (Circle' x)"), "{text}");
}

#[test]
fn wrong_questions_are_refused() {
    let table: [(&[&str], &str); 9] = [
        (&["derive", "--k", "0", "sin"], "k is 0"),
        (&["derive", "--order", "0", "sin"], "order 0"),
        (&["derive", "--k", "99", "--order", "99", "sin"], "give a smaller order"),
        (&["derive", "1 + abs 2"], "no rule for `abs`; write a smooth function"),
        (&["derive", "\\x => x +"], "error"),
        (&["agree", "--at", "1,2", "sin"], "takes 1 real number"),
        (&["agree", "--at", "1", "2"], "this is of type Real"),
        (&["agree", "--at", "1", "--order", "0", "sin"], "order 0"),
        (&["agree", "--at", "one", "sin"], "one"),
    ];
    for (arguments, message) in table {
        let (text, complaint, status) = run(arguments);
        assert_eq!((&*text, status), ("", 2), "{arguments:?}");
        assert!(complaint.contains(message), "{arguments:?}: {complaint}");
    }
}

/// Every model, and the derived program in two of them; a program that the macro refuses still has the others.
#[test]
fn derivatives_at_a_point() {
    let (text, complaint, status) = run(&["agree", "--at", "-1,2", "--order", "1", "\\(x, y) => x^2 * y"]);
    assert_eq!((&*complaint, status), ("", 0));
    for row in ["taylor, float", "float, compiled", "taylor, compiled"] {
        assert_eq!(text.matches(row).count(), 3, "{text}");
    }
    assert_eq!(text.matches("inside").count(), 12, "{text}");
    for answer in ["2", "1", "-4"] {
        let is_row = |line: &str| line.split_whitespace().take(2).eq(["presheaf", answer]);
        assert!(text.lines().any(is_row), "{answer}: {text}");
    }
    let (text, complaint, status) = run(&["agree", "--at", "2,0", "\\r t => (r * cos t, (r * sin t, 1))"]);
    assert_eq!((&*complaint, status), ("", 0));
    // by hand: r cos t has 2, 0 and 1 (in t, then in r), r sin t has 0, 2 and 0
    for (name, answer) in [
        ("00 of [0]", "2"),
        ("01 of [0]", "0"),
        ("10 of [0]", "1"),
        ("00 of [1][0]", "0"),
        ("01 of [1][0]", "2"),
        ("10 of [1][0]", "0"),
    ] {
        let table = text.split(&format!("derivative {name}\n")).nth(1).expect(name);
        let row = table.lines().find(|line| line.starts_with("presheaf")).expect("a row");
        assert_eq!(row.split_whitespace().nth(1), Some(answer), "{name}: {row}");
    }
    assert_eq!(text.matches("taylor, compiled").count(), 9, "{text}");
    let (text, _, status) = run(&["agree", "--json", "--at", "3", "\\x => abs x"]);
    assert_eq!(status, 0);
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["derivatives"], serde_json::json!(["0", "1"]));
    let reasons = json["models"].as_array().expect("models").iter().filter(|model| model["reason"].is_string()).count();
    assert_eq!(reasons, 3, "{text}");
    let (text, _, _) = run(&["agree", "--at", "3", "\\c => integral01 (\\x => exp (c * x))"]);
    assert!(text.contains("is not compiled"), "{text}");
    let (text, _, _) = run(&["agree", "--at", "1,2", "--order", "3", "\\x y => x * exp y"]);
    assert!(text.contains("derivatives of an order above 2 are not compiled"), "{text}");
}
