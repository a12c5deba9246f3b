use smoothish::number::{Rational, budget::Budget, context::Function as F};
use smoothish::smooth::graph::*;
use std::time::*;
fn v() -> (Variable, Graph) {
    let v = Variable::fresh();
    (v, Graph::variable(v))
}
fn q(a: i64, b: i64) -> Graph {
    Graph::rational(Rational::from((a, b)))
}
fn sub(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Subtract, a, b)
}
fn add(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}
fn mul(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}
fn div(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Divide, a, b)
}
fn maxi(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Maximum, a, b)
}
fn pow(a: &Graph, n: i64) -> Graph {
    Graph::power(a, &Rational::from(n)).unwrap()
}
fn deriv(f: impl Fn(&Graph) -> Graph, at: &Graph) -> Graph {
    let (t, g) = v();
    Graph::derivative(vec![t], f(&g), vec![at.clone()], vec![Graph::integer(1)])
}
fn integral(f: impl Fn(&Graph) -> Graph) -> Graph {
    let (t, g) = v();
    Graph::integral(t, f(&g))
}
fn cut(f: impl Fn(&Graph) -> Graph) -> Graph {
    let (t, g) = v();
    Graph::cut_root(t, f(&g))
}
fn first(f: impl Fn(&Graph) -> Graph) -> Graph {
    let (t, g) = v();
    Graph::first_root(t, f(&g))
}
fn show(name: &str, g: &Graph) {
    for eps in [3u32, 9, 30] {
        let e = Rational::from((1, rug::Integer::from(rug::Integer::u_pow_u(10, eps))));
        let t = Instant::now();
        let b = Budget::within(Duration::from_secs(10));
        let a = g.real().unwrap().enclose(&e, &b);
        let el = t.elapsed();
        match a {
            Ok(a) => println!(
                "{name} 1e-{eps}: {} reached={} bits={} {:?} work={}",
                a.enclosure.decimals(&e),
                a.reached,
                a.bits,
                el,
                b.work_done()
            ),
            Err(e) => println!("{name}: {e}"),
        }
    }
}
fn main() {
    let zero = Graph::integer(0);
    let one = Graph::integer(1);
    show("sqrt2", &Graph::function(F::Sqrt, &Graph::integer(2)));
    show("relu'0", &deriv(|x| maxi(&zero, x), &zero));
    show("int relu'", &deriv(|c| integral(|x| maxi(&zero, &sub(x, c))), &q(3, 5)));
    show("int relu''", &deriv(|c| deriv(|c| integral(|x| maxi(&zero, &sub(x, c))), c), &q(3, 5)));
    show("int abs'", &deriv(|c| integral(|x| Graph::unary(Unary::Abs, &sub(x, c))), &q(3, 5)));
    let bright = |y: &Graph| {
        integral(|y0| {
            let d = sub(y0, y);
            maxi(&zero, &div(&d, &Graph::function(F::Sqrt, &add(&one, &pow(&d, 2)))))
        })
    };
    show("brightness", &bright(&q(1, 2)));
    show("brightness'", &deriv(bright, &q(1, 2)));
    let cube = |c: &Graph| cut(|x| sub(c, &pow(x, 3)));
    show("cuberoot 8", &cube(&Graph::integer(8)));
    show("cuberoot' 8", &deriv(cube, &Graph::integer(8)));
    show("cuberoot'' 8", &deriv(|x| deriv(cube, x), &Graph::integer(8)));
    show("cuberoot''' 8", &deriv(|x| deriv(|x| deriv(cube, x), x), &Graph::integer(8)));
    let ts = |y: &Graph| first(|t| sub(&add(&pow(y, 2), &pow(&sub(t, &one), 2)), &one));
    show("tStar", &ts(&q(-3, 4)));
    show("tStar'", &deriv(ts, &q(-3, 4)));
    show("sinxex", &integral(|x| Graph::function(F::Sin, &add(x, &Graph::function(F::Exp, x)))));
    show("tangential", &first(|x| pow(&sub(x, &q(1, 2)), 2)));
    for (a, b) in [(2, 1), (-1, 1), (1, 2), (1, 1), (0, 1)] {
        show(&format!("E44 {a}/{b}"), &deriv(|c| first(|x| sub(c, x)), &q(a, b)));
    }
    show("int firstroot", &integral(|c| first(|x| sub(c, x))));
    let t16 = |x: &Graph| {
        div(
            &Graph::function(F::Exp, &mul(&Graph::function(F::Sin, x), &Graph::function(F::Cos, x))),
            &add(&one, &pow(x, 2)),
        )
    };
    fn nest(n: usize, f: &dyn Fn(&Graph) -> Graph, x: &Graph) -> Graph {
        if n == 0 { f(x) } else { deriv(|y| nest(n - 1, f, y), x) }
    }
    for n in [2, 5, 10, 20] {
        show(&format!("T16 {n}"), &nest(n, &t16, &q(3, 10)));
    }
    show("double int", &integral(|x| integral(|y| maxi(&zero, &sub(&add(x, y), &q(77, 100))))));
    show("double int mul", &integral(|x| integral(|y| Graph::function(F::Exp, &mul(x, y)))));
    show(
        "dd relu exp",
        &deriv(|c| deriv(|c| integral(|x| mul(&maxi(&zero, &sub(x, c)), &Graph::function(F::Exp, x))), c), &q(3, 5)),
    );
    show("1/x", &integral(|x| div(&one, x)));
    show("sqrt x", &integral(|x| Graph::function(F::Sqrt, x)));
}
