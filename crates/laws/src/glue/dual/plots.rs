//! Plots and representations of them, and what is made of both at once.

use crate::meaning::pap::Pieces;
use crate::meaning::pap::replay::Replay;
use crate::model::answer::MeaningError;
use crate::model::universe::Evaluator;
use crate::presheaf::dynamic::{Element, Function};
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use crate::value::{Cause, Undefined, Value, ValueError};
use std::sync::Arc;

/// A plot, as what its function is in the universe of a run.
pub type Plot = Arc<dyn Fn(&Evaluator<Pieces<Replay>>) -> Result<Function, MeaningError> + Send + Sync>;

/// A plot, and a representation of it: Real -> τ and Real * Real -> 𝒟τ.
#[derive(Clone)]
pub struct Plots {
    /// t ↦ x(t)
    pub plot: Plot,
    /// (t, ṫ) ↦ x′(t, ṫ)
    pub representation: Plot,
}

/// What a function of t becomes.
fn then(
    f: &Plot,
    of: impl Fn(&Element, &Element) -> Result<Element, ValueError> + Clone + Send + Sync + 'static,
) -> Plot {
    let f = f.clone();
    Arc::new(move |model| {
        let (f, of) = (f(model)?, of.clone());
        Ok(Function::new(move |t: &Element| of(t, &f.apply(t)?)))
    })
}

/// The plot of a closed program.
#[must_use]
pub fn varying(program: &Term) -> Plot {
    let program = program.clone();
    Arc::new(move |model| Ok(model.value(&program)?.as_function()?.clone()))
}

impl Plots {
    /// Two closed programs, of types `Real -> τ` and `Real * Real -> 𝒟τ`.
    #[must_use]
    pub fn of(plot: &Term, representation: &Term) -> Self {
        Self { plot: varying(plot), representation: varying(representation) }
    }

    /// A constant plot: closed programs of types τ and 𝒟τ.
    #[must_use]
    pub fn constant(plot: &Term, representation: &Term) -> Self {
        let still = |program: &Term| -> Plot {
            let program = program.clone();
            Arc::new(move |model| {
                let value = model.value(&program)?;
                Ok(Function::new(move |_: &Element| Ok::<_, ValueError>(value.clone())))
            })
        };
        Self { plot: still(plot), representation: still(representation) }
    }

    pub(super) fn component(&self, index: usize) -> Self {
        Self { plot: component(&self.plot, index), representation: component(&self.representation, index) }
    }

    /// Both along a curve: r ↦ x(h(r)), and x′(h′(r, ṙ)).
    pub(super) fn along(&self, curve: &Self) -> Self {
        let of = |x: &Plot, h: &Plot| -> Plot {
            let (x, h) = (x.clone(), h.clone());
            Arc::new(move |model| {
                let (x, h) = (x(model)?, h(model)?);
                Ok(Function::new(move |r: &Element| x.apply(&h.apply(r)?)))
            })
        };
        Self { plot: of(&self.plot, &curve.plot), representation: of(&self.representation, &curve.representation) }
    }

    /// What a function makes of both: a number that does not vary, of which only that there is one is asked.
    fn counted(&self, of: impl Fn(&Element) -> Result<usize, ValueError> + Clone + Send + Sync + 'static) -> Self {
        let number = |n: usize| Value::Real(Graph::integer(n as i64));
        let (count, dual) = (of.clone(), of);
        Self {
            plot: then(&self.plot, move |_, x| Ok(number(count(x)?))),
            representation: then(&self.representation, move |_, x| Ok(Element::tuple([number(dual(x)?), number(0)]))),
        }
    }

    /// 0 where there is a value.
    pub(super) fn defined(&self) -> Self {
        self.counted(|_| Ok(0))
    }

    /// The number of the constructor.
    pub(super) fn constructor(&self) -> Self {
        self.counted(|x| match x {
            Value::Variant(index, _) => Ok(*index),
            other => Err(other.mismatch("a variant")),
        })
    }

    /// The length of a list.
    pub(super) fn length(&self) -> Self {
        self.counted(|x| match x {
            Value::List(elements) => Ok(elements.iter().count()),
            other => Err(other.mismatch("a list")),
        })
    }

    fn partly(&self, of: impl Fn(&Element) -> Option<Element> + Clone + Send + Sync + 'static) -> Self {
        let part = move |_: &Element, x: &Element| {
            of(x).ok_or_else(|| ValueError::undefined(Undefined::of(Cause::Domain, "another part")))
        };
        Self { plot: then(&self.plot, part.clone()), representation: then(&self.representation, part) }
    }

    /// The argument of a constructor, where that is it.
    pub(super) fn part(&self, index: usize) -> Self {
        self.partly(move |x| match x {
            Value::Variant(own, argument) if *own == index => Some((**argument).clone()),
            _ => None,
        })
    }

    /// An element of a list, where it has one.
    pub(super) fn element(&self, index: usize) -> Self {
        self.partly(move |x| match x {
            Value::List(elements) => elements.iter().nth(index).cloned(),
            _ => None,
        })
    }

    /// t ↦ x(t)(y(t)), of both.
    pub(super) fn applied(&self, argument: &Self) -> Self {
        let of = |f: &Plot, x: &Plot| -> Plot {
            let (f, x) = (f.clone(), x.clone());
            Arc::new(move |model| {
                let (f, x) = (f(model)?, x(model)?);
                Ok(Function::new(move |t: &Element| f.apply(t)?.as_function()?.apply(&x.apply(t)?)))
            })
        };
        Self {
            plot: of(&self.plot, &argument.plot),
            representation: of(&self.representation, &argument.representation),
        }
    }
}

pub(super) fn component(plot: &Plot, index: usize) -> Plot {
    then(plot, move |_, x| {
        let none = ValueError::Mismatch { expected: "a tuple with another component", found: "none" };
        Ok(x.as_tuple()?.get(index).ok_or(none)?.clone())
    })
}
