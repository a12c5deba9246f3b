//! The kinds of values, their names, and access to a value of an expected kind.

use super::{Carrier, Function, Sequence, Value, ValueError};
use std::fmt;
use std::sync::Arc;

/// The outermost constructor of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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

impl Kind {
    /// Returns the kind as a noun phrase.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Kind::Real => "a real number",
            Kind::Natural => "a natural number",
            Kind::Boolean => "a truth value",
            Kind::Unit => "the unit value",
            Kind::Tuple => "a tuple",
            Kind::Variant => "a variant",
            Kind::List => "a list",
            Kind::Function => "a function",
            Kind::Tangent => "a tangent",
            Kind::Isomorphism => "an isomorphism",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl<R: Carrier> Value<R> {
    /// Returns the kind of the value.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Real(_) => Kind::Real,
            Self::Natural(_) => Kind::Natural,
            Self::Boolean(_) => Kind::Boolean,
            Self::Unit => Kind::Unit,
            Self::Tuple(_) => Kind::Tuple,
            Self::Variant(..) => Kind::Variant,
            Self::List(_) => Kind::List,
            Self::Function(_) => Kind::Function,
            Self::Tangent(_) => Kind::Tangent,
            Self::Isomorphism(..) => Kind::Isomorphism,
        }
    }

    /// Returns the error for a value of this kind in a place of `expected`.
    #[must_use]
    pub fn mismatch(&self, expected: &'static str) -> ValueError {
        ValueError::Mismatch { expected, found: self.kind().name() }
    }
    // One row for one kind: the accessors differ in the pattern and the result only.
}

macro_rules! accessors {
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
                        _ => Err(self.mismatch(Kind::$wanted.name())),
                    }
                }
            )*
        }
    };
}

accessors! {
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
    as_list List: Self::List(list) => list, &Sequence<Self>;
    /// Returns the function.
    as_function Function: Self::Function(f) => f, &Function<R>;
    /// Returns the tangent.
    as_tangent Tangent: Self::Tangent(t) => t, &Arc<R::Tangent>;
    /// Returns the two functions of an isomorphism: the function and its inverse.
    as_isomorphism Isomorphism: Self::Isomorphism(to, from) => (to, from), (&Function<R>, &Function<R>);
}

impl<R: Carrier> Value<R> {
    /// Returns the two components of a pair.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the value is no tuple of two components.
    pub fn as_pair(&self) -> Result<(&Self, &Self), ValueError> {
        match self.as_tuple()? {
            [a, b] => Ok((a, b)),
            _ => Err(self.mismatch("a pair")),
        }
    }
}
