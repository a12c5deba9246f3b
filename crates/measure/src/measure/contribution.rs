//! What a path contributes to a sum, as numbers that can be asked: a product of integrals over groups of draws.

mod absolute;
mod under;

use super::boxes::{Boxes, chance_to_leave};
use super::cells::Obstacle;
use super::distribution::multiply;
use super::draws::{Parameter, Path};
use super::hooks::{self, Hooks};
use super::integral::{Leaf, MOST_COORDINATES, derived, scaled};
use super::majorant::magnitude;
use super::moment;
use super::range::{BITS, number};
use super::shear::sheared;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::real::Real;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::map::untyped::Untyped;
use crate::smooth::question::Evaluation;
use absolute::Integrand;
use std::sync::OnceLock;
use std::time::Duration;
use under::under_the_integral;

/// What is integrated over a path: a product of maps of the draws.
#[derive(Clone, Debug, Default)]
pub struct Factors {
    /// Maps that are nowhere less than 0, but for a set of chance 0.
    pub weights: Vec<Graph>,
    /// Maps of any sign.
    pub values: Vec<Graph>,
}

/// A derivative in the parameter of the integral of a product of maps over a path.
#[derive(Debug)]
pub struct Contribution {
    hooks: &'static dyn Hooks,
    path: Path,
    /// The weights, and behind them the values.
    factors: Vec<Graph>,
    /// How many of them are weights.
    weights: usize,
    /// Whether the absolute value of the product is shown to have an integral; not set where that was not asked, or not to the end.
    absolutely: OnceLock<bool>,
    parameter: Option<Parameter>,
    order: u32,
    source: Result<Option<Source>, Obstacle>,
    /// The same as a mean of another map.
    under: Option<Box<Self>>,
}

/// Integrals of which it is the product.
#[derive(Debug)]
struct Source {
    map: Option<Real<Evaluation>>,
    leaf: Leaf,
}

/// From which width on, as a power of two, borders are better followed along an axis: in cells that have ends, …
const FINE: u32 = 8;
/// …and where one of them has none.
const FINE_WHERE_OPEN: u32 = 17;
/// What a bound by moments may still cost when the time is up.
const MOMENT: Duration = Duration::from_millis(20);
const MOMENT_OF_WORK: u64 = 1_000_000;
/// To which width integrals are known before it is decided how far each matters.
const COARSE: u32 = 10;

/// The most characters of a map that a sentence shows.
const LONGEST: usize = 160;

/// Says that the absolute value of a product of maps, of the draws and the parameter, is not shown to have an integral over a path.
#[must_use]
pub fn divergence(path: &Path, parameter: Option<&Parameter>, factors: &[Graph]) -> String {
    let product = factors.iter().fold(Graph::integer(1), |product, factor| multiply(&product, factor));
    let all = path.coordinates().map(|x| x.variable).chain(parameter.map(|p| p.variable));
    let own: Vec<Variable> = all.filter(|v| product.depends_on(*v)).collect();
    let map = Untyped::of_graphs(&own, &[product]).map(|map| map.to_string());
    let map = map.ok().filter(|map| map.len() <= LONGEST).map_or_else(|| "it".to_owned(), |map| format!("`{map}`"));
    format!(
        "the integral of the absolute value of {map} over what is drawn is not shown to be finite; without one there is no mean"
    )
}

impl Contribution {
    /// A derivative of what a path contributes.
    #[must_use]
    pub fn new(path: &Path, factors: Factors, parameter: Option<&Parameter>, order: u32, budget: &Budget) -> Self {
        let Factors { weights, values } = factors;
        let (weights, factors) = (weights.len(), [weights, values].concat());
        // of a lower derivative than the highest that is asked for, no more is demanded
        let parameter = parameter.map(|p| Parameter { order, ..p.clone() });
        let parameter = parameter.as_ref();
        let (path, factors) = sheared(path, &factors);
        let source = match budget.is_exhausted() {
            true => Err(Obstacle::Time),
            false => Leaf::reduced(&path, &factors, parameter, budget).map(|leaf| {
                leaf.map(|leaf| {
                    let map = derived(&leaf.integral(false, true, parameter, budget), parameter, order).real().ok();
                    Source { map, leaf }
                })
            }),
        };
        let is_hard = match &source {
            Ok(source) => source.as_ref().is_some_and(|source| source.leaf.is_hard_to_differentiate()),
            Err(obstacle) => *obstacle != Obstacle::Time,
        };
        let under = parameter.filter(|_| order > 0 && is_hard).and_then(|parameter| {
            let map = under_the_integral(&path, &factors, parameter, order, budget)?;
            let factors = Factors { values: vec![map], ..Factors::default() };
            let under = Self::new(&path, factors, Some(&Parameter { order: 0, ..parameter.clone() }), 0, budget);
            // it was asked for a bound
            Some(Box::new(Self { absolutely: OnceLock::from(true), ..under }))
        });
        let absolutely = OnceLock::new();
        Self {
            hooks: &hooks::Library,
            path,
            factors,
            weights,
            absolutely,
            parameter: parameter.cloned(),
            order,
            source,
            under,
        }
    }

    /// The same under rules of one's own.
    #[must_use]
    pub fn under(self, hooks: &'static dyn Hooks) -> Self {
        Self { hooks, under: self.under.map(|under| Box::new(under.under(hooks))), ..self }
    }

    /// Why there are no integrals.
    #[must_use]
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.source.as_ref().err().filter(|_| self.under.is_none())
    }

    /// Whether the absolute value of what is integrated has an integral, so that the order of the draws does not matter.
    fn is_absolute(&self, source: &Source, budget: &Budget) -> bool {
        if !self.hooks.needs_absolute_integrals() {
            return true;
        }
        if let Some(found) = self.absolutely.get() {
            return *found;
        }
        let integrand = Integrand {
            path: &self.path,
            factors: &self.factors,
            parameter: self.parameter.as_ref(),
            in_boxes: !source.leaf.is_somewhere(),
        };
        let found = absolute::is_shown(integrand, self.weights, budget);
        // with more time it may still be shown
        if found || !budget.is_exhausted() {
            let _ = self.absolutely.set(found);
        }
        found
    }

    /// Whether it was asked, and not shown, that the absolute value of what is integrated has an integral.
    #[must_use]
    pub fn may_diverge(&self) -> bool {
        self.absolutely.get() == Some(&false)
    }

    /// Whether more draws have to do with each other than are integrated over along one axis after the other.
    #[must_use]
    pub fn has_many_coordinates(&self) -> bool {
        let source = self.source.as_ref().ok().and_then(Option::as_ref);
        source.is_some_and(|source| source.leaf.boxes().any(|boxes| boxes.len() > MOST_COORDINATES))
    }

    /// An enclosure to a width, or as far as the budget goes; ⊥ where nothing is known.
    #[must_use]
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Enclosure {
        let half = budget.remaining().map(|left| left / 2);
        let under = self.under.as_ref().map(|under| under.enclose(eps, &budget.part(u64::MAX, half)));
        let under = under.filter(Enclosure::is_defined);
        if let Some(found) = under.as_ref().filter(|found| found.is_within(eps)) {
            return found.clone();
        }
        let found = match &self.source {
            Ok(None) => return number(&Rational::new()),
            Ok(Some(source)) if self.is_absolute(source, budget) => self.at_scale(source, eps, budget),
            Ok(Some(_)) | Err(_) => None,
        };
        let found = found.filter(Enclosure::is_defined);
        let found = match (found, under) {
            (Some(a), Some(b)) => a.intersection(&b),
            (a, b) => a.or(b),
        };
        match found {
            Some(found) if found.is_within(eps) => found,
            found => match self.by_moments(budget) {
                Some(most) => found.and_then(|found| found.intersection(&most)).unwrap_or(most),
                None => found.unwrap_or_else(Enclosure::bottom),
            },
        }
    }

    /// By integrals of the size of 1, times a power of two.
    fn at_scale(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let shift = i32::try_from(source.leaf.shift()).ok()?;
        if shift == 0 {
            return self.by_either(source, eps, budget);
        }
        let found = self.by_either(source, &scaled(eps.clone(), -i64::from(shift)), budget)?;
        let [lo, hi] = [found.lo(), found.hi()].map(|end| end.clone() << shift);
        Enclosure::new(lo, hi, found.is_defined()).ok()
    }

    /// By a bound of the absolute value.
    fn by_moments(&self, budget: &Budget) -> Option<Enclosure> {
        // it is the last that is tried, and short
        let moment = budget.part(MOMENT_OF_WORK, Some(MOMENT));
        let budget = if budget.is_exhausted() { &moment } else { budget };
        let most =
            moment::bound(&self.path, &self.factors, self.parameter.as_ref(), self.order, budget)?.to_rational()?;
        Some(number(&Rational::from(-&most)).hull(&number(&most)))
    }

    /// By boxes, or along one axis after the other, which is better where one axis is left, or borders are met and much is asked.
    fn by_either(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let fine = if source.leaf.is_bounded() { FINE } else { FINE_WHERE_OPEN };
        let is_fine = *eps < Rational::from(1) >> fine && source.leaf.boxes().any(Boxes::has_borders);
        let may_be_boxes = source.leaf.boxes().next().is_some();
        if source.leaf.is_somewhere() && may_be_boxes && (is_fine || source.leaf.is_nearly_closed()) {
            let time = budget.remaining().map(|left| left / 3);
            let found = self.along_axes(source, eps, &budget.part(u64::MAX, time));
            let found = found.filter(Enclosure::is_defined);
            if found.as_ref().is_some_and(|found| found.is_within(eps)) {
                return found;
            }
            let other = self.integrated(source, eps, budget).filter(Enclosure::is_defined);
            return match (found, other) {
                (Some(a), Some(b)) => a.intersection(&b),
                (a, b) => a.or(b),
            };
        }
        self.integrated(source, eps, budget).or_else(|| self.along_axes(source, eps, budget))
    }

    /// By integrals along one axis after the other.
    fn along_axes(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        if !source.leaf.is_somewhere() {
            return None;
        }
        let first = self.share(source, budget);
        self.with_draws(source, self.summed(source, true, eps, first.as_ref().unwrap_or(budget)), eps, budget)
    }

    /// Whether integrals may be asked for in the place of closed forms: where nothing is integrated over as boxes, which are a second way.
    fn may_ask_again(source: &Source) -> bool {
        source.leaf.has_closed_forms() && source.leaf.boxes().next().is_none()
    }

    /// The integral along axes, with closed forms or without.
    fn summed(&self, source: &Source, closed: bool, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let map = source.leaf.integral(true, closed, self.parameter.as_ref(), budget);
        let map = derived(&map, self.parameter.as_ref(), self.order).real().ok()?;
        map.enclose(eps, budget).ok().map(|found| found.enclosure)
    }

    /// What closed forms may take of a budget, where there are some.
    fn share(&self, source: &Source, budget: &Budget) -> Option<Budget> {
        let half = budget.remaining().map(|left| left / 2);
        Self::may_ask_again(source).then(|| budget.part(u64::MAX, half))
    }

    /// What was found with closed forms; where that is not enough, with what is found without them.
    fn with_draws(
        &self,
        source: &Source,
        found: Option<Enclosure>,
        eps: &Rational,
        budget: &Budget,
    ) -> Option<Enclosure> {
        let found = found.filter(Enclosure::is_defined);
        if found.as_ref().is_some_and(|found| found.is_within(eps)) || !Self::may_ask_again(source) {
            return found;
        }
        let other = self.summed(source, false, eps, budget).filter(Enclosure::is_defined);
        match (found, other) {
            (Some(a), Some(b)) => a.intersection(&b),
            (a, b) => a.or(b),
        }
    }

    fn integrated(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let map = source.map.as_ref()?;
        let asked = |eps: &Rational| map.enclose(eps, budget).ok().map(|found| found.enclosure);
        let boxes: Vec<&Boxes> = source.leaf.boxes().collect();
        if boxes.is_empty() {
            let first = self.share(source, budget);
            let first = first.as_ref().unwrap_or(budget);
            let found = map.enclose(eps, first).ok().map(|found| found.enclosure);
            return self.with_draws(source, found, eps, budget);
        }
        let context = Mpfr::new(BITS);
        let part = Rational::from(eps / 4);
        let is_bounded = boxes.iter().all(|boxes| boxes.is_bounded());
        let most = match is_bounded {
            true => Rational::from(1),
            false => chance_to_leave(&self.path, &self.factors, self.parameter.as_ref(), &part, budget)?,
        };
        let own = most / boxes.len() as u32;
        let ends = boxes.iter().map(|boxes| boxes.ends(&own, &self.path, self.parameter.as_ref(), budget));
        let ends = ends.collect::<Option<Vec<_>>>()?;
        // first how large each is, then as far as it matters
        let coarse = Rational::from(1) >> COARSE;
        let first = if part < coarse { &coarse } else { &part };
        let mut found: Vec<Enclosure> = vec![asked(first)?];
        // of what is multiplied by 0 it is enough that it has a bound
        let is_nothing = found[0].is_defined() && *found[0].lo() == 0 && *found[0].hi() == 0;
        let first = if is_nothing { &Rational::from(1) } else { first };
        found.extend(boxes.iter().zip(&ends).map(|(boxes, ends)| boxes.over(self.hooks, ends, first, budget)));
        let sizes: Vec<Magnitude> = found.iter().map(magnitude).collect();
        for index in 0..found.len() {
            let others = sizes.iter().enumerate().filter(|(other, _)| *other != index);
            let scale = others.fold(Magnitude::ONE, |product, (_, size)| product * *size).to_rational()?;
            let wanted = match scale == 0 {
                true => continue,
                false => &part / scale / found.len() as u32,
            };
            if found[index].is_within(&wanted) {
                continue;
            }
            found[index] = match index.checked_sub(1) {
                None => asked(&wanted)?,
                Some(own) => boxes[own].over(self.hooks, &ends[own], &wanted, budget).intersection(&found[index])?,
            };
        }
        let product = found.iter().fold(context.integer(1), |product, e| context.mul(&product, &context.enclosure(e)));
        let product = match is_bounded {
            true => product,
            false => {
                let tail = context.hull(&context.rational(&Rational::from(-&part)), &context.rational(&part));
                context.add(&product, &tail)
            }
        };
        context.is_defined(&product).then(|| context.to_enclosure(&product))
    }
}
