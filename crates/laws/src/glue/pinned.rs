//! Tests that S determines the second plot at every type, so it is not too large (H, proof of Thm 3).
//!
//! One leaf of the second plot of a related pair is changed: a coordinate of a jet, a label, a list that loses an
//! element, a number. The resulting pair must be refuted. In a function, the leaf is one of its results. In half of the
//! cases it changes by the slope of an argument, so that a relation that tests constant arguments only would miss it.

use super::error::GlueError;
use super::judged::VerdictWithValues;
use super::lemma::{GluingSetup, draw_point, random_type};
use super::object::PairSampler;
use super::representation;
use super::scope::{PlotPair, PlotScope};
use super::stage::CoordinateSpace;
use super::trial::{BasisRange, TheoremSample, TheoremTest};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, ValueError};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The observation depth of functions in random arguments. A choice.
const DEPTH: usize = 2;
/// The depth of random types. A choice.
const TYPE: usize = 3;
/// The number of tests of a changed pair, each with other arguments and at another point. A choice.
const TRIES: usize = 6;

/// Returns `a + b`.
fn sum(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Add, a, b)
}

/// Returns `a · b`.
fn product(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

/// The change of one leaf of a second plot.
#[derive(Clone, Debug)]
struct LeafChange {
    /// The seed that determines the leaf and the change.
    seed: u64,
    /// The graph that scales the change; `None` if the leaf changes in any case.
    by: Option<Graph>,
    /// `true` once a leaf was found.
    found: Arc<AtomicBool>,
}

impl LeafChange {
    /// Returns the representation with one leaf changed.
    fn change_leaf(&self, ty: &Ty, element: &Element) -> Result<Element, ValueError> {
        let mut random = SplitMix64::new(self.seed);
        let next = Self { seed: random.next(), ..self.clone() };
        Ok(match ty.kind() {
            TyKind::Real => {
                self.found.store(true, Ordering::Relaxed);
                let mut coordinates = representation::jet_coordinates(element)?;
                let place = random.next_below(coordinates.len());
                // c² + 1 is at least as large as |c|, so that the change exceeds the width of a narrow enclosure of c
                let c = coordinates[place].clone();
                let step = sum(&product(&c, &c), &Graph::integer(1));
                let step = self.by.as_ref().map_or_else(|| step.clone(), |by| product(&step, by));
                coordinates[place] = sum(&c, &step);
                representation::jet_of(coordinates)
            }
            TyKind::Nat if self.by.is_none() => {
                self.found.store(true, Ordering::Relaxed);
                Element::Natural(element.as_natural()? + 1)
            }
            TyKind::Tuple(types) => {
                let place = random.next_below(types.len());
                let parts = element.as_tuple()?.iter().zip(types).enumerate();
                let parts =
                    parts.map(|(i, (part, ty))| if i == place { next.change_leaf(ty, part) } else { Ok(part.clone()) });
                Element::tuple_of(parts.collect::<Result<Vec<_>, _>>()?)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let mut elements: Vec<Element> = element.as_list()?.iter().cloned().collect();
                if !elements.is_empty() {
                    let place = random.next_below(elements.len());
                    if self.by.is_none() && random.random_bool(30) {
                        self.found.store(true, Ordering::Relaxed);
                        elements.pop();
                    } else {
                        elements[place] = next.change_leaf(&arguments[0], &elements[place])?;
                    }
                }
                Element::List(elements.into_iter().collect())
            }
            TyKind::Data(data, arguments) => {
                let (index, argument) = element.as_variant()?;
                // a constructor without arguments can stand in for any other; a label that varies by a slope would not
                // be constant
                let constant = data.constructors().position(|c| c.layer_type().is_none()).filter(|i| *i != index);
                match constant {
                    Some(other) if self.by.is_none() && random.random_bool(30) => {
                        self.found.store(true, Ordering::Relaxed);
                        Element::Variant(other, SharedBox::new(Element::Unit))
                    }
                    _ => Element::Variant(
                        index,
                        SharedBox::new(next.change_leaf(&data.argument_types(arguments)[index], argument)?),
                    ),
                }
            }
            TyKind::Function(domain, codomain) => {
                let function = element.as_function()?.clone();
                let (domain, codomain, by_argument) = (domain.clone(), codomain.clone(), random.random_bool(50));
                Element::from_closure(move |argument| {
                    let mut next = next.clone();
                    // only where the argument is a number, whose slope over the stage is known
                    if by_argument && let Some(slope) = argument_slope(&domain, argument)? {
                        next.by = Some(slope);
                    }
                    next.change_leaf(&codomain, &function.apply(argument)?)
                })
            }
            _ => element.clone(),
        })
    }
}

/// Returns the sum of the squares of the derivatives of an argument, which is 0 if the argument is constant. Returns
/// `None` for an argument that is not a number.
fn argument_slope(domain: &Ty, argument: &Element) -> Result<Option<Graph>, ValueError> {
    let TyKind::Real = domain.kind() else { return Ok(None) };
    let coordinates = representation::jet_coordinates(argument)?;
    Ok(coordinates[1..].iter().map(|c| product(c, c)).reduce(|a, b| sum(&a, &b)))
}

/// Tests that S determines the second plot at every type: of a related pair, changing one leaf gives an unrelated one.
/// The verdict is *survived* if the wrong pair was refuted.
#[must_use]
pub fn determination(setting: GluingSetup) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let ty = random_type(&mut SplitMix64::new(sample.seed), TYPE);
        test_determination(&setting, &ty, sample)
    };
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Like [`determination`], at one type.
#[must_use]
pub fn determination_at(setting: GluingSetup, ty: Ty) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| test_determination(&setting, &ty, sample);
    TheoremTest { range: BasisRange::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests the statement at one type.
fn test_determination(setting: &GluingSetup, ty: &Ty, sample: &TheoremSample) -> Result<VerdictWithValues, GlueError> {
    let basis = &sample.basis;
    let object = setting.object_of_type(ty, basis)?;
    let stage = CoordinateSpace::new(basis.directions());
    let mut random = SplitMix64::new(sample.seed ^ 1);
    let (plots, representations) = PlotScope::over_stage(&stage, basis, &mut random, sample.size)?;
    let mover = LeafChange { seed: random.next(), by: None, found: Arc::default() };
    let mut sampler = PairSampler { plots, representations, random: &mut random, size: DEPTH };
    let right = sampler.draw_pair(&object)?;
    // for another relation a drawn pair may be unrelated, and then its change shows nothing
    if setting.relation.is_some_and(|relation| !relation.relates_drawn_pairs()) {
        let at = draw_point(sampler.random, basis.directions());
        if let refuted @ Verdict::Refuted { .. } = object.test_related(&right, &stage, &mut sampler, &at)?.verdict {
            return Err(GlueError::UnrelatedDraw { because: refuted.to_string() });
        }
    }
    let wrong = PlotPair { representation: mover.change_leaf(ty, &right.representation)?, ..right };
    let mut all = VerdictWithValues::from(Verdict::Vacuous);
    for _ in 0..TRIES {
        let at = draw_point(sampler.random, basis.directions());
        let found = object.test_related(&wrong, &stage, &mut sampler, &at)?;
        if found.is_refuted() {
            return Ok(VerdictWithValues { verdict: Verdict::Survived, ..found });
        }
        all = all.and(found);
    }
    if let TyKind::Function(domain, _) = ty.kind()
        && !mover.found.load(Ordering::Relaxed)
    {
        // a relation that never applies functions has not reached the leaf, so the function is applied here
        let argument = sampler.draw_pair(&setting.object_of_type(domain, basis)?)?;
        wrong.representation.as_function()?.apply(&argument.representation)?;
    }
    // if a leaf was changed and no claim refutes, S admits the wrong pair; a relation that claims nothing of it admits
    // it too
    if !mover.found.load(Ordering::Relaxed) || (all.verdict == Verdict::Vacuous && !all.values.is_empty()) {
        return Ok(Verdict::Vacuous.into());
    }
    Ok(Verdict::refuted(
        format!("a related pair at {ty}"),
        "a plot and its representation",
        "another, with a leaf moved",
    )
    .into())
}
