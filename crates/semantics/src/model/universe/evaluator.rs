//! The model of a universe: all of [`Model`] derived from a [`ValueSemantics`].

use super::{ArrowCode, CodeKind, SemanticValue, ValueSemantics};
use crate::model::answer::SemanticsError;
use crate::model::below;
use crate::model::environment::ValueEnvironment;
use crate::model::{
    AppliedOperator, BoundArrow, ConditionalInfo, Model, OperatorApplication, OperatorArgument, SourceLocation,
    Unsupported, interpret,
};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::sync::{Arc, OnceLock};

/// The model of a universe.
pub struct EvaluatorModel<U>(pub Arc<U>);

impl<U: ValueSemantics> EvaluatorModel<U> {
    /// Builds the model of a universe.
    #[must_use]
    pub fn new(universe: U) -> Self {
        Self(Arc::new(universe))
    }

    /// Evaluates a closed, well-typed program.
    ///
    /// # Errors
    /// [`SemanticsError::Interpretation`] for a construct that the model lacks, [`SemanticsError::Run`] for an error of the universe.
    pub fn evaluate_closed(&self, term: &Term) -> Result<SemanticValue<U>, SemanticsError> {
        // a universal model ignores types, so that of the program is not needed
        let arrow = interpret(self, &[], term)?;
        Ok(arrow
            .evaluate_in(&self.0, &ValueEnvironment::default())
            .map_err(|error| below::explain_in_program(error, term))?)
    }

    fn check_constant(&self, constant: Constant) -> Result<(), Unsupported> {
        if self.0.has_operation(constant) { Ok(()) } else { Err(self.0.missing_operation(constant)) }
    }

    fn operand_codes(&self, arguments: &[OperatorArgument<Self>]) -> Box<[ArrowCode<U>]> {
        let operand = |argument: &OperatorArgument<Self>| match argument {
            OperatorArgument::Value(value) => value.clone(),
            OperatorArgument::Function { body, .. } => ArrowCode::new(CodeKind::Lambda(body.body.clone())),
        };
        arguments.iter().map(operand).collect()
    }
}

/// Adds its place to an operation, if one of its errors reports the place.
fn add_location_to_operation<U: ValueSemantics>(
    operation: ArrowCode<U>,
    constant: Constant,
    place: &SourceLocation,
) -> ArrowCode<U> {
    match constant {
        Constant::NaturalDifference => ArrowCode::new(CodeKind::Placed(operation, Arc::new(place.clone()))),
        _ => operation,
    }
}

impl<U: ValueSemantics> Model for EvaluatorModel<U> {
    type Object = ();
    type Arrow = ArrowCode<U>;
    const NAME: &'static str = U::NAME;
    const SPECIALISES_CONDITIONALS: bool = true;

    fn universal_object(&self) -> Option<()> {
        Some(())
    }
    fn expands_constant(&self, constant: Constant) -> bool {
        // a universe may compute vector operations itself; otherwise they are expanded into sums and products
        constant.is_determined_by_type() || constant.is_linear_algebra() && !self.0.has_operation(constant)
    }
    fn real_object(&self) {}
    fn natural_object(&self) -> Result<(), Unsupported> {
        Ok(())
    }
    fn boolean_object(&self) -> Result<(), Unsupported> {
        Ok(())
    }
    fn product_object(&self, _: &[()]) {}
    fn exponential_object(&self, (): &(), (): &()) -> Result<(), Unsupported> {
        Ok(())
    }
    fn tangent_object(&self, (): &()) -> Result<(), Unsupported> {
        Ok(())
    }

    fn project_variable(&self, context: &[()], index: usize) -> ArrowCode<U> {
        // the model counts variables from the outermost, code from the innermost
        ArrowCode::new(CodeKind::Variable(context.len() - 1 - index))
    }
    fn compose(&self, _: &[()], parts: &[ArrowCode<U>], outer: &ArrowCode<U>) -> ArrowCode<U> {
        ArrowCode::new(match (parts, &outer.0.kind) {
            // a shared value is closed: weakening would only recompute the environment
            ([], CodeKind::Shared(..)) => return outer.clone(),
            _ => CodeKind::Compose(parts.into(), outer.clone()),
        })
    }
    fn bind(&self, _: &[()], value: &ArrowCode<U>, body: &BoundArrow<ArrowCode<U>>) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Bind(value.clone(), body.body.clone()))
    }
    fn tuple(&self, _: &[()], parts: &[ArrowCode<U>]) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Tuple(parts.into()))
    }
    fn project_component(&self, _: &[()], tuple: &ArrowCode<U>, index: usize) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Component(tuple.clone(), index))
    }
    fn curry(&self, _: &[()], (): &(), (): &(), body: &BoundArrow<ArrowCode<U>>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Lambda(body.body.clone())))
    }
    fn apply(&self, _: &[()], function: &ArrowCode<U>, argument: &ArrowCode<U>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Apply(function.clone(), argument.clone())))
    }
    fn case_boolean(
        &self,
        condition: &ArrowCode<U>,
        then: &ArrowCode<U>,
        otherwise: &ArrowCode<U>,
        choice: &ConditionalInfo,
    ) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::CaseBoolean(
            [condition, then, otherwise].map(ArrowCode::clone),
            Arc::new(choice.clone()),
        )))
    }
    fn sum_object(&self, _: &DataType, _: &[()]) -> Result<(), Unsupported> {
        Ok(())
    }
    fn list_object(&self, (): &()) -> Result<(), Unsupported> {
        Ok(())
    }
    fn inject(
        &self,
        _: &[()],
        _: &[()],
        (constructor, _): (&Constructor, &Ty),
        argument: &ArrowCode<U>,
    ) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Inject(constructor.index(), argument.clone())))
    }
    fn case_sum(
        &self,
        _: &[()],
        _: &[()],
        _: &DataType,
        scrutinee: &ArrowCode<U>,
        branches: &[BoundArrow<ArrowCode<U>>],
    ) -> Result<ArrowCode<U>, Unsupported> {
        let branches = branches.iter().map(|branch| branch.body.clone()).collect();
        Ok(ArrowCode::new(CodeKind::CaseSum(scrutinee.clone(), branches)))
    }
    fn roll_list(&self, _: &[()], layer: &ArrowCode<U>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Roll(layer.clone())))
    }
    fn unroll_list(&self, _: &[()], list: &ArrowCode<U>) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Unroll(list.clone())))
    }
    fn fixed_point(
        &self,
        _: &[()],
        value: &BoundArrow<ArrowCode<U>>,
        place: &SourceLocation,
    ) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Recursion(value.body.clone(), self.0.mark_recursion(place))))
    }
    fn isomorphism_side(&self, isomorphism: &ArrowCode<U>, forward: bool) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Side(isomorphism.clone(), forward)))
    }

    fn real_number(&self, _: &[()], value: &Rational) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Number(value.clone(), self.0.real_literal(value)))
    }
    fn natural_number(&self, _: &[()], value: u64) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Value(Value::Natural(value))))
    }
    fn truth_value(&self, _: &[()], value: bool) -> Result<ArrowCode<U>, Unsupported> {
        Ok(ArrowCode::new(CodeKind::Value(Value::from_bool(value))))
    }
    fn interpret_constant(
        &self,
        _: &[()],
        constant: Constant,
        _: Option<&Ty>,
        place: &SourceLocation,
    ) -> Result<ArrowCode<U>, Unsupported> {
        self.check_constant(constant)?;
        let arity = constant.arity();
        // a constant as a value: η-expanded to a curried function around the saturated operation
        let arguments: Box<[_]> = (0..arity).rev().map(|index| ArrowCode::new(CodeKind::Variable(index))).collect();
        let mark = self.0.mark_application(constant, place, &arguments);
        let saturated =
            add_location_to_operation(ArrowCode::new(CodeKind::Operation(constant, mark, arguments)), constant, place);
        Ok((0..arity).fold(saturated, |body, _| ArrowCode::new(CodeKind::Lambda(body))))
    }
    fn interpret_operation(&self, application: &OperatorApplication<'_, Self>) -> Result<ArrowCode<U>, Unsupported> {
        let OperatorApplication { operator, arguments, place, .. } = *application;
        Ok(match operator {
            AppliedOperator::Constant(constant) => {
                self.check_constant(constant)?;
                let operands = self.operand_codes(arguments);
                let operation =
                    CodeKind::Operation(constant, self.0.mark_application(constant, place, &operands), operands);
                add_location_to_operation(ArrowCode::new(operation), constant, place)
            }
            AppliedOperator::To(constant) | AppliedOperator::From(constant) => {
                let isomorphism = self.interpret_constant(&[], constant, None, place)?;
                let side = self.isomorphism_side(&isomorphism, matches!(operator, AppliedOperator::To(_)))?;
                self.operand_codes(arguments).iter().fold(side, |f, x| ArrowCode::new(CodeKind::Apply(f, x.clone())))
            }
        })
    }
    fn share_definition(&self, _: &Arc<Definition>, closed: &ArrowCode<U>) -> ArrowCode<U> {
        ArrowCode::new(CodeKind::Shared(closed.clone(), OnceLock::new()))
    }
}
