//! Polynomials in one variable, and their roots. True values by hand.

use smoothish::number::Rational;
use smoothish::smooth::univariate::{IsolatedRoots, Univariate};

fn polynomial(coefficients: &[i64]) -> Univariate {
    Univariate::new(coefficients.iter().map(|a| Rational::from(*a)).collect())
}

fn ratio(over: i64, under: i64) -> Rational {
    Rational::from((over, under))
}

/// (x - 1/2)² (x + 2/3) (x² - 2), by hand: 1/2 twice, -2/3, and ±√2.
#[test]
fn roots_are_isolated_and_rational_ones_found() {
    let product = [[-1, 2].as_slice(), &[-1, 2], &[2, 3], &[-2, 0, 1]].into_iter().fold(vec![1], |product, factor| {
        let mut next = vec![0; product.len() + factor.len() - 1];
        for (i, a) in product.iter().enumerate() {
            for (j, b) in factor.iter().enumerate() {
                next[i + j] += a * b;
            }
        }
        next
    });
    let roots = IsolatedRoots::of_polynomial(&polynomial(&product));
    let finest = ratio(1, 1 << 30);
    let found = roots.isolate_between(&ratio(-10, 1), &ratio(10, 1), &finest);
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!([&found[1], &found[2]], [&[ratio(-2, 3), ratio(-2, 3)], &[ratio(1, 2), ratio(1, 2)]]);
    for ([lo, hi], sign) in [(&found[0], -1), (&found[3], 1)] {
        let square = |x: &Rational| Rational::from(x * x);
        assert!(Rational::from(hi - lo) <= finest && lo < hi && lo.cmp0() == sign.cmp(&0));
        assert_eq!([square(lo) < 2, square(hi) < 2], if sign > 0 { [true, false] } else { [false, true] });
    }
    assert_eq!(roots.count_in(&ratio(1, 2), &ratio(1, 1)), 1);
    assert_eq!(roots.count_in(&ratio(-2, 3), &ratio(1, 2)), 2);
    assert!(roots.isolate_between(&ratio(1, 2), &ratio(1, 1), &finest).is_empty());
}

/// Wilkinson's polynomial (x - 1)…(x - 12), and one whose roots are 2⁻⁴⁰ apart.
#[test]
fn near_roots_are_told_apart() {
    let times = |p: &[Rational], root: &Rational| {
        let mut next = vec![Rational::new(); p.len() + 1];
        for (n, a) in p.iter().enumerate() {
            next[n + 1] += a;
            next[n] -= Rational::from(a * root);
        }
        next
    };
    let whole: Vec<_> = (1..=12).map(|n| ratio(n, 1)).collect();
    let near = [ratio(1, 3), ratio(1, 3) + (ratio(1, 1) >> 40u32)];
    for known in [&whole[..], &near] {
        let p = known.iter().fold(vec![ratio(1, 1)], |p, root| times(&p, root));
        let found = IsolatedRoots::of_polynomial(&Univariate::new(p)).isolate_between(
            &ratio(0, 1),
            &ratio(20, 1),
            &ratio(1, 100),
        );
        let exact: Vec<_> = known.iter().map(|x| [x.clone(), x.clone()]).collect();
        assert_eq!(found, exact);
    }
}

#[test]
fn common_roots_are_known() {
    let [p, q] = [polynomial(&[-2, 0, 1]), polynomial(&[-4, 0, 0, 0, 1])].map(|p| IsolatedRoots::of_polynomial(&p));
    assert!(p.have_common_root(&q, &ratio(1, 1), &ratio(2, 1)));
    assert!(!p.have_common_root(&IsolatedRoots::of_polynomial(&polynomial(&[-3, 0, 1])), &ratio(1, 1), &ratio(2, 1)));
    let [over, under] = Univariate::cancel_common(&polynomial(&[0, 2]), &polynomial(&[0, 1]));
    assert_eq!((over.degree(), under.degree()), (0, 0));
    assert!(polynomial(&[0, 0]).is_zero() && polynomial(&[3, 0]).degree() == 0);
}
