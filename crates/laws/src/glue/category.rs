//! The laws of Gl_k as a bicartesian closed category with lists, tested (H Prop. 5).
//!
//! | statement | |
//! |---|---|
//! | [`structure`] | the constructions of [`Morphism`] preserve S, and satisfy their equations |
//! | [`projection`] | the projection to Diff × Diff sends the structure to the structure, on the nose |
//! | [`operations`] | an operation and its Taylor representation are a morphism: "these interpretations are indeed morphisms" |

use super::equality::equal;
use super::error::GlueError;
use super::interpretation::{By, second};
use super::judged::Judged;
use super::lemma::{Setting, point, random_type};
use super::morphism::Morphism;
use super::object::{Object, Sampler};
use super::scope::{self, Scope};
use super::stage::Stage;
use super::trial::{Experiment, Range, Sample};
use crate::law::generate::{either, tree};
use crate::law::term::pair;
use crate::meaning::taylor::types::Types;
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::syntax::ty::Ty;
use crate::verdict::Verdict;

/// The observation depth of functions in random arguments. A choice.
const DEPTH: usize = 2;

/// Tests that each of the morphisms maps a related pair to a related one.
fn preserved(
    sample: &Sample,
    make: impl FnOnce(&mut Sampler<'_>) -> Result<Vec<Morphism>, GlueError>,
) -> Result<Judged, GlueError> {
    let stage = Stage::new(sample.basis.directions());
    let mut random = Random::new(sample.seed);
    let point = point(&mut random, sample.basis.directions());
    // morphisms do not depend on the stage, but their arguments do
    let (plots, representations) = Scope::global(&sample.basis, &mut random, sample.size)?;
    let scopes = Scope::over(&stage, &sample.basis, &mut random, sample.size)?;
    let mut sampler = Sampler { plots, representations, random: &mut random, size: DEPTH };
    let mut all = Judged::from(Verdict::Vacuous);
    for morphism in make(&mut sampler)? {
        all = all.and(morphism.preserves(&stage, &scopes, &mut sampler, &point)?);
    }
    Ok(all)
}

/// Proposition 5 (H): identities, composites, pairs, projections, currying, evaluation, injections, case and fold
/// preserve S. So do the constructors of trees, and folds over trees.
#[must_use]
pub fn structure(setting: Setting) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        // a stream of its own: `preserved` starts another one at the same seed
        let mut random = Random::new(sample.seed ^ 2);
        let types = [(); 3].map(|()| random_type(&mut random, 1));
        let object = |ty: &Ty| setting.object(ty, &sample.basis);
        let (a, b, c) = (object(&types[0])?, object(&types[1])?, object(&types[2])?);
        let sum = object(&either(types[0].clone(), types[1].clone()))?;
        let trees = object(&tree(types[0].clone()))?;
        let (none, node) = (Object::product(&[]), Object::product(&[trees.clone(), a.clone(), trees.clone()]));
        preserved(sample, |sampler| {
            let product = [a.clone(), b.clone()];
            let f = Morphism::draw(&a, &b, sampler)?;
            let g = Morphism::draw(&b, &c, sampler)?;
            let h = Morphism::draw(&Object::product(&product), &c, sampler)?;
            let k = Morphism::draw(&a, &c, sampler)?;
            let step = Morphism::draw(&Object::product(&[a.clone(), c.clone()]), &c, sampler)?;
            let start = Morphism::draw(&none, &c, sampler)?;
            let at_nodes = Morphism::draw(&Object::product(&[c.clone(), a.clone(), c.clone()]), &c, sampler)?;
            Ok(vec![
                Morphism::id(&a),
                f.then(&g),
                f.pair(&k),
                Morphism::projection(&product, 0),
                Morphism::projection(&product, 1),
                h.curried(&product),
                Morphism::evaluation(&a, &b),
                Morphism::injection(&a, &sum, 0),
                Morphism::injection(&b, &sum, 1),
                k.case(&g, &sum),
                step.fold(&start, &a),
                Morphism::injection(&none, &trees, 0),
                Morphism::injection(&node, &trees, 1),
                at_nodes.fold_tree(&start, &trees),
            ])
        })
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// A pair of maps that does not preserve S: the second map is constant, whatever the first one does. The law must
/// refute it.
#[must_use]
pub fn broken(setting: Setting) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        let real = setting.object(&Ty::real(), &sample.basis)?;
        preserved(sample, |sampler| {
            let f = Morphism::draw(&real, &real, sampler)?;
            let constant = sampler.representations.constant(&1.into());
            Ok(vec![Morphism { right: Function::new(move |_: &Element| Ok(constant.clone())), ..f }])
        })
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests that an operation with its Taylor representation is a morphism (H §6.2, (3)).
#[must_use]
pub fn operations(setting: Setting) -> Experiment<'static> {
    let draw =
        |random: &mut Random| vec![scope::program(random, &Ty::function(pair(Ty::real(), Ty::real()), Ty::real()), 4)];
    let judge = move |sample: &Sample| {
        let core = scope::core(&sample.terms[0])?;
        let object = |ty: &Ty| setting.object(ty, &sample.basis);
        let (domain, codomain) = (object(&pair(Ty::real(), Ty::real()))?, object(&Ty::real())?);
        let left = scope::run(&core)?.as_function()?.clone();
        let right = second(&core, &sample.basis, By::Definition)?.as_function()?.clone();
        preserved(sample, |_| Ok(vec![Morphism { domain, codomain, left, right }]))
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that the projection Gl_k → Diff × Diff is strict (H Prop. 5). The spaces of ⦇τ⦈ are ⟦τ⟧ and ⟦𝒟τ⟧. Both maps of
/// a composite are the composites of the maps.
#[must_use]
pub fn projection(setting: Setting) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        let mut random = Random::new(sample.seed);
        let ty = random_type(&mut random, 3);
        let object = setting.object(&ty, &sample.basis)?;
        let expected = [ty.to_string(), Types::new(sample.basis.len()).ty(&ty).to_string()];
        let found = [object.left().to_string(), object.right().to_string()];
        if expected != found {
            return Ok(Verdict::refuted("the spaces of an object", found.join(" and "), expected.join(" and ")).into());
        }
        let real = setting.object(&Ty::real(), &sample.basis)?;
        let (plots, representations) = Scope::global(&sample.basis, &mut random, sample.size)?;
        let mut sampler = Sampler { plots, representations, random: &mut random, size: DEPTH };
        let (f, g) = (Morphism::draw(&real, &object, &mut sampler)?, Morphism::draw(&object, &real, &mut sampler)?);
        let composite = f.then(&g);
        let any = |ty: &Ty, random: &mut Random| scope::run(&scope::core(&scope::smooth(random, ty, 2))?);
        let (x, jet) = (any(real.left(), &mut random)?, any(real.right(), &mut random)?);
        let left = equal(real.left(), &composite.left.apply(&x)?, &g.left.apply(&f.left.apply(&x)?)?, &mut random)?;
        let through = g.right.apply(&f.right.apply(&jet)?)?;
        Ok(left.both(equal(real.right(), &composite.right.apply(&jet)?, &through, &mut random)?))
    };
    Experiment { range: Range::UpTo(2, 2), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}
