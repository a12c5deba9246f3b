//! How long questions take, as medians and as ratios within one run.
//!
//! `cargo bench --bench questions` prints, for each question, the median time at widths 1e-3, 1e-6, 1e-9, 1e-12 and 1e-30,
//! and the ratio time(1e-12)/time(1e-3), which stays small where the cost grows like a power of log(1/ε). With an
//! argument, only the questions that contain it are asked. A second table (`maps`) has typed maps at a point against the
//! same programs asked of the session, and against one run in `f64`; a third (`host`) has programs built in Rust against
//! the same as texts; a fourth (`tangents`) has nested `deriv`s against the definition of S §3; a fifth (`pieces`) unfolds programs in pieces. The last table (`integrals`) has integrals to more and more
//! digits, and the same of the peers python-flint and mpmath on the same machine, where `python3` has them.

use smoothish::host::prelude::*;
use smoothish::meaning::pap::DefaultPiecewiseHooks;
use smoothish::meaning::pap::replay::{ExplorationOptions, MAX_RUN_STEPS};
use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::map::{Map, coordinates};
use smoothish::syntax::ty::Ty;
use smoothish::theory::builtin;
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use typenum::{U1, U2};

#[expect(dead_code, reason = "some of its programs are measured")]
#[path = "../examples/hausdorff.rs"]
mod hausdorff;
#[expect(dead_code, reason = "some of its programs are measured")]
#[path = "../examples/probability.rs"]
mod probability;
#[expect(dead_code, reason = "some of its programs are measured")]
#[path = "../examples/ray_tracer.rs"]
mod ray_tracer;

const WIDTHS: [&str; 5] = ["1e-3", "1e-6", "1e-9", "1e-12", "1e-30"];

const QUESTIONS: &[(&str, &str)] = &[
    ("d/dc ∫ max(0, x-c) at 0.6", "deriv (\\c => integral01 (\\x => max 0 (x - c))) 0.6"),
    ("d/dc ∫ abs(x-c) at 0.6", "deriv (\\c => integral01 (\\x => abs (x - c))) 0.6"),
    ("brightness'(½)", "deriv (\\y => integral01 (\\z => max 0 ((z - y) / sqrt (1 + (z - y)^2)))) (1/2)"),
    ("∫ sin(x + exp x)", "integral01 (\\x => sin (x + exp x))"),
    ("∫ 1/(1+x²)", "integral01 (\\x => 1 / (1 + x^2))"),
    ("∫∫ max(0, x+y-0.77)", "integral01 (\\x => integral01 (\\y => max 0 (x + y - 0.77)))"),
    ("d/dk ∫∫ max(0, xy-k) at 0.3", "deriv (\\k => integral01 (\\x => integral01 (\\y => max 0 (x * y - k)))) 0.3"),
    ("der variance uniform change", "der variance uniform change"),
    ("cuberoot'''(8)", "deriv (deriv (deriv (\\c => cutRoot (\\x => c - x^3)))) 8"),
    ("cos x = x", "firstRoot (\\x => cos x - x)"),
    ("ray tracer", "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)"),
    ("ray tracer'", "deriv (\\y => raytrace (circle (1, y) 1) (1, 1) (1, 0)) (-3/4)"),
    ("Hausdorff distance", "hausdorffDist R2Dist lShape (quarterCircle 0)"),
    ("Hausdorff distance'", "deriv (\\y => hausdorffDist R2Dist lShape (quarterCircle y)) 0"),
    ("parallel segments", "separationDist R2Dist (segment (0, 0) (1, 0)) (segment (0.3, 1) (2, 1))"),
    ("argmax01'", "deriv (\\c => argmax01 (\\x => 1/2 - (x - c)^2 + 0.3 * c^3 * x)) (1/2)"),
    ("max01 of min01 '", "deriv (\\c => max01 (\\x => min01 (\\y => (x - y - c)^2))) 0.3"),
    ("10th derivative", "nthDeriv 10 (\\x => exp (sin x * cos x) / (1 + x^2)) 0.3"),
];

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let session = Session::with_library(builtin::library());
    println!("{:<30} {}  1e-12 / 1e-3", "median time", WIDTHS.map(|w| format!("{w:>10}")).concat());
    for (name, question) in QUESTIONS {
        if !wanted.is_empty() && !wanted.iter().any(|w| name.contains(w.as_str()) || question.contains(w.as_str())) {
            continue;
        }
        let times = WIDTHS.map(|w| median(&session, question, &decimal::parse(w).expect("a width")));
        let shown = times.map(|t| format!("{:>10}", format!("{t:.1?}"))).concat();
        println!("{name:<30} {shown}  {:.1}", times[3].as_secs_f64() / times[0].as_secs_f64());
    }
    if wanted.is_empty() || wanted.iter().any(|w| "maps".contains(w.as_str())) {
        maps(&session);
    }
    if wanted.is_empty() || wanted.iter().any(|w| "host".contains(w.as_str())) {
        host(&session);
    }
    if wanted.is_empty() || wanted.iter().any(|w| "tangents".contains(w.as_str())) {
        tangents(&session);
    }
    if wanted.is_empty() || wanted.iter().any(|w| "pieces".contains(w.as_str())) {
        pieces(&session);
    }
    integrals(&session);
}

/// Two integrals of analytic functions, to more and more digits, beside Arb and mpmath in the same run.
fn integrals(session: &Session) {
    const ASKED: [&str; 2] = ["integral01 (\\x => sin (x + exp x))", "integral01 (\\x => 1 / (1 + x^2))"];
    println!("\n{:<30}{:>8}{:>14}{:>14}", "integrals, in µs", "digits", "∫ sin(x + eˣ)", "∫ 1/(1 + x²)");
    for digits in DIGITS {
        let eps = decimal::parse(&format!("1e-{digits}")).expect("a width");
        let [a, b] = ASKED.map(|question| median(session, question, &eps).as_secs_f64() * 1e6);
        println!("{:<30}{digits:>8}{a:>14.1}{b:>14.1}", "smoothish");
    }
    let digits = DIGITS.map(|digits| digits.to_string()).join(",");
    match Command::new("python3").args(["-c", PEERS, &digits]).output() {
        Ok(output) if output.status.success() => print!("{}", String::from_utf8_lossy(&output.stdout)),
        _ => println!("no python3 with peers to compare with"),
    }
}

/// To how many digits the integrals are asked.
const DIGITS: [u32; 4] = [12, 30, 100, 300];

/// A typed map at a point against the same program through the session. The map is compiled once, the program is read,
/// typed and compiled with each question.
fn maps(session: &Session) {
    let [x, y] = coordinates();
    let f: Map<U2, U1> = ((&x * &y).sin() + x.powi(3)).exp() / (y.powi(2) + 1);
    let rows: [(&str, Map<U2, U1>); 3] = [
        ("value", f.clone()),
        ("∂²/∂x²", f.derivative_along([1.into(), 0.into()]).derivative_along([1.into(), 0.into()])),
        ("∫₀¹ dy", {
            let inner = f.reshape::<(U1, U1), U1>().integral01();
            x.then(&inner)
        }),
    ];
    let point = || [Rational::from((1, 3)), Rational::from((2, 5))];
    println!("\n{:<30} {}", "maps: to 1e-9", ["session", "map", "f64"].map(|w| format!("{w:>12}")).concat());
    for (name, map) in rows {
        let eps = decimal::parse("1e-9").expect("a width");
        let asked = median(session, &format!("({map}) (1/3) (2/5)"), &eps);
        let typed = median_of(|| {
            let found = map.at(point()).enclose(&eps, &Budget::unlimited());
            assert!(found.is_ok_and(|a| a.all_reached()));
        });
        let double = median_of(|| assert!(map.doubles_slice(&[1.0 / 3.0, 0.4]).is_ok()));
        println!("{name:<30} {}", [asked, typed, double].map(|t| format!("{:>12}", format!("{t:.1?}"))).concat());
    }
}

/// What builds a program.
type Build = fn() -> Expr<Real>;

/// Programs built and asked in Rust against the same programs read and asked as text.
fn host(session: &Session) {
    let lit = "deriv (\\y => raytrace (circle (1, y) 1) (1, 1) (1, 0)) (-3/4)";
    let distance = "hausdorffDist R2Dist lShape (quarterCircle 0)";
    let rows: [(&str, &str, Build); 4] = [
        ("brightness'", "deriv brightness (1/2)", || deriv(lam(ray_tracer::brightness)).apply(real!(1 / 2))),
        ("ray tracer'", lit, || deriv(lam(ray_tracer::lit)).apply(real!(-3 / 4))),
        ("der variance uniform change", "der variance uniform change", || {
            probability::der(lam(probability::variance), probability::uniform(), probability::change())
        }),
        ("Hausdorff distance", distance, || {
            let circle = hausdorff::quarter_circle(0);
            hausdorff::hausdorff_dist(lam2(hausdorff::r2_dist), hausdorff::l_shape(), circle)
        }),
    ];
    println!("\n{:<30} {}", "host: to 1e-9", ["text", "Rust"].map(|w| format!("{w:>12}")).concat());
    for (name, text, program) in rows {
        let asked = median(session, text, &decimal::parse("1e-9").expect("a width"));
        let built = median_of(|| assert!(program().enclose(1e-9).is_ok_and(|a| a.reached)));
        println!("{name:<30} {}", [asked, built].map(|t| format!("{:>12}", format!("{t:.1?}"))).concat());
    }
}

/// `deriv`, nested, against what S §3 defines it to be, in terms of `tangent`.
fn tangents(session: &Session) {
    let eps = decimal::parse("1e-9").expect("a width");
    println!("\n{:<30} {}", "nested, to 1e-9", ["deriv", "tangent", "ratio"].map(|w| format!("{w:>12}")).concat());
    for depth in 1..=6 {
        let nest = |deriv: &str| {
            format!("{}(\\x => exp (sin x) / (1 + x^2)){} 0.3", format!("{deriv} (").repeat(depth), ")".repeat(depth))
        };
        let [built_in, literal] = ["deriv", "derivByTangent"].map(|d| median(session, &nest(d), &eps));
        let ratio = literal.as_secs_f64() / built_in.as_secs_f64();
        println!("{depth:<30} {:>12} {:>12} {ratio:>12.2}", format!("{built_in:.1?}"), format!("{literal:.1?}"));
    }
}

/// Programs in pieces, unfolded: how many pieces, in how many runs.
const UNFOLDED: [(&str, &str, [&str; 2], usize); 3] = [
    (
        "cantor, 127 pieces",
        "let rec f x = if x <= 1/3 then f (3 * x) else if x >= 2/3 then f (3 * x - 2) else 0 in f",
        ["0", "1"],
        127,
    ),
    // each of twenty runs asks fifty guards, or more
    ("20 replays of depth 50", "let rec f x = if x > 1/2 then x else f (2 * x) in f", ["0", "1/1125899906842624"], 20),
    (
        "2^10 paths",
        "let rec t (n : Nat) x = if n == 0 then x else if x < 1/2 then t (n - 1) (2 * x) else t (n - 1) (2 - 2 * x) in t 10",
        ["0", "1"],
        2000,
    ),
];

/// How long it takes to unfold a program that was read.
fn pieces(session: &Session) {
    println!("\n{:<30} {}", "in pieces", ["time", "pieces", "runs"].map(|w| format!("{w:>12}")).concat());
    for (name, text, [from, to], limit) in UNFOLDED {
        let term = session.infer_at(text, &Ty::function(Ty::real(), Ty::real())).expect("a program");
        let ends = [from, to].map(|end| end.parse::<Rational>().expect("a number"));
        let unfold = || {
            let budget = Arc::new(Budget::unlimited());
            let rules = Arc::new(DefaultPiecewiseHooks);
            let unfolding =
                ExplorationOptions { hooks: rules, unfolding_limit: None, limit, max_steps: MAX_RUN_STEPS, budget };
            unfolding.explore_interval(&term, &ends[0], &ends[1]).expect("pieces")
        };
        let found = unfold();
        let time = median_of(|| drop(unfold()));
        let row = [format!("{time:.1?}"), found.pap.pieces.len().to_string(), found.runs.to_string()];
        println!("{name:<30} {}", row.map(|t| format!("{t:>12}")).concat());
    }
}

fn median_of(mut run: impl FnMut()) -> Duration {
    let mut times = Vec::new();
    let begun = Instant::now();
    while times.len() < 11 || (times.len() < 301 && begun.elapsed() < Duration::from_secs(5)) {
        let start = Instant::now();
        run();
        times.push(start.elapsed());
    }
    times.sort_unstable();
    times[times.len() / 2]
}

/// The median time of one question, of at least 11 runs.
fn median(session: &Session, question: &str, eps: &Rational) -> Duration {
    let mut times = Vec::new();
    let asked = Evaluate::new(question).with_width(eps.clone());
    let start = Instant::now();
    while times.len() < 11 || (start.elapsed() < Duration::from_millis(200) && times.len() < 1001) {
        let run = Instant::now();
        let answer = session.ask(&asked, &Limits::none());
        times.push(run.elapsed());
        assert!(answer.is_ok(), "{question}: {answer:?}");
        if start.elapsed() > Duration::from_secs(20) {
            break;
        }
    }
    times.sort_unstable();
    times[times.len() / 2]
}

const PEERS: &str = r#"
import statistics, sys, time
def median(f):
    f(); ts = []
    for _ in range(41):
        t = time.perf_counter(); f(); ts.append(time.perf_counter() - t)
    return statistics.median(ts) * 1e6
def show(name, digits, runs):
    print(f"{name:<30}{digits:>8}" + "".join(f"{median(run):>14.1f}" for run in runs))
for digits in map(int, sys.argv[1].split(",")):
    bits = int(digits * 3.33) + 13
    try:
        import flint
        flint.ctx.prec = bits
        acb = flint.acb
        show("Arb", digits, [lambda: acb.integral(lambda x, _: (x + x.exp()).sin(), 0, 1), lambda: acb.integral(lambda x, _: 1 / (1 + x * x), 0, 1)])
    except ImportError:
        print("python-flint is not installed")
    try:
        import mpmath
        mpmath.mp.prec = bits
        show("mpmath (not certified)", digits, [lambda: mpmath.quad(lambda x: mpmath.sin(x + mpmath.exp(x)), [0, 1]), lambda: mpmath.quad(lambda x: 1 / (1 + x * x), [0, 1])])
    except ImportError:
        print("mpmath is not installed")
"#;
