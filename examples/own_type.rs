//! A base type of one's own in the language: the circle, with the constants `north`, `rotate` and `altitude`.
//!
//! S leaves open which objects the language has (Fig. 5, ⌊K⌋). Here the presheaf of maps into the plane of length 1 becomes a type.
//! Programs see its constants alone, and differentiate through them.
//!
//! `cargo run --example own_type`

use smoothish::prelude::*;
use smoothish::presheaf::exponential::PresheafTransformation;
use smoothish::presheaf::foreign::BaseType;
use smoothish::presheaf::observe::{Observe, PresheafVerdict, SampleElements, draw_real_map};
use smoothish::presheaf::{Presheaf, ProductPresheaf, RealPresheaf, Representable, Terminal};
use smoothish::random::SplitMix64;
use smoothish::session::{ConstantError, TypeBuilder};
use smoothish::smooth::dimension::MapEnd;
use smoothish::smooth::map::{MapTestConfig, Space};

/// Points of the plane on the unit circle.
pub enum Circle {}

/// A point of the circle, Γ ⇝ ℝ², which varies with the stage.
pub struct Point<G>([Map<G, U1>; 2]);

impl<G> Clone for Point<G> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<G: MapEnd> Point<G> {
    /// The second coordinate.
    pub fn height(&self) -> Map<G, U1> {
        self.0[1].clone()
    }

    /// The point that is this one turned by an angle.
    fn turned_by(&self, angle: &Map<G, U1>) -> Self {
        let Self([x, y]) = self;
        let (cos, sin) = (angle.cos(), angle.sin());
        Self([&(x * &cos) - &(y * &sin), &(x * &sin) + &(y * &cos)])
    }
}

impl Presheaf for Circle {
    type At<G: MapEnd> = Point<G>;

    fn restrict<D: MapEnd, G: MapEnd>(along: &Map<D, G>, Point([x, y]): &Point<G>) -> Point<D> {
        Point([along.then(x), along.then(y)])
    }
}

impl Observe for Circle {
    fn compare_elements<G: MapEnd>(
        space: &Space<G>,
        Point([x, y]): &Point<G>,
        Point([u, v]): &Point<G>,
        trial: &MapTestConfig,
    ) -> PresheafVerdict {
        Representable::compare_elements(space, &x.pair(y), &u.pair(v), trial)
    }
}

impl SampleElements for Circle {
    fn draw_element<G: MapEnd>(random: &mut SplitMix64, space: &Space<G>) -> Point<G> {
        north_at(space).turned_by(&draw_real_map(random, space))
    }
}

impl BaseType for Circle {}

fn north_at<G: MapEnd>(space: &Space<G>) -> Point<G> {
    Point([space.constant(0), space.constant(1)])
}

/// Defines the type of the circle, with its constants. `height` may be wrong: its tests say so.
pub fn circle_type(
    session: &mut Session,
    height: PresheafTransformation<Circle, RealPresheaf>,
) -> Result<(), ConstantError> {
    let north = PresheafTransformation::<Terminal, Circle>::new(|space, ()| north_at(space));
    let rotate = PresheafTransformation::<ProductPresheaf<RealPresheaf, Circle>, Circle>::new(|_, (angle, point)| {
        point.turned_by(angle)
    });
    let circle: TypeBuilder<'_, Circle> = session.define_type("Circle");
    circle.constant("north", north).constant("rotate", rotate).constant("altitude", height).add()
}

/// The second coordinate of a point.
pub fn height() -> PresheafTransformation<Circle, RealPresheaf> {
    PresheafTransformation::new(|_, point: &Point<_>| point.height())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut session = Session::new();
    circle_type(&mut session, height())?;
    for program in [
        "altitude north",
        r"altitude (rotate 0.7 north)",
        r"deriv (\t => altitude (rotate t north)) 0.7",
        r"integral01 (\t => altitude (rotate (2 * pi * t) north)^2)",
    ] {
        println!("{program} = {}", session.enclose(program, 1e-9)?.enclosure);
    }
    // types are checked
    println!("{}", session.infer("rotate north 1").expect_err("the arguments are in the wrong order"));
    Ok(())
}
