//! Coproducts and lists.

use smoothish::host::prelude::*;
use smoothish::syntax::source::SourceText;
use smoothish::theory::loader::TheoryCollection;

type Maybe = Coprod!(HNil, Real);
type Shape = Coprod!(Real, HList![Real, Real], HNil);

fn contains(x: &Expr<Real>, truth: &str) {
    let answer = x.enclose(1e-9).unwrap_or_else(|error| panic!("{x}: {error}"));
    assert!(answer.reached && answer.enclosure.contains(&decimal::parse(truth).expect("a decimal")), "{x}: {answer:?}");
}

/// The area of a square, of a rectangle, of nothing.
fn area(s: Expr<Shape>) -> Expr<Real> {
    s.case(hlist![
        |side: Expr<Real>| side.pow(2),
        |sides: Expr<HList![Real, Real]>| {
            let hlist_pat![a, b] = sides.parts();
            a * b
        },
        |_: Expr<HNil>| 0.into_expr(),
    ])
}

#[test]
fn every_case_is_taken() {
    contains(&area(inject::<Real, Shape, _>(3)), "9");
    contains(&area(inject::<HList![Real, Real], Shape, _>((3, 4))), "12");
    contains(&area(inject::<HNil, Shape, _>(())), "0");
}

/// d/dx (x² + x·x³) = 2x + 4x³ at 2.
#[test]
fn derivatives_go_through_cases_and_lists() {
    let total = lam(|x: Expr<Real>| {
        let shapes = list([
            inject::<Real, Shape, _>(&x),
            inject::<HList![Real, Real], Shape, _>((&x, x.pow(3))),
            inject::<HNil, Shape, _>(()),
        ]);
        fold(lam2(|s: Expr<Shape>, sum: Expr<Real>| area(s) + sum), 0, shapes)
    });
    contains(&total.apply(2), "20");
    contains(&deriv(total).apply(2), "36");
}

#[test]
fn folds_are_from_the_right() {
    let f = lam2(|a: Expr<Real>, rest: Expr<Real>| a - rest);
    contains(&fold(f, 0, list([1, 2, 3])), "2");
    let first = |xs: Expr<List<Real>>| xs.case(-1, |x, _| x);
    contains(&first(list([5, 6])), "5");
    contains(&first(nil()), "-1");
    contains(&first(list([5, 6]).case(nil(), |_, rest| rest)), "6");
    let program = lam(|xs: Expr<List<Real>>| xs.case(0, |x, rest| x + fold(lam2(|a: Expr<Real>, b| a + b), 0, rest)));
    assert_eq!(
        program.to_string(),
        r"\l => match l with [] => 0 | x :: rest => x + fold (\x' => \x1 => x' + x1) 0 rest"
    );
}

/// A type with constructors of its own, in the language, and a coproduct in Rust.
#[test]
fn a_declared_type_is_a_coproduct() {
    let text = "theory Missing
type Maybe A = Nothing | Just A
let orElse (z : Real) (m : Maybe Real) : Real = match m with Nothing => z | Just x => x
let halved (x : Real) : Maybe Real = Just (x / 2)
";
    let mut theories = TheoryCollection::new();
    theories.load([SourceText::new("missing", text)]).expect("a theory");
    let or_else = parse::<fn(Real) -> fn(Maybe) -> Real>(theories.library(), "orElse").expect("of that type");
    contains(&or_else.apply(7).apply(inject::<HNil, Maybe, _>(())), "7");
    contains(&or_else.apply(7).apply(inject::<Real, Maybe, _>(2)), "2");
    let halved = parse::<fn(Real) -> Maybe>(theories.library(), "halved").expect("of that type");
    let answer = halved.apply(3).case(hlist![|_: Expr<HNil>| 0.into_expr(), |x: Expr<Real>| x]);
    contains(&answer, "1.5");
    assert!(matches!(parse::<fn(Real) -> Shape>(theories.library(), "halved"), Err(EdslError::TypeMismatch { .. })));
}

#[test]
fn a_shared_part_of_a_branch_stays_in_the_branch() {
    let program = lam(|m: Expr<Maybe>| {
        m.case(hlist![|_: Expr<HNil>| 1.into_expr(), |x: Expr<Real>| {
            let y = sin(x);
            &y * &y
        }])
    });
    assert_eq!(program.to_string(), r"\s => match s with In0 u => 1 | In1 x => let t0 = sin x in t0 * t0");
}

#[test]
fn long_lists_are_folded() {
    let ones = list((0..20_000).map(|_| 1));
    contains(&fold(lam2(|a: Expr<Real>, b| a + b), 0, ones), "20000");
}

/// A place that is none of the coproduct's, by a coproduct of one's own.
#[test]
fn a_place_that_does_not_exist_is_an_error() {
    use smoothish::host::tuple::Alternatives;
    use smoothish::host::tuple::Position;
    use smoothish::syntax::ty::Ty;
    struct Empty;
    struct Third;
    impl Position for Third {
        const INDEX: usize = 2;
    }
    impl Alternatives for Empty {
        fn push_types(types: &mut Vec<Ty>) {
            types.push(Real::language_type());
        }
    }
    impl Type for Empty {
        fn language_type() -> Ty {
            Ty::real()
        }
        const LETTER: char = 'e';
    }
    impl frunk::coproduct::CoprodInjector<Real, Third> for Empty {
        fn inject(_: Real) -> Self {
            Empty
        }
    }
    let wrong: Expr<Empty> = inject::<Real, Empty, Third>(1);
    assert!(matches!(wrong.to_term(), Err(EdslError::NoAlternative { place: 2, width: 1 })));
}
