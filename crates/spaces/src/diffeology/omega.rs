//! ωPAP spaces (W §3.2): spaces of plots over the [site of c-analytic sets](super::analytic), with an order and least upper bounds.
//!
//! | space | plots U → X | order |
//! |---|---|---|
//! | [`Line`] | piecewise analytic functions | equality |
//! | [`Product`](super::product::Product) | pairs of plots | by components |
//! | [`Either`], [`Sequence`] | on each of some analytic sets, a plot of one side, or so many plots | within one side, or one length |
//! | subspaces and quotients of ℝⁿ | as in [`Flat`] | equality |
//! | [`Lift`] | plots on a c-analytic subset of U, undefined elsewhere | more is defined |
//! | [`Partial`] | functions into the lifting that take plots to plots | at each argument |
//!
//! Reparametrisation is along piecewise analytic maps, gluing over c-analytic partitions: nothing has to agree at borders. The fourth
//! axiom is of chains: the least upper bound of plots p₀ ⊑ p₁ ⊑ … is a plot. It is defined where one of them is, a countable union,
//! of which a point outside is not known to be outside after finitely many. A chain is a function of n; of its bound so many pieces are made
//! as are asked for. As many plots of a chain as [`MOST`] says are looked at: where it grows later, as values of a lifting within a lifting may,
//! the bound says less, and of a chain of numbers it is the plot of that number.

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

/// A chain of plots: the one of number n.
pub type Chain<P> = Arc<dyn Fn(usize) -> P + Send + Sync>;

/// How many plots of a chain are looked at.
pub const MOST: usize = 12;

/// A space with an order in which chains have least upper bounds: an ωcpo with plots that are closed under these.
pub trait Ordered: Diffeology<CAnalytic> {
    /// x ⊑ y, as far as can be observed.
    ///
    /// # Errors
    /// Those of evaluation.
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried;

    /// The least upper bound of a chain of plots on a domain.
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot;

    /// A random chain.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot>;
}

/// A function that is one of several on an analytic set each.
#[derive(Clone, Debug)]
pub struct Pieces<L> {
    /// U
    pub domain: Analytic,
    /// What it is, and where.
    pub parts: Vec<(Answers, L)>,
}

impl<L: Clone> Pieces<L> {
    /// The function of one piece.
    #[must_use]
    pub fn whole(domain: &Analytic, value: L) -> Self {
        Self { domain: domain.clone(), parts: vec![(Answers::new(), value)] }
    }

    /// The function that is each of several on a c-analytic set.
    #[must_use]
    pub fn joined(domain: &Analytic, pieces: Vec<(Analytic, Self)>) -> Self {
        let mut parts = Vec::new();
        for (set, piece) in pieces {
            for answers in set.parts() {
                // a piece is a function on its own domain only
                for own in piece.domain.parts() {
                    let here = and(answers, own);
                    parts.extend(piece.parts.iter().map(|(more, value)| (and(&here, more), value.clone())));
                }
            }
        }
        Self { domain: domain.clone(), parts }
    }

    /// The function after a map, given what each piece is after one of the pieces of that.
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

    /// The plot on a part of U that is glued from what some of the pieces have there.
    pub fn within<X: Ordered>(&self, space: &X, part: &Analytic, plot: impl Fn(&L) -> Option<X::Plot>) -> X::Plot {
        let n = self.domain.dimension();
        let pieces = self.parts.iter().filter_map(|(answers, value)| {
            let set = Analytic::new(n, vec![answers.clone()]);
            let inclusion = PapMap::new(&part.intersection(&set), &self.domain, vec![(Answers::new(), coordinates(n))]);
            Some((set, space.reparametrise(&inclusion, &plot(value)?)))
        });
        space.piecewise(part, pieces.collect())
    }

    /// The pieces in which a point is found, and the inclusions of these.
    pub fn inhabited(&self, trial: &Trial) -> impl Iterator<Item = (PapMap, &L)> {
        let found = |part: &PapMap| {
            let mut random = Random::new(trial.seed);
            !CAnalytic::samples(part.from(), &mut random, trial.samples as usize).is_empty()
        };
        let parts = self.parts.iter().map(|(answers, value)| (self.restriction(answers), value));
        parts.filter(move |(part, _)| found(part))
    }

    /// The inclusion of the points at which answers are right.
    #[must_use]
    pub fn restriction(&self, answers: &Answers) -> PapMap {
        let n = self.domain.dimension();
        let part = self.domain.intersection(&Analytic::new(n, vec![answers.clone()]));
        PapMap::new(&part, &self.domain, vec![(Answers::new(), coordinates(n))])
    }

    /// Every piece that certainly contains a point, and whether it certainly lies in none.
    #[must_use]
    pub fn around(&self, u: &[Graph]) -> (Vec<&L>, bool) {
        let found: Vec<_> = self.parts.iter().map(|(answers, value)| (holds(answers, u), value)).collect();
        let outside = found.iter().all(|(holds, _)| *holds == Some(false));
        (found.into_iter().filter(|(holds, _)| *holds == Some(true)).map(|(_, value)| value).collect(), outside)
    }

    /// What the function is at a point.
    ///
    /// # Errors
    /// [`DiffeologyError::NoPiece`] where no piece is known to contain it.
    pub fn at(&self, u: &[Graph], trial: &Trial) -> Result<&L, DiffeologyError> {
        self.around(u).0.first().copied().ok_or_else(|| DiffeologyError::NoPiece { point: told_point(u, trial) })
    }

    /// Tries a statement of the pieces at points of U, and that pieces with a common point agree there: a point in no piece refutes, unless
    /// the function need not be defined. Where no point of U is found nothing is said.
    ///
    /// # Errors
    /// Those of the statements.
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
                (true, true, false) | (false, ..) => Verdict::Survived,
                (true, false, _) => Verdict::Vacuous,
            };
            for piece in &pieces {
                here = here.both(holds(piece, &u)?);
            }
            for pair in pieces.windows(2) {
                here = here.both(agree(pair[0], pair[1], &u)?.at(|| shown(&u)));
            }
            all = Some(all.map_or(here.clone(), |all: Verdict| all.both(here)));
        }
        Ok(all.unwrap_or(Verdict::Vacuous))
    }
}
