//! The first-order language of S Figs. 3 and 4: its terms, their types, and their meanings as towers and in λ_S.
//!
//! `cargo run --example first_order`

pub mod language;

use language::embedding::embedded;
use language::meaning::{FirstOrderError, tower};
use language::{Arrow, Context, Term, Type};
use smoothish::number::{Context as _, Double};
use smoothish::syntax::constant::Constant;

fn main() -> Result<(), FirstOrderError> {
    let (x, y, p) = (Term::variable("x"), Term::variable("y"), Term::variable("p"));
    let one = Term::number(1);
    let real = Type::real();
    let relu = Term::operation(Constant::Max, &[x.clone(), Term::number(0)]).expect("max takes two real numbers");
    let first = Term::apply(Arrow::first(&real, &real), &p);
    let second = Term::apply(Arrow::second(&real, &real), &p);
    let square = x.times(&x);
    for term in [
        Term::derivative(&square, "x", &Term::number(3), &one),
        // the derivative of the derivative, at 3: y is the point of the inner one
        Term::derivative(&Term::derivative(&square, "x", &y, &one), "y", &Term::number(3), &one),
        // the context is held fixed: the inner derivative is y, not 2y
        Term::bind("y", &Term::number(5), &Term::derivative(&x.times(&y), "x", &y, &one)),
        // along a pair
        Term::derivative(&first.times(&second), "p", &Term::number(2).pair(&Term::number(3)), &one.pair(&one)),
        // at a kink, a set
        Term::derivative(&relu, "x", &Term::number(0), &one),
    ] {
        let context = Context::new();
        let ty = term.type_in(&context)?;
        let value = tower::<Double>(&term, &context)?.value_at(&[], &Double)?;
        let (program, _) = embedded(&term, &context)?;
        println!("{term} : {ty}");
        for coordinate in &value {
            let enclosure = Double.to_enclosure(coordinate);
            println!("  ∈ [{}, {}]", enclosure.lo().to_f64(), enclosure.hi().to_f64());
        }
        println!("  in λ_S: {program}");
    }
    // a wrong direction
    let wrong = Term::derivative(&square, "x", &Term::number(3), &one.pair(&one));
    if let Err(error) = wrong.type_in(&Context::new()) {
        println!("{wrong}\n  {error}");
    }
    Ok(())
}
