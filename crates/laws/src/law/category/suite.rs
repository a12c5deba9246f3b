//! All laws of a structure at once, on random arrows between three objects.

use super::{
    DrawArrow, associativity, exponential_beta, exponential_eta, fold_by_functions, fusion_of_folds, identity,
    initiality, list_beta, list_eta, product_beta, product_eta, product_fusion, sum_beta, sum_eta, sum_fusion,
    terminality, uniqueness_of_folds,
};
use crate::category::cartesian::ProductOf;
use crate::category::{Arrow, Cartesian, CartesianClosed, Cocartesian, Lists, ObjectName, Setoid, SumOf};
use crate::random::SplitMix64;
use crate::verdict::Verdict;

/// The verdict of each law, by its name.
pub type NamedVerdicts = Vec<(&'static str, Verdict)>;

/// Draws a random arrow.
fn draw_arrow<C: DrawArrow, A: ObjectName<C>, B: ObjectName<C>>(random: &mut SplitMix64) -> Arrow<C, A, B> {
    Arrow(C::draw_hom::<A, B>(random))
}

/// Tests the laws of categories and of finite products, on random arrows between the objects `A`, `B` and `D`.
///
/// # Errors
/// The error of evaluating an arrow.
pub fn check_products<C: DrawArrow + Setoid + Cartesian, A: ObjectName<C>, B: ObjectName<C>, D: ObjectName<C>>(
    random: &mut SplitMix64,
    trial: &C::Trial,
) -> Result<NamedVerdicts, C::Error> {
    let f: Arrow<C, A, B> = draw_arrow(random);
    let g: Arrow<C, B, D> = draw_arrow(random);
    let back: Arrow<C, D, A> = draw_arrow(random);
    let across: Arrow<C, A, D> = draw_arrow(random);
    let both: Arrow<C, A, ProductOf<C, B, D>> = draw_arrow(random);
    // an arrow into 1 is drawn like any other, so that uniqueness is a claim about it
    let into_one: Arrow<C, A, C::Terminal> = draw_arrow(random);
    Ok(vec![
        ("identity", identity(&f, trial)?),
        ("associativity", associativity(&f, &g, &back, trial)?),
        ("β of products", product_beta(&f, &across, trial)?),
        ("η of products", product_eta::<C, A, B, D>(&both, trial)?),
        ("fusion of products", product_fusion(&back, &f, &across, trial)?),
        ("uniqueness into 1", terminality(&into_one, trial)?),
    ])
}

/// Tests the laws of [`check_products`], of exponentials, of sums and of lists.
///
/// # Errors
/// The error of evaluating an arrow.
pub fn check_bicartesian_closed<C, A, B, D>(
    random: &mut SplitMix64,
    trial: &C::Trial,
) -> Result<NamedVerdicts, C::Error>
where
    C: DrawArrow + Setoid + CartesianClosed + Cocartesian + Lists,
    A: ObjectName<C>,
    B: ObjectName<C>,
    D: ObjectName<C>,
{
    let mut laws = check_products::<C, A, B, D>(random, trial)?;
    let of_two: Arrow<C, ProductOf<C, A, B>, D> = draw_arrow(random);
    let curried: Arrow<C, A, C::Exponential<B, D>> = draw_arrow(random);
    let across: Arrow<C, A, D> = draw_arrow(random);
    let g: Arrow<C, B, D> = draw_arrow(random);
    let back: Arrow<C, D, A> = draw_arrow(random);
    let of_either: Arrow<C, SumOf<C, A, B>, D> = draw_arrow(random);
    let start: Arrow<C, C::Terminal, B> = draw_arrow(random);
    let step: Arrow<C, ProductOf<C, A, B>, B> = draw_arrow(random);
    let out_of_zero: Arrow<C, C::Initial, A> = draw_arrow(random);
    let by_functions = fold_by_functions::<C, A, B>(&start, &step, false);
    // fusion needs an arrow with a retraction: the graph ⟨id, g⟩ makes B a retract of B × D
    let graph = Arrow::<C, B, B>::identity().pair(&g);
    let retraction = Arrow::<C, B, D>::first();
    laws.extend([
        ("β of exponentials", exponential_beta::<C, A, B, D>(&of_two, trial)?),
        ("η of exponentials", exponential_eta::<C, A, B, D>(&curried, trial)?),
        ("β of sums", sum_beta(&across, &g, trial)?),
        ("η of sums", sum_eta::<C, A, B, D>(&of_either, trial)?),
        ("fusion of sums", sum_fusion(&across, &g, &back, trial)?),
        ("uniqueness out of 0", initiality(&out_of_zero, trial)?),
        ("β of lists", list_beta::<C, A, B>(&start, &step, trial)?),
        ("η of lists", list_eta::<C, A>(trial)?),
        ("uniqueness of lists", uniqueness_of_folds::<C, A, B>(&by_functions, &start, &step, trial)?),
        (
            "fusion of lists",
            fusion_of_folds::<C, A, B, ProductOf<C, B, D>>(&start, &step, (&graph, &retraction), trial)?,
        ),
    ]);
    Ok(laws)
}
