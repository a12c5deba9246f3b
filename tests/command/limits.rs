//! What a question may cost: time and memory are counted while an answer is built, in every command. The memory is that of the process, and
//! its time is what the processor has spent on it, which other processes do not change.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The most memory, in megabytes, and the seconds beyond the timeout.
const MEMORY: u64 = 1000;
const SECONDS: f64 = 0.5;

/// What a run of the program has cost.
#[derive(Debug)]
struct Cost {
    status: Option<i32>,
    complaint: String,
    /// In megabytes.
    peak: u64,
    /// Of the processor.
    seconds: f64,
}

/// Runs it, and looks at it while it runs. It is stopped when it is far over every limit.
fn run(arguments: &[&str]) -> Cost {
    let mut child = Command::new(env!("CARGO_BIN_EXE_smoothish"))
        .args(arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    let start = Instant::now();
    let (mut peak, mut seconds) = (0, 0.0);
    let status = loop {
        if let Some(found) = memory(child.id()) {
            peak = found.max(peak);
        }
        seconds = time(child.id()).unwrap_or(seconds);
        if let Some(status) = child.try_wait().expect("it is there") {
            break status.code();
        }
        if peak > 3 * MEMORY || start.elapsed() > Duration::from_secs(60) {
            child.kill().expect("it is there");
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let mut complaint = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().expect("it is piped"), &mut complaint).expect("text");
    Cost { status, complaint, peak, seconds }
}

/// The most memory so far, in megabytes.
fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? / 1024)
}

/// The seconds that the processor has spent on it, at a hundred ticks a second.
fn time(process: u32) -> Option<f64> {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let ticks: Vec<f64> = text.rsplit_once(')')?.1.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    // without the state, utime and stime are at 10 and 11
    Some((ticks.get(10)? + ticks.get(11)?) / 100.0)
}

fn is_within(timeout: f64, arguments: &[&str], statuses: &[i32]) -> Cost {
    // what else the machine does makes a run longer, so that of three the shortest tells
    let mut cost = run(arguments);
    for _ in 0..2 {
        if cost.seconds > timeout + SECONDS {
            let again = run(arguments);
            cost = Cost { peak: cost.peak.max(again.peak), seconds: cost.seconds.min(again.seconds), ..again };
        }
    }
    let shown: Vec<String> = arguments.iter().map(|word| word.chars().take(90).collect()).collect();
    println!("{shown:?}: status {:?}, {} MB, {} s", cost.status, cost.peak, cost.seconds);
    assert!(cost.peak <= MEMORY, "{shown:?}: {} MB", cost.peak);
    assert!(cost.seconds <= timeout + SECONDS, "{shown:?}: {} s", cost.seconds);
    assert!(cost.status.is_some_and(|status| statuses.contains(&status)), "{shown:?}: {cost:?}");
    cost
}

fn recursion(depth: usize) -> String {
    format!(r"\x => let rec f (n : Real) (x : Real) : Real = if n < 1/2 then x else f (n - 1) (sin x) in f {depth} x")
}

fn nest(lets: usize) -> String {
    let mut text = r"\x => let a0 = sin x in ".to_owned();
    (1..lets).for_each(|i| text += &format!("let a{i} = a{0} * sin a{0} in ", i - 1));
    text + &format!("a{}", lets - 1)
}

fn sum(terms: usize) -> String {
    format!(r"\x => {}", vec!["sin x"; terms].join(" + "))
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// With time enough the memory is the limit, and what was built is taken down without more.
    #[test]
    fn a_tower_of_functions_is_taken_down_in_its_memory() {
        for model in ["partial", "float"] {
            is_within(
                20.0,
                &["eval", "--model", model, "--timeout", "20", r"nthDeriv 999999 (\x => x * x) 1"],
                &[2, 4],
            );
        }
        is_within(20.0, &["trace", "--at", "1", "--timeout", "20", &recursion(100_000)], &[0, 4]);
    }

    /// A derivative of the order of a million goes deep before it goes wrong.
    #[test]
    fn derivatives_of_a_high_order_keep_to_time_and_memory() {
        for model in ["presheaf", "tower", "partial", "pap", "float"] {
            for function in [r"(\x => x * x)", "sin"] {
                let asked = format!("nthDeriv 999999 {function} 1");
                is_within(1.0, &["eval", "--model", model, "--timeout", "1", &asked], &[2, 4]);
            }
        }
    }

    /// The literal derivative of what is not small is refused before it is built, whatever the program is like.
    #[test]
    fn literal_derivatives_are_refused_while_they_are_built() {
        for program in [recursion(100), recursion(1_000), recursion(3_000), recursion(100_000), nest(2_500), sum(5_000)]
        {
            let asked = ["trace", "--at", "1", "--timeout", "1", "--reverse", "--strategy", "literal", &program];
            let cost = is_within(1.0, &asked, &[4]);
            let expected = ["the derivative by the literal clauses would have more than 100000 nodes", "was up"];
            assert!(expected.iter().any(|expected| cost.complaint.contains(expected)), "{}", cost.complaint);
            // within the limit of nodes nothing is large
            assert!(program.len() > 5_000 || program.contains("100000") || cost.peak < 200, "{cost:?}");
        }
    }

    /// Recursions that do not end, in functions, numbers and lists.
    #[test]
    fn endless_recursions_keep_to_time_and_memory() {
        for program in [
            "let rec f (n : Nat) : Real = 1 + f (n + 1) in f 0",
            "let rec f (x : Real) : Real = 1 + f (x + 1) in f 0",
            r"let rec f (n : Nat) : List Real = toReal n :: f (n + 1) in fold (\x y => x + y) 0 (f 0)",
        ] {
            for model in ["presheaf", "partial", "pap", "float"] {
                is_within(1.0, &["eval", "--model", model, "--timeout", "1", program], &[2, 4]);
            }
        }
    }

    /// Traces that are long, and what is printed of them; where there is no time for them they are refused.
    #[test]
    fn long_traces_keep_to_the_time() {
        for depth in [10_000, 50_000, 100_000] {
            let program = recursion(depth);
            for how in [&["--reverse"][..], &[], &["--strategy", "literal"], &["--steps"], &["--strategy", "tape"]] {
                let asked = [&["trace", "--at", "1", "--timeout", "1"], how, &[&*program]].concat();
                is_within(1.0, &asked, &[0, 4]);
            }
        }
    }
}
