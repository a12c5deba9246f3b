//! Types, as type inference returns them: without unification variables, shared, and safe to drop at any depth.
//!
//! A type that inference leaves open is [unknown](Ty::unknown).
//!
//! | here | in the paper |
//! |---|---|
//! | `Real`, `Bool`, `Nat`, `Unit` | ℜ, 𝔅, ℕ, ∗ |
//! | `Tuple`, flat and of any width from 2 | `A * B` and ℜⁿ; `(A * B) * C` is nested, `A * B * C` is not |
//! | `Data` | an algebraic data type, applied to types for its parameters: see [`data`](super::data) |
//! | `Iso` | the record `A ≅ B = { to : A → B, from : B → A }` |

use super::data::DataType;
use super::error;
use super::name::Name;
use crate::stack::with_stack;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt;
use std::mem::discriminant;
use std::sync::{Arc, LazyLock};

/// A class of types that an overloaded operator admits: a set of the kinds *real*, *natural*, *tuple*, *unit* and
/// *other*, of which *real* is always one.
///
/// A tuple belongs to a class if the class has tuples and every component belongs to the class. A class is *open* or not.
/// A type variable that is known only to belong to a class defaults to `Real`. If the class is open, the definition is
/// polymorphic in the variable instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Class(u8);

impl Class {
    const REAL_BIT: u8 = 1;
    const NATURAL_BIT: u8 = 2;
    const TUPLE_BIT: u8 = 4;
    const UNIT_BIT: u8 = 8;
    const OTHER_BIT: u8 = 16;
    // Not a kind of type: it marks a class as open, see `is_open`.
    const OPEN_BIT: u8 = 32;
    /// Every type.
    pub const ANY: Class = Class(Self::ADDITIVE.0 | Self::OTHER_BIT | Self::OPEN_BIT);
    /// The types with addition: reals, naturals, the unit type, and tuples of these.
    pub const ADDITIVE: Class = Class(Self::VECTOR.0 | Self::NATURAL_BIT);
    /// The types with negation, the vector spaces: reals, the unit type, and tuples of vector spaces.
    pub const VECTOR: Class = Class(Self::REAL_BIT | Self::TUPLE_BIT | Self::UNIT_BIT);
    /// Like [`Class::VECTOR`], but open: a definition may be polymorphic in it.
    pub const VECTORS: Class = Class(Self::VECTOR.0 | Self::OPEN_BIT);
    /// The types with multiplication, and of literals without a point: reals and naturals.
    pub const NUMERIC: Class = Class(Self::REAL_BIT | Self::NATURAL_BIT);
    /// The types that `<` orders: reals and naturals.
    pub const ORDERED: Class = Class::NUMERIC;
    /// The reals alone.
    pub const REAL: Class = Class(Self::REAL_BIT);

    /// Returns the intersection of two classes. It is never empty, since the reals belong to every class. It is open
    /// only if both are.
    #[must_use]
    pub fn intersection(self, other: Class) -> Class {
        Class(self.0 & other.0)
    }

    /// Returns the class with the same types, but open.
    #[must_use]
    pub(super) fn as_open(self) -> Class {
        Class(self.0 | Self::OPEN_BIT)
    }

    /// Returns `true` if the natural numbers belong to the class.
    pub fn has_naturals(self) -> bool {
        self.0 & Self::NATURAL_BIT != 0
    }

    /// Returns `true` if tuples of components in the class belong to it.
    pub fn has_tuples(self) -> bool {
        self.0 & Self::TUPLE_BIT != 0
    }

    /// Returns `true` if the unit type belongs to the class.
    pub fn has_unit(self) -> bool {
        self.0 & Self::UNIT_BIT != 0
    }

    /// Returns `true` if the class is open: a definition may be polymorphic over its types.
    pub fn is_open(self) -> bool {
        self.0 & Self::OPEN_BIT != 0
    }

    /// Returns `true` if a type without variables belongs to the class.
    pub(super) fn admits(self, ty: &Ty) -> bool {
        let bit = match ty.kind() {
            TyKind::Real => Self::REAL_BIT,
            TyKind::Nat => Self::NATURAL_BIT,
            TyKind::Unit => Self::UNIT_BIT,
            TyKind::Tuple(parts) => {
                return self.has_tuples() && parts.iter().all(|part| with_stack(|| self.admits(part)));
            }
            _ => Self::OTHER_BIT,
        };
        self.0 & bit != 0
    }

    /// Returns a description of the class for messages.
    pub fn summary(self) -> &'static str {
        match self {
            Class::ANY => "any type",
            Class::ADDITIVE => "a number, or a tuple of numbers",
            Class::VECTOR | Class::VECTORS => "Real, () and tuples of such",
            Class::NUMERIC => "Real or Nat",
            _ => "Real",
        }
    }
}

/// A type. It is cheap to clone. Equality is structural, and ignores the names of variables. Shared parts are not compared.
#[derive(Clone)]
pub struct Ty(Arc<TyNode>);

/// A node, with what is computed once when it is made.
struct TyNode {
    kind: TyKind,
    depth: u32,
    size: usize,
    is_closed: bool,
}

/// The shape of a type.
#[derive(Clone, Debug)]
pub enum TyKind {
    /// A variable: the index of a parameter of the enclosing [`Scheme`], and its name.
    Variable(usize, Name),
    /// The real numbers, ℜ.
    Real,
    /// The natural numbers, ℕ.
    Nat,
    /// The truth values, 𝔅.
    Bool,
    /// The type of `()`.
    Unit,
    /// Tuples of two or more components.
    Tuple(Vec<Ty>),
    /// Functions from the first type to the second.
    Function(Ty, Ty),
    /// Tangent vectors, `Tan A`.
    Tangent(Ty),
    /// Isomorphisms, pairs of maps to and from, `A ≅ B`.
    Iso(Ty, Ty),
    /// An algebraic data type, applied to types for its parameters: `Maybe Real`, `List Real`.
    Data(DataType, Vec<Ty>),
}

impl TyKind {
    /// Returns the immediate parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = &Ty> {
        let (many, few): (&[Ty], [Option<&Ty>; 2]) = match self {
            Self::Tuple(parts) | Self::Data(_, parts) => (parts, [None, None]),
            Self::Function(a, b) | Self::Iso(a, b) => (&[], [Some(a), Some(b)]),
            Self::Tangent(a) => (&[], [Some(a), None]),
            Self::Variable(..) | Self::Real | Self::Nat | Self::Bool | Self::Unit => (&[], [None, None]),
        };
        many.iter().chain(few.into_iter().flatten())
    }

    /// Rebuilds the shape with `of` applied to each immediate part, in order.
    #[must_use]
    pub fn map_parts(&self, mut of: impl FnMut(&Ty) -> Ty) -> Self {
        match self {
            Self::Tuple(parts) => Self::Tuple(parts.iter().map(of).collect()),
            Self::Data(data, parts) => Self::Data(data.clone(), parts.iter().map(of).collect()),
            Self::Function(a, b) => Self::Function(of(a), of(b)),
            Self::Iso(a, b) => Self::Iso(of(a), of(b)),
            Self::Tangent(a) => Self::Tangent(of(a)),
            Self::Variable(..) | Self::Real | Self::Nat | Self::Bool | Self::Unit => self.clone(),
        }
    }
}

impl Ty {
    /// Makes a type of this shape.
    pub fn new(kind: TyKind) -> Ty {
        let is_closed = !matches!(kind, TyKind::Variable(..)) && kind.parts().all(Ty::is_closed);
        let depth = 1 + kind.parts().map(Ty::depth).max().unwrap_or(0);
        // Written out, a shared type may have more than 2⁶⁴ nodes: the size saturates.
        let size = kind.parts().fold(1usize, |size, part| size.saturating_add(part.size()));
        Ty(Arc::new(TyNode { kind, depth, size, is_closed }))
    }

    /// Returns the type of real numbers.
    pub fn real() -> Ty {
        static REAL: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Real));
        REAL.clone()
    }

    /// Returns the type of natural numbers.
    pub fn nat() -> Ty {
        static NAT: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Nat));
        NAT.clone()
    }

    /// Returns the type of truth values.
    pub fn bool() -> Ty {
        static BOOL: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Bool));
        BOOL.clone()
    }

    /// Returns the type of `()`.
    pub fn unit() -> Ty {
        static UNIT: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Unit));
        UNIT.clone()
    }

    /// Returns the unknown type: that of a term made without a type, or of a part that a program leaves open.
    ///
    /// It is a variable named `_`. Its index, `usize::MAX`, is that of no parameter.
    pub fn unknown() -> Ty {
        static UNKNOWN: LazyLock<Ty> = LazyLock::new(|| Ty::new(TyKind::Variable(usize::MAX, "_".into())));
        UNKNOWN.clone()
    }

    /// Returns the type of functions from `domain` to `codomain`.
    pub fn function(domain: Ty, codomain: Ty) -> Ty {
        Ty::new(TyKind::Function(domain, codomain))
    }

    /// Returns the type of lists of elements of type `of`.
    pub fn list(of: Ty) -> Ty {
        Ty::new(TyKind::Data(DataType::list().clone(), vec![of]))
    }

    /// Substitutes these types for `Variable(0, _)`, `Variable(1, _)` and so on; further variables stay. Shared parts
    /// are visited once.
    #[must_use]
    pub fn with_arguments(&self, arguments: &[Ty]) -> Ty {
        self.substitute_shared(&|index| arguments.get(index).cloned(), &mut FxHashMap::default())
    }

    /// Substitutes `argument(i)` for `Variable(i, _)` where that is a type. `known` holds the results by address.
    fn substitute_shared(&self, argument: &dyn Fn(usize) -> Option<Ty>, known: &mut FxHashMap<usize, Ty>) -> Ty {
        if self.is_closed() {
            return self.clone();
        }
        // Keyed by node: a type shared n levels deep has n distinct nodes, but may have 2ⁿ when written out.
        if let Some(known) = known.get(&self.address()) {
            return known.clone();
        }
        let ty = match self.kind() {
            TyKind::Variable(index, _) => argument(*index).unwrap_or_else(|| self.clone()),
            kind => Ty::new(kind.map_parts(|ty| with_stack(|| ty.substitute_shared(argument, known)))),
        };
        known.insert(self.address(), ty.clone());
        ty
    }

    /// Substitutes the reals for every variable.
    #[doc(hidden)]
    pub fn with_reals(&self) -> Ty {
        self.substitute_shared(&|_| Some(Ty::real()), &mut FxHashMap::default())
    }

    /// Returns the shape of the type.
    pub fn kind(&self) -> &TyKind {
        &self.0.kind
    }

    /// Returns the number of levels of the type; 1 for a leaf.
    pub fn depth(&self) -> u32 {
        self.0.depth
    }

    /// Returns the number of nodes of the type written out, without sharing.
    pub fn size(&self) -> usize {
        self.0.size
    }

    /// Returns the dimension n of ℝⁿ: the number of reals in a tuple, nested or not. `None` if the type has any other
    /// part.
    #[must_use]
    pub fn real_dimension(&self) -> Option<usize> {
        match self.kind() {
            TyKind::Real => Some(1),
            TyKind::Tuple(parts) => parts.iter().map(|part| with_stack(|| part.real_dimension())).sum(),
            _ => None,
        }
    }

    /// Returns `true` if the type has no variables.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed
    }

    /// Returns the names of the variables by index. Unknown types are left out; an index that does not occur has the name of
    /// some other variable.
    #[doc(hidden)]
    pub fn parameter_names(&self) -> Vec<Name> {
        let mut names: Vec<Name> = Vec::new();
        self.for_each_variable(|index, name| {
            // The indices of unknown types lie near `usize::MAX`: no vector is that long.
            if index < error::TYPE_NODES {
                names.resize(names.len().max(index + 1), name.clone());
                names[index] = name.clone();
            }
        });
        names
    }

    /// Returns `true` if no part of the type is unknown. Unknown types are the variables named `_`.
    #[doc(hidden)]
    pub fn is_known(&self) -> bool {
        // The name and not the index: an error may name a variable `_` at another index.
        let mut known = true;
        self.for_each_variable(|_, name| known &= &**name != "_");
        known
    }

    /// Calls `each` with the index and the name of every variable, at least once each. Shared parts are visited once.
    pub(super) fn for_each_variable(&self, mut each: impl FnMut(usize, &Name)) {
        let (mut seen, mut waiting) = (FxHashSet::default(), vec![self]);
        while let Some(ty) = waiting.pop() {
            if ty.is_closed() || !seen.insert(ty.address()) {
                continue;
            }
            if let TyKind::Variable(index, name) = ty.kind() {
                each(*index, name);
            }
            waiting.extend(ty.kind().parts());
        }
    }

    /// Returns a number that is equal for two types alive exactly if they share their node.
    #[doc(hidden)]
    pub fn address(&self) -> usize {
        Arc::as_ptr(&self.0) as usize
    }
}

impl PartialEq for Ty {
    fn eq(&self, other: &Ty) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) {
            return true;
        }
        // Size and depth are stored: they refute most equalities without a traversal.
        if self.size() != other.size() || self.depth() != other.depth() {
            return false;
        }
        with_stack(|| match (self.kind(), other.kind()) {
            (TyKind::Variable(left, _), TyKind::Variable(right, _)) => left == right,
            (TyKind::Data(data, _), TyKind::Data(other, _)) if data != other => false,
            (left, right) => discriminant(left) == discriminant(right) && left.parts().eq(right.parts()),
        })
    }
}

impl Eq for Ty {}

impl Drop for TyNode {
    fn drop(&mut self) {
        // A choice: shallow types are dropped by plain recursion, which spares them the check of the stack.
        if self.depth > 64 {
            let kind = std::mem::replace(&mut self.kind, TyKind::Unit);
            with_stack(|| drop(kind));
        }
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A type scheme, instantiated at every use: `dirac : A -> Integral A`, for all `A`.
#[derive(Clone, PartialEq, Eq)]
pub struct Scheme {
    /// The names of the parameters, and the classes of types that they range over.
    pub parameters: Vec<(Name, Class)>,
    /// The body, in which `Variable(i, _)` is parameter `i`.
    pub ty: Ty,
}

impl fmt::Debug for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Scheme {
    /// Returns the types for which the parameters stand in the instance `used` of the scheme. Parameters that do not occur in
    /// the scheme stand for unknown types.
    pub fn arguments_of_instance(&self, used: &Ty) -> Vec<Ty> {
        let mut known = vec![Ty::unknown(); self.parameters.len()];
        self.ty.match_instance(used, &mut known);
        known
    }
}

impl Ty {
    /// Matches `used` against the type, and stores in `known` the types that its variables stand for.
    fn match_instance(&self, used: &Ty, known: &mut [Ty]) {
        if self.is_closed() {
            return;
        }
        with_stack(|| match (self.kind(), used.kind()) {
            (TyKind::Variable(index, _), _) => {
                if let Some(known) = known.get_mut(*index) {
                    *known = used.clone();
                }
            }
            (a, b) if discriminant(a) == discriminant(b) => {
                a.parts().zip(b.parts()).for_each(|(a, b)| a.match_instance(b, known));
            }
            // Different shapes: `used` is unknown there, and parameters that occur only below stay unknown.
            _ => {}
        });
    }
}
