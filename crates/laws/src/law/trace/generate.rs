//! Random programs of the core language, most of them recursive, with points on and beside their borders.

use crate::law::graphs::{rational_bits, smaller_rationals};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::name::Name;
use crate::trace::operation::OperationSymbol;
use crate::trace::printer::to_text;
use crate::trace::term;
use crate::trace::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable};
use crate::trace::typing::{CoreVariableTypes, FunctionTypes, type_of};
use std::fmt;
use std::sync::Arc;

/// The form of a random program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProgramShape {
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
#[derive(Clone)]
pub struct TraceSample {
    /// The form of the program.
    pub shape: ProgramShape,
    /// The free variable.
    pub x: CoreVariable,
    /// The type of the variable.
    pub ty: CoreTy,
    /// The type of the program.
    pub codomain: CoreTy,
    /// The program.
    pub term: CoreTerm,
    /// The points of evaluation: on borders, beside them, and elsewhere.
    pub points: Vec<CoreValue<Rational>>,
    /// A cotangent of the type of the program.
    pub cotangent: CoreTerm,
}

/// The variables in scope, with their types.
type TypedVariables = [(CoreVariable, CoreTy)];

/// A generator of core programs, which also collects the borders of their guards.
struct CoreGenerator {
    random: SplitMix64,
    borders: Vec<Rational>,
}

/// Returns a fresh variable.
fn fresh_variable(name: &str) -> CoreVariable {
    CoreVariable::fresh(&Name::from(name))
}

/// Returns `a − b`.
fn difference_of(a: CoreTerm, b: CoreTerm) -> CoreTerm {
    CoreTerm::binary_operation(OperationSymbol::Subtract, a, b)
}

/// Draws the sample of a stream of random numbers.
#[must_use]
pub fn draw_sample(random: SplitMix64) -> TraceSample {
    let mut generator = CoreGenerator { random, borders: Vec::new() };
    // a choice of weights: three of four programs are recursive
    let shapes = [
        (3, ProgramShape::Plain),
        (3, ProgramShape::Counter),
        (3, ProgramShape::Iterate),
        (4, ProgramShape::Guarded),
        (2, ProgramShape::OwnDerivative),
        (1, ProgramShape::Shadowed),
    ];
    let shape = generator.random.pick_weighted(&shapes);
    let ty = if shape == ProgramShape::Plain && generator.random.random_bool(40) {
        CoreTy::real_vector(2)
    } else {
        CoreTy::Real
    };
    let x = fresh_variable("x");
    let mut term = generator.draw_program(shape, &x, &ty);
    let mut codomain = CoreTy::Real;
    // maps of the plane to itself are the ones whose Jacobian is a square
    if generator.random.random_bool(if ty == CoreTy::Real { 20 } else { 50 }) {
        let beside = generator.draw_real(1, &[(x.clone(), ty.clone())]);
        term = CoreTerm::pair(CoreTy::Real, CoreTy::Real, term, beside);
        codomain = CoreTy::real_vector(2);
    }
    let points = (0..4).map(|_| generator.draw_point(&ty)).collect();
    let cotangent = match codomain {
        CoreTy::Real => generator.draw_number(),
        _ => CoreTerm::pair(CoreTy::Real, CoreTy::Real, generator.draw_number(), generator.draw_number()),
    };
    TraceSample { shape, x, ty, codomain, term, points, cotangent }
}

/// Prints the program and its points.
impl fmt::Debug for TraceSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", to_text(&[(self.x.clone(), self.ty.clone())], &self.term), self.points)
    }
}

impl TraceSample {
    /// Returns the cost of the sample in shrinking: the nodes of its program, and the bits of its numbers and points.
    #[must_use]
    pub fn shrink_cost(&self) -> (u64, u64) {
        let points = self.points.iter().flat_map(CoreValue::real_components).map(rational_bits);
        (self.term.size(), literal_bits(&self.term) + points.sum::<u64>())
    }

    /// Returns samples with a smaller program of the same type in the same variable, or with a simpler point.
    #[must_use]
    pub fn smaller_samples(&self) -> Vec<Self> {
        let scope = CoreVariableTypes::default().with_entry(&self.x, self.ty.clone());
        let mut found = Vec::new();
        for term in smaller_core_terms(&self.term) {
            // a part that was lifted out of its scope, or that has another type, is not a program
            if type_of(&FunctionTypes::default(), &scope, &term).is_ok_and(|ty| ty == self.codomain) {
                found.push(Self { term, ..self.clone() });
            }
        }
        for (place, point) in self.points.iter().enumerate() {
            let reals: Vec<Rational> = point.real_components().into_iter().cloned().collect();
            for (index, q) in reals.iter().enumerate() {
                for simpler in smaller_rationals(q) {
                    let mut reals = reals.clone();
                    reals[index] = simpler;
                    let Some(point) = CoreValue::from_reals(&self.ty, &mut reals.into_iter()) else { continue };
                    let mut sample = self.clone();
                    sample.points[place] = point;
                    found.push(sample);
                }
            }
        }
        found
    }
}

/// Returns the bits of the numbers in a term, and 3 for each variable, which a number may replace.
fn literal_bits(term: &CoreTerm) -> u64 {
    let mut bits = match term.kind() {
        CoreTermKind::Number(q) => rational_bits(q),
        CoreTermKind::Variable(_) => 3,
        _ => 0,
    };
    term.kind().for_each_child(|child| bits += literal_bits(child));
    bits
}

/// Returns the terms with one subterm replaced by a part of it, by 0, by 1, or by a simpler number. Some have no type.
fn smaller_core_terms(term: &CoreTerm) -> Vec<CoreTerm> {
    let mut found = Vec::new();
    // nothing is said of types here: the caller infers the type of the whole, which is cheap
    match term.kind() {
        CoreTermKind::Number(q) => found.extend(smaller_rationals(q).into_iter().map(CoreTerm::number)),
        _ => found.extend([0, 1].map(CoreTerm::number)),
    }
    let mut children = Vec::new();
    term.kind().for_each_child(|child| children.push(child.clone()));
    found.extend(children.iter().cloned());
    // the argument of an operation of two numbers is a pair, whose parts have the type of the whole
    for child in &children {
        if let CoreTermKind::Pair(_, _, left, right) = child.kind() {
            found.extend([left.clone(), right.clone()]);
        }
    }
    for (place, child) in children.iter().enumerate() {
        for smaller in smaller_core_terms(child) {
            let mut index = 0;
            let kind = term.kind().map_children(&mut |child| {
                index += 1;
                if index - 1 == place { smaller.clone() } else { child.clone() }
            });
            found.push(kind.into());
        }
    }
    found
}

/// Draws a trace over x and z in which z is bound again, to be differentiated in x at z.
#[must_use]
pub fn draw_name_clash(random: SplitMix64) -> (CoreTerm, CoreVariable, CoreVariable) {
    let mut generator = CoreGenerator { random, borders: Vec::new() };
    let (x, z) = (fresh_variable("x"), fresh_variable("z"));
    let scope = [(x.clone(), CoreTy::Real), (z.clone(), CoreTy::Real)];
    let (bound, body) = (generator.draw_straight_line(2, &scope), generator.draw_straight_line(2, &scope));
    // the product uses both variables, so capturing z would change the derivative
    let product = CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::variable(&z), CoreTerm::variable(&x));
    let body = CoreTerm::sum(body, product);
    (CoreTerm::bind(&z, CoreTy::Real, bound, body), x, z)
}

impl CoreGenerator {
    /// Draws a number literal.
    fn draw_number(&mut self) -> CoreTerm {
        CoreTerm::number(self.draw_rational())
    }

    /// Draws a rational number in [−6, 6] with a denominator of at most 4.
    fn draw_rational(&mut self) -> Rational {
        let (p, q) = (self.random.next_below(13) as i64 - 6, 1 + self.random.next_below(4) as i64);
        Rational::from((p, q))
    }

    /// Draws a number at which a guard changes, and records it.
    fn draw_border(&mut self) -> CoreTerm {
        let border = self.draw_rational();
        self.borders.push(border.clone());
        CoreTerm::number(border)
    }

    /// Draws a point of type `ty`: two of three coordinates lie on a border or within 2⁻⁴⁰ of one.
    fn draw_point(&mut self, ty: &CoreTy) -> CoreValue<Rational> {
        let mut reals = (0..ty.dimension()).map(|_| {
            let near = match self.borders.len() {
                0 => self.draw_rational(),
                n => self.borders[self.random.next_below(n)].clone(),
            };
            match self.random.next_below(6) {
                0..=1 => near,
                2 => near + (Rational::from(1) >> 40u32),
                3 => near - (Rational::from(1) >> 40u32),
                _ => self.draw_rational(),
            }
        });
        CoreValue::from_reals(ty, &mut reals).unwrap_or(CoreValue::Unit)
    }

    /// Draws a program of the given form in the variable `x`.
    fn draw_program(&mut self, shape: ProgramShape, x: &CoreVariable, ty: &CoreTy) -> CoreTerm {
        let scope = [(x.clone(), ty.clone())];
        let (f, y) = (fresh_variable("f"), fresh_variable("y"));
        let of_y = [(y.clone(), CoreTy::Real)];
        let call = |argument: CoreTerm| -> CoreTerm { CoreTermKind::Call(f.clone(), argument).into() };
        let at = |x: &CoreVariable| CoreTerm::variable(x);
        match shape {
            ProgramShape::Plain => self.draw_real(4, &scope),
            ProgramShape::Counter => {
                let (p, a, r) = (fresh_variable("p"), fresh_variable("a"), fresh_variable("r"));
                let part = |first: bool| -> CoreTerm {
                    let kind = if first { CoreTermKind::First } else { CoreTermKind::Second };
                    kind(CoreTy::Real, CoreTy::Real, at(&p)).into()
                };
                let inside = [(a.clone(), CoreTy::Real), (r.clone(), CoreTy::Real)];
                let argument = CoreTerm::pair(CoreTy::Real, CoreTy::Real, self.draw_real(1, &inside[..1]), {
                    difference_of(part(false), CoreTerm::number(1))
                });
                let again = CoreTerm::bind(&r, CoreTy::Real, call(argument), self.draw_real(2, &inside));
                let end = self.draw_real(1, &inside[..1]);
                let half = CoreTerm::number(Rational::from((1, 2)));
                let body = CoreTerm::if_less(part(false), half, end, again);
                let body = CoreTerm::bind(&a, CoreTy::Real, part(true), body);
                // a count of 3/2 reaches 1/2 exactly, which is the border of the guard
                let count = *self.random.pick(&[(0, 1), (1, 1), (2, 1), (3, 1), (3, 2)]);
                let start = CoreTerm::pair(CoreTy::Real, CoreTy::Real, at(x), CoreTerm::number(Rational::from(count)));
                self.define_function(&f, &p, &CoreTy::real_vector(2), body, call(start))
            }
            ProgramShape::Iterate => {
                let border = self.draw_border();
                let end = self.draw_real(2, &of_y);
                let step = match self.random.next_below(5) {
                    0 => CoreTerm::binary_operation(OperationSymbol::Multiply, at(&y), at(&y)),
                    1 => CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::number(2), at(&y)),
                    2 => CoreTerm::sum(at(&y), CoreTerm::number(1)),
                    3 => CoreTerm::sum(
                        CoreTerm::binary_operation(OperationSymbol::Divide, at(&y), CoreTerm::number(2)),
                        CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), at(&y)),
                    ),
                    // this step moves away from the border, so the recursion need not end
                    _ => difference_of(at(&y), CoreTerm::number(1)),
                };
                let body = CoreTerm::if_less(border, at(&y), end, call(step));
                self.define_function(&f, &y, &CoreTy::Real, body, call(at(x)))
            }
            ProgramShape::Guarded => {
                let (a, b) = (fresh_variable("a"), fresh_variable("b"));
                let twice = self.random.random_bool(40);
                let scope = [(y.clone(), CoreTy::Real), (a.clone(), CoreTy::Real), (b.clone(), CoreTy::Real)];
                let mut again = self.draw_real(2, &scope[..2 + usize::from(twice)]);
                if twice {
                    again = CoreTerm::bind(&b, CoreTy::Real, call(difference_of(at(&y), CoreTerm::number(2))), again);
                }
                again = CoreTerm::bind(&a, CoreTy::Real, call(difference_of(at(&y), CoreTerm::number(1))), again);
                let (border, end) = (self.draw_border(), self.draw_real(2, &of_y));
                let body = CoreTerm::if_less(at(&y), border, end, again);
                self.define_function(&f, &y, &CoreTy::Real, body, call(at(x)))
            }
            ProgramShape::OwnDerivative => {
                let (a, z) = (fresh_variable("a"), fresh_variable("z"));
                // the function calls its own derivative at y − 1
                let slope = term::gradient(difference_of(at(&y), CoreTerm::number(1)), &z, &CoreTy::Real, call(at(&z)));
                let again = self.draw_real(1, &[(y.clone(), CoreTy::Real), (a.clone(), CoreTy::Real)]);
                let again = CoreTerm::bind(&a, CoreTy::Real, slope, CoreTerm::sum(at(&a), again));
                let (border, end) = (self.draw_border(), self.draw_real(2, &of_y));
                let body = CoreTerm::if_less(at(&y), border, end, again);
                self.define_function(&f, &y, &CoreTy::Real, body, call(at(x)))
            }
            ProgramShape::Shadowed => {
                let (g, z) = (fresh_variable("g"), fresh_variable("z"));
                let outer = self.draw_real(1, &of_y);
                let inner = CoreTerm::sum(self.draw_real(1, &[(z.clone(), CoreTy::Real)]), at(&z));
                let through: CoreTerm = CoreTermKind::Call(g.clone(), at(x)).into();
                // the inner f shadows the outer one, but g was defined under the outer f and must call that
                let last = self.define_function(&f, &z, &CoreTy::Real, inner, through);
                let middle = self.define_function(&g, &y, &CoreTy::Real, call(at(&y)), last);
                self.define_function(&f, &y, &CoreTy::Real, outer, middle)
            }
        }
    }

    /// Makes `letrec f(x : domain) = body in rest`, with real values.
    fn define_function(
        &self,
        f: &CoreVariable,
        x: &CoreVariable,
        domain: &CoreTy,
        body: CoreTerm,
        rest: CoreTerm,
    ) -> CoreTerm {
        let (function, parameter, domain) = (f.clone(), x.clone(), domain.clone());
        let definition = CoreDefinition { function, parameter, domain, codomain: CoreTy::Real, body, limit: None };
        CoreTermKind::LetRec(Arc::new(definition), rest).into()
    }

    /// Draws a real term without conditionals and derivatives.
    fn draw_straight_line(&mut self, depth: u32, scope: &TypedVariables) -> CoreTerm {
        if depth == 0 || self.random.random_bool(10) {
            return self.draw_atom(scope);
        }
        let mut part = || self.draw_straight_line(depth - 1, scope);
        let (a, b) = (part(), part());
        match self.random.next_below(8) {
            0..=2 => CoreTerm::sum(a, b),
            3..=4 => CoreTerm::binary_operation(OperationSymbol::Multiply, a, b),
            5 => difference_of(a, b),
            6 => CoreTerm::operation(OperationSymbol::Power(Rational::from(2 + self.random.next_below(2) as i64)), a),
            _ => CoreTerm::operation(OperationSymbol::Negate, a),
        }
    }

    /// Draws a literal, or a real component of a variable in scope.
    fn draw_atom(&mut self, scope: &TypedVariables) -> CoreTerm {
        if scope.is_empty() || self.random.random_bool(25) {
            return self.draw_number();
        }
        let (x, ty) = self.random.pick(scope).clone();
        match ty {
            CoreTy::Product(_) if self.random.random_bool(50) => {
                CoreTermKind::First(CoreTy::Real, CoreTy::Real, CoreTerm::variable(&x)).into()
            }
            CoreTy::Product(_) => CoreTermKind::Second(CoreTy::Real, CoreTy::Real, CoreTerm::variable(&x)).into(),
            _ => CoreTerm::variable(&x),
        }
    }

    /// Draws a real term of this depth. The weights are a choice.
    fn draw_real(&mut self, depth: u32, scope: &TypedVariables) -> CoreTerm {
        if depth == 0 {
            return self.draw_atom(scope);
        }
        let with = |x: &CoreVariable, ty: CoreTy| scope.iter().cloned().chain([(x.clone(), ty)]).collect::<Vec<_>>();
        match self.random.next_below(20) {
            0..=8 => self.draw_straight_line(depth.min(2), scope),
            9..=11 => {
                let v = fresh_variable("v");
                let value = self.draw_real(depth - 1, scope);
                CoreTerm::bind(&v, CoreTy::Real, value, self.draw_real(depth - 1, &with(&v, CoreTy::Real)))
            }
            12..=13 => {
                let p = fresh_variable("p");
                let value = CoreTerm::pair(
                    CoreTy::Real,
                    CoreTy::Real,
                    self.draw_real(depth - 1, scope),
                    self.draw_real(depth - 1, scope),
                );
                CoreTerm::bind(
                    &p,
                    CoreTy::real_vector(2),
                    value,
                    self.draw_real(depth - 1, &with(&p, CoreTy::real_vector(2))),
                )
            }
            14..=16 => {
                let guard = [self.draw_atom(scope), self.draw_border()];
                let [then, otherwise] = [(); 2].map(|()| self.draw_real(depth - 1, scope));
                let [a, b] = guard;
                if self.random.random_bool(50) {
                    CoreTerm::if_less(a, b, then, otherwise)
                } else {
                    CoreTerm::if_less(b, a, then, otherwise)
                }
            }
            17 => {
                let below = self.draw_straight_line(1, scope);
                CoreTerm::binary_operation(OperationSymbol::Divide, self.draw_real(depth - 1, scope), below)
            }
            _ => {
                let w = fresh_variable("w");
                let (point, body) =
                    (self.draw_straight_line(1, scope), self.draw_real(depth - 1, &with(&w, CoreTy::Real)));
                term::reverse_derivative(self.draw_number(), point, &w, &CoreTy::Real, body)
            }
        }
    }
}
