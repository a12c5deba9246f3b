//! `evidence` and `expect`: how accurate a number is to be, and logarithms of masses.

use super::cli::run;
use serde_json::Value;

/// B(52, 55)/B(2, 5) = 9.3711609360576296e-32, whose logarithm is -71.445085987974925 (mpmath).
const RARE: &str = "do { p <- sample (beta 2 5); score (p^50 * (1 - p)^50); return p }";

fn object(arguments: &[&str]) -> (Option<i32>, Value) {
    let found = run(arguments);
    (found.status, serde_json::from_str(&found.out).unwrap_or_else(|error| panic!("{error}: {found:?}")))
}

fn end(object: &Value, name: &str) -> f64 {
    object[name].as_str().and_then(|end| end.parse().ok()).unwrap_or_else(|| panic!("{object}"))
}

#[test]
fn a_small_mass_has_digits() {
    let truth = 9.371_160_936_057_63e-32;
    for (asked, part) in [
        (&[][..], 1e-6),
        (&["--digits", "12"], 1e-12),
        (&["--rel", "1e-9"], 1e-9),
        (&["--rel=1e-9", "--eps=1e-60"], 1e-9),
    ] {
        let (status, object) = object(&[&["evidence", "--json"], asked, &[RARE]].concat());
        let (lo, hi) = (end(&object, "lo"), end(&object, "hi"));
        assert!(status == Some(0) && object["reached"] == true, "{asked:?}: {object}");
        assert!(lo <= truth && truth <= hi && hi - lo <= truth * part * 1.000_001, "{asked:?}: {object}");
    }
    // a width is a width, and what is asked is said
    let (status, object) = object(&["evidence", "--json", "--eps=1e-9", RARE]);
    assert!(status == Some(0) && end(&object, "lo") <= truth && end(&object, "hi") <= 1e-9, "{object}");
    assert_eq!((&object["eps"], &object["rel"], &object["log"]), (&"1e-9".into(), &Value::Null, &false.into()));
}

#[test]
fn a_mass_has_a_logarithm() {
    let truth = -71.445_085_987_974_92;
    for (asked, width) in [(&[][..], 1e-6), (&["--eps", "1e-12"], 1e-12), (&["--digits", "12"], 1e-10)] {
        let (status, object) = object(&[&["evidence", "--json", "--log"], asked, &[RARE]].concat());
        let (lo, hi) = (end(&object, "lo"), end(&object, "hi"));
        assert!(
            status == Some(0) && lo <= truth + 1e-13 && hi >= truth - 1e-13 && hi - lo <= width + 1e-13,
            "{object}"
        );
        assert_eq!(object["log"], true, "{object}");
    }
    let text = run(&["evidence", "--log", RARE]);
    assert!(text.status == Some(0) && text.out.starts_with("[-71.44508") && text.err.is_empty(), "{text:?}");
    // the weights of what is left of a recursion have no bound: there is a lower end alone
    let open = "let rec go (n : Nat) : P Nat = do { b <- sample (bernoulli 0.5); if b then return n else do { score 2; go (n + 1) } } in go 1";
    let half = run(&["evidence", "--log", "--timeout=5", open]);
    assert!(half.status == Some(3) && half.out.trim_end().ends_with("inf]"), "{half:?}");
    let nothing = run(&["evidence", "--log", "do { score 0; return 1 }"]);
    assert!(nothing.status == Some(4) && nothing.err.contains("the normalising constant is 0"), "{nothing:?}");
    let wrong = run(&["evidence", "--log", "--at=1", "--deriv=1", r"\t => do { score t; return 1 }"]);
    assert!(wrong.status == Some(2) && wrong.err.contains("cannot be used with"), "{wrong:?}");
}

/// The slope of a mass of e^(-100)/(…): where nothing is asked, to a part of the mass.
#[test]
fn a_derivative_of_a_small_mass_has_digits() {
    let model = r"\t => do { x <- sample (uniformOn 0 1); score (exp (-100 - t * x)); return x }";
    // -∫ x e^(-100 - x) dx = -e^(-100) (1 - 2/e) = -9.82997033673129962e-45
    let (status, object) = object(&["evidence", "--json", "--at=1", "--deriv=1", model]);
    let (lo, hi, truth) = (end(&object, "lo"), end(&object, "hi"), -9.829_970_336_731_3e-45);
    assert!(status == Some(0) && hi - lo < 1e-49, "{object}");
    assert!(lo <= truth + 1e-58 && hi >= truth - 1e-58, "{object}");
}

#[test]
fn a_mean_takes_the_same_four() {
    let model = "do { m <- sample (normal 0 1); observe (normal m 1) 1; return m }";
    for asked in
        [&["--digits", "12"][..], &["--rel", "1e-12"], &["--eps", "1e-3", "--rel", "1e-12"], &["--timeout", "5"]]
    {
        let found = run(&[&["expect"], asked, &[model, r"\m => m"]].concat());
        assert_eq!(found.status, Some(0), "{asked:?}: {found:?}");
    }
    let (_, object) = object(&["expect", "--json", "--digits=20", model, r"\m => m"]);
    assert!(
        object["digits"] == 20
            && object["lo"].as_str().is_some_and(|lo| lo.starts_with("0.49999999999999999999") || lo == "0.5"),
        "{object}"
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// A mass of 0 is found, and its tolerance is reached; of one that may be 0 it is not.
    #[test]
    fn a_mass_that_may_be_0_has_no_digits() {
        let zero = run(&["evidence", "do { score 0; return 1 }"]);
        assert!(zero.status == Some(0) && zero.out == "0\n", "{zero:?}");
        let improper =
            run(&["evidence", "--timeout=1", "do { x <- sample (normal 0 1); score (exp (x^2)); return x }"]);
        assert!(matches!(improper.status, Some(3 | 4)) && improper.err.contains("tolerance"), "{improper:?}");
    }
}
