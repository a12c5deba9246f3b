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
use crate::measure::cells::Between;
use crate::measure::distribution::{add, multiply, negate, power, subtract};
use crate::measure::eliminate::form::{coefficients, is_zero};
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::substitution::Substitution;

/// A coordinate between two boundaries, as a map of a variable in [0, 1].
pub(super) struct Way<'a> {
    /// The coordinate.
    pub variable: Variable,
    /// The borders.
    pub between: &'a Between,
    /// The coordinate itself, as a map.
    pub place: Graph,
    /// The distance between the boundaries; 1 if there is only one.
    pub width: Graph,
    /// The parts of the interval to the left and to the right of the coordinate, as fractions of the width. With one
    /// boundary, the distance from it.
    pub parts: [Product; 2],
}

impl Way<'_> {
    /// Substitutes the coordinate into a map, with roots that vanish at a boundary written by distances.
    pub fn along(&self, body: &Graph) -> Graph {
        let bindings = [(self.variable, self.place.clone())];
        let mut substitution = Substitution::new(&bindings);
        for (node, exponent, Product { side, rest, distance }) in self.roots(body) {
            let root = |g: &Graph| match node.operation() {
                Operation::Power(..) => power(g, &exponent),
                _ => Graph::function(Function::Sqrt, g),
            };
            let roots = [rest, distance].map(|g| if is_one(&g) { g } else { root(&g) });
            // (side²)^q = side^(2q), since the side is positive
            let side = power_of_each(&side, &Rational::from(&exponent * 2));
            let found = roots.iter().fold(side, |product, root| multiply(&product, root));
            substitution.replace(node, found.at(node.site()));
        }
        substitution.apply(body)
    }

    /// Returns the roots in a map that vanish at a boundary: the nodes, their exponents and the products under the
    /// roots.
    fn roots<'g>(&self, body: &'g Graph) -> Vec<(&'g Graph, Rational, Product)> {
        let mut forms = Normaliser::default();
        let is_open = self.between.iter().all(Option::is_none);
        let mut root = |node: &'g Graph| {
            let (under, exponent) = match node.operation() {
                Operation::Unary(Unary::Function(Function::Sqrt), under) => (under, Rational::from((1, 2))),
                Operation::Power(under, e) => (under, Rational::from((e.numerator, i64::from(e.denominator)))),
                _ => return None,
            };
            let may_be = !is_open && *exponent.denom() != 1 && under.depends_on(self.variable);
            let found = may_be.then(|| self.product(under, &mut forms))??;
            Some((node, exponent, found))
        };
        Graph::nodes([body]).into_iter().filter_map(&mut root).collect()
    }

    /// Factorises a map into distances from boundaries and a rest. Returns `None` if no factor vanishes at a boundary.
    fn product(&self, graph: &Graph, forms: &mut Normaliser) -> Option<Product> {
        if let Operation::Binary(Binary::Multiply, a, b) = graph.operation() {
            let own =
                |g: &Graph| Product { rest: g.substitute(&[(self.variable, self.place.clone())]), ..Product::one() };
            return match [a, b].map(|g| self.product(g, forms)) {
                [None, None] => None,
                [x, y] => Some(x.unwrap_or_else(|| own(a)).times(&y.unwrap_or_else(|| own(b)))),
            };
        }
        if !graph.depends_on(self.variable) {
            return None;
        }
        let [c, b, a, third, fourth] = coefficients(graph, self.variable, forms)?;
        if !is_zero(&third) || !is_zero(&fourth) {
            return None;
        }
        let value = |y: &Graph| add(&multiply(&add(&multiply(&a, y), &b), y), &c);
        let mut is_nothing = |g: &Graph| forms.fraction(g).is_some_and(|found| found.is_zero());
        let ends = self.between.each_ref().map(|border| border.as_ref().filter(|border| is_nothing(&value(border))));
        let two = Rational::from(2);
        // the derivative 2a·y + b, which is 0 halfway between both roots
        let slope = |y: &Graph| add(&multiply(&multiply(&a, y), &Graph::rational(two.clone())), &b);
        let middles = self.between.each_ref().map(|border| border.as_ref().is_some_and(|y| is_nothing(&slope(y))));
        let width = &self.width;
        // -a·width²: the width stays a factor of its own, with which others cancel, unless the product is simpler, as
        // for a varying a
        let mut whole = |distance: Product| match a.as_rational() {
            Some(_) => distance.times(&Product { side: width.clone(), rest: negate(&a), ..Product::one() }),
            None => distance.times(&Product {
                rest: forms.simplest(&multiply(&negate(&a), &power(width, &two))),
                ..Product::one()
            }),
        };
        // a·(y + l) + b, the cofactor of y - l if l is a root
        let other = |end: &Graph| multiply(width, &add(&multiply(&a, &add(&self.place, end)), &b));
        let [left, right] = &self.parts;
        let twice = |part: &Product| part.times(&Product::of(subtract(&Graph::integer(2), &part.value())));
        Some(match ends {
            [Some(_), Some(_)] => whole(left.times(right)),
            // the other root mirrors l at the middle: its distance is 2 widths less the one from l
            [Some(_), None] if middles[1] => whole(twice(left)),
            [None, Some(_)] if middles[0] => whole(twice(right)),
            [Some(l), None] => left.times(&Product { rest: other(l), ..Product::one() }),
            [None, Some(r)] => right.times(&Product { rest: negate(&other(r)), ..Product::one() }),
            [None, None] => return None,
        })
    }
}

/// Returns for each boundary of a coordinate whether a map has square roots of the distance from it.
pub(super) fn roots_at_ends(variable: Variable, between: &Between, body: &Graph) -> [bool; 2] {
    // marks in place of distances tell which one a root contains
    let marks = [Variable::fresh(), Variable::fresh()];
    let parts = marks.map(|mark| Product::of(Graph::variable(mark)));
    let way = Way { variable, between, place: Graph::variable(variable), width: Graph::integer(1), parts };
    let roots = way.roots(body);
    marks.map(|mark| roots.iter().any(|(_, e, root)| *e.denom() == 2 && root.distance.depends_on(mark)))
}

/// A factorisation `side²·rest·distance` of a map. The side and the distance are positive inside, so only the rest may
/// vanish there.
#[derive(Clone)]
/// The root of the square.
pub(super) struct Product {
    /// The factors without zeros at a boundary.
    pub side: Graph,
    /// The product of distances from boundaries.
    pub rest: Graph,
    pub distance: Graph,
}

impl Product {
    /// The product 1.
    fn one() -> Self {
        let [side, rest, distance] = [1; 3].map(Graph::integer);
        Self { side, rest, distance }
    }

    /// Makes the product of one distance.
    pub fn of(distance: Graph) -> Self {
        Self { distance, ..Self::one() }
    }

    /// Makes the product of the square of `side` and a distance.
    pub fn square(side: Graph, distance: Graph) -> Self {
        Self { side, distance, ..Self::one() }
    }

    /// Returns the product as a map.
    pub fn value(&self) -> Graph {
        let square = if is_one(&self.side) { self.side.clone() } else { power(&self.side, &Rational::from(2)) };
        multiply(&multiply(&square, &self.rest), &self.distance)
    }

    /// Multiplies two products, part by part.
    fn times(&self, other: &Self) -> Self {
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
        Operation::Binary(Binary::Multiply, a, b) => multiply(&power_of_each(a, exponent), &power_of_each(b, exponent)),
        _ if is_one(product) || *exponent == 1 => product.clone(),
        _ => power(product, exponent),
    }
}

/// Returns `true` for the constant 1.
fn is_one(graph: &Graph) -> bool {
    graph.as_rational().is_some_and(|q| *q == 1)
}
