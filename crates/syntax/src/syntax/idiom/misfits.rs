//! Advice for type errors: functions called with the arguments of another, and names whose meaning depends on their
//! arguments.

use super::names::{EQUATIONS, OF_NO_MODULE, PREFIXES, TRANSPOSED, TYPES, WITHOUT_PREFIX};
use super::{ErrorContext, advise_name};
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};
use crate::syntax::type_error::{ArgumentOf, TypeError};

const OF_SEVERAL: &str =
    "of several variables it is gradient (\\(x, y) => x * y) (1, 2), and in one of them deriv (\\x => f (x, 2)) 1";
const NO_COMPONENTS: &str = "a number has no components; those of a tuple are p[0], p[1]";
const OF_A_LIST: &str =
    "a list is taken apart by match xs with [] => 0 | x :: rest => x; a tuple, (1, 2, 3)[0], has components";
const ONE_MATRIX: &str = "a matrix is a tuple of its rows: det (matrix2 ((1, 2), (3, 4)))";
const OF_MATRICES: &str =
    "the product of two matrices is rows2 (compose (matrix2 m) (matrix2 n)), that with a vector matrix2 m v";
const SUM_OF_MAPS: &str = "linear maps are added as \\v => f v + g v; matrices, before matrix2 is made of them: ((1, 2), (3, 4)) + ((5, 6), (7, 8))";
const OF_AN_ORDER: &str = "the derivative of an order is nthDeriv 2 sin 1";
const INTEGRATED: &str = "the integrand is a function, and stands behind the ends: integral 0 1 (\\x => x^2)";
const NESTED: &str = "of two variables, one is taken after the other: integral01 (\\x => integral01 (\\y => x * y))";
const SAME_PARTS: &str = "both sides of a sum have the same parts: (1, 1) + (2, 3)";
const SAME_WIDTH: &str = "a tuple has as many parts as the names, or the tuple, that it is to fit";
/// Functions of the library that take a matrix by its rows.
const MATRICES: &[&str] = &["matrix2", "matrix3", "matrix4"];

/// Functions that take a function of one variable, over [0, 1] or between ends.
const OVER_THE_UNIT: &[&str] = &[
    "maxOn",
    "minOn",
    "argmaxOn",
    "argminOn",
    "root",
    "integral01",
    "integral",
    "between",
    "beyond",
    "max01",
    "min01",
    "argmax01",
    "argmin01",
    "firstRoot",
    "cutRoot",
];

/// Functions that take a natural number, beside the derivatives of special functions.
const COUNTS: &[&str] = &["range", "rangeFrom", "linspace", "countdown", "nthDeriv"];
/// Functions that take vectors and are no derivatives.
const OF_VECTORS: &[&str] = &["norm", "norm2", "dot", "scale", "crossProduct", "distance"];

/// Returns the advice for a type error. `None` if none is known.
pub(super) fn advise_misfit(error: &TypeError, place: ErrorContext) -> Option<&'static str> {
    match error {
        TypeError::Unknown { name, is_type: false, .. } => advise_unknown_name(name, place),
        TypeError::UnknownModule { module, suggestion, .. } => {
            // The prefix of a library, as `np.sin`, is read as the member of a module `np`.
            let small = module.to_lowercase();
            if PREFIXES.contains(&small.as_str()) {
                return Some(WITHOUT_PREFIX);
            }
            if place.here.ends_with(".T") {
                return Some(TRANSPOSED);
            }
            let member = place.here.rsplit('.').next().unwrap_or_default();
            advise_name(member).or(suggestion.is_none().then_some(OF_NO_MODULE))
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, number, .. }), expected, found, .. } => {
            advise_argument(function, *number, expected, found, place)
        }
        TypeError::Mismatch { expected, found, .. } => advise_mismatch(expected, found, place),
        TypeError::UnknownTuple { .. } if place.before.ends_with(char::is_alphabetic) => Some(OF_A_LIST),
        TypeError::UnknownTuple { tuple, .. } => {
            let is_number = tuple.chars().all(|c| c.is_ascii_digit() || "()[],. ".contains(c));
            // `2[0]` and the like: a literal has no components.
            is_number.then_some(NO_COMPONENTS)
        }
        TypeError::NotATuple { ty, .. } if is_function(ty) => {
            advise_name(place.here).or(Some("an argument stands bare or in round brackets: sin 1, sin (x + 1)"))
        }
        TypeError::NoVector { found, .. } if place.here.starts_with("zeros") && is_function(found) => {
            Some("zeros stands without a number, and is 0 in all parts that its place asks for: zeros + (1, 2)")
        }
        TypeError::NoVector { found, .. } if is_function(found) && is_summed(place) => Some(SUM_OF_MAPS),
        TypeError::NoVector { construct: Some(name), found, .. }
            if is_list(found) && OF_VECTORS.contains(&name.as_str()) =>
        {
            Some("a vector is a tuple, and no list: norm (3, 4), dot (1, 2) (3, 4)")
        }
        TypeError::Operator { operator: "^", .. } if place.here == "deriv" => Some(OF_AN_ORDER),
        TypeError::Operator { operator: "^", .. } if place.after.trim_start().starts_with("^T") => Some(TRANSPOSED),
        TypeError::Operator { operator: "+" | "-", found, .. } if is_of_tuples(found) => Some(SUM_OF_MAPS),
        TypeError::Operator { operator: "*" | "/", found, .. } if is_of_tuples(found) => {
            Some("a linear map is multiplied with a number as \\v => scale 2 (f v), and applied to a vector as f v")
        }
        TypeError::TooManyArguments { .. } if place.here == "where" => {
            Some("a name is given before it is used: let x = e in …")
        }
        TypeError::TooManyArguments { .. } if !matches!(place.here, "and" | "or") => advise_name(place.here),
        TypeError::TypeAsValue { .. } if place.before.trim_end().ends_with("::") => {
            Some("`::` puts an element before a list; a type is written where a name is bound: \\(x : Real) => e")
        }
        TypeError::NotAFunction { .. } => advise_spaced_digits(place)
            .or_else(|| advise_name(place.here).filter(|_| place.after.trim_start().starts_with(['[', '(']))),
        TypeError::NotATuple { ty, .. } if is_list(ty) => Some(OF_A_LIST),
        TypeError::NotATuple { ty, .. } if matches!(ty.kind(), TyKind::Real | TyKind::Nat) => Some(NO_COMPONENTS),
        _ => None,
    }
}

fn advise_unknown_name(name: &str, place: ErrorContext) -> Option<&'static str> {
    let after = place.after.trim_start();
    match name {
        "int" if after.starts_with('(') => advise_name("Integrate"),
        "C" if after.starts_with('(') => advise_name("binom"),
        "i" if place.is_behind(&["sum", "Sum", "prod", "product"]) => advise_name("Sum"),
        "df" | "dy" | "du" | "dg" | "dh" if after.starts_with("/d") => advise_name("D"),
        "f" | "g" | "h" if place.function_before().is_some() && !place.is_before_negative() => {
            Some("a function is defined before it is used: let f t = t^2 in deriv f 3")
        }
        _ if is_of_rows(name) => Some(
            "of rows there are 2, 3 or 4, as in matrix2 m and rows2 f; a linear map of more is \\v => (dot r v, …)",
        ),
        _ if name.chars().count() == 1 && place.is_behind(&["integral", "between", "beyond"]) => Some(INTEGRATED),
        _ if TYPES.contains(&name) && place.before.trim_end().ends_with("::") => {
            Some("`::` puts an element before a list; a type is written where a name is bound: \\(x : Real) => e")
        }
        "from" | "of" | "over" | "to" if place.is_behind(&["integral", "integrate"]) => Some(INTEGRATED),
        "solve" if after.starts_with('(') && after[1..].starts_with(is_matrix) => Some(EQUATIONS),
        "var" if after.starts_with(['[', '(']) => advise_name("stdev"),
        _ => None,
    }
}

/// Returns the advice for functions of R with one letter, if they are applied.
pub(super) fn advise_r_function(name: &str, place: ErrorContext) -> Option<&'static str> {
    match name {
        "c" if place.after.starts_with('(') => Some("a list is written [1, 2, 3], a vector (1, 2, 3)"),
        "t" if place.after.starts_with('(') => Some(TRANSPOSED),
        _ => None,
    }
}

/// Returns the advice for digits that are separated by spaces, `1 000`.
fn advise_spaced_digits(place: ErrorContext) -> Option<&'static str> {
    let is_digits = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    let next = place.after.trim_start().split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default();
    (is_digits(place.here) && place.here.len() <= 3 && is_digits(next) && next.len() == 3).then_some(
        "digits are written without a sign between them: 1000; a list has commas, [1, 2], and an argument a function before it",
    )
}

/// Returns the advice for an argument of the wrong type. `None` if none is known.
fn advise_argument(
    function: &str,
    number: usize,
    expected: &Ty,
    found: &Ty,
    place: ErrorContext,
) -> Option<&'static str> {
    let is_tuple = matches!(found.kind(), TyKind::Tuple(_));
    // The order matters: entries on one function come before the general ones on any function.
    Some(match (function, number) {
        ("cross", 1) if is_tuple => "the cross product of two vectors is crossProduct v w",
        ("choose", 1) if matches!(found.kind(), TyKind::Real | TyKind::Nat) => return advise_name("binom"),
        ("transpose", 1) if is_flat(found) => "a vector has no transposed one: a product of two is dot v w",
        ("det" | "trace" | "transpose" | "inverse" | "linearSolve" | "rows2" | "rows3" | "rows4", 1)
            if is_list(found) || is_flat(found) || is_real(found) =>
        {
            ONE_MATRIX
        }
        (matrix, 2) if MATRICES.contains(&matrix) && is_real(expected) && is_flat(found) => ONE_MATRIX,
        (matrix, 2) if MATRICES.contains(&matrix) && (is_function(found) || is_tuple) => OF_MATRICES,
        ("mean", 1) if is_tuple || is_list(found) => {
            "the mean of a list is average [1, 2, 3]; mean is of an integral, as mean (normal 0 1)"
        }
        ("max", 1) if is_list(found) => {
            "the greatest number of a list is maximum [1, 2, 3], the greater of two max 1 2"
        }
        ("min", 1) if is_list(found) => "the least number of a list is minimum [1, 2, 3], the lesser of two min 1 2",
        ("maximum", 1) if is_real(found) => {
            "of a function on [a, b] it is maxOn 0 10 sin; of two numbers max 1 2, of a list maximum [1, 2, 3]"
        }
        ("minimum", 1) if is_real(found) => {
            "of a function on [a, b] it is minOn 0 10 sin; of two numbers min 1 2, of a list minimum [1, 2, 3]"
        }
        ("sum", 1) if is_real(found) || matches!(found.kind(), TyKind::Nat) => {
            "a sum from a to b is sumOn a b f: sumOn 1 10 (\\i => i^2); the numbers of a list are added by sum [1, 2, 3]"
        }
        ("sum", 1) if is_function(found) => "a sum has its ends first: sumOn 1 10 (\\i => i^2)",
        ("average" | "maximum" | "minimum" | "spread", 1) if is_tuple => {
            "a list is written with square brackets: average [1, 2, 3]"
        }
        ("taylor", 1) if is_function(found) => {
            "the order comes first, and the step last: taylor 5 sin 0 0.1 is near sin (0 + 0.1)"
        }
        ("coefficients", 1) if is_function(found) => "the order comes first: coefficients 5 sin 0",
        ("factorial", 1) => "n! is of a natural number: factorial 5; of a real one it is exp (lgamma (x + 1))",
        ("sumOn" | "productOn", 1 | 2) if is_real(found) => {
            "the ends are natural numbers; from -3 on, it is sumOn 0 6 (\\k => f (k - 3))"
        }
        ("sumOn" | "productOn" | "maxOn" | "minOn" | "argmaxOn" | "argminOn" | "root", 1 | 2) if is_function(found) => {
            "the ends come first: maxOn 0 10 sin, root 0 2 (\\x => x^2 - 2), sumOn 1 10 (\\i => i^2)"
        }
        ("observe", 1) if matches!(found.kind(), TyKind::Bool) => {
            "that a condition holds is observed by score (if x > 1 then 1 else 0); observe takes a distribution and a value"
        }
        ("max", 1) if tuple_width(found) > 2 => "of three numbers: max a (max b c)",
        ("min", 1) if tuple_width(found) > 2 => "of three numbers: min a (min b c)",
        ("linspace", 1) if is_tuple => "n equal steps from a to b are linspace a b n: linspace 0 1 4 has 5 numbers",
        ("round", 1) if is_tuple => return advise_name("roundTo"),
        ("range", 1) if is_tuple => "range n begins at 0; linspace a b n has the ends of n equal parts of [a, b]",
        ("mapList" | "fold", 1) if is_list(found) => "the function comes first: mapList sqrt [1, 2]",
        ("fst" | "snd", 1) if is_tuple => "a component of any tuple is written p[0], p[1]",
        ("abs", 1) if is_tuple => "the length of a vector is norm v",
        ("gradient" | "hessian" | "jacobian", 2) if is_tuple && is_real(expected) => {
            "the function takes one tuple: gradient (\\(x, y) => x * y) (1, 2)"
        }
        ("integral" | "between" | "beyond", 1) if is_list(found) => "the ends stand bare: integral 0 1 sin, beyond 1 f",
        ("deriv", 1) if is_real(found) && place.here.chars().all(|c| c.is_ascii_digit()) => OF_AN_ORDER,
        ("deriv", 1) if place.is_on_function() && is_function(found) && is_real(expected) => OF_SEVERAL,
        ("deriv", _) if has_function(found) => return None,
        (solver, _)
            if OVER_THE_UNIT.contains(&solver)
                && !(matches!(
                    solver,
                    "integral" | "between" | "beyond" | "maxOn" | "minOn" | "argmaxOn" | "argminOn" | "root"
                ) && number == 1)
                && is_real(expected)
                && is_function(found)
                && place.is_on_function() =>
        {
            NESTED
        }
        (_, 1..)
            if is_function(found) && !is_function(expected) && is_word(place.here) && place.after.starts_with('(') =>
        {
            "an argument that is not one word needs parentheses: mapList f (range 5)"
        }
        (counts, 1..)
            if matches!(expected.kind(), TyKind::Nat)
                && (COUNTS.contains(&counts) || matches!(Constant::from_name(counts), Some(Constant::Special(_))))
                && place.here.contains(char::is_alphabetic)
                && is_real(found) =>
        {
            return advise_name("toNat");
        }
        ("gradient" | "hessian" | "jacobian", 1) if is_real(found) => {
            "a function is wanted: gradient (\\(x, y) => x * y) (1, 2)"
        }
        (_, 1..) if matches!(expected.kind(), TyKind::Nat) && place.here.contains('.') => {
            "a natural number has no point: range 2, nthDeriv 2 sin 1"
        }
        ("deriv", _) if is_tuple || is_of_tuples(found) => OF_SEVERAL,
        (_, 1) if matches!(found.kind(), TyKind::Unit) && is_real(expected) => {
            "nothing stands in the parentheses: sin 1"
        }
        ("log" | "atan", _) => return None,
        (_, 1) if is_tuple && is_real(expected) && Constant::from_name(function).is_some_and(is_of_one) => {
            "of a tuple p it is taken part by part, sqrt p[0]; over a list it is mapList: mapList sqrt [1, 2]"
        }
        _ if is_tuple
            && ![0, tuple_width(found)].contains(&tuple_width(expected))
            && !has_component_of(found, expected) =>
        {
            SAME_WIDTH
        }
        _ if place.is_behind(MATRICES) && is_real(expected) && is_tuple => OF_MATRICES,
        _ => return None,
    })
}

/// Returns the advice for two types that differ outside of an argument. `None` if none is known.
fn advise_mismatch(expected: &Ty, found: &Ty, place: ErrorContext) -> Option<&'static str> {
    // The span is one operand, so the operator stands on either side of it.
    let is_equated = ["==", "/=", "≠"]
        .iter()
        .any(|sign| place.before.trim_end().ends_with(sign) || place.after.trim_start().starts_with(sign));
    match (expected.kind(), found.kind()) {
        (TyKind::Real, TyKind::Tuple(_)) | (TyKind::Tuple(_), TyKind::Real) if is_summed(place) => Some(SAME_PARTS),
        (TyKind::Real, TyKind::Tuple(_)) if place.is_behind(MATRICES) => Some(OF_MATRICES),
        (TyKind::Real, TyKind::Tuple(_)) if place.is_first_parameter_of("deriv") => Some(OF_SEVERAL),
        (TyKind::Nat, TyKind::Tuple(_)) if is_equated => {
            Some("`==` is of numbers: of tuples, compare the parts, p[0] == q[0] && p[1] == q[1]")
        }
        (TyKind::Nat, TyKind::Bool) if is_equated => {
            Some("`==` is of numbers: two truth values are the same where if a then b else not b")
        }
        (TyKind::Real, TyKind::Tuple(_)) if OVER_THE_UNIT.iter().any(|solver| place.is_first_parameter_of(solver)) => {
            Some(NESTED)
        }
        (TyKind::Nat, _) if is_equated && is_list(found) => {
            Some("`==` is of numbers: two lists are compared element by element, by `match`")
        }
        (_, TyKind::Bool) if place.before.trim_end().ends_with(',') && place.is_in_brackets() => {
            Some("the elements of a list are of one type, and a truth value is no number: if b then 1 else 0")
        }
        _ if place.word_before() == "else" => Some("both answers of an `if` are of one type"),
        (TyKind::Tuple(one), TyKind::Tuple(other)) if one.len() != other.len() => Some(SAME_WIDTH),
        _ => None,
    }
}

/// Returns `true` if the first character may begin a matrix: a capital name, or rows.
fn is_matrix(first: char) -> bool {
    first.is_uppercase() || "([".contains(first)
}

/// Returns `true` for a name as those of matrices, with any number of rows.
fn is_of_rows(name: &str) -> bool {
    let rows = ["matrix", "rows"].iter().find_map(|word| name.strip_prefix(word));
    rows.is_some_and(|rows| !rows.is_empty() && rows.chars().all(|c| c.is_ascii_digit()))
}

/// Returns `true` if the error is an operand of a sum or a difference.
fn is_summed(place: ErrorContext) -> bool {
    let sign = |c: char| "+-−".contains(c);
    place.before.trim_end_matches([' ', '(']).ends_with(sign)
        || place.after.trim_start_matches([' ', ')']).starts_with(sign)
}

/// Returns `true` if the constant is a function of one argument with a real result.
fn is_of_one(constant: Constant) -> bool {
    matches!(constant.scheme().ty.kind(), TyKind::Function(_, value) if matches!(value.kind(), TyKind::Real))
}

/// Returns `true` if a text is one word.
fn is_word(text: &str) -> bool {
    text.chars().all(super::is_word_character)
}

fn is_real(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Real)
}

fn is_function(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Function(..))
}

/// Returns the number of components of a tuple; 0 for other types.
fn tuple_width(ty: &Ty) -> usize {
    if let TyKind::Tuple(parts) = ty.kind() { parts.len() } else { 0 }
}

/// Returns `true` for a tuple of reals.
fn is_flat(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Tuple(parts) if parts.iter().all(is_real))
}

/// Returns `true` for a tuple with a component of type `part`.
fn has_component_of(ty: &Ty, part: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Tuple(parts) if parts.contains(part))
}

/// Returns `true` for a tuple with a function in it.
fn has_function(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Tuple(parts) if parts.iter().any(is_function))
}

fn is_list(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Data(data, _) if data.is_list())
}

/// Returns `true` for a function of tuples.
fn is_of_tuples(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Function(domain, _) if matches!(domain.kind(), TyKind::Tuple(_)))
}
