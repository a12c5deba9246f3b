//! What the command line needs of an evaluator: a source text, a tolerance and limits in, an answer out.

use super::status::Status;
use super::tolerance::Timeout;
use crate::meaning;
use crate::model::answer::Cause;
use crate::number::budget::Budget;
use crate::number::why::Why;
use crate::number::{Accuracy, Enclosure, memory};
use crate::plot::plane::Picture;
use crate::plot::{Plot, Request};
use crate::syntax::name::nearest;
use crate::syntax::source::Source;
use serde_json::{Value as Json, json};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The most bytes of memory that the program takes, but for what is built between two looks at them: then a question is cut short.
pub const MEMORY: u64 = 768 << 20;

/// What one question may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The time after which the best enclosure so far is the answer.
    pub timeout: Timeout,
    /// Set by Ctrl-C: the best enclosure so far is the answer, now.
    pub interrupted: Arc<AtomicBool>,
    /// How many levels deep recursive functions may be unfolded, where that is limited.
    pub fuel: Option<u64>,
}

impl Limits {
    /// Whether Ctrl-C was pressed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }

    /// Returns what cuts a question short: an interrupt, the memory, or the time.
    #[must_use]
    pub fn stop(&self) -> Stop {
        match (self.is_interrupted(), memory::was_short()) {
            (true, _) => Stop::Interrupt,
            (false, true) => Stop::Memory,
            (false, false) => Stop::Time,
        }
    }

    /// Work without a bound of its own, within the time and the memory, for a question that begins now.
    #[must_use]
    pub fn budget(&self) -> Budget {
        memory::begin();
        Budget::new(u64::MAX, Some(self.timeout.0), Some(self.interrupted.clone())).taking_down()
    }
}

/// Something that answers questions.
pub trait Respondent {
    /// The value of an expression, as accurate as asked where that can be had.
    ///
    /// # Errors
    /// A [`Refusal`] where the question is wrong (it cannot be read, has no type, breaks the promise of a primitive), or
    /// where its recursion does not end.
    fn ask(&mut self, source: &str, to: &Accuracy, limits: &Limits) -> Result<Report, Refusal>;

    /// The same for an expression from somewhere, which messages name.
    ///
    /// # Errors
    /// As [`Respondent::ask`].
    fn ask_source(&mut self, source: &Source, to: &Accuracy, limits: &Limits) -> Result<Report, Refusal> {
        self.ask(&source.text, to, limits)
    }

    /// The same in the model of a name. An evaluator that knows only one refuses others.
    ///
    /// # Errors
    /// As [`Respondent::ask`]; a construct that the model lacks.
    fn ask_in(&mut self, model: &str, source: &Source, to: &Accuracy, limits: &Limits) -> Result<Report, Refusal> {
        if model == meaning::DEFAULT {
            self.ask_source(source, to, limits)
        } else {
            Err(Refusal::wrong(format!("error: there is no model `{model}` here")))
        }
    }

    /// The envelopes of a function. An evaluator that knows only numbers refuses.
    ///
    /// # Errors
    /// A [`Refusal`] where the expression is wrong or no function of a real number, or the request cannot be drawn.
    fn plot(&mut self, source: &Source, request: &Request, limits: &Limits) -> Result<Drawn, Refusal> {
        let (_, _, _) = (source, request, limits);
        Err(Refusal::wrong("error: there are no functions to plot here"))
    }

    /// The density of a program that samples, of type `P Real`.
    ///
    /// # Errors
    /// A [`Refusal`] where the program is wrong or no such program, or the request cannot be drawn.
    fn density(&mut self, source: &Source, request: &Request, limits: &Limits) -> Result<Drawn, Refusal> {
        let (_, _, _) = (source, request, limits);
        Err(Refusal::wrong("error: there are no programs to plot here"))
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// The type of the expression, as the language writes it.
    pub ty: String,
    /// Its value.
    pub value: Value,
    /// Why the evaluator stopped before the tolerance was reached; `None` where it was, or cannot be.
    pub stopped: Option<Stop>,
    /// Why each real number in it is wider than was asked, in their order; `None` for one that is not, and where it is not known.
    pub whys: Vec<Option<Why>>,
    /// What the reader should know besides, such as a promise that the answer relies on.
    pub notes: Vec<String>,
    /// Why there is no number, where that is known.
    pub undefined: Option<Undefined>,
    /// How long it took.
    pub elapsed: Duration,
}

/// Why there is no number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined {
    /// What kind of reason it is.
    pub cause: Cause,
    /// The reason in words.
    pub message: String,
    /// The place, as `source:line:column`.
    pub place: Option<String>,
    /// What explains it further, where something does.
    pub help: Option<String>,
}

impl Undefined {
    /// `{"cause":…,"message":…,"place":…}`, and `"help":…` where there is some.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let Undefined { cause, message, place, help } = self;
        let mut object = json!({ "cause": cause.name(), "message": message, "place": place });
        if let Some(help) = help {
            object["help"] = json!(help);
        }
        object
    }
}

/// The reason, where it stands, and what explains it.
impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if let Some(place) = &self.place {
            write!(f, ", at {place}")?;
        }
        match &self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

/// A plot.
#[derive(Clone, Debug)]
pub struct Drawn {
    /// The envelopes.
    pub plot: Plot,
    /// Why the evaluator stopped before every column was as low as the picture can show; `None` where it did not.
    pub stopped: Option<Stop>,
    /// What the reader should know besides, such as a promise that the envelopes rely on.
    pub notes: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A picture of a function of two variables.
#[derive(Clone, Debug)]
pub struct Rendered {
    /// The pixels.
    pub picture: Picture,
    /// Why the evaluator stopped before every pixel was settled; `None` where it did not.
    pub stopped: Option<Stop>,
    /// What the reader should know besides.
    pub notes: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A value that can be printed.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A real number; the enclosure says whether it is certainly defined.
    Real(Enclosure),
    /// A floating-point number, of which nothing is certain.
    Float {
        /// The number, or NaN.
        value: f64,
        /// Its estimated error.
        error: f64,
    },
    /// A truth value, a natural number or the unit, as the language writes it.
    Word(String),
    /// A truth value that is not decided: on its border, where this number is 0, or too near to it.
    Undecided(String),
    /// `(a, b)`
    Tuple(Vec<Value>),
    /// A list, elementwise.
    List(Vec<Value>),
    /// A constructor, and its argument if it has one.
    Variant(String, Option<Box<Value>>),
}

impl Value {
    /// The values of which this one is made.
    #[must_use]
    pub fn parts(&self) -> &[Value] {
        match self {
            Value::Tuple(parts) | Value::List(parts) => parts,
            Value::Variant(_, Some(argument)) => std::slice::from_ref(&**argument),
            Value::Real(_) | Value::Float { .. } | Value::Word(_) | Value::Undecided(_) | Value::Variant(_, None) => {
                &[]
            }
        }
    }
}

/// What cut a question short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The timeout.
    Time,
    /// The limit on memory.
    Memory,
    /// Ctrl-C.
    Interrupt,
}

/// No answer, and what to tell the person who asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    /// What is wrong, where, and what may have been meant; several lines where the source is shown.
    pub message: String,
    /// [`Status::Wrong`] where the question is at fault, [`Status::Nothing`] where it is not.
    pub status: Status,
    /// Why there is no value, where that is why.
    pub undefined: Option<Undefined>,
}

impl Refusal {
    /// The refusal of a wrong question.
    #[must_use]
    pub fn wrong(message: impl Into<String>) -> Self {
        Refusal { message: message.into(), status: Status::Wrong, undefined: None }
    }

    /// The refusal of a name that is none of those that are known: `fault` says so, and the nearest one is offered.
    #[must_use]
    pub fn unknown<'n>(fault: impl fmt::Display, name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let help = nearest(name, known).map_or_else(String::new, |near| format!("\n  = help: did you mean `{near}`?"));
        Refusal::wrong(format!("error: {fault}{help}"))
    }

    /// The refusal of a question that has no answer, and may be right.
    #[must_use]
    pub fn nothing(message: impl Into<String>) -> Self {
        Refusal { status: Status::Nothing, ..Refusal::wrong(message) }
    }

    /// `{"message":…,"place":…,"help":…,"status":…}`: the sentence, where, what to try, and the exit status.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let head = self.message.lines().next().unwrap_or_default();
        let message = head.strip_prefix("error: ").unwrap_or(head);
        let behind = |sign: &str| self.message.lines().find_map(|line| line.trim_start().strip_prefix(sign));
        json!({ "message": message, "place": behind("--> "), "help": behind("= help: "), "status": self.status.code() })
    }

    /// The message on one line, its place first where it has one: `file:line:column: error: …`.
    #[must_use]
    pub fn short(&self) -> String {
        let mut lines = self.message.lines();
        let head = lines.next().unwrap_or_default();
        match lines.find_map(|line| line.trim_start().strip_prefix("--> ")) {
            Some(place) => format!("{place}: {head}"),
            None => head.to_owned(),
        }
    }
}
