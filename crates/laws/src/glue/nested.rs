//! A second derivation of 𝒟_(k,R): nested 𝒟_(1,1) (H §2.2, Ex. 3.1; §7).
//!
//! 𝒟_(1,1) of a program is a program, so it has a 𝒟_(1,1) again. Nested N times, it turns a number into a tree of 2ᴺ
//! numbers, one for each set of levels. Take R levels for each of k directions, and put `∂^α f` at each set with α_i
//! levels of direction i. This is the tree of the derivatives of `f (x + Σ_j ε_j e_{i(j)})` with `ε_j² = 0`. So the
//! nested program at jets given as trees equals the derived program: a logical relation, which [`JetTrees::trees_of_jets`] and
//! [`JetTrees::jets_of_trees`] extend to all types.
//!
//! The nested side shares with the macro the treatment of variables, functions and data, and nothing of the operations.
//! Their first derivatives are [programs that are written out](operations). It uses no other table, no formula of Faà
//! di Bruno, and no arithmetic of truncated polynomials.

pub mod operations;

use super::equality::test_equal;
use super::error::GlueError;
use super::functor::derived_type;
use super::lemma::{GluingSetup, random_type};
use super::representation;
use super::scope;
use super::transport::{NumberMaps, TransportDirection, transport_element};
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use crate::meaning::taylor::basis::{Basis, MultiIndex};
use crate::meaning::taylor::derive::derive_with;
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::hooks::TaylorHooks;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The spread of the sizes of random programs, in heads. A choice.
const PROGRAM: usize = 16;
/// The largest number of levels, k · R. A choice: trees and programs grow with 2ᴺ.
pub const MOST_NESTED_LEVELS: usize = 4;

/// Returns 𝒟_(1,1) of a program, nested `level_count` times, under the given rules.
///
/// # Errors
/// [`GlueError::Macro`], for instance if the result is too large.
pub fn nest_dual_macro(
    term: &Term,
    ty: &Ty,
    levels: usize,
    rules: &'static dyn TaylorHooks,
) -> Result<Term, GlueError> {
    let mut derived = (term.clone(), ty.clone());
    for _ in 0..levels {
        let next = derive_with(&Taylor::with_hooks(rules, Basis::new(1, 1)?), &derived.0, &derived.1)?;
        derived = (next.term, next.ty);
    }
    Ok(derived.0)
}

/// The translation of jets over a basis into trees: the numbers of nested dual numbers.
#[derive(Clone, Debug)]
pub struct JetTrees {
    basis: Arc<Basis>,
}

impl JetTrees {
    /// Makes the translation for a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>) -> Self {
        Self { basis: basis.clone() }
    }

    /// Returns the number of levels: R for each of k directions.
    #[must_use]
    pub fn level_count(&self) -> usize {
        self.basis.directions() * self.basis.order()
    }

    /// Returns the direction of a level.
    fn level_direction(&self, level: usize) -> usize {
        level / self.basis.order()
    }

    /// Maps an element of 𝒟_(k,R)(τ) to the nested type. A number becomes the tree of its jet, with 0 above order R.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the element is of another type.
    pub fn trees_of_jets(&self, ty: &Ty, jets: &Element) -> Result<Element, ValueError> {
        self.transport_by_trees(ty, jets, TransportDirection::Forward)
    }

    /// Maps an element of the nested type to 𝒟_(k,R)(τ). A number becomes the jet that is read off from its tree. This
    /// is a left inverse of [`of`](Self::trees_of_jets).
    ///
    /// # Errors
    /// [`ValueError::Mismatch`] if the element is of another type.
    pub fn jets_of_trees(&self, ty: &Ty, tree: &Element) -> Result<Element, ValueError> {
        self.transport_by_trees(ty, tree, TransportDirection::Backward)
    }

    /// Maps an element at all types, by the maps of numbers.
    fn transport_by_trees(&self, ty: &Ty, x: &Element, way: TransportDirection) -> Result<Element, ValueError> {
        let own = self.clone();
        let numbers: NumberMaps = Arc::new(move |way, x| match way {
            TransportDirection::Forward => {
                Ok(own.grow_tree(0, &vec![0; own.basis.directions()], &representation::jet_coordinates(x)?))
            }
            TransportDirection::Backward => {
                let jet: Result<Vec<Graph>, _> = own.basis.indices().iter().map(|index| own.read(x, index)).collect();
                Ok(representation::jet_of(jet?))
            }
        });
        transport_element(ty, x, way, &numbers)
    }

    /// Returns the tree from a level on. `index` counts the levels of each direction chosen so far.
    fn grow_tree(&self, level: usize, index: &MultiIndex, jet: &[Graph]) -> Element {
        if level == self.level_count() {
            // above order R a number is 0: the jet does not have it
            let number = self.basis.position_of(index).map_or_else(|| Graph::integer(0), |place| jet[place].clone());
            return Element::Real(number);
        }
        let mut next = index.clone();
        next[self.level_direction(level)] += 1;
        Element::tuple_of([self.grow_tree(level + 1, index, jet), self.grow_tree(level + 1, &next, jet)])
    }

    /// Returns the number of a tree at a set with `index` levels of each direction: the first ones.
    fn read(&self, tree: &Element, index: &MultiIndex) -> Result<Graph, ValueError> {
        let mut left = index.clone();
        let mut tree = tree.clone();
        for level in 0..self.level_count() {
            let left = &mut left[self.level_direction(level)];
            let (value, slope) = tree.as_pair()?;
            // derivatives do not depend on the order of levels, so the first levels of each direction serve
            let next = if *left > 0 { slope.clone() } else { value.clone() };
            *left = left.saturating_sub(1);
            tree = next;
        }
        tree.as_real().cloned()
    }
}

/// Compares the macro with itself in the smallest case, nested, with independent first derivatives.
#[must_use]
pub fn iterated(setting: GluingSetup) -> TheoremTest<'static> {
    iterated_against(setting, &operations::WrittenDerivatives)
}

/// Compares the macro with the nested one under other rules.
#[must_use]
pub fn iterated_against(setting: GluingSetup, rules: &'static dyn TaylorHooks) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = random_type(random, 3);
        let size = 4 + random.next_below(PROGRAM);
        vec![scope::draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let (core, ty) = (scope::core_term(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derive_program(&core, ty, &sample.basis)?;
        if let Err(error) = derived.check_types() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let trees = JetTrees::new(&sample.basis);
        let other = nest_dual_macro(&core, ty, trees.level_count(), rules)?;
        let other = trees.jets_of_trees(ty, &scope::run_program(&other)?)?;
        test_equal(
            &derived_type(sample, ty),
            &scope::run_program(&derived.term)?,
            &other,
            &mut SplitMix64::new(sample.seed),
        )
    };
    TheoremTest { range: BasisRange::Levels(MOST_NESTED_LEVELS), draw: Box::new(draw), judge: Box::new(judge) }
}
