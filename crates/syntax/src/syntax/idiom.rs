//! What somebody means who writes as in another language or on paper: a table of idioms, each with what is written here.
//!
//! An idiom is known by the text around the place of an error, so that the parser and the inference need not know of it. The table is
//! only looked at when there is an error, and says what to write; the message says what is wrong. Names that are called
//! something else here are in [`constant`](super::constant), next to those that they stand for.

mod forms;
mod habits;
mod latex;
mod libraries;
mod misfits;
mod names;
mod phrases;
mod signs;

use super::constant::Constant;
use super::library::Error;
use super::source::Span;
use super::ty::TyKind;
use super::type_error::{ArgumentOf, TypeError};
use forms::FORMS;
use habits::HABITS;
#[doc(hidden)]
pub use libraries::LIBRARIES;
#[doc(hidden)]
pub use names::NAMES;
use names::{HAS_TYPES, OF_FUNCTIONS, OF_POINTS, PREFIXES, TRANSPOSED, TYPES};
use phrases::PHRASES;

/// The text of an error, what is on both sides of it in its line, and all before it.
#[derive(Clone, Copy, Debug)]
struct Place<'t> {
    /// All of the text before it.
    above: &'t str,
    before: &'t str,
    here: &'t str,
    after: &'t str,
}

impl<'t> Place<'t> {
    fn new(text: &'t str, span: Span) -> Option<Self> {
        let (start, end) = (span.start as usize, span.end as usize);
        let above = text.get(..start)?;
        let before = above.rsplit('\n').next().unwrap_or_default();
        let after = text.get(end..)?.split('\n').next().unwrap_or_default();
        Some(Self { above, before, here: text.get(start..end)?, after })
    }

    /// The word before, where only space lies between.
    fn word_before(self) -> &'t str {
        let before = self.before.trim_end();
        let start = before
            .rfind(|letter: char| !is_of_word(letter))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        &before[start..]
    }

    /// Whether a function is begun before the place, and its `=>` has not been met.
    fn is_in_parameters(self) -> bool {
        let begun = self.before.rfind(['\\', 'λ']).map(|at| &self.before[at..]);
        begun.is_some_and(|text| !text.contains("=>") && !text.contains('⇒') && !text.contains("->"))
    }

    /// Whether the place is the first parameter of a function that is written as the argument of another.
    fn is_first_parameter_of(self, function: &str) -> bool {
        let before = self.before.trim_end().strip_suffix(['\\', 'λ']);
        let before = before.map(|before| before.trim_end().trim_end_matches('('));
        before.is_some_and(|before| Place { before, ..self }.word_before() == function)
    }

    /// Whether a function is written here.
    fn is_on_function(self) -> bool {
        self.here.trim_start_matches('(').starts_with(['\\', 'λ'])
    }

    /// The word before, where it is one that wants a function.
    fn function(self) -> Option<&'static str> {
        let before = self.before.trim_end().trim_end_matches('(');
        let word = Place { before, ..self }.word_before();
        OF_FUNCTIONS.iter().copied().find(|function| *function == word)
    }

    /// Whether the place is in the value that a `let` without `rec` gives to a name.
    fn is_in_own_definition(self, name: &str) -> bool {
        let mut words = self.above.split(|letter: char| !is_of_word(letter)).filter(|word| !word.is_empty());
        // of each `let` that has not met its `in`, whether it is one of the name
        let mut open = Vec::new();
        while let Some(word) = words.next() {
            match word {
                "let" => open.push(words.next() == Some(name)),
                "in" => drop(open.pop()),
                _ => {}
            }
        }
        open.contains(&true)
    }

    /// The word before the bracket that was just opened.
    fn applied(self) -> &'t str {
        let before = self.before.rfind('[').map_or("", |at| &self.before[..at]);
        Place { before, ..self }.word_before()
    }

    /// What is written here for the first word of LaTeX in the line, with a backslash before it.
    fn latex(self) -> Option<&'static str> {
        let is_letter = |letter: char| letter.is_alphabetic();
        let words = self.before.split('\\').skip(1).chain(self.after.split('\\').skip(1));
        let words = words.map(|text| text.split(|letter| !is_letter(letter)).next().unwrap_or_default());
        // a function may have a parameter of such a name
        let has_arrow =
            [self.before, self.here, self.after].iter().any(|text| ["=>", "->", "⇒"].iter().any(|a| text.contains(a)));
        if has_arrow { None } else { words.filter_map(latex::called).next() }
    }

    /// The function whose arguments, in parentheses with commas, the place is among.
    fn called_with(self) -> Option<&'t str> {
        let (mut open, mut at) = (0_usize, None);
        for (index, letter) in self.before.char_indices().rev() {
            match letter {
                ')' => open += 1,
                '(' if open == 0 => {
                    at = Some(index);
                    break;
                }
                '(' => open -= 1,
                _ => {}
            }
        }
        let before = &self.before[..at?];
        Some(Place { before, ..self }.word_before()).filter(|word| !word.is_empty())
    }

    /// Whether a `!` before the place is one that negates what is right behind it.
    fn is_negated(self) -> bool {
        self.before.match_indices('!').any(|(at, _)| {
            let behind = &self.before[at + 1..];
            behind.starts_with(|c: char| c == '(' || c.is_alphabetic())
                && self.before[..at].ends_with(|c: char| c.is_whitespace() || c == '(')
                && Place { before: &self.before[..at], ..self }.is_open()
        })
    }

    /// Whether what stands before waits for more: an operator, a bracket, or a word such as `if`.
    fn is_open(self) -> bool {
        let before = self.before.trim_end();
        before.ends_with(['&', '|', '(']) || matches!(self.word_before(), "if" | "then" | "else" | "not")
    }

    /// Whether a minus sign comes next that stands at what follows it, as in `f -1`.
    fn is_before_negative(self) -> bool {
        let next = self.after.trim_start().strip_prefix('-');
        self.after.starts_with(' ') && next.is_some_and(|next| next.starts_with(|c: char| !c.is_whitespace()))
    }

    /// Whether a bracket is open.
    fn is_in_brackets(self) -> bool {
        let count = |signs: &[char]| self.before.matches(signs).count();
        count(&['(', '[']) > count(&[')', ']'])
    }

    /// Whether one of these words stands anywhere before.
    fn is_behind(self, words: &[&str]) -> bool {
        let mut found = self.before.split(|letter: char| !is_of_word(letter)).filter(|word| !word.is_empty());
        found.any(|word| words.contains(&word))
    }

    /// Whether a definition without its `let` is begun: `f x =`, `f(x) =`.
    fn is_definition(self) -> bool {
        self.here == "=" && self.before.trim().starts_with(char::is_lowercase) && self.is_behind_names()
    }

    /// Whether only names stand before, side by side or in parentheses.
    fn is_behind_names(self) -> bool {
        let is_head = |letter: char| is_of_word(letter) || letter.is_whitespace() || "(),".contains(letter);
        self.before.chars().all(is_head)
    }

    /// What is written for a function that stands behind the name of a library.
    fn member(self) -> Option<&'static str> {
        self.record().filter(|library| PREFIXES.contains(library)).and_then(|_| called(self.here))
    }

    /// What stands before the dot, where the name of a part is wanted.
    fn record(self) -> Option<&'t str> {
        let before = self.before.strip_suffix('.')?;
        Some(Place { before, ..self }.word_before())
    }
}

/// Whether a letter is an exponent.
fn is_raised(letter: char) -> bool {
    "ⁿⁱˣʸᵏᵐ".contains(letter)
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '\''
}

/// What to write in place of an idiom of another language, where an error looks like one.
#[must_use]
pub fn meant(text: &str, error: &Error) -> Option<String> {
    let place = Place::new(text, error.span()?)?;
    match error {
        Error::Syntax(_) => {
            let applied = Some(place.applied()).filter(|name| name.starts_with(char::is_uppercase));
            let told = applied.and_then(called).or_else(|| place.member()).or_else(|| place.latex());
            told.or_else(|| signs::called(place.here)).or_else(|| form(place)).map(str::to_owned)
        }
        Error::Type(error) => named(error, place),
    }
}

fn form(place: Place) -> Option<&'static str> {
    PHRASES.iter().chain(HABITS).chain(FORMS).find(|(fits, _)| fits(place)).map(|(_, says)| *says)
}

/// What to write for a name that means nothing here.
#[doc(hidden)]
pub fn called(name: &str) -> Option<&'static str> {
    NAMES.iter().chain(LIBRARIES).find(|(names, _)| names.contains(&name)).map(|(_, says)| *says)
}

fn named(error: &TypeError, place: Place) -> Option<String> {
    if let Some(says) = misfits::told(error, place) {
        return Some(says.to_owned());
    }
    match error {
        TypeError::Unknown { name, is_type: true, .. } if TYPES.contains(&name.as_str()) => Some(HAS_TYPES.to_owned()),
        TypeError::Unknown { name, is_type: false, suggestion, .. } => {
            if place.is_in_own_definition(name) {
                return Some(format!("a function that calls itself is defined by let rec {name}"));
            }
            if let Some(says) = called(name).or_else(|| misfits::called_in_r(name, place)) {
                return Some(says.to_owned());
            }
            if name.ends_with(is_raised) {
                return Some("a power is written x^n".to_owned());
            }
            if name.ends_with("''") {
                return Some("the second derivative of f at x is nthDeriv 2 f x".to_owned());
            }
            if name.ends_with(['\'', '’', '′']) && name.starts_with(char::is_uppercase) {
                return Some(TRANSPOSED.to_owned());
            }
            if name.ends_with(['\'', '’', '′']) {
                return Some("the derivative of f at x is deriv f x".to_owned());
            }
            if name.chars().count() > 1 {
                let is_own = suggestion.is_none() && !name.contains('.') && !name.starts_with(char::is_uppercase);
                return is_own.then(|| {
                    format!("`smoothish doc` lists the names there are; your own are bound by let {name} = … in …, or \\{name} => …")
                });
            }
            if name.starts_with(char::is_uppercase) {
                let small = name.to_lowercase();
                return Some(format!(
                    "names that are bound begin with a small letter: \\{small} => …, let {small} = 2 in …"
                ));
            }
            if place.after.starts_with('(') {
                return Some(format!("a function is defined before it is used: let {name} t = t^2 in {name} 3"));
            }
            if matches!(name.as_str(), "f" | "g" | "h") && place.is_before_negative() {
                return Some(format!(
                    "a function is defined before it is used, let {name} t = t^2 in {name} 3; a negative argument needs parentheses: {name} (-1)"
                ));
            }
            Some(match place.function() {
                Some(function) => format!("a function is wanted: {function} (\\{name} => …)"),
                None => format!("a function of {name} is written \\{name} => …, a value let {name} = 2 in …"),
            })
        }
        TypeError::TooManyArguments { function: name, .. }
        | TypeError::Mismatch { argument: Some(ArgumentOf { function: name, .. }), .. }
            if place.is_in_own_definition(name) =>
        {
            Some(format!("this `{name}` is an earlier one; a function that calls itself is defined by let rec {name}"))
        }
        TypeError::Mismatch { .. } | TypeError::Operator { .. } if place.here == "inf" => Some(INFINITE.to_owned()),
        TypeError::Mismatch { argument: Some(ArgumentOf { function, .. }), found, .. }
            if matches!(&**function, "log" | "atan") && matches!(found.kind(), TyKind::Tuple(_)) =>
        {
            too_many(function, place).map(str::to_owned)
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, .. }), found, .. }
            if place.here == &**function && matches!(found.kind(), TyKind::Function(..)) =>
        {
            Some(format!("an argument that is not one word needs parentheses: {function} ({function} f)"))
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, number: 1, .. }), found, .. }
            if function == "nthDeriv" && matches!(found.kind(), TyKind::Function(..)) =>
        {
            Some("the order comes first: nthDeriv 2 sin 1".to_owned())
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, .. }), .. } if function == "not" => {
            Some("what is not one word needs parentheses: not (3 > 2)".to_owned())
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, number: 1 | 2, .. }), found, .. }
            if matches!(&**function, "integral" | "between" | "beyond")
                && matches!(found.kind(), TyKind::Function(..)) =>
        {
            Some("the ends come first: integral 0 1 f, beyond 1 f".to_owned())
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, .. }), .. } if function == "uniform" => {
            Some("the uniform distribution on [a, b] is uniformOn a b".to_owned())
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, number: 1, .. }), found, .. }
            if OF_POINTS.contains(&&**function) && matches!(found.kind(), TyKind::Function(..)) =>
        {
            Some(format!("the function takes one tuple: {function} (\\(x, y) => …) (1, 2)"))
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, number: 1, .. }), found, .. }
            if matches!(&**function, "max" | "min") && matches!(found.kind(), TyKind::Function(..)) =>
        {
            Some(format!(
                "{function} is of two numbers; of a function on [0, 1] it is {function}01 f, and where, arg{function}01 f"
            ))
        }
        TypeError::NoVector { found, .. }
            if matches!(found.kind(), TyKind::Nat) && place.here.trim_start_matches('(').starts_with('-') =>
        {
            Some("a natural number, such as an order or a length, is 0 or more".to_owned())
        }
        TypeError::TooManyArguments { function, .. } => too_many(function, place).map(str::to_owned),
        TypeError::Operator { .. }
            if ["^-1", "⁻¹"].iter().any(|inverse| place.after.trim_start().starts_with(inverse)) =>
        {
            Some("the inverse functions are asin, acos and atan; a power of an answer is (f x)^(-1)".to_owned())
        }
        TypeError::Operator { .. } => {
            place.function().map(|function| format!("a function is wanted: {function} (\\x => …)"))
        }
        TypeError::NotAFunction { .. } => {
            if place.before.trim_end().ends_with('[') {
                return Some("the elements of a list stand between commas: [1, 2, 3]".to_owned());
            }
            if place.after.starts_with("()") && place.here != "()" {
                return Some("a number stands without parentheses: pi".to_owned());
            }
            let is_number = place.here.ends_with(|c: char| c.is_ascii_digit());
            let next = place.after.split(|c: char| c.is_whitespace() || c == ')').find(|next| !next.is_empty());
            let next = next.unwrap_or_default();
            if let Some(says) = called(next) {
                return Some(says.to_owned());
            }
            match Constant::named(next.trim_matches(['(', ')'])).filter(|_| is_number) {
                Some(function)
                    if matches!(function.scheme().ty.kind(), TyKind::Function(..)) && place.after.trim() == next =>
                {
                    return Some(format!("a function stands before its argument: {} 2", function.name()));
                }
                Some(factor) => return Some(format!("a product is written with a sign: 2 * {}", factor.name())),
                None => {}
            }
            if place.called_with().is_some() {
                return Some("arguments stand side by side, and not in one pair of parentheses: max 1 2".to_owned());
            }
            if next.starts_with(|c: char| c.is_ascii_digit()) && is_number {
                return Some("a sum is written 3 + 1/2, a product 3 * 4".to_owned());
            }
            None
        }
        TypeError::Ambiguous { name, .. } if name == "map" => {
            error.help().map(|help| format!("over a list it is mapList; otherwise {help}"))
        }
        _ => None,
    }
}

const INFINITE: &str =
    "numbers are finite; the integral from a on is beyond a f, and inf is the infimum of a function on a set";

/// What is meant by more arguments than a function takes.
fn too_many(function: &str, place: Place) -> Option<&'static str> {
    Some(match (function, place.here) {
        (_, "and" | "or") => "\"and\" is &&, \"or\" is ||",
        ("max", _) => "of three numbers: max a (max b c)",
        ("min", _) => "of three numbers: min a (min b c)",
        ("integral01", _) => "these are over [0, 1]; the integral from a to b is between a b f",
        ("max01" | "min01" | "argmax01" | "argmin01", _) => {
            "these take a function alone, and are over [0, 1]: max01 sin, argmax01 (\\x => x * (1 - x))"
        }
        ("log", _) => "the logarithm of x to the base b is log x / log b",
        ("integral" | "between", _) => "what is integrated is a function: integral 0 1 sin, integral 0 1 (\\x => x^2)",
        ("range", _) => "range n begins at 0; linspace a b n has the ends of n equal parts of [a, b]",
        ("uniform", _) => "the uniform distribution on [a, b] is uniformOn a b",
        ("norm" | "norm2", _) => "a vector is one tuple: norm (3, 4)",
        ("round", _) => return called("roundTo"),
        ("atan", _) => "the angle of a point is atan2 y x",
        ("firstRoot" | "cutRoot", _) => {
            "a root takes a function alone: between a and b it is a + (b - a) * firstRoot (\\t => f (a + (b - a) * t))"
        }
        _ => return None,
    })
}
