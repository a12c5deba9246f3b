//! The differential campaign: random programs, each evaluated along every [path](super::path), and the answers compared.
//!
//! Two enclosures of one number meet. Where two do not, or where a solver meets a contradiction of its own, breaks off with
//! a panic, or works for ten times the time that it was given, the program is a *fault*, and is shrunk to a smaller
//! program with the same fault.

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

/// How many smaller programs are tried for one fault.
const SHRINKING: usize = 2_000;
/// A path may take this many times what it was given.
const PATIENCE: u32 = 10;
/// However little a path was given, an overrun is longer than this: below it is the time that a busy machine takes.
const SHORTEST_OVERRUN: Duration = Duration::from_millis(500);

/// What is wrong with a program's answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Two paths gave enclosures without a common point.
    Disjoint(Path, Path),
    /// A path met two enclosures without a common point.
    Contradiction(Path),
    /// A path found a promise broken that the program keeps.
    Promise(Path),
    /// A path panicked; `None` where already the interpretation did.
    Panic(Option<Path>),
    /// A path took more than ten times its time, twice.
    Overrun(Path),
    /// The program, well-typed by construction, was refused.
    Refused,
    /// An enclosure does not hold what plain floating-point arithmetic finds, by far. This is no proof: floating-point
    /// arithmetic may be wrong.
    Float(Path),
}

impl Fault {
    /// Whether the fault is certain: all but those that plain floating-point arithmetic raises.
    #[must_use]
    pub fn is_certain(self) -> bool {
        !matches!(self, Fault::Float(_))
    }

    /// One word for reports.
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

/// A fault, and what was seen.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong.
    pub fault: Fault,
    /// The two sides, or the message.
    pub sides: Vec<String>,
}

/// What became of one program.
#[derive(Clone, Debug)]
pub struct Verdict {
    /// What each path found.
    pub answers: Vec<(Path, Found)>,
    /// What plain floating-point arithmetic says.
    pub opinion: Opinion,
    /// What is wrong; nothing, in the best case.
    pub findings: Vec<Finding>,
}

/// A program of the campaign that has a fault, and the smallest one found with the same.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The number of the program.
    pub index: u64,
    /// What is wrong, and both sides, of the smaller program.
    pub finding: Finding,
    /// The smaller program.
    pub program: String,
    /// The program as it was generated.
    pub original: String,
}

/// Random programs of one seed, judged with so much time for each path of each.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The seed.
    pub seed: u64,
    /// The time of one path on one program.
    pub time: Duration,
}

impl Campaign {
    /// The campaign of a seed.
    #[must_use]
    pub fn new(seed: u64, time: Duration) -> Self {
        Self { seed, time }
    }

    /// Judges the program number `index`, and shrinks what is wrong with it.
    #[must_use]
    pub fn judge(&self, index: u64) -> (Verdict, Vec<Disagreement>) {
        let term = generate::program(self.seed, index).term;
        let verdict = self.verdict(&term, &Path::ALL);
        let disagreements = verdict.findings.iter().map(|finding| self.shrunk(index, &term, finding)).collect();
        (verdict, disagreements)
    }

    fn shrunk(&self, index: u64, term: &Term, finding: &Finding) -> Disagreement {
        let paths: Vec<Path> = match finding.fault {
            Fault::Disjoint(a, b) => vec![a, b],
            Fault::Contradiction(path) | Fault::Promise(path) | Fault::Panic(Some(path)) | Fault::Float(path) => {
                vec![path]
            }
            Fault::Overrun(path) => vec![path],
            Fault::Panic(None) | Fault::Refused => Vec::new(),
        };
        let mut seen = finding.clone();
        let patience = if matches!(finding.fault, Fault::Overrun(_)) { 100 } else { SHRINKING };
        let smallest = shrink::smallest(term.clone(), patience, |candidate| {
            // what mentions a variable outside of its binder is no program
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

    /// The answers of some paths on a program, compared.
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
                // once more: the machine may have been busy
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
            // the derivative of a linear map does not look at the point, in the tower
            _ if *path == Path::Tower && opinion == Opinion::Undefined => None,
            Found::Enclosure { enclosure, .. } if opinion.contradicts(enclosure) => Some((*path, enclosure)),
            _ => None,
        });
        // one is enough: where all paths agree they are wrong together, or floating-point arithmetic is
        if let Some((path, enclosure)) = doubted {
            let sides = vec![format!("{path}: {enclosure}"), format!("float: {opinion}")];
            verdict.findings.push(Finding { fault: Fault::Float(path), sides });
        }
        verdict.opinion = opinion;
        verdict
    }

    fn longest(&self) -> Duration {
        (self.time * PATIENCE).max(SHORTEST_OVERRUN)
    }

    fn follow(&self, path: Path, subject: &Subject) -> (Result<Result<Found, SmoothError>, String>, Duration) {
        let start = Instant::now();
        let result = guarded(|| path.follow(subject, self.time));
        (result, start.elapsed())
    }

    fn subject(&self, term: &Term) -> Result<Subject, Refusal> {
        let wrong = |e: &dyn fmt::Display| Refusal::Wrong(e.to_string());
        if term.ty != Ty::real() {
            return Err(Refusal::Wrong(format!("its type is {}", term.ty)));
        }
        let Some(core) = term.core() else { return Err(wrong(&"a variable stands outside of its binder")) };
        Subject::of(term, &core, self.time).map_err(|error| match error {
            ValueError::Exhausted { .. }
            | ValueError::TooLong { .. }
            | ValueError::TooDeep { .. }
            | ValueError::NaturalOverflow => Refusal::Steps,
            error => wrong(&error),
        })
    }
}

/// Why a program has no graph.
enum Refusal {
    /// It takes too many steps, or too long.
    Steps,
    /// It is wrong.
    Wrong(String),
}

/// The first pair of enclosures without a common point.
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

/// The ends, all their digits: disjoint enclosures may lie close together.
fn ends(enclosure: &Enclosure) -> String {
    format!("[{}, {}]", enclosure.lo(), enclosure.hi())
}

/// What a computation gives, or the message of its panic.
pub fn guarded<R>(compute: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(compute)).map_err(|payload| message(&*payload))
}

fn message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}
