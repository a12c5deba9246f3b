//! How large derived programs are.

use crate::taylor::{basis, derived};

/// For fixed k the size grows like a polynomial in R: of degree k + 1 at most per product, and one more for the powers of a
/// composite. Doubling R multiplies it by less than 2^{2k + 1}, where a sum over partitions would not be bounded so.
#[test]
fn sizes_are_polynomial_in_the_order() {
    for (k, largest) in [(1, 16), (2, 8), (3, 6)] {
        for program in ["\\x y => x * y", "\\x => sin x", "\\x => sigmoid (x * x) / (1 + x)"] {
            let size = |order| derived(program, &basis(k, order)).expect("derived").node_count();
            let mut order = 2;
            while 2 * order <= largest {
                let (small, large) = (size(order), size(2 * order));
                assert!(large < small << (2 * k + 2), "k = {k}, R = {order}: {small}, {large} for {program}");
                order *= 2;
            }
        }
    }
}

/// What is used several times is derived once: a chain of definitions that each use the one before twice.
#[test]
fn sharing_is_kept() {
    let chain = |length: usize| {
        let lets: String = (1..=length).map(|i| format!("let x{i} = x{} * x{} in ", i - 1, i - 1)).collect();
        format!("\\x0 => {lets} x{length}")
    };
    let size = |length| derived(&chain(length), &basis(2, 3)).expect("derived").node_count();
    let step = size(11) - size(10);
    assert_eq!(size(60) - size(10), 50 * step);
    assert!(step < 20, "{step}");
}

/// The table of the book.
#[test]
fn sizes_of_the_book() {
    let orders = [1, 2, 3, 4, 6, 8, 10];
    for (program, rows) in [
        (
            "\\x y => x * y",
            [
                [34, 65, 110, 169, 329, 545, 817],
                [51, 150, 370, 781, 2526, 6225, 12942],
                [68, 272, 874, 2329, 11186, 38225, 105020],
            ],
        ),
        (
            "\\x => sigmoid x",
            [
                [26, 70, 141, 274, 738, 1562, 2850],
                [34, 118, 382, 1093, 5241, 17222, 44944],
                [40, 184, 898, 3318, 24055, 110640, 383942],
            ],
        ),
    ] {
        for (k, row) in (1..).zip(rows) {
            let sizes = orders.map(|order| derived(program, &basis(k, order)).expect("derived").node_count());
            assert_eq!(sizes, row, "{program}, k = {k}");
        }
    }
}

/// Numbers that the macro keeps for exponents are short: 60 squarings of 3 would have 2⁶⁰ digits and more.
#[test]
fn known_numbers_are_short() {
    let squares: String = (1..60).map(|i| format!("let x{i} = x{} * x{} in ", i - 1, i - 1)).collect();
    let program = format!("\\x => let x0 = 3 in {squares} x ^ x59");
    assert!(derived(&program, &basis(1, 2)).expect("derived").node_count() < 2_000);
}
