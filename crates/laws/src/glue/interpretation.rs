//! The interpretation ⦇−⦈ of the language in Gl_k (H §6.2).
//!
//! | | ⦇−⦈ | first component | second component |
//! |---|---|---|---|
//! | types | [`GluingSetup::object_of_type`](super::lemma::GluingSetup::object_of_type) | ⟦τ⟧ | ⟦𝒟τ⟧ |
//! | real | (ℝ, ℝ^N, S_real) | graphs | tuples of N graphs |
//! | op | the pair of op and its Taylor representation | [presheaves](crate::meaning::presheaf) | [`Representations`] |
//! | everything else | the structure of Gl_k | that of Diff | that of Diff |
//!
//! The second component is a [`ValueSemantics`] of its own. Its operations are Taylor representations by their definition,
//! independent of the macro. Diagram (4) states that it is the semantics of derived programs.

use super::claim::GlueError;
use super::evaluation::PlotPair;
use super::representation;
use crate::category::value::ArrowResult;
use crate::meaning::diffeology::space::Diff;
use crate::meaning::presheaf;
use crate::meaning::presheaf::{GraphArithmetic, PresheafUniverse};
use crate::meaning::taylor::functor;
use crate::meaning::taylor::jet;
use crate::meaning::taylor::jet::Basis;
use crate::meaning::taylor::partial::SmoothOperation;
use crate::model::fragment::Fragment;
use crate::model::interpret;
use crate::model::interpretation::{Interpretation, Operation};
use crate::model::universe::{
    EvaluatorModel, RealArithmetic, RecursionDepth, ValueEnvironment, ValueSemantics, special_of_order,
};
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::smooth::graph::{Graph, SourceId};
use crate::syntax::constant::Constant;
use crate::syntax::term::Term;
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use rustc_hash::FxHashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The definition of the representation of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepresentationMethod {
    /// By derivatives at 0, (3).
    Definition,
    /// By the formula of Faà di Bruno, as H prints it.
    FaaDiBruno,
}

/// The universe whose numbers are jets.
#[derive(Debug)]
pub struct Representations {
    basis: Arc<Basis>,
    by: RepresentationMethod,
    elements: Arc<PresheafUniverse>,
    /// The formulas of the operations met so far. Making a formula takes longer than using it.
    formulas: Mutex<FxHashMap<SmoothOperation, Element>>,
}

impl Representations {
    /// Makes the universe over a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>, by: RepresentationMethod) -> Self {
        let budget = Arc::new(Budget::new(STEPS, None, None));
        let elements = Arc::new(PresheafUniverse::new(budget));
        Self { basis: basis.clone(), by, elements, formulas: Mutex::default() }
    }

    /// Returns the formula of Faà di Bruno for an operation, as a function of jets.
    fn faa_di_bruno_formula(&self, operation: SmoothOperation) -> Result<Element, ValueError> {
        let mut formulas = self.formulas.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = formulas.get(&operation) {
            return Ok(known.clone());
        }
        let term = jet::lift_operation(&self.basis, &operation);
        let function = EvaluatorModel(self.elements.clone()).evaluate_closed(&term).map_err(|_| NO_OPERATION)?;
        formulas.insert(operation, function.clone());
        Ok(function)
    }

    /// Applies an operation on numbers to jets.
    fn apply_to_jets(&self, constant: Constant, jets: &[Element]) -> Result<Element, ValueError> {
        let (operation, jets) = operation_of(constant, jets)?;
        match self.by {
            RepresentationMethod::Definition => {
                representation::taylor_representation(&self.basis, |curves| apply_operation(&operation, curves), jets)
            }
            RepresentationMethod::FaaDiBruno => {
                jets.iter().try_fold(self.faa_di_bruno_formula(operation)?, |f, x| f.as_function()?.apply(x))
            }
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
pub(super) fn operation_of(
    constant: Constant,
    arguments: &[Element],
) -> Result<(SmoothOperation, &[Element]), ValueError> {
    let exponent = |number: &Element| match number.as_tuple()?.first() {
        Some(Element::Real(g)) => Ok::<_, ValueError>(g.as_rational().cloned()),
        _ => Ok(None),
    };
    // with a constant exponent, the power is an operation of one argument, defined also where the base is not positive
    Ok(match (constant, arguments) {
        (Constant::Power, [base, power]) => match exponent(power)? {
            Some(q) => (SmoothOperation::Power(q), std::slice::from_ref(base)),
            None => (SmoothOperation::Constant(constant), arguments),
        },
        (Constant::NaturalPower, [base, power]) => {
            (SmoothOperation::Power(power.as_natural()?.into()), std::slice::from_ref(base))
        }
        // a special function of a constant order is an operation of one argument as well
        (Constant::Special(id), [order, x]) => (
            SmoothOperation::Constant(Constant::Elementary(special_of_order(id, order.as_natural()?)?)),
            std::slice::from_ref(x),
        ),
        _ => (SmoothOperation::Constant(constant), arguments),
    })
}

/// Applies an operation to numbers.
pub(super) fn apply_operation(operation: &SmoothOperation, arguments: &[Element]) -> Result<Element, ValueError> {
    match operation {
        SmoothOperation::Constant(constant) => presheaf::apply_to_elements(*constant, SourceId::default(), arguments),
        SmoothOperation::Special(id) => {
            presheaf::apply_to_elements(Constant::Special(*id), SourceId::default(), arguments)
        }
        SmoothOperation::Power(q) => {
            let exponent = Element::Real(Graph::rational(q.clone()));
            presheaf::apply_to_elements(Constant::Power, SourceId::default(), &[arguments[0].clone(), exponent])
        }
    }
}

/// Returns `true` if H has the constant. Derivatives and integrals are no operations there. Operations on vectors are
/// written out, since a number becomes a tuple as well.
pub(super) fn is_operation_of_h(constant: Constant) -> bool {
    Fragment::Derivable.has_constant(constant) && !constant.is_analytic() && !constant.is_linear_algebra()
}

/// Returns `true` if the constant is an operation on real numbers that is smooth on its domain and not linear.
pub(super) fn is_smooth(constant: Constant) -> bool {
    SmoothOperation::of_constant(constant).is_some()
        || matches!(constant, Constant::Power | Constant::RealPower | Constant::NaturalPower | Constant::Special(_))
}

/// The linear operations, applied to jets coordinate by coordinate.
impl RealArithmetic for Representations {
    type Real = Graph;

    fn rational_constant(&self, value: &Rational) -> Graph {
        GraphArithmetic.rational_constant(value)
    }
    fn apply_real_constant(&self, constant: Constant, arguments: &[&Graph]) -> Result<Graph, ValueError> {
        GraphArithmetic.apply_real_constant(constant, arguments)
    }
}

impl ValueSemantics for Representations {
    type Mark = ();
    const NAME: &'static str = "Taylor representations";

    fn charge_step(&self) -> Result<(), ValueError> {
        self.elements.charge_step()
    }
    fn recursion_depth(&self) -> Option<&RecursionDepth> {
        self.elements.recursion_depth()
    }
    fn real_literal(&self, value: &Rational) -> Element {
        representation::constant_jet(&self.basis, Graph::rational(value.clone()))
    }
    fn has_operation(&self, constant: Constant) -> bool {
        is_operation_of_h(constant)
    }
    fn apply_constant(
        self: &Arc<Self>,
        constant: Constant,
        (): (),
        arguments: &[Element],
    ) -> Result<Element, ValueError> {
        match constant {
            // linear, so applied in every coordinate; also to tuples and natural numbers
            Constant::Add | Constant::Subtract | Constant::Negate => {
                presheaf::apply_to_elements(constant, SourceId::default(), arguments)
            }
            Constant::ToReal | Constant::Pi | Constant::E => {
                let value = presheaf::apply_to_elements(constant, SourceId::default(), arguments)?;
                Ok(representation::constant_jet(&self.basis, value.as_real()?.clone()))
            }
            _ if is_smooth(constant) => self.apply_to_jets(constant, arguments),
            _ => presheaf::apply_to_elements(constant, SourceId::default(), arguments),
        }
    }
}

/// The choice that determines the second component as a functor from programs: jets for ℝ, and for each operation its
/// Taylor representation by definition. No rule of the macro is used.
#[derive(Clone, Debug)]
pub struct JetInterpretation(Arc<Representations>);

impl JetInterpretation {
    /// Makes the interpretation over a basis.
    #[must_use]
    pub fn new(basis: &Arc<Basis>) -> Self {
        Self(Arc::new(Representations::new(basis, RepresentationMethod::Definition)))
    }
}

impl Interpretation<Diff> for JetInterpretation {
    const NAME: &'static str = "Taylor representations";

    fn real(&self, _: &Diff) -> Ty {
        functor::jet_type(self.0.basis.len())
    }

    fn operation(&self, _: &Diff, operation: &Operation) -> ArrowResult<Diff> {
        let jets = self.0.clone();
        let is_first_order = || operation.argument_types().iter().all(|ty| *ty == Ty::real());
        match operation.clone() {
            Operation::Number(q) => Ok(StageFunction::new(move |_: &Element| Ok(jets.real_literal(&q)))),
            Operation::Power(q) => Ok(StageFunction::new(move |x: &Element| {
                jets.apply_constant(Constant::Power, (), &[x.clone(), jets.real_literal(&q)])
            })),
            Operation::Constant(constant, _) if is_operation_of_h(constant) && is_first_order() => {
                let count = operation.argument_types().len();
                Ok(StageFunction::new(move |x: &Element| match count {
                    0 => jets.apply_constant(constant, (), &[]),
                    1 => jets.apply_constant(constant, (), std::slice::from_ref(x)),
                    _ => jets.apply_constant(constant, (), x.as_tuple()?),
                }))
            }
            _ => Err(operation.no_image(<Self as Interpretation<Diff>>::NAME)),
        }
    }
}

/// Returns the second component of ⦇t⦈, for a closed program t.
///
/// # Errors
/// [`GlueError::Interpretation`] if a construct has no smooth semantics; [`GlueError::Element`].
pub fn second_component(term: &Term, basis: &Arc<Basis>, by: RepresentationMethod) -> Result<Element, GlueError> {
    let model = EvaluatorModel::new(Representations::new(basis, by));
    // a universe is untyped: its interpretation does not depend on types
    let arrow = interpret(&model, &[], term)?;
    Ok(arrow.evaluate_in(&model.0, &ValueEnvironment::default())?)
}

/// Returns ⦇t⦈, for a closed program t.
///
/// # Errors
/// Those of [`second_component`].
pub fn interpret_closed(term: &Term, basis: &Arc<Basis>) -> Result<PlotPair, GlueError> {
    let representation = second_component(term, basis, RepresentationMethod::Definition)?;
    Ok(PlotPair { plot: super::evaluation::run_program(term)?, representation })
}
