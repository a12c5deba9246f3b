//! Objects of Gl_k: two spaces and a relation S between their plots (H Thm 3, §6.2).
//!
//! An [`GluingObject`] is (⟦τ⟧, ⟦𝒟τ⟧, S). S itself is infinite. A [`PlotRelation`] represents it by two algorithms: one refutes
//! pairs of plots, the other makes pairs in S. Both follow the construction of the object. A pair that is made serves
//! as an argument where S quantifies over all related pairs. So it must be in S: see
//! [`lemma::related_pairs`](super::lemma::related_pairs).
//!
//! The second algorithm is what makes S at a function type a test: "for all related arguments" needs related
//! arguments. Such a pair does not come from the macro. It is a random smooth function of the numbers in scope,
//! with its Taylor representation by definition. Each side is made from the same random numbers and without the
//! other one.
//!
//! A relation that is too small fails on the operations. One that is too large lets everything pass;
//! [`pinned`](super::pinned) tests that S determines the second plot.

use super::claim::ClaimSet;
use super::error::GlueError;
use super::judged::VerdictWithValues;
use super::scope::{PlotPair, PlotScope};
use super::stage::CoordinateSpace;
use crate::meaning::taylor::basis::Basis;
use crate::number::Rational;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::fmt;
use std::sync::Arc;

/// The relation S of an object.
pub trait PlotRelation: Send + Sync {
    /// Collects the claims on numbers that hold if the two plots are related.
    ///
    /// # Errors
    /// [`GlueError::Element`] if the plots are of other types.
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError>;

    /// Makes one side of a related pair from the scope. The same random numbers give both sides.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError>;

    /// Makes a value with as few parts as possible.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn draw_least(&self, scope: &PlotScope, random: &mut SplitMix64) -> Result<Element, ValueError> {
        self.draw_side(scope, random, 0)
    }

    /// Collects numbers that a value determines; on the right side, jets. The numbers of related values are related
    /// pairwise.
    ///
    /// # Errors
    /// Those of the functions in scope.
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError>;
}

/// The generator of arguments, with which S is tested.
#[derive(Debug)]
pub struct PairSampler<'r> {
    /// The scope of the plots.
    pub plots: PlotScope,
    /// The scope of their representations.
    pub representations: PlotScope,
    /// The random numbers.
    pub random: &'r mut SplitMix64,
    /// The size of arguments.
    pub size: usize,
}

impl PairSampler<'_> {
    /// Makes a related pair.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw_pair(&mut self, object: &GluingObject) -> Result<PlotPair, ValueError> {
        // one seed for both sides: all choices must be the same
        let seed = self.random.next();
        let one = |scope: &PlotScope| object.relation.draw_side(scope, &mut SplitMix64::new(seed), self.size);
        Ok(PlotPair { plot: one(&self.plots)?, representation: one(&self.representations)? })
    }
}

/// An object of Gl_k. Cheap to clone.
#[derive(Clone)]
pub struct GluingObject {
    left: Ty,
    right: Ty,
    pub(super) relation: Arc<dyn PlotRelation>,
}

impl GluingObject {
    /// Makes the object of two spaces, given by their types, and a relation.
    pub fn new(left: Ty, right: Ty, relation: impl PlotRelation + 'static) -> Self {
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

    /// Collects numbers that a value determines, as [`PlotRelation::observe_numbers`].
    pub(super) fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        self.relation.observe_numbers(value, scope, random, depth, into)
    }

    /// Tests whether two plots over a stage are related, at a point and with random arguments.
    ///
    /// # Errors
    /// [`GlueError`]: those of the relation and of its claims.
    pub fn test_related(
        &self,
        pair: &PlotPair,
        stage: &CoordinateSpace,
        sampler: &mut PairSampler<'_>,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        let mut claims = ClaimSet::default();
        self.relation.collect_claims(pair, "the result", sampler, &mut claims)?;
        let basis: Arc<Basis> = sampler.plots.basis().clone();
        claims.test_at(stage, &basis, point)
    }
}

impl fmt::Debug for GluingObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {}, S)", self.left, self.right)
    }
}
