//! 𝒟 of a constant at all its arguments (H §3.2, §5.1).

use super::{LiftedOperation, Taylor, TaylorTerm};
use crate::function::Functional;
use crate::meaning::taylor::block::{apply_constant_term, term_without_source, variable_term};
use crate::meaning::taylor::partial::SmoothOperation;
use crate::model::{Model, Unsupported};
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

impl Taylor {
    /// Builds `λx. λn.` the product of n factors x, where each multiplication is one of jets.
    fn natural_power_function(&self) -> Term {
        let [power, x, n]: [Name; 3] = ["power", "x", "n"].map(Name::from);
        let (real, natural) = (self.derive_type(&Ty::real()), Ty::new(TyKind::Nat));
        let number = |n| term_without_source(TermKind::Nat(n));
        let apply = |function: Term, arguments: [Term; 2]| {
            arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
        };
        let less = apply_constant_term(Constant::Subtract, [variable_term(0, &n), number(1)]);
        let rest = apply(variable_term(2, &power), [variable_term(1, &x), less]);
        let times = self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(Constant::Multiply)));
        let body = term_without_source(TermKind::If {
            condition: apply_constant_term(Constant::Equal, [variable_term(0, &n), number(0)]),
            then: self.constant_jet(term_without_source(TermKind::Real(1.into()))),
            otherwise: apply(times, [variable_term(1, &x), rest]),
        });
        let value = Term::lambda(n, natural, body, Span::default());
        let value = Term::lambda(x, real, value, Span::default());
        let body = variable_term(0, &power);
        term_without_source(TermKind::LetRec { name: power, value, body })
    }

    /// Returns the image of a constant applied to all its arguments.
    pub(super) fn derive_constant(&self, constant: Constant, arguments: &[TaylorTerm]) -> Result<Term, Unsupported> {
        let terms = || arguments.iter().map(|argument| argument.term.clone());
        let at = |function: Term| terms().fold(function, |f, x| Term::apply(f, x, Span::default()));
        let in_pieces = |arguments: &[Term], smooth: Option<&Term>| {
            self.hooks.lift_piecewise(constant, arguments, self.basis.len(), smooth)
        };
        Ok(match constant {
            // Linear operations already act on tuples componentwise; operations on discrete data are kept.
            Constant::Add | Constant::Subtract | Constant::Negate => apply_constant_term(constant, terms()),
            Constant::NaturalProduct
            | Constant::NaturalDifference
            | Constant::Equal
            | Constant::NotEqual
            | Constant::Less
            | Constant::LessEqual
            | Constant::Greater
            | Constant::GreaterEqual
            | Constant::Not
            | Constant::Fold
            | Constant::Fst
            | Constant::Snd => apply_constant_term(constant, terms()),
            Constant::ToReal => self.constant_jet(apply_constant_term(constant, terms())),
            Constant::Pi | Constant::E => self.constant_jet(apply_constant_term(constant, [])),
            Constant::Power | Constant::NaturalPower => {
                match &arguments[1].constant {
                    Some(q) => {
                        let power = self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Power(
                            self.hooks.known_exponent(q.clone()),
                        )));
                        let base = arguments[0].term.clone();
                        // whole powers are analytic, and negative ones are undefined at 0: neither needs a rule for pieces
                        let has_edge = *q.denom() != 1 && *q > 0;
                        let pieces = has_edge.then(|| in_pieces(std::slice::from_ref(&base), Some(&power))).flatten();
                        pieces.unwrap_or_else(|| Term::apply(power, base, Span::default()))
                    }
                    // an unknown natural exponent: repeated multiplication, which unlike exp (n · log x) is defined for x ≤ 0
                    None if constant == Constant::NaturalPower => at(self.natural_power_function()),
                    None => at(self
                        .lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(Constant::RealPower)))),
                }
            }
            Constant::RealPower => {
                at(self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Constant(constant))))
            }
            Constant::Polygamma => at(self.lifted_definition(LiftedOperation::Operation(SmoothOperation::Polygamma))),
            Constant::Deriv => at(self.lifted_definition(LiftedOperation::Derivative)),
            Constant::Functional(Functional::Integral) => at(self.lifted_definition(LiftedOperation::Integral)),
            _ => {
                let smooth = SmoothOperation::of_constant(constant)
                    .map(|operation| self.lifted_definition(LiftedOperation::Operation(operation)));
                let arguments: Vec<Term> = terms().collect();
                match (in_pieces(&arguments, smooth.as_ref()), smooth) {
                    (Some(pieces), _) => pieces,
                    (None, Some(smooth)) => at(smooth),
                    (None, None) => return Err(self.unsupported_error(constant.describe_missing())),
                }
            }
        })
    }
}
