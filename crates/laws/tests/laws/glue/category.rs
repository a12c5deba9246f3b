//! Gl_k is bicartesian closed with lists, and lies strictly over two copies of Diff.

use crate::glue::lemma::{RIGHT, holds, tried};
use smoothish_laws::glue::equality::test_equal;
use smoothish_laws::glue::evaluation::PlotScope;
use smoothish_laws::glue::morphism::{
    GluingMorphism, non_preserving_pair, operations_are_morphisms, projection_is_strict, structure,
};
use smoothish_laws::glue::object::{GluingObject, PairSampler};
use smoothish_laws::law::generate::tree_type;
use smoothish_laws::meaning::taylor::jet::Basis;
use smoothish_laws::presheaf::dynamic::Element;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::syntax::ty::Ty;
use std::sync::Arc;

/// Trees are an initial algebra: their fold is what its equations say, and folds of constructors do nothing.
#[test]
fn trees_of_the_gluing_category_are_an_initial_algebra() {
    let basis = Arc::new(Basis::new(2, 1).expect("a basis"));
    let ty = tree_type(Ty::real());
    let trees = RIGHT.object_of_type(&ty, &basis).expect("an object");
    let real = RIGHT.object_of_type(&Ty::real(), &basis).expect("an object");
    let (none, node) =
        (GluingObject::product(&[]), GluingObject::product(&[trees.clone(), real.clone(), trees.clone()]));
    let constructors = [GluingMorphism::injection(&none, &trees, 0), GluingMorphism::injection(&node, &trees, 1)];
    let (mut random, mut large) = (SplitMix64::new(5), 0);
    for _ in 0..60 {
        let (plots, representations) = PlotScope::without_coordinates(&basis, &mut random, 3).expect("a scope");
        let mut sampler = PairSampler { plots, representations, random: &mut random, size: 2 };
        let parts = GluingObject::product(&[real.clone(), real.clone(), real.clone()]);
        let step = GluingMorphism::draw_morphism(&parts, &real, &mut sampler).expect("a step");
        let start = GluingMorphism::draw_morphism(&none, &real, &mut sampler).expect("a start");
        let fold = step.fold_tree(&start, &trees);
        let rebuilt = constructors[1].fold_tree(&constructors[0], &trees);
        let pair = sampler.draw_pair(&trees).expect("a tree");
        let (index, argument) = pair.plot.as_variant().expect("a tree");
        let same = |ty: &Ty, left: &Element, right: &Element, random: &mut SplitMix64| {
            let judged = test_equal(ty, left, right, random).expect("a verdict");
            assert!(!judged.is_refuted(), "{judged}");
        };
        same(&ty, &rebuilt.left.apply(&pair.plot).expect("a tree"), &pair.plot, sampler.random);
        let right = match argument.as_tuple() {
            Ok([left, x, right]) if index == 1 => {
                large += usize::from([left, right].iter().any(|part| part.as_variant().is_ok_and(|(i, _)| i == 1)));
                let [left, right] = [left, right].map(|part| fold.left.apply(part).expect("a number"));
                step.left.apply(&Element::tuple_of([left, x.clone(), right])).expect("a number")
            }
            _ => start.left.apply(&Element::Unit).expect("a number"),
        };
        same(&Ty::real(), &fold.left.apply(&pair.plot).expect("a number"), &right, sampler.random);
    }
    assert!(large > 20, "{large} of 60 trees have more than one node");
}

#[test]
fn a_pair_that_breaks_the_relation_is_refuted() {
    assert!(tried(&non_preserving_pair(RIGHT), 100).refutation.is_some());
}

#[test]
fn the_projection_is_strict() {
    holds(&projection_is_strict(RIGHT), 100);
}

#[test]
fn operations_with_their_representations_are_morphisms() {
    holds(&operations_are_morphisms(RIGHT), 100);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_constructions_of_the_gluing_category_preserve_the_relation() {
        holds(&structure(RIGHT), 60);
    }
}
