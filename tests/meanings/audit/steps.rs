//! Functions as lists of steps: what is not chosen is not computed, borders belong to the side that a comparison says, and any text is
//! read or refused.

use smoothish::audit::file::{parse_program, parse_steps};
use smoothish::audit::noise::StepRounding;
use smoothish::audit::{
    AuditFinding, AuditReport, AuditSubject, Claim, ClaimTolerance, DisagreementCause, FloatFormat, GradientSubject,
};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use std::sync::Arc;
use std::time::Duration;

fn text(steps: &str) -> String {
    format!(r#"{{"format": "smoothish steps", "version": 1, "steps": [{steps}]}}"#)
}

#[track_caller]
fn report(steps: &str, at: i32, claim: &Claim) -> AuditReport {
    let subject = AuditSubject::of_steps(parse_steps(&text(steps)).unwrap()).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    subject.judge_claim(&Rational::from(at), claim, &ClaimTolerance::default(), &budget).unwrap()
}

#[track_caller]
fn name(steps: &str, at: i32, claim: f64) -> &'static str {
    report(steps, at, &Claim::from(claim)).finding.name()
}

/// where(x < 1, x, √x): √x is not computed at 0, and counts at 1, where the slopes are 1 and 1/2.
#[test]
fn what_is_not_chosen_is_not_computed() {
    let trap = r#"["input"], ["number", 1], ["(<)", 0, 1], ["sqrt", 0], ["choose", 2, 0, 3]"#;
    assert_eq!(name(trap, 0, 1.0), "CERTIFIED_IN");
    assert_eq!(name(trap, 0, f64::NAN), "CERTIFIED_OUT");
    assert_eq!(name(trap, -1, 1.0), "CERTIFIED_IN");
    for (claim, expected) in
        [(0.5, "CERTIFIED_IN"), (1.0, "CERTIFIED_IN"), (0.75, "CERTIFIED_IN"), (0.4, "CERTIFIED_OUT")]
    {
        assert_eq!(name(trap, 1, claim), expected, "{claim}");
    }
    assert_eq!(report(trap, 1, &Claim::NotFinite).borders.steps, [2]);
    // log x is asked for at -1
    let asked = r#"["input"], ["number", 0], ["(>)", 0, 1], ["log", 0], ["(+)", 3, 0], ["choose", 2, 0, 4]"#;
    assert_eq!(name(asked, -1, 1.0), "NOT_DEFINED");
}

/// where(x == 0, c, x) is x for c = 0, and jumps to 1 for c = 1; where(x <= 0, x, x + 1) jumps, as where(x < 0, x, x + 1) does.
#[test]
fn borders_belong_to_a_side() {
    let equal = |c: i32| format!(r#"["input"], ["number", 0], ["(==)", 0, 1], ["number", {c}], ["choose", 2, 3, 0]"#);
    assert_eq!(name(&equal(0), 0, 1.0), "CERTIFIED_IN");
    assert_eq!(name(&equal(0), 0, 0.0), "CERTIFIED_OUT");
    assert_eq!(name(&equal(1), 0, 1.0), "NOT_CONTINUOUS");
    for test in ["(<)", "(<=)"] {
        let steps = format!(
            r#"["input"], ["number", "0"], ["{test}", 0, 1], ["number", 1], ["(+)", 0, 3], ["choose", 2, 0, 4]"#
        );
        let AuditFinding::NotContinuous(how) = report(&steps, 0, &Claim::from(1.0)).finding else { panic!("{test}") };
        let expected = if test == "(<)" { "its limit from the left" } else { "its limit from the right" };
        assert!(how.contains(expected) && how.contains("its value"), "{test}: {how}");
    }
    // min(x, 0) for 0 ≤ x and not x = 0, else x: x for x ≤ 0, 0 for x > 0
    let connectives = r#"["input"], ["number", 0], ["(>=)", 0, 1], ["(==)", 0, 1], ["not", 3], ["and", 2, 4], ["min", 0, 1],
        ["choose", 5, 6, 0]"#;
    assert_eq!(name(connectives, 0, 0.5), "CERTIFIED_IN");
    assert_eq!(name(connectives, 0, 1.5), "CERTIFIED_OUT");
    assert_eq!(name(connectives, 2, 0.0), "CERTIFIED_IN");
    // x² · 1/3 by powers, and the cause of what is wrong off a border
    let power = r#"["input"], ["power", 0, "2"], ["number", "1/3"], ["(*)", 1, 2]"#;
    assert_eq!(report(power, 3, &Claim::from(2.0)).finding, AuditFinding::Inside);
    assert_eq!(
        report(power, 3, &Claim::from(9.0)).finding,
        AuditFinding::Outside(smoothish::audit::DisagreementCause::Unexplained)
    );
}

fn text_of_version_2(steps: &str, keys: &str) -> String {
    format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [{steps}]{keys}}}"#)
}

/// x mod 3/10 is x - 3/10 beside 1/2 and jumps at 3/5; the remainders of -1/2 are 1/10 and -1/5. Sums, dots and roundings are what they
/// stand for: x + 2x + x·x + 2·(1/2) has the slope 3 + 2x.
#[test]
fn steps_of_the_second_version() {
    let judged = |steps: &str, at: Rational, claim: f64| {
        let steps = parse_steps(&text_of_version_2(steps, "")).unwrap();
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
        let subject = AuditSubject::of_steps(steps).unwrap();
        subject.judge_claim(&at, &Claim::from(claim), &ClaimTolerance::default(), &budget).unwrap().finding.name()
    };
    for name in ["mod", "rem"] {
        // times x, so that the value counts: the slope of x·(x mod y) is (x mod y) + x
        let steps = format!(r#"["input", 0], ["number", "3/10"], ["{name}", 0, 1], ["(*)", 0, 2]"#);
        assert_eq!(judged(&steps, Rational::from((1, 2)), 0.7), "CERTIFIED_IN");
        assert_eq!(judged(&steps, Rational::from((3, 5)), 0.6), "NOT_CONTINUOUS");
        let slope = if name == "mod" { -0.4 } else { -0.7 };
        assert_eq!(judged(&steps, Rational::from((-1, 2)), slope), "CERTIFIED_IN", "{name}");
        // near 0 the remainder is x itself, and the other jumps
        let at_zero = if name == "mod" { "NOT_CONTINUOUS" } else { "CERTIFIED_IN" };
        let alone = format!(r#"["input", 0], ["number", "3/10"], ["{name}", 0, 1]"#);
        assert_eq!(judged(&alone, Rational::new(), 1.0), at_zero);
    }
    let folded = r#"["input", 0], ["number", 2], ["(*)", 0, 1], ["number", "1/2"], ["dot", [0, 1], [0, 3]], ["sum", 0, 2, 4], ["round", 5]"#;
    assert_eq!(judged(folded, Rational::from(5), 13.0), "CERTIFIED_IN");
    assert_eq!(judged(folded, Rational::from(5), 14.0), "CERTIFIED_OUT");
    // the slope of ψ' is ψ'' = polygamma 2, by mpmath; ψ' itself is another number, and orders end where those of the language do
    let polygamma = |order: u64| format!(r#"["input", 0], ["polygamma", 0, {order}]"#);
    assert_eq!(judged(&polygamma(1), Rational::from((23, 10)), -0.288_130_243_372_939_8), "CERTIFIED_IN");
    assert_eq!(judged(&polygamma(1), Rational::from((23, 10)), 0.542_537_458_665_258_5), "CERTIFIED_OUT");
    let error = parse_steps(&text_of_version_2(&polygamma(1001), "")).unwrap_err().to_string();
    assert!(error.contains("at most 1000"), "{error}");
    // in two variables: (1, -1) at (1/2, 3/10)
    let steps = parse_steps(&text_of_version_2(r#"["input", 0], ["input", 1], ["mod", 0, 1]"#, "")).unwrap();
    let subject = GradientSubject::of_steps(steps, 2).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    for (claim, expected) in [([1.0, -1.0], "CERTIFIED_IN"), ([1.0, -2.0], "CERTIFIED_OUT")] {
        let point = [Rational::from((1, 2)), Rational::from((3, 10))];
        let found = subject.judge_claims(&point, &claim.map(Claim::from), &ClaimTolerance::default(), &budget);
        assert_eq!(found.unwrap().finding.name(), expected);
    }
}

/// Integrals and roots of steps: ∫₀¹ exp(-x t²) dt has the slope -∫₀¹ t² exp(-x t²) dt, which is (e⁻ˣ - ∫₀¹ exp(-x t²) dt)/(2x) by parts:
/// -0.189472345820492352 at 1, as ∫₀¹ exp(-t²) dt is √π·erf(1)/2. The root of x - 4t² is √x/2, with the slope 1/(4√x).
#[test]
fn integrals_and_roots_are_steps() {
    let judged = |steps: &str, at: Rational, claim: f64| {
        let steps = parse_steps(&text_of_version_2(steps, "")).unwrap();
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
        let subject = AuditSubject::of_steps(steps).unwrap();
        subject.judge_claim(&at, &Claim::from(claim), &ClaimTolerance::default(), &budget).unwrap().finding.name()
    };
    let body = r#"[["input", 0], ["(*)", 0, 0], ["input", 1], ["(*)", 1, 2], ["negate", 3], ["exp", 4]]"#;
    let integral = format!(r#"["input", 0], ["integral01", {body}, 0]"#);
    assert_eq!(judged(&integral, Rational::from(1), -0.189_472_345_820_492_36), "CERTIFIED_IN");
    assert_eq!(judged(&integral, Rational::from(1), -0.189_472_345_9), "CERTIFIED_OUT");
    let body = r#"[["input", 0], ["number", 4], ["power", 0, "2"], ["(*)", 1, 2], ["input", 1], ["(-)", 4, 3]]"#;
    let root = format!(r#"["input", 0], ["firstRoot", {body}, 0]"#);
    assert_eq!(judged(&root, Rational::from((1, 4)), 0.5), "CERTIFIED_IN");
    assert_eq!(judged(&root, Rational::from((1, 4)), 0.25), "CERTIFIED_OUT");
    // positive on all of [0, 1]: the root is 1, as in the language
    assert_eq!(judged(&root, Rational::from(9), 0.0), "CERTIFIED_IN");
    // of two variables, y·√x/2
    let product = format!(r#"["input", 0], ["input", 1], ["firstRoot", {body}, 0], ["(*)", 2, 1]"#);
    let subject = GradientSubject::of_steps(parse_steps(&text_of_version_2(&product, "")).unwrap(), 2).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    for (claim, expected) in [([1.5, 0.25], "CERTIFIED_IN"), ([1.5, 0.5], "CERTIFIED_OUT")] {
        let found = subject.judge_claims(
            &[Rational::from((1, 4)), Rational::from(3)],
            &claim.map(Claim::from),
            &ClaimTolerance::default(),
            &budget,
        );
        assert_eq!(found.unwrap().finding.name(), expected);
    }
    for (steps, words) in [
        (r#"["input", 0], ["integral01", 0]"#, "expected a list of steps as the first operand of `integral01`"),
        (r#"["input", 0], ["integral01", [], 0]"#, "takes steps of which the last is a number"),
        (
            r#"["input", 0], ["firstRoot", [["input", 2]], 0]"#,
            "have 3 variables: expected 1, and one for each of its 1 operands",
        ),
        (
            r#"["input", 0], ["firstRoot", [["input", 0], ["(+)", 0, 5]], 0]"#,
            "in `firstRoot`, step 1: refers to a step",
        ),
        (r#"["input", 0], ["firstRoot", [["integral01", [["input", 0]]]], 0]"#, "of steps with an integral or a root"),
    ] {
        let error = parse_steps(&text_of_version_2(steps, "")).unwrap_err().to_string();
        assert!(error.contains(words), "{steps}: {error}");
    }
}

/// Outputs, formats, units and places are read, and what is wrong with them is said.
#[test]
fn keys_of_the_second_version() {
    let steps = r#"["input", 0], ["sin", 0], ["exp", 0], ["(<)", 0, 1]"#;
    let keys = r#", "outputs": [2, 1], "dtypes": [null, "float32", "bfloat16", null], "units": [null, 3, null, null],
        "places": {"texts": ["f.py:3"], "of": [null, 0, null, null]}"#;
    let program = parse_program(&text_of_version_2(steps, keys)).unwrap();
    assert_eq!(program.outputs, [2, 1]);
    let rounding = |format, units| Some(StepRounding { format, units });
    let expected = [None, rounding(FloatFormat::Float32, Some(3)), rounding(FloatFormat::Bfloat16, None), None];
    assert_eq!(program.roundings, expected);
    assert_eq!(program.places[1].as_deref(), Some("f.py:3"));
    // the value is the first output
    assert_eq!(parse_steps(&text_of_version_2(steps, keys)).unwrap().len(), 3);
    for (keys, words) in [
        (r#""outputs": [3]"#, "step 3: an output is a number, not a truth value"),
        (r#""outputs": [4]"#, "step 3: expected numbers of steps, below 4, as `outputs`"),
        (r#""outputs": []"#, "step 0: expected a list of steps as `outputs`"),
        (r#""dtypes": ["float32"]"#, "step 0: expected a list as `dtypes`, with 4 entries"),
        (r#""dtypes": [null, "float8", null, null]"#, "step 1: there is no `float8`"),
        (r#""units": [null, null, null, null]"#, "step 0: `units` are those of `dtypes`, which are missing"),
        (r#""places": {"texts": [], "of": [0, null, null, null]}"#, "step 0: expected `\"places\""),
    ] {
        let error = parse_program(&text_of_version_2(steps, &format!(", {keys}"))).unwrap_err().to_string();
        assert!(error.starts_with(words), "{keys}: {error}");
    }
    let newer = text("").replace("\"version\": 1", "\"version\": 3");
    assert!(parse_steps(&newer).unwrap_err().to_string().contains("`\"version\": 1` or `\"version\": 2`"));
}

/// A chain of 4,000 steps, each of which is computed once: without that, the first of them would be 2^2000 times.
#[test]
fn long_chains_are_computed_once() {
    let mut steps = r#"["input"], ["number", "1/2"]"#.to_owned();
    let mut last = 0;
    for step in 0..2_000 {
        // x ↦ (x + x)/2
        steps += &format!(r#", ["(+)", {last}, {last}], ["(*)", {}, 1]"#, 2 + 2 * step);
        last = 3 + 2 * step;
    }
    assert_eq!(name(&steps, 1, 1.0), "CERTIFIED_IN");
}

/// What is wrong is said, with the step.
#[test]
fn what_does_not_fit_is_refused() {
    for (steps, words) in [
        (r#"["input"], ["sin", 1]"#, "step 1: refers to a step that does not come before it"),
        (r#"["input"], ["sin", 0, 0]"#, "step 1: `sin` takes 1 operands, found 2"),
        (r#"["input"], ["sinus", 0]"#, "step 1: `sinus` is not known"),
        (r#"["input"], ["deriv", 0, 0]"#, "step 1: `deriv` is no operation of numbers"),
        (r#"["input"], ["(<)", 0, 0], ["sin", 1]"#, "step 2: expected a number, found a truth value"),
        (r#"["input"], ["choose", 0, 0, 0]"#, "step 1: expected a truth value, found a number"),
        (r#"["number", 0.5]"#, "step 0: expected an integer, or an exact number as text"),
        (r#"["number", "1/0"]"#, "step 0: expected an integer, or an exact number as text"),
        (r#"["input"], ["sin", -1]"#, "step 1: expected numbers of steps"),
        (r#"[]"#, "step 0: expected a list that begins with a name"),
    ] {
        assert!(parse_steps(&text(steps)).unwrap_err().to_string().starts_with(words), "{steps}");
    }
    assert!(parse_steps("[1]").is_err() && parse_steps("{").is_err() && parse_steps("").is_err());
    let truth = AuditSubject::of_steps(parse_steps(&text(r#"["input"], ["(<)", 0, 0]"#)).unwrap());
    assert!(truth.err().unwrap().to_string().contains("the value of the function"));
    assert!(AuditSubject::of_steps(parse_steps(&text("")).unwrap()).is_err());
}

/// Any text is read or refused, and what is read is audited or refused: 4,000 texts with some bytes changed.
#[test]
fn hostile_texts_are_refused() {
    let good = text(
        r#"["input"], ["number", "1/3"], ["(<=)", 0, 1], ["sqrt", 0], ["atan2", 3, 0], ["power", 4, "3/2"], ["choose", 2, 0, 5]"#,
    );
    let mut read_back = 0;
    for sample in 0..4_000 {
        let mut random = SplitMix64::for_sample(77, sample);
        let mut bytes = good.clone().into_bytes();
        for _ in 0..=random.next_below(3) {
            let place = 45 + random.next_below(bytes.len() - 45);
            bytes[place] = *random.pick(b"0123456789\",[]()/-xsqrt ");
        }
        let Ok(changed) = String::from_utf8(bytes) else { continue };
        let Ok(subject) = parse_steps(&changed).and_then(AuditSubject::of_steps) else { continue };
        read_back += 1;
        let budget = Arc::new(Budget::with_time_limit(Duration::from_millis(200)));
        let _ = subject.judge_claim(&Rational::from((1, 3)), &Claim::from(1.0), &ClaimTolerance::default(), &budget);
    }
    assert!(read_back >= 50, "{read_back}");
}

/// x - ⌊x⌋ is x - 2 beside 5/2, and jumps at 2; (⌊x⌋ - 2)·(2 - x) is x - 2 left of 2 and 0 right of it.
#[test]
fn floors_are_decided_beside_the_point() {
    let saw = r#"["input"], ["floor", 0], ["(-)", 0, 1]"#;
    let at = |steps: &str, x: (i32, i32), claim: f64| {
        let subject = AuditSubject::of_steps(parse_steps(&text(steps)).unwrap()).unwrap();
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
        subject.judge_claim(&Rational::from(x), &Claim::from(claim), &ClaimTolerance::default(), &budget).unwrap()
    };
    assert_eq!(at(saw, (5, 2), 1.0).finding, AuditFinding::Inside);
    assert_eq!(at(saw, (-5, 2), 1.0).finding, AuditFinding::Inside);
    assert_eq!(at(saw, (2, 1), 1.0).finding.name(), "NOT_CONTINUOUS");
    let kink = r#"["input"], ["floor", 0], ["number", 2], ["(-)", 1, 2], ["(-)", 2, 0], ["(*)", 3, 4]"#;
    for (claim, expected) in [
        (0.0, "CERTIFIED_IN"),
        (0.5, "CERTIFIED_IN"),
        (1.0, "CERTIFIED_IN"),
        (-0.1, "CERTIFIED_OUT"),
        (1.1, "CERTIFIED_OUT"),
    ] {
        let found = at(kink, (2, 1), claim);
        assert_eq!(found.finding.name(), expected, "{claim}: {found:?}");
        assert_eq!(found.borders.steps, [1]);
    }
    // ⌊sin x/x⌋ is 0 on both sides of 0, where sin x/x < 1, and it has no value there
    let bump =
        r#"["input"], ["number", 0], ["(==)", 0, 1], ["sin", 0], ["(/)", 3, 0], ["floor", 4], ["choose", 2, 1, 5]"#;
    assert_eq!(at(bump, (0, 1), 0.0).finding, AuditFinding::Inside);
    // ⌊10·sin(1/x)⌋ has no limit at 0
    let wild = r#"["input"], ["number", 0], ["(==)", 0, 1], ["number", 1], ["(/)", 3, 0], ["sin", 4], ["floor", 5], ["choose", 2, 1, 6]"#;
    assert_eq!(at(wild, (0, 1), 0.0).finding.name(), "UNKNOWN");
}

/// |x| + y² along a line through (0, 3): |a·t| + (3 + b·t)² has the set [-|a|, |a|] + 6·b.
#[test]
fn several_variables_are_one_on_a_line() {
    let steps =
        parse_steps(&text(r#"["input", 0], ["abs", 0], ["input", 1], ["power", 2, "2"], ["(+)", 1, 3]"#)).unwrap();
    assert_eq!(steps.input_count(), 2);
    assert!(AuditSubject::of_steps(steps.clone()).is_err());
    let numbers = |all: [i32; 2]| all.map(Rational::from);
    for (a, b) in [(1, 0), (0, 1), (2, -1), (-3, 1)] {
        let line = steps.restrict_to_line(&numbers([0, 3]), &numbers([a, b])).unwrap();
        let subject = AuditSubject::of_steps(line).unwrap();
        let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
        let ask = |claim: f64| {
            subject
                .judge_claim(&Rational::new(), &Claim::from(claim), &ClaimTolerance::default(), &budget)
                .unwrap()
                .finding
        };
        let (low, high) = (f64::from(6 * b - a.abs()), f64::from(6 * b + a.abs()));
        assert_eq!([ask(low), ask(high)], [AuditFinding::Inside, AuditFinding::Inside], "{a} {b}");
        assert_eq!([ask(low - 0.1).name(), ask(high + 0.1).name()], ["CERTIFIED_OUT"; 2], "{a} {b}");
    }
    assert!(steps.restrict_to_line(&numbers([0, 3])[..1], &numbers([1, 1])[..1]).is_err());
    assert!(steps.restrict_to_line(&numbers([0, 3]), &numbers([1, 1])[..1]).is_err());
}

/// What a tracer cannot express is not decided where it is asked for, and nowhere else.
#[test]
fn what_is_refused_counts_where_it_is_asked_for() {
    let steps = r#"["input"], ["number", 0], ["(<)", 0, 1], ["refused", "a spline"], ["choose", 2, 3, 0]"#;
    assert_eq!(name(steps, 1, 1.0), "CERTIFIED_IN");
    let AuditFinding::Unknown(why) = report(steps, -1, &Claim::from(1.0)).finding else { panic!() };
    assert!(why.contains("a spline"), "{why}");
    assert_eq!(name(steps, 0, 1.0), "UNKNOWN");
}

#[track_caller]
fn gradient(steps: &str, at: [i32; 2], claim: [f64; 2]) -> AuditFinding {
    let subject = GradientSubject::of_steps(parse_steps(&text(steps)).unwrap(), 2).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let (at, claim) = (at.map(Rational::from), claim.map(Claim::from));
    subject.judge_claims(&at, &claim, &ClaimTolerance::default(), &budget).unwrap().finding
}

/// The gradient of where(y < x, x·y, |y|·x), which is x·|y| but for x > y and y < 0: it jumps where y = x < 0.
#[test]
fn gradients_of_steps_are_judged() {
    let steps =
        r#"["input", 0], ["input", 1], ["(<)", 1, 0], ["(*)", 0, 1], ["abs", 1], ["(*)", 4, 0], ["choose", 2, 3, 5]"#;
    assert_eq!(gradient(steps, [2, -1], [-1.0, 2.0]), AuditFinding::Inside);
    assert_eq!(gradient(steps, [2, -1], [1.0, 2.0]).name(), "CERTIFIED_OUT");
    assert_eq!(gradient(steps, [-2, -1], [1.0, 2.0]), AuditFinding::Inside);
    assert_eq!(gradient(steps, [-2, 0], [0.0, 1.5]), AuditFinding::Inside);
    assert_eq!(gradient(steps, [-2, 0], [0.0, 2.5]).name(), "CERTIFIED_OUT");
    assert_eq!(gradient(steps, [-2, 0], [0.0, f64::NAN]).name(), "CERTIFIED_OUT");
    // on the border, where |y| is y around the point; and at 0, where the branches agree at the point alone
    assert_eq!(gradient(steps, [1, 1], [1.0, 1.0]), AuditFinding::Inside);
    assert_eq!(gradient(steps, [1, 1], [1.0, 0.0]), AuditFinding::Outside(DisagreementCause::Border));
    assert_eq!(gradient(steps, [0, 0], [0.0, 0.0]).name(), "UNKNOWN");
    // a segment, of which its ends are members
    let most = r#"["input", 0], ["input", 1], ["max", 0, 1]"#;
    assert_eq!(gradient(most, [1, 1], [0.25, 0.75]), AuditFinding::Inside);
    assert_eq!(gradient(most, [1, 1], [0.25, 0.25]).name(), "CERTIFIED_OUT");
    assert_eq!(gradient(most, [1, 1], [1.25, 0.0]).name(), "CERTIFIED_OUT");
    // max(x, 0) + min(x, 0) + y is x + y, whose enclosure is narrow on the border
    let both =
        r#"["input", 0], ["input", 1], ["number", 0], ["max", 0, 2], ["min", 0, 2], ["(+)", 3, 4], ["(+)", 5, 1]"#;
    assert_eq!(gradient(both, [0, 2], [1.0, 1.0]), AuditFinding::Inside);
    assert_eq!(gradient(both, [0, 2], [0.0, 1.5]), AuditFinding::Outside(DisagreementCause::Border));
    assert_eq!(gradient(both, [1, 2], [0.0, 1.0]), AuditFinding::Outside(DisagreementCause::Unexplained));
    // what a line shows
    let root = r#"["input", 0], ["input", 1], ["sqrt", 1], ["(*)", 0, 2]"#;
    assert_eq!(gradient(root, [1, -1], [0.0, 0.0]).name(), "NOT_DEFINED");
    assert_eq!(gradient(root, [1, 0], [0.0, 0.0]).name(), "ONE_SIDED");
    let jump = r#"["input", 0], ["input", 1], ["floor", 1], ["(*)", 0, 2]"#;
    assert_eq!(gradient(jump, [1, 2], [2.0, 0.0]).name(), "NOT_CONTINUOUS");
    assert_eq!(gradient(&jump.replace("(*)", "(+)"), [1, 2], [1.0, 0.0]).name(), "NOT_CONTINUOUS");
    assert!(GradientSubject::of_steps(parse_steps(&text(most)).unwrap(), 1).is_err());
    // x·y + σ(x)·(⌊y⌋ - 2), beside y = 5/2 where the last is 0
    let parts = r#"["input", 0], ["input", 1], ["sigmoid", 0], ["floor", 1], ["number", 2], ["(-)", 3, 4], ["(*)", 2, 5],
        ["(*)", 0, 1], ["(+)", 6, 7], ["(==)", 0, 1], ["not", 9], ["(/=)", 0, 1], ["or", 10, 11], ["choose", 12, 8, 0]"#;
    let subject = GradientSubject::of_steps(parse_steps(&text(parts)).unwrap(), 2).unwrap();
    let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
    let at = [Rational::from(3), Rational::from((5, 2))];
    let claims = [2.5, 3.0].map(Claim::from);
    assert_eq!(
        subject.judge_claims(&at, &claims, &ClaimTolerance::default(), &budget).unwrap().finding,
        AuditFinding::Inside
    );
}

/// where(0 ≤ y ≤ x², where(y ≤ x²/2, y, x² - y), 0) at 0: the set is {0}×[-1, 1], and no line enters the cusp that (0, 1) comes from.
#[test]
fn what_no_line_sees_is_not_called_outside() {
    let cusp = r#"["input", 0], ["input", 1], ["number", 0], ["power", 0, "2"], ["number", "1/2"], ["(*)", 4, 3], ["(<=)", 1, 5],
        ["(-)", 3, 1], ["choose", 6, 1, 7], ["(<=)", 2, 1], ["(<=)", 1, 3], ["and", 9, 10], ["choose", 11, 8, 2]"#;
    for claim in [[0.0, 1.0], [0.0, -1.0], [0.0, 0.5]] {
        assert_eq!(gradient(cusp, [0, 0], claim).name(), "UNKNOWN", "{claim:?}");
    }
    // inside the cusp it is y below the half of x², and x² - y above
    assert_eq!(gradient(cusp, [4, 1], [0.0, 1.0]), AuditFinding::Inside);
    assert_eq!(gradient(cusp, [4, 10], [8.0, -1.0]), AuditFinding::Inside);
    assert_eq!(gradient(cusp, [4, 10], [0.0, 1.0]).name(), "CERTIFIED_OUT");
}
