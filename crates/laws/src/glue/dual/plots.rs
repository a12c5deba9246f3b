//! Plots with their representations, and the constructions on both at once.

use crate::meaning::pap::PiecewiseUniverse;
use crate::meaning::pap::replay::ReplayOracle;
use crate::model::answer::SemanticsError;
use crate::model::universe::EvaluatorModel;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::smooth::graph::Graph;
use crate::syntax::term::Term;
use crate::value::{UndefinedCause, UndefinedValue, Value, ValueError};
use std::sync::Arc;

/// A plot: for the universe of a run, its function.
pub type LinePlot = Arc<
    dyn Fn(&EvaluatorModel<PiecewiseUniverse<ReplayOracle>>) -> Result<StageFunction, SemanticsError> + Send + Sync,
>;

/// A plot with a representation of it: Real -> τ and Real * Real -> 𝒟τ.
#[derive(Clone)]
pub struct DualPlots {
    /// t ↦ x(t)
    pub plot: LinePlot,
    /// (t, ṫ) ↦ x′(t, ṫ)
    pub representation: LinePlot,
}

/// Returns the plot of `of` after `f`; `of` sees the argument as well.
fn map_plot(
    f: &LinePlot,
    of: impl Fn(&Element, &Element) -> Result<Element, ValueError> + Clone + Send + Sync + 'static,
) -> LinePlot {
    let f = f.clone();
    Arc::new(move |model| {
        let (f, of) = (f(model)?, of.clone());
        Ok(StageFunction::new(move |t: &Element| of(t, &f.apply(t)?)))
    })
}

/// Returns the plot of a closed program of a function type.
#[must_use]
pub fn plot_of_program(program: &Term) -> LinePlot {
    let program = program.clone();
    Arc::new(move |model| Ok(model.evaluate_closed(&program)?.as_function()?.clone()))
}

impl DualPlots {
    /// Makes the plots of two closed programs, of types `Real -> τ` and `Real * Real -> 𝒟τ`.
    #[must_use]
    pub fn from_programs(plot: &Term, representation: &Term) -> Self {
        Self { plot: plot_of_program(plot), representation: plot_of_program(representation) }
    }

    /// Makes a constant plot of two closed programs, of types τ and 𝒟τ.
    #[must_use]
    pub fn from_constants(plot: &Term, representation: &Term) -> Self {
        let still = |program: &Term| -> LinePlot {
            let program = program.clone();
            Arc::new(move |model| {
                let value = model.evaluate_closed(&program)?;
                Ok(StageFunction::new(move |_: &Element| Ok::<_, ValueError>(value.clone())))
            })
        };
        Self { plot: still(plot), representation: still(representation) }
    }

    /// Returns the component `index` of both.
    pub(super) fn component_plots(&self, index: usize) -> Self {
        Self { plot: plot_component(&self.plot, index), representation: plot_component(&self.representation, index) }
    }

    /// Returns both along a curve: r ↦ x(h(r)), and x′(h′(r, ṙ)).
    pub(super) fn restrict_to_curve(&self, curve: &Self) -> Self {
        let of = |x: &LinePlot, h: &LinePlot| -> LinePlot {
            let (x, h) = (x.clone(), h.clone());
            Arc::new(move |model| {
                let (x, h) = (x(model)?, h(model)?);
                Ok(StageFunction::new(move |r: &Element| x.apply(&h.apply(r)?)))
            })
        };
        Self { plot: of(&self.plot, &curve.plot), representation: of(&self.representation, &curve.representation) }
    }

    /// Returns a natural number of both values, as a number with slope 0. A constant has no other slope, so only its
    /// value and domain are compared.
    fn map_to_count(&self, of: impl Fn(&Element) -> Result<usize, ValueError> + Clone + Send + Sync + 'static) -> Self {
        let number = |n: usize| Value::Real(Graph::integer(n as i64));
        let (count, dual) = (of.clone(), of);
        Self {
            plot: map_plot(&self.plot, move |_, x| Ok(number(count(x)?))),
            representation: map_plot(&self.representation, move |_, x| {
                Ok(Element::tuple_of([number(dual(x)?), number(0)]))
            }),
        }
    }

    /// Returns 0 wherever there is a value.
    pub(super) fn defined_indicator(&self) -> Self {
        self.map_to_count(|_| Ok(0))
    }

    /// Returns the index of the constructor.
    pub(super) fn constructor_index(&self) -> Self {
        self.map_to_count(|x| match x {
            Value::Variant(index, _) => Ok(*index),
            other => Err(other.kind_mismatch("a variant")),
        })
    }

    /// Returns the length of a list.
    pub(super) fn list_length(&self) -> Self {
        self.map_to_count(|x| match x {
            Value::List(elements) => Ok(elements.iter().count()),
            other => Err(other.kind_mismatch("a list")),
        })
    }

    /// Returns a part of both values. The plots are undefined where there is no such part.
    fn map_part(&self, of: impl Fn(&Element) -> Option<Element> + Clone + Send + Sync + 'static) -> Self {
        let part = move |_: &Element, x: &Element| {
            of(x).ok_or_else(|| {
                ValueError::from_undefined(UndefinedValue::of_operation(UndefinedCause::Domain, "another part"))
            })
        };
        Self { plot: map_plot(&self.plot, part.clone()), representation: map_plot(&self.representation, part) }
    }

    /// Returns the argument of the constructor `index`; undefined at other constructors.
    pub(super) fn constructor_argument(&self, index: usize) -> Self {
        self.map_part(move |x| match x {
            Value::Variant(own, argument) if *own == index => Some((**argument).clone()),
            _ => None,
        })
    }

    /// Returns the element `index` of a list; undefined for shorter lists.
    pub(super) fn list_element(&self, index: usize) -> Self {
        self.map_part(move |x| match x {
            Value::List(elements) => elements.iter().nth(index).cloned(),
            _ => None,
        })
    }

    /// Returns t ↦ x(t)(y(t)), of both.
    pub(super) fn apply_to(&self, argument: &Self) -> Self {
        let of = |f: &LinePlot, x: &LinePlot| -> LinePlot {
            let (f, x) = (f.clone(), x.clone());
            Arc::new(move |model| {
                let (f, x) = (f(model)?, x(model)?);
                Ok(StageFunction::new(move |t: &Element| f.apply(t)?.as_function()?.apply(&x.apply(t)?)))
            })
        };
        Self {
            plot: of(&self.plot, &argument.plot),
            representation: of(&self.representation, &argument.representation),
        }
    }
}

/// Returns the component `index` of a plot of tuples.
pub(super) fn plot_component(plot: &LinePlot, index: usize) -> LinePlot {
    map_plot(plot, move |_, x| {
        let none = ValueError::Mismatch { expected: "a tuple with another component", found: "none" };
        Ok(x.as_tuple()?.get(index).ok_or(none)?.clone())
    })
}
