//! Inductive types in every model: values and derivatives against closed forms, depth, and what a model lacks.

use super::{ask, enclosure, eps, float, infer};
use smoothish::number::Rational;
use std::process::Command;
use std::time::{Duration, Instant};

/// Programs whose value is a number, with that number, found without the program.
const KNOWN: &[(&str, (i64, i64))] = &[
    // x + x² + 3 has the slope 1 + 2x
    ("deriv (\\x => sumTree (threeNodes x)) 2", (5, 1)),
    // the product 3x³ has the curvature 18x
    ("nthDeriv 2 (\\x => foldTree 1 (\\(l, y, r) => l * y * r) (threeNodes x)) 2", (36, 1)),
    // x(x + 1) = x² + x at 3, and 2x + 1 in two ways
    ("evalPoly parabola 3", (12, 1)),
    ("deriv (evalPoly parabola) 3", (7, 1)),
    ("evalPoly (differentiate parabola) 3", (7, 1)),
    // the chain rule: (x² + x) at x² is x⁴ + x², with the slope 4x³ + 2x
    ("deriv (evalPoly (substitute parabola (Times (Variable, Variable)))) 2", (36, 1)),
    // results under a list: x + x² + x³ + 1 has the slope 1 + 2x + 3x²
    ("deriv (\\x => sumRose (Rose (x, [Rose (x^2, []), Rose (x^3, [Rose (1, [])])]))) 2", (17, 1)),
    // a perfect tree of depth 10 with c at each of its 2¹⁰ - 1 nodes
    (
        "deriv (\\c => let rec perfect (n : Nat) : Tree Real = if n == 0 then Leaf else let t = perfect (n - 1) in \
         Node (t, c, t) in sumTree (perfect 8)) 3",
        (255, 1),
    ),
    // perturbations of two derivatives through one tree: d/dx (x · d/dy (x y²) at 2) = d/dx 4x² = 8x
    ("deriv (\\x => sumTree (mapTree (\\z => z * deriv (\\y => z * y^2) 2) (Node (Leaf, x, Leaf)))) 3", (24, 1)),
    // a match on a tree that is made under the derivative: the root is x²
    ("deriv (\\x => match threeNodes x with Leaf => 0 | Node (l, y, r) => y) 5", (10, 1)),
    // values of a tangent: the tree moves with its numbers, (x, x²) at 3 in direction 2
    (
        "sumTree (tangentValue (tangent (\\x => Node (Leaf, x^2, Node (Leaf, x, Leaf))) (tangent_R.from (3, 2))))",
        (12, 1),
    ),
];

#[test]
fn known_values_are_enclosed_in_every_model() {
    for (program, value) in KNOWN {
        let value = Rational::from(*value);
        for model in ["presheaf", "tower"] {
            // what the tower does not reduce it says
            if model == "tower" && ask(model, program).is_err_and(|error| error.unsupported_construct().is_some()) {
                assert!(program.contains("tangent"), "{program}");
                continue;
            }
            let found = enclosure(model, program);
            assert!(found.is_defined() && found.contains(&value), "{model}: {program} is {value}, not {found}");
            let width = found.hi().to_rational().unwrap() - found.lo().to_rational().unwrap();
            assert!(width <= eps(), "{model}: {program}: {found}");
        }
        let found = float(program);
        assert!((found - value.to_f64()).abs() <= 1e-12 * (1.0 + found.abs()), "float: {program}: {found}");
    }
    // ∫₀¹ x + x² + 3 = 1/2 + 1/3 + 3
    let area = "integral01 (\\x => sumTree (threeNodes x))";
    assert!(enclosure("presheaf", area).contains(&Rational::from((23, 6))));
    assert!((float(area) - 23.0 / 6.0).abs() < 1e-12);
}

/// The constructor is constant in the stage; a kink inside is a set, as everywhere.
#[test]
fn kinks_in_trees_are_sets() {
    let found = enclosure("presheaf", "deriv (\\c => sumTree (mapTree (\\x => max 0 (x - c)) (threeNodes 1))) 1");
    assert!(found.contains(&Rational::from(-3)) && found.contains(&Rational::from(-1)), "{found}");
    assert!(!found.contains(&Rational::from((-9, 10))) && !found.contains(&Rational::from((-31, 10))), "{found}");
}

#[test]
fn the_tower_says_what_it_lacks() {
    for program in ["threeNodes 1", "(1, parabola)", "Rose (1, [])", "[Leaf, Node (Leaf, 1, Leaf)]"] {
        let error = ask("tower", program).unwrap_err();
        let unsupported = error.unsupported_construct().unwrap_or_else(|| panic!("{program}: {error}"));
        let expected = if program.starts_with('[') { "lists" } else { "recursive types" };
        assert_eq!((unsupported.model, &*unsupported.construct), ("tower", expected), "{program}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    command.args(["eval", "--model", "tower", "Node (Leaf, 1, Leaf)"]).env("NO_COLOR", "1");
    let error = String::from_utf8(command.output().unwrap().stderr).unwrap();
    assert!(error.contains("does not define recursive types") && error.contains("--model presheaf"), "{error}");
}

/// A chain of so many nodes, built from the end without a stack of calls, and from the front with one.
fn chain(n: u64) -> String {
    format!(
        "let rec chain (n : Nat) (t : Tree Real) : Tree Real = if n == 0 then t else chain (n - 1) (Node (t, 1, Leaf)) in \
         let rec calls (n : Nat) : Tree Real = if n == 0 then Leaf else Node (calls (n - 1), 1, Leaf) in \
         let root (t : Tree Real) : Real = (match t with Leaf => 0 | Node (l, x, r) => x) in \
         let long = chain {n} Leaf in"
    )
}

/// A tree with shared sides is as large as 2 to its depth when it is written out, and nothing writes it out.
#[test]
fn shared_trees_stay_shared() {
    let bush =
        "let rec bush (n : Nat) (t : Tree Real) : Tree Real = if n == 0 then t else bush (n - 1) (Node (t, 1, t)) in";
    for model in ["presheaf", "float", "tower"] {
        let slope = format!("{bush} deriv (\\x => match bush 60 Leaf with Leaf => x | Node (l, y, r) => x^2 * y) 3");
        let value = ask(model, &slope).unwrap_or_else(|error| panic!("{model}: {error}")).value;
        assert!(!format!("{value:?}").is_empty());
        let moved = format!(
            "{bush} deriv (\\x => match bush 60 (Node (Leaf, x, Leaf)) with Leaf => 0 | Node (l, y, r) => x * y) 3"
        );
        assert!(ask(model, &moved).is_ok(), "{model}");
    }
    for model in ["presheaf", "float"] {
        let error = ask(model, &format!("{bush} bush 60 Leaf")).unwrap_err().to_string();
        assert!(error.contains("more than 100000 parts"), "{model}: {error}");
    }
}

fn eval(arguments: &[&str]) -> (Option<i32>, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_smoothish")).args(arguments).env("NO_COLOR", "1").output().unwrap();
    (output.status.code(), String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

#[test]
fn values_are_printed_and_read_back() {
    for (program, text) in [
        ("mirror (threeNodes 0.5)", "Node (Node (Leaf, 3, Leaf), 0.25, Node (Leaf, 0.5, Leaf))"),
        (
            "differentiate parabola",
            "Plus (Times (Number 1, Plus (Variable, Number 1)), Times (Variable, Plus (Number 1, Number 0)))",
        ),
        ("mapRose (\\x => x + 1) (Rose (-1, [Rose (-3, [])]))", "Rose (0, [Rose (-2, [])]) : Rose Real"),
        ("(Leaf : Tree Real)", "Leaf"),
    ] {
        assert_eq!(eval(&["eval", "--model", "float", program]).1, text, "{program}");
        assert_eq!(eval(&["eval", "--model", "float", text]).1, text, "{program}");
    }
    assert_eq!(eval(&["eval", "Node (Leaf, 1/2, Leaf)"]), (Some(0), "Node (Leaf, 0.5, Leaf)".to_owned()));
    let (status, out) = eval(&["eval", "--json", "Node (Leaf, 1/2, Leaf)"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, json["type"].as_str()), (Some(0), Some("Tree Real")));
    assert_eq!(
        json["value"].to_string(),
        r#"{"constructor":"Node","argument":[{"constructor":"Leaf"},{"lo":"0.5","hi":"0.5","exact":"1/2"},{"constructor":"Leaf"}]}"#
    );
    let (_, ty) = infer("(foldTree, foldRose, foldPoly)");
    assert!(ty.to_string().contains("Tree"), "{ty}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn deep_values_are_made_looked_at_and_dropped() {
        let start = Instant::now();
        for model in ["presheaf", "float"] {
            let both = format!("{} root long + root (calls 100000)", chain(100_000));
            let value = ask(model, &both).unwrap_or_else(|error| panic!("{model}: {error}")).value;
            assert!(!format!("{value:?}").is_empty());
            let error = ask(model, &format!("{} long", chain(100_000))).unwrap_err().to_string();
            assert!(error.contains("more than 2000 levels deep"), "{model}: {error}");
            let slope =
                format!("{} deriv (\\x => match long with Leaf => 0 | Node (l, y, r) => x^2 * y) 3", chain(100_000));
            assert!(ask(model, &slope).is_ok(), "{model}");
        }
        let sum = format!("{} sumTree long", chain(20_000));
        assert!(enclosure("presheaf", &sum).contains(&Rational::from(20_000)));
        assert!((float(&sum) - 20_000.0).abs() < 1e-6);
        // the derivative through it: one node has the square of x
        let slope = "let rec chain (n : Nat) (t : Tree Real) : Tree Real = if n == 0 then t else chain (n - 1) (Node (t, 1, Leaf)) \
                 in deriv (\\x => sumTree (chain 5000 (Node (Leaf, x^2, Leaf)))) 3";
        assert!(enclosure("presheaf", slope).contains(&Rational::from(6)));
        for (model, program) in
            [("tower", format!("{} sumTree long", chain(100_000))), ("tower", format!("{} long", chain(100)))]
        {
            let error = ask(model, &program).unwrap_err().to_string();
            assert!(error.contains("steps") || error.contains("recursive types"), "{model}: {error}");
        }
        assert!(start.elapsed() < Duration::from_secs(120), "{:?}", start.elapsed());
    }

    /// A recursion on a tree that does not go down ends as any recursion without end.
    #[test]
    fn recursions_without_end_are_stopped() {
        let program = "let rec f (t : Tree Real) : Real = f (Node (t, 1, t)) in f Leaf";
        for model in ["presheaf", "tower"] {
            let error = ask(model, program).unwrap_err().to_string();
            assert!(error.contains("steps"), "{model}: {error}");
        }
    }
}
