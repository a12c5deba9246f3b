//! Square roots of what is 0 at a border, written by the distance from it.
//!
//! The border of a disc is a square root, √(1 - x²), which is 0 at both ends of where it exists. On x = l + (r - l)·s, with both ends being
//! zeros of a polynomial a·x² + b·x + c, that polynomial is -a·(r - l)²·s·(1 - s): so it is seen to be positive between 0 and 1, where a
//! range of the polynomial would reach below 0. At one end alone it is the distance from that, times a·(x + l) + b. That it is 0 there is
//! an identity, decided by normal forms.

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
    /// What part of the way between two borders lies to the left, and to the right; where there is one border, how far it is.
    pub parts: [Graph; 2],
}

impl Way<'_> {
    /// A map of the coordinate along the way.
    pub fn along(&self, body: &Graph) -> Graph {
        let mut forms = Normaliser::default();
        let bindings = [(self.variable, self.place.clone())];
        let mut substitution = Substitution::new(&bindings);
        let is_open = self.between.iter().all(Option::is_none);
        for node in Graph::nodes([body]) {
            let (Operation::Unary(Unary::Function(Function::Sqrt), under) | Operation::Power(under, _)) =
                node.operation()
            else {
                continue;
            };
            let is_root = !matches!(node.operation(), Operation::Power(_, exponent) if exponent.denominator == 1);
            if is_open || !is_root || !under.depends_on(self.variable) {
                continue;
            }
            if let Some([rest, distance]) = self.product(under, &mut forms) {
                let root = |g: &Graph| match node.operation() {
                    Operation::Power(_, e) => power(g, &Rational::from((e.numerator, i64::from(e.denominator)))),
                    _ => Graph::function(Function::Sqrt, g),
                };
                substitution.replace(node, multiply(&root(&rest), &root(&distance)).at(node.site()));
            }
        }
        substitution.apply(body)
    }

    /// A product of which every factor that has zeros at a border is written by the distance from it: the rest, and the distances, which
    /// are positive on the way, so that both have roots where the product has. Nothing where no factor has such zeros.
    fn product(&self, graph: &Graph, forms: &mut Normaliser) -> Option<[Graph; 2]> {
        if let Operation::Binary(Binary::Multiply, a, b) = graph.operation() {
            let own = |g: &Graph| [g.substitute(&[(self.variable, self.place.clone())]), Graph::integer(1)];
            return match [a, b].map(|g| self.product(g, forms)) {
                [None, None] => None,
                [x, y] => {
                    let ([p, d], [q, e]) = (x.unwrap_or_else(|| own(a)), y.unwrap_or_else(|| own(b)));
                    Some([multiply(&p, &q), multiply(&d, &e)])
                }
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
        let mut is_end = |border: &Graph| forms.fraction(&value(border)).is_some_and(|found| found.is_zero());
        let ends = self.between.each_ref().map(|border| border.as_ref().filter(|border| is_end(border)));
        let width = match self.between {
            [Some(l), Some(r)] => subtract(r, l),
            _ => Graph::integer(1),
        };
        // a·(y + l) + b
        let other = |end: &Graph| multiply(&width, &add(&multiply(&a, &add(&self.place, end)), &b));
        let [left, right] = &self.parts;
        match ends {
            [Some(_), Some(_)] => {
                let whole = multiply(&negate(&a), &power(&width, &Rational::from(2)));
                Some([forms.simplest(&whole), multiply(left, right)])
            }
            [Some(l), None] => Some([other(l), left.clone()]),
            [None, Some(r)] => Some([negate(&other(r)), right.clone()]),
            [None, None] => None,
        }
    }
}
