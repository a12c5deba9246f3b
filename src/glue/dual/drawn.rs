//! Related plots that are drawn: numbers in pieces, and functions of what can be observed of their arguments.
//!
//! A plot and its representation are written side by side, the second with dual numbers by hand, without the macro. Where two numbers are
//! equal at which it turns to another piece, its slope may be off by any multiple of that of their difference: another way of
//! cutting gives that.

use super::Plots;
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::library::Library;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};

/// A part of a plot, and the same part of its representation, as programs.
#[derive(Clone, Debug)]
pub struct Both {
    plot: String,
    representation: String,
}

/// How deep numbers are.
const DEPTH: usize = 2;

/// Products of dual numbers.
const PRODUCT: &str = "let times' (a : Real * Real) (b : Real * Real) : Real * Real = \
    (fst a * fst b, fst a * snd b + snd a * fst b) in";

/// 𝒟τ, as text.
#[must_use]
pub fn representing(ty: &Ty) -> String {
    match ty.kind() {
        TyKind::Real => "(Real * Real)".to_owned(),
        TyKind::Tuple(types) => {
            format!("({})", types.iter().map(representing).collect::<Vec<_>>().join(" * "))
        }
        TyKind::Function(a, b) => format!("({} -> {})", representing(a), representing(b)),
        _ => ty.to_string(),
    }
}

/// A closed program.
#[must_use]
pub fn program(text: &str) -> Option<Term> {
    Library::new().infer_expression(text).ok().map(|(term, _)| term)
}

/// A random related pair of plots at a type of numbers, pairs and functions; where they do not vary they are constant in t.
pub fn plots(ty: &Ty, varies: bool, random: &mut Random) -> Option<Plots> {
    let mut drawer = Drawer { random, names: 0 };
    let t = Both { plot: "t".to_owned(), representation: "(t, (1 : Real))".to_owned() };
    let Both { plot, representation } = drawer.draw(ty, if varies { vec![t] } else { Vec::new() });
    let plot = program(&format!("\\(t : Real) => {plot}"))?;
    Some(Plots::of(&plot, &program(&format!("{PRODUCT} \\(t : Real) => {representation}"))?))
}

struct Drawer<'r> {
    random: &'r mut Random,
    names: usize,
}

impl Drawer<'_> {
    fn fresh(&mut self) -> String {
        self.names += 1;
        format!("x{}", self.names)
    }

    fn rational(&mut self) -> Rational {
        Rational::from((self.random.below(13) as i64 - 6, 1 + self.random.below(2) as i64))
    }

    fn constant(&mut self) -> Both {
        let q = self.rational();
        Both { plot: format!("({q} : Real)"), representation: format!("(({q} : Real), (0 : Real))") }
    }

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
                // what is observed last is looked at first
                inner.extend(numbers);
                let body = self.draw(b, inner);
                Both {
                    plot: format!("(\\({x} : {a}) => {})", body.plot),
                    representation: format!("(\\({x} : {}) => {})", representing(a), body.representation),
                }
            }
            _ => self.number(&numbers, DEPTH),
        }
    }

    /// Numbers that a value determines.
    fn observed(&mut self, ty: &Ty, value: Both, numbers: &[Both]) -> Vec<Both> {
        match ty.kind() {
            TyKind::Tuple(types) if types.len() == 2 => {
                let part = |word: &str| Both {
                    plot: format!("({word} {})", value.plot),
                    representation: format!("({word} {})", value.representation),
                };
                let mut all = self.observed(&types[0], part("fst"), numbers);
                all.extend(self.observed(&types[1], part("snd"), numbers));
                all
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

    fn number(&mut self, numbers: &[Both], depth: usize) -> Both {
        if depth == 0 {
            return match numbers {
                [first, ..] if self.random.chance(60) => first.clone(),
                [_, ..] if self.random.chance(60) => self.random.pick(numbers).clone(),
                _ => self.constant(),
            };
        }
        let (a, b) = (self.number(numbers, depth - 1), self.number(numbers, depth - 1));
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

    /// One number or another, by the sign of a third one.
    fn in_pieces(&mut self, numbers: &[Both], then: Both, otherwise: Both) -> Both {
        let (tried, c, off) = (self.number(numbers, 0), self.rational(), self.rational());
        let sign = *self.random.pick(&["<", "<=", ">", ">=", "==", "/="]);
        let x = self.fresh();
        // on the border the other way of cutting
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
