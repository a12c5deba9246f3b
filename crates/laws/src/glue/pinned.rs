//! Tests that S determines the second plot at every type, so it is not too large (H, proof of Thm 3).
//!
//! One leaf of the second plot of a related pair is changed: a coordinate of a jet, a label, a list that loses an
//! element, a number. The resulting pair must be refuted. In a function, the leaf is one of its results. In half of the
//! cases it changes by the slope of an argument, so that a relation that tests constant arguments only would miss it.

use super::error::GlueError;
use super::judged::Judged;
use super::lemma::{Setting, point, random_type};
use super::object::Sampler;
use super::representation;
use super::scope::{Pair, Scope};
use super::stage::Stage;
use super::trial::{Experiment, Range, Sample};
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{Nested, ValueError};
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
struct Mover {
    /// The seed that determines the leaf and the change.
    seed: u64,
    /// The graph that scales the change; `None` if the leaf changes in any case.
    by: Option<Graph>,
    /// `true` once a leaf was found.
    found: Arc<AtomicBool>,
}

impl Mover {
    /// Returns the representation with one leaf changed.
    fn moved(&self, ty: &Ty, element: &Element) -> Result<Element, ValueError> {
        let mut random = Random::new(self.seed);
        let next = Self { seed: random.next(), ..self.clone() };
        Ok(match ty.kind() {
            TyKind::Real => {
                self.found.store(true, Ordering::Relaxed);
                let mut coordinates = representation::coordinates(element)?;
                let place = random.below(coordinates.len());
                // c² + 1 is at least as large as |c|, so that the change exceeds the width of a narrow enclosure of c
                let c = coordinates[place].clone();
                let step = sum(&product(&c, &c), &Graph::integer(1));
                let step = self.by.as_ref().map_or_else(|| step.clone(), |by| product(&step, by));
                coordinates[place] = sum(&c, &step);
                representation::jet(coordinates)
            }
            TyKind::Nat if self.by.is_none() => {
                self.found.store(true, Ordering::Relaxed);
                Element::Natural(element.as_natural()? + 1)
            }
            TyKind::Tuple(types) => {
                let place = random.below(types.len());
                let parts = element.as_tuple()?.iter().zip(types).enumerate();
                let parts =
                    parts.map(|(i, (part, ty))| if i == place { next.moved(ty, part) } else { Ok(part.clone()) });
                Element::tuple(parts.collect::<Result<Vec<_>, _>>()?)
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let mut elements: Vec<Element> = element.as_list()?.iter().cloned().collect();
                if !elements.is_empty() {
                    let place = random.below(elements.len());
                    if self.by.is_none() && random.chance(30) {
                        self.found.store(true, Ordering::Relaxed);
                        elements.pop();
                    } else {
                        elements[place] = next.moved(&arguments[0], &elements[place])?;
                    }
                }
                Element::List(elements.into_iter().collect())
            }
            TyKind::Data(data, arguments) => {
                let (index, argument) = element.as_variant()?;
                // a constructor without arguments can stand in for any other; a label that varies by a slope would not
                // be constant
                let constant = data.constructors().position(|c| c.layer().is_none()).filter(|i| *i != index);
                match constant {
                    Some(other) if self.by.is_none() && random.chance(30) => {
                        self.found.store(true, Ordering::Relaxed);
                        Element::Variant(other, Nested::new(Element::Unit))
                    }
                    _ => Element::Variant(index, Nested::new(next.moved(&data.domains(arguments)[index], argument)?)),
                }
            }
            TyKind::Function(domain, codomain) => {
                let function = element.as_function()?.clone();
                let (domain, codomain, by_argument) = (domain.clone(), codomain.clone(), random.chance(50));
                Element::function(move |argument| {
                    let mut next = next.clone();
                    // only where the argument is a number, whose slope over the stage is known
                    if by_argument && let Some(slope) = slope(&domain, argument)? {
                        next.by = Some(slope);
                    }
                    next.moved(&codomain, &function.apply(argument)?)
                })
            }
            _ => element.clone(),
        })
    }
}

/// Returns the sum of the squares of the derivatives of an argument, which is 0 if the argument is constant. Returns
/// `None` for an argument that is not a number.
fn slope(domain: &Ty, argument: &Element) -> Result<Option<Graph>, ValueError> {
    let TyKind::Real = domain.kind() else { return Ok(None) };
    let coordinates = representation::coordinates(argument)?;
    Ok(coordinates[1..].iter().map(|c| product(c, c)).reduce(|a, b| sum(&a, &b)))
}

/// Tests that S determines the second plot at every type: of a related pair, changing one leaf gives an unrelated one.
/// The verdict is *survived* if the wrong pair was refuted.
#[must_use]
pub fn determination(setting: Setting) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        let ty = random_type(&mut Random::new(sample.seed), TYPE);
        determined(&setting, &ty, sample)
    };
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Like [`determination`], at one type.
#[must_use]
pub fn determination_at(setting: Setting, ty: Ty) -> Experiment<'static> {
    let judge = move |sample: &Sample| determined(&setting, &ty, sample);
    Experiment { range: Range::UpTo(2, 3), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Tests the statement at one type.
fn determined(setting: &Setting, ty: &Ty, sample: &Sample) -> Result<Judged, GlueError> {
    let basis = &sample.basis;
    let object = setting.object(ty, basis)?;
    let stage = Stage::new(basis.directions());
    let mut random = Random::new(sample.seed ^ 1);
    let (plots, representations) = Scope::over(&stage, basis, &mut random, sample.size)?;
    let mover = Mover { seed: random.next(), by: None, found: Arc::default() };
    let mut sampler = Sampler { plots, representations, random: &mut random, size: DEPTH };
    let right = sampler.draw(&object)?;
    // for another relation a drawn pair may be unrelated, and then its change shows nothing
    if setting.relation.is_some_and(|relation| !relation.relates_what_is_drawn()) {
        let at = point(sampler.random, basis.directions());
        if let refuted @ Verdict::Refuted { .. } = object.relates(&right, &stage, &mut sampler, &at)?.verdict {
            return Err(GlueError::Undrawn { because: refuted.to_string() });
        }
    }
    let wrong = Pair { representation: mover.moved(ty, &right.representation)?, ..right };
    let mut all = Judged::from(Verdict::Vacuous);
    for _ in 0..TRIES {
        let at = point(sampler.random, basis.directions());
        let found = object.relates(&wrong, &stage, &mut sampler, &at)?;
        if found.is_refuted() {
            return Ok(Judged { verdict: Verdict::Survived, ..found });
        }
        all = all.and(found);
    }
    if let TyKind::Function(domain, _) = ty.kind()
        && !mover.found.load(Ordering::Relaxed)
    {
        // a relation that never applies functions has not reached the leaf, so the function is applied here
        let argument = sampler.draw(&setting.object(domain, basis)?)?;
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
