//! LaTeX commands, and their counterparts here.

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
        "a backslash begins a function; the numbers of a list are added by sum: sum (mapList (\\i => toReal i) (range 5))",
    ),
    (&["lfloor", "rfloor", "lceil", "rceil"], "what rounds is floor, ceil and round: floor 3.7"),
    (&["mapsto"], "a function is written \\x => e"),
    (&["lim"], super::names::LIMITS),
    (&["infty"], "numbers are finite; the integral from a on is beyond a f"),
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
pub(super) fn advise_command(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(words, _)| words.contains(&word)).map(|(_, says)| *says)
}
