//! What related pairs are made of: variables in scope, and random smooth functions.
//!
//! A related pair is made twice, once for each [`Side`], from the same random numbers, so that a function need not know the
//! other's argument. All choices follow the random numbers and discrete data, which are the same on both sides.

use super::error::GlueError;
use super::object::Object;
use super::representation;
use super::stage::Stage;
use crate::law::generate::{Generator, Vocabulary, library};
use crate::law::term::Term;
use crate::meaning::presheaf::Interpreter;
use crate::meaning::taylor::basis::Basis;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use std::sync::Arc;

/// Which of two related plots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The plot of X.
    Plot,
    /// The plot of X′, its Taylor representation.
    Representation,
}

/// Both plots of a pair.
#[derive(Clone, Debug)]
pub struct Pair {
    /// ℝᵏ → X
    pub plot: Element,
    /// ℝᵏ → X′
    pub representation: Element,
}

/// How many arguments a random smooth function has.
pub const ARITY: usize = 3;
/// How many random functions a scope has.
const FORMS: usize = 3;
/// The work that running a drawn program may take, beside its steps.
const STEPS: u64 = 1 << 24;

/// A smooth function ℝ³ → ℝ, with its program.
#[derive(Clone, Debug)]
pub struct Form {
    /// The program.
    pub text: String,
    function: Element,
}

impl Form {
    /// A random one, of about so many operations.
    ///
    /// # Errors
    /// [`GlueError::Program`], [`GlueError::Element`]: none of the terms that are drawn.
    pub fn draw(random: &mut Random, size: usize) -> Result<Self, GlueError> {
        let ty = (0..ARITY).fold(Ty::real(), |ty, _| Ty::function(Ty::real(), ty));
        let term = smooth(random, &ty, size + ARITY);
        Ok(Self { function: run(&core(&term)?)?, text: term.to_string() })
    }

    fn at(&self, arguments: &[Element]) -> Result<Element, ValueError> {
        arguments.iter().try_fold(self.function.clone(), |f, x| f.as_function()?.apply(x))
    }
}

/// A random closed program of a type, in the language of H, that uses what it binds.
pub fn smooth(random: &mut Random, ty: &Ty, size: usize) -> Term {
    Generator::within(Random::new(random.next()), Vocabulary::Derivable).using(ty, size)
}

/// How many of a hundred programs of a statement use what they bind on purpose; the others are any.
const USING: usize = 80;

/// A random closed program for a statement to be about.
pub fn program(random: &mut Random, ty: &Ty, size: usize) -> Term {
    if random.chance(USING) {
        return smooth(random, ty, size);
    }
    Generator::within(Random::new(random.next()), Vocabulary::Derivable).term(ty, size)
}

/// A program, read.
///
/// # Errors
/// [`GlueError::Program`]
pub fn read(text: &str) -> Result<(Core, Ty), GlueError> {
    library()
        .infer_expression(text)
        .map_err(|error| GlueError::Program { program: text.to_owned(), because: error.to_string() })
}

/// A program that was drawn.
///
/// # Errors
/// [`GlueError::Program`]
pub fn core(term: &Term) -> Result<Core, GlueError> {
    let because = || "a variable stands outside of its binder".to_owned();
    term.core().ok_or_else(|| GlueError::Program { program: term.to_string(), because: because() })
}

/// What a program denotes.
///
/// # Errors
/// [`GlueError::Element`]
pub fn run(term: &Core) -> Result<Element, GlueError> {
    Ok(Interpreter::new(Arc::new(Budget::new(STEPS, None, None))).interpret(term)?)
}

/// What related pairs are made from, for one side.
#[derive(Clone, Debug)]
pub struct Scope {
    side: Side,
    basis: Arc<Basis>,
    forms: Arc<[Form]>,
    values: Vec<(Object, Element)>,
}

impl Scope {
    /// The scopes of both sides over a stage: in scope are its coordinates, each beside its own jet.
    ///
    /// # Errors
    /// Those of [`Form::draw`].
    pub fn over(
        stage: &Stage,
        basis: &Arc<Basis>,
        random: &mut Random,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        let (plot, representation) = Self::global(basis, random, size)?;
        let mut both = (plot, representation);
        for (direction, u) in stage.coordinates().enumerate() {
            let unit =
                |index: &Vec<usize>| index.iter().enumerate().all(|(i, entry)| *entry == usize::from(i == direction));
            let slopes = basis.indices().iter().enumerate().map(|(place, index)| match place {
                0 => u.clone(),
                _ => Graph::integer(i64::from(unit(index))),
            });
            let jet = representation::jet(slopes);
            let real = Object::real(basis);
            both.0.values.push((real.clone(), Element::Real(u.clone())));
            both.1.values.push((real, jet));
        }
        Ok(both)
    }

    /// The scopes of both sides without anything that varies: for maps X → Y.
    ///
    /// # Errors
    /// Those of [`Form::draw`].
    pub fn global(basis: &Arc<Basis>, random: &mut Random, size: usize) -> Result<(Self, Self), GlueError> {
        let forms: Arc<[Form]> = (0..FORMS).map(|_| Form::draw(random, size)).collect::<Result<_, _>>()?;
        let scope = |side| Self { side, basis: basis.clone(), forms: forms.clone(), values: Vec::new() };
        Ok((scope(Side::Plot), scope(Side::Representation)))
    }

    /// The multi-indices.
    #[must_use]
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// The scope without anything that varies.
    #[must_use]
    pub fn emptied(&self) -> Self {
        Self { values: Vec::new(), ..self.clone() }
    }

    /// The scope with one more value.
    #[must_use]
    pub fn with(&self, object: &Object, value: &Element) -> Self {
        let mut scope = self.clone();
        scope.values.push((object.clone(), value.clone()));
        scope
    }

    /// A value of this type, where there is one.
    pub fn find(&self, ty: &Ty, random: &mut Random) -> Option<Element> {
        let fitting: Vec<&Element> = self.values.iter().filter(|(o, _)| o.left() == ty).map(|(_, v)| v).collect();
        if fitting.is_empty() { None } else { Some((*random.pick(&fitting)).clone()) }
    }

    /// A real number, or a jet, that does not vary.
    #[must_use]
    pub fn constant(&self, value: &Rational) -> Element {
        let value = Graph::rational(value.clone());
        match self.side {
            Side::Plot => Element::Real(value),
            Side::Representation => representation::still(&self.basis, value),
        }
    }

    /// A random smooth function of numbers that can be observed in the scope.
    ///
    /// # Errors
    /// Those of functions in the scope.
    pub fn number(&self, random: &mut Random, depth: usize) -> Result<Element, ValueError> {
        let mut arguments = Vec::with_capacity(ARITY);
        for place in 0..ARITY {
            let mut seen = Vec::new();
            // the last value is the argument of the function that is made: it is looked at first
            let chosen = match (place, self.values.last()) {
                (0, Some(last)) => Some(last),
                (_, Some(_)) => Some(random.pick(&self.values)),
                (_, None) => None,
            };
            if let Some((object, value)) = chosen {
                object.observe(value, self, random, depth, &mut seen)?;
            }
            let constant = Rational::from((random.below(9) as i64 - 4, 2));
            arguments.push(if seen.is_empty() { self.constant(&constant) } else { random.pick(&seen).clone() });
        }
        let form = random.pick(&self.forms).clone();
        match self.side {
            Side::Plot => form.at(&arguments),
            Side::Representation => representation::lifted(&self.basis, |curves| form.at(curves), &arguments),
        }
    }
}
