//! Partial maps as a restriction category: the laws of [`law::restriction`](crate::law::restriction), tested on random
//! maps.

use crate::category::restriction::{Joins, RestrictionCategory, RestrictionProducts};
use crate::category::{Arrow, Category, ObjectName};
use crate::law::category::{associativity, identity};
use crate::law::restriction::{
    chain_laws, differential_join_law, differential_laws, forward_from_reverse, join_laws, meet_laws, pair_laws,
    restriction_laws, reverse_laws, unfolding_law,
};
use crate::law::trace::generate::{ProgramShape, TraceSample, draw_sample};
use crate::meaning::partial::category::{PartialMapCategory, PartialTestConfig};
use crate::meaning::partial::hooks::PartialHooks;
use crate::meaning::partial::map::PartialMap;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::smooth::dimension::{Dim, RealObject};
use crate::syntax::ty::Ty as ProgramTy;
use crate::trace::operation::OperationSymbol;
use crate::trace::printer::to_language_program;
use crate::trace::renaming::Renaming;
use crate::trace::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use crate::trace::ty::CoreTy;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// ℝ² as an object.
type RealPlane = (RealObject, RealObject);
/// An arrow of the category of partial maps.
type MapArrow<A, B> = Arrow<PartialMapCategory, A, B>;

/// A generator of random partial maps, which also collects the numbers at which they change.
struct PartialMapGenerator {
    random: SplitMix64,
    borders: Vec<Rational>,
}

/// The greatest number of programs drawn until one has the wanted dimensions. A choice.
const MAX_DRAWS: usize = 200;

impl PartialMapGenerator {
    /// Draws a program from `ty` to the reals for which `fits` holds. Returns `None` if there is none within [`MAX_DRAWS`].
    fn draw_program(&mut self, ty: &CoreTy, fits: impl Fn(&TraceSample) -> bool) -> Option<TraceSample> {
        let mut drawn = (0..MAX_DRAWS).map(|_| draw_sample(SplitMix64::new(self.random.next())));
        // composites of functions that call their own derivatives nest too many derivatives
        let fits = |sample: &TraceSample| sample.shape != ProgramShape::OwnDerivative && fits(sample);
        let found = drawn.find(|sample| sample.ty == *ty && sample.codomain == CoreTy::Real && fits(sample))?;
        self.borders.extend(found.points.iter().flat_map(|point| point.real_components().into_iter().cloned()));
        Some(found)
    }

    /// Draws a map from `ty` to the reals.
    fn draw_map<A: Dim + ObjectName<PartialMapCategory>>(&mut self, ty: &CoreTy) -> Option<MapArrow<A, RealObject>> {
        let TraceSample { x, term, .. } = self.draw_program(ty, |_| true)?;
        map_arrow(&x, ty, &term)
    }

    /// Draws a map ℝ ⇀ ℝ.
    fn draw_line_map(&mut self) -> Option<MapArrow<RealObject, RealObject>> {
        self.draw_map(&CoreTy::Real)
    }

    /// Draws a map ℝ² ⇀ ℝ.
    fn draw_plane_map(&mut self) -> Option<MapArrow<RealPlane, RealObject>> {
        self.draw_map(&CoreTy::real_vector(2))
    }

    /// Draws a border, and returns the identity above it and the identity below it. Both are undefined on the border.
    fn draw_half_lines(&mut self) -> Option<(Rational, [MapArrow<RealObject, RealObject>; 2])> {
        let border = Rational::from(self.random.next_below(7) as i64 - 3);
        self.borders.push(border.clone());
        let x = CoreVariable::fresh(&"x".into());
        let side = |below: bool| {
            let (at, border) = (CoreTerm::variable(&x), CoreTerm::number(border.clone()));
            // a guard on equal numbers is undefined (A §2), so the border belongs to neither side
            let (left, right) = if below { (at.clone(), border) } else { (border, at.clone()) };
            map_arrow(&x, &CoreTy::Real, &CoreTerm::if_less(left, right, at, bottom_term()))
        };
        Some((border.clone(), [side(false)?, side(true)?]))
    }

    /// Returns the comparison of arrows for these maps. It samples near the collected borders.
    fn into_trial(mut self, rules: &Arc<dyn PartialHooks>) -> PartialTestConfig {
        PartialTestConfig {
            seed: self.random.next(),
            samples: 6,
            borders: self.borders,
            budget_units: 2_000,
            hooks: rules.clone(),
        }
    }
}

/// Returns a term of type real that is undefined everywhere.
fn bottom_term() -> CoreTerm {
    CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), CoreTerm::number(0))
}

/// Interprets a term with one free variable as an arrow. Returns `None` if that fails.
fn map_arrow<A: Dim + ObjectName<PartialMapCategory>>(
    x: &CoreVariable,
    ty: &CoreTy,
    term: &CoreTerm,
) -> Option<MapArrow<A, RealObject>> {
    let program = to_language_program(&[(x.clone(), ty.clone())], term);
    PartialMap::of_program(&program, &ProgramTy::function(ty.to_language_type(), ProgramTy::real())).map(Arrow)
}

/// Restricts `f` to the domain of `to`.
fn restrict_to<A: ObjectName<PartialMapCategory>>(
    to: &MapArrow<A, RealObject>,
    f: &MapArrow<A, RealObject>,
) -> MapArrow<A, RealObject> {
    Arrow(PartialMapCategory::then(&PartialMapCategory::restriction(&to.0), &f.0))
}

/// Tests a law on random maps. Vacuous if the generator finds no maps.
fn check_law(
    random: SplitMix64,
    rules: &Arc<dyn PartialHooks>,
    law: impl FnOnce(&mut PartialMapGenerator) -> Option<Box<dyn FnOnce(&PartialTestConfig) -> Result<Verdict, ValueError>>>,
) -> Verdict {
    let mut maker = PartialMapGenerator { random, borders: Vec::new() };
    let Some(law) = law(&mut maker) else { return Verdict::Vacuous };
    // the laws hold for well-typed arrows, so an error of evaluation is a refutation
    law(&maker.into_trial(rules)).unwrap_or_else(|error| Verdict::refuted("a random map", "a vector", error))
}

/// Tests the laws of a category.
pub fn category_axioms(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_law(random, rules, |maker| {
        let (f, g, h) = (maker.draw_plane_map()?, maker.draw_line_map()?, maker.draw_line_map()?);
        Some(Box::new(move |trial| Ok(identity(&f, trial)?.and(associativity(&f, &g, &h, trial)?))))
    })
}

/// Tests R1 to R4, and the laws of pairs.
pub fn restriction_axioms(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_law(random, rules, |maker| {
        let [f, g, h] = [maker.draw_line_map()?, maker.draw_line_map()?, maker.draw_line_map()?];
        Some(Box::new(move |trial| Ok(restriction_laws(&f, &g, &h, trial)?.and(pair_laws(&f, &g, trial)?))))
    })
}

/// Tests joins of two parts of one map, and the meets of two independent maps.
pub fn joins_are_least(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_law(random, rules, |maker| {
        let [k, h, other] = [maker.draw_line_map()?, maker.draw_line_map()?, maker.draw_line_map()?];
        let (_, [above, below]) = maker.draw_half_lines()?;
        // both are restrictions of h, so they are compatible and h is an upper bound
        let (f, g) = (restrict_to(&above, &h), restrict_to(&restrict_to(&other, &below), &h));
        Some(Box::new(move |trial| {
            let least = join_laws(&k, [&f, &g, &h], trial)?;
            Ok(least.and(meet_laws(&h, &other, trial)?).and(differential_join_law(&f, &g, trial)?))
        }))
    })
}

/// Tests forward derivatives of maps of one and of two numbers.
pub fn differential_axioms(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_law(random, rules, |maker| {
        let [f, g, h] = [maker.draw_line_map()?, maker.draw_line_map()?, maker.draw_line_map()?];
        let [p, q] = [maker.draw_plane_map()?, maker.draw_plane_map()?];
        Some(Box::new(
            move |trial| Ok(differential_laws(&f, &g, &h, trial)?.and(differential_laws(&p, &g, &q, trial)?)),
        ))
    })
}

/// Tests reverse derivatives of maps from ℝ² to ℝ, and of pairs of them to ℝ².
pub fn reverse_axioms(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_law(random, rules, |maker| {
        let g = maker.draw_line_map()?;
        let [p, q] = [maker.draw_plane_map()?, maker.draw_plane_map()?];
        Some(Box::new(move |trial| {
            let both: MapArrow<RealPlane, RealPlane> = Arrow(PartialMapCategory::pair(&p.0, &q.0));
            let axioms = reverse_laws(&p, &g, &q, trial)?.and(reverse_laws(&both, &p, &q, trial)?);
            Ok(axioms.and(forward_from_reverse(&p, trial)?))
        }))
    })
}

/// Tests that the approximants of a recursion increase. Those of `f x = if b < x then e x else f (s x)` are also
/// compared with their unfolding, a join of both branches.
pub fn chains_increase(random: SplitMix64, rules: &Arc<dyn PartialHooks>) -> Verdict {
    check_law(random, rules, |maker| {
        let any = maker.draw_line_map()?;
        let (border, [above, below]) = maker.draw_half_lines()?;
        let plain = |maker: &mut PartialMapGenerator| {
            maker.draw_program(&CoreTy::Real, |sample| sample.shape == ProgramShape::Plain)
        };
        let (end, step) = (plain(maker)?, plain(maker)?);
        let [x, f] = ["x", "f"].map(|name| CoreVariable::fresh(&name.into()));
        let at = |sample: &TraceSample| Renaming::substitute(&sample.term, &sample.x, CoreTerm::variable(&x));
        let again: CoreTerm = CoreTermKind::Call(f.clone(), at(&step)).into();
        let body = CoreTerm::if_less(CoreTerm::number(border), CoreTerm::variable(&x), at(&end), again);
        let (domain, codomain) = (CoreTy::Real, CoreTy::Real);
        let definition =
            CoreDefinition { function: f.clone(), parameter: x.clone(), domain, codomain, body, limit: None };
        let y = CoreVariable::fresh(&"y".into());
        let call: CoreTerm = CoreTermKind::Call(f, CoreTerm::variable(&y)).into();
        let whole: MapArrow<RealObject, RealObject> =
            map_arrow(&y, &CoreTy::Real, &CoreTermKind::LetRec(Arc::new(definition), call).into())?;
        let end: MapArrow<RealObject, RealObject> = map_arrow(&end.x, &CoreTy::Real, &end.term)?;
        let step: MapArrow<RealObject, RealObject> = map_arrow(&step.x, &CoreTy::Real, &step.term)?;
        let nowhere: MapArrow<RealObject, RealObject> = map_arrow(&y, &CoreTy::Real, &bottom_term())?;
        let n = maker.random.next_below(4) as u64;
        Some(Box::new(move |trial| {
            // F(f) = (x > b; e) ∨ (x < b; s; f)
            let unfold = |f: &PartialMap<RealObject, RealObject>| {
                PartialMapCategory::join(&above.then(&end).0, &below.then(&step).0.then(f))
            };
            let unfolded =
                unfolding_law::<PartialMapCategory, RealObject, RealObject>(&whole.0, unfold, &nowhere, n, trial)?;
            let increase = chain_laws::<PartialMapCategory, RealObject, RealObject>(&any.0, &[0, 1, 2, 5], trial)?;
            Ok(unfolded.and(increase).and(chain_laws::<PartialMapCategory, RealObject, RealObject>(
                &whole.0,
                &[0, 1, 3],
                trial,
            )?))
        }))
    })
}
