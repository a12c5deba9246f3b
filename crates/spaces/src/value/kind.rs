//! The kinds of values, their names, and access to a value of an expected kind.

use super::{Carrier, SharedList, Value, ValueError, ValueFunction};
use std::fmt;
use std::sync::Arc;

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
