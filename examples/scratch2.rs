use smoothish::number::{Rational, budget::Budget, context::Function as F, *};
use smoothish::smooth::graph::*;
use smoothish::smooth::{algebra::*, jet::*};
fn main() {
    let ctx = Double;
    let a = Algebra::real().adjoin(Generator::Taylor(4));
    let j = Jets { context: &ctx, algebra: &a };
    let x = Jet::new([
        Some(ctx.hull(&ctx.integer(0), &ctx.rational(&Rational::from((1, 2))))),
        Some(ctx.rational(&Rational::from((1, 4)))),
    ]);
    let s = j.power(&x, 2, 1);
    println!("{s:?}");
    let s = j.add(&s, &Jet::constant(ctx.integer(1)));
    let r = j.function(F::Sqrt, &s);
    println!("{r:?}");
    println!("{:?}", j.divide(&x, &r));
}
