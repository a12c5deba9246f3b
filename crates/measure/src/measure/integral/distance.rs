//! Square roots of what is 0 at a border, written by the distance from it.
//!
//! The border of a disc is a square root, √(1 - x²), which is 0 at both ends of where it exists. On x = l + (r - l)·s, with both ends being
//! zeros of a polynomial a·x² + b·x + c, that polynomial is -a·(r - l)²·s·(1 - s): so it is seen to be positive between 0 and 1, where a
//! range of the polynomial would reach below 0. Where r is such a zero and l is halfway between both, it is -a·(r - l)²·t·(2 - t), with t = 1 - s.
//! At one end alone it is the distance from that, times a·(x + l) + b. That it is 0 there is an identity, decided by normal forms.

use crate::function::Function;
use crate::measure::cells::Between;
use crate::measure::distribution::{add, multiply, negate, power, subtract};
use crate::measure::eliminate::form::{coefficients, is_zero};
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::smooth::substitution::Substitution;

/// A coordinate between two borders, and how far it is from each.
pub(super) struct Way<'a> {
    /// The coordinate.
    pub variable: Variable,
    /// The borders.
    pub between: &'a Between,
    /// The coordinate itself.
    pub place: Graph,
    /// How far they are from each other; 1 where there is one.
    pub width: Graph,
    /// What part of the way between two borders lies to the left, and to the right; where there is one border, how far it is.
    pub parts: [Product; 2],
}

impl Way<'_> {
    /// A map of the coordinate along the way.
    pub fn along(&self, body: &Graph) -> Graph {
        let bindings = [(self.variable, self.place.clone())];
        let mut substitution = Substitution::new(&bindings);
        for (node, exponent, Product { side, rest, distance }) in self.roots(body) {
            let root = |g: &Graph| match node.operation() {
                Operation::Power(..) => power(g, &exponent),
                _ => Graph::function(Function::Sqrt, g),
            };
            let roots = [rest, distance].map(|g| if is_one(&g) { g } else { root(&g) });
            let side = power_of_each(&side, &Rational::from(&exponent * 2));
            let found = roots.iter().fold(side, |product, root| multiply(&product, root));
            substitution.replace(node, found.at(node.site()));
        }
        substitution.apply(body)
    }

    /// The roots in a map that are written by distances from borders: their exponents, and what they are roots of.
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

    /// A product of which every factor that has zeros at a border is written by the distance from it. Nothing where no factor has such zeros.
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
        // where the map has its extremum, halfway between both zeros
        let slope = |y: &Graph| add(&multiply(&multiply(&a, y), &Graph::rational(two.clone())), &b);
        let middles = self.between.each_ref().map(|border| border.as_ref().is_some_and(|y| is_nothing(&slope(y))));
        let width = &self.width;
        // -a·width²: the width is a factor by itself, with which others cancel, unless the rest is simpler than a, as it is where a varies
        let mut whole = |distance: Product| match a.as_rational() {
            Some(_) => distance.times(&Product { side: width.clone(), rest: negate(&a), ..Product::one() }),
            None => distance.times(&Product {
                rest: forms.simplest(&multiply(&negate(&a), &power(width, &two))),
                ..Product::one()
            }),
        };
        // a·(y + l) + b
        let other = |end: &Graph| multiply(width, &add(&multiply(&a, &add(&self.place, end)), &b));
        let [left, right] = &self.parts;
        let twice = |part: &Product| part.times(&Product::of(subtract(&Graph::integer(2), &part.value())));
        Some(match ends {
            [Some(_), Some(_)] => whole(left.times(right)),
            [Some(_), None] if middles[1] => whole(twice(left)),
            [None, Some(_)] if middles[0] => whole(twice(right)),
            [Some(l), None] => left.times(&Product { rest: other(l), ..Product::one() }),
            [None, Some(r)] => right.times(&Product { rest: negate(&other(r)), ..Product::one() }),
            [None, None] => return None,
        })
    }
}

/// At which ends of where a coordinate lies a map has square roots of the distance from them.
pub(super) fn roots_at_ends(variable: Variable, between: &Between, body: &Graph) -> [bool; 2] {
    let marks = [Variable::fresh(), Variable::fresh()];
    let parts = marks.map(|mark| Product::of(Graph::variable(mark)));
    let way = Way { variable, between, place: Graph::variable(variable), width: Graph::integer(1), parts };
    let roots = way.roots(body);
    marks.map(|mark| roots.iter().any(|(_, e, root)| *e.denom() == 2 && root.distance.depends_on(mark)))
}

/// What a map is the product of: `side²·rest·distance`. The side and the distance are positive on the way, so that the rest has roots where the
/// map has.
#[derive(Clone)]
pub(super) struct Product {
    pub side: Graph,
    pub rest: Graph,
    pub distance: Graph,
}

impl Product {
    fn one() -> Self {
        let [side, rest, distance] = [1; 3].map(Graph::integer);
        Self { side, rest, distance }
    }

    /// A distance.
    pub fn of(distance: Graph) -> Self {
        Self { distance, ..Self::one() }
    }

    /// A square times a distance.
    pub fn square(side: Graph, distance: Graph) -> Self {
        Self { side, distance, ..Self::one() }
    }

    /// The product.
    pub fn value(&self) -> Graph {
        let square = if is_one(&self.side) { self.side.clone() } else { power(&self.side, &Rational::from(2)) };
        multiply(&multiply(&square, &self.rest), &self.distance)
    }

    fn times(&self, other: &Self) -> Self {
        Self {
            side: multiply(&self.side, &other.side),
            rest: multiply(&self.rest, &other.rest),
            distance: multiply(&self.distance, &other.distance),
        }
    }
}

/// A power of a product of what is positive, factor by factor.
fn power_of_each(product: &Graph, exponent: &Rational) -> Graph {
    match product.operation() {
        Operation::Binary(Binary::Multiply, a, b) => multiply(&power_of_each(a, exponent), &power_of_each(b, exponent)),
        _ if is_one(product) || *exponent == 1 => product.clone(),
        _ => power(product, exponent),
    }
}

fn is_one(graph: &Graph) -> bool {
    graph.as_rational().is_some_and(|q| *q == 1)
}
