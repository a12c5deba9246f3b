//! The model of a universe: all of [`Model`] derived from a [`Universe`].

use super::{Code, Kind, Universe, Values};
use crate::model::answer::MeaningError;
use crate::model::below;
use crate::model::environment::Environment;
use crate::model::{Application, Argument, Bound, Choice, Model, Operator, Place, Unsupported, interpret};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::term::{Definition, Term};
use crate::syntax::ty::Ty;
use crate::value::Value;
use std::sync::{Arc, OnceLock};

/// The model of a universe.
pub struct Evaluator<U>(pub Arc<U>);

impl<U: Universe> Evaluator<U> {
    /// Builds the model of a universe.
    #[must_use]
    pub fn new(universe: U) -> Self {
        Self(Arc::new(universe))
    }

    /// Evaluates a closed, well-typed program.
    ///
    /// # Errors
    /// [`MeaningError::Interpretation`] for a construct that the model lacks, [`MeaningError::Run`] for an error of the universe.
    pub fn value(&self, term: &Term) -> Result<Values<U>, MeaningError> {
        // a universal model ignores types, so that of the program is not needed
        let arrow = interpret(self, &[], term)?;
        Ok(arrow.run(&self.0, &Environment::default()).map_err(|error| below::within(error, term))?)
    }

    fn admits(&self, constant: Constant) -> Result<(), Unsupported> {
        if self.0.has(constant) { Ok(()) } else { Err(self.0.lacks(constant)) }
    }

    fn operands(&self, arguments: &[Argument<Self>]) -> Box<[Code<U>]> {
        let operand = |argument: &Argument<Self>| match argument {
            Argument::Value(value) => value.clone(),
            Argument::Function { body, .. } => Code::new(Kind::Lambda(body.body.clone())),
        };
        arguments.iter().map(operand).collect()
    }
}

/// Adds its place to an operation, if one of its errors reports the place.
fn standing<U: Universe>(operation: Code<U>, constant: Constant, place: &Place) -> Code<U> {
    match constant {
        Constant::NaturalDifference => Code::new(Kind::Placed(operation, Arc::new(place.clone()))),
        _ => operation,
    }
}

impl<U: Universe> Model for Evaluator<U> {
    type Object = ();
    type Arrow = Code<U>;
    const NAME: &'static str = U::NAME;
    const CHOOSES_BY_TYPE: bool = true;

    fn universal(&self) -> Option<()> {
        Some(())
    }
    fn writes_out(&self, constant: Constant) -> bool {
        // a universe may compute vector operations itself; otherwise they are expanded into sums and products
        constant.follows_from_type() || constant.is_linear_algebra() && !self.0.has(constant)
    }
    fn real(&self) {}
    fn natural(&self) -> Result<(), Unsupported> {
        Ok(())
    }
    fn boolean(&self) -> Result<(), Unsupported> {
        Ok(())
    }
    fn product(&self, _: &[()]) {}
    fn exponential(&self, (): &(), (): &()) -> Result<(), Unsupported> {
        Ok(())
    }
    fn tangent(&self, (): &()) -> Result<(), Unsupported> {
        Ok(())
    }

    fn variable(&self, context: &[()], index: usize) -> Code<U> {
        // the model counts variables from the outermost, code from the innermost
        Code::new(Kind::Variable(context.len() - 1 - index))
    }
    fn compose(&self, _: &[()], parts: &[Code<U>], outer: &Code<U>) -> Code<U> {
        Code::new(match (parts, &outer.0.kind) {
            // a shared value is closed: weakening would only recompute the environment
            ([], Kind::Shared(..)) => return outer.clone(),
            _ => Kind::Compose(parts.into(), outer.clone()),
        })
    }
    fn bind(&self, _: &[()], value: &Code<U>, body: &Bound<Code<U>>) -> Code<U> {
        Code::new(Kind::Bind(value.clone(), body.body.clone()))
    }
    fn tuple(&self, _: &[()], parts: &[Code<U>]) -> Code<U> {
        Code::new(Kind::Tuple(parts.into()))
    }
    fn component(&self, _: &[()], tuple: &Code<U>, index: usize) -> Code<U> {
        Code::new(Kind::Component(tuple.clone(), index))
    }
    fn curry(&self, _: &[()], (): &(), (): &(), body: &Bound<Code<U>>) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Lambda(body.body.clone())))
    }
    fn apply(&self, _: &[()], function: &Code<U>, argument: &Code<U>) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Apply(function.clone(), argument.clone())))
    }
    fn case(
        &self,
        condition: &Code<U>,
        then: &Code<U>,
        otherwise: &Code<U>,
        choice: &Choice,
    ) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Case([condition, then, otherwise].map(Code::clone), Arc::new(choice.clone()))))
    }
    fn sum(&self, _: &Data, _: &[()]) -> Result<(), Unsupported> {
        Ok(())
    }
    fn list(&self, (): &()) -> Result<(), Unsupported> {
        Ok(())
    }
    fn inject(
        &self,
        _: &[()],
        _: &[()],
        (constructor, _): (&Constructor, &Ty),
        argument: &Code<U>,
    ) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Inject(constructor.index(), argument.clone())))
    }
    fn cases(
        &self,
        _: &[()],
        _: &[()],
        _: &Data,
        scrutinee: &Code<U>,
        branches: &[Bound<Code<U>>],
    ) -> Result<Code<U>, Unsupported> {
        let branches = branches.iter().map(|branch| branch.body.clone()).collect();
        Ok(Code::new(Kind::Cases(scrutinee.clone(), branches)))
    }
    fn roll(&self, _: &[()], layer: &Code<U>) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Roll(layer.clone())))
    }
    fn unroll(&self, _: &[()], list: &Code<U>) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Unroll(list.clone())))
    }
    fn recursion(&self, _: &[()], value: &Bound<Code<U>>, place: &Place) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Recursion(value.body.clone(), self.0.stands(place))))
    }
    fn side(&self, isomorphism: &Code<U>, forward: bool) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Side(isomorphism.clone(), forward)))
    }

    fn number(&self, _: &[()], value: &Rational) -> Code<U> {
        Code::new(Kind::Number(value.clone(), self.0.number(value)))
    }
    fn natural_number(&self, _: &[()], value: u64) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Value(Value::Natural(value))))
    }
    fn truth(&self, _: &[()], value: bool) -> Result<Code<U>, Unsupported> {
        Ok(Code::new(Kind::Value(Value::truth(value))))
    }
    fn constant(&self, _: &[()], constant: Constant, _: Option<&Ty>, place: &Place) -> Result<Code<U>, Unsupported> {
        self.admits(constant)?;
        let arity = constant.arity();
        // a constant as a value: η-expanded to a curried function around the saturated operation
        let arguments: Box<[_]> = (0..arity).rev().map(|index| Code::new(Kind::Variable(index))).collect();
        let mark = self.0.mark(constant, place, &arguments);
        let saturated = standing(Code::new(Kind::Operation(constant, mark, arguments)), constant, place);
        Ok((0..arity).fold(saturated, |body, _| Code::new(Kind::Lambda(body))))
    }
    fn operation(&self, application: &Application<'_, Self>) -> Result<Code<U>, Unsupported> {
        let Application { operator, arguments, place, .. } = *application;
        Ok(match operator {
            Operator::Constant(constant) => {
                self.admits(constant)?;
                let operands = self.operands(arguments);
                let operation = Kind::Operation(constant, self.0.mark(constant, place, &operands), operands);
                standing(Code::new(operation), constant, place)
            }
            Operator::To(constant) | Operator::From(constant) => {
                let isomorphism = self.constant(&[], constant, None, place)?;
                let side = self.side(&isomorphism, matches!(operator, Operator::To(_)))?;
                self.operands(arguments).iter().fold(side, |f, x| Code::new(Kind::Apply(f, x.clone())))
            }
        })
    }
    fn shared(&self, _: &Arc<Definition>, closed: &Code<U>) -> Code<U> {
        Code::new(Kind::Shared(closed.clone(), OnceLock::new()))
    }
}
