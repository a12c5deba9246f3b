//! Coordinates (H §2.2).

use smoothish::meaning::taylor::jet::{Basis, BasisError};

/// H3: C(R + k, k) coordinates, C(R + k − 1, k − 1) of them of order R.
#[test]
fn there_are_as_many_coordinates_as_partial_derivatives() {
    let table = [(1, 1, 2), (1, 2, 3), (2, 1, 3), (2, 2, 6), (2, 3, 10), (3, 3, 20), (3, 4, 35), (1, 30, 31)];
    for (k, order, expected) in table {
        let basis = Basis::new(k, order).expect("a basis");
        assert_eq!(basis.len(), expected, "({k}, {order})");
        let top = basis.indices().iter().filter(|index| index.iter().sum::<usize>() == order).count();
        // of k entries with the sum R: by the same count for one entry less and every sum up to R
        let fewer = if k == 1 { 1 } else { Basis::new(k - 1, order).expect("a basis").len() };
        assert_eq!(top, fewer, "({k}, {order})");
    }
}

/// H4: the order is lexicographic, from 0…0 to R0…0.
#[test]
fn coordinates_are_in_lexicographic_order() {
    for (k, order) in [(1, 4), (2, 2), (2, 3), (3, 2), (4, 2)] {
        let basis = Basis::new(k, order).expect("a basis");
        assert!(basis.indices().windows(2).all(|pair| pair[0] < pair[1]), "({k}, {order})");
        assert!(basis.indices()[0].iter().all(|entry| *entry == 0));
        let last = basis.indices().last().expect("an index");
        assert!(last[0] == order && last[1..].iter().all(|entry| *entry == 0));
        for (place, index) in basis.indices().iter().enumerate() {
            assert_eq!(basis.position_of(index), Some(place));
        }
    }
    let two = Basis::new(2, 2).expect("a basis");
    let expected: [[usize; 2]; 6] = [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [2, 0]];
    assert_eq!(two.indices(), expected.map(|index| index.to_vec()));
}

#[test]
fn absurd_orders_are_refused_at_once() {
    assert_eq!(Basis::new(0, 3).err(), Some(BasisError::NoDirection));
    assert_eq!(Basis::new(3, 0).err(), Some(BasisError::NoOrder));
    for (k, order) in [(30, 30), (1, 100_000), (1_000_000, 1), (usize::MAX, usize::MAX), (2, usize::MAX)] {
        let found = Basis::new(k, order).err();
        assert_eq!(found, Some(BasisError::TooLarge { directions: k, order }), "({k}, {order})");
    }
    assert!(Basis::new(0, 3).is_err_and(|e| e.to_string().contains("at least 1")));
}

/// The terms of the product rule: of 2ⁿ, C(α, β) at each β ≤ α.
#[test]
fn splittings_are_those_of_the_product_rule() {
    for basis in [Basis::new(2, 4), Basis::new(3, 3), Basis::new(1, 98)] {
        of_the_product_rule(&basis.expect("a basis"));
    }
}

fn of_the_product_rule(basis: &Basis) {
    for (place, index) in basis.indices().iter().enumerate() {
        let sum: u128 = basis.product_splittings(place).map(|(_, _, coefficient)| coefficient).sum();
        assert_eq!(sum, 1 << index.iter().sum::<usize>(), "{index:?}");
        for (part, rest, _) in basis.product_splittings(place) {
            let sum: Vec<usize> =
                basis.indices()[part].iter().zip(&basis.indices()[rest]).map(|(a, b)| a + b).collect();
            assert_eq!(&sum, index);
        }
    }
}
