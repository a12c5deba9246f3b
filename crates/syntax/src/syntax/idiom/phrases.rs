//! Words and brackets around code that would be right otherwise: braces of blocks, definitions in a row, words from
//! paper.

use super::forms::Idiom;
use super::names::{HAS_TYPES, PREFIXES, TYPES};

/// The advice for a conditional with braces.
const CHOICE: &str = "a choice is written if x > 0 then a else b, without braces";
const ONE_BY_ONE: &str = "one name at a time: let x = 1 in let y = 2 in …";

/// Rounding functions, as other languages write them.
const ROUNDS: &[&str] = &["floor", "ceil", "round", "mod", "Floor", "Ceiling", "Round", "Mod", "Quotient"];

/// The idioms of words and brackets. The first that fits is used, before all other forms.
pub(super) const PHRASES: &[Idiom] = &[
    // MATLAB: `~(x > 0)`. After a value `~` is a draw, see `FORMS`.
    (
        |p| {
            p.here == "~"
                && p.after.starts_with(|c: char| c == '(' || c.is_alphabetic())
                && !p.before.ends_with(|c: char| c.is_alphanumeric())
        },
        "not is written not: not (x > 0)",
    ),
    (|p| p.is_behind(&["while", "for"]) && p.is_behind(&["do"]), super::names::LOOPS),
    // R: `m %*% n`.
    (
        |p| p.here == "%" && p.after.starts_with('*') || p.here == "*" && p.before.ends_with('%'),
        "the product of two matrices is rows2 (compose (matrix2 m) (matrix2 n)), that with a vector matrix2 m v",
    ),
    (|p| p.here == "%" && p.after.starts_with('/'), "the quotient of integers is floor ((x + 1/2) / y)"),
    // MATLAB: `fzero(@f, 0)`.
    (
        |p| p.here == "@" && p.is_behind(&["fzero", "fsolve", "uniroot", "bisect"]),
        "a root is cutRoot f, of a function that falls through 0 once, or firstRoot f, the first one in [0, 1]",
    ),
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
        "every answer is a number, with as many digits as --digits asks for",
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
        "numbers are compared by <, <=, > and >=; two that are equal are told by == on Nat",
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
