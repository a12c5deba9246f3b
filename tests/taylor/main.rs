//! scratch
use smoothish::meaning::taylor::basis::Basis;
use smoothish::meaning::taylor::derive::derive;
use smoothish::theory::builtin;

#[test]
fn scratch() {
    let theories = builtin::load().unwrap();
    let library = theories.library();
    for (k, r, p) in [
        (1, 1, "\\x => sin (x * x)"),
        (1, 1, "\\x y => x / y"),
        (2, 2, "\\x => sin x"),
        (2, 2, "\\x y => x * y"),
        (1, 3, "\\x => sigmoid x ^ 2"),
        (1, 1, "\\f x => f (f x * 2)"),
        (1, 1, "\\(x, y) => let f z = z * x in f (f y)"),
        (1, 1, "\\x => sum [x, x^2, 3]"),
        (1, 1, "\\m => orElse 3 m"),
        (1, 1, "\\x => deriv sin x"),
        (1, 2, "\\x => integral01 (\\t => exp (t * x))"),
        (1, 1, "\\x => power x 3"),
        (1, 1, "horner"),
        (1, 1, "\\n => toReal (n * n)"),
        (1, 1, "\\x => abs x"),
        (1, 1, "\\x => x ^ (-1/2) + pi"),
    ] {
        let (term, ty) = library.infer_expression(p).unwrap();
        match derive(&term, &ty, &Basis::new(k, r).unwrap()) {
            Ok(d) => {
                println!("{k},{r} {p} : {}\n   {:?}  size {} check {:?}", d.ty, d.program(), d.size(), d.check());
                if let Ok(text) = d.program() {
                    match library.infer_expression(&text) {
                        Ok((_, t)) => println!("   reads back: {}", t == d.ty),
                        Err(e) => println!("   DOES NOT READ BACK {e}"),
                    }
                }
            }
            Err(e) => println!("{p}: {e}"),
        }
    }
}
