//! What is meant by a program whose types do not fit: functions that are called with what another one takes, and names that mean one
//! thing with these arguments and another with those.

use super::names::{EQUATIONS, PREFIXES, TRANSPOSED, WITHOUT_PREFIX};
use super::{Place, called};
use crate::syntax::ty::{Ty, TyKind};
use crate::syntax::type_error::{ArgumentOf, TypeError};

const OF_SEVERAL: &str =
    "of several variables it is gradient (\\(x, y) => x * y) (1, 2), and in one of them deriv (\\x => f (x, 2)) 1";
const NO_COMPONENTS: &str = "a number has no components; those of a tuple are p[0], p[1]";

/// What to write, where that is known.
pub(super) fn told(error: &TypeError, place: Place) -> Option<&'static str> {
    match error {
        TypeError::Unknown { name, is_type: false, .. } => unknown(name, place),
        TypeError::UnknownModule { module, .. } => {
            let small = module.to_lowercase();
            if PREFIXES.contains(&small.as_str()) {
                return Some(WITHOUT_PREFIX);
            }
            place.here.ends_with(".T").then_some(TRANSPOSED)
        }
        TypeError::Mismatch { argument: Some(ArgumentOf { function, number, .. }), found, .. } => {
            argument(function, *number, found)
        }
        TypeError::Mismatch { expected, found, .. } => misfit(expected, found, place),
        TypeError::UnknownTuple { tuple, .. } => {
            let is_number = tuple.chars().all(|c| c.is_ascii_digit() || "()[],. ".contains(c));
            is_number.then_some(NO_COMPONENTS)
        }
        TypeError::NotATuple { ty, .. } if is_list(ty) => Some(
            "a list is taken apart by match xs with [] => 0 | x :: rest => x; a tuple, (1, 2, 3)[0], has components",
        ),
        TypeError::NotATuple { ty, .. } if matches!(ty.kind(), TyKind::Real | TyKind::Nat) => Some(NO_COMPONENTS),
        _ => None,
    }
}

fn unknown(name: &str, place: Place) -> Option<&'static str> {
    let after = place.after.trim_start();
    match name {
        "solve" if after.starts_with('(') && after[1..].starts_with(is_matrix) => Some(EQUATIONS),
        "var" if after.starts_with(['[', '(']) => called("stdev"),
        _ => None,
    }
}

/// What is meant by an argument that a function does not take.
fn argument(function: &str, number: usize, found: &Ty) -> Option<&'static str> {
    let is_tuple = matches!(found.kind(), TyKind::Tuple(_));
    Some(match (function, number) {
        ("cross", 1) if is_tuple => "the cross product of two vectors is crossProduct v w",
        ("choose", 1) if matches!(found.kind(), TyKind::Real | TyKind::Nat) => return called("binomial"),
        ("det" | "trace" | "transpose" | "inverse" | "linearSolve" | "rows2" | "rows3", 1) if is_list(found) => {
            "a matrix is a tuple of its rows: det (matrix2 ((1, 2), (3, 4)))"
        }
        ("mapList" | "fold", 1) if is_list(found) => "the function comes first: mapList sqrt [1, 2]",
        ("fst" | "snd", 1) if is_tuple => "a component of any tuple is written p[0], p[1]",
        ("abs", 1) if is_tuple => "the length of a vector is norm v",
        ("deriv", _) if is_tuple || is_of_tuples(found) => OF_SEVERAL,
        _ => return None,
    })
}

/// What is meant where two types differ outside of an argument.
fn misfit(expected: &Ty, found: &Ty, place: Place) -> Option<&'static str> {
    let is_equated = ["==", "/=", "≠"]
        .iter()
        .any(|sign| place.before.trim_end().ends_with(sign) || place.after.trim_start().starts_with(sign));
    match (expected.kind(), found.kind()) {
        (TyKind::Real, TyKind::Tuple(_)) if place.is_first_parameter_of("deriv") => Some(OF_SEVERAL),
        (TyKind::Nat, TyKind::Tuple(_)) if is_equated => {
            Some("`==` is of numbers: of tuples, compare the parts, p[0] == q[0] && p[1] == q[1]")
        }
        (TyKind::Nat, TyKind::Bool) if is_equated => {
            Some("`==` is of numbers: two truth values are the same where if a then b else not b")
        }
        (TyKind::Tuple(one), TyKind::Tuple(other)) if one.len() != other.len() => {
            Some("a tuple has as many parts as the names, or the tuple, that it is to fit")
        }
        _ => None,
    }
}

/// Whether what begins with a letter may be a matrix: a capital, or rows.
fn is_matrix(first: char) -> bool {
    first.is_uppercase() || "([".contains(first)
}

fn is_list(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Data(data, _) if data.is_list())
}

/// Whether this is a function of tuples.
fn is_of_tuples(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Function(domain, _) if matches!(domain.kind(), TyKind::Tuple(_)))
}
