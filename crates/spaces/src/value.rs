//! The values of programs: one type of values for all semantics that evaluate.
//!
//! A [`Value`] is made of real numbers, truth values, natural numbers, tuples, variants, lists, functions and tangents.
//! The representation of a real number is its [`Carrier`]:
//!
//! | carrier | truth values | used by |
//! |---|---|---|
//! | graphs at a stage | constants | [presheaves](crate::presheaf::dynamic) |
//! | doubles with dual parts | constants | floating point |
//! | enclosures, doubles | constants | answers |
//!
//! | module | holds |
//! |---|---|
//! | [`function`] | functions, as closures behind a trait |
//! | [`sequence`], [`nested`] | lists; the arguments of constructors |
//! | [`kind`] | the kinds of values, and checked access to a value of an expected kind |
//! | [`vector`] | the coordinates of vectors |
//! | [`decision`] | truth values of answers, which may be undecided |
//! | [`error`], [`undefined`] | why a program has no value |

pub mod decision;
pub mod error;
pub mod function;
pub mod kind;
pub mod nested;
pub mod sequence;
pub mod vector;

pub use crate::undefined::{self, SourceId, UndefinedCause, UndefinedValue};
pub use decision::AnswerTruth;
pub use error::{NegativeDifference, ValueError};
pub use function::{Apply, ValueFunction};
pub use kind::ValueKind;
pub use nested::SharedBox;
pub use sequence::SharedList;

use crate::stack::with_stack;
use std::fmt::Debug;
use std::sync::Arc;

/// A representation of real numbers in values, with the truth values and tangents that go with it.
pub trait Carrier: Clone + Debug + Send + Sync + 'static {
    /// The truth values: `bool`, or a type with undecided elements.
    type Truth: TruthType;
    /// The tangents; `()` if the carrier has none.
    type Tangent: Debug + Send + Sync + 'static;
}

/// A type of truth values that contains tt and ff.
pub trait TruthType: Clone + Debug + From<bool> + Send + Sync + 'static {
    /// Returns the truth value if it is decided. Returns `None` otherwise.
    fn decided_value(&self) -> Option<bool>;
    /// Returns the negation. The negation of an undecided truth value is undecided.
    #[must_use]
    fn negate(&self) -> Self;
}

impl TruthType for bool {
    fn decided_value(&self) -> Option<bool> {
        Some(*self)
    }
    fn negate(&self) -> Self {
        !self
    }
}

/// Doubles without any certified bound, and without infinitesimal parts.
impl Carrier for f64 {
    type Truth = bool;
    type Tangent = ();
}

/// A value over a carrier of real numbers; see the [module](self).
#[derive(Debug, Default)]
pub enum Value<R: Carrier> {
    /// A real number.
    Real(R),
    /// A natural number.
    Natural(u64),
    /// A truth value.
    Boolean(R::Truth),
    /// The only value of type unit.
    #[default]
    Unit,
    /// A tuple of at least one component.
    Tuple(Arc<[Value<R>]>),
    /// A variant: the index of its constructor, from 0, and the argument. The argument is the unit value if the
    /// constructor has none.
    Variant(usize, SharedBox<Value<R>>),
    /// A list.
    List(SharedList<Value<R>>),
    /// A function, as a rule that can be applied.
    Function(ValueFunction<R>),
    /// A tangent.
    Tangent(Arc<R::Tangent>),
    /// An isomorphism: a function and its inverse.
    Isomorphism(ValueFunction<R>, ValueFunction<R>),
}

impl<R: Carrier> Clone for Value<R> {
    fn clone(&self) -> Self {
        match self {
            Self::Real(x) => Self::Real(x.clone()),
            Self::Natural(n) => Self::Natural(*n),
            Self::Boolean(b) => Self::Boolean(b.clone()),
            Self::Unit => Self::Unit,
            Self::Tuple(parts) => Self::Tuple(parts.clone()),
            Self::Variant(index, argument) => Self::Variant(*index, argument.clone()),
            Self::List(list) => Self::List(list.clone()),
            Self::Function(f) => Self::Function(f.clone()),
            Self::Tangent(t) => Self::Tangent(t.clone()),
            Self::Isomorphism(to, from) => Self::Isomorphism(to.clone(), from.clone()),
        }
    }
}

/// The largest number of values in an answer, with the answer itself and all nested parts. A choice: it bounds the
/// memory of an answer that is written out.
pub const MAX_ANSWER_PARTS: usize = 100_000;
/// The deepest nesting of an answer: its parts, their parts, and so on. A choice: it bounds the recursion of all code
/// that prints or compares answers.
pub const MAX_ANSWER_LEVELS: usize = 2_000;

/// An identity of values with parts: two values have equal addresses only if they share their storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StorageAddress(usize, usize);

impl<R: Carrier> Value<R> {
    /// Returns the tuple of `parts`, or the unit value if `parts` is empty.
    #[must_use]
    pub fn tuple_of(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Arc<[Self]> = parts.into_iter().collect();
        if parts.is_empty() { Self::Unit } else { Self::Tuple(parts) }
    }

    /// Returns a decided truth value.
    #[must_use]
    pub fn from_bool(value: bool) -> Self {
        Self::Boolean(value.into())
    }

    /// Returns the variant of the constructor `index` with its argument.
    #[must_use]
    pub fn variant_of(index: usize, argument: Self) -> Self {
        Self::Variant(index, SharedBox::new(argument))
    }

    /// Returns the function that runs the closure `f`.
    pub fn from_closure(f: impl Fn(&Self) -> Result<Self, ValueError> + Send + Sync + 'static) -> Self {
        Self::Function(ValueFunction::new(f))
    }

    /// Returns the isomorphism `to` with its inverse `from`. Nothing checks that the two are inverse.
    pub fn iso_from_closures(
        to: impl Fn(&Self) -> Result<Self, ValueError> + Send + Sync + 'static,
        from: impl Fn(&Self) -> Result<Self, ValueError> + Send + Sync + 'static,
    ) -> Self {
        Self::Isomorphism(ValueFunction::new(to), ValueFunction::new(from))
    }

    /// Returns the address of the shared storage. Returns `None` for a value without parts.
    #[must_use]
    // Constructors with one shared argument must differ: `Left x` and `RightSide x` may hold the same storage.
    pub fn storage_address(&self) -> Option<StorageAddress> {
        match self {
            Self::Tuple(parts) => Some(StorageAddress(0, Arc::as_ptr(parts) as *const Self as usize)),
            Self::Variant(index, argument) => Some(StorageAddress(*index, argument.storage_address())),
            Self::List(list) => Some(StorageAddress(0, list.storage_address())),
            _ => None,
        }
    }

    /// Returns the parts of a tuple, of a variant or of a list, and an empty iterator for other values.
    pub fn direct_parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Tuple(parts) => Box::new(parts.iter()),
            Self::Variant(_, argument) => Box::new(std::iter::once(&**argument)),
            Self::List(list) => Box::new(list.iter()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Returns the real numbers in the value, from left to right. A shared part is visited as often as
    /// [`Value::check_size`] counts it.
    #[must_use]
    pub fn real_numbers(&self) -> Vec<&R> {
        // A stack of our own: a value may be nested deeper than the machine's stack.
        let (mut waiting, mut found) = (vec![self], Vec::new());
        while let Some(value) = waiting.pop() {
            match value {
                Self::Real(x) => found.push(x),
                value => {
                    let parts = waiting.len();
                    // the stack is last in, first out, and the order is left to right
                    waiting.extend(value.direct_parts());
                    waiting[parts..].reverse();
                }
            }
        }
        found
    }

    /// Checks the size of the value as written out, where shared parts are repeated. A value of `n` parts in memory may
    /// have 2ⁿ parts when written out.
    ///
    /// # Errors
    /// - [`ValueError::LargeAnswer`] if the value has more than [`MAX_ANSWER_PARTS`] parts.
    /// - [`ValueError::DeepAnswer`] if it is nested deeper than [`MAX_ANSWER_LEVELS`].
    pub fn check_size(&self) -> Result<(), ValueError> {
        let (mut waiting, mut count) = (vec![(self, 1)], 0);
        while let Some((value, level)) = waiting.pop() {
            count += 1;
            if level > MAX_ANSWER_LEVELS {
                return Err(ValueError::DeepAnswer { levels: MAX_ANSWER_LEVELS });
            }
            for part in value.direct_parts() {
                waiting.push((part, level + 1));
                // Parts still on the stack count too: a wide value is refused before it is visited.
                if count + waiting.len() > MAX_ANSWER_PARTS {
                    return Err(ValueError::LargeAnswer { parts: MAX_ANSWER_PARTS });
                }
            }
        }
        Ok(())
    }

    /// Converts the value to another carrier. Functions, tangents and isomorphisms become placeholders that keep the
    /// kind only.
    ///
    /// # Errors
    /// The errors of `change`.
    pub fn try_map_reals<P: Carrier, C: TryMapReals<R, P>>(&self, change: &mut C) -> Result<Value<P>, C::Error>
    where
        P::Tangent: Default,
    {
        Ok(match self {
            Self::Real(x) => Value::Real(change.map_real(x)?),
            Self::Natural(n) => Value::Natural(*n),
            Self::Boolean(b) => Value::Boolean(change.map_truth(b)?),
            Self::Unit => Value::Unit,
            // Tuples and lists nest as deep as their type does; variants of a recursive type have no such bound.
            Self::Tuple(parts) => {
                Value::Tuple(parts.iter().map(|part| part.try_map_reals(change)).collect::<Result<_, _>>()?)
            }
            Self::Variant(index, argument) => Value::variant_of(*index, with_stack(|| argument.try_map_reals(change))?),
            Self::List(list) => {
                Value::List(list.iter().map(|part| part.try_map_reals(change)).collect::<Result<_, _>>()?)
            }
            Self::Function(_) => Value::Function(ValueFunction::placeholder()),
            Self::Tangent(_) => Value::Tangent(Arc::default()),
            Self::Isomorphism(..) => Value::Isomorphism(ValueFunction::placeholder(), ValueFunction::placeholder()),
        })
    }

    /// Applies `f` to all real numbers of the value. Functions, tangents and isomorphisms become placeholders, as in
    /// [`Value::try_map_reals`].
    pub fn map_reals<P: Carrier<Truth = R::Truth>>(&self, f: &mut impl FnMut(&R) -> P) -> Value<P>
    where
        P::Tangent: Default,
    {
        match self.try_map_reals(&mut InfallibleMap(f)) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }
}

/// A conversion between two carriers.
pub trait TryMapReals<R: Carrier, P: Carrier> {
    /// The error of a conversion.
    type Error;
    /// Converts a real number.
    ///
    /// # Errors
    /// The implementation defines the errors.
    fn map_real(&mut self, x: &R) -> Result<P, Self::Error>;
    /// Converts a truth value.
    ///
    /// # Errors
    /// The implementation defines the errors.
    fn map_truth(&mut self, b: &R::Truth) -> Result<P::Truth, Self::Error>;
}

/// The conversion that applies a function to the real numbers. It cannot fail.
struct InfallibleMap<'a, F>(&'a mut F);

impl<R: Carrier, P: Carrier<Truth = R::Truth>, F: FnMut(&R) -> P> TryMapReals<R, P> for InfallibleMap<'_, F> {
    type Error = std::convert::Infallible;
    fn map_real(&mut self, x: &R) -> Result<P, Self::Error> {
        Ok((self.0)(x))
    }
    fn map_truth(&mut self, b: &R::Truth) -> Result<P::Truth, Self::Error> {
        Ok(b.clone())
    }
}
