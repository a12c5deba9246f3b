//! Sums and lists as ordered spaces: plots that have one side, or one length, on each of some analytic sets.

use super::{Chain, Ordered, Pieces};
use crate::diffeology::analytic::{Analytic, CAnalytic, PapMap, sides};
use crate::diffeology::real::exactly;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::pieces::Decided;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The sum X + Y.
#[derive(Clone, Debug)]
pub struct Either<X, Y>(pub X, pub Y);

/// An element of one side of a sum.
#[derive(Clone, Debug)]
pub enum Side<A, B> {
    /// An element of the first side.
    Left(A),
    /// An element of the second side.
    Right(B),
}

use Side::{Left, Right};

impl<A: Clone, B: Clone> Side<A, B> {
    /// Returns the element if it belongs to the first side. Returns `None` otherwise.
    fn left(&self) -> Option<A> {
        if let Left(a) = self { Some(a.clone()) } else { None }
    }

    /// Returns the element if it belongs to the second side. Returns `None` otherwise.
    fn right(&self) -> Option<B> {
        if let Right(b) = self { Some(b.clone()) } else { None }
    }
}

/// Compares two elements of a sum. Elements of different sides refute.
fn within<A, B, C, D>(
    x: &Side<A, B>,
    y: &Side<C, D>,
    left: impl FnOnce(&A, &C) -> Tried,
    right: impl FnOnce(&B, &D) -> Tried,
) -> Tried {
    match (x, y) {
        (Left(x), Left(y)) => left(x, y),
        (Right(x), Right(y)) => right(x, y),
        (Left(_), Right(_)) => Ok(Verdict::refuted("the side", "the first", "the second")),
        (Right(_), Left(_)) => Ok(Verdict::refuted("the side", "the second", "the first")),
    }
}

impl<X: Ordered, Y: Ordered> Diffeology<CAnalytic> for Either<X, Y> {
    type Point = Side<X::Point, Y::Point>;
    type Plot = Pieces<Side<X::Plot, Y::Plot>>;

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        plot.domain.clone()
    }
    fn constant(&self, domain: &Analytic, x: &Self::Point) -> Self::Plot {
        let value = match x {
            Left(x) => Left(self.0.constant(domain, x)),
            Right(y) => Right(self.1.constant(domain, y)),
        };
        Pieces::whole(domain, value)
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |side, _| match side {
            Left(p) => Left(self.0.reparametrise(along, p)),
            Right(q) => Right(self.1.reparametrise(along, q)),
        })
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        Pieces::joined(domain, pieces)
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        Ok(match plot.at(u, trial)? {
            Left(p) => Left(self.0.at(p, u, trial)?),
            Right(q) => Right(self.1.at(q, u, trial)?),
        })
    }
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        within(x, y, |x, y| self.0.same(x, y, trial), |x, y| self.1.same(x, y, trial))
    }
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let mut all = plot.everywhere(
            trial,
            true,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = exactly(u);
                let at = |side: &Side<X::Plot, Y::Plot>| -> Result<Self::Point, DiffeologyError> {
                    Ok(match side {
                        Left(p) => Left(self.0.at(p, &u, trial)?),
                        Right(q) => Right(self.1.at(q, &u, trial)?),
                    })
                };
                self.same(&at(p)?, &at(q)?, trial)
            },
        )?;
        // A part without sample points is not tested: it may be empty.
        for (part, side) in plot.inhabited(trial) {
            all = all.both(match side {
                Left(p) => self.0.is_plot(&self.0.reparametrise(&part, p), trial)?,
                Right(q) => self.1.is_plot(&self.1.reparametrise(&part, q), trial)?,
            });
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut Random) -> Self::Point {
        if random.chance(50) { Left(self.0.draw_point(random)) } else { Right(self.1.draw_point(random)) }
    }
    /// Draws a plot of the first side where a guard holds, and one of the second side where it fails.
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        let [yes, no] = sides(random, domain.dimension());
        let (first, second) = (Left(self.0.draw_plot(domain, random)), Right(self.1.draw_plot(domain, random)));
        Pieces { domain: domain.clone(), parts: vec![(vec![yes], first), (vec![no], second)] }
    }
    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        match x {
            Left(x) => format!("left {}", self.0.told(x, trial)),
            Right(y) => format!("right {}", self.1.told(y, trial)),
        }
    }
}

impl<X: Ordered, Y: Ordered> Ordered for Either<X, Y> {
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        within(x, y, |x, y| self.0.below(x, y, trial), |x, y| self.1.below(x, y, trial))
    }
    /// Returns the bound, whose sides are those of the first element: a chain never changes sides. On each part of the
    /// first element, the bound is that of plots of one side, each glued from the parts that the later elements have
    /// there.
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        let parts = chain(0).parts.into_iter().map(|(answers, side)| {
            let chain = chain.clone();
            let here = domain.intersection(&Analytic::new(domain.dimension(), vec![answers.clone()]));
            let bound = match side {
                Left(_) => {
                    let (x, part) = (self.0.clone(), here.clone());
                    Left(self.0.lub(&here, Arc::new(move |n| chain(n).within(&x, &part, |side| side.left()))))
                }
                Right(_) => {
                    let (y, part) = (self.1.clone(), here.clone());
                    Right(self.1.lub(&here, Arc::new(move |n| chain(n).within(&y, &part, |side| side.right()))))
                }
            };
            (answers, bound)
        });
        Pieces { domain: domain.clone(), parts: parts.collect() }
    }
    /// Draws a chain of the first side where a guard holds, and of the second side where it fails. On each side,
    /// another guard cuts between two chains. The first element glues the two; later elements list them as parts, in a
    /// varying order.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let [guards, cut] = [(); 2].map(|()| sides(random, domain.dimension()));
        let first = [(); 2].map(|()| self.0.draw_chain(domain, random));
        let second = [(); 2].map(|()| self.1.draw_chain(domain, random));
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| {
            let [yes, no] = &guards;
            let parts = if n == 0 {
                let (p, q) = (glued(&this.0, &domain, &cut, &first), glued(&this.1, &domain, &cut, &second));
                vec![(vec![yes.clone()], Left(p)), (vec![no.clone()], Right(q))]
            } else {
                let left = cut.iter().zip(&first).map(|(side, p)| (vec![yes.clone(), side.clone()], Left(p(n))));
                let right = cut.iter().zip(&second).map(|(side, q)| (vec![no.clone(), side.clone()], Right(q(n))));
                turned(left.chain(right).collect(), n)
            };
            Pieces { domain: domain.clone(), parts }
        })
    }
}

/// Glues the first plots of two chains, each on one side of a guard.
fn glued<X: Ordered>(space: &X, domain: &Analytic, cut: &[Decided; 2], chains: &[Chain<X::Plot>; 2]) -> X::Plot {
    let part = |(side, chain): (&Decided, &Chain<X::Plot>)| {
        (Analytic::new(domain.dimension(), vec![vec![side.clone()]]), chain(0))
    };
    space.piecewise(domain, cut.iter().zip(chains).map(part).collect())
}

/// Rearranges parts in an order that depends on `n`. Bounds must not depend on the order of parts.
fn turned<T>(mut parts: Vec<T>, n: usize) -> Vec<T> {
    parts.reverse();
    let by = n % parts.len().max(1);
    parts.rotate_left(by);
    parts
}

/// The space of lists of elements of X.
#[derive(Clone, Debug)]
pub struct Sequence<X>(pub X);

/// The greatest length of a random list. A choice: bounds multiply the work with each element.
const LONGEST: usize = 2;

impl<X: Ordered> Sequence<X> {
    /// Compares two lists element by element. Different lengths refute.
    fn all(&self, x: &[X::Point], y: &[X::Point], same: impl Fn(&X::Point, &X::Point) -> Tried) -> Tried {
        if x.len() != y.len() {
            return Ok(Verdict::refuted("the length", x.len(), y.len()));
        }
        x.iter().zip(y).try_fold(Verdict::Survived, |all, (x, y)| Ok(all.both(same(x, y)?)))
    }
}

impl<X: Ordered> Diffeology<CAnalytic> for Sequence<X> {
    type Point = Vec<X::Point>;
    type Plot = Pieces<Vec<X::Plot>>;

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        plot.domain.clone()
    }
    fn constant(&self, domain: &Analytic, x: &Self::Point) -> Self::Plot {
        Pieces::whole(domain, x.iter().map(|x| self.0.constant(domain, x)).collect())
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |list, _| list.iter().map(|p| self.0.reparametrise(along, p)).collect())
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        Pieces::joined(domain, pieces)
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        plot.at(u, trial)?.iter().map(|p| self.0.at(p, u, trial)).collect()
    }
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        self.all(x, y, |x, y| self.0.same(x, y, trial))
    }
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let mut all = plot.everywhere(
            trial,
            true,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = exactly(u);
                let at = |list: &[X::Plot]| list.iter().map(|p| self.0.at(p, &u, trial)).collect::<Result<_, _>>();
                self.same(&at(p)?, &at(q)?, trial)
            },
        )?;
        for (part, list) in plot.inhabited(trial) {
            for p in list {
                all = all.both(self.0.is_plot(&self.0.reparametrise(&part, p), trial)?);
            }
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut Random) -> Self::Point {
        (0..random.below(LONGEST + 1)).map(|_| self.0.draw_point(random)).collect()
    }
    /// Draws lists of one length where a guard holds, and of one length where it fails. The lengths may be equal.
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        let parts = sides(random, domain.dimension()).map(|side| {
            (vec![side], (0..random.below(LONGEST + 1)).map(|_| self.0.draw_plot(domain, random)).collect())
        });
        Pieces { domain: domain.clone(), parts: parts.into() }
    }
    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        format!("[{}]", x.iter().map(|x| self.0.told(x, trial)).collect::<Vec<_>>().join(", "))
    }
}

impl<X: Ordered> Ordered for Sequence<X> {
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        self.all(x, y, |x, y| self.0.below(x, y, trial))
    }
    /// Returns the bound, whose lengths are those of the first element: a chain never changes lengths. On each part of
    /// the first element, the bound at each place is that of plots that are glued from the parts of the later elements.
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        let parts = chain(0).parts.into_iter().map(|(answers, list)| {
            let here = domain.intersection(&Analytic::new(domain.dimension(), vec![answers.clone()]));
            let length = list.len();
            let bound = |place: usize| {
                let (chain, x, part) = (chain.clone(), self.0.clone(), here.clone());
                // Parts of other lengths lie elsewhere.
                let element = move |list: &Vec<X::Plot>| list.get(place).filter(|_| list.len() == length).cloned();
                self.0.lub(&here, Arc::new(move |n| chain(n).within(&x, &part, element)))
            };
            (answers, (0..length).map(bound).collect())
        });
        Pieces { domain: domain.clone(), parts: parts.collect() }
    }
    /// Draws a chain of one length where a guard holds, and of one length where it fails. At each place, another guard
    /// cuts between two chains, as in a sum.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let cut = sides(random, domain.dimension());
        let lists = sides(random, domain.dimension()).map(|side| {
            let places = 0..random.below(LONGEST + 1);
            let list: Vec<_> = places.map(|_| [(); 2].map(|()| self.0.draw_chain(domain, random))).collect();
            (side, list)
        });
        let (this, domain) = (self.clone(), domain.clone());
        Arc::new(move |n| {
            let mut parts = Vec::new();
            for (guard, list) in &lists {
                if n == 0 {
                    let list = list.iter().map(|chains| glued(&this.0, &domain, &cut, chains)).collect();
                    parts.push((vec![guard.clone()], list));
                } else {
                    parts.extend(cut.iter().enumerate().map(|(which, side)| {
                        let list = list.iter().map(|chains| chains[which](n)).collect();
                        (vec![guard.clone(), side.clone()], list)
                    }));
                }
            }
            Pieces { domain: domain.clone(), parts: if n == 0 { parts } else { turned(parts, n) } }
        })
    }
}
