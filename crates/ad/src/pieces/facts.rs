//! Facts about maps on a set of points: ranges, signs, definedness and monotonicity, computed together by one [fold](crate::smooth::fold).
//!
//! A [`MapFacts`] is the reduced product of four domains (Cousot and Cousot 1979). It stands for the numbers that all of its parts allow,
//! and each part is narrowed by the others, once per node and in this order:
//!
//! 1. an operation is defined if its operands are, and its [conditions](crate::function::OperationConditions) hold for their signs
//!    or ranges;
//! 2. what the caller knows of the node restricts the signs ([`FactContext::known_signs`]);
//! 3. a range without negative numbers, or without positive ones, restricts the signs;
//! 4. signs cut the range off at 0.
//!
//! | part | stands for |
//! |---|---|
//! | [`range`](MapFacts::range) | an interval that contains all values |
//! | [`signs`](MapFacts::signs) | the signs that values may have |
//! | [`is_defined`](MapFacts::is_defined) | `true`: the map has a value at each point of the set |
//! | [`course`](MapFacts::course) | strictly increasing, strictly decreasing or constant in one variable |
//!
//! Range and signs hold wherever the map has a value; the others are claims for all points of the set.

use crate::function::{ArgumentCondition, Function, NumberSet, PowerKind, RealOperation, TestedQuantity};
use crate::number::arithmetic::{Context, Sign};
use crate::number::{Double, Enclosure};
use crate::pieces::SignTest;
use crate::smooth::fold::{AbstractDomain, FirstOrder, FoldLeaf, GraphNodes, GraphPlace, MapFold};
use crate::smooth::graph::{Binary, Graph, RationalExponent, Unary, Variable};
use crate::smooth::jet::KinkBranch;
use crate::smooth::normal_form::{RationalFunction, RationalNormalForm};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::fmt;

/// An interval in `f64`.
pub type DoubleInterval = <Double as Context>::Num;

/// A set of signs.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct SignSet(u8);

/// The three signs.
const ALL_SIGNS: [Ordering; 3] = [Ordering::Less, Ordering::Equal, Ordering::Greater];

impl SignSet {
    /// No sign: there is no such number.
    pub const NONE: Self = Self(0);
    /// The sign of negative numbers.
    pub const NEGATIVE: Self = Self(1);
    /// The sign of 0.
    pub const ZERO: Self = Self(2);
    /// The sign of positive numbers.
    pub const POSITIVE: Self = Self(4);
    /// The signs of numbers that are not negative.
    pub const NON_NEGATIVE: Self = Self(6);
    /// The signs of numbers that are not positive.
    pub const NON_POSITIVE: Self = Self(3);
    /// The signs of numbers other than 0.
    pub const NON_ZERO: Self = Self(5);
    /// All signs.
    pub const ANY: Self = Self(7);

    /// Returns the set of one sign.
    #[must_use]
    pub fn of_sign(sign: Ordering) -> Self {
        match sign {
            Ordering::Less => Self::NEGATIVE,
            Ordering::Equal => Self::ZERO,
            Ordering::Greater => Self::POSITIVE,
        }
    }

    /// Returns the signs that satisfy a condition.
    pub fn of_passing(condition: impl Fn(Ordering) -> bool) -> Self {
        ALL_SIGNS.into_iter().filter(|sign| condition(*sign)).map(Self::of_sign).fold(Self::NONE, Self::unite_with)
    }

    /// Returns the signs of the numbers in an interval.
    #[must_use]
    pub fn of_range(range: &DoubleInterval) -> Self {
        match Double.sign(&Double.mark_defined(*range)) {
            Sign::Positive => Self::POSITIVE,
            Sign::Negative => Self::NEGATIVE,
            // an end at 0 leaves one side out
            Sign::Undecided => match [*range, Double.neg(range)].map(|side| Double.is_nonnegative(&side)) {
                [true, true] => Self::ZERO,
                [true, false] => Self::NON_NEGATIVE,
                [false, true] => Self::NON_POSITIVE,
                [false, false] => Self::ANY,
            },
        }
    }

    /// Returns `true` if there is no number with a sign of the set.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// Returns `true` if each sign of the set is in another one.
    #[must_use]
    pub fn is_within(self, other: Self) -> bool {
        self.intersect_with(other) == self
    }

    /// Returns the only sign of the set. Returns `None` if it has none, or several.
    #[must_use]
    pub fn only_sign(self) -> Option<Ordering> {
        ALL_SIGNS.into_iter().find(|sign| Self::of_sign(*sign) == self)
    }

    /// Returns the signs in both sets.
    #[must_use]
    pub fn intersect_with(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the signs in one of two sets.
    #[must_use]
    pub fn unite_with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the signs of the opposite numbers.
    #[must_use]
    pub fn reverse_signs(self) -> Self {
        // one number, so that only equal signs are paired
        self.combine_signs(self, |x, y| if x == y { Self::of_sign(x.reverse()) } else { Self::NONE })
    }

    /// Returns the signs that `rule` gives for pairs of signs.
    fn combine_signs(self, other: Self, rule: impl Fn(Ordering, Ordering) -> Self) -> Self {
        let of = |set: Self| ALL_SIGNS.into_iter().filter(move |sign| Self::of_sign(*sign).is_within(set));
        of(self).flat_map(|x| of(other).map(move |y| (x, y))).fold(Self::NONE, |all, (x, y)| all.unite_with(rule(x, y)))
    }

    /// Returns the signs of sums.
    #[must_use]
    pub fn add_signs(self, other: Self) -> Self {
        self.combine_signs(other, |x, y| match (x, y) {
            (Ordering::Equal, sign) | (sign, Ordering::Equal) => Self::of_sign(sign),
            (x, y) if x == y => Self::of_sign(x),
            // the greater size decides, which is not known
            _ => Self::ANY,
        })
    }

    /// Returns the signs of products, and of quotients by numbers other than 0.
    #[must_use]
    pub fn multiply_signs(self, other: Self) -> Self {
        self.combine_signs(other, |x, y| match (x, y) {
            (Ordering::Equal, _) | (_, Ordering::Equal) => Self::ZERO,
            (x, y) if x == y => Self::POSITIVE,
            _ => Self::NEGATIVE,
        })
    }

    /// Returns the signs of squares.
    #[must_use]
    pub fn square_signs(self) -> Self {
        self.combine_signs(
            self,
            |x, y| if x == y { Self::of_sign(x).multiply_signs(Self::of_sign(x)) } else { Self::NONE },
        )
    }

    /// Decides a test for a number with one of these signs. Returns `None` if it is not decided.
    #[must_use]
    pub fn decide_test(self, test: SignTest) -> Option<bool> {
        let passing = Self::of_passing(|sign| test.is_satisfied_by(sign));
        match self.intersect_with(passing) {
            found if found == self => Some(true),
            // some signs pass and some do not: undecided
            found => found.is_empty().then_some(false),
        }
    }
}

impl fmt::Debug for SignSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(Self::NEGATIVE, '-'), (Self::ZERO, '0'), (Self::POSITIVE, '+')];
        names.iter().filter(|(sign, _)| sign.is_within(*self)).try_for_each(|(_, name)| write!(f, "{name}"))
    }
}

/// Signs that are known of maps; maps whose normal forms are multiples of each other share them.
#[derive(Clone, Debug, Default)]
pub struct KnownSigns(FxHashMap<String, SignSet>);

impl KnownSigns {
    /// Restricts the signs of a map. Returns `false` if this contradicts what is known.
    pub fn restrict_signs(&mut self, graph: &Graph, signs: SignSet, forms: &mut RationalNormalForm) -> bool {
        let Some(form) = forms.normal_form(graph) else { return true };
        // the number 0 has no key: a condition on it is true or false
        if form.is_zero() {
            return SignSet::ZERO.is_within(signs);
        }
        let Some((key, is_turned)) = form.scale_free_key() else { return true };
        // keys leave out a factor, whose sign may be negative
        let known = self.0.entry(key).or_insert(SignSet::ANY);
        *known = known.intersect_with(if is_turned { signs.reverse_signs() } else { signs });
        !known.is_empty()
    }

    /// Returns the signs that are known of a map.
    pub fn signs_of(&self, graph: &Graph, forms: &mut RationalNormalForm) -> SignSet {
        forms.normal_form(graph).map_or(SignSet::ANY, |form| self.signs_of_form(&form))
    }

    fn signs_of_form(&self, form: &RationalFunction) -> SignSet {
        if let Some(q) = form.as_rational() {
            return SignSet::of_sign(q.cmp0());
        }
        let known = form.scale_free_key().and_then(|(key, is_turned)| Some((*self.0.get(&key)?, is_turned)));
        known.map_or(SignSet::ANY, |(known, is_turned)| if is_turned { known.reverse_signs() } else { known })
    }
}

/// Facts about a map; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct MapFacts {
    /// An interval that contains all values.
    pub range: DoubleInterval,
    /// The signs that values may have.
    pub signs: SignSet,
    /// `true` if the map has a value at each point.
    pub is_defined: bool,
    /// `Some(Greater)` if the map strictly increases in the variable of the context, `Some(Less)` if it strictly decreases,
    /// `Some(Equal)` if it is constant in it; where this is shown, and the map is defined.
    pub course: Option<Ordering>,
}

impl MapFacts {
    /// Returns facts that claim nothing.
    #[must_use]
    pub fn with_no_claim() -> Self {
        Self { range: Self::whole_line(), signs: SignSet::ANY, is_defined: false, course: None }
    }

    fn whole_line() -> DoubleInterval {
        Double.mark_defined(Double.bottom())
    }

    fn of_constant(range: DoubleInterval) -> Self {
        Self { range, signs: SignSet::of_range(&range), is_defined: true, course: Some(Ordering::Equal) }
    }

    /// Returns facts by an enclosure of all values, ⊥ if the map is not shown to be defined.
    #[must_use]
    pub fn of_enclosure(found: &Enclosure) -> Self {
        let range = Double.mark_defined(Double.round_enclosure(found));
        Self { range, is_defined: found.is_defined(), ..Self::with_no_claim() }
    }

    /// Returns the sign of the map if it has a value everywhere, of one sign.
    #[must_use]
    pub fn strict_sign(&self) -> Option<Ordering> {
        self.signs.only_sign().filter(|_| self.is_defined)
    }

    /// Makes signs and range agree.
    fn reduce(mut self) -> Self {
        self.signs = self.signs.intersect_with(SignSet::of_range(&self.range));
        // the absolute values of all numbers are the half-line [0, ∞)
        let upper = Double.abs(&Self::whole_line());
        let half = match self.signs {
            signs if signs.is_within(SignSet::NON_NEGATIVE) => upper,
            signs if signs.is_within(SignSet::NON_POSITIVE) => Double.neg(&upper),
            _ => return self,
        };
        match Double.intersect(&self.range, &half) {
            Some(range) => self.range = range,
            // disjoint: the map has no value
            None => self.signs = SignSet::NONE,
        }
        self
    }
}

/// A set of points, with what is known beforehand of maps on it.
pub trait FactContext {
    /// Returns the facts about a variable.
    fn facts_of_variable(&self, v: Variable) -> MapFacts;

    /// Returns signs to which those of a node are restricted, beside its facts so far.
    fn known_signs(&mut self, node: &Graph, facts: &MapFacts) -> SignSet {
        let _ = (node, facts);
        SignSet::ANY
    }

    /// Encloses all values of a node that is no first-order operation of its operands.
    fn enclose_node(&self, node: &Graph) -> Enclosure {
        let _ = node;
        Enclosure::bottom()
    }

    /// Returns the variable in which the course is asked for.
    fn course_variable(&self) -> Option<Variable> {
        None
    }
}

/// The product domain of [`MapFacts`] in a context.
#[derive(Clone, Debug)]
pub struct FactDomain<C>(pub C);

impl<C: FactContext> FactDomain<C> {
    /// Returns a memoised fold of this domain over graphs.
    #[must_use]
    pub fn over_graphs(context: C) -> MapFold<GraphNodes, Self> {
        MapFold::new(GraphNodes, Self(context))
    }
}

impl<C: FactContext> MapFold<GraphNodes, FactDomain<C>> {
    /// Returns the facts about a map.
    pub fn facts_of(&mut self, graph: &Graph) -> MapFacts {
        self.value_of(&GraphPlace(graph.clone()))
    }
}

/// Returns the rule of ranges for an operation on intervals that are marked as defined.
fn range_of_operation(operation: &FirstOrder, operands: &[MapFacts]) -> DoubleInterval {
    let c = Double;
    match (operation, operands) {
        (FirstOrder::Unary(operation), [a]) => match operation {
            Unary::Negate => c.neg(&a.range),
            Unary::Abs => c.abs(&a.range),
            Unary::Signum => c.signum(&a.range),
            Unary::Function(f) => c.apply_function(*f, &a.range),
        },
        (FirstOrder::Binary(operation), [a, b]) => {
            let (x, y) = (&a.range, &b.range);
            match operation {
                Binary::Add => c.add(x, y),
                Binary::Subtract => c.sub(x, y),
                Binary::Multiply => c.mul(x, y),
                Binary::Divide => c.div(x, y),
                Binary::Maximum => c.max(x, y),
                Binary::Minimum => c.min(x, y),
                Binary::Planar(f) => c.apply_binary_function(*f, x, y),
            }
        }
        (FirstOrder::Power(e), [a]) => {
            // exponents beyond this range have no power of intervals
            let Ok(n) = u32::try_from(e.numerator.unsigned_abs()) else { return c.bottom() };
            // the root first: it keeps the sign, and the power of an interval knows that squares are not negative
            let root = if e.denominator == 1 { a.range } else { c.root(&a.range, e.denominator) };
            let power = c.power(&root, n);
            if e.numerator < 0 { c.div(&c.enclose_integer(1), &power) } else { power }
        }
        _ => c.bottom(),
    }
}

/// Returns the signs of numbers that all lie in a set, and those of its numbers.
fn signs_of_set(set: NumberSet) -> [SignSet; 2] {
    match set {
        NumberSet::Above(0) => [SignSet::POSITIVE; 2],
        NumberSet::AtLeast(0) => [SignSet::NON_NEGATIVE; 2],
        NumberSet::Above(1..) | NumberSet::AtLeast(1..) => [SignSet::NONE, SignSet::POSITIVE],
        NumberSet::Above(_) | NumberSet::AtLeast(_) | NumberSet::AboveMinusInverseE => {
            [SignSet::NON_NEGATIVE, SignSet::ANY]
        }
        NumberSet::Below(e) => signs_of_set(NumberSet::Above(-e)).map(SignSet::reverse_signs),
        NumberSet::AtMost(e) => signs_of_set(NumberSet::AtLeast(-e)).map(SignSet::reverse_signs),
        NumberSet::Except(0) => [SignSet::NON_ZERO; 2],
        NumberSet::Except(e) => [if e > 0 { SignSet::NON_POSITIVE } else { SignSet::NON_NEGATIVE }, SignSet::ANY],
        NumberSet::ExceptNonPositiveIntegers => [SignSet::POSITIVE, SignSet::NON_ZERO],
        NumberSet::ExceptCosineZeros => [SignSet::NONE, SignSet::ANY],
    }
}

/// Returns the signs of an argument for which an operation may have a value.
fn signs_in_domain(operation: RealOperation, quantity: TestedQuantity) -> SignSet {
    // a clause with alternatives excludes no sign by one of them
    let conditions = operation.conditions().value.single_conditions();
    let own = conditions.filter(|condition| condition.quantity == quantity);
    own.fold(SignSet::ANY, |signs, condition| signs.intersect_with(signs_of_set(condition.set)[1]))
}

/// Returns `true` if the signs of the operands show that an operation has a value.
fn has_value_by_signs(operation: RealOperation, operands: &[MapFacts]) -> bool {
    operation.conditions().value.is_satisfied(|ArgumentCondition { quantity, set }| {
        let tested = match quantity {
            TestedQuantity::First => operands.first(),
            TestedQuantity::Second => operands.get(1),
            TestedQuantity::Difference => None,
        };
        tested.is_some_and(|facts| facts.signs.is_within(signs_of_set(set)[0]))
    })
}

/// Returns the rule of signs for a function.
fn signs_of_function(f: Function, a: &MapFacts) -> SignSet {
    // the sign of log a is that of a - 1
    if f == Function::Log {
        return a
            .signs
            .add_signs(SignSet::NEGATIVE)
            .intersect_with(SignSet::of_range(&Double.sub(&a.range, &Double.enclose_integer(1))));
    }
    // the argument has its sign inside of the domain alone: √ has no value for negative numbers
    if f.keeps_sign() {
        return a.signs.intersect_with(signs_in_domain(RealOperation::Function(f), TestedQuantity::First));
    }
    if f.is_positive() { SignSet::POSITIVE } else { SignSet::ANY }
}

/// Returns the rule of signs for an operation.
fn signs_of_operation(operation: &FirstOrder, operands: &[MapFacts]) -> SignSet {
    match (operation, operands) {
        (FirstOrder::Unary(operation), [a]) => match operation {
            Unary::Negate => a.signs.reverse_signs(),
            Unary::Abs => a.signs.unite_with(a.signs.reverse_signs()).intersect_with(SignSet::NON_NEGATIVE),
            // at 0 it has the whole interval [-1, 1]
            Unary::Signum if SignSet::ZERO.is_within(a.signs) => SignSet::ANY,
            Unary::Signum => a.signs,
            Unary::Function(f) => signs_of_function(*f, a),
        },
        (FirstOrder::Binary(operation), [a, b]) => match operation {
            Binary::Add => a.signs.add_signs(b.signs),
            Binary::Subtract => a.signs.add_signs(b.signs.reverse_signs()),
            Binary::Multiply => a.signs.multiply_signs(b.signs),
            // a quotient has a value only where the divisor is not 0
            Binary::Divide => a.signs.multiply_signs(b.signs.intersect_with(SignSet::NON_ZERO)),
            Binary::Maximum => a.signs.combine_signs(b.signs, |x, y| SignSet::of_sign(x.max(y))),
            Binary::Minimum => a.signs.combine_signs(b.signs, |x, y| SignSet::of_sign(x.min(y))),
            Binary::Planar(_) => SignSet::ANY,
        },
        (FirstOrder::Power(e), [a]) => {
            // the sign of the base is that of its root, where this has a value
            let base = a.signs.intersect_with(signs_in_domain(e.real_operation(), TestedQuantity::First));
            match e.numerator {
                0 => SignSet::POSITIVE,
                n if n % 2 == 0 => base.square_signs(),
                // an odd power of a root, or its inverse
                _ => base,
            }
        }
        _ => SignSet::ANY,
    }
}

/// Returns the course of a sum of terms with these courses.
fn course_of_sum(x: Ordering, y: Ordering) -> Option<Ordering> {
    match (x, y) {
        (Ordering::Equal, course) | (course, Ordering::Equal) => Some(course),
        (x, y) => (x == y).then_some(x),
    }
}

/// Returns a course, reversed for the sign `Less`.
fn turned_course(course: Ordering, sign: Ordering) -> Option<Ordering> {
    match sign {
        Ordering::Greater => Some(course),
        Ordering::Less => Some(course.reverse()),
        Ordering::Equal => Some(Ordering::Equal),
    }
}

/// Returns the course of a power of a base that is not constant.
fn course_of_power(e: RationalExponent, a: &MapFacts, course: Ordering) -> Option<Ordering> {
    let is_odd = e.numerator % 2 != 0;
    match (e.numerator.cmp(&0), a.signs) {
        (Ordering::Equal, _) => Some(Ordering::Equal),
        (sign, SignSet::POSITIVE) => turned_course(course, sign),
        // strictly, even at 0
        (Ordering::Greater, signs) if signs.is_within(SignSet::NON_NEGATIVE) => Some(course),
        // xⁿ and odd roots of it, for an odd n > 0
        (Ordering::Greater, _) if is_odd && e.real_operation() != RealOperation::Power(PowerKind::EvenRoot) => {
            Some(course)
        }
        _ => None,
    }
}

/// Returns the rule of courses for an operation that has a value everywhere.
fn course_of_operation(operation: &FirstOrder, operands: &[MapFacts]) -> Option<Ordering> {
    // no operand moves
    if operands.iter().all(|operand| operand.course == Some(Ordering::Equal)) {
        return Some(Ordering::Equal);
    }
    match (operation, operands) {
        (FirstOrder::Unary(operation), [a]) => match (operation, a.signs) {
            (Unary::Negate, _) => Some(a.course?.reverse()),
            (Unary::Abs, signs) if signs.is_within(SignSet::NON_NEGATIVE) => a.course,
            (Unary::Abs, signs) if signs.is_within(SignSet::NON_POSITIVE) => Some(a.course?.reverse()),
            (Unary::Abs | Unary::Signum, _) => None,
            (Unary::Function(f), _) => turned_course(a.course?, f.direction()?),
        },
        (FirstOrder::Binary(operation), [a, b]) => {
            let (x, y) = (a.course?, b.course?);
            match operation {
                Binary::Add => course_of_sum(x, y),
                Binary::Subtract => course_of_sum(x, y.reverse()),
                // a constant factor turns the course if it is negative
                Binary::Multiply if x == Ordering::Equal => turned_course(y, a.signs.only_sign()?),
                Binary::Multiply | Binary::Divide if y == Ordering::Equal => turned_course(x, b.signs.only_sign()?),
                // a/b for a constant a: where b has one sign, 1/b decreases where b increases
                Binary::Divide if x == Ordering::Equal => {
                    b.signs.only_sign()?;
                    turned_course(y.reverse(), a.signs.only_sign()?)
                }
                // of two increasing maps, whichever is taken increases
                Binary::Maximum | Binary::Minimum => (x == y).then_some(x),
                Binary::Multiply | Binary::Divide | Binary::Planar(_) => None,
            }
        }
        (FirstOrder::Power(e), [a]) => course_of_power(*e, a, a.course?),
        _ => None,
    }
}

impl<C: FactContext> AbstractDomain<GraphPlace> for FactDomain<C> {
    type Value = MapFacts;

    fn eval_leaf(&mut self, leaf: &FoldLeaf) -> MapFacts {
        match leaf {
            FoldLeaf::Variable(v) => {
                let course = if self.0.course_variable() == Some(*v) { Ordering::Greater } else { Ordering::Equal };
                let facts = self.0.facts_of_variable(*v);
                MapFacts { course: Some(course).filter(|_| facts.is_defined), ..facts }
            }
            FoldLeaf::Rational(q) => {
                // the sign of a number that rounds to 0 is exact
                MapFacts { signs: SignSet::of_sign(q.cmp0()), ..MapFacts::of_constant(Double.enclose_rational(q)) }
            }
            FoldLeaf::Pi => MapFacts::of_constant(Double.pi()),
            FoldLeaf::Euler => MapFacts::of_constant(Double.enclose_euler()),
            FoldLeaf::Input(_) | FoldLeaf::Constant => MapFacts::with_no_claim(),
        }
    }

    fn apply_operation(&mut self, at: &GraphPlace, operation: &FirstOrder, operands: &[MapFacts]) -> MapFacts {
        let Some(real) = operation.real_operation() else { return self.eval_binder(at, operands) };
        let range = range_of_operation(operation, operands);
        // the ranges of the operands are marked as defined, so that this one tells about the operation alone
        let is_defined = operands.iter().all(|operand| operand.is_defined)
            && (Double.is_defined(&range) || has_value_by_signs(real, operands));
        MapFacts {
            range: Double.mark_defined(range),
            signs: signs_of_operation(operation, operands),
            is_defined,
            course: if is_defined { course_of_operation(operation, operands) } else { None },
        }
    }

    fn choose_branch(&mut self, _: &GraphPlace, guard: &MapFacts) -> KinkBranch {
        KinkBranch::from_order(guard.strict_sign().unwrap_or(Ordering::Equal))
    }

    /// A choice has no value at the boundary of its guard.
    fn join_branches(&mut self, [a, b]: [MapFacts; 2]) -> MapFacts {
        MapFacts {
            range: Double.hull(&a.range, &b.range),
            signs: a.signs.unite_with(b.signs),
            ..MapFacts::with_no_claim()
        }
    }

    fn eval_binder(&mut self, at: &GraphPlace, _: &[MapFacts]) -> MapFacts {
        let facts = MapFacts::of_enclosure(&self.0.enclose_node(&at.0));
        // operands say nothing of what the body captures, so the occurrence decides
        let is_constant = self.0.course_variable().is_some_and(|v| !at.0.depends_on(v));
        MapFacts { course: (is_constant && facts.is_defined).then_some(Ordering::Equal), ..facts }
    }

    fn reduce_value(&mut self, at: &GraphPlace, facts: MapFacts) -> MapFacts {
        // once before the question, which may be dear and is not needed for a single sign, and once after it
        let facts = facts.reduce();
        let signs = facts.signs.intersect_with(self.0.known_signs(&at.0, &facts));
        MapFacts { signs, ..facts }.reduce()
    }
}
