//! Random programs of the core language, most of them recursive, with points on and beside their borders.

use crate::number::Rational;
use crate::random::Random;
use crate::syntax::name::Name;
use crate::trace::operation::Operation;
use crate::trace::sugar;
use crate::trace::term::{Definition, Term, TermKind, Variable};
use crate::trace::ty::Ty;
use crate::trace::value::Value;
use std::sync::Arc;

/// The form of a random program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// An expression without functions.
    Plain,
    /// A loop that counts down.
    Counter,
    /// A step that is repeated until a guard holds.
    Iterate,
    /// A guarded body that calls its function once or twice.
    Guarded,
    /// A function that calls its own derivative.
    OwnDerivative,
    /// Two functions of one name, and a third one that refers to the outer of them.
    Shadowed,
}

/// A random program with one free variable, and points for it.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The form of the program.
    pub shape: Shape,
    /// The free variable.
    pub x: Variable,
    /// The type of the variable.
    pub ty: Ty,
    /// The type of the program.
    pub codomain: Ty,
    /// The program.
    pub term: Term,
    /// The points of evaluation: on borders, beside them, and elsewhere.
    pub points: Vec<Value<Rational>>,
    /// A cotangent of the type of the program.
    pub cotangent: Term,
}

/// The variables in scope, with their types.
type Scope = [(Variable, Ty)];

/// A generator of core programs, which also collects the borders of their guards.
struct Generator {
    random: Random,
    borders: Vec<Rational>,
}

/// Returns a fresh variable.
fn fresh(name: &str) -> Variable {
    Variable::fresh(&Name::from(name))
}

/// Returns `a − b`.
fn subtract(a: Term, b: Term) -> Term {
    Term::binary(Operation::Subtract, a, b)
}

/// Draws the sample of a stream of random numbers.
#[must_use]
pub fn sample(random: Random) -> Sample {
    let mut generator = Generator { random, borders: Vec::new() };
    // a choice of weights: three of four programs are recursive
    let shapes = [
        (3, Shape::Plain),
        (3, Shape::Counter),
        (3, Shape::Iterate),
        (4, Shape::Guarded),
        (2, Shape::OwnDerivative),
        (1, Shape::Shadowed),
    ];
    let shape = generator.random.weighted(&shapes);
    let ty = if shape == Shape::Plain && generator.random.chance(40) { Ty::reals(2) } else { Ty::Real };
    let x = fresh("x");
    let mut term = generator.program(shape, &x, &ty);
    let mut codomain = Ty::Real;
    if generator.random.chance(20) {
        let beside = generator.real(1, &[(x.clone(), ty.clone())]);
        term = Term::pair(Ty::Real, Ty::Real, term, beside);
        codomain = Ty::reals(2);
    }
    let points = (0..4).map(|_| generator.point(&ty)).collect();
    let cotangent = match codomain {
        Ty::Real => generator.number(),
        _ => Term::pair(Ty::Real, Ty::Real, generator.number(), generator.number()),
    };
    Sample { shape, x, ty, codomain, term, points, cotangent }
}

/// Draws a trace over x and z in which z is bound again, to be differentiated in x at z.
#[must_use]
pub fn clash(random: Random) -> (Term, Variable, Variable) {
    let mut generator = Generator { random, borders: Vec::new() };
    let (x, z) = (fresh("x"), fresh("z"));
    let scope = [(x.clone(), Ty::Real), (z.clone(), Ty::Real)];
    let (bound, body) = (generator.straight(2, &scope), generator.straight(2, &scope));
    // the product uses both variables, so capturing z would change the derivative
    let product = Term::binary(Operation::Multiply, Term::variable(&z), Term::variable(&x));
    let body = Term::sum(body, product);
    (Term::bind(&z, Ty::Real, bound, body), x, z)
}

impl Generator {
    /// Draws a number literal.
    fn number(&mut self) -> Term {
        Term::number(self.rational())
    }

    /// Draws a rational number in [−6, 6] with a denominator of at most 4.
    fn rational(&mut self) -> Rational {
        let (p, q) = (self.random.below(13) as i64 - 6, 1 + self.random.below(4) as i64);
        Rational::from((p, q))
    }

    /// Draws a number at which a guard changes, and records it.
    fn border(&mut self) -> Term {
        let border = self.rational();
        self.borders.push(border.clone());
        Term::number(border)
    }

    /// Draws a point of type `ty`: two of three coordinates lie on a border or within 2⁻⁴⁰ of one.
    fn point(&mut self, ty: &Ty) -> Value<Rational> {
        let mut reals = (0..ty.dimension()).map(|_| {
            let near = match self.borders.len() {
                0 => self.rational(),
                n => self.borders[self.random.below(n)].clone(),
            };
            match self.random.below(6) {
                0..=1 => near,
                2 => near + (Rational::from(1) >> 40u32),
                3 => near - (Rational::from(1) >> 40u32),
                _ => self.rational(),
            }
        });
        Value::from_reals(ty, &mut reals).unwrap_or(Value::Unit)
    }

    /// Draws a program of the given form in the variable `x`.
    fn program(&mut self, shape: Shape, x: &Variable, ty: &Ty) -> Term {
        let scope = [(x.clone(), ty.clone())];
        let (f, y) = (fresh("f"), fresh("y"));
        let of_y = [(y.clone(), Ty::Real)];
        let call = |argument: Term| -> Term { TermKind::Call(f.clone(), argument).into() };
        let at = |x: &Variable| Term::variable(x);
        match shape {
            Shape::Plain => self.real(4, &scope),
            Shape::Counter => {
                let (p, a, r) = (fresh("p"), fresh("a"), fresh("r"));
                let part = |first: bool| -> Term {
                    let kind = if first { TermKind::First } else { TermKind::Second };
                    kind(Ty::Real, Ty::Real, at(&p)).into()
                };
                let inside = [(a.clone(), Ty::Real), (r.clone(), Ty::Real)];
                let argument = Term::pair(Ty::Real, Ty::Real, self.real(1, &inside[..1]), {
                    subtract(part(false), Term::number(1))
                });
                let again = Term::bind(&r, Ty::Real, call(argument), self.real(2, &inside));
                let end = self.real(1, &inside[..1]);
                let half = Term::number(Rational::from((1, 2)));
                let body = Term::if_less(part(false), half, end, again);
                let body = Term::bind(&a, Ty::Real, part(true), body);
                // a count of 3/2 reaches 1/2 exactly, which is the border of the guard
                let count = *self.random.pick(&[(0, 1), (1, 1), (2, 1), (3, 1), (3, 2)]);
                let start = Term::pair(Ty::Real, Ty::Real, at(x), Term::number(Rational::from(count)));
                self.defined(&f, &p, &Ty::reals(2), body, call(start))
            }
            Shape::Iterate => {
                let border = self.border();
                let end = self.real(2, &of_y);
                let step = match self.random.below(5) {
                    0 => Term::binary(Operation::Multiply, at(&y), at(&y)),
                    1 => Term::binary(Operation::Multiply, Term::number(2), at(&y)),
                    2 => Term::sum(at(&y), Term::number(1)),
                    3 => Term::sum(
                        Term::binary(Operation::Divide, at(&y), Term::number(2)),
                        Term::binary(Operation::Divide, Term::number(1), at(&y)),
                    ),
                    // this step moves away from the border, so the recursion need not end
                    _ => subtract(at(&y), Term::number(1)),
                };
                let body = Term::if_less(border, at(&y), end, call(step));
                self.defined(&f, &y, &Ty::Real, body, call(at(x)))
            }
            Shape::Guarded => {
                let (a, b) = (fresh("a"), fresh("b"));
                let twice = self.random.chance(40);
                let scope = [(y.clone(), Ty::Real), (a.clone(), Ty::Real), (b.clone(), Ty::Real)];
                let mut again = self.real(2, &scope[..2 + usize::from(twice)]);
                if twice {
                    again = Term::bind(&b, Ty::Real, call(subtract(at(&y), Term::number(2))), again);
                }
                again = Term::bind(&a, Ty::Real, call(subtract(at(&y), Term::number(1))), again);
                let (border, end) = (self.border(), self.real(2, &of_y));
                let body = Term::if_less(at(&y), border, end, again);
                self.defined(&f, &y, &Ty::Real, body, call(at(x)))
            }
            Shape::OwnDerivative => {
                let (a, z) = (fresh("a"), fresh("z"));
                // the function calls its own derivative at y − 1
                let slope = sugar::gradient(subtract(at(&y), Term::number(1)), &z, &Ty::Real, call(at(&z)));
                let again = self.real(1, &[(y.clone(), Ty::Real), (a.clone(), Ty::Real)]);
                let again = Term::bind(&a, Ty::Real, slope, Term::sum(at(&a), again));
                let (border, end) = (self.border(), self.real(2, &of_y));
                let body = Term::if_less(at(&y), border, end, again);
                self.defined(&f, &y, &Ty::Real, body, call(at(x)))
            }
            Shape::Shadowed => {
                let (g, z) = (fresh("g"), fresh("z"));
                let outer = self.real(1, &of_y);
                let inner = Term::sum(self.real(1, &[(z.clone(), Ty::Real)]), at(&z));
                let through: Term = TermKind::Call(g.clone(), at(x)).into();
                // the inner f shadows the outer one, but g was defined under the outer f and must call that
                let last = self.defined(&f, &z, &Ty::Real, inner, through);
                let middle = self.defined(&g, &y, &Ty::Real, call(at(&y)), last);
                self.defined(&f, &y, &Ty::Real, outer, middle)
            }
        }
    }

    /// Makes `letrec f(x : domain) = body in rest`, with real values.
    fn defined(&self, f: &Variable, x: &Variable, domain: &Ty, body: Term, rest: Term) -> Term {
        let (function, parameter, domain) = (f.clone(), x.clone(), domain.clone());
        let definition = Definition { function, parameter, domain, codomain: Ty::Real, body, limit: None };
        TermKind::LetRec(Arc::new(definition), rest).into()
    }

    /// Draws a real term without conditionals and derivatives.
    fn straight(&mut self, depth: u32, scope: &Scope) -> Term {
        if depth == 0 || self.random.chance(10) {
            return self.atom(scope);
        }
        let mut part = || self.straight(depth - 1, scope);
        let (a, b) = (part(), part());
        match self.random.below(8) {
            0..=2 => Term::sum(a, b),
            3..=4 => Term::binary(Operation::Multiply, a, b),
            5 => subtract(a, b),
            6 => Term::operation(Operation::Power(Rational::from(2 + self.random.below(2) as i64)), a),
            _ => Term::operation(Operation::Negate, a),
        }
    }

    /// Draws a literal, or a real component of a variable in scope.
    fn atom(&mut self, scope: &Scope) -> Term {
        if scope.is_empty() || self.random.chance(25) {
            return self.number();
        }
        let (x, ty) = self.random.pick(scope).clone();
        match ty {
            Ty::Product(_) if self.random.chance(50) => TermKind::First(Ty::Real, Ty::Real, Term::variable(&x)).into(),
            Ty::Product(_) => TermKind::Second(Ty::Real, Ty::Real, Term::variable(&x)).into(),
            _ => Term::variable(&x),
        }
    }

    /// Draws a real term of this depth. The weights are a choice.
    fn real(&mut self, depth: u32, scope: &Scope) -> Term {
        if depth == 0 {
            return self.atom(scope);
        }
        let with = |x: &Variable, ty: Ty| scope.iter().cloned().chain([(x.clone(), ty)]).collect::<Vec<_>>();
        match self.random.below(20) {
            0..=8 => self.straight(depth.min(2), scope),
            9..=11 => {
                let v = fresh("v");
                let value = self.real(depth - 1, scope);
                Term::bind(&v, Ty::Real, value, self.real(depth - 1, &with(&v, Ty::Real)))
            }
            12..=13 => {
                let p = fresh("p");
                let value = Term::pair(Ty::Real, Ty::Real, self.real(depth - 1, scope), self.real(depth - 1, scope));
                Term::bind(&p, Ty::reals(2), value, self.real(depth - 1, &with(&p, Ty::reals(2))))
            }
            14..=16 => {
                let guard = [self.atom(scope), self.border()];
                let [then, otherwise] = [(); 2].map(|()| self.real(depth - 1, scope));
                let [a, b] = guard;
                if self.random.chance(50) {
                    Term::if_less(a, b, then, otherwise)
                } else {
                    Term::if_less(b, a, then, otherwise)
                }
            }
            17 => {
                let below = self.straight(1, scope);
                Term::binary(Operation::Divide, self.real(depth - 1, scope), below)
            }
            _ => {
                let w = fresh("w");
                let (point, body) = (self.straight(1, scope), self.real(depth - 1, &with(&w, Ty::Real)));
                sugar::reverse(self.number(), point, &w, &Ty::Real, body)
            }
        }
    }
}
