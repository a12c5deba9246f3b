//! ωPAP spaces (W §3.2): spaces of plots over the [site of c-analytic sets](super::analytic), with an order and least upper bounds.
//!
//! | space | plots U → X | order |
//! |---|---|---|
//! | [`Line`] | piecewise analytic functions | equality |
//! | [`Product`](super::product::Product) | pairs of plots | by components |
//! | [`Either`], [`Sequence`] | on some analytic sets, a plot of one side, or a list of plots | within one side, or one length |
//! | subspaces and quotients of ℝⁿ | as in [`Flat`] | equality |
//! | [`Lift`] | plots on a c-analytic subset of U, undefined elsewhere | definedness |
//! | [`Partial`] | functions into the lifting that take plots to plots | at each argument |
//!
//! Reparametrisation is along piecewise analytic maps, and gluing over c-analytic partitions: pieces need not agree at
//! borders. A fourth axiom concerns chains: the least upper bound of plots p₀ ⊑ p₁ ⊑ … is a plot. The bound is defined
//! where one of them is, a countable union. Finitely many steps cannot show that a point lies outside of it. A chain is
//! a function of n, and its bound computes as many pieces as are requested. Chains are examined up to the index
//! [`MOST`] only. If a chain grows later, as values of a lifting within a lifting may, the computed bound is too small;
//! for chains of numbers it is the plot with index `MOST`.

mod flat;
mod lift;
mod line;
mod pair;
mod partial;
mod variant;

pub use flat::{Flat, Inside};
pub use lift::{Found, Lift, Lifted};
pub use line::Line;
pub use partial::{Morphism, Partial, curry, evaluation};
pub use variant::{Either, Sequence, Side};

use super::analytic::{Analytic, Answers, CAnalytic, PapMap, along, and, holds};
use super::error::DiffeologyError;
use super::real::told_point;
use super::site::Site;
use super::space::Diffeology;
use super::{Tried, error::shown};
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::coordinates;
use crate::verdict::Verdict;
use std::sync::Arc;

/// A chain of plots: a function from n to the n-th plot.
pub type Chain<P> = Arc<dyn Fn(usize) -> P + Send + Sync>;

/// The index at which a chain is examined in place of its limit. A choice: drawn chains are constant after a few steps.
pub const MOST: usize = 12;

/// A space with an order and least upper bounds of chains: an ωcpo whose plots are closed under these bounds.
pub trait Ordered: Diffeology<CAnalytic> {
    /// Tests x ⊑ y, as far as it can be observed.
    ///
    /// # Errors
    /// The errors of evaluation.
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried;

    /// Returns the least upper bound of a chain of plots on a domain.
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot;

    /// Draws a chain.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot>;
}

/// A function that is given by a description of type `L` on each of finitely many analytic sets.
#[derive(Clone, Debug)]
pub struct Pieces<L> {
    /// The domain U.
    pub domain: Analytic,
    /// The analytic sets, with the descriptions of the function there.
    pub parts: Vec<(Answers, L)>,
}

impl<L: Clone> Pieces<L> {
    /// Returns the function with a single piece.
    #[must_use]
    pub fn whole(domain: &Analytic, value: L) -> Self {
        Self { domain: domain.clone(), parts: vec![(Answers::new(), value)] }
    }

    /// Returns the function that equals each of `pieces` on its c-analytic set.
    #[must_use]
    pub fn joined(domain: &Analytic, pieces: Vec<(Analytic, Self)>) -> Self {
        let mut parts = Vec::new();
        for (set, piece) in pieces {
            for answers in set.parts() {
                // A piece is a function on its own domain only.
                for own in piece.domain.parts() {
                    let here = and(answers, own);
                    parts.extend(piece.parts.iter().map(|(more, value)| (and(&here, more), value.clone())));
                }
            }
        }
        Self { domain: domain.clone(), parts }
    }

    /// Reparametrises the function along `f`. `moved` reparametrises the description of a piece along the graphs of a
    /// piece of `f`.
    #[must_use]
    pub fn along(&self, f: &PapMap, moved: impl Fn(&L, &[Graph]) -> L) -> Self {
        let mut parts = Vec::new();
        for (answers, graphs) in f.pieces() {
            parts.extend(
                self.parts.iter().map(|(own, value)| (and(answers, &along(own, graphs)), moved(value, graphs))),
            );
        }
        Self { domain: f.from().clone(), parts }
    }

    /// Glues the plots that `plot` selects from the pieces to a plot on a part of U. Pieces with `None` are left out.
    pub fn within<X: Ordered>(&self, space: &X, part: &Analytic, plot: impl Fn(&L) -> Option<X::Plot>) -> X::Plot {
        let n = self.domain.dimension();
        let pieces = self.parts.iter().filter_map(|(answers, value)| {
            let set = Analytic::new(n, vec![answers.clone()]);
            let inclusion = PapMap::new(&part.intersection(&set), &self.domain, vec![(Answers::new(), coordinates(n))]);
            Some((set, space.reparametrise(&inclusion, &plot(value)?)))
        });
        space.piecewise(part, pieces.collect())
    }

    /// Returns the pieces that contain a sample point, with their inclusions in U.
    pub fn inhabited(&self, trial: &Trial) -> impl Iterator<Item = (PapMap, &L)> {
        let found = |part: &PapMap| {
            let mut random = Random::new(trial.seed);
            !CAnalytic::samples(part.from(), &mut random, trial.samples as usize).is_empty()
        };
        let parts = self.parts.iter().map(|(answers, value)| (self.restriction(answers), value));
        parts.filter(move |(part, _)| found(part))
    }

    /// Returns the inclusion of the points where the answers are right.
    #[must_use]
    pub fn restriction(&self, answers: &Answers) -> PapMap {
        let n = self.domain.dimension();
        let part = self.domain.intersection(&Analytic::new(n, vec![answers.clone()]));
        PapMap::new(&part, &self.domain, vec![(Answers::new(), coordinates(n))])
    }

    /// Returns the pieces that certainly contain a point. The second component is `true` if the point certainly lies in
    /// no piece.
    #[must_use]
    pub fn around(&self, u: &[Graph]) -> (Vec<&L>, bool) {
        let found: Vec<_> = self.parts.iter().map(|(answers, value)| (holds(answers, u), value)).collect();
        let outside = found.iter().all(|(holds, _)| *holds == Some(false));
        (found.into_iter().filter(|(holds, _)| *holds == Some(true)).map(|(_, value)| value).collect(), outside)
    }

    /// Returns the description of the function at a point: that of the first piece that certainly contains it.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] if no piece is known to contain the point.
    pub fn at(&self, u: &[Graph], trial: &Trial) -> Result<&L, DiffeologyError> {
        self.around(u).0.first().copied().ok_or_else(|| DiffeologyError::NoPiece { point: told_point(u, trial) })
    }

    /// Tests a statement of the pieces at points of U, and the agreement of pieces that share a point. If `total` is
    /// `true`, a point in no piece refutes. The verdict is vacuous if no point of U is found.
    ///
    /// # Errors
    /// The errors of the statements.
    pub fn everywhere(
        &self,
        trial: &Trial,
        total: bool,
        mut holds: impl FnMut(&L, &[Rational]) -> Tried,
        mut agree: impl FnMut(&L, &L, &[Rational]) -> Tried,
    ) -> Tried {
        let mut all = None;
        for u in CAnalytic::samples(&self.domain, &mut Random::new(trial.seed), trial.samples as usize) {
            let (pieces, outside) = self.around(&super::real::exactly(&u));
            let mut here = match (pieces.is_empty(), outside, total) {
                (true, true, true) => return Ok(Verdict::refuted(shown(&u), "no value", "a value")),
                // Outside of all pieces, a partial function is undefined, and nothing can fail.
                (true, true, false) | (false, ..) => Verdict::Survived,
                (true, false, _) => Verdict::Vacuous,
            };
            for piece in &pieces {
                here = here.both(holds(piece, &u)?);
            }
            // Neighbours only, as in the other site: all pairs would be quadratic.
            for pair in pieces.windows(2) {
                here = here.both(agree(pair[0], pair[1], &u)?.at(|| shown(&u)));
            }
            all = Some(all.map_or(here.clone(), |all: Verdict| all.both(here)));
        }
        Ok(all.unwrap_or(Verdict::Vacuous))
    }
}
