//! Primitives from Rust: they give their pieces and their derivatives, and what does not fit together is refused.

use super::*;
use smoothish::glue::dual::primitive::tried;
use smoothish::meaning::pap::foreign::{Foreign, ForeignError, Part, Piecewise, Primitive, World};
use smoothish::meaning::pap::replay::{MOST_STEPS, Unfolding};
use smoothish::meaning::pap::rules::Paper;
use smoothish::pieces::{Outcome, Test};
use smoothish::presheaf::dynamic::Element;
use smoothish::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish::syntax::ty::Ty;
use smoothish::value::{Value as Of, ValueError};

const SAMPLES: u64 = 40;

fn x() -> (Variable, Graph) {
    let v = Variable::fresh();
    (v, Graph::variable(v))
}

/// relu by three pieces, with these slopes on them.
fn relu(slopes: [i64; 3]) -> Result<Piecewise, ForeignError> {
    let (v, x) = x();
    let [right, middle, left] = slopes.map(|q| vec![Graph::integer(q)]);
    let zero = Graph::integer(0);
    let parts = vec![
        Part::new(vec![(x.clone(), Test::Positive, true)], &x, right),
        Part::new(vec![(x.clone(), Test::Zero, true)], &zero, middle),
        Part::new(vec![(x.clone(), Test::NonNegative, false)], &zero, left),
    ];
    Piecewise::new("relu", vec![v], parts)
}

fn numbers(primitives: Vec<Primitive>, text: &str) -> Vec<Enclosure> {
    let (term, ty) = Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let pap = InPieces { primitives, ..InPieces::default() };
    enclosures(&pap.answer(&term, &ty, &ratio("1e-9"), &budget()).unwrap_or_else(|e| panic!("{text}: {e}")).value)
}

#[track_caller]
fn has(primitives: Vec<Primitive>, text: &str, expected: &[&str]) {
    let found = numbers(primitives, text);
    assert_eq!(found.len(), expected.len());
    for (found, number) in found.iter().zip(expected) {
        assert!(found.contains(&ratio(number)) && found.is_within(&ratio("1e-8")), "{text}: {found}, not {number}");
    }
}

/// W §3.3: any number is a slope at a point, and none but the right one on a piece with an inside.
#[test]
fn a_primitive_has_the_slope_that_it_gives_at_a_point() {
    for c in [-7, 0, 3] {
        let relu: Primitive = relu([1, c, 0]).unwrap().into();
        tried(&relu, SAMPLES, 1).unwrap();
        let c = c.to_string();
        has(
            vec![relu.clone()],
            r"\(f : Real -> Real) => (f 2, f 0, deriv f 2, deriv f 0, deriv f (-1))",
            &["2", "0", "1", &c, "0"],
        );
        // f(x) = x relu(x²-1) at 1: relu + x · c · 2x
        let at_1 = (2 * c.parse::<i64>().unwrap()).to_string();
        has(vec![relu], r"\(f : Real -> Real) => deriv (\x => x * f (x * x - 1)) 1", &[&at_1]);
    }
    for wrong in [[2, 0, 0], [1, 0, 1], [-1, 0, 0]] {
        let refused = tried(&relu(wrong).unwrap().into(), SAMPLES, 1).unwrap_err();
        assert!(matches!(refused, ForeignError::NotDual { .. }), "{refused}");
        assert!(
            refused.to_string().starts_with("the primitive `relu` is not differentiated by its derivative: at "),
            "{refused}"
        );
    }
}

/// What gives no pieces, no derivative, a kink within a piece or two pieces at one point is refused when it is made.
#[test]
fn incomplete_primitives_are_refused() {
    let (v, x) = x();
    let none = Piecewise::new("f", vec![v], Vec::new()).unwrap_err();
    assert_eq!(
        none.to_string(),
        "the primitive `f` gives no pieces; say by which guards it is which analytic map, and its derivatives there"
    );
    let without = Piecewise::new("f", vec![v], vec![Part::new(Vec::new(), &x, Vec::new())]).unwrap_err();
    assert_eq!(without, ForeignError::NoDerivative { name: "f".into(), expected: 1, found: 0 });
    let kink = Graph::binary(Binary::Maximum, &x, &Graph::integer(0));
    let one = || vec![Graph::integer(1)];
    let kinked = Piecewise::new("f", vec![v], vec![Part::new(Vec::new(), &kink, one())]).unwrap_err();
    assert!(matches!(kinked, ForeignError::NotAnalytic { .. }), "{kinked}");
    let twice = vec![
        Part::new(vec![(x.clone(), Test::NonNegative, true)], &x, one()),
        Part::new(vec![(x.clone(), Test::Positive, false)], &x, one()),
    ];
    assert_eq!(
        Piecewise::new("f", vec![v], twice).unwrap_err(),
        ForeignError::Overlap { name: "f".into(), point: "(0)".into() }
    );
    // it has no value anywhere
    let nowhere = vec![Part::new(vec![(x.clone(), Test::Positive, true), (x.clone(), Test::Zero, true)], &x, one())];
    let refused = tried(&Piecewise::new("f", vec![v], nowhere).unwrap().into(), SAMPLES, 1);
    assert!(refused.is_ok() || matches!(refused, Err(ForeignError::Untried { .. })));
}

/// f ↦ max (f 0) (f 1), with the derivative of the larger, or of the first alone.
#[derive(Clone, Copy, Debug)]
struct Peak {
    first_alone: bool,
}

impl Peak {
    fn values(f: &Element) -> Result<[Element; 2], ValueError> {
        let at = |q: i64| f.as_function()?.apply(&Of::Real(Graph::integer(q)));
        Ok([at(0)?, at(1)?])
    }
}

impl Foreign for Peak {
    fn name(&self) -> &str {
        "peak"
    }
    fn domain(&self) -> Ty {
        Ty::function(Ty::real(), Ty::real())
    }
    fn value(&self, world: &dyn World, f: &Element) -> Result<Graph, ValueError> {
        let [a, b] = Self::values(f)?;
        let (a, b) = (a.as_real()?, b.as_real()?);
        let is_first = world.holds(&Graph::binary(Binary::Subtract, a, b), Test::NonNegative)?;
        Ok(if is_first { a } else { b }.clone())
    }
    fn dual(&self, world: &dyn World, f: &Element) -> Result<[Graph; 2], ValueError> {
        let pair = |q: i64| Of::tuple([Of::Real(Graph::integer(q)), Of::Real(Graph::integer(0))]);
        let at = |q: i64| -> Result<Vec<Graph>, ValueError> {
            Ok(f.as_function()?.apply(&pair(q))?.coordinates()?.into_iter().cloned().collect())
        };
        let (a, b) = (at(0)?, at(1)?);
        let is_first = world.holds(&Graph::binary(Binary::Subtract, &a[0], &b[0]), Test::NonNegative)?;
        let [value, slope] = [0, 1].map(|k| if is_first || (k == 1 && self.first_alone) { &a[k] } else { &b[k] });
        Ok([value.clone(), slope.clone()])
    }
}

/// A primitive of a function: its derivative is that of the larger value.
#[test]
fn functions_are_arguments_of_primitives() {
    let right: Primitive = Peak { first_alone: false }.into();
    tried(&right, SAMPLES, 2).unwrap();
    // max c² (3 + c): 3 + c up to 2.3…, and c² beyond
    let text = r"\(peak : (Real -> Real) -> Real) => let g = \c => peak (\t => if t > 1/2 then 3 + c else c * c) in (g 1, deriv g 1, g 4, deriv g 4)";
    has(vec![right], text, &["4", "1", "16", "8"]);
    let wrong: Primitive = Peak { first_alone: true }.into();
    has(vec![wrong.clone()], text, &["4", "2", "16", "8"]);
    let refused = tried(&wrong, SAMPLES, 2).unwrap_err();
    assert!(matches!(refused, ForeignError::NotDual { .. }), "{refused}");
}

/// A primitive of two numbers, and pieces of a program with it: x |y| has the slope (|y|, x sign y).
#[test]
fn pieces_of_programs_with_primitives() {
    let ((v, x), (w, y)) = (x(), x());
    let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
    let minus = |a: &Graph| Graph::unary(Unary::Negate, a);
    let parts = |sign: i64| {
        let side = |test, holds| vec![(y.clone(), test, holds)];
        let right = Part::new(side(Test::NonNegative, true), &times(&x, &y), vec![y.clone(), x.clone()]);
        let slopes = vec![minus(&y), if sign < 0 { minus(&x) } else { x.clone() }];
        vec![right, Part::new(side(Test::NonNegative, false), &minus(&times(&x, &y)), slopes)]
    };
    let scaled: Primitive = Piecewise::new("scaled", vec![v, w], parts(-1)).unwrap().into();
    tried(&scaled, SAMPLES, 3).unwrap();
    assert!(tried(&Piecewise::new("scaled", vec![v, w], parts(1)).unwrap().into(), SAMPLES, 3).is_err());
    let (term, _) = Session::new().infer(r"\(f : Real * Real -> Real) => \(x : Real) => f (x, x - 1)").unwrap();
    let unfolding =
        Unfolding { rules: Arc::new(Paper), unfoldings: None, limit: 9, steps: MOST_STEPS, budget: budget() };
    let found = unfolding.with(&[scaled], &term, &ratio("0"), &ratio("3")).unwrap().pap;
    let mut shown: Vec<_> = found
        .pieces
        .iter()
        .map(|piece| {
            let Outcome::Value(g) = &piece.outcome else { panic!("a value") };
            // of a map whose derivative is its own nothing is wrapped
            let at_2 = g.substitute(&[(found.variables[0], Graph::integer(2))]);
            (piece.region.as_ref().unwrap().to_string(), at_2.as_rational().unwrap().to_string())
        })
        .collect();
    shown.sort();
    // x (x - 1) is 2 at 2
    assert_eq!(shown, [("[0, 1)".to_owned(), "-2".to_owned()), ("[1, 3]".to_owned(), "2".to_owned())]);
}
