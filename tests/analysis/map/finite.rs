//! The interfaces of categories, on an instance whose laws can be decided: finite sets and functions between them. It is
//! Cartesian closed, which the category of smoothish maps is not.

use smoothish::category::{Arrow, Cartesian, CartesianClosed, Category, ObjectName, Setoid};
use smoothish::law::category as law;
use smoothish::verdict::Verdict;
use std::convert::Infallible;
use std::marker::PhantomData;

/// Finite sets {0, …, n - 1}, and functions as tables.
enum Finite {}

/// {0, …, N - 1}
struct Set<const N: usize>;
/// A × B: (a, b) is a·|B| + b.
struct Times<A, B>(PhantomData<(A, B)>);
/// A ⇒ B: the digits of a number to the base |B| are the values.
struct To<A, B>(PhantomData<(A, B)>);

impl<const N: usize> ObjectName<Finite> for Set<N> {
    fn object() -> usize {
        N
    }
}

impl<A: ObjectName<Finite>, B: ObjectName<Finite>> ObjectName<Finite> for Times<A, B> {
    fn object() -> usize {
        A::object() * B::object()
    }
}

impl<A: ObjectName<Finite>, B: ObjectName<Finite>> ObjectName<Finite> for To<A, B> {
    fn object() -> usize {
        (0..A::object()).map(|_| B::object()).product()
    }
}

fn table(n: usize, f: impl FnMut(usize) -> usize) -> Vec<usize> {
    (0..n).map(f).collect()
}

impl Category for Finite {
    type Object = usize;
    type Hom<A: ObjectName<Self>, B: ObjectName<Self>> = Vec<usize>;

    fn identity<A: ObjectName<Self>>() -> Vec<usize> {
        table(A::object(), |a| a)
    }

    fn then<A: ObjectName<Self>, B: ObjectName<Self>, C: ObjectName<Self>>(
        f: &Vec<usize>,
        g: &Vec<usize>,
    ) -> Vec<usize> {
        table(A::object(), |a| g[f[a]])
    }
}

impl Cartesian for Finite {
    type Terminal = Set<1>;
    type Product<A: ObjectName<Self>, B: ObjectName<Self>> = Times<A, B>;

    fn terminal<A: ObjectName<Self>>() -> Vec<usize> {
        table(A::object(), |_| 0)
    }

    fn pair<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(
        f: &Vec<usize>,
        g: &Vec<usize>,
    ) -> Vec<usize> {
        table(X::object(), |x| f[x] * B::object() + g[x])
    }

    fn first<A: ObjectName<Self>, B: ObjectName<Self>>() -> Vec<usize> {
        table(A::object() * B::object(), |x| x / B::object())
    }

    fn second<A: ObjectName<Self>, B: ObjectName<Self>>() -> Vec<usize> {
        table(A::object() * B::object(), |x| x % B::object())
    }
}

impl CartesianClosed for Finite {
    type Exponential<A: ObjectName<Self>, B: ObjectName<Self>> = To<A, B>;

    fn curry<X: ObjectName<Self>, A: ObjectName<Self>, B: ObjectName<Self>>(f: &Vec<usize>) -> Vec<usize> {
        let code = |x: usize| (0..A::object()).rev().fold(0, |code, a| code * B::object() + f[x * A::object() + a]);
        table(X::object(), code)
    }

    fn apply<A: ObjectName<Self>, B: ObjectName<Self>>() -> Vec<usize> {
        let (a, b) = (A::object(), B::object());
        table(To::<A, B>::object() * a, |x| (0..x % a).fold(x / a, |code, _| code / b) % b)
    }
}

impl Setoid for Finite {
    type Trial = ();
    type Error = Infallible;

    fn agree<A: ObjectName<Self>, B: ObjectName<Self>>(
        left: &Vec<usize>,
        right: &Vec<usize>,
        (): &(),
    ) -> Result<Verdict, Infallible> {
        let differ = (0..A::object()).find(|&a| left[a] != right[a]);
        Ok(match differ {
            Some(a) => Verdict::refuted(a, left[a], right[a]),
            None if A::object() == 0 => Verdict::Vacuous,
            None => Verdict::Survived,
        })
    }
}

type In<A, B> = Arrow<Finite, A, B>;

/// Every function from {0, …, n - 1} to {0, …, m - 1}.
fn functions(n: usize, m: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..m.pow(n as u32)).map(move |code| table(n, |i| code / m.pow(i as u32) % m))
}

#[track_caller]
fn holds(verdict: Result<Verdict, Infallible>) {
    assert_eq!(verdict, Ok(Verdict::Survived));
}

#[test]
fn finite_sets_are_a_cartesian_category() {
    let g: In<Set<3>, Set<2>> = Arrow(vec![1, 0, 1]);
    let h: In<Set<2>, Set<4>> = Arrow(vec![3, 1]);
    for f in functions(2, 3) {
        let f: In<Set<2>, Set<3>> = Arrow(f);
        holds(law::identity(&f, &()));
        holds(law::associativity(&f, &g, &h, &()));
        holds(law::product_beta(&f, &h, &()));
        holds(law::product_fusion(&g, &f, &h, &()));
        holds(law::product_eta::<Finite, Set<2>, Set<3>, Set<4>>(&f.pair(&h), &()));
        holds(f.then(&Arrow::<Finite, Set<3>, Set<1>>::terminal()).agrees(&Arrow::terminal(), &()));
    }
}

#[test]
fn finite_sets_are_closed() {
    for f in functions(6, 2) {
        let f: In<Times<Set<3>, Set<2>>, Set<2>> = Arrow(f);
        holds(law::exponential_beta::<Finite, Set<3>, Set<2>, Set<2>>(&f, &()));
    }
    for g in functions(2, 8) {
        let g: In<Set<2>, To<Set<3>, Set<2>>> = Arrow(g);
        holds(law::exponential_eta::<Finite, Set<2>, Set<3>, Set<2>>(&g, &()));
    }
}

/// The laws have teeth: composition in the wrong order is told from composition.
#[test]
fn wrong_structure_is_refuted() {
    let f: In<Set<2>, Set<2>> = Arrow(vec![1, 1]);
    let g: In<Set<2>, Set<2>> = Arrow(vec![1, 0]);
    let verdict = f.then(&g).agrees(&g.then(&f), &()).unwrap();
    assert_eq!(verdict.to_string(), "refuted at 0: 0 is not 1");
    // a currying that forgets its argument breaks β
    let f: In<Times<Set<2>, Set<2>>, Set<2>> = Arrow(vec![0, 1, 1, 0]);
    let constant: In<Times<Set<2>, Set<2>>, Set<2>> = Arrow(vec![0, 0, 1, 1]);
    let forgotten = Finite::curry::<Set<2>, Set<2>, Set<2>>(&constant.0);
    assert!(
        law::uncurry_arrow::<Finite, Set<2>, Set<2>, Set<2>>(&Arrow(forgotten)).agrees(&f, &()).unwrap().is_refuted()
    );
}
