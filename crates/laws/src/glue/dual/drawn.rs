//! The generator of related plots: piecewise numbers, and functions of what can be observed of their arguments.
//!
//! A plot and its representation are written side by side. The representation uses dual numbers written out by hand,
//! without the macro. At a point where a number changes its piece, its slope may be off by any multiple of the slope of
//! the guard: another decomposition into pieces gives that slope. Numbers and functions may be undefined on some
//! pieces, by division by 0 or by a recursion that never ends.

use super::DualPlots;
use crate::law::generate::data_library;
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::data::DataType;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};

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
