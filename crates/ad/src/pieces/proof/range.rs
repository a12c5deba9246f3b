//! Ranges and signs of maps over a box, given the signs of the guards.

use super::super::fraction::RationalNormalForm;
use super::super::guard::GuardCondition;
use crate::function::{Function, Monotonicity};
use crate::number::context::{Context, Sign};
use crate::number::{Double, Rational};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// A closed interval of values of a coordinate, from the first to the second number; `None` is no bound.
pub(super) type CoordinateBounds = [Option<Rational>; 2];

/// A set of possible signs: one bit each.
pub(super) type PossibleSigns = u8;
const NEGATIVE: PossibleSigns = 1;
const ZERO: PossibleSigns = 2;
const POSITIVE: PossibleSigns = 4;
// all three bits
const ANY: PossibleSigns = 7;

pub(super) fn sign_bit(sign: Ordering) -> PossibleSigns {
    match sign {
        Ordering::Less => NEGATIVE,
        Ordering::Equal => ZERO,
        Ordering::Greater => POSITIVE,
    }
}

/// Returns the signs of the guard's map for which the condition holds.
pub(super) fn allowed_signs(decided: &GuardCondition) -> PossibleSigns {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    all.into_iter().filter(|sign| decided.guard.test.is_satisfied_by(*sign) == decided.holds).map(sign_bit).sum()
}

fn reverse_signs(signs: PossibleSigns) -> PossibleSigns {
    (signs & ZERO) | if signs & NEGATIVE != 0 { POSITIVE } else { 0 } | if signs & POSITIVE != 0 { NEGATIVE } else { 0 }
}

/// Returns the possible signs of `of` on numbers with signs in `a` and `b`.
fn combine_signs(
    a: PossibleSigns,
    b: PossibleSigns,
    of: impl Fn(Ordering, Ordering) -> PossibleSigns,
) -> PossibleSigns {
    let all = [Ordering::Less, Ordering::Equal, Ordering::Greater];
    let pairs = all.into_iter().flat_map(|x| all.map(|y| (x, y)));
    pairs.filter(|(x, y)| a & sign_bit(*x) != 0 && b & sign_bit(*y) != 0).fold(0, |signs, (x, y)| signs | of(x, y))
}

fn signs_of_sum(x: Ordering, y: Ordering) -> PossibleSigns {
    match (x, y) {
        (Ordering::Equal, y) => sign_bit(y),
        (x, Ordering::Equal) => sign_bit(x),
        (x, y) if x == y => sign_bit(x),
        _ => ANY,
    }
}

fn signs_of_product(x: Ordering, y: Ordering) -> PossibleSigns {
    match (x, y) {
        (Ordering::Equal, _) | (_, Ordering::Equal) => ZERO,
        (x, y) if x == y => POSITIVE,
        _ => NEGATIVE,
    }
}

/// An interval in `f64`.
type DoubleInterval = <Double as Context>::Num;

/// The enclosure and the possible signs of a number, wherever it has a value.
#[derive(Clone, Debug)]
struct RangeInfo {
    range: DoubleInterval,
    signs: PossibleSigns,
}

/// The possible signs of maps, derived from the conditions; equal normal forms up to a factor share them.
pub(super) struct SignFacts {
    /// The signs of nodes, by their addresses.
    signs: FxHashMap<usize, PossibleSigns>,
    guards: Vec<(Graph, PossibleSigns)>,
    /// `true` if two conditions contradict each other.
    pub is_contradictory: bool,
}

impl SignFacts {
    pub fn from_conditions(answers: &[GuardCondition], graphs: &[Graph]) -> Self {
        let mut forms = RationalNormalForm::default();
        let mut keys: FxHashMap<String, PossibleSigns> = FxHashMap::default();
        let mut is_contradictory = false;
        for (decided, graph) in answers.iter().zip(graphs) {
            let signs = allowed_signs(decided);
            let Some(fraction) = forms.normal_form(graph) else { continue };
            if fraction.is_zero() {
                is_contradictory |= signs & ZERO == 0;
            } else if let Some((key, is_turned)) = fraction.scale_free_key() {
                // one condition restricts all maps with the same normal form up to a factor, negative ones reversed
                let known = keys.entry(key).or_insert(ANY);
                *known &= if is_turned { reverse_signs(signs) } else { signs };
                is_contradictory |= *known == 0;
            }
        }
        let mut signs = FxHashMap::default();
        // subterms too: a product may contain the map of another guard
        for node in Graph::all_nodes(graphs) {
            let known = forms.normal_form(node).and_then(|fraction| match fraction.as_rational() {
                Some(q) => Some(sign_bit(q.cmp0())),
                None => {
                    let (key, is_turned) = fraction.scale_free_key()?;
                    let known = *keys.get(&key)?;
                    Some(if is_turned { reverse_signs(known) } else { known })
                }
            });
            signs.extend(known.map(|known| (node.address(), known)));
        }
        let guards = graphs.iter().cloned().zip(answers.iter().map(allowed_signs)).collect();
        Self { signs, guards, is_contradictory }
    }

    /// Returns `true` if some condition certainly fails at all points of a box.
    pub fn exclude_box(&self, variables: &[Variable], sides: &[CoordinateBounds]) -> bool {
        let mut ranges = BoxRanges { facts: self, variables, sides, done: FxHashMap::default() };
        self.guards.iter().any(|(graph, signs)| ranges.range_of(graph).signs & signs == 0)
    }
}

/// The ranges of maps over a box, computed once per node.
struct BoxRanges<'a> {
    facts: &'a SignFacts,
    variables: &'a [Variable],
    sides: &'a [CoordinateBounds],
    done: FxHashMap<usize, RangeInfo>,
}

impl BoxRanges<'_> {
    fn range_of(&mut self, g: &Graph) -> RangeInfo {
        if let Some(known) = self.done.get(&g.address()) {
            return known.clone();
        }
        let RangeInfo { range, signs } = with_stack(|| self.compute_range(g));
        let mut signs = signs & self.facts.signs.get(&g.address()).copied().unwrap_or(ANY);
        // an enclosure and a sign restrict each other: `x² + 1` is positive, and a positive number has no negative
        // range
        let range = Double.mark_defined(range);
        signs &= match Double.sign(&range) {
            Sign::Positive => POSITIVE,
            Sign::Negative => NEGATIVE,
            Sign::Undecided if Double.is_nonnegative(&range) => ZERO | POSITIVE,
            Sign::Undecided if Double.is_nonnegative(&Double.neg(&range)) => ZERO | NEGATIVE,
            Sign::Undecided => ANY,
        };
        let upper = Double.abs(&real_interval());
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
        let known = RangeInfo { range, signs };
        self.done.insert(g.address(), known.clone());
        known
    }

    fn compute_range(&mut self, g: &Graph) -> RangeInfo {
        let unknown = || RangeInfo { range: real_interval(), signs: ANY };
        match g.operation() {
            NodeOperation::Variable(v) => match self.variables.iter().position(|own| own == v) {
                Some(index) => RangeInfo { range: bounds_interval(&self.sides[index]), signs: ANY },
                None => unknown(),
            },
            NodeOperation::Rational(q) => RangeInfo { range: Double.enclose_rational(q), signs: sign_bit(q.cmp0()) },
            NodeOperation::Pi => RangeInfo { range: Double.pi(), signs: POSITIVE },
            NodeOperation::Euler => RangeInfo { range: Double.enclose_euler(), signs: POSITIVE },
            NodeOperation::Unary(operation, a) => self.unary_range(*operation, a),
            // both factors are one number, so they have equal signs
            NodeOperation::Binary(Binary::Multiply, a, b) if a.address() == b.address() => {
                let a = self.range_of(a);
                let signs = combine_signs(a.signs, a.signs, |x, y| if x == y { signs_of_product(x, y) } else { 0 });
                RangeInfo { range: Double.square(&a.range), signs }
            }
            NodeOperation::Binary(operation, a, b) => {
                let (a, b) = (self.range_of(a), self.range_of(b));
                let (x, y) = (&a.range, &b.range);
                let (range, signs) = match operation {
                    Binary::Add => (Double.add(x, y), combine_signs(a.signs, b.signs, signs_of_sum)),
                    Binary::Subtract => {
                        (Double.sub(x, y), combine_signs(a.signs, reverse_signs(b.signs), signs_of_sum))
                    }
                    Binary::Multiply => (Double.mul(x, y), combine_signs(a.signs, b.signs, signs_of_product)),
                    // a quotient has a value only where the divisor is not 0
                    Binary::Divide => (Double.div(x, y), combine_signs(a.signs, b.signs & !ZERO, signs_of_product)),
                    Binary::Maximum => (Double.max(x, y), combine_signs(a.signs, b.signs, |x, y| sign_bit(x.max(y)))),
                    Binary::Minimum => (Double.min(x, y), combine_signs(a.signs, b.signs, |x, y| sign_bit(x.min(y)))),
                    Binary::Planar(f) => (Double.apply_binary_function(*f, x, y), ANY),
                };
                RangeInfo { range, signs }
            }
            NodeOperation::Power(a, exponent) => {
                let a = self.range_of(a);
                // an even root has a value only for numbers that are not negative
                let Ok(n) = u32::try_from(exponent.numerator.unsigned_abs()) else { return unknown() };
                let root =
                    if exponent.denominator == 1 { a.range } else { Double.root(&a.range, exponent.denominator) };
                let power = Double.power(&Double.mark_defined(root), n);
                // the sign of the base is that of its root, where this has a value
                let base = if exponent.denominator % 2 == 0 { a.signs & !NEGATIVE } else { a.signs };
                let signs = match n {
                    0 => POSITIVE,
                    n if n % 2 == 0 => {
                        combine_signs(base, base, |x, y| if x == y { signs_of_product(x, y) } else { 0 })
                    }
                    _ => base,
                };
                match exponent.numerator < 0 {
                    true => RangeInfo { range: Double.div(&Double.enclose_integer(1), &power), signs: signs & !ZERO },
                    false => RangeInfo { range: power, signs },
                }
            }
            NodeOperation::Primitive(..)
            | NodeOperation::Derivative(_)
            | NodeOperation::Second(..)
            | NodeOperation::Select(..) => unknown(),
        }
    }

    fn unary_range(&mut self, operation: Unary, a: &Graph) -> RangeInfo {
        let a = self.range_of(a);
        let (range, signs) = match operation {
            Unary::Negate => (Double.neg(&a.range), reverse_signs(a.signs)),
            Unary::Abs => (Double.abs(&a.range), (a.signs & ZERO) | if a.signs & !ZERO == 0 { 0 } else { POSITIVE }),
            Unary::Signum => (Double.signum(&a.range), a.signs),
            Unary::Function(f) => {
                // increasing with f(0) = 0: the sign is that of the argument
                let rises = matches!(f.row().monotonicity, Monotonicity::Increasing) && f.exact_value(0.0) == Some(0.0);
                let signs = match (f, f.row().monotonicity) {
                    (Function::Exp, _) => POSITIVE,
                    (Function::Sqrt, _) => a.signs & !NEGATIVE,
                    (_, Monotonicity::Root(_)) => a.signs,
                    _ if rises => a.signs,
                    _ => ANY,
                };
                (Double.apply_function(f, &a.range), signs)
            }
        };
        RangeInfo { range, signs }
    }
}

/// Returns ℝ.
fn real_interval() -> DoubleInterval {
    Double.mark_defined(Double.bottom())
}

fn bounds_interval(side: &CoordinateBounds) -> DoubleInterval {
    let upper = Double.abs(&real_interval());
    match side {
        [None, None] => real_interval(),
        [Some(a), None] => Double.add(&Double.enclose_rational(a), &upper),
        [None, Some(b)] => Double.sub(&Double.enclose_rational(b), &upper),
        [Some(a), Some(b)] => Double.hull(&Double.enclose_rational(a), &Double.enclose_rational(b)),
    }
}
