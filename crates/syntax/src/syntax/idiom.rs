//! Suggestions for programs written as in another language or on paper: a table of idioms with their counterparts here.
//!
//! An idiom is recognised by the text around an error, so the parser and type inference need not know it. The table is
//! used only after an error. It says what to write; the message says what is wrong. Names with a direct counterpart are
//! in [`constant`](super::constant), next to those that they stand for.
//!
//! # Words and brackets around code that would be right otherwise
//!
//! Braces of blocks, definitions in a row, words from
//! paper.
//!
//! # LaTeX commands
//!
//! LaTeX commands, and their counterparts here.
//!
//! # Mathematical signs without a meaning here
//!
//! Mathematical signs without a meaning here, and their counterparts.
//!
//! # Habits of other languages in code that would be right otherwise
//!
//! Named arguments, types after colons, signs that
//! negate, slice and unpack.

mod forms;
mod misfits;
mod names;

use super::constant::Constant;
use super::library::ProgramError;
use super::source::Span;
use super::ty::TyKind;
use super::type_error::{ArgumentOf, TypeError};
use forms::{FORMS, Idiom};
use names::{
    CHANCES, EQUATIONS_OF_SLOPES, HAS_TYPES, LIMITS, NAMED, OF_FUNCTIONS, OF_POINTS, PREFIXES, TRANSPOSED, TYPES,
    UNIT_NAMES, UNITS,
};

#[doc(hidden)]
pub use names::LIBRARIES;
#[doc(hidden)]
pub use names::NAMES;

/// The text around an error: that of the error, the rest of its line on both sides, and all text before it.
#[derive(Clone, Copy, Debug)]
struct ErrorContext<'t> {
    /// All of the text before the error.
    above: &'t str,
    before: &'t str,
    here: &'t str,
    after: &'t str,
}

impl<'t> ErrorContext<'t> {
    fn new(text: &'t str, span: Span) -> Option<Self> {
        let (start, end) = (span.start as usize, span.end as usize);
        let above = text.get(..start)?;
        let before = above.rsplit('\n').next().unwrap_or_default();
        let after = text.get(end..)?.split('\n').next().unwrap_or_default();
        Some(Self { above, before, here: text.get(start..end)?, after })
    }

    /// Returns the word before the error, if only space lies between.
    fn word_before(self) -> &'t str {
        let before = self.before.trim_end();
        let start = before
            .rfind(|letter: char| !is_word_character(letter))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        &before[start..]
    }

    /// Returns `true` if the error is in the parameters of a function, before their `=>`.
    fn is_in_parameters(self) -> bool {
        let begun = self.before.rfind(['\\', 'λ']).map(|at| &self.before[at..]);
        begun.is_some_and(|text| !text.contains("=>") && !text.contains('⇒') && !text.contains("->"))
    }

    /// Returns `true` if the error is the first parameter of a function that is an argument of `function`.
    fn is_first_parameter_of(self, function: &str) -> bool {
        let before = self.before.trim_end().strip_suffix(['\\', 'λ']);
        let before = before.map(|before| before.trim_end().trim_end_matches('('));
        before.is_some_and(|before| ErrorContext { before, ..self }.word_before() == function)
    }

    /// Returns `true` if the error begins with a function.
    fn is_on_function(self) -> bool {
        self.here.trim_start_matches('(').starts_with(['\\', 'λ'])
    }

    /// Returns the word before the error, if it names a function that takes a function. `None` otherwise.
    fn function_before(self) -> Option<&'static str> {
        let before = self.before.trim_end().trim_end_matches('(');
        let word = ErrorContext { before, ..self }.word_before();
        OF_FUNCTIONS.iter().copied().find(|function| *function == word)
    }

    /// Returns `true` if the error is in the value of a `let name` without `rec`.
    fn is_in_own_definition(self, name: &str) -> bool {
        // A scan of words, not a parse: the text has an error, and `let … in` nests like brackets.
        let mut words = self.above.split(|letter: char| !is_word_character(letter)).filter(|word| !word.is_empty());
        // For each `let` without its `in` so far: whether it defines this name.
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

    /// Returns the word before the last opening bracket of the line.
    fn word_before_bracket(self) -> &'t str {
        let before = self.before.rfind('[').map_or("", |at| &self.before[..at]);
        ErrorContext { before, ..self }.word_before()
    }

    /// Returns the advice for the first LaTeX command in the line. `None` if there is none.
    fn advise_latex(self) -> Option<&'static str> {
        let is_letter = |letter: char| letter.is_alphabetic();
        let words = self.before.split('\\').skip(1).chain(self.after.split('\\').skip(1));
        let words = words.map(|text| text.split(|letter| !is_letter(letter)).next().unwrap_or_default());
        // With an arrow in the line a backslash begins a function, whose parameter may have such a name.
        let has_arrow =
            [self.before, self.here, self.after].iter().any(|text| ["=>", "->", "⇒"].iter().any(|a| text.contains(a)));
        if has_arrow { None } else { words.filter_map(advise_command).next() }
    }

    /// Returns the function in whose parenthesised arguments, `f(a, b)`, the error is. `None` if it is in none.
    fn enclosing_call(self) -> Option<&'t str> {
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
        Some(ErrorContext { before, ..self }.word_before()).filter(|word| !word.is_empty())
    }

    /// Returns `true` if a `!` before the error negates the expression after it.
    fn is_negated(self) -> bool {
        self.before.match_indices('!').any(|(at, _)| {
            let behind = &self.before[at + 1..];
            behind.starts_with(|c: char| c == '(' || c.is_alphabetic())
                && self.before[..at].ends_with(|c: char| c.is_whitespace() || c == '(')
                && ErrorContext { before: &self.before[..at], ..self }.is_open()
        })
    }

    /// Returns `true` if the text before is incomplete: it ends with an operator, a bracket, or a word such as `if`.
    fn is_open(self) -> bool {
        let before = self.before.trim_end();
        before.ends_with(['&', '|', '(']) || matches!(self.word_before(), "if" | "then" | "else" | "not")
    }

    /// Returns `true` if a minus sign comes next that belongs to its operand, as in `f -1`.
    fn is_before_negative(self) -> bool {
        let next = self.after.trim_start().strip_prefix('-');
        self.after.starts_with(' ') && next.is_some_and(|next| next.starts_with(|c: char| !c.is_whitespace()))
    }

    /// Returns `true` if a bracket is open before the error.
    fn is_in_brackets(self) -> bool {
        let count = |signs: &[char]| self.before.matches(signs).count();
        count(&['(', '[']) > count(&[')', ']'])
    }

    /// Returns `true` if one of these words occurs anywhere before the error in its line.
    fn is_behind(self, words: &[&str]) -> bool {
        let mut found = self.before.split(|letter: char| !is_word_character(letter)).filter(|word| !word.is_empty());
        found.any(|word| words.contains(&word))
    }

    /// Returns `true` at the `=` of a definition without `let`: `f x =`, `f(x) =`.
    fn is_definition(self) -> bool {
        self.here == "=" && self.before.trim().starts_with(char::is_lowercase) && self.is_behind_names()
    }

    /// Returns `true` if only names stand before the error, side by side or in parentheses.
    fn is_behind_names(self) -> bool {
        let is_head = |letter: char| is_word_character(letter) || letter.is_whitespace() || "(),".contains(letter);
        self.before.chars().all(is_head)
    }

    /// Returns the advice for a function with the prefix of a library, `np.sin`. `None` if there is none.
    fn advise_library_member(self) -> Option<&'static str> {
        self.word_before_dot().filter(|library| PREFIXES.contains(library)).and_then(|_| advise_name(self.here))
    }

    /// Returns the word before the dot, if the error is right after a dot.
    fn word_before_dot(self) -> Option<&'t str> {
        let before = self.before.strip_suffix('.')?;
        Some(ErrorContext { before, ..self }.word_before())
    }
}

/// Returns `true` for a superscript letter.
fn is_superscript_letter(letter: char) -> bool {
    "ⁿⁱˣʸᵏᵐ".contains(letter)
}

fn is_word_character(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_' || letter == '\''
}

/// Returns the advice for an error that looks like an idiom of another language. `None` if it looks like none.
#[must_use]
pub fn suggest_for_error(text: &str, error: &ProgramError) -> Option<String> {
    let place = ErrorContext::new(text, error.span()?)?;
    match error {
        ProgramError::Syntax(_) => {
            let applied = Some(place.word_before_bracket()).filter(|name| name.starts_with(char::is_uppercase));
            // In this order: calls as `Sin[x]`, members of libraries, LaTeX, signs, and forms.
            let told = applied
                .and_then(advise_name)
                .or_else(|| place.advise_library_member())
                .or_else(|| place.advise_latex());
            told.or_else(|| advise_sign(place.here))
                .map(str::to_owned)
                .or_else(|| rewrite_equation(place))
                .or_else(|| rewrite_percentage(place))
                .or_else(|| find_form(place).map(str::to_owned))
        }
        ProgramError::Type(error) => advise_type_error(error, place),
    }
}

/// Rewrites an equation in one variable, `cos x = x`, as the root of the difference of its sides. Returns `None` for a
/// definition, and for an equation in no variable or in several ones.
fn rewrite_equation(place: ErrorContext) -> Option<String> {
    let before = place.above.trim_start();
    if place.here != "="
        || place.after.contains(['=', ';', '\\'])
        || before.contains(['=', '\n', '\\', '[', ':', ',', '\''])
    {
        return None;
    }
    let solver =
        before.split(|c: char| !is_word_character(c)).next().filter(|word| advise_name(word) == Some(names::ROOTS));
    let left = before.strip_prefix(solver.unwrap_or_default())?.trim();
    let [left, right] = match solver {
        // `solve (x^2 = 2)`, `solve(x^2 = 2, x)`: the bracket belongs to the solver.
        Some(_) => {
            let right = place.after.split(',').next()?.trim();
            [left.strip_prefix('(').unwrap_or(left).trim(), right.strip_suffix(')').unwrap_or(right).trim()]
        }
        None => [left, place.after.trim()],
    };
    // `x += 1`, `x != 1` and the like are no equations.
    let is_open = left.ends_with(|c: char| !is_word_character(c) && c != ')');
    if left.is_empty()
        || right.is_empty()
        || is_open
        || [left, right].iter().any(|side| side.contains(['(', ')']) && !is_balanced(side))
    {
        return None;
    }
    let names: Vec<&str> = [left, right]
        .into_iter()
        .flat_map(|side| side.split(|c: char| !is_word_character(c)))
        .filter(|word| word.starts_with(char::is_alphabetic))
        .collect();
    // A name alone, or before names, is defined by `=`, unless it is a function that is there already.
    if place.is_behind_names() && names.first().is_none_or(|first| Constant::from_name(first).is_none()) {
        return None;
    }
    let mut variables: Vec<&str> = names.into_iter().filter(|name| Constant::from_name(name).is_none()).collect();
    variables.sort_unstable();
    variables.dedup();
    let [variable] = variables[..] else { return None };
    let is_sum = right.contains(['+', '-', '−']);
    let right = if is_sum { format!("({right})") } else { right.to_owned() };
    let difference = if right == "0" { left.to_owned() } else { format!("{left} - {right}") };
    Some(format!(
        "an equation is solved between two ends, where the difference of its sides has opposite signs: root 0 2 (\\{variable} => {difference})"
    ))
}

/// Returns `true` if every bracket of a text is closed in it.
fn is_balanced(text: &str) -> bool {
    let mut open = 0_i32;
    text.chars().all(|c| {
        open += i32::from(c == '(') - i32::from(c == ')');
        open >= 0
    }) && open == 0
}

/// Rewrites a percentage, `20%`, as a quotient. Returns `None` if a number follows, so that it may be a remainder.
fn rewrite_percentage(place: ErrorContext) -> Option<String> {
    let number = place.before.rsplit(|c: char| !c.is_ascii_digit() && c != '.').next()?;
    let is_percentage = place.here == "%"
        && number.starts_with(|c: char| c.is_ascii_digit())
        && !place.after.trim_start().starts_with(|c: char| c == '%' || is_word_character(c));
    is_percentage.then(|| {
        format!("a percentage is a quotient, {number}/100; a remainder is mod 7.5 2, and a comment begins with `!`")
    })
}

fn find_form(place: ErrorContext) -> Option<&'static str> {
    PHRASES.iter().chain(HABITS).chain(FORMS).find(|(fits, _)| fits(place)).map(|(_, says)| *says)
}

/// Returns the advice for a name that is not defined here. `None` if none is known.
#[doc(hidden)]
pub fn advise_name(name: &str) -> Option<&'static str> {
    NAMES.iter().chain(LIBRARIES).find(|(names, _)| names.contains(&name)).map(|(_, says)| *says)
}

fn advise_type_error(error: &TypeError, place: ErrorContext) -> Option<String> {
    // Pairs of types and functions first: their advice is more specific than that of a name.
    if let Some(says) = misfits::advise_misfit(error, place) {
        return Some(says.to_owned());
    }
    match error {
        TypeError::Unknown { name, is_type: true, .. } if TYPES.contains(&name.as_str()) => Some(HAS_TYPES.to_owned()),
        TypeError::Unknown { name, is_type: false, suggestion, .. } => {
            // Before the tables: a name that is being defined is no word of another language.
            if place.is_in_own_definition(name) {
                return Some(format!("a function that calls itself is defined by let rec {name}"));
            }
            // `P(x > 1)`, `Pr(x < 2)`: the unknown name is that of the number.
            if matches!(place.enclosing_call(), Some("P" | "Pr" | "Prob" | "p" | "prob")) {
                return Some(CHANCES.to_owned());
            }
            if let Some(says) = advise_name(name).or_else(|| misfits::advise_r_function(name, place)) {
                return Some(says.to_owned());
            }
            if name.ends_with(is_superscript_letter) {
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
            // A longer unknown name without similar names is one's own. The advice below is for single letters.
            if name.chars().count() > 1 {
                let is_own = suggestion.is_none() && !name.contains('.') && !name.starts_with(char::is_uppercase);
                return is_own.then(|| {
                    format!("`smoothish doc` lists the names there are; your own are bound by let {name} = … in …, or \\{name} => …")
                });
            }
            // A capital letter as a variable: such names are types or definitions here.
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
            Some(match place.function_before() {
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
        TypeError::Infinity { .. } if place.is_behind(&["sumOn", "productOn"]) => {
            Some("a sum and a product have a last term: sumOn 1 1000 (\\i => 1/i^2)".to_owned())
        }
        // `inf` is a function here, the infimum, so its use as infinity is a type error.
        TypeError::Mismatch { .. } | TypeError::Operator { .. } if place.here == "inf" => Some(INFINITE.to_owned()),
        TypeError::Mismatch { argument: Some(ArgumentOf { function, .. }), found, .. }
            if matches!(&**function, "log" | "atan") && matches!(found.kind(), TyKind::Tuple(_)) =>
        {
            advise_too_many(function, place).map(str::to_owned)
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
            Some("an argument of several words needs parentheses: not (3 > 2)".to_owned())
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
                "{function} is of two numbers; of a function on [a, b] it is {function}On a b f, and where, arg{function}On a b f"
            ))
        }
        TypeError::NoVector { found, .. }
            if matches!(found.kind(), TyKind::Nat) && place.here.trim_start_matches('(').starts_with('-') =>
        {
            Some("a natural number, such as an order or a length, is 0 or more".to_owned())
        }
        TypeError::TooManyArguments { function, .. } => advise_too_many(function, place).map(str::to_owned),
        TypeError::Operator { .. }
            if ["^-1", "⁻¹"].iter().any(|inverse| place.after.trim_start().starts_with(inverse)) =>
        {
            Some("the inverse functions are asin, acos and atan; a power of an answer is (f x)^(-1)".to_owned())
        }
        TypeError::Operator { .. } => {
            place.function_before().map(|function| format!("a function is wanted: {function} (\\x => …)"))
        }
        TypeError::NotAFunction { .. } => {
            if place.before.trim_end().ends_with('[') {
                return Some("the elements of a list stand between commas: [1, 2, 3]".to_owned());
            }
            if place.after.starts_with("()") && place.here != "()" {
                return Some("a number stands without parentheses: pi".to_owned());
            }
            // `2 sin`, `sin` after a number: a product without sign, or an argument before its function.
            let is_number = place.here.ends_with(|c: char| c.is_ascii_digit());
            let next = place.after.split(|c: char| c.is_whitespace() || c == ')').find(|next| !next.is_empty());
            let next = next.unwrap_or_default();
            if is_number && UNIT_NAMES.contains(&next) {
                return Some(UNITS.to_owned());
            }
            if let Some(says) = advise_name(next) {
                return Some(says.to_owned());
            }
            match Constant::from_name(next.trim_matches(['(', ')'])).filter(|_| is_number) {
                Some(function)
                    if matches!(function.scheme().ty.kind(), TyKind::Function(..)) && place.after.trim() == next =>
                {
                    return Some(format!("a function stands before its argument: {} 2", function.name()));
                }
                Some(factor) => return Some(format!("a product is written with a sign: 2 * {}", factor.name())),
                None => {}
            }
            if place.enclosing_call().is_some() {
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

const INFINITE: &str = "numbers are finite; the integral from a on is integral a infinity f, and inf is the infimum of a function on a set";

/// Returns the advice for too many arguments of a function.
fn advise_too_many(function: &str, place: ErrorContext) -> Option<&'static str> {
    Some(match (function, place.here) {
        (_, "and" | "or") => "\"and\" is &&, \"or\" is ||",
        ("max", _) => "of three numbers: max a (max b c)",
        ("min", _) => "of three numbers: min a (min b c)",
        ("integral01", _) => "these are over [0, 1]; the integral from a to b is integral a b f",
        ("max01" | "min01" | "argmax01" | "argmin01", _) => {
            "these take a function alone, and are over [0, 1]; over [a, b] they are maxOn 0 10 sin, minOn, argmaxOn and argminOn"
        }
        ("log", _) => "the logarithm of x to the base b is log x / log b",
        ("integral" | "between", _) => "the integrand is a function: integral 0 1 sin, integral 0 1 (\\x => x^2)",
        ("range", _) => "range n begins at 0; linspace a b n has the ends of n equal parts of [a, b]",
        ("uniform", _) => "the uniform distribution on [a, b] is uniformOn a b",
        ("norm" | "norm2", _) => "a vector is one tuple: norm (3, 4)",
        ("round", _) => return advise_name("roundTo"),
        ("atan", _) => "the angle of a point is atan2 y x",
        ("firstRoot" | "cutRoot", _) => {
            "a root takes a function alone; between a and b, it is root a b f: root 0 2 (\\x => x^2 - 2)"
        }
        _ => return None,
    })
}

/// The advice for a conditional with braces.
const CHOICE: &str = "a choice is written if x > 0 then a else b, without braces";
const ONE_BY_ONE: &str = "one name at a time: let x = 1 in let y = 2 in …";

/// Rounding functions, as other languages write them.
const ROUNDS: &[&str] = &["floor", "ceil", "round", "mod", "Floor", "Ceiling", "Round", "Mod", "Quotient"];

/// The idioms of words and brackets. The first that fits is used, before all other forms.
const PHRASES: &[Idiom] = &[
    // MATLAB: `~(x > 0)`. After a value `~` is a draw, see `FORMS`.
    (
        |p| {
            p.here == "~"
                && p.after.starts_with(|c: char| c == '(' || c.is_alphabetic())
                && !p.before.ends_with(|c: char| c.is_alphanumeric())
        },
        "not is written not: not (x > 0)",
    ),
    (|p| p.is_behind(&["while", "for"]) && p.is_behind(&["do"]), names::LOOPS),
    // R: `m %*% n`.
    (
        |p| p.here == "%" && p.after.starts_with('*') || p.here == "*" && p.before.ends_with('%'),
        "the product of two matrices is rows2 (compose (matrix2 m) (matrix2 n)), that with a vector matrix2 m v",
    ),
    (|p| p.here == "%" && p.after.starts_with('/'), "the quotient of integers is floor ((x + 1/2) / y)"),
    // MATLAB: `fzero(@f, 0)`.
    (|p| p.here == "@" && p.is_behind(&["fzero", "fsolve", "uniroot", "bisect"]), names::ROOTS),
    // R: `data$column`.
    (
        |p| p.here == "$" && p.before.ends_with(char::is_alphabetic) && p.after.starts_with(char::is_alphabetic),
        "there are no records: a component of a tuple is p[0], p[1]",
    ),
    (
        |p| p.here == "=" && p.enclosing_call() == Some("seq"),
        "n equal steps from a to b are linspace a b n: linspace 0 1 4 has 5 numbers",
    ),
    (
        |p| p.here == "=" && p.enclosing_call() == Some("matrix"),
        "a matrix is a tuple of its rows: matrix2 ((1, 2), (3, 4))",
    ),
    (|p| p.here == "=" && p.before.trim().is_empty(), "an expression stands by itself: 3 + 4"),
    (
        |p| p.before.ends_with('[') && ROUNDS.contains(&p.word_before_bracket()),
        "an argument stands bare or in round brackets: floor 3.7, mod 7.5 2",
    ),
    (
        |p| p.here == "," && p.before.contains('[') && ROUNDS.contains(&p.word_before_bracket()),
        "arguments stand side by side: mod 7.5 2",
    ),
    (|p| p.here == "{" && p.is_behind(&["let"]), "a tuple is taken apart in parentheses: let (a, b) = e in …"),
    (|p| p.here == "{" && p.is_behind(&["if", "else"]), CHOICE),
    (
        |p| p.here == "{" && p.is_behind(&["match"]),
        "cases are written match e with [] => 0 | x :: rest => x, without braces",
    ),
    (|p| p.here == "#" && p.after.contains('&'), "a function is written \\x => e"),
    (
        |p| {
            p.here == "@"
                && p.before.ends_with(char::is_alphabetic)
                && p.after.starts_with(|c: char| c.is_ascii_digit())
        },
        "an argument stands bare or in round brackets: sin 1, sin (x + 1)",
    ),
    // Mathematica: `e // N`.
    (
        |p| p.here == "/" && p.before.ends_with('/') && p.after.trim() == "N",
        "every answer is a number; --digits sets how many digits are certain",
    ),
    (
        |p| p.before.ends_with('[') && p.here == "-" && p.word_before_bracket().starts_with(char::is_uppercase),
        "an argument stands bare or in round brackets: sin 1, abs (-3)",
    ),
    // `let 2x = 3`: the error is behind the number.
    (
        |p| {
            let number = p.word_before();
            let before = p.before.trim_end();
            number.starts_with(|c: char| c.is_ascii_digit())
                && before[..before.len() - number.len()].trim_end().ends_with("let")
        },
        "a name begins with a letter: let x2 = 3 in …",
    ),
    (|p| p.here == "=" && p.is_behind(&["let"]) && p.is_behind(&["and"]), ONE_BY_ONE),
    (|p| p.here == "let" && p.is_behind(&["let"]), ONE_BY_ONE),
    (
        |p| {
            let (here, behind) = (p.here.trim(), p.after.split_whitespace().next().unwrap_or_default());
            here.contains("==") && ["tt", "ff", "true", "false", "True", "False"].contains(&behind)
        },
        "a comparison is a truth value by itself, 1 > 0, and its opposite not (1 > 0)",
    ),
    (|p| p.here == "→" && p.is_in_parameters(), "a function is written with a double arrow: \\x => e"),
    (
        |p| p.here == ")" && p.is_in_parameters() && !p.before.contains(','),
        "parameters stand side by side, \\x y => e, or are a tuple, \\(x, y) => e",
    ),
    (
        |p| p.before.trim_end().ends_with(':') && TYPES.contains(&p.here) && p.is_behind(&["let", "fn", "def"]),
        HAS_TYPES,
    ),
    (|p| matches!(p.here, "‹" | "←"), "a draw is written do { x <- sample (normal 0 1); return x }"),
    (
        |p| p.here == ">" && p.before.ends_with("<="),
        "numbers are compared by <, <=, > and >=; equality of natural numbers is ==",
    ),
    (
        |p| p.is_behind(&["elif", "elsif", "elseif"]),
        "of several choices each has its if: if x > 1 then a else if x > 0 then b else c",
    ),
    (
        |p| p.here == ";" && p.is_in_brackets() && p.before.contains(',') && !p.is_behind(&["do"]),
        "a matrix is a tuple of its rows: matrix2 ((1, 2), (3, 4))",
    ),
    (
        |p| {
            p.here.is_empty()
                && p.before.trim_end().ends_with(['+', '-', '*', '/', '^', '<', '>'])
                && !p.is_behind(&["import", "from"])
        },
        "an operator has both sides: 1 + 2",
    ),
    (
        |p| {
            p.word_before_dot().is_some_and(|r| r.starts_with(char::is_lowercase) && !PREFIXES.contains(&r))
                && p.here.starts_with(char::is_lowercase)
                && crate::syntax::constant::Constant::from_name(p.here).is_some()
                && !p.after.starts_with('(')
        },
        "functions are composed as \\x => sin (cos x)",
    ),
    (
        |p| p.here.is_empty() && p.word_before_dot().is_some_and(|record| record.starts_with(char::is_alphabetic)),
        "nothing stands behind an expression; a point stands within a number, 0.5, or behind the name of a module",
    ),
];

/// The advice for commands without a counterpart of their own.
const BARE: &str = "a backslash begins a function: names stand without it, pi, sin 1, sqrt 2, and a product is *";

/// LaTeX commands that are no parameters here; those with their own advice come first.
const WORDS: &[(&[&str], &str)] = &[
    (
        &["frac", "dfrac", "tfrac", "over"],
        "a backslash begins a function; a fraction is a quotient, 1/2, and the derivative of f at x is deriv f x",
    ),
    (&["int", "iint", "oint"], "a backslash begins a function; the integral from a to b is integral a b (\\x => x^2)"),
    (
        &["sum", "prod"],
        "a backslash begins a function; sums and products have ends: sumOn 1 10 (\\i => i^2), productOn 1 5 (\\i => i)",
    ),
    (&["lfloor", "rfloor", "lceil", "rceil"], "numbers are rounded by floor, ceil and round: floor 3.7"),
    (&["mapsto"], "a function is written \\x => e"),
    (&["lim"], names::LIMITS),
    (&["infty"], "infinity stands only at an end of an integral: integral 0 infinity (\\x => exp (-x))"),
    (
        &["leq", "le", "geq", "ge", "neq", "ne", "lt", "gt"],
        "comparisons are written <, <=, > and >=; not equal, on Nat, is /=",
    ),
    (
        &["in", "mathbb", "mathrm", "mathcal", "forall", "exists"],
        "the type of a parameter is written \\(x : Real) => e, and that of all real numbers is Real",
    ),
    (&["begin", "end", "pmatrix", "bmatrix"], "a matrix is a tuple of its rows: matrix2 ((1, 2), (3, 4))"),
    (
        &["partial", "nabla", "dot", "ddot"],
        "the derivative of f at x is deriv f x, of several variables gradient (\\(x, y) => x * y) (1, 2)",
    ),
    (
        &["lvert", "rvert", "vert", "lVert", "rVert", "Vert"],
        "the absolute value is abs x, the length of a vector norm v",
    ),
    (
        &[
            "pi", "sin", "cos", "tan", "exp", "log", "ln", "sqrt", "cdot", "times", "div", "left", "right", "max",
            "min", "text", "circ", "to",
        ],
        BARE,
    ),
];

/// Returns the advice for a LaTeX command. `None` if none is known.
fn advise_command(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(words, _)| words.contains(&word)).map(|(_, says)| *says)
}

/// The signs with the advice for them. The first that has the sign is used.
const SIGNS: &[(&[&str], &str)] = &[
    (&["½"], "a half is 1/2"),
    (&["⅓", "⅔", "¼", "¾", "⅕", "⅙", "⅛"], "a fraction is a quotient: 1/3"),
    (&["∛"], "the cube root is cbrt"),
    (&["↑"], "a power is written x^2"),
    (&["¬"], "not is written not: not (x > 0)"),
    (&["∘"], "functions are composed as \\x => f (g x)"),
    (&["≈", "±", "∓"], "near is abs (a - b) < d; every answer is an interval"),
    (&["~="], "not equal, on Nat, is /=; real numbers are near where abs (a - b) < d"),
    (&["↦"], "a function is written \\x => e"),
    (&["∈", "∉"], "the type of a parameter is written \\(x : Real) => e; a list is searched by fold"),
    (&["∀", "∃"], "a law is written in a theory, law name (x : Real) : x ~ x, and tried by smoothish check FILE"),
    (&["∅"], "the empty list is []"),
    (&["⌊", "⌋", "⌈", "⌉"], names::ROUNDED),
    (&["⟨", "⟩"], "a tuple is written (1, 2), and an inner product dot v w"),
    (&["⊤"], "true is written tt"),
    (&["⊥"], "the false value is ff; a missing value, as of 1/0, is answered as undefined"),
    (&["‰"], "a thousandth is a quotient: 5/1000"),
    (
        &["∑", "Σ", "∏"],
        "sums and products have ends: sumOn 1 10 (\\i => i^2), productOn 1 5 (\\i => i); a list is added by sum [1, 2, 3]",
    ),
    (&["°"], "angles are in radians: sin (pi / 2)"),
    (&["…"], "a list is written out, [1, 2, 3], or range 10"),
    (&["€", "£", "¥"], names::UNITS),
];

/// Returns the advice for a sign. `None` if none is known.
fn advise_sign(sign: &str) -> Option<&'static str> {
    SIGNS.iter().find(|(signs, _)| signs.contains(&sign)).map(|(_, says)| *says)
}

/// The idioms of habits. The first that fits is used.
const HABITS: &[Idiom] = &[
    (
        |p| p.here == "," && p.is_behind(&["lambda"]),
        "parameters stand side by side, \\x y => e, or are a tuple, \\(x, y) => e",
    ),
    (|p| p.here == "=" && p.is_in_parameters(), "a function is written with a double arrow: \\x => e"),
    (
        |p| p.here == "=" && p.is_behind(&["data", "newtype", "struct", "class"]),
        "a type is declared at the prompt or in a theory: type Foo = A | B Real",
    ),
    // `y' = y`.
    (|p| p.here == "=" && p.before.contains('\''), EQUATIONS_OF_SLOPES),
    // `let x <- 3` and `let x == 3`.
    (
        |p| {
            matches!(p.here, "<" | "==")
                && p.word_before() != "in"
                && p.before.trim_start().starts_with("let ")
                && !p.before.contains('=')
        },
        "a definition is written with =: let x = 3 in …",
    ),
    (
        |p| {
            p.before.trim_end().ends_with(':')
                && p.is_in_parameters()
                && p.here.starts_with(char::is_lowercase)
                && !TYPES.contains(&p.here)
        },
        "a function is written \\x => e, and its parameter with a type \\(x : Real) => e",
    ),
    // Python: a slice, `xs[1:3]`.
    (
        |p| {
            p.here == ":"
                && p.before.contains('[')
                && !p.before.ends_with(' ')
                && (!p.word_before_bracket().is_empty() || p.before.contains("]["))
                && !p.after.starts_with(':')
        },
        "no part of a list is cut out by its numbers: match xs with [] => 0 | x :: rest => x takes it apart",
    ),
    // Python: unpacking, `*xs`, `(a, *rest)`.
    (
        |p| p.here == "*" && (p.before.trim().is_empty() || p.before.trim_end().ends_with(',')),
        "a product has both sides, 2 * x, and no tuple is taken apart by a sign",
    ),
    (
        |p| {
            p.here == ","
                && !p.is_in_brackets()
                && p.before.trim_start().starts_with(char::is_lowercase)
                && p.before.trim().contains(' ')
                && !p.is_behind(&["let", "lambda", "if"])
                && !p.is_in_parameters()
                && !p.before.contains('=')
        },
        "arguments stand side by side, without commas: max 1 2; a tuple is in parentheses: (1, 2)",
    ),
    (|p| matches!(p.here, "→" | "->") && matches!(p.word_before(), "tt" | "ff"), "from a follows b where not a || b"),
    (|p| !p.here.is_empty() && p.here.chars().all(is_superscript_letter), "a power is written 2^n"),
    (
        |p| p.here == "=" && p.is_behind(&["if"]) && !p.is_behind(&["then"]),
        "a choice is written if x > 0 then a else b; whether two natural numbers are equal is a == b",
    ),
    (|p| p.here == "else", "a choice is written if x > 0 then a else b"),
    (|p| p.here == "=" && p.enclosing_call() == Some("let"), "a definition has no parentheses: let x = 1 in x"),
    (|p| p.here == "=" && p.enclosing_call().is_some(), NAMED),
    (|p| p.here == "@" && p.before.ends_with('/'), "over a list it is mapList: mapList sqrt [1, 2]"),
    (
        |p| p.here == "@" && p.after.starts_with(char::is_alphabetic) && p.before.trim_end().ends_with(['(', ',', ';']),
        "a function is given by its name: integral 0 1 sin",
    ),
    (|p| p.here == "#" && p.after.trim_end().ends_with('&'), "a function is written \\x => e"),
    (
        |p| p.before.trim_end().ends_with('.') && p.is_behind(&["lambda", "forall", "exists", "fun"]),
        "a function is written \\x => e",
    ),
    (|p| matches!(p.here, "->" | "→" | "=") && p.is_behind(&["lim", "limit"]), LIMITS),
    (|p| p.here == ":" && p.is_behind(&["lambda"]), "a function is written \\x => e"),
    (|p| p.before.trim_end().ends_with(':') && p.is_behind(&["lambda"]), "a function is written \\x => e"),
    (
        |p| {
            p.here.starts_with(|c: char| c.is_ascii_digit())
                && p.before.trim_end().ends_with(':')
                && !p.is_behind(&["claim", "law"])
        },
        "a list is written out, [1, 2, 3]; range n has the natural numbers below n",
    ),
    (
        |p| matches!(p.here, "in") && !p.is_behind(&["for", "let"]),
        "`in` belongs to a `let`; a list is searched by fold: fold (\\x rest => x == 2 || rest) ff (range 5)",
    ),
    (
        |p| {
            p.here == "'"
                && p.before.ends_with(|c: char| c.is_ascii_digit())
                && p.after.starts_with(|c: char| c.is_ascii_digit())
        },
        "digits are written without a sign between them: 1000",
    ),
    (|p| p.here.is_empty() && p.is_negated(), "`!` begins a comment; not is written not: if not (1 > 2) then a else b"),
    // Haskell: `m >>= f`.
    (
        |p| p.here == ">=" && p.before.ends_with('>'),
        "a draw is used in a block: do { x <- sample (normal 0 1); return x }",
    ),
    (
        |p| p.here == "||" && p.after.starts_with(|c: char| c == '(' || c.is_alphabetic()),
        "the length of a vector is norm v",
    ),
    (|p| p.here == "|" && p.before.ends_with('\\'), "the length of a vector is norm v"),
    // `1e-3.5`: the error is at the digits behind the point.
    (
        |p| {
            let exponent = p.before.strip_suffix('.').and_then(|before| before.rsplit_once(['e', 'E']));
            let is_digits = |text: &str| text.trim_start_matches(['-', '+']).chars().all(|c| c.is_ascii_digit());
            p.here.starts_with(|c: char| c.is_ascii_digit())
                && exponent.is_some_and(|(number, power)| {
                    number.ends_with(|c: char| c.is_ascii_digit()) && is_digits(power) && !power.is_empty()
                })
        },
        "an exponent of ten is a whole number, 1e-3; any power is 10^(-3.5)",
    ),
    // A method, `xs.length()`. With the prefix of a library, `np.sin(1)`, there is advice on the prefix.
    (
        |p| {
            p.word_before_dot().is_some_and(|r| !PREFIXES.contains(&r))
                && p.here.starts_with(char::is_alphabetic)
                && p.after.starts_with('(')
        },
        "there are no methods: a function stands before its arguments, as in length xs",
    ),
];
