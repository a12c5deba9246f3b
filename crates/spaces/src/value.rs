//! The values of programs: one language of values for every meaning that evaluates.
//!
//! A [`Value`] is made of numbers, truth values, natural numbers, tuples, variants, lists, functions and tangents. What stands
//! for a real number is its [`Carrier`]:
//!
//! | carrier | truth values | who has it |
//! |---|---|---|
//! | graphs at a stage | constants | [presheaves](crate::presheaf::dynamic) |
//! | doubles with dual parts | constants | floating point |
//! | enclosures, doubles | constants | answers |
//!
//! | module | what it holds |
//! |---|---|
//! | [`function`] | functions: what has to be applied |
//! | [`sequence`], [`nested`] | lists; the arguments of constructors |
//! | [`kind`] | what kinds of values there are |
//! | [`vector`] | the coordinates of vectors |
//! | [`decision`] | truth values of answers, which need not be decided |
//! | [`error`], [`undefined`] | why a program has no value |

pub mod decision;
pub mod error;
pub mod function;
pub mod kind;
pub mod nested;
pub mod sequence;
pub mod vector;

pub use crate::undefined::{self, Cause, Site, Undefined};
pub use decision::Decision;
pub use error::{BelowZero, ValueError};
pub use function::{Function, Rule};
pub use kind::Kind;
pub use nested::Nested;
pub use sequence::Sequence;

use crate::stack::deep;
use std::fmt::Debug;
use std::sync::Arc;

/// What stands for a real number in values, and what depends on that.
pub trait Carrier: Clone + Debug + Send + Sync + 'static {
    /// A truth value: `bool`, or something that need not be decided.
    type Truth: Truth;
    /// A tangent; `()` where there are none.
    type Tangent: Debug + Send + Sync + 'static;
}

/// A truth value of some kind: tt and ff are among them.
pub trait Truth: Clone + Debug + From<bool> + Send + Sync + 'static {
    /// Which of the two it is, where that is decided.
    fn known(&self) -> Option<bool>;
    /// The other truth value.
    #[must_use]
    fn negated(&self) -> Self;
}

impl Truth for bool {
    fn known(&self) -> Option<bool> {
        Some(*self)
    }
    fn negated(&self) -> Self {
        !self
    }
}

/// Of a double nothing is certain, and no ε is in it.
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
    /// A tuple.
    Tuple(Arc<[Value<R>]>),
    /// A variant: the number of a constructor, and its argument; the unit value if it has none.
    Variant(usize, Nested<Value<R>>),
    /// A list.
    List(Sequence<Value<R>>),
    /// A function.
    Function(Function<R>),
    /// A tangent.
    Tangent(Arc<R::Tangent>),
    /// A pair of functions back and forth.
    Isomorphism(Function<R>, Function<R>),
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

/// The most parts of an answer.
pub const MOST_PARTS: usize = 100_000;
/// The most levels of an answer: the parts of parts of a value, and so on. What is much deeper is no program either.
pub const MOST_LEVELS: usize = 2_000;

/// What two values with parts share only when they are the same.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address(usize, usize);

impl<R: Carrier> Value<R> {
    /// A tuple; the unit value for no parts.
    #[must_use]
    pub fn tuple(parts: impl IntoIterator<Item = Self>) -> Self {
        let parts: Arc<[Self]> = parts.into_iter().collect();
        if parts.is_empty() { Self::Unit } else { Self::Tuple(parts) }
    }

    /// A truth value that is decided.
    #[must_use]
    pub fn truth(value: bool) -> Self {
        Self::Boolean(value.into())
    }

    /// A variant.
    #[must_use]
    pub fn variant(index: usize, argument: Self) -> Self {
        Self::Variant(index, Nested::new(argument))
    }

    /// A function.
    pub fn function(f: impl Fn(&Self) -> Result<Self, ValueError> + Send + Sync + 'static) -> Self {
        Self::Function(Function::new(f))
    }

    /// A pair of functions back and forth.
    pub fn isomorphism(
        to: impl Fn(&Self) -> Result<Self, ValueError> + Send + Sync + 'static,
        from: impl Fn(&Self) -> Result<Self, ValueError> + Send + Sync + 'static,
    ) -> Self {
        Self::Isomorphism(Function::new(to), Function::new(from))
    }

    /// What the value shares only with itself; nothing for one without parts.
    #[must_use]
    pub fn address(&self) -> Option<Address> {
        match self {
            Self::Tuple(parts) => Some(Address(0, Arc::as_ptr(parts) as *const Self as usize)),
            Self::Variant(index, argument) => Some(Address(*index, argument.address())),
            Self::List(list) => Some(Address(0, list.address())),
            _ => None,
        }
    }

    /// The parts of a tuple, of a variant or of a list.
    pub fn parts(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        match self {
            Self::Tuple(parts) => Box::new(parts.iter()),
            Self::Variant(_, argument) => Box::new(std::iter::once(&**argument)),
            Self::List(list) => Box::new(list.iter()),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The real numbers in the value, from left to right. What is shared in it may be met [as often](Self::measure) as it is written out.
    #[must_use]
    pub fn numbers(&self) -> Vec<&R> {
        let (mut waiting, mut found) = (vec![self], Vec::new());
        while let Some(value) = waiting.pop() {
            match value {
                Self::Real(x) => found.push(x),
                value => {
                    let parts = waiting.len();
                    waiting.extend(value.parts());
                    waiting[parts..].reverse();
                }
            }
        }
        found
    }

    /// Counts the parts of the value, and the parts of these, before they are written out. What is shared in a value is not in
    /// an answer, which may be as large as 2 to the number of parts.
    ///
    /// # Errors
    /// [`ValueError::LargeAnswer`] where they are more than [`MOST_PARTS`]; [`ValueError::DeepAnswer`] where they are deeper
    /// than [`MOST_LEVELS`].
    pub fn measure(&self) -> Result<(), ValueError> {
        let (mut waiting, mut count) = (vec![(self, 1)], 0);
        while let Some((value, level)) = waiting.pop() {
            count += 1;
            if level > MOST_LEVELS {
                return Err(ValueError::DeepAnswer { levels: MOST_LEVELS });
            }
            for part in value.parts() {
                waiting.push((part, level + 1));
                if count + waiting.len() > MOST_PARTS {
                    return Err(ValueError::LargeAnswer { parts: MOST_PARTS });
                }
            }
        }
        Ok(())
    }

    /// The same value over another carrier. Of what has to be applied or taken apart first, only the kind is kept.
    ///
    /// # Errors
    /// Those of `change`.
    pub fn told<P: Carrier, C: Change<R, P>>(&self, change: &mut C) -> Result<Value<P>, C::Error>
    where
        P::Tangent: Default,
    {
        Ok(match self {
            Self::Real(x) => Value::Real(change.real(x)?),
            Self::Natural(n) => Value::Natural(*n),
            Self::Boolean(b) => Value::Boolean(change.truth(b)?),
            Self::Unit => Value::Unit,
            Self::Tuple(parts) => Value::Tuple(parts.iter().map(|part| part.told(change)).collect::<Result<_, _>>()?),
            Self::Variant(index, argument) => Value::variant(*index, deep(|| argument.told(change))?),
            Self::List(list) => Value::List(list.iter().map(|part| part.told(change)).collect::<Result<_, _>>()?),
            Self::Function(_) => Value::Function(Function::untold()),
            Self::Tangent(_) => Value::Tangent(Arc::default()),
            Self::Isomorphism(..) => Value::Isomorphism(Function::untold(), Function::untold()),
        })
    }

    /// The same value with other numbers, as [`Value::told`] has it.
    pub fn map<P: Carrier<Truth = R::Truth>>(&self, f: &mut impl FnMut(&R) -> P) -> Value<P>
    where
        P::Tangent: Default,
    {
        match self.told(&mut Total(f)) {
            Ok(value) => value,
            Err(never) => match never {},
        }
    }
}

/// A change of carriers.
pub trait Change<R: Carrier, P: Carrier> {
    /// What can go wrong.
    type Error;
    /// A real number.
    ///
    /// # Errors
    /// As the change says.
    fn real(&mut self, x: &R) -> Result<P, Self::Error>;
    /// A truth value.
    ///
    /// # Errors
    /// As the change says.
    fn truth(&mut self, b: &R::Truth) -> Result<P::Truth, Self::Error>;
}

/// A change of numbers alone, that goes well.
struct Total<'a, F>(&'a mut F);

impl<R: Carrier, P: Carrier<Truth = R::Truth>, F: FnMut(&R) -> P> Change<R, P> for Total<'_, F> {
    type Error = std::convert::Infallible;
    fn real(&mut self, x: &R) -> Result<P, Self::Error> {
        Ok((self.0)(x))
    }
    fn truth(&mut self, b: &R::Truth) -> Result<P::Truth, Self::Error> {
        Ok(b.clone())
    }
}
