//! 𝒟 of a constant at all its arguments (H §3.2, §5.1).

use super::{Code, Lifted, Taylor};
use crate::function::Functional;
use crate::meaning::taylor::block::{call, term, variable};
use crate::meaning::taylor::partial::Operation;
use crate::model::{Model, Unsupported};
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};

impl Taylor {
    /// Builds `λx. λn.` the product of n factors x, where each multiplication is one of jets.
    fn natural_power(&self) -> Term {
        let [power, x, n]: [Name; 3] = ["power", "x", "n"].map(Name::from);
        let (real, natural) = (self.ty(&Ty::real()), Ty::new(TyKind::Nat));
        let number = |n| term(TermKind::Nat(n));
        let apply = |function: Term, arguments: [Term; 2]| {
            arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
        };
        let less = call(Constant::Subtract, [variable(0, &n), number(1)]);
        let rest = apply(variable(2, &power), [variable(1, &x), less]);
        let times = self.lifted(Lifted::Operation(Operation::Constant(Constant::Multiply)));
        let body = term(TermKind::If {
            condition: call(Constant::Equal, [variable(0, &n), number(0)]),
            then: self.still(term(TermKind::Real(1.into()))),
            otherwise: apply(times, [variable(1, &x), rest]),
        });
        let value = Term::lambda(n, natural, body, Span::default());
        let value = Term::lambda(x, real, value, Span::default());
        let body = variable(0, &power);
        term(TermKind::LetRec { name: power, value, body })
    }

    /// Returns the image of a constant applied to all its arguments.
    pub(super) fn constant_at(&self, constant: Constant, arguments: &[Code]) -> Result<Term, Unsupported> {
        let terms = || arguments.iter().map(|argument| argument.term.clone());
        let at = |function: Term| terms().fold(function, |f, x| Term::apply(f, x, Span::default()));
        let in_pieces = |arguments: &[Term], smooth: Option<&Term>| {
            self.hooks.in_pieces(constant, arguments, self.basis.len(), smooth)
        };
        Ok(match constant {
            // Linear operations already act on tuples componentwise; operations on discrete data are kept.
            Constant::Add | Constant::Subtract | Constant::Negate => call(constant, terms()),
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
            | Constant::Snd => call(constant, terms()),
            Constant::ToReal => self.still(call(constant, terms())),
            Constant::Pi | Constant::E => self.still(call(constant, [])),
            Constant::Power | Constant::NaturalPower => match &arguments[1].constant {
                Some(q) => {
                    let power = self.lifted(Lifted::Operation(Operation::Power(self.hooks.power(q.clone()))));
                    let base = arguments[0].term.clone();
                    // whole powers are analytic, and negative ones are undefined at 0: neither needs a rule for pieces
                    let has_edge = *q.denom() != 1 && *q > 0;
                    let pieces = has_edge.then(|| in_pieces(std::slice::from_ref(&base), Some(&power))).flatten();
                    pieces.unwrap_or_else(|| Term::apply(power, base, Span::default()))
                }
                // an unknown natural exponent: repeated multiplication, which unlike exp (n · log x) is defined for x ≤ 0
                None if constant == Constant::NaturalPower => at(self.natural_power()),
                None => at(self.lifted(Lifted::Operation(Operation::Constant(Constant::RealPower)))),
            },
            Constant::RealPower => at(self.lifted(Lifted::Operation(Operation::Constant(constant)))),
            Constant::Polygamma => at(self.lifted(Lifted::Operation(Operation::Polygamma))),
            Constant::Deriv => at(self.lifted(Lifted::Derivative)),
            Constant::Functional(Functional::Integral) => at(self.lifted(Lifted::Integral)),
            _ => {
                let smooth = Operation::of(constant).map(|operation| self.lifted(Lifted::Operation(operation)));
                let arguments: Vec<Term> = terms().collect();
                match (in_pieces(&arguments, smooth.as_ref()), smooth) {
                    (Some(pieces), _) => pieces,
                    (None, Some(smooth)) => at(smooth),
                    (None, None) => return Err(self.lacks(constant.lacking())),
                }
            }
        })
    }
}
