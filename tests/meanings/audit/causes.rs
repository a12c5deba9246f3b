//! The causes of claims outside: a border is one where a rule that takes a side of each border gives the claim, and limits of a question end
//! the search for what rounding does.

use smoothish::audit::file::parse_steps;
use smoothish::audit::{Audit, AuditFinding, Claim, FloatFormat};
use smoothish::number::Rational;
use smoothish::session::{Limits, Session};
use std::time::Duration;

fn cause_of(question: &Audit) -> &'static str {
    match Session::new().ask(question, &Limits::seconds(60)).unwrap().into_value().finding {
        AuditFinding::Outside(cause) => cause.name(),
        other => other.name(),
    }
}

/// Claims, and what is found of each.
type Found = &'static [(&'static str, &'static str)];

/// Programs, points, claims and what is found of them. The rules that take sides are combined by hand.
const CLAIMS: &[(&str, &str, Found)] = &[
    // slopes 0, 1/2 or 1 of each of two kinks, whose sum is 1
    (
        r"\x => max x 0 + min x 0",
        "0",
        &[
            ("0", "kink"),
            ("1/2", "kink"),
            ("2", "kink"),
            ("1", "CERTIFIED_IN"),
            ("2001/2000", "unexplained"),
            ("3/10", "unexplained"),
            ("3", "unexplained"),
        ],
    ),
    (r"abs", "0", &[("11/10", "unexplained"), ("1", "CERTIFIED_IN")]),
    // 0 by two maxima of the same numbers
    (
        r"\(x, y) => max x y - max y x",
        "1,1",
        &[("1,-1", "kink"), ("-1/2,1/2", "kink"), ("1,-999/1000", "unexplained"), ("1,1", "unexplained")],
    ),
    // a mean of all three numbers that are equal, less one of them
    (
        r"\(x, y, z) => max x (max y z) - max z (max y x)",
        "1,1,1",
        &[("-2/3,1/3,1/3", "kink"), ("-2/3,1/3,1/4", "unexplained")],
    ),
    // a tie that a third number hides
    (r"\(x, y, z) => max x (max y z)", "1,1,2", &[("1/2,1/2,0", "unexplained")]),
    (r"\(x, y) => max x y", "1,1", &[("1/2,1/4", "unexplained"), ("1/4,3/4", "CERTIFIED_IN")]),
    (r"\x => if x > 0 then 2 * x else x + abs x", "0", &[("1", "CERTIFIED_IN"), ("3", "unexplained")]),
];

#[test]
fn a_border_is_the_cause_of_what_its_sides_make() {
    for (text, at, claims) in CLAIMS {
        for (claim, expected) in *claims {
            let numbers = |text: &str| text.split(',').map(|q| q.parse::<Rational>().unwrap()).collect::<Vec<_>>();
            let question = Audit::new(text, numbers(at), numbers(claim).into_iter().map(Claim::Number));
            assert_eq!(cause_of(&question), *expected, "{text} at {at}: {claim}");
        }
    }
}

/// (⌊x⌋ - 2)·(2 - x) at 2, whose set is [0, 1]: with the floor taken as constant the slope is 2 - ⌊2⌋ = 0, and nothing gives 1.1. A rule may take
/// the branch of the point itself. Along a line causes are the same.
#[test]
fn lists_of_steps_have_such_causes_too() {
    let steps = |steps: &str| {
        parse_steps(&format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [{steps}]}}"#)).unwrap()
    };
    let floor = r#"["input"], ["floor", 0], ["number", 2], ["(-)", 1, 2], ["(-)", 2, 0], ["(*)", 3, 4]"#;
    assert_eq!(cause_of(&Audit::of_steps(steps(floor), [2.into()], [1.1.into()])), "unexplained");
    // x - x² on both sides of 0, and 3·x there
    let there = r#"["input"], ["number", 0], ["(==)", 0, 1], ["number", 3], ["(*)", 0, 3], ["(*)", 0, 0], ["(-)", 0, 5], ["choose", 2, 4, 6]"#;
    for (claim, expected) in [(3.0, "kink"), (1.0, "CERTIFIED_IN"), (2.0, "unexplained")] {
        assert_eq!(cause_of(&Audit::of_steps(steps(there), [0.into()], [claim.into()])), expected, "{claim}");
    }
    // x + ||x| - |-|x||| is x; with the signs a, b and c of its kinks the slope is 1 + c·a·(1 + b)
    let hidden = r#"["input", 0], ["abs", 0], ["negate", 0], ["abs", 2], ["(-)", 1, 3], ["abs", 4], ["(+)", 0, 5]"#;
    for (claim, expected) in
        [(1.0, "CERTIFIED_IN"), (2.0, "kink"), (3.0, "kink"), (-1.0, "kink"), (1.25, "unexplained")]
    {
        let question = Audit::of_steps(steps(hidden), [0.into()], [claim.into()]);
        assert_eq!(cause_of(&question), expected, "{claim}");
        let along = Audit::of_steps(steps(hidden), [0.into()], [claim.into()]).along_direction([1.into()]);
        assert_eq!(cause_of(&along), expected, "{claim} along 1");
    }
}

/// A question that is cut short answers in time what cut it short: of 4,000 sines and cosines, each of the one before.
#[test]
fn what_is_cut_short_is_not_decided() {
    let mut function = vec![r#"["input", 0]"#.to_owned(), r#"["number", "3/7"]"#.to_owned()];
    for i in 2..4_000 {
        function.push(format!(r#"["{}", {}]"#, if i % 2 == 0 { "sin" } else { "cos" }, if i == 2 { 0 } else { i - 1 }));
    }
    let function =
        parse_steps(&format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [{}]}}"#, function.join(", ")))
            .unwrap();
    let question = Audit::of_steps(function, [Rational::from((1, 3))], [0.25.into()]);
    let question = question.with_rounding(FloatFormat::Float32, None);
    for limits in [Limits { work: Some(20_000), ..Limits::seconds(60) }, Limits::within_time(Duration::from_millis(1))]
    {
        let begun = std::time::Instant::now();
        let found = Session::new().ask(&question, &limits).unwrap().into_value();
        assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
        let AuditFinding::Unknown(why) = &found.finding else { panic!("{found:?}") };
        let cut = if limits.work.is_some() { "the limit of work was reached; " } else { "the time was up; " };
        assert!(why.starts_with(cut), "{why}");
    }
}
