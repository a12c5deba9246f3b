//! A presheaf of one's own: the circle, as angles and as a subset of the plane (S §2, §5).
//!
//! | presheaf | elements at Γ | two are the same |
//! |---|---|---|
//! | [`Angles`] | maps Γ ⇝ ℝ | up to a full turn |
//! | [`Circle`] | maps Γ ⇝ ℝ² of length 1 | as maps |
//!
//! `(cos, sin)` goes from one to the other. A tangent to the circle is a point and a speed; the exponential map turns the
//! point by the speed.
//!
//! `cargo run --example circle`

use smoothish::number::Rational;
use smoothish::number::budget::Budget;
use smoothish::presheaf::coend::{CoendTangent, KeepsProducts, LanElement, Pointed, PresheafIso, TanPresheaf};
use smoothish::presheaf::exponential::PresheafTransformation;
use smoothish::presheaf::observe::{Observe, SampleElements};
use smoothish::presheaf::{ElementAt, Presheaf, ProductPresheaf, RealPresheaf, Representable, observe};
use smoothish::random::SplitMix64;
use smoothish::smooth::dimension::MapEnd;
use smoothish::smooth::map::{Map, MapError, MapTestConfig, Space};
use smoothish::verdict::Verdict;
use typenum::{U0, U1, U2};

/// Angles, which are the same when they differ by full turns.
pub enum Angles {}

/// Points of the plane on the unit circle.
pub enum Circle {}

/// A point of the circle, Γ ⇝ ℝ², which varies with the stage.
pub struct Point<G>(Map<G, U2>);

impl<G> Clone for Point<G> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: MapEnd> Point<G> {
    /// The point at an angle.
    pub fn at(angle: &Map<G, U1>) -> Self {
        Self::of(&angle.cos(), &angle.sin())
    }

    fn of(x: &Map<G, U1>, y: &Map<G, U1>) -> Self {
        let both = [x, y];
        Self(x.domain().tuple(&Space::<U2>::new(), |i| both[i].clone()))
    }

    /// Its coordinates.
    pub fn coordinates(&self) -> [Map<G, U1>; 2] {
        let plane = Space::<U2>::new().coordinates();
        [self.0.then(&plane[0]), self.0.then(&plane[1])]
    }

    /// The product of complex numbers: this point, turned by the angle of the other.
    pub fn turned(&self, by: &Self) -> Self {
        let ([a, b], [c, d]) = (self.coordinates(), by.coordinates());
        Self::of(&(&a * &c - &b * &d), &(a * d + b * c))
    }
}

impl Presheaf for Angles {
    type At<G: MapEnd> = Map<G, U1>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, angle: &Map<G, U1>) -> Map<D, U1> {
        along.then(angle)
    }
}

impl Presheaf for Circle {
    type At<G: MapEnd> = Point<G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, p: &Point<G>) -> Point<D> {
        Point(along.then(&p.0))
    }
}

/// A verdict, or why there is none.
type Tried = Result<Verdict, MapError>;

impl Observe for Circle {
    fn compare_elements<G: MapEnd>(space: &Space<G>, p: &Point<G>, q: &Point<G>, trial: &MapTestConfig) -> Tried {
        Representable::compare_elements(space, &p.0, &q.0, trial)
    }

    /// Tangents, jets and the like are compared in the plane.
    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> Tried {
        observe::compare_through(&in_the_plane(), space, v, w, trial)
    }
}

impl Observe for Angles {
    /// Angles are what their points are.
    fn compare_elements<G: MapEnd>(space: &Space<G>, a: &Map<G, U1>, b: &Map<G, U1>, trial: &MapTestConfig) -> Tried {
        Circle::compare_elements(space, &Point::at(a), &Point::at(b), trial)
    }

    fn compare_classes<T: Pointed + KeepsProducts, G: MapEnd>(
        space: &Space<G>,
        v: &LanElement<T, Self, G>,
        w: &LanElement<T, Self, G>,
        trial: &MapTestConfig,
    ) -> Tried {
        observe::compare_through(&points(), space, v, w, trial)
    }
}

impl SampleElements for Angles {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Map<G, U1> {
        observe::draw_real_map(random, space)
    }
}

impl SampleElements for Circle {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Point<G> {
        Point::at(&Angles::draw_element(random, space))
    }
}

/// `θ ↦ (cos θ, sin θ)`
pub fn points() -> PresheafTransformation<Angles, Circle> {
    PresheafTransformation::new(|_, angle: &Map<_, U1>| Point::at(angle))
}

/// The inclusion of the circle in the plane.
pub fn in_the_plane() -> PresheafTransformation<Circle, Representable<U2>> {
    PresheafTransformation::new(|_, p: &Point<_>| p.0.clone())
}

/// A tangent to angles is an angle and a speed.
pub fn tangents_to_angles() -> PresheafIso<TanPresheaf<Angles>, ProductPresheaf<Angles, RealPresheaf>> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<Angles, _>| {
        let line = Space::<U1>::new();
        let both = v.with_representative(|v| CoendTangent::<RealPresheaf, _>::new(&v.along, &v.element)).to_map();
        (both.then(&line.first(&line)), both.then(&line.second(&line)))
    });
    let from = PresheafTransformation::new(|_, (angle, speed): &(Map<_, U1>, Map<_, U1>)| {
        CoendTangent::new(&angle.pair(speed), &Map::<U1, U1>::id())
    });
    PresheafIso { to, from }
}

/// A tangent to the circle is a point and a speed: at (x, y) with velocity (dx, dy), which is at a right angle, the speed
/// is x·dy − y·dx. The way back turns the point, `t ↦ p·(cos t, sin t)` at 0.
pub fn tangents_to_the_circle() -> PresheafIso<TanPresheaf<Circle>, ProductPresheaf<Circle, RealPresheaf>> {
    let to = PresheafTransformation::new(|_, v: &CoendTangent<Circle, _>| {
        let plane = Space::<U2>::new();
        let both =
            v.with_representative(|v| CoendTangent::<Representable<U2>, _>::new(&v.along, &v.element.0)).to_map();
        let (p, velocity) = (Point(both.then(&plane.first(&plane))), Point(both.then(&plane.second(&plane))));
        let ([x, y], [dx, dy]) = (p.coordinates(), velocity.coordinates());
        (p, x * dy - y * dx)
    });
    let from = PresheafTransformation::new(|space, (p, speed): &(Point<_>, Map<_, U1>)| {
        let line = Space::<U1>::new();
        let later = Circle::restrict(&space.first(&line), p);
        let curve = later.turned(&Point::at(&space.second(&line)));
        let point = space.id().pair(&space.constant(0));
        CoendTangent::new(&point.pair(&space.zero(space).pair(speed)), &curve)
    });
    PresheafIso { to, from }
}

/// The exponential map: the point that is reached from a point at a speed, after a unit of time.
pub fn exponential_map() -> PresheafTransformation<ProductPresheaf<Circle, RealPresheaf>, Circle> {
    PresheafTransformation::new(|_, (p, speed): &(Point<_>, Map<_, U1>)| p.turned(&Point::at(speed)))
}

/// The exponential map of angles.
pub fn exponential_map_of_angles() -> PresheafTransformation<ProductPresheaf<Angles, RealPresheaf>, Angles> {
    PresheafTransformation::new(|_, (angle, speed): &(Map<_, U1>, Map<_, U1>)| angle + speed)
}

/// **Length.** `x² + y² = 1`
pub fn length<G: MapEnd>(space: &Space<G>, p: &ElementAt<Circle, G>, trial: &MapTestConfig) -> Tried {
    let [x, y] = p.coordinates();
    RealPresheaf::compare_elements(space, &(x.powi(2) + y.powi(2)), &space.constant(1), trial)
}

/// **One circle.** From an angle to the point that its exponential reaches, both ways.
pub fn one_circle<G: MapEnd>(space: &Space<G>, angle: &Map<G, U1>, speed: &Map<G, U1>, trial: &MapTestConfig) -> Tried {
    let moved = exponential_map_of_angles().component_at(space, &(angle.clone(), speed.clone()));
    let right = exponential_map().component_at(space, &(Point::at(angle), speed.clone()));
    Circle::compare_elements(space, &points().component_at(space, &moved), &right, trial)
}

/// **The exponential starts at the point, with the speed.** As a curve in t, `exp_p(t·v)` is at t = 0 the tangent (p, v).
pub fn exponential_starts<G: MapEnd>(
    space: &Space<G>,
    p: &Point<G>,
    speed: &Map<G, U1>,
    trial: &MapTestConfig,
) -> Tried {
    let line = Space::<U1>::new();
    let (rest, t) = (space.first(&line), space.second(&line));
    let moved = (Circle::restrict(&rest, p), rest.then(speed) * t);
    let curve = exponential_map().component_at(&space.product_with(&line), &moved);
    let point = space.id().pair(&space.constant(0));
    let v = CoendTangent::<Circle, G>::new(&point.pair(&space.zero(space).pair(&space.constant(1))), &curve);
    let expected = (p.clone(), speed.clone());
    ProductPresheaf::<Circle, RealPresheaf>::compare_elements(
        space,
        &tangents_to_the_circle().to.component_at(space, &v),
        &expected,
        trial,
    )
}

fn main() -> Result<(), MapError> {
    let point = Space::<U0>::new();
    // from the east, at a speed of a quarter turn: the north
    let east = Point::at(&point.constant(0));
    let [x, y] = exponential_map().component_at(&point, &(east, Map::<U0, U1>::pi() / 2)).coordinates();
    let eps = Rational::from((1, 1_000_000_000));
    for (name, coordinate) in [("x", x), ("y", y)] {
        let answer = coordinate.at([]).enclose(&eps, &Budget::unlimited())?;
        println!("{name} ∈ {}", answer.components[0].enclosure);
    }
    Ok(())
}
