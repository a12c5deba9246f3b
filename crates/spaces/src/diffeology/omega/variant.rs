//! Sums and lists as ordered spaces: plots that have one side, or one length, on each of some analytic sets.

use super::{CAnalyticPieces, OrderedDiffeology, PlotChain};
use crate::diffeology::analytic::{CAnalyticSet, CAnalyticSite, PiecewiseAnalyticMap, draw_partition};
use crate::diffeology::real::rational_point;
use crate::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use crate::pieces::GuardCondition;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::smooth::map::MapTestConfig;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The sum X + Y.
#[derive(Clone, Debug)]
pub struct OmegaSum<X, Y>(pub X, pub Y);

/// An element of one side of a sum.
#[derive(Clone, Debug)]
pub enum OmegaSumPoint<A, B> {
    /// An element of the first side.
    Left(A),
    /// An element of the second side.
    Right(B),
}

use OmegaSumPoint::{Left, Right};

impl<A: Clone, B: Clone> OmegaSumPoint<A, B> {
    /// Returns the element if it belongs to the first side. Returns `None` otherwise.
    fn as_left(&self) -> Option<A> {
        if let Left(a) = self { Some(a.clone()) } else { None }
    }

    /// Returns the element if it belongs to the second side. Returns `None` otherwise.
    fn as_right(&self) -> Option<B> {
        if let Right(b) = self { Some(b.clone()) } else { None }
    }
}

/// Compares two elements of a sum. Elements of different sides refute.
fn compare_sides<A, B, C, D>(
    x: &OmegaSumPoint<A, B>,
    y: &OmegaSumPoint<C, D>,
    left: impl FnOnce(&A, &C) -> DiffeologyVerdict,
    right: impl FnOnce(&B, &D) -> DiffeologyVerdict,
) -> DiffeologyVerdict {
    match (x, y) {
        (Left(x), Left(y)) => left(x, y),
        (Right(x), Right(y)) => right(x, y),
        (Left(_), Right(_)) => Ok(Verdict::refuted("the side", "the first", "the second")),
        (Right(_), Left(_)) => Ok(Verdict::refuted("the side", "the second", "the first")),
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> Diffeology<CAnalyticSite> for OmegaSum<X, Y> {
    type Point = OmegaSumPoint<X::Point, Y::Point>;
    type Plot = CAnalyticPieces<OmegaSumPoint<X::Plot, Y::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Self::Point) -> Self::Plot {
        let value = match x {
            Left(x) => Left(self.0.constant_plot(domain, x)),
            Right(y) => Right(self.1.constant_plot(domain, y)),
        };
        CAnalyticPieces::single_piece(domain, value)
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |side, _| match side {
            Left(p) => Left(self.0.reparametrise(along, p)),
            Right(q) => Right(self.1.reparametrise(along, q)),
        })
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        CAnalyticPieces::join_pieces(domain, pieces)
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        Ok(match plot.description_at(u, trial)? {
            Left(p) => Left(self.0.value_at(p, u, trial)?),
            Right(q) => Right(self.1.value_at(q, u, trial)?),
        })
    }
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_sides(x, y, |x, y| self.0.compare_points(x, y, trial), |x, y| self.1.compare_points(x, y, trial))
    }
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let mut all = plot.test_everywhere(
            trial,
            true,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = rational_point(u);
                let at = |side: &OmegaSumPoint<X::Plot, Y::Plot>| -> Result<Self::Point, DiffeologyError> {
                    Ok(match side {
                        Left(p) => Left(self.0.value_at(p, &u, trial)?),
                        Right(q) => Right(self.1.value_at(q, &u, trial)?),
                    })
                };
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        // A part without sample points is not tested: it may be empty.
        for (part, side) in plot.inhabited_pieces(trial) {
            all = all.and_part(match side {
                Left(p) => self.0.test_plot(&self.0.reparametrise(&part, p), trial)?,
                Right(q) => self.1.test_plot(&self.1.reparametrise(&part, q), trial)?,
            });
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        if random.random_bool(50) { Left(self.0.draw_point(random)) } else { Right(self.1.draw_point(random)) }
    }
    /// Draws a plot of the first side where a guard holds, and one of the second side where it fails.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let [yes, no] = draw_partition(random, domain.dimension());
        let (first, second) = (Left(self.0.draw_plot(domain, random)), Right(self.1.draw_plot(domain, random)));
        CAnalyticPieces { domain: domain.clone(), parts: vec![(vec![yes], first), (vec![no], second)] }
    }
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        match x {
            Left(x) => format!("left {}", self.0.describe_point(x, trial)),
            Right(y) => format!("right {}", self.1.describe_point(y, trial)),
        }
    }
}

impl<X: OrderedDiffeology, Y: OrderedDiffeology> OrderedDiffeology for OmegaSum<X, Y> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        compare_sides(x, y, |x, y| self.0.test_below(x, y, trial), |x, y| self.1.test_below(x, y, trial))
    }
    /// Returns the bound, whose sides are those of the first element: a chain never changes sides. On each part of the
    /// first element, the bound is that of plots of one side, each glued from the parts that the later elements have
    /// there.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        let parts = chain(0).parts.into_iter().map(|(answers, side)| {
            let chain = chain.clone();
            let here = domain.intersection(&CAnalyticSet::new(domain.dimension(), vec![answers.clone()]));
            let bound = match side {
                Left(_) => {
                    let (x, part) = (self.0.clone(), here.clone());
                    Left(self.0.least_upper_bound(
                        &here,
                        Arc::new(move |n| chain(n).glue_within(&x, &part, |side| side.as_left())),
                    ))
                }
                Right(_) => {
                    let (y, part) = (self.1.clone(), here.clone());
                    Right(self.1.least_upper_bound(
                        &here,
                        Arc::new(move |n| chain(n).glue_within(&y, &part, |side| side.as_right())),
                    ))
                }
            };
            (answers, bound)
        });
        CAnalyticPieces { domain: domain.clone(), parts: parts.collect() }
    }
    /// Draws a chain of the first side where a guard holds, and of the second side where it fails. On each side,
    /// another guard cuts between two chains. The first element glues the two; later elements list them as parts, in a
    /// varying order.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let [guards, cut] = [(); 2].map(|()| draw_partition(random, domain.dimension()));
        let first = [(); 2].map(|()| self.0.draw_chain(domain, random));
        let second = [(); 2].map(|()| self.1.draw_chain(domain, random));
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| {
            let [yes, no] = &guards;
            let parts = if n == 0 {
                let (p, q) = (
                    glue_first_plots(&this.0, &domain, &cut, &first),
                    glue_first_plots(&this.1, &domain, &cut, &second),
                );
                vec![(vec![yes.clone()], Left(p)), (vec![no.clone()], Right(q))]
            } else {
                let left = cut.iter().zip(&first).map(|(side, p)| (vec![yes.clone(), side.clone()], Left(p(n))));
                let right = cut.iter().zip(&second).map(|(side, q)| (vec![no.clone(), side.clone()], Right(q(n))));
                rotate_parts(left.chain(right).collect(), n)
            };
            CAnalyticPieces { domain: domain.clone(), parts }
        })
    }
}

/// Glues the first plots of two chains, each on one side of a guard.
fn glue_first_plots<X: OrderedDiffeology>(
    space: &X,
    domain: &CAnalyticSet,
    cut: &[GuardCondition; 2],
    chains: &[PlotChain<X::Plot>; 2],
) -> X::Plot {
    let part = |(side, chain): (&GuardCondition, &PlotChain<X::Plot>)| {
        (CAnalyticSet::new(domain.dimension(), vec![vec![side.clone()]]), chain(0))
    };
    space.glue_pieces(domain, cut.iter().zip(chains).map(part).collect())
}

/// Rearranges parts in an order that depends on `n`. Bounds must not depend on the order of parts.
fn rotate_parts<T>(mut parts: Vec<T>, n: usize) -> Vec<T> {
    parts.reverse();
    let by = n % parts.len().max(1);
    parts.rotate_left(by);
    parts
}

/// The space of lists of elements of X.
#[derive(Clone, Debug)]
pub struct OmegaList<X>(pub X);

/// The greatest length of a random list. A choice: bounds multiply the work with each element.
const MAX_DRAWN_LENGTH: usize = 2;

impl<X: OrderedDiffeology> OmegaList<X> {
    /// Compares two lists element by element. Different lengths refute.
    fn compare_elementwise(
        &self,
        x: &[X::Point],
        y: &[X::Point],
        same: impl Fn(&X::Point, &X::Point) -> DiffeologyVerdict,
    ) -> DiffeologyVerdict {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the length", x.len(), y.len()));
        }
        x.iter().zip(y).try_fold(Verdict::Survived, |all, (x, y)| Ok(all.and_part(same(x, y)?)))
    }
}

impl<X: OrderedDiffeology> Diffeology<CAnalyticSite> for OmegaList<X> {
    type Point = Vec<X::Point>;
    type Plot = CAnalyticPieces<Vec<X::Plot>>;

    fn plot_domain(&self, plot: &Self::Plot) -> CAnalyticSet {
        plot.domain.clone()
    }
    fn constant_plot(&self, domain: &CAnalyticSet, x: &Self::Point) -> Self::Plot {
        CAnalyticPieces::single_piece(domain, x.iter().map(|x| self.0.constant_plot(domain, x)).collect())
    }
    fn reparametrise(&self, along: &PiecewiseAnalyticMap, plot: &Self::Plot) -> Self::Plot {
        plot.pull_back(along, |list, _| list.iter().map(|p| self.0.reparametrise(along, p)).collect())
    }
    fn glue_pieces(&self, domain: &CAnalyticSet, pieces: Vec<(CAnalyticSet, Self::Plot)>) -> Self::Plot {
        CAnalyticPieces::join_pieces(domain, pieces)
    }
    fn value_at(&self, plot: &Self::Plot, u: &[Graph], trial: &MapTestConfig) -> Result<Self::Point, DiffeologyError> {
        plot.description_at(u, trial)?.iter().map(|p| self.0.value_at(p, u, trial)).collect()
    }
    fn compare_points(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_elementwise(x, y, |x, y| self.0.compare_points(x, y, trial))
    }
    fn test_plot(&self, plot: &Self::Plot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let mut all = plot.test_everywhere(
            trial,
            true,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = rational_point(u);
                let at =
                    |list: &[X::Plot]| list.iter().map(|p| self.0.value_at(p, &u, trial)).collect::<Result<_, _>>();
                self.compare_points(&at(p)?, &at(q)?, trial)
            },
        )?;
        for (part, list) in plot.inhabited_pieces(trial) {
            for p in list {
                all = all.and_part(self.0.test_plot(&self.0.reparametrise(&part, p), trial)?);
            }
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Self::Point {
        (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_point(random)).collect()
    }
    /// Draws lists of one length where a guard holds, and of one length where it fails. The lengths may be equal.
    fn draw_plot(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> Self::Plot {
        let parts = draw_partition(random, domain.dimension()).map(|side| {
            (
                vec![side],
                (0..random.next_below(MAX_DRAWN_LENGTH + 1)).map(|_| self.0.draw_plot(domain, random)).collect(),
            )
        });
        CAnalyticPieces { domain: domain.clone(), parts: parts.into() }
    }
    fn describe_point(&self, x: &Self::Point, trial: &MapTestConfig) -> String {
        format!("[{}]", x.iter().map(|x| self.0.describe_point(x, trial)).collect::<Vec<_>>().join(", "))
    }
}

impl<X: OrderedDiffeology> OrderedDiffeology for OmegaList<X> {
    fn test_below(&self, x: &Self::Point, y: &Self::Point, trial: &MapTestConfig) -> DiffeologyVerdict {
        self.compare_elementwise(x, y, |x, y| self.0.test_below(x, y, trial))
    }
    /// Returns the bound, whose lengths are those of the first element: a chain never changes lengths. On each part of
    /// the first element, the bound at each place is that of plots that are glued from the parts of the later elements.
    fn least_upper_bound(&self, domain: &CAnalyticSet, chain: PlotChain<Self::Plot>) -> Self::Plot {
        let parts = chain(0).parts.into_iter().map(|(answers, list)| {
            let here = domain.intersection(&CAnalyticSet::new(domain.dimension(), vec![answers.clone()]));
            let length = list.len();
            let bound = |place: usize| {
                let (chain, x, part) = (chain.clone(), self.0.clone(), here.clone());
                // Parts of other lengths lie elsewhere.
                let element = move |list: &Vec<X::Plot>| list.get(place).filter(|_| list.len() == length).cloned();
                self.0.least_upper_bound(&here, Arc::new(move |n| chain(n).glue_within(&x, &part, element)))
            };
            (answers, (0..length).map(bound).collect())
        });
        CAnalyticPieces { domain: domain.clone(), parts: parts.collect() }
    }
    /// Draws a chain of one length where a guard holds, and of one length where it fails. At each place, another guard
    /// cuts between two chains, as in a sum.
    fn draw_chain(&self, domain: &CAnalyticSet, random: &mut SplitMix64) -> PlotChain<Self::Plot> {
        let cut = draw_partition(random, domain.dimension());
        let lists = draw_partition(random, domain.dimension()).map(|side| {
            let places = 0..random.next_below(MAX_DRAWN_LENGTH + 1);
            let list: Vec<_> = places.map(|_| [(); 2].map(|()| self.0.draw_chain(domain, random))).collect();
            (side, list)
        });
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| {
            let mut parts = Vec::new();
            for (guard, list) in &lists {
                if n == 0 {
                    let list = list.iter().map(|chains| glue_first_plots(&this.0, &domain, &cut, chains)).collect();
                    parts.push((vec![guard.clone()], list));
                } else {
                    parts.extend(cut.iter().enumerate().map(|(which, side)| {
                        let list = list.iter().map(|chains| chains[which](n)).collect();
                        (vec![guard.clone(), side.clone()], list)
                    }));
                }
            }
            CAnalyticPieces { domain: domain.clone(), parts: if n == 0 { parts } else { rotate_parts(parts, n) } }
        })
    }
}
