//! The correctness theorem of AD of piecewise programs (W §3.3), and the strength of its relation, tested on random
//! samples.

use super::drawn::{plots, program as closed, representing, total};
use super::program::{Uses, program, random_type, with_data};
use super::{Plot, Plots, Relation};
use crate::glue::judged::Judged;
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::derive::derive_with;
use crate::meaning::taylor::functor::Taylor;
use crate::meaning::taylor::hooks::Hooks;
use crate::meaning::taylor::pieces::InPieces;
use crate::random::Random;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The macro and the relation that a law is tested with.
#[derive(Clone, Debug)]
pub struct Setting {
    /// 𝒟
    pub rules: &'static dyn Hooks,
    /// V
    pub relation: Relation,
}

impl Default for Setting {
    fn default() -> Self {
        Self { rules: &InPieces, relation: Relation::default() }
    }
}

/// A law: the verdict on the sample of a stream of random numbers.
pub type Law = fn(Random, &Setting) -> Judged;

/// The depth of random types. A choice.
const TYPES: u32 = 2;
/// The number of times that a changed pair is tested, each time with other arguments. A choice.
const TRIES: usize = 12;

/// Returns 𝒟 of a closed program.
///
/// # Errors
/// A message if the macro has no rule for the program, or the derived program is not well-typed.
pub fn dual(rules: &'static dyn Hooks, term: &Term, ty: &Ty) -> Result<Term, String> {
    let basis = Basis::new(1, 1).map_err(|error| error.to_string())?;
    let derived = derive_with(&Taylor::under(rules, basis), term, ty).map_err(|error| error.to_string())?;
    derived.check().map_err(|error| error.to_string())?;
    Ok(derived.closed())
}

/// Draws a program, with its type and the constructs that it uses.
#[must_use]
pub fn drawn(random: &mut Random) -> (String, Ty, Uses) {
    let ty = Ty::function(with_data(random, TYPES - 1), with_data(random, TYPES));
    let (text, uses) = program(&ty, random);
    (text, ty, uses)
}

/// Tests W's proposition on 𝒟: t and 𝒟t are related at the type of t.
pub fn fundamental_lemma(mut random: Random, setting: &Setting) -> Judged {
    let (text, ty, _) = drawn(&mut random);
    let Some(term) = closed(&text) else { return Verdict::refuted(text, "a program", "none").into() };
    let dual = match dual(setting.rules, &term, &ty) {
        // a program without a derived one refutes: the macro must cover all that is drawn
        Ok(dual) => dual,
        Err(error) => return Verdict::refuted(text, "a derived program", error).into(),
    };
    let judged = setting.relation.relates(&ty, &Plots::constant(&term, &dual), &mut random);
    named(judged, &text)
}

/// Adds the program to the witness of a refutation.
fn named(judged: Judged, text: &str) -> Judged {
    let verdict = match judged.verdict {
        Verdict::Refuted { witness, left, right } => Verdict::refuted(format!("{witness} of {text}"), left, right),
        other => other,
    };
    Judged { verdict, ..judged }
}

/// Tests that the pairs drawn as related are related.
pub fn related_pairs(mut random: Random, setting: &Setting) -> Judged {
    let ty = with_data(&mut random, TYPES);
    let Some(drawn) = plots(&ty, true, &mut random) else {
        return Verdict::refuted(&ty, "a related pair", "none").into();
    };
    let judged = setting.relation.relates(&ty, &drawn, &mut random);
    named(judged, &format!("what is drawn at {ty}"))
}

/// A change of one leaf of a representation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    /// The slope, everywhere.
    Slope,
    /// The slope, beyond a point.
    SlopeBeyond,
    /// The slope, by the slope of an argument.
    SlopeByArgument,
    /// The value, everywhere.
    Value,
    /// The value, at a point.
    ValueAt,
    /// The domain, beyond a point.
    DomainBeyond,
    /// The domain, at a point.
    DomainAt,
    /// The slope, by the deviation of ṫ from 1: undetected along t ↦ t alone.
    SlopeBySpeed,
    /// The slope at a point, which the relation leaves free.
    SlopeAt,
}

impl Move {
    /// The changes that the relation must refute.
    const ALL: [Self; 8] = [
        Self::Slope,
        Self::SlopeBeyond,
        Self::SlopeByArgument,
        Self::Value,
        Self::ValueAt,
        Self::DomainBeyond,
        Self::DomainAt,
        Self::SlopeBySpeed,
    ];

    /// Returns the changed number p, as text. The change is beyond t = c, or at it; d is (t, ṫ).
    fn leaf(self, c: i64, argument: Option<&str>) -> String {
        match (self, argument) {
            (Self::SlopeByArgument, Some(x)) => format!("(fst p, snd p + snd {x})"),
            (Self::Slope | Self::SlopeByArgument, _) => "(fst p, snd p + 1)".to_owned(),
            (Self::SlopeBeyond, _) => format!("(fst p, if fst d > {c} then snd p + 1 else snd p)"),
            (Self::Value, _) => "(fst p + 1, snd p)".to_owned(),
            (Self::ValueAt, _) => format!("(if fst d == {c} then fst p + 1 else fst p, snd p)"),
            (Self::DomainBeyond, _) => format!("(if fst d > {c} then (1 / (0 : Real), snd p) else p)"),
            (Self::DomainAt, _) => format!("(if fst d == {c} then (1 / (0 : Real), snd p) else p)"),
            (Self::SlopeAt, _) => format!("(fst p, if fst d == {c} then snd p + 7 * snd d else snd p)"),
            (Self::SlopeBySpeed, _) => "(fst p, snd p + 1 - snd d)".to_owned(),
        }
    }

    /// Returns the text of a representation with one leaf changed, over d.
    fn at(self, ty: &Ty, value: &str, c: i64, argument: Option<&str>, random: &mut Random) -> String {
        match ty.kind() {
            TyKind::Tuple(types) if types.len() == 2 => {
                // a random component: over many samples every one is changed
                let first = random.chance(50);
                let inner =
                    |word: &str, ty: &Ty, random: &mut Random| self.at(ty, &format!("({word} q)"), c, argument, random);
                let parts = match first {
                    true => format!("({}, snd q)", inner("fst", &types[0], random)),
                    false => format!("(fst q, {})", inner("snd", &types[1], random)),
                };
                format!("(let q = {value} in {parts})")
            }
            TyKind::Function(a, b) => {
                let x = format!("a{}", random.below(1_000_000));
                // the innermost argument that is a number is the one whose slope the leaf may move by
                let own = matches!(a.kind(), TyKind::Real).then_some(&*x).or(argument);
                let body = self.at(b, &format!("({value} {x})"), c, own, random);
                format!("(\\({x} : {}) => {body})", representing(a))
            }
            _ => format!("(let p = {value} in {})", self.leaf(c, argument)),
        }
    }

    /// Returns the plots with one leaf of the representation changed. Returns `None` if the text has no type.
    fn moved(self, ty: &Ty, plots: &Plots, c: i64, random: &mut Random) -> Option<Plots> {
        let body = self.at(ty, "(r d)", c, None, random);
        let mover = closed(&format!("\\(r : Real * Real -> {}) => \\(d : Real * Real) => {body}", representing(ty)))?;
        let right = plots.representation.clone();
        // composed in the universe of the run, since the representation need not be a program
        let representation: Plot = Arc::new(move |model| {
            let right = Value::Function(right(model)?);
            Ok(model.value(&mover)?.as_function()?.apply(&right)?.as_function()?.clone())
        });
        Some(Plots { plot: plots.plot.clone(), representation })
    }
}

/// Draws a type, a related pair, and a point. The pair is total.
fn sample(random: &mut Random) -> Option<(Ty, Plots, i64)> {
    let ty = random_type(random, TYPES);
    // a change of an undefined value would not show
    let drawn = total(&ty, random)?;
    Some((ty, drawn, random.below(5) as i64 - 2))
}

/// Tests that the relation determines the dual number off borders. One leaf of a representation is changed; the changed
/// pair must be refuted. The types are those of W §3.1.
pub fn determination(mut random: Random, setting: &Setting) -> Judged {
    let how = *random.pick(&Move::ALL);
    let Some((ty, drawn, c)) = sample(&mut random) else { return Verdict::Vacuous.into() };
    let Some(moved) = how.moved(&ty, &drawn, c, &mut random) else {
        return Verdict::refuted(format!("{how:?} at {ty}"), "a pair that is moved", "none").into();
    };
    // the arguments differ each time; one that shows the change is enough
    for _ in 0..TRIES {
        let judged = setting.relation.relates(&ty, &moved, &mut random);
        if judged.is_refuted() {
            return Judged { verdict: Verdict::Survived, ..judged };
        }
    }
    Verdict::refuted(format!("{how:?} at {ty}"), "a pair that is moved", "related").into()
}

/// Tests that the relation determines nothing more: the slope at a single point that t moves through may be any number.
pub fn freedom(mut random: Random, setting: &Setting) -> Judged {
    let Some((ty, drawn, c)) = sample(&mut random) else { return Verdict::Vacuous.into() };
    match Move::SlopeAt.moved(&ty, &drawn, c, &mut random) {
        Some(moved) => setting.relation.relates(&ty, &moved, &mut random),
        None => Verdict::refuted(ty, "a pair that is moved", "none").into(),
    }
}
