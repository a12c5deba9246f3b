//! Contributions of paths to sums, as enclosures: products of integrals over groups of draws.

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

/// A product of maps of the draws, to integrate over a path.
#[derive(Clone, Debug, Default)]
pub struct Factors {
    /// Maps that are nonnegative up to a set of probability 0.
    pub weights: Vec<Graph>,
    /// Maps of any sign.
    pub values: Vec<Graph>,
}

/// A derivative in the parameter of the integral of a product of maps over a path.
#[derive(Debug)]
pub struct Contribution {
    /// The replaceable rules.
    hooks: &'static dyn Hooks,
    /// The path after linear substitutions.
    path: Path,
    /// The weights, followed by the values.
    factors: Vec<Graph>,
    /// The number of weights.
    weights: usize,
    /// `true` if the absolute value of the product is shown to have an integral. Unset if that was not examined to the
    /// end.
    absolutely: OnceLock<bool>,
    /// The parameter.
    parameter: Option<Parameter>,
    /// The order of the derivative.
    order: u32,
    /// The integrals, or the reason why there are none. `Ok(None)` if no draws satisfy the guards.
    source: Result<Option<Source>, Obstacle>,
    /// The contribution as the mean of another map, by differentiation under the integral; `None` if this is not justified.
    under: Option<Box<Self>>,
}

/// The integrals whose product is the contribution.
#[derive(Debug)]
struct Source {
    /// The product of the integrals over cells, of groups without boxes.
    map: Option<Real<Evaluation>>,
    /// The groups with their integrals.
    leaf: Leaf,
}

/// The width, as a power of two, below which iterated integrals are tried before boxes: if all cells are bounded, …
const FINE: u32 = 8;
/// …and if a cell is unbounded. A choice: boxes at a boundary converge slowly, integrals along an unbounded axis too.
const FINE_WHERE_OPEN: u32 = 17;
/// The time and the work units of a bound by moments after the budget is exhausted. A choice.
const MOMENT: Duration = Duration::from_millis(20);
const MOMENT_OF_WORK: u64 = 1_000_000;
/// The width, as a power of two, to enclose factors to before their accuracies are chosen. A choice.
const COARSE: u32 = 10;

/// The greatest number of characters of a map in a message.
const LONGEST: usize = 160;

/// Formats the message that the absolute value of a product of maps is not shown to have an integral over a path.
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
    /// Prepares the contribution of a path to a derivative of order `order`.
    #[must_use]
    pub fn new(path: &Path, factors: Factors, parameter: Option<&Parameter>, order: u32, budget: &Budget) -> Self {
        let Factors { weights, values } = factors;
        let (weights, factors) = (weights.len(), [weights, values].concat());
        // for a lower derivative than the question's, the parameter needs no more than that order
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
        // the second way is prepared only where the first is hard or missing
        let is_hard = match &source {
            Ok(source) => source.as_ref().is_some_and(|source| source.leaf.is_hard_to_differentiate()),
            Err(obstacle) => *obstacle != Obstacle::Time,
        };
        let under = parameter.filter(|_| order > 0 && is_hard).and_then(|parameter| {
            let map = under_the_integral(&path, &factors, parameter, order, budget)?;
            let factors = Factors { values: vec![map], ..Factors::default() };
            let under = Self::new(&path, factors, Some(&Parameter { order: 0, ..parameter.clone() }), 0, budget);
            // the existence of the mean is part of the proof of the bound
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

    /// Replaces the rules, for mutation testing.
    #[must_use]
    pub fn under(self, hooks: &'static dyn Hooks) -> Self {
        Self { hooks, under: self.under.map(|under| Box::new(under.under(hooks))), ..self }
    }

    /// Returns the reason why there are no integrals. Returns `None` if there are any.
    #[must_use]
    pub fn obstacle(&self) -> Option<&Obstacle> {
        self.source.as_ref().err().filter(|_| self.under.is_none())
    }

    /// Returns `true` if the absolute value of the product is shown to have an integral, so that the order of
    /// integration does not matter.
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
        // a failure for lack of time is not final
        if found || !budget.is_exhausted() {
            let _ = self.absolutely.set(found);
        }
        found
    }

    /// Returns `true` if absolute integrability was examined and not shown.
    #[must_use]
    pub fn may_diverge(&self) -> bool {
        self.absolutely.get() == Some(&false)
    }

    /// Returns `true` if more draws depend on each other than are integrated along axes.
    #[must_use]
    pub fn has_many_coordinates(&self) -> bool {
        let source = self.source.as_ref().ok().and_then(Option::as_ref);
        source.is_some_and(|source| source.leaf.boxes().any(|boxes| boxes.len() > MOST_COORDINATES))
    }

    /// Encloses the contribution to a width, or as far as the budget goes. Returns ⊥ if nothing is known.
    #[must_use]
    pub fn enclose(&self, eps: &Rational, budget: &Budget) -> Enclosure {
        // half of the time for each of the two ways
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
        // both are enclosures of the same number
        let found = match (found, under) {
            (Some(a), Some(b)) => a.intersection(&b),
            (a, b) => a.or(b),
        };
        match found {
            // a bound of the absolute value is the last resort, and cuts a wide enclosure
            Some(found) if found.is_within(eps) => found,
            found => match self.by_moments(budget) {
                Some(most) => found.and_then(|found| found.intersection(&most)).unwrap_or(most),
                None => found.unwrap_or_else(Enclosure::bottom),
            },
        }
    }

    /// Encloses the contribution by integrals scaled to the size of 1, multiplied by a power of two.
    fn at_scale(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let shift = i32::try_from(source.leaf.shift()).ok()?;
        if shift == 0 {
            return self.by_either(source, eps, budget);
        }
        let found = self.by_either(source, &scaled(eps.clone(), -i64::from(shift)), budget)?;
        let [lo, hi] = [found.lo(), found.hi()].map(|end| end.clone() << shift);
        // multiplication by a power of two is exact
        Enclosure::new(lo, hi, found.is_defined()).ok()
    }

    /// Encloses the contribution by a bound of its absolute value. Returns `None` if there is none.
    fn by_moments(&self, budget: &Budget) -> Option<Enclosure> {
        // the last resort gets a moment even after the budget is exhausted
        let moment = budget.part(MOMENT_OF_WORK, Some(MOMENT));
        let budget = if budget.is_exhausted() { &moment } else { budget };
        let most =
            moment::bound(&self.path, &self.factors, self.parameter.as_ref(), self.order, budget)?.to_rational()?;
        Some(number(&Rational::from(-&most)).hull(&number(&most)))
    }

    /// Encloses the contribution by boxes or along axes.
    ///
    /// Axes come first if one draw remains in each group, or if the width is small and there are boundaries. Otherwise
    /// boxes come first.
    fn by_either(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let fine = if source.leaf.is_bounded() { FINE } else { FINE_WHERE_OPEN };
        let is_fine = *eps < Rational::from(1) >> fine && source.leaf.boxes().any(Boxes::has_borders);
        let may_be_boxes = source.leaf.boxes().next().is_some();
        if source.leaf.is_somewhere() && may_be_boxes && (is_fine || source.leaf.is_nearly_closed()) {
            // a third of the time, as boxes may still be needed
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

    /// Encloses the contribution by iterated integrals. Returns `None` if a group has no cells.
    fn along_axes(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        if !source.leaf.is_somewhere() {
            return None;
        }
        let first = self.share(source, budget);
        self.with_draws(source, self.summed(source, true, eps, first.as_ref().unwrap_or(budget)), eps, budget)
    }

    /// Returns `true` if integrals may replace closed forms: there are closed forms, and no boxes as a second way.
    fn may_ask_again(source: &Source) -> bool {
        source.leaf.has_closed_forms() && source.leaf.boxes().next().is_none()
    }

    /// Encloses the iterated integral, with or without closed forms.
    fn summed(&self, source: &Source, closed: bool, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let map = source.leaf.integral(true, closed, self.parameter.as_ref(), budget);
        let map = derived(&map, self.parameter.as_ref(), self.order).real().ok()?;
        map.enclose(eps, budget).ok().map(|found| found.enclosure)
    }

    /// Returns the part of the budget for closed forms. Returns `None` if there is no second way.
    fn share(&self, source: &Source, budget: &Budget) -> Option<Budget> {
        let half = budget.remaining().map(|left| left / 2);
        Self::may_ask_again(source).then(|| budget.part(u64::MAX, half))
    }

    /// Improves an enclosure from closed forms by integrals without them, if it is too wide.
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

    /// Encloses the product of the integrals over cells and over boxes.
    fn integrated(&self, source: &Source, eps: &Rational, budget: &Budget) -> Option<Enclosure> {
        let map = source.map.as_ref()?;
        let asked = |eps: &Rational| map.enclose(eps, budget).ok().map(|found| found.enclosure);
        let boxes: Vec<&Boxes> = source.leaf.boxes().collect();
        // without boxes one map holds the whole product
        if boxes.is_empty() {
            let first = self.share(source, budget);
            let first = first.as_ref().unwrap_or(budget);
            let found = map.enclose(eps, first).ok().map(|found| found.enclosure);
            return self.with_draws(source, found, eps, budget);
        }
        let context = Mpfr::new(BITS);
        // a quarter for the draws outside of the boxes, and the rest for the factors
        let part = Rational::from(eps / 4);
        let is_bounded = boxes.iter().all(|boxes| boxes.is_bounded());
        let most = match is_bounded {
            true => Rational::from(1),
            false => chance_to_leave(&self.path, &self.factors, self.parameter.as_ref(), &part, budget)?,
        };
        let own = most / boxes.len() as u32;
        let ends = boxes.iter().map(|boxes| boxes.ends(&own, &self.path, self.parameter.as_ref(), budget));
        let ends = ends.collect::<Option<Vec<_>>>()?;
        // coarse enclosures first: the size of the other factors decides how accurate one must be
        let coarse = Rational::from(1) >> COARSE;
        let first = if part < coarse { &coarse } else { &part };
        let mut found: Vec<Enclosure> = vec![asked(first)?];
        // a factor 0 makes the others irrelevant, if they are bounded
        let is_nothing = found[0].is_defined() && *found[0].lo() == 0 && *found[0].hi() == 0;
        let first = if is_nothing { &Rational::from(1) } else { first };
        found.extend(boxes.iter().zip(&ends).map(|(boxes, ends)| boxes.over(self.hooks, ends, first, budget)));
        let sizes: Vec<Magnitude> = found.iter().map(magnitude).collect();
        for index in 0..found.len() {
            let others = sizes.iter().enumerate().filter(|(other, _)| *other != index);
            // the error of a factor is multiplied by the size of all others
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
