//! Smoothish maps as graphs, without the language: the derivative of the root of x³ = c, and a primitive of one's own.
//!
//! `cargo run --example graphs`

use smoothish::number::arithmetic::{Context, Extension, Function};
use smoothish::number::budget::Budget;
use smoothish::number::{Double, Interval, Mpfr, Rational, decimal};
use smoothish::smooth::error::SmoothError;
use smoothish::smooth::graph::{Binary, Graph, Unary, Variable};
use smoothish::smooth::primitive::Primitive;
use std::sync::Arc;

/// sin, as an interval extension in both tiers.
struct Sine;

impl Extension for Sine {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        context.apply_function(Function::Sin, &x[0])
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        context.apply_function(Function::Sin, &x[0])
    }
}

/// cos, likewise.
struct Cosine;

impl Extension for Cosine {
    fn eval_double(&self, context: &Double, x: &[Interval<f64>]) -> Interval<f64> {
        context.apply_function(Function::Cos, &x[0])
    }

    fn eval_mpfr(&self, context: &Mpfr, x: &[<Mpfr as Context>::Num]) -> <Mpfr as Context>::Num {
        context.apply_function(Function::Cos, &x[0])
    }
}

/// `sin = foldDer(sin, (x, dx) ↦ cos x · dx)`
fn sine() -> Arc<Primitive> {
    Primitive::fold_der("my_sin", 1, Arc::new(Sine), |x, dx| {
        Graph::binary(Binary::Multiply, &Graph::primitive(&cosine(), vec![x[0].clone()]), &dx[0])
    })
}

/// `cos = foldDer(cos, (x, dx) ↦ -sin x · dx)`: each mentions the other.
fn cosine() -> Arc<Primitive> {
    Primitive::fold_der("my_cos", 1, Arc::new(Cosine), |x, dx| {
        let sin = Graph::primitive(&sine(), vec![x[0].clone()]);
        Graph::binary(Binary::Multiply, &Graph::unary(Unary::Negate, &sin), &dx[0])
    })
}

/// `f′(at)`
fn derivative(at: &Graph, f: impl Fn(&Graph) -> Graph) -> Graph {
    let v = Variable::fresh();
    Graph::derivative(vec![v], f(&Graph::variable(v)), vec![at.clone()], vec![Graph::integer(1)])
}

fn main() -> Result<(), SmoothError> {
    let cube_root = |c: &Graph| {
        let x = Variable::fresh();
        let cube = Graph::power(&Graph::variable(x), &Rational::from(3)).expect("a small exponent");
        Graph::cut_root(x, Graph::binary(Binary::Subtract, c, &cube))
    };
    let sine = sine();
    let questions = [
        ("d/dc root of x³ = c at 8", derivative(&Graph::integer(8), cube_root)),
        ("my_sin'(1) = cos 1", derivative(&Graph::integer(1), |x| Graph::primitive(&sine, vec![x.clone()]))),
        (
            "my_sin'''(1) = -cos 1",
            derivative(&Graph::integer(1), |x| {
                derivative(x, |x| derivative(x, |x| Graph::primitive(&sine, vec![x.clone()])))
            }),
        ),
    ];
    let eps = decimal::parse("1e-12").expect("a decimal");
    for (name, graph) in questions {
        let answer = graph.to_real()?.enclose(&eps, &Budget::unlimited())?;
        println!("{name} ∈ {}", answer.enclosure.print_decimals(&eps));
    }
    Ok(())
}
