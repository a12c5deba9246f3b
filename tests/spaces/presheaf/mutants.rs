//! Wrong models of S §5, each refuted by a law that the library keeps.

use super::second_order::fit;
use smoothish::law::presheaf::{ExponentialObject, SampleSettings, TangentAction};
use smoothish::law::theorem::presheaves::{TangentSlope, printed_tangent_prod, wrong_tangent_to_r};
use smoothish::law::{presheaf, presheaf as law};
use smoothish::presheaf::coend::{CoendTangent, TanPresheaf};
use smoothish::presheaf::dynamic::{Dynamic, Element};
use smoothish::presheaf::exponential::{
    ExponentialElement, ExponentialPresheaf, Functional, NaturalFamily, PresheafTransformation,
};
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::presheaf::{ElementAt, Presheaf, ProductPresheaf, RealPresheaf, Representable, coend, observe};
use smoothish::smooth::dimension::MapEnd;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::{Map, MapError, MapTestConfig, Space, coordinate_graphs};
use smoothish::verdict::Verdict;
use typenum::{U1, U2};

type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;
type Functionals = ExponentialPresheaf<Functions, RealPresheaf>;

fn samples() -> SampleSettings {
    SampleSettings { seed: 7, ..SampleSettings::default() }
}

#[track_caller]
fn refuted(verdict: law::PresheafVerdict) {
    let verdict = verdict.unwrap();
    let Verdict::Refuted { left, right, .. } = &verdict else { panic!("{verdict}") };
    assert_ne!(left, right);
}

/// The values of the language, of which functions forget to weaken: restricted to a later stage, a function still reads
/// its context at the old coordinates.
enum Forgetful {}

impl Presheaf for Forgetful {
    type At<G: MapEnd> = Element;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, x: &Element) -> Element {
        match x {
            Element::Function(f) => Element::Function(f.clone()),
            _ => Dynamic::restrict(along, x),
        }
    }
}

/// The function x ↦ c·x + c of the stage c, restricted along e and applied to x, is e·x + e.
fn restricted_and_applied(restrict: fn(&Map<U2, U1>, &Element) -> Element) -> law::PresheafVerdict {
    samples().check_statement(move |random, trial| {
        let plane = Space::<U2>::new();
        let c = coordinate_graphs(1).swap_remove(0);
        let f = Element::from_closure(move |x| {
            let product = Graph::binary(Binary::Multiply, &c, x.as_real()?);
            Ok(Element::Real(Graph::binary(Binary::Add, &product, &c)))
        });
        let e: Map<U2, U1> = observe::draw_map(random, &plane, &Space::new());
        let x = observe::draw_real_map(random, &plane);
        let value = |m: Map<U2, U1>| Element::Real(m.components()[0].clone());
        let found = restrict(&e, &f).as_function().unwrap().apply(&value(x.clone())).unwrap();
        Dynamic::compare_elements(&plane, &found, &value(&e * x + &e), trial)
    })
}

#[test]
fn an_exponential_that_forgets_to_weaken_is_refuted() {
    assert_eq!(restricted_and_applied(Dynamic::restrict).unwrap(), Verdict::Survived);
    refuted(restricted_and_applied(Forgetful::restrict));
    // the same of the typed library: an exponential whose restriction rests at the origin of the old stage
    let body = PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (c, x)| {
        (c * x).sin() + c
    });
    refuted(presheaf::check_exponential::<Resting, RealPresheaf, RealPresheaf, RealPresheaf>(&samples(), &body));
    refuted(presheaf::check_presheaf::<Resting>(&samples()));
}

/// ℜ ⇒ ℜ, with the context stuck at the origin when it is restricted.
enum Resting {}

impl Presheaf for Resting {
    type At<G: MapEnd> = ExponentialElement<RealPresheaf, RealPresheaf, G>;

    fn restrict<D: MapEnd, G: MapEnd>(
        along: &Map<D, G>,
        f: &ExponentialElement<RealPresheaf, RealPresheaf, G>,
    ) -> ExponentialElement<RealPresheaf, RealPresheaf, D> {
        Functions::restrict(&along.domain().zero(&along.codomain()), f)
    }
}

impl Observe for Resting {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        l: &ElementAt<Self, G>,
        r: &ElementAt<Self, G>,
        trial: &MapTestConfig,
    ) -> law::PresheafVerdict {
        Functions::compare_elements(space, l, r, trial)
    }
}

impl SampleElements for Resting {
    fn draw_element<G: MapEnd>(random: &mut smoothish::random::SplitMix64, space: &Space<G>) -> ElementAt<Self, G> {
        Functions::draw_element(random, space)
    }
}

impl ExponentialObject<RealPresheaf, RealPresheaf> for Resting {
    fn curry<E: Presheaf, G: MapEnd>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &PresheafTransformation<ProductPresheaf<E, RealPresheaf>, RealPresheaf>,
    ) -> ExponentialElement<RealPresheaf, RealPresheaf, G> {
        <Functions as ExponentialObject<RealPresheaf, RealPresheaf>>::curry::<E, G>(space, context, body)
    }

    fn apply<D: MapEnd, G: MapEnd>(
        f: &ExponentialElement<RealPresheaf, RealPresheaf, G>,
        along: &Map<D, G>,
        x: &Map<D, U1>,
    ) -> Map<D, U1> {
        f.apply(along, x)
    }
}

/// Tan, with the representatives themselves compared.
enum Raw {}

impl Presheaf for Raw {
    type At<G: MapEnd> = CoendTangent<RealPresheaf, G>;

    fn restrict<D: MapEnd, G: MapEnd>(
        along: &Map<D, G>,
        v: &CoendTangent<RealPresheaf, G>,
    ) -> CoendTangent<RealPresheaf, D> {
        TanPresheaf::restrict(along, v)
    }
}

impl Observe for Raw {
    fn compare_elements<G: MapEnd>(
        _: &Space<G>,
        l: &CoendTangent<RealPresheaf, G>,
        r: &CoendTangent<RealPresheaf, G>,
        trial: &MapTestConfig,
    ) -> law::PresheafVerdict {
        let shown = |v: &CoendTangent<RealPresheaf, G>| {
            v.with_representative(|v| (v.along.as_dyn().clone(), v.element.as_dyn().clone()))
        };
        let ((d, x), (e, y)) = (shown(l), shown(r));
        if d.outputs().len() != e.outputs().len() {
            return Ok(Verdict::refuted("the stages", d.outputs().len(), e.outputs().len()));
        }
        let jets = smoothish::smooth::map::category::jets_agree;
        Ok(jets(&d, &e, trial)?.and(jets(&x, &y, trial)?))
    }
}

#[test]
fn tangents_compared_by_raw_representatives_are_refuted() {
    assert_eq!(
        presheaf::check_representatives::<TanPresheaf<RealPresheaf>, RealPresheaf>(&samples()).unwrap(),
        Verdict::Survived
    );
    refuted(presheaf::check_representatives::<Raw, RealPresheaf>(&samples()));
}

/// Both are refuted by the round trip, at numbers and at functions, and by functionals along curves.
#[test]
fn wrong_slopes_in_proposition_5_3_are_refuted() {
    for rule in [TangentSlope::BaseForDirection, TangentSlope::Resting] {
        refuted(presheaf::check_isomorphism(&samples(), &wrong_tangent_to_r::<RealPresheaf>(rule)));
        refuted(presheaf::check_isomorphism(&samples(), &wrong_tangent_to_r::<Functions>(rule)));
        refuted(samples().check_at_stages(move |random, space, trial| {
            let functional = Functionals::draw_element(random, space);
            let curve = ExponentialPresheaf::<RealPresheaf, Functions>::draw_element(random, space);
            let c = TanPresheaf::<RealPresheaf>::draw_element(random, space);
            presheaf::along_curves(&wrong_tangent_to_r(rule), &functional, &curve, &c, trial)
        }));
    }
}

/// E10 as printed: `(f(x), g(x))`, both components at the first point.
#[test]
fn the_printed_proposition_5_1_is_refuted() {
    refuted(presheaf::check_isomorphism(&samples(), &printed_tangent_prod()));
}

/// The action of Tan with twice the velocity.
enum Doubling {}

impl TangentAction for Doubling {
    fn push_forward<A: Presheaf, B: Presheaf, G: MapEnd>(
        f: &ExponentialElement<A, B, G>,
        v: &CoendTangent<A, G>,
    ) -> CoendTangent<B, G> {
        coend::scale_tangent(&coend::tangent_map(f, v), &f.stage().constant(2))
    }
}

/// The action of Tan that feels how the function varies with the stage.
enum Dragging {}

impl TangentAction for Dragging {
    fn push_forward<A: Presheaf, B: Presheaf, G: MapEnd>(
        f: &ExponentialElement<A, B, G>,
        v: &CoendTangent<A, G>,
    ) -> CoendTangent<B, G> {
        let space = f.stage();
        v.with_representative(|v| {
            let stage = v.stage();
            let point = space.id().pair(&v.point());
            // ⟨id, velocity⟩ in the place of ⟨0, velocity⟩
            let direction = point.pair(&space.id().pair(&v.velocity()));
            let element = f.apply(&space.first(&stage), &A::restrict(&space.second(&stage), &v.element));
            CoendTangent::new(&direction, &element)
        })
    }
}

#[test]
fn wrong_actions_of_tan_are_refuted() {
    let f = PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (c, x)| {
        (c * x).sin()
    });
    let g = PresheafTransformation::<ProductPresheaf<RealPresheaf, RealPresheaf>, RealPresheaf>::new(|_, (c, x)| {
        x.powi(2) + c * x
    });
    refuted(presheaf::check_tangent_functor::<Doubling, RealPresheaf, RealPresheaf, RealPresheaf, RealPresheaf>(
        &samples(),
        &f,
        &g,
    ));
    refuted(presheaf::check_tangent_functor::<Dragging, RealPresheaf, RealPresheaf, RealPresheaf, RealPresheaf>(
        &samples(),
        &f,
        &g,
    ));
}

/// A primitive that evaluates its function at the origin of the stage.
struct Frozen(Functional);

impl NaturalFamily for Frozen {
    fn apply_at<G: MapEnd>(&self, f: &ExponentialElement<RealPresheaf, RealPresheaf, G>) -> Map<G, U1> {
        let space = f.stage();
        // not natural: 0 is no element of the stage but a choice of coordinates
        self.0.apply_at(&Functions::restrict(&space.zero(&space), f))
    }
}

#[test]
fn families_that_are_not_natural_are_refuted() {
    for &primitive in Functional::ALL {
        refuted(samples().check_at_stages(move |random, space, trial| {
            let f = fit(primitive, &Functions::draw_element(random, space), &observe::draw_real_map(random, space));
            let e = observe::draw_map(random, &Space::<U2>::new(), space);
            law::natural_family(&Frozen(primitive), &f, &e, trial)
        }));
    }
}

/// E1: the gradient whose components are exchanged, which gave the paper its ray tracer's value.
#[test]
fn a_swapped_gradient_is_refuted() {
    let with = |gradient: fn(&Map<U2, U1>) -> Map<U2, U2>| {
        samples().check_statement(move |random, trial| {
            let f = Representable::<U1>::draw_element(random, &Space::<U2>::new());
            presheaf::gradient_is_derivative(gradient, &f, trial)
        })
    };
    assert_eq!(with(Map::gradient).unwrap(), Verdict::Survived);
    let swap = || Map::<U2, U2>::matrix([[0.into(), 1.into()], [1.into(), 0.into()]]);
    let swapped: Result<Verdict, MapError> = samples().check_statement(move |random, trial| {
        let f = Representable::<U1>::draw_element(random, &Space::<U2>::new());
        presheaf::gradient_is_derivative(|f: &Map<U2, U1>| f.gradient().then(&swap()), &f, trial)
    });
    refuted(swapped);
}
