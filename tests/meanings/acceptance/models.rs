//! What every model says of one program, where they differ and are meant to (CHECKLIST X3, X10, X10b, X11).
//!
//! A cell is a number; the cause for which there is none; `⊥` where there is none and the model knows no cause; `nan` for doubles;
//! or `no …`, the construct that the model refuses by name. The last two models have functions and no numbers: `map` is one.

use super::routes::{Found, Route, along, inferred};
use smoothish::glue::interpretation::interpret_closed;
use smoothish::meaning::diffeology::smooth_map;
use smoothish::meaning::taylor::jet::Basis;
use smoothish::number::budget::Budget;
use std::sync::Arc;

/// Models with numbers, in the order of the tables. A's two semantics have one column: they say the same.
const MODELS: [(&str, &[Route]); 5] = [
    ("presheaf", &[Route::Presheaf]),
    ("tower", &[Route::Tower]),
    ("taylor", &[Route::Taylor]),
    ("float", &[Route::Float]),
    ("partial, operational", &[Route::Partial, Route::Accumulated, Route::Tape, Route::Source]),
];

/// A function, a point, and what the models say of its value there; then `diffeology` and `glue` of the function.
type Row = (&'static str, &'static str, [&'static str; 7]);

const LESS: &str = "no `<` of real numbers";
const KINK: &str = "no rule for `max`";

/// What is undefined and not used is undefined by value, and not by name.
const STRICTNESS: &[Row] = &[
    (r"\x => let y = log x in 3", "-1", ["3", "3", "3", "3", "domain", "map", "map"]),
    (r"\x => snd (log x, 3)", "-1", ["3", "3", "3", "3", "domain", "map", "map"]),
    (r"\x => fst (3, log x)", "-1", ["3", "3", "3", "3", "domain", "map", "map"]),
    (r"\x => (\(y : Real) => 3) (log x)", "-1", ["3", "3", "3", "3", "domain", "map", "map"]),
    (r"\x => let y = 1 / x in 3", "0", ["3", "3", "3", "3", "domain", "map", "map"]),
    // what is used is undefined everywhere, whatever it is multiplied with or taken from
    (r"\x => 0 * log x", "-1", ["domain", "⊥", "domain", "nan", "domain", "map", "map"]),
    (r"\x => log x - log x", "-1", ["domain", "⊥", "domain", "nan", "domain", "map", "map"]),
    // a loop without an end is run by every model that runs; towers reduce first, and drop it
    (
        r"\x => let rec w (y : Real) : Real = w (y + 1) in snd (w x, 3)",
        "1",
        ["fuel", "3", "fuel", "fuel", "fuel", "map", "map"],
    ),
    (
        r"\x => let rec w (y : Real) : Real = w (y + 1) in let y = w x in 3",
        "1",
        ["fuel", "3", "fuel", "fuel", "fuel", "map", "map"],
    ),
    (r"\x => let y = log x in 3", "1", ["3", "3", "3", "3", "3", "map", "map"]),
];

/// A asks for smooth maps on open sets; S has values on edges, and where it has derivatives it has sets.
const EDGES: &[Row] = &[
    ("sqrt", "0", ["0", "0", "0", "0", "boundary", "map", "map"]),
    ("cbrt", "0", ["0", "0", "0", "0", "boundary", "map", "map"]),
    (r"\x => x ^ (1/3)", "0", ["0", "0", "0", "0", "boundary", "map", "map"]),
    // one derivative, and no second
    (r"\x => x ^ (4/3)", "0", ["0", "0", "0", "0", "boundary", "map", "map"]),
    (r"\x => asin x - asin x", "1", ["0", "0", "0", "0", "boundary", "map", "map"]),
    (r"\x => acos x - pi", "-1", ["0", "0", "0", "0", "boundary", "map", "map"]),
    ("acosh", "1", ["0", "0", "0", "0", "boundary", "map", "map"]),
    ("abs", "0", ["0", "0", "no rule for `abs`", "0", "boundary", "map", "no `abs`"]),
    (r"\x => max x 1", "1", ["1", "1", KINK, "1", "boundary", "map", "no `max`"]),
    (r"\x => min x 1", "1", ["1", "1", "no rule for `min`", "1", "boundary", "map", "no `min`"]),
    // inside, all agree
    ("sqrt", "4", ["2", "2", "2", "2", "2", "map", "map"]),
    ("abs", "-2", ["2", "2", "no rule for `abs`", "2", "2", "map", "no `abs`"]),
    // the slope at an edge: the jump is a set in S, and an end that is not open has none
    (r"\x => deriv sqrt x", "0", ["boundary", "⊥", "boundary", "nan", "boundary", "map", "no `deriv`"]),
    (r"\x => deriv (\y => max 0 y) x", "1", ["1", "1", KINK, "1", "1", "map", "no `max`"]),
];

/// `<` of real numbers: undefined on its border, decided by doubles, refused by name.
const COMPARISONS: &[Row] = &[
    (r"\x => if x < 1 then 2 else 3", "0", ["2", LESS, LESS, "2", "2", LESS, LESS]),
    (r"\x => if x < 1 then 2 else 3", "1", ["undecided", LESS, LESS, "3", "boundary", LESS, LESS]),
    (r"\x => if x < x then 2 else 3", "1", ["undecided", LESS, LESS, "3", "boundary", LESS, LESS]),
    (r"\x => if sqrt 2 * sqrt 2 < 2 then 2 else 3", "1", ["undecided", LESS, LESS, "3", "undecided", LESS, LESS]),
    // a choice at a type without ⊥
    (
        r"\x => fold (\a b => a + b) 0 (if x < 1 then [x] else [])",
        "0",
        ["no List Real has no value for the border", LESS, LESS, "0", "", LESS, LESS],
    ),
    (r"\x => (if x < 1 then (\y => y) else (\y => 2 * y)) 3", "0", ["3", LESS, LESS, "3", "", LESS, LESS]),
    (
        r"\x => let rec f (y : Real) : Real = if y < 1 then y else f (y - 1) in f x",
        "5/2",
        ["no recursion of `f`", LESS, LESS, "1/2", "1/2", LESS, LESS],
    ),
    // a border that is crossed under an integral
    (
        r"\x => integral01 (\t => if t < x then 1 else 0)",
        "1/2",
        ["1/2", LESS, LESS, "1/2", "no `integral01`", LESS, LESS],
    ),
];

/// Where A has a derivative, that of the branches is the same; on the border A has none, and the branches have one, the right one
/// of the identity and one of many of relu.
const BRANCHES: &[Row] = &[
    (r"\x => deriv (\y => if y < 0 then y else y) x", "1", ["1", LESS, LESS, "1", "1", LESS, LESS]),
    (r"\x => deriv (\y => if y < 0 then y else y) x", "0", ["undecided", LESS, LESS, "1", "boundary", LESS, LESS]),
    (r"\x => deriv (\y => if y < 0 then 0 else y) x", "0", ["undecided", LESS, LESS, "1", "boundary", LESS, LESS]),
    (r"\x => deriv (\y => if y < 0 then 0 else y) x", "-1", ["0", LESS, LESS, "0", "0", LESS, LESS]),
    // the slopes of the branches agree at the border, and nothing is decided there all the same
    (r"\x => deriv (\y => if y < 0 then 0 else y^2) x", "0", ["undecided", LESS, LESS, "0", "boundary", LESS, LESS]),
];

fn of_a_map<E: ToString>(found: Result<(), E>) -> Found {
    found.map_or_else(|error| Found::Lacks(error.to_string()), |()| Found::Exact(Vec::new()))
}

/// What is not as its row has it.
fn differences(rows: &[Row]) -> Vec<String> {
    let basis = Arc::new(Basis::new(1, 1).expect("a basis"));
    let mut wrong = Vec::new();
    for (function, at, cells) in rows {
        let mut see = |model: &str, expected: &str, found: &Found| {
            let holds = match (found, expected) {
                (Found::Rounded(numbers), "nan") => numbers.iter().all(|x| !x.is_finite()),
                (_, "map") => found.is("()"),
                _ => found.is(expected),
            };
            if !holds {
                wrong.push(format!("{function} at {at}, {model}: {expected} expected, {found:?}"));
            }
        };
        for ((model, routes), expected) in MODELS.iter().zip(cells).filter(|(_, expected)| !expected.is_empty()) {
            for route in *routes {
                for found in along(*route, &format!("({function}) ({at})")) {
                    see(model, expected, &found);
                }
            }
        }
        let (term, ty) = inferred(function);
        let budget = Arc::new(Budget::new(1_000_000, None, None));
        see("diffeology", cells[5], &of_a_map(smooth_map(&term, &ty, &budget).map(drop)));
        see("glue", cells[6], &of_a_map(interpret_closed(&term, &basis).map(drop)));
    }
    wrong
}

#[track_caller]
fn hold(rows: &[Row]) {
    let wrong = differences(rows);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// X10
#[test]
fn strictness() {
    hold(STRICTNESS);
}

/// X10b
#[test]
fn edges() {
    hold(EDGES);
}

/// X11
#[test]
fn comparisons() {
    hold(COMPARISONS);
}

/// X3
#[test]
fn derivatives_by_branches() {
    hold(BRANCHES);
}

/// In every cell the models would be caught if they said what another one says.
#[test]
fn a_wrong_cell_is_seen() {
    let by_name = ["3", "3", "3", "3", "3", "map", "map"];
    assert_eq!(differences(&[(r"\x => let y = log x in 3", "-1", by_name)]).len(), 2 * 4);
    let nowhere = [LESS, "2", "2", LESS, "boundary", "map", "map"];
    assert_eq!(differences(&[(r"\x => if x < 1 then 2 else 3", "0", nowhere)]).len(), 4 + 2 * 4 + 2);
}
