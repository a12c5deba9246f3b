//! Wrong spaces, each of which breaks one axiom, is refuted by that one, and by no other.

use super::own_space::at_least_zero;
use crate::diffeology::support::{add, mul};
use smoothish::diffeology::cartesian::{Cartesian, Plot};
use smoothish::diffeology::open::Open;
use smoothish::diffeology::real::{exactly, same};
use smoothish::diffeology::region::Region;
use smoothish::diffeology::reparametrisation::{Reparametrisation, composed};
use smoothish::diffeology::{Diffeology, DiffeologyError, Tried};
use smoothish::function::Function;
use smoothish::law::diffeology::suite;
use smoothish::random::Random;
use smoothish::smooth::graph::{Graph, Unary};
use smoothish::smooth::map::Trial;
use smoothish::smooth::map::untyped::{coordinates, variables};
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

fn line() -> Cartesian {
    Cartesian::whole(1)
}

impl Wrong {
    /// The condition at a point: refuted if it certainly fails.
    fn holds(self, plot: &Plot, u: &[Graph], first: &[Graph], trial: &Trial) -> Tried {
        let graphs = plot.at(u, trial)?;
        let n = u.len();
        let at_least_zero = |g: &Graph| at_least_zero(g, trial);
        match self {
            Self::WithoutConstants => at_least_zero(&composed(graphs, u)[0]),
            Self::GloballyConstant => same(&composed(graphs, u), &composed(plot.at(first, trial)?, first), trial),
            Self::Oscillating => {
                let [here, there] =
                    [composed(graphs, u), composed(plot.at(first, trial)?, first)].map(|x| x[0].clone());
                let apart = add(&here, &mul(&Graph::integer(-1), &there));
                at_least_zero(&add(&Graph::integer(9), &mul(&Graph::integer(-1), &mul(&apart, &apart))))
            }
            Self::Rising => (0..n).try_fold(Verdict::Survived, |all, i| {
                let unit = (0..n).map(|j| Graph::integer(i64::from(i == j))).collect();
                let slope = Graph::derivative(variables(n), graphs[0].clone(), u.to_vec(), unit);
                Ok(all.both(at_least_zero(&slope)?))
            }),
        }
    }
}

impl Diffeology for Wrong {
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
        let points = plot.domain().samples(&mut Random::new(trial.seed), 2 * trial.samples as usize);
        for u in &points {
            all = all.both(self.holds(plot, &exactly(u), &exactly(&points[0]), trial)?);
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut Random) -> Vec<Graph> {
        let most = if matches!(self, Self::Oscillating) { 9 } else { 2 };
        vec![Graph::integer(random.below(2 * most + 1) as i64 - most as i64)]
    }
    fn draw_plot(&self, domain: &Open, random: &mut Random) -> Plot {
        let g = line().draw_plot(domain, random).pieces()[0].value[0].clone();
        let square = Graph::power(&g, &2.into()).unwrap();
        let rising = domain.dimension() > 0;
        let graph = match self {
            Self::WithoutConstants => square,
            Self::GloballyConstant => Graph::integer(random.below(100) as i64),
            Self::Oscillating => Graph::unary(Unary::Function(Function::Sin), &g),
            Self::Rising if rising => {
                // the sum of the coordinates, times a number that is not negative
                let n = domain.dimension();
                let sum = coordinates(n).iter().fold(Graph::integer(0), |sum, x| add(&sum, x));
                mul(&Graph::integer(1 + random.below(3) as i64), &sum)
            }
            Self::Rising => Graph::integer(1),
        };
        line().plot(domain, &[graph]).unwrap()
    }
    fn told(&self, x: &Vec<Graph>, trial: &Trial) -> String {
        line().told(x, trial)
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
        let axioms = suite::space(&wrong, &suite::samples()).unwrap();
        assert_eq!(axioms.refuted(), [axiom], "{wrong:?}\n{axioms}");
        for (name, verdict) in axioms.named() {
            assert!(name == axiom || *verdict == Verdict::Survived, "{wrong:?}\n{axioms}");
        }
        // of constants alone the axioms say little, and that is said
        let varies = !matches!(wrong, Wrong::GloballyConstant);
        assert_eq!((axioms.varies, axioms.to_string().contains("this says little")), (varies, !varies), "{wrong:?}");
    }
}
