//! The options of `audit`: files of claims, second derivatives, programs of gradients, what is accepted; and what is refused.

use super::cli::{Run, run};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{env, fs, process};

/// A file, which is removed with it.
struct Written(PathBuf);

impl Written {
    fn new(name: &str, text: &str) -> Self {
        static FILES: AtomicUsize = AtomicUsize::new(0);
        let number = FILES.fetch_add(1, Ordering::Relaxed);
        let path = env::temp_dir().join(format!("smoothish-{}-{number}-{name}", process::id()));
        fs::write(&path, text).expect("a file");
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a path")
    }
}

impl Drop for Written {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

fn audit(arguments: &[&str]) -> Run {
    run(&[&["audit"], arguments].concat())
}

/// x·y has the gradient (y, x).
/// A number of a file is what is written, also where no double holds it, and so in both formats.
#[test]
fn files_of_both_formats_have_exact_numbers() {
    for (point, claim, program, status, verdict) in [
        // above 0 the slope is 1, at 0 it is [0, 1]
        ("1e-3000", "0.5", r"\x => max 0 x", 1, "CERTIFIED_OUT"),
        ("0", "0.5", r"\x => max 0 x", 0, "CERTIFIED_IN"),
        // the double nearest to 0.1 is above it
        ("0.1000000000000000055511151231257827", "0.5", r"\x => max x 0.1", 1, "CERTIFIED_OUT"),
        ("0.1", "0.5", r"\x => max x 0.1", 0, "CERTIFIED_IN"),
        ("1e400", "2e400", r"\x => x^2", 0, "CERTIFIED_IN"),
    ] {
        let mark = '\u{feff}';
        for (name, text) in [
            ("exact.csv", format!("{mark}x1,g1\n{point},{claim}\n")),
            ("exact.json", format!("{mark}[{{\"x\": {point}, \"g\": [{claim}]}}]")),
            ("lines.json", format!("{{\"x\": [{point}], \"g\": {claim}}}\n")),
        ] {
            let file = Written::new(name, &text);
            let found = audit(&["--claims", file.path(), program]);
            assert!(found.status == Some(status) && found.out.contains(verdict), "{text}: {found:?}");
            assert!(found.out.ends_with(&format!("1 claim: {verdict} 1\n")), "{text}: {found:?}");
        }
    }
    let file = Written::new("lines.json", "{\"x\": 3, \"g\": 6}\n{\"x\": 3, \"g\": oops}\n");
    let found = audit(&["--claims", file.path(), r"\x => x^2"]);
    assert!(found.status == Some(2) && found.err.contains("line 2 column 15"), "{found:?}");
}

#[test]
fn files_have_a_point_and_a_claim_in_each_line() {
    let text = "x1,x2,g1,g2\n1,0.5,0.5,1\n\n2,1/3,1/3,2\n2,1,nan,2\n-1, 4, 4, -1.5\n";
    let file = Written::new("claims.csv", text);
    let found = audit(&["--claims", file.path(), r"\(x, y) => x * y"]);
    let verdicts: Vec<_> = found.out.lines().filter(|line| !line.starts_with("  ")).collect();
    assert_eq!(found.status, Some(1), "{found:?}");
    for (line, begins) in verdicts.iter().zip([
        "line 2: CERTIFIED_IN  claim (0.5, 1): ",
        "line 4: CERTIFIED_IN  claim (1/3, 2): ",
        "line 5: CERTIFIED_OUT  claim (not finite, 2): ",
        "line 6: CERTIFIED_OUT  claim (4, -1.5): ",
        "4 claims: CERTIFIED_IN 2, CERTIFIED_OUT 2",
    ]) {
        assert!(line.starts_with(begins), "{line}: {begins}");
    }
    // the columns in another order, of one variable; and JSON of both shapes
    for (name, text) in [
        ("one.csv", "g,x\n6,3\n-2,-1\n"),
        ("one.json", r#"[{"x": 3, "g": 6}, {"x": [-1], "g": [-2]}]"#),
        ("lines.json", "{\"x\": 3, \"g\": 6}\n{\"x\": -1, \"g\": \"-2\"}\n"),
    ] {
        let file = Written::new(name, text);
        let found = audit(&["--claims", file.path(), r"\x => x^2"]);
        assert!(found.status == Some(0) && found.out.ends_with("2 claims: CERTIFIED_IN 2\n"), "{found:?}");
        let found = audit(&["--json", "--claims", file.path(), r"\x => x^2"]);
        let objects: Vec<serde_json::Value> =
            found.out.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
        assert!(objects.len() == 2 && objects[1]["at"] == "-1" && objects[1]["verdict"] == "CERTIFIED_IN", "{found:?}");
    }
}

/// The Hessian of x²y is (2y, 2x; 2x, 0); that of log(eˣ + eʸ) at a tie has the entries ±1/4; and d²/dc² ∫₀¹ max(0, x - c)dx is 1.
#[test]
fn second_derivatives_are_audited() {
    let found = audit(&["--order=2", "--at=3,5", "--claim=10,6,6,0", "--claim=10,6,5,0", r"\(x, y) => x^2 * y"]);
    assert!(found.status == Some(1) && found.out.starts_with("CERTIFIED_IN"), "{found:?}");
    assert!(found.out.contains("CERTIFIED_OUT") && found.out.contains("(coordinate 3)"), "{found:?}");
    for (at, claim, function) in [
        ("1,1", "0.25,-0.25,-0.25,0.25", r"\x y => log (exp x + exp y)"),
        (
            "0,1",
            "0.19661193324148185,-0.19661193324148185,-0.19661193324148185,0.19661193324148185",
            r"\(x, y) => log (exp x + exp y)",
        ),
        ("0.25", "1", r"\c => integral01 (\x => max 0 (x - c))"),
        ("0.5", "-0.479425538604203", "sin"),
    ] {
        let found = audit(&["--order=2", "--at", at, "--claim", claim, function]);
        assert!(found.status == Some(0), "{function}: {found:?}");
    }
    // on a border
    let found = audit(&["--order=2", "--at=0", "--claim=0", r"\x => max x 0"]);
    assert!(found.status == Some(3) && found.out.contains("border"), "{found:?}");
}

/// A program that computes 4x is right for 2x², and has a wrong rule for x².
#[test]
fn programs_of_gradients_are_read() {
    let steps = |steps: &str| {
        let text = format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [["input", 0], {steps}]}}"#);
        Written::new("rules.json", &text)
    };
    let fourfold = steps(r#"["number", 4], ["(*)", 0, 1]"#);
    let found = audit(&["--rules", fourfold.path(), "--at=3", "--claim=12", "--json", r"\x => 2 * x^2"]);
    assert!(found.status == Some(0) && found.out.contains(r#""rules":"right""#), "{found:?}");
    let found = audit(&["--rules", fourfold.path(), "--at=3", "--claim=12", "--json", r"\x => x^2"]);
    assert!(found.status == Some(1) && found.out.contains(r#""cause":"rule""#), "{found:?}");
    let several = audit(&["--rules", fourfold.path(), "--at=3,1", "--claim=12,1", r"\(x, y) => 2 * x^2 + y"]);
    assert!(
        several.status == Some(2) && several.err.contains("--rules has 1 outputs, where the gradient has 2"),
        "{several:?}"
    );
    // 2x + 10⁻¹⁰, which no rounding of float64 explains, and which is less than what is allowed
    let wrong = steps(r#"["number", 2], ["(*)", 0, 1], ["number", "1/10000000000"], ["(+)", 2, 3]"#);
    // its number is right: only units in the last place do not ask for its rules
    for (accept, status) in [("program", 1), ("sums", 1), ("rounded", 1), ("ulps", 0)] {
        let found =
            audit(&["--rules", wrong.path(), "--atol=1e-9", "--accept", accept, "--at=3", "--claim=6", r"\x => x^2"]);
        assert_eq!(found.status, Some(status), "{accept}: {found:?}");
    }
}

/// (1 - cos x)/x² in float32 loses all digits at 1/1000; and a sum that is 0 by cancellation is right by sums.
#[test]
fn what_is_accepted_is_said() {
    for (accept, status) in [("program", 5), ("rounded", 0), ("ulps", 5)] {
        let found =
            audit(&["--format=float32", "--at=0.001", "--claim=46.3", "--accept", accept, r"\x => (1 - cos x) / x^2"]);
        assert!(found.status == Some(status) && found.out.starts_with("ROUNDED"), "{accept}: {found:?}");
    }
    for (accept, status) in [("sums", 0), ("ulps", 5)] {
        let found = audit(&["--at=1/3", "--claim=1e-16", "--accept", accept, r"\x => exp x - exp x"]);
        assert!(found.status == Some(status) && found.out.starts_with("CERTIFIED_IN"), "{accept}: {found:?}");
    }
}

/// A message says what is wrong with a question and what is expected, and the status is 2.
#[test]
fn wrong_questions_are_refused() {
    let files = [
        ("width.csv", "x1,x2,g1,g2\n1,2,3,4\n1,2,3\n", ":3: expected 4 numbers, as in the header, found 3"),
        ("number.csv", "x,g\n1,two\n", ":2: `two` is not a number"),
        ("point.csv", "x,g\npi,1\n", ":2: expected a decimal or a fraction, found `pi`"),
        ("header.csv", "x1,g1,loss\n1,2,3\n", ":1: expected the columns x1,…,g1,…, found `loss`"),
        ("none.csv", "1,2\n3,4\n", ":1: expected the columns x1,…,g1,…, found `1`"),
        ("few.csv", "x1,x2,g1\n1,2,3\n", "line 2: a claim of 1 numbers, where a point of 2 has 2"),
        ("empty.csv", "", "no header"),
        ("header_alone.csv", "x,g\n", "no claims"),
        ("bare.json", r#"[{"x": 1, "g": NaN}]"#, "infinities and NaN are written"),
        ("key.json", r#"[{"x": 1}]"#, "entry 1: expected an object"),
        ("kind.json", r#"[{"x": 1, "g": [true]}]"#, "entry 1: `g`: expected numbers, found true"),
    ];
    for (name, text, words) in files {
        let file = Written::new(name, text);
        let found = audit(&["--claims", file.path(), r"\(x, y) => x * y"]);
        assert!(found.status == Some(2) && found.err.contains(words), "{name}: {words}: {found:?}");
    }
    let file = Written::new("claims.csv", "x,g\n1,2\n");
    for (arguments, words) in [
        (&["--claims", "/nowhere.csv", "sin"][..], "nowhere.csv: "),
        (&["--claims", file.path(), "--at=1", "sin"], "cannot be used with"),
        (&["sin"], "--at"),
        (&["--at=0", "--claim=1", "--order=3", "sin"], "3 is not in 1..=2"),
        (
            &["--at=0,1", "--claim=1,2", "--order=2", r"\(x, y) => x"],
            "at a point of 2 numbers, a claim has 4 numbers, row by row, and this one has 2",
        ),
        (&["--at=0", "--claim=1", "--accept=all", "sin"], "expected one of ulps, sums, program, rounded, found `all`"),
        (&["--at=0", "--claim=1", "--atol=-1", "sin"], "expected an error of 0 or more, found -1"),
        (&["--at=0", "--claim=1", "--rtol=small", "sin"], "`small` is not a number"),
        (&["--at=0", "--claim=1", "--rules", "/nowhere.json", "sin"], "nowhere.json: "),
        (&["--at=0", "--claim=1", "--rules", file.path(), "sin"], "no JSON"),
        (&["--at=0", "--claim=1", "--ulps=-1", "sin"], "--ulps"),
    ] {
        let found = audit(arguments);
        assert!(found.status == Some(2) && found.err.contains(words), "{arguments:?}: {words}: {found:?}");
    }
}
