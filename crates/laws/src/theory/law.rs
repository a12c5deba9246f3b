//! Typed laws: relations for all numbers, functions and functionals that meet their conditions.

use crate::law::property::{ConstructorSampler, SampleCondition};
use crate::number::Rational;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::syntax::ty::{Class, Ty, TyKind};
pub use crate::theory::StatementRelation;
use std::sync::Arc;

/// The right side of a relation.
#[derive(Clone, Debug)]
pub enum RightSide {
    /// A program.
    Term(Term),
    /// `a .. b`, as the right side of `>=`.
    Interval(Rational, Rational),
    /// The derivatives by the Taylor macro of the left side.
    Derived,
}

/// A relation between two sides. In a law, each side is a function of the variables of the law.
#[derive(Clone, Debug)]
pub struct RelatedTerms {
    /// The relation asserted between the sides.
    pub relation: StatementRelation,
    /// The left side.
    pub left: Term,
    /// The right side.
    pub right: RightSide,
    /// The type of both sides, after the variables of the law are supplied. It may be a function type.
    pub ty: Ty,
    /// The place of the left side in the source.
    pub left_span: Span,
    /// The place of the right side in the source.
    pub right_span: Span,
}

/// A variable that a law quantifies over.
#[derive(Clone, Debug)]
pub struct LawVariable {
    /// The name or the pattern, as written.
    pub pattern: Arc<str>,
    /// The type; it may mention the type parameters of the law.
    pub ty: Ty,
    /// The named type, such as `Integral Real`, if the type was written with one; otherwise `None`.
    pub sort: Option<TypeApplication>,
    /// The demand on the values of the variable, beyond their type.
    pub demand: SampleCondition,
}

/// A named type with its arguments, as written. It says more than its expansion: only some values of type `(A -> Real)
/// -> Real` are integrals.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeApplication {
    /// The name of the type.
    pub name: Name,
    /// The arguments of the type.
    pub arguments: Vec<Ty>,
}

/// A condition under which a law asserts its relation.
#[derive(Clone, Debug)]
pub enum LawCondition {
    /// `positive e`: certainly above 0. The function of the variables, and its place.
    Positive(Term, Span),
    /// `apart e f`: certainly different. The functions of the variables, and their place.
    Apart(Term, Term, Span),
}

/// A law: the sides are related for all values of the variables that meet the conditions.
#[derive(Clone, Debug)]
pub struct TheoryLaw {
    /// The name, unique in the theory.
    pub name: Name,
    /// The type parameters with their classes; a law is tested at several types for each.
    pub parameters: Vec<(Name, Class)>,
    /// The variables that the law quantifies over.
    pub variables: Vec<LawVariable>,
    /// The relation that the law asserts.
    pub statement: RelatedTerms,
    /// The conditions under which it is asserted.
    pub conditions: Vec<LawCondition>,
    /// `true` if the law is false and must be refuted.
    pub refuted: bool,
    /// The reason why the law holds, or fails; `None` if the source gives none.
    pub because: Option<String>,
    /// The place of the statement in the source of the theory.
    pub span: Span,
}

/// A sampler of a named type, as a theory declares it.
#[derive(Clone, Debug)]
pub struct TypeSampler {
    /// The named type.
    pub sort: TypeApplication,
    /// The constructors of its random values.
    pub sampler: Arc<ConstructorSampler>,
}

impl TypeSampler {
    /// Returns the sampler of `sort`; of several, the last. Returns `None` if there is none.
    #[must_use]
    pub fn find_sampler(samples: &[Self], sort: &TypeApplication) -> Option<Arc<ConstructorSampler>> {
        samples.iter().rev().find(|sample| sample.sort == *sort).map(|sample| sample.sampler.clone())
    }
}

impl TheoryLaw {
    /// Returns the lists of types at which the law is tested, one type for each type parameter. One empty list if there
    /// are none.
    #[must_use]
    pub fn instance_types(&self) -> Vec<Vec<Ty>> {
        let real = Ty::real;
        let tuple = |parts: [Ty; 2]| Ty::new(TyKind::Tuple(parts.into()));
        let plane = || tuple([real(), real()]);
        // a choice: a number, a pair, and a function, which is where a rule for all types goes wrong
        let any = vec![real(), plane(), Ty::function(real(), real())];
        // vector spaces have no functions, but nested pairs and the space of dimension 0
        let vectors = vec![real(), plane(), tuple([plane(), real()]), Ty::unit()];
        let choices = |class: Class| if class == Class::ANY { &any } else { &vectors };
        let most = self.parameters.iter().map(|(_, class)| choices(*class).len()).max();
        let instance = |i: usize| {
            let parameters = self.parameters.iter().enumerate();
            parameters
                .map(|(j, (_, class))| (choices(*class), i + j))
                // each parameter runs through its own types, shifted against the others: as many instances as the
                // longest list
                .map(|(all, at)| all[at % all.len()].clone())
                .collect()
        };
        (0..most.unwrap_or(1)).map(instance).collect()
    }
}
