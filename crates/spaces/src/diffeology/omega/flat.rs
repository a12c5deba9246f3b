//! Spaces with the order of equality: ℝⁿ, subsets of it, and quotients by a relation. A category of ωPAP spaces has all limits and colimits
//! (W §3.2, second footnote); these are equalisers and coequalisers of such spaces.
//!
//! | space | plots U → X |
//! |---|---|
//! | [`Subspace`] of points [`Inside`] of a c-analytic set | those of X that stay in it |
//! | [`Quotient`] | those of X, of which two are one where their values are related |
//!
//! A plot of a quotient is one that lifts on each part of a c-analytic partition. Lifts need not agree at borders, so together they are a plot
//! of X: over c-analytic sets every plot of a quotient has a global lift. Over opens it has not, and ℝ/ℤ is a circle; here it is
//! the interval [0, 1), with x ↦ x − ⌊x⌋ as the isomorphism.

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

/// ℝⁿ, as products of lines.
pub trait Flat: Ordered {
    /// n
    fn dimension(&self) -> usize;
    /// The coordinates of a point.
    fn coordinates(&self, x: &Self::Point) -> Vec<Graph>;
    /// The point of n coordinates.
    fn point(&self, coordinates: &[Graph]) -> Self::Point;
    /// The plot that is each of some lists of n graphs on an analytic set.
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

/// The points of a c-analytic set, with some curves in it, defined on all of ℝ, to draw points and plots from.
#[derive(Clone, Debug)]
pub struct Inside {
    set: Analytic,
    curves: Vec<Vec<Graph>>,
}

impl Inside {
    /// The subspace of a space of n coordinates of the points in a set of ℝⁿ. The curves, of n graphs over one coordinate, are tried at
    /// points; there must be one.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] for a set or a curve of another dimension; [`DiffeologyError::Shape`] for a curve that certainly leaves
    /// the set, and where there is none.
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
    /// A curve of the set along a polynomial, another on each side of a guard.
    fn draw_plot(&self, space: &X, domain: &Analytic, random: &mut Random) -> X::Plot {
        let n = domain.dimension();
        let parts = sides(random, n).map(|side| {
            let t = polynomial(random, n);
            (vec![side], self.curve(t, random))
        });
        space.plot(domain, &parts)
    }
}

/// The points that are not in a set: of finitely many analytic sets, finitely many.
fn outside(set: &Analytic) -> Analytic {
    let others = set.parts().iter().map(|answers| {
        // the first answer that is wrong, and those before it right
        let wrong = |at: usize| {
            let other = Decided { holds: !answers[at].holds, ..answers[at].clone() };
            and(&answers[..at].to_vec(), &vec![other])
        };
        Analytic::new(set.dimension(), (0..answers.len()).map(wrong).collect())
    });
    others.fold(Analytic::whole(set.dimension()), |all, other| all.intersection(&other))
}

/// A chain of one plot, of which all but the first are cut by a guard: in the order of equality there are no others.
fn cut<X: Diffeology<CAnalytic>>(space: &X, plot: X::Plot, random: &mut Random) -> Chain<X::Plot> {
    let domain = space.domain(&plot);
    let sides = sides(random, domain.dimension()).map(|side| Analytic::new(domain.dimension(), vec![vec![side]]));
    let cut = space.piecewise(&domain, sides.map(|side| (side, plot.clone())).into());
    Arc::new(move |n| if n == 0 { plot.clone() } else { cut.clone() })
}

impl<X: Flat> Ordered for Subspace<X, Inside> {
    /// That of X.
    fn below(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.space.below(x, y, trial)
    }
    /// That in X, of which the values are those of the chain.
    fn lub(&self, domain: &Analytic, chain: Chain<X::Plot>) -> X::Plot {
        self.space.lub(domain, chain)
    }
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<X::Plot> {
        let plot = Diffeology::<CAnalytic>::draw_plot(self, domain, random);
        cut(&self.space, plot, random)
    }
}

impl<X: Flat, R: Relation<X, CAnalytic>> Diffeology<CAnalytic> for Quotient<X, R> {
    /// A representative.
    type Point = X::Point;
    /// A lift.
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
    /// Where pieces overlap it is the first of them: they are lifts of one function there, and may be different ones.
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, X::Plot)>) -> X::Plot {
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
    /// Whether the lift is one.
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
    /// Equality of classes.
    fn below(&self, x: &X::Point, y: &X::Point, trial: &Trial) -> Tried {
        self.same(x, y, trial)
    }
    /// A chain is constant.
    fn lub(&self, _: &Analytic, chain: Chain<X::Plot>) -> X::Plot {
        chain(MOST)
    }
    /// One plot, and from the second one on another lift of it.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<X::Plot> {
        let lift = self.space.draw_plot(domain, random);
        let moved = self.relation.moved(&self.space, &lift, random);
        Arc::new(move |n| if n == 0 { lift.clone() } else { moved.clone() })
    }
}
