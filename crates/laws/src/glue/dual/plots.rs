//! Plots with their representations, and the constructions on both at once.

use crate::meaning::pap::Pieces;
use crate::meaning::pap::replay::Replay;
use crate::model::answer::MeaningError;
use crate::model::universe::Evaluator;
use crate::presheaf::dynamic::{Element, Function};
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use crate::value::{Cause, Undefined, Value, ValueError};
use std::sync::Arc;

/// A plot: for the universe of a run, its function.
pub type Plot = Arc<dyn Fn(&Evaluator<Pieces<Replay>>) -> Result<Function, MeaningError> + Send + Sync>;

/// A plot with a representation of it: Real -> τ and Real * Real -> 𝒟τ.
#[derive(Clone)]
pub struct Plots {
    /// t ↦ x(t)
    pub plot: Plot,
    /// (t, ṫ) ↦ x′(t, ṫ)
    pub representation: Plot,
}

/// Returns the plot of `of` after `f`; `of` sees the argument as well.
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

/// Returns the plot of a closed program of a function type.
#[must_use]
pub fn varying(program: &Term) -> Plot {
    let program = program.clone();
    Arc::new(move |model| Ok(model.value(&program)?.as_function()?.clone()))
}

impl Plots {
    /// Makes the plots of two closed programs, of types `Real -> τ` and `Real * Real -> 𝒟τ`.
    #[must_use]
    pub fn of(plot: &Term, representation: &Term) -> Self {
        Self { plot: varying(plot), representation: varying(representation) }
    }

    /// Makes a constant plot of two closed programs, of types τ and 𝒟τ.
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

    /// Returns the component `index` of both.
    pub(super) fn component(&self, index: usize) -> Self {
        Self { plot: component(&self.plot, index), representation: component(&self.representation, index) }
    }

    /// Returns both along a curve: r ↦ x(h(r)), and x′(h′(r, ṙ)).
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

    /// Returns a natural number of both values, as a number with slope 0. A constant has no other slope, so only its
    /// value and domain are compared.
    fn counted(&self, of: impl Fn(&Element) -> Result<usize, ValueError> + Clone + Send + Sync + 'static) -> Self {
        let number = |n: usize| Value::Real(Graph::integer(n as i64));
        let (count, dual) = (of.clone(), of);
        Self {
            plot: then(&self.plot, move |_, x| Ok(number(count(x)?))),
            representation: then(&self.representation, move |_, x| Ok(Element::tuple([number(dual(x)?), number(0)]))),
        }
    }

    /// Returns 0 wherever there is a value.
    pub(super) fn defined(&self) -> Self {
        self.counted(|_| Ok(0))
    }

    /// Returns the index of the constructor.
    pub(super) fn constructor(&self) -> Self {
        self.counted(|x| match x {
            Value::Variant(index, _) => Ok(*index),
            other => Err(other.mismatch("a variant")),
        })
    }

    /// Returns the length of a list.
    pub(super) fn length(&self) -> Self {
        self.counted(|x| match x {
            Value::List(elements) => Ok(elements.iter().count()),
            other => Err(other.mismatch("a list")),
        })
    }

    /// Returns a part of both values. The plots are undefined where there is no such part.
    fn partly(&self, of: impl Fn(&Element) -> Option<Element> + Clone + Send + Sync + 'static) -> Self {
        let part = move |_: &Element, x: &Element| {
            of(x).ok_or_else(|| ValueError::undefined(Undefined::of(Cause::Domain, "another part")))
        };
        Self { plot: then(&self.plot, part.clone()), representation: then(&self.representation, part) }
    }

    /// Returns the argument of the constructor `index`; undefined at other constructors.
    pub(super) fn part(&self, index: usize) -> Self {
        self.partly(move |x| match x {
            Value::Variant(own, argument) if *own == index => Some((**argument).clone()),
            _ => None,
        })
    }

    /// Returns the element `index` of a list; undefined for shorter lists.
    pub(super) fn element(&self, index: usize) -> Self {
        self.partly(move |x| match x {
            Value::List(elements) => elements.iter().nth(index).cloned(),
            _ => None,
        })
    }

    /// Returns t ↦ x(t)(y(t)), of both.
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

/// Returns the component `index` of a plot of tuples.
pub(super) fn component(plot: &Plot, index: usize) -> Plot {
    then(plot, move |_, x| {
        let none = ValueError::Mismatch { expected: "a tuple with another component", found: "none" };
        Ok(x.as_tuple()?.get(index).ok_or(none)?.clone())
    })
}
