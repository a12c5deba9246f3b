//! A diffeological space of one's own: the half-line [0, ∞), whose plots are the smooth functions that are nowhere negative;
//! and a wrong one, which allows only those that rise.
//!
//! `cargo run --example own_space`

use smoothish::diffeology::map::SmoothMap;
use smoothish::diffeology::open::{OpenSet, Reparametrisation, compose_graphs};
use smoothish::diffeology::piecewise::PieceRegion;
use smoothish::diffeology::product::{CartesianDiffeology, CartesianPlot};
use smoothish::diffeology::smoothness::{default_smoothness_test, enclose_number, rational_point};
use smoothish::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use smoothish::law::diffeology;
use smoothish::number::{Function, Rational};
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Binary, Graph};
use smoothish::smooth::map::{MapTestConfig, coordinate_graphs, coordinate_variables};
use smoothish::verdict::Verdict;

/// [0, ∞)
#[derive(Clone, Copy, Debug)]
pub struct HalfLine {
    /// Whether only functions that rise in every coordinate count as plots.
    pub rising: bool,
}

fn line() -> CartesianDiffeology {
    CartesianDiffeology::whole_space(1)
}

/// Refuted if a number is certainly negative; vacuous unless its enclosure is narrow, or certainly not negative.
pub fn at_least_zero(x: &Graph, trial: &MapTestConfig) -> DiffeologyVerdict {
    let e = enclose_number(x, trial)?;
    Ok(match e.is_defined() {
        true if *e.hi() < 0 => Verdict::refuted("a number", e, "0 or more"),
        true if *e.lo() >= 0 || e.has_width_at_most(&trial.eps) => Verdict::Survived,
        _ => Verdict::Vacuous,
    })
}

impl Diffeology for HalfLine {
    type Point = Vec<Graph>;
    type Plot = CartesianPlot;

    fn plot_domain(&self, plot: &CartesianPlot) -> OpenSet {
        plot.domain().clone()
    }

    fn constant_plot(&self, domain: &OpenSet, x: &Vec<Graph>) -> CartesianPlot {
        line().constant_plot(domain, x)
    }

    fn reparametrise(&self, along: &Reparametrisation, plot: &CartesianPlot) -> CartesianPlot {
        line().reparametrise(along, plot)
    }

    fn glue_pieces(&self, domain: &OpenSet, pieces: Vec<(PieceRegion, CartesianPlot)>) -> CartesianPlot {
        line().glue_pieces(domain, pieces)
    }

    fn value_at(
        &self,
        plot: &CartesianPlot,
        u: &[Graph],
        trial: &MapTestConfig,
    ) -> Result<Vec<Graph>, DiffeologyError> {
        line().value_at(plot, u, trial)
    }

    fn compare_points(&self, x: &Vec<Graph>, y: &Vec<Graph>, trial: &MapTestConfig) -> DiffeologyVerdict {
        line().compare_points(x, y, trial)
    }

    fn test_plot(&self, plot: &CartesianPlot, trial: &MapTestConfig) -> DiffeologyVerdict {
        let mut all = line().test_plot(plot, trial)?;
        for u in plot.domain().sample_points(&mut SplitMix64::new(trial.seed), trial.sample_points as usize) {
            let (at, n) = (rational_point(&u), u.len());
            let graph = &plot.description_at(&at, trial)?[0];
            all = all.and_part(at_least_zero(&compose_graphs(std::slice::from_ref(graph), &at)[0], trial)?);
            for i in (0..n).filter(|_| self.rising) {
                let unit = (0..n).map(|j| Graph::integer(i64::from(i == j))).collect();
                let slope = Graph::derivative(coordinate_variables(n), graph.clone(), at.clone(), unit);
                all = all.and_part(at_least_zero(&slope, trial)?);
            }
        }
        Ok(all)
    }

    fn draw_point(&self, random: &mut SplitMix64) -> Vec<Graph> {
        vec![Graph::rational(Rational::from((random.next_below(9) as i64, 4)))]
    }

    /// Squares, or the exponential of the sum of the coordinates.
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> CartesianPlot {
        let combined = |operation, a: &Graph, b: &Graph| Graph::binary(operation, a, b);
        let own = coordinate_graphs(domain.dimension());
        let sum = own.iter().fold(Graph::integer(0), |sum, x| combined(Binary::Add, &sum, x));
        line().draw_plot(domain, random).map_pieces(|graphs| {
            let square = combined(Binary::Multiply, &graphs[0], &graphs[0]);
            [if self.rising { Graph::function(Function::Exp, &sum) } else { square }].into()
        })
    }

    fn describe_point(&self, x: &Vec<Graph>, trial: &MapTestConfig) -> String {
        line().describe_point(x, trial)
    }
}

/// The function of a graph, from the half-line to the line.
pub fn function(graph: Graph) -> SmoothMap<HalfLine, CartesianDiffeology> {
    SmoothMap::new(&HalfLine { rising: false }, &line(), move |p| {
        Ok(p.map_pieces(|graphs| compose_graphs(std::slice::from_ref(&graph), graphs).into()))
    })
}

fn main() -> Result<(), DiffeologyError> {
    for rising in [false, true] {
        println!("the half-line, {}", if rising { "with plots that rise" } else { "with all its plots" });
        print!("{}", diffeology::check_space(&HalfLine { rising }, &diffeology::default_samples())?);
    }
    // |x| is x on the half-line: nothing that stays in it sees the kink; √x is not smooth at its end
    let x = &coordinate_graphs(1)[0];
    let abs = Graph::unary(smoothish::smooth::graph::Unary::Abs, x);
    let root = Graph::function(Function::Sqrt, x);
    println!("abs: {}", function(abs).test_smoothness(&default_smoothness_test())?);
    println!("sqrt: {}", function(root).test_smoothness(&default_smoothness_test())?);
    Ok(())
}
