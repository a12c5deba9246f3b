//! Interfaces of category theory: categories, functors, and structure on them. This module holds interfaces only.
//!
//! An instance is an empty type whose associated items are the structure, as [`Ad`](crate::smooth::map::Ad) is for the
//! category of smoothish maps. Objects of the mathematics are named by Rust types ([`ObjectName`]), so that an arrow between the
//! wrong objects does not compile. Equality of arrows belongs to the structure and is a verdict, never `==`
//! ([`Setoid`]). The laws of each interface are equations in its documentation; as functions that are run on samples they
//! are in `law::category`.
//!
//! Composition is written in the order of the diagram: `f.then(g)` is g ∘ f.
//!
//! | interface | adds | source |
//! |---|---|---|
//! | [`Category`], [`ObjectName`] | identities, composition | S §4.4 |
//! | [`Cartesian`] | a terminal object, products | S §4.4, Prop. 4.5 |
//! | [`CartesianClosed`] | exponentials | S §5.1 |
//! | [`Cocartesian`], [`Lists`] | an initial object, sums; lists | H §5.1, Prop. 5 |
//! | [`Opposite`](opposite::Opposite) | arrows in the other direction: sums become products | H Prop. 5 |
//! | `SimpleTypes` | names of objects by simple types | H §5.1 |
//! | [`Functor`], [`NaturalTransformation`] | maps between categories, and between functors | S §5.1 |
//! | [`Iso`] | a pair of arrows | S Props. 5.1 to 5.3 |
//! | [`Restriction`](restriction::RestrictionCategory), [`RestrictionProducts`](restriction::RestrictionProducts), [`Joins`](restriction::Joins) | arrows that need not be defined everywhere | A §4 |
//! | [`DifferentialRestriction`](restriction::DifferentialRestriction), [`ReverseDifferential`](restriction::ReverseDifferential) | their derivatives, forward and reverse | A §4.1 |
//! | [`Chains`](cartesian::Chains) | recursive arrows, by approximants | A §4.3, §6.2 |
//! | [`Setoid`] | a verdict on whether two arrows are equal | S §4.1 |
//! | [`Arrow`] | an arrow with its category, to write laws with | |
//! | [`ValueCategory`], [`Typed`](value::Typed) | objects and arrows as values: a category of one's own | H Lemma 4 |
pub mod cartesian;
pub mod object;
pub mod opposite;
pub mod restriction;
pub mod value;

pub use cartesian::{
    Cartesian, CartesianClosed, Cocartesian, Functor, ListObject, Lists, NaturalTransformation, ProductOf, SumOf,
};
pub use object::{Arrow, Category, Hom, Iso, ObjectName, Setoid};
pub use value::{
    ValueBicartesianClosed, ValueCartesian, ValueCategory, ValueClosed, ValueCocartesian, ValueLists, ValueSetoid,
};
