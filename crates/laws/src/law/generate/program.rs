//! Random typed programs of the real language, for the laws of A, W and P.
//!
//! A program is a function of a number or of a pair. It has up to four definitions, which call each other and may stand
//! in bodies of others: counters, halvings, Newton's iteration, recursions that call themselves once or twice, and ones
//! that never end. Values are numbers, pairs and the unit.
//!
//! Borders are *made*: a guard `g x < g q`, with g drawn and q rational, has one at x = q. It is decided there, since
//! both sides are one graph. Which points lie on a border is asked of the [oracle](super::oracle).
//!
//! The [vocabulary](ProgramVocabulary) leaves out what a paper lacks.

use super::oracle::{FUNCTIONS, KnownReal, NoValue, OracleRun, OracleValue};
use crate::function::Function;
use crate::law::graphs::{rational_bits, smaller_rationals};
use crate::law::term::{BinderId, TermHead, TestTerm, binder_name, pair_type, smaller_terms, substitute_variable};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};
use crate::trace::operation::{OperationSymbol, PredicateSymbol};
use crate::trace::printer::to_text;
use crate::trace::term;
use crate::trace::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, CoreVariable};
use rustc_hash::FxHashMap;
use std::fmt;
use std::sync::Arc;

/// The constructs that programs are made of, besides numbers, pairs, `let`, `if`, definitions and calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProgramVocabulary {
    /// sin, exp, log and √.
    pub functions: bool,
    /// Functions as values, definitions that mention variables from outside, |x|, max, min and all comparisons. A lacks
    /// them.
    pub higher_order: bool,
    /// Derivatives inside of programs, by `rd`.
    pub derivatives: bool,
    /// The greatest number of definitions that are not in a body of another one. Without definitions there are no
    /// recursions.
    pub definitions: usize,
}

impl ProgramVocabulary {
    /// Returns the vocabulary with at most `n` definitions: programs whose composites stay short.
    #[must_use]
    pub const fn with_definitions(self, n: usize) -> Self {
        Self { definitions: n, ..self }
    }

    /// The language of A.
    pub const TRACES: Self = Self { functions: true, higher_order: false, derivatives: true, definitions: 4 };
    /// The language of A without elementary functions: all of its numbers are rational.
    pub const RATIONAL: Self = Self { functions: false, ..Self::TRACES };
    /// The language of W.
    pub const PIECES: Self = Self { functions: true, higher_order: true, derivatives: false, definitions: 4 };
    /// The language of W without elementary functions.
    pub const RATIONAL_PIECES: Self = Self { functions: false, ..Self::PIECES };
}

/// A program, which is a function of a number or of a pair of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct TypedProgram(TestTerm);

/// A program with points of its domain: on borders, beside them, and elsewhere.
#[derive(Clone)]
pub struct DrawnProgram {
    /// The program.
    pub program: TypedProgram,
    /// The points, as the numbers in them.
    pub points: Vec<Vec<Rational>>,
}

/// The features of a program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProgramFeatures {
    /// The number of definitions.
    pub definitions: usize,
    /// `true` if a definition calls itself.
    pub recursion: bool,
    /// `true` if a definition calls its own derivative.
    pub own_derivative: bool,
    /// `true` if there is a conditional.
    pub guard: bool,
    /// `true` if a guard compares values of a function that is no line.
    pub nonlinear_guard: bool,
    /// `true` if pairs are made.
    pub pairs: bool,
    /// `true` if there is an elementary function.
    pub functions: bool,
    /// `true` if a function is a value.
    pub function_values: bool,
}

/// The answer of the oracle about a program at a point.
#[derive(Clone, Debug)]
pub struct Observation {
    /// The value.
    pub value: Result<OracleValue, NoValue>,
    /// The numbers of the derivative along each coordinate, one list for each.
    pub slopes: Result<Vec<Vec<KnownReal>>, NoValue>,
    /// `true` if equal numbers were compared, so that the point lies on a border.
    pub touches: bool,
}

/// A definition in scope.
#[derive(Clone)]
struct FunctionInScope {
    id: BinderId,
    domain: Ty,
    codomain: Ty,
    /// The second number of the argument counts steps, so it must be small.
    is_counter: bool,
}

/// A generator of programs, which also collects the numbers at which guards change.
struct ProgramGenerator {
    random: SplitMix64,
    vocabulary: ProgramVocabulary,
    last_binder: BinderId,
    scope: Vec<(BinderId, Ty)>,
    functions: Vec<FunctionInScope>,
    borders: Vec<Rational>,
    planar_borders: Vec<[Rational; 2]>,
}

fn real_pair() -> Ty {
    pair_type(Ty::real(), Ty::real())
}

fn variable(id: BinderId, ty: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Variable(id), ty.clone(), Vec::new())
}

fn operation(constant: Constant, parts: Vec<TestTerm>) -> TestTerm {
    TestTerm::real_operation(constant, parts)
}

fn tuple(parts: Vec<TestTerm>) -> TestTerm {
    let ty = match &parts[..] {
        [a, b] => pair_type(a.ty.clone(), b.ty.clone()),
        _ => Ty::unit(),
    };
    TestTerm::new(TermHead::Tuple, ty, parts)
}

fn project(pair: TestTerm, index: usize) -> TestTerm {
    let ty = match pair.ty.kind() {
        TyKind::Tuple(parts) => parts[index].clone(),
        _ => Ty::real(),
    };
    TestTerm::new(TermHead::Project(index), ty, vec![pair])
}

fn bind(id: BinderId, value: TestTerm, body: TestTerm) -> TestTerm {
    TestTerm::new(TermHead::Let(id), body.ty.clone(), vec![value, body])
}

fn conditional(guard: TestTerm, then: TestTerm, otherwise: TestTerm) -> TestTerm {
    TestTerm::new(TermHead::If, then.ty.clone(), vec![guard, then, otherwise])
}

fn number(q: impl Into<Rational>) -> TestTerm {
    TestTerm::real_literal(q)
}

fn power(base: TestTerm, n: i64) -> TestTerm {
    TestTerm::new(TermHead::Power(Rational::from(n)), Ty::real(), vec![base])
}

/// The kinds of definitions, with their weights: a choice.
const DEFINITIONS: [(usize, DrawnDefinitionKind); 8] = [
    (3, DrawnDefinitionKind::Caller),
    (4, DrawnDefinitionKind::Helper),
    (3, DrawnDefinitionKind::Counter),
    (4, DrawnDefinitionKind::Iterate),
    (3, DrawnDefinitionKind::Guarded),
    (2, DrawnDefinitionKind::Outer),
    (2, DrawnDefinitionKind::OwnDerivative),
    (1, DrawnDefinitionKind::Endless),
];

/// The kind of a definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DrawnDefinitionKind {
    /// No recursion.
    Helper,
    /// A call of a function that was defined before.
    Caller,
    /// A loop that counts down.
    Counter,
    /// A step that is repeated until a guard holds: halving, Newton's iteration, squares and others.
    Iterate,
    /// A guarded body that calls its function once or twice.
    Guarded,
    /// A body with a definition in it.
    Outer,
    /// A function that calls its own derivative.
    OwnDerivative,
    /// A function that never ends.
    Endless,
}

/// The greatest number of programs that are drawn until one has a derivative that is not 0. A choice.
const MAX_DRAWS: usize = 8;
/// The greatest number of borders that are looked for, before guesses. A choice.
const MAX_CANDIDATES: usize = 8;
/// The greatest absolute value of the coordinates of points. A choice: the laws of W explore programs on [−4, 4].
const LARGEST_COORDINATE: i64 = 4;

/// Draws a program and four points. Two of these lie on borders, if such are found.
///
/// Programs whose derivative is 0 at all points are drawn again most of the time, and so are programs of which the
/// oracle knows little.
#[must_use]
pub fn draw_sample(mut random: SplitMix64, vocabulary: ProgramVocabulary, domain: &Ty, codomain: &Ty) -> DrawnProgram {
    let mut draws = 0;
    loop {
        draws += 1;
        let mut generator = ProgramGenerator::new(SplitMix64::new(random.next()), vocabulary);
        let program = generator.draw_program(domain, codomain);
        let points = generator.draw_points(&program);
        let seen: Vec<Observation> = points.iter().map(|point| program.observe(point)).collect();
        let moves = seen.iter().any(Observation::moves);
        let unknown = seen.iter().filter(|seen| seen.is_unknown()).count();
        let on_border = seen.iter().any(|seen| seen.touches) || !program.features().guard && random.random_bool(15);
        // one in ten is kept as it is, so that constants and programs without values occur as well
        if draws == MAX_DRAWS || random.random_bool(10) || moves && on_border && unknown == 0 {
            return DrawnProgram { program, points };
        }
    }
}

impl Observation {
    /// Returns `true` if a derivative certainly is not 0.
    #[must_use]
    pub fn moves(&self) -> bool {
        self.slopes.as_ref().is_ok_and(|slopes| slopes.iter().flatten().any(KnownReal::is_nonzero))
    }

    /// Returns `true` if the oracle does not know the value or the derivative.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        matches!(self.value, Err(NoValue::Unknown)) || matches!(self.slopes, Err(NoValue::Unknown))
    }
}

impl TypedProgram {
    /// Returns the program as a typed term.
    #[must_use]
    pub fn term(&self) -> &TestTerm {
        &self.0
    }

    /// Returns the types of argument and value.
    #[must_use]
    pub fn types(&self) -> [Ty; 2] {
        match self.0.ty.kind() {
            TyKind::Function(domain, codomain) => [domain.clone(), codomain.clone()],
            _ => [Ty::real(), Ty::real()],
        }
    }

    /// Asks the oracle for value and derivative at a point.
    #[must_use]
    pub fn observe(&self, point: &[Rational]) -> Observation {
        let mut run = OracleRun::default();
        let value = self.run_at(&mut run, point.iter().cloned().map(KnownReal::from).collect());
        let touches = run.touches;
        let along = |moved: usize| {
            let mut run = OracleRun::default();
            let level = run.new_level();
            let at = |(place, q): (usize, &Rational)| {
                let q = KnownReal::from(q.clone());
                if place == moved { q.moving(level) } else { q }
            };
            let found = self.run_at(&mut run, point.iter().enumerate().map(at).collect())?;
            Ok(found.reals().into_iter().map(|y| y.slope_at(level)).collect())
        };
        Observation { value, slopes: (0..point.len()).map(along).collect(), touches }
    }

    /// Asks the oracle for value and derivative of a function of one number.
    ///
    /// # Errors
    /// There is no value or no derivative, or none is known.
    pub fn value_and_slope(&self, x: &Rational) -> Result<[KnownReal; 2], NoValue> {
        let mut run = OracleRun::default();
        let level = run.new_level();
        let found = self.run_at(&mut run, vec![KnownReal::from(x.clone()).moving(level)])?;
        match found.reals()[..] {
            [y] => Ok([y.value_at(level), y.slope_at(level)]),
            _ => Err(NoValue::Unknown),
        }
    }

    fn run_at(&self, run: &mut OracleRun, mut point: Vec<KnownReal>) -> Result<OracleValue, NoValue> {
        let argument = match point.len() {
            1 => OracleValue::Real(point.swap_remove(0)),
            _ => OracleValue::Tuple(point.into_iter().map(OracleValue::Real).collect()),
        };
        let function = run.evaluate(&self.0)?;
        run.apply(&function, argument)
    }

    /// Returns the features of the program.
    #[must_use]
    pub fn features(&self) -> ProgramFeatures {
        let mut found = ProgramFeatures::default();
        if let [body] = &self.0.parts[..] {
            collect_features(body, &mut Vec::new(), &mut found);
        }
        found
    }

    /// Returns the cost of the program in shrinking.
    #[must_use]
    pub fn shrink_cost(&self) -> (usize, u64) {
        self.0.shrink_cost()
    }

    /// Returns programs of the same type with one part smaller, the cheapest first.
    pub fn smaller_programs(&self) -> impl Iterator<Item = Self> + use<> {
        // a part that was lifted out of its scope is no program; most candidates are never asked for
        let is_closed = |term: &TestTerm| matches!(term.head, TermHead::Lambda(..)) && term.to_core().is_some();
        smaller_terms(&self.0).into_iter().filter(is_closed).map(Self)
    }
}

impl fmt::Display for TypedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl DrawnProgram {
    /// Returns the cost of the sample in shrinking: that of its program, with the bits of its points.
    #[must_use]
    pub fn shrink_cost(&self) -> (usize, u64) {
        let (nodes, bits) = self.program.shrink_cost();
        (nodes, bits + self.points.iter().flatten().map(rational_bits).sum::<u64>())
    }

    /// Returns samples with a smaller program, the cheapest first, and then ones with a simpler point. They have as many
    /// points, which need not be borders.
    pub fn smaller_samples(&self) -> impl Iterator<Item = Self> + use<> {
        let mut simpler_points = Vec::new();
        for (place, point) in self.points.iter().enumerate() {
            for (index, q) in point.iter().enumerate() {
                simpler_points.extend(smaller_rationals(q).into_iter().map(|simpler| {
                    let mut sample = self.clone();
                    sample.points[place][index] = simpler;
                    sample
                }));
            }
        }
        let (points, cost) = (self.points.clone(), self.shrink_cost());
        let with_smaller = self.program.smaller_programs().map(move |program| Self { program, points: points.clone() });
        with_smaller.chain(simpler_points).filter(move |sample| sample.shrink_cost() < cost)
    }
}

/// Prints the program and its points.
impl fmt::Debug for DrawnProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", self.program, self.points)
    }
}

/// Collects the features of a term, under definitions whose functions are `around`.
fn collect_features(term: &TestTerm, around: &mut Vec<BinderId>, found: &mut ProgramFeatures) {
    let inner = match &term.head {
        TermHead::LetRec { function, .. } => {
            found.definitions += 1;
            Some(*function)
        }
        TermHead::Apply => {
            match term.parts[0].head {
                TermHead::Variable(f) => found.recursion |= around.contains(&f),
                _ => found.function_values = true,
            }
            None
        }
        TermHead::If => {
            found.guard = true;
            // a line is compared as it is, so a guard with an operation in it is none
            let is_line =
                |side: &TestTerm| matches!(side.head, TermHead::Variable(_) | TermHead::Real(_) | TermHead::Project(_));
            found.nonlinear_guard |= term.parts[0].parts.iter().any(|side| !is_line(side));
            None
        }
        TermHead::Call(Constant::Abs | Constant::Max | Constant::Min) => {
            found.guard = true;
            None
        }
        TermHead::Call(Constant::Elementary(_)) => {
            found.functions = true;
            None
        }
        TermHead::Call(Constant::Rd) => {
            let mut calls = |head: &TermHead| matches!(head, TermHead::Variable(f) if around.contains(f));
            found.own_derivative |= term.parts[0].contains_head(&mut calls);
            None
        }
        TermHead::Tuple if term.parts.len() == 2 => {
            found.pairs = true;
            None
        }
        // the function of a derivative is no value of its own, so lambdas count where they are bound or passed on
        TermHead::Let(_) => {
            found.function_values |= matches!(term.parts[0].ty.kind(), TyKind::Function(..));
            None
        }
        _ => None,
    };
    for (index, part) in term.parts.iter().enumerate() {
        let depth = around.len();
        if index == 0 {
            around.extend(inner);
        }
        with_stack(|| collect_features(part, around, found));
        around.truncate(depth);
    }
}

impl ProgramGenerator {
    fn new(random: SplitMix64, vocabulary: ProgramVocabulary) -> Self {
        let (scope, functions) = (Vec::new(), Vec::new());
        let (borders, planar_borders) = (Vec::new(), Vec::new());
        Self { random, vocabulary, last_binder: 0, scope, functions, borders, planar_borders }
    }

    fn fresh_id(&mut self) -> BinderId {
        self.last_binder += 1;
        self.last_binder
    }

    /// Draws a rational number in [−3, 3] with a denominator of at most 4.
    fn draw_rational(&mut self) -> Rational {
        let denominator = 1 + self.random.next_below(4) as i64;
        Rational::from((self.random.next_below(6 * denominator as usize + 1) as i64 - 3 * denominator, denominator))
    }

    /// Runs `make` with one more variable in scope.
    fn under<R>(&mut self, id: BinderId, ty: &Ty, make: impl FnOnce(&mut Self) -> R) -> R {
        self.scope.push((id, ty.clone()));
        let made = make(self);
        self.scope.pop();
        made
    }

    /// Runs `make` in the body of a definition: the parameter is in scope, and variables from outside are if the
    /// vocabulary has them.
    fn in_body<R>(&mut self, id: BinderId, ty: &Ty, make: impl FnOnce(&mut Self) -> R) -> R {
        let outside = self.scope.clone();
        // a choice: most definitions mention their parameter alone, also where others may be mentioned
        if !self.vocabulary.higher_order || self.random.random_bool(60) {
            self.scope.clear();
        }
        let made = self.under(id, ty, make);
        self.scope = outside;
        made
    }

    /// Draws a program.
    fn draw_program(&mut self, domain: &Ty, codomain: &Ty) -> TypedProgram {
        let input = self.fresh_id();
        // a choice: most programs have definitions, and a third have several
        let count = self.random.pick_weighted(&[(3, 0), (7, 1), (5, 2), (3, 3), (1, 4)]);
        let count = count.min(self.vocabulary.definitions);
        let body =
            self.under(input, domain, |maker| match maker.vocabulary.higher_order && maker.random.random_bool(20) {
                true => maker.draw_function_value(count, codomain),
                false => maker.draw_definitions(count, codomain),
            });
        let ty = Ty::function(domain.clone(), codomain.clone());
        TypedProgram(TestTerm::new(TermHead::Lambda(input, domain.clone()), ty, vec![body]))
    }

    /// Draws `count` definitions, each in the scope of those before it, and a term that calls them.
    fn draw_definitions(&mut self, count: usize, codomain: &Ty) -> TestTerm {
        if count == 0 {
            return self.draw_result(codomain);
        }
        if count > 2 && self.random.random_bool(80) {
            return self.draw_chain(codomain);
        }
        self.draw_definition(&DEFINITIONS, |maker| maker.draw_definitions(count - 1, codomain))
    }

    /// Draws three functions f, g and h, where g calls f. Neither h nor the term behind them mentions f, so h may take
    /// its name; the term calls g.
    fn draw_chain(&mut self, codomain: &Ty) -> TestTerm {
        self.draw_definition(&[(1, DrawnDefinitionKind::Helper)], |maker| {
            maker.draw_definition(&[(1, DrawnDefinitionKind::Caller)], |maker| {
                let caller = maker.functions.split_off(maker.functions.len() - 1);
                maker.functions = caller.clone();
                maker.draw_definition(&DEFINITIONS, |maker| {
                    maker.functions = caller;
                    maker.draw_result(codomain)
                })
            })
        })
    }

    /// Draws a definition of one of these kinds around the term that `rest` makes.
    fn draw_definition(
        &mut self,
        kinds: &[(usize, DrawnDefinitionKind)],
        rest: impl FnOnce(&mut Self) -> TestTerm,
    ) -> TestTerm {
        let mut kind = self.random.pick_weighted(kinds);
        if kind == DrawnDefinitionKind::OwnDerivative && !self.vocabulary.derivatives {
            kind = DrawnDefinitionKind::Iterate;
        }
        let domain = match kind {
            DrawnDefinitionKind::Counter => real_pair(),
            DrawnDefinitionKind::Helper | DrawnDefinitionKind::Outer if self.random.random_bool(20) => real_pair(),
            _ => Ty::real(),
        };
        let codomain = match kind {
            DrawnDefinitionKind::OwnDerivative => Ty::real(),
            _ => match self.random.next_below(20) {
                0..=12 => Ty::real(),
                13..=18 => real_pair(),
                _ => Ty::unit(),
            },
        };
        let (id, argument) = (self.fresh_id(), self.fresh_id());
        let is_counter = kind == DrawnDefinitionKind::Counter;
        let function = FunctionInScope { id, domain: domain.clone(), codomain, is_counter };
        let body = self.in_body(argument, &domain, |maker| maker.draw_body(kind, &function, argument));
        let outside = self.functions.clone();
        self.functions.push(function);
        let rest = rest(self);
        self.functions = outside;
        TestTerm::new(TermHead::LetRec { function: id, argument, of: domain }, rest.ty.clone(), vec![body, rest])
    }

    /// Calls a function.
    fn call(&self, function: &FunctionInScope, argument: TestTerm) -> TestTerm {
        let ty = Ty::function(function.domain.clone(), function.codomain.clone());
        TestTerm::new(TermHead::Apply, function.codomain.clone(), vec![variable(function.id, &ty), argument])
    }

    /// Draws the body of a definition in its parameter y.
    fn draw_body(&mut self, kind: DrawnDefinitionKind, f: &FunctionInScope, y: BinderId) -> TestTerm {
        let at = variable(y, &f.domain);
        let less = |a: TestTerm, b: i64| operation(Constant::Subtract, vec![a, number(b)]);
        match kind {
            DrawnDefinitionKind::Helper => self.draw_term(&f.codomain, 2),
            DrawnDefinitionKind::Caller => self.draw_result(&f.codomain),
            DrawnDefinitionKind::Outer => {
                self.draw_definition(&DEFINITIONS[1..5], |maker| maker.draw_result(&f.codomain))
            }
            DrawnDefinitionKind::Endless => {
                let next = if self.random.random_bool(50) { at } else { operation(Constant::Add, vec![at, number(1)]) };
                self.call(f, next)
            }
            DrawnDefinitionKind::Counter => {
                let (a, r) = (self.fresh_id(), self.fresh_id());
                let (count, half) = (project(at.clone(), 1), number(Rational::from((1, 2))));
                let body = self.under(a, &Ty::real(), |maker| {
                    let argument = tuple(vec![maker.draw_moving(a, 1), less(count.clone(), 1)]);
                    let again = maker.call(f, argument);
                    let again = match f.codomain.kind() {
                        TyKind::Unit => again,
                        _ => bind(r, again, maker.under(r, &f.codomain, |maker| maker.draw_using(r, &f.codomain))),
                    };
                    let guard = maker.compare(Constant::RealLess, count, half);
                    conditional(guard, maker.draw_term(&f.codomain, 1), again)
                });
                bind(a, project(at, 0), body)
            }
            DrawnDefinitionKind::Iterate => {
                let step = self.draw_step(&at);
                let end = self.draw_using(y, &f.codomain);
                // halving ends above 0, the steps that grow end above their border
                let q = self.draw_rational();
                self.borders.push(q.clone());
                self.borders.push(Rational::from(&q * 2));
                let again = self.call(f, step.0);
                let again = self.draw_afterwards(again);
                let guard = match step.1 {
                    true => self.compare(Constant::RealLess, at, number(q.abs() + Rational::from((1, 2)))),
                    false => self.compare(Constant::RealLess, number(q), at),
                };
                conditional(guard, end, again)
            }
            DrawnDefinitionKind::Guarded => {
                let (a, b) = (self.fresh_id(), self.fresh_id());
                let twice = self.random.random_bool(30);
                let again = self.under(a, &f.codomain, |maker| match twice {
                    true => maker.under(b, &f.codomain, |maker| {
                        let body = maker.draw_using(b, &f.codomain);
                        bind(b, maker.call(f, less(at.clone(), 2)), body)
                    }),
                    false => maker.draw_using(a, &f.codomain),
                });
                let again = bind(a, self.call(f, less(at.clone(), 1)), again);
                let (guard, end) = (self.draw_falling_guard(y), self.draw_using(y, &f.codomain));
                conditional(guard, end, again)
            }
            DrawnDefinitionKind::OwnDerivative => {
                let (z, a) = (self.fresh_id(), self.fresh_id());
                let inner = self.call(f, variable(z, &Ty::real()));
                let ty = Ty::function(Ty::real(), Ty::real());
                let function = TestTerm::new(TermHead::Lambda(z, Ty::real()), ty, vec![inner]);
                let slope = operation(Constant::Rd, vec![function, less(at, 1), number(1)]);
                let again = self.under(a, &Ty::real(), |maker| {
                    operation(Constant::Add, vec![variable(a, &Ty::real()), maker.draw_moving(y, 1)])
                });
                let (guard, end) = (self.draw_falling_guard(y), self.draw_using(y, &Ty::real()));
                conditional(guard, end, bind(a, slope, again))
            }
        }
    }

    /// Draws a step of an iteration, and whether it falls.
    fn draw_step(&mut self, y: &TestTerm) -> (TestTerm, bool) {
        let two = |constant, a: TestTerm, b: TestTerm| operation(constant, vec![a, b]);
        let y = || y.clone();
        match self.random.next_below(8) {
            // halving
            0..=2 => (two(Constant::Divide, y(), number(2)), true),
            3 => (two(Constant::Multiply, y(), y()), false),
            4 => (two(Constant::Multiply, number(2), y()), false),
            5 => (two(Constant::Add, y(), number(1)), false),
            // Newton's iteration for √2
            6 => (
                two(Constant::Add, two(Constant::Divide, y(), number(2)), two(Constant::Divide, number(1), y())),
                false,
            ),
            // this step moves away from the border, so the recursion need not end
            _ => (two(Constant::Subtract, y(), number(1)), false),
        }
    }

    /// Adds something to the result of a recursive call, half of the time: the call is no tail call then.
    fn draw_afterwards(&mut self, again: TestTerm) -> TestTerm {
        if again.ty != Ty::real() || self.random.random_bool(50) {
            return again;
        }
        let k = number(self.draw_rational());
        operation(Constant::Add, vec![again, k])
    }

    /// Compares two numbers.
    fn compare(&self, comparison: Constant, a: TestTerm, b: TestTerm) -> TestTerm {
        TestTerm::apply_constant(comparison, Ty::bool(), vec![a, b])
    }

    /// Draws a guard that holds for small y.
    fn draw_falling_guard(&mut self, y: BinderId) -> TestTerm {
        let q = self.draw_rational();
        for step in 0..3 {
            self.borders.push(Rational::from(&q + step));
        }
        let at = variable(y, &Ty::real());
        // y³ + y increases, so it falls below the border as y does
        let increasing = |x: TestTerm| operation(Constant::Add, vec![power(x.clone(), 3), x]);
        match self.random.random_bool(40) {
            true => self.compare(Constant::RealLess, increasing(at), increasing(number(q))),
            false => self.compare(Constant::RealLess, at, number(q)),
        }
    }

    /// Draws a guard with a made border, on a number or a pair in scope.
    fn draw_guard(&mut self) -> TestTerm {
        let (id, ty) = self.random.pick(&self.scope).clone();
        let at = variable(id, &ty);
        let is_pair = matches!(ty.kind(), TyKind::Tuple(_));
        let [left, right] = if is_pair && self.random.random_bool(60) {
            let q = [self.draw_rational(), self.draw_rational()];
            self.planar_borders.push(q.clone());
            let (x, y) = (self.fresh_id(), self.fresh_id());
            let g = self.draw_planar_quantity(x, y);
            let with = |a: TestTerm, b: TestTerm| substitute_variable(&substitute_variable(&g, x, &a), y, &b);
            let [a, b] = q;
            [with(project(at.clone(), 0), project(at, 1)), with(number(a), number(b))]
        } else {
            let at = if is_pair { project(at, self.random.next_below(2)) } else { at };
            let q = self.draw_rational();
            self.borders.push(q.clone());
            let x = self.fresh_id();
            let g = self.draw_quantity(x);
            [substitute_variable(&g, x, &at), substitute_variable(&g, x, &number(q))]
        };
        let comparison = match self.vocabulary.higher_order {
            true => self.random.pick_weighted(&[
                (4, Constant::RealLess),
                (4, Constant::RealGreater),
                (4, Constant::RealLessEqual),
                (4, Constant::RealGreaterEqual),
                (1, Constant::RealEqual),
                (1, Constant::RealNotEqual),
            ]),
            false => *self.random.pick(&[Constant::RealLess, Constant::RealGreater]),
        };
        match self.random.random_bool(50) {
            true => self.compare(comparison, left, right),
            false => self.compare(comparison, right, left),
        }
    }

    /// Draws what a guard compares, as a function g of x: x itself, or one that is no line.
    fn draw_quantity(&mut self, x: BinderId) -> TestTerm {
        let x = || variable(x, &Ty::real());
        let two = |constant, a: TestTerm, b: TestTerm| operation(constant, vec![a, b]);
        if self.random.random_bool(45) {
            return x();
        }
        if self.vocabulary.functions && self.random.random_bool(30) {
            let of = |f: Function, x: TestTerm| operation(Constant::Elementary(f), vec![x]);
            return match self.random.next_below(4) {
                0 => of(Function::Sin, x()),
                1 => of(Function::Exp, x()),
                2 => two(Constant::Add, of(Function::Sin, x()), x()),
                _ => of(Function::Sqrt, two(Constant::Add, power(x(), 2), number(1))),
            };
        }
        match self.random.next_below(5) {
            0 => power(x(), 2),
            1 => power(x(), 3),
            2 => two(Constant::Multiply, x(), two(Constant::Subtract, x(), number(1))),
            3 => two(Constant::Subtract, power(x(), 3), x()),
            _ => two(Constant::Multiply, x(), two(Constant::Add, x(), number(self.draw_rational()))),
        }
    }

    /// Draws what a guard on a pair compares, as a function of its numbers.
    fn draw_planar_quantity(&mut self, x: BinderId, y: BinderId) -> TestTerm {
        let (x, y) = (|| variable(x, &Ty::real()), || variable(y, &Ty::real()));
        let two = |constant, a: TestTerm, b: TestTerm| operation(constant, vec![a, b]);
        match self.random.next_below(4) {
            0 => two(Constant::Multiply, x(), y()),
            1 => two(Constant::Add, power(x(), 2), power(y(), 2)),
            2 => two(Constant::Subtract, x(), y()),
            _ => two(Constant::Add, two(Constant::Multiply, x(), y()), x()),
        }
    }

    /// Draws the result of a program: calls of its functions, mostly at its input, with other terms.
    fn draw_result(&mut self, codomain: &Ty) -> TestTerm {
        if let TyKind::Tuple(_) = codomain.kind() {
            let fitting = self.functions.iter().rev().find(|f| f.codomain == *codomain).cloned();
            return match fitting.filter(|_| self.random.random_bool(50)) {
                Some(f) => self.draw_call(&f),
                None => {
                    let first = self.draw_result(&Ty::real());
                    let second = self.draw_term(&Ty::real(), 1);
                    if self.random.random_bool(50) { tuple(vec![first, second]) } else { tuple(vec![second, first]) }
                }
            };
        }
        if *codomain == Ty::unit() {
            let u = self.fresh_id();
            return bind(u, self.draw_result(&Ty::real()), tuple(Vec::new()));
        }
        let Some(f) = self.functions.last().cloned() else {
            return match self.vocabulary.derivatives && self.random.random_bool(15) {
                true => self.draw_mixed_derivative(),
                false => self.draw_term(&Ty::real(), 3),
            };
        };
        let value = self.draw_number_of_call(&f);
        match self.random.next_below(10) {
            0..=3 => value,
            4..=5 => operation(Constant::Add, vec![value, self.draw_straight_line(1)]),
            6 => operation(Constant::Multiply, vec![self.draw_straight_line(1), value]),
            7 if self.vocabulary.derivatives => {
                let slope = self.draw_mixed_derivative();
                operation(Constant::Add, vec![value, slope])
            }
            8 if self.functions.len() > 1 => {
                let other = self.random.pick(&self.functions).clone();
                operation(Constant::Add, vec![value, self.draw_number_of_call(&other)])
            }
            _ => {
                let v = self.fresh_id();
                bind(v, value, self.under(v, &Ty::real(), |maker| maker.draw_using(v, &Ty::real())))
            }
        }
    }

    /// Draws the derivative of w ↦ e · e′ at a point, where e depends on w and e′ on what is in scope: its own derivative
    /// must keep the two directions apart.
    fn draw_mixed_derivative(&mut self) -> TestTerm {
        let (w, point, other) = (self.fresh_id(), self.draw_straight_line(1), self.draw_straight_line(1));
        let body = self.under(w, &Ty::real(), |maker| maker.draw_moving(w, 1));
        let body = operation(Constant::Multiply, vec![body, other]);
        self.reverse_derivative(w, body, point)
    }

    /// Makes `rd (\w => body) point q`, with q drawn.
    fn reverse_derivative(&mut self, w: BinderId, body: TestTerm, point: TestTerm) -> TestTerm {
        let ty = Ty::function(Ty::real(), body.ty.clone());
        let function = TestTerm::new(TermHead::Lambda(w, Ty::real()), ty, vec![body]);
        operation(Constant::Rd, vec![function, point, number(self.draw_rational())])
    }

    /// Draws a call at an argument that mostly is the input, or close to it.
    fn draw_call(&mut self, f: &FunctionInScope) -> TestTerm {
        let part = |maker: &mut Self| match maker.random.next_below(10) {
            0..=6 => maker.draw_atom(100),
            _ => maker.draw_straight_line(1),
        };
        let argument = match f.domain.kind() {
            TyKind::Tuple(_) if f.is_counter => {
                // a count of 3/2 reaches 1/2 exactly, which is the border of the guard
                let count = *self.random.pick(&[(0, 1), (1, 1), (2, 1), (2, 1), (3, 1), (3, 2)]);
                let first = part(self);
                tuple(vec![first, number(Rational::from(count))])
            }
            TyKind::Tuple(_) => {
                let whole = self.scope.iter().find(|(_, ty)| *ty == f.domain).map(|(id, ty)| variable(*id, ty));
                match whole.filter(|_| self.random.random_bool(60)) {
                    Some(whole) => whole,
                    None => {
                        let (a, b) = (part(self), part(self));
                        tuple(vec![a, b])
                    }
                }
            }
            _ => part(self),
        };
        self.call(f, argument)
    }

    /// Draws a number that a call gives.
    fn draw_number_of_call(&mut self, f: &FunctionInScope) -> TestTerm {
        let call = self.draw_call(f);
        match f.codomain.kind() {
            TyKind::Tuple(_) => project(call, self.random.next_below(2)),
            TyKind::Unit => {
                let u = self.fresh_id();
                bind(u, call, self.draw_straight_line(2))
            }
            _ => call,
        }
    }

    /// Draws a program in which a function is a value: named, passed on, or given back.
    fn draw_function_value(&mut self, count: usize, codomain: &Ty) -> TestTerm {
        let ty = Ty::function(Ty::real(), Ty::real());
        let (h, y) = (self.fresh_id(), self.fresh_id());
        let of =
            |function: &TestTerm, x: TestTerm| TestTerm::new(TermHead::Apply, Ty::real(), vec![function.clone(), x]);
        let body = self.under(y, &Ty::real(), |maker| maker.draw_moving(y, 2));
        let lambda = TestTerm::new(TermHead::Lambda(y, Ty::real()), ty.clone(), vec![body]);
        let named = variable(h, &ty);
        if self.random.random_bool(50) {
            // let h = \y => … in let rec f … in … + h (h x)
            let rest = self.draw_definitions(count.min(2), codomain);
            let inner = self.draw_atom(100);
            let twice = of(&named, of(&named, inner));
            let whole = match codomain.kind() {
                TyKind::Tuple(_) => {
                    let p = self.fresh_id();
                    let (a, b) = (project(variable(p, codomain), 0), project(variable(p, codomain), 1));
                    bind(p, rest, tuple(vec![operation(Constant::Add, vec![a, twice]), b]))
                }
                TyKind::Unit => rest,
                _ => operation(Constant::Add, vec![rest, twice]),
            };
            return bind(h, lambda, whole);
        }
        // (\(h : Real -> Real) => let … = h (h x) in …) (\y => …)
        let (v, inner) = (self.fresh_id(), self.draw_atom(100));
        let body = self.under(v, &Ty::real(), |maker| maker.draw_definitions(count.min(2), codomain));
        let body = bind(v, of(&named, of(&named, inner)), body);
        let taking = Ty::function(ty.clone(), codomain.clone());
        let taking = TestTerm::new(TermHead::Lambda(h, ty), taking, vec![body]);
        TestTerm::new(TermHead::Apply, codomain.clone(), vec![taking, lambda])
    }

    /// Draws a literal, or a number in scope; a number in scope with this probability in percent, if there is one.
    fn draw_atom(&mut self, percent: usize) -> TestTerm {
        let numbers: Vec<_> = self.scope.iter().filter(|(_, ty)| has_numbers(ty)).cloned().collect();
        if numbers.is_empty() || !self.random.random_bool(percent) {
            return number(self.draw_rational());
        }
        let (id, ty) = self.random.pick(&numbers).clone();
        match ty.kind() {
            TyKind::Tuple(_) => project(variable(id, &ty), self.random.next_below(2)),
            _ => variable(id, &ty),
        }
    }

    /// Draws a number that depends on the variable `id`, as a term without conditionals.
    fn draw_moving(&mut self, id: BinderId, depth: u32) -> TestTerm {
        let ty = self.scope.iter().rev().find(|(own, _)| *own == id).map_or_else(Ty::real, |(_, ty)| ty.clone());
        let own = match ty.kind() {
            TyKind::Tuple(_) => project(variable(id, &ty), self.random.next_below(2)),
            _ => variable(id, &ty),
        };
        let other = self.draw_straight_line(depth.saturating_sub(1));
        match self.random.next_below(8) {
            0..=2 => operation(Constant::Add, vec![own, other]),
            3..=4 => operation(Constant::Multiply, vec![own, other]),
            5 => operation(Constant::Subtract, vec![other, own]),
            6 => power(own, 2),
            _ => match self.vocabulary.functions {
                true => self.draw_function(own),
                false => operation(Constant::Negate, vec![own]),
            },
        }
    }

    /// Draws a term of a type that uses the variable `id`.
    fn draw_using(&mut self, id: BinderId, ty: &Ty) -> TestTerm {
        if let TyKind::Tuple(_) = ty.kind() {
            let (a, b) = (self.draw_moving(id, 1), self.draw_moving(id, 2));
            return tuple(vec![a, b]);
        }
        if *ty == Ty::unit() {
            return tuple(Vec::new());
        }
        match self.random.random_bool(80) {
            true => self.draw_moving(id, 2),
            false => self.draw_term(ty, 2),
        }
    }

    /// Draws a real term without conditionals and derivatives.
    fn draw_straight_line(&mut self, depth: u32) -> TestTerm {
        if depth == 0 || self.random.random_bool(10) {
            return self.draw_atom(75);
        }
        let (a, b) = (self.draw_straight_line(depth - 1), self.draw_straight_line(depth - 1));
        match self.random.next_below(9) {
            0..=2 => operation(Constant::Add, vec![a, b]),
            3..=4 => operation(Constant::Multiply, vec![a, b]),
            5 => operation(Constant::Subtract, vec![a, b]),
            6 => power(a, 2 + self.random.next_below(2) as i64),
            7 if self.vocabulary.functions => self.draw_function(a),
            _ => operation(Constant::Negate, vec![a]),
        }
    }

    /// Draws an elementary function of a number, which is put into the domain most of the time.
    fn draw_function(&mut self, of: TestTerm) -> TestTerm {
        let f = *self.random.pick(&FUNCTIONS);
        let inside = match f {
            Function::Log | Function::Sqrt if self.random.random_bool(80) => {
                operation(Constant::Add, vec![power(of, 2), number(1)])
            }
            _ => of,
        };
        operation(Constant::Elementary(f), vec![inside])
    }

    /// Draws a term of a type, of this depth. The weights are a choice.
    fn draw_term(&mut self, ty: &Ty, depth: u32) -> TestTerm {
        if *ty == Ty::unit() {
            return tuple(Vec::new());
        }
        if depth == 0 {
            return match ty.kind() {
                TyKind::Tuple(_) => {
                    let (a, b) = (self.draw_atom(75), self.draw_atom(75));
                    tuple(vec![a, b])
                }
                _ => self.draw_atom(75),
            };
        }
        match self.random.next_below(20) {
            0..=2 => {
                let v = self.fresh_id();
                let value = self.draw_term(&Ty::real(), depth - 1);
                bind(v, value, self.under(v, &Ty::real(), |maker| maker.draw_term(ty, depth - 1)))
            }
            3..=4 => {
                let p = self.fresh_id();
                let value = self.draw_term(&real_pair(), depth - 1);
                bind(p, value, self.under(p, &real_pair(), |maker| maker.draw_term(ty, depth - 1)))
            }
            5..=8 if !self.scope.is_empty() => {
                let guard = self.draw_guard();
                conditional(guard, self.draw_term(ty, depth - 1), self.draw_term(ty, depth - 1))
            }
            9 if !self.functions.is_empty() => {
                let f = self.random.pick(&self.functions).clone();
                if f.codomain == *ty { self.draw_call(&f) } else { self.draw_real_part(ty, depth) }
            }
            _ => self.draw_real_part(ty, depth),
        }
    }

    /// Draws a pair of numbers, or a number that is made by an operation.
    fn draw_real_part(&mut self, ty: &Ty, depth: u32) -> TestTerm {
        if let TyKind::Tuple(_) = ty.kind() {
            let (a, b) = (self.draw_term(&Ty::real(), depth - 1), self.draw_straight_line(1));
            return tuple(vec![a, b]);
        }
        match self.random.next_below(12) {
            0 => {
                let below = match self.random.random_bool(50) {
                    true => self.draw_straight_line(1),
                    false => operation(Constant::Add, vec![power(self.draw_atom(75), 2), number(1)]),
                };
                operation(Constant::Divide, vec![self.draw_term(ty, depth - 1), below])
            }
            1..=2 if self.vocabulary.derivatives => {
                let (w, point) = (self.fresh_id(), self.draw_straight_line(1));
                let body = self.under(w, ty, |maker| maker.draw_term(ty, depth - 1));
                self.reverse_derivative(w, body, point)
            }
            1..=2 if self.vocabulary.higher_order => {
                // a kink, at a point of its own
                let (at, q) = (self.draw_atom(90), self.draw_rational());
                self.borders.push(q.clone());
                match self.random.next_below(3) {
                    0 => operation(Constant::Abs, vec![operation(Constant::Subtract, vec![at, number(q)])]),
                    1 => operation(Constant::Max, vec![at, number(q)]),
                    _ => operation(Constant::Min, vec![number(q), at]),
                }
            }
            3 if self.vocabulary.functions => {
                let of = self.draw_term(ty, depth - 1);
                self.draw_function(of)
            }
            4..=5 => operation(Constant::Add, vec![self.draw_term(ty, depth - 1), self.draw_term(ty, depth - 1)]),
            6 => operation(Constant::Multiply, vec![self.draw_atom(90), self.draw_term(ty, depth - 1)]),
            _ => self.draw_straight_line(depth.min(2)),
        }
    }

    /// Draws four points of the domain of a program. Two of them lie on borders, if the oracle finds such; one of the
    /// others lies beside a border.
    fn draw_points(&mut self, program: &TypedProgram) -> Vec<Vec<Rational>> {
        let [domain, _] = program.types();
        let dimension = if matches!(domain.kind(), TyKind::Tuple(_)) { 2 } else { 1 };
        let mut candidates: Vec<Vec<Rational>> = Vec::new();
        let borders = std::mem::take(&mut self.borders);
        if dimension == 2 {
            candidates.extend(self.planar_borders.iter().map(|q| q.to_vec()));
            for q in &borders {
                let other = self.draw_rational();
                candidates.push(vec![q.clone(), other.clone()]);
                candidates.push(vec![other, q.clone()]);
            }
        } else {
            candidates.extend(borders.iter().map(|q| vec![q.clone()]));
        }
        // functions are called at other numbers than the input, so borders lie elsewhere as well: these are guesses
        let moved = |point: &Vec<Rational>| {
            let at = |of: fn(&Rational) -> Rational| point.iter().map(of).collect::<Vec<Rational>>();
            let half = |q: &Rational| Rational::from(q / 2);
            [at(|q| Rational::from(q - 1)), at(|q| Rational::from(q + 1)), at(|q| Rational::from(-q)), at(half)]
        };
        candidates.truncate(MAX_CANDIDATES);
        let guesses: Vec<_> = candidates.iter().flat_map(moved).collect();
        candidates.extend(guesses);
        let is_inside = |point: &Vec<Rational>| point.iter().all(|q| q.clone().abs() < LARGEST_COORDINATE);
        candidates.retain(is_inside);
        let on_border: Vec<_> = candidates.iter().filter(|point| program.observe(point).touches).cloned().collect();
        let mut points = Vec::new();
        for place in 0..4 {
            let anywhere: Vec<Rational> = (0..dimension).map(|_| self.draw_rational()).collect();
            points.push(match place {
                0 | 2 if !on_border.is_empty() => self.random.pick(&on_border).clone(),
                3 if !on_border.is_empty() && self.random.random_bool(40) => self.random.pick(&on_border).clone(),
                1 if !on_border.is_empty() => {
                    let side = if self.random.random_bool(50) { 1 } else { -1 };
                    let near = self.random.pick(&on_border).clone();
                    near.into_iter().map(|q| q + (Rational::from(side) >> 40u32)).collect()
                }
                _ => anywhere,
            });
        }
        points
    }
}

/// Draws a sample of W's language: a function of one number.
#[must_use]
pub fn draw_pieces_sample(random: SplitMix64) -> DrawnProgram {
    draw_sample(random, ProgramVocabulary::PIECES, &Ty::real(), &Ty::real())
}

/// Draws a sample of W's language without elementary functions, and with one definition at most. Its pieces have
/// rational functions, so that regions, lengths and composites are exact.
#[must_use]
pub fn draw_rational_pieces_sample(random: SplitMix64) -> DrawnProgram {
    draw_sample(random, ProgramVocabulary::RATIONAL_PIECES.with_definitions(1), &Ty::real(), &Ty::real())
}

/// Draws a function without borders, and a conditional with that function in both branches. Returns the conditional, the
/// function and the border.
#[must_use]
pub fn draw_removable_border(random: SplitMix64) -> (TypedProgram, TypedProgram, Rational) {
    let mut generator = ProgramGenerator::new(random, ProgramVocabulary::PIECES);
    let input = generator.fresh_id();
    let (smooth, guard) =
        generator.under(input, &Ty::real(), |maker| (maker.draw_moving(input, 3), maker.draw_guard()));
    let border = generator.borders.pop().unwrap_or_default();
    let ty = Ty::function(Ty::real(), Ty::real());
    let function = |body| TypedProgram(TestTerm::new(TermHead::Lambda(input, Ty::real()), ty.clone(), vec![body]));
    (function(conditional(guard, smooth.clone(), smooth.clone())), function(smooth), border)
}

/// Returns `true` for numbers and pairs of numbers.
fn has_numbers(ty: &Ty) -> bool {
    matches!(ty.kind(), TyKind::Real) || *ty == real_pair()
}

/// A random program of A with one free variable, and points for it.
#[derive(Clone)]
pub struct TraceSample {
    /// The program and its points, as they were drawn.
    pub drawn: DrawnProgram,
    /// The free variable.
    pub x: CoreVariable,
    /// The type of the variable.
    pub ty: CoreTy,
    /// The type of the program.
    pub codomain: CoreTy,
    /// The program.
    pub term: CoreTerm,
    /// The points of evaluation.
    pub points: Vec<CoreValue<Rational>>,
    /// A cotangent of the type of the program.
    pub cotangent: CoreTerm,
    /// `true` if functions take over the names of outer ones that are not called any more.
    pub shadows: bool,
}

/// Draws a sample of A's language. A third of the programs are functions of the plane.
#[must_use]
pub fn draw_trace_sample(random: SplitMix64) -> TraceSample {
    draw_trace_sample_in(random, ProgramVocabulary::TRACES)
}

/// Draws a sample of A's language in a vocabulary.
#[must_use]
pub fn draw_trace_sample_in(mut random: SplitMix64, vocabulary: ProgramVocabulary) -> TraceSample {
    let domain = if random.random_bool(30) { real_pair() } else { Ty::real() };
    // maps of the plane to itself are the ones whose Jacobian is a square
    let pairs = if domain == Ty::real() { 15 } else { 50 };
    let codomain = match random.next_below(100) as u32 {
        at if at < pairs => real_pair(),
        at if at > 97 => Ty::unit(),
        _ => Ty::real(),
    };
    let shadows = random.random_bool(60);
    let mut numbers = random.clone();
    loop {
        let drawn = draw_sample(SplitMix64::new(random.next()), vocabulary, &domain, &codomain);
        // a cotangent of 0 is one of 8: the derivative has still to be undefined where the program is
        let mut weight = || CoreTerm::number(Rational::from((numbers.next_below(8) as i64, 2)));
        let cotangent = match codomain.kind() {
            TyKind::Tuple(_) => CoreTerm::pair(CoreTy::Real, CoreTy::Real, weight(), CoreTerm::number(-1)),
            TyKind::Unit => CoreTerm::unit(),
            _ => weight(),
        };
        if let Some(sample) = TraceSample::of_program(drawn, shadows, cotangent) {
            return sample;
        }
    }
}

/// Draws a trace over x and z in which z is bound again, to be differentiated in x at z.
#[must_use]
pub fn draw_name_clash(random: SplitMix64) -> (CoreTerm, CoreVariable, CoreVariable) {
    let mut generator = ProgramGenerator::new(random, ProgramVocabulary::RATIONAL);
    let (x, z) = (generator.fresh_id(), generator.fresh_id());
    generator.scope = vec![(x, Ty::real()), (z, Ty::real())];
    let (bound, body) = (generator.draw_straight_line(2), generator.draw_straight_line(2));
    let [x, z] = [x, z].map(|id| (id, CoreVariable::fresh(&binder_name(id))));
    let mut scope = CoreScope { variables: [x.clone(), z.clone()].into_iter().collect(), ..CoreScope::default() };
    let zero = || CoreTerm::number(0);
    let [bound, body] = [bound, body].map(|term| scope.translate(&term).unwrap_or_else(zero));
    let ((_, x), (_, z)) = (x, z);
    // the product uses both variables, so capturing z would change the derivative
    let product = CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::variable(&z), CoreTerm::variable(&x));
    (CoreTerm::bind(&z, CoreTy::Real, bound, CoreTerm::sum(body, product)), x, z)
}

/// Prints the program and its points.
impl fmt::Debug for TraceSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {:?}", to_text(&[(self.x.clone(), self.ty.clone())], &self.term), self.points)
    }
}

impl TraceSample {
    /// Translates a program to the language of A. Returns `None` if it has a construct that A lacks.
    fn of_program(drawn: DrawnProgram, shadows: bool, cotangent: CoreTerm) -> Option<Self> {
        let TermHead::Lambda(id, domain) = &drawn.program.0.head else { return None };
        let [_, codomain] = drawn.program.types();
        let (ty, codomain) = (core_type(domain)?, core_type(&codomain)?);
        let mut scope = CoreScope { shadows, ..CoreScope::default() };
        let (x, term) = scope.translate_under(*id, drawn.program.0.parts.first()?)?;
        let value = |point: &Vec<Rational>| CoreValue::from_reals(&ty, &mut point.iter().cloned());
        let points = drawn.points.iter().map(value).collect::<Option<_>>()?;
        Some(Self { drawn, x, ty, codomain, term, points, cotangent, shadows })
    }

    /// Returns the features of the program.
    #[must_use]
    pub fn features(&self) -> ProgramFeatures {
        self.drawn.program.features()
    }

    /// Returns the cost of the sample in shrinking.
    #[must_use]
    pub fn shrink_cost(&self) -> (usize, u64) {
        self.drawn.shrink_cost()
    }

    /// Returns samples with a smaller program of the same type, or with a simpler point.
    pub fn smaller_samples(&self) -> impl Iterator<Item = Self> + use<> {
        let (shadows, cotangent) = (self.shadows, self.cotangent.clone());
        let again = move |drawn| Self::of_program(drawn, shadows, cotangent.clone());
        self.drawn.smaller_samples().filter_map(again)
    }
}

/// Returns a type in the language of A. `None` if A has no such type.
fn core_type(ty: &Ty) -> Option<CoreTy> {
    Some(match ty.kind() {
        TyKind::Real => CoreTy::Real,
        TyKind::Unit => CoreTy::Unit,
        TyKind::Tuple(parts) => match &parts[..] {
            [a, b] => CoreTy::product(core_type(a)?, core_type(b)?),
            _ => return None,
        },
        _ => return None,
    })
}

/// The variables in scope, as variables of A. Functions are variables of their own kind.
#[derive(Default)]
struct CoreScope {
    variables: FxHashMap<BinderId, CoreVariable>,
    functions: Vec<(BinderId, CoreVariable)>,
    shadows: bool,
}

impl CoreScope {
    fn translate_under(&mut self, id: BinderId, body: &TestTerm) -> Option<(CoreVariable, CoreTerm)> {
        let x = CoreVariable::fresh(&binder_name(id));
        let before = self.variables.insert(id, x.clone());
        let body = self.translate(body);
        match before {
            Some(before) => self.variables.insert(id, before),
            None => self.variables.remove(&id),
        };
        Some((x, body?))
    }

    fn translate(&mut self, term: &TestTerm) -> Option<CoreTerm> {
        with_stack(|| self.translate_head(term))
    }

    fn translate_head(&mut self, term: &TestTerm) -> Option<CoreTerm> {
        Some(match (&term.head, &term.parts[..]) {
            (TermHead::Real(q), _) => CoreTerm::number(q.clone()),
            (TermHead::Variable(id), _) => CoreTerm::variable(self.variables.get(id)?),
            (TermHead::Power(q), [base]) => {
                CoreTerm::operation(OperationSymbol::Power(q.clone()), self.translate(base)?)
            }
            (TermHead::Let(id), [value, body]) => {
                let (ty, value) = (core_type(&value.ty)?, self.translate(value)?);
                let (x, body) = self.translate_under(*id, body)?;
                CoreTerm::bind(&x, ty, value, body)
            }
            (TermHead::Tuple, []) => CoreTerm::unit(),
            (TermHead::Tuple, [a, b]) => {
                CoreTerm::pair(core_type(&a.ty)?, core_type(&b.ty)?, self.translate(a)?, self.translate(b)?)
            }
            (TermHead::Project(index), [pair]) => {
                let CoreTy::Product(types) = core_type(&pair.ty)? else { return None };
                let part = if *index == 0 { CoreTermKind::First } else { CoreTermKind::Second };
                part(types.0.clone(), types.1.clone(), self.translate(pair)?).into()
            }
            (TermHead::If, [condition, then, otherwise]) => {
                let condition = self.translate_condition(condition)?;
                CoreTermKind::If(condition, self.translate(then)?, self.translate(otherwise)?).into()
            }
            (TermHead::LetRec { function, argument, of }, [body, rest]) => {
                self.translate_definition(*function, (*argument, of), body, rest)?
            }
            (TermHead::Apply, [f, argument]) => {
                let TermHead::Variable(id) = f.head else { return None };
                let f = self.functions.iter().rev().find(|(own, _)| *own == id)?.1.clone();
                CoreTermKind::Call(f, self.translate(argument)?).into()
            }
            (TermHead::Call(Constant::Rd), [f, point, cotangent]) => {
                let (TermHead::Lambda(id, domain), [body]) = (&f.head, &f.parts[..]) else { return None };
                let ty = core_type(domain)?;
                let (point, cotangent) = (self.translate(point)?, self.translate(cotangent)?);
                let (x, body) = self.translate_under(*id, body)?;
                term::reverse_derivative(cotangent, point, &x, &ty, body)
            }
            (TermHead::Call(constant), [a]) => {
                let operation = match constant {
                    Constant::Negate => OperationSymbol::Negate,
                    Constant::Elementary(f) => OperationSymbol::Function(*f),
                    _ => return None,
                };
                CoreTerm::operation(operation, self.translate(a)?)
            }
            (TermHead::Call(constant), [a, b]) => {
                let (a, b) = (self.translate(a)?, self.translate(b)?);
                match constant {
                    Constant::Add => CoreTerm::sum(a, b),
                    Constant::Subtract => CoreTerm::binary_operation(OperationSymbol::Subtract, a, b),
                    Constant::Multiply => CoreTerm::binary_operation(OperationSymbol::Multiply, a, b),
                    Constant::Divide => CoreTerm::binary_operation(OperationSymbol::Divide, a, b),
                    _ => return None,
                }
            }
            _ => return None,
        })
    }

    fn translate_condition(&mut self, condition: &TestTerm) -> Option<BooleanTerm> {
        Some(match (&condition.head, &condition.parts[..]) {
            (TermHead::Bool(b), _) => BooleanTerm::Value(*b),
            (TermHead::Call(comparison), [a, b]) => {
                let predicate = match comparison {
                    Constant::RealLess => PredicateSymbol::Less,
                    Constant::RealGreater => PredicateSymbol::Greater,
                    _ => return None,
                };
                let (a, b) = (self.translate(a)?, self.translate(b)?);
                BooleanTerm::Predicate(predicate, CoreTerm::pair(CoreTy::Real, CoreTy::Real, a, b))
            }
            _ => return None,
        })
    }

    /// Translates a definition. If functions shadow others, it takes over the name of an outer function that is called
    /// neither in it nor after it. Functions between the two that call the outer one must still find that.
    fn translate_definition(
        &mut self,
        function: BinderId,
        (argument, domain): (BinderId, &Ty),
        body: &TestTerm,
        rest: &TestTerm,
    ) -> Option<CoreTerm> {
        let mentions = |id: BinderId| {
            let mut is_call = |head: &TermHead| *head == TermHead::Variable(id);
            body.contains_head(&mut is_call) || rest.contains_head(&mut is_call)
        };
        // a name that was taken over already belongs to the inner function
        let free = self.functions.iter().enumerate().find(|(place, (id, name))| {
            !mentions(*id) && self.functions[place + 1..].iter().all(|(_, later)| later != name)
        });
        let taken = free.filter(|_| self.shadows).map(|(_, (_, name))| name.clone());
        let name = taken.unwrap_or_else(|| CoreVariable::fresh(&binder_name(function)));
        let (domain, codomain) = (core_type(domain)?, core_type(&body.ty)?);
        self.functions.push((function, name.clone()));
        // the bodies of definitions see their parameter and functions alone (A Fig. 1)
        let outside = std::mem::take(&mut self.variables);
        let body = self.translate_under(argument, body);
        self.variables = outside;
        let rest = self.translate(rest);
        self.functions.pop();
        let (parameter, body) = body?;
        let definition = CoreDefinition { function: name, parameter, domain, codomain, body, limit: None };
        Some(CoreTermKind::LetRec(Arc::new(definition), rest?).into())
    }
}
