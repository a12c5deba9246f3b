//! Recursive types in Gl_k: initial algebras, like lists (H §5.1, Prop. 5).
//!
//! S relates plots of the same shape whose parts are related: ℝᵏ is connected, and shapes are discrete. It is the least
//! relation that contains the results of each constructor at related parts. Inside its own object, a recursive type is
//! an `RecursiveOccurrence`, which is unfolded lazily. The unfolding ends because values are finite.

use super::claim::ClaimSet;
use super::connectives::RelationClauses;
use super::error::GlueError;
use super::object::{GluingObject, PairSampler, PlotRelation};
use super::scope::{PlotPair, PlotScope};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::sync::OnceLock;

/// The function that unfolds an object once.
type UnfoldObject = Box<dyn Fn() -> Result<GluingObject, GlueError> + Send + Sync>;

/// The object of a recursive type, at an occurrence inside itself.
/// Makes the object of the whole type.
struct RecursiveOccurrence {
    // filled at the first use: an object that held its own unfolding would be infinite
    unfold: UnfoldObject,
    unfolded: OnceLock<GluingObject>,
    clauses: &'static dyn RelationClauses,
}

/// Returns the unfolded object.
impl RecursiveOccurrence {
    fn unfolded_object(&self) -> Result<&GluingObject, ValueError> {
        if let Some(known) = self.unfolded.get() {
            return Ok(known);
        }
        // The type was unfolded around this occurrence already, so an error is not expected.
        let object =
            (self.unfold)().map_err(|_| ValueError::Mismatch { expected: "a type with values", found: "none" })?;
        Ok(self.unfolded.get_or_init(|| object))
    }
}

impl PlotRelation for RecursiveOccurrence {
    fn collect_claims(
        &self,
        pair: &PlotPair,
        path: &str,
        sampler: &mut PairSampler<'_>,
        into: &mut ClaimSet,
    ) -> Result<(), GlueError> {
        if !self.clauses.relates_recursive_parts() {
            return Ok(());
        }
        self.unfolded_object()?.relation.collect_claims(pair, path, sampler, into)
    }
    fn draw_side(&self, scope: &PlotScope, random: &mut SplitMix64, size: usize) -> Result<Element, ValueError> {
        // each nested level costs one unit of size, so that a drawn value ends in a least one
        match size {
            0 => self.draw_least(scope, random),
            _ => self.unfolded_object()?.relation.draw_side(scope, random, size - 1),
        }
    }
    fn draw_least(&self, scope: &PlotScope, random: &mut SplitMix64) -> Result<Element, ValueError> {
        self.unfolded_object()?.relation.draw_least(scope, random)
    }
    fn observe_numbers(
        &self,
        value: &Element,
        scope: &PlotScope,
        random: &mut SplitMix64,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        self.unfolded_object()?.observe_numbers(value, scope, random, depth, into)
    }
}

impl GluingObject {
    /// Makes the object of an occurrence of a recursive type inside itself. `left` and `right` are the types on both
    /// sides.
    #[must_use]
    pub fn recursive_occurrence(
        clauses: &'static dyn RelationClauses,
        left: Ty,
        right: Ty,
        unfold: impl Fn() -> Result<Self, GlueError> + Send + Sync + 'static,
    ) -> Self {
        Self::new(left, right, RecursiveOccurrence { unfold: Box::new(unfold), unfolded: OnceLock::new(), clauses })
    }
}
