//! All laws of a structure at once, on random arrows between three objects.

use super::{
    Draw, associativity, beta, eta, folded_by_functions, folds, fusion, fusion_of_cases, fusion_of_folds, identity,
    initiality, injections, projections, reflection, surjective_cases, surjective_pairing, terminality,
    uniqueness_of_folds,
};
use crate::category::cartesian::Product;
use crate::category::{Arrow, Cartesian, Closed, Cocartesian, Lists, Names, Setoid, Sum};
use crate::random::Random;
use crate::verdict::Verdict;

/// The verdict of each law, by its name.
pub type Laws = Vec<(&'static str, Verdict)>;

/// Draws a random arrow.
fn draw<C: Draw, A: Names<C>, B: Names<C>>(random: &mut Random) -> Arrow<C, A, B> {
    Arrow(C::draw::<A, B>(random))
}

/// Tests the laws of categories and of finite products, on random arrows between the objects `A`, `B` and `D`.
///
/// # Errors
/// The error of evaluating an arrow.
pub fn products<C: Draw + Setoid + Cartesian, A: Names<C>, B: Names<C>, D: Names<C>>(
    random: &mut Random,
    trial: &C::Trial,
) -> Result<Laws, C::Error> {
    let f: Arrow<C, A, B> = draw(random);
    let g: Arrow<C, B, D> = draw(random);
    let back: Arrow<C, D, A> = draw(random);
    let across: Arrow<C, A, D> = draw(random);
    let both: Arrow<C, A, Product<C, B, D>> = draw(random);
    // an arrow into 1 is drawn like any other, so that uniqueness is a claim about it
    let into_one: Arrow<C, A, C::Terminal> = draw(random);
    Ok(vec![
        ("identity", identity(&f, trial)?),
        ("associativity", associativity(&f, &g, &back, trial)?),
        ("β of products", projections(&f, &across, trial)?),
        ("η of products", surjective_pairing::<C, A, B, D>(&both, trial)?),
        ("fusion of products", fusion(&back, &f, &across, trial)?),
        ("uniqueness into 1", terminality(&into_one, trial)?),
    ])
}

/// Tests the laws of [`products`], of exponentials, of sums and of lists.
///
/// # Errors
/// The error of evaluating an arrow.
pub fn bicartesian_closed<C, A, B, D>(random: &mut Random, trial: &C::Trial) -> Result<Laws, C::Error>
where
    C: Draw + Setoid + Closed + Cocartesian + Lists,
    A: Names<C>,
    B: Names<C>,
    D: Names<C>,
{
    let mut laws = products::<C, A, B, D>(random, trial)?;
    let of_two: Arrow<C, Product<C, A, B>, D> = draw(random);
    let curried: Arrow<C, A, C::Exponential<B, D>> = draw(random);
    let across: Arrow<C, A, D> = draw(random);
    let g: Arrow<C, B, D> = draw(random);
    let back: Arrow<C, D, A> = draw(random);
    let of_either: Arrow<C, Sum<C, A, B>, D> = draw(random);
    let start: Arrow<C, C::Terminal, B> = draw(random);
    let step: Arrow<C, Product<C, A, B>, B> = draw(random);
    let out_of_zero: Arrow<C, C::Initial, A> = draw(random);
    let by_functions = folded_by_functions::<C, A, B>(&start, &step, false);
    // fusion needs an arrow with a retraction: the graph ⟨id, g⟩ makes B a retract of B × D
    let graph = Arrow::<C, B, B>::identity().pair(&g);
    let retraction = Arrow::<C, B, D>::first();
    laws.extend([
        ("β of exponentials", beta::<C, A, B, D>(&of_two, trial)?),
        ("η of exponentials", eta::<C, A, B, D>(&curried, trial)?),
        ("β of sums", injections(&across, &g, trial)?),
        ("η of sums", surjective_cases::<C, A, B, D>(&of_either, trial)?),
        ("fusion of sums", fusion_of_cases(&across, &g, &back, trial)?),
        ("uniqueness out of 0", initiality(&out_of_zero, trial)?),
        ("β of lists", folds::<C, A, B>(&start, &step, trial)?),
        ("η of lists", reflection::<C, A>(trial)?),
        ("uniqueness of lists", uniqueness_of_folds::<C, A, B>(&by_functions, &start, &step, trial)?),
        ("fusion of lists", fusion_of_folds::<C, A, B, Product<C, B, D>>(&start, &step, (&graph, &retraction), trial)?),
    ]);
    Ok(laws)
}
