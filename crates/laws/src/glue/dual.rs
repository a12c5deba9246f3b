//! Why AD of programs in pieces is right: the relations V_τ between plots and their dual numbers (W §3.3).
//!
//! A plot over the line, t ↦ x(t) in ⟦τ⟧, is related to a function (t, ṫ) ↦ x′(t, ṫ) in ⟦𝒟τ⟧ of dual numbers that is an *intensional dual number
//! representation* of it: it carries, beside each number, a derivative along ṫ. Both are given as functions in the universe of [replayed
//! decisions](crate::meaning::pap::replay), programs mostly, and are looked at by unfolding them.
//!
//! | clause | at | says of x and x′ |
//! |---|---|---|
//! | [`Clause::Domain`] | ℝ | they have values at the same points, and approximants of recursions run out at the same |
//! | [`Clause::Values`] | ℝ | the first part of x′ is x |
//! | [`Clause::Slopes`] | ℝ | the second part is *an* [intensional derivative](crate::pieces::intensional) of x |
//! | [`Clause::Curves`] | all | that is so of x(h(r)) and x′(h(r), h′(r)), for piecewise analytic h with an intensional derivative h′ |
//! | [`Clause::Components`] | τ × σ | the components are related |
//! | [`Clause::Defined`] | τ → σ | x(t) and x′(t, ṫ) are functions at the same points |
//! | [`Clause::Arguments`] | τ → σ | at related arguments they have related results |
//! | – | sums | both are of the same constructor at the same points, and there its arguments are related |
//! | – | lists | both have the same length at the same points, and there the elements are related |
//!
//! In W a relation V_τ^A is indexed by c-analytic sets A ⊆ ℝⁿ, at ℝ it quantifies over piecewise analytic curves h in A with their
//! intensional derivatives, and at functions over maps into A. Here A is the line, and of both the curves are [drawn](drawn::curve): constant ones,
//! and ones in pieces, with any multiple of the right number for the slope at points. Arguments are drawn over the line in the same way; they may
//! be constant, and have values on some pieces only. That a plot is partial on a c-analytic subset is that its program need not have values. The clauses of sums
//! and of lists, of which W says in a footnote (§4, fn. 3) what their plots are, are those of Artin gluing over these plots.
//!
//! | law | W |
//! |---|---|
//! | [`fundamental_lemma`](lemma::fundamental_lemma) | t and 𝒟t are related, for random programs t |
//! | [`related_pairs`](lemma::related_pairs) | what is drawn as related is |
//! | [`determination`](lemma::determination) | at every type the relation determines the dual number off borders: what is moved is not related |
//! | [`freedom`](lemma::freedom) | and nothing more: a slope at a point may be any number |
//! | [`tried`](primitive::tried) | a primitive from Rust is related to what it gives for 𝒟 of it |
//!
//! 𝒟 is [the macro](crate::meaning::taylor::pieces), and 𝒟t is run as any program; x is looked at by the derivatives of the maps of its
//! pieces. The two share what values are, and not what derivatives are.

pub mod drawn;
pub mod lemma;
mod numbers;
mod plots;
pub mod primitive;
pub mod program;

use super::judged::Judged;
use crate::meaning::pap::hooks::{Hooks, Library};
use crate::random::Random;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
pub use plots::{Plot, Plots, varying};
use std::sync::Arc;

/// Plots are looked at between the negative of this and this.
pub const REACH: i64 = 4;
/// How many related arguments functions are tried at.
const ARGUMENTS: usize = 2;
/// How many of a hundred plots of numbers are looked at along another curve as well.
const CURVES: usize = 50;
/// How many of a hundred arguments vary.
const VARYING: usize = 80;
/// How many elements of lists are looked at.
const ELEMENTS: usize = 3;

/// A clause of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Both have values at the same points.
    Domain,
    /// The values are the same.
    Values,
    /// The slopes are those of an intensional derivative.
    Slopes,
    /// So it is along all curves, and not along t ↦ t alone.
    Curves,
    /// All components are related, and not the first alone.
    Components,
    /// Both are functions at the same points.
    Defined,
    /// Arguments are any that are related, and not constant ones alone.
    Arguments,
}

/// V, under clauses of the meaning of programs.
#[derive(Clone, Debug)]
pub struct Relation {
    /// Of programs in pieces.
    pub rules: Arc<dyn Hooks>,
    /// What it does not ask, to see that it should.
    pub without: Option<Clause>,
}

impl Default for Relation {
    fn default() -> Self {
        Self { rules: Arc::new(Library), without: None }
    }
}

impl Relation {
    fn asks(&self, clause: Clause) -> bool {
        self.without != Some(clause)
    }

    /// Tries whether two plots are related at a type, with arguments and curves that are drawn.
    pub fn relates(&self, ty: &Ty, plots: &Plots, random: &mut Random) -> Judged {
        match ty.kind() {
            TyKind::Real => {
                let own = self.numbers(plots, random);
                let also = self.asks(Clause::Curves) && random.chance(CURVES) && !own.is_refuted();
                match also.then(|| drawn::curve(random)).flatten() {
                    Some(curve) => own.and(self.numbers(&plots.along(&curve), random)),
                    None => own,
                }
            }
            TyKind::Tuple(types) => {
                let count = if self.asks(Clause::Components) { types.len() } else { 1 };
                let parts = types.iter().take(count).enumerate();
                all_of(parts.map(|(index, ty)| self.relates(ty, &plots.component(index), random)))
            }
            TyKind::Function(domain, codomain) => {
                let functions = match self.asks(Clause::Defined) {
                    true => self.numbers(&plots.defined(), random),
                    false => Verdict::Vacuous.into(),
                };
                let at_arguments = (0..ARGUMENTS).map(|index| {
                    let varies = self.asks(Clause::Arguments) && random.chance(VARYING);
                    let moves = index > 0 && self.asks(Clause::Curves);
                    let curve = moves.then(|| drawn::curve(random)).flatten();
                    let along = curve.map_or_else(|| plots.clone(), |curve| plots.along(&curve));
                    match drawn::plots(domain, varies, random) {
                        Some(argument) => self.relates(codomain, &along.applied(&argument), random),
                        None => Verdict::Vacuous.into(),
                    }
                });
                let judged = all_of(at_arguments);
                // where they have values says nothing of what these are
                if judged.is_refuted() || functions.is_refuted() { judged.and(functions) } else { judged }
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let element = |index| self.relates(&arguments[0], &plots.element(index), random);
                let elements = all_of((0..ELEMENTS).map(element));
                elements.and(self.numbers(&plots.length(), random))
            }
            TyKind::Data(data, arguments) if !data.is_recursive() => {
                let types = data.domains(arguments);
                let parts = types.iter().enumerate().filter(|(_, ty)| !matches!(ty.kind(), TyKind::Unit));
                let parts = all_of(parts.map(|(index, ty)| self.relates(ty, &plots.part(index), random)));
                parts.and(self.numbers(&plots.constructor(), random))
            }
            // of others W says nothing
            _ => Verdict::Vacuous.into(),
        }
    }
}

fn all_of(judged: impl Iterator<Item = Judged>) -> Judged {
    judged.reduce(Judged::and).unwrap_or_else(|| Verdict::Vacuous.into())
}
