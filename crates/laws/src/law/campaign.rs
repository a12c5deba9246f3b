//! The differential campaign: random programs, evaluated along every [path](super::path), with the answers compared.
//!
//! Two enclosures of one number meet. A program has a *fault* if two of its enclosures do not meet, or if a solver
//! contradicts itself. A panic is a fault too, and so is a path that works for more than ten times its time limit. Each
//! fault is shrunk to a smaller program with the same fault.

use super::float::{self, Opinion};
use super::generate;
use super::path::{Found, Path, Subject};
use super::shrink;
use super::term::Term;
use crate::number::Enclosure;
use crate::smooth::error::SmoothError;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// The greatest number of smaller programs that are tried for one fault. A choice.
const SHRINKING: usize = 2_000;
/// The factor by which a path may exceed its time limit. A choice.
const PATIENCE: u32 = 10;
/// The least time that counts as an overrun, however short the limit. Below it, a busy machine explains the delay. A
/// choice.
const SHORTEST_OVERRUN: Duration = Duration::from_millis(500);

/// The kind of a defect in the answers to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Two paths gave enclosures without a common point.
    Disjoint(Path, Path),
    /// A path returned an error other than a broken promise, such as two enclosures without a common point.
    Contradiction(Path),
    /// A path reported a broken promise, although the program keeps its promises.
    Promise(Path),
    /// A path panicked; `None` if the interpretation did.
    Panic(Option<Path>),
    /// A path took more than ten times its time limit, twice in a row.
    Overrun(Path),
    /// The program was refused, although it is well-typed by construction.
    Refused,
    /// An enclosure lies far from the floating-point estimate. This is no proof: the estimate may be wrong.
    Float(Path),
}

impl Fault {
    /// Returns `true` if the fault is certain. Faults that rest on floating-point arithmetic are not.
    #[must_use]
    pub fn is_certain(self) -> bool {
        !matches!(self, Fault::Float(_))
    }

    /// Returns the name of the fault in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fault::Disjoint(..) => "disjoint",
            Fault::Contradiction(_) => "contradiction",
            Fault::Promise(_) => "promise",
            Fault::Panic(_) => "panic",
            Fault::Overrun(_) => "overrun",
            Fault::Refused => "refused",
            Fault::Float(_) => "float",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Disjoint(a, b) => write!(f, "{a} and {b} are disjoint"),
            Fault::Contradiction(path) => write!(f, "{path} contradicts itself"),
            Fault::Promise(path) => write!(f, "{path} finds a promise broken that is kept"),
            Fault::Panic(Some(path)) => write!(f, "{path} panicked"),
            Fault::Panic(None) => write!(f, "the interpretation panicked"),
            Fault::Overrun(path) => write!(f, "{path} took more than {PATIENCE} times its time"),
            Fault::Refused => write!(f, "a well-typed program was refused"),
            Fault::Float(path) => write!(f, "floating-point arithmetic doubts {path}"),
        }
    }
}

/// A fault with its evidence.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The kind of the fault.
    pub fault: Fault,
    /// The two sides, or the message of an error.
    pub sides: Vec<String>,
}

/// The result of all paths on one program.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// The answers by path.
    pub answers: Vec<(Path, Found)>,
    /// The floating-point estimate.
    pub opinion: Opinion,
    /// The faults. Empty if there are none.
    pub findings: Vec<Finding>,
}

/// A program with a fault, and the smallest program found with the same fault.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The number of the program.
    pub index: u64,
    /// The fault of the smaller program, with its evidence.
    pub finding: Finding,
    /// The smaller program.
    pub program: String,
    /// The program as it was generated.
    pub original: String,
}

/// A campaign over the random programs of one seed, with a time limit for each path.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The seed.
    pub seed: u64,
    /// The time limit of one path on one program.
    pub time: Duration,
}

impl Campaign {
    /// Makes the campaign of a seed.
    #[must_use]
    pub fn new(seed: u64, time: Duration) -> Self {
        Self { seed, time }
    }

    /// Compares the paths on program number `index`, and shrinks each of its faults.
    #[must_use]
    pub fn judge(&self, index: u64) -> (Verdict, Vec<Disagreement>) {
        let term = generate::program(self.seed, index).term;
        let verdict = self.verdict(&term, &Path::ALL);
        let disagreements = verdict.findings.iter().map(|finding| self.shrunk(index, &term, finding)).collect();
        (verdict, disagreements)
    }

    /// Shrinks a program to a smaller one with the same fault.
    fn shrunk(&self, index: u64, term: &Term, finding: &Finding) -> Disagreement {
        // only the paths of the fault are run again
        let paths: Vec<Path> = match finding.fault {
            Fault::Disjoint(a, b) => vec![a, b],
            Fault::Contradiction(path) | Fault::Promise(path) | Fault::Panic(Some(path)) | Fault::Float(path) => {
                vec![path]
            }
            Fault::Overrun(path) => vec![path],
            Fault::Panic(None) | Fault::Refused => Vec::new(),
        };
        let mut seen = finding.clone();
        // each candidate of an overrun costs ten times its time limit, twice
        let patience = if matches!(finding.fault, Fault::Overrun(_)) { 100 } else { SHRINKING };
        let smallest = shrink::smallest(term.clone(), patience, |candidate| {
            // a candidate with an unbound variable is no program
            if candidate.core().is_none() {
                return false;
            }
            let again = self.verdict(candidate, &paths).findings.into_iter().find(|f| f.fault == finding.fault);
            again.is_some_and(|again| {
                seen = again;
                true
            })
        });
        Disagreement { index, finding: seen, program: smallest.to_string(), original: term.to_string() }
    }

    /// Evaluates a program along these paths, and compares the answers.
    #[must_use]
    pub fn verdict(&self, term: &Term, paths: &[Path]) -> Verdict {
        let mut verdict = Verdict { answers: Vec::new(), opinion: Opinion::None, findings: Vec::new() };
        let mut find = |fault, sides: Vec<String>| verdict.findings.push(Finding { fault, sides });
        let subject = match guarded(|| self.subject(term)) {
            Ok(Ok(subject)) => subject,
            Ok(Err(Refusal::Steps)) => {
                verdict.answers.extend(paths.iter().map(|&path| (path, Found::Nothing { cut: true })));
                return verdict;
            }
            Ok(Err(Refusal::Wrong(message))) => {
                find(Fault::Refused, vec![message]);
                return verdict;
            }
            Err(message) => {
                find(Fault::Panic(None), vec![message]);
                return verdict;
            }
        };
        for &path in paths {
            let mut followed = self.follow(path, &subject);
            if followed.1 > self.longest() {
                // repeated once, because the machine may have been busy
                followed = self.follow(path, &subject);
            }
            let (result, elapsed) = followed;
            if elapsed > self.longest() {
                find(Fault::Overrun(path), vec![format!("{} ms for {}", elapsed.as_millis(), self.time.as_millis())]);
            }
            match result {
                Ok(Ok(found)) => verdict.answers.push((path, found)),
                Ok(Err(error @ SmoothError::PromiseBroken { .. })) => {
                    find(Fault::Promise(path), vec![error.to_string()])
                }
                Ok(Err(error)) => find(Fault::Contradiction(path), vec![error.to_string()]),
                Err(message) => find(Fault::Panic(Some(path)), vec![message]),
            }
        }
        verdict.findings.extend(disjoint(&verdict.answers));
        let opinion = guarded(|| float::opinion(subject.graph())).unwrap_or(Opinion::None);
        let doubted = verdict.answers.iter().find_map(|(path, found)| match found {
            // a tower does not evaluate the point of a derivative of a linear map, so it is defined at undefined points
            _ if *path == Path::Tower && opinion == Opinion::Undefined => None,
            Found::Enclosure { enclosure, .. } if opinion.contradicts(enclosure) => Some((*path, enclosure)),
            _ => None,
        });
        // one report is enough: where the paths agree, either all are wrong or the estimate is
        if let Some((path, enclosure)) = doubted {
            let sides = vec![format!("{path}: {enclosure}"), format!("float: {opinion}")];
            verdict.findings.push(Finding { fault: Fault::Float(path), sides });
        }
        verdict.opinion = opinion;
        verdict
    }

    /// Returns the time beyond which a path overruns.
    fn longest(&self) -> Duration {
        (self.time * PATIENCE).max(SHORTEST_OVERRUN)
    }

    /// Evaluates a program along a path, and measures the time.
    fn follow(&self, path: Path, subject: &Subject) -> (Result<Result<Found, SmoothError>, String>, Duration) {
        let start = Instant::now();
        let result = guarded(|| path.follow(subject, self.time));
        (result, start.elapsed())
    }

    /// Interprets a term as a subject for the paths.
    fn subject(&self, term: &Term) -> Result<Subject, Refusal> {
        let wrong = |e: &dyn fmt::Display| Refusal::Wrong(e.to_string());
        if term.ty != Ty::real() {
            return Err(Refusal::Wrong(format!("its type is {}", term.ty)));
        }
        let Some(core) = term.core() else { return Err(wrong(&"a variable stands outside of its binder")) };
        // resource limits are no fault: a random recursion may be too long
        Subject::of(term, &core, self.time).map_err(|error| match error {
            ValueError::Exhausted { .. }
            | ValueError::TooLong { .. }
            | ValueError::TooDeep { .. }
            | ValueError::NaturalOverflow => Refusal::Steps,
            error => wrong(&error),
        })
    }
}

/// The reason why a program has no graph.
enum Refusal {
    /// A limit of steps, time, depth or size was exceeded.
    Steps,
    /// The program is ill-formed, with the message.
    Wrong(String),
}

/// Returns a finding for the first pair of enclosures without a common point. Returns `None` if all meet.
pub fn disjoint(answers: &[(Path, Found)]) -> Option<Finding> {
    let enclosures = answers.iter().filter_map(|(path, found)| match found {
        Found::Enclosure { enclosure, .. } => Some((*path, enclosure)),
        _ => None,
    });
    let enclosures: Vec<_> = enclosures.collect();
    let pairs = enclosures.iter().enumerate().flat_map(|(i, a)| enclosures[i + 1..].iter().map(move |b| (a, b)));
    pairs
        .filter(|((_, a), (_, b))| !a.overlaps(b))
        .map(|((p, a), (q, b))| Finding {
            fault: Fault::Disjoint(*p, *q),
            sides: vec![format!("{p}: {}", ends(a)), format!("{q}: {}", ends(b))],
        })
        .next()
}

/// Prints both ends of an enclosure with all digits: disjoint enclosures may lie close together.
fn ends(enclosure: &Enclosure) -> String {
    format!("[{}, {}]", enclosure.lo(), enclosure.hi())
}

/// Runs a computation, and returns the message of its panic as an error.
pub fn guarded<R>(compute: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(compute)).map_err(|payload| message(&*payload))
}

/// Returns the message of a panic.
fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}
