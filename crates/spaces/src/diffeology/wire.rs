//! The plane with the wire diffeology: its plots are the functions that factor locally through ℝ.
//!
//! A candidate is a function of k parameters, which are functions of the point of U. With k ≤ 1 it factors, and is a
//! plot if it is smooth. With k > 1 it is refuted if a minor of its Jacobian is certainly not 0, because a function
//! that factors through ℝ has rank at most 1. If no minor refutes, the factorisation is not shown. The identity of the
//! plane is refuted, so the space is not the plane. Yet both have the same smooth functions to ℝ, by a theorem of
//! [Boman](crate::refs::BOMAN_1967): a function that is smooth along all smooth curves is smooth.

use super::Tried;
use super::error::DiffeologyError;
use super::open::Open;
use super::piecewise::{Piece, Piecewise};
use super::real::{enclosure, exactly, same, told_point};
use super::region::Region;
use super::reparametrisation::{Reparametrisation, composed, number};
use super::smoothness::{self, direction};
use super::space::Diffeology;
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph};
use crate::smooth::map::Trial;
use crate::smooth::map::untyped::{Untyped, variables};
use crate::verdict::Verdict;

/// ℝ² with the wire diffeology.
#[derive(Clone, Copy, Debug)]
pub struct Wire;

/// A function U → ℝ² that factors through k parameters.
#[derive(Clone, Debug)]
pub struct Through {
    /// The parameters U → ℝᵏ, as graphs over the coordinates of U.
    parameters: Vec<Graph>,
    /// The map ℝᵏ → ℝ², as graphs over the coordinates of ℝᵏ.
    map: Vec<Graph>,
}

impl Through {
    /// Returns the composite, as graphs over the coordinates of U.
    #[must_use]
    pub fn composite(&self) -> Vec<Graph> {
        composed(&self.map, &self.parameters)
    }
}

impl Wire {
    /// Returns the function `u ↦ map(parameters(u))`.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`] if the map does not have two components. [`DiffeologyError::Map`] if a graph
    /// mentions a variable that is no coordinate.
    pub fn through(domain: &Open, parameters: &[Graph], map: &[Graph]) -> Result<Piecewise<Through>, DiffeologyError> {
        DiffeologyError::fits("the list of graphs", 2, map.len())?;
        Untyped::of_graphs(&variables(domain.dimension()), parameters)?;
        Untyped::of_graphs(&variables(parameters.len()), map)?;
        Ok(Piecewise::whole(domain, Through { parameters: parameters.to_vec(), map: map.to_vec() }))
    }

    /// Searches for a 2 × 2 minor of the Jacobian at `u` that is certainly not 0. Returns the refutation, or `None` if
    /// no minor refutes.
    fn minor(value: &[Graph], u: &[Rational], trial: &Trial) -> Result<Option<Verdict>, DiffeologyError> {
        let (n, at) = (u.len(), exactly(u));
        let unit = |i: usize| (0..n).map(|j| Graph::integer(i64::from(i == j))).collect();
        let partial = |k: usize, i: usize| Graph::derivative(variables(n), value[k].clone(), at.clone(), unit(i));
        let times = |a: &Graph, b: &Graph| Graph::binary(Binary::Multiply, a, b);
        for i in 0..n {
            for j in 0..i {
                let minor = Graph::binary(
                    Binary::Subtract,
                    &times(&partial(0, j), &partial(1, i)),
                    &times(&partial(0, i), &partial(1, j)),
                );
                let found = enclosure(&minor, trial)?;
                // Rank at most 1 means that all minors vanish.
                if found.is_defined() && (*found.lo() > 0 || *found.hi() < 0) {
                    let witness = format!("{}, columns {j} and {i}", super::error::shown(u));
                    return Ok(Some(Verdict::refuted(witness, format!("a minor in {found}"), "a rank of at most 1")));
                }
            }
        }
        Ok(None)
    }

    /// Tests a piece at a point: smoothness, rank and factorisation.
    fn judged(
        plot: &Piecewise<Through>,
        piece: &Piece<Through>,
        u: &[Rational],
        random: &mut Random,
        trial: &Trial,
    ) -> Tried {
        let value = piece.value.composite();
        DiffeologyError::fits("a point of the plane", 2, value.len())?;
        // On a closed piece, the graphs near the point need not describe the function near it.
        if !piece.region.is_open() {
            return Ok(Verdict::Vacuous);
        }
        let along = direction(random, u.len());
        let mut all = smoothness::on_line(&value, u, &along, trial, |x| plot.has_inside(piece, x, trial))?;
        if let Some(refuted) = Self::minor(&value, u, trial)? {
            return Ok(refuted);
        }
        if piece.value.parameters.len() > 1 {
            return Ok(Verdict::Vacuous.both(all));
        }
        // The function factors through at most one parameter. Its factors are tested for smoothness.
        let factors = smoothness::at_point(&piece.value.parameters, u, &along, trial)?;
        // At a parameter that is not rational, the curve is tested at a random integer instead.
        let known: Option<Vec<_>> =
            composed(&piece.value.parameters, &exactly(u)).iter().map(|g| g.as_rational().cloned()).collect();
        let t = known.unwrap_or_else(|| {
            piece.value.parameters.iter().map(|_| Rational::from(random.below(5) as i64 - 2)).collect()
        });
        let curve = smoothness::at_point(&piece.value.map, &t, &vec![Rational::from(1); t.len()], trial)?;
        for factor in [factors, curve] {
            // A kink of a factor need not be a kink of the composite, so it refutes nothing.
            let shown = if Verdict::from(factor) == Verdict::Survived { Verdict::Survived } else { Verdict::Vacuous };
            all = shown.both(all);
        }
        Ok(all)
    }
}

impl Diffeology for Wire {
    type Point = Vec<Graph>;
    type Plot = Piecewise<Through>;

    fn domain(&self, plot: &Self::Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &Vec<Graph>) -> Self::Plot {
        // No parameters at all: a constant function factors through ℝ.
        Piecewise::whole(domain, Through { parameters: Vec::new(), map: x.clone() })
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Self::Plot) -> Self::Plot {
        plot.along(along, |p| Through { parameters: along.pull(&p.parameters), map: p.map.clone() })
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Self::Plot)>) -> Self::Plot {
        Piecewise::joined(domain, pieces)
    }

    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Vec<Graph>, DiffeologyError> {
        Ok(composed(&plot.at(u, trial)?.composite(), u))
    }

    fn same(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &Trial) -> Tried {
        same(x, y, trial)
    }

    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        plot.everywhere(
            trial,
            |piece, u, random| Self::judged(plot, piece, u, random, trial),
            |p, q, u| {
                let u = exactly(u);
                same(&composed(&p.composite(), &u), &composed(&q.composite(), &u), trial)
            },
        )
    }

    fn draw_point(&self, random: &mut Random) -> Vec<Graph> {
        (0..2).map(|_| Graph::integer(random.below(5) as i64 - 2)).collect()
    }

    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Self::Plot {
        let parameters = vec![number(random, domain.dimension())];
        let map = (0..2).map(|_| number(random, 1)).collect();
        Piecewise::whole(domain, Through { parameters, map })
    }

    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Region, Graph)> {
        let coordinate =
            |p: &Through| p.composite().get((which % 2) as usize).cloned().unwrap_or_else(|| Graph::integer(0));
        plot.pieces().iter().map(|p| (p.region.clone(), coordinate(&p.value))).collect()
    }

    fn told(&self, x: &Vec<Graph>, trial: &Trial) -> String {
        told_point(x, trial)
    }
}
