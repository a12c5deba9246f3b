//! The first-order language of S Figs. 3 and 4: its terms, their types, and their meanings as towers and in λ_S.
//!
//! `cargo run --example first_order`

use smoothish::meaning::first_order::denotation::tower_of_term;
use smoothish::meaning::first_order::translation::core_term_of;
use smoothish::meaning::first_order::{AdArrow, FirstOrderContext, FirstOrderTerm, FirstOrderType};
use smoothish::number::{Context as _, Double};
use smoothish::syntax::library::Library;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [x, y, p] = ["x", "y", "p"].map(FirstOrderTerm::variable);
    let (one, real) = (FirstOrderTerm::number(1), FirstOrderType::real());
    let first = FirstOrderTerm::apply(AdArrow::first(&real, &real), &p);
    let second = FirstOrderTerm::apply(AdArrow::second(&real, &real), &p);
    let pair = FirstOrderTerm::number(2).pair(&FirstOrderTerm::number(3));
    let mut terms = vec![
        // the context is held fixed: the inner derivative is y, not 2y
        FirstOrderTerm::bind("y", &FirstOrderTerm::number(5), &FirstOrderTerm::derivative(&x.times(&y), "x", &y, &one)),
        // along a pair
        FirstOrderTerm::derivative(&first.times(&second), "p", &pair, &one.pair(&one)),
    ];
    // programs of λ_S: the second derivative of a square, and a set at a kink
    for program in [r"deriv (deriv (\x => x * x)) 3", r"deriv (\x => max x 0) 0"] {
        let (term, ty) = Library::new().infer_expression(program)?;
        terms.push(FirstOrderTerm::of_program(&term, &ty)?.0);
    }
    let context = FirstOrderContext::new();
    for term in terms {
        println!("{term} : {}", term.type_in(&context)?);
        for coordinate in tower_of_term::<Double>(&term, &context)?.value_at(&[], &Double)? {
            let enclosure = Double.to_enclosure(&coordinate);
            println!("  ∈ [{}, {}]", enclosure.lo().to_f64(), enclosure.hi().to_f64());
        }
        println!("  in λ_S: {}", core_term_of(&term, &context)?.0);
    }
    // a direction of another type than the point
    let wrong = FirstOrderTerm::derivative(&x.times(&x), "x", &FirstOrderTerm::number(3), &one.pair(&one));
    if let Err(error) = wrong.type_in(&context) {
        println!("{wrong}\n  {error}");
    }
    Ok(())
}
