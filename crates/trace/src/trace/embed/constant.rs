//! Constants of the library's language, with all of their arguments.

use super::{
    Construct, Embedder, EmbeddingScope, Fragment, FragmentError, StaticValue, TypedCoreTerm, negate_componentwise,
    tuple_component,
};
use crate::function::{Function, SIGMOID};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::trace::operation::{OperationSymbol, formula_term};
use crate::trace::sugar;
use crate::trace::term::{CoreTerm, CoreTermKind, CoreVariable};
use crate::trace::ty::CoreTy;

impl Embedder {
    /// Translates a constant without arguments.
    pub(super) fn embed_constant(
        &mut self,
        constant: Constant,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<StaticValue, FragmentError> {
        match constant {
            Constant::Pi => {
                Ok(StaticValue::FirstOrder(CoreTerm::operation(OperationSymbol::Pi, CoreTerm::unit()), CoreTy::Real))
            }
            // e is no symbol of the core language, so it is exp 1.
            Constant::E => {
                let exp = OperationSymbol::Function(Function::Exp);
                Ok(StaticValue::FirstOrder(CoreTerm::operation(exp, CoreTerm::number(1)), CoreTy::Real))
            }
            constant if Fragment::Abadi.has_constant(constant) => Ok(StaticValue::Constant(constant, Vec::new())),
            constant => self.fail_unsupported(Construct::Constant(constant), setting, span),
        }
    }

    /// Applies a function to a new variable, as in the body of an `rd`. Returns the variable, and the body with its
    /// type.
    fn apply_to_variable(
        &mut self,
        function: &StaticValue,
        ty: &CoreTy,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<(CoreVariable, TypedCoreTerm), FragmentError> {
        let x = CoreVariable::fresh(&function.parameter_name());
        let body = self.wrap_pending(|e| {
            let found = e.apply_value(
                function.clone(),
                StaticValue::FirstOrder(CoreTerm::variable(&x), ty.clone()),
                setting,
                span,
            )?;
            e.require_first_order(found, setting, span)
        })?;
        Ok((x, body))
    }

    /// Binds a term that is used several times to a variable, unless it is a variable or a number.
    fn bind_composite(term: CoreTerm, ty: &CoreTy, body: impl FnOnce(CoreTerm) -> CoreTerm) -> CoreTerm {
        if let CoreTermKind::Variable(_) | CoreTermKind::Number(_) = term.kind() {
            return body(term);
        }
        let x = CoreVariable::fresh(&"v".into());
        let body = body(CoreTerm::variable(&x));
        CoreTerm::bind(&x, ty.clone(), term, body)
    }

    /// Translates a constant at all of its arguments.
    pub(super) fn apply_saturated(
        &mut self,
        constant: Constant,
        arguments: Vec<StaticValue>,
        setting: &EmbeddingScope,
        span: Span,
    ) -> Result<StaticValue, FragmentError> {
        let site = self.new_site(setting, span);
        let mut arguments = arguments.into_iter();
        // The arity of each constant says how many arguments there are, so none is missing.
        let mut next = || arguments.next().unwrap_or(StaticValue::Tuple(Vec::new()));
        if let Constant::Rd | Constant::Jvp | Constant::Deriv = constant {
            let (function, point) = (next(), next());
            let (point, t) = self.require_first_order(point, setting, span)?;
            let (x, (body, u)) = self.apply_to_variable(&function, &t, setting, span)?;
            let along = match constant {
                Constant::Deriv => CoreTerm::number(1),
                _ => {
                    let along = next();
                    self.require_first_order(along, setting, span)?.0
                }
            };
            // By reverse mode of reverse mode, since A has no forward derivative.
            return Ok(match constant {
                Constant::Jvp => StaticValue::FirstOrder(
                    sugar::forward_derivative(along, point, &x, [&t, &u], body).with_site(site),
                    u,
                ),
                _ => StaticValue::FirstOrder(sugar::reverse_derivative(along, point, &x, &t, body).with_site(site), t),
            });
        }
        if let Constant::Fst | Constant::Snd = constant {
            let index = usize::from(constant == Constant::Snd);
            return match next() {
                StaticValue::Tuple(mut parts) if parts.len() == 2 => {
                    let part = parts.swap_remove(index);
                    self.keep_evaluated(parts);
                    Ok(part)
                }
                pair => {
                    let (pair, ty) = self.require_first_order(pair, setting, span)?;
                    Ok(tuple_component(pair, ty, index, 2))
                }
            };
        }
        let unary = |operation: OperationSymbol, a: CoreTerm| CoreTerm::operation(operation, a).with_site(site);
        let binary = |operation: OperationSymbol, a: CoreTerm, b: CoreTerm| {
            CoreTerm::binary_operation(operation, a, b).with_site(site)
        };
        let (a, ty) = {
            let a = next();
            self.require_first_order(a, setting, span)?
        };
        let mut second = |e: &mut Self| {
            let b = next();
            e.require_first_order(b, setting, span).map(|(b, _)| b)
        };
        let term = match constant {
            Constant::Add => sugar::sum_of_type(&ty, a, second(self)?),
            Constant::Subtract => {
                let of_reals = |a: CoreTerm, b: CoreTerm| binary(OperationSymbol::Subtract, a, b);
                sugar::apply_componentwise(&ty, a, second(self)?, &of_reals)
            }
            Constant::Negate => negate_componentwise(&ty, a),
            Constant::Multiply => binary(OperationSymbol::Multiply, a, second(self)?),
            Constant::Divide => binary(OperationSymbol::Divide, a, second(self)?),
            Constant::Power | Constant::RealPower => {
                // Only an exponent that is a literal has the rule of x^q, which holds for x < 0 too; any other is a
                // function of reals.
                let exponent = second(self)?;
                match literal_rational(&exponent).filter(|_| constant == Constant::Power) {
                    Some(q) => unary(OperationSymbol::Power(q), a),
                    // x^y = exp (y log x), for x > 0
                    None => {
                        let log = unary(OperationSymbol::Function(Function::Log), a);
                        let product = binary(OperationSymbol::Multiply, exponent, log);
                        unary(OperationSymbol::Function(Function::Exp), product)
                    }
                }
            }
            Constant::Elementary(f) => unary(OperationSymbol::Function(f), a),
            Constant::Planar(f) => binary(OperationSymbol::BinaryFunction(f), a, second(self)?),
            Constant::Sigmoid => Self::bind_composite(a, &ty, |a| formula_term(&SIGMOID, &[a], &CoreTerm::unit())),
            Constant::Abs => Self::bind_composite(a, &ty, |a| {
                CoreTerm::if_less(a.clone(), CoreTerm::number(0), unary(OperationSymbol::Negate, a.clone()), a)
                    .with_site(site)
            }),
            Constant::Signum => Self::bind_composite(a, &ty, |a| {
                CoreTerm::if_less(a, CoreTerm::number(0), CoreTerm::number(-1), CoreTerm::number(1)).with_site(site)
            }),
            Constant::Max | Constant::Min => {
                let b = second(self)?;
                Self::bind_composite(a, &CoreTy::Real, |a| {
                    Self::bind_composite(b, &CoreTy::Real, |b| {
                        let (less, greater) = (a.clone(), b.clone());
                        let branches = if constant == Constant::Max { [greater, less] } else { [less, greater] };
                        let [then, otherwise] = branches;
                        CoreTerm::if_less(a, b, then, otherwise).with_site(site)
                    })
                })
            }
            constant if constant == Constant::Not || constant.compares_reals() && !constant.equates_reals() => {
                return self.fail_unsupported(Construct::TruthValue, setting, span);
            }
            constant => return self.fail_unsupported(Construct::Constant(constant), setting, span),
        };
        Ok(StaticValue::FirstOrder(term, ty))
    }
}

/// Returns the rational number of a literal, of its negation, or of a quotient of such. `None` for other terms.
fn literal_rational(term: &CoreTerm) -> Option<Rational> {
    match term.kind() {
        CoreTermKind::Number(q) => Some(q.clone()),
        CoreTermKind::Operation(OperationSymbol::Negate, a) => Some(-literal_rational(a)?),
        CoreTermKind::Operation(OperationSymbol::Divide, pair) => match pair.kind() {
            CoreTermKind::Pair(_, _, a, b) => {
                let b = literal_rational(b)?;
                if b == 0 { None } else { Some(literal_rational(a)? / b) }
            }
            _ => None,
        },
        _ => None,
    }
}
