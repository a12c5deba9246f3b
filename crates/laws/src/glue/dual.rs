//! Correctness of AD of piecewise programs: the relations V_τ between plots and their dual numbers (W §3.3).
//!
//! A plot over the line is a function t ↦ x(t) in ⟦τ⟧. It is related to a function (t, ṫ) ↦ x′(t, ṫ) in ⟦𝒟τ⟧, an
//! *intensional dual number representation* of it: beside each number stands a derivative along ṫ. Both are functions
//! in the universe of [replayed decisions](crate::meaning::pap::replay), mostly programs. They are compared by
//! exploring their pieces.
//!
//! | clause | at | asserts of x and x′ |
//! |---|---|---|
//! | [`Clause::Domain`] | ℝ | they have values at the same points, and approximants of recursions run out at the same |
//! | [`Clause::Values`] | ℝ | the first part of x′ is x |
//! | [`Clause::Slopes`] | ℝ | the second part is *an* [intensional derivative](crate::pieces::intensional) of x |
//! | [`Clause::Curves`] | all | so it is of x(h(r)) and x′(h(r), h′(r)), for piecewise analytic h with derivative h′ |
//! | [`Clause::Components`] | τ × σ | the components are related |
//! | [`Clause::Defined`] | τ → σ | x(t) and x′(t, ṫ) are functions at the same points |
//! | [`Clause::Arguments`] | τ → σ | at related arguments they have related results |
//! | – | sums | both are of the same constructor at the same points, and there its arguments are related |
//! | – | lists | both have the same length at the same points, and there the elements are related |
//!
//! In W a relation V_τ^A is indexed by c-analytic sets A ⊆ ℝⁿ. At ℝ it quantifies over piecewise analytic curves h in A
//! with their intensional derivatives, and at functions over maps into A. Here A is the line. Curves are
//! [drawn](drawn::draw_curve): constant ones, and piecewise ones, whose slope at single points may be any multiple of the
//! right one. Arguments are drawn over the line in the same way; they may be constant, and undefined on some pieces. A
//! plot that is partial on a c-analytic subset is a program that may be undefined. W defines the plots of sums and
//! lists in a footnote (§4, fn. 3); their clauses are those of Artin gluing over these plots.
//!
//! | law | W |
//! |---|---|
//! | [`fundamental_lemma`](lemma::fundamental_lemma) | t and 𝒟t are related, for random programs t |
//! | [`related_pairs`](lemma::related_pairs) | the pairs drawn as related are related |
//! | [`determination`](lemma::determination) | off borders, the relation determines the dual number at every type |
//! | [`freedom`](lemma::freedom) | it determines nothing more: the slope at a point may be any number |
//! | [`tried`](primitive::test_primitive) | a primitive from Rust is related to its own dual |
//!
//! 𝒟 is [the macro](crate::meaning::taylor::pieces), and 𝒟t is run like any program. The derivatives of x are those of
//! the maps of its pieces. The two sides share how values are computed, and not how derivatives are.

pub mod drawn;
pub mod lemma;
mod numbers;
mod plots;
pub mod primitive;
pub mod program;

use super::judged::VerdictWithValues;
use crate::meaning::pap::hooks::{DefaultPiecewiseHooks, PiecewiseHooks};
use crate::random::SplitMix64;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
pub use plots::{DualPlots, LinePlot, plot_of_program};
use std::sync::Arc;

/// Plots are compared on the interval from −`PLOT_BOUND` to `PLOT_BOUND`. A choice.
pub const PLOT_BOUND: i64 = 4;
/// The number of related arguments at which functions are tested. A choice.
const ARGUMENTS: usize = 2;
/// The share of the plots of numbers that are tested along another curve as well, in percent. A choice.
const CURVES: usize = 50;
/// The share of the arguments that depend on t, in percent. A choice.
const VARYING: usize = 80;
/// The number of elements of a list that are tested. A choice.
const ELEMENTS: usize = 3;

/// A clause of the relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clause {
    /// Both are defined at the same points.
    Domain,
    /// Both have the same values.
    Values,
    /// The slopes are those of some intensional derivative.
    Slopes,
    /// Pairs stay related along all curves, not only along t ↦ t.
    Curves,
    /// All components are related, not only the first.
    Components,
    /// Both are functions at the same points.
    Defined,
    /// Arguments are any related pairs, not only constant ones.
    Arguments,
}

/// V, with the rules of the semantics of programs.
#[derive(Clone, Debug)]
pub struct DualRelation {
    /// The rules of the piecewise semantics.
    pub hooks: Arc<dyn PiecewiseHooks>,
    /// The clause that is left out, to test that its absence is refuted; `None` for V itself.
    pub without: Option<Clause>,
}

impl Default for DualRelation {
    fn default() -> Self {
        Self { hooks: Arc::new(DefaultPiecewiseHooks), without: None }
    }
}

impl DualRelation {
    /// Returns `true` if the clause is part of the relation.
    fn includes_clause(&self, clause: Clause) -> bool {
        self.without != Some(clause)
    }

    /// Tests whether two plots are related at a type, with random arguments and curves.
    pub fn test_related(&self, ty: &Ty, plots: &DualPlots, random: &mut SplitMix64) -> VerdictWithValues {
        match ty.kind() {
            TyKind::Real => {
                let own = self.test_numbers(plots, random);
                // a curve costs a second exploration, so only a share is tested along one, and no refuted pair
                let also = self.includes_clause(Clause::Curves) && random.random_bool(CURVES) && !own.is_refuted();
                match also.then(|| drawn::draw_curve(random)).flatten() {
                    Some(curve) => own.and(self.test_numbers(&plots.restrict_to_curve(&curve), random)),
                    None => own,
                }
            }
            TyKind::Tuple(types) => {
                let count = if self.includes_clause(Clause::Components) { types.len() } else { 1 };
                let parts = types.iter().take(count).enumerate();
                conjoin_verdicts(parts.map(|(index, ty)| self.test_related(ty, &plots.component_plots(index), random)))
            }
            TyKind::Function(domain, codomain) => {
                let functions = match self.includes_clause(Clause::Defined) {
                    true => self.test_numbers(&plots.defined_indicator(), random),
                    false => Verdict::Vacuous.into(),
                };
                let at_arguments = (0..ARGUMENTS).map(|index| {
                    let varies = self.includes_clause(Clause::Arguments) && random.random_bool(VARYING);
                    // the first argument is tested along t ↦ t, the others along a curve as well
                    let moves = index > 0 && self.includes_clause(Clause::Curves);
                    let curve = moves.then(|| drawn::draw_curve(random)).flatten();
                    let along = curve.map_or_else(|| plots.clone(), |curve| plots.restrict_to_curve(&curve));
                    match drawn::draw_plots(domain, varies, random) {
                        Some(argument) => self.test_related(codomain, &along.apply_to(&argument), random),
                        None => Verdict::Vacuous.into(),
                    }
                });
                let judged = conjoin_verdicts(at_arguments);
                // a domain that agrees is no evidence about values, so it counts only when something is refuted
                if judged.is_refuted() || functions.is_refuted() { judged.and(functions) } else { judged }
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let element = |index| self.test_related(&arguments[0], &plots.list_element(index), random);
                let elements = conjoin_verdicts((0..ELEMENTS).map(element));
                elements.and(self.test_numbers(&plots.list_length(), random))
            }
            TyKind::Data(data, arguments) if !data.is_recursive() => {
                let types = data.argument_types(arguments);
                // a constructor without an argument has no part to compare
                let parts = types.iter().enumerate().filter(|(_, ty)| !matches!(ty.kind(), TyKind::Unit));
                let parts = conjoin_verdicts(
                    parts.map(|(index, ty)| self.test_related(ty, &plots.constructor_argument(index), random)),
                );
                parts.and(self.test_numbers(&plots.constructor_index(), random))
            }
            // W defines no relation at the other types
            _ => Verdict::Vacuous.into(),
        }
    }
}

/// Returns the conjunction of the verdicts; vacuous if there are none.
fn conjoin_verdicts(judged: impl Iterator<Item = VerdictWithValues>) -> VerdictWithValues {
    judged.reduce(VerdictWithValues::and).unwrap_or_else(|| Verdict::Vacuous.into())
}
