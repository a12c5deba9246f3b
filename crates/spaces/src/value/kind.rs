//! What kinds of values there are, in words; and what a value is, where it is of a kind.

use super::{Carrier, Function, Sequence, Value, ValueError};
use std::fmt;
use std::sync::Arc;

/// What a value is.
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
    /// A pair of functions back and forth.
    Isomorphism,
}

impl Kind {
    /// The kind as a noun phrase.
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
    /// What the value is.
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

    /// The error for a value of another kind than was expected.
    #[must_use]
    pub fn mismatch(&self, expected: &'static str) -> ValueError {
        ValueError::Mismatch { expected, found: self.kind().name() }
    }
}

macro_rules! accessors {
    ($($(#[$about:meta])* $name:ident $wanted:ident: $pattern:pat => $out:expr, $ty:ty;)*) => {
        /// What a value is, where it is that.
        impl<R: Carrier> Value<R> {
            $(
                $(#[$about])*
                ///
                /// # Errors
                /// [`ValueError::Mismatch`]
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
    /// The real number.
    as_real Real: Self::Real(x) => x, &R;
    /// The natural number.
    as_natural Natural: Self::Natural(n) => *n, u64;
    /// The truth value.
    as_boolean Boolean: Self::Boolean(b) => b, &R::Truth;
    /// The components of a tuple.
    as_tuple Tuple: Self::Tuple(parts) => parts, &[Self];
    /// The number of the constructor, and its argument.
    as_variant Variant: Self::Variant(index, argument) => (*index, argument), (usize, &Self);
    /// The list.
    as_list List: Self::List(list) => list, &Sequence<Self>;
    /// The function.
    as_function Function: Self::Function(f) => f, &Function<R>;
    /// The tangent.
    as_tangent Tangent: Self::Tangent(t) => t, &Arc<R::Tangent>;
    /// The two functions of an isomorphism.
    as_isomorphism Isomorphism: Self::Isomorphism(to, from) => (to, from), (&Function<R>, &Function<R>);
}

impl<R: Carrier> Value<R> {
    /// The two components of a pair.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`]
    pub fn as_pair(&self) -> Result<(&Self, &Self), ValueError> {
        match self.as_tuple()? {
            [a, b] => Ok((a, b)),
            _ => Err(self.mismatch("a pair")),
        }
    }
}
