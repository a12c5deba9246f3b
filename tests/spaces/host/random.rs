//! Random programs, written twice: in Rust, and as a text of the language. They have one normal form, and their enclosures
//! meet.

use smoothish::host::prelude::*;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::syntax::library::Library;
use smoothish::syntax::normal;
use std::cell::RefCell;
use std::sync::Arc;

/// A program and its text.
type Both = (Expr<Real>, String);
/// A function of one variable and its text.
type BothFunctions = (Expr<fn(Real) -> Real>, String);

struct Writer {
    random: RefCell<SplitMix64>,
}

impl Writer {
    fn below(&self, n: usize) -> usize {
        self.random.borrow_mut().next_below(n)
    }

    fn leaf(&self, variables: &[Both]) -> Both {
        let choice = self.below(variables.len() + 2);
        match variables.get(choice) {
            Some(variable) => variable.clone(),
            None if choice == variables.len() => (real!(0.25), "0.25".into()),
            None => {
                let n = self.below(5);
                ((n as i64).into_expr(), format!("{n}.0"))
            }
        }
    }

    fn function(&self, size: usize, variables: &[Both]) -> BothFunctions {
        let text = RefCell::new(String::new());
        let name = format!("v{}", variables.len());
        let f = lam(|x: Expr<Real>| {
            let mut inner = variables.to_vec();
            inner.push((x, name.clone()));
            let (body, written) = self.program(size, &inner);
            *text.borrow_mut() = written;
            body
        });
        (f, format!("(\\{name} => {})", text.into_inner()))
    }

    fn program(&self, size: usize, variables: &[Both]) -> Both {
        if size == 0 {
            return self.leaf(variables);
        }
        let half = || self.program(size / 2, variables);
        match self.below(12) {
            0 | 1 => {
                let ((x, a), (y, b)) = (half(), half());
                (x + y, format!("({a} + {b})"))
            }
            2 | 3 => {
                let ((x, a), (y, b)) = (half(), half());
                (x * y, format!("({a} * {b})"))
            }
            4 => {
                let (x, a) = self.program(size - 1, variables);
                (sin(x), format!("(sin {a})"))
            }
            5 if self.below(2) == 0 => {
                let ((x, a), (y, b)) = (half(), half());
                (atan2(x, y.pow(2) + 1), format!("(atan2 {a} ({b}^2 + 1))"))
            }
            5 => {
                let ((x, a), (y, b)) = (half(), half());
                (max(x, -y), format!("(max {a} (- {b}))"))
            }
            6 => {
                let (f, a) = self.function(size - 1, variables);
                (integral01(f), format!("(integral01 {a})"))
            }
            7 => {
                let ((f, a), (x, b)) = (self.function(size / 2, variables), half());
                (deriv(f).apply(x), format!("(deriv {a} {b})"))
            }
            8 => {
                // used three times here, bound there
                let (x, a) = self.program(size - 1, variables);
                (&x * &x + &x, format!("(let w = {a} in w * w + w)"))
            }
            9 => {
                let ((x, a), (y, b), (z, c)) = (half(), half(), half());
                let step = lam2(|first: Expr<Real>, rest: Expr<Real>| first + &x * rest);
                (fold(step, 0, list([y, z])), format!("(fold (\\first rest => first + {a} * rest) 0.0 [{b}, {c}])"))
            }
            10 => {
                let ((x, a), (y, b)) = (half(), half());
                let hlist_pat![first, second] = (x, y).into_expr().parts();
                (second - first, format!("(let p = ({a}, {b}) in p[1] - p[0])"))
            }
            _ => {
                let ((x, a), (y, b), (z, c)) = (half(), half(), half());
                let n = self.below(3);
                let program =
                    tangent_r().to(tangent(lam(|t: Expr<Real>| t.pow(n as i64) * &z), tangent_r().from((x, y))));
                (
                    snd(program),
                    format!("(snd (tangent_R.to (tangent (\\t => t^{n} * {c}) (tangent_R.from ({a}, {b})))))"),
                )
            }
        }
    }
}

#[test]
fn what_is_written_twice_is_one_program() {
    let library = Library::new();
    let writer = Writer { random: RefCell::new(SplitMix64::new(7)) };
    let mut compared = 0;
    for round in 0..400 {
        let (program, text) = writer.program(1 + round % 8, &[]);
        let (term, _) = library.infer_expression(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let here = program.to_term().expect("closed");
        assert!(
            normal::beta_eta_equal(&here, &term).unwrap_or_else(|error| panic!("{text}: {error}")),
            "{text}: {program}"
        );
        if round % 8 < 4 {
            let budget = || Arc::new(Budget::new(20_000, None, None));
            let theirs = parse::<Real>(&library, &text).expect("a program").enclose_within(1e-6, &budget());
            let (Ok(here), Ok(theirs)) = (program.enclose_within(1e-6, &budget()), theirs) else { continue };
            assert!(here.enclosure.overlaps(&theirs.enclosure), "{text}");
            compared += usize::from(here.reached && theirs.reached);
        }
    }
    assert!(compared > 100, "{compared}");
}

/// What is computed twice by mistake is another program: the test above can fail.
#[test]
fn a_wrong_translation_is_told_apart() {
    let (term, _) = Library::new().infer_expression("\\x => sin (x * x)").expect("a program");
    let wrong = lam(|x: Expr<Real>| sin(&x) * sin(&x));
    assert!(!normal::beta_eta_equal(&wrong.to_term().expect("closed"), &term).expect("normal forms"));
}
