//! The interpretation ⦇−⦈ of the language in Gl_k (H §6.2).
//!
//! | | ⦇−⦈ | first component | second component |
//! |---|---|---|---|
//! | types | [`Setting::object`](super::lemma::Setting::object) | ⟦τ⟧ | ⟦𝒟τ⟧ |
//! | real | (ℝ, ℝ^N, S_real) | graphs | tuples of N graphs |
//! | op | the pair of op and its Taylor representation | [presheaves](crate::meaning::presheaf) | [`Representations`] |
//! | everything else | the structure of Gl_k | that of Diff | that of Diff |
//!
//! The second component is a [`Universe`] of its own. Its operations are Taylor representations by their definition,
//! independent of the macro. Diagram (4) states that it is the semantics of derived programs.

use super::error::GlueError;
use super::representation;
use super::scope::Pair;
use crate::meaning::presheaf::Elements;
use crate::meaning::presheaf::constants::{self, Graphs};
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::faa_di_bruno;
use crate::meaning::taylor::partial::Operation;
use crate::model::environment::Environment;
use crate::model::fragment::Fragment;
use crate::model::interpret;
use crate::model::universe::{Arithmetic, Depth, Evaluator, Universe, polygamma};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::Element;
use crate::smooth::graph::{Graph, Site};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::value::ValueError;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The definition of the representation of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// By derivatives at 0, (3).
    Definition,
    /// By the formula of Faà di Bruno, as H prints it.
    FaaDiBruno,
}

/// The universe whose numbers are jets.
#[derive(Debug)]
pub struct Representations {
    basis: Arc<Basis>,
    by: By,
    elements: Arc<Elements>,
    /// The formulas of the operations met so far. Making a formula takes longer than using it.
    formulas: Mutex<FxHashMap<Operation, Element>>,
}

impl Representations {
    /// Makes the universe over a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>, by: By) -> Self {
        let budget = Arc::new(Budget::new(STEPS, None, None));
        let elements = Arc::new(Elements::new(budget));
        Self { basis: basis.clone(), by, elements, formulas: Mutex::default() }
    }

    /// Returns the formula of Faà di Bruno for an operation, as a function of jets.
    fn formula(&self, operation: Operation) -> Result<Element, ValueError> {
        let mut formulas = self.formulas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = formulas.get(&operation) {
            return Ok(known.clone());
        }
        let term = faa_di_bruno::lifted(&self.basis, &operation);
        let function = Evaluator(self.elements.clone()).value(&term).map_err(|_| NO_OPERATION)?;
        formulas.insert(operation, function.clone());
        Ok(function)
    }

    /// Applies an operation on numbers to jets.
    fn lifted(&self, constant: Constant, jets: &[Element]) -> Result<Element, ValueError> {
        let (operation, jets) = operation_of(constant, jets)?;
        match self.by {
            By::Definition => representation::lifted(&self.basis, |curves| at(&operation, curves), jets),
            By::FaaDiBruno => jets.iter().try_fold(self.formula(operation)?, |f, x| f.as_function()?.apply(x)),
        }
    }
}

/// The budget of a program, in work units. It exceeds the step limit of the presheaf universe, so only arithmetic on
/// long constants can spend it.
const STEPS: u64 = 1 << 24;
/// The error for a constant that has no formula.
const NO_OPERATION: ValueError = ValueError::Mismatch { expected: "a smooth operation", found: "another" };

/// Returns the operation that a constant is at these arguments, and the arguments that the operation takes. The first
/// component of an argument is its value.
pub(super) fn operation_of(constant: Constant, arguments: &[Element]) -> Result<(Operation, &[Element]), ValueError> {
    let exponent = |number: &Element| match number.as_tuple()?.first() {
        Some(Element::Real(g)) => Ok::<_, ValueError>(g.as_rational().cloned()),
        _ => Ok(None),
    };
    // with a constant exponent, the power is an operation of one argument, defined also where the base is not positive
    Ok(match (constant, arguments) {
        (Constant::Power, [base, power]) => match exponent(power)? {
            Some(q) => (Operation::Power(q), std::slice::from_ref(base)),
            None => (Operation::Constant(constant), arguments),
        },
        (Constant::NaturalPower, [base, power]) => {
            (Operation::Power(power.as_natural()?.into()), std::slice::from_ref(base))
        }
        // a polygamma function of a constant order is an operation of one argument as well
        (Constant::Polygamma, [order, x]) => {
            (Operation::Constant(Constant::Elementary(polygamma(order.as_natural()?)?)), std::slice::from_ref(x))
        }
        _ => (Operation::Constant(constant), arguments),
    })
}

/// Applies an operation to numbers.
pub(super) fn at(operation: &Operation, arguments: &[Element]) -> Result<Element, ValueError> {
    match operation {
        Operation::Constant(constant) => constants::apply(*constant, Site::default(), arguments),
        Operation::Polygamma => constants::apply(Constant::Polygamma, Site::default(), arguments),
        Operation::Power(q) => {
            let exponent = Element::Real(Graph::rational(q.clone()));
            constants::apply(Constant::Power, Site::default(), &[arguments[0].clone(), exponent])
        }
    }
}

/// Returns `true` if H has the constant. Derivatives and integrals are no operations there. Operations on vectors are
/// written out, since a number becomes a tuple as well.
pub(super) fn is_of_h(constant: Constant) -> bool {
    Fragment::Derivable.has(constant) && !constant.is_analytic() && !constant.is_linear_algebra()
}

/// Returns `true` if the constant is an operation on real numbers that is smooth on its domain and not linear.
pub(super) fn is_smooth(constant: Constant) -> bool {
    Operation::of(constant).is_some()
        || matches!(constant, Constant::Power | Constant::RealPower | Constant::NaturalPower | Constant::Polygamma)
}

/// The linear operations, applied to jets coordinate by coordinate.
impl Arithmetic for Representations {
    type Real = Graph;

    fn rational(&self, value: &Rational) -> Graph {
        Graphs.rational(value)
    }
    fn real(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        Graphs.real(constant, arguments)
    }
}

impl Universe for Representations {
    type Mark = ();
    const NAME: &'static str = "Taylor representations";

    fn step(&self) -> Result<(), ValueError> {
        self.elements.step()
    }
    fn depth(&self) -> Option<&Depth> {
        self.elements.depth()
    }
    fn number(&self, value: &Rational) -> Element {
        representation::still(&self.basis, Graph::rational(value.clone()))
    }
    fn has(&self, constant: Constant) -> bool {
        is_of_h(constant)
    }
    fn operation(self: &Arc<Self>, constant: Constant, (): (), arguments: &[Element]) -> Result<Element, ValueError> {
        match constant {
            // linear, so applied in every coordinate; also to tuples and natural numbers
            Constant::Add | Constant::Subtract | Constant::Negate => {
                constants::apply(constant, Site::default(), arguments)
            }
            Constant::ToReal | Constant::Pi | Constant::E => {
                let value = constants::apply(constant, Site::default(), arguments)?;
                Ok(representation::still(&self.basis, value.as_real()?.clone()))
            }
            _ if is_smooth(constant) => self.lifted(constant, arguments),
            _ => constants::apply(constant, Site::default(), arguments),
        }
    }
}

/// Returns the second component of ⦇t⦈, for a closed program t.
///
/// # Errors
/// [`GlueError::Interpretation`] if a construct has no smooth semantics; [`GlueError::Element`].
pub fn second(term: &Term, basis: &Arc<Basis>, by: By) -> Result<Element, GlueError> {
    let model = Evaluator::new(Representations::new(basis, by));
    // a universe is untyped: its interpretation does not depend on types
    let arrow = interpret(&model, &[], term)?;
    Ok(arrow.run(&model.0, &Environment::default())?)
}

/// Returns ⦇t⦈, for a closed program t.
///
/// # Errors
/// Those of [`second`].
pub fn interpretation(term: &Term, basis: &Arc<Basis>) -> Result<Pair, GlueError> {
    let representation = second(term, basis, By::Definition)?;
    Ok(Pair { plot: super::scope::run(term)?, representation })
}
