//! The values of the language are one presheaf, and their tangents are tangents.

use smoothish::law::presheaf::{
    PresheafVerdict, SampleSettings, coend_representatives, restriction_composition, restriction_identity,
};
use smoothish::presheaf::coend::{CoendTangent, TanPresheaf, lan_transformation, tangent_r, tangent_value};
use smoothish::presheaf::dynamic::{Dynamic, Element, as_tangent, as_value};
use smoothish::presheaf::exponential::PresheafTransformation;
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::{Presheaf, RealPresheaf, dynamic, observe};
use smoothish::random::SplitMix64;
use smoothish::smooth::dimension::MapEnd;
use smoothish::smooth::graph::{Binary, Graph, Unary};
use smoothish::smooth::map::{Map, Space};
use smoothish::value::SharedBox;
use smoothish::verdict::Verdict;
use typenum::{U1, U2};

fn samples() -> SampleSettings {
    SampleSettings { seed: 11, ..SampleSettings::default() }
}

#[track_caller]
fn holds(verdict: PresheafVerdict) {
    assert_eq!(verdict.unwrap(), Verdict::Survived);
}

fn real<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Graph {
    observe::draw_real_map(random, space).components()[0].clone()
}

fn element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Element {
    let [x, y] = [real(random, space), real(random, space)].map(Element::Real);
    Element::tuple_of([x, Element::Natural(3), Element::tuple_of([y, Element::from_bool(true)])])
}

/// A function of the language, x ↦ sin (c·x) + c at an element c.
fn function(c: &Graph) -> Element {
    let c = c.clone();
    Element::from_closure(move |x| {
        let product = Graph::binary(Binary::Multiply, &c, x.as_real()?);
        let sine = Graph::function(smoothish::number::Function::Sin, &product);
        Ok(Element::Real(Graph::binary(Binary::Add, &sine, &c)))
    })
}

#[test]
fn the_values_of_the_language_are_a_presheaf() {
    let (plane, line) = (Space::<U2>::new(), Space::<U1>::new());
    holds(samples().check_statement(move |random, trial| {
        let x = element(random, &plane);
        let (e, k) = (observe::draw_map(random, &plane, &plane), observe::draw_map(random, &line, &plane));
        Ok(restriction_identity::<Dynamic, U2>(&plane, &x, trial)?
            .and(restriction_composition::<Dynamic, U1, U2, U2>(&k, &e, &x, trial)?))
    }));
}

/// Restriction of functions is functorial and application natural, observed at an argument.
#[test]
fn functions_of_the_language_restrict_functorially() {
    let (plane, line) = (Space::<U2>::new(), Space::<U1>::new());
    holds(samples().check_statement(move |random, trial| {
        let f = function(&real(random, &plane));
        let e = observe::draw_map(random, &plane, &plane);
        let k = observe::draw_map(random, &line, &plane);
        let at = |f: &Element, x: &Element| f.as_function().unwrap().apply(x).unwrap();
        // at an argument of the last stage, along both ways there
        let x = Element::Real(real(random, &line));
        let one = at(&Dynamic::restrict(&k.then(&e), &f), &x);
        let two = at(&Dynamic::restrict(&k, &Dynamic::restrict(&e, &f)), &x);
        // to apply and restrict is to restrict and apply
        let y = Element::Real(real(random, &plane));
        let first = Dynamic::restrict(&k, &at(&Dynamic::restrict(&e, &f), &y));
        let second = at(&Dynamic::restrict(&k.then(&e), &f), &Dynamic::restrict(&k, &y));
        Ok(Dynamic::compare_elements(&line, &one, &two, trial)?
            .and(Dynamic::compare_elements(&line, &first, &second, trial)?))
    }));
}

#[test]
fn values_that_differ_are_told_apart() {
    let line = Space::<U1>::new();
    let x = Element::Real(line.id().components()[0].clone());
    let agree = |l: &Element, r: &Element| Dynamic::compare_elements(&line, l, r, &samples().trial).unwrap();
    assert!(agree(&x, &Element::Real(Graph::integer(0))).is_refuted());
    assert!(agree(&Element::Natural(1), &Element::Natural(2)).is_refuted());
    assert!(agree(&Element::from_bool(true), &Element::Unit).is_refuted());
    assert!(agree(&Element::tuple_of([x.clone(), Element::Unit]), &Element::tuple_of([x.clone()])).is_refuted());
    assert_eq!(agree(&Element::Unit, &Element::Unit), Verdict::Survived);
    let f = function(x.as_real().unwrap());
    assert_eq!(agree(&f, &f), Verdict::Vacuous);
}

/// Two representatives of one tangent to values agree, and tangents that differ do not; functions say nothing.
#[test]
fn tangents_of_values_do_not_depend_on_their_stage() {
    holds(samples().check_statement(|random, trial| {
        let (plane, line) = (Space::<U2>::new(), Space::<U1>::new());
        let direction = observe::draw_map(random, &plane, &line.product_with(&line));
        let k = observe::draw_map(random, &line, &plane);
        let x = element(random, &plane);
        coend_representatives::<TanPresheaf<Dynamic>, Dynamic, U2, U1, U2>(&direction, &k, &x, trial)
    }));
    let (plane, trial) = (Space::<U2>::new(), samples().trial);
    let v = |speed: i64, x: Element| {
        let line = Space::<U1>::new();
        CoendTangent::<Dynamic, U2>::new(
            &plane.constant(0).pair(&plane.constant(speed)),
            &Dynamic::restrict(&line.id(), &x),
        )
    };
    let number = || Element::Real(Space::<U1>::new().id().sin().components()[0].clone());
    let agree = |l: &CoendTangent<Dynamic, U2>, r: &CoendTangent<Dynamic, U2>| {
        TanPresheaf::<Dynamic>::compare_elements(&plane, l, r, &trial).unwrap()
    };
    assert!(agree(&v(1, number()), &v(2, number())).is_refuted());
    assert_eq!(agree(&v(1, number()), &v(1, number())), Verdict::Survived);
    let f = || function(number().as_real().unwrap());
    assert_eq!(agree(&v(1, f()), &v(2, f())), Verdict::Vacuous);
}

/// One HAD: `tangent f` of the typed library and of the language give the same value and slope, of one tangent in both
/// forms, and going from form to form changes nothing.
#[test]
fn tangents_of_the_language_are_tangents() {
    let plane = Space::<U2>::new();
    holds(samples().check_statement(move |random, trial| {
        let stage = Space::<U1>::new();
        let direction: Map<U2, (U1, U1)> = observe::draw_map(random, &plane, &stage.product_with(&stage));
        let curve = real(random, &stage);
        let c = real(random, &plane);
        let typed = CoendTangent::<Dynamic, U2>::new(&direction, &Element::Real(curve.clone()));
        let plain = CoendTangent::<RealPresheaf, U2>::new(&direction, &stage_map(&curve));

        // the language's tangent, through the language's tangent f, for f that varies with the stage
        let f = function(&c);
        let value = as_value(&typed);
        let pushed = dynamic::tangent_map(f.as_function().unwrap(), value.as_tangent().unwrap()).unwrap();
        let language = dynamic::real_to(pushed.as_tangent().unwrap()).unwrap();

        // the typed library's
        let natural = smoothish::presheaf::exponential::ExponentialElement::<RealPresheaf, RealPresheaf, U2>::curry::<
            RealPresheaf,
        >(
            &plane,
            &Map::of_graphs(&smoothish::smooth::map::coordinate_variables(2), &[c])?,
            |_, c, x| (c * x).sin() + c,
        );
        let (x, dx) = tangent_r().to.component_at(&plane, &smoothish::presheaf::coend::tangent_map(&natural, &plain));
        let library = Element::tuple_of([x, dx].map(|m| Element::Real(m.components()[0].clone())));

        // and back: a tangent that is a value, as one of the typed library
        let again = as_value(&as_tangent(&plane, pushed.as_tangent().unwrap()));
        let again = dynamic::real_to(again.as_tangent().unwrap()).unwrap();
        let base = Dynamic::compare_elements(
            &plane,
            &tangent_value(&typed),
            &dynamic::tangent_value(value.as_tangent().unwrap()),
            trial,
        )?;
        Ok(Dynamic::compare_elements(&plane, &language, &library, trial)?
            .and(Dynamic::compare_elements(&plane, &language, &again, trial)?)
            .and(base))
    }));
}

fn stage_map(g: &Graph) -> Map<U1, U1> {
    Map::of_graphs(&smoothish::smooth::map::coordinate_variables(1), std::slice::from_ref(g)).unwrap()
}

/// A natural transformation of values acts on their tangents: negation of numbers.
#[test]
fn transformations_of_values_act_on_tangents() {
    let line = Space::<U1>::new();
    let negate = PresheafTransformation::<Dynamic, Dynamic>::new(|_, x| match x {
        Element::Real(g) => Element::Real(Graph::unary(Unary::Negate, g)),
        other => other.clone(),
    });
    let v = CoendTangent::<Dynamic, U1>::new(
        &line.id().pair(&line.constant(1)),
        &Element::Real(line.id().sin().components()[0].clone()),
    );
    let pushed = as_value(&lan_transformation(&negate).component_at(&line, &v));
    let shown = dynamic::real_to(pushed.as_tangent().unwrap()).unwrap();
    let expected =
        Element::tuple_of([-line.id().sin(), -line.id().cos()].map(|m| Element::Real(m.components()[0].clone())));
    assert_eq!(Dynamic::compare_elements(&line, &shown, &expected, &samples().trial).unwrap(), Verdict::Survived);
}

fn list(parts: impl IntoIterator<Item = Element>) -> Element {
    Element::List(parts.into_iter().collect())
}

fn variant(index: usize, argument: Element) -> Element {
    Element::Variant(index, SharedBox::new(argument))
}

/// Variants by their constructor and what is in it, lists by their length and elements. What says nothing within them, as
/// a function, is not taken for agreement.
#[test]
fn variants_and_lists_are_observed() {
    let line = Space::<U1>::new();
    let agree = |l: &Element, r: &Element| Dynamic::compare_elements(&line, l, r, &samples().trial).unwrap();
    let x = || Element::Real(line.id().components()[0].clone());
    let sine = || Element::Real(line.id().sin().components()[0].clone());
    let f = || function(x().as_real().unwrap());
    for (left, right) in [
        (variant(0, x()), variant(1, x())),
        (variant(1, x()), variant(1, sine())),
        (variant(0, Element::Unit), variant(1, Element::Unit)),
        (list([]), list([x()])),
        (list([x()]), list([x(), x()])),
        (list([x(), sine()]), list([x(), x()])),
        (list([f(), sine()]), list([f(), x()])),
        (variant(2, list([variant(0, x())])), variant(2, list([variant(1, x())]))),
        (list([]), variant(0, Element::Unit)),
    ] {
        assert!(agree(&left, &right).is_refuted(), "{left:?} {right:?}");
        assert!(agree(&right, &left).is_refuted(), "{right:?} {left:?}");
    }
    for same in
        [variant(0, Element::Unit), variant(1, x()), list([]), list([x(), sine()]), variant(2, list([list([x()])]))]
    {
        assert_eq!(agree(&same, &same.restrict(&[])), Verdict::Survived, "{same:?}");
    }
    for silent in [variant(1, f()), list([x(), f()]), Element::tuple_of([x(), f()])] {
        assert_eq!(agree(&silent, &silent), Verdict::Vacuous, "{silent:?}");
    }
}

/// Tan (A + B) ≅ Tan A + Tan B, and lists elementwise.
#[test]
fn tangents_to_variants_and_lists_are_observed() {
    let plane = Space::<U2>::new();
    let v =
        |speed: i64, x: Element| CoendTangent::<Dynamic, U2>::new(&plane.constant(0).pair(&plane.constant(speed)), &x);
    let number = || Element::Real(Space::<U1>::new().id().sin().components()[0].clone());
    let agree = |l: &CoendTangent<Dynamic, U2>, r: &CoendTangent<Dynamic, U2>| {
        TanPresheaf::<Dynamic>::compare_elements(&plane, l, r, &samples().trial).unwrap()
    };
    for x in [variant(1, number()), list([Element::Natural(1), number()]), list([variant(0, number())])] {
        assert_eq!(agree(&v(1, x.clone()), &v(1, x.clone())), Verdict::Survived, "{x:?}");
        assert!(agree(&v(1, x.clone()), &v(2, x.clone())).is_refuted(), "{x:?}");
        assert!(agree(&v(1, x.clone()), &v(1, variant(7, x))).is_refuted());
    }
    assert!(agree(&v(1, list([number()])), &v(1, list([number(), number()]))).is_refuted());
    // what does not vary has one tangent
    assert_eq!(agree(&v(1, list([])), &v(2, list([]))), Verdict::Survived);
    holds(samples().check_statement(move |random, trial| {
        let line = Space::<U1>::new();
        let direction = observe::draw_map(random, &plane, &line.product_with(&line));
        let k = observe::draw_map(random, &line, &plane);
        let x = variant(1, list([element(random, &plane), element(random, &plane)]));
        coend_representatives::<TanPresheaf<Dynamic>, Dynamic, U2, U1, U2>(&direction, &k, &x, trial)
    }));
}

/// What is shared is compared, moved and restricted once: a list of 2⁶⁰ numbers in sixty nested lists.
#[test]
fn shared_values_are_observed_once() {
    let line = Space::<U1>::new();
    let doubled = |last: Element| (0..60).fold(last, |x, _| list([x.clone(), x]));
    let (sine, cosine) = (line.id().sin(), line.id().cos());
    let [sine, cosine] = [sine, cosine].map(|m| doubled(Element::Real(m.components()[0].clone())));
    let agree = |l: &Element, r: &Element| Dynamic::compare_elements(&line, l, r, &samples().trial).unwrap();
    assert_eq!(agree(&sine, &sine), Verdict::Survived);
    assert!(agree(&sine, &cosine).is_refuted());
    let v = |x: &Element| CoendTangent::<Dynamic, U1>::new(&line.id().pair(&line.constant(1)), x);
    let agree = |l, r| TanPresheaf::<Dynamic>::compare_elements(&line, &l, &r, &samples().trial).unwrap();
    assert_eq!(agree(v(&sine), v(&sine)), Verdict::Survived);
    assert!(agree(v(&sine), v(&cosine)).is_refuted());
}

/// Two constructors at one argument are two elements, also where the argument is shared.
#[test]
fn restriction_keeps_the_constructors_of_shared_arguments() {
    let line = Space::<U1>::new();
    let argument = SharedBox::new(Element::Real(line.id().components()[0].clone()));
    let both = Element::tuple_of([Element::Variant(0, argument.clone()), Element::Variant(1, argument)]);
    let restricted = Dynamic::restrict(&line.id().sin(), &both);
    let indices: Vec<usize> = restricted.as_tuple().unwrap().iter().map(|part| part.as_variant().unwrap().0).collect();
    assert_eq!(indices, [0, 1]);
}
