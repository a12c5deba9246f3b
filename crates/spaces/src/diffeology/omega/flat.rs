//! Spaces with the order of equality: ℝⁿ, its subsets, and quotients by a relation. The category of ωPAP spaces has all
//! limits and colimits (W §3.2, second footnote); these spaces are equalisers and coequalisers of such spaces.
//!
//! | space | plots U → X |
//! |---|---|
//! | [`Subspace`] of the points [`Inside`] a c-analytic set | the plots of X with values in the set |
//! | [`Quotient`] | the plots of X, identified if their values are related |
//!
//! A plot of a quotient lifts on each part of a c-analytic partition. Lifts need not agree at borders, so together they
//! form a plot of X: over c-analytic sets every plot of a quotient has a global lift. Over open sets this fails, and
//! ℝ/ℤ is a circle. Here ℝ/ℤ is the interval [0, 1), with the isomorphism x ↦ x − ⌊x⌋.

use super::{Chain, Line, MOST, Ordered, Pieces};
use crate::diffeology::analytic::{Analytic, Answers, CAnalytic, PapMap, and, polynomial, sides};
use crate::diffeology::error::DiffeologyError;
use crate::diffeology::product::Product;
use crate::diffeology::quotient::{Quotient, Relation};
use crate::diffeology::real::told_point;
use crate::diffeology::reparametrisation::composed;
use crate::diffeology::subspace::{Subset, Subspace};
use crate::diffeology::{Diffeology, Tried};
use crate::pieces::Decided;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::sync::Arc;

/// A space ℝⁿ, built as a product of lines.
pub trait Flat: Ordered {
    /// Returns the dimension n.
    fn dimension(&self) -> usize;
    /// Returns the coordinates of a point.
    fn coordinates(&self, x: &Self::Point) -> Vec<Graph>;
    /// Returns the point with the given n coordinates.
    fn point(&self, coordinates: &[Graph]) -> Self::Point;
    /// Returns the plot that is given by a list of n graphs on each of some analytic sets.
    fn plot(&self, domain: &Analytic, parts: &[(Answers, Vec<Graph>)]) -> Self::Plot;
}

impl Flat for Line {
    fn dimension(&self) -> usize {
        1
    }
    fn coordinates(&self, x: &Graph) -> Vec<Graph> {
        vec![x.clone()]
    }
    fn point(&self, coordinates: &[Graph]) -> Graph {
        coordinates[0].clone()
    }
    fn plot(&self, domain: &Analytic, parts: &[(Answers, Vec<Graph>)]) -> Pieces<Graph> {
        let first = |(answers, graphs): &(Answers, Vec<Graph>)| (answers.clone(), graphs[0].clone());
        Pieces { domain: domain.clone(), parts: parts.iter().map(first).collect() }
    }
}

impl<X: Flat, Y: Flat> Flat for Product<X, Y> {
    fn dimension(&self) -> usize {
        self.0.dimension() + self.1.dimension()
    }
    fn coordinates(&self, (x, y): &Self::Point) -> Vec<Graph> {
        [self.0.coordinates(x), self.1.coordinates(y)].concat()
    }
    fn point(&self, coordinates: &[Graph]) -> Self::Point {
        let (first, second) = coordinates.split_at(self.0.dimension());
        (self.0.point(first), self.1.point(second))
    }
    fn plot(&self, domain: &Analytic, parts: &[(Answers, Vec<Graph>)]) -> Self::Plot {
        let n = self.0.dimension();
        let half = |side: usize| {
            let cut = |(answers, graphs): &(Answers, Vec<Graph>)| {
                let (first, second) = graphs.split_at(n);
                (answers.clone(), if side == 0 { first.to_vec() } else { second.to_vec() })
            };
            parts.iter().map(cut).collect::<Vec<_>>()
        };
        (self.0.plot(domain, &half(0)), self.1.plot(domain, &half(1)))
    }
}

/// The points of a c-analytic set, with some curves in it from which points and plots are drawn. The curves are defined
/// on all of ℝ.
#[derive(Clone, Debug)]
pub struct Inside {
    set: Analytic,
    curves: Vec<Vec<Graph>>,
}

impl Inside {
    /// Returns the subspace of the points that lie in a set of ℝⁿ, where n is the dimension of `space`. The curves
    /// consist of n graphs over one coordinate. There must be at least one curve, and all are tested at points.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the set or a curve has another dimension.
    /// - [`DiffeologyError::Shape`] if there is no curve, or a curve certainly leaves the set.
    pub fn new<X: Flat>(
        space: X,
        set: Analytic,
        curves: Vec<Vec<Graph>>,
        trial: &Trial,
    ) -> Result<Subspace<X, Self>, DiffeologyError> {
        DiffeologyError::fits("the set", space.dimension(), set.dimension())?;
        if curves.is_empty() {
            return Err(DiffeologyError::Shape { expected: "a curve to draw from".into(), found: "none".into() });
        }
        let subspace = Subspace { space, subset: Self { set, curves } };
        for curve in &subspace.subset.curves {
            DiffeologyError::fits("a curve", subspace.space.dimension(), curve.len())?;
            let plot = subspace.space.plot(&Analytic::whole(1), &[(Answers::new(), curve.clone())]);
            if let Verdict::Refuted { witness, .. } = Diffeology::<CAnalytic>::is_plot(&subspace, &plot, trial)? {
                return Err(DiffeologyError::Shape { expected: "a curve in the set".into(), found: witness });
            }
        }
        Ok(subspace)
    }

    /// Draws a curve and evaluates it at `parameter`.
    fn curve(&self, parameter: Graph, random: &mut Random) -> Vec<Graph> {
        let curve: &Vec<Graph> = random.pick(&self.curves);
        composed(curve, &[parameter])
    }
}

impl<X: Flat> Subset<X, CAnalytic> for Inside {
    fn contains(&self, space: &X, x: &X::Point, trial: &Trial) -> Tried {
        let at = space.coordinates(x);
        Ok(match self.set.contains(&at) {
            Some(true) => Verdict::Survived,
            Some(false) => Verdict::refuted(told_point(&at, trial), "outside", "in the set"),
            None => Verdict::Vacuous,
        })
    }
    fn draw_point(&self, space: &X, random: &mut Random) -> X::Point {
        let t = Graph::integer(random.below(7) as i64 - 3);
        space.point(&self.curve(t, random))
    }
    /// Draws a curve of the set along a polynomial, on each side of a guard.
    fn draw_plot(&self, space: &X, domain: &Analytic, random: &mut Random) -> X::Plot {
        let n = domain.dimension();
        let parts = sides(random, n).map(|side| {
            let t = polynomial(random, n);
            (vec![side], self.curve(t, random))
        });
        space.plot(domain, &parts)
    }
}

/// Returns the complement of a set, as a union of finitely many analytic sets.
fn outside(set: &Analytic) -> Analytic {
    let others = set.parts().iter().map(|answers| {
        // The first wrong answer is at `at`; those before it are right. So the parts of the complement are disjoint.
        let wrong = |at: usize| {
            let other = Decided { holds: !answers[at].holds, ..answers[at].clone() };
            and(&answers[..at].to_vec(), &vec![other])
        };
        Analytic::new(set.dimension(), (0..answers.len()).map(wrong).collect())
    });
    others.fold(Analytic::whole(set.dimension()), |all, other| all.intersection(&other))
}

/// Returns a chain of a single plot, which is cut by a guard in all elements but the first. In the order of equality
/// all chains are constant.
fn cut<X: Diffeology<CAnalytic>>(space: &X, plot: X::Plot, random: &mut Random) -> Chain<X::Plot> {
    let domain = space.domain(&plot);
    let sides = sides(random, domain.dimension()).map(|side| Analytic::new(domain.dimension(), vec![vec![side]]));
    let cut = space.piecewise(&domain, sides.map(|side| (side, plot.clone())).into());
    Arc::new(move |n| if n == 0 { plot.clone() } else { cut.clone() })
}

impl<X: Flat> Ordered for Subspace<X, Inside> {
    /// Tests the order of X.
    fn below(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.space.below(x, y, trial)
    }
    /// Returns the bound in X. Its values are those of the chain, so they lie in the subset.
    fn lub(&self, domain: &Analytic, chain: Chain<X::Plot>) -> X::Plot {
        self.space.lub(domain, chain)
    }
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<X::Plot> {
        let plot = Diffeology::<CAnalytic>::draw_plot(self, domain, random);
        cut(&self.space, plot, random)
    }
}

impl<X: Flat, R: Relation<X, CAnalytic>> Diffeology<CAnalytic> for Quotient<X, R> {
    /// A representative of a class.
    type Point = X::Point;
    /// A global lift.
    type Plot = X::Plot;

    fn domain(&self, plot: &X::Plot) -> Analytic {
        self.space.domain(plot)
    }
    fn constant(&self, domain: &Analytic, x: &X::Point) -> X::Plot {
        self.space.constant(domain, x)
    }
    fn reparametrise(&self, along: &PapMap, plot: &X::Plot) -> X::Plot {
        self.space.reparametrise(along, plot)
    }
    /// Glues lifts. Where pieces overlap, the first one counts: they lift the same function there, but may be different
    /// lifts.
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, X::Plot)>) -> X::Plot {
        // X itself would refute pieces that disagree on an overlap, so the pieces are made disjoint.
        let mut free = Analytic::whole(domain.dimension());
        let mut apart = Vec::new();
        for (part, plot) in pieces {
            apart.push((free.intersection(&part), plot));
            free = free.intersection(&outside(&part));
        }
        self.space.piecewise(domain, apart)
    }
    fn at(&self, plot: &X::Plot, u: &[Graph], trial: &Trial) -> Result<X::Point, DiffeologyError> {
        self.space.at(plot, u, trial)
    }
    fn same(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.relation.related(&self.space, x, y, trial)
    }
    /// Tests the lift.
    fn is_plot(&self, plot: &X::Plot, trial: &Trial) -> Tried {
        self.space.is_plot(plot, trial)
    }
    fn draw_point(&self, random: &mut Random) -> X::Point {
        self.space.draw_point(random)
    }
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> X::Plot {
        let lift = self.space.draw_plot(domain, random);
        if random.chance(50) { lift } else { self.relation.moved(&self.space, &lift, random) }
    }
    fn observed(&self, which: u64, plot: &X::Plot) -> Vec<(Analytic, Graph)> {
        self.relation.observed(&self.space, which, plot)
    }
    fn told(&self, x: &X::Point, trial: &Trial) -> String {
        format!("the class of {}", self.space.told(x, trial))
    }
}

impl<X: Flat, R: Relation<X, CAnalytic>> Ordered for Quotient<X, R> {
    /// Tests equality of classes.
    fn below(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.same(x, y, trial)
    }
    /// Returns the plot with index `MOST`: chains are constant in the order of equality.
    fn lub(&self, _: &Analytic, chain: Chain<X::Plot>) -> X::Plot {
        chain(MOST)
    }
    /// Draws a chain of a single function. From the second element on it is given by another lift.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<X::Plot> {
        let lift = self.space.draw_plot(domain, random);
        let moved = self.relation.moved(&self.space, &lift, random);
        Arc::new(move |n| if n == 0 { lift.clone() } else { moved.clone() })
    }
}
