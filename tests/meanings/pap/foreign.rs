//! Primitives from Rust: they give their pieces and their derivatives, and what does not fit together is refused.

use super::*;
use smoothish::glue::dual::lemma::test_primitive;
use smoothish::meaning::pap::DefaultPiecewiseHooks;
use smoothish::meaning::pap::foreign::{
    ForeignError, ForeignFunction, ForeignPrimitive, PiecewisePrimitive, PrimitiveGuards, PrimitivePiece,
};
use smoothish::meaning::pap::replay::{ExplorationOptions, MAX_RUN_STEPS};
use smoothish::pieces::SignTest;
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
fn relu(slopes: [i64; 3]) -> Result<PiecewisePrimitive, ForeignError> {
    let (v, x) = x();
    let [right, middle, left] = slopes.map(|q| vec![Graph::integer(q)]);
    let zero = Graph::integer(0);
    let parts = vec![
        PrimitivePiece::new(vec![(x.clone(), SignTest::Positive, true)], &x, right),
        PrimitivePiece::new(vec![(x.clone(), SignTest::Zero, true)], &zero, middle),
        PrimitivePiece::new(vec![(x.clone(), SignTest::NonNegative, false)], &zero, left),
    ];
    PiecewisePrimitive::new("relu", vec![v], parts)
}

fn numbers(primitives: Vec<ForeignPrimitive>, text: &str) -> Vec<Enclosure> {
    let (term, ty) = Session::new().infer(text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let pap = PiecewiseSemantics { primitives, ..PiecewiseSemantics::default() };
    enclosures(&pap.evaluate(&term, &ty, &ratio("1e-9"), &budget()).unwrap_or_else(|e| panic!("{text}: {e}")).value)
}

#[track_caller]
fn has(primitives: Vec<ForeignPrimitive>, text: &str, expected: &[&str]) {
    let found = numbers(primitives, text);
    assert_eq!(found.len(), expected.len());
    for (found, number) in found.iter().zip(expected) {
        assert!(
            found.contains(&ratio(number)) && found.has_width_at_most(&ratio("1e-8")),
            "{text}: {found}, not {number}"
        );
    }
}

/// W §3.3: any number is a slope at a point, and none but the right one on a piece with an inside.
#[test]
fn a_primitive_has_the_slope_that_it_gives_at_a_point() {
    for c in [-7, 0, 3] {
        let relu: ForeignPrimitive = relu([1, c, 0]).unwrap().into();
        test_primitive(&relu, SAMPLES, 1).unwrap();
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
        let refused = test_primitive(&relu(wrong).unwrap().into(), SAMPLES, 1).unwrap_err();
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
    let none = PiecewisePrimitive::new("f", vec![v], Vec::new()).unwrap_err();
    assert_eq!(
        none.to_string(),
        "the primitive `f` has no pieces; give the guards of each piece, its analytic map, and its derivatives"
    );
    let without =
        PiecewisePrimitive::new("f", vec![v], vec![PrimitivePiece::new(Vec::new(), &x, Vec::new())]).unwrap_err();
    assert_eq!(without, ForeignError::NoDerivative { name: "f".into(), expected: 1, found: 0 });
    let kink = Graph::binary(Binary::Maximum, &x, &Graph::integer(0));
    let one = || vec![Graph::integer(1)];
    let kinked =
        PiecewisePrimitive::new("f", vec![v], vec![PrimitivePiece::new(Vec::new(), &kink, one())]).unwrap_err();
    assert!(matches!(kinked, ForeignError::NotAnalytic { .. }), "{kinked}");
    let twice = vec![
        PrimitivePiece::new(vec![(x.clone(), SignTest::NonNegative, true)], &x, one()),
        PrimitivePiece::new(vec![(x.clone(), SignTest::Positive, false)], &x, one()),
    ];
    assert_eq!(
        PiecewisePrimitive::new("f", vec![v], twice).unwrap_err(),
        ForeignError::Overlap { name: "f".into(), point: "(0)".into() }
    );
    let guard = smoothish::smooth::graph::Guard::positive(&x);
    for (opaque, what) in [
        (Graph::select(&guard, &x, &Graph::integer(0)), "a choice by a guard"),
        (Graph::integral(Variable::fresh(), x.clone()), "an integral, a root or an optimum"),
    ] {
        let refused =
            PiecewisePrimitive::new("f", vec![v], vec![PrimitivePiece::new(Vec::new(), &opaque, one())]).unwrap_err();
        assert_eq!(refused, ForeignError::Opaque { name: "f".into(), what: what.into() });
    }
    let other = Graph::variable(Variable::fresh());
    let strange =
        PiecewisePrimitive::new("f", vec![v], vec![PrimitivePiece::new(Vec::new(), &other, one())]).unwrap_err();
    assert_eq!(strange, ForeignError::Variable { name: "f".into() });
    // it has no value anywhere
    let nowhere = vec![PrimitivePiece::new(
        vec![(x.clone(), SignTest::Positive, true), (x.clone(), SignTest::Zero, true)],
        &x,
        one(),
    )];
    let refused = test_primitive(&PiecewisePrimitive::new("f", vec![v], nowhere).unwrap().into(), SAMPLES, 1);
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

impl ForeignFunction for Peak {
    fn name(&self) -> &str {
        "peak"
    }
    fn domain_type(&self) -> Ty {
        Ty::function(Ty::real(), Ty::real())
    }
    fn value_on_piece(&self, world: &dyn PrimitiveGuards, f: &Element) -> Result<Graph, ValueError> {
        let [a, b] = Self::values(f)?;
        let (a, b) = (a.as_real()?, b.as_real()?);
        let is_first = world.decide_test(&Graph::binary(Binary::Subtract, a, b), SignTest::NonNegative)?;
        Ok(if is_first { a } else { b }.clone())
    }
    fn dual_on_piece(&self, world: &dyn PrimitiveGuards, f: &Element) -> Result<[Graph; 2], ValueError> {
        let pair = |q: i64| Of::tuple_of([Of::Real(Graph::integer(q)), Of::Real(Graph::integer(0))]);
        let at = |q: i64| -> Result<Vec<Graph>, ValueError> {
            Ok(f.as_function()?.apply(&pair(q))?.coordinates()?.into_iter().cloned().collect())
        };
        let (a, b) = (at(0)?, at(1)?);
        let is_first = world.decide_test(&Graph::binary(Binary::Subtract, &a[0], &b[0]), SignTest::NonNegative)?;
        let [value, slope] = [0, 1].map(|k| if is_first || (k == 1 && self.first_alone) { &a[k] } else { &b[k] });
        Ok([value.clone(), slope.clone()])
    }
}

/// A primitive of a function: its derivative is that of the larger value.
#[test]
fn functions_are_arguments_of_primitives() {
    let right: ForeignPrimitive = Peak { first_alone: false }.into();
    test_primitive(&right, SAMPLES, 2).unwrap();
    // max c² (3 + c): 3 + c up to 2.3…, and c² beyond
    let text = r"\(peak : (Real -> Real) -> Real) => let g = \c => peak (\t => if t > 1/2 then 3 + c else c * c) in (g 1, deriv g 1, g 4, deriv g 4)";
    has(vec![right], text, &["4", "1", "16", "8"]);
    let wrong: ForeignPrimitive = Peak { first_alone: true }.into();
    has(vec![wrong.clone()], text, &["4", "2", "16", "8"]);
    let refused = test_primitive(&wrong, SAMPLES, 2).unwrap_err();
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
        let right = PrimitivePiece::new(side(SignTest::NonNegative, true), &times(&x, &y), vec![y.clone(), x.clone()]);
        let slopes = vec![minus(&y), if sign < 0 { minus(&x) } else { x.clone() }];
        vec![right, PrimitivePiece::new(side(SignTest::NonNegative, false), &minus(&times(&x, &y)), slopes)]
    };
    let scaled: ForeignPrimitive = PiecewisePrimitive::new("scaled", vec![v, w], parts(-1)).unwrap().into();
    test_primitive(&scaled, SAMPLES, 3).unwrap();
    assert!(
        test_primitive(&PiecewisePrimitive::new("scaled", vec![v, w], parts(1)).unwrap().into(), SAMPLES, 3).is_err()
    );
    let (term, _) = Session::new().infer(r"\(f : Real * Real -> Real) => \(x : Real) => f (x, x - 1)").unwrap();
    let unfolding = ExplorationOptions {
        hooks: Arc::new(DefaultPiecewiseHooks),
        unfolding_limit: None,
        limit: 9,
        max_steps: MAX_RUN_STEPS,
        budget: budget(),
    };
    let found = unfolding.explore_with_primitives(&[scaled], &term, &ratio("0"), &ratio("3")).unwrap().pap;
    let mut shown: Vec<_> = found
        .pieces
        .iter()
        .map(|piece| {
            let Some(g) = piece.outcome.as_number() else { panic!("a value") };
            // of a map whose derivative is its own nothing is wrapped
            let at_2 = g.substitute(&[(found.variables[0], Graph::integer(2))]);
            (piece.region.as_ref().unwrap().to_string(), at_2.as_rational().unwrap().to_string())
        })
        .collect();
    shown.sort();
    // x (x - 1) is 2 at 2
    assert_eq!(shown, [("[0, 1)".to_owned(), "-2".to_owned()), ("[1, 3]".to_owned(), "2".to_owned())]);
}

/// Small maps, by hand.
mod by_hand {
    use super::{Binary, Graph};
    use smoothish::function::Function;
    use smoothish::number::Rational;

    pub fn plus(a: &Graph, b: &Graph) -> Graph {
        Graph::binary(Binary::Add, a, b)
    }
    pub fn minus(a: &Graph, b: &Graph) -> Graph {
        Graph::binary(Binary::Subtract, a, b)
    }
    pub fn times(a: &Graph, b: &Graph) -> Graph {
        Graph::binary(Binary::Multiply, a, b)
    }
    pub fn over(a: &Graph, b: &Graph) -> Graph {
        Graph::binary(Binary::Divide, a, b)
    }
    pub fn of(f: Function, a: &Graph) -> Graph {
        Graph::function(f, a)
    }
    pub fn power(a: &Graph, p: i64, q: i64) -> Graph {
        Graph::power(a, &Rational::from((p, q))).unwrap()
    }
    pub fn ratio(p: i64, q: i64) -> Graph {
        Graph::rational(Rational::from((p, q)))
    }
}

/// What is proven of a map on a piece: that it is analytic there, or a point at which it is not.
#[test]
fn maps_of_pieces_are_proven_to_be_analytic() {
    use SignTest::{NonNegative, Positive, Zero};
    use by_hand::*;
    use smoothish::function::Function::{Acos, Cbrt, Cos, Exp, Log, Sin, Sqrt, Tan};
    use smoothish::function::Planar;
    let ((v, x), (w, y)) = (self::x(), self::x());
    let one = Graph::integer(1);
    let new = |guards: Vec<(Graph, SignTest, bool)>, value: &Graph| {
        PiecewisePrimitive::new(
            "f",
            vec![v, w],
            vec![PrimitivePiece::new(guards, value, vec![one.clone(), one.clone()])],
        )
        .map(drop)
    };
    let (all, right) = (Vec::new, || vec![(x.clone(), Positive, true)]);
    let within = |from: i64, to: i64| {
        vec![(minus(&x, &ratio(from, 1)), NonNegative, true), (minus(&ratio(to, 1), &x), NonNegative, true)]
    };
    let square = times(&x, &x);
    let angle = Graph::binary(Binary::Planar(Planar::Atan2), &y, &x);
    let quadrant = || [right(), vec![(y.clone(), Positive, true)]].concat();
    for (guards, value) in [
        (right(), over(&one, &x)),
        (vec![(x.clone(), Zero, false)], over(&one, &x)),
        (vec![(x.clone(), Zero, false)], power(&square, 1, 2)),
        (right(), of(Log, &of(Sqrt, &x))),
        (all(), over(&one, &plus(&one, &plus(&square, &times(&y, &y))))),
        (all(), over(&x, &of(Exp, &times(&x, &y)))),
        (quadrant(), of(Log, &times(&x, &y))),
        (quadrant(), power(&plus(&x, &y), 1, 2)),
        (vec![(of(Sin, &x), Positive, true)], of(Log, &of(Sin, &x))),
        (within(-1, 1), over(&one, &of(Cos, &x))),
        (within(-1, 1), of(Tan, &x)),
        (within(-3, 4), power(&minus(&ratio(17, 1), &square), -1, 3)),
        (right(), of(smoothish::function::Function::LOG_GAMMA, &x)),
        (right(), angle.clone()),
        (vec![(y.clone(), Zero, false)], angle.clone()),
        // the second guard is asked where the first one holds
        ([right(), vec![(of(Log, &x), Positive, true)]].concat(), of(Log, &of(Log, &x))),
        // kinks are off the piece
        (right(), Graph::unary(Unary::Abs, &x)),
        (vec![(minus(&x, &y), Positive, true)], Graph::binary(Binary::Maximum, &x, &y)),
    ] {
        assert_eq!(new(guards, &value), Ok(()), "{value:?}");
    }
    let (nowhere, third) = ("nowhere", minus(&x, &ratio(1, 3)));
    for (guards, value, point) in [
        (all(), over(&one, &x), "(0, "),
        // the absolute value, as a root of a square
        (all(), power(&square, 1, 2), "(0, "),
        (vec![(x.clone(), NonNegative, true)], of(Sqrt, &x), "(0, "),
        (all(), over(&one, &third), "(1/3, "),
        (all(), of(Log, &x), "("),
        (all(), of(Cbrt, &third), "(1/3, "),
        (all(), over(&one, &plus(&square, &times(&y, &y))), "(0, 0)"),
        (all(), Graph::unary(Unary::Abs, &third), "(1/3, "),
        (all(), Graph::binary(Binary::Maximum, &x, &y), "("),
        (within(0, 1), of(Acos, &x), "(1, "),
        (all(), angle.clone(), "("),
        (vec![(over(&one, &x), Positive, true)], x.clone(), "(0, "),
    ] {
        let refused = new(guards, &value).unwrap_err();
        let ForeignError::NotAnalytic { point: found, .. } = &refused else { panic!("{value:?}: {refused}") };
        assert!(found.starts_with(point) && !found.contains(nowhere), "{value:?}: {refused}");
    }
    // where no rational number is a root neither is found
    let refused = new(all(), &over(&one, &of(Cos, &x))).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "it is not proved for the primitive `f` that `/` is analytic where it is asked; add guards that imply it, or that bound the pieces"
    );
}

/// Two pieces have no point in common, wherever their border is, and cover, where that is claimed.
#[test]
fn pieces_of_primitives_are_proven_to_be_apart() {
    use SignTest::{NonNegative, Positive, Zero};
    use by_hand::*;
    let ((v, x), (w, y)) = (self::x(), self::x());
    let new = |variables: &[Variable], sides: &[(&Graph, SignTest, bool)]| {
        let slopes = || vec![Graph::integer(0); variables.len()];
        let part = |(g, test, holds): &(&Graph, SignTest, bool)| {
            PrimitivePiece::new(vec![((*g).clone(), *test, *holds)], &Graph::integer(0), slopes())
        };
        PiecewisePrimitive::new("f", variables.to_vec(), sides.iter().map(part).collect())
    };
    let overlap = |found: Result<PiecewisePrimitive, ForeignError>| match found {
        Err(ForeignError::Overlap { point, .. }) => point,
        other => panic!("{other:?}"),
    };
    let third = minus(&x, &ratio(1, 3));
    let root = minus(&times(&x, &x), &ratio(2, 1));
    let (both, tilted) = ([v, w], minus(&plus(&x, &times(&ratio(3, 1), &y)), &ratio(1, 7)));
    assert_eq!(overlap(new(&[v], &[(&third, NonNegative, true), (&third, Positive, false)])), "(1/3)");
    assert_eq!(
        overlap(new(&[v], &[(&root, NonNegative, true), (&root, Positive, false)])),
        "{-1.414213562373…} ∪ {1.414213562373…}"
    );
    overlap(new(&both, &[(&tilted, NonNegative, true), (&tilted, Positive, false)]));
    // x³ and x have one sign
    let cube = times(&x, &times(&x, &x));
    assert_eq!(overlap(new(&[v], &[(&cube, NonNegative, true), (&x, Positive, false)])), "(0)");
    let cut = |g: &Graph, variables: &[Variable]| {
        let all = [(g, Positive, true), (g, Zero, true), (g, NonNegative, false)];
        assert!(new(variables, &all).unwrap().require_cover().is_ok(), "{g:?}");
        let gap = new(variables, &[all[0], all[2]]).unwrap().require_cover().unwrap_err();
        assert!(matches!(gap, ForeignError::Gap { .. }), "{gap}");
    };
    cut(&third, &[v]);
    cut(&root, &[v]);
    cut(&tilted, &both);
    let beyond = new(&[v], &[(&cube, Positive, true), (&x, Positive, false)]).unwrap();
    assert!(beyond.require_cover().is_ok());
    let gap = new(&[v], &[(&third, Positive, true), (&x, Positive, false)]).unwrap().require_cover().unwrap_err();
    assert!(gap.to_string().starts_with("the primitive `f` has no piece at ("), "{gap}");
}

/// c : τ → ℝ for any τ of numbers, tuples and functions between such: here of functions of three numbers, and of three numbers.
#[derive(Clone, Copy, Debug)]
struct Third {
    doubled: bool,
}

impl ForeignFunction for Third {
    fn name(&self) -> &str {
        "third"
    }
    fn domain_type(&self) -> Ty {
        let three = Ty::new(smoothish::syntax::ty::TyKind::Tuple(vec![Ty::real(); 3]));
        Ty::function(three, Ty::real())
    }
    fn value_on_piece(&self, _: &dyn PrimitiveGuards, f: &Element) -> Result<Graph, ValueError> {
        let at = Of::tuple_of([1, 2, 3].map(|n| Of::Real(Graph::integer(n))));
        Ok(f.as_function()?.apply(&at)?.as_real()?.clone())
    }
    fn dual_on_piece(&self, _: &dyn PrimitiveGuards, f: &Element) -> Result<[Graph; 2], ValueError> {
        let pair = |n: i64| Of::tuple_of([Of::Real(Graph::integer(n)), Of::Real(Graph::integer(0))]);
        let found = f.as_function()?.apply(&Of::tuple_of([1, 2, 3].map(pair)))?;
        let [value, slope] = [0, 1].map(|k| found.as_tuple().map(|parts| parts[k].as_real().cloned()));
        let (value, slope) = (value??, slope??);
        Ok([value, if self.doubled { Graph::binary(Binary::Add, &slope, &slope) } else { slope }])
    }
}

#[test]
fn functions_of_three_numbers_are_arguments_of_primitives() {
    let right: ForeignPrimitive = Third { doubled: false }.into();
    assert_eq!(test_primitive(&right, SAMPLES, 4), Ok(()));
    let refused = test_primitive(&Third { doubled: true }.into(), SAMPLES, 4).unwrap_err();
    assert!(matches!(refused, ForeignError::NotDual { .. }), "{refused}");
    // 1 + 2c + 3c² has the slope 2 + 6c
    let text =
        r"\(f : (Real * Real * Real -> Real) -> Real) => deriv (\c => f (\v => v[0] + c * v[1] + c * c * v[2])) 2";
    has(vec![right], text, &["14"]);
    let all: Vec<_> = (0..3).map(|_| x()).collect();
    let sum = all.iter().map(|(_, g)| g.clone()).reduce(|a, b| Graph::binary(Binary::Multiply, &a, &b)).unwrap();
    let product = |i: usize, j: usize| Graph::binary(Binary::Multiply, &all[i].1, &all[j].1);
    let variables: Vec<_> = all.iter().map(|(v, _)| *v).collect();
    let part = |slopes| {
        PiecewisePrimitive::new("product", variables.clone(), vec![PrimitivePiece::new(Vec::new(), &sum, slopes)])
    };
    assert_eq!(
        test_primitive(&part(vec![product(1, 2), product(0, 2), product(0, 1)]).unwrap().into(), SAMPLES, 5),
        Ok(())
    );
    assert!(
        test_primitive(&part(vec![product(1, 2), product(0, 2), product(0, 2)]).unwrap().into(), SAMPLES, 5).is_err()
    );
}

/// A primitive is of the type that a program takes.
#[test]
fn programs_take_primitives_of_their_type() {
    for (text, takes) in [
        (r"\(f : Real * Real -> Real) => f (1, 2)", "Real^2 -> Real"),
        (r"\(f : Real) => f + 1", "Real"),
        (r"(5 : Real)", "nothing"),
    ] {
        let (term, ty) = Session::new().infer(text).unwrap();
        let pap =
            PiecewiseSemantics { primitives: vec![relu([1, 0, 0]).unwrap().into()], ..PiecewiseSemantics::default() };
        let refused = pap.evaluate(&term, &ty, &ratio("1e-9"), &budget()).unwrap_err().to_string();
        assert_eq!(refused, format!("the primitive `relu` is of type Real -> Real, where a program takes {takes}"));
    }
}

/// What is given from Rust is a graph.
#[derive(Clone, Debug)]
struct Given(fn(&Graph) -> Graph, fn(&Graph) -> Graph);

impl ForeignFunction for Given {
    fn name(&self) -> &str {
        "given"
    }
    fn domain_type(&self) -> Ty {
        Ty::real()
    }
    fn value_on_piece(&self, _: &dyn PrimitiveGuards, x: &Element) -> Result<Graph, ValueError> {
        Ok(self.0(x.as_real()?))
    }
    fn dual_on_piece(&self, _: &dyn PrimitiveGuards, x: &Element) -> Result<[Graph; 2], ValueError> {
        let [value, slope] = [0, 1].map(|k| x.as_tuple().map(|parts| parts[k].as_real().cloned()));
        let (value, slope) = (value??, slope??);
        Ok([self.0(&value), Graph::binary(Binary::Multiply, &self.1(&value), &slope)])
    }
}

/// Where what a primitive gives is not analytic it has no value, and what never is is refused.
#[test]
fn what_is_given_has_values_where_it_is_analytic() {
    let inverse: fn(&Graph) -> Graph = |x| Graph::binary(Binary::Divide, &Graph::integer(1), x);
    let slope: fn(&Graph) -> Graph = |x| {
        let square = Graph::binary(Binary::Multiply, x, x);
        Graph::unary(Unary::Negate, &Graph::binary(Binary::Divide, &Graph::integer(1), &square))
    };
    let inverse: ForeignPrimitive = Given(inverse, slope).into();
    assert_eq!(test_primitive(&inverse, SAMPLES, 6), Ok(()));
    has(vec![inverse.clone()], r"\(f : Real -> Real) => (f 2, deriv f 2)", &["1/2", "-1/4"]);
    let at_0 = |primitive: &ForeignPrimitive| {
        let (term, ty) = Session::new().infer(r"\(f : Real -> Real) => f 0").unwrap();
        let pap = PiecewiseSemantics { primitives: vec![primitive.clone()], ..PiecewiseSemantics::default() };
        pap.evaluate(&term, &ty, &ratio("1e-9"), &budget()).unwrap_err()
    };
    let refused = at_0(&inverse);
    assert!(matches!(&refused, SemanticsError::Undefined(found) if found.cause == UndefinedCause::Domain), "{refused}");
    // the absolute value in one piece has no value at its kink; with a slope that is 1 there it was taken for one that has
    let abs: ForeignPrimitive = Given(|x| Graph::unary(Unary::Abs, x), |x| Graph::unary(Unary::Signum, x)).into();
    assert!(matches!(at_0(&abs), SemanticsError::Undefined(_)));
    let choice: fn(&Graph) -> Graph =
        |x| Graph::select(&smoothish::smooth::graph::Guard::positive(x), x, &Graph::integer(0));
    let refused = at_0(&Given(choice, |_| Graph::integer(1)).into()).to_string();
    assert_eq!(
        refused,
        "the model `pap` does not define a choice by a guard in the primitive `given`, whose domain of analyticity is not known"
    );
}
