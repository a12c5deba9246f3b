//! The restricted (2,2)′ (H §2.3, Ex. 3.2).

use crate::taylor::{basis, derived_at, is};
use smoothish::law::generate;
use smoothish::law::generate::{TermGenerator, TermVocabulary};
use smoothish::meaning::taylor::derive::derive_program;
use smoothish::meaning::taylor::jet::Basis;
use smoothish::random::SplitMix64;
use smoothish::syntax::ty::{Ty, TyKind};

/// H7: the last component of h((x, x′, x″, 0), …) is the second derivative along both directions; along (1, 0) twice it is
/// ∂²g/∂x².
#[test]
fn directional_second_derivatives() {
    let g = "\\x y z => x^2 * y * exp z";
    let at = |x: &str, y: &str, z: &str| derived_at(g, &Basis::without_unmixed(), &[x, y, z]);
    // at (3, 5, 0): first derivatives (30, 9, 45), second: xx 10, xy 6, xz 30, yz 9, zz 45; along (2, −1, 1) and (1, 4, 0)
    let expected = "(45, 30*2 - 9 + 45, 30 + 36, 10*2 + 6*(8 - 1) + 30*1 + 9*4)";
    is(&at("(3, 2, 1, 0)", "(5, -1, 4, 0)", "(0, 1, 0, 0)"), expected);
    let twice = derived_at("\\x y => sin (x * y)", &Basis::without_unmixed(), &["(1, 1, 1, 0)", "(2, 0, 0, 0)"]);
    is(&twice, "(sin 2, 2 * cos 2, 2 * cos 2, 0 - 4 * sin 2)");
}

/// H13: the coordinates 02 and 20 generate an ideal, so to forget them commutes with every program, at all inputs: not only
/// at jets of functions. Programs have functions, data, folds and exponents of every kind inside.
#[test]
fn forgetting_commutes() {
    let (full, restricted) = (basis(2, 2), Basis::without_unmixed());
    let kept: Vec<usize> = restricted.indices().iter().map(|index| full.position_of(index).expect("kept")).collect();
    let ty = Ty::function(Ty::real(), Ty::function(Ty::real(), Ty::real()));
    let mut survived = 0;
    for index in 0..120 {
        let mut random = SplitMix64::for_sample(13, index);
        let mut number = || format!("{}/4", random.next_below(17) as i32 - 8);
        let jets: Vec<Vec<String>> = (0..2).map(|_| (0..6).map(|_| number()).collect()).collect();
        let mut generator = TermGenerator::with_vocabulary(random, TermVocabulary::Derivable);
        let program = generator.draw_using_scope(&ty, 14);
        let Ok((term, _)) = generate::data_library().infer_expression(&format!("({program} : {ty})")) else { continue };
        let (Ok(whole), Ok(part)) = (derive_program(&term, &ty, &full), derive_program(&term, &ty, &restricted)) else {
            continue;
        };
        let apply = |derived: &smoothish::meaning::taylor::derive::DerivedProgram, places: &[usize]| {
            let mut applied = derived.to_closed_term();
            for jet in &jets {
                let parts: Vec<&str> = places.iter().map(|place| jet[*place].as_str()).collect();
                let (jet, _) = crate::taylor::infer(&format!("({})", parts.join(", ")));
                applied =
                    smoothish::syntax::term::Term::apply(applied, jet, smoothish::syntax::source::Span::default());
            }
            crate::taylor::enclosures(&applied, &Ty::new(TyKind::Tuple(vec![Ty::real(); places.len()])))
        };
        let whole = apply(&whole, &[0, 1, 2, 3, 4, 5]);
        let part = apply(&part, &kept);
        for (place, found) in kept.iter().zip(&part) {
            assert!(found.overlaps(&whole[*place]), "{program}: {place}");
        }
        survived += usize::from(part.iter().all(|number| number.is_bounded()));
    }
    assert!(survived > 60, "{survived}");
}

/// E30: the mixed coordinate of a product has the terms of both arguments; as printed, with one index only, it has none.
#[test]
fn cross_terms_are_there() {
    is(
        &derived_at("\\x y => x * y", &Basis::without_unmixed(), &["(2, 3, 5, 0)", "(7, 11, 13, 0)"]),
        "(14, 2*11 + 3*7, 2*13 + 5*7, 3*13 + 5*11)",
    );
}
