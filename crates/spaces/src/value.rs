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
//! | this module | functions, as closures behind a trait; lists; the arguments of constructors; the kinds of values, and checked access to a value of an expected kind; the coordinates of vectors; truth values of answers, which may be undecided |
//! | [`error`], [`undefined`] | why a program has no value |
//!
//! # Truth values of answers
//!
//! Truth values of answers, which may be undecided.
//!
//! # Coordinates of vectors
//!
//! Coordinates of vectors. A vector is a real number or a tuple of vectors; the unit value is the vector without
//! coordinates.
//!
//! # The kinds of values
//!
//! The kinds of values, their names, and access to a value of an expected kind.
//!
//! # Functions as values
//!
//! # Linked lists with shared tails
//!
//! The values of type `List A`.
//!
//! # Shared boxes for the arguments of constructors
//!
//! Shared boxes for the arguments of constructors, which nest to any depth.

pub mod error;

use crate::number::real;
use crate::stack::{drop_iteratively, with_stack};
pub use crate::undefined;
pub use crate::undefined::{SourceId, UndefinedCause, UndefinedValue};
pub use error::{NegativeDifference, ValueError};
use std::any::Any;
use std::fmt;
use std::fmt::Debug;
use std::ops::Deref;
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

/// A truth value of an answer: tt, ff, or undecided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerTruth {
    /// A decided truth value.
    Decided(bool),
    /// An undecided truth value, with the number whose sign would decide it. That number is 0 or is not separated from
    /// 0. The text is empty if a note of the answer names the number.
    Undecided(Arc<str>),
}

impl From<bool> for AnswerTruth {
    fn from(value: bool) -> Self {
        Self::Decided(value)
    }
}

impl TruthType for AnswerTruth {
    fn decided_value(&self) -> Option<bool> {
        match self {
            Self::Decided(value) => Some(*value),
            Self::Undecided(_) => None,
        }
    }
    fn negate(&self) -> Self {
        match self {
            // The same number decides the negation.
            Self::Decided(value) => Self::Decided(!value),
            Self::Undecided(_) => self.clone(),
        }
    }
}

/// Enclosures that record how each was found.
impl Carrier for Box<real::RefinedEnclosure> {
    type Truth = AnswerTruth;
    type Tangent = ();
}

impl<R: Carrier> Value<R> {
    /// Returns the coordinates of a vector, from left to right.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] for values that are no vectors: functions, lists, variants, natural numbers, truth
    /// values, tangents.
    pub fn coordinates(&self) -> Result<Vec<&R>, ValueError> {
        let mut found = Vec::new();
        self.collect_coordinates(&mut found)?;
        Ok(found)
    }

    fn collect_coordinates<'v>(&'v self, found: &mut Vec<&'v R>) -> Result<(), ValueError> {
        match self {
            Self::Real(x) => found.push(x),
            Self::Unit => {}
            Self::Tuple(parts) => {
                return with_stack(|| parts.iter().try_for_each(|part| part.collect_coordinates(found)));
            }
            _ => return Err(self.kind_mismatch("a vector (a real number, or a tuple of vectors)")),
        }
        Ok(())
    }

    /// Replaces the coordinates of a vector, from left to right. If `coordinates` ends early, the remaining coordinates
    /// stay as they are.
    #[must_use]
    pub fn with_coordinates(&self, coordinates: &mut impl Iterator<Item = R>) -> Self {
        match self {
            Self::Real(x) => Self::Real(coordinates.next().unwrap_or_else(|| x.clone())),
            Self::Tuple(parts) => {
                with_stack(|| Self::tuple_of(parts.iter().map(|part| part.with_coordinates(coordinates))))
            }
            other => other.clone(),
        }
    }
}

/// The outermost constructor of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// A real number.
    Real,
    /// A natural number.
    Natural,
    /// A truth value.
    Boolean,
    /// The unit value.
    Unit,
    /// A tuple, with its components.
    Tuple,
    /// A constructor of a variant, with its argument.
    Variant,
    /// A list, with its elements.
    List,
    /// A function.
    Function,
    /// A tangent.
    Tangent,
    /// An isomorphism.
    Isomorphism,
}

impl ValueKind {
    /// Returns the kind as a noun phrase.
    #[must_use]
    pub fn noun_phrase(self) -> &'static str {
        match self {
            ValueKind::Real => "a real number",
            ValueKind::Natural => "a natural number",
            ValueKind::Boolean => "a truth value",
            ValueKind::Unit => "the unit value",
            ValueKind::Tuple => "a tuple",
            ValueKind::Variant => "a variant",
            ValueKind::List => "a list",
            ValueKind::Function => "a function",
            ValueKind::Tangent => "a tangent",
            ValueKind::Isomorphism => "an isomorphism",
        }
    }
}

impl fmt::Display for ValueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.noun_phrase())
    }
}

impl<R: Carrier> Value<R> {
    /// Returns the kind of the value.
    #[must_use]
    pub fn kind(&self) -> ValueKind {
        match self {
            Self::Real(_) => ValueKind::Real,
            Self::Natural(_) => ValueKind::Natural,
            Self::Boolean(_) => ValueKind::Boolean,
            Self::Unit => ValueKind::Unit,
            Self::Tuple(_) => ValueKind::Tuple,
            Self::Variant(..) => ValueKind::Variant,
            Self::List(_) => ValueKind::List,
            Self::Function(_) => ValueKind::Function,
            Self::Tangent(_) => ValueKind::Tangent,
            Self::Isomorphism(..) => ValueKind::Isomorphism,
        }
    }

    /// Returns the error for a value of this kind in a place of `expected`.
    #[must_use]
    pub fn kind_mismatch(&self, expected: &'static str) -> ValueError {
        ValueError::Mismatch { expected, found: self.kind().noun_phrase() }
    }
    // One row for one kind: the accessors differ in the pattern and the result only.
}

macro_rules! define_accessors {
    ($($(#[$about:meta])* $name:ident $wanted:ident: $pattern:pat => $out:expr, $ty:ty;)*) => {
        /// Access to the content of a value of an expected kind.
        impl<R: Carrier> Value<R> {
            $(
                $(#[$about])*
                ///
                /// # Errors
                /// [`ValueError::Mismatch`] if the value is of another kind.
                pub fn $name(&self) -> Result<$ty, ValueError> {
                    match self {
                        $pattern => Ok($out),
                        _ => Err(self.kind_mismatch(ValueKind::$wanted.noun_phrase())),
                    }
                }
            )*
        }
    };
}

define_accessors! {
    /// Returns the real number.
    as_real Real: Self::Real(x) => x, &R;
    /// Returns the natural number.
    as_natural Natural: Self::Natural(n) => *n, u64;
    /// Returns the truth value.
    as_boolean Boolean: Self::Boolean(b) => b, &R::Truth;
    /// Returns the components of a tuple.
    as_tuple Tuple: Self::Tuple(parts) => parts, &[Self];
    /// Returns the index of the constructor, from 0, and its argument.
    as_variant Variant: Self::Variant(index, argument) => (*index, argument), (usize, &Self);
    /// Returns the list.
    as_list List: Self::List(list) => list, &SharedList<Self>;
    /// Returns the function.
    as_function Function: Self::Function(f) => f, &ValueFunction<R>;
    /// Returns the tangent.
    as_tangent Tangent: Self::Tangent(t) => t, &Arc<R::Tangent>;
    /// Returns the two functions of an isomorphism: the function and its inverse.
    as_isomorphism Isomorphism: Self::Isomorphism(to, from) => (to, from), (&ValueFunction<R>, &ValueFunction<R>);
}

impl<R: Carrier> Value<R> {
    /// Returns the two components of a pair.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the value is no tuple of two components.
    pub fn as_pair(&self) -> Result<(&Self, &Self), ValueError> {
        match self.as_tuple()? {
            [a, b] => Ok((a, b)),
            _ => Err(self.kind_mismatch("a pair")),
        }
    }
}

/// The action of a function on values. At the stages of a presheaf it is natural: an implementation must not inspect
/// the variables of its argument.
pub trait Apply<R: Carrier>: Any + Send + Sync {
    /// Applies the function to an argument.
    ///
    /// # Errors
    /// [`ValueError`], for example for an argument of the wrong type or a computation that does not end.
    fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError>;
}

impl<R: Carrier, F: Fn(&Value<R>) -> Result<Value<R>, ValueError> + Send + Sync + 'static> Apply<R> for F {
    fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError> {
        self(argument)
    }
}

/// A function as a value. Clones are cheap. Nested functions of any depth may be applied and dropped without overflow
/// of the stack.
pub struct ValueFunction<R: Carrier>(Option<Arc<dyn Apply<R>>>);

impl<R: Carrier> Clone for ValueFunction<R> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<R: Carrier> Drop for ValueFunction<R> {
    fn drop(&mut self) {
        // A closure may capture a closure that captures another one, and so on. The last owner drops them one after the
        // other, not recursively.
        if let Some(rule) = self.0.take().filter(|rule| Arc::strong_count(rule) == 1) {
            drop_iteratively(rule);
        }
    }
}

impl<R: Carrier> ValueFunction<R> {
    /// Returns the function with the action `f`.
    pub fn new(f: impl Apply<R>) -> Self {
        Self(Some(Arc::new(f)))
    }

    /// Returns a placeholder for a function, as answers contain it. Nothing is known about its action.
    #[must_use]
    pub fn placeholder() -> Self {
        Self(None)
    }

    /// Applies the function to an argument, with enough stack for any nesting.
    ///
    /// # Errors
    /// Those of [`Apply::apply`]. [`ValueError::Mismatch`] for a placeholder.
    pub fn apply(&self, argument: &Value<R>) -> Result<Value<R>, ValueError> {
        match &self.0 {
            Some(rule) => with_stack(|| rule.apply(argument)),
            None => Err(ValueError::Mismatch { expected: "a function", found: "a function without a definition" }),
        }
    }

    /// Returns the action if it has type `T`. Returns `None` otherwise, and for a placeholder.
    #[must_use]
    pub fn downcast_action<T: Apply<R>>(&self) -> Option<&T> {
        let rule: &dyn Any = &**self.0.as_ref()?;
        rule.downcast_ref()
    }
}

impl<R: Carrier> fmt::Debug for ValueFunction<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<function>")
    }
}

/// A linked list. Clones and extension at the front are cheap. Lists of any length may be dropped.
#[derive(Debug)]
pub struct SharedList<V>(Option<Arc<ListLink<V>>>);

#[derive(Debug)]
struct ListLink<V> {
    head: V,
    tail: SharedList<V>,
}

impl<V> Clone for SharedList<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for SharedList<V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<V> SharedList<V> {
    /// Returns the list `head :: self`.
    #[must_use]
    pub fn with_head(&self, head: V) -> Self {
        Self(Some(Arc::new(ListLink { head, tail: self.clone() })))
    }

    /// Returns the address of the first cell; 0 for the empty list. Two lists have the same address exactly if they
    /// share all cells.
    #[must_use]
    pub fn storage_address(&self) -> usize {
        self.0.as_ref().map_or(0, |link| Arc::as_ptr(link) as usize)
    }

    /// Returns the first element and the rest. Returns `None` for the empty list.
    #[must_use]
    pub fn split_first(&self) -> Option<(&V, &Self)> {
        self.0.as_ref().map(|link| (&link.head, &link.tail))
    }

    /// Returns the elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        let mut here = self;
        std::iter::from_fn(move || {
            let (head, rest) = here.split_first()?;
            here = rest;
            Some(head)
        })
    }

    /// Folds the list from its end: `f x₁ (f x₂ … (f xₙ start))`. The recursion is a loop, so any length is possible.
    ///
    /// # Errors
    /// The errors of `f`.
    pub fn try_fold_right<R, E>(&self, start: R, mut f: impl FnMut(&V, R) -> Result<R, E>) -> Result<R, E> {
        let elements: Vec<&V> = self.iter().collect();
        elements.into_iter().rev().try_fold(start, |result, element| f(element, result))
    }
}

impl<V> FromIterator<V> for SharedList<V> {
    fn from_iter<I: IntoIterator<Item = V>>(elements: I) -> Self {
        let elements: Vec<V> = elements.into_iter().collect();
        elements.into_iter().rev().fold(Self::default(), |rest, head| rest.with_head(head))
    }
}

impl<V> Drop for SharedList<V> {
    // A derived drop would recurse once for each element. The loop stops at the first cell that another list shares.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(link) = rest {
            rest = Arc::into_inner(link).and_then(|mut link| link.tail.0.take());
        }
    }
}

/// A shared value inside another value. Clones are cheap. Boxes of a recursive type nest to any depth, and may be
/// dropped at any depth.
#[derive(Debug)]
pub struct SharedBox<V: Default>(Arc<SharedBoxContent<V>>);

#[derive(Debug)]
struct SharedBoxContent<V: Default>(V);

impl<V: Default> SharedBox<V> {
    /// Wraps a value.
    pub fn new(value: V) -> Self {
        Self(Arc::new(SharedBoxContent(value)))
    }

    /// Returns the address of the storage. Two boxes have the same address exactly if they share their storage.
    #[must_use]
    pub fn storage_address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl<V: Default> Default for SharedBox<V> {
    fn default() -> Self {
        Self::new(V::default())
    }
}

impl<V: Default> Clone for SharedBox<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V: Default> Deref for SharedBox<V> {
    type Target = V;

    fn deref(&self) -> &V {
        &self.0.0
    }
}

impl<V: Default> Drop for SharedBoxContent<V> {
    // The value is moved out first, so that its recursive drop runs with enough stack.
    fn drop(&mut self) {
        let value = std::mem::take(&mut self.0);
        with_stack(|| drop(value));
    }
}
