//! The material of related pairs: variables in scope, and random smooth functions.
//!
//! A related pair is made twice, once for each [`PlotSide`], from the same random numbers. So a function on one side does
//! not depend on the argument on the other. All choices depend on the random numbers and on discrete data alone, which
//! are the same on both sides.

use super::error::GlueError;
use super::object::GluingObject;
use super::representation;
use super::stage::CoordinateSpace;
use crate::law::generate::{TermGenerator, TermVocabulary, data_library};
use crate::law::term::TestTerm;
use crate::meaning::presheaf::PresheafInterpreter;
use crate::meaning::taylor::basis::Basis;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::sync::Arc;

/// A side of a related pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotSide {
    /// The plot of X.
    Plot,
    /// The plot of X′, its Taylor representation.
    Representation,
}

/// A pair of plots, which may be related.
#[derive(Clone, Debug)]
pub struct PlotPair {
    /// The plot ℝᵏ → X.
    pub plot: Element,
    /// The plot ℝᵏ → X′.
    pub representation: Element,
}

/// The number of arguments of a random smooth function. A choice.
pub const ARITY: usize = 3;
/// The number of random functions of a scope. A choice.
const RANDOM_FUNCTIONS: usize = 3;
/// The budget of a random program, in work units. It exceeds the step limit of the interpreter.
const STEPS: u64 = 1 << 24;

/// A smooth function ℝ³ → ℝ, with its program.
#[derive(Clone, Debug)]
pub struct RandomFunction {
    /// The program as text.
    pub text: String,
    function: Element,
}

impl RandomFunction {
    /// Draws a function of about `size` operations.
    ///
    /// # Errors
    /// [`GlueError::Program`], [`GlueError::Element`]; neither is expected for a drawn term.
    pub fn draw_function(random: &mut SplitMix64, size: usize) -> Result<Self, GlueError> {
        let ty = (0..ARITY).fold(Ty::real(), |ty, _| Ty::function(Ty::real(), ty));
        let term = draw_smooth_program(random, &ty, size + ARITY);
        Ok(Self { function: run_program(&core_term(&term)?)?, text: term.to_string() })
    }

    /// Applies the function to its arguments.
    fn evaluate_at(&self, arguments: &[Element]) -> Result<Element, ValueError> {
        arguments.iter().try_fold(self.function.clone(), |f, x| f.as_function()?.apply(x))
    }
}

/// Draws a closed program of a type, in the language of H, that uses what it binds.
pub fn draw_smooth_program(random: &mut SplitMix64, ty: &Ty, size: usize) -> TestTerm {
    TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable).draw_using_scope(ty, size)
}

/// The share of the programs that use what they bind by construction, in percent; the others are drawn without that. A
/// choice.
const USING: usize = 80;

/// Draws a closed program for a statement: mostly one that uses what it binds.
pub fn draw_program(random: &mut SplitMix64, ty: &Ty, size: usize) -> TestTerm {
    if random.random_bool(USING) {
        return draw_smooth_program(random, ty, size);
    }
    TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable).draw_term(ty, size)
}

/// Parses a program.
///
/// # Errors
/// [`GlueError::Program`] if it is not well-typed.
pub fn parse_program(text: &str) -> Result<(Core, Ty), GlueError> {
    data_library()
        .infer_expression(text)
        .map_err(|error| GlueError::Program { program: text.to_owned(), because: error.to_string() })
}

/// Returns the core term of a drawn program.
///
/// # Errors
/// [`GlueError::Program`] if a variable occurs outside its binder, which a shrunk term may have.
pub fn core_term(term: &TestTerm) -> Result<Core, GlueError> {
    let because = || "a variable stands outside of its binder".to_owned();
    term.to_core().ok_or_else(|| GlueError::Program { program: term.to_string(), because: because() })
}

/// Runs a program in the presheaf semantics.
///
/// # Errors
/// [`GlueError::Element`] if it cannot be run.
pub fn run_program(term: &Core) -> Result<Element, GlueError> {
    Ok(PresheafInterpreter::new(Arc::new(Budget::new(STEPS, None, None))).interpret_program(term)?)
}

/// The material of related pairs, on one side.
#[derive(Clone, Debug)]
pub struct PlotScope {
    /// The side.
    side: PlotSide,
    /// The basis of the jets.
    basis: Arc<Basis>,
    /// The random functions, the same on both sides.
    forms: Arc<[RandomFunction]>,
    /// The values in scope, with their objects.
    values: Vec<(GluingObject, Element)>,
}

impl PlotScope {
    /// Makes the scopes of both sides over a stage. Each coordinate is in scope, on the other side its jet.
    ///
    /// # Errors
    /// Those of [`RandomFunction::draw_function`].
    pub fn over_stage(
        stage: &CoordinateSpace,
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        let (plot, representation) = Self::without_coordinates(basis, random, size)?;
        let mut both = (plot, representation);
        for (direction, u) in stage.coordinate_plots().enumerate() {
            let unit =
                |index: &Vec<usize>| index.iter().enumerate().all(|(i, entry)| *entry == usize::from(i == direction));
            // the jet of a coordinate: its value, 1 in its own direction, and 0 elsewhere
            let slopes = basis.indices().iter().enumerate().map(|(place, index)| match place {
                0 => u.clone(),
                _ => Graph::integer(i64::from(unit(index))),
            });
            let jet = representation::jet_of(slopes);
            let real = GluingObject::real(basis);
            both.0.values.push((real.clone(), Element::Real(u.clone())));
            both.1.values.push((real, jet));
        }
        Ok(both)
    }

    /// Makes the scopes of both sides without coordinates, for maps X → Y.
    ///
    /// # Errors
    /// Those of [`RandomFunction::draw_function`].
    pub fn without_coordinates(
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        let forms: Arc<[RandomFunction]> =
            (0..RANDOM_FUNCTIONS).map(|_| RandomFunction::draw_function(random, size)).collect::<Result<_, _>>()?;
        let scope = |side| Self { side, basis: basis.clone(), forms: forms.clone(), values: Vec::new() };
        Ok((scope(PlotSide::Plot), scope(PlotSide::Representation)))
    }

    /// Returns the basis of multi-indices.
    #[must_use]
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// Returns the scope without its values.
    #[must_use]
    pub fn without_values(&self) -> Self {
        Self { values: Vec::new(), ..self.clone() }
    }

    /// Returns the scope with one more value.
    #[must_use]
    pub fn with_value(&self, object: &GluingObject, value: &Element) -> Self {
        let mut scope = self.clone();
        scope.values.push((object.clone(), value.clone()));
        scope
    }

    /// Returns a random value of this type in scope. Returns `None` if there is none.
    pub fn find_value(&self, ty: &Ty, random: &mut SplitMix64) -> Option<Element> {
        // objects are found by their first type, which is the same on both sides
        let fitting: Vec<&Element> = self.values.iter().filter(|(o, _)| o.left() == ty).map(|(_, v)| v).collect();
        if fitting.is_empty() { None } else { Some((*random.pick(&fitting)).clone()) }
    }

    /// Returns a constant number, or its jet.
    #[must_use]
    pub fn constant_value(&self, value: &Rational) -> Element {
        let value = Graph::rational(value.clone());
        match self.side {
            PlotSide::Plot => Element::Real(value),
            PlotSide::Representation => representation::constant_jet(&self.basis, value),
        }
    }

    /// Returns a random smooth function of numbers that can be observed in the scope.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw_number(&self, random: &mut SplitMix64, depth: usize) -> Result<Element, ValueError> {
        let mut arguments = Vec::with_capacity(ARITY);
        for place in 0..ARITY {
            let mut seen = Vec::new();
            // the last value is the argument of the innermost function that is being made, so it is observed first
            let chosen = match (place, self.values.last()) {
                (0, Some(last)) => Some(last),
                (_, Some(_)) => Some(random.pick(&self.values)),
                (_, None) => None,
            };
            if let Some((object, value)) = chosen {
                object.observe_numbers(value, self, random, depth, &mut seen)?;
            }
            // drawn in any case, so that the random numbers of both sides stay in step
            let constant = Rational::from((random.next_below(9) as i64 - 4, 2));
            arguments.push(if seen.is_empty() { self.constant_value(&constant) } else { random.pick(&seen).clone() });
        }
        let form = random.pick(&self.forms).clone();
        match self.side {
            PlotSide::Plot => form.evaluate_at(&arguments),
            PlotSide::Representation => {
                representation::taylor_representation(&self.basis, |curves| form.evaluate_at(curves), &arguments)
            }
        }
    }
}
