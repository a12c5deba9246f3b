//! Applications: the function with all its arguments at once, so that messages can count them.

use super::store::{ArenaNode, TypeRef};
use super::{Inference, cases};
use crate::syntax::surface::{Expression, ExpressionKind};
use crate::syntax::term::Term;
use crate::syntax::ty::Class;
use crate::syntax::type_error::{ArgumentOf, TypeError};

impl Inference<'_> {
    /// Infers `head a b c`.
    pub(super) fn infer_application(&mut self, whole: &Expression, expected: TypeRef) -> Result<Term, TypeError> {
        let mut head = whole;
        let mut arguments = Vec::new();
        while let ExpressionKind::Apply(function, argument) = &head.kind {
            arguments.push((&**argument, head.span));
            head = function;
        }
        arguments.reverse();
        let head_type = self.fresh_unknown(Class::ANY);
        let outside = self.in_do;
        // A name at the head of a sampling program resolves as in a `do`; its arguments do not.
        self.in_do |= self.is_sampling_type(expected);
        let head_term = self.check_expression(head, head_type);
        self.in_do = outside;
        let head_term = head_term?;
        let mut term = head_term.clone();
        let mut ty = head_type;
        for (number, &(argument, span)) in arguments.iter().enumerate() {
            let (domain, codomain) = match self.types.node_of(ty) {
                ArenaNode::Function(domain, codomain) => (domain, codomain),
                // The function's type is unknown: a parameter, for example. It becomes a function type of unknown
                // sides.
                ArenaNode::Unknown { class, .. } if class.is_open() => self.function_sides(ty, span)?,
                _ => return Err(self.not_applicable_error(head, head_type, ty, number, &arguments)),
            };
            let value = match self.check_expression(argument, domain) {
                Ok(value) => value,
                Err(error) => {
                    return Err(self
                        .locate_in_argument(error, argument, number, head, head_type)
                        .in_application(&head_term));
                }
            };
            let injected = if number == 0 { cases::apply_constructor(head, &term, &value, span) } else { None };
            term = injected.unwrap_or_else(|| Term::apply(term, value, span));
            ty = codomain;
        }
        self.unify(expected, ty, whole.span).map_err(|error| error.in_application(&head_term))?;
        Ok(term)
    }

    fn not_applicable_error(
        &mut self,
        head: &Expression,
        head_type: TypeRef,
        ty: TypeRef,
        number: usize,
        arguments: &[(&Expression, crate::syntax::source::Span)],
    ) -> TypeError {
        let function = self.source_excerpt(head.span);
        // No argument fitted: the head is no function. After some did, there are too many of them.
        if number == 0 {
            return TypeError::NotAFunction { function, ty: self.types.export_for_message(ty), span: head.span };
        }
        TypeError::TooManyArguments {
            function,
            ty: self.types.export_for_message(head_type),
            takes: number,
            given: arguments.len(),
            span: arguments[number].0.span,
        }
    }

    /// Adds the argument position to a mismatch at the argument itself. Other errors stay as they are.
    fn locate_in_argument(
        &mut self,
        mut error: TypeError,
        at: &Expression,
        number: usize,
        head: &Expression,
        head_type: TypeRef,
    ) -> TypeError {
        if let TypeError::Mismatch { argument: argument @ None, span, .. } = &mut error
            && *span == at.span
        {
            *argument = Some(ArgumentOf {
                number: number + 1,
                function: self.source_excerpt(head.span),
                ty: self.types.export_for_message(head_type),
            });
        }
        error
    }
}
