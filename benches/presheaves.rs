//! Whether presheaves with erased types cost more than typed ones: HAD against the traits of `presheaf`.
//!
//! `cargo bench --bench presheaves` prints medians in microseconds for composites of n steps, each of which curries a function
//! at a pair and applies it, and the ratio of both. The graphs that they build are the same.

use smoothish::category::simple::RealLine;
use smoothish::category::{Cartesian, CartesianClosed, Category, ObjectName, ProductOf};
use smoothish::meaning::had::{ErasedMap, ErasedStage, Had, HadArrow, HadElement, Of};
use smoothish::presheaf::exponential::{ExponentialElement, PresheafTransformation};
use smoothish::presheaf::{HiddenStage, ProductPresheaf, RealPresheaf};
use smoothish::smooth::dimension::RealObject;
use smoothish::smooth::map::{Map, Space};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;
use typenum::U2;

const RUNS: usize = 41;

/// The median of many runs, in microseconds.
fn timed<T>(mut run: impl FnMut() -> T) -> f64 {
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times[RUNS / 2]
}

type TypedPair = ProductPresheaf<RealPresheaf, RealPresheaf>;

/// `(c, x) ↦ (c, (y ↦ sin (c·y) + c) x)`, n times.
fn typed_steps(n: usize) -> PresheafTransformation<TypedPair, TypedPair> {
    let step = PresheafTransformation::<TypedPair, TypedPair>::new(|space, (c, x)| {
        let f = ExponentialElement::<RealPresheaf, RealPresheaf, _>::curry::<RealPresheaf>(space, c, |_, c, y| {
            (c * y).sin() + c
        });
        (c.clone(), f.apply(&space.id(), x))
    });
    (1..n).fold(step.clone(), |all, _| all.then(&step))
}

/// The same in HAD, for any name of ℜ, out of the arrow `(c, y) ↦ sin (c·y) + c`.
fn erased_steps<R: ObjectName<Had>>(n: usize, body: &HadArrow) -> HadArrow {
    let curried = Had::curry::<R, R, R>(body);
    let (c, x) = (Had::first::<R, R>(), Had::second::<R, R>());
    type Function<R> = <Had as CartesianClosed>::Exponential<R, R>;
    let function = Had::then::<ProductOf<Had, R, R>, R, Function<R>>(&c, &curried);
    let both = Had::pair::<ProductOf<Had, R, R>, Function<R>, R>(&function, &x);
    let value = Had::then::<ProductOf<Had, R, R>, ProductOf<Had, Function<R>, R>, R>(&both, &Had::apply::<R, R>());
    let step: HadArrow = Had::pair::<ProductOf<Had, R, R>, R, R>(&c, &value);
    type Pair<R> = ProductOf<Had, R, R>;
    (1..n).fold(step.clone(), |all, _| Had::then::<Pair<R>, Pair<R>, Pair<R>>(&all, &step))
}

/// An arrow that acts on a pair of elements of one type.
fn body_of<E: Clone + Send + Sync + 'static>(f: impl Fn(&E, &E) -> E + Send + Sync + 'static) -> HadArrow {
    HadArrow::new(move |_, x| {
        let (c, y) = x.downcast_ref::<(HadElement, HadElement)>().expect("a pair");
        Ok(Arc::new(f(c.downcast_ref().expect("a number"), y.downcast_ref().expect("a number"))))
    })
}

fn main() {
    type Number = Map<HiddenStage, RealObject>;
    let space = Space::<U2>::new();
    let [c, x] = [0, 1].map(|i| space.coordinates()[i].clone());
    let stage = ErasedStage::of_size(2);
    println!("{:>6} {:>10} {:>10} {:>7} {:>10} {:>7}", "steps", "typed", "Of<F>", "ratio", "y(ℝ)", "ratio");
    for n in [1, 10, 100, 1000] {
        let typed = typed_steps(n);
        let typed_time = timed(|| typed.component_at(&space, &(c.clone(), x.clone())));
        let element = |c: HadElement, x: HadElement| -> HadElement { Arc::new((c, x)) };
        let numbers: [Number; 2] = [c.cast_types(), x.cast_types()];
        let of = erased_steps::<Of<RealPresheaf>>(n, &body_of::<Number>(|c, y| (c * y).sin() + c));
        let input = element(Arc::new(numbers[0].clone()), Arc::new(numbers[1].clone()));
        let of_time = timed(|| of.apply_at(&stage, &input));
        let line = erased_steps::<RealLine>(n, &body_of::<ErasedMap>(|c, y| (c * y).sin() + c));
        let maps: [ErasedMap; 2] = [c.cast_types(), x.cast_types()];
        let input = element(Arc::new(maps[0].clone()), Arc::new(maps[1].clone()));
        let line_time = timed(|| line.apply_at(&stage, &input));
        let ratio = |time: f64| time / typed_time;
        println!(
            "{n:>6} {typed_time:>10.1} {of_time:>10.1} {:>7.2} {line_time:>10.1} {:>7.2}",
            ratio(of_time),
            ratio(line_time)
        );
    }
}
