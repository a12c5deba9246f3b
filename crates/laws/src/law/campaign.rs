//! The differential campaign: random programs, evaluated along every [path](super::path), with the answers compared.
//!
//! Two enclosures of one number meet. A program has a *fault* if two of its enclosures do not meet, or if a solver
//! contradicts itself. A panic is a fault too, and so is a path that works for more than ten times its time limit. Each
//! fault is shrunk to a smaller program with the same fault.
//!
//! # Records of answers
//!
//! A record keeps, for each program, its answer and all passes that led to it. Two builds are compared by their records. Work
//! is counted and limits the passes, so that no clock changes a record. The new answer is worse than the old one for one of
//! these [reasons](AnswerRegression):
//!
//! | reason | condition |
//! |---|---|
//! | disjoint | the two enclosures have no common point: one of them is wrong |
//! | undefined | the old answer was certainly defined, and the new one is not |
//! | missed | the old answer reached its tolerance, and the new one does not |
//! | wider | neither reached it, and the new enclosure is wider by more than a hundredth, or has an infinite end in the place of a finite one |
//! | failed | the new evaluation ended by an error that the old one had not |

use super::float::FloatPrediction;
use super::path::{EvaluationPath, PathResult, PathSubject};
use super::term::TestTerm;
use super::{float, generate, term};
use crate::number::budget::{Budget, BudgetObserver, PassReport};
use crate::number::{Enclosure, Magnitude, Rational};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::Graph;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The greatest number of smaller programs that are tried for one fault. A choice.
const FAULT_SHRINK_ATTEMPTS: usize = 2_000;
/// The factor by which a path may exceed its time limit. A choice.
const OVERRUN_FACTOR: u32 = 10;
/// The least time that counts as an overrun, however short the limit. Below it, a busy machine explains the delay. A
/// choice.
const MIN_OVERRUN: Duration = Duration::from_millis(500);

/// The kind of a defect in the answers to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CampaignFault {
    /// Two paths gave enclosures without a common point.
    Disjoint(EvaluationPath, EvaluationPath),
    /// A path returned an error other than a broken promise, such as two enclosures without a common point.
    PathError(EvaluationPath),
    /// A path reported a broken promise, although the program keeps its promises.
    Promise(EvaluationPath),
    /// A path panicked; `None` if the interpretation did.
    Panic(Option<EvaluationPath>),
    /// A path took more than ten times its time limit, twice in a row.
    Overrun(EvaluationPath),
    /// The program was refused, although it is well-typed by construction.
    Refused,
    /// An enclosure lies far from the floating-point estimate. This is no proof: the estimate may be wrong.
    FloatDoubt(EvaluationPath),
}

impl CampaignFault {
    /// Returns `true` if the fault is certain. Faults that rest on floating-point arithmetic are not.
    #[must_use]
    pub fn is_certain(self) -> bool {
        !matches!(self, CampaignFault::FloatDoubt(_))
    }

    /// Returns the name of the fault in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CampaignFault::Disjoint(..) => "disjoint",
            CampaignFault::PathError(_) => "contradiction",
            CampaignFault::Promise(_) => "promise",
            CampaignFault::Panic(_) => "panic",
            CampaignFault::Overrun(_) => "overrun",
            CampaignFault::Refused => "refused",
            CampaignFault::FloatDoubt(_) => "float",
        }
    }
}

impl fmt::Display for CampaignFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CampaignFault::Disjoint(a, b) => write!(f, "{a} and {b} are disjoint"),
            CampaignFault::PathError(path) => write!(f, "{path} contradicts itself"),
            CampaignFault::Promise(path) => write!(f, "{path} finds a promise broken that is kept"),
            CampaignFault::Panic(Some(path)) => write!(f, "{path} panicked"),
            CampaignFault::Panic(None) => write!(f, "the interpretation panicked"),
            CampaignFault::Overrun(path) => write!(f, "{path} took more than {OVERRUN_FACTOR} times its time"),
            CampaignFault::Refused => write!(f, "a well-typed program was refused"),
            CampaignFault::FloatDoubt(path) => write!(f, "floating-point arithmetic doubts {path}"),
        }
    }
}

/// A fault with its evidence.
#[derive(Clone, Debug)]
pub struct FaultReport {
    /// The kind of the fault.
    pub fault: CampaignFault,
    /// The two sides, or the message of an error.
    pub sides: Vec<String>,
}

/// The result of all paths on one program.
#[derive(Clone, Debug)]
pub struct ProgramVerdict {
    /// The answers by path.
    pub answers: Vec<(EvaluationPath, PathResult)>,
    /// The floating-point estimate.
    pub prediction: FloatPrediction,
    /// The faults. Empty if there are none.
    pub findings: Vec<FaultReport>,
}

/// A program with a fault, and the smallest program found with the same fault.
#[derive(Clone, Debug)]
pub struct ShrunkFault {
    /// The number of the program.
    pub index: u64,
    /// The fault of the smaller program, with its evidence.
    pub finding: FaultReport,
    /// The smaller program.
    pub program: String,
    /// The program as it was generated.
    pub original: String,
}

/// A campaign over the random programs of one seed, with a time limit for each path.
#[derive(Clone, Debug)]
pub struct DifferentialCampaign {
    /// The seed.
    pub seed: u64,
    /// The time limit of one path on one program.
    pub time: Duration,
}

impl DifferentialCampaign {
    /// Makes the campaign of a seed.
    #[must_use]
    pub fn new(seed: u64, time: Duration) -> Self {
        Self { seed, time }
    }

    /// Compares the paths on program number `index`, and shrinks each of its faults.
    #[must_use]
    pub fn judge_program(&self, index: u64) -> (ProgramVerdict, Vec<ShrunkFault>) {
        let term = generate::random_program(self.seed, index).term;
        let verdict = self.compare_paths(&term, &EvaluationPath::ALL);
        let disagreements = verdict.findings.iter().map(|finding| self.shrink_fault(index, &term, finding)).collect();
        (verdict, disagreements)
    }

    /// Shrinks a program to a smaller one with the same fault.
    fn shrink_fault(&self, index: u64, term: &TestTerm, finding: &FaultReport) -> ShrunkFault {
        // only the paths of the fault are run again
        let paths: Vec<EvaluationPath> = match finding.fault {
            CampaignFault::Disjoint(a, b) => vec![a, b],
            CampaignFault::PathError(path)
            | CampaignFault::Promise(path)
            | CampaignFault::Panic(Some(path))
            | CampaignFault::FloatDoubt(path) => {
                vec![path]
            }
            CampaignFault::Overrun(path) => vec![path],
            CampaignFault::Panic(None) | CampaignFault::Refused => Vec::new(),
        };
        let mut seen = finding.clone();
        // each candidate of an overrun costs ten times its time limit, twice
        let patience = if matches!(finding.fault, CampaignFault::Overrun(_)) { 100 } else { FAULT_SHRINK_ATTEMPTS };
        let smallest = term::shrink_term(term.clone(), patience, |candidate| {
            // a candidate with an unbound variable is no program
            if candidate.to_core().is_none() {
                return false;
            }
            let again = self.compare_paths(candidate, &paths).findings.into_iter().find(|f| f.fault == finding.fault);
            again.is_some_and(|again| {
                seen = again;
                true
            })
        });
        ShrunkFault { index, finding: seen, program: smallest.to_string(), original: term.to_string() }
    }

    /// Evaluates a program along these paths, and compares the answers.
    #[must_use]
    pub fn compare_paths(&self, term: &TestTerm, paths: &[EvaluationPath]) -> ProgramVerdict {
        let mut verdict =
            ProgramVerdict { answers: Vec::new(), prediction: FloatPrediction::None, findings: Vec::new() };
        let mut find = |fault, sides: Vec<String>| verdict.findings.push(FaultReport { fault, sides });
        let subject = match catch_panic(|| self.interpret_term(term)) {
            Ok(Ok(subject)) => subject,
            Ok(Err(NoGraphReason::LimitExceeded)) => {
                verdict.answers.extend(paths.iter().map(|&path| (path, PathResult::Nothing { cut: true })));
                return verdict;
            }
            Ok(Err(NoGraphReason::IllFormed(message))) => {
                find(CampaignFault::Refused, vec![message]);
                return verdict;
            }
            Err(message) => {
                find(CampaignFault::Panic(None), vec![message]);
                return verdict;
            }
        };
        for &path in paths {
            let mut followed = self.time_path(path, &subject);
            if followed.1 > self.overrun_limit() {
                // repeated once, because the machine may have been busy
                followed = self.time_path(path, &subject);
            }
            let (result, elapsed) = followed;
            if elapsed > self.overrun_limit() {
                find(
                    CampaignFault::Overrun(path),
                    vec![format!("{} ms for {}", elapsed.as_millis(), self.time.as_millis())],
                );
            }
            match result {
                Ok(Ok(found)) => verdict.answers.push((path, found)),
                Ok(Err(error @ SmoothError::PromiseBroken { .. })) => {
                    find(CampaignFault::Promise(path), vec![error.to_string()])
                }
                Ok(Err(error)) => find(CampaignFault::PathError(path), vec![error.to_string()]),
                Err(message) => find(CampaignFault::Panic(Some(path)), vec![message]),
            }
        }
        verdict.findings.extend(find_disjoint(&verdict.answers));
        let opinion = catch_panic(|| float::predict_float(subject.graph())).unwrap_or(FloatPrediction::None);
        let doubted = verdict.answers.iter().find_map(|(path, found)| match found {
            // a tower does not evaluate the point of a derivative of a linear map, so it is defined at undefined points
            _ if *path == EvaluationPath::Tower && opinion == FloatPrediction::Undefined => None,
            PathResult::Enclosure { enclosure, .. } if opinion.contradicts(enclosure) => Some((*path, enclosure)),
            _ => None,
        });
        // one report is enough: where the paths agree, either all are wrong or the estimate is
        if let Some((path, enclosure)) = doubted {
            let sides = vec![format!("{path}: {enclosure}"), format!("float: {opinion}")];
            verdict.findings.push(FaultReport { fault: CampaignFault::FloatDoubt(path), sides });
        }
        verdict.prediction = opinion;
        verdict
    }

    /// Returns the time beyond which a path overruns.
    fn overrun_limit(&self) -> Duration {
        (self.time * OVERRUN_FACTOR).max(MIN_OVERRUN)
    }

    /// Evaluates a program along a path, and measures the time.
    fn time_path(
        &self,
        path: EvaluationPath,
        subject: &PathSubject,
    ) -> (Result<Result<PathResult, SmoothError>, String>, Duration) {
        let start = Instant::now();
        let result = catch_panic(|| path.evaluate_subject(subject, self.time));
        (result, start.elapsed())
    }

    /// Interprets a term as a subject for the paths.
    fn interpret_term(&self, term: &TestTerm) -> Result<PathSubject, NoGraphReason> {
        let wrong = |e: &dyn fmt::Display| NoGraphReason::IllFormed(e.to_string());
        if term.ty != Ty::real() {
            return Err(NoGraphReason::IllFormed(format!("its type is {}", term.ty)));
        }
        let Some(core) = term.to_core() else { return Err(wrong(&"a variable stands outside of its binder")) };
        // resource limits are no fault: a random recursion may be too long
        PathSubject::interpret_program(term, &core, self.time).map_err(|error| match error {
            ValueError::Exhausted { .. }
            | ValueError::TooManySteps { .. }
            | ValueError::DeepRecursion { .. }
            | ValueError::NaturalOverflow => NoGraphReason::LimitExceeded,
            error => wrong(&error),
        })
    }
}

/// The reason why a program has no graph.
enum NoGraphReason {
    /// A limit of steps, time, depth or size was exceeded.
    LimitExceeded,
    /// The program is ill-formed, with the message.
    IllFormed(String),
}

/// Returns a finding for the first pair of enclosures without a common point. Returns `None` if all meet.
pub fn find_disjoint(answers: &[(EvaluationPath, PathResult)]) -> Option<FaultReport> {
    let enclosures = answers.iter().filter_map(|(path, found)| match found {
        PathResult::Enclosure { enclosure, .. } => Some((*path, enclosure)),
        _ => None,
    });
    let enclosures: Vec<_> = enclosures.collect();
    let pairs = enclosures.iter().enumerate().flat_map(|(i, a)| enclosures[i + 1..].iter().map(move |b| (a, b)));
    pairs
        .filter(|((_, a), (_, b))| !a.overlaps(b))
        .map(|((p, a), (q, b))| FaultReport {
            fault: CampaignFault::Disjoint(*p, *q),
            sides: vec![format!("{p}: {}", print_endpoints(a)), format!("{q}: {}", print_endpoints(b))],
        })
        .next()
}

/// Prints both ends of an enclosure with all digits: disjoint enclosures may lie close together.
fn print_endpoints(enclosure: &Enclosure) -> String {
    format!("[{}, {}]", enclosure.lo(), enclosure.hi())
}

/// Runs a computation, and returns the message of its panic as an error.
pub fn catch_panic<R>(compute: impl FnOnce() -> R) -> Result<R, String> {
    catch_unwind(AssertUnwindSafe(compute)).map_err(|payload| panic_message(&*payload))
}

/// Returns the message of a panic.
fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    text.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic without a message".to_owned())
}

/// The width asked for in a record.
const RECORDED_WIDTH: (u32, u32) = (1, 1_000_000);
/// The factor by which an answer that misses its tolerance may be wider than the one before. A choice: rounding and the order of
/// sums account for less.
const ALLOWED_WIDENING: f64 = 1.01;

/// The answer to a program within limited work, with all passes.
#[derive(Clone, Debug, PartialEq)]
pub struct AnswerRecord {
    /// The enclosure. It is ⊥ if nothing is known.
    pub enclosure: Enclosure,
    /// `true` if the answer is certainly defined and as narrow as asked.
    pub reached: bool,
    /// `true` if the limit of work ended the computation.
    pub exhausted: bool,
    /// The work units of all passes.
    pub work: u64,
    /// The passes, in their order.
    pub passes: Vec<PassReport>,
    /// The message of an error or of a panic that ended the computation. `None` if there was none.
    pub failure: Option<String>,
}

/// Collects the passes over a number.
#[derive(Debug, Default)]
struct PassCollector(Mutex<Vec<PassReport>>);

impl BudgetObserver for PassCollector {
    fn on_work(&self) {}

    fn on_improvement(&self, _: &Enclosure) {}

    fn on_pass(&self, pass: &PassReport) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(pass.clone());
    }
}

/// Encloses a number to a width of 10⁻⁶ within `work` units, and records the passes.
///
/// `interpret` returns its graph. It is called once, with a budget of the same size; its error is the failure of the record.
#[must_use]
pub fn record_answer(
    interpret: impl FnOnce(&Arc<Budget>) -> Result<Graph, String>,
    work: u64,
    interrupt_flag: Option<Arc<AtomicBool>>,
) -> AnswerRecord {
    let collector = Arc::new(PassCollector::default());
    let budget = |work| Budget::new(work, None, interrupt_flag.clone());
    // Interpretation has a budget of its own, so that the work of the passes depends on the graph alone.
    let observed = budget(work).with_observer(collector.clone());
    let answer = catch_panic(|| {
        let graph = interpret(&Arc::new(budget(work)))?;
        let number = graph.to_real().map_err(|error| error.to_string())?;
        number.enclose(&Rational::from(RECORDED_WIDTH), &observed).map_err(|error| error.to_string())
    });
    let passes = std::mem::take(&mut *collector.0.lock().unwrap_or_else(PoisonError::into_inner));
    // An error leaves the passes before it, which show where it happened.
    let nothing = || (Enclosure::bottom(), false, observed.was_exhausted());
    let (found, failure) = match answer {
        Ok(Ok(answer)) => ((answer.enclosure, answer.reached, answer.exhausted), None),
        Ok(Err(message)) => (nothing(), Some(message)),
        Err(message) => (nothing(), Some(format!("panic: {message}"))),
    };
    let (enclosure, reached, exhausted) = found;
    AnswerRecord { enclosure, reached, exhausted, work: observed.work_done(), passes, failure }
}

/// The way in which a new answer is worse than the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerRegression {
    /// The enclosures have no common point: one of them is wrong.
    Disjoint,
    /// The old answer was certainly defined, and the new one is not.
    Undefined,
    /// The old answer reached its tolerance, and the new one does not.
    Missed,
    /// Neither reached its tolerance, and the new enclosure is wider by more than a hundredth, or has an infinite end in the
    /// place of a finite one.
    Wider,
    /// The new evaluation ended by an error.
    Failed,
}

impl AnswerRegression {
    /// Returns the name of the reason in reports.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Disjoint => "disjoint",
            Self::Undefined => "undefined",
            Self::Missed => "missed",
            Self::Wider => "wider",
            Self::Failed => "failed",
        }
    }
}

impl fmt::Display for AnswerRegression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disjoint => "the enclosures have no common point: one of them is wrong",
            Self::Undefined => "it was certainly defined, and is no longer",
            Self::Missed => "it was as narrow as asked, and is no longer",
            Self::Wider => "it is wider by more than a hundredth",
            Self::Failed => "it ends by an error that it did not have",
        })
    }
}

impl AnswerRecord {
    /// Returns the first reason for which `new` is worse than this answer. Returns `None` if it is not.
    #[must_use]
    pub fn find_regression(&self, new: &Self) -> Option<AnswerRegression> {
        let (before, now) = (&self.enclosure, &new.enclosure);
        if new.failure.is_some() && self.failure.is_none() {
            return Some(AnswerRegression::Failed);
        }
        // This comes before all comparisons of widths: a wrong enclosure may be narrow.
        if !before.overlaps(now) {
            return Some(AnswerRegression::Disjoint);
        }
        if before.is_defined() && !now.is_defined() {
            return Some(AnswerRegression::Undefined);
        }
        // How narrow an answer is beyond its tolerance is a matter of chance.
        if self.reached || new.reached {
            return (!new.reached).then_some(AnswerRegression::Missed);
        }
        let lost_end =
            (before.lo().is_finite() && !now.lo().is_finite()) || (before.hi().is_finite() && !now.hi().is_finite());
        let is_wider = now.width() > before.width() * Magnitude::from_f64(ALLOWED_WIDENING);
        (lost_end || is_wider).then_some(AnswerRegression::Wider)
    }
}

/// Returns the median and the 99th percentile of ratios, each the least ratio that as many are not above. Returns `None` if there are none.
#[must_use]
pub fn ratio_quantiles(mut ratios: Vec<f64>) -> Option<[f64; 2]> {
    ratios.sort_by(f64::total_cmp);
    let at = |percent: usize| ratios.get((ratios.len() * percent).div_ceil(100).max(1) - 1).copied();
    Some([at(50)?, at(99)?])
}
