//! The generator of related plots: piecewise numbers, and functions of what can be observed of their arguments.
//!
//! A plot and its representation are written side by side. The representation uses dual numbers written out by hand,
//! without the macro. At a point where a number changes its piece, its slope may be off by any multiple of the slope of
//! the guard: another decomposition into pieces gives that slope. Numbers and functions may be undefined on some
//! pieces, by division by 0 or by a recursion that never ends.

use super::Plots;
use crate::law::generate::library;
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::data::Data;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};

/// A part of a plot, and the same part of its representation, as program text.
#[derive(Clone, Debug)]
pub struct Both {
    plot: String,
    representation: String,
}

/// The depth of random numbers. A choice.
const DEPTH: usize = 2;

/// The share of the numbers that are undefined on some pieces, in percent. A choice.
const NO_NUMBER: usize = 10;
/// The share of the functions that are undefined on some pieces, in percent. A choice.
const NO_FUNCTION: usize = 10;

/// The product of dual numbers, as program text.
const PRODUCT: &str = "let times' (a : Real * Real) (b : Real * Real) : Real * Real = \
    (fst a * fst b, fst a * snd b + snd a * fst b) in";

/// Returns 𝒟τ as text.
#[must_use]
pub fn representing(ty: &Ty) -> String {
    match ty.kind() {
        TyKind::Real => "(Real * Real)".to_owned(),
        TyKind::Tuple(types) => {
            format!("({})", types.iter().map(representing).collect::<Vec<_>>().join(" * "))
        }
        TyKind::Function(a, b) => format!("({} -> {})", representing(a), representing(b)),
        TyKind::Data(data, arguments) => {
            format!("({} {})", data.name(), arguments.iter().map(representing).collect::<Vec<_>>().join(" "))
        }
        _ => ty.to_string(),
    }
}

/// Parses a closed program. Returns `None` if it has no type.
#[must_use]
pub fn program(text: &str) -> Option<Term> {
    library().infer_expression(text).ok().map(|(term, _)| term)
}

/// Draws a related pair of plots at a type made of numbers, tuples, functions, sums and lists. If `varies` is `false`,
/// the plots are constant in t.
pub fn plots(ty: &Ty, varies: bool, random: &mut Random) -> Option<Plots> {
    drawn(ty, varies, true, random)
}

/// Draws a related pair of plots that are defined everywhere.
pub fn total(ty: &Ty, random: &mut Random) -> Option<Plots> {
    drawn(ty, true, false, random)
}

/// Draws a related pair of plots; with `partial`, some parts are undefined on some pieces.
fn drawn(ty: &Ty, varies: bool, partial: bool, random: &mut Random) -> Option<Plots> {
    let mut drawer = Drawer { random, names: 0, partial };
    let t = Both { plot: "t".to_owned(), representation: "d".to_owned() };
    // without t in scope, every number that is drawn is constant
    let Both { plot, representation } = drawer.draw(ty, if varies { vec![t] } else { Vec::new() });
    let plot = program(&format!("\\(t : Real) => {plot}"))?;
    Some(Plots::of(&plot, &program(&format!("{PRODUCT} \\(d : Real * Real) => {representation}"))?))
}

/// Draws a curve with an intensional derivative, as a related pair of plots. Half of the curves are constant.
pub fn curve(random: &mut Random) -> Option<Plots> {
    let varies = random.chance(50);
    plots(&Ty::real(), varies, random)
}

/// The state of the generator.
struct Drawer<'r> {
    random: &'r mut Random,
    /// The number of names in use.
    names: usize,
    /// `true` if some parts are undefined on some pieces.
    partial: bool,
}

impl Drawer<'_> {
    /// Returns a name that is not in use.
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    /// Draws a rational number from −6 to 6, with denominator 1 or 2.
    fn rational(&mut self) -> Rational {
        Rational::from((self.random.below(13) as i64 - 6, 1 + self.random.below(2) as i64))
    }

    /// Draws a constant, whose slope is 0.
    fn constant(&mut self) -> Both {
        let q = self.rational();
        Both { plot: format!("({q} : Real)"), representation: format!("(({q} : Real), (0 : Real))") }
    }

    /// Draws a value of the type. `numbers` are those in scope, the preferred ones first.
    fn draw(&mut self, ty: &Ty, numbers: Vec<Both>) -> Both {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let parts: Vec<Both> = types.iter().map(|ty| self.draw(ty, numbers.clone())).collect();
                let joined =
                    |of: &dyn Fn(&Both) -> &str| format!("({})", parts.iter().map(of).collect::<Vec<_>>().join(", "));
                Both { plot: joined(&|part| &part.plot), representation: joined(&|part| &part.representation) }
            }
            TyKind::Function(a, b) => {
                let x = self.fresh();
                let own = Both { plot: x.clone(), representation: x.clone() };
                let mut inner = self.observed(a, own, &numbers);
                // the numbers observed of the argument come first, so that they are preferred to those outside
                inner.extend(numbers.iter().cloned());
                let body = self.draw(b, inner);
                let function = Both {
                    plot: format!("(\\({x} : {a}) => {})", body.plot),
                    representation: format!("(\\({x} : {}) => {})", representing(a), body.representation),
                };
                match self.partial && self.random.chance(NO_FUNCTION) {
                    true => self.partly(&numbers, function),
                    false => function,
                }
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let elements: Vec<Both> =
                    (0..self.random.below(4)).map(|_| self.draw(&arguments[0], numbers.clone())).collect();
                let listed = |of: &dyn Fn(&Both) -> &str| {
                    format!("[{}]", elements.iter().map(of).collect::<Vec<_>>().join(", "))
                };
                Both { plot: listed(&|part| &part.plot), representation: listed(&|part| &part.representation) }
            }
            TyKind::Data(data, arguments) => {
                let sides: Vec<Both> = [0, 1].map(|_| self.constructed(data, arguments, &numbers)).into();
                // the side of a border decides the constructor, on both plots alike
                let (tried, c) = (self.number(&numbers, 0), self.rational());
                self.chosen(&tried, &c, [&sides[0], &sides[1]])
            }
            _ => self.number(&numbers, DEPTH),
        }
    }

    /// Draws a variant with a random constructor.
    fn constructed(&mut self, data: &Data, arguments: &[Ty], numbers: &[Both]) -> Both {
        let index = self.random.below(data.width());
        let (name, ty) =
            (data.constructors().nth(index).map(|one| one.name().clone()), &data.domains(arguments)[index]);
        let name = name.map_or_else(String::new, |name| name.to_string());
        match ty.kind() {
            TyKind::Unit => Both { plot: name.clone(), representation: name },
            _ => {
                let Both { plot, representation } = self.draw(ty, numbers.to_vec());
                Both { plot: format!("({name} {plot})"), representation: format!("({name} {representation})") }
            }
        }
    }

    /// Returns one value or the other, as a number is above `c` or not.
    fn chosen(&mut self, tried: &Both, c: &Rational, [then, otherwise]: [&Both; 2]) -> Both {
        Both {
            plot: format!("(if {} > ({c} : Real) then {} else {})", tried.plot, then.plot, otherwise.plot),
            representation: format!(
                "(if fst {} > ({c} : Real) then {} else {})",
                tried.representation, then.representation, otherwise.representation
            ),
        }
    }

    /// Returns the function on one side of a border, and an undefined value on the other.
    fn partly(&mut self, numbers: &[Both], function: Both) -> Both {
        let (tried, c) = (self.number(numbers, 0), self.rational());
        let none = |text: &str| format!("(let u = (1 / 0 : Real) in {text})");
        let none = Both { plot: none(&function.plot), representation: none(&function.representation) };
        self.chosen(&tried, &c, [&function, &none])
    }

    /// Returns an undefined number: by division by 0, or by a recursion that never ends.
    fn nothing(&mut self) -> Both {
        let none = match self.random.chance(70) {
            true => "(1 / 0 : Real)",
            false => "(let rec e (y : Real) : Real = e y in e 0)",
        };
        Both { plot: none.to_owned(), representation: format!("({none}, (0 : Real))") }
    }

    /// Returns the numbers that can be observed of a value; functions are applied to random arguments.
    fn observed(&mut self, ty: &Ty, value: Both, numbers: &[Both]) -> Vec<Both> {
        match ty.kind() {
            TyKind::Tuple(types) => {
                let part = |index: usize| Both {
                    plot: format!("({}[{index}])", value.plot),
                    representation: format!("({}[{index}])", value.representation),
                };
                types.iter().enumerate().flat_map(|(index, ty)| self.observed(ty, part(index), numbers)).collect()
            }
            TyKind::Function(a, b) => {
                let argument = self.draw(a, numbers.to_vec());
                let result = Both {
                    plot: format!("({} {})", value.plot, argument.plot),
                    representation: format!("({} {})", value.representation, argument.representation),
                };
                self.observed(b, result, numbers)
            }
            _ => vec![value],
        }
    }

    /// Draws a number of at most the given depth.
    fn number(&mut self, numbers: &[Both], depth: usize) -> Both {
        if depth == 0 {
            return match numbers {
                // the first number belongs to the innermost argument, which would otherwise rarely be used
                [first, ..] if self.random.chance(60) => first.clone(),
                [_, ..] if self.random.chance(60) => self.random.pick(numbers).clone(),
                _ => self.constant(),
            };
        }
        let (a, mut b) = (self.number(numbers, depth - 1), self.number(numbers, depth - 1));
        if self.partial && depth == DEPTH && !numbers.is_empty() && self.random.chance(NO_NUMBER) {
            b = self.nothing();
            return self.in_pieces(numbers, a, b);
        }
        match self.random.below(4) {
            0 => Both {
                plot: format!("({} + {})", a.plot, b.plot),
                representation: format!("({} + {})", a.representation, b.representation),
            },
            1 => Both {
                plot: format!("({} * {})", a.plot, b.plot),
                representation: format!("(times' {} {})", a.representation, b.representation),
            },
            _ => self.in_pieces(numbers, a, b),
        }
    }

    /// Returns one number or the other, by the comparison of a third one with a constant.
    fn in_pieces(&mut self, numbers: &[Both], then: Both, otherwise: Both) -> Both {
        let (tried, c, off) = (self.number(numbers, 0), self.rational(), self.rational());
        let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
        let x = self.fresh();
        // on the border the slope is that of another decomposition into pieces, which V allows
        let beside = |part: &Both| match &off {
            off if *off == 0 => part.representation.clone(),
            off => format!(
                "(if fst {x} == ({c}) then {} + ((0 : Real), ({off} : Real) * snd {x}) else {})",
                part.representation, part.representation
            ),
        };
        Both {
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
