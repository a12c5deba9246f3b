//! Wrong macros: each is caught, by types or by the derivatives that the presheaf model has.

use crate::taylor::{basis, enclosures};
use smoothish::law::agreement::derivatives::derivative_programs;
use smoothish::law::generate::data_library;
use smoothish::meaning::taylor::derive::derive_with;
use smoothish::meaning::taylor::functor;
use smoothish::number::Rational;
use smoothish::syntax::source::Span;
use smoothish::syntax::term::{Term, TermKind};
use smoothish::wrong::Taylor;

/// A program that shows the error, its point, and the order at which it shows; nothing for rules that only theorems try.
fn witness(wrong: Taylor) -> Option<(&'static str, Vec<i32>, usize)> {
    Some(match wrong {
        Taylor::CrossTerm | Taylor::SameArgument | Taylor::Coordinates => ("\\x y => x^2 * y^3", vec![2, 3], 2),
        Taylor::Binomials => ("\\x => x^3 * exp x", vec![1], 2),
        Taylor::Partial => ("\\x => sigmoid x", vec![1], 2),
        Taylor::Cosine => ("\\x => cos x", vec![1], 1),
        Taylor::ConstantLength => ("\\x => x * 2", vec![1], 2),
        Taylor::ConstantSlope => ("\\x => x * 2", vec![1], 1),
        Taylor::FoldStart => ("\\x => fold (\\y rest => x * y + rest) 0 [1, 2]", vec![1], 1),
        Taylor::FoldLeft => ("\\x => fold (\\y rest => y + x * rest) 1 [1, 2]", vec![2], 1),
        Taylor::FoldStep => ("\\x => fold (\\y rest => y + x * rest) 1 [1, 2]", vec![2], 1),
        Taylor::Conditional => ("\\x => if 1 < (2 : Nat) then x else x^2", vec![2], 1),
        Taylor::Branches => ("\\x => match Left x with Left y => y^2 | Right z => z", vec![2], 1),
        Taylor::Argument => (TREE, vec![2], 1),
        Taylor::Components => ("\\x => snd (x, x^2)", vec![2], 1),
        Taylor::Projection => ("\\x => fst (x, x^2)", vec![2], 1),
        Taylor::Comparison => ("\\x => if 2 <= (2 : Nat) then x else x^2", vec![2], 1),
        Taylor::Difference => ("\\x => x - x^2", vec![2], 1),
        Taylor::NaturalSlope => ("\\x => x * toReal 2", vec![2], 1),
        _ => return None,
    })
}

/// It looks at the left part of a node.
const TREE: &str = "\\x => match Node (Leaf, x, Node (Leaf, x^2, Leaf)) with Leaf => 0 | Node n => \
                    (match n[0] with Leaf => x | Node m => m[1])";

#[test]
fn every_wrong_macro_is_caught() {
    for wrong in Taylor::ALL {
        // the others are left to the theorems, in `glue/wrong`
        let Some((program, point, order)) = witness(*wrong) else { continue };
        let (term, ty) = data_library().infer_expression(program).unwrap_or_else(|e| panic!("{program}: {e}"));
        let point: Vec<Rational> = point.into_iter().map(Rational::from).collect();
        let right = derivative_programs(&term, &ty, &point, order).expect("derivatives");
        let (sound, value) = right.derived.expect("a derived program");
        assert_eq!(sound.check_types(), Ok(()));
        let found =
            derive_with(&functor::Taylor::with_hooks(wrong, basis(point.len(), order)), &term, &ty).expect("derived");
        if found.check_types().is_err() {
            assert_eq!(*wrong, Taylor::ConstantLength);
            continue;
        }
        assert_ne!(*wrong, Taylor::ConstantLength);
        // the same arguments
        let mut arguments = Vec::new();
        let mut rest = value;
        while let TermKind::Apply { function, argument } = rest.clone().kind() {
            arguments.push(argument.clone());
            rest = function.clone();
        }
        let value = arguments.into_iter().rev().fold(found.term, |f, x| Term::apply(f, x, Span::default()));
        let (found, expected) = (enclosures(&value, &right.ty), enclosures(&right.nested, &right.ty));
        let apart = found.iter().zip(&expected).any(|(a, b)| !a.overlaps(b));
        assert!(apart, "{}: {}", wrong.name(), wrong.instead());
    }
}
