//! The types of λ_S as uninhabited marker types of Rust.

use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};
use frunk::hlist::{HCons, HNil};
use std::marker::PhantomData;

/// The type ℜ of real numbers.
#[derive(Debug)]
pub enum Real {}

/// The type ℕ of natural numbers.
#[derive(Debug)]
pub enum Nat {}

/// The type 𝔅 of truth values.
#[derive(Debug)]
pub enum Bool {}

/// The type `Tan A` of tangents to A (S §5.3).
#[derive(Debug)]
pub struct Tan<A>(PhantomData<fn() -> A>);

/// The type `A ≅ B` of pairs of inverse maps (S Fig. 2).
#[derive(Debug)]
pub struct Iso<A, B>(PhantomData<fn() -> (A, B)>);

/// The type `A → B → C`.
pub type Fn2<A, B, C> = fn(A) -> fn(B) -> C;

/// The type `A → B → C → D`.
pub type Fn3<A, B, C, D> = fn(A) -> fn(B) -> fn(C) -> D;

/// A type of the language. Functions are `fn(A) -> B`, tuples `HList![A, B]` of two or more types, the
/// unit type `HNil`, coproducts `Coprod!(A, B)`, lists [`List<A>`](super::List).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of the language",
    note = "the types are Real, Nat, Bool, HNil, HList![A, B] of two or more, Coprod!(A, B), List<A>, fn(A) -> B, Tan<A> \
            and Iso<A, B>"
)]
pub trait Type: 'static {
    /// Returns the type as type inference represents it.
    fn language_type() -> Ty;
    /// The letter of printed variables of this type.
    const LETTER: char;
}

macro_rules! ground {
    ($($marker:ident $kind:ident $letter:literal;)*) => {
        $(impl Type for $marker {
            fn language_type() -> Ty {
                Ty::new(TyKind::$kind)
            }
            const LETTER: char = $letter;
        })*
    };
}

ground! {
    Real Real 'x';
    Nat Nat 'n';
    Bool Bool 'b';
    HNil Unit 'u';
}

impl<A: Type, B: Type> Type for fn(A) -> B {
    fn language_type() -> Ty {
        Ty::function(A::language_type(), B::language_type())
    }
    const LETTER: char = 'f';
}

impl<A: Type> Type for Tan<A> {
    fn language_type() -> Ty {
        Ty::new(TyKind::Tangent(A::language_type()))
    }
    const LETTER: char = 'v';
}

impl<A: Type, B: Type> Type for Iso<A, B> {
    fn language_type() -> Ty {
        Ty::new(TyKind::Iso(A::language_type(), B::language_type()))
    }
    const LETTER: char = 'i';
}

// At least two components: a tuple of one is no type, and `HNil` is the unit type.
impl<A: Type, B: Type, T: TypeList> Type for HCons<A, HCons<B, T>> {
    fn language_type() -> Ty {
        let mut types = vec![A::language_type(), B::language_type()];
        T::push_types(&mut types);
        Ty::new(TyKind::Tuple(types))
    }
    const LETTER: char = 'p';
}

/// A list of types, as the types of the components of a tuple.
pub trait TypeList: 'static {
    /// Appends the types to `types`.
    fn push_types(types: &mut Vec<Ty>);
}

impl TypeList for HNil {
    fn push_types(_: &mut Vec<Ty>) {}
}

impl<A: Type, T: TypeList> TypeList for HCons<A, T> {
    fn push_types(types: &mut Vec<Ty>) {
        types.push(A::language_type());
        T::push_types(types);
    }
}

/// The types on which `+` and `-` are defined: numbers, the unit type, and tuples of these.
#[diagnostic::on_unimplemented(
    message = "expressions of type `{Self}` cannot be added",
    note = "`+` and `-` work on Real, Nat, and tuples of these"
)]
pub trait Additive: Type {}
impl Additive for Real {}
impl Additive for Nat {}
impl Additive for HNil {}
impl<A: Additive, B: Additive, T: TypeList> Additive for HCons<A, HCons<B, T>> where T: AllAdditive {}

/// A list of [`Additive`] types.
pub trait AllAdditive: TypeList {}
impl AllAdditive for HNil {}
impl<A: Additive, T: AllAdditive> AllAdditive for HCons<A, T> {}

/// The vector types, on which `-x` is defined: real numbers, the unit type, and tuples of vectors.
pub trait Vector: Additive {}
impl Vector for Real {}
impl Vector for HNil {}
impl<A: Vector, B: Vector, T: AllVectors> Vector for HCons<A, HCons<B, T>> {}

/// A list of [`Vector`] types.
pub trait AllVectors: AllAdditive {}
impl AllVectors for HNil {}
impl<A: Vector, T: AllVectors> AllVectors for HCons<A, T> {}

/// The types on which `*` is defined: real and natural numbers.
pub trait Numeric: Additive {
    /// The constant of multiplication.
    #[doc(hidden)]
    const PRODUCT: Constant;
}
impl Numeric for Real {
    const PRODUCT: Constant = Constant::Multiply;
}
impl Numeric for Nat {
    const PRODUCT: Constant = Constant::NaturalProduct;
}
