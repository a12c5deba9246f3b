//! Habits of other languages in code that would be right otherwise: named arguments, types after colons, signs that
//! negate, slice and unpack.

use super::forms::Idiom;
use super::names::{EQUATIONS_OF_SLOPES, LIMITS, NAMED, PREFIXES, TYPES};

/// The idioms of habits. The first that fits is used.
pub(super) const HABITS: &[Idiom] = &[
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
    (|p| !p.here.is_empty() && p.here.chars().all(super::is_superscript_letter), "a power is written 2^n"),
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
        "digits have nothing between them: 1000",
    ),
    (|p| p.here.is_empty() && p.is_negated(), "`!` begins a comment; not is written not: if not (1 > 2) then a else b"),
    // Haskell: `m >>= f`.
    (
        |p| p.here == ">=" && p.before.ends_with('>'),
        "what is drawn is used in a block: do { x <- sample (normal 0 1); return x }",
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
