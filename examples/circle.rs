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

use smoothish::number::{Rational, budget::Budget};
use smoothish::presheaf::coend::{Tan, Tangent};
use smoothish::presheaf::exponential::Transformation;
use smoothish::presheaf::isomorphism::{Iso, value_with_slope};
use smoothish::presheaf::observe::Observe;
use smoothish::presheaf::product::Product;
use smoothish::presheaf::representable::{Real, Representable};
use smoothish::presheaf::sample::{self, Sample};
use smoothish::presheaf::{At, Presheaf};
use smoothish::random::Random;
use smoothish::smooth::dimension::Shape;
use smoothish::smooth::map::{Map, MapError, Space, Trial};
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

impl<G: Shape> Point<G> {
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
    type At<G: Shape> = Map<G, U1>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, angle: &Map<G, U1>) -> Map<D, U1> {
        along.then(angle)
    }
}

impl Presheaf for Circle {
    type At<G: Shape> = Point<G>;

    fn restrict<D: Shape, G: Shape>(along: &Map<D, G>, p: &Point<G>) -> Point<D> {
        Point(along.then(&p.0))
    }
}

/// A verdict, or why there is none.
type Tried = Result<Verdict, MapError>;

impl Observe for Circle {
    fn agree<G: Shape>(space: &Space<G>, p: &Point<G>, q: &Point<G>, trial: &Trial) -> Tried {
        Representable::agree(space, &p.0, &q.0, trial)
    }

    /// Through [`tangents_to_the_circle`].
    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        let to = tangents_to_the_circle().to;
        Product::<Circle, Real>::agree(space, &to.at(space, v), &to.at(space, w), trial)
    }
}

impl Observe for Angles {
    /// Angles are what their points are.
    fn agree<G: Shape>(space: &Space<G>, a: &Map<G, U1>, b: &Map<G, U1>, trial: &Trial) -> Tried {
        Circle::agree(space, &Point::at(a), &Point::at(b), trial)
    }

    fn tangents_agree<G: Shape>(space: &Space<G>, v: &Tangent<Self, G>, w: &Tangent<Self, G>, trial: &Trial) -> Tried {
        let to = tangents_to_angles().to;
        Product::<Angles, Real>::agree(space, &to.at(space, v), &to.at(space, w), trial)
    }
}

impl Sample for Angles {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Map<G, U1> {
        sample::real(random, space)
    }
}

impl Sample for Circle {
    fn draw<G: Shape>(random: &mut Random, space: &Space<G>) -> Point<G> {
        Point::at(&Angles::draw(random, space))
    }
}

/// `θ ↦ (cos θ, sin θ)`
pub fn points() -> Transformation<Angles, Circle> {
    Transformation::new(|_, angle: &Map<_, U1>| Point::at(angle))
}

/// A tangent to angles is an angle and a speed.
pub fn tangents_to_angles() -> Iso<Tan<Angles>, Product<Angles, Real>> {
    let to = Transformation::new(|_, v: &Tangent<Angles, _>| {
        let line = Space::<U1>::new();
        let both = value_with_slope(&v.open(|v| Tangent::<Real, _>::new(&v.direction, &v.element)));
        (both.then(&line.first(&line)), both.then(&line.second(&line)))
    });
    let from = Transformation::new(|_, (angle, speed): &(Map<_, U1>, Map<_, U1>)| {
        Tangent::new(&angle.pair(speed), &Map::<U1, U1>::id())
    });
    Iso { to, from }
}

/// A tangent to the circle is a point and a speed: at (x, y) with velocity (dx, dy), which is at a right angle, the speed
/// is x·dy − y·dx. The way back turns the point, `t ↦ p·(cos t, sin t)` at 0.
pub fn tangents_to_the_circle() -> Iso<Tan<Circle>, Product<Circle, Real>> {
    let to = Transformation::new(|_, v: &Tangent<Circle, _>| {
        let plane = Space::<U2>::new();
        let both = value_with_slope(&v.open(|v| Tangent::<Representable<U2>, _>::new(&v.direction, &v.element.0)));
        let (p, velocity) = (Point(both.then(&plane.first(&plane))), Point(both.then(&plane.second(&plane))));
        let ([x, y], [dx, dy]) = (p.coordinates(), velocity.coordinates());
        (p, x * dy - y * dx)
    });
    let from = Transformation::new(|space, (p, speed): &(Point<_>, Map<_, U1>)| {
        let line = Space::<U1>::new();
        let later = Circle::restrict(&space.first(&line), p);
        let curve = later.turned(&Point::at(&space.second(&line)));
        let point = space.id().pair(&space.constant(0));
        Tangent::new(&point.pair(&space.zero(space).pair(speed)), &curve)
    });
    Iso { to, from }
}

/// The exponential map: the point that is reached from a point at a speed, after a unit of time.
pub fn exponential_map() -> Transformation<Product<Circle, Real>, Circle> {
    Transformation::new(|_, (p, speed): &(Point<_>, Map<_, U1>)| p.turned(&Point::at(speed)))
}

/// The exponential map of angles.
pub fn exponential_map_of_angles() -> Transformation<Product<Angles, Real>, Angles> {
    Transformation::new(|_, (angle, speed): &(Map<_, U1>, Map<_, U1>)| angle + speed)
}

/// **Length.** `x² + y² = 1`
pub fn length<G: Shape>(space: &Space<G>, p: &At<Circle, G>, trial: &Trial) -> Tried {
    let [x, y] = p.coordinates();
    Real::agree(space, &(x.powi(2) + y.powi(2)), &space.constant(1), trial)
}

/// **One circle.** From an angle to the point that its exponential reaches, both ways.
pub fn one_circle<G: Shape>(space: &Space<G>, angle: &Map<G, U1>, speed: &Map<G, U1>, trial: &Trial) -> Tried {
    let moved = exponential_map_of_angles().at(space, &(angle.clone(), speed.clone()));
    let right = exponential_map().at(space, &(Point::at(angle), speed.clone()));
    Circle::agree(space, &points().at(space, &moved), &right, trial)
}

/// **The exponential starts at the point, with the speed.** As a curve in t, `exp_p(t·v)` is at t = 0 the tangent (p, v).
pub fn exponential_starts<G: Shape>(space: &Space<G>, p: &Point<G>, speed: &Map<G, U1>, trial: &Trial) -> Tried {
    let line = Space::<U1>::new();
    let (rest, t) = (space.first(&line), space.second(&line));
    let moved = (Circle::restrict(&rest, p), rest.then(speed) * t);
    let curve = exponential_map().at(&space.times(&line), &moved);
    let point = space.id().pair(&space.constant(0));
    let v = Tangent::<Circle, G>::new(&point.pair(&space.zero(space).pair(&space.constant(1))), &curve);
    let expected = (p.clone(), speed.clone());
    Product::<Circle, Real>::agree(space, &tangents_to_the_circle().to.at(space, &v), &expected, trial)
}

fn main() -> Result<(), MapError> {
    let point = Space::<U0>::new();
    // from the east, at a speed of a quarter turn: the north
    let east = Point::at(&point.constant(0));
    let [x, y] = exponential_map().at(&point, &(east, Map::<U0, U1>::pi() / 2)).coordinates();
    let eps = Rational::from((1, 1_000_000_000));
    for (name, coordinate) in [("x", x), ("y", y)] {
        let answer = coordinate.at([]).enclose(&eps, &Budget::unlimited())?;
        println!("{name} ∈ {}", answer.components[0].enclosure);
    }
    Ok(())
}
