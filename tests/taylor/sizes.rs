//! How large derived programs are.

use crate::{basis, derived};

/// For fixed k the size grows like a polynomial in R: of degree k + 1 at most per product, and one more for the powers of a
/// composite. Doubling R multiplies it by less than 2^{2k + 1}, where a sum over partitions would not be bounded so.
#[test]
fn sizes_are_polynomial_in_the_order() {
    for (k, largest) in [(1, 16), (2, 8), (3, 6)] {
        for program in ["\\x y => x * y", "\\x => sin x", "\\x => sigmoid (x * x) / (1 + x)"] {
            let size = |order| derived(program, &basis(k, order)).expect("derived").size();
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
    let size = |length| derived(&chain(length), &basis(2, 3)).expect("derived").size();
    let step = size(11) - size(10);
    assert_eq!(size(60) - size(10), 50 * step);
    assert!(step < 20, "{step}");
}

/// The table of the book: (k, R) and the sizes of the derived sigmoid.
#[test]
fn sizes_of_the_book() {
    for (k, order, at_most) in [(1, 10, 3_000), (2, 10, 70_000), (3, 5, 70_000)] {
        let size = derived("\\x => sigmoid x", &basis(k, order)).expect("derived").size();
        println!("k = {k}, R = {order}: {size}");
        assert!(size < at_most, "k = {k}, R = {order}: {size}");
    }
}
