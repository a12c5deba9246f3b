//! The laws of Gl_k as a bicartesian closed category with lists, tested (H Prop. 5).
//!
//! | statement | |
//! |---|---|
//! | [`structure`] | the constructions of [`GluingMorphism`] preserve S, and satisfy their equations |
//! | [`projection_is_strict`] | the projection to Diff × Diff sends the structure to the structure, on the nose |
//! | [`operations_are_morphisms`] | an operation and its Taylor representation are a morphism: "these interpretations are indeed morphisms" |

use super::equality::test_equal;
use super::error::GlueError;
use super::interpretation::{RepresentationMethod, second_component};
use super::judged::VerdictWithValues;
use super::lemma::{GluingSetup, draw_point, random_type};
use super::morphism::GluingMorphism;
use super::object::{GluingObject, PairSampler};
use super::scope::{self, PlotScope};
use super::stage::CoordinateSpace;
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use crate::law::generate::{either_type, tree_type};
use crate::law::term::pair_type;
use crate::meaning::taylor::types::TypeTranslation;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;

/// The observation depth of functions in random arguments. A choice.
const DEPTH: usize = 2;

/// Tests that each of the morphisms maps a related pair to a related one.
fn test_preservation(
    sample: &TheoremSample,
    make: impl FnOnce(&mut PairSampler<'_>) -> Result<Vec<GluingMorphism>, GlueError>,
) -> Result<VerdictWithValues, GlueError> {
    let stage = CoordinateSpace::new(sample.basis.directions());
    let mut random = SplitMix64::new(sample.seed);
    let point = draw_point(&mut random, sample.basis.directions());
    // morphisms do not depend on the stage, but their arguments do
    let (plots, representations) = PlotScope::without_coordinates(&sample.basis, &mut random, sample.size)?;
    let scopes = PlotScope::over_stage(&stage, &sample.basis, &mut random, sample.size)?;
    let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
    let mut all = VerdictWithValues::from(Verdict::Vacuous);
    for morphism in make(&mut sampler)? {
        all = all.and(morphism.test_preserves(&stage, &scopes, &mut sampler, &point)?);
    }
    Ok(all)
}

/// Proposition 5 (H): identities, composites, pairs, projections, currying, evaluation, injections, case and fold
/// preserve S. So do the constructors of trees, and folds over trees.
#[must_use]
pub fn structure(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        // a stream of its own: `test_preservation` starts another one at the same seed
        let mut random = SplitMix64::new(sample.seed ^ 2);
        let types = [(); 3].map(|()| random_type(&mut random, 1));
        let object = |ty: &Ty| setting.object_of_type(ty, &sample.basis);
        let (a, b, c) = (object(&types[0])?, object(&types[1])?, object(&types[2])?);
        let sum = object(&either_type(types[0].clone(), types[1].clone()))?;
        let trees = object(&tree_type(types[0].clone()))?;
        let (none, node) =
            (GluingObject::product(&[]), GluingObject::product(&[trees.clone(), a.clone(), trees.clone()]));
        test_preservation(sample, |sampler| {
            let product = [a.clone(), b.clone()];
            let f = GluingMorphism::draw_morphism(&a, &b, sampler)?;
            let g = GluingMorphism::draw_morphism(&b, &c, sampler)?;
            let h = GluingMorphism::draw_morphism(&GluingObject::product(&product), &c, sampler)?;
            let k = GluingMorphism::draw_morphism(&a, &c, sampler)?;
            let step = GluingMorphism::draw_morphism(&GluingObject::product(&[a.clone(), c.clone()]), &c, sampler)?;
            let start = GluingMorphism::draw_morphism(&none, &c, sampler)?;
            let at_nodes =
                GluingMorphism::draw_morphism(&GluingObject::product(&[c.clone(), a.clone(), c.clone()]), &c, sampler)?;
            Ok(vec![
                GluingMorphism::identity(&a),
                f.then(&g),
                f.pair(&k),
                GluingMorphism::projection(&product, 0),
                GluingMorphism::projection(&product, 1),
                h.curry(&product),
                GluingMorphism::evaluation(&a, &b),
                GluingMorphism::injection(&a, &sum, 0),
                GluingMorphism::injection(&b, &sum, 1),
                k.case(&g, &sum),
                step.fold(&start, &a),
                GluingMorphism::injection(&none, &trees, 0),
                GluingMorphism::injection(&node, &trees, 1),
                at_nodes.fold_tree(&start, &trees),
            ])
        })
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// A pair of maps that does not preserve S: the second map is constant, whatever the first one does. The law must
/// refute it.
#[must_use]
pub fn non_preserving_pair(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let real = setting.object_of_type(&Ty::real(), &sample.basis)?;
        test_preservation(sample, |sampler| {
            let f = GluingMorphism::draw_morphism(&real, &real, sampler)?;
            let constant = sampler.representations.constant_value(&1.into());
            Ok(vec![GluingMorphism { right: StageFunction::new(move |_: &Element| Ok(constant.clone())), ..f }])
        })
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests that an operation with its Taylor representation is a morphism (H §6.2, (3)).
#[must_use]
pub fn operations_are_morphisms(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        vec![scope::draw_program(random, &Ty::function(pair_type(Ty::real(), Ty::real()), Ty::real()), 4)]
    };
    let judge = move |sample: &TheoremSample| {
        let core = scope::core_term(&sample.terms[0])?;
        let object = |ty: &Ty| setting.object_of_type(ty, &sample.basis);
        let (domain, codomain) = (object(&pair_type(Ty::real(), Ty::real()))?, object(&Ty::real())?);
        let left = scope::run_program(&core)?.as_function()?.clone();
        let right = second_component(&core, &sample.basis, RepresentationMethod::Definition)?.as_function()?.clone();
        test_preservation(sample, |_| Ok(vec![GluingMorphism { domain, codomain, left, right }]))
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that the projection Gl_k → Diff × Diff is strict (H Prop. 5). The spaces of ⦇τ⦈ are ⟦τ⟧ and ⟦𝒟τ⟧. Both maps of
/// a composite are the composites of the maps.
#[must_use]
pub fn projection_is_strict(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let mut random = SplitMix64::new(sample.seed);
        let ty = random_type(&mut random, 3);
        let object = setting.object_of_type(&ty, &sample.basis)?;
        let expected = [ty.to_string(), TypeTranslation::new(sample.basis.len()).translate_type(&ty).to_string()];
        let found = [object.left().to_string(), object.right().to_string()];
        if expected != found {
            return Ok(Verdict::refuted("the spaces of an object", found.join(" and "), expected.join(" and ")).into());
        }
        let real = setting.object_of_type(&Ty::real(), &sample.basis)?;
        let (plots, representations) = PlotScope::without_coordinates(&sample.basis, &mut random, sample.size)?;
        let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
        let (f, g) = (
            GluingMorphism::draw_morphism(&real, &object, &mut sampler)?,
            GluingMorphism::draw_morphism(&object, &real, &mut sampler)?,
        );
        let composite = f.then(&g);
        let any = |ty: &Ty, random: &mut SplitMix64| {
            scope::run_program(&scope::core_term(&scope::draw_smooth_program(random, ty, 2))?)
        };
        let (x, jet) = (any(real.left(), &mut random)?, any(real.right(), &mut random)?);
        let left =
            test_equal(real.left(), &composite.left.apply(&x)?, &g.left.apply(&f.left.apply(&x)?)?, &mut random)?;
        let through = g.right.apply(&f.right.apply(&jet)?)?;
        Ok(left.both(test_equal(real.right(), &composite.right.apply(&jet)?, &through, &mut random)?))
    };
    TheoremTest { range: BasisRange::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
