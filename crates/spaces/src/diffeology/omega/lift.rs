//! Liftings: partial functions whose domains are c-analytic subsets.

use super::{Chain, MOST, Ordered, Pieces};
use crate::diffeology::analytic::{Analytic, Answers, CAnalytic, PapMap, sides};
use crate::diffeology::real::exactly;
use crate::diffeology::{Diffeology, DiffeologyError, Tried};
use crate::pieces::Decided;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The lifting X⊥ of a space.
#[derive(Clone, Debug)]
pub struct Lift<X>(pub X);

/// The result of evaluating a partial function at a point.
#[derive(Clone, Debug)]
pub enum Found<T> {
    /// The value.
    Value(T),
    /// The function is certainly undefined at the point.
    Nothing,
    /// No value was found, but there may be one.
    Unknown,
}

/// A partial function: it is given on each of countably many analytic sets, and undefined elsewhere.
#[derive(Clone)]
pub struct Lifted<P> {
    /// The domain U of the candidates for its arguments.
    pub domain: Analytic,
    /// The parts that are known after n steps. More steps know more parts.
    pub parts: Chain<Pieces<P>>,
    /// The number of steps after which no more parts are found; `None` if it is unknown.
    pub ends: Option<usize>,
}

impl<P: Clone + Send + Sync + 'static> Lifted<P> {
    /// Returns the partial function with finitely many parts.
    #[must_use]
    pub fn of(pieces: Pieces<P>) -> Self {
        Self { domain: pieces.domain.clone(), parts: Arc::new(move |_| pieces.clone()), ends: Some(0) }
    }

    /// Returns the parts that are known after all steps, or after [`MOST`] steps if there is no known end.
    #[must_use]
    pub fn known(&self) -> Pieces<P> {
        (self.parts)(self.ends.unwrap_or(MOST))
    }

    /// Applies `made` to the parts of each step.
    fn each(&self, made: impl Fn(&Pieces<P>) -> Pieces<P> + Send + Sync + 'static) -> Self {
        let parts = self.parts.clone();
        let one = made(&(self.parts)(0)).domain;
        Self { domain: one, parts: Arc::new(move |n| made(&parts(n))), ends: self.ends }
    }
}

impl<X: Ordered> Diffeology<CAnalytic> for Lift<X> {
    type Point = Found<X::Point>;
    type Plot = Lifted<X::Plot>;

    fn domain(&self, plot: &Self::Plot) -> Analytic {
        plot.domain.clone()
    }
    fn constant(&self, domain: &Analytic, x: &Self::Point) -> Self::Plot {
        let parts = match x {
            Found::Value(x) => vec![(Answers::new(), self.0.constant(domain, x))],
            Found::Nothing | Found::Unknown => Vec::new(),
        };
        Lifted::of(Pieces { domain: domain.clone(), parts })
    }
    fn reparametrise(&self, along: &PapMap, plot: &Self::Plot) -> Self::Plot {
        let (x, along) = (self.0.clone(), along.clone());
        plot.each(move |pieces| pieces.along(&along, |p, _| x.reparametrise(&along, p)))
    }
    fn piecewise(&self, domain: &Analytic, pieces: Vec<(Analytic, Self::Plot)>) -> Self::Plot {
        // One endless piece makes the whole endless.
        let ends = pieces.iter().try_fold(0, |most, (_, plot)| plot.ends.map(|n| most.max(n)));
        let whole = domain.clone();
        let parts = move |n: usize| {
            Pieces::joined(&whole, pieces.iter().map(|(set, plot)| (set.clone(), (plot.parts)(n))).collect())
        };
        Lifted { domain: domain.clone(), parts: Arc::new(parts), ends }
    }
    fn at(&self, plot: &Self::Plot, u: &[Graph], trial: &Trial) -> Result<Self::Point, DiffeologyError> {
        let known = plot.known();
        let (found, outside) = known.around(u);
        // A point outside of the known parts is certainly outside only if there are no more parts.
        Ok(match (found.first(), outside && plot.ends.is_some()) {
            (Some(p), _) => Found::Value(self.0.at(p, u, trial)?),
            (None, true) => Found::Nothing,
            (None, false) => Found::Unknown,
        })
    }
    fn same(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Ok(match (x, y) {
            (Found::Value(x), Found::Value(y)) => self.0.same(x, y, trial)?,
            (Found::Nothing, Found::Nothing) => Verdict::Survived,
            (Found::Unknown, _) | (_, Found::Unknown) => Verdict::Vacuous,
            _ => Verdict::refuted("a partial value", self.told(x, trial), self.told(y, trial)),
        })
    }
    /// Tests each part as a plot on its own set, and the agreement of parts that overlap.
    fn is_plot(&self, plot: &Self::Plot, trial: &Trial) -> Tried {
        let known = plot.known();
        let mut all = known.everywhere(
            trial,
            false,
            |_, _| Ok(Verdict::Survived),
            |p, q, u| {
                let u = exactly(u);
                self.0.same(&self.0.at(p, &u, trial)?, &self.0.at(q, &u, trial)?, trial)
            },
        )?;
        for (part, p) in known.inhabited(trial) {
            all = all.both(self.0.is_plot(&self.0.reparametrise(&part, p), trial)?);
        }
        Ok(all)
    }
    fn draw_point(&self, random: &mut Random) -> Self::Point {
        if random.chance(25) { Found::Nothing } else { Found::Value(self.0.draw_point(random)) }
    }
    /// Draws a plot that is defined nowhere (1 in 4), everywhere (1 in 4), or on one side of a guard.
    fn draw_plot(&self, domain: &Analytic, random: &mut Random) -> Self::Plot {
        let [side, _] = sides(random, domain.dimension());
        let p = self.0.draw_plot(domain, random);
        let parts = match random.below(4) {
            0 => Vec::new(),
            1 => vec![(Answers::new(), p)],
            _ => vec![(vec![side], p)],
        };
        Lifted::of(Pieces { domain: domain.clone(), parts })
    }
    /// Observes the value on the parts where the function is defined. There is no piece elsewhere.
    fn observed(&self, which: u64, plot: &Self::Plot) -> Vec<(Analytic, Graph)> {
        let (known, n) = (plot.known(), plot.domain.dimension());
        let parts = known.parts.iter().flat_map(|(answers, p)| {
            let here = Analytic::new(n, vec![answers.clone()]);
            self.0.observed(which, p).into_iter().map(move |(set, g)| (here.intersection(&set), g))
        });
        parts.collect()
    }
    fn told(&self, x: &Self::Point, trial: &Trial) -> String {
        match x {
            Found::Value(x) => self.0.told(x, trial),
            Found::Nothing => "no value".to_owned(),
            Found::Unknown => "a value that is not known".to_owned(),
        }
    }
}

/// Returns `true` if two analytic sets are given by the same guards with the same answers.
fn identical(a: &Answers, b: &Answers) -> bool {
    let same = |(a, b): (&Decided, &Decided)| {
        // Graphs are compared by address: a missed equality costs time only.
        a.holds == b.holds && a.guard.test == b.guard.test && a.guard.graph.address() == b.guard.graph.address()
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

impl<X: Ordered> Ordered for Lift<X> {
    fn below(&self, x: &Self::Point, y: &Self::Point, trial: &Trial) -> Tried {
        Ok(match (x, y) {
            // ⊥ is the least element.
            (Found::Nothing, _) => Verdict::Survived,
            (Found::Value(x), Found::Value(y)) => self.0.below(x, y, trial)?,
            (Found::Value(_), Found::Nothing) => {
                Verdict::refuted("a partial value", self.told(x, trial), self.told(y, trial))
            }
            (Found::Unknown, _) | (_, Found::Unknown) => Verdict::Vacuous,
        })
    }
    /// Returns a bound that is defined where an element of the chain is. On a part of the m-th element, it is the bound
    /// of the values from there on, each glued from the parts that the element has there. After n steps, the parts of
    /// the elements 0 to n are known.
    fn lub(&self, domain: &Analytic, chain: Chain<Self::Plot>) -> Self::Plot {
        let (space, whole) = (self.0.clone(), domain.clone());
        let parts = move |n: usize| {
            let first: Arc<Vec<_>> = Arc::new((0..=n).map(|m| chain(m).known()).collect());
            let mut parts: Vec<(Answers, X::Plot)> = Vec::new();
            for (m, known) in first.iter().enumerate() {
                for (answers, _) in &known.parts {
                    // An earlier element has the same set, and there the same bound.
                    if parts.iter().any(|(earlier, _)| identical(earlier, answers)) {
                        continue;
                    }
                    let here = whole.intersection(&Analytic::new(whole.dimension(), vec![answers.clone()]));
                    let (x, first, chain, part) = (space.clone(), first.clone(), chain.clone(), here.clone());
                    let values = move |k: usize| {
                        let k = k.max(m);
                        let known = first.get(k).cloned().unwrap_or_else(|| chain(k).known());
                        known.within(&x, &part, |p| Some(p.clone()))
                    };
                    parts.push((answers.clone(), space.lub(&here, Arc::new(values))));
                }
            }
            Pieces { domain: whole.clone(), parts }
        };
        Lifted { domain: domain.clone(), parts: Arc::new(parts), ends: None }
    }
    /// Draws a chain. Its n-th plot is defined on the first n of three analytic sets.
    fn draw_chain(&self, domain: &Analytic, random: &mut Random) -> Chain<Self::Plot> {
        let inner = self.0.draw_chain(domain, random);
        let steps: Vec<Answers> = (0..3).map(|_| vec![sides(random, domain.dimension())[0].clone()]).collect();
        let domain = domain.clone();
        Arc::new(move |n| {
            let parts = steps.iter().take(n).map(|answers| (answers.clone(), inner(n))).collect();
            Lifted::of(Pieces { domain: domain.clone(), parts })
        })
    }
}
