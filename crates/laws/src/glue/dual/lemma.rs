//! The theorem that AD of programs in pieces is right (W §3.3), and that the relation it is about says what it should, on random samples.

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

/// The macro and the relation that a law is tried with.
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

/// A law, on the sample of a stream of random numbers.
pub type Law = fn(Random, &Setting) -> Judged;

/// How deep types are.
const TYPES: u32 = 2;
/// How often what was moved is looked at, each time with other arguments.
const TRIES: usize = 12;

/// 𝒟 of a closed program.
///
/// # Errors
/// None of a program that the macro has rules for; else what it has none for.
pub fn dual(rules: &'static dyn Hooks, term: &Term, ty: &Ty) -> Result<Term, String> {
    let basis = Basis::new(1, 1).map_err(|error| error.to_string())?;
    let derived = derive_with(&Taylor::under(rules, basis), term, ty).map_err(|error| error.to_string())?;
    derived.check().map_err(|error| error.to_string())?;
    Ok(derived.closed())
}

/// The program of a stream of random numbers, with its type.
#[must_use]
pub fn drawn(random: &mut Random) -> (String, Ty, Uses) {
    let ty = Ty::function(with_data(random, TYPES - 1), with_data(random, TYPES));
    let (text, uses) = program(&ty, random);
    (text, ty, uses)
}

/// W Prop. on 𝒟: t and 𝒟t are related at the type of t.
pub fn fundamental_lemma(mut random: Random, setting: &Setting) -> Judged {
    let (text, ty, _) = drawn(&mut random);
    let Some(term) = closed(&text) else { return Verdict::refuted(text, "a program", "none").into() };
    let dual = match dual(setting.rules, &term, &ty) {
        Ok(dual) => dual,
        Err(error) => return Verdict::refuted(text, "a derived program", error).into(),
    };
    let judged = setting.relation.relates(&ty, &Plots::constant(&term, &dual), &mut random);
    named(judged, &text)
}

fn named(judged: Judged, text: &str) -> Judged {
    let verdict = match judged.verdict {
        Verdict::Refuted { witness, left, right } => Verdict::refuted(format!("{witness} of {text}"), left, right),
        other => other,
    };
    Judged { verdict, ..judged }
}

/// What is drawn as related is related.
pub fn related_pairs(mut random: Random, setting: &Setting) -> Judged {
    let ty = with_data(&mut random, TYPES);
    let Some(drawn) = plots(&ty, true, &mut random) else {
        return Verdict::refuted(&ty, "a related pair", "none").into();
    };
    let judged = setting.relation.relates(&ty, &drawn, &mut random);
    named(judged, &format!("what is drawn at {ty}"))
}

/// How a leaf of a representation is moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Move {
    Slope,
    SlopeBeyond,
    SlopeByArgument,
    Value,
    ValueAt,
    DomainBeyond,
    DomainAt,
    /// This is right along t ↦ t alone.
    SlopeBySpeed,
    /// This may be.
    SlopeAt,
}

impl Move {
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

    /// The number p, moved, beyond t = c or at it, where d is (t, ṫ).
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

    /// A representation with one leaf moved, as text over d.
    fn at(self, ty: &Ty, value: &str, c: i64, argument: Option<&str>, random: &mut Random) -> String {
        match ty.kind() {
            TyKind::Tuple(types) if types.len() == 2 => {
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
                let own = matches!(a.kind(), TyKind::Real).then_some(&*x).or(argument);
                let body = self.at(b, &format!("({value} {x})"), c, own, random);
                format!("(\\({x} : {}) => {body})", representing(a))
            }
            _ => format!("(let p = {value} in {})", self.leaf(c, argument)),
        }
    }

    fn moved(self, ty: &Ty, plots: &Plots, c: i64, random: &mut Random) -> Option<Plots> {
        let body = self.at(ty, "(r d)", c, None, random);
        let mover = closed(&format!("\\(r : Real * Real -> {}) => \\(d : Real * Real) => {body}", representing(ty)))?;
        let right = plots.representation.clone();
        let representation: Plot = Arc::new(move |model| {
            let right = Value::Function(right(model)?);
            Ok(model.value(&mover)?.as_function()?.apply(&right)?.as_function()?.clone())
        });
        Some(Plots { plot: plots.plot.clone(), representation })
    }
}

fn sample(random: &mut Random) -> Option<(Ty, Plots, i64)> {
    let ty = random_type(random, TYPES);
    // what has no value is not moved
    let drawn = total(&ty, random)?;
    Some((ty, drawn, random.below(5) as i64 - 2))
}

/// The relation determines the dual number, off borders: of a related pair a leaf of the second is moved, and that is not related. The types
/// are those of W §3.1.
pub fn determination(mut random: Random, setting: &Setting) -> Judged {
    let how = *random.pick(&Move::ALL);
    let Some((ty, drawn, c)) = sample(&mut random) else { return Verdict::Vacuous.into() };
    let Some(moved) = how.moved(&ty, &drawn, c, &mut random) else {
        return Verdict::refuted(format!("{how:?} at {ty}"), "a pair that is moved", "none").into();
    };
    for _ in 0..TRIES {
        let judged = setting.relation.relates(&ty, &moved, &mut random);
        if judged.is_refuted() {
            return Judged { verdict: Verdict::Survived, ..judged };
        }
    }
    Verdict::refuted(format!("{how:?} at {ty}"), "a pair that is moved", "related").into()
}

/// Nothing more is determined: where t moves through a point, a slope may be any number there.
pub fn freedom(mut random: Random, setting: &Setting) -> Judged {
    let Some((ty, drawn, c)) = sample(&mut random) else { return Verdict::Vacuous.into() };
    match Move::SlopeAt.moved(&ty, &drawn, c, &mut random) {
        Some(moved) => setting.relation.relates(&ty, &moved, &mut random),
        None => Verdict::refuted(ty, "a pair that is moved", "none").into(),
    }
}
