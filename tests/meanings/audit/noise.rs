//! The effects of rounding on a claim: a program that is run in floating-point numbers is never outside, one with a wrong rule always is, and no
//! bound is made where rounding may turn a comparison.

use smoothish::audit::file::{parse_program, parse_steps};
use smoothish::audit::{
    AllowanceLevel, Audit, AuditFinding, AuditResult, Claim, DisagreementCause, FloatFormat, RoundedClaim, RuleFinding,
};
use smoothish::number::Rational;
use smoothish::random::SplitMix64;
use smoothish::session::{Limits, Session};

fn steps(steps: &str) -> String {
    format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [{steps}]}}"#)
}

/// A program of which every step is rounded to `float32`.
fn rounded(steps: &str) -> String {
    let count = serde_json::from_str::<serde_json::Value>(&format!("[{steps}]")).unwrap().as_array().unwrap().len();
    let dtypes = vec!["\"float32\""; count].join(", ");
    format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [{steps}], "dtypes": [{dtypes}]}}"#)
}

#[track_caller]
fn judge(function: &str, rules: Option<&str>, at: f32, claim: f32) -> AuditResult {
    let question = Audit::of_steps(
        parse_steps(&steps(function)).unwrap(),
        [Rational::from_f32(at).unwrap()],
        [Claim::from(f64::from(claim))],
    );
    let question = question.with_rounding(FloatFormat::Float32, None);
    let question = match rules {
        Some(rules) => question.computed_by(parse_program(rules).unwrap()),
        None => question,
    };
    Session::new().ask(&question, &Limits::seconds(60)).unwrap().into_value()
}

/// A function, a program of its derivative, and the same in Rust.
struct RoundedCase {
    function: &'static str,
    derivative: &'static str,
    run: fn(f32) -> f32,
}

const CASES: &[RoundedCase] = &[
    // (1 - cos x)/x²
    RoundedCase {
        function: r#"["input", 0], ["cos", 0], ["number", 1], ["(-)", 2, 1], ["(*)", 0, 0], ["(/)", 3, 4]"#,
        derivative: r#"["input", 0], ["sin", 0], ["cos", 0], ["number", 1], ["(-)", 3, 2], ["(*)", 0, 0], ["(/)", 1, 5],
            ["(*)", 5, 0], ["(/)", 4, 7], ["number", 2], ["(*)", 9, 8], ["(-)", 6, 10]"#,
        run: |x| x.sin() / (x * x) - 2.0 * ((1.0 - x.cos()) / (x * x * x)),
    },
    // (eˣ - 1)/x
    RoundedCase {
        function: r#"["input", 0], ["exp", 0], ["number", 1], ["(-)", 1, 2], ["(/)", 3, 0]"#,
        derivative: r#"["input", 0], ["exp", 0], ["number", 1], ["(-)", 1, 2], ["(/)", 1, 0], ["(*)", 0, 0], ["(/)", 3, 5],
            ["(-)", 4, 6]"#,
        run: |x| x.exp() / x - (x.exp() - 1.0) / (x * x),
    },
    // √(x + 1) - √x
    RoundedCase {
        function: r#"["input", 0], ["number", 1], ["(+)", 0, 1], ["sqrt", 2], ["sqrt", 0], ["(-)", 3, 4]"#,
        derivative: r#"["input", 0], ["number", 1], ["(+)", 0, 1], ["sqrt", 2], ["sqrt", 0], ["number", "1/2"], ["(/)", 5, 3],
            ["(/)", 5, 4], ["(-)", 6, 7]"#,
        run: |x| 0.5 / (x + 1.0).sqrt() - 0.5 / x.sqrt(),
    },
    // (x + 3)³ - x³, whose slopes are sums of three terms
    RoundedCase {
        function: r#"["input", 0], ["number", 3], ["(+)", 0, 1], ["power", 2, "3"], ["power", 0, "3"], ["(-)", 3, 4]"#,
        derivative: r#"["input", 0], ["number", 3], ["(+)", 0, 1], ["(*)", 2, 2], ["(*)", 0, 0], ["negate", 4], ["dot", [1, 1], [3, 5]]"#,
        run: |x| 3.0 * ((x + 3.0) * (x + 3.0)) + 3.0 * -(x * x),
    },
];

/// A law, at 48 points: the value of a right program in `float32` is inside or rounded. Moved by what is allowed, and by a hundredth, it is
/// outside. A bound without the errors of the forward steps breaks the first half, an infinite one the second.
#[test]
fn runs_in_floating_point_are_never_outside() {
    let (mut rounded_count, mut random) = (0, SplitMix64::new(65));
    for case in CASES {
        for _ in 0..12 {
            let x = 10_f32.powf(random.next_below(5_000) as f32 / 1_000.0 - 4.0);
            let claim = (case.run)(x);
            for rules in [Some(rounded(case.derivative)), None] {
                let found = judge(case.function, rules.as_deref(), x, claim);
                let is_healthy = matches!(found.finding, AuditFinding::Inside | AuditFinding::Rounded(_));
                // reverse mode of its own is another program, which may round less
                assert!(is_healthy || rules.is_none(), "{} at {x}: {claim}, {found:?}", case.function);
                assert_eq!(
                    found.rules,
                    rules.as_ref().map(|_| RuleFinding::Right),
                    "{} at {x}: {found:?}",
                    case.function
                );
                rounded_count += usize::from(matches!(found.finding, AuditFinding::Rounded(_)));
                // a claim that is far away asks for the widest allowance
                let far = judge(case.function, rules.as_deref(), x, 1e12);
                let allowed = far.allowed.unwrap_or_else(|| panic!("{} at {x}", case.function))[0].to_f64() as f32;
                let moved = claim + 2.1 * allowed + 0.01 * claim.abs() + 1e-3;
                let found = judge(case.function, rules.as_deref(), x, moved);
                let AuditFinding::Outside(cause) = found.finding else { panic!("{moved} at {x}: {found:?}") };
                assert_eq!(cause, DisagreementCause::Unexplained);
            }
        }
    }
    assert!(rounded_count >= 24, "{rounded_count}");
}

/// tanh x, with the slope 1.0005·(1 - tanh² x) and with one of 1 + 2⁻²⁴ of it: the first is refuted, the second is what a constant in
/// `float32` may be. At 3/10 the derivative is 0.9151369618266292.
#[test]
fn rules_are_judged_over_the_real_numbers() {
    let tanh = r#"["input", 0], ["tanh", 0]"#;
    let rule = |factor: &str| {
        rounded(&format!(
            r#"["input", 0], ["tanh", 0], ["(*)", 1, 1], ["number", 1], ["(-)", 3, 2], ["number", "{factor}"], ["(*)", 5, 4]"#
        ))
    };
    for (factor, claim, rules, expected) in [
        ("1", 0.915_137, RuleFinding::Right, AuditFinding::Inside),
        ("16777217/16777216", 0.915_137, RuleFinding::Right, AuditFinding::Inside),
        ("10005/10000", 0.915_594_5, RuleFinding::Refuted, AuditFinding::Outside(DisagreementCause::Rule)),
        // right within the unit, by a rule that is not
        ("1000001/1000000", 0.915_137_9, RuleFinding::Refuted, AuditFinding::Inside),
    ] {
        let found = judge(tanh, Some(&rule(factor)), 0.3, claim);
        assert_eq!((found.rules, &found.finding), (Some(rules), &expected), "{factor}: {found:?}");
    }
    // without a program no rule is judged
    let found = judge(tanh, None, 0.3, 0.915_594_5);
    assert_eq!((found.rules, found.finding), (None, AuditFinding::Outside(DisagreementCause::Unexplained)));
}

/// 1 + sin x - 9·sin(x)/9 is 1, and its derivative is 0: a claim of some roundings of cos x is explained by the sweep of the function alone. Its
/// bound counts the roundings of every step of a path: a count of uses alone would be 3 roundings of cos x, 1.6e-7. A scale of the function
/// changes nothing.
#[test]
fn sums_that_cancel_are_allowed_their_rounding() {
    let zero =
        r#"["input", 0], ["sin", 0], ["number", 9], ["(*)", 1, 2], ["number", "1/9"], ["(*)", 3, 4], ["(-)", 1, 5]"#;
    for (scale, size) in [("1", 1.0), ("1/1099511627776", 2_f32.powi(-40)), ("1099511627776", 2_f32.powi(40))] {
        let function = format!(r#"{zero}, ["number", 1], ["(+)", 6, 7], ["number", "{scale}"], ["(*)", 8, 9]"#);
        let found = judge(&function, None, 0.5, 4e-7 * size);
        assert_eq!((&found.finding, found.level), (&AuditFinding::Inside, Some(AllowanceLevel::Sums)), "{found:?}");
        let found = judge(&function, None, 0.5, 1e-4 * size);
        assert_eq!(found.finding, AuditFinding::Outside(DisagreementCause::Unexplained));
    }
    // a function that is 0 too has no size, and 1 stands for it
    let found = judge(zero, None, 0.5, 4e-7);
    assert_eq!((&found.finding, found.level), (&AuditFinding::Inside, Some(AllowanceLevel::Sums)), "{found:?}");
    // without a sum that cancels, units decide
    assert_eq!(judge(r#"["input", 0], ["sin", 0]"#, None, 0.5, 0.5f32.cos()).level, Some(AllowanceLevel::Units));
}

/// 10⁶x - 10⁶x + sin x at 1, whose derivative is cos 1 = 0.5403: the rounding of 10⁶ explains claims that have no right digit, and would hide a
/// rule that is off by a tenth. Such claims are not inside, and such a rule is not right.
#[test]
fn sums_that_hide_the_derivative_are_not_inside() {
    let function =
        r#"["input", 0], ["number", 1000000], ["(*)", 0, 1], ["(*)", 0, 1], ["(-)", 2, 3], ["sin", 0], ["(+)", 4, 5]"#;
    let rule = |factor: &str| {
        rounded(&format!(
            r#"["input", 0], ["number", 1000000], ["(-)", 1, 1], ["cos", 0], ["number", "{factor}"], ["(*)", 3, 4], ["(+)", 2, 5]"#
        ))
    };
    for claim in [0.0, 0.5, 0.54085] {
        for rules in [None, Some(rule("1"))] {
            let found = judge(function, rules.as_deref(), 1.0, claim);
            let AuditFinding::Rounded(rounded) = &found.finding else { panic!("{claim}: {found:?}") };
            assert_eq!(rounded.has_right_rules, rules.is_some());
            assert_eq!(
                found.finding.to_string().contains("the same rules over the real numbers are right"),
                rules.is_some()
            );
        }
    }
    assert_eq!(judge(function, None, 1.0, 1_f32.cos()).level, Some(AllowanceLevel::Units));
    // a gap of 0.05 is less than the rounding of the terms, 0.2, and more than half of the digits
    let found = judge(function, Some(&rule("11/10")), 1.0, 1.1 * 1_f32.cos());
    assert!(matches!(found.finding, AuditFinding::Unknown(_)), "{found:?}");
    assert_eq!(found.rules, Some(RuleFinding::Unknown));
    // a gap of 1.08 is more
    let found = judge(function, Some(&rule("-1")), 1.0, -1_f32.cos());
    assert_eq!(
        (&found.finding, found.rules),
        (&AuditFinding::Outside(DisagreementCause::Rule), Some(RuleFinding::Refuted))
    );
}

/// A right rule that is a number below the least normal one is not refuted: 2⁻¹³⁰/3 is
/// 174762.67 · 2⁻¹⁴⁹, of which `float32` keeps the integer.
#[test]
fn constants_that_are_subnormal_are_not_refuted() {
    let function = r#"["input", 0], ["number", "1/1099511627776"], ["(*)", 0, 1], ["number", "1/3713820117856140824697372672"], ["(*)", 2, 3]"#;
    let slope = (2_f64.powi(-40) / (3.0 * 2_f64.powi(90))) as f32;
    let numerator = (f64::from(slope) * 2_f64.powi(149)) as u64;
    // 2⁻¹⁴⁹ · numerator
    let rule = rounded(&format!(r#"["number", "{numerator}/713623846352979940529142984724747568191373312"]"#));
    let found = judge(function, Some(&rule), 1.0, slope);
    assert_eq!((&found.finding, found.rules), (&AuditFinding::Inside, Some(RuleFinding::Right)), "{found:?}");
}

/// Where rounding may turn a comparison there is no bound: (1 + 2⁻³⁰) - 1 is positive, and 0 in `float32`.
#[test]
fn comparisons_that_rounding_turns_leave_no_bound() {
    let function = r#"["input", 0]"#;
    let turned = rounded(
        r#"["input", 0], ["number", 1], ["(+)", 0, 1], ["(-)", 2, 1], ["number", 0], ["(<)", 4, 3], ["number", 5], ["choose", 5, 1, 6]"#,
    );
    let found = judge(function, Some(&turned), 2_f32.powi(-30), 5.0);
    assert!(matches!(found.finding, AuditFinding::Unknown(_)) && found.rules == Some(RuleFinding::Right), "{found:?}");
    // 1 + x is positive however it is rounded
    let kept = rounded(
        r#"["input", 0], ["number", 1], ["(+)", 0, 1], ["number", 0], ["(<)", 3, 2], ["number", 5], ["choose", 4, 1, 5]"#,
    );
    let found = judge(function, Some(&kept), 0.25, 5.0);
    assert_eq!(found.finding, AuditFinding::Outside(DisagreementCause::Unexplained), "{found:?}");
    // exact numbers are compared as they are: 1 < 1 fails, and 1 + 1 is not rounded
    let exact = rounded(
        r#"["input", 0], ["number", 1], ["(+)", 1, 1], ["number", 2], ["(<)", 3, 2], ["number", 5], ["choose", 4, 5, 1]"#,
    );
    let found = judge(function, Some(&exact), 0.25, 1.5);
    assert_eq!(found.finding, AuditFinding::Outside(DisagreementCause::Unexplained), "{found:?}");
}

/// A program that goes through a coarser format is told where: 1/3 as a `bfloat16` has two digits.
#[test]
fn coarser_formats_are_named() {
    let function = r#"["input", 0], ["number", "11184811/33554432"], ["(*)", 0, 1]"#;
    let rules = r#"{"format": "smoothish steps", "version": 2,
        "steps": [["number", "11184811/33554432"], ["round", 0], ["round", 1]], "dtypes": ["float32", "bfloat16", "float32"],
        "places": {"texts": ["model.py:12"], "of": [null, 0, null]}}"#;
    let found = judge(function, Some(rules), 2.0, 0.333_984_38);
    let expected = RoundedClaim {
        digits: 2,
        coarse_format: Some((FloatFormat::Bfloat16, " at model.py:12".to_owned())),
        has_right_rules: true,
    };
    assert_eq!(found.finding, AuditFinding::Rounded(expected), "{found:?}");
    assert_eq!(
        found.finding.to_string(),
        "the same rules over the real numbers are right; 2 digits of the claim are, as the program goes through bfloat16 at model.py:12"
    );
    assert!(matches!(judge(function, Some(rules), 2.0, 0.34).finding, AuditFinding::Outside(_)));
}

/// The derivative with stopped values is named: x·x with the second factor held at 2.
#[test]
fn stopped_values_are_a_cause() {
    let square = r#"["input", 0], ["(*)", 0, 0]"#;
    let claimed = |claim: f64| {
        let question = Audit::of_steps(parse_steps(&steps(square)).unwrap(), [Rational::from(2)], [Claim::from(claim)]);
        let stopped = parse_steps(&steps(r#"["input", 0], ["number", 2], ["(*)", 0, 1]"#)).unwrap();
        let question = question.with_stopped_values(stopped);
        Session::new().ask(&question, &Limits::seconds(60)).unwrap().into_value().finding
    };
    assert_eq!(claimed(2.0), AuditFinding::Outside(DisagreementCause::StopGradient));
    assert_eq!(claimed(3.0), AuditFinding::Outside(DisagreementCause::Unexplained));
    assert_eq!(claimed(4.0), AuditFinding::Inside);
}

/// Errors that are allowed widen the tolerance: absolute ones beside the units, relative ones in their place.
#[test]
fn errors_that_are_allowed() {
    let ask = |absolute: (u32, u32), relative: (u32, u32), claim: f64| {
        let question = Audit::new(r"\x => x^2", [5.into()], [Claim::from(claim)]);
        let question = question.with_errors(Rational::from(absolute), Rational::from(relative));
        Session::new().ask(&question, &Limits::seconds(60)).unwrap().into_value().finding
    };
    for (absolute, relative, claim, is_inside) in [
        ((1, 10), (0, 1), 10.09, true),
        ((1, 10), (0, 1), 10.11, false),
        ((0, 1), (1, 100), 10.09, true),
        ((0, 1), (1, 100), 10.11, false),
        ((1, 10), (1, 100), 10.19, true),
    ] {
        assert_eq!(ask(absolute, relative, claim) == AuditFinding::Inside, is_inside, "{claim}");
    }
}

/// On the border of a choice a rule is not right by what is chosen at the point itself: where(x = 0, 0, x) is x, and the rule 0 is that of
/// the constant; where(x > 0, x, 0) - where(-x > 0, -x, 0) is x too.
#[test]
fn rules_on_borders_are_not_those_of_the_point() {
    let equal = r#"["input", 0], ["number", 0], ["(==)", 0, 1], ["choose", 2, 1, 0]"#;
    let relus = r#"["input", 0], ["number", 0], ["(<)", 1, 0], ["choose", 2, 0, 1], ["negate", 0], ["(<)", 1, 4], ["choose", 5, 4, 1],
        ["(-)", 3, 6]"#;
    for function in [equal, relus] {
        for (rule, right) in [("0", false), ("1", true)] {
            let rules = rounded(&format!(r#"["number", {rule}]"#));
            let found = judge(function, Some(&rules), 0.0, rule.parse().unwrap());
            let expected = if right { AuditFinding::Inside } else { AuditFinding::Outside(DisagreementCause::Border) };
            assert_eq!(found.finding, expected, "{found:?}");
            assert!(right || found.rules != Some(RuleFinding::Right), "{found:?}");
        }
    }
}

/// max(x, 0) + min(x, 0) + 3x is 4x: at 0 its slopes beside the borders make claims from 3 to 5, which a choice of sides explains. A program
/// that claims 8, twice the derivative, has a wrong rule.
#[test]
fn borders_explain_what_their_slopes_make() {
    let function =
        r#"["input", 0], ["number", 0], ["max", 0, 1], ["min", 0, 1], ["number", 3], ["(*)", 0, 4], ["sum", 2, 3, 5]"#;
    for (claim, cause) in
        [("3", DisagreementCause::Border), ("5", DisagreementCause::Border), ("8", DisagreementCause::Rule)]
    {
        let rule = rounded(&format!(r#"["number", {claim}]"#));
        let found = judge(function, Some(&rule), 0.0, claim.parse().unwrap());
        assert_eq!((found.finding, found.rules), (AuditFinding::Outside(cause), Some(RuleFinding::Refuted)), "{claim}");
    }
}
