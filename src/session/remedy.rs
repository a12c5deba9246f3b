//! Hints: advice on an answer that is not a number, or is a 0 that hides a truncated difference.
//!
//! # Notes on answers that miss the requested accuracy

use super::answer::{Note, NoteKind};
use super::limits::ReachedLimit;
use super::question::QuestionContext;
use super::tolerance::{
    AccuracyClass, AccuracyGoal, float_error, is_defined, list_enclosures, reason_for_width, undecided_number,
};
use crate::meaning::pap;
use crate::meaning::presheaf::PresheafSemantics;
use crate::model::answer::{AnswerNumber, Semantics as _};
use crate::number::budget::Budget;
use crate::number::decimal::Decimals;
use crate::number::real::WidthReason;
use crate::number::{Accuracy, Enclosure, Rational, decimal};
use crate::syntax::constant::Constant;
use crate::syntax::lexer::{Lexeme, Lexer, Token, message_excerpt};
use crate::syntax::library::{EVERYDAY, TRACE};
use crate::syntax::name::Name;
use crate::syntax::term;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::undefined::UndefinedCause;
use crate::value::Value;
use std::sync::Arc;

/// The hint for a distribution.
const DISTRIBUTION_HINT: &str = "a distribution is sampled from, x <- sample (normal 0 1); the gamma function of x is exp (lgamma x), the beta function \
     exp (lgamma a + lgamma b - lgamma (a + b))";

/// The hint for a power whose exponent varies.
const POWER_HINT: &str = "an exponent that is a real number makes it exp (y * log x), for x > 0; one that is a literal, or a natural number, \
     (n : Nat), makes it a product of factors x";

/// Returns advice how to get numbers from a value whose type has none to show.
#[must_use]
pub fn hint_for_type(ty: &Ty, term: &Term, text: &str) -> String {
    let is_of_traces = |ty: &Ty| matches!(ty.kind(), TyKind::Data(data, _) if &**data.module() == TRACE);
    match ty.kind() {
        TyKind::Function(..) if text == "inf" => {
            "it is the infimum of a function on a set; numbers are finite".to_owned()
        }
        TyKind::Function(..) if text == "return" => {
            "it ends a block: do { x <- sample (normal 0 1); return x }".to_owned()
        }
        TyKind::Function(_, codomain) if is_of_traces(codomain) => DISTRIBUTION_HINT.to_owned(),
        TyKind::Data(..) if is_of_traces(ty) => DISTRIBUTION_HINT.to_owned(),
        // Before the general function types: a matrix is a function too, but applying it shows only one product.
        TyKind::Function(domain, _) if is_matrix(term) && coordinate_count(domain).is_some() => {
            let n = coordinate_count(domain).unwrap_or_default();
            format!(
                "it is the linear map of a matrix: rows{n} of it are the rows, det and trace its numbers, and it is applied to a vector"
            )
        }
        TyKind::Function(domain, _) if is_given_all_at_once(domain, term) => {
            "arguments stand side by side, without commas: f x y".to_owned()
        }
        TyKind::Function(domain, codomain) if is_of_functions(domain) && *codomain == Ty::real() => {
            format!("apply it to a function of type {domain} to see a number, such as its integral or its mean")
        }
        TyKind::Function(domain, _) if *domain == Ty::new(TyKind::Nat) => {
            let because = term::find_natural_parameter(term)
                .map(|counted| format!("; {}; {}", counted.reason_clause(), counted.help()));
            format!("apply it to an argument of type {domain} to see a number{}", because.unwrap_or_default())
        }
        TyKind::Function(domain, codomain) => {
            let matrix = match coordinate_count(codomain).filter(|_| coordinate_count(domain).is_some()) {
                Some(n) => format!(
                    "; the rows of the matrix of a linear map, as jacobian f p and hessian f p are, are rows{n} of it"
                ),
                None => String::new(),
            };
            format!("apply it to an argument of type {domain} to see a number{matrix}")
        }
        _ => "take it apart to see numbers".to_owned(),
    }
}

/// Explains why a number is undefined, from the text at its place and the message of the operation. Recognises
/// comparisons of equal sides, powers of numbers that are not positive, and singular linear equations. Otherwise refers
/// to the theory's definition, if `definition` names one. Returns `None` if nothing is recognised.
#[must_use]
pub fn hint_for_undefined(written: &str, operation: &str, definition: Option<&str>) -> Option<String> {
    match (written.split(|c: char| !c.is_alphanumeric()).next(), definition) {
        // Comparisons first: with an exact zero on the border, no other operation in the text can be at fault.
        _ if written.contains("==") || written.contains("/=") => {
            Some(format!("the two sides are equal, or not distinguished; --model {} decides", pap::NAME))
        }
        _ if written.contains('^') && operation.contains("`^`") => Some(POWER_HINT.to_owned()),
        (Some("linearSolve" | "inverse"), _) => {
            Some("the determinant of the linear map is 0, or is not distinguished from 0".to_owned())
        }
        (_, Some(name)) => Some(format!("this is in `{name}`, and smoothish doc {name} says where it has a value")),
        _ => None,
    }
}

/// The definition of the library that states what signs `root a b f` wants at its ends.
pub(super) const ROOT_SIGNS: &str = "rootOfSigns";

/// Describes the values at the ends of the first `root a b f` that stands in a program outside of all binders. Returns
/// `None` if there is none, or its ends have no values.
pub(super) fn describe_root_ends(program: &Term, budget: &Arc<Budget>) -> Option<String> {
    let mut waiting = vec![program];
    while let Some(term) = waiting.pop() {
        if let Some([a, b, f]) = root_arguments(term) {
            let enclose = |term: &Term| enclose_closed(term, budget);
            let value_at =
                |end: &Term| Some([enclose(end)?, enclose(&Term::apply(f.clone(), end.clone(), end.span()))?]);
            let [[a, at_a], [b, at_b]] = [value_at(a)?, value_at(b)?];
            for (end, value) in [(&a, &at_a), (&b, &at_b)] {
                if value.lo().is_zero() && value.hi().is_zero() {
                    return Some(format!("the end {} is itself a root", format_short(end)));
                }
            }
            let [a, at_a, b, at_b] = [&a, &at_a, &b, &at_b].map(format_short);
            return Some(format!("no change of sign: {at_a} at {a}, and {at_b} at {b}"));
        }
        // Below a binder, a part of the program may have variables.
        if !matches!(
            term.kind(),
            TermKind::Lambda { .. } | TermKind::Let { .. } | TermKind::LetRec { .. } | TermKind::Match { .. }
        ) {
            waiting.extend(term.kind().children());
        }
    }
    None
}

/// Encloses a number that a program writes. Returns `None` if it has variables, or is not shown to be defined.
pub(super) fn enclose_closed(term: &Term, budget: &Arc<Budget>) -> Option<Enclosure> {
    let accuracy = Accuracy::from(&Rational::from((1, 1_000_000)));
    let found = PresheafSemantics.evaluate_to(term, &Ty::real(), &accuracy, budget).ok()?;
    match found.value {
        Value::Real(AnswerNumber::Enclosure(number)) if number.enclosure.is_defined() => Some(number.enclosure),
        _ => None,
    }
}

/// Returns the arguments of the library's `root a b f`. `None` for any other term.
fn root_arguments(term: &Term) -> Option<[&Term; 3]> {
    let TermKind::Apply { function, argument: f } = term.kind() else { return None };
    let TermKind::Apply { function, argument: b } = function.kind() else { return None };
    let TermKind::Apply { function, argument: a } = function.kind() else { return None };
    match function.kind() {
        TermKind::Global(definition) if &*definition.module == EVERYDAY && &*definition.name == "root" => {
            Some([a, b, f])
        }
        _ => None,
    }
}

/// Prints a number for a sentence: exactly where it is a short decimal, otherwise its first digits.
fn format_short(number: &Enclosure) -> String {
    let printed = Decimals::for_relative_width(number, &Rational::from((1, 10_000)));
    match printed.certain_digits() {
        _ if printed.lo() == printed.hi() => printed.lo().to_owned(),
        Some(digits) => format!("about {digits}"),
        None => format!("{printed}"),
    }
}

/// Returns `true` if a function of two arguments of one type got a tuple of both as its first argument, as in `dot ((1,
/// 2), (3, 4))`.
fn is_given_all_at_once(domain: &Ty, term: &Term) -> bool {
    let TermKind::Apply { argument, .. } = term.kind() else { return false };
    let TermKind::Tuple(parts) = argument.kind() else { return false };
    matches!(domain.kind(), TyKind::Tuple(types) if types.len() == parts.len() && parts.iter().all(|part| matches!(part.kind(), TermKind::Tuple(_))))
}

/// Returns `true` if the term is a matrix built from its rows.
fn is_matrix(term: &Term) -> bool {
    let TermKind::Apply { function, .. } = term.kind() else { return false };
    matches!(function.kind(), TermKind::Global(definition) if definition.name.starts_with("matrix"))
}

/// Returns `true` for the type of a function to real numbers.
fn is_of_functions(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Function(_, value) if *value == Ty::real())
}

/// Returns the number of coordinates of ℝ², ℝ³ and ℝ⁴. `None` for other types.
fn coordinate_count(ty: &Ty) -> Option<usize> {
    match ty.kind() {
        TyKind::Tuple(parts) if (2..=4).contains(&parts.len()) && parts.iter().all(|part| *part == Ty::real()) => {
            Some(parts.len())
        }
        _ => None,
    }
}

/// Returns a hint for an answer that is a list of lists of numbers. `None` for other types.
#[must_use]
pub fn hint_for_rows(ty: &Ty) -> Option<String> {
    let of_list = |ty: &Ty| match ty.kind() {
        TyKind::Data(data, of) if data.is_list() => of.first().cloned(),
        _ => None,
    };
    (of_list(ty).as_ref().and_then(of_list)? == Ty::real())
        .then(|| "a list of lists is no matrix: that is a tuple of its rows, matrix2 ((1, 2), (3, 4))".to_owned())
}

/// Rewrites a recursion that a real number decides so that it counts down a natural number. Returns the parameter of
/// the condition, and the definition in which it has the type `Nat`. Returns `None` if the definition is not found, or
/// has another form.
#[must_use]
pub fn rewrite_as_counting(function: &str, term: &Term, text: &str) -> Option<(Name, String)> {
    let mut waiting = vec![term];
    while let Some(term) = waiting.pop() {
        if let TermKind::LetRec { name, value, .. } = term.kind()
            && &**name == function
        {
            let (mut parameters, mut body) = (Vec::new(), value);
            while let TermKind::Lambda { name, body: inner } = body.kind() {
                parameters.push(name);
                body = inner;
            }
            let TermKind::If { condition, .. } = body.kind() else { return None };
            // The side of the comparison is a parameter, or an operation applied to one: `n < 1`, `n - 1 < 0`.
            let counts = condition.kind().children().chain([condition]).find_map(|side| match side.kind() {
                // De Bruijn indices count from the innermost parameter, the list from the outermost.
                TermKind::Variable { index, .. } => parameters.len().checked_sub(index + 1),
                TermKind::Apply { function, .. } => {
                    function.kind().children().last().and_then(|left| match left.kind() {
                        TermKind::Variable { index, .. } => parameters.len().checked_sub(index + 1),
                        _ => None,
                    })
                }
                _ => None,
            })?;
            let written = |(place, name): (usize, &&Name)| match place == counts {
                true => format!(" ({name} : Nat)"),
                false => format!(" {name}"),
            };
            let written: String = parameters.iter().enumerate().map(written).collect();
            let body = message_excerpt(body.span().text_in(text));
            return Some((parameters[counts].clone(), format!("let rec {function}{written} = {body}")));
        }
        waiting.extend(term.kind().children());
    }
    None
}

/// Returns a hint for a truncated difference of natural numbers. Either it is one of literals, or the answer is the
/// natural number 0 and the question subtracts. Returns `None` otherwise.
#[must_use]
pub fn hint_for_difference(term: &Term, value: &Value<AnswerNumber>) -> Option<String> {
    let mut waiting = vec![term];
    let (mut subtracts, mut cuts) = (false, false);
    // Only in the question itself: definitions that it uses may truncate on purpose.
    while let Some(term) = waiting.pop() {
        subtracts |= matches!(term.kind(), TermKind::Constant(Constant::Subtract));
        cuts |= is_truncated_difference(term);
        waiting.extend(term.kind().children());
    }
    (cuts || subtracts && matches!(value, Value::Natural(0))).then(|| {
        "natural numbers are subtracted down to 0 and no further; differences of real numbers, such as 5.0 or toReal n, are real".to_owned()
    })
}

/// Returns `true` for a difference of natural literals of which the second is the greater.
fn is_truncated_difference(term: &Term) -> bool {
    let TermKind::Apply { function, argument: right } = term.kind() else { return false };
    let TermKind::Apply { function, argument: left } = function.kind() else { return false };
    let (TermKind::Constant(Constant::Subtract), TermKind::Nat(left), TermKind::Nat(right)) =
        (function.kind(), left.kind(), right.kind())
    else {
        return false;
    };
    left < right
}

/// Returns a hint for a function of one number before a product or a quotient of literals without spaces, as in `sin
/// pi/2`: application binds more tightly. Returns `None` if the text has none.
#[must_use]
pub fn hint_for_tight_application(text: &str) -> Option<String> {
    let mut lexer = Lexer::new(text);
    let words: Vec<Lexeme> =
        std::iter::from_fn(|| lexer.next_lexeme().ok().filter(|word| word.token != Token::End)).collect();
    words.windows(4).find_map(|four| {
        let [function, factor, sign, other] = four else { return None };
        let [name, first, operator, second] = [function, factor, sign, other].map(|word| word.span.text_in(text));
        // A choice: only literals and `pi`. A hint at every product with a variable would be noise.
        let is_literal = |word: &Lexeme| word.token == Token::Number || word.span.text_in(text) == "pi";
        let is_function = Constant::from_name(name).is_some_and(|constant| constant.as_elementary().is_some());
        let is_tight = !factor.adjacent && sign.adjacent && other.adjacent;
        (is_function && is_tight && is_literal(factor) && is_literal(other) && matches!(operator, "*" | "/")).then(|| {
            format!("{name} {first}{operator}{second} is ({name} {first}){operator}{second}; of all of it, it is {name} ({first}{operator}{second})")
        })
    })
}

/// The reason for a number with one infinite end, and the other too large to be told from infinity.
const HUGE_HINT: &str = ": a number this large is not distinguished from infinity; ask for its logarithm";

/// Describes values that are sets: derivatives at kinks, for example. `is_all` is `true` if the answer has no other
/// number.
fn describe_sets(sets: &[&(&Enclosure, WidthReason)], is_all: bool) -> String {
    // One number alone has a full sentence; several share the width that is known of the worst.
    if let ([(number, why)], true) = (sets, is_all) {
        return why.to_sentence(number);
    }
    let widths: Option<Vec<_>> = sets.iter().map(|(number, why)| why.error_of_ends(number)).collect();
    let known = match widths.and_then(|widths| widths.into_iter().max()) {
        Some(width) if width.is_zero() => "the ends are exact".to_owned(),
        Some(width) => format!("the ends are known to {width}"),
        None => "not all ends are known".to_owned(),
    };
    match sets.len() {
        1 => format!("one of the numbers is a set, not one number: {known}"),
        count => format!("{count} of the numbers are sets, not single numbers: {known}"),
    }
}

/// The most letters of an exact number in a note. A choice: a line.
const MOST_EXACT_LETTERS: usize = 70;

/// Returns a note of the exact number, if it is known and not printed as the answer itself.
pub(super) fn note_exact_number(value: &Value<AnswerNumber>, to: &Accuracy) -> Option<String> {
    let Value::Real(AnswerNumber::Enclosure(number)) = value else { return None };
    let exact = number.exact_value().filter(|exact| to.print_exact(exact).is_none())?;
    let decimal = decimal::print_exactly(&exact).filter(|text| text.len() <= MOST_EXACT_LETTERS);
    let text = decimal.unwrap_or_else(|| exact.to_string());
    (text.len() <= MOST_EXACT_LETTERS).then(|| format!("exactly {text}"))
}

/// Notes how a value misses the goal: it is a floating-point number, undecided on a border, wide, or not defined.
pub(super) fn record_miss(value: &Value<AnswerNumber>, goal: &AccuracyGoal, on: &mut QuestionContext<'_>) {
    let accuracy = goal.accuracy();
    let mut outcome = |id, text: String| on.record_note(Note::new(id, NoteKind::Outcome, text));
    if let Some(error) = float_error(value) {
        let error = if error == 0.0 { "0".to_owned() } else { format!("{error:.0e}") };
        outcome(
            "floating-point",
            format!("floating-point: no digit is certified; the rounding error is estimated at {error}"),
        );
        return;
    }
    let cut = match (on.stopped(), on.limits().time) {
        (None, _) => String::new(),
        // Part of the time is kept back for freeing what was built. An end well before the limit means that the next
        // pass was expected to take too long.
        (Some(ReachedLimit::Time), Some(time)) if on.elapsed() < time * 9 / 10 => {
            format!(", and would not be within {} s", on.limits().seconds_written())
        }
        (Some(stop), _) => stop.describe_end(on.limits()),
    };
    // An undecided truth value comes first: no width of another number explains it.
    if let Some(number) = undecided_number(value) {
        match number {
            "" => {}
            "0" => on.record_note(Note::new(
                "border",
                NoteKind::Outcome,
                "both sides of a comparison are equal: it is undecided on its border",
            )),
            number => on.record_note(Note::new(
                "border",
                NoteKind::Outcome,
                format!("a condition is on its border, or not shown to be off it{cut}: where {number} is 0"),
            )),
        }
        return;
    }
    match AccuracyClass::of_value(value, &accuracy) {
        AccuracyClass::Reached => {}
        AccuracyClass::Wide => record_width_reason(value, goal, &cut, on),
        AccuracyClass::NoBound => {
            let (id, text) = if is_defined(value) {
                ("nothing", format!("no information was found{cut}"))
            } else if on.stopped().is_some() {
                ("undefined", format!("not shown to be defined{cut}"))
            } else if let Some(found) = on.undefined().filter(|found| found.cause == UndefinedCause::Divergence) {
                ("undefined", format!("not defined: {found}"))
            } else {
                let because = on.undefined().map_or_else(String::new, |found| format!(": {found}"));
                ("undefined", format!("not defined, or not shown to be defined{because}"))
            };
            on.record_note(Note::new(id, NoteKind::Outcome, text));
        }
    }
}

/// Notes why a value is wider than requested. `cut` names the limit that ended the work, and is empty if none did.
fn record_width_reason(value: &Value<AnswerNumber>, goal: &AccuracyGoal, cut: &str, on: &mut QuestionContext<'_>) {
    let mut outcome = |id, text| on.record_note(Note::new(id, NoteKind::Outcome, text));
    if let Value::Real(AnswerNumber::Enclosure(number)) = value
        && number.enclosure.is_near_overflow()
    {
        return outcome("huge", goal.describe_miss(value, HUGE_HINT));
    }
    let (accuracy, is_cut) = (goal.accuracy(), !cut.is_empty());
    let all = list_enclosures(value);
    let wide: Vec<(&Enclosure, WidthReason)> = all
        .iter()
        .filter_map(|number| Some((&number.enclosure, reason_for_width(number, is_cut, &accuracy)?)))
        .collect();
    let is_set = |(_, why): &&(&Enclosure, WidthReason)| matches!(why, WidthReason::Set(_));
    let sets: Vec<_> = wide.iter().filter(is_set).collect();
    let is_absolute = goal.rel.is_none() && goal.of_digits.is_none();
    if !sets.is_empty() {
        let said = describe_sets(&sets, all.len() == 1);
        outcome("set", if is_absolute { goal.describe_miss(value, &format!(": {said}")) } else { said });
    }
    // The first reason that says something stands for all: one sentence is read, a list is not.
    let others: Vec<_> = wide.iter().filter(|found| !is_set(found)).map(|(_, why)| why).collect();
    let known = others.iter().find(|why| !matches!(why, WidthReason::Unknown));
    match known.or(others.first()) {
        None => {}
        Some(why @ WidthReason::Time { pieces: None, .. }) => outcome(why.id(), goal.describe_miss(value, cut)),
        Some(why @ WidthReason::Time { is_capped: false, .. }) if is_absolute => {
            outcome(why.id(), goal.describe_miss(value, &format!("{cut}: {why}")));
        }
        Some(why @ WidthReason::Time { is_capped: false, .. }) => {
            outcome(why.id(), goal.describe_miss(value, cut));
            outcome(why.id(), why.to_string());
        }
        Some(why) if is_absolute => outcome(why.id(), goal.describe_miss(value, &format!(": {why}"))),
        // A relative width is stated by `describe_miss` already; `WidthReason::Unknown` would add nothing.
        Some(why @ WidthReason::Unknown) => outcome(why.id(), goal.describe_miss(value, "")),
        Some(why) => {
            outcome(why.id(), goal.describe_miss(value, ""));
            outcome(why.id(), why.to_string());
        }
    }
}
