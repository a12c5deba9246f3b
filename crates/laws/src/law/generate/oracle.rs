//! An interpreter of typed programs, as the oracle of the laws of A, W and P.
//!
//! It evaluates by value, on numbers that are known exactly or by a narrow enclosure, together with their derivatives to
//! any order. It shares only interval arithmetic and the terms with the semantics that it judges.
//!
//! Two numbers are known to be equal if both are rational, or if they come from the same operations on the same
//! numbers. So the guard `g x < g q` is decided at x = q, where q lies on its border. Whatever is not decided is
//! *unknown*, and claims nothing.
//!
//! | what | by value in W | in A |
//! |---|---|---|
//! | a comparison of equal numbers | the guard is decided, and the point lies on a border | no value |
//! | √0, and a derivative of it | unknown, since the semantics differ there | unknown |

use crate::function::Function;
use crate::law::term::{BinderId, TermHead, TestTerm};
use crate::number::{Context, Enclosure, Mpfr, Rational};
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::trace::evaluation::{TraceError, UndefinedValue};
use crate::trace::number::{CertifiedReals, NumberSystem};
use crate::trace::operation::OperationSymbol;
use crate::value::UndefinedCause;
use std::cmp::Ordering;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering as AtomicOrdering};

/// The precision of enclosures, in bits. A choice: results lose some of it, and must stay narrower than [`LARGEST_WIDTH`].
const BITS: u32 = 256;
/// An enclosure that is wider than 2 to the power of this is unknown. A choice: two different numbers that a law compares
/// seldom lie so near.
const LARGEST_WIDTH: i32 = -64;
/// The largest number of bits of a fraction. A choice, as nested squares would grow without limit.
const FRACTION_BITS: u32 = 2_000;
/// The greatest number of steps of a run. A choice: recursions of samples end after a few, or not at all.
const RUN_STEPS: u32 = 4_000;
/// The greatest depth of a run. A choice that a thread's stack has room for.
const RUN_DEPTH: u32 = 200;

/// The greatest depth of nested derivatives. A choice: numbers have 2ⁿ parts under n of them.
const MAX_NESTED: u32 = 5;

/// An enclosure at one precision.
type Range = <Mpfr as Context>::Num;

/// A real number that is known exactly or by an enclosure, with derivatives.
#[derive(Clone, Debug)]
pub enum KnownReal {
    /// A rational number.
    Rational(Rational),
    /// A number in an enclosure. Numbers with one key come from the same operations on the same numbers.
    Enclosed(Arc<(Range, u64)>),
    /// `value + slope · ε`, where ε² = 0. The ε of different derivatives are told apart by their numbers, from 1.
    Dual(u32, Arc<[KnownReal; 2]>),
}

/// A run without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// There certainly is no value.
    Undefined,
    /// The oracle does not know whether there is a value.
    Unknown,
}

use NoValue::{Undefined, Unknown};

/// The value of an operation at numbers.
type ValueRule<'r, const N: usize> = &'r dyn Fn([&KnownReal; N]) -> Result<KnownReal, NoValue>;
/// The slope of an operation at numbers, along their slopes.
type SlopeRule<'r, const N: usize> = &'r dyn Fn([&KnownReal; N], [&KnownReal; N]) -> Result<KnownReal, NoValue>;

/// Returns the arithmetic of enclosures.
fn arithmetic() -> Mpfr {
    Mpfr::new(BITS)
}

/// Two numbers are equal unless they certainly differ: equality of real numbers can only be refuted.
impl PartialEq for KnownReal {
    fn eq(&self, other: &Self) -> bool {
        let level = self.level().max(other.level());
        match (self, other) {
            // a number that does not depend on ε has the slope 0
            _ if level > 0 => self.split_at(level) == other.split_at(level),
            (KnownReal::Rational(a), KnownReal::Rational(b)) => a == b,
            (a, b) => a.enclosure().overlaps(&b.enclosure()),
        }
    }
}

impl From<Rational> for KnownReal {
    fn from(q: Rational) -> Self {
        KnownReal::Rational(q)
    }
}

impl KnownReal {
    /// Returns an integer.
    fn integer(n: i64) -> Self {
        KnownReal::Rational(Rational::from(n))
    }

    /// Returns a rational number, unless it is too long.
    fn short_rational(q: Rational) -> Result<Self, NoValue> {
        let bits = q.numer().significant_bits().max(q.denom().significant_bits());
        if bits <= FRACTION_BITS { Ok(KnownReal::Rational(q)) } else { Err(Unknown) }
    }

    /// Returns the number in an enclosure, unless that is wide or may be undefined.
    fn in_range(range: Range, key: u64) -> Result<Self, NoValue> {
        let enclosure = arithmetic().to_enclosure(&range);
        if !enclosure.is_defined() || !enclosure.is_bounded() {
            return Err(Unknown);
        }
        if enclosure.is_point()
            && let Some(q) = enclosure.lo().to_rational()
        {
            return Self::short_rational(q);
        }
        match enclosure.has_width_at_most(&(Rational::from(1) >> LARGEST_WIDTH.unsigned_abs())) {
            true => Ok(KnownReal::Enclosed(Arc::new((range, key)))),
            false => Err(Unknown),
        }
    }

    /// Returns the number in an enclosure of [`KnownReals::arithmetic`]. `None` if that is wide or may be undefined.
    #[must_use]
    pub fn of_range(range: &Range) -> Option<Self> {
        // nothing is known of where it comes from, so it gets a key of its own
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self::in_range(range.clone(), key_of(&("origin", NEXT.fetch_add(1, AtomicOrdering::Relaxed)))).ok()
    }

    /// Returns the number without its derivatives.
    #[must_use]
    pub fn value(&self) -> &Self {
        match self {
            KnownReal::Dual(_, parts) => parts[0].value(),
            base => base,
        }
    }

    /// Returns the fraction. Returns `None` for a number that is known by an enclosure alone.
    #[must_use]
    pub fn rational(&self) -> Option<&Rational> {
        match self {
            KnownReal::Rational(q) => Some(q),
            _ => None,
        }
    }

    /// Returns an enclosure of the number, without its derivatives.
    #[must_use]
    pub fn enclosure(&self) -> Enclosure {
        arithmetic().to_enclosure(&self.range())
    }

    /// Returns `true` if the number certainly is not 0.
    #[must_use]
    pub fn is_nonzero(&self) -> bool {
        match self.value() {
            KnownReal::Rational(q) => *q != 0,
            other => !other.enclosure().contains(&Rational::new()),
        }
    }

    fn is_exactly(&self, n: i64) -> bool {
        matches!(self, KnownReal::Rational(q) if *q == n)
    }

    fn range(&self) -> Range {
        match self.value() {
            KnownReal::Rational(q) => arithmetic().enclose_rational(q),
            KnownReal::Enclosed(known) => known.0.clone(),
            KnownReal::Dual(..) => arithmetic().bottom(),
        }
    }

    /// Returns a number that two numbers share if they come from the same operations on the same numbers.
    fn key(&self) -> u64 {
        match self.value() {
            KnownReal::Enclosed(known) => known.1,
            other => key_of(&("rational", other.rational())),
        }
    }

    fn level(&self) -> u32 {
        if let KnownReal::Dual(level, _) = self { *level } else { 0 }
    }

    /// Returns value and slope in the ε with this number.
    fn split_at(&self, level: u32) -> [Self; 2] {
        match self {
            KnownReal::Dual(own, parts) if *own == level => (**parts).clone(),
            _ => [self.clone(), Self::integer(0)],
        }
    }

    /// Makes `value + slope · ε`.
    fn dual(level: u32, value: Self, slope: Self) -> Self {
        KnownReal::Dual(level, Arc::new([value, slope]))
    }

    /// Returns the slope in the ε with this number.
    #[must_use]
    pub fn slope_at(&self, level: u32) -> Self {
        let [_, slope] = self.split_at(level);
        slope
    }

    /// Returns the number without the ε with this number.
    #[must_use]
    pub fn value_at(&self, level: u32) -> Self {
        let [value, _] = self.split_at(level);
        value
    }

    /// Returns a number that moves with slope 1 in the ε with this number.
    #[must_use]
    pub fn moving(self, level: u32) -> Self {
        Self::dual(level, self, Self::integer(1))
    }

    /// Applies `of` to the values, and `slope` to values and slopes, if one of the numbers has a derivative.
    fn lift<const N: usize>(
        arguments: [&Self; N],
        of: ValueRule<'_, N>,
        slope: SlopeRule<'_, N>,
    ) -> Result<Option<Self>, NoValue> {
        let level = arguments.iter().map(|x| x.level()).max().unwrap_or(0);
        if level == 0 {
            return Ok(None);
        }
        let split = arguments.map(|x| x.split_at(level));
        let (values, slopes) = (split.each_ref().map(|parts| &parts[0]), split.each_ref().map(|parts| &parts[1]));
        Ok(Some(Self::dual(level, of(values)?, slope(values, slopes)?)))
    }

    /// Applies an operation of interval arithmetic.
    fn enclose(name: &'static str, arguments: &[&Self], of: impl FnOnce(&Mpfr) -> Range) -> Result<Self, NoValue> {
        let keys: Vec<u64> = arguments.iter().map(|x| x.key()).collect();
        Self::in_range(of(&arithmetic()), key_of(&(name, keys)))
    }

    /// a + b
    ///
    /// # Errors
    /// The sum is not known well enough.
    pub fn plus(&self, b: &Self) -> Result<Self, NoValue> {
        let a = self;
        if let Some(found) = Self::lift([a, b], &|[a, b]| a.plus(b), &|_, [da, db]| da.plus(db))? {
            return Ok(found);
        }
        match (a, b) {
            (KnownReal::Rational(a), KnownReal::Rational(b)) => Self::short_rational(Rational::from(a + b)),
            (a, zero) | (zero, a) if zero.is_exactly(0) => Ok(a.clone()),
            _ => Self::enclose("+", &[a, b], |c| c.add(&a.range(), &b.range())),
        }
    }

    /// −a
    ///
    /// # Errors
    /// The number is not known well enough.
    pub fn negated(&self) -> Result<Self, NoValue> {
        let a = self;
        if let Some(found) = Self::lift([a], &|[a]| a.negated(), &|_, [da]| da.negated())? {
            return Ok(found);
        }
        match a {
            KnownReal::Rational(a) => Ok(KnownReal::Rational(Rational::from(-a))),
            _ => Self::enclose("-", &[a], |c| c.neg(&a.range())),
        }
    }

    /// a − b, which is exactly 0 for numbers from the same operations
    ///
    /// # Errors
    /// The difference is not known well enough.
    pub fn minus(&self, b: &Self) -> Result<Self, NoValue> {
        let a = self;
        if let Some(found) = Self::lift([a, b], &|[a, b]| a.minus(b), &|_, [da, db]| da.minus(db))? {
            return Ok(found);
        }
        if a.key() == b.key() { Ok(Self::integer(0)) } else { a.plus(&b.negated()?) }
    }

    /// a · b
    ///
    /// # Errors
    /// The product is not known well enough.
    pub fn times(&self, b: &Self) -> Result<Self, NoValue> {
        let a = self;
        let slope = |[a, b]: [&Self; 2], [da, db]: [&Self; 2]| a.times(db)?.plus(&da.times(b)?);
        if let Some(found) = Self::lift([a, b], &|[a, b]| a.times(b), &slope)? {
            return Ok(found);
        }
        match (a, b) {
            (KnownReal::Rational(a), KnownReal::Rational(b)) => Self::short_rational(Rational::from(a * b)),
            (_, zero) | (zero, _) if zero.is_exactly(0) => Ok(Self::integer(0)),
            (a, one) | (one, a) if one.is_exactly(1) => Ok(a.clone()),
            _ => Self::enclose("*", &[a, b], |c| c.mul(&a.range(), &b.range())),
        }
    }

    /// a / b
    ///
    /// # Errors
    /// Undefined if b is 0; unknown if b may be 0, or if the quotient is not known well enough.
    pub fn over(&self, b: &Self) -> Result<Self, NoValue> {
        let a = self;
        // (a / b)′ = (a′ − (a / b) b′) / b
        let slope = |[a, b]: [&Self; 2], [da, db]: [&Self; 2]| da.minus(&a.over(b)?.times(db)?)?.over(b);
        if let Some(found) = Self::lift([a, b], &|[a, b]| a.over(b), &slope)? {
            return Ok(found);
        }
        match (a, b) {
            (_, zero) if zero.is_exactly(0) => Err(Undefined),
            (KnownReal::Rational(a), KnownReal::Rational(b)) => Self::short_rational(Rational::from(a / b)),
            (_, b) if !b.is_nonzero() => Err(Unknown),
            _ => Self::enclose("/", &[a, b], |c| c.div(&a.range(), &b.range())),
        }
    }

    /// aⁿ by repeated multiplication; 1 / a⁻ⁿ for n < 0
    ///
    /// # Errors
    /// As for products and quotients.
    pub fn to_power(&self, n: i32) -> Result<Self, NoValue> {
        let power = (0..n.unsigned_abs()).try_fold(Self::integer(1), |power, _| power.times(self))?;
        if n < 0 { Self::integer(1).over(&power) } else { Ok(power) }
    }

    /// Returns the value of an elementary function: one of [`FUNCTIONS`], or the cosine.
    ///
    /// # Errors
    /// Undefined outside of the domain; unknown at its end, or for another function.
    pub fn apply(&self, f: Function) -> Result<Self, NoValue> {
        let x = self;
        // the slopes are written out, independent of the table of the library
        let slope = |[x]: [&Self; 1], [dx]: [&Self; 1]| match f {
            Function::Sin => x.apply(Function::Cos)?.times(dx),
            Function::Cos => x.apply(Function::Sin)?.negated()?.times(dx),
            Function::Exp => x.apply(Function::Exp)?.times(dx),
            Function::Log => dx.over(x),
            Function::Sqrt => dx.over(&x.apply(Function::Sqrt)?.times(&Self::integer(2))?),
            _ => Err(Unknown),
        };
        if let Some(found) = Self::lift([x], &|[x]| x.apply(f), &slope)? {
            return Ok(found);
        }
        if matches!(f, Function::Log | Function::Sqrt) {
            match x.compare(&Self::integer(0)) {
                Some(Ordering::Less) => return Err(Undefined),
                Some(Ordering::Equal) if f == Function::Log => return Err(Undefined),
                Some(Ordering::Greater) => {}
                // √0 is 0 for some semantics, and undefined for those on open sets
                _ => return Err(Unknown),
            }
        } else if !matches!(f, Function::Sin | Function::Cos | Function::Exp) {
            return Err(Unknown);
        }
        Self::enclose(f.name(), &[x], |c| c.apply_function(f, &x.range()))
    }

    /// Compares two numbers, without their derivatives. Returns `None` if this is not decided.
    #[must_use]
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        match (self.value(), other.value()) {
            (KnownReal::Rational(a), KnownReal::Rational(b)) => Some(a.cmp(b)),
            (a, b) if a.key() == b.key() => Some(Ordering::Equal),
            (a, b) => {
                let (c, a, b) = (arithmetic(), a.range(), b.range());
                let less = c.is_strictly_below(&a, &b).then_some(Ordering::Less);
                less.or_else(|| c.is_strictly_below(&b, &a).then_some(Ordering::Greater))
            }
        }
    }
}

/// The elementary functions of random programs.
pub const FUNCTIONS: [Function; 4] = [Function::Sin, Function::Exp, Function::Log, Function::Sqrt];

/// Returns the hash of an operation with its arguments. That two different ones collide is left out of account: a run
/// has a few thousand operations, and a key 64 bits.
fn key_of(of: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    // the hasher has a fixed start; one more step of the generator separates the keys from hashes of tables
    SplitMix64::new(hasher.finish()).next()
}

/// The numbers of the oracle as numbers for the relations of A. Operations that it lacks are taken from certified
/// arithmetic, on numbers without derivatives.
#[derive(Clone, Copy, Debug, Default)]
pub struct KnownReals;

impl KnownReals {
    /// Returns the arithmetic of the enclosures.
    #[must_use]
    pub fn arithmetic() -> Mpfr {
        arithmetic()
    }
}

/// Returns the error of the relations that a missing result is.
fn trace_error(why: NoValue, operation: &OperationSymbol) -> TraceError {
    let cause = if why == Undefined { UndefinedCause::Domain } else { UndefinedCause::Fuel };
    UndefinedValue::of_operation(cause, operation).into()
}

impl NumberSystem for KnownReals {
    type Number = KnownReal;

    fn represent_rational(&self, q: &Rational) -> KnownReal {
        KnownReal::Rational(q.clone())
    }

    fn add(&self, a: &KnownReal, b: &KnownReal) -> KnownReal {
        // sums cannot fail in this interface, so one that is too long becomes an enclosure that decides nothing
        a.plus(b).unwrap_or_else(|_| KnownReal::Enclosed(Arc::new((arithmetic().bottom(), key_of(&"too long")))))
    }

    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&KnownReal]) -> Result<KnownReal, TraceError> {
        let found = match (operation, arguments) {
            (OperationSymbol::Negate, [a]) => a.negated(),
            (OperationSymbol::Subtract, [a, b]) => a.minus(b),
            (OperationSymbol::Multiply, [a, b]) => a.times(b),
            (OperationSymbol::Divide, [a, b]) => a.over(b),
            (OperationSymbol::Power(q), [a]) if q.is_integer() => {
                q.numer().to_i32().filter(|n| n.abs() < 100).map_or(Err(Unknown), |n| a.to_power(n))
            }
            (OperationSymbol::Function(f), [a]) if FUNCTIONS.contains(f) || *f == Function::Cos => a.apply(*f),
            (_, arguments) if arguments.iter().all(|x| x.level() == 0) => {
                let ranges: Vec<Range> = arguments.iter().map(|x| x.range()).collect();
                let keys: Vec<u64> = arguments.iter().map(|x| x.key()).collect();
                let found = CertifiedReals(arithmetic()).apply_operation(operation, &ranges.iter().collect::<Vec<_>>());
                KnownReal::in_range(found?, key_of(&(operation.to_string(), keys)))
            }
            _ => Err(Unknown),
        };
        found.map_err(|why| trace_error(why, operation))
    }

    fn compare(&self, a: &KnownReal, b: &KnownReal) -> Result<Ordering, Option<i64>> {
        a.compare(b).ok_or(None)
    }

    fn exact_rational(&self, number: &KnownReal) -> Option<Rational> {
        number.rational().cloned()
    }
}

/// A value of a program.
#[derive(Clone, Debug)]
pub enum OracleValue {
    /// A number.
    Real(KnownReal),
    /// A truth value.
    Bool(bool),
    /// A tuple; the unit if it has no parts.
    Tuple(Vec<OracleValue>),
    /// A function, with the scope of its body. A recursive one is in scope there itself.
    Function(Arc<KnownFunction>),
    /// A constant with fewer arguments than it takes.
    Constant(Constant, Vec<OracleValue>),
}

/// A function with the scope of its body.
#[derive(Debug)]
pub struct KnownFunction {
    itself: Option<BinderId>,
    argument: BinderId,
    body: TestTerm,
    scope: Scope,
}

/// The values of the variables in scope, as a list, the innermost first.
type Scope = Option<Arc<(BinderId, OracleValue, ScopeTail)>>;
/// The rest of a scope.
#[derive(Clone, Debug)]
struct ScopeTail(Scope);

/// A run of a program.
#[derive(Debug, Default)]
pub struct OracleRun {
    /// `true` if equal numbers were compared.
    pub touches: bool,
    steps: u32,
    depth: u32,
    levels: u32,
    /// The number of derivatives around the part that is evaluated.
    derivatives: u32,
}

impl OracleValue {
    /// Returns the real numbers in the value, from left to right.
    #[must_use]
    pub fn reals(&self) -> Vec<&KnownReal> {
        match self {
            OracleValue::Real(x) => vec![x],
            OracleValue::Tuple(parts) => parts.iter().flat_map(OracleValue::reals).collect(),
            _ => Vec::new(),
        }
    }

    fn real(&self) -> Result<&KnownReal, NoValue> {
        if let OracleValue::Real(x) = self { Ok(x) } else { Err(Unknown) }
    }

    /// Replaces the numbers, counted from left to right.
    fn map_reals(&self, of: &mut dyn FnMut(&KnownReal) -> KnownReal) -> OracleValue {
        match self {
            OracleValue::Real(x) => OracleValue::Real(of(x)),
            OracleValue::Tuple(parts) => OracleValue::Tuple(parts.iter().map(|part| part.map_reals(of)).collect()),
            other => other.clone(),
        }
    }
}

impl OracleRun {
    /// Returns a new number of an ε.
    pub fn new_level(&mut self) -> u32 {
        self.levels += 1;
        self.levels
    }

    /// Evaluates a closed term.
    ///
    /// # Errors
    /// There is no value, or none is known.
    pub fn evaluate(&mut self, term: &TestTerm) -> Result<OracleValue, NoValue> {
        self.eval(term, &None)
    }

    /// Applies a value to an argument.
    ///
    /// # Errors
    /// There is no value, or none is known.
    pub fn apply(&mut self, function: &OracleValue, argument: OracleValue) -> Result<OracleValue, NoValue> {
        match function {
            OracleValue::Function(of) => {
                let mut scope = of.scope.clone();
                if let Some(id) = of.itself {
                    scope = extend(scope, id, function.clone());
                }
                self.eval(&of.body, &extend(scope, of.argument, argument))
            }
            OracleValue::Constant(constant, before) => {
                let arguments = before.iter().cloned().chain([argument]).collect();
                self.call(*constant, arguments)
            }
            _ => Err(Unknown),
        }
    }

    fn eval(&mut self, term: &TestTerm, scope: &Scope) -> Result<OracleValue, NoValue> {
        self.steps += 1;
        if self.steps > RUN_STEPS || self.depth > RUN_DEPTH {
            return Err(Unknown);
        }
        self.depth += 1;
        let found = crate::stack::with_stack(|| self.eval_head(term, scope));
        self.depth -= 1;
        found
    }

    fn eval_head(&mut self, term: &TestTerm, scope: &Scope) -> Result<OracleValue, NoValue> {
        Ok(match (&term.head, &term.parts[..]) {
            (TermHead::Real(q), _) => OracleValue::Real(q.clone().into()),
            (TermHead::Bool(b), _) => OracleValue::Bool(*b),
            (TermHead::Variable(id), _) => look_up(scope, *id).ok_or(Unknown)?,
            (TermHead::Call(constant), parts) => {
                let arguments = parts.iter().map(|part| self.eval(part, scope)).collect::<Result<_, _>>()?;
                self.call(*constant, arguments)?
            }
            (TermHead::Power(q), [base]) if q.is_integer() => {
                let base = self.eval(base, scope)?;
                OracleValue::Real(base.real()?.to_power(q.numer().to_i32().ok_or(Unknown)?)?)
            }
            (TermHead::Lambda(id, _), [body]) => OracleValue::Function(Arc::new(KnownFunction {
                itself: None,
                argument: *id,
                body: body.clone(),
                scope: scope.clone(),
            })),
            (TermHead::Apply, [function, argument]) => {
                let (function, argument) = (self.eval(function, scope)?, self.eval(argument, scope)?);
                self.apply(&function, argument)?
            }
            (TermHead::Let(id), [value, body]) => {
                let value = self.eval(value, scope)?;
                self.eval(body, &extend(scope.clone(), *id, value))?
            }
            (TermHead::Tuple, parts) => {
                OracleValue::Tuple(parts.iter().map(|part| self.eval(part, scope)).collect::<Result<_, _>>()?)
            }
            (TermHead::Project(index), [tuple]) => match self.eval(tuple, scope)? {
                OracleValue::Tuple(parts) => parts.get(*index).cloned().ok_or(Unknown)?,
                _ => return Err(Unknown),
            },
            (TermHead::If, [condition, then, otherwise]) => match self.eval(condition, scope)? {
                OracleValue::Bool(true) => self.eval(then, scope)?,
                OracleValue::Bool(false) => self.eval(otherwise, scope)?,
                _ => return Err(Unknown),
            },
            (TermHead::LetRec { function, argument, .. }, [body, rest]) => {
                let value = OracleValue::Function(Arc::new(KnownFunction {
                    itself: Some(*function),
                    argument: *argument,
                    body: body.clone(),
                    scope: scope.clone(),
                }));
                self.eval(rest, &extend(scope.clone(), *function, value))?
            }
            _ => return Err(Unknown),
        })
    }

    /// Compares two numbers, and records it if they are equal.
    fn compare(&mut self, a: &KnownReal, b: &KnownReal) -> Result<Ordering, NoValue> {
        let order = a.compare(b).ok_or(Unknown)?;
        self.touches |= order == Ordering::Equal;
        Ok(order)
    }

    /// Applies a constant to some or all of its arguments.
    fn call(&mut self, constant: Constant, arguments: Vec<OracleValue>) -> Result<OracleValue, NoValue> {
        if arguments.len() < constant.arity() {
            return Ok(OracleValue::Constant(constant, arguments));
        }
        Ok(match (constant, &arguments[..]) {
            // a number has twice as many parts inside of each derivative
            (Constant::Deriv | Constant::Rd, _) if self.derivatives == MAX_NESTED => return Err(Unknown),
            (Constant::Deriv, [f, x]) => {
                let level = self.new_level();
                self.derivatives += 1;
                let found = self.apply(f, OracleValue::Real(x.real()?.clone().moving(level)));
                self.derivatives -= 1;
                found?.map_reals(&mut |y| y.slope_at(level))
            }
            (Constant::Rd, [f, x, w]) => {
                self.derivatives += 1;
                let found = self.reverse(f, x, w);
                self.derivatives -= 1;
                found?
            }
            (Constant::Fst, [OracleValue::Tuple(parts)]) => parts.first().cloned().ok_or(Unknown)?,
            (Constant::Snd, [OracleValue::Tuple(parts)]) => parts.get(1).cloned().ok_or(Unknown)?,
            (_, [a]) => self.call_unary(constant, a.real()?)?,
            (_, [a, b]) => self.call_binary(constant, a.real()?, b.real()?)?,
            _ => return Err(Unknown),
        })
    }

    fn call_unary(&mut self, constant: Constant, a: &KnownReal) -> Result<OracleValue, NoValue> {
        Ok(OracleValue::Real(match constant {
            Constant::Negate => a.negated()?,
            Constant::Elementary(f) => a.apply(f)?,
            // at 0 the branch of non-negative numbers is taken, as in the library's definition by pieces
            Constant::Abs if self.compare(a, &KnownReal::integer(0))? == Ordering::Less => a.negated()?,
            Constant::Abs => a.clone(),
            _ => return Err(Unknown),
        }))
    }

    fn call_binary(&mut self, constant: Constant, a: &KnownReal, b: &KnownReal) -> Result<OracleValue, NoValue> {
        if constant.compares_reals() {
            let order = self.compare(a, b)?;
            return Ok(OracleValue::Bool(match constant {
                Constant::RealLess => order == Ordering::Less,
                Constant::RealLessEqual => order != Ordering::Greater,
                Constant::RealGreater => order == Ordering::Greater,
                Constant::RealGreaterEqual => order != Ordering::Less,
                Constant::RealEqual => order == Ordering::Equal,
                _ => order != Ordering::Equal,
            }));
        }
        Ok(OracleValue::Real(match constant {
            Constant::Add => a.plus(b)?,
            Constant::Subtract => a.minus(b)?,
            Constant::Multiply => a.times(b)?,
            Constant::Divide => a.over(b)?,
            // of two equal numbers the first is taken
            Constant::Max if self.compare(a, b)? == Ordering::Less => b.clone(),
            Constant::Min if self.compare(a, b)? == Ordering::Greater => b.clone(),
            Constant::Max | Constant::Min => a.clone(),
            _ => return Err(Unknown),
        }))
    }

    /// Computes Jᵗ w, by forward mode along each coordinate.
    fn reverse(&mut self, f: &OracleValue, x: &OracleValue, w: &OracleValue) -> Result<OracleValue, NoValue> {
        let (mut slopes, weights) = (Vec::new(), w.reals());
        for moved in 0..x.reals().len() {
            let (level, mut place) = (self.new_level(), 0);
            let at = x.map_reals(&mut |x| {
                place += 1;
                if place - 1 == moved { x.clone().moving(level) } else { x.clone() }
            });
            let found = self.apply(f, at)?;
            let products = found.reals().into_iter().zip(&weights).map(|(y, w)| y.slope_at(level).times(w));
            slopes.push(
                products.collect::<Result<Vec<_>, _>>()?.iter().try_fold(KnownReal::integer(0), |a, b| a.plus(b))?,
            );
        }
        // a map from no numbers has still to be defined
        if slopes.is_empty() {
            self.apply(f, x.clone())?;
        }
        let mut slopes = slopes.into_iter();
        Ok(x.map_reals(&mut |x| slopes.next().unwrap_or_else(|| x.clone())))
    }
}

/// Adds a variable to a scope.
fn extend(scope: Scope, id: BinderId, value: OracleValue) -> Scope {
    Some(Arc::new((id, value, ScopeTail(scope))))
}

/// Returns the value of a variable.
fn look_up(scope: &Scope, id: BinderId) -> Option<OracleValue> {
    let mut at = scope;
    while let Some(found) = at {
        if found.0 == id {
            return Some(found.1.clone());
        }
        at = &found.2.0;
    }
    None
}
