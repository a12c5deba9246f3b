//! A second derivation of 𝒟_(k,R): 𝒟_(1,1), nested (H §2.2, Ex. 3.1; §7).
//!
//! 𝒟_(1,1) of a program is a program, so it has a 𝒟_(1,1) again. Nested N times it makes a tree of 2ᴺ numbers of a number, one for each
//! set of levels. With R levels for each of k directions, and the number `∂^α f` at each set with α_i levels of direction i, that
//! is what the trees of the derivatives of `f (x + Σ_j ε_j e_{i(j)})` with `ε_j² = 0` are. So at what jets are as trees, the nested
//! program is the derived one (a logical relation: [`Trees::of`] and [`Trees::jets`] carry it to all types).
//!
//! It shares with the macro how variables, functions and data are kept, and nothing of what becomes of operations: their first
//! derivatives are [programs that are written out](operations), and there is no other table, no formula of Faà di Bruno, and no arithmetic
//! of truncated polynomials.

pub mod operations;

use super::equality::equal;
use super::error::GlueError;
use super::functor::image;
use super::lemma::{Setting, random_type};
use super::representation;
use super::scope;
use super::transport::{Numbers, Way, carried};
use super::trial::{Experiment, Range, Sample};
use crate::meaning::taylor::basis::{Basis, MultiIndex};
use crate::meaning::taylor::derive::derive_with;
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::hooks::Hooks;
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// How large programs are at most.
const PROGRAM: usize = 16;
/// The most levels.
pub const LEVELS: usize = 4;

/// 𝒟_(1,1) of a program, nested so often, under rules.
///
/// # Errors
/// [`GlueError::Macro`], for what is too large among others.
pub fn nested(term: &Term, ty: &Ty, levels: usize, rules: &'static dyn Hooks) -> Result<Term, GlueError> {
    let mut derived = (term.clone(), ty.clone());
    for _ in 0..levels {
        let next = derive_with(&Taylor::under(rules, Basis::new(1, 1)?), &derived.0, &derived.1)?;
        derived = (next.term, next.ty);
    }
    Ok(derived.0)
}

/// Jets over a basis as trees: the numbers of nested dual numbers.
#[derive(Clone, Debug)]
pub struct Trees {
    basis: Arc<Basis>,
}

impl Trees {
    /// Those of a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>) -> Self {
        Self { basis: basis.clone() }
    }

    /// How many levels there are: R for each of k directions.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.basis.directions() * self.basis.order()
    }

    /// The direction of a level.
    fn direction(&self, level: usize) -> usize {
        level / self.basis.order()
    }

    /// An element of 𝒟_(k,R)(τ), as one of the nested type: at a number the tree of its jet, with 0 where the order is above R.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`]
    pub fn of(&self, ty: &Ty, jets: &Element) -> Result<Element, ValueError> {
        self.carried(ty, jets, Way::There)
    }

    /// An element of the nested type, as one of 𝒟_(k,R)(τ): at a number the jet that can be read off from a tree. After
    /// [`of`](Self::of) it is the identity.
    ///
    /// # Errors
    /// [`ValueError::Mismatch`]
    pub fn jets(&self, ty: &Ty, tree: &Element) -> Result<Element, ValueError> {
        self.carried(ty, tree, Way::Back)
    }

    fn carried(&self, ty: &Ty, x: &Element, way: Way) -> Result<Element, ValueError> {
        let own = self.clone();
        let numbers: Numbers = Arc::new(move |way, x| match way {
            Way::There => Ok(own.grown(0, &vec![0; own.basis.directions()], &representation::coordinates(x)?)),
            Way::Back => {
                let jet: Result<Vec<Graph>, _> = own.basis.indices().iter().map(|index| own.read(x, index)).collect();
                Ok(representation::jet(jet?))
            }
        });
        carried(ty, x, way, &numbers)
    }

    /// The tree from a level on, of the numbers at sets of levels that hold these many of each direction so far.
    fn grown(&self, level: usize, index: &MultiIndex, jet: &[Graph]) -> Element {
        if level == self.levels() {
            let number = self.basis.place(index).map_or_else(|| Graph::integer(0), |place| jet[place].clone());
            return Element::Real(number);
        }
        let mut next = index.clone();
        next[self.direction(level)] += 1;
        Element::tuple([self.grown(level + 1, index, jet), self.grown(level + 1, &next, jet)])
    }

    /// The number of a tree at the first levels of each direction, as many as the index says.
    fn read(&self, tree: &Element, index: &MultiIndex) -> Result<Graph, ValueError> {
        let mut left = index.clone();
        let mut tree = tree.clone();
        for level in 0..self.levels() {
            let left = &mut left[self.direction(level)];
            let (value, slope) = tree.as_pair()?;
            let next = if *left > 0 { slope.clone() } else { value.clone() };
            *left = left.saturating_sub(1);
            tree = next;
        }
        tree.as_real().cloned()
    }
}

/// The macro against itself in the smallest case, nested, with derivatives of another origin.
#[must_use]
pub fn iterated(setting: Setting) -> Experiment<'static> {
    against(setting, &operations::Written)
}

/// The same with other rules for what is nested.
#[must_use]
pub fn against(setting: Setting, rules: &'static dyn Hooks) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = random_type(random, 3);
        let size = 4 + random.below(PROGRAM);
        vec![scope::program(random, &ty, size)]
    };
    let judge = move |sample: &Sample| {
        let (core, ty) = (scope::core(&sample.terms[0])?, &sample.terms[0].ty);
        let derived = setting.derived(&core, ty, &sample.basis)?;
        if let Err(error) = derived.check() {
            return Ok(Verdict::refuted("the type of the derived program", derived.ty, error).into());
        }
        let trees = Trees::new(&sample.basis);
        let other = nested(&core, ty, trees.levels(), rules)?;
        let other = trees.jets(ty, &scope::run(&other)?)?;
        equal(&image(sample, ty), &scope::run(&derived.term)?, &other, &mut Random::new(sample.seed))
    };
    Experiment { range: Range::Levels(LEVELS), draw: Box::new(draw), judge: Box::new(judge) }
}
