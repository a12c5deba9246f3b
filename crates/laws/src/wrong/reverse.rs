//! Mutants of reverse mode: the cotangents that a sweep propagates.

use crate::number::Rational;
use crate::presheaf::dynamic::{Element, reverse_derivative_with};
use crate::smooth::graph::{Binary, Graph, NodeOperation, RationalExponent, SecondOrder, Unary};
use crate::smooth::reverse::{CotangentContributions, ReverseHooks};
use crate::syntax::constant::Constant;
use crate::value::ValueError;

rules! {
    /// The pullbacks of a reverse sweep.
    Reverse {
        FanOut "uses_last_only", "a number that is used twice is asked for the sum of both (A (10))" => "what the last use asks";
        Nearby "reverse_undefined_nearby", "a gradient is ⊥ where the function is undefined nearby" => "what the sweep finds";
        Cotangent "cotangents_in_reverse", "rd takes the components of w in order (A (4))" => "in reverse";
        Subtract "difference_handed_on", "x - y hands -w̄ to y" => "w̄";
        Multiply "product_handed_on", "x·y hands w̄·y to x and w̄·x to y" => "w̄·x to x and w̄·y to y";
        Divide "quotient_handed_on", "x/y hands -w̄·x/y² to y" => "-w̄·x/y";
        Function "slope_not_handed_on", "f x hands w̄·f′ x to x" => "w̄";
        Power "exponent_not_handed_on", "x^q hands w̄·q·x^(q-1) to x" => "w̄·x^(q-1)";
        Kink "kink_handed_on", "max x y hands nothing to the side that loses (S §4.3.2)" => "w̄ to both sides";
        Choice "choice_handed_on", "an if hands nothing to the branch that is not taken (A Prop. 4.3)" => "w̄ to both branches";
        Root "root_handed_on", "a root hands on -w̄/f′ times what its function does (S §5.2.1)" => "w̄/f′ times that";
        Optimum "optimum_handed_on", "what an optimum or an integral hands on is a multiple of w̄" => "it forgets w̄";
        Direction "direction_not_handed_on", "D f(x)·v hands w̄·f′ to v" => "nothing";
        Point "point_not_handed_on", "D f(x)·v hands w̄·(f′)′·v to x" => "nothing";
    }
}

/// Returns the wrong value of a constant of reverse mode; `None` if the constant is another one.
pub(super) fn wrong_rd(
    rule: Reverse,
    constant: Constant,
    arguments: &[Element],
) -> Result<Option<Element>, ValueError> {
    let (Constant::Rd, [f, x, w]) = (constant, arguments) else { return Ok(None) };
    let f = f.as_function()?;
    // all other rules act inside the sweep
    if rule != Reverse::Cotangent {
        return reverse_derivative_with(&rule, f, x, w).map(Some);
    }
    let reversed: Vec<_> = w.coordinates()?.into_iter().rev().cloned().collect();
    reverse_derivative_with(&rule, f, x, &w.with_coordinates(&mut reversed.into_iter())).map(Some)
}

impl ReverseHooks for Reverse {
    fn operand_cotangents(
        &self,
        node: &Graph,
        w: &Graph,
        library: &mut dyn FnMut(&Graph) -> CotangentContributions,
    ) -> CotangentContributions {
        // each part gets the cotangent of the node itself
        let all = |parts: &[&Graph]| parts.iter().map(|part| ((*part).clone(), w.clone())).collect();
        let times = |s: &Graph| Graph::binary(Binary::Multiply, w, s);
        match (self, node.operation()) {
            (Self::Subtract, NodeOperation::Binary(Binary::Subtract, x, y))
            | (Self::Kink, NodeOperation::Binary(Binary::Maximum | Binary::Minimum, x, y))
            | (Self::Choice, NodeOperation::Select(_, x, y)) => all(&[x, y]),
            (Self::Multiply, NodeOperation::Binary(Binary::Multiply, x, y)) => {
                vec![(x.clone(), times(x)), (y.clone(), times(y))]
            }
            (Self::Divide, NodeOperation::Binary(Binary::Divide, x, y)) => {
                let second = Graph::unary(Unary::Negate, &times(node));
                vec![(x.clone(), Graph::binary(Binary::Divide, w, y)), (y.clone(), second)]
            }
            (Self::Function, NodeOperation::Unary(Unary::Function(_), x)) => all(&[x]),
            (Self::Power, NodeOperation::Power(_, RationalExponent { numerator, denominator })) if *numerator != 0 => {
                let q = Rational::from((*numerator, *denominator));
                // the library's cotangent has the factor q, which is divided out again
                let divided =
                    |(part, slope)| (part, Graph::binary(Binary::Divide, &slope, &Graph::rational(q.clone())));
                library(w).into_iter().map(divided).collect()
            }
            // −w̄ changes the sign of everything that the root propagates
            (Self::Root, NodeOperation::Second(SecondOrder::CutRoot, ..)) => library(&Graph::unary(Unary::Negate, w)),
            // a cotangent of 1 forgets the factor w̄
            (Self::Optimum, NodeOperation::Second(primitive, ..)) if *primitive != SecondOrder::CutRoot => {
                library(&Graph::integer(1))
            }
            (Self::Direction, NodeOperation::Derivative(d)) => {
                library(w).into_iter().filter(|(part, _)| !contains_node(part, &d.along)).collect()
            }
            (Self::Point, NodeOperation::Derivative(d)) => {
                library(w).into_iter().filter(|(part, _)| !contains_node(part, &d.at)).collect()
            }
            _ => library(w),
        }
    }

    fn sum_cotangents(&self, one: &Graph, another: &Graph) -> Graph {
        // the second of two uses replaces the sum of both
        match self {
            Self::FanOut => another.clone(),
            _ => Graph::binary(Binary::Add, one, another),
        }
    }

    fn definedness_term(&self, nearby: Graph) -> Graph {
        if *self == Self::Nearby { Graph::integer(0) } else { nearby }
    }
}

/// Returns `true` if `part` is one of `parts`, as a node and not by value.
fn contains_node(part: &Graph, parts: &[Graph]) -> bool {
    parts.iter().any(|other| other.address() == part.address())
}
