//! `infer --move`, as a person meets it: what is printed, and what is refused with which status.

use super::cli::run;

const NORMAL: &str = "do { x <- sample (normal 0 1); return x }";
const SHIFT: &str = r"\(x, u) => (x + u, - u)";
const BELL: &str = r"\x => normal 0 1";

/// Runs `infer` by a move of a normal draw.
fn infer(options: &[&str]) -> super::cli::Run {
    let mut arguments = vec!["infer", NORMAL, r"\x => x", "--samples=2000"];
    arguments.extend(options);
    run(&arguments)
}

#[test]
fn a_move_samples_and_is_told() {
    let found = infer(&["--by=involutive", "--move", SHIFT, "--auxiliary", BELL]);
    assert!(found.status == Some(0) && found.out.contains("certified: 0, z = ") && found.err.is_empty(), "{found:?}");
    let found = infer(&["--by=involutive", "--move", SHIFT, "--auxiliary", BELL, "--json"]);
    let object: serde_json::Value = serde_json::from_str(&found.out).expect("an object");
    assert_eq!([&object["move"], &object["auxiliary"], &object["involution"]], [SHIFT, BELL, "shown"], "{object}");
    // an auxiliary program, and a move that normal forms do not decide
    let drawn = r"\x => do { u <- sample (normal 0 1); return u }";
    let scaled = r"\(x, z) => (x * exp z, - z)";
    let found = infer(&["--by=involutive", "--move", scaled, "--auxiliary", drawn]);
    assert!(found.status == Some(0) && found.err.contains("T is its own inverse at all points"), "{found:?}");
    // a log-normal factor: the chain keeps the mean 1 of an exponential draw
    let decay = "do { x <- sample (exponential 1); return x }";
    let factor = [r"--move=\(x, u) => (x*u, 1/u)", r"--auxiliary=\x => logNormal 0 1"];
    let found = run(&[&["infer", decay, r"\x => x", "--by=involutive"], &factor[..]].concat());
    assert!(found.status == Some(0) && found.out.contains("certified: 1, z = ") && found.err.is_empty(), "{found:?}");
    // without a move JSON says so
    let object: serde_json::Value = serde_json::from_str(&infer(&["--json"]).out).expect("an object");
    assert!(object["move"].is_null() && object["involution"].is_null(), "{object}");
}

#[test]
fn wrong_moves_have_the_status_2() {
    let wrong: [(&[&str], &str); 8] = [
        (
            &["--by=involutive", "--move", r"\(x, u) => (x + u, u)", "--auxiliary", BELL],
            "error: T takes (0, 1) to (1, 1) and that to (2, 1)\n  = help: a move has to be its own inverse",
        ),
        (&["--move", SHIFT, "--auxiliary", BELL], "--move is a proposal of the sampler involutive, not of importance"),
        (&["--by=hmc", "--move", r"\x => - x"], "not of hmc\n  = help: add --by involutive"),
        (&["--by=involutive", "--auxiliary", BELL], "--move <T>"),
        (
            &["--by=involutive", "--move", r"\(x, u) => x", "--auxiliary", BELL],
            "expected Real^2, found Real\n --> move:1:12",
        ),
        (&["--by=involutive", "--move", SHIFT], "expected Real"),
        (
            &["--by=involutive", "--move", SHIFT, "--auxiliary", r"\x => 1"],
            "expected for --auxiliary a function of type A -> Dist U or A -> P U, found one of type A -> Real",
        ),
        (&["--by=involutive", "--move", SHIFT, "--auxiliary", r"\x => normall 0 1"], " --> auxiliary:1:7"),
    ];
    for (options, told) in wrong {
        let found = infer(options);
        assert_eq!(found.status, Some(2), "{options:?}: {found:?}");
        assert!(found.out.is_empty() && found.err.contains(told), "{options:?}: {found:?}");
    }
}
