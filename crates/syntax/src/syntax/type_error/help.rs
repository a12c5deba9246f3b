//! Notes and suggestions for type errors.

use super::{ArgumentOf, TypeError};
use crate::syntax::library::TRACE;
use crate::syntax::ty::{Ty, TyKind};

impl TypeError {
    /// Returns the expected and the found type of a mismatch. `None` for other errors.
    pub fn mismatched_types(&self) -> Option<(String, String)> {
        match self {
            TypeError::Mismatch { expected, found, .. } => Some((expected.to_string(), found.to_string())),
            _ => None,
        }
    }

    /// Returns a note on the message, such as the type of the function of a wrong argument. `None` if there is none.
    pub fn note(&self) -> Option<String> {
        match self {
            TypeError::Mismatch { argument: Some(ArgumentOf { number, function, ty }), .. } => {
                Some(format!("this is argument {number} of `{function}` : {ty}"))
            }
            TypeError::TooManyArguments { function, ty, .. } => Some(format!("`{function}` : {ty}")),
            TypeError::Mismatch { expected, found, .. } if is_bool(expected) && is_real(found) => {
                Some(NO_BOOLEAN.to_owned())
            }
            _ => None,
        }
    }

    /// Returns a suggestion. `None` if none is known.
    pub fn help(&self) -> Option<String> {
        match self {
            TypeError::Unknown { suggestion, .. }
            | TypeError::UnknownModule { suggestion, .. }
            | TypeError::UnknownConstructor { suggestion, .. } => {
                suggestion.as_ref().map(|name| format!("did you mean {name}?"))
            }
            TypeError::UndeclaredType { name, .. } => Some(format!(
                "declare `{name}` before; a type mentions itself and earlier ones, so of two that mention each other one goes \
                 into the other"
            )),
            TypeError::Ambiguous { name, modules, .. } => {
                let all: Vec<String> = modules.iter().map(|module| format!("{module}.{name}")).collect();
                Some(format!("write {}", all.join(" or ")))
            }
            TypeError::TypeAsValue { name, .. } => Some(format!("type arguments are inferred: leave out `{name}`")),
            // A redefined type first: both types print alike, and only this explains the mismatch.
            TypeError::Mismatch { before_expected: Some(name), .. }
            | TypeError::Mismatch { before_found: Some(name), .. } => Some(redefined_help(name)),
            TypeError::Mismatch { counted: Some(name), .. } => Some(format!(
                "`{name}` is a natural number because it is compared by ==; where it is real, write ({name} : Real)"
            )),
            TypeError::Mismatch { expected, found, .. }
                if matches!(expected.kind(), TyKind::Function(..)) && is_matrix(found) =>
            {
                Some(MATRIX.to_owned())
            }
            TypeError::Mismatch { argument: Some(argument), found, .. } if is_given_all_at_once(argument, found) => {
                Some("arguments stand side by side, without commas: f x y".to_owned())
            }
            TypeError::Mismatch { expected, found, .. } => mismatch_help(expected, found),
            TypeError::Operator { operator, found, .. } => operator_help(operator, found),
            TypeError::NoVector { found, .. } => no_vector_help(found),
            TypeError::NotAFunction { ty, .. } if is_real(ty) => {
                Some("a product is written with a sign: 2 * x".to_owned())
            }
            TypeError::TooManyArguments { .. } => Some(
                "a product is written with a sign, f x * g x; what is not one word needs parentheses: f (-1), f (g x)"
                    .to_owned(),
            ),
            TypeError::UnknownTuple { tuple, .. } => {
                Some(format!("annotate `{tuple}` where it is bound, for instance ({tuple} : Real^2)"))
            }
            TypeError::NotAnIsomorphism { .. } => {
                Some("the isomorphisms are tangent_R, tangentProd and tangentTo_R".to_owned())
            }
            TypeError::MissingCases { missing, .. } => {
                let cases: String = missing.iter().take(3).map(|case| format!(" | {case} => …")).collect();
                Some(format!("add{cases}"))
            }
            TypeError::CatchAll { missing, .. } if missing.is_empty() => None,
            TypeError::CatchAll { missing, .. } => {
                let cases: Vec<String> = missing.iter().take(10).map(|case| format!("{case} => …")).collect();
                Some(format!("write {} in its place", cases.join(" | ")))
            }
            TypeError::CaseTwice { .. } => Some(
                "leave one out; a match inside a case goes on as far as it can, unless it is in parentheses".to_owned(),
            ),
            TypeError::CaseOfAnotherType { ty, .. } if is_real(ty) => Some(USE_MAX.to_owned()),
            TypeError::CaseOfAnotherType { before: Some(name), .. } => Some(redefined_help(name)),
            TypeError::CaseOfAnotherType { ty, constructor, data, .. } => match ty.kind() {
                TyKind::Data(own, _) if own.constructors().any(|c| **c.name() == **constructor) => {
                    Some(hidden_constructor(constructor, own.name(), data))
                }
                TyKind::Data(data, _) => {
                    let names: Vec<String> = data.constructors().take(5).map(|c| format!("`{}`", c.name())).collect();
                    Some(format!("the constructors of {} are {}", data.name(), names.join(", ")))
                }
                TyKind::Bool => Some("truth values are told apart by if".to_owned()),
                _ => None,
            },
            TypeError::Irregular { expected, .. } => Some(format!(
                "write `{expected}`; what differs from part to part goes into another parameter or a variant"
            )),
            TypeError::NotPolynomial { found, .. } => Some(match found.kind() {
                TyKind::Function(..) => {
                    "give the constructor data in place of the function, such as a list of its values".to_owned()
                }
                TyKind::Tangent(_) => {
                    "a tangent is a value and a direction of the same form: try a pair of both".to_owned()
                }
                TyKind::Iso(..) => "give the constructor data in place of the functions of an isomorphism".to_owned(),
                _ => "another type may hold it if its constructors use that parameter without functions".to_owned(),
            }),
            TypeError::NoValue { .. } => {
                Some("add a constructor without it, or put it into a List or a Maybe, which may be empty".to_owned())
            }
            TypeError::Infinite { .. } => Some("is an argument missing, or a function applied to itself?".to_owned()),
            TypeError::Escape { name, .. } => {
                Some(format!("annotate with a type in place of `{name}`, or leave `{name}` out"))
            }
            TypeError::TooLarge { .. } => Some(
                "each use of a polymorphic definition copies its type; annotate parameters, or build smaller tuples"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

const NO_BOOLEAN: &str = "a real number is no truth value; a comparison of two is one, undefined on its border";
const USE_MAX: &str = "compare it, as in x > 0, or use max, min or abs, which are continuous everywhere";
const MATRIX: &str = "the linear map of a matrix of two rows is matrix2 m, that of three matrix3 m";

/// Returns `true` for a tuple of tuples of reals.
fn is_matrix(ty: &Ty) -> bool {
    let is_row = |ty: &Ty| matches!(ty.kind(), TyKind::Tuple(parts) if parts.iter().all(is_real));
    matches!(ty.kind(), TyKind::Tuple(rows) if rows.iter().all(is_row))
}

fn is_real(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Real)
}

/// Returns `true` if the arguments of a function of several are given as one tuple.
fn is_given_all_at_once(ArgumentOf { number, ty, .. }: &ArgumentOf, found: &Ty) -> bool {
    let takes_two = matches!(ty.kind(), TyKind::Function(_, rest) if matches!(rest.kind(), TyKind::Function(..)));
    let takes_tuple = matches!(ty.kind(), TyKind::Function(first, _) if matches!(first.kind(), TyKind::Tuple(_)));
    let (TyKind::Function(first, _), TyKind::Tuple(parts)) = (ty.kind(), found.kind()) else { return false };
    // If the function does take a tuple first, the tuple must begin with it to be meant as all arguments.
    *number == 1 && takes_two && (!takes_tuple || parts.first() == Some(first))
}

fn is_bool(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Bool)
}

fn redefined_help(name: &str) -> String {
    format!("define what uses the earlier `{name}` again, or give the two types different names")
}

fn hidden_constructor(constructor: &str, one: &str, other: &str) -> String {
    format!(
        "{one} and {other} both have a constructor `{constructor}`, and the later declaration hides the earlier one's"
    )
}

fn mismatch_help(expected: &Ty, found: &Ty) -> Option<String> {
    if let (TyKind::Data(one, _), TyKind::Data(other, _)) = (expected.kind(), found.kind())
        && one != other
        && one.module() == other.module()
        && let Some(both) = one.constructors().find(|c| other.constructors().any(|d| c.name() == d.name()))
    {
        return Some(hidden_constructor(both.name(), one.name(), other.name()));
    }
    // Two modules may each declare a type of the same name; their constructors may differ.
    if let (TyKind::Data(one, _), TyKind::Data(other, _)) = (expected.kind(), found.kind())
        && one != other
        && one.name() == other.name()
    {
        let (name, modules) = (one.name(), [one.module(), other.module()]);
        return Some(format!("these are two types called {name}: those of {} and of {}", modules[0], modules[1]));
    }
    let text = match (expected.kind(), found.kind()) {
        (TyKind::Bool, TyKind::Real) => USE_MAX,
        (TyKind::Nat, TyKind::Real) => {
            "a real number is no natural one; real numbers are compared by <, >, <= and >=, since == has no value on a border"
        }
        (TyKind::Real, TyKind::Nat) => "toReal turns a natural number into a real number",
        (TyKind::Data(program, _), TyKind::Data(distribution, _))
            if &**program.module() == TRACE && &**program.name() == "P" && &**distribution.name() == "Dist" =>
        {
            "a draw is written x <- sample (normal 0 1)"
        }
        (TyKind::Data(program, _), TyKind::Real | TyKind::Tuple(_) | TyKind::Bool | TyKind::Nat)
            if &**program.module() == TRACE && &**program.name() == "P" =>
        {
            "a block ends with what it gives: do { x <- sample (normal 0 1); return x }"
        }
        (TyKind::Variable(_, name), _) | (_, TyKind::Variable(_, name)) if &**name != "_" => {
            return Some(format!("`{name}` is a type parameter: it stands for any type, so nothing is known of it"));
        }
        // From here on the order matters: the general rules on functions come after the special ones.
        (TyKind::Function(..), TyKind::Function(..)) => return None,
        (TyKind::Variable(..), _) => return None,
        (_, TyKind::Function(..)) => "this is a function: apply it to an argument",
        (TyKind::Function(..), TyKind::Tuple(parts)) if parts.iter().all(is_real) => {
            "a function is written \\x => e; the shape that is one point is `point (x, y)`"
        }
        (TyKind::Function(..), TyKind::Tuple(_)) => {
            "arguments stand side by side, without commas: f x y; a function is written \\x => e"
        }
        (TyKind::Tuple(_), TyKind::Real) => "a point is one tuple: (1, 2)",
        (TyKind::Tuple(_), TyKind::Data(data, _)) if data.is_list() => "a point is a tuple, (1, 2), and no list",
        (TyKind::Data(data, _), TyKind::Tuple(_) | TyKind::Real) if data.is_list() => "a list is written [1, 2, 3]",
        (TyKind::Function(..) | TyKind::Real, TyKind::Data(data, _)) if data.is_list() => {
            "of lists there are sum, fold, mapList and length: fold (\\x rest => x * rest) 1 [2, 3]"
        }
        (TyKind::Data(list, of), TyKind::Data(other, natural))
            if list.is_list()
                && other.is_list()
                && of.iter().all(is_real)
                && natural.iter().all(|ty| matches!(ty.kind(), TyKind::Nat)) =>
        {
            "toReal turns a natural number into a real number: in place of range 5, mapList toReal (range 5)"
        }
        (TyKind::Function(..), _) => "a function is written \\x => e",
        (TyKind::Tangent(inner), _) if is_real(inner) => "a tangent is made by tangent_R.from (value, derivative)",
        (_, TyKind::Tangent(inner)) if is_real(inner) => "a tangent is taken apart by tangent_R.to",
        (_, TyKind::Iso(..)) => "an isomorphism is used by its parts .to and .from",
        _ => return None,
    };
    Some(text.to_owned())
}

fn no_vector_help(found: &Ty) -> Option<String> {
    let text = match found.kind() {
        TyKind::Function(..) => {
            "a function has no coordinates: `tangent` is the derivative of any function, as a map of tangents; or apply this \
             one to an argument"
        }
        TyKind::Data(data, _) if data.is_list() => {
            "a list has no fixed number of coordinates: write a tuple; a function of a list is differentiated along a curve, \
             as deriv (\\t => f (curve t)) 0"
        }
        TyKind::Data(data, _) if &**data.module() == TRACE => {
            "a distribution has no coordinates; a negative argument needs parentheses: normal (-1) 1"
        }
        TyKind::Data(..) | TyKind::Bool => {
            "what is chosen from cases does not vary: differentiate a function of the numbers in it"
        }
        TyKind::Nat => "a natural number does not vary: take a Real in its place; toReal turns one into the other",
        TyKind::Tangent(_) => "a tangent of Real is taken apart by tangent_R.to",
        TyKind::Tuple(_) => "every component must be a vector",
        _ => return None,
    };
    Some(text.to_owned())
}

fn operator_help(operator: &str, found: &Ty) -> Option<String> {
    let text = match (operator, found.kind()) {
        ("-", TyKind::Function(..)) => {
            "a negative argument needs parentheses: f (-x); otherwise apply the function first"
        }
        ("^", TyKind::Function(..)) => "a power of a function's answer is written (f x)^2",
        (_, TyKind::Function(..)) => "this is a function: apply it to an argument",
        ("*", TyKind::Tuple(_)) if is_matrix(found) => {
            "matrix2 m v is the product of a matrix of two rows with a vector, rows2 (compose (matrix2 m) (matrix2 n)) that of two"
        }
        ("/", TyKind::Tuple(_)) => "scale (1 / c) v divides a vector by a number; linearSolve divides by a matrix",
        ("^", TyKind::Tuple(_)) => "norm2 v is the square of the length of a vector",
        ("*", TyKind::Tuple(_)) => "scale c v multiplies a vector by a number, dot v w multiplies two",
        (_, TyKind::Bool) => "a truth value is no number: if b then 1 else 0",
        (_, TyKind::Data(data, _)) if data.is_list() => {
            "a vector is a tuple: (1, 2) + (3, 4); lists are joined by append xs ys, and taken by mapList"
        }
        ("-", TyKind::Nat) => "toReal turns a natural number into a real number, which can be negative",
        (_, TyKind::Tangent(_)) => "a tangent of Real is taken apart by tangent_R.to",
        _ => return None,
    };
    Some(text.to_owned())
}
