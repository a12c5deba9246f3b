//! Adjoints of nodes that bind no variables.

use super::Handed;
use crate::function::{Formula, Function, Step};
use crate::number::Rational;
use crate::smooth::graph::{Binary, Graph, Guard, Mentions, Operation, Site, Unary, Variable};

/// Returns w·s. Factors 1 are simplified.
pub(super) fn times(w: &Graph, s: &Graph) -> Graph {
    let is_one = |g: &Graph| g.as_rational().is_some_and(|q| *q == 1);
    match (is_one(w), is_one(s)) {
        (true, _) => s.clone(),
        (_, true) => w.clone(),
        _ => Graph::binary(Binary::Multiply, w, s),
    }
}

fn negative(g: &Graph) -> Graph {
    Graph::unary(Unary::Negate, g)
}

/// Returns the operands of a node that depend on the inputs, each with its cotangent.
pub(super) fn pull(node: &Graph, w: &Graph, moving: &mut Mentions) -> Handed {
    let site = node.site();
    let mut handed = Vec::new();
    let mut hand = |part: &Graph, cotangent: &dyn Fn() -> Graph| {
        if moving.occur_in(part) {
            handed.push((part.clone(), cotangent().at(site)));
        }
    };
    let by_itself = |i: usize| times(w, &partial(node, i));
    match node.operation() {
        Operation::Unary(Unary::Negate, a) => hand(a, &|| negative(w)),
        Operation::Unary(Unary::Function(f), a) => hand(a, &|| times(w, &slope(*f, a, node))),
        Operation::Unary(Unary::Abs | Unary::Signum, a) => hand(a, &|| by_itself(0)),
        Operation::Binary(Binary::Add, a, b) => [a, b].into_iter().for_each(|part| hand(part, &|| w.clone())),
        Operation::Binary(Binary::Subtract, a, b) => {
            hand(a, &|| w.clone());
            hand(b, &|| negative(w));
        }
        Operation::Binary(Binary::Multiply, a, b) => {
            hand(a, &|| times(w, b));
            hand(b, &|| times(w, a));
        }
        Operation::Binary(Binary::Divide, a, b) => {
            hand(a, &|| Graph::binary(Binary::Divide, w, b));
            // the node is a/b, so its value is reused: ∂(a/b)/∂b = -(a/b)/b
            hand(b, &|| negative(&Graph::binary(Binary::Divide, &times(w, node), b)));
        }
        // max(a, a) is a, without a kink
        Operation::Binary(Binary::Maximum | Binary::Minimum, a, b) if a.address() == b.address() => {
            hand(a, &|| w.clone());
        }
        Operation::Binary(Binary::Maximum | Binary::Minimum | Binary::Planar(_), a, b) => {
            hand(a, &|| by_itself(0));
            hand(b, &|| by_itself(1));
        }
        // a⁰ is constant where it is defined
        Operation::Power(_, e) if e.numerator == 0 => {}
        Operation::Power(a, e) => {
            let exponent = Rational::from((e.numerator, e.denominator));
            let less = Graph::power(a, &Rational::from(&exponent - 1)).map(|less| less.at(site.slope()));
            hand(a, &|| match &less {
                Some(less) => times(w, &times(&Graph::rational(exponent.clone()), less)),
                None => by_itself(0),
            });
        }
        Operation::Select(guard, a, b) => {
            // a choice, not a product: a branch that is not taken may be undefined
            let (guard, none) = (Guard::positive(guard), Graph::integer(0));
            hand(a, &|| Graph::select(&guard, w, &none));
            hand(b, &|| Graph::select(&guard, &none, w));
        }
        Operation::Primitive(_, xs) => xs.iter().enumerate().for_each(|(i, x)| hand(x, &|| by_itself(i))),
        Operation::Variable(_)
        | Operation::Rational(_)
        | Operation::Pi
        | Operation::Euler
        | Operation::Derivative(_)
        | Operation::Second(..) => {}
    }
    handed
}

/// Returns the partial derivative of a node in one operand, the operands as they are: a derivative of the operation
/// alone, by forward mode.
fn partial(node: &Graph, part: usize) -> Graph {
    let parts = node.operation().parts();
    let variables: Vec<_> = parts.iter().map(|_| Variable::fresh()).collect();
    let inputs: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let body = match node.operation() {
        Operation::Unary(f, _) => Graph::unary(*f, &inputs[0]),
        Operation::Binary(f, ..) => Graph::binary(*f, &inputs[0], &inputs[1]),
        Operation::Power(_, e) => Graph::new(Operation::Power(inputs[0].clone(), *e)),
        Operation::Primitive(p, _) => Graph::primitive(p, inputs),
        _ => Graph::integer(0),
    };
    let unit = (0..parts.len()).map(|i| Graph::integer(i64::from(i == part))).collect();
    let at = parts.into_iter().cloned().collect();
    Graph::derivative(variables, body.at(node.site()), at, unit)
}

/// Returns the derivative of an elementary function at a, where it has the value y.
fn slope(f: Function, a: &Graph, y: &Graph) -> Graph {
    graph(&f.slope(), std::slice::from_ref(a), y, y.site())
}

/// Writes the formula of a derivative at `arguments`. `y` is the value of the function, and `site` its position.
pub(super) fn graph(formula: &Formula, arguments: &[Graph], y: &Graph, site: Site) -> Graph {
    let site = site.slope();
    let inverse = |a: &Graph| Graph::binary(Binary::Divide, &Graph::integer(1), a);
    formula.evaluate(&mut |step| {
        match step {
            Step::Argument(index) => return arguments[index].clone(),
            Step::Y => return y.clone(),
            Step::Number(p, q) => Graph::rational(Rational::from((p, q))),
            Step::Pi => Graph::pi(),
            Step::Negate(a) => negative(&a),
            Step::Add(a, b) => Graph::binary(Binary::Add, &a, &b),
            Step::Subtract(a, b) => Graph::binary(Binary::Subtract, &a, &b),
            Step::Multiply(a, b) => times(&a, &b),
            Step::Divide(a, b) => Graph::binary(Binary::Divide, &a, &b),
            Step::Square(a) => Graph::binary(Binary::Multiply, &a, &a),
            Step::Inverse(a) => inverse(&a),
            Step::InverseRoot(a) => inverse(&Graph::function(Function::Sqrt, &a).at(site)),
            Step::Of(f, a) => Graph::function(f, &a),
        }
        .at(site)
    })
}
