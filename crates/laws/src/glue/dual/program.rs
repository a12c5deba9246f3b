//! Random programs of W §3.1: numbers, tuples, higher-order functions, borders, and recursions, some of which never
//! end. Sums, lists and inner derivatives are added.
//!
//! A variable that is bound and not yet used is used next, so that programs use what they bind.

use crate::law::generate::{either, maybe};
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::data::Data;
use crate::syntax::ty::{Ty, TyKind};

/// The number of times that a program uses each construct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses {
    /// Comparisons and piecewise operations.
    pub borders: u32,
    /// Recursions.
    pub recursions: u32,
    /// Functions passed to functions.
    pub handed: u32,
    /// Sums and lists, made or analysed.
    pub data: u32,
    /// Inner derivatives.
    pub derivatives: u32,
    /// Bound variables.
    pub bound: u32,
    /// The bound variables that are used.
    pub used: u32,
}

/// Draws a closed program of a type made of numbers, tuples, functions, sums and lists. Returns its text.
#[must_use]
pub fn program(ty: &Ty, random: &mut Random) -> (String, Uses) {
    let mut maker = Maker { random, uses: Uses::default(), names: 0, unused: Vec::new() };
    let text = maker.term(ty, &Vec::new(), DEPTH);
    (text, maker.uses)
}

/// Draws a type, of a function in four of six cases.
pub fn random_type(random: &mut Random, depth: u32) -> Ty {
    let number = |random: &mut Random| if depth == 0 { Ty::real() } else { random_type(random, depth - 1) };
    match if depth == 0 { 0 } else { random.below(6) } {
        0 => Ty::real(),
        1 => Ty::new(TyKind::Tuple([number(random), number(random)].into())),
        2 | 3 => Ty::function(Ty::real(), number(random)),
        _ => Ty::function(number(random), number(random)),
    }
}

/// Draws a type of W, or one with a sum or a list.
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

/// The depth of random programs. A choice.
const DEPTH: i32 = 3;

/// The variables in scope with their types.
type Context = Vec<(String, Ty)>;

/// The state of the generator.
struct Maker<'r> {
    random: &'r mut Random,
    uses: Uses,
    names: usize,
    /// The variables that are bound and not yet used.
    unused: Vec<String>,
}

impl Maker<'_> {
    /// Binds a fresh variable. Returns it, with the context extended by it.
    fn bound(&mut self, ty: &Ty, context: &Context) -> (String, Context) {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.uses.bound += 1;
        self.unused.push(name.clone());
        let inner = context.iter().cloned().chain([(name.clone(), ty.clone())]).collect();
        (name, inner)
    }

    /// Draws a rational number from −6 to 6, with denominator 1 or 2.
    fn rational(&mut self) -> Rational {
        Rational::from((self.random.below(13) as i64 - 6, 1 + self.random.below(2) as i64))
    }

    /// Draws a constant, as text.
    fn number(&mut self) -> String {
        format!("({} : Real)", self.rational())
    }

    /// Draws a term of the type.
    fn term(&mut self, ty: &Ty, context: &Context, depth: i32) -> String {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let parts: Vec<_> = types.iter().map(|ty| self.term(ty, context, depth - 1)).collect();
                format!("({})", parts.join(", "))
            }
            TyKind::Function(a, b) => {
                // a known function of the type is reused, so that functions are passed around and not only applied
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

    /// Draws a list, or one of two variants by a border.
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
        // the side of a border decides the constructor, so that its plot is piecewise
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

    /// Marks a variable as used.
    fn used(&mut self, name: &str) {
        if let Some(place) = self.unused.iter().position(|other| other == name) {
            self.unused.remove(place);
            self.uses.used += 1;
        }
    }

    /// Draws a number that a variable determines. Variables that are not used yet come first.
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

    /// Returns the text of a number that the value determines.
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
                // a function is applied to a constant once the depth is spent, so that the recursion ends
                let argument = match (a.kind(), depth < -2) {
                    (TyKind::Real, true) => self.number(),
                    _ => self.term(a, context, depth - 1),
                };
                self.observed(format!("({value} {argument})"), b, context, depth - 1)
            }
            _ => value,
        }
    }

    /// Draws a number of at most the given depth.
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

    /// Draws a recursion with one parameter, and its call.
    fn recursion(&mut self, context: &Context, depth: i32) -> String {
        self.uses.recursions += 1;
        self.uses.borders += 1;
        let (f, k) = (format!("f{}", self.names), self.number());
        self.names += 1;
        let (y, inner) = self.bound(&Ty::real(), context);
        let body = self.real(&inner, depth.min(1));
        let c = 1 + self.random.below(2);
        match self.random.below(4) {
            // halves its argument until it is small, so it always ends for arguments that are defined
            0 | 1 => {
                let at = self.real(context, depth);
                format!(
                    "(let rec {f} ({y} : Real) : Real = if {y} < {c} then {body} else {f} ({y} / 2) + {k} in {f} {at})"
                )
            }
            // doubles its argument: for arguments from c on it never ends
            2 => {
                let at = self.leaf(context, 0);
                format!(
                    "(let rec {f} ({y} : Real) : Real = if {y} < {c} then {body} else {f} (2 * {y}) + {k} in {f} {at})"
                )
            }
            // passes a function on, which grows with each call
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
