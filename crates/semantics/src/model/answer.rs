//! The [`Semantics`] trait, an object-safe view of a model for the command line and the laws, with its answers and errors.
//!
//! # The operation at fault where a program has no value
//!
//! The operation at fault where a program has no value, in the user's own terms.
//!
//! An operation without a value need not be written in the program: the slope of a root is a quotient, `floor` is made of
//! choices, `x ^ y` of a logarithm. A message names what stands at the place. Inside a definition of the library it names the
//! definition, and the name by which the program refers to it.
//!
//! # Errors for differences of natural numbers below 0
//!
//! Errors for differences of natural numbers below 0, explained from the program that contains them.
//!
//! # Positions in the source of a program
//!
//! # Sites: numbers for the places of a program's constants,
//!
//! Sites: numbers for the places of a program's constants, for semantics that carry out one operation after another.

use super::{InterpretError, Unsupported};
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::model::universe::{ArrowCode, ValueSemantics};
use crate::number::budget::Budget;
use crate::number::{Accuracy, Rational, real};
use crate::smooth::error::SmoothError;
use crate::smooth::nearby;
use crate::syntax::constant::Constant;
use crate::syntax::library::is_standard;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term;
use crate::syntax::term::{Definition, DifferenceCause, Term, TermKind};
use crate::syntax::ty::Ty;
use crate::value;
pub use crate::value::{AnswerTruth, UndefinedCause};
use crate::value::{Carrier, NegativeDifference, SourceId, TryMapReals, Value, ValueError};
use rustc_hash::FxHashSet;
use std::convert::Infallible;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A real number in an answer.
#[derive(Clone, Debug)]
pub enum AnswerNumber {
    /// An interval that contains it.
    Enclosure(Box<real::RefinedEnclosure>),
    /// A floating-point approximation, without any guarantee.
    Float {
        /// The number; NaN if floating-point arithmetic finds none.
        value: f64,
        /// An estimate of the error by rounding and by the choice of quadrature nodes; not a bound.
        error: f64,
    },
}

/// A [`TryMapReals`] that turns the plain numbers of a value into those of an answer, by a function.
pub struct ToAnswerNumbers<F>(pub F);

impl<R: Carrier<Truth = bool>, F: FnMut(&R) -> AnswerNumber> TryMapReals<R, AnswerNumber> for ToAnswerNumbers<F> {
    type Error = Infallible;
    fn map_real(&mut self, x: &R) -> Result<AnswerNumber, Infallible> {
        Ok((self.0)(x))
    }
    fn map_truth(&mut self, b: &bool) -> Result<AnswerTruth, Infallible> {
        Ok(AnswerTruth::Decided(*b))
    }
}

impl Carrier for AnswerNumber {
    type Truth = AnswerTruth;
    type Tangent = ();
}

/// The value of a program in a model, with everything that qualifies it.
#[derive(Clone, Debug)]
pub struct ProgramAnswer {
    /// The value.
    pub value: Value<AnswerNumber>,
    /// The uses of cutRoot whose promise the answer rests on.
    pub promises: Vec<SourceLocation>,
    /// The reason why the first number that is not shown to be defined is not; `None` if the semantics does not know it.
    pub undefined: Option<UndefinedReason>,
    /// Further notes to be shown with the answer.
    pub notes: Vec<AnswerNote>,
    /// `true` if a derivative was taken on a border between pieces. It is that of the piece to which the border belongs; another
    /// semantics may have another one.
    pub on_border: bool,
}

/// A note on an answer, about a place of the program: `before`, the source text at `place`, then `after`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerNote {
    /// The text before the quotation.
    pub before: String,
    /// The place whose source text is quoted; `None` if the note quotes nothing.
    pub place: Option<SourceLocation>,
    /// The text after the quotation.
    pub after: String,
}

impl AnswerNote {
    /// Builds a note that quotes no place.
    #[must_use]
    pub fn without_place(text: String) -> Self {
        Self { before: text, place: None, after: String::new() }
    }
}

/// The reason why a number is not shown to be defined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UndefinedReason {
    /// The kind of the reason.
    pub cause: UndefinedCause,
    /// The reason as a sentence, without the place.
    pub message: String,
    /// The place of the operation that has no value or no derivative. For an operation of the library it is the place where the
    /// program mentions it; `None` if there are several.
    pub place: Option<SourceLocation>,
    /// The definition of the library that contains the operation; `None` if the program itself does.
    pub library: Option<Name>,
    /// The definition whose comment states the requirement that is the reason; `None` if no requirement is.
    pub stated_by: Option<Name>,
    /// For an integral that diverges, where and how.
    pub divergence: Option<Box<nearby::DivergentIntegral>>,
}

impl ProgramAnswer {
    /// Builds an answer that rests on no promise and has no notes.
    #[must_use]
    pub fn from_value(value: Value<AnswerNumber>) -> Self {
        Self { value, promises: Vec::new(), undefined: None, notes: Vec::new(), on_border: false }
    }
}

/// The reason why a semantics has no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SemanticsError {
    /// The program has no arrow in the model.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// Running the program failed.
    #[error(transparent)]
    Run(ValueError),
    /// Evaluation failed.
    #[error("{error}")]
    Evaluation {
        /// The error.
        error: SmoothError,
        /// The place of the primitive at fault, if it is known.
        place: Option<SourceLocation>,
    },
    /// The value is undefined, or was not found to be defined, and no part of it is known.
    #[error("{}", .0.message)]
    Undefined(Box<UndefinedReason>),
    /// An error that one semantics alone has.
    #[error("{0}")]
    Other(Arc<dyn ErrorWithKind>),
}

impl From<ValueError> for SemanticsError {
    fn from(error: ValueError) -> Self {
        match error {
            // a construct that is found missing only at run time is still reported as a missing construct
            ValueError::Unsupported { model, construct } => {
                InterpretError::from(Unsupported { model, construct }).into()
            }
            error => Self::Run(error),
        }
    }
}

impl SemanticsError {
    /// Wraps an error that one semantics alone has.
    pub fn from_failure(error: impl ErrorWithKind + 'static) -> Self {
        Self::Other(Arc::new(error))
    }

    /// Wraps an error of a semantics outside this library; only its message is known.
    pub fn from_external(error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self::from_failure(ExternalError(error.into()))
    }

    /// Returns the construct that the model lacks, if that is the error.
    #[must_use]
    pub fn unsupported_construct(&self) -> Option<&super::Unsupported> {
        match self {
            SemanticsError::Interpretation(InterpretError::Unsupported(unsupported)) => Some(unsupported),
            _ => None,
        }
    }
}

impl ErrorWithKind for SemanticsError {
    fn kind(&self) -> ErrorKind {
        match self {
            Self::Interpretation(error) => error.kind(),
            Self::Run(error) => error.kind(),
            Self::Evaluation { error, .. } => error.kind(),
            Self::Undefined(_) => ErrorKind::Limit,
            Self::Other(error) => error.kind(),
        }
    }
}

/// An error without a kind; it counts as wrong input.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct ExternalError(Box<dyn Error + Send + Sync>);

// A choice: an unknown error is reported as the user's input being wrong, not as a limit that a larger budget might lift.
impl ErrorWithKind for ExternalError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::InvalidInput
    }
}

/// A semantics of programs: an interface that evaluates them, object safe, unlike [`Model`](super::Model).
pub trait Semantics: Send + Sync {
    /// Returns the name of the model.
    fn name(&self) -> &'static str;

    /// Describes the model in one line.
    fn summary(&self) -> &'static str;

    /// Returns `true` if the numbers of answers are intervals that certainly contain the true values.
    fn is_certified(&self) -> bool;

    /// Returns this semantics with every recursive function unfolded at most `unfoldings` levels deep.
    ///
    /// Returns `None`, the default, if the semantics has no approximants of recursion.
    fn with_unfolding_limit(&self, unfoldings: u64) -> Option<Box<dyn Semantics>> {
        let _ = unfoldings;
        None
    }

    /// Evaluates a closed, well-typed program, with every real number as accurate as `to` asks or as the model and `budget`
    /// allow.
    ///
    /// # Errors
    /// [`SemanticsError`]: a construct that the model lacks, a recursion that does not end, a broken promise.
    fn evaluate_to(
        &self,
        term: &Term,
        ty: &Ty,
        to: &Accuracy,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError>;

    /// Like [`Semantics::evaluate_to`], with every real number enclosed to width `eps > 0`.
    ///
    /// # Errors
    /// As [`Semantics::evaluate_to`].
    fn evaluate(
        &self,
        term: &Term,
        ty: &Ty,
        eps: &Rational,
        budget: &Arc<Budget>,
    ) -> Result<ProgramAnswer, SemanticsError> {
        self.evaluate_to(term, ty, &Accuracy::from(eps), budget)
    }
}

/// The operation that has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FaultyOperation {
    /// The operation as the program writes it; `None` if nothing is to be named.
    pub operation: Option<String>,
    /// The place where the program mentions it; `None` if there is none or there are several.
    pub place: Option<SourceLocation>,
    /// The definition of the library that contains it; `None` if the program itself does.
    pub library: Option<Name>,
}

impl FaultyOperation {
    /// Finds the operation at fault, known internally as `operation` at `place`, as the user knows it.
    #[must_use]
    pub fn locate(operation: Option<&str>, place: Option<SourceLocation>, program: &Term) -> Self {
        let named = operation.map(str::to_owned);
        let Some(place) = place else { return Self { operation: named, place: None, library: None } };
        // inside the library: a span of its source means nothing to the user, so report the use in the program
        if let Some(definition) = place.definition.as_ref().filter(|definition| is_standard(&definition.module)) {
            let (mentioned, place) = find_mention(program, definition);
            let name = mentioned.unwrap_or_else(|| definition.name.clone());
            return Self { operation: Some(name.to_string()), place, library: Some(definition.name.clone()) };
        }
        let term = place.definition.as_ref().map_or(program, |definition| &definition.term);
        let written = constant_at(term, &place).filter(|constant| !is_comparison(*constant));
        let written = written.map(|constant| constant.name().trim_matches(['(', ')']).to_owned());
        // a built-in name with more detail, such as a polygamma of some order, is kept in place of the written one
        let is_told = |written: &String| named.as_ref().is_some_and(|named| named.starts_with(written.as_str()));
        let operation = written.filter(|written| !is_told(written)).or(named);
        Self { operation, place: Some(place), library: None }
    }

    /// Names the library definition that contains the operation; empty if that is the name reported anyway.
    fn library_suffix(&self) -> String {
        match (&self.library, &self.operation) {
            (Some(name), operation) if operation.as_deref() != Some(name) => format!(", in the library's `{name}`"),
            _ => String::new(),
        }
    }

    /// Returns `found` with the operation as the program names it, and the operation at fault.
    #[must_use]
    pub fn rename_for_user(
        found: &value::UndefinedValue,
        place: Option<SourceLocation>,
        program: &Term,
    ) -> (value::UndefinedValue, Self) {
        // the unfolding limit is reached by a recursion as a whole, not by an operation
        if found.cause == UndefinedCause::Fuel {
            return (found.clone(), Self { operation: None, place, library: None });
        }
        let culprit = Self::locate(Some(&found.operation), place, program);
        let operation = culprit.operation.clone().unwrap_or_else(|| found.operation.clone());
        (value::UndefinedValue { operation, ..found.clone() }, culprit)
    }
}

impl UndefinedReason {
    /// Returns the requirement that a theory's definition states at `place` as the reason; `None` if it states none.
    fn from_requirement(cause: UndefinedCause, place: Option<&SourceLocation>) -> Option<Self> {
        let message = place.and_then(SourceLocation::stated_requirement)?;
        let stated_by = place?.definition.as_ref().map(|definition| definition.name.clone());
        Some(Self { cause, message, place: None, library: None, stated_by, divergence: None })
    }

    /// Explains a number that an evaluation did not find to be defined. `places` maps its sites to places.
    #[must_use]
    pub fn of_number(
        found: &nearby::UndefinedOperation,
        places: impl Fn(SourceId) -> Option<SourceLocation>,
        program: &Term,
    ) -> Self {
        if let Some(demanded) = Self::from_requirement(found.cause, places(found.site).as_ref()) {
            return demanded;
        }
        let culprit = FaultyOperation::locate(found.operation.as_deref(), places(found.site), program);
        // An integral over several operations is reported as a whole: the operation under it is an internal detail.
        let integral = found.integral.and_then(|site| FaultyOperation::locate(None, places(site), program).library);
        if let (Some(_), Some(name)) = (&culprit.library, integral)
            && !matches!(found.cause, UndefinedCause::Oscillation | UndefinedCause::Divergence)
        {
            let message = format!("an integral is not shown to have a value, in the library's `{name}`");
            let (cause, place, library) = (found.cause, culprit.place, Some(name));
            return Self { cause, message, place, library, stated_by: None, divergence: None };
        }
        let told = match (&culprit.library, &culprit.operation) {
            (Some(_), Some(operation)) if found.cause == UndefinedCause::Undecided => {
                format!(
                    "`{operation}` is not decided: a choice in it is on its border, or is not distinguished from it"
                )
            }
            (_, operation) => nearby::UndefinedOperation { operation: operation.clone(), ..found.clone() }.to_string(),
        };
        Self {
            cause: found.cause,
            message: told + &culprit.library_suffix(),
            place: culprit.place,
            library: culprit.library,
            stated_by: None,
            divergence: found.divergence.clone(),
        }
    }

    /// Explains a run that ended without a value. `told` formats the reason, with the operation at fault.
    #[must_use]
    pub fn of_value(
        found: &value::UndefinedValue,
        place: Option<SourceLocation>,
        program: &Term,
        told: impl Fn(&value::UndefinedValue) -> String,
    ) -> Self {
        // a stated requirement names the user's mistake better than the operation that failed inside
        if let Some(demanded) = Self::from_requirement(found.cause, place.as_ref()) {
            return demanded;
        }
        let (renamed, culprit) = FaultyOperation::rename_for_user(found, place, program);
        let message = told(&renamed) + &culprit.library_suffix();
        let FaultyOperation { place, library, .. } = culprit;
        Self { cause: found.cause, message, place, library, stated_by: None, divergence: None }
    }
}

/// Returns `true` for comparisons. Messages name them by their own rule, not by the constant that is written.
fn is_comparison(constant: Constant) -> bool {
    constant.compares_reals() || constant.real_comparison().is_some()
}

/// Returns the constant that is applied at a place of a term.
fn constant_at(term: &Term, place: &SourceLocation) -> Option<Constant> {
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if term.span() == place.span {
            let mut head = term;
            while let TermKind::Apply { function, .. } = head.kind() {
                head = function;
            }
            if let TermKind::Constant(constant) = head.kind() {
                return Some(*constant);
            }
        }
        waiting.extend(term.kind().children());
    }
    None
}

/// Returns the library name by which a program reaches `wanted`, and the place of that use; each `None` unless unique.
fn find_mention(program: &Term, wanted: &Definition) -> (Option<Name>, Option<SourceLocation>) {
    let (mut names, mut places): (FxHashSet<Name>, Vec<SourceLocation>) = Default::default();
    let mut waiting: Vec<(Option<Arc<Definition>>, Term)> = vec![(None, program.clone())];
    let mut own = FxHashSet::default();
    while let Some((home, term)) = waiting.pop() {
        match term.kind() {
            TermKind::Global(definition) if is_standard(&definition.module) => {
                if depends_on(definition, wanted) {
                    names.insert(definition.name.clone());
                    places.push(SourceLocation { definition: home.clone(), span: term.span() });
                }
            }
            // definitions of the program itself are entered once each; their uses are not mentions
            TermKind::Global(definition) if own.insert(Arc::as_ptr(definition) as usize) => {
                waiting.push((Some(definition.clone()), definition.term.clone()));
            }
            kind => waiting.extend(kind.children().map(|child| (home.clone(), child.clone()))),
        }
    }
    let place = match &places[..] {
        [place] => Some(place.clone()),
        _ => None,
    };
    let name = names.into_iter();
    (if name.len() == 1 { name.last() } else { None }, place)
}

/// Returns `true` if a definition is `wanted` or uses it, directly or not.
fn depends_on(definition: &Arc<Definition>, wanted: &Definition) -> bool {
    // compared by name, not by address: instances of a polymorphic definition are copies of it
    let is_wanted = |definition: &Definition| (&definition.module, &definition.name) == (&wanted.module, &wanted.name);
    let (mut seen, mut waiting) = (FxHashSet::default(), vec![definition.clone()]);
    while let Some(definition) = waiting.pop() {
        if is_wanted(&definition) {
            return true;
        }
        if !seen.insert(Arc::as_ptr(&definition) as usize) {
            continue;
        }
        let mut terms = vec![&definition.term];
        while let Some(term) = terms.pop() {
            if let TermKind::Global(used) = term.kind() {
                waiting.push(used.clone());
            }
            terms.extend(term.kind().children());
        }
    }
    false
}

/// Adds the place of the difference to an error that has none. Inside a definition it also explains why the numbers are natural.
pub(super) fn add_location(error: ValueError, place: &SourceLocation) -> ValueError {
    let ValueError::NegativeDifference(below) = error else { return error };
    // the innermost place was added first and is the right one
    if below.span.is_some() {
        return ValueError::NegativeDifference(below);
    }
    let definition = place.definition.as_ref();
    let name = definition.map(|definition| (definition.module.to_string(), definition.name.to_string()));
    let below = NegativeDifference { span: Some((place.span.start, place.span.end)), definition: name, ..*below };
    ValueError::NegativeDifference(Box::new(match definition {
        Some(definition) => add_explanation(below, &definition.term),
        None => below,
    }))
}

/// Explains the error of running a program: a difference below 0 gets the reason why its numbers are natural ones.
#[must_use]
pub fn explain_in_program(error: ValueError, program: &Term) -> ValueError {
    match error {
        // differences inside a definition were explained from that definition when their place was added
        ValueError::NegativeDifference(below) if below.definition.is_none() && below.naturality_reason.is_none() => {
            ValueError::NegativeDifference(Box::new(add_explanation(*below, program)))
        }
        other => other,
    }
}

/// Adds to an error why its numbers are natural ones, and a remedy.
fn add_explanation(below: NegativeDifference, program: &Term) -> NegativeDifference {
    let Some((start, end)) = below.span else { return below };
    match term::explain_difference(program, Span::new(start, end)) {
        // a variable compared by `==`: the comparison that makes it natural is shown as well
        Some(DifferenceCause::ComparedByEquality(counted)) => NegativeDifference {
            naturality_reason: Some(counted.reason_clause()),
            comparison_span: Some((counted.span.start, counted.span.end)),
            help: Some(counted.help()),
            ..below
        },
        Some(DifferenceCause::NotCompared(Some(name))) => NegativeDifference {
            naturality_reason: Some(format!("`{name}` is a natural number")),
            help: Some(format!("real numbers: toReal {name}; a difference that stops at 0: (m - n : Nat)")),
            ..below
        },
        Some(DifferenceCause::NotCompared(None)) | None => NegativeDifference {
            naturality_reason: Some("natural numbers are subtracted".to_owned()),
            help: Some("real numbers: toReal m - toReal n; a difference that stops at 0: (m - n : Nat)".to_owned()),
            ..below
        },
    }
}

/// A position in a program: the definition and the span of a constant.
#[derive(Clone, Debug)]
pub struct SourceLocation {
    /// The definition that contains it; `None` for the program itself.
    pub definition: Option<Arc<Definition>>,
    /// The span in that source.
    pub span: Span,
}

impl SourceLocation {
    /// Returns what the definition at this place requires of its arguments; `None` if its comment states no requirement.
    ///
    /// A definition of a theory that is partial says so in its comment: "The rate of poisson has to be > 0."
    #[must_use]
    pub fn stated_requirement(&self) -> Option<String> {
        let doc = self.definition.as_ref().map(|definition| definition.doc.split_whitespace().collect::<Vec<_>>())?;
        let doc = doc.join(" ");
        let text = doc.trim_end_matches('.');
        let first = text.chars().next().filter(|_| text.contains(REQUIREMENT_WORDS))?;
        Some(first.to_lowercase().chain(text.chars().skip(1)).collect())
    }
}

/// The words by which a comment states a requirement; a convention of the theory files.
const REQUIREMENT_WORDS: &str = " has to be ";

impl PartialEq for SourceLocation {
    fn eq(&self, other: &SourceLocation) -> bool {
        self.span == other.span
            // by address: definitions are shared, and their spans mean nothing without the source
            && match (&self.definition, &other.definition) {
                (Some(left), Some(right)) => Arc::ptr_eq(left, right),
                (None, None) => true,
                _ => false,
            }
    }
}

impl Eq for SourceLocation {}

/// The place of a constant or a recursive function; for a power, also the exponent if it is a literal.
#[derive(Debug)]
struct SiteEntry {
    place: SourceLocation,
    exponent: Option<Rational>,
}

/// The places of a program, indexed by site.
#[derive(Debug, Default)]
pub(crate) struct SiteTable(Mutex<Vec<SiteEntry>>);

impl SiteTable {
    fn lock_entries(&self) -> MutexGuard<'_, Vec<SiteEntry>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, place: &SourceLocation, exponent: Option<Rational>) -> SourceId {
        let mut places = self.lock_entries();
        places.push(SiteEntry { place: place.clone(), exponent });
        SourceId::from_index(places.len() - 1)
    }

    /// Adds the application of a constant to arguments.
    pub(crate) fn add_application<U: ValueSemantics>(
        &self,
        constant: Constant,
        place: &SourceLocation,
        arguments: &[ArrowCode<U>],
    ) -> SourceId {
        let exponent = match (constant, arguments) {
            // x ^ 2 and x ^ y have different domains, so the literal is kept
            (Constant::Power, [_, exponent]) => exponent.literal_value(),
            _ => None,
        };
        self.push(place, exponent)
    }

    /// Adds a recursive function.
    pub(crate) fn add_recursion(&self, place: &SourceLocation) -> SourceId {
        self.push(place, None)
    }

    /// Returns the place of a site.
    pub(crate) fn location_of(&self, site: SourceId) -> Option<SourceLocation> {
        Some(self.lock_entries().get(site.index()?)?.place.clone())
    }

    /// Returns the exponent of a power, if it is written as a number.
    pub(crate) fn literal_exponent(&self, site: SourceId) -> Option<Rational> {
        self.lock_entries().get(site.index()?)?.exponent.clone()
    }

    /// Returns the number of sites.
    pub(crate) fn len(&self) -> usize {
        self.lock_entries().len()
    }
}

/// Returns `true` for constants of numbers and of functions that are evaluated pointwise: neither tangents nor the functionals,
/// which look at a whole function.
pub(crate) fn is_evaluated(constant: Constant) -> bool {
    use Constant::{Foreign, Functional, Tangent, TangentProd, TangentR, TangentToR, TangentValue};
    !matches!(constant, Foreign(_) | Functional(_) | Tangent | TangentProd | TangentR | TangentToR | TangentValue)
}
