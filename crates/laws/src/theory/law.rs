//! Laws: what a theory says for all numbers, functions and functionals.

use crate::law::sampling::{Demand, Sampler};
use crate::number::Rational;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::syntax::ty::{Class, Ty, TyKind};
pub use crate::theory::Relation;
use std::sync::Arc;

/// The right side of a relation.
#[derive(Clone, Debug)]
pub enum Right {
    /// A program.
    Term(Term),
    /// `a .. b`, as the right side of `>=`.
    Interval(Rational, Rational),
    /// What the Taylor macro makes of the left side.
    Derived,
}

/// Two sides and how they are related. In a law the sides are functions of what it quantifies over.
#[derive(Clone, Debug)]
pub struct Related {
    /// How.
    pub relation: Relation,
    /// The left side.
    pub left: Term,
    /// The right side.
    pub right: Right,
    /// The type of both, without what is quantified over.
    pub ty: Ty,
    /// The place of the left side in the source.
    pub left_span: Span,
    /// The place of the right side in the source.
    pub right_span: Span,
}

/// What a law quantifies over.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name, or the pattern, as written.
    pub pattern: Arc<str>,
    /// The type; it may mention the type parameters of the law.
    pub ty: Ty,
    /// The named type, where it was written with one: `Integral Real`.
    pub sort: Option<Sort>,
    /// What samples must be.
    pub demand: Demand,
}

/// A named type with its arguments, as it was written: more than the type that it stands for, since only some elements of
/// `(A -> Real) -> Real` are integrals.
#[derive(Clone, Debug, PartialEq)]
pub struct Sort {
    /// The name.
    pub name: Name,
    /// The arguments.
    pub arguments: Vec<Ty>,
}

/// When a law says something.
#[derive(Clone, Debug)]
pub enum Condition {
    /// `positive e`: certainly above 0. The function of the variables, and the place.
    Positive(Term, Span),
    /// `apart e f`: certainly different. The functions of the variables, and the place.
    Apart(Term, Term, Span),
}

/// For all samples of the variables that meet the conditions, the sides are related.
#[derive(Clone, Debug)]
pub struct Law {
    /// The name, unique in the theory.
    pub name: Name,
    /// Its type parameters, and what each may stand for; it is tried at several types.
    pub parameters: Vec<(Name, Class)>,
    /// What it quantifies over.
    pub variables: Vec<Variable>,
    /// What it says.
    pub statement: Related,
    /// When it says so.
    pub conditions: Vec<Condition>,
    /// Whether it is wrong, and is to be refuted.
    pub refuted: bool,
    /// Why it holds, or fails.
    pub because: Option<String>,
    /// The place of the statement in the source of the theory.
    pub span: Span,
}

/// How a named type is sampled: by constructors of the theory.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The named type.
    pub sort: Sort,
    /// How its elements are made.
    pub sampler: Arc<Sampler>,
}

impl Sample {
    /// The sampler of a named type; of several, the last.
    #[must_use]
    pub fn of(samples: &[Self], sort: &Sort) -> Option<Arc<Sampler>> {
        samples.iter().rev().find(|sample| sample.sort == *sort).map(|sample| sample.sampler.clone())
    }
}

impl Law {
    /// The arguments for the type parameters at which the law is tried, one list after the other.
    #[must_use]
    pub fn instances(&self) -> Vec<Vec<Ty>> {
        let real = Ty::real;
        let tuple = |parts: [Ty; 2]| Ty::new(TyKind::Tuple(parts.into()));
        let plane = || tuple([real(), real()]);
        let any = vec![real(), plane(), Ty::function(real(), real())];
        let vectors = vec![real(), plane(), tuple([plane(), real()]), Ty::unit()];
        let choices = |class: Class| if class == Class::ANY { &any } else { &vectors };
        let most = self.parameters.iter().map(|(_, class)| choices(*class).len()).max();
        let instance = |i: usize| {
            let parameters = self.parameters.iter().enumerate();
            parameters
                .map(|(j, (_, class))| (choices(*class), i + j))
                .map(|(all, at)| all[at % all.len()].clone())
                .collect()
        };
        (0..most.unwrap_or(1)).map(instance).collect()
    }
}
