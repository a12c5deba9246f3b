//! Objects of Gl_k: two spaces and a relation S between their plots (H Thm 3, §6.2).
//!
//! An [`Object`] is (⟦τ⟧, ⟦𝒟τ⟧, S). S itself is infinite. A [`Relation`] represents it by two algorithms: one refutes
//! pairs of plots, the other makes pairs in S. Both follow the construction of the object. A pair that is made serves
//! as an argument where S quantifies over all related pairs. So it must be in S: see
//! [`lemma::generator`](super::lemma::generator).

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

/// The relation S of an object.
pub trait Relation: Send + Sync {
    /// Collects the claims on numbers that hold if the two plots are related.
    ///
    /// # Errors
    /// [`GlueError::Element`] if the plots are of other types.
    fn claims(&self, pair: &Pair, path: &str, sampler: &mut Sampler<'_>, into: &mut Claims) -> Result<(), GlueError>;

    /// Makes one side of a related pair from the scope. The same random numbers give both sides.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn draw(&self, scope: &Scope, random: &mut Random, size: usize) -> Result<Element, ValueError>;

    /// Makes a value with as few parts as possible.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn least(&self, scope: &Scope, random: &mut Random) -> Result<Element, ValueError> {
        self.draw(scope, random, 0)
    }

    /// Collects numbers that a value determines; on the right side, jets. The numbers of related values are related
    /// pairwise.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn observe(
        &self,
        value: &Element,
        scope: &Scope,
        random: &mut Random,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError>;
}

/// The generator of arguments, with which S is tested.
#[derive(Debug)]
pub struct Sampler<'r> {
    /// The scope of the plots.
    pub plots: Scope,
    /// The scope of their representations.
    pub representations: Scope,
    /// The random numbers.
    pub random: &'r mut Random,
    /// The size of arguments.
    pub size: usize,
}

impl Sampler<'_> {
    /// Makes a related pair.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw(&mut self, object: &Object) -> Result<Pair, ValueError> {
        // one seed for both sides: all choices must be the same
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
    /// Makes the object of two spaces, given by their types, and a relation.
    pub fn new(left: Ty, right: Ty, relation: impl Relation + 'static) -> Self {
        Self { left, right, relation: Arc::new(relation) }
    }

    /// Returns the type that denotes X.
    #[must_use]
    pub fn left(&self) -> &Ty {
        &self.left
    }

    /// Returns the type that denotes X′.
    #[must_use]
    pub fn right(&self) -> &Ty {
        &self.right
    }

    /// Collects numbers that a value determines, as [`Relation::observe`].
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

    /// Tests whether two plots over a stage are related, at a point and with random arguments.
    ///
    /// # Errors
    /// [`GlueError`]: those of the relation and of its claims.
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
