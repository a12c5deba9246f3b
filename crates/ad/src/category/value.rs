//! Categories whose objects and arrows are values: the interface to implement for a category of one's own.
//!
//! The interfaces of [`category`](super) name objects by Rust types. A category whose objects are known at run time only
//! implements the traits of this module, and [`Typed`] makes the typed interfaces of it. So each law of
//! `law::category` can be run on it.
//!
//! | here | typed |
//! |---|---|
//! | [`ValueCategory`] | [`Category`] |
//! | [`ValueCartesian`], [`ValueClosed`] | [`Cartesian`], [`CartesianClosed`] |
//! | [`ValueCocartesian`], [`ValueLists`] | [`Cocartesian`], [`Lists`] |
//! | [`ValueSetoid`], [`DecidableArrows`] | [`Setoid`] |
//!
//! A pair (C, D) of categories of values is one as well, with the structure of both.
//!
//! The laws are those of the typed interfaces. Every operation gets the objects that the typed one has as parameters, in
//! the same order; a category whose arrows know their ends ignores them. An operation may fail, where the typed
//! interface would have to panic: an arrow of `Typed<C>` is an arrow of C or the reason why there is none.

use super::{
    Cartesian, CartesianClosed, Category, Cocartesian, Hom, ListObject, Lists, ObjectName, ProductOf, Setoid, SumOf,
};
use crate::verdict::Verdict;
use std::error::Error;
use std::fmt::Debug;
use std::marker::PhantomData;

/// The reason why an arrow could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ArrowError<E: Error + 'static> {
    /// An error of the category.
    #[error(transparent)]
    Category(#[from] E),
    /// A functor has no image for a construct.
    #[error("`{functor}` has no image for {construct}")]
    NoImage {
        /// The name of the functor.
        functor: String,
        /// The construct, as a noun phrase.
        construct: String,
    },
}

/// An arrow of C, or the reason why there is none.
pub type ArrowResult<C> = Result<<C as ValueCategory>::Arrow, ArrowError<<C as ValueCategory>::Error>>;

/// A category whose objects and arrows are values. See the [module](self) for the laws.
pub trait ValueCategory: Sized + 'static {
    /// Objects.
    type Object: Clone + Debug;
    /// Arrows.
    type Arrow: Clone;
    /// Errors of this category; `Infallible` if there are none.
    type Error: Error + Clone + 'static;

    /// `id : A → A`
    ///
    /// # Errors
    /// [`ArrowError`] if there is no such arrow, here and in all operations.
    fn identity(&self, a: &Self::Object) -> ArrowResult<Self>;

    /// `g ∘ f : A → C`, for the objects A, B, C.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn then(&self, objects: [&Self::Object; 3], f: &Self::Arrow, g: &Self::Arrow) -> ArrowResult<Self>;
}

/// A category of values with finite products.
pub trait ValueCartesian: ValueCategory {
    /// 1
    fn terminal_object(&self) -> Self::Object;
    /// A × B
    fn product_object(&self, a: &Self::Object, b: &Self::Object) -> Self::Object;

    /// `! : A → 1`
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn terminal(&self, a: &Self::Object) -> ArrowResult<Self>;

    /// `⟨f, g⟩ : X → A × B`, for the objects X, A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn pair(&self, objects: [&Self::Object; 3], f: &Self::Arrow, g: &Self::Arrow) -> ArrowResult<Self>;

    /// `fst : A × B → A`, for the objects A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn first(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self>;

    /// `snd : A × B → B`, for the objects A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn second(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self>;
}

/// A Cartesian closed category of values.
pub trait ValueClosed: ValueCartesian {
    /// A ⇒ B
    fn exponential_object(&self, a: &Self::Object, b: &Self::Object) -> Self::Object;

    /// `curry f : X → (A ⇒ B)` for `f : X × A → B`, with the objects X, A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn curry(&self, objects: [&Self::Object; 3], f: &Self::Arrow) -> ArrowResult<Self>;

    /// `apply : (A ⇒ B) × A → B`, for the objects A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn apply(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self>;
}

/// A category of values with finite coproducts.
pub trait ValueCocartesian: ValueCategory {
    /// 0
    fn initial_object(&self) -> Self::Object;
    /// A + B
    fn sum_object(&self, a: &Self::Object, b: &Self::Object) -> Self::Object;

    /// `? : 0 → A`
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn initial(&self, a: &Self::Object) -> ArrowResult<Self>;

    /// `left : A → A + B`, for the objects A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn left(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self>;

    /// `right : B → A + B`, for the objects A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn right(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self>;

    /// `[f, g] : A + B → X`, for the objects A, B, X.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn case(&self, objects: [&Self::Object; 3], f: &Self::Arrow, g: &Self::Arrow) -> ArrowResult<Self>;
}

/// A Cartesian category of values with list objects.
pub trait ValueLists: ValueCartesian {
    /// List A
    fn list_object(&self, a: &Self::Object) -> Self::Object;

    /// `nil : 1 → List A`
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn nil(&self, a: &Self::Object) -> ArrowResult<Self>;

    /// `cons : A × List A → List A`
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn cons(&self, a: &Self::Object) -> ArrowResult<Self>;

    /// `fold(z, s) : List A → B` for `z : 1 → B` and `s : A × B → B`, from the right, with the objects A, B.
    ///
    /// # Errors
    /// As for [`ValueCategory::identity`].
    fn fold(&self, objects: [&Self::Object; 2], start: &Self::Arrow, step: &Self::Arrow) -> ArrowResult<Self>;
}

/// A category of values whose arrows can be compared.
pub trait ValueSetoid: ValueCategory {
    /// The configuration of a test.
    type Trial: Default;

    /// Compares two arrows A → B, for the objects A, B.
    ///
    /// # Errors
    /// Errors of evaluating an arrow.
    fn agree(
        &self,
        objects: [&Self::Object; 2],
        left: &Self::Arrow,
        right: &Self::Arrow,
        trial: &Self::Trial,
    ) -> Result<Verdict, ArrowError<Self::Error>>;
}

/// A category whose arrows are equal as values exactly if they are equal: matrices, or tables of finite functions.
pub trait DecidableArrows: ValueCategory<Arrow: PartialEq + Debug> {}

impl<C: DecidableArrows> ValueSetoid for C {
    type Trial = ();

    fn agree(
        &self,
        _: [&C::Object; 2],
        left: &C::Arrow,
        right: &C::Arrow,
        (): &(),
    ) -> Result<Verdict, ArrowError<C::Error>> {
        if left == right {
            return Ok(Verdict::Survived);
        }
        Ok(Verdict::refuted("the arrows", format!("{left:?}"), format!("{right:?}")))
    }
}

/// A bicartesian closed category with lists, of values: the categories of H Lemma 4. Implemented for all that have the
/// parts.
pub trait ValueBicartesianClosed: ValueClosed + ValueCocartesian + ValueLists {}

impl<C: ValueClosed + ValueCocartesian + ValueLists> ValueBicartesianClosed for C {}

/// C × D: pairs of objects and pairs of arrows. Structure that both have is that of the pairs.
impl<C: ValueCategory, D: ValueCategory<Error = C::Error>> ValueCategory for (C, D) {
    type Object = (C::Object, D::Object);
    type Arrow = (C::Arrow, D::Arrow);
    type Error = C::Error;

    fn identity(&self, a: &Self::Object) -> ArrowResult<Self> {
        Ok((self.0.identity(&a.0)?, self.1.identity(&a.1)?))
    }
    fn then(&self, objects: [&Self::Object; 3], f: &Self::Arrow, g: &Self::Arrow) -> ArrowResult<Self> {
        let left = self.0.then(objects.map(|o| &o.0), &f.0, &g.0)?;
        Ok((left, self.1.then(objects.map(|o| &o.1), &f.1, &g.1)?))
    }
}

impl<C: ValueCartesian, D: ValueCartesian<Error = C::Error>> ValueCartesian for (C, D) {
    fn terminal_object(&self) -> Self::Object {
        (self.0.terminal_object(), self.1.terminal_object())
    }
    fn product_object(&self, a: &Self::Object, b: &Self::Object) -> Self::Object {
        (self.0.product_object(&a.0, &b.0), self.1.product_object(&a.1, &b.1))
    }
    fn terminal(&self, a: &Self::Object) -> ArrowResult<Self> {
        Ok((self.0.terminal(&a.0)?, self.1.terminal(&a.1)?))
    }
    fn pair(&self, objects: [&Self::Object; 3], f: &Self::Arrow, g: &Self::Arrow) -> ArrowResult<Self> {
        let left = self.0.pair(objects.map(|o| &o.0), &f.0, &g.0)?;
        Ok((left, self.1.pair(objects.map(|o| &o.1), &f.1, &g.1)?))
    }
    fn first(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self> {
        Ok((self.0.first(objects.map(|o| &o.0))?, self.1.first(objects.map(|o| &o.1))?))
    }
    fn second(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self> {
        Ok((self.0.second(objects.map(|o| &o.0))?, self.1.second(objects.map(|o| &o.1))?))
    }
}

impl<C: ValueClosed, D: ValueClosed<Error = C::Error>> ValueClosed for (C, D) {
    fn exponential_object(&self, a: &Self::Object, b: &Self::Object) -> Self::Object {
        (self.0.exponential_object(&a.0, &b.0), self.1.exponential_object(&a.1, &b.1))
    }
    fn curry(&self, objects: [&Self::Object; 3], f: &Self::Arrow) -> ArrowResult<Self> {
        Ok((self.0.curry(objects.map(|o| &o.0), &f.0)?, self.1.curry(objects.map(|o| &o.1), &f.1)?))
    }
    fn apply(&self, objects: [&Self::Object; 2]) -> ArrowResult<Self> {
        Ok((self.0.apply(objects.map(|o| &o.0))?, self.1.apply(objects.map(|o| &o.1))?))
    }
}

/// The typed interfaces of a category of values.
///
/// Objects are named by the type's own names, `impl ObjectName<Typed<C>> for MyName`, and by the structure from these.
#[derive(Debug)]
pub struct Typed<C>(PhantomData<fn() -> C>);

/// Names the object N of a category whose objects are numbers: sizes of matrices, or of finite sets.
#[derive(Debug)]
pub enum Size<const N: usize> {}

impl<C: ValueCategory<Object = usize>, const N: usize> ObjectName<Typed<C>> for Size<N>
where
    Typed<C>: Category<Object = usize>,
{
    fn object() -> usize {
        N
    }
}

// Names of objects of `Typed<C>` that are made by structure.
macro_rules! name_structure {
    ($($(#[doc = $about:literal])* $name:ident<$($part:ident),*>: $structure:ident, $object:ident;)*) => {
        $(
            $(#[doc = $about])*
            #[derive(Debug)]
            pub struct $name<$($part),*>(PhantomData<fn() -> ($($part,)*)>);

            impl<C: $structure + Default, $($part: ObjectName<Typed<C>>),*> ObjectName<Typed<C>> for $name<$($part),*> {
                fn object() -> C::Object {
                    C::default().$object($(&$part::object()),*)
                }
            }
        )*
    };
}

name_structure! {
    /// Names 1.
    TerminalName<>: ValueCartesian, terminal_object;
    /// Names A × B.
    ProductName<A, B>: ValueCartesian, product_object;
    /// Names A ⇒ B.
    ExponentialName<A, B>: ValueClosed, exponential_object;
    /// Names 0.
    InitialName<>: ValueCocartesian, initial_object;
    /// Names A + B.
    SumName<A, B>: ValueCocartesian, sum_object;
    /// Names List A.
    ListName<A>: ValueLists, list_object;
}

/// Returns an arrow, or a copy of the reason why there is none.
fn known<C: ValueCategory>(f: &ArrowResult<C>) -> Result<&C::Arrow, ArrowError<C::Error>> {
    f.as_ref().map_err(Clone::clone)
}

impl<C: ValueCategory + Default> Category for Typed<C> {
    type Object = C::Object;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = ArrowResult<C>;

    fn identity<A: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().identity(&A::object())
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, D: ObjectName<Self>>(
        f: &ArrowResult<C>,
        g: &ArrowResult<C>,
    ) -> ArrowResult<C> {
        C::default().then([&A::object(), &B::object(), &D::object()], known::<C>(f)?, known::<C>(g)?)
    }
}

impl<C: ValueCartesian + Default> Cartesian for Typed<C> {
    type Terminal = TerminalName;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = ProductName<A, B>;

    fn terminal<A: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().terminal(&A::object())
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &ArrowResult<C>,
        g: &ArrowResult<C>,
    ) -> Hom<Self, X, ProductOf<Self, A, B>> {
        C::default().pair([&X::object(), &A::object(), &B::object()], known::<C>(f)?, known::<C>(g)?)
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().first([&A::object(), &B::object()])
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().second([&A::object(), &B::object()])
    }
}

impl<C: ValueClosed + Default> CartesianClosed for Typed<C> {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = ExponentialName<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &ArrowResult<C>) -> ArrowResult<C> {
        C::default().curry([&X::object(), &A::object(), &B::object()], known::<C>(f)?)
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().apply([&A::object(), &B::object()])
    }
}

impl<C: ValueCocartesian + Default> Cocartesian for Typed<C> {
    type Initial = InitialName;

    fn initial<A: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().initial(&A::object())
    }

    type Sum<A: ObjectName<Self>, B: ObjectName<Self>> = SumName<A, B>;

    fn left<A: ObjectName<Self>, B: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().left([&A::object(), &B::object()])
    }

    fn right<A: ObjectName<Self>, B: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().right([&A::object(), &B::object()])
    }

    fn case<A: ObjectName<Self>, B: ObjectName<Self>, X: ObjectName<Self>>(
        f: &ArrowResult<C>,
        g: &ArrowResult<C>,
    ) -> Hom<Self, SumOf<Self, A, B>, X> {
        C::default().case([&A::object(), &B::object(), &X::object()], known::<C>(f)?, known::<C>(g)?)
    }
}

impl<C: ValueLists + Default> Lists for Typed<C> {
    type List<A: ObjectName<Self>> = ListName<A>;

    fn nil<A: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().nil(&A::object())
    }

    fn cons<A: ObjectName<Self>>() -> ArrowResult<C> {
        C::default().cons(&A::object())
    }

    fn fold<A: ObjectName<Self>, B: ObjectName<Self>>(
        start: &ArrowResult<C>,
        step: &ArrowResult<C>,
    ) -> Hom<Self, ListObject<Self, A>, B> {
        C::default().fold([&A::object(), &B::object()], known::<C>(start)?, known::<C>(step)?)
    }
}

impl<C: ValueSetoid + Default> Setoid for Typed<C> {
    type Trial = C::Trial;
    type Error = ArrowError<C::Error>;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &ArrowResult<C>,
        right: &ArrowResult<C>,
        trial: &C::Trial,
    ) -> Result<Verdict, Self::Error> {
        C::default().agree([&A::object(), &B::object()], known::<C>(left)?, known::<C>(right)?, trial)
    }
}
