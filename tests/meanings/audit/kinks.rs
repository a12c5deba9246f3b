//! Gradients at kinks of functions of several variables, whose sets are derived by hand: which claims lie in them, which do not, and which
//! are not decided.

use smoothish::audit::file::{parse_program, parse_steps};
use smoothish::audit::{Audit, AuditFinding, Claim, DisagreementCause, RuleFinding};
use smoothish::number::Rational;
use smoothish::session::{Limits, Session};

/// The verdict on a claim about a program, or about a list of steps.
#[track_caller]
fn found(function: &str, at: &[i32], claim: &[f64]) -> AuditFinding {
    let at = at.iter().map(|q| Rational::from(*q));
    let claims = claim.iter().map(|x| Claim::from(*x));
    let audit = match function.starts_with('[') {
        false => Audit::new(function, at, claims),
        true => Audit::of_steps(parse_steps(&text(function)).unwrap(), at, claims),
    };
    Session::new().ask(&audit, &Limits::seconds(60)).unwrap().into_value().finding
}

fn text(steps: &str) -> String {
    format!(r#"{{"format": "smoothish steps", "version": 2, "steps": [{steps}]}}"#)
}

#[track_caller]
fn check(function: &str, at: &[i32], claims: &[(&[f64], &str)]) {
    for (claim, expected) in claims {
        let found = found(function, at, claim);
        let name = match found {
            AuditFinding::Outside(DisagreementCause::Border) => KINK,
            _ => found.name(),
        };
        assert_eq!(name, *expected, "{function} at {at:?}, {claim:?}: {found}");
    }
}

const IN: &str = "CERTIFIED_IN";
const OUT: &str = "CERTIFIED_OUT";
/// Outside, where a rule that takes sides of the borders gives the claim.
const KINK: &str = "kink";
const OPEN: &str = "UNKNOWN";

/// The set of a norm at 0 is the unit ball; of 3‖(x, 2y)‖ + x it is (1, 0) and the ellipse with half axes 3 and 6; of -‖·‖ the ball again.
#[test]
fn norms_have_balls() {
    let norm = r#"["input", 0], ["input", 1], ["(*)", 0, 0], ["power", 1, "2"], ["(+)", 2, 3], ["sqrt", 4]"#;
    for norm in [norm, r"\(x, y) => sqrt (x^2 + y * y)", r"\(x, y) => (x^2 + y^2) ^ (1/2)"] {
        check(
            norm,
            &[0, 0],
            &[
                (&[0.6, 0.8], IN),
                (&[0.0, 0.0], IN),
                (&[0.6, 0.80001], OUT),
                (&[1.0, 1.0], OUT),
                (&[f64::NAN, 0.0], OUT),
            ],
        );
    }
    let ellipse = r"\(x, y) => x + 3 * sqrt (x^2 + 4 * y^2)";
    check(ellipse, &[0, 0], &[(&[4.0, 0.0], IN), (&[1.0, 6.0], IN), (&[1.0, 6.001], OUT), (&[-2.1, 0.0], OUT)]);
    // 1 + 3 cos t, 6 sin t for t = 1 is on the ellipse; a thousandth beyond is not
    let (sin, cos) = 1.0_f64.sin_cos();
    check(ellipse, &[0, 0], &[(&[1.0 + 2.999 * cos, 5.998 * sin], IN), (&[1.0 + 3.003 * cos, 6.006 * sin], OUT)]);
    check(r"\(x, y) => - sqrt (x^2 + y^2)", &[0, 0], &[(&[0.6, -0.8], IN), (&[0.8, 0.8], OUT)]);
    // norms of both signs: that the set lies in the ball of radius 2 + √2 is all that is known
    check(
        r"\(x, y) => 2 * sqrt (x^2 + y^2) - sqrt (x^2 + y^2 + x^2)",
        &[0, 0],
        &[(&[9.0, 0.0], OUT), (&[0.1, 0.0], OPEN)],
    );
    // h‖F‖ with h(0) = 0 has the gradient 0, and √u³ as well
    for smooth in [r"\(x, y) => x * sqrt (x^2 + y^2)", r"\(x, y) => (x^2 + y^2) ^ (3/2)"] {
        check(smooth, &[0, 0], &[(&[0.0, 0.0], IN), (&[0.1, 0.0], OUT), (&[0.0, f64::NAN], OUT)]);
    }
}

/// The deviation of three numbers, divided by 3, at a tie: the disc with the radius 1/√3 in the plane Σ = 0.
#[test]
fn a_deviation_has_a_disc() {
    let deviation =
        r"\(x, y, z) => sqrt (((x - (x + y + z) / 3)^2 + (y - (x + y + z) / 3)^2 + (z - (x + y + z) / 3)^2) / 3)";
    let third = 1.0 / 3.0;
    check(
        deviation,
        &[1, 1, 1],
        &[
            (&[third, -third / 2.0, -third / 2.0], IN),
            (&[0.5, -0.25, -0.25], OUT),
            (&[0.1, 0.1, 0.1], OUT),
            (&[0.0, 0.0, 0.0], IN),
            (&[f64::NAN; 3], OUT),
            // |(a, -a, 0)| = a·√2 is 1/√3 for a = 0.40824829…
            (&[0.408248, -0.408248, 0.0], IN),
            (&[0.408249, -0.408249, 0.0], OUT),
        ],
    );
}

/// The greatest of four numbers at a tie: the simplex. Its box does not tell (1, 1, 1, 1) from it.
#[test]
fn a_maximum_has_a_simplex() {
    for maximum in [r"\(x, y, z, w) => max (max x y) (max z w)", r"\(x, y, z, w) => max w (max z (max y x))"] {
        check(
            maximum,
            &[2, 2, 2, 2],
            &[
                (&[1.0, 1.0, 1.0, 1.0], OUT),
                (&[0.1, 0.2, 0.3, 0.4], IN),
                (&[0.25; 4], IN),
                (&[0.0, 0.0, 1.0, 0.0], IN),
                (&[0.5, 0.5, 0.1, 0.0], OUT),
                (&[0.5, 0.6, -0.1, 0.0], OUT),
            ],
        );
    }
    // the middle of three numbers: also the simplex, since each of them may be it
    let median = r"\(x, y, z) => max (min x y) (min (max x y) z)";
    check(median, &[0, 0, 0], &[(&[0.2, 0.3, 0.5], IN), (&[0.4, 0.4, 0.4], OUT), (&[0.0, 1.0, 0.0], IN)]);
}

/// relu x - relu (-x) + y is x + y; and ||x| - |y|| has the square with the corners (±1, ±1).
#[test]
fn kinks_are_seen_together() {
    check(r"\(x, y) => max x 0 - max (- x) 0 + y", &[0, 0], &[(&[1.0, 1.0], IN), (&[0.0, 1.0], KINK)]);
    // no border depends on y
    let found = found(r"\(x, y) => max x 0 - max (- x) 0 + y", &[0, 0], &[1.0, 0.0]);
    assert_eq!(found, AuditFinding::Outside(DisagreementCause::Unexplained));
    let square = r"\(x, y) => abs (abs x - abs y)";
    check(
        square,
        &[0, 0],
        &[(&[1.0, 0.0], IN), (&[1.0, 1.0], IN), (&[-0.3, 0.9], IN), (&[1.1, 0.0], OUT), (&[0.0, -1.1], OUT)],
    );
    // |x| + |x + y|/2: the four gradients (±3/2 or ±1/2, ±1/2), a parallelogram
    let bent = r"\(x, y) => abs x + abs (x + y) / 2";
    check(
        bent,
        &[0, 0],
        &[(&[1.5, 0.5], IN), (&[0.5, -0.5], IN), (&[1.0, -0.25], OUT), (&[0.75, -0.25], IN), (&[1.5, 0.0], OUT)],
    );
}

/// where(x > 0, y, 0) is continuous at 0, and not near it. A choice whose branches agree on the border is continuous.
#[test]
fn choices_are_joined_where_their_branches_agree() {
    for claim in [&[0.0, 0.0], &[0.0, 0.5], &[0.0, 1.0], &[2.0, 2.0]] {
        check(r"\(x, y) => if x > 0 then y else 0", &[0, 0], &[(claim, OPEN)]);
        check(r"\(x, y) => if x > 0 then 1 + y else y", &[0, 0], &[(claim, OPEN)]);
        // equal to 0 off the border, and 1 on it
        check(r"\(x, y) => if x == y then 1 else 0", &[0, 0], &[(claim, OPEN)]);
        // twice the border belongs to another side: f is 1 on it, and 0 elsewhere
        check(r"\(x, y) => if x >= 0 then (if x > 0 then 0 else 1) else 0", &[0, 0], &[(claim, OPEN)]);
        // max (x, y) - y is 0 for x ≤ y
        check(r"\(x, y) => if max x y - y > 0 then 1 else 0", &[0, 0], &[(claim, OPEN)]);
    }
    let joined = r"\(x, y) => if x > 0 then 2 * x + y else y";
    check(
        joined,
        &[0, 0],
        &[(&[2.0, 1.0], IN), (&[0.5, 1.0], IN), (&[2.5, 1.0], OUT), (&[1.0, 0.5], OUT), (&[f64::NAN, 1.0], OUT)],
    );
    // the loss of Huber at its border is once differentiable
    let huber = r"\(x, y) => if abs (x - y) < 1 then (x - y)^2 / 2 else abs (x - y) - 1/2";
    check(huber, &[3, 2], &[(&[1.0, -1.0], IN), (&[1.0, 0.0], OUT)]);
    let guarded = r"\(x, y) => if x^2 + y^2 == 0 then 0 else sqrt (x^2 + y^2)";
    check(guarded, &[0, 0], &[(&[0.6, 0.8], IN), (&[0.0, 0.0], IN), (&[1.0, 1.0], OUT)]);
    check(r"\(x, y) => if x^2 + y^2 == 0 then 1 else sqrt (x^2 + y^2)", &[0, 0], &[(&[0.0, 0.0], OPEN)]);
    // a product of numbers as a border: x·y above, 0 below
    check(r"\(x, y) => if x * y > 0 then x * y else 0", &[0, 0], &[(&[0.0, 0.0], IN), (&[0.1, 0.0], OUT)]);
}

/// max(0, min(y, x² - y)) has {0}×[-1, 1] at 0. Between y = 0 and y = x² there is no ray, so that not all of it is known from inside.
#[test]
fn what_has_no_ray_is_not_outside() {
    let thin = r"\(x, y) => max 0 (min y (x^2 - y))";
    check(
        thin,
        &[0, 0],
        &[(&[0.0, 0.5], OPEN), (&[0.0, -1.0], OPEN), (&[0.0, 0.0], IN), (&[0.0, 1.5], OUT), (&[0.1, 0.0], OUT)],
    );
}

/// Claims at a tie of twelve numbers, and at twelve kinks of their own: as many pieces as signs of more borders than are looked at.
#[test]
fn many_kinks_are_not_decided_wrongly() {
    let names: Vec<_> = (0..12).map(|i| format!("x{i}")).collect();
    let sum: Vec<_> = names.iter().map(|x| format!("abs {x}")).collect();
    let all = format!(r"\({}) => {}", names.join(", "), sum.join(" + "));
    let at = [0; 12];
    assert_ne!(found(&all, &at, &[0.5; 12]).name(), OUT);
    assert_eq!(found(&all, &at, &[1.5; 12]).name(), OUT);
    // eight numbers: 28 borders, and 128 pieces
    let eight = names[..8].join(", ");
    let maximum = names[1..8].iter().fold(names[0].clone(), |most, x| format!("max ({most}) {x}"));
    check(&format!(r"\({eight}) => {maximum}"), &at[..8], &[(&[0.125; 8], IN), (&[0.126; 8], OUT), (&[1.0; 8], OUT)]);
}

/// The greatest of 12 equal numbers has the simplex as its set, and has more pieces than are looked at: what rays find is no enclosure of it.
/// The rule of all twelfths is not refuted by them.
#[test]
fn members_along_rays_are_no_enclosure() {
    let count = 12;
    let mut steps: Vec<String> = (0..count).map(|place| format!(r#"["input", {place}]"#)).collect();
    for place in 1..count {
        let before = if place == 1 { 0 } else { count + place - 2 };
        steps.push(format!(r#"["max", {before}, {place}]"#));
    }
    let outputs: Vec<String> = (0..count).map(|place| place.to_string()).collect();
    let twelfths = vec![r#"["number", "1/12"]"#; count].join(", ");
    let rules = format!(
        r#"{{"format": "smoothish steps", "version": 2, "steps": [{twelfths}], "outputs": [{}]}}"#,
        outputs.join(", ")
    );
    let audit = Audit::of_steps(
        parse_steps(&text(&steps.join(", "))).unwrap(),
        vec![Rational::from(1); count],
        vec![Claim::from(1.0 / 12.0); count],
    );
    let audit = audit.computed_by(parse_program(&rules).unwrap());
    let found = Session::new().ask(&audit, &Limits::seconds(60)).unwrap().into_value();
    assert_ne!(found.rules, Some(RuleFinding::Refuted), "{found:?}");
    assert!(!matches!(found.finding, AuditFinding::Outside(_)), "{found:?}");
    for known in found.set.iter().flatten() {
        assert!(known.lo().to_rational().unwrap() <= 0 && known.hi().to_rational().unwrap() >= 1, "{known:?}");
    }
}
