//! The operation at fault where a program has no value, in the user's own terms.
//!
//! An operation without a value need not be written in the program: the slope of a root is a quotient, `floor` is made of
//! choices, `x ^ y` of a logarithm. A message names what stands at the place. Inside a definition of the library it names the
//! definition, and the name by which the program refers to it.

use super::answer::UndefinedReason;
use super::place::SourceLocation;
use crate::smooth::witness;
use crate::syntax::constant::Constant;
use crate::syntax::library::is_standard;
use crate::syntax::name::Name;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::value;
use crate::value::{SourceId, UndefinedCause};
use rustc_hash::FxHashSet;
use std::sync::Arc;

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
        Some(Self { cause, message, place: None, library: None })
    }

    /// Explains a number that an evaluation did not find to be defined. `places` maps its sites to places.
    #[must_use]
    pub fn of_number(
        found: &witness::UndefinedOperation,
        places: impl Fn(SourceId) -> Option<SourceLocation>,
        program: &Term,
    ) -> Self {
        if let Some(demanded) = Self::from_requirement(found.cause, places(found.site).as_ref()) {
            return demanded;
        }
        let culprit = FaultyOperation::locate(found.operation.as_deref(), places(found.site), program);
        // An integral over several operations is reported as a whole: the operation under it is an internal detail.
        let integral = found.integral.and_then(|site| FaultyOperation::locate(None, places(site), program).library);
        if let (Some(_), Some(name)) = (&culprit.library, integral) {
            let message = format!("an integral is not shown to have a value, in the library's `{name}`");
            return Self { cause: found.cause, message, place: culprit.place, library: Some(name) };
        }
        let told = match (&culprit.library, &culprit.operation) {
            (Some(_), Some(operation)) if found.cause == UndefinedCause::Undecided => {
                format!("`{operation}` is not decided: a choice in it is on its border, or is not told from it")
            }
            (_, operation) => witness::UndefinedOperation { operation: operation.clone(), ..found.clone() }.to_string(),
        };
        Self {
            cause: found.cause,
            message: told + &culprit.library_suffix(),
            place: culprit.place,
            library: culprit.library,
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
        Self { cause: found.cause, message, place: culprit.place, library: culprit.library }
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
