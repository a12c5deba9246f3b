//! The correctness theorem of AD of piecewise programs (W §3.3), and the strength of its relation V, tested on random
//! samples.
//!
//! *Related* means related by [V](super), the relation between plots and their dual number representations.
//!
//! # Primitives from Rust
//!
//! W §3.3 asks of a primitive that it is related to its declared derivative, at its type.
//! [`test_primitive`] tests that.

use super::program::{
    ConstructCounts, derived_type_text, draw_plots, draw_program_text, draw_total_plots, draw_type_with_data,
    parse_program as closed, random_type,
};
use super::{DualPlots, DualRelation, LinePlot};
use crate::glue::trial::VerdictWithValues;
use crate::meaning::pap::foreign::{ForeignError, ForeignPrimitive};
use crate::meaning::taylor::derive::derive_with;
use crate::meaning::taylor::functor::{PiecewiseTaylorHooks, Taylor, TaylorHooks};
use crate::meaning::taylor::jet::Basis;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::syntax::source::Span;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::Value;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The macro and the relation that a law is tested with.
#[derive(Clone, Debug)]
pub struct DualSetup {
    /// The rules of the macro 𝒟.
    pub hooks: &'static dyn TaylorHooks,
    /// The relation V.
    pub relation: DualRelation,
}

impl Default for DualSetup {
    fn default() -> Self {
        Self { hooks: &PiecewiseTaylorHooks, relation: DualRelation::default() }
    }
}

/// A law: a function that draws a sample, and returns the verdict on it.
pub type DualLaw = fn(SplitMix64, &DualSetup) -> VerdictWithValues;

/// The greatest depth of random types. A choice.
const TYPES: u32 = 2;
/// The number of times that a changed pair is tested, each time with other arguments. A choice.
const TRIES: usize = 12;

/// Returns 𝒟t, the derived program of a closed program t, at order 1 in one direction.
///
/// # Errors
/// A message if the macro has no rule for the program, or the derived program is not well-typed.
pub fn derive_program(rules: &'static dyn TaylorHooks, term: &Term, ty: &Ty) -> Result<Term, String> {
    derive_closed_program(rules, term, ty, Basis::new(1, 1).map_err(|error| error.to_string())?)
}

/// Returns 𝒟 of a closed program over a basis, as one term.
fn derive_closed_program(rules: &'static dyn TaylorHooks, term: &Term, ty: &Ty, basis: Basis) -> Result<Term, String> {
    let derived = derive_with(&Taylor::with_hooks(rules, basis), term, ty).map_err(|error| error.to_string())?;
    derived.check_types().map_err(|error| error.to_string())?;
    Ok(derived.to_closed_term())
}

/// Draws a function as program text, with its type and the counts of the constructs that it uses.
#[must_use]
pub fn draw_program(random: &mut SplitMix64) -> (String, Ty, ConstructCounts) {
    let ty = Ty::function(draw_type_with_data(random, TYPES - 1), draw_type_with_data(random, TYPES));
    let (text, uses) = draw_program_text(&ty, random);
    (text, ty, uses)
}

/// Tests the proposition of W §3.3 on 𝒟: t and 𝒟t are related at the type of t.
pub fn fundamental_lemma(mut random: SplitMix64, setting: &DualSetup) -> VerdictWithValues {
    let (text, ty, _) = draw_program(&mut random);
    let Some(term) = closed(&text) else { return Verdict::refuted(text, "a program", "none").into() };
    let dual = match derive_program(setting.hooks, &term, &ty) {
        // a program without a derived one refutes: the macro must cover all that is drawn
        Ok(dual) => dual,
        Err(error) => return Verdict::refuted(text, "a derived program", error).into(),
    };
    let judged = setting.relation.test_related(&ty, &DualPlots::from_constants(&term, &dual), &mut random);
    add_program_to_witness(judged, &text)
}

/// The bases of [`higher_orders`]: directions and order.
const BASES: [(usize, usize); 3] = [(1, 2), (1, 3), (2, 2)];

/// Tests 𝒟_(k,R) beyond dual numbers, along a curve g(t + r + c s): each coordinate of the derived program is an intensional derivative
/// of the one below it, and the lowest is the program.
///
/// The jet of the curve has coordinates `cʲ g⁽ⁱ⁺ʲ⁾(t)`. Hence the coordinate of α + (1, 0) is the derivative in t of that of α, and
/// that of α + (0, 1) is c times it. The curve is a parabola, so that jets have coordinates of order 2.
pub fn higher_orders(mut random: SplitMix64, setting: &DualSetup) -> VerdictWithValues {
    let ty = Ty::function(Ty::real(), Ty::real());
    let (text, _) = draw_program_text(&ty, &mut random);
    let refuted = |expected: &str, found: &dyn std::fmt::Display| Verdict::refuted(&text, expected, found).into();
    let Some(term) = closed(&text) else { return refuted("a program", &"none") };
    let (directions, order) = *random.pick(&BASES);
    let derived = Basis::new(directions, order)
        .map_err(|error| error.to_string())
        .and_then(|basis| Ok((derive_closed_program(setting.hooks, &term, &ty, basis.clone())?, basis)));
    let (derived, basis) = match derived {
        Ok(found) => found,
        Err(error) => return refuted("a derived program", &error),
    };
    // a coordinate, and the direction in which the next one is its derivative
    let steps = basis.indices().iter().enumerate().flat_map(|(below, index)| {
        let basis = &basis;
        (0..directions).filter_map(move |direction| {
            let mut above = index.clone();
            above[direction] += 1;
            Some((below, basis.position_of(&above)?, direction))
        })
    });
    let steps: Vec<(usize, usize, usize)> = steps.collect();
    let (below, above, direction) = *random.pick(&steps);
    let speed = *random.pick(&["1", "-1", "2", "1/2"]);
    let (quadratic, shift) = (*random.pick(&["0", "1/2", "-1"]), *random.pick(&["0", "1", "-1/2"]));
    let jet = ParabolaJet { quadratic, shift };
    let factor = if direction == 0 { "1" } else { speed };
    let jet_text = jet.jet_text(&basis, "(fst d)", speed);
    let number = format!("Real^{}", basis.len());
    let representation = closed(&format!(
        "\\(f : {number} -> {number}) => \\(d : Real * Real) => let y = f {jet_text} in \
         (({factor} : Real) * y[{below}], snd d * y[{above}])"
    ));
    // the program itself at the lowest coordinate, and else that coordinate, as a function of t
    let plot = match below {
        0 => {
            closed(&format!("\\(f : Real -> Real) => \\(t : Real) => ({factor} : Real) * f ({})", jet.value_text("t")))
        }
        _ => closed(&format!(
            "\\(f : {number} -> {number}) => \\(t : Real) => ({factor} : Real) * (f {})[{below}]",
            jet.jet_text(&basis, "t", speed)
        )),
    };
    let (Some(plot), Some(representation)) = (plot, representation) else { return refuted("its plot", &"none") };
    let apply = |of: Term, program: &Term| Term::apply(of, program.clone(), Span::default());
    let plot = apply(plot, if below == 0 { &term } else { &derived });
    let plots = DualPlots::from_programs(&plot, &apply(representation, &derived));
    let judged = setting.relation.test_related(&Ty::real(), &plots, &mut random);
    add_program_to_witness(judged, &format!("coordinates {below} and {above} of order {order} of {text}"))
}

/// The jet of `t ↦ a t² + t + b`, as texts.
struct ParabolaJet {
    quadratic: &'static str,
    shift: &'static str,
}

impl ParabolaJet {
    fn value_text(&self, t: &str) -> String {
        format!("({} : Real) * {t} * {t} + {t} + ({} : Real)", self.quadratic, self.shift)
    }

    /// Returns the jet over a basis, where the second direction has a speed.
    fn jet_text(&self, basis: &Basis, t: &str, speed: &str) -> String {
        let parts = basis.indices().iter().map(|index| {
            let derivative = match index.iter().sum::<usize>() {
                0 => self.value_text(t),
                1 => format!("2 * ({} : Real) * {t} + 1", self.quadratic),
                2 => format!("2 * ({} : Real)", self.quadratic),
                _ => "(0 : Real)".to_owned(),
            };
            let powers = index.get(1).copied().unwrap_or(0);
            format!("{}({derivative})", format!("({speed} : Real) * ").repeat(powers))
        });
        format!("({})", parts.collect::<Vec<_>>().join(", "))
    }
}

/// Adds the text of what was tested to the witness of a refutation.
fn add_program_to_witness(judged: VerdictWithValues, text: &str) -> VerdictWithValues {
    let verdict = match judged.verdict {
        Verdict::Refuted { witness, left, right } => Verdict::refuted(format!("{witness} of {text}"), left, right),
        other => other,
    };
    VerdictWithValues { verdict, ..judged }
}

/// Tests that the pairs drawn as related are related.
pub fn related_pairs(mut random: SplitMix64, setting: &DualSetup) -> VerdictWithValues {
    let ty = draw_type_with_data(&mut random, TYPES);
    let Some(drawn) = draw_plots(&ty, true, &mut random) else {
        return Verdict::refuted(&ty, "a related pair", "none").into();
    };
    let judged = setting.relation.test_related(&ty, &drawn, &mut random);
    add_program_to_witness(judged, &format!("what is drawn at {ty}"))
}

/// A change of one leaf of a representation: of one dual number p, a pair of a value and a slope. The point c is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum DualLeafChange {
    /// Adds 1 to the slope.
    Slope,
    /// Adds 1 to the slope for t > c.
    SlopeBeyond,
    /// Adds the slope of an argument to the slope. Without an argument that is a number, adds 1.
    SlopeByArgument,
    /// Adds 1 to the value.
    Value,
    /// Adds 1 to the value at t = c.
    ValueAt,
    /// Makes the value undefined for t > c.
    DomainBeyond,
    /// Makes the value undefined at t = c.
    DomainAt,
    /// Adds 1 - ṫ to the slope. The curve t ↦ t alone, with ṫ = 1, would not show that.
    SlopeBySpeed,
    /// Adds 7·ṫ to the slope at t = c, which the relation permits.
    SlopeAt,
}

impl DualLeafChange {
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

    /// Returns the changed dual number as text, over p and d = (t, ṫ). `argument` names the dual number of an argument.
    fn leaf_text(self, c: i64, argument: Option<&str>) -> String {
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

    /// Returns the text of `value`, a representation at `ty` over d, with one leaf changed.
    fn representation_text(
        self,
        ty: &Ty,
        value: &str,
        c: i64,
        argument: Option<&str>,
        random: &mut SplitMix64,
    ) -> String {
        match ty.kind() {
            TyKind::Tuple(types) if types.len() == 2 => {
                // a random component: over many samples every one is changed
                let first = random.random_bool(50);
                let inner = |word: &str, ty: &Ty, random: &mut SplitMix64| {
                    self.representation_text(ty, &format!("({word} q)"), c, argument, random)
                };
                let parts = match first {
                    true => format!("({}, snd q)", inner("fst", &types[0], random)),
                    false => format!("(fst q, {})", inner("snd", &types[1], random)),
                };
                format!("(let q = {value} in {parts})")
            }
            TyKind::Function(a, b) => {
                let x = format!("a{}", random.next_below(1_000_000));
                // the innermost argument that is a number is the one whose slope the leaf may move by
                let own = matches!(a.kind(), TyKind::Real).then_some(&*x).or(argument);
                let body = self.representation_text(b, &format!("({value} {x})"), c, own, random);
                format!("(\\({x} : {}) => {body})", derived_type_text(a))
            }
            _ => format!("(let p = {value} in {})", self.leaf_text(c, argument)),
        }
    }

    /// Returns the plots with one leaf of the representation changed. Returns `None` if the text has no type.
    fn change_plots(self, ty: &Ty, plots: &DualPlots, c: i64, random: &mut SplitMix64) -> Option<DualPlots> {
        let body = self.representation_text(ty, "(r d)", c, None, random);
        let mover =
            closed(&format!("\\(r : Real * Real -> {}) => \\(d : Real * Real) => {body}", derived_type_text(ty)))?;
        let right = plots.representation.clone();
        // composed in the universe of the run, since the representation need not be a program
        let representation: LinePlot = Arc::new(move |model| {
            let right = Value::Function(right(model)?);
            Ok(model.evaluate_closed(&mover)?.as_function()?.apply(&right)?.as_function()?.clone())
        });
        Some(DualPlots { plot: plots.plot.clone(), representation })
    }
}

/// Draws a type of W §3.1, a related pair of total plots, and a point from -2 to 2.
fn draw_total_sample(random: &mut SplitMix64) -> Option<(Ty, DualPlots, i64)> {
    let ty = random_type(random, TYPES);
    // a change of an undefined value would not show
    let drawn = draw_total_plots(&ty, random)?;
    Some((ty, drawn, random.next_below(5) as i64 - 2))
}

/// Tests that the relation determines the dual numbers, except for slopes at single points. One leaf of a representation
/// is changed; the changed pair must be refuted.
pub fn determination(mut random: SplitMix64, setting: &DualSetup) -> VerdictWithValues {
    let how = *random.pick(&DualLeafChange::ALL);
    let Some((ty, drawn, c)) = draw_total_sample(&mut random) else { return Verdict::Vacuous.into() };
    let Some(moved) = how.change_plots(&ty, &drawn, c, &mut random) else {
        return Verdict::refuted(format!("{how:?} at {ty}"), "a pair that is moved", "none").into();
    };
    // the arguments differ each time; one that shows the change is enough
    for _ in 0..TRIES {
        let judged = setting.relation.test_related(&ty, &moved, &mut random);
        if judged.is_refuted() {
            return VerdictWithValues { verdict: Verdict::Survived, ..judged };
        }
    }
    Verdict::refuted(format!("{how:?} at {ty}"), "a pair that is moved", "related").into()
}

/// Tests that the relation determines nothing more: the slope at a single point that t moves through may be any number.
pub fn freedom(mut random: SplitMix64, setting: &DualSetup) -> VerdictWithValues {
    let Some((ty, drawn, c)) = draw_total_sample(&mut random) else { return Verdict::Vacuous.into() };
    match DualLeafChange::SlopeAt.change_plots(&ty, &drawn, c, &mut random) {
        Some(moved) => setting.relation.test_related(&ty, &moved, &mut random),
        None => Verdict::refuted(ty, "a pair that is moved", "none").into(),
    }
}

/// Returns the plot of an argument followed by the primitive c, or by its dual c_𝒟.
fn apply_primitive(c: &ForeignPrimitive, argument: &LinePlot, is_dual: bool) -> LinePlot {
    let (c, argument) = (c.clone(), argument.clone());
    Arc::new(move |model| {
        let (c, argument, world) = (c.clone(), argument(model)?, model.0.clone());
        Ok(StageFunction::new(move |t: &Element| {
            let x = argument.apply(t)?;
            if !is_dual {
                return world.checked_value(&c, &x).map(Value::Real);
            }
            let [value, slope] = world.checked_dual(&c, &x)?;
            Ok(Element::tuple_of([Value::Real(value), Value::Real(slope)]))
        }))
    })
}

/// Tests a primitive c with its dual c_𝒟 at `samples` related arguments. Survival is no proof.
///
/// # Errors
/// [`ForeignError::NotDual`] if c(x) and c_𝒟(x′) are not related for some related x and x′. [`ForeignError::Untried`]
/// if all samples are vacuous.
pub fn test_primitive(c: &ForeignPrimitive, samples: u64, seed: u64) -> Result<(), ForeignError> {
    let (relation, name) = (DualRelation::default(), || c.0.name().to_owned());
    let mut all = Verdict::Vacuous;
    for index in 0..samples {
        let mut random = SplitMix64::for_sample(seed, index);
        // a type without random plots gives no samples, which ends as `Untried`
        let Some(argument) = draw_plots(&c.0.domain_type(), true, &mut random) else { continue };
        let of = |plot, is_dual| apply_primitive(c, plot, is_dual);
        let both = DualPlots { plot: of(&argument.plot, false), representation: of(&argument.representation, true) };
        let verdict = relation.test_related(&Ty::real(), &both, &mut random).verdict;
        if let Verdict::Refuted { witness, left, right } = verdict {
            return Err(ForeignError::NotDual { name: name(), witness, left, right });
        }
        all = all.and(verdict);
    }
    match all {
        Verdict::Survived => Ok(()),
        _ => Err(ForeignError::Untried { name: name() }),
    }
}
