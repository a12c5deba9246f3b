//! Random functions of two variables that are linear on sectors: Clarke's set at the origin is the hull of the gradients on these.

use smoothish::audit::file::parse_steps;
use smoothish::audit::{AuditFinding, Claim, ClaimTolerance, DisagreementCause, GradientSubject};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::session::Session;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

const SAMPLES: u64 = 100;
/// How many the long campaign has.
const MANY: u64 = 2_000;

enum Program {
    /// a·x + b·y
    Form(i32, i32),
    Max(Box<Program>, Box<Program>),
    Min(Box<Program>, Box<Program>),
    Abs(Box<Program>),
    Minus(Box<Program>, Box<Program>),
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(a, b) => write!(f, "({a} * x + {b} * y)"),
            Self::Max(p, q) => write!(f, "(max {p} {q})"),
            Self::Min(p, q) => write!(f, "(min {p} {q})"),
            Self::Abs(p) => write!(f, "(abs {p})"),
            Self::Minus(p, q) => write!(f, "({p} - {q})"),
        }
    }
}

impl Program {
    fn random(random: &mut SplitMix64, depth: usize) -> Self {
        if depth == 0 {
            return Self::Form(random.next_below(7) as i32 - 3, random.next_below(7) as i32 - 3);
        }
        let mut part = || Box::new(Self::random(random, depth - 1));
        let (p, q) = (part(), part());
        match random.next_below(4) {
            0 => Self::Max(p, q),
            1 => Self::Min(p, q),
            2 => Self::Abs(p),
            _ => Self::Minus(p, q),
        }
    }

    /// Its steps, after those of x and y, and the number of the last.
    fn steps(&self, steps: &mut Vec<String>) -> usize {
        let mut add = |step: String| {
            steps.push(step);
            steps.len() - 1
        };
        match self {
            Self::Form(a, b) => {
                let [a, b] = [a, b].map(|c| add(format!(r#"["number", {c}]"#)));
                let [ax, by] = [(a, 0), (b, 1)].map(|(c, x)| add(format!(r#"["(*)", {c}, {x}]"#)));
                add(format!(r#"["(+)", {ax}, {by}]"#))
            }
            Self::Abs(p) => {
                let p = p.steps(steps);
                steps.push(format!(r#"["abs", {p}]"#));
                steps.len() - 1
            }
            Self::Max(p, q) | Self::Min(p, q) | Self::Minus(p, q) => {
                let name = match self {
                    Self::Max(..) => "max",
                    Self::Min(..) => "min",
                    _ => "(-)",
                };
                let (p, q) = (p.steps(steps), q.steps(steps));
                steps.push(format!(r#"["{name}", {p}, {q}]"#));
                steps.len() - 1
            }
        }
    }

    /// The same function as a list of steps.
    fn traced(&self) -> GradientSubject {
        let mut steps = vec![r#"["input", 0]"#.to_owned(), r#"["input", 1]"#.to_owned()];
        self.steps(&mut steps);
        let text = format!(r#"{{"format": "smoothish steps", "version": 1, "steps": [{}]}}"#, steps.join(", "));
        GradientSubject::of_steps(parse_steps(&text).unwrap(), 2).unwrap()
    }

    /// Value and gradient at a point; none on a border.
    fn at(&self, d: [i64; 2]) -> Option<(i64, [i64; 2])> {
        match self {
            Self::Form(a, b) => {
                let g = [i64::from(*a), i64::from(*b)];
                Some((g[0] * d[0] + g[1] * d[1], g))
            }
            Self::Max(p, q) | Self::Min(p, q) => {
                let (p, q) = (p.at(d)?, q.at(d)?);
                // of equal gradients it does not matter which
                if p.1 == q.1 {
                    return Some(p);
                }
                let first = (p.0 > q.0) == matches!(self, Self::Max(..));
                (p.0 != q.0).then_some(if first { p } else { q })
            }
            Self::Abs(p) => {
                let (value, g) = p.at(d)?;
                if g == [0, 0] {
                    return Some((value, g));
                }
                (value != 0).then(|| if value < 0 { (-value, g.map(|c| -c)) } else { (value, g) })
            }
            Self::Minus(p, q) => {
                let (p, q) = (p.at(d)?, q.at(d)?);
                Some((p.0 - q.0, [p.1[0] - q.1[0], p.1[1] - q.1[1]]))
            }
        }
    }

    /// The gradients on all sectors. Forms have coefficients up to 24, so borders are lines of slopes p/q with |p|, |q| ≤ 48; between two that
    /// are nearer than a thousandth no direction may lie, and a gradient be missed.
    fn sectors(&self) -> Vec<[i64; 2]> {
        let mut all: Vec<[i64; 2]> = Vec::new();
        let round = |i: i64| -> [i64; 2] {
            let (side, along) = (i / 1_000, 2 * (i % 1_000) + 1 - 1_000);
            [[1_001, along], [-along, 1_001], [-1_001, -along], [along, -1_001]][side as usize]
        };
        for direction in (0..4_000).map(round) {
            if let Some((_, g)) = self.at(direction)
                && !all.contains(&g)
            {
                all.push(g);
            }
        }
        all
    }
}

/// Whether a line through the claim leaves all of the gradients on its other side.
fn is_outside(gradients: &[[i64; 2]], claim: &[Rational; 2]) -> bool {
    let inner = |u: [i64; 2], g: [i64; 2]| Rational::from(u[0] * g[0] + u[1] * g[1]);
    // normal to what joins two gradients, or along it for sets that are points or segments, and along the axes
    let mut normals = vec![[1, 0], [0, 1], [-1, 0], [0, -1]];
    for p in gradients {
        for q in gradients {
            let d = [q[0] - p[0], q[1] - p[1]];
            normals.extend([[d[1], -d[0]], [-d[1], d[0]], d]);
        }
    }
    normals.into_iter().any(|u| {
        let of_claim = Rational::from(&claim[0] * u[0]) + Rational::from(&claim[1] * u[1]);
        gradients.iter().map(|g| inner(u, *g)).max().is_some_and(|most| of_claim > most)
    })
}

#[test]
#[ignore = "a campaign"]
fn two_thousand_findings_in_the_plane_are_right() {
    agree(MANY);
}

fn agree(samples: u64) {
    let session = Session::new();
    let (mut inside, mut proven, mut outside, mut refuted, mut kinks) = (0, 0, 0, 0, 0);
    // of one gradient alone, as that of ||a| - |-a||, what is outside and not shown to be
    let mut open = 0;
    for sample in 0..samples {
        let mut random = SplitMix64::for_sample(2_026, sample);
        let program = Program::random(&mut random, 3);
        let gradients = program.sectors();
        kinks += usize::from(gradients.len() > 1);
        let subject = GradientSubject::new(&session, &format!("\\(x, y) => {program}"), 2).unwrap();
        let traced = program.traced();
        let ask = |claim: &[Rational; 2]| {
            let subject = if sample % 4 == 0 { &traced } else { &subject };
            let budget = Arc::new(Budget::with_time_limit(Duration::from_secs(20)));
            let claims = claim.clone().map(Claim::Number);
            subject
                .judge_claims(&[Rational::new(), Rational::new()], &claims, &ClaimTolerance::default(), &budget)
                .unwrap()
                .finding
        };
        for _ in 0..3 {
            // a mean of up to three gradients
            let mut weights: Vec<_> = (0..3).map(|_| random.next_below(4) as i64).collect();
            weights[0] += 1;
            let total: i64 = weights.iter().sum();
            let chosen: Vec<_> = (0..3).map(|_| *random.pick(&gradients)).collect();
            let mean = [0, 1]
                .map(|i| Rational::from((weights.iter().zip(&chosen).map(|(w, g)| w * g[i]).sum::<i64>(), total)));
            let found = ask(&mean);
            assert!(!matches!(found, AuditFinding::Outside(_)), "{program}: {mean:?} of {gradients:?}: {found:?}");
            (inside, proven) = (inside + 1, proven + usize::from(found == AuditFinding::Inside));
            // a step away from it
            let away = [0, 1].map(|i| &mean[i] + Rational::from((random.next_below(9) as i32 - 4, 2)));
            if is_outside(&gradients, &away) {
                let found = ask(&away);
                assert!(found != AuditFinding::Inside, "{program}: {away:?} of {gradients:?}: {found:?}");
                open += usize::from(gradients.len() == 1 && !matches!(found, AuditFinding::Outside(_)));
                assert!(found != AuditFinding::Outside(DisagreementCause::NotFinite));
                (outside, refuted) = (outside + 1, refuted + usize::from(matches!(found, AuditFinding::Outside(_))));
            }
        }
    }
    println!(
        "{proven} of {inside} inside proven, {refuted} of {outside} outside, {open} of one gradient alone not; {kinks} of {samples} with a kink"
    );
    assert!(
        proven * 10 >= inside * 8
            && refuted * 20 >= outside
            && open * 100 <= outside
            && outside as u64 >= samples / 2
            && kinks as u64 >= samples / 2
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// No claim inside is called outside, and none outside inside. Every fourth program is given as a list of steps.
    #[test]
    fn findings_in_the_plane_are_right() {
        agree(SAMPLES);
    }
}
