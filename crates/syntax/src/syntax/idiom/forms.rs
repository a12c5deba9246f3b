//! Syntax of other languages, and its counterparts here.

use super::ErrorContext;
use super::names::{HAS_TYPES, IMPORTS, LOOPS, PREFIXES, ROOTS, TRANSPOSED, TYPES, WITHOUT_PREFIX};

/// An idiom: the condition on the text around an error, and the advice.
pub(super) type Idiom = (fn(ErrorContext) -> bool, &'static str);

/// The idioms of syntax. The first that fits is used, after [`PHRASES`](super::PHRASES) and
/// [`HABITS`](super::HABITS).
pub(super) const FORMS: &[Idiom] = &[
    (
        |p| p.here == "=" && matches!(p.before.trim(), "eps" | "rel" | "digits" | "timeout"),
        "an accuracy is asked for by --eps 1e-9, --rel, --digits 12 on the command line, :eps 1e-9 at the prompt",
    ),
    (
        |p| p.here == "=" && p.before.trim_start().starts_with("type "),
        "a type begins with a capital letter, and is declared at the prompt or in a theory: type Foo = A | B Real",
    ),
    (
        |p| {
            p.before.ends_with('[')
                && (p.here == "-" || p.here.starts_with(|c: char| c.is_ascii_digit()) && p.here.contains('.'))
        },
        "components are [0], [1] and so on, and none is counted from the end; a list that is an argument has a space before it: f [x]",
    ),
    (|p| p.here == "'" && p.before.ends_with(')'), "the derivative of f at x is deriv f x"),
    // Haskell: `f $ x`, and a name in backquotes as an operator.
    (
        |p| matches!(p.here, "`" | "$") && !p.before.trim().is_empty(),
        "a function stands before its arguments, which have parentheses where they are not one word: max 1 2, sin (cos 1)",
    ),
    // Haskell: a list comprehension, `[x^2 | x <- xs]`.
    (
        |p| p.here == "|" && p.before.contains('[') && p.after.contains("<-"),
        "over a list it is mapList: mapList (\\x => x^2) [1, 2]",
    ),
    (|p| p.here == "{" && p.is_behind(&["function", "return"]), "a function is written \\x => e"),
    // An argument in braces, as in LaTeX: `sqrt{2}`.
    (
        |p| {
            p.here == "{"
                && p.before.ends_with(|c: char| c.is_alphanumeric())
                && !p.before.contains('\\')
                && !p.is_behind(&["then", "else", "of", "with", "theory"])
        },
        "arguments stand side by side, in round brackets where they are not one word: max 1 2, sqrt (x + 1)",
    ),
    (
        |p| matches!(p.here, "e" | "E") && p.before.ends_with(|c: char| c.is_ascii_digit()),
        "an exponent has digits, 1e-9; a product with Euler's number is 2 * e",
    ),
    (
        |p| {
            matches!(
                p.here,
                "f" | "F" | "d" | "D" | "l" | "L" | "u" | "U" | "n" | "f32" | "f64" | "i32" | "i64" | "u32" | "u64"
            ) && p.before.ends_with(|c: char| c.is_ascii_digit())
        },
        "a number has no suffix; a product is written 2 * f",
    ),
    // An error at the end of the text has an empty text itself.
    (
        |p| p.here.is_empty() && p.is_behind(&["if"]) && !p.is_behind(&["else"]),
        "a choice is written if x > 0 then a else b, and has both answers",
    ),
    (|p| p.here.is_empty() && p.before.trim_start().starts_with("from "), IMPORTS),
    (|p| p.here == ":" && p.is_behind(&["while", "for"]), LOOPS),
    (
        |p| {
            p.here.starts_with(|c: char| c.is_ascii_digit())
                && p.is_behind(&["match"])
                && p.before.trim_end().ends_with(['|', 'h'])
        },
        "cases are of lists and constructors; numbers are compared by if: if n == 0 then a else b",
    ),
    (|p| p.before.trim_end().ends_with(':') && TYPES.contains(&p.here), HAS_TYPES),
    (
        |p| {
            p.here.starts_with(char::is_lowercase)
                && p.before.trim_end().ends_with('.')
                && p.before.contains(':')
                && p.is_in_parameters()
        },
        "a function is written \\x => e",
    ),
    (
        |p| p.here == "[" && p.before.trim_end().ends_with(['\\', 'λ']),
        "a tuple of parameters is in round brackets: \\(x, y) => e",
    ),
    (|p| p.here == ":" && p.after.trim_start().starts_with('['), "an element stands before a list as x :: rest"),
    (|p| p.here == "]" && p.before.trim_end().ends_with(','), "leave out the last comma: a list is [1, 2]"),
    (
        |p| p.here == ")" && p.before.trim_end().ends_with(['+', '-', '*', '/', '^']),
        "an operator has both sides, or none: \\x => 2 * x, (*)",
    ),
    (|p| p.here.starts_with('(') && p.word_before_dot().is_some(), "over a list it is mapList: mapList sin [1, 2]"),
    // `1.2.3`: the error is at the digits behind the second point.
    (
        |p| {
            let before = p.before.strip_suffix('.').and_then(|before| before.rsplit_once('.'));
            let is_number = |text: &str| text.ends_with(|c: char| c.is_ascii_digit());
            p.here.starts_with(|c: char| c.is_ascii_digit())
                && before.is_some_and(|(whole, part)| is_number(whole) && part.chars().all(|c| c.is_ascii_digit()))
        },
        "a number has one point: 1.25",
    ),
    // Mathematica: `f[x_] := e`.
    (
        |p| {
            let behind = p.after.split_once(']').map_or("", |(_, behind)| behind.trim_start());
            p.before.ends_with('[') && (behind.starts_with(":=") || behind.starts_with("= "))
        },
        "a definition is written let f x = e in …; at the prompt, let f x = e alone",
    ),
    (
        |p| p.here == "?" && p.before.trim().is_empty(),
        "a name is explained by smoothish doc NAME, :doc NAME at the prompt",
    ),
    (|p| p.here == "@" && p.after.starts_with('('), "a function is written \\x => e"),
    (
        |p| p.here == ";" && p.is_in_brackets() && p.before.contains('['),
        "a matrix is a tuple of its rows: matrix2 ((1, 2), (3, 4))",
    ),
    (
        |p| p.is_behind(&["case"]) && matches!(p.here, "{" | "->"),
        "cases are written match e with Just x => a | Nothing => b; numbers are compared by if",
    ),
    // Mathematica: `x^2 /. x -> 3`.
    (
        |p| p.here == "/" && p.after.starts_with('.') || p.here == "." && p.before.ends_with('/'),
        "a value is put in by let x = 3 in x^2",
    ),
    (
        |p| p.here == "=>" && p.is_behind(&["match"]),
        "cases are of lists and constructors; a tuple is taken apart by let (a, b) = e in …",
    ),
    (
        |p| matches!(p.here, "{" | "}") && p.is_behind(&["theory"]),
        "a theory is a file: smoothish check FILE, --load FILE",
    ),
    // Comments of C, ML and Haskell: `/*`, `(*`, `{-`.
    (
        |p| {
            p.here == "*" && (p.before.ends_with('/') || p.before.ends_with('(') && p.after.contains("*)"))
                || p.here == "{" && p.after.starts_with("- ")
        },
        "a comment begins with `!`",
    ),
    (|p| p.here == "*" && p.before.ends_with('('), "an operator has both sides, or none: \\x => 2 * x, (*)"),
    (
        |p| p.here == "~",
        "a draw is written do { x <- sample (normal 0 1); return x }; x ~ y stands in laws of theories",
    ),
    // `=<` in place of `<=`.
    (|p| p.here == "=" && p.after.starts_with('<'), "less or equal is <="),
    (|p| p.here == "," && p.before.trim().is_empty(), "a number begins with a digit, and has a point: 0.5"),
    (|p| p.here == ">" && p.before.ends_with('<'), "not equal, on Nat, is /="),
    (
        |p| p.here == ")" && p.before.trim_end().ends_with(','),
        "leave out the last comma: a tuple has two parts or more, as (1, 2)",
    ),
    (|p| p.here == "=" && p.is_behind(&["solve", "Solve", "fsolve", "root"]), ROOTS),
    (
        |p| p.here == "=" && p.is_behind(&["sum", "Sum"]),
        "a sum has ends, and a function of the index: sumOn 1 10 (\\i => i^2)",
    ),
    // C: `x++`, at the end. Before the rule for `++` as the operator that joins lists.
    (
        |p| p.here == "+" && p.before.ends_with('+') && p.after.trim().is_empty(),
        "a name keeps its value: let y = x + 1 in …",
    ),
    (|p| p.here.is_empty() && p.before.trim_start().starts_with('!'), "`!` begins a comment; not is written not"),
    // MATLAB: `A \ b`. The rest of the line is then read as the parameters of a function.
    (
        |p| {
            p.here.is_empty()
                && (p.before.contains(" \\ ")
                    || p.before.trim_start().starts_with(char::is_uppercase) && p.before.contains('\\'))
        },
        "linear equations are solved by linearSolve (matrix2 m) b; a function is written \\x => e",
    ),
    (
        |p| p.is_in_parameters() && (p.here.is_empty() || matches!(p.here, "+" | "-" | "*" | "/" | "^")),
        "a backslash begins a function, \\x => e; a name stands without one",
    ),
    (|p| matches!(p.here, "<" | ">" | "<=" | ">=" | "==") && p.is_behind(&["or"]), "\"or\" is ||, \"and\" is &&"),
    (|p| matches!(p.here, "<" | ">" | "<=" | ">=" | "==") && p.is_behind(&["and"]), "\"and\" is &&, \"or\" is ||"),
    (
        |p| (p.before.ends_with('[') || p.here == ",") && p.word_before_bracket().starts_with(char::is_uppercase),
        "an argument stands bare or in round brackets: sin 1, sin (x + 1)",
    ),
    (
        |p| p.here == "{" && (p.before.ends_with(['^', '_']) || p.is_behind(&["then", "else", "of", "with"])),
        "parts are grouped by round brackets: 2^(1/2)",
    ),
    (|p| p.here == "if" && !p.before.trim().is_empty(), "a choice is written if x > 0 then a else b"),
    (|p| p.here == "+" && p.before.ends_with('+'), "lists are joined by append xs ys"),
    (|p| p.here == "+", "a number has no plus sign; a function that adds 1 is \\x => x + 1"),
    // F# and R: `x |> f`.
    (|p| matches!(p.here, "|" | "||") && p.after.starts_with('>'), "a function stands before its argument: sin x"),
    (
        |p| p.here == "," && p.is_behind(&["let"]) && p.before.contains('='),
        "one name at a time: let x = 1 in let y = 2 in …",
    ),
    (
        |p| p.before.trim_end().ends_with(" ."),
        "functions are composed as \\x => f (g x); a product of vectors is dot v w",
    ),
    (|p| matches!(p.here, "*" | "^") && p.before.trim_end().ends_with(['*', '^']), "a power is written x^2"),
    (|p| p.here == "/" && p.after.starts_with('/') && p.before.trim().is_empty(), "a comment begins with `!`"),
    (
        |p| p.here == "/" && p.before.ends_with('/'),
        "a quotient is written x / y, that of integers floor ((x + 1/2) / y); a comment begins with `!`",
    ),
    (
        |p| p.here == "%",
        "a remainder is mod 7.5 2, of integers mod (5 + 1/2) 2 - 1/2; a percentage is a quotient, 5/100; a comment begins with `!`",
    ),
    (
        |p| p.here == ";" && !p.is_behind(&["do"]),
        "a program is one expression: let x = 1 in x + 1; at the prompt, each input has a line of its own",
    ),
    (|p| p.here == "?", "a choice is written if x > 0 then a else b"),
    (
        |p| p.here == "}" && p.is_behind(&["do"]) && p.before.contains("<-"),
        "a block ends with its value: do { x <- sample (normal 0 1); return x }",
    ),
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
    (
        |p| p.here == "..",
        "a list is written out, [1, 2, 3], or range 10; an interval of numbers has no sign of its own",
    ),
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
        |p| p.here == "," && p.before.trim().chars().all(|c| c.is_ascii_digit() || ",.".contains(c)),
        "digits are written without a sign between them, 1000, and a point before decimals, 1.5; a tuple is in parentheses: (1, 2)",
    ),
    (|p| p.here == "," && !p.is_in_brackets(), "a tuple is in parentheses: (1, 2)"),
    (|p| p.here == "=" && p.before.ends_with(':'), "a definition is written with =: let x = 3 in …"),
    (|p| p.here == ":" && p.after.starts_with('='), "a definition is written with =: let x = 3 in …"),
    (
        |p| p.here == ":" && p.before.trim().is_empty(),
        "commands such as :help are for the prompt, which `smoothish repl` opens",
    ),
    (|p| p.here == ":" && p.is_behind(&["lambda", "lamda"]), "a function is written \\x => e"),
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
        "a list is written out, [1, 2, 3]; range n has the natural numbers below n",
    ),
    (
        |p| matches!(p.here, "=>" | "->" | "=") && p.is_behind(&["fun", "fn", "lambda", "function"]),
        "a function is written \\x => e",
    ),
    (|p| matches!(p.here, "=>" | "->") && p.is_behind_names(), "a function begins with a backslash: \\x => e"),
    (|p| p.here == "=" && p.is_behind(&["where"]), "a name is given before it is used: let x = e in …"),
    (|p| p.here == "=" && p.before.ends_with(['+', '-', '*', '/']), "a name keeps its value: let y = x + 1 in …"),
    (|p| p.is_definition(), "a definition is written let f x = e in …; at the prompt, let f x = e alone"),
    (
        |p| p.here == "=",
        "a definition is written let f x = e in …; whether two numbers are equal is a == b; an equation in x is solved as root 0 2 (\\x => x^2 - 2)",
    ),
    (|p| p.here == "in" && p.is_behind(&["for"]), LOOPS),
    (|p| p.here.starts_with(['"', '“']), "a text in quotation marks stands only in the laws and claims of theories"),
    (|p| p.here == "'", "there are no texts; a name may end with ', as in x'"),
    (|p| p.here == "#", "a comment begins with `!`"),
    (|p| p.here == "$" || p.here == "`", "a program stands by itself, without signs around it"),
    (|p| p.here == "@", "of vectors it is dot v w, of matrices compose (matrix2 m) (matrix2 n)"),
    (
        |p| p.here.starts_with('_') && p.before.ends_with(|c: char| c.is_ascii_digit()),
        "digits are written without a sign between them, as in 1000000",
    ),
    // C: `0x1F`; the error is at the part behind the 0.
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
    (|p| p.word_before_dot().is_some_and(|r| PREFIXES.contains(&r)), WITHOUT_PREFIX),
    (
        |p| p.word_before_dot().is_some() && p.here.starts_with(['*', '^', '/']),
        "operators stand without a dot: x^2; of tuples, part by part",
    ),
    (
        |p| p.word_before_dot().is_some() && p.here.starts_with(|c: char| c.is_ascii_digit()),
        "a component is written p[0], p[1]",
    ),
    (
        |p| p.word_before_dot().is_some_and(|r| !r.is_empty() && r.chars().all(|c| c.is_ascii_digit())),
        "a number ends with a digit: 5, or 5.0",
    ),
    (|p| p.here == "T" && p.word_before_dot().is_some(), TRANSPOSED),
    // The most general rule on colons, so it comes last.
    (
        |p| p.here == ":" && !p.after.starts_with([':', '=']) && !p.is_in_brackets(),
        "a type is written where a name is bound: \\(x : Real) => e, let f (x : Real) = e in …",
    ),
];
