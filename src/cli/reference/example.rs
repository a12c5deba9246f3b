//! Examples of definitions: a program of a claim that mentions the definition, as a question, and its answer.
//!
//! A claim states the value of a program and the reason, and is tested in every semantics. So an example is written
//! once, in the theory, and its answer is computed by the library.

use crate::cli::eval;
use crate::cli::evaluator::TheorySession;
use crate::meaning;
use crate::session::Evaluate;
use crate::session::reach::AccuracyClass;
use crate::session::tolerance::{AccuracyGoal, Timeout};
use crate::session::{Diagnostic, Limits};
use crate::syntax::source::{SourceText, Span};
use crate::syntax::term::{Definition, Term, TermKind};
use crate::theory::{ClaimStatement, Theory, TheoryClaim};
use std::fmt;
use std::sync::Arc;

/// A question, as it is asked at the prompt, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The program.
    pub question: String,
    /// The answer. A set of numbers if the value is one, as at a kink.
    pub answer: String,
    /// The semantics that answers. `None` for the default one.
    pub model: Option<&'static str>,
}

/// The semantics to try, in this order.
const TRIED_MODELS: [&str; 3] = [meaning::DEFAULT_SEMANTICS, meaning::partial::NAME, meaning::pap::NAME];

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is {}", self.question, self.answer)?;
        self.model.map_or(Ok(()), |model| write!(f, " in the model {model}"))
    }
}

/// Finds the example of a definition, among the programs of the theory's claims that mention it and have an answer. The
/// order of preference: a number before a set, the default semantics before others, an application of the definition
/// before other programs, then the shortest. An example with the answer 0 is the last resort.
///
/// # Errors
/// A [`Diagnostic`] that names the definition, if no claim has such a program.
pub fn find_example(library: &mut TheorySession, theory: &str, name: &str) -> Result<Example, Diagnostic> {
    let none = || {
        let help = "a claim of the theory is to have a program with a plain answer in which it stands";
        Diagnostic::invalid_input(format!("error: `{theory}.{name}` has no example\n  = help: {help}"))
    };
    let source = library.theories().find_theory(theory).ok_or_else(none)?;
    let mut candidates: Vec<ExampleCandidate> =
        source.claims.iter().filter_map(|claim| ExampleCandidate::new(library, source, claim, name)).collect();
    candidates.sort_by(|one, other| one.sort_key().cmp(&other.sort_key()));
    let (sets, numbers): (Vec<ExampleCandidate>, Vec<ExampleCandidate>) =
        candidates.into_iter().partition(|each| each.is_set);
    let mut of_zero = None;
    for (candidates, model) in [numbers, sets].iter().flat_map(|some| TRIED_MODELS.map(|model| (some, model))) {
        for example in candidates.iter().filter_map(|candidate| candidate.answer_in(library, model)) {
            if example.answer != "[0, 0]" {
                return Ok(example);
            }
            // A value of 0 tells a reader less than any other number.
            of_zero = of_zero.or(Some(example));
        }
    }
    of_zero.ok_or_else(none)
}

/// A program that may be the example of a definition.
struct ExampleCandidate {
    question: String,
    /// `true` if the program is an application of the definition, not a larger program.
    applies: bool,
    /// `true` if the value is a set, as that of a derivative at a kink is.
    is_set: bool,
}

impl ExampleCandidate {
    /// Takes the program of a claim. Returns `None` if the program does not mention the definition.
    fn new(library: &TheorySession, theory: &Theory, claim: &TheoryClaim, name: &str) -> Option<Self> {
        let programs = claim.statement.typed_programs();
        // Of a claim about two programs, the first one is shown.
        let (term, _) = programs.first()?;
        let is_it = |definition: &Definition| *definition.module == *theory.name && *definition.name == *name;
        let mentioned = mentioned_definitions(term);
        if !mentioned.iter().any(|(definition, _)| is_it(definition)) {
            return None;
        }
        let question = text_at_prompt(library, &theory.source.text, claim.program, &mentioned)?;
        let applies = matches!(applied_function(term).kind(), TermKind::Global(definition) if is_it(definition));
        let is_set = matches!(claim.statement, ClaimStatement::Within { reached: false, .. });
        Some(Self { question, applies, is_set })
    }

    /// Returns the sort key of the candidate; the least is the best example.
    fn sort_key(&self) -> (bool, usize, &str) {
        (!self.applies, self.question.chars().count(), &self.question)
    }

    /// Answers the example in a semantics. Returns `None` unless the value is defined and as narrow as requested; a set
    /// must be bounded and wider.
    fn answer_in(&self, library: &mut TheorySession, model: &'static str) -> Option<Example> {
        let to = AccuracyGoal::default().or_default(eval::DEFAULT_WIDTH_EXPONENT).accuracy();
        let limits = Limits::within_time(Timeout::default().0);
        let source = Arc::new(SourceText::new("example", self.question.as_str()));
        let wanted = if self.is_set { AccuracyClass::Wide } else { AccuracyClass::Reached };
        let found = library.ask(&Evaluate::from_source(source).with_model(model), &limits).ok()?;
        let shown = || eval::format_value(&eval::printable_value(&found), &to);
        let answer = (AccuracyClass::of_value(found.value(), &to) == wanted).then(shown)?;
        let model = (model != meaning::DEFAULT_SEMANTICS).then_some(model);
        Some(Example { question: self.question.clone(), answer, model })
    }
}

/// Returns the function of an application of any number of arguments.
fn applied_function(mut term: &Term) -> &Term {
    while let TermKind::Apply { function, .. } = term.kind() {
        term = function;
    }
    term
}

/// Returns the definitions that a program mentions in its own text, from left to right.
fn mentioned_definitions(term: &Term) -> Vec<(Arc<Definition>, Span)> {
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

/// Returns the text of a theory's program as it is written at the prompt. A name that several theories define is
/// qualified. Returns `None` if even then the text means another program.
fn text_at_prompt(
    library: &TheorySession,
    text: &str,
    program: Span,
    mentioned: &[(Arc<Definition>, Span)],
) -> Option<String> {
    let same = |question: &String| {
        let Ok((term, _)) = library.session.infer(question) else { return false };
        let found = mentioned_definitions(&term);
        found.len() == mentioned.len()
            && found
                .iter()
                .zip(mentioned)
                .all(|((one, _), (other, _))| one.name == other.name && one.module == other.module)
    };
    let plain = program.text_in(text).split_whitespace().collect::<Vec<_>>().join(" ");
    // Qualified names are longer: they are written only if the plain text does not mean the same.
    if same(&plain) {
        return Some(plain);
    }
    let mut whole = String::new();
    let mut at = program.start as usize;
    for (definition, span) in mentioned {
        let ambiguous =
            library.modules().modules().iter().filter(|module| module.find_definition(&definition.name).is_some());
        if span.text_in(text) == &*definition.name && ambiguous.count() > 1 {
            whole.push_str(text.get(at..span.start as usize)?);
            whole.push_str(&definition.module);
            whole.push('.');
            at = span.start as usize;
        }
    }
    whole.push_str(text.get(at..program.end as usize)?);
    Some(whole.split_whitespace().collect::<Vec<_>>().join(" ")).filter(same)
}
