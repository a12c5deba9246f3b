//! Wrong spaces, each of which breaks one axiom, is refuted by that one, and by no other.

use super::own_space::at_least_zero;
use crate::diffeology::support::{add, mul};
use smoothish::diffeology::open::{OpenSet, Reparametrisation, compose_graphs};
use smoothish::diffeology::piecewise::PieceRegion;
use smoothish::diffeology::product::{CartesianDiffeology, CartesianPlot};
use smoothish::diffeology::smoothness::{compare_points, rational_point};
use smoothish::diffeology::{Diffeology, DiffeologyError, DiffeologyVerdict};
use smoothish::function::Function;
use smoothish::law::diffeology;
use smoothish::random::SplitMix64;
use smoothish::smooth::graph::{Graph, Unary};
use smoothish::smooth::map::{MapTestConfig, coordinate_graphs, coordinate_variables};
use smoothish::verdict::Verdict;

/// ℝ with some of its smooth maps as plots.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    /// Those with values that are not negative, on all of ℝ.
    WithoutConstants,
    /// Those that rise in every coordinate.
    Rising,
    /// Those that are constant on the whole domain, connected or not.
    GloballyConstant,
    /// Those of which no two values are further apart than 3.
    Oscillating,
}

fn line() -> CartesianDiffeology {
    CartesianDiffeology::whole_space(1)
}

impl Wrong {
    /// The condition at a point: refuted if it certainly fails.
    fn holds(self, plot: &CartesianPlot, u: &[Graph], first: &[Graph], trial: &MapTestConfig) -> DiffeologyVerdict {
        let graphs = plot.description_at(u, trial)?;
        let n = u.len();
        let at_least_zero = |g: &Graph| at_least_zero(g, trial);
        match self {
            Self::WithoutConstants => at_least_zero(&compose_graphs(graphs, u)[0]),
            Self::GloballyConstant => compare_points(
                &compose_graphs(graphs, u),
                &compose_graphs(plot.description_at(first, trial)?, first),
                trial,
            ),
            Self::Oscillating => {
                let [here, there] =
                    [compose_graphs(graphs, u), compose_graphs(plot.description_at(first, trial)?, first)]
                        .map(|x| x[0].clone());
                let apart = add(&here, &mul(&Graph::integer(-1), &there));
                at_least_zero(&add(&Graph::integer(9), &mul(&Graph::integer(-1), &mul(&apart, &apart))))
            }
            Self::Rising => (0..n).try_fold(Verdict::Survived, |all, i| {
                let unit = (0..n).map(|j| Graph::integer(i64::from(i == j))).collect();
                let slope = Graph::derivative(coordinate_variables(n), graphs[0].clone(), u.to_vec(), unit);
                Ok(all.and_part(at_least_zero(&slope)?))
            }),
        }
    }
}

impl Diffeology for Wrong {
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
        let points = plot.domain().sample_points(&mut SplitMix64::new(trial.seed), 2 * trial.sample_points as usize);
        for u in &points {
            all = all.and_part(self.holds(plot, &rational_point(u), &rational_point(&points[0]), trial)?);
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut SplitMix64) -> Vec<Graph> {
        let most = if matches!(self, Self::Oscillating) { 9 } else { 2 };
        vec![Graph::integer(random.next_below(2 * most + 1) as i64 - most as i64)]
    }
    fn draw_plot(&self, domain: &OpenSet, random: &mut SplitMix64) -> CartesianPlot {
        let g = line().draw_plot(domain, random).pieces()[0].value[0].clone();
        let square = Graph::power(&g, &2.into()).unwrap();
        let rising = domain.dimension() > 0;
        let graph = match self {
            Self::WithoutConstants => square,
            Self::GloballyConstant => Graph::integer(random.next_below(100) as i64),
            Self::Oscillating => Graph::unary(Unary::Function(Function::Sin), &g),
            Self::Rising if rising => {
                // the sum of the coordinates, times a number that is not negative
                let n = domain.dimension();
                let sum = coordinate_graphs(n).iter().fold(Graph::integer(0), |sum, x| add(&sum, x));
                mul(&Graph::integer(1 + random.next_below(3) as i64), &sum)
            }
            Self::Rising => Graph::integer(1),
        };
        line().plot_from_graphs(domain, &[graph]).unwrap()
    }
    fn describe_point(&self, x: &Vec<Graph>, trial: &MapTestConfig) -> String {
        line().describe_point(x, trial)
    }
}

#[test]
fn each_wrong_space_is_refuted_by_the_axiom_it_breaks() {
    for (wrong, axiom) in [
        (Wrong::WithoutConstants, "constants"),
        (Wrong::Rising, "reparametrisation"),
        (Wrong::GloballyConstant, "gluing"),
        (Wrong::Oscillating, "gluing"),
    ] {
        let axioms = diffeology::check_space(&wrong, &diffeology::default_samples()).unwrap();
        assert_eq!(axioms.refuted_names(), [axiom], "{wrong:?}\n{axioms}");
        for (name, verdict) in axioms.verdicts_by_name() {
            assert!(name == axiom || *verdict == Verdict::Survived, "{wrong:?}\n{axioms}");
        }
        // of constants alone the axioms say little, and that is said
        let varies = !matches!(wrong, Wrong::GloballyConstant);
        assert_eq!((axioms.varies, axioms.to_string().contains("this says little")), (varies, !varies), "{wrong:?}");
    }
}
