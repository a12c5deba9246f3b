//! Adjoints of nodes that bind no variables.

use super::CotangentContributions;
use crate::function::{Formula, FormulaStep, Function};
use crate::number::Rational;
use crate::smooth::graph::{Binary, FreeOccurrences, Graph, Guard, NodeOperation, SourceId, Unary, Variable};

/// Returns w·s. Factors 1 are simplified.
pub(super) fn multiply_simplified(w: &Graph, s: &Graph) -> Graph {
    let is_one = |g: &Graph| g.as_rational().is_some_and(|q| *q == 1);
    match (is_one(w), is_one(s)) {
        (true, _) => s.clone(),
        (_, true) => w.clone(),
        _ => Graph::binary(Binary::Multiply, w, s),
    }
}

fn negate_graph(g: &Graph) -> Graph {
    Graph::unary(Unary::Negate, g)
}

/// Returns the operands of a node that depend on the inputs, each with its cotangent.
pub(super) fn pull_back_node(node: &Graph, w: &Graph, moving: &mut FreeOccurrences) -> CotangentContributions {
    let site = node.site();
    let mut handed = Vec::new();
    let mut hand = |part: &Graph, cotangent: &dyn Fn() -> Graph| {
        if moving.occur_in(part) {
            handed.push((part.clone(), cotangent().at_site(site)));
        }
    };
    let by_itself = |i: usize| multiply_simplified(w, &partial_of_operation(node, i));
    match node.operation() {
        NodeOperation::Unary(Unary::Negate, a) => hand(a, &|| negate_graph(w)),
        NodeOperation::Unary(Unary::Function(f), a) => {
            hand(a, &|| multiply_simplified(w, &function_slope(*f, a, node)))
        }
        NodeOperation::Unary(Unary::Abs | Unary::Signum, a) => hand(a, &|| by_itself(0)),
        NodeOperation::Binary(Binary::Add, a, b) => [a, b].into_iter().for_each(|part| hand(part, &|| w.clone())),
        NodeOperation::Binary(Binary::Subtract, a, b) => {
            hand(a, &|| w.clone());
            hand(b, &|| negate_graph(w));
        }
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            hand(a, &|| multiply_simplified(w, b));
            hand(b, &|| multiply_simplified(w, a));
        }
        NodeOperation::Binary(Binary::Divide, a, b) => {
            hand(a, &|| Graph::binary(Binary::Divide, w, b));
            // the node is a/b, so its value is reused: ∂(a/b)/∂b = -(a/b)/b
            hand(b, &|| negate_graph(&Graph::binary(Binary::Divide, &multiply_simplified(w, node), b)));
        }
        // max(a, a) is a, without a kink
        NodeOperation::Binary(Binary::Maximum | Binary::Minimum, a, b) if a.address() == b.address() => {
            hand(a, &|| w.clone());
        }
        NodeOperation::Binary(Binary::Maximum | Binary::Minimum | Binary::Planar(_), a, b) => {
            hand(a, &|| by_itself(0));
            hand(b, &|| by_itself(1));
        }
        // a⁰ is constant where it is defined
        NodeOperation::Power(_, e) if e.numerator == 0 => {}
        NodeOperation::Power(a, e) => {
            let exponent = Rational::from((e.numerator, e.denominator));
            let less = Graph::power(a, &Rational::from(&exponent - 1)).map(|less| less.at_site(site.of_slope()));
            hand(a, &|| match &less {
                Some(less) => multiply_simplified(w, &multiply_simplified(&Graph::rational(exponent.clone()), less)),
                None => by_itself(0),
            });
        }
        NodeOperation::Select(guard, a, b) => {
            // a choice, not a product: a branch that is not taken may be undefined
            let (guard, none) = (Guard::positive(guard), Graph::integer(0));
            hand(a, &|| Graph::select(&guard, w, &none));
            hand(b, &|| Graph::select(&guard, &none, w));
        }
        NodeOperation::Primitive(_, xs) => xs.iter().enumerate().for_each(|(i, x)| hand(x, &|| by_itself(i))),
        NodeOperation::Variable(_)
        | NodeOperation::Rational(_)
        | NodeOperation::Pi
        | NodeOperation::Euler
        | NodeOperation::Derivative(_)
        | NodeOperation::Second(..) => {}
    }
    handed
}

/// Returns the partial derivative of a node in one operand, the operands as they are: a derivative of the operation
/// alone, by forward mode.
fn partial_of_operation(node: &Graph, part: usize) -> Graph {
    let parts = node.operation().operands();
    let variables: Vec<_> = parts.iter().map(|_| Variable::fresh()).collect();
    let inputs: Vec<_> = variables.iter().map(|v| Graph::variable(*v)).collect();
    let body = match node.operation() {
        NodeOperation::Unary(f, _) => Graph::unary(*f, &inputs[0]),
        NodeOperation::Binary(f, ..) => Graph::binary(*f, &inputs[0], &inputs[1]),
        NodeOperation::Power(_, e) => Graph::new(NodeOperation::Power(inputs[0].clone(), *e)),
        NodeOperation::Primitive(p, _) => Graph::primitive(p, inputs),
        _ => Graph::integer(0),
    };
    let unit = (0..parts.len()).map(|i| Graph::integer(i64::from(i == part))).collect();
    let at = parts.into_iter().cloned().collect();
    Graph::derivative(variables, body.at_site(node.site()), at, unit)
}

/// Returns the derivative of an elementary function at a, where it has the value y.
fn function_slope(f: Function, a: &Graph, y: &Graph) -> Graph {
    write_formula(&f.slope_formula(), std::slice::from_ref(a), y, y.site())
}

/// Writes the formula of a derivative at `arguments`. `y` is the value of the function, and `site` its position.
pub(super) fn write_formula(formula: &Formula, arguments: &[Graph], y: &Graph, site: SourceId) -> Graph {
    let site = site.of_slope();
    let inverse = |a: &Graph| Graph::binary(Binary::Divide, &Graph::integer(1), a);
    formula.eval_with(&mut |step| {
        match step {
            FormulaStep::Argument(index) => return arguments[index].clone(),
            FormulaStep::Y => return y.clone(),
            FormulaStep::Number(p, q) => Graph::rational(Rational::from((p, q))),
            FormulaStep::Pi => Graph::pi(),
            FormulaStep::Negate(a) => negate_graph(&a),
            FormulaStep::Add(a, b) => Graph::binary(Binary::Add, &a, &b),
            FormulaStep::Subtract(a, b) => Graph::binary(Binary::Subtract, &a, &b),
            FormulaStep::Multiply(a, b) => multiply_simplified(&a, &b),
            FormulaStep::Divide(a, b) => Graph::binary(Binary::Divide, &a, &b),
            FormulaStep::Square(a) => Graph::binary(Binary::Multiply, &a, &a),
            FormulaStep::Inverse(a) => inverse(&a),
            FormulaStep::InverseRoot(a) => inverse(&Graph::function(Function::Sqrt, &a).at_site(site)),
            FormulaStep::Apply(f, a) => Graph::function(f, &a),
        }
        .at_site(site)
    })
}
