//! Declared types that occur in themselves, in Gl_k: initial algebras, as lists are (H §5.1, Prop. 5).
//!
//! S relates plots of one shape whose parts are related: ℝᵏ is connected, and shapes are discrete. It is the least relation that
//! holds of what a constructor makes of related parts. An object holds that of itself inside only as `Inside`, which is unfolded when
//! it is looked into; that ends as values do.

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

/// How an object is unfolded once.
type Unfold = Box<dyn Fn() -> Result<Object, GlueError> + Send + Sync>;

/// A type inside of itself.
struct Inside {
    unfold: Unfold,
    unfolded: OnceLock<Object>,
    clauses: &'static dyn Connectives,
}

impl Inside {
    fn object(&self) -> Result<&Object, ValueError> {
        if let Some(known) = self.unfolded.get() {
            return Ok(known);
        }
        // the type was unfolded before, around this
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
    /// A type inside of itself, given both types that denote it, and how it is unfolded.
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
