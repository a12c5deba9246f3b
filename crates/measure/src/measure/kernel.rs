//! Products of powers and exponentials in one draw, as one exponential that is 1 at its peak; and their integrals in closed form.
//!
//! A product of factors in y is written as `C·yᵖ·(1 - y)^q·e^(g(y))·f(y)`. Densities of gamma and beta draws are of this form, and so is what was
//! observed of a rate or of a chance: exponents add up. With large exponents the powers have values far out of the range of doubles where
//! their product is of the size of 1. So the integrals are over
//!
//! `C·e^(h(m))·∫ e^(h(y) - h(m))·f(y) dy`, with `h(y) = p log y + q log (1 - y) + g(y)`,
//!
//! for a number m near the peak of h, which is found in floating point: the identity holds for every m.
//!
//! | all of where y lies | the integral is |
//! |---|---|
//! | y > 0, g = -b y, b > 0, p > -1 | `C Γ(p + 1)/b^(p + 1)·Σ cₖ (p + 1)…(p + k)/bᵏ` |
//! | 0 < y < 1, g = 0, p > -1, q > -1 | `C B(p + 1, q + 1)·Σ cₖ (p + 1)…(p + k)/((p + q + 2)…(p + q + 1 + k))` |
//!
//! where f = Σ cₖ yᵏ is a polynomial.
//!
//! *Proof.* `∫ yᵖ⁺ᵏ e^(-b y) dy = Γ(p + k + 1)/b^(p + k + 1)` is Euler's integral of the second kind, and `∫ yᵖ⁺ᵏ (1 - y)^q dy = B(p + k + 1, q + 1)`
//! that of the first kind; Γ(z + 1) = z Γ(z) does the rest. All of these integrals converge absolutely, so that the sum over k may be taken outside,
//! and the draws that y does not depend on may be integrated over first or last. ∎

mod closed;
mod peak;

use super::distribution::{add, divide, plus, power, subtract, times};
use super::draws::Parameter;
use super::eliminate::form::{coefficients, is_zero};
use super::range::range;
use crate::function::Function;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::fraction::Normaliser;
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
pub use peak::{About, Peak};

/// The most nodes of factors that are looked at.
const MOST_NODES: usize = 20_000;
/// How often a factor may be taken.
const MOST_TIMES: u64 = 1 << 32;
/// The most factors and terms that are looked at: of shared sums of sums there are more than nodes.
const MOST_PARTS: usize = 4096;

fn integer(n: i64) -> Graph {
    Graph::integer(n)
}
fn log(a: &Graph) -> Graph {
    Graph::function(Function::Log, a)
}
fn exp(a: &Graph) -> Graph {
    Graph::function(Function::Exp, a)
}

fn sum(terms: &[Graph]) -> Graph {
    terms.iter().fold(integer(0), |sum, term| plus(&sum, term))
}

/// What is known of the variables.
#[derive(Clone, Copy, Debug)]
pub struct Where<'a> {
    /// Where they lie.
    pub within: &'a [(Variable, Enclosure)],
    /// The parameter.
    pub parameter: Option<&'a Parameter>,
    /// What it may cost.
    pub budget: &'a Budget,
}

/// A product of factors in a draw y; see the [module](self).
#[derive(Debug)]
pub struct Kernel {
    y: Variable,
    /// p and q.
    powers: [Graph; 2],
    /// The terms of g.
    exponents: Vec<Graph>,
    /// The terms of log C, as far as C is a product of exponentials and of powers of what is positive.
    logarithms: Vec<Graph>,
    /// The other factors of C.
    constants: Vec<Graph>,
    /// The factors of f.
    rest: Vec<Graph>,
}

/// What a factor of a power may be.
enum Base {
    /// A multiple of y.
    Variable(Graph),
    /// A multiple of 1 - y.
    Rest(Graph),
    /// Another map that is affine in y, and positive.
    Affine,
}

impl Kernel {
    /// The product of factors in a draw; `None` where there are too many of them, or the time is up.
    #[must_use]
    pub fn of(y: Variable, factors: &[Graph], known: Where<'_>) -> Option<Self> {
        if Graph::nodes(factors).len() > MOST_NODES {
            return None;
        }
        let mut kernel = Self {
            y,
            powers: [integer(0), integer(0)],
            exponents: Vec::new(),
            logarithms: Vec::new(),
            constants: Vec::new(),
            rest: Vec::new(),
        };
        let mut reader = Reader { known, forms: Normaliser::default(), parts: 0 };
        factors.iter().for_each(|factor| kernel.take(factor, 1, &mut reader));
        if reader.parts > MOST_PARTS || known.budget.is_exhausted() {
            return None;
        }
        kernel.gather(&mut reader);
        Some(kernel)
    }

    /// Takes a factor apart, to a power.
    fn take(&mut self, graph: &Graph, n: i64, reader: &mut Reader<'_>) {
        if reader.may_go_on() {
            crate::stack::deep(|| self.take_parts(graph, n, reader));
        }
    }

    fn take_parts(&mut self, graph: &Graph, n: i64, reader: &mut Reader<'_>) {
        match graph.operation() {
            Operation::Binary(Binary::Multiply, a, b) => {
                self.take(a, n, reader);
                self.take(b, n, reader);
            }
            Operation::Binary(Binary::Divide, a, b) => {
                self.take(a, n, reader);
                self.take(b, -n, reader);
            }
            Operation::Unary(Unary::Negate, a) => {
                if n % 2 != 0 {
                    self.constants.push(integer(-1));
                }
                self.take(a, n, reader);
            }
            Operation::Unary(Unary::Function(Function::Exp), a) => {
                self.take_term(a, &integer(n), reader);
            }
            Operation::Unary(Unary::Function(Function::Sqrt), a) if reader.base(a, self.y).is_some() => {
                self.take_power(a, &Graph::rational(Rational::from((n, 2))), reader);
            }
            Operation::Power(a, e) => {
                let exponent = Rational::from((e.numerator, i64::from(e.denominator)));
                let whole = (e.denominator == 1).then(|| e.numerator.checked_mul(n)).flatten();
                let whole = whole.filter(|whole| whole.unsigned_abs() <= MOST_TIMES);
                let is_product = matches!(
                    a.operation(),
                    Operation::Binary(Binary::Multiply | Binary::Divide, ..) | Operation::Unary(..)
                );
                if reader.is_power(a, self.y) {
                    self.take_power(a, &Graph::rational(exponent * n), reader);
                } else if let Some(n) = whole.filter(|_| is_product) {
                    self.take(a, n, reader);
                } else {
                    self.leave(graph, n);
                }
            }
            _ if reader.is_power(graph, self.y) => self.take_power(graph, &integer(n), reader),
            _ => self.leave(graph, n),
        }
    }

    /// Takes a factor as it is.
    fn leave(&mut self, graph: &Graph, n: i64) {
        let own = match n {
            1 => graph.clone(),
            -1 => divide(&integer(1), graph),
            _ => power(graph, &Rational::from(n)),
        };
        if graph.depends_on(self.y) { &mut self.rest } else { &mut self.constants }.push(own);
    }

    /// Takes a power of what is positive, or of a map of y that a power is taken of.
    fn take_power(&mut self, base: &Graph, exponent: &Graph, reader: &mut Reader<'_>) {
        if !base.depends_on(self.y) {
            return self.logarithms.push(times(exponent, &log(base)));
        }
        let mut add_to = |index: usize, scale: Graph| {
            self.powers[index] = plus(&self.powers[index], exponent);
            if scale.as_rational().is_none_or(|q| *q != 1) {
                self.logarithms.push(times(exponent, &log(&scale)));
            }
        };
        match reader.base(base, self.y) {
            Some(Base::Variable(scale)) => add_to(0, scale),
            Some(Base::Rest(scale)) => add_to(1, scale),
            _ => self.exponents.push(times(exponent, &log(base))),
        }
    }

    /// Takes a term of an exponent apart, times a number.
    fn take_term(&mut self, graph: &Graph, scale: &Graph, reader: &mut Reader<'_>) {
        if !reader.may_go_on() {
            return;
        }
        if !graph.depends_on(self.y) {
            return self.logarithms.push(times(scale, graph));
        }
        let mut of = |this: &mut Self, a: &Graph, c: &Graph| crate::stack::deep(|| this.take_term(a, c, reader));
        match graph.operation() {
            Operation::Binary(Binary::Add, a, b) => {
                of(self, a, scale);
                of(self, b, scale);
            }
            Operation::Binary(Binary::Subtract, a, b) => {
                of(self, a, scale);
                of(self, b, &times(&integer(-1), scale));
            }
            Operation::Unary(Unary::Negate, a) => of(self, a, &times(&integer(-1), scale)),
            Operation::Binary(Binary::Multiply, a, b) if !a.depends_on(self.y) => of(self, b, &times(scale, a)),
            Operation::Binary(Binary::Multiply, a, b) if !b.depends_on(self.y) => of(self, a, &times(scale, b)),
            Operation::Binary(Binary::Divide, a, b) if !b.depends_on(self.y) => {
                let scale = match (scale.as_rational(), b.as_rational()) {
                    (Some(p), Some(q)) if *q != 0 => Graph::rational(Rational::from(p / q)),
                    _ => divide(scale, b),
                };
                of(self, a, &scale);
            }
            Operation::Unary(Unary::Function(Function::Log), a) if reader.base(a, self.y).is_some() => {
                self.take_power(a, scale, reader);
            }
            _ => self.exponents.push(times(scale, graph)),
        }
    }

    /// Adds up the terms of g, as a polynomial where they are one.
    fn gather(&mut self, reader: &mut Reader<'_>) {
        let whole = sum(&self.exponents);
        if let Some([c, first, second, third, fourth]) = coefficients(&whole, self.y, &mut reader.forms)
            && [&second, &third, &fourth].into_iter().all(is_zero)
        {
            self.logarithms.push(c);
            self.exponents = if is_zero(&first) { Vec::new() } else { vec![times(&first, &Graph::variable(self.y))] };
        }
    }

    /// y and 1 - y.
    fn bases(&self) -> [Graph; 2] {
        let y = Graph::variable(self.y);
        [y.clone(), subtract(&integer(1), &y)]
    }

    /// Whether a term is a multiple of y.
    fn is_linear(&self, term: &Graph) -> bool {
        let is_y = |g: &Graph| matches!(g.operation(), Operation::Variable(v) if *v == self.y);
        match term.operation() {
            Operation::Binary(Binary::Multiply, a, b) => is_y(b) && !a.depends_on(self.y),
            _ => is_y(term),
        }
    }
}

impl Where<'_> {
    /// A map as a number in floating point, at the place of the parameter; `None` where it depends on what is drawn, or has no value.
    fn number(self, graph: &Graph) -> Option<f64> {
        if let Some(q) = graph.as_rational() {
            return Some(q.to_f64());
        }
        let at = match self.parameter {
            Some(p) => graph.substitute(&[(p.variable, Graph::rational(p.at.clone()))]),
            None => graph.clone(),
        };
        let found = range(&at, &[], self.budget);
        (found.is_defined() && found.is_bounded()).then(|| f64::midpoint(found.lo().to_f64(), found.hi().to_f64()))
    }

    fn is_positive(self, graph: &Graph) -> bool {
        let found = range(graph, self.within, self.budget);
        found.is_defined() && *found.lo() > 0
    }
}

/// Reads the factors of powers.
struct Reader<'a> {
    known: Where<'a>,
    forms: Normaliser,
    /// How many factors and terms were looked at.
    parts: usize,
}

impl Reader<'_> {
    /// Counts a part; whether it may still be looked at.
    fn may_go_on(&mut self) -> bool {
        self.parts += 1;
        self.parts <= MOST_PARTS && !self.known.budget.is_exhausted()
    }

    /// Whether a power of a map is taken apart: of one that is positive, and affine in y.
    fn is_power(&mut self, graph: &Graph, y: Variable) -> bool {
        match graph.depends_on(y) {
            true => self.base(graph, y).is_some(),
            false => self.known.is_positive(graph),
        }
    }

    /// What a map is as the base of a power; `None` where it is not affine in y, or may be negative.
    fn base(&mut self, graph: &Graph, y: Variable) -> Option<Base> {
        if matches!(graph.operation(), Operation::Unary(..)) {
            return None;
        }
        let found = range(graph, self.known.within, self.known.budget);
        if !found.is_defined() || *found.lo() < 0 {
            return None;
        }
        let [c, first, second, third, fourth] = coefficients(graph, y, &mut self.forms)?;
        if is_zero(&first) || ![&second, &third, &fourth].into_iter().all(is_zero) {
            return None;
        }
        if is_zero(&c) {
            return self.known.is_positive(&first).then_some(Base::Variable(first));
        }
        let is_rest = self.forms.fraction(&add(&c, &first)).is_some_and(|sum| sum.is_zero());
        Some(if is_rest && self.known.is_positive(&c) { Base::Rest(c) } else { Base::Affine })
    }
}
