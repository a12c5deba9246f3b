//! The types of operators and of their arguments, in normal forms.
//!
//! A function that an operator takes is checked last: its domain follows from the type that is expected, or from the other
//! arguments.

use super::{Argument, Functor, InterpretError, Model, Operator, Place, bound};
use crate::stack::deep;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

impl<M: Model> Functor<'_, M> {
    /// The arguments of an operator, and the instance of its type: from the type that is expected, from arguments whose
    /// type is known, and last from functions, whose domain is known by then.
    pub(super) fn typed_operator(
        &mut self,
        operator: Operator,
        arguments: &[&Term],
        place: &Place,
        expected: Option<&Ty>,
    ) -> Result<(Vec<Argument<M>>, Ty), InterpretError> {
        let untyped = || InterpretError::Untyped { span: place.span };
        let scheme = match operator {
            Operator::Constant(c) => c.scheme(),
            Operator::To(c) | Operator::From(c) => c.scheme(),
        };
        let ty = match (operator, scheme.ty.kind()) {
            (Operator::To(_), TyKind::Iso(a, b)) => Ty::function(a.clone(), b.clone()),
            (Operator::From(_), TyKind::Iso(a, b)) => Ty::function(b.clone(), a.clone()),
            _ => scheme.ty.clone(),
        };
        let mut known = Instance::new(scheme.parameters.len());
        let (mut parameters, mut rest) = (Vec::new(), ty.clone());
        for _ in arguments {
            let TyKind::Function(domain, codomain) = rest.kind() else { return Err(untyped()) };
            parameters.push(domain.clone());
            rest = codomain.clone();
        }
        if let Some(expected) = expected {
            known.learn(&rest, expected);
        }
        let mut made: Vec<Option<Argument<M>>> = arguments.iter().map(|_| None).collect();
        let is_lambda = |term: &Term| matches!(term.kind(), TermKind::Lambda { .. });
        let order = (0..arguments.len()).filter(|&i| !is_lambda(arguments[i]));
        let order: Vec<_> = order.chain((0..arguments.len()).filter(|&i| is_lambda(arguments[i]))).collect();
        for i in order {
            made[i] = Some(match (arguments[i].kind(), parameters[i].kind()) {
                (TermKind::Lambda { name, body }, TyKind::Function(a, b)) => {
                    let domain = known.applied(a).ok_or_else(untyped)?;
                    let object = self.object(Some(&domain))?;
                    let wanted = known.applied(b);
                    let (body, found) = self.under(object.clone(), Some(domain), |f| f.arrow(body, wanted.as_ref()))?;
                    let found = found.or(wanted).ok_or_else(untyped)?;
                    known.learn(b, &found);
                    Argument::Function { domain: object, codomain: self.object(Some(&found))?, body: bound(name, body) }
                }
                _ => {
                    let wanted = known.applied(&parameters[i]);
                    let (arrow, found) = self.arrow(arguments[i], wanted.as_ref())?;
                    if let Some(found) = found {
                        known.learn(&parameters[i], &found);
                    }
                    Argument::Value(arrow)
                }
            });
        }
        let ty = known.applied(&ty).ok_or_else(untyped)?;
        Ok((made.into_iter().flatten().collect(), ty))
    }
}

/// What is known of the parameters of a scheme.
pub(super) struct Instance(Vec<Option<Ty>>);

impl Instance {
    /// Nothing is known of so many parameters.
    pub(super) fn new(parameters: usize) -> Self {
        Self(vec![None; parameters])
    }

    /// The parameters, as far as they are known.
    pub(super) fn types(self) -> Vec<Ty> {
        self.0.into_iter().map(|ty| ty.unwrap_or_else(Ty::unknown)).collect()
    }

    /// What follows for the parameters when a type with parameters is this type.
    pub(super) fn learn(&mut self, pattern: &Ty, found: &Ty) {
        deep(|| match (pattern.kind(), found.kind()) {
            (TyKind::Variable(index, _), _) => {
                if let Some(slot) = self.0.get_mut(*index) {
                    slot.get_or_insert_with(|| found.clone());
                }
            }
            (TyKind::Data(one, a), TyKind::Data(other, b)) if one == other => {
                a.iter().zip(b).for_each(|(a, b)| self.learn(a, b))
            }
            (TyKind::Tuple(a), TyKind::Tuple(b)) => a.iter().zip(b).for_each(|(a, b)| self.learn(a, b)),
            (TyKind::Function(a, b), TyKind::Function(c, d)) | (TyKind::Iso(a, b), TyKind::Iso(c, d)) => {
                self.learn(a, c);
                self.learn(b, d);
            }
            (TyKind::Tangent(a), TyKind::Tangent(b)) => self.learn(a, b),
            _ => {}
        });
    }

    /// The type with what is known for its parameters; `None` while one is missing.
    pub(super) fn applied(&self, pattern: &Ty) -> Option<Ty> {
        deep(|| {
            Some(Ty::new(match pattern.kind() {
                TyKind::Variable(index, _) => return self.0.get(*index)?.clone(),
                TyKind::Tuple(parts) => TyKind::Tuple(parts.iter().map(|p| self.applied(p)).collect::<Option<_>>()?),
                TyKind::Data(data, parts) => {
                    TyKind::Data(data.clone(), parts.iter().map(|p| self.applied(p)).collect::<Option<_>>()?)
                }
                TyKind::Function(a, b) => TyKind::Function(self.applied(a)?, self.applied(b)?),
                TyKind::Iso(a, b) => TyKind::Iso(self.applied(a)?, self.applied(b)?),
                TyKind::Tangent(a) => TyKind::Tangent(self.applied(a)?),
                _ => return Some(pattern.clone()),
            }))
        })
    }
}
