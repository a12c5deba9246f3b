//! From expressions to terms: names, sharing, depth.

use smoothish::host::prelude::*;
use smoothish::number::Rational;

fn contains(x: &Expr<Real>, truth: &str) {
    let answer = x.enclose(1e-9).expect("an answer");
    assert!(answer.reached && answer.enclosure.contains(&decimal::parse(truth).expect("a decimal")), "{answer:?}");
}

#[test]
fn the_example_of_the_front_page() {
    let relu = lam(|x: Expr<Real>| max(0, x));
    let brightness = lam(|c: Expr<Real>| integral01(lam(|x| relu.apply(x - &c))));
    assert_eq!(brightness.to_string(), r"\x => integral01 (\x1 => (\x2 => max 0 x2) (x1 - x))");
    contains(&deriv(brightness).apply(real!(0.6)), "-0.4");
}

#[test]
fn what_is_shared_is_bound_where_its_uses_meet() {
    let program = lam(|x: Expr<Real>| {
        let y = sin(&x);
        let inner = lam(|z: Expr<Real>| {
            let w = exp(&z + &y);
            &w * &w
        });
        integral01(inner) + &y
    });
    assert_eq!(
        program.to_string(),
        r"\x => let t0 = sin x in integral01 (\x1 => let t1 = exp (x1 + t0) in t1 * t1) + t0"
    );
}

#[test]
fn a_branch_keeps_what_is_its_own() {
    let program = lam(|b: Expr<Bool>| {
        let x = exp(1);
        cond(&b, &x + &x, 0)
    });
    assert_eq!(program.to_string(), r"\b => if b then let t0 = exp 1 in t0 + t0 else 0");
}

/// A tree of 2⁶⁰ leaves.
#[test]
fn sixty_doublings_are_sixty_sums() {
    let mut x = sin(1) - sin(1) + 1;
    for _ in 0..60 {
        x = &x + &x;
    }
    contains(&x, "1152921504606846976");
    assert!(x.to_string().len() < 3000);
}

#[test]
fn what_escapes_is_found() {
    let hidden = std::cell::RefCell::new(None);
    let f = lam(|x: Expr<Real>| {
        *hidden.borrow_mut() = Some(x.clone());
        x + 1
    });
    let outside = hidden.into_inner().expect("a variable") + 1;
    assert!(matches!(outside.enclose(1e-3), Err(EdslError::EscapedVariable { letter: 'x' })));
    assert!(matches!((f.apply(&outside) + &outside).enclose(1e-3), Err(EdslError::EscapedVariable { .. })));
    contains(&f.apply(1), "2");
    assert!(matches!(double(f64::NAN).enclose(1e-3), Err(EdslError::NotFinite { .. })));
    assert!(matches!(f.apply(1).enclose(0.0), Err(EdslError::Width { .. })));
}

#[test]
fn numbers_are_what_is_written() {
    for (number, truth) in
        [(real!(0.1), (1, 10)), (real!(-2.5e-3), (-1, 400)), (real!(1 / 3), (1, 3)), (real!(7), (7, 1))]
    {
        let truth: Rational = truth.into();
        assert!(number.enclose(1e-30).expect("an answer").enclosure.contains(&truth));
    }
    let tenth = Rational::from_f64(0.1).expect("finite");
    assert!(double(0.1).enclose(1e-60).expect("an answer").enclosure.contains(&tenth));
}

/// Neither use of the recursive call is reached when n is 0.
#[test]
fn what_may_not_end_is_computed_only_where_it_is_used() {
    let f = rec(|f: Expr<fn(Nat) -> Real>, n: Expr<Nat>| {
        let r = f.apply(&n - 1);
        cond(n.equals(0), 0, &r) + cond(n.equals(0), 1, &r)
    });
    contains(&f.apply(3), "8");
    let endless = rec(|f: Expr<fn(Nat) -> Real>, n: Expr<Nat>| f.apply(n + 1)).apply(0);
    contains(&(cond(false, &endless, 1) + cond(false, &endless, 2)), "3");
    let ignored = fold(lam2(|_: Expr<Real>, _: Expr<Real>| endless.clone()), 0, nil());
    contains(&(&ignored + fold(lam2(|_: Expr<Real>, _: Expr<Real>| &endless + 1), 0, nil())), "0");
    // needed whichever way it goes: computed once, before the choice
    let power = rec(|f: Expr<fn(Nat) -> Real>, n: Expr<Nat>| {
        let r = f.apply(&n - 1);
        cond(n.equals(0), 1, cond(n.less_than(5), &r + &r, &r * 2))
    });
    assert!(power.to_string().contains("let t0 = f (n - 1) in if n < 5 then t0 + t0 else t0 * 2"), "{power}");
    contains(&power.apply(40), "1099511627776");
}

/// `n` functions inside each other, each with a part that it uses itself and that the innermost uses as well.
fn nested(n: usize) -> Expr<Real> {
    fn level(n: usize, shared: &mut Vec<Expr<Real>>) -> Expr<Real> {
        if n == 0 {
            return shared.iter().fold(0.into_expr(), |sum, part| sum + part);
        }
        let shared = std::cell::RefCell::new(shared);
        lam(|x: Expr<Real>| {
            let shared = &mut **shared.borrow_mut();
            let part = sin(&x);
            shared.push(part.clone());
            level(n - 1, shared) + &part * &part
        })
        .apply(0)
    }
    level(n, &mut Vec::new())
}

/// How long it takes to close `n` nested functions: the best of three.
fn closing_time(n: usize) -> std::time::Duration {
    let program = nested(n);
    let time = || {
        let start = std::time::Instant::now();
        let term = program.to_term().expect("a term");
        let elapsed = start.elapsed();
        drop(term);
        elapsed
    };
    (0..3).map(|_| time()).min().expect("three")
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Closing is almost linear in the nesting, where parts of the outermost functions are used in the innermost. Linear is a
    /// ratio of 8, quadratic of 64.
    #[test]
    fn deep_nesting_is_closed_in_almost_linear_time() {
        let run = || {
            let (short, long) = (closing_time(2_500), closing_time(20_000));
            let ratio = long.as_secs_f64() / short.as_secs_f64();
            println!("2500: {short:?}, 20000: {long:?}, ratio {ratio:.1}");
            assert!(ratio < 24.0, "{short:?} and {long:?}");
            // sin 0 + sin 0 * sin 0, added up
            contains(&nested(300), "0");
            let program = nested(3).to_string();
            assert!(program.contains(r"\x => let t0 = sin x in (\x1 => let t1 = sin x1 in (\x2 => "), "{program}");
        };
        std::thread::Builder::new().stack_size(1 << 30).spawn(run).unwrap().join().unwrap();
    }

    #[test]
    fn a_million_nodes_are_built_asked_printed_and_dropped() {
        let mut chain: Expr<Real> = 0.into_expr();
        for _ in 0..500_000 {
            chain = chain + 1;
        }
        contains(&chain, "500000");
        assert!(chain.to_string().len() > 2_000_000);
    }

    #[test]
    fn long_sharing_is_no_deep_recursion() {
        let mut x: Expr<Real> = real!(1).into_expr();
        for _ in 0..100_000 {
            x = (&x + 3 / (&x + 1)) / 2;
        }
        let answer = x.enclose(1e-6).expect("an answer");
        assert!(answer.enclosure.lo().to_f64() > 0.0);
    }
}
