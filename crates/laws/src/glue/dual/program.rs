//! Random programs of W §3.1: numbers, tuples, higher-order functions, borders, and recursions, some of which never
//! end. Sums, lists and inner derivatives are added.
//!
//! A variable that is bound and not yet used is used next, so that programs use what they bind.
//!
//! # The generator of related plots
//!
//! Piecewise numbers, and functions of what can be observed of their arguments.
//!
//! A plot and its representation are written side by side. The representation uses dual numbers written out by hand,
//! without the macro. At a point where a number changes its piece, its slope may be off by any multiple of the slope of
//! the guard: another decomposition into pieces gives that slope. Numbers and functions may be undefined on some
//! pieces, by division by 0 or by a recursion that never ends.

use super::DualPlots;
use crate::law::generate::{data_library, either_type, maybe_type};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::data::DataType;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};

/// The number of times that a program uses each construct.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConstructCounts {
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
pub fn draw_program_text(ty: &Ty, random: &mut SplitMix64) -> (String, ConstructCounts) {
    let mut maker =
        PiecewiseProgramGenerator { random, uses: ConstructCounts::default(), names: 0, unused: Vec::new() };
    let text = maker.draw_term(ty, &Vec::new(), DEPTH);
    (text, maker.uses)
}

/// Draws a type, of a function in four of six cases.
pub fn random_type(random: &mut SplitMix64, depth: u32) -> Ty {
    let number = |random: &mut SplitMix64| if depth == 0 { Ty::real() } else { random_type(random, depth - 1) };
    match if depth == 0 { 0 } else { random.next_below(6) } {
        0 => Ty::real(),
        1 => Ty::new(TyKind::Tuple([number(random), number(random)].into())),
        2 | 3 => Ty::function(Ty::real(), number(random)),
        _ => Ty::function(number(random), number(random)),
    }
}

/// Draws a type of W, or one with a sum or a list.
pub fn draw_type_with_data(random: &mut SplitMix64, depth: u32) -> Ty {
    let inner = |random: &mut SplitMix64| random_type(random, depth.saturating_sub(1));
    match random.next_below(8) {
        0 => maybe_type(inner(random)),
        1 => either_type(inner(random), inner(random)),
        2 => Ty::list(inner(random)),
        3 => Ty::new(TyKind::Tuple([inner(random), Ty::real(), Ty::real()].into())),
        _ => random_type(random, depth),
    }
}

/// The depth of random programs. A choice.
const DEPTH: i32 = 3;

/// The variables in scope with their types.
type VariableTypes = Vec<(String, Ty)>;

/// The state of the generator.
struct PiecewiseProgramGenerator<'r> {
    random: &'r mut SplitMix64,
    uses: ConstructCounts,
    names: usize,
    /// The variables that are bound and not yet used.
    unused: Vec<String>,
}

impl PiecewiseProgramGenerator<'_> {
    /// Binds a fresh variable. Returns it, with the context extended by it.
    fn bind_variable(&mut self, ty: &Ty, context: &VariableTypes) -> (String, VariableTypes) {
        self.names += 1;
        let name = format!("v{}", self.names);
        self.uses.bound += 1;
        self.unused.push(name.clone());
        let inner = context.iter().cloned().chain([(name.clone(), ty.clone())]).collect();
        (name, inner)
    }

    /// Draws a rational number from −6 to 6, with denominator 1 or 2.
    fn draw_rational(&mut self) -> Rational {
        Rational::from((self.random.next_below(13) as i64 - 6, 1 + self.random.next_below(2) as i64))
    }

    /// Draws a constant, as text.
    fn draw_constant(&mut self) -> String {
        format!("({} : Real)", self.draw_rational())
    }

    /// Draws a term of the type.
    fn draw_term(&mut self, ty: &Ty, context: &VariableTypes, depth: i32) -> String {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let parts: Vec<_> = types.iter().map(|ty| self.draw_term(ty, context, depth - 1)).collect();
                format!("({})", parts.join(", "))
            }
            TyKind::Function(a, b) => {
                // a known function of the type is reused, so that functions are passed around and not only applied
                let known: Vec<_> = context.iter().filter(|(_, other)| other == ty).map(|(x, _)| x.clone()).collect();
                if !known.is_empty() && self.random.random_bool(if depth > 0 { 25 } else { 70 }) {
                    let name = self.random.pick(&known).clone();
                    self.mark_used(&name);
                    return name;
                }
                let (x, inner) = self.bind_variable(a, context);
                format!("(\\({x} : {a}) => {})", self.draw_term(b, &inner, depth))
            }
            TyKind::Data(data, arguments) => self.draw_data(ty, data, arguments, context, depth),
            _ => self.draw_real(context, depth),
        }
    }

    /// Draws a list, or one of two variants by a border.
    fn draw_data(&mut self, ty: &Ty, data: &DataType, arguments: &[Ty], context: &VariableTypes, depth: i32) -> String {
        self.uses.data += 1;
        let known: Vec<_> = context.iter().filter(|(_, other)| other == ty).map(|(x, _)| x.clone()).collect();
        if !known.is_empty() && self.random.random_bool(40) {
            let name = self.random.pick(&known).clone();
            self.mark_used(&name);
            return name;
        }
        if data.is_list() {
            let elements: Vec<_> =
                (0..self.random.next_below(4)).map(|_| self.draw_term(&arguments[0], context, depth - 1)).collect();
            return format!("[{}]", elements.join(", "));
        }
        // the side of a border decides the constructor, so that its plot is piecewise
        self.uses.borders += 1;
        let mut side = || {
            let index = self.random.next_below(data.constructor_count());
            let name = data.constructors().nth(index).map(|one| one.name().to_string()).unwrap_or_default();
            match &data.argument_types(arguments)[index] {
                ty if matches!(ty.kind(), TyKind::Unit) => name,
                ty => format!("({name} {})", self.draw_term(ty, context, depth - 1)),
            }
        };
        let (then, otherwise) = (side(), side());
        let (tried, c) = (self.draw_leaf(context, 0), self.draw_constant());
        format!("(if {tried} > {c} then {then} else {otherwise})")
    }

    /// Marks a variable as used.
    fn mark_used(&mut self, name: &str) {
        if let Some(place) = self.unused.iter().position(|other| other == name) {
            self.unused.remove(place);
            self.uses.used += 1;
        }
    }

    /// Draws a number that a variable determines. Variables that are not used yet come first.
    fn draw_leaf(&mut self, context: &VariableTypes, depth: i32) -> String {
        let fresh: Vec<_> = context.iter().filter(|(x, _)| self.unused.contains(x)).cloned().collect();
        let from = if fresh.is_empty() { context } else { &fresh };
        if from.is_empty() || (fresh.is_empty() && self.random.random_bool(25)) {
            return self.draw_constant();
        }
        let (name, ty) = self.random.pick(from).clone();
        self.mark_used(&name);
        self.observe_number(name, &ty, context, depth)
    }

    /// Returns the text of a number that the value determines.
    fn observe_number(&mut self, value: String, ty: &Ty, context: &VariableTypes, depth: i32) -> String {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let index = self.random.next_below(types.len());
                self.observe_number(format!("({value}[{index}])"), &types[index], context, depth)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                self.uses.data += 1;
                self.names += 1;
                let x = format!("v{}", self.names);
                let (inner, end) =
                    (self.observe_number(x.clone(), &arguments[0], context, depth - 1), self.draw_constant());
                format!("(fold (\\({x} : {}) => \\(rest : Real) => {inner} + rest) {end} {value})", arguments[0])
            }
            TyKind::Data(data, arguments) => {
                self.uses.data += 1;
                let types = data.argument_types(arguments);
                let names: Vec<_> = data.constructors().map(|one| one.name().to_string()).collect();
                let mut branches = Vec::new();
                for (name, ty) in names.into_iter().zip(&types) {
                    branches.push(if matches!(ty.kind(), TyKind::Unit) {
                        format!("{name} => {}", self.draw_constant())
                    } else {
                        self.names += 1;
                        let x = format!("v{}", self.names);
                        format!("{name} {x} => {}", self.observe_number(x.clone(), ty, context, depth - 1))
                    });
                }
                format!("(match {value} with {})", branches.join(" | "))
            }
            TyKind::Function(a, b) => {
                self.uses.handed += u32::from(matches!(a.kind(), TyKind::Function(..)));
                // a function is applied to a constant once the depth is spent, so that the recursion ends
                let argument = match (a.kind(), depth < -2) {
                    (TyKind::Real, true) => self.draw_constant(),
                    _ => self.draw_term(a, context, depth - 1),
                };
                self.observe_number(format!("({value} {argument})"), b, context, depth - 1)
            }
            _ => value,
        }
    }

    /// Draws a number of at most the given depth.
    fn draw_real(&mut self, context: &VariableTypes, depth: i32) -> String {
        if depth <= 0 {
            return self.draw_leaf(context, depth);
        }
        let next = depth - 1;
        match self.random.next_below(16) {
            0 | 1 => format!("({} + {})", self.draw_real(context, next), self.draw_real(context, next)),
            2 | 3 => format!("({} * {})", self.draw_real(context, next), self.draw_real(context, next)),
            4 => format!("({} / {})", self.draw_real(context, next), self.draw_leaf(context, 0)),
            5 => {
                self.uses.borders += 1;
                format!("(abs {})", self.draw_real(context, next))
            }
            6 => {
                self.uses.borders += 1;
                let word = *self.random.pick(&["max", "min"]);
                format!("({word} {} {})", self.draw_real(context, next), self.draw_real(context, next))
            }
            7 => {
                self.uses.borders += 1;
                format!("(sqrt {})", self.draw_leaf(context, 0))
            }
            8 => {
                let ty = if self.random.random_bool(50) { Ty::real() } else { Ty::function(Ty::real(), Ty::real()) };
                let value = self.draw_term(&ty, context, next);
                let (x, inner) = self.bind_variable(&ty, context);
                format!("(let {x} = {value} in {})", self.draw_real(&inner, next))
            }
            9 | 10 => self.draw_recursion(context, next),
            11 => {
                self.uses.borders += 1;
                let (y, x) = (
                    self.draw_leaf(context, 0),
                    if self.random.random_bool(60) { self.draw_constant() } else { self.draw_leaf(context, 0) },
                );
                format!("(atan2 {y} {x})")
            }
            12 => {
                self.uses.derivatives += 1;
                let (x, inner) = self.bind_variable(&Ty::real(), context);
                let (body, at) = (self.draw_real(&inner, next.min(1)), self.draw_leaf(context, 0));
                format!("(deriv (\\({x} : Real) => {body}) {at})")
            }
            _ => {
                self.uses.borders += 1;
                let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
                let tried = self.draw_leaf(context, 0);
                let (c, then) = (self.draw_constant(), self.draw_real(context, next));
                format!("(if {tried} {sign} {c} then {then} else {})", self.draw_real(context, next))
            }
        }
    }

    /// Draws a recursion with one parameter, and its call.
    fn draw_recursion(&mut self, context: &VariableTypes, depth: i32) -> String {
        self.uses.recursions += 1;
        self.uses.borders += 1;
        let (f, k) = (format!("f{}", self.names), self.draw_constant());
        self.names += 1;
        let (y, inner) = self.bind_variable(&Ty::real(), context);
        let body = self.draw_real(&inner, depth.min(1));
        let c = 1 + self.random.next_below(2);
        match self.random.next_below(4) {
            // halves its argument until it is small, so it always ends for arguments that are defined
            0 | 1 => {
                let at = self.draw_real(context, depth);
                format!(
                    "(let rec {f} ({y} : Real) : Real = if {y} < {c} then {body} else {f} ({y} / 2) + {k} in {f} {at})"
                )
            }
            // doubles its argument: for arguments from c on it never ends
            2 => {
                let at = self.draw_leaf(context, 0);
                format!(
                    "(let rec {f} ({y} : Real) : Real = if {y} < {c} then {body} else {f} (2 * {y}) + {k} in {f} {at})"
                )
            }
            // passes a function on, which grows with each call
            _ => {
                self.uses.handed += 1;
                let (g, at) =
                    (self.draw_term(&Ty::function(Ty::real(), Ty::real()), context, 0), self.draw_leaf(context, 0));
                format!(
                    "(let rec {f} (g : Real -> Real) ({y} : Real) : Real = if {y} < {c} then g {y} + {body} \
                     else {f} (\\(z : Real) => g (z / 2) + {k}) ({y} - 1) in {f} {g} {at})"
                )
            }
        }
    }
}

/// A part of a plot, and the same part of its representation, as program text.
#[derive(Clone, Debug)]
pub struct PlotTexts {
    plot: String,
    representation: String,
}

/// The depth of random numbers. A choice.
const DRAWN_DEPTH: usize = 2;

/// The share of the numbers that are undefined on some pieces, in percent. A choice.
const NO_NUMBER: usize = 10;
/// The share of the functions that are undefined on some pieces, in percent. A choice.
const NO_FUNCTION: usize = 10;

/// The product of dual numbers, as program text.
const PRODUCT: &str = "let times' (a : Real * Real) (b : Real * Real) : Real * Real = \
    (fst a * fst b, fst a * snd b + snd a * fst b) in";

/// Returns 𝒟τ as text.
#[must_use]
pub fn derived_type_text(ty: &Ty) -> String {
    match ty.kind() {
        TyKind::Real => "(Real * Real)".to_owned(),
        TyKind::Tuple(types) => {
            format!("({})", types.iter().map(derived_type_text).collect::<Vec<_>>().join(" * "))
        }
        TyKind::Function(a, b) => format!("({} -> {})", derived_type_text(a), derived_type_text(b)),
        TyKind::Data(data, arguments) => {
            format!("({} {})", data.name(), arguments.iter().map(derived_type_text).collect::<Vec<_>>().join(" "))
        }
        _ => ty.to_string(),
    }
}

/// Parses a closed program. Returns `None` if it has no type.
#[must_use]
pub fn parse_program(text: &str) -> Option<Term> {
    data_library().infer_expression(text).ok().map(|(term, _)| term)
}

/// Draws a related pair of plots at a type made of numbers, tuples, functions, sums and lists. If `varies` is `false`,
/// the plots are constant in t.
pub fn draw_plots(ty: &Ty, varies: bool, random: &mut SplitMix64) -> Option<DualPlots> {
    draw_plots_with(ty, varies, true, random)
}

/// Draws a related pair of plots that are defined everywhere.
pub fn draw_total_plots(ty: &Ty, random: &mut SplitMix64) -> Option<DualPlots> {
    draw_plots_with(ty, true, false, random)
}

/// Draws a related pair of plots; with `partial`, some parts are undefined on some pieces.
fn draw_plots_with(ty: &Ty, varies: bool, partial: bool, random: &mut SplitMix64) -> Option<DualPlots> {
    let mut drawer = RelatedPlotGenerator { random, names: 0, partial };
    let t = PlotTexts { plot: "t".to_owned(), representation: "d".to_owned() };
    // without t in scope, every number that is drawn is constant
    let PlotTexts { plot, representation } = drawer.draw_value(ty, if varies { vec![t] } else { Vec::new() });
    let plot = parse_program(&format!("\\(t : Real) => {plot}"))?;
    Some(DualPlots::from_programs(
        &plot,
        &parse_program(&format!("{PRODUCT} \\(d : Real * Real) => {representation}"))?,
    ))
}

/// Draws a curve with an intensional derivative, as a related pair of plots. Half of the curves are constant.
pub fn draw_curve(random: &mut SplitMix64) -> Option<DualPlots> {
    let varies = random.random_bool(50);
    draw_plots(&Ty::real(), varies, random)
}

/// The state of the generator.
struct RelatedPlotGenerator<'r> {
    random: &'r mut SplitMix64,
    /// The number of names in use.
    names: usize,
    /// `true` if some parts are undefined on some pieces.
    partial: bool,
}

impl RelatedPlotGenerator<'_> {
    /// Returns a name that is not in use.
    fn fresh_name(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    /// Draws a rational number from −6 to 6, with denominator 1 or 2.
    fn draw_rational(&mut self) -> Rational {
        Rational::from((self.random.next_below(13) as i64 - 6, 1 + self.random.next_below(2) as i64))
    }

    /// Draws a constant, whose slope is 0.
    fn draw_constant(&mut self) -> PlotTexts {
        let q = self.draw_rational();
        PlotTexts { plot: format!("({q} : Real)"), representation: format!("(({q} : Real), (0 : Real))") }
    }

    /// Draws a value of the type. `numbers` are those in scope, the preferred ones first.
    fn draw_value(&mut self, ty: &Ty, numbers: Vec<PlotTexts>) -> PlotTexts {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let parts: Vec<PlotTexts> = types.iter().map(|ty| self.draw_value(ty, numbers.clone())).collect();
                let joined = |of: &dyn Fn(&PlotTexts) -> &str| {
                    format!("({})", parts.iter().map(of).collect::<Vec<_>>().join(", "))
                };
                PlotTexts { plot: joined(&|part| &part.plot), representation: joined(&|part| &part.representation) }
            }
            TyKind::Function(a, b) => {
                let x = self.fresh_name();
                let own = PlotTexts { plot: x.clone(), representation: x.clone() };
                let mut inner = self.observe_numbers(a, own, &numbers);
                // the numbers observed of the argument come first, so that they are preferred to those outside
                inner.extend(numbers.iter().cloned());
                let body = self.draw_value(b, inner);
                let function = PlotTexts {
                    plot: format!("(\\({x} : {a}) => {})", body.plot),
                    representation: format!("(\\({x} : {}) => {})", derived_type_text(a), body.representation),
                };
                match self.partial && self.random.random_bool(NO_FUNCTION) {
                    true => self.undefined_on_one_side(&numbers, function),
                    false => function,
                }
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let elements: Vec<PlotTexts> =
                    (0..self.random.next_below(4)).map(|_| self.draw_value(&arguments[0], numbers.clone())).collect();
                let listed = |of: &dyn Fn(&PlotTexts) -> &str| {
                    format!("[{}]", elements.iter().map(of).collect::<Vec<_>>().join(", "))
                };
                PlotTexts { plot: listed(&|part| &part.plot), representation: listed(&|part| &part.representation) }
            }
            TyKind::Data(data, arguments) => {
                let sides: Vec<PlotTexts> = [0, 1].map(|_| self.draw_variant(data, arguments, &numbers)).into();
                // the side of a border decides the constructor, on both plots alike
                let (tried, c) = (self.draw_number(&numbers, 0), self.draw_rational());
                self.choose_by_threshold(&tried, &c, [&sides[0], &sides[1]])
            }
            _ => self.draw_number(&numbers, DRAWN_DEPTH),
        }
    }

    /// Draws a variant with a random constructor.
    fn draw_variant(&mut self, data: &DataType, arguments: &[Ty], numbers: &[PlotTexts]) -> PlotTexts {
        let index = self.random.next_below(data.constructor_count());
        let (name, ty) =
            (data.constructors().nth(index).map(|one| one.name().clone()), &data.argument_types(arguments)[index]);
        let name = name.map_or_else(String::new, |name| name.to_string());
        match ty.kind() {
            TyKind::Unit => PlotTexts { plot: name.clone(), representation: name },
            _ => {
                let PlotTexts { plot, representation } = self.draw_value(ty, numbers.to_vec());
                PlotTexts { plot: format!("({name} {plot})"), representation: format!("({name} {representation})") }
            }
        }
    }

    /// Returns one value or the other, as a number is above `c` or not.
    fn choose_by_threshold(
        &mut self,
        tried: &PlotTexts,
        c: &Rational,
        [then, otherwise]: [&PlotTexts; 2],
    ) -> PlotTexts {
        PlotTexts {
            plot: format!("(if {} > ({c} : Real) then {} else {})", tried.plot, then.plot, otherwise.plot),
            representation: format!(
                "(if fst {} > ({c} : Real) then {} else {})",
                tried.representation, then.representation, otherwise.representation
            ),
        }
    }

    /// Returns the function on one side of a border, and an undefined value on the other.
    fn undefined_on_one_side(&mut self, numbers: &[PlotTexts], function: PlotTexts) -> PlotTexts {
        let (tried, c) = (self.draw_number(numbers, 0), self.draw_rational());
        let none = |text: &str| format!("(let u = (1 / 0 : Real) in {text})");
        let none = PlotTexts { plot: none(&function.plot), representation: none(&function.representation) };
        self.choose_by_threshold(&tried, &c, [&function, &none])
    }

    /// Returns an undefined number: by division by 0, or by a recursion that never ends.
    fn undefined_number(&mut self) -> PlotTexts {
        let none = match self.random.random_bool(70) {
            true => "(1 / 0 : Real)",
            false => "(let rec e (y : Real) : Real = e y in e 0)",
        };
        PlotTexts { plot: none.to_owned(), representation: format!("({none}, (0 : Real))") }
    }

    /// Returns the numbers that can be observed of a value; functions are applied to random arguments.
    fn observe_numbers(&mut self, ty: &Ty, value: PlotTexts, numbers: &[PlotTexts]) -> Vec<PlotTexts> {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let part = |index: usize| PlotTexts {
                    plot: format!("({}[{index}])", value.plot),
                    representation: format!("({}[{index}])", value.representation),
                };
                types
                    .iter()
                    .enumerate()
                    .flat_map(|(index, ty)| self.observe_numbers(ty, part(index), numbers))
                    .collect()
            }
            TyKind::Function(a, b) => {
                let argument = self.draw_value(a, numbers.to_vec());
                let result = PlotTexts {
                    plot: format!("({} {})", value.plot, argument.plot),
                    representation: format!("({} {})", value.representation, argument.representation),
                };
                self.observe_numbers(b, result, numbers)
            }
            _ => vec![value],
        }
    }

    /// Draws a number of at most the given depth.
    fn draw_number(&mut self, numbers: &[PlotTexts], depth: usize) -> PlotTexts {
        if depth == 0 {
            return match numbers {
                // the first number belongs to the innermost argument, which would otherwise rarely be used
                [first, ..] if self.random.random_bool(60) => first.clone(),
                [_, ..] if self.random.random_bool(60) => self.random.pick(numbers).clone(),
                _ => self.draw_constant(),
            };
        }
        let (a, mut b) = (self.draw_number(numbers, depth - 1), self.draw_number(numbers, depth - 1));
        if self.partial && depth == DRAWN_DEPTH && !numbers.is_empty() && self.random.random_bool(NO_NUMBER) {
            b = self.undefined_number();
            return self.choose_by_comparison(numbers, a, b);
        }
        match self.random.next_below(4) {
            0 => PlotTexts {
                plot: format!("({} + {})", a.plot, b.plot),
                representation: format!("({} + {})", a.representation, b.representation),
            },
            1 => PlotTexts {
                plot: format!("({} * {})", a.plot, b.plot),
                representation: format!("(times' {} {})", a.representation, b.representation),
            },
            _ => self.choose_by_comparison(numbers, a, b),
        }
    }

    /// Returns one number or the other, by the comparison of a third one with a constant.
    fn choose_by_comparison(&mut self, numbers: &[PlotTexts], then: PlotTexts, otherwise: PlotTexts) -> PlotTexts {
        let (tried, c, off) = (self.draw_number(numbers, 0), self.draw_rational(), self.draw_rational());
        let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
        let x = self.fresh_name();
        // on the border the slope is that of another decomposition into pieces, which V allows
        let beside = |part: &PlotTexts| match &off {
            off if *off == 0 => part.representation.clone(),
            off => format!(
                "(if fst {x} == ({c}) then {} + ((0 : Real), ({off} : Real) * snd {x}) else {})",
                part.representation, part.representation
            ),
        };
        PlotTexts {
            plot: format!("(if {} {sign} ({c} : Real) then {} else {})", tried.plot, then.plot, otherwise.plot),
            representation: format!(
                "(let {x} = {} in if fst {x} {sign} ({c} : Real) then {} else {})",
                tried.representation,
                beside(&then),
                beside(&otherwise)
            ),
        }
    }
}
