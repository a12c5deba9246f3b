//! The clauses of the interpretation, for whoever wants to see what becomes of programs under others.

use super::{Elements, constants};
use crate::model::environment::Environment;
use crate::model::universe::Closure;
use crate::number::context::Context;
use crate::presheaf::condition::Condition;
use crate::presheaf::dynamic::{Element, Function};
use crate::smooth::graph::Site;
use crate::smooth::rules::{Rulebook, Rules};
use crate::syntax::constant::Constant;
use crate::value::{Sequence, Truth, ValueError};

/// What variables, binders, data and constants denote (S Fig. 6), and by what rules numbers are computed. What is not
/// written is as it is in the [model](super).
///
/// *Theorem to keep*: an interpretation by these clauses is natural in the stage, and keeps the equations of the λ-calculus.
/// Nothing checks that: it is what laws are for.
pub trait Clauses: Rulebook {
    /// The value of the variable of an index: a projection.
    fn variable(&self, environment: &Environment<Element>, index: usize) -> Option<Element> {
        environment.get(index)
    }
    /// An environment with the value of a `let`: a pair.
    fn bind(&self, environment: &Environment<Element>, value: Element) -> Environment<Element> {
        environment.with(value)
    }
    /// A function: what it is applied to is put last in its environment.
    fn function(&self, closure: Closure<Elements>) -> Element {
        Element::Function(Function::new(closure))
    }
    /// Which branch of an `if` is taken, where that is known.
    fn decide(&self, condition: &Condition) -> Option<bool> {
        condition.known()
    }
    /// Which case of a `match` is taken for the constructor of an index.
    fn case(&self, constructor: usize) -> usize {
        constructor
    }
    /// `head :: tail`
    fn cons(&self, head: &Element, tail: &Sequence<Element>) -> Sequence<Element> {
        tail.with(head.clone())
    }
    /// A constant at all its arguments.
    ///
    /// # Errors
    /// Those of [`constants::apply`].
    fn constant(&self, constant: Constant, site: Site, arguments: &[Element]) -> Result<Element, ValueError> {
        constants::apply(constant, site, arguments)
    }
}

/// Those of the model.
#[derive(Clone, Copy, Debug)]
pub(super) struct Model;

impl<C: Context> Rules<C> for Model {}
impl Clauses for Model {}
