//! An example of a definition: a program of a claim in which it stands, as a question, and its answer.
//!
//! A claim says what a program is, and why; it is tried in every model. So what is shown here is written once, in the theory, and the
//! answer is that of the library on the day.

use crate::cli::eval;
use crate::cli::evaluator::Workbench;
use crate::meaning;
use crate::session::Evaluate;
use crate::session::reach::Reach;
use crate::session::tolerance::{Goal, Timeout};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::{Source, Span};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::theory::{Claim, Statement, Theory};
use std::fmt;
use std::sync::Arc;

/// A question, as it is asked at the prompt, and what is answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The program.
    pub question: String,
    /// Its answer, a set of numbers where it is that, as at a kink.
    pub answer: String,
    /// The model that answers it, where that is not the usual one.
    pub model: Option<&'static str>,
}

/// The models that are asked, in this order.
const MODELS: [&str; 3] = [meaning::DEFAULT, meaning::partial::NAME, meaning::pap::NAME];

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.question, self.answer)?;
        self.model.map_or(Ok(()), |model| write!(f, " in the model {model}"))
    }
}

/// The example of a definition of a theory: of the programs of its claims that mention it and have an answer the shortest, a number
/// before a set, one that the usual model answers before others, one that is an application of it, and one that is not 0.
///
/// # Errors
/// A [`Diagnostic`] that names the definition, where no claim has such a program.
pub fn of(library: &mut Workbench, theory: &str, name: &str) -> Result<Example, Diagnostic> {
    let none = || {
        let help = "a claim of the theory is to have a program with a plain answer in which it stands";
        Diagnostic::wrong(format!("error: `{theory}.{name}` has no example\n  = help: {help}"))
    };
    let source = library.theories().theory(theory).ok_or_else(none)?;
    let mut candidates: Vec<Candidate> =
        source.claims.iter().filter_map(|claim| Candidate::new(library, source, claim, name)).collect();
    candidates.sort_by(|one, other| one.rank().cmp(&other.rank()));
    let (sets, numbers): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(|each| each.is_set);
    let mut of_zero = None;
    for (candidates, model) in [numbers, sets].iter().flat_map(|some| MODELS.map(|model| (some, model))) {
        for example in candidates.iter().filter_map(|candidate| candidate.answered(library, model)) {
            if example.answer != "[0, 0]" {
                return Ok(example);
            }
            // which shows less than another number does
            of_zero = of_zero.or(Some(example));
        }
    }
    of_zero.ok_or_else(none)
}

/// A program that may be the example of a definition.
struct Candidate {
    question: String,
    /// Whether it is an application of the definition, and no larger program.
    applies: bool,
    /// Whether its value is a set, as that of a derivative at a kink is.
    is_set: bool,
}

impl Candidate {
    /// The program of a claim, if it mentions a definition.
    fn new(library: &Workbench, theory: &Theory, claim: &Claim, name: &str) -> Option<Self> {
        let programs = claim.statement.programs();
        let (term, _) = programs.first()?;
        let is_it = |definition: &Definition| *definition.module == *theory.name && *definition.name == *name;
        let mentioned = globals(term);
        if !mentioned.iter().any(|(definition, _)| is_it(definition)) {
            return None;
        }
        let question = asked(library, &theory.source.text, claim.program, &mentioned)?;
        let applies = matches!(head(term).kind(), TermKind::Global(definition) if is_it(definition));
        let is_set = matches!(claim.statement, Statement::Within { reached: false, .. });
        Some(Self { question, applies, is_set })
    }

    /// What is least is the best example.
    fn rank(&self) -> (bool, usize, &str) {
        (!self.applies, self.question.chars().count(), &self.question)
    }

    /// With its answer in a model, where that is one: defined, bounded, and as narrow as it is asked for unless it is a set.
    fn answered(&self, library: &mut Workbench, model: &'static str) -> Option<Example> {
        let to = Goal::default().or_power(eval::USUAL).accuracy();
        let limits = Limits::within(Timeout::default().0);
        let source = Arc::new(Source::new("example", self.question.as_str()));
        let wanted = if self.is_set { Reach::Wide } else { Reach::Reached };
        let found = library.ask(&Evaluate::of(source).model(model), &limits).ok()?;
        let shown = || eval::shown(&eval::shown_value(&found), &to);
        let answer = (Reach::of_value(found.value(), &to) == wanted).then(shown)?;
        let model = (model != meaning::DEFAULT).then_some(model);
        Some(Example { question: self.question.clone(), answer, model })
    }
}

/// What is applied, in the end.
fn head(mut term: &Term) -> &Term {
    while let TermKind::Apply { function, .. } = term.kind() {
        term = function;
    }
    term
}

/// The definitions that a program mentions in its own text, from left to right.
fn globals(term: &Term) -> Vec<(Arc<Definition>, Span)> {
    let (mut waiting, mut found) = (vec![term], Vec::new());
    while let Some(term) = waiting.pop() {
        match term.kind() {
            TermKind::Global(definition) => found.push((definition.clone(), term.span())),
            kind => waiting.extend(kind.children()),
        }
    }
    found.sort_by_key(|(_, span)| (span.start, span.end));
    found
}

/// The text of a program of a theory as it is written at the prompt, where a name that several theories have needs that of its own.
fn asked(library: &Workbench, text: &str, program: Span, mentioned: &[(Arc<Definition>, Span)]) -> Option<String> {
    let same = |question: &String| {
        let Ok((term, _)) = library.session.infer(question) else { return false };
        let found = globals(&term);
        found.len() == mentioned.len()
            && found
                .iter()
                .zip(mentioned)
                .all(|((one, _), (other, _))| one.name == other.name && one.module == other.module)
    };
    let plain = program.of(text).split_whitespace().collect::<Vec<_>>().join(" ");
    if same(&plain) {
        return Some(plain);
    }
    let mut whole = String::new();
    let mut at = program.start as usize;
    for (definition, span) in mentioned {
        let ambiguous =
            library.modules().modules().iter().filter(|module| module.definition(&definition.name).is_some());
        if span.of(text) == &*definition.name && ambiguous.count() > 1 {
            whole.push_str(text.get(at..span.start as usize)?);
            whole.push_str(&definition.module);
            whole.push('.');
            at = span.start as usize;
        }
    }
    whole.push_str(text.get(at..program.end as usize)?);
    Some(whole.split_whitespace().collect::<Vec<_>>().join(" ")).filter(same)
}
