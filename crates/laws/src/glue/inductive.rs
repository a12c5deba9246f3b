//! Recursive types in Gl_k: initial algebras, like lists (H §5.1, Prop. 5).
//!
//! S relates plots of the same shape whose parts are related: ℝᵏ is connected, and shapes are discrete. It is the least
//! relation that contains the results of each constructor at related parts. Inside its own object, a recursive type is
//! an `Inside`, which is unfolded lazily. The unfolding ends because values are finite.

use super::claim::Claims;
use super::connectives::Connectives;
use super::error::GlueError;
use super::object::{Object, Relation, Sampler};
use super::scope::{Pair, Scope};
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::sync::OnceLock;

/// The function that unfolds an object once.
type Unfold = Box<dyn Fn() -> Result<Object, GlueError> + Send + Sync>;

/// The object of a recursive type, at an occurrence inside itself.
/// Makes the object of the whole type.
struct Inside {
    // filled at the first use: an object that held its own unfolding would be infinite
    unfold: Unfold,
    unfolded: OnceLock<Object>,
    clauses: &'static dyn Connectives,
}

/// Returns the unfolded object.
impl Inside {
    fn object(&self) -> Result<&Object, ValueError> {
        if let Some(known) = self.unfolded.get() {
            return Ok(known);
        }
        // The type was unfolded around this occurrence already, so an error is not expected.
        let object =
            (self.unfold)().map_err(|_| ValueError::Mismatch { expected: "a type with values", found: "none" })?;
        Ok(self.unfolded.get_or_init(|| object))
    }
}

impl Relation for Inside {
    fn claims(&self, pair: &Pair, path: &str, sampler: &mut Sampler<'_>, into: &mut Claims) -> Result<(), GlueError> {
        if !self.clauses.inside() {
            return Ok(());
        }
        self.object()?.relation.claims(pair, path, sampler, into)
    }
    fn draw(&self, scope: &Scope, random: &mut Random, size: usize) -> Result<Element, ValueError> {
        // each nested level costs one unit of size, so that a drawn value ends in a least one
        match size {
            0 => self.least(scope, random),
            _ => self.object()?.relation.draw(scope, random, size - 1),
        }
    }
    fn least(&self, scope: &Scope, random: &mut Random) -> Result<Element, ValueError> {
        self.object()?.relation.least(scope, random)
    }
    fn observe(
        &self,
        value: &Element,
        scope: &Scope,
        random: &mut Random,
        depth: usize,
        into: &mut Vec<Element>,
    ) -> Result<(), ValueError> {
        self.object()?.observe(value, scope, random, depth, into)
    }
}

impl Object {
    /// Makes the object of an occurrence of a recursive type inside itself. `left` and `right` are the types on both
    /// sides.
    #[must_use]
    pub fn inside(
        clauses: &'static dyn Connectives,
        left: Ty,
        right: Ty,
        unfold: impl Fn() -> Result<Self, GlueError> + Send + Sync + 'static,
    ) -> Self {
        Self::new(left, right, Inside { unfold: Box::new(unfold), unfolded: OnceLock::new(), clauses })
    }
}
