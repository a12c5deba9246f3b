//! Ranges and signs of maps over a box, given the signs of the guards.

use super::super::fraction::Normaliser;
use super::super::guard::Decided;
use crate::function::{Course, Function};
use crate::number::context::{Context, Sign};
use crate::number::{Double, Rational};
use crate::smooth::graph::{Binary, Graph, Operation, Unary, Variable};
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// A closed interval of values of a coordinate, from the first to the second number; `None` is no bound.
pub(super) type Side = [Option<Rational>; 2];

/// A set of possible signs: one bit each.
pub(super) type Signs = u8;
const NEGATIVE: Signs = 1;
const ZERO: Signs = 2;
const POSITIVE: Signs = 4;
// all three bits
const ANY: Signs = 7;

pub(super) fn bit(sign: Ordering) -> Signs {
    match sign {
        Ordering::Less => NEGATIVE,
        Ordering::Equal => ZERO,
        Ordering::Greater => POSITIVE,
    }
}

/// Returns the signs of the guard's map for which the condition holds.
pub(super) fn right(decided: &Decided) -> Signs {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    all.into_iter().filter(|sign| decided.guard.test.holds(*sign) == decided.holds).map(bit).sum()
}

fn turned(signs: Signs) -> Signs {
    (signs & ZERO) | if signs & NEGATIVE != 0 { POSITIVE } else { 0 } | if signs & POSITIVE != 0 { NEGATIVE } else { 0 }
}

/// Returns the possible signs of `of` on numbers with signs in `a` and `b`.
fn joined(a: Signs, b: Signs, of: impl Fn(Ordering, Ordering) -> Signs) -> Signs {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    let pairs = all.into_iter().flat_map(|x| all.map(|y| (x, y)));
    pairs.filter(|(x, y)| a & bit(*x) != 0 && b & bit(*y) != 0).fold(0, |signs, (x, y)| signs | of(x, y))
}

fn of_sum(x: Ordering, y: Ordering) -> Signs {
    match (x, y) {
        (Ordering::Equal, y) => bit(y),
        (x, Ordering::Equal) => bit(x),
        (x, y) if x == y => bit(x),
        _ => ANY,
    }
}

fn of_product(x: Ordering, y: Ordering) -> Signs {
    match (x, y) {
        (Ordering::Equal, _) | (_, Ordering::Equal) => ZERO,
        (x, y) if x == y => POSITIVE,
        _ => NEGATIVE,
    }
}

/// An interval in `f64`.
type Num = <Double as Context>::Num;

/// The enclosure and the possible signs of a number, wherever it has a value.
#[derive(Clone, Debug)]
struct Known {
    range: Num,
    signs: Signs,
}

/// The possible signs of maps, derived from the conditions; equal normal forms up to a factor share them.
pub(super) struct Facts {
    /// The signs of nodes, by their addresses.
    signs: FxHashMap<usize, Signs>,
    guards: Vec<(Graph, Signs)>,
    /// `true` if two conditions contradict each other.
    pub contradict: bool,
}

impl Facts {
    pub fn of(answers: &[Decided], graphs: &[Graph]) -> Self {
        let mut forms = Normaliser::default();
        let mut keys: FxHashMap<String, Signs> = FxHashMap::default();
        let mut contradict = false;
        for (decided, graph) in answers.iter().zip(graphs) {
            let signs = right(decided);
            let Some(fraction) = forms.fraction(graph) else { continue };
            if fraction.is_zero() {
                contradict |= signs & ZERO == 0;
            } else if let Some((key, is_turned)) = fraction.up_to_scale() {
                // one condition restricts all maps with the same normal form up to a factor, negative ones reversed
                let known = keys.entry(key).or_insert(ANY);
                *known &= if is_turned { turned(signs) } else { signs };
                contradict |= *known == 0;
            }
        }
        let mut signs = FxHashMap::default();
        // subterms too: a product may contain the map of another guard
        for node in Graph::nodes(graphs) {
            let known = forms.fraction(node).and_then(|fraction| match fraction.as_rational() {
                Some(q) => Some(bit(q.cmp0())),
                None => {
                    let (key, is_turned) = fraction.up_to_scale()?;
                    let known = *keys.get(&key)?;
                    Some(if is_turned { turned(known) } else { known })
                }
            });
            signs.extend(known.map(|known| (node.address(), known)));
        }
        let guards = graphs.iter().cloned().zip(answers.iter().map(right)).collect();
        Self { signs, guards, contradict }
    }

    /// Returns `true` if some condition certainly fails at all points of a box.
    pub fn exclude(&self, variables: &[Variable], sides: &[Side]) -> bool {
        let mut ranges = Ranges { facts: self, variables, sides, done: FxHashMap::default() };
        self.guards.iter().any(|(graph, signs)| ranges.of(graph).signs & signs == 0)
    }
}

/// The ranges of maps over a box, computed once per node.
struct Ranges<'a> {
    facts: &'a Facts,
    variables: &'a [Variable],
    sides: &'a [Side],
    done: FxHashMap<usize, Known>,
}

impl Ranges<'_> {
    fn of(&mut self, g: &Graph) -> Known {
        if let Some(known) = self.done.get(&g.address()) {
            return known.clone();
        }
        let Known { range, signs } = deep(|| self.computed(g));
        let mut signs = signs & self.facts.signs.get(&g.address()).copied().unwrap_or(ANY);
        // an enclosure and a sign restrict each other: `x² + 1` is positive, and a positive number has no negative
        // range
        let range = Double.assert_defined(range);
        signs &= match Double.sign(&range) {
            Sign::Positive => POSITIVE,
            Sign::Negative => NEGATIVE,
            Sign::Undecided if Double.is_nonnegative(&range) => ZERO | POSITIVE,
            Sign::Undecided if Double.is_nonnegative(&Double.neg(&range)) => ZERO | NEGATIVE,
            Sign::Undecided => ANY,
        };
        let upper = Double.abs(&line());
        let half = match signs {
            _ if signs & NEGATIVE == 0 => Some(upper),
            _ if signs & POSITIVE == 0 => Some(Double.neg(&upper)),
            _ => None,
        };
        // disjoint: no point of the box satisfies all conditions
        let (range, signs) = match half.map(|half| Double.intersect(&range, &half)) {
            None => (range, signs),
            Some(None) => (range, 0),
            Some(Some(range)) => (range, signs),
        };
        let known = Known { range, signs };
        self.done.insert(g.address(), known.clone());
        known
    }

    fn computed(&mut self, g: &Graph) -> Known {
        let unknown = || Known { range: line(), signs: ANY };
        match g.operation() {
            Operation::Variable(v) => match self.variables.iter().position(|own| own == v) {
                Some(index) => Known { range: between(&self.sides[index]), signs: ANY },
                None => unknown(),
            },
            Operation::Rational(q) => Known { range: Double.rational(q), signs: bit(q.cmp0()) },
            Operation::Pi => Known { range: Double.pi(), signs: POSITIVE },
            Operation::Euler => Known { range: Double.euler(), signs: POSITIVE },
            Operation::Unary(operation, a) => self.unary(*operation, a),
            // both factors are one number, so they have equal signs
            Operation::Binary(Binary::Multiply, a, b) if a.address() == b.address() => {
                let a = self.of(a);
                let signs = joined(a.signs, a.signs, |x, y| if x == y { of_product(x, y) } else { 0 });
                Known { range: Double.square(&a.range), signs }
            }
            Operation::Binary(operation, a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                let (x, y) = (&a.range, &b.range);
                let (range, signs) = match operation {
                    Binary::Add => (Double.add(x, y), joined(a.signs, b.signs, of_sum)),
                    Binary::Subtract => (Double.sub(x, y), joined(a.signs, turned(b.signs), of_sum)),
                    Binary::Multiply => (Double.mul(x, y), joined(a.signs, b.signs, of_product)),
                    // a quotient has a value only where the divisor is not 0
                    Binary::Divide => (Double.div(x, y), joined(a.signs, b.signs & !ZERO, of_product)),
                    Binary::Maximum => (Double.max(x, y), joined(a.signs, b.signs, |x, y| bit(x.max(y)))),
                    Binary::Minimum => (Double.min(x, y), joined(a.signs, b.signs, |x, y| bit(x.min(y)))),
                    Binary::Planar(f) => (Double.planar(*f, x, y), ANY),
                };
                Known { range, signs }
            }
            Operation::Power(a, exponent) => {
                let a = self.of(a);
                // an even root has a value only for numbers that are not negative
                let Ok(n) = u32::try_from(exponent.numerator.unsigned_abs()) else { return unknown() };
                let root =
                    if exponent.denominator == 1 { a.range } else { Double.root(&a.range, exponent.denominator) };
                let power = Double.power(&Double.assert_defined(root), n);
                // the sign of the base is that of its root, where this has a value
                let base = if exponent.denominator % 2 == 0 { a.signs & !NEGATIVE } else { a.signs };
                let signs = match n {
                    0 => POSITIVE,
                    n if n % 2 == 0 => joined(base, base, |x, y| if x == y { of_product(x, y) } else { 0 }),
                    _ => base,
                };
                match exponent.numerator < 0 {
                    true => Known { range: Double.div(&Double.integer(1), &power), signs: signs & !ZERO },
                    false => Known { range: power, signs },
                }
            }
            Operation::Primitive(..) | Operation::Derivative(_) | Operation::Second(..) | Operation::Select(..) => {
                unknown()
            }
        }
    }

    fn unary(&mut self, operation: Unary, a: &Graph) -> Known {
        let a = self.of(a);
        let (range, signs) = match operation {
            Unary::Negate => (Double.neg(&a.range), turned(a.signs)),
            Unary::Abs => (Double.abs(&a.range), (a.signs & ZERO) | if a.signs & !ZERO == 0 { 0 } else { POSITIVE }),
            Unary::Signum => (Double.signum(&a.range), a.signs),
            Unary::Function(f) => {
                // increasing with f(0) = 0: the sign is that of the argument
                let rises = matches!(f.row().course, Course::Rising) && f.exact(0.0) == Some(0.0);
                let signs = match (f, f.row().course) {
                    (Function::Exp, _) => POSITIVE,
                    (Function::Sqrt, _) => a.signs & !NEGATIVE,
                    (_, Course::Root(_)) => a.signs,
                    _ if rises => a.signs,
                    _ => ANY,
                };
                (Double.function(f, &a.range), signs)
            }
        };
        Known { range, signs }
    }
}

/// Returns ℝ.
fn line() -> Num {
    Double.assert_defined(Double.bottom())
}

fn between(side: &Side) -> Num {
    let upper = Double.abs(&line());
    match side {
        [None, None] => line(),
        [Some(a), None] => Double.add(&Double.rational(a), &upper),
        [None, Some(b)] => Double.sub(&Double.rational(b), &upper),
        [Some(a), Some(b)] => Double.hull(&Double.rational(a), &Double.rational(b)),
    }
}
