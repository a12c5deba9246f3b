//! What somebody means who writes as in another language or on paper: a table of idioms, each with what is written here.
//!
//! An idiom is known by the text around the place of an error, so that the parser and the inference need not know of it. The table is
//! only looked at when there is an error, and says what to write; the message says what is wrong. Names that are called
//! something else here are in [`constant`](super::constant), next to those that they stand for.

mod names;

use super::library::Error;
use super::source::Span;
use super::type_error::{ArgumentOf, TypeError};
pub(crate) use names::NAMES;
use names::{LATEX, OF_FUNCTIONS, PREFIXES};

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
        let before = self.before.trim_end_matches('[');
        Place { before, ..self }.word_before()
    }

    /// Whether a backslash stands before a word of LaTeX.
    fn is_in_latex(self) -> bool {
        let word = self.before.rsplit('\\').next().unwrap_or_default();
        let word = word.split(|letter: char| !letter.is_alphabetic()).next().unwrap_or_default();
        self.before.contains('\\') && LATEX.contains(&word)
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

    /// What stands before the dot, where the name of a part is wanted.
    fn record(self) -> Option<&'t str> {
        let before = self.before.strip_suffix('.')?;
        Some(Place { before, ..self }.word_before())
    }
}

fn is_of_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '\''
}

/// An idiom of the form: how it is known, and what is written here.
type Idiom = (fn(Place) -> bool, &'static str);

/// The first that fits is told.
const FORMS: &[Idiom] = &[
    (|p| p.here.is_empty() && p.before.trim_start().starts_with('!'), "`!` begins a comment; not is written not"),
    (
        |p| p.is_in_latex(),
        "a backslash begins a function: names stand without it, pi, sin 1, sqrt 2, and a product is *",
    ),
    (|p| matches!(p.here, "<" | ">" | "<=" | ">=" | "==") && p.is_behind(&["or"]), "\"or\" is ||, \"and\" is &&"),
    (|p| matches!(p.here, "<" | ">" | "<=" | ">=" | "==") && p.is_behind(&["and"]), "\"and\" is &&, \"or\" is ||"),
    (
        |p| p.before.ends_with('[') && p.applied().starts_with(char::is_uppercase),
        "an argument stands bare or in round brackets: sin 1, sin (x + 1)",
    ),
    (
        |p| p.here == "{" && (p.before.ends_with(['^', '_']) || p.is_behind(&["then", "else", "of", "with"])),
        "parts are grouped by round brackets: 2^(1/2)",
    ),
    (|p| p.here == "if" && !p.before.trim().is_empty(), "a choice is written if x > 0 then a else b"),
    (|p| p.here == "+" && p.before.ends_with('+'), "lists are joined by append xs ys"),
    (|p| p.here == "+", "a number has no plus sign; a function that adds 1 is \\x => x + 1"),
    (|p| matches!(p.here, "|" | "||") && p.after.starts_with('>'), "a function stands before its argument: sin x"),
    (
        |p| p.here == "," && p.is_behind(&["let"]) && p.before.contains('='),
        "one name at a time: let x = 1 in let y = 2 in …",
    ),
    (
        |p| p.before.trim_end().ends_with(" ."),
        "functions are composed as \\x => f (g x); a product of vectors is dot v w",
    ),
    (|p| p.here == "½", "a half is 1/2"),
    (|p| p.here == "∛", "the cube root is cbrt"),
    (|p| p.here == "∘", "functions are composed as \\x => f (g x)"),
    (|p| matches!(p.here, "≈" | "±" | "∓"), "near is abs (a - b) < d; every answer is an interval"),
    (|p| p.here == "↦", "a function is written \\x => e"),
    (|p| p.here == "*" && p.before.ends_with('*'), "a power is written x^2"),
    (|p| p.here == "/" && p.after.starts_with('/') && p.before.trim().is_empty(), "a comment begins with `!`"),
    (
        |p| p.here == "/" && p.before.ends_with('/'),
        "a quotient is written x / y; there is no division of integers, which jumps",
    ),
    (
        |p| p.here == "%",
        "a remainder is x - m * steps n (x / m), for x / m below n + 1; a percentage is a quotient, 5/100; a comment begins with `!`",
    ),
    (
        |p| p.here == ";" && !p.is_behind(&["do"]),
        "a program is one expression: let x = 1 in x + 1; at the prompt, each input has a line of its own",
    ),
    (|p| p.here == "?", "a choice is written if x > 0 then a else b"),
    (|p| matches!(p.here, "{" | "}") && !p.is_behind(&["do"]), "a tuple is written (1, 2), a list [1, 2]"),
    (|p| p.here == "|" && p.before.trim().is_empty(), "the absolute value is abs x"),
    (
        |p| p.here == "|" && p.before.trim_end().ends_with(['(', ',', '+', '-', '*', '/', '=', '>', '<', '^']),
        "the absolute value is abs x",
    ),
    (|p| p.here == "|", "cases of a match have a `|` before each; \"or\" is ||, the absolute value abs x"),
    (|p| p.here == "." && p.is_in_parameters(), "a function is written \\x => e"),
    (|p| p.here == "." && p.after.starts_with(|c: char| c.is_ascii_digit()), "a number begins with a digit: 0.5"),
    (|p| p.here == "." && p.before.ends_with(|c: char| c.is_ascii_digit()), "a number ends with a digit: 5, or 5.0"),
    (|p| p.here == "..", "a list is written out, [1, 2, 3]; an interval of numbers has no sign of its own"),
    (|p| p.here == "->" && p.is_behind(&["match"]), "a case is written with a double arrow: Just x => e"),
    (|p| p.here == "->" && p.is_in_parameters(), "a function is written with a double arrow: \\x => e"),
    (
        |p| p.here == "," && p.is_in_parameters(),
        "parameters stand side by side, \\x y => e, or are a tuple, \\(x, y) => e",
    ),
    (
        |p| p.here == "," && p.is_behind(&["let"]) && !p.before.contains('='),
        "a tuple is taken apart in parentheses: let (a, b) = e in …",
    ),
    (
        |p| p.here == "," && p.before.trim().chars().all(|c| c.is_ascii_digit() || c == ','),
        "digits have nothing between them: 1000; a tuple is in parentheses: (1, 2)",
    ),
    (|p| p.here == "," && !p.is_in_brackets(), "a tuple is in parentheses: (1, 2)"),
    (|p| p.here == "=" && p.before.ends_with(':'), "a definition is written with =: let x = 3 in …"),
    (|p| p.here == ":" && p.after.starts_with('='), "a definition is written with =: let x = 3 in …"),
    (
        |p| p.here == ":" && p.before.trim().is_empty(),
        "commands such as :help are for the prompt, which `smoothish repl` opens",
    ),
    (|p| p.here == ":" && p.is_behind(&["lambda"]), "a function is written \\x => e"),
    (|p| p.here == ":" && p.is_behind(&["def"]), "a definition is written let f x = e in …"),
    (
        |p| p.here == ":" && p.is_behind(&["if"]) && !p.is_behind(&["then"]),
        "a choice is written if x > 0 then a else b",
    ),
    (
        |p| {
            p.here == ":"
                && p.before.ends_with(|c: char| c.is_ascii_digit())
                && p.after.starts_with(|c: char| c.is_ascii_digit())
        },
        "a list is written out, [1, 2, 3]; there are no ranges",
    ),
    (
        |p| matches!(p.here, "=>" | "->" | "=") && p.is_behind(&["fun", "fn", "lambda", "function"]),
        "a function is written \\x => e",
    ),
    (|p| matches!(p.here, "=>" | "->") && p.is_behind_names(), "a function begins with a backslash: \\x => e"),
    (|p| p.here == "=" && p.is_behind(&["where"]), "a name is given before it is used: let x = e in …"),
    (|p| p.here == "=" && p.before.ends_with(['+', '-', '*', '/']), "a name keeps its value: let y = x + 1 in …"),
    (|p| p.is_definition(), "a definition is written let f x = e in …; at the prompt, let f x = e alone"),
    (|p| p.here == "=", "a definition is written let f x = e in …; whether two natural numbers are equal is a == b"),
    (
        |p| p.here == "in" && p.is_behind(&["for"]),
        "there are no loops: a list is taken by `fold`, or `let rec` calls itself",
    ),
    (|p| p.here.starts_with('"'), "a text in quotation marks stands only in the laws and claims of theories"),
    (|p| p.here == "'", "there are no texts; a name may end with ', as in x'"),
    (|p| p.here == "#", "a comment begins with `!`"),
    (|p| matches!(p.here, "∑" | "Σ" | "∏"), "the numbers of a list are added by sum: sum [1, 2, 3]"),
    (|p| p.here == "°", "angles are in radians: sin (pi / 2)"),
    (|p| p.here == "$" || p.here == "`", "a program stands by itself, without signs around it"),
    (|p| p.here == "@", "of vectors it is dot v w, of matrices compose (matrix2 m) (matrix2 n)"),
    (
        |p| p.here.starts_with('_') && p.before.ends_with(|c: char| c.is_ascii_digit()),
        "digits have nothing between them: 1000000",
    ),
    (
        |p| {
            p.before.ends_with('0')
                && p.word_before() == "0"
                && p.here.starts_with(['x', 'b', 'o'])
                && p.here[1..].starts_with(|c: char| c.is_ascii_hexdigit())
        },
        "numbers are decimal, as 16 or 1e-3",
    ),
    (
        |p| matches!(p.here, "i" | "j") && p.before.ends_with(|c: char| c.is_ascii_digit()),
        "numbers are real: a complex number is a pair (re, im)",
    ),
    (|p| p.record().is_some_and(|r| PREFIXES.contains(&r)), "functions stand without a prefix: sin 1, sqrt 2, log 3"),
    (|p| p.record().is_some() && p.here.starts_with(|c: char| c.is_ascii_digit()), "a component is written p[0], p[1]"),
    (
        |p| p.record().is_some_and(|r| !r.is_empty() && r.chars().all(|c| c.is_ascii_digit())),
        "a number ends with a digit: 5, or 5.0",
    ),
    (
        |p| p.here == "T" && p.record().is_some(),
        "transposed is transpose (matrix2 ((1, 2), (3, 4))), and rows2 shows its rows",
    ),
];

/// What to write in place of an idiom of another language, where an error looks like one.
#[must_use]
pub fn meant(text: &str, error: &Error) -> Option<String> {
    let place = Place::new(text, error.span()?)?;
    match error {
        Error::Syntax(_) => form(place).map(str::to_owned),
        Error::Type(error) => named(error, place),
    }
}

fn form(place: Place) -> Option<&'static str> {
    FORMS.iter().find(|(fits, _)| fits(place)).map(|(_, says)| *says)
}

/// What to write for a name that means nothing here.
pub(crate) fn called(name: &str) -> Option<&'static str> {
    NAMES.iter().find(|(names, _)| names.contains(&name)).map(|(_, says)| *says)
}

fn named(error: &TypeError, place: Place) -> Option<String> {
    match error {
        TypeError::Unknown { name, is_type: false, .. } => {
            if let Some(says) = called(name) {
                return Some(says.to_owned());
            }
            if place.is_in_own_definition(name) {
                return Some(format!("a function that calls itself is defined by let rec {name}"));
            }
            if place.before.trim_end().ends_with("--") {
                return Some("a comment begins with `!`".to_owned());
            }
            if name.ends_with("''") {
                return Some("the second derivative of f at x is nthDeriv 2 f x".to_owned());
            }
            if name.ends_with(['\'', '’', '′']) {
                return Some("the derivative of f at x is deriv f x".to_owned());
            }
            if name.chars().count() > 1 {
                return None;
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
            let next = place.after.split_whitespace().next().unwrap_or_default();
            called(next).map(str::to_owned)
        }
        TypeError::Ambiguous { name, .. } if name == "map" => {
            error.help().map(|help| format!("over a list it is mapList; otherwise {help}"))
        }
        _ => None,
    }
}

/// What is meant by more arguments than a function takes.
fn too_many(function: &str, place: Place) -> Option<&'static str> {
    Some(match (function, place.here) {
        (_, "and" | "or") => "\"and\" is &&, \"or\" is ||",
        ("max" | "min", _) => "of three numbers: max a (max b c)",
        ("integral01" | "max01" | "min01" | "argmax01" | "argmin01", _) => {
            "these are over [0, 1]; the integral from a to b is between a b f"
        }
        ("log", _) => "the logarithm of x to the base b is log x / log b",
        ("atan", _) => "the angle of a point is atan2 y x",
        _ => return None,
    })
}
