//! Objects of Gl_k: two spaces and a relation S between their plots (H Thm 3, §6.2).
//!
//! An [`Object`] is (⟦τ⟧, ⟦𝒟τ⟧, S). S itself is infinite; what is here of it is a [`Relation`]: how a pair of plots can be
//! refuted, and how pairs in S are made. Both follow the construction of the object. A pair that is made serves as an
//! argument where S says "for all related pairs", so it must be in S: see [`lemma::generator`](super::lemma::generator).

use super::claim::Claims;
use super::error::GlueError;
use super::judged::Judged;
use super::scope::{Pair, Scope};
use super::stage::Stage;
use crate::meaning::taylor::basis::Basis;
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::fmt;
use std::sync::Arc;

/// The relation of an object.
pub trait Relation: Send + Sync {
    /// What must hold of the numbers of two plots for them to be related.
    ///
    /// # Errors
    /// [`GlueError::Element`] where the plots are of other types.
    fn claims(&self, pair: &Pair, path: &str, sampler: &mut Sampler<'_>, into: &mut Claims) -> Result<(), GlueError>;

    /// One side of a related pair, made from what is in scope.
    ///
    /// # Errors
    /// Those of functions in the scope.
    fn draw(&self, scope: &Scope, random: &mut Random, size: usize) -> Result<Element, ValueError>;

    /// One that is made of as few parts as there are.
    ///
    /// # Errors
    /// Those of functions in the scope.
    fn least(&self, scope: &Scope, random: &mut Random) -> Result<Element, ValueError> {
        self.draw(scope, random, 0)
    }

    /// Numbers, on the right side jets, that a value determines; the pairs of these are related.
    ///
    /// # Errors
    /// Those of functions in the scope.
    fn observe(
        &self,
        value: &Element,
        scope: &Scope,
        random: &mut Random,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError>;
}

/// What S is tried with: arguments for functions.
#[derive(Debug)]
pub struct Sampler<'r> {
    /// The scope of the plots.
    pub plots: Scope,
    /// The scope of their representations.
    pub representations: Scope,
    /// What arguments are drawn by.
    pub random: &'r mut Random,
    /// How large arguments are.
    pub size: usize,
}

impl Sampler<'_> {
    /// A related pair.
    ///
    /// # Errors
    /// Those of functions in the scope.
    pub fn draw(&mut self, object: &Object) -> Result<Pair, ValueError> {
        let seed = self.random.next();
        let one = |scope: &Scope| object.relation.draw(scope, &mut Random::new(seed), self.size);
        Ok(Pair { plot: one(&self.plots)?, representation: one(&self.representations)? })
    }
}

/// An object of Gl_k. Cheap to clone.
#[derive(Clone)]
pub struct Object {
    left: Ty,
    right: Ty,
    pub(super) relation: Arc<dyn Relation>,
}

impl Object {
    /// The object of two spaces, given by their types, and a relation.
    pub fn new(left: Ty, right: Ty, relation: impl Relation + 'static) -> Self {
        Self { left, right, relation: Arc::new(relation) }
    }

    /// X, by the type that denotes it.
    #[must_use]
    pub fn left(&self) -> &Ty {
        &self.left
    }

    /// X′, by the type that denotes it.
    #[must_use]
    pub fn right(&self) -> &Ty {
        &self.right
    }

    pub(super) fn observe(
        &self,
        value: &Element,
        scope: &Scope,
        random: &mut Random,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        self.relation.observe(value, scope, random, depth, into)
    }

    /// Tries whether two plots over a stage are related, at a point and with arguments that are drawn.
    ///
    /// # Errors
    /// [`GlueError`]
    pub fn relates(
        &self,
        pair: &Pair,
        stage: &Stage,
        sampler: &mut Sampler<'_>,
        point: &[Rational],
    ) -> Result<Judged, GlueError> {
        let mut claims = Claims::default();
        self.relation.claims(pair, "the result", sampler, &mut claims)?;
        let basis: Arc<Basis> = sampler.plots.basis().clone();
        claims.tried(stage, &basis, point)
    }
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, S)", self.left, self.right)
    }
}
