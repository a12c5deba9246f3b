//! Constants of the library's language, with all of their arguments.

use super::{Construct, Core, Embedder, Fragment, FragmentError, Setting, Static, component, negative};
use crate::function::{Function, SIGMOID};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::trace::operation::{Operation, formula};
use crate::trace::sugar;
use crate::trace::term::{Term, TermKind, Variable};
use crate::trace::ty::Ty;

impl Embedder {
    /// Translates a constant without arguments.
    pub(super) fn constant(
        &mut self,
        constant: Constant,
        setting: &Setting,
        span: Span,
    ) -> Result<Static, FragmentError> {
        match constant {
            Constant::Pi => Ok(Static::Core(Term::operation(Operation::Pi, Term::unit()), Ty::Real)),
            // e is no symbol of the core language, so it is exp 1.
            Constant::E => {
                let exp = Operation::Function(Function::Exp);
                Ok(Static::Core(Term::operation(exp, Term::number(1)), Ty::Real))
            }
            constant if Fragment::Abadi.has(constant) => Ok(Static::Constant(constant, Vec::new())),
            constant => self.lacks(Construct::Constant(constant), setting, span),
        }
    }

    /// Applies a function to a new variable, as in the body of an `rd`. Returns the variable, and the body with its
    /// type.
    fn at_variable(
        &mut self,
        function: &Static,
        ty: &Ty,
        setting: &Setting,
        span: Span,
    ) -> Result<(Variable, Core), FragmentError> {
        let x = Variable::fresh(&function.parameter_name());
        let body = self.within(|e| {
            let found = e.apply(function.clone(), Static::Core(Term::variable(&x), ty.clone()), setting, span)?;
            e.core(found, setting, span)
        })?;
        Ok((x, body))
    }

    /// Binds a term that is used several times to a variable, unless it is a variable or a number.
    fn named(term: Term, ty: &Ty, body: impl FnOnce(Term) -> Term) -> Term {
        if let TermKind::Variable(_) | TermKind::Number(_) = term.kind() {
            return body(term);
        }
        let x = Variable::fresh(&"v".into());
        let body = body(Term::variable(&x));
        Term::bind(&x, ty.clone(), term, body)
    }

    /// Translates a constant at all of its arguments.
    pub(super) fn saturated(
        &mut self,
        constant: Constant,
        arguments: Vec<Static>,
        setting: &Setting,
        span: Span,
    ) -> Result<Static, FragmentError> {
        let site = self.site(setting, span);
        let mut arguments = arguments.into_iter();
        // The arity of each constant says how many arguments there are, so none is missing.
        let mut next = || arguments.next().unwrap_or(Static::Tuple(Vec::new()));
        if let Constant::Rd | Constant::Jvp | Constant::Deriv = constant {
            let (function, point) = (next(), next());
            let (point, t) = self.core(point, setting, span)?;
            let (x, (body, u)) = self.at_variable(&function, &t, setting, span)?;
            let along = match constant {
                Constant::Deriv => Term::number(1),
                _ => {
                    let along = next();
                    self.core(along, setting, span)?.0
                }
            };
            // By reverse mode of reverse mode, since A has no forward derivative.
            return Ok(match constant {
                Constant::Jvp => Static::Core(sugar::forward(along, point, &x, [&t, &u], body).at(site), u),
                _ => Static::Core(sugar::reverse(along, point, &x, &t, body).at(site), t),
            });
        }
        if let Constant::Fst | Constant::Snd = constant {
            let index = usize::from(constant == Constant::Snd);
            return match next() {
                Static::Tuple(mut parts) if parts.len() == 2 => {
                    let part = parts.swap_remove(index);
                    self.evaluated(parts);
                    Ok(part)
                }
                pair => {
                    let (pair, ty) = self.core(pair, setting, span)?;
                    Ok(component(pair, ty, index, 2))
                }
            };
        }
        let unary = |operation: Operation, a: Term| Term::operation(operation, a).at(site);
        let binary = |operation: Operation, a: Term, b: Term| Term::binary(operation, a, b).at(site);
        let (a, ty) = {
            let a = next();
            self.core(a, setting, span)?
        };
        let mut second = |e: &mut Self| {
            let b = next();
            e.core(b, setting, span).map(|(b, _)| b)
        };
        let term = match constant {
            Constant::Add => sugar::sum(&ty, a, second(self)?),
            Constant::Subtract => {
                let of_reals = |a: Term, b: Term| binary(Operation::Subtract, a, b);
                sugar::componentwise(&ty, a, second(self)?, &of_reals)
            }
            Constant::Negate => negative(&ty, a),
            Constant::Multiply => binary(Operation::Multiply, a, second(self)?),
            Constant::Divide => binary(Operation::Divide, a, second(self)?),
            Constant::Power | Constant::RealPower => {
                // Only an exponent that is a literal has the rule of x^q, which holds for x < 0 too; any other is a
                // function of reals.
                let exponent = second(self)?;
                match rational(&exponent).filter(|_| constant == Constant::Power) {
                    Some(q) => unary(Operation::Power(q), a),
                    // x^y = exp (y log x), for x > 0
                    None => {
                        let log = unary(Operation::Function(Function::Log), a);
                        let product = binary(Operation::Multiply, exponent, log);
                        unary(Operation::Function(Function::Exp), product)
                    }
                }
            }
            Constant::Elementary(f) => unary(Operation::Function(f), a),
            Constant::Planar(f) => binary(Operation::Planar(f), a, second(self)?),
            Constant::Sigmoid => Self::named(a, &ty, |a| formula(&SIGMOID, &[a], &Term::unit())),
            Constant::Abs => Self::named(a, &ty, |a| {
                Term::if_less(a.clone(), Term::number(0), unary(Operation::Negate, a.clone()), a).at(site)
            }),
            Constant::Signum => {
                Self::named(a, &ty, |a| Term::if_less(a, Term::number(0), Term::number(-1), Term::number(1)).at(site))
            }
            Constant::Max | Constant::Min => {
                let b = second(self)?;
                Self::named(a, &Ty::Real, |a| {
                    Self::named(b, &Ty::Real, |b| {
                        let (less, greater) = (a.clone(), b.clone());
                        let branches = if constant == Constant::Max { [greater, less] } else { [less, greater] };
                        let [then, otherwise] = branches;
                        Term::if_less(a, b, then, otherwise).at(site)
                    })
                })
            }
            constant if constant == Constant::Not || constant.compares_reals() && !constant.equates_reals() => {
                return self.lacks(Construct::Truth, setting, span);
            }
            constant => return self.lacks(Construct::Constant(constant), setting, span),
        };
        Ok(Static::Core(term, ty))
    }
}

/// Returns the rational number of a literal, of its negation, or of a quotient of such. `None` for other terms.
fn rational(term: &Term) -> Option<Rational> {
    match term.kind() {
        TermKind::Number(q) => Some(q.clone()),
        TermKind::Operation(Operation::Negate, a) => Some(-rational(a)?),
        TermKind::Operation(Operation::Divide, pair) => match pair.kind() {
            TermKind::Pair(_, _, a, b) => {
                let b = rational(b)?;
                if b == 0 { None } else { Some(rational(a)? / b) }
            }
            _ => None,
        },
        _ => None,
    }
}
