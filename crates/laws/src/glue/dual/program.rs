//! Random programs of W §3.1: numbers, tuples, functions of functions, borders, and recursions, of which some never end; with sums and lists
//! besides, and with derivatives inside.
//!
//! What is bound and not yet used is what is used next, so that programs use what they bind.

use crate::law::generate::{either, maybe};
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::data::Data;
use crate::syntax::ty::{Ty, TyKind};

/// What a program has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Comparisons, and operations that are in pieces.
    pub borders: u32,
    /// Recursions.
    pub recursions: u32,
    /// Functions that are handed to functions.
    pub handed: u32,
    /// Sums and lists that are made or looked at.
    pub data: u32,
    /// Derivatives inside.
    pub derivatives: u32,
    /// Names that are bound.
    pub bound: u32,
    /// Of these, those that are used.
    pub used: u32,
}

/// A random closed program of a type of numbers, tuples, functions, sums and lists.
#[must_use]
pub fn program(ty: &Ty, random: &mut Random) -> (String, Uses) {
    let mut maker = Maker { random, uses: Uses::default(), names: 0, unused: Vec::new() };
    let text = maker.term(ty, &Vec::new(), DEPTH);
    (text, maker.uses)
}

/// A random type: of a function, mostly.
pub fn random_type(random: &mut Random, depth: u32) -> Ty {
    let number = |random: &mut Random| if depth == 0 { Ty::real() } else { random_type(random, depth - 1) };
    match if depth == 0 { 0 } else { random.below(6) } {
        0 => Ty::real(),
        1 => Ty::new(TyKind::Tuple([number(random), number(random)].into())),
        2 | 3 => Ty::function(Ty::real(), number(random)),
        _ => Ty::function(number(random), number(random)),
    }
}

/// A random type of W, or one of sums or lists.
pub fn with_data(random: &mut Random, depth: u32) -> Ty {
    let inner = |random: &mut Random| random_type(random, depth.saturating_sub(1));
    match random.below(8) {
        0 => maybe(inner(random)),
        1 => either(inner(random), inner(random)),
        2 => Ty::list(inner(random)),
        3 => Ty::new(TyKind::Tuple([inner(random), Ty::real(), Ty::real()].into())),
        _ => random_type(random, depth),
    }
}

/// How deep programs are.
const DEPTH: i32 = 3;

type Context = Vec<(String, Ty)>;

struct Maker<'r> {
    random: &'r mut Random,
    uses: Uses,
    names: usize,
    unused: Vec<String>,
}

impl Maker<'_> {
    fn bound(&mut self, ty: &Ty, context: &Context) -> (String, Context) {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.uses.bound += 1;
        self.unused.push(name.clone());
        let inner = context.iter().cloned().chain([(name.clone(), ty.clone())]).collect();
        (name, inner)
    }

    fn rational(&mut self) -> Rational {
        Rational::from((self.random.below(13) as i64 - 6, 1 + self.random.below(2) as i64))
    }

    fn number(&mut self) -> String {
        format!("({} : Real)", self.rational())
    }

    fn term(&mut self, ty: &Ty, context: &Context, depth: i32) -> String {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let parts: Vec<_> = types.iter().map(|ty| self.term(ty, context, depth - 1)).collect();
                format!("({})", parts.join(", "))
            }
            TyKind::Function(a, b) => {
                let known: Vec<_> = context.iter().filter(|(_, other)| other == ty).map(|(x, _)| x.clone()).collect();
                if !known.is_empty() && self.random.chance(if depth > 0 { 25 } else { 70 }) {
                    let name = self.random.pick(&known).clone();
                    self.used(&name);
                    return name;
                }
                let (x, inner) = self.bound(a, context);
                format!("(\\({x} : {a}) => {})", self.term(b, &inner, depth))
            }
            TyKind::Data(data, arguments) => self.data(ty, data, arguments, context, depth),
            _ => self.real(context, depth),
        }
    }

    /// A list, or one of two variants by a border.
    fn data(&mut self, ty: &Ty, data: &Data, arguments: &[Ty], context: &Context, depth: i32) -> String {
        self.uses.data += 1;
        let known: Vec<_> = context.iter().filter(|(_, other)| other == ty).map(|(x, _)| x.clone()).collect();
        if !known.is_empty() && self.random.chance(40) {
            let name = self.random.pick(&known).clone();
            self.used(&name);
            return name;
        }
        if data.is_list() {
            let elements: Vec<_> =
                (0..self.random.below(4)).map(|_| self.term(&arguments[0], context, depth - 1)).collect();
            return format!("[{}]", elements.join(", "));
        }
        self.uses.borders += 1;
        let mut side = || {
            let index = self.random.below(data.width());
            let name = data.constructors().nth(index).map(|one| one.name().to_string()).unwrap_or_default();
            match &data.domains(arguments)[index] {
                ty if matches!(ty.kind(), TyKind::Unit) => name,
                ty => format!("({name} {})", self.term(ty, context, depth - 1)),
            }
        };
        let (then, otherwise) = (side(), side());
        let (tried, c) = (self.leaf(context, 0), self.number());
        format!("(if {tried} > {c} then {then} else {otherwise})")
    }

    fn used(&mut self, name: &str) {
        if let Some(place) = self.unused.iter().position(|other| other == name) {
            self.unused.remove(place);
            self.uses.used += 1;
        }
    }

    /// A number that a variable determines: what is bound and not used first.
    fn leaf(&mut self, context: &Context, depth: i32) -> String {
        let fresh: Vec<_> = context.iter().filter(|(x, _)| self.unused.contains(x)).cloned().collect();
        let from = if fresh.is_empty() { context } else { &fresh };
        if from.is_empty() || (fresh.is_empty() && self.random.chance(25)) {
            return self.number();
        }
        let (name, ty) = self.random.pick(from).clone();
        self.used(&name);
        self.observed(name, &ty, context, depth)
    }

    fn observed(&mut self, value: String, ty: &Ty, context: &Context, depth: i32) -> String {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let index = self.random.below(types.len());
                self.observed(format!("({value}[{index}])"), &types[index], context, depth)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                self.uses.data += 1;
                self.names += 1;
                let x = format!("v{}", self.names);
                let (inner, end) = (self.observed(x.clone(), &arguments[0], context, depth - 1), self.number());
                format!("(fold (\\({x} : {}) => \\(rest : Real) => {inner} + rest) {end} {value})", arguments[0])
            }
            TyKind::Data(data, arguments) => {
                self.uses.data += 1;
                let types = data.domains(arguments);
                let names: Vec<_> = data.constructors().map(|one| one.name().to_string()).collect();
                let mut branches = Vec::new();
                for (name, ty) in names.into_iter().zip(&types) {
                    branches.push(if matches!(ty.kind(), TyKind::Unit) {
                        format!("{name} => {}", self.number())
                    } else {
                        self.names += 1;
                        let x = format!("v{}", self.names);
                        format!("{name} {x} => {}", self.observed(x.clone(), ty, context, depth - 1))
                    });
                }
                format!("(match {value} with {})", branches.join(" | "))
            }
            TyKind::Function(a, b) => {
                self.uses.handed += u32::from(matches!(a.kind(), TyKind::Function(..)));
                // what is too deep is a number
                let argument = match (a.kind(), depth < -2) {
                    (TyKind::Real, true) => self.number(),
                    _ => self.term(a, context, depth - 1),
                };
                self.observed(format!("({value} {argument})"), b, context, depth - 1)
            }
            _ => value,
        }
    }

    fn real(&mut self, context: &Context, depth: i32) -> String {
        if depth <= 0 {
            return self.leaf(context, depth);
        }
        let next = depth - 1;
        match self.random.below(16) {
            0 | 1 => format!("({} + {})", self.real(context, next), self.real(context, next)),
            2 | 3 => format!("({} * {})", self.real(context, next), self.real(context, next)),
            4 => format!("({} / {})", self.real(context, next), self.leaf(context, 0)),
            5 => {
                self.uses.borders += 1;
                format!("(abs {})", self.real(context, next))
            }
            6 => {
                self.uses.borders += 1;
                let word = *self.random.pick(&["max", "min"]);
                format!("({word} {} {})", self.real(context, next), self.real(context, next))
            }
            7 => {
                self.uses.borders += 1;
                format!("(sqrt {})", self.leaf(context, 0))
            }
            8 => {
                let ty = if self.random.chance(50) { Ty::real() } else { Ty::function(Ty::real(), Ty::real()) };
                let value = self.term(&ty, context, next);
                let (x, inner) = self.bound(&ty, context);
                format!("(let {x} = {value} in {})", self.real(&inner, next))
            }
            9 | 10 => self.recursion(context, next),
            11 => {
                self.uses.borders += 1;
                let (y, x) =
                    (self.leaf(context, 0), if self.random.chance(60) { self.number() } else { self.leaf(context, 0) });
                format!("(atan2 {y} {x})")
            }
            12 => {
                self.uses.derivatives += 1;
                let (x, inner) = self.bound(&Ty::real(), context);
                let (body, at) = (self.real(&inner, next.min(1)), self.leaf(context, 0));
                format!("(deriv (\\({x} : Real) => {body}) {at})")
            }
            _ => {
                self.uses.borders += 1;
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
                let tried = self.leaf(context, 0);
                let (c, then) = (self.number(), self.real(context, next));
                format!("(if {tried} {sign} {c} then {then} else {})", self.real(context, next))
            }
        }
    }

    fn recursion(&mut self, context: &Context, depth: i32) -> String {
        self.uses.recursions += 1;
        self.uses.borders += 1;
        let (f, k) = (format!("f{}", self.names), self.number());
        self.names += 1;
        let (y, inner) = self.bound(&Ty::real(), context);
        let body = self.real(&inner, depth.min(1));
        let c = 1 + self.random.below(2);
        match self.random.below(4) {
            // half of it, as often as it takes
            0 | 1 => {
                let at = self.real(context, depth);
                format!(
                    "(let rec {f} ({y} : Real) : Real = if {y} < {c} then {body} else {f} ({y} / 2) + {k} in {f} {at})"
                )
            }
            // twice of it: beyond c it never ends
            2 => {
                let at = self.leaf(context, 0);
                format!(
                    "(let rec {f} ({y} : Real) : Real = if {y} < {c} then {body} else {f} (2 * {y}) + {k} in {f} {at})"
                )
            }
            // a function is handed on, and grows
            _ => {
                self.uses.handed += 1;
                let (g, at) = (self.term(&Ty::function(Ty::real(), Ty::real()), context, 0), self.leaf(context, 0));
                format!(
                    "(let rec {f} (g : Real -> Real) ({y} : Real) : Real = if {y} < {c} then g {y} + {body} \
                     else {f} (\\(z : Real) => g (z / 2) + {k}) ({y} - 1) in {f} {g} {at})"
                )
            }
        }
    }
}
