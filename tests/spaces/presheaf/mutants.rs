//! Wrong models of S §5, each refuted by a law that the library keeps.

use super::second_order::fit;
use smoothish::law::presheaf as law;
use smoothish::law::presheaf::ExponentialObject;
use smoothish::law::presheaf::suite::{self, Samples};
use smoothish::law::presheaf::tangent::{self, Action};
use smoothish::presheaf::coend::{self, Opened, Tan, Tangent};
use smoothish::presheaf::dynamic::Element;
use smoothish::presheaf::exponential::{Exponential, Natural, Transformation};
use smoothish::presheaf::isomorphism::{Iso, Pair, TangentTo, evaluated, tangent_prod, tangent_to_r, value_with_slope};
use smoothish::presheaf::language::Dynamic;
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::product::Product;
use smoothish::presheaf::representable::{Real, Representable};
use smoothish::presheaf::sample::{self, Sample};
use smoothish::presheaf::second_order::Functional;
use smoothish::presheaf::second_order::NaturalFamily;
use smoothish::presheaf::{At, Presheaf};
use smoothish::smooth::dimension::Shape;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::untyped::coordinates;
use smoothish::smooth::map::{Map, MapError, Space, Trial};
use smoothish::verdict::Verdict;
use typenum::{U1, U2};

type Functions = Exponential<Real, Real>;
type Functionals = Exponential<Functions, Real>;

fn samples() -> Samples {
    Samples { seed: 7, ..Samples::default() }
}

#[track_caller]
fn refuted(verdict: law::Tried) {
    let verdict = verdict.unwrap();
    let Verdict::Refuted { left, right, .. } = &verdict else { panic!("{verdict}") };
    assert_ne!(left, right);
}

/// The values of the language, of which functions forget to weaken: restricted to a later stage, a function still reads
/// its context at the old coordinates.
enum Forgetful {}

impl Presheaf for Forgetful {
    type At<G: Shape> = Element;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, x: &Element) -> Element {
        match x {
            Element::Function(f) => Element::Function(f.clone()),
            _ => Dynamic::restrict(along, x),
        }
    }
}

/// The function x ↦ c·x + c of the stage c, restricted along e and applied to x, is e·x + e.
fn restricted_and_applied(restrict: fn(&Map<U2, U1>, &Element) -> Element) -> law::Tried {
    samples().tried(|random, trial| {
        let plane = Space::<U2>::new();
        let c = coordinates(1).swap_remove(0);
        let f = Element::function(move |x| {
            let product = Graph::binary(Binary::Multiply, &c, x.as_real()?);
            Ok(Element::Real(Graph::binary(Binary::Add, &product, &c)))
        });
        let e: Map<U2, U1> = sample::map(random, &plane, &Space::new());
        let x = sample::real(random, &plane);
        let value = |m: Map<U2, U1>| Element::Real(m.components()[0].clone());
        let found = restrict(&e, &f).as_function().unwrap().apply(&value(x.clone())).unwrap();
        Dynamic::agree(&plane, &found, &value(&e * x + &e), trial)
    })
}

#[test]
fn an_exponential_that_forgets_to_weaken_is_refuted() {
    assert_eq!(restricted_and_applied(Dynamic::restrict).unwrap(), Verdict::Survived);
    refuted(restricted_and_applied(Forgetful::restrict));
    // the same of the typed library: an exponential whose restriction rests at the origin of the old stage
    let body = Transformation::<Product<Real, Real>, Real>::new(|_, (c, x)| (c * x).sin() + c);
    refuted(suite::exponential::<Resting, Real, Real, Real>(&samples(), &body));
    refuted(suite::presheaf::<Resting>(&samples()));
}

/// ℜ ⇒ ℜ, with the context stuck at the origin when it is restricted.
enum Resting {}

impl Presheaf for Resting {
    type At<G: Shape> = Natural<Real, Real, G>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, f: &Natural<Real, Real, G>) -> Natural<Real, Real, D> {
        Functions::restrict(&along.domain().zero(&along.codomain()), f)
    }
}

impl Observe for Resting {
    fn agree<G: Shape>(space: &Space<G>, l: &At<Self, G>, r: &At<Self, G>, trial: &Trial) -> law::Tried {
        Functions::agree(space, l, r, trial)
    }
}

impl Sample for Resting {
    fn draw<G: Shape>(random: &mut smoothish::random::Random, space: &Space<G>) -> At<Self, G> {
        Functions::draw(random, space)
    }
}

impl ExponentialObject<Real, Real> for Resting {
    fn curry<E: Presheaf, G: Shape>(
        space: &Space<G>,
        context: &E::At<G>,
        body: &Transformation<Product<E, Real>, Real>,
    ) -> Natural<Real, Real, G> {
        <Functions as ExponentialObject<Real, Real>>::curry::<E, G>(space, context, body)
    }

    fn apply<D: Shape, G: Shape>(f: &Natural<Real, Real, G>, along: &Map<D, G>, x: &Map<D, U1>) -> Map<D, U1> {
        f.apply(along, x)
    }
}

/// Tan, with the representatives themselves compared.
enum Raw {}

impl Presheaf for Raw {
    type At<G: Shape> = Tangent<Real, G>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, v: &Tangent<Real, G>) -> Tangent<Real, D> {
        Tan::restrict(along, v)
    }
}

impl Observe for Raw {
    fn agree<G: Shape>(_: &Space<G>, l: &Tangent<Real, G>, r: &Tangent<Real, G>, trial: &Trial) -> law::Tried {
        let shown = |v: &Tangent<Real, G>| v.open(|v| (v.direction.untyped().clone(), v.element.untyped().clone()));
        let ((d, x), (e, y)) = (shown(l), shown(r));
        if d.outputs().len() != e.outputs().len() {
            return Ok(Verdict::refuted("the stages", d.outputs().len(), e.outputs().len()));
        }
        let jets = smoothish::smooth::map::trial::jets_agree;
        Ok(jets(&d, &e, trial)?.and(jets(&x, &y, trial)?))
    }
}

#[test]
fn tangents_compared_by_raw_representatives_are_refuted() {
    assert_eq!(suite::representatives::<Tan<Real>, Real>(&samples()).unwrap(), Verdict::Survived);
    refuted(suite::representatives::<Raw, Real>(&samples()));
}

/// What the wrong versions of Prop. 5.3 take for the slope.
#[derive(Clone, Copy)]
enum Slope {
    /// ⟨π₁∘d, 0⟩ in the place of ⟨π₂∘d, 0⟩.
    BaseForDirection,
    /// The element at the point, as if it did not vary with the stage: slope 0.
    Resting,
}

fn wrong_tangent_to_r<A: Presheaf>(rule: Slope) -> TangentTo<A, U1> {
    let right = tangent_to_r::<A, U1>();
    let correct = right.to.clone();
    let to = Transformation::<Tan<Exponential<A, Real>>, Pair<A, U1>>::new(move |space, v| {
        let value = correct.at(space, v).0;
        let slope = Natural::<A, Real, _>::curry::<Tan<Exponential<A, Real>>>(space, v, move |space, v, a| {
            let v = match rule {
                Slope::BaseForDirection => v.open(|v: Opened<'_, _, _>| {
                    Tangent::<Exponential<A, Real>, _>::new(&v.point().pair(&v.point()), &v.element)
                }),
                Slope::Resting => coend::scaled(v, &space.constant(0)),
            };
            let both = value_with_slope(&evaluated(&v, a));
            let line = Space::<U1>::new();
            both.then(&line.second(&line))
        });
        (value, slope)
    });
    Iso { to, from: right.from }
}

/// Both are refuted by the round trip, at numbers and at functions, and by functionals along curves.
#[test]
fn wrong_slopes_in_proposition_5_3_are_refuted() {
    for rule in [Slope::BaseForDirection, Slope::Resting] {
        refuted(suite::isomorphism(&samples(), &wrong_tangent_to_r::<Real>(rule)));
        refuted(suite::isomorphism(&samples(), &wrong_tangent_to_r::<Functions>(rule)));
        refuted(samples().at_stages(|random, space, trial| {
            let functional = Functionals::draw(random, space);
            let curve = Exponential::<Real, Functions>::draw(random, space);
            let c = Tan::<Real>::draw(random, space);
            tangent::along_curves(&wrong_tangent_to_r(rule), &functional, &curve, &c, trial)
        }));
    }
}

/// E10 as printed: `(f(x), g(x))`, both components at the first point.
#[test]
fn the_printed_proposition_5_1_is_refuted() {
    type Two = Product<Tan<Real>, Tan<Real>>;
    let from = Transformation::<Two, Tan<Product<Real, Real>>>::new(|_, (v, w)| {
        v.open(|v| {
            w.open(|w| {
                // g over the second stage, at coordinates of the first: the point of v, as far as it goes
                let (first, second) = (v.stage(), w.stage());
                let both = first.times(&second);
                let x = first.first(&second);
                let misplaced = both.tuple(&second, |i| {
                    let all = first.coordinates();
                    x.then(&all[i.min(all.len() - 1)])
                });
                let element = (x.then(&v.element), misplaced.then(&w.element));
                let direction = v.point().pair(&w.point()).pair(&v.velocity().pair(&w.velocity()));
                Tangent::new(&direction, &element)
            })
        })
    });
    refuted(suite::isomorphism(&samples(), &Iso { to: tangent_prod::<Real, Real>().to, from }));
}

/// The action of Tan with twice the velocity.
enum Doubling {}

impl Action for Doubling {
    fn tangent<A: Presheaf, B: Presheaf, G: Shape>(f: &Natural<A, B, G>, v: &Tangent<A, G>) -> Tangent<B, G> {
        coend::scaled(&coend::tangent(f, v), &f.stage().constant(2))
    }
}

/// The action of Tan that feels how the function varies with the stage.
enum Dragging {}

impl Action for Dragging {
    fn tangent<A: Presheaf, B: Presheaf, G: Shape>(f: &Natural<A, B, G>, v: &Tangent<A, G>) -> Tangent<B, G> {
        let space = f.stage();
        v.open(|v| {
            let stage = v.stage();
            let point = space.id().pair(&v.point());
            // ⟨id, velocity⟩ in the place of ⟨0, velocity⟩
            let direction = point.pair(&space.id().pair(&v.velocity()));
            let element = f.apply(&space.first(&stage), &A::restrict(&space.second(&stage), &v.element));
            Tangent::new(&direction, &element)
        })
    }
}

#[test]
fn wrong_actions_of_tan_are_refuted() {
    let f = Transformation::<Product<Real, Real>, Real>::new(|_, (c, x)| (c * x).sin());
    let g = Transformation::<Product<Real, Real>, Real>::new(|_, (c, x)| x.powi(2) + c * x);
    refuted(suite::functor::<Doubling, Real, Real, Real, Real>(&samples(), &f, &g));
    refuted(suite::functor::<Dragging, Real, Real, Real, Real>(&samples(), &f, &g));
}

/// A primitive that evaluates its function at the origin of the stage.
struct Frozen(Functional);

impl NaturalFamily for Frozen {
    fn at<G: Shape>(&self, f: &Natural<Real, Real, G>) -> Map<G, U1> {
        let space = f.stage();
        // not natural: 0 is no element of the stage but a choice of coordinates
        self.0.at(&Functions::restrict(&space.zero(&space), f))
    }
}

#[test]
fn families_that_are_not_natural_are_refuted() {
    for &primitive in Functional::ALL {
        refuted(samples().at_stages(|random, space, trial| {
            let f = fit(primitive, &Functions::draw(random, space), &sample::real(random, space));
            let e = sample::map(random, &Space::<U2>::new(), space);
            law::natural_family(&Frozen(primitive), &f, &e, trial)
        }));
    }
}

/// E1: the gradient whose components are exchanged, which gave the paper its ray tracer's value.
#[test]
fn a_swapped_gradient_is_refuted() {
    let with = |gradient: fn(&Map<U2, U1>) -> Map<U2, U2>| {
        samples().tried(|random, trial| {
            let f = Representable::<U1>::draw(random, &Space::<U2>::new());
            tangent::gradient(gradient, &f, trial)
        })
    };
    assert_eq!(with(Map::gradient).unwrap(), Verdict::Survived);
    let swap = || Map::<U2, U2>::matrix([[0.into(), 1.into()], [1.into(), 0.into()]]);
    let swapped: Result<Verdict, MapError> = samples().tried(|random, trial| {
        let f = Representable::<U1>::draw(random, &Space::<U2>::new());
        tangent::gradient(|f: &Map<U2, U1>| f.gradient().then(&swap()), &f, trial)
    });
    refuted(swapped);
}
