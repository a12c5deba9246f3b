//! Denotations of the constants of the language (S Fig. 2, §5.1–5.3).

use crate::function::Function;
use crate::model::universe::RealArithmetic;
use crate::number::Rational;
use crate::presheaf::condition::StageCondition;
use crate::presheaf::dynamic::Element;
use crate::presheaf::reverse;
use crate::presheaf::second_order;
use crate::presheaf::tangent;
use crate::smooth::graph::{Binary, Graph, Guard, SourceId, Unary};
use crate::syntax::constant::Constant;
use crate::value::ValueError;

/// Arithmetic on graphs.
#[derive(Clone, Copy, Debug)]
pub struct GraphArithmetic;

impl RealArithmetic for GraphArithmetic {
    type Real = Graph;

    fn rational_constant(&self, value: &Rational) -> Graph {
        Graph::rational(value.clone())
    }
    fn compare_reals(&self, constant: Constant, x: &Graph, y: &Graph) -> Result<StageCondition, ValueError> {
        Ok(StageCondition::Guard(match constant {
            // on its border a comparison is undefined, so strict and non-strict ones agree
            Constant::RealLess | Constant::RealLessEqual => Guard::less_than(x, y),
            Constant::RealGreater | Constant::RealGreaterEqual => Guard::less_than(y, x),
            // equality is constant off the border x = y and undefined on it; `holds` is its value off the border
            Constant::RealEqual | Constant::RealNotEqual => {
                let holds = constant == Constant::RealNotEqual;
                return Ok(StageCondition::Distinct { difference: Guard::less_than(x, y), holds });
            }
            _ => return self.missing_rule(constant),
        }))
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        Ok(match (constant, arguments) {
            (Constant::Pi, []) => Graph::pi(),
            (Constant::E, []) => Graph::euler(),
            (Constant::Negate, [x]) => Graph::unary(Unary::Negate, x),
            (Constant::Abs, [x]) => Graph::unary(Unary::Abs, x),
            (Constant::Signum, [x]) => Graph::unary(Unary::Signum, x),
            (Constant::Add, [x, y]) => Graph::binary(Binary::Add, x, y),
            (Constant::Subtract, [x, y]) => Graph::binary(Binary::Subtract, x, y),
            (Constant::Multiply, [x, y]) => Graph::binary(Binary::Multiply, x, y),
            (Constant::Divide, [x, y]) => Graph::binary(Binary::Divide, x, y),
            (Constant::Max, [x, y]) => Graph::binary(Binary::Maximum, x, y),
            (Constant::Min, [x, y]) => Graph::binary(Binary::Minimum, x, y),
            (Constant::Power, [x, y]) => constant_power(x, y),
            (Constant::RealPower, [x, y]) => real_power(x, y, SourceId::NOWHERE),
            (Constant::Planar(f), [x, y]) => Graph::binary(Binary::Planar(f), x, y),
            (_, [x]) => match constant.as_elementary() {
                Some(f) => Graph::function(f, x),
                None => return self.missing_rule(constant),
            },
            _ => return self.missing_rule(constant),
        })
    }
}

/// Applies a constant to all its arguments; the result is an element at every stage.
///
/// # Errors
/// [`ValueError`]
pub fn apply_to_elements(constant: Constant, site: SourceId, arguments: &[Element]) -> Result<Element, ValueError> {
    // made of several nodes, each of which needs the site
    if let (Constant::RealPower, [x, y]) = (constant, arguments) {
        return Ok(Element::Real(real_power(x.as_real()?, y.as_real()?, site)));
    }
    GraphArithmetic.apply_first_order(constant, arguments).unwrap_or_else(|| match arguments {
        [] => tangent_isomorphism(constant),
        [f] => match constant.as_functional() {
            Some(primitive) => second_order::apply_second_order(primitive, f.as_function()?, site),
            None => Ok(tangent::tangent_value(f.as_tangent()?)),
        },
        [f, x] if constant == Constant::Deriv => second_order::derivative_at(f.as_function()?, x.as_real()?),
        [f, x, v] if constant == Constant::Jvp => reverse::forward_derivative(f.as_function()?, x, v),
        [f, x, w] if constant == Constant::Rd => reverse::reverse_derivative(f.as_function()?, x, w),
        [f, v] => tangent::tangent_map(f.as_function()?, v.as_tangent()?),
        _ => GraphArithmetic.missing_rule(constant),
    })
}

fn tangent_isomorphism(constant: Constant) -> Result<Element, ValueError> {
    Ok(match constant {
        Constant::TangentR => Element::iso_from_closures(
            |v| tangent::real_to(v.as_tangent()?),
            |p| {
                let (x, dx) = p.as_pair()?;
                Ok(tangent::real_from(x.as_real()?, dx.as_real()?))
            },
        ),
        Constant::TangentProd => Element::iso_from_closures(
            |v| tangent::product_to(v.as_tangent()?),
            |p| {
                let parts: Result<Vec<_>, _> = p.as_tuple()?.iter().map(|t| t.as_tangent().cloned()).collect();
                Ok(tangent::product_from(&parts?))
            },
        ),
        Constant::TangentToR => Element::iso_from_closures(
            |v| tangent::function_to(v.as_tangent()?),
            |p| {
                let (f, df) = p.as_pair()?;
                Ok(tangent::function_from(f.as_function()?, df.as_function()?))
            },
        ),
        _ => return GraphArithmetic.missing_rule(constant),
    })
}

/// Returns x^q (S74): a rational power if q is a rational number of moderate size, otherwise exp(q·log x).
fn constant_power(x: &Graph, q: &Graph) -> Graph {
    q.as_rational().and_then(|q| Graph::power(x, q)).unwrap_or_else(|| real_power(x, q, SourceId::NOWHERE))
}

/// Returns exp(y·log x) with a site. A rational y is not treated differently: the function of y must stay the same.
fn real_power(x: &Graph, y: &Graph, site: SourceId) -> Graph {
    let log = Graph::function(Function::Log, x).at_site(site);
    Graph::function(Function::Exp, &Graph::binary(Binary::Multiply, y, &log).at_site(site)).at_site(site)
}
