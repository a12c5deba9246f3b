//! The propositions of S §5 on random elements of presheaves and random programs, each with wrong versions.

use super::JudgedSample;
use super::smooth::inconsistent_sine;
use crate::law::consistency::{check_map, interpret_at};
use crate::law::generate::TermGenerator;
use crate::law::presheaf::{PresheafVerdict, SampleSettings, check_isomorphism};
use crate::presheaf::coend::{
    CoendTangent, FunctionPair, LanProductIso, LanRepresentative, PresheafIso, TanPresheaf, TangentFunctor,
    TangentToIso, evaluate_lan, lan_representable, scale_tangent, tangent_prod, tangent_r, tangent_to_r,
};
use crate::presheaf::exponential::{ExponentialElement, ExponentialPresheaf, PresheafTransformation};
use crate::presheaf::{Presheaf, ProductPresheaf, RealPresheaf, Representable};
use crate::random::SplitMix64;
use crate::smooth::dimension::RealObject;
use crate::smooth::graph::Variable;
use crate::smooth::map::Space;
use crate::smooth::tower::consistency::Consistency;
use crate::syntax::library::Library;
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;
use std::sync::LazyLock;

type RealPlane = (RealObject, RealObject);
type Functions = ExponentialPresheaf<RealPresheaf, RealPresheaf>;

/// A wrong rule for the slope in Prop. 5.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TangentSlope {
    /// `⟨π₁∘d, 0⟩` in the place of `⟨π₂∘d, 0⟩`.
    BaseForDirection,
    /// The element at the point, as if it did not vary with the stage: slope 0.
    Resting,
}

/// Returns Prop. 5.3 with a wrong slope.
#[must_use]
pub fn wrong_tangent_to_r<A: Presheaf>(rule: TangentSlope) -> TangentToIso<A, RealObject> {
    let right = tangent_to_r::<A, RealObject>();
    let correct = right.to.clone();
    let to =
        PresheafTransformation::<TanPresheaf<ExponentialPresheaf<A, RealPresheaf>>, FunctionPair<A, RealObject>>::new(
            move |space, v| {
                let value = correct.component_at(space, v).0;
                let slope = ExponentialElement::<A, RealPresheaf, _>::curry::<
                    TanPresheaf<ExponentialPresheaf<A, RealPresheaf>>,
                >(space, v, move |space, v, a| {
                    let v = match rule {
                        TangentSlope::BaseForDirection => v.with_representative(|v: LanRepresentative<'_, _, _, _>| {
                            CoendTangent::<ExponentialPresheaf<A, RealPresheaf>, _>::new(
                                &v.point().pair(&v.point()),
                                &v.element,
                            )
                        }),
                        TangentSlope::Resting => scale_tangent(v, &space.constant(0)),
                    };
                    let both = evaluate_lan(&v, a).to_map();
                    let line = Space::<RealObject>::new();
                    both.then(&line.second(&line))
                });
                (value, slope)
            },
        );
    PresheafIso { to, from: right.from }
}

/// Returns Prop. 5.1 as printed (E10): `(f(x), g(x))`, both components at the first point.
#[must_use]
pub fn printed_tangent_prod() -> LanProductIso<TangentFunctor, RealPresheaf, RealPresheaf> {
    type Two = ProductPresheaf<TanPresheaf<RealPresheaf>, TanPresheaf<RealPresheaf>>;
    let from =
        PresheafTransformation::<Two, TanPresheaf<ProductPresheaf<RealPresheaf, RealPresheaf>>>::new(|_, (v, w)| {
            v.with_representative(|v| {
                w.with_representative(|w| {
                    // g over the second stage, at coordinates of the first: the point of v, as far as it goes
                    let (first, second) = (v.stage(), w.stage());
                    let both = first.product_with(&second);
                    let x = first.first(&second);
                    let misplaced = both.tuple(&second, |i| {
                        let all = first.coordinates();
                        x.then(&all[i.min(all.len() - 1)])
                    });
                    let element = (x.then(&v.element), misplaced.then(&w.element));
                    let direction = v.point().pair(&w.point()).pair(&v.velocity().pair(&w.velocity()));
                    CoendTangent::new(&direction, &element)
                })
            })
        });
    PresheafIso { to: tangent_prod::<RealPresheaf, RealPresheaf>().to, from }
}

/// Returns Prop. 5.2 with value and derivative exchanged on the way there.
#[must_use]
pub fn swapped_tangent_r() -> PresheafIso<TanPresheaf<RealPresheaf>, ProductPresheaf<RealPresheaf, RealPresheaf>> {
    let right = tangent_r();
    let correct = right.to.clone();
    let to = PresheafTransformation::new(move |space, v| {
        let (x, dx) = correct.component_at(space, v);
        (dx, x)
    });
    PresheafIso { to, from: right.from }
}

/// Returns the settings for one sample with the seed of `random`.
fn one_sample(random: &mut SplitMix64) -> SampleSettings {
    SampleSettings { drawn: 1, least: 1, seed: random.next(), ..SampleSettings::default() }
}

/// Judges a sample that is about elements of the kind `what`. An error of evaluation claims nothing.
fn judge_elements(verdict: PresheafVerdict, what: &'static str) -> JudgedSample {
    let mut judged = JudgedSample::from(verdict.unwrap_or(Verdict::Vacuous));
    judged.contains(what);
    judged
}

/// Tests **Prop. 5.1**: tangents to a product are pairs of tangents. Wrong: as printed.
pub fn tangents_to_products(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let kind = random.next_below(3);
    let samples = one_sample(&mut random);
    match (wrong, kind) {
        (Some(_), _) => judge_elements(check_isomorphism(&samples, &printed_tangent_prod()), "numbers"),
        (None, 0) => {
            let iso = tangent_prod::<RealPresheaf, Representable<RealPlane>>();
            judge_elements(check_isomorphism(&samples, &iso), "numbers")
        }
        (None, 1) => {
            judge_elements(check_isomorphism(&samples, &tangent_prod::<Functions, RealPresheaf>()), "functions")
        }
        (None, _) => {
            let iso = tangent_prod::<ProductPresheaf<RealPresheaf, RealPresheaf>, Functions>();
            judge_elements(check_isomorphism(&samples, &iso), "pairs in pairs")
        }
    }
}

/// Tests **Prop. 5.2**: a tangent to a representable is a map to pairs of points and directions. Wrong: value and
/// derivative exchanged.
pub fn tangents_to_representables(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let kind = random.next_below(2);
    let samples = one_sample(&mut random);
    if wrong.is_some() {
        return judge_elements(check_isomorphism(&samples, &swapped_tangent_r()), "numbers");
    }
    if kind == 0 {
        return judge_elements(check_isomorphism(&samples, &tangent_r()), "numbers");
    }
    let verdict = samples.check_at_stages(|random, space, trial| {
        use crate::presheaf::observe::{SampleElements, draw_map};
        let v = TanPresheaf::<Representable<RealPlane>>::draw_element(random, space);
        let m = draw_map(random, space, &Space::<(RealPlane, RealPlane)>::new());
        crate::law::presheaf::isomorphism(&lan_representable::<TangentFunctor, RealPlane>(), space, &v, &m, trial)
    });
    judge_elements(verdict, "points of the plane")
}

/// Tests **Prop. 5.3**: a tangent to functions into ℝ is a function and its perturbation. Wrong: the two wrong slopes.
pub fn tangents_to_functions(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let kind = random.next_below(2);
    let samples = one_sample(&mut random);
    let slope = wrong.map(|index| [TangentSlope::BaseForDirection, TangentSlope::Resting][index.min(1)]);
    if kind == 0 {
        let iso = slope.map_or_else(tangent_to_r::<RealPresheaf, RealObject>, wrong_tangent_to_r::<RealPresheaf>);
        judge_elements(check_isomorphism(&samples, &iso), "functions of numbers")
    } else {
        let iso = slope.map_or_else(tangent_to_r::<Functions, RealObject>, wrong_tangent_to_r::<Functions>);
        judge_elements(check_isomorphism(&samples, &iso), "functions of functions")
    }
}

/// The contexts of Prop. 5.4: programs of type `T₁ → … → Tₙ → ℝ → ℝ` with the types `Tᵢ`.
static CONTEXTS: LazyLock<Vec<(Term, Vec<Ty>)>> = LazyLock::new(|| {
    let library = Library::new();
    let read = |(binders, text): (usize, &str)| {
        let (program, ty) = library.infer_expression(text).ok()?;
        let mut rest = ty;
        let mut types = Vec::new();
        for _ in 0..binders {
            let TyKind::Function(domain, codomain) = rest.kind() else { return None };
            types.push(domain.clone());
            let codomain = codomain.clone();
            rest = codomain;
        }
        Some((program, types))
    };
    [
        (2, r"\(f : (Real -> Real) -> Real) (g : Real -> Real -> Real) (c : Real) => f (g c)"),
        (1, r"\(f : (Real -> Real) -> Real -> Real) (c : Real) => f (\x => sin (c * x)) c"),
        (1, r"\(f : (Real -> Real) -> Real) (c : Real) => deriv (\s => f (\x => exp (s * x))) c"),
    ]
    .into_iter()
    .filter_map(read)
    .collect()
});

/// Tests **Prop. 5.4**: a program of ground type with functions of functions inside has a consistent tower. Wrong: its
/// value goes through a sine whose derivative is the sine.
pub fn programs_are_consistent(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let (program, types) = random.pick(&CONTEXTS);
    let how = Consistency { orders: 2, samples: 8, seed: random.next() };
    let mut generator = TermGenerator::new(SplitMix64::new(random.next()));
    let mut term = program.clone();
    for ty in types {
        let Some(argument) = generator.draw_term(ty, 8).to_core() else { return JudgedSample::vacuous() };
        term = Term::apply(term, argument, Span::default());
    }
    let variable = Variable::fresh();
    let Some(graph) = interpret_at(&term, variable) else { return JudgedSample::vacuous() };
    let mut judged = JudgedSample::vacuous();
    if graph.depends_on(variable) {
        judged.contains("a value that depends on the input");
    }
    let graph = if wrong.is_some() { inconsistent_sine(&graph) } else { graph };
    judged.verdict = check_map(&[graph], &[variable], &how).with_witness(|| term.to_string());
    judged
}
