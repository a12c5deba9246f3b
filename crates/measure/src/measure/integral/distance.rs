//! Square roots of quantities that vanish at a boundary, written by the distance from it.
//!
//! The boundary of a disc is a square root, √(1 - x²), which is 0 at both ends of its domain. Let x = l + (r - l)·s,
//! where l and r are roots of a polynomial a·x² + b·x + c. The polynomial is then -a·(r - l)²·s·(1 - s), which is
//! positive between 0 and 1 by its form, where its range would reach below 0.
//!
//! If r is such a root, and l is halfway between both roots, the polynomial is -a·(r - l)²·t·(2 - t), with t = 1 - s.
//! At one end alone it is the distance from that end, times a·(x + l) + b. Normal forms decide whether it is 0 at an
//! end.

use crate::function::Function;
use crate::measure::cells::CellBounds;
use crate::measure::distribution::{add, multiply, negate, power, subtract};
use crate::measure::eliminate::form::{is_constant_zero, quartic_coefficients};
use crate::number::Rational;
use crate::pieces::fraction::RationalNormalForm;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::substitution::Substitution;

/// A coordinate between two boundaries, as a map of a variable in [0, 1].
pub(super) struct BoundedCoordinate<'a> {
    /// The coordinate.
    pub variable: Variable,
    /// The borders.
    pub between: &'a CellBounds,
    /// The coordinate itself, as a map.
    pub map: Graph,
    /// The distance between the boundaries; 1 if there is only one.
    pub width: Graph,
    /// The parts of the interval to the left and to the right of the coordinate, as fractions of the width. With one
    /// boundary, the distance from it.
    pub parts: [DistanceProduct; 2],
}

impl BoundedCoordinate<'_> {
    /// Substitutes the coordinate into a map, with roots that vanish at a boundary written by distances.
    pub fn substitute_into(&self, body: &Graph) -> Graph {
        let bindings = [(self.variable, self.map.clone())];
        let mut substitution = Substitution::new(&bindings);
        for (node, exponent, DistanceProduct { side, rest, distance }) in self.roots_at_boundaries(body) {
            let root = |g: &Graph| match node.operation() {
                NodeOperation::Power(..) => power(g, &exponent),
                _ => Graph::function(Function::Sqrt, g),
            };
            let roots = [rest, distance].map(|g| if is_constant_one(&g) { g } else { root(&g) });
            // (side²)^q = side^(2q), since the side is positive
            let side = power_of_each(&side, &Rational::from(&exponent * 2));
            let found = roots.iter().fold(side, |product, root| multiply(&product, root));
            substitution.replace_node(node, found.at_site(node.site()));
        }
        substitution.apply(body)
    }

    /// Returns the roots in a map that vanish at a boundary: the nodes, their exponents and the products under the
    /// roots.
    fn roots_at_boundaries<'g>(&self, body: &'g Graph) -> Vec<(&'g Graph, Rational, DistanceProduct)> {
        let mut forms = RationalNormalForm::default();
        let is_open = self.between.iter().all(Option::is_none);
        let mut root = |node: &'g Graph| {
            let (under, exponent) = match node.operation() {
                NodeOperation::Unary(Unary::Function(Function::Sqrt), under) => (under, Rational::from((1, 2))),
                NodeOperation::Power(under, e) => (under, Rational::from((e.numerator, i64::from(e.denominator)))),
                _ => return None,
            };
            let may_be = !is_open && *exponent.denom() != 1 && under.depends_on(self.variable);
            let found = may_be.then(|| self.factorise_distances(under, &mut forms))??;
            Some((node, exponent, found))
        };
        Graph::all_nodes([body]).into_iter().filter_map(&mut root).collect()
    }

    /// Factorises a map into distances from boundaries and a rest. Returns `None` if no factor vanishes at a boundary.
    fn factorise_distances(&self, graph: &Graph, forms: &mut RationalNormalForm) -> Option<DistanceProduct> {
        if let NodeOperation::Binary(Binary::Multiply, a, b) = graph.operation() {
            let own = |g: &Graph| DistanceProduct {
                rest: g.substitute(&[(self.variable, self.map.clone())]),
                ..DistanceProduct::unit_product()
            };
            return match [a, b].map(|g| self.factorise_distances(g, forms)) {
                [None, None] => None,
                [x, y] => Some(x.unwrap_or_else(|| own(a)).multiply_parts(&y.unwrap_or_else(|| own(b)))),
            };
        }
        if !graph.depends_on(self.variable) {
            return None;
        }
        let [c, b, a, third, fourth] = quartic_coefficients(graph, self.variable, forms)?;
        if !is_constant_zero(&third) || !is_constant_zero(&fourth) {
            return None;
        }
        let value = |y: &Graph| add(&multiply(&add(&multiply(&a, y), &b), y), &c);
        let mut is_nothing = |g: &Graph| forms.normal_form(g).is_some_and(|found| found.is_zero());
        let ends = self.between.each_ref().map(|border| border.as_ref().filter(|border| is_nothing(&value(border))));
        let two = Rational::from(2);
        // the derivative 2a·y + b, which is 0 halfway between both roots
        let slope = |y: &Graph| add(&multiply(&multiply(&a, y), &Graph::rational(two.clone())), &b);
        let middles = self.between.each_ref().map(|border| border.as_ref().is_some_and(|y| is_nothing(&slope(y))));
        let width = &self.width;
        // -a·width²: the width stays a factor of its own, with which others cancel, unless the product is simpler, as
        // for a varying a
        let mut whole = |distance: DistanceProduct| match a.as_rational() {
            Some(_) => distance.multiply_parts(&DistanceProduct {
                side: width.clone(),
                rest: negate(&a),
                ..DistanceProduct::unit_product()
            }),
            None => distance.multiply_parts(&DistanceProduct {
                rest: forms.simplify_graph(&multiply(&negate(&a), &power(width, &two))),
                ..DistanceProduct::unit_product()
            }),
        };
        // a·(y + l) + b, the cofactor of y - l if l is a root
        let other = |end: &Graph| multiply(width, &add(&multiply(&a, &add(&self.map, end)), &b));
        let [left, right] = &self.parts;
        let twice = |part: &DistanceProduct| {
            part.multiply_parts(&DistanceProduct::of_distance(subtract(&Graph::integer(2), &part.to_graph())))
        };
        Some(match ends {
            [Some(_), Some(_)] => whole(left.multiply_parts(right)),
            // the other root mirrors l at the middle: its distance is 2 widths less the one from l
            [Some(_), None] if middles[1] => whole(twice(left)),
            [None, Some(_)] if middles[0] => whole(twice(right)),
            [Some(l), None] => {
                left.multiply_parts(&DistanceProduct { rest: other(l), ..DistanceProduct::unit_product() })
            }
            [None, Some(r)] => {
                right.multiply_parts(&DistanceProduct { rest: negate(&other(r)), ..DistanceProduct::unit_product() })
            }
            [None, None] => return None,
        })
    }
}

/// Returns for each boundary of a coordinate whether a map has square roots of the distance from it.
pub(super) fn roots_at_ends(variable: Variable, between: &CellBounds, body: &Graph) -> [bool; 2] {
    // marks in place of distances tell which one a root contains
    let marks = [Variable::fresh(), Variable::fresh()];
    let parts = marks.map(|mark| DistanceProduct::of_distance(Graph::variable(mark)));
    let way = BoundedCoordinate { variable, between, map: Graph::variable(variable), width: Graph::integer(1), parts };
    let roots = way.roots_at_boundaries(body);
    marks.map(|mark| roots.iter().any(|(_, e, root)| *e.denom() == 2 && root.distance.depends_on(mark)))
}

/// A factorisation `side²·rest·distance` of a map. The side and the distance are positive inside, so only the rest may
/// vanish there.
#[derive(Clone)]
/// The root of the square.
pub(super) struct DistanceProduct {
    /// The factors without zeros at a boundary.
    pub side: Graph,
    /// The product of distances from boundaries.
    pub rest: Graph,
    pub distance: Graph,
}

impl DistanceProduct {
    /// The product 1.
    fn unit_product() -> Self {
        let [side, rest, distance] = [1; 3].map(Graph::integer);
        Self { side, rest, distance }
    }

    /// Makes the product of one distance.
    pub fn of_distance(distance: Graph) -> Self {
        Self { distance, ..Self::unit_product() }
    }

    /// Makes the product of the square of `side` and a distance.
    pub fn of_square(side: Graph, distance: Graph) -> Self {
        Self { side, distance, ..Self::unit_product() }
    }

    /// Returns the product as a map.
    pub fn to_graph(&self) -> Graph {
        let square =
            if is_constant_one(&self.side) { self.side.clone() } else { power(&self.side, &Rational::from(2)) };
        multiply(&multiply(&square, &self.rest), &self.distance)
    }

    /// Multiplies two products, part by part.
    fn multiply_parts(&self, other: &Self) -> Self {
        Self {
            side: multiply(&self.side, &other.side),
            rest: multiply(&self.rest, &other.rest),
            distance: multiply(&self.distance, &other.distance),
        }
    }
}

/// Raises a product of positive factors to a power, factor by factor.
fn power_of_each(product: &Graph, exponent: &Rational) -> Graph {
    match product.operation() {
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            multiply(&power_of_each(a, exponent), &power_of_each(b, exponent))
        }
        _ if is_constant_one(product) || *exponent == 1 => product.clone(),
        _ => power(product, exponent),
    }
}

/// Returns `true` for the constant 1.
fn is_constant_one(graph: &Graph) -> bool {
    graph.as_rational().is_some_and(|q| *q == 1)
}
