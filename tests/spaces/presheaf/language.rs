//! Presheaves and tangents: naturality, β and η, Yoneda, the coend's representatives and the isomorphisms of S §5.3.

use smoothish::model::answer::AnswerNumber;
use smoothish::number::arithmetic::Function as Elementary;
use smoothish::number::budget::Budget;
use smoothish::number::{Enclosure, Rational, decimal};
use smoothish::presheaf::dynamic::Element;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::graph::{Binary, Graph, Variable};
use smoothish::value::{SharedBox, Value};
use std::sync::OnceLock;

fn number(text: &str) -> Rational {
    decimal::parse(text).expect("a decimal")
}

fn ask(question: &str) -> (Enclosure, bool) {
    static SESSION: OnceLock<Session> = OnceLock::new();
    let session = SESSION.get_or_init(Session::new);
    let answer = session.ask(&Evaluate::new(question).with_width("1e-12"), &Limits::seconds(30));
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) => (found.enclosure, found.reached),
        other => panic!("{question}: {other:?}"),
    }
}

/// Both questions are answered as narrowly as was asked, and the answers overlap.
fn agree(left: &str, right: &str) {
    let ((l, l_reached), (r, r_reached)) = (ask(left), ask(right));
    assert!(l_reached && r_reached, "{left} = {l}, {right} = {r}");
    assert!(l.overlaps(&r), "{left} = {l}, but {right} = {r}");
}

/// The value of a graph in one variable, at a number.
fn at(g: &Graph, v: Variable, x: (i64, i64)) -> Enclosure {
    let closed = g.substitute(&[(v, Graph::rational(Rational::from(x)))]);
    let answer = closed.to_real().expect("closed").enclose(&number("1e-20"), &Budget::unlimited()).expect("an answer");
    assert!(answer.reached);
    answer.enclosure
}

fn sin(g: &Graph) -> Graph {
    Graph::function(Elementary::Sin, g)
}

fn times(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

/// S34: to restrict and then apply is to apply and then restrict. A function over the stage (u) is pulled back along
/// `w ↦ u = sin w` and applied to an argument over the stage (w).
#[test]
fn application_is_natural_in_the_stage() {
    let (u, w) = (Variable::fresh(), Variable::fresh());
    let (gu, gw) = (Graph::variable(u), Graph::variable(w));
    let scaled = gu.clone();
    let f = Element::from_closure(move |x| {
        Ok(Element::Real(Graph::binary(Binary::Add, &times(&scaled, x.as_real()?), &sin(x.as_real()?))))
    });
    let along = [(u, sin(&gw))];
    let argument = Element::Real(times(&gw, &gw));
    let pulled = f.restrict(&along);
    let first = pulled.as_function().unwrap().apply(&argument).unwrap();
    let second = f.as_function().unwrap().apply(&argument).unwrap().restrict(&along);
    for x in [(3, 7), (-5, 4), (0, 1)] {
        let by_hand = times(&sin(&gw), &times(&gw, &gw));
        let by_hand = Graph::binary(Binary::Add, &by_hand, &sin(&times(&gw, &gw)));
        let expected = at(&by_hand, w, x);
        for found in [&first, &second] {
            assert!(at(found.as_real().unwrap(), w, x).overlaps(&expected));
        }
    }
}

/// S35: a map gives a function, and the function at the generic point gives the map back.
#[test]
fn yoneda() {
    let (v, w) = (Variable::fresh(), Variable::fresh());
    let map = sin(&times(&Graph::variable(v), &Graph::variable(v)));
    let inner = map.clone();
    let f = Element::from_closure(move |x| Ok(Element::Real(inner.substitute(&[(v, x.as_real()?.clone())]))));
    let back = f.as_function().unwrap().apply(&Element::Real(Graph::variable(w))).unwrap();
    let back = back.as_real().unwrap();
    let derivative = |g: &Graph, v: Variable| {
        Graph::derivative(vec![v], g.clone(), vec![Graph::variable(v)], vec![Graph::integer(1)])
    };
    for x in [(3, 7), (-5, 4), (0, 1)] {
        assert!(at(back, w, x).overlaps(&at(&map, v, x)));
        assert!(at(&derivative(back, w), w, x).overlaps(&at(&derivative(&map, v), v, x)));
    }
}

/// S34: β and η, at ground and at function types, under integrals and derivatives.
#[test]
fn beta_and_eta() {
    for (left, right) in [
        (r"(\x y => exp (x * y) - y) 0.3 0.7", "exp (0.3 * 0.7) - 0.7"),
        (r"(\f => integral01 (\x => f (f x))) sin", r"integral01 (\x => sin (sin x))"),
        (r"integral01 (\x => sin x)", "integral01 sin"),
        (r"deriv (\x => (\y => x * y) (x + 1)) 0.4", r"deriv (\x => x * (x + 1)) 0.4"),
        (r"(\i => i (\x => i (\y => exp (x * y)))) integral01", r"integral01 (\x => integral01 (\y => exp (x * y)))"),
        (r"(\i => i exp) (\f => integral01 (\x => f x))", "integral01 exp"),
        (r"let p = (\x => x^2, cos) in p[0] (p[1] 1)", "cos 1 ^ 2"),
        (r"deriv (\c => cutRoot (\x => (\z => c - z^3) x)) 2", r"deriv (\c => cutRoot (\x => c - x^3)) 2"),
    ] {
        agree(left, right);
    }
}

/// Two infinitesimals are not confused, at ground type (T13) and at function type (X6).
#[test]
fn perturbations_are_not_confused() {
    agree(r"deriv (\x => x * deriv (\y => x + y) 1) 1", "1");
    agree(r"deriv (\x => x * deriv (\y => x * y^2) 1) 3", "12");
    let shift = r"let s (u : Real) (p : (Real -> Real) * Real) : Real = (p[0]) (p[1] + u) in
        let d = snd (tangentTo_R.to (tangent s (tangent_R.from (0, 1)))) in ";
    agree(&format!(r"{shift} d (\y => d (exp, y), 0)"), "1"); // exp″(0)
    agree(&format!(r"{shift} d (\y => d (sin, y), 0.5)"), "-(sin 0.5)");
}

/// S49: the vector (0, 1) moving in the direction (1, 0), represented over ℝ² and over ℝ.
#[test]
fn representatives_of_one_tangent_agree() {
    let over_plane = "tangentProd.from (tangent_R.from (0, 1), tangent_R.from (1, 0))";
    let over_line = r"tangent (\t => (0 + t * 1, 1 + t * 0)) (tangent_R.from (0, 1))";
    let shown = |v: &str, i: usize, j: usize| format!("(tangent_R.to ((tangentProd.to ({v}))[{i}]))[{j}]");
    for (i, j, value) in [(0, 0, "0"), (0, 1, "1"), (1, 0, "1"), (1, 1, "0")] {
        for v in [over_plane, over_line] {
            agree(&shown(v, i, j), value);
        }
    }
    // a functional sees the same in both: d(x·exp y) = e at (0, 1) along (1, 0)
    for v in [over_plane, over_line] {
        agree(&format!(r"snd (tangent_R.to (tangent (\p => p[0] * exp p[1]) ({v})))"), "e");
    }
    // and tells apart what differs
    let other = r"tangent (\t => (0 + t * 2, 1)) (tangent_R.from (0, 1))";
    assert!(!ask(&shown(other, 0, 1)).0.overlaps(&ask(&shown(over_line, 0, 1)).0));
}

/// S50: Tan ℜ ≅ ℜ * ℜ, and the base point.
#[test]
fn tangents_to_the_reals() {
    agree("fst (tangent_R.to (tangent_R.from (pi, e)))", "pi");
    agree("snd (tangent_R.to (tangent_R.from (pi, e)))", "e");
    agree("tangentValue (tangent_R.from (pi, e))", "pi");
    agree("snd (tangent_R.to (tangent_R.from (tangent_R.to (tangent sin (tangent_R.from (1, 2))))))", "2 * cos 1");
}

/// S51 (E10): Tan (A * B) ≅ Tan A * Tan B, one tangent used twice included.
#[test]
fn tangents_to_products() {
    let there_and_back = "tangentProd.to (tangentProd.from (tangent_R.from (2, 3), tangent_R.from (5, 7)))";
    for (i, j, value) in [(0, 0, "2"), (0, 1, "3"), (1, 0, "5"), (1, 1, "7")] {
        agree(&format!("(tangent_R.to (({there_and_back})[{i}]))[{j}]"), value);
    }
    let product = r"tangent (\p => p[0] * p[1])";
    agree(&format!("let v = tangent_R.from (2, 3) in snd (tangent_R.to ({product} (tangentProd.from (v, v))))"), "12");
}

/// S52 (E9): Tan (A → ℜ) ≅ (A → ℜ) * (A → ℜ) where values are defined, and only there: x + 0·⊥ = ⊥.
#[test]
fn tangents_to_functions() {
    let there_and_back = "tangentTo_R.to (tangentTo_R.from (sin, exp))";
    agree(&format!("(fst ({there_and_back})) 0.7"), "sin 0.7");
    agree(&format!("(snd ({there_and_back})) 0.7"), "exp 0.7");
    agree("(tangentValue (tangentTo_R.from (sin, exp))) 0.7", "sin 0.7");
    let undefined = r"(fst (tangentTo_R.to (tangentTo_R.from (\x => x, \x => log (-1))))) 1";
    assert!(ask(undefined).0.is_bottom());
    // the element varies with the stage: d/dc of ∫ f_c df_c for f_c = sin (c·x), df_c = x·cos (c·x), at c = 1
    let stage = r"deriv (\c => der (\f => integral01 (\x => f x ^ 2)) (\x => sin (c * x)) (\x => x * cos (c * x))) 1";
    agree(stage, r"deriv (deriv (\c => integral01 (\x => sin (c * x) ^ 2))) 1");
}

/// A derivative along a curve of functions is the derivative of the functional along its velocity.
#[test]
fn functionals_along_curves() {
    for functional in [
        r"(\f => integral01 (\x => f x ^ 2))",
        r"(\f => f (f 0.2))",
        r"(\f => exp (f 0.5) * integral01 (\x => f (x^2)))",
        r"(\f => integral01 (\x => integral01 (\y => f (x * y) * f x)))",
    ] {
        agree(
            &format!(r"der {functional} (\x => sin (0.6 * x)) (\x => x * cos (0.6 * x))"),
            &format!(r"deriv (\c => {functional} (\x => sin (c * x))) 0.6"),
        );
    }
}

/// S53: higher-order programs of ground type have consistent derivatives: they agree with difference quotients bounded
/// by the mean value theorem on a small interval.
#[test]
fn higher_order_programs_differentiate_consistently() {
    for f in [
        r"(\c => twice (\x => c * sin x) 0.8)",
        r"(\c => integral01 (twice (\x => x * c)))",
        r"(\c => (\g => g (g c)) (\x => cutRoot (\y => x - y - y^3)))",
        r"(\c => bernoulli c (\b => if b then c else exp c))",
    ] {
        let h = number("1e-6");
        let slope = ask(&format!("deriv {f} 0.5")).0;
        let rise = ask(&format!("({f} 0.500001 - {f} 0.5) / 0.000001")).0;
        let second = ask(&format!("deriv (deriv {f}) 0.5")).0;
        // |f(x+h) - f(x) - h f′(x)| ≤ h² max|f″|, and |f″| stays below 100 here
        let bound = Rational::from(&h * 100);
        assert!(*second.lo() > -100 && *second.hi() < 100, "{f}: {second}");
        let (low, high) = (slope.lo().to_rational().unwrap() - &bound, slope.hi().to_rational().unwrap() + &bound);
        assert!(*rise.hi() >= low && *rise.lo() <= high, "{f}: {rise} against {slope}");
    }
}

/// Sums and lists are constant in the stage (H §5.2): restriction keeps the constructor and the length, and acts inside. To
/// look at the constructor and then restrict is to restrict and then look, and folds commute with restriction.
#[test]
fn variants_and_lists_are_restricted_inside() {
    let (u, w) = (Variable::fresh(), Variable::fresh());
    let (gu, gw) = (Graph::variable(u), Graph::variable(w));
    let scaled = gu.clone();
    let scale = Element::from_closure(move |x| Ok(Element::Real(times(&scaled, x.as_real()?))));
    let list = Element::List([Element::Real(gu.clone()), scale, Element::Unit].into_iter().collect());
    let element = Element::Variant(1, SharedBox::new(Element::tuple_of([Element::Real(sin(&gu)), list])));
    let along = [(u, times(&gw, &gw))];
    let (index, inside) = element.as_variant().unwrap();
    let restricted = element.restrict(&along);
    let (same, moved) = restricted.as_variant().unwrap();
    assert_eq!((index, same), (1, 1));
    let first = |element: &Element| element.as_tuple().unwrap()[0].as_real().unwrap().clone();
    let elements =
        |element: &Element| element.as_tuple().unwrap()[1].as_list().unwrap().iter().cloned().collect::<Vec<_>>();
    let (before, after) = (elements(&inside.restrict(&along)), elements(moved));
    assert_eq!((before.len(), after.len()), (3, 3));
    let argument = Element::Real(gw.clone());
    for x in [(3, 7), (-5, 4), (0, 1)] {
        let square = times(&gw, &gw);
        let cube = times(&square, &gw);
        for parts in [&before, &after] {
            assert!(at(parts[0].as_real().unwrap(), w, x).overlaps(&at(&square, w, x)));
            let applied = parts[1].as_function().unwrap().apply(&argument).unwrap();
            assert!(at(applied.as_real().unwrap(), w, x).overlaps(&at(&cube, w, x)));
        }
        for whole in [&inside.restrict(&along), moved] {
            assert!(at(&first(whole), w, x).overlaps(&at(&sin(&square), w, x)));
        }
    }
    let numbers = Element::List((0..4).map(|n| Element::Real(times(&gu, &Graph::integer(n)))).collect());
    let sum = |list: &Element| {
        let zero = Graph::integer(0);
        let add = |x: &Element, rest: Graph| Ok(Graph::binary(Binary::Add, x.as_real()?, &rest));
        list.as_list().unwrap().try_fold_right(zero, add).map_err(|e: smoothish::value::ValueError| e).unwrap()
    };
    let (one, other) = (sum(&numbers.restrict(&along)), sum(&numbers).substitute(&along));
    for x in [(3, 7), (-5, 4)] {
        let six = times(&Graph::integer(6), &times(&gw, &gw));
        assert!(at(&one, w, x).overlaps(&at(&six, w, x)) && at(&other, w, x).overlaps(&at(&six, w, x)));
    }
}
