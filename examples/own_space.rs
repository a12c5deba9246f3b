//! A diffeological space of one's own: the half-line [0, ∞), whose plots are the smooth functions that are nowhere negative;
//! and a wrong one, which allows only those that rise.
//!
//! `cargo run --example own_space`

use smoothish::diffeology::cartesian::{Cartesian, Plot};
use smoothish::diffeology::map::Smooth;
use smoothish::diffeology::open::Open;
use smoothish::diffeology::real::{enclosure, exactly};
use smoothish::diffeology::region::Region;
use smoothish::diffeology::reparametrisation::{Reparametrisation, composed};
use smoothish::diffeology::smoothness::trial;
use smoothish::diffeology::{Diffeology, DiffeologyError, Tried};
use smoothish::law::diffeology::suite;
use smoothish::number::{Function, Rational};
use smoothish::random::Random;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::Trial;
use smoothish::smooth::map::untyped::{coordinates, variables};
use smoothish::verdict::Verdict;

/// [0, ∞)
#[derive(Clone, Copy, Debug)]
pub struct HalfLine {
    /// Whether only functions that rise in every coordinate count as plots.
    pub rising: bool,
}

fn line() -> Cartesian {
    Cartesian::whole(1)
}

/// Refuted if a number is certainly negative; vacuous unless its enclosure is narrow, or certainly not negative.
pub fn at_least_zero(x: &Graph, trial: &Trial) -> Tried {
    let e = enclosure(x, trial)?;
    Ok(match e.is_defined() {
        true if *e.hi() < 0 => Verdict::refuted("a number", e, "0 or more"),
        true if *e.lo() >= 0 || e.is_within(&trial.eps) => Verdict::Survived,
        _ => Verdict::Vacuous,
    })
}

impl Diffeology for HalfLine {
    type Point = Vec<Graph>;
    type Plot = Plot;

    fn domain(&self, plot: &Plot) -> Open {
        plot.domain().clone()
    }

    fn constant(&self, domain: &Open, x: &Vec<Graph>) -> Plot {
        line().constant(domain, x)
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &Plot) -> Plot {
        line().reparametrise(along, plot)
    }

    fn piecewise(&self, domain: &Open, pieces: Vec<(Region, Plot)>) -> Plot {
        line().piecewise(domain, pieces)
    }

    fn at(&self, plot: &Plot, u: &[Graph], trial: &Trial) -> Result<Vec<Graph>, DiffeologyError> {
        line().at(plot, u, trial)
    }

    fn same(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &Trial) -> Tried {
        line().same(x, y, trial)
    }

    fn is_plot(&self, plot: &Plot, trial: &Trial) -> Tried {
        let mut all = line().is_plot(plot, trial)?;
        for u in plot.domain().samples(&mut Random::new(trial.seed), trial.samples as usize) {
            let (at, n) = (exactly(&u), u.len());
            let graph = &plot.at(&at, trial)?[0];
            all = all.both(at_least_zero(&composed(std::slice::from_ref(graph), &at)[0], trial)?);
            for i in (0..n).filter(|_| self.rising) {
                let unit = (0..n).map(|j| Graph::integer(i64::from(i == j))).collect();
                let slope = Graph::derivative(variables(n), graph.clone(), at.clone(), unit);
                all = all.both(at_least_zero(&slope, trial)?);
            }
        }
        Ok(all)
    }

    fn draw_point(&self, random: &mut Random) -> Vec<Graph> {
        vec![Graph::rational(Rational::from((random.below(9) as i64, 4)))]
    }

    /// Squares, or the exponential of the sum of the coordinates.
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Plot {
        let combined = |operation, a: &Graph, b: &Graph| Graph::binary(operation, a, b);
        let own = coordinates(domain.dimension());
        let sum = own.iter().fold(Graph::integer(0), |sum, x| combined(Binary::Add, &sum, x));
        line().draw_plot(domain, random).each(|graphs| {
            let square = combined(Binary::Multiply, &graphs[0], &graphs[0]);
            [if self.rising { Graph::function(Function::Exp, &sum) } else { square }].into()
        })
    }

    fn told(&self, x: &Vec<Graph>, trial: &Trial) -> String {
        line().told(x, trial)
    }
}

/// The function of a graph, from the half-line to the line.
pub fn function(graph: Graph) -> Smooth<HalfLine, Cartesian> {
    Smooth::new(&HalfLine { rising: false }, &line(), move |p| {
        Ok(p.each(|graphs| composed(std::slice::from_ref(&graph), graphs).into()))
    })
}

fn main() -> Result<(), DiffeologyError> {
    for rising in [false, true] {
        println!("the half-line, {}", if rising { "with plots that rise" } else { "with all its plots" });
        print!("{}", suite::space(&HalfLine { rising }, &suite::samples())?);
    }
    // |x| is x on the half-line: nothing that stays in it sees the kink; √x is not smooth at its end
    let x = &coordinates(1)[0];
    let abs = Graph::unary(smoothish::smooth::graph::Unary::Abs, x);
    let root = Graph::function(Function::Sqrt, x);
    println!("abs: {}", function(abs).tried(&trial())?);
    println!("sqrt: {}", function(root).tried(&trial())?);
    Ok(())
}
