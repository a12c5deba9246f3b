//! Functions f ∈ Arr(AD), by name: what stands between ⌊ and ⌋ (S Fig. 3).

use super::ty::Type;
use smoothish::number::Rational;
use smoothish::syntax::constant::Constant;
use smoothish::syntax::error;
use smoothish::syntax::ty::{Class, TyKind};
use std::fmt;
use thiserror::Error;

/// An arrow of AD, ⟦τ₁⟧ ⇝ ⟦τ₂⟧.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    kind: ArrowKind,
    domain: Type,
    codomain: Type,
}

/// Which arrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArrowKind {
    /// A number, ∗ ⇝ ⌊ℝ⌋.
    Number(Rational),
    /// A constant of the language on real numbers: ∗, ⌊ℝ⌋ or ⌊ℝ⌋ × ⌊ℝ⌋ to ⌊ℝ⌋.
    Operation(Constant),
    /// x ↦ x^(p/q), ⌊ℝ⌋ ⇝ ⌊ℝ⌋.
    Power(Rational),
    /// fst : τ₁ × τ₂ ⇝ τ₁
    First,
    /// snd : τ₁ × τ₂ ⇝ τ₂
    Second,
    /// The identity, between two types that denote the same object.
    Identity,
    /// A linear map ⌊ℝⁿ⌋ ⇝ ⌊ℝᵐ⌋, by the m rows of its matrix.
    Linear(Vec<Vec<Rational>>),
}

/// An arrow that there is not.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArrowError {
    /// A constant that is no map between spaces of real numbers.
    #[error("`{}` is no arrow ℝⁿ ⇝ ℝ: its type is {}; take a constant on real numbers, such as `sin` or `max`", constant.name(), constant.scheme())]
    NotFirstOrder {
        /// The constant.
        constant: Constant,
    },
    /// The two types of an identity denote different objects.
    #[error("there is no identity from {domain}, which denotes ℝ^{}, to {codomain}, which denotes ℝ^{}", domain.dimension(), codomain.dimension())]
    NotTheSameObject {
        /// The first type.
        domain: Type,
        /// The second.
        codomain: Type,
    },
    /// A row of a matrix that does not fit.
    #[error("row {row} (counted from 0) of the matrix has {found} entries where {expected} were expected")]
    Row {
        /// Which row.
        row: usize,
        /// How many entries a row has.
        expected: usize,
        /// How many this one has.
        found: usize,
    },
    /// An exponent that is too large.
    #[error("the exponent {exponent} is too large: numerator and denominator may be at most {}", error::POWER)]
    Exponent {
        /// The exponent.
        exponent: Box<Rational>,
    },
}

impl Arrow {
    /// A number, as an arrow ∗ ⇝ ⌊ℝ⌋.
    #[must_use]
    pub fn number(value: impl Into<Rational>) -> Arrow {
        Arrow { kind: ArrowKind::Number(value.into()), domain: Type::unit(), codomain: Type::real() }
    }

    /// A constant of the language that takes real numbers to a real number.
    ///
    /// # Errors
    /// [`ArrowError::NotFirstOrder`]. Powers, which want a constant exponent, are [`Arrow::power`].
    pub fn operation(constant: Constant) -> Result<Arrow, ArrowError> {
        if constant == Constant::Power || constant.is_linear_algebra() || !is_first_order(constant) {
            return Err(ArrowError::NotFirstOrder { constant });
        }
        let domain = match constant.arity() {
            0 => Type::unit(),
            1 => Type::real(),
            _ => Type::product(&Type::real(), &Type::real()),
        };
        Ok(Arrow { kind: ArrowKind::Operation(constant), domain, codomain: Type::real() })
    }

    /// x ↦ x^(p/q): q odd on all of ℝ, q even for x ≥ 0.
    ///
    /// # Errors
    /// [`ArrowError::Exponent`] beyond [`error::POWER`].
    pub fn power(exponent: impl Into<Rational>) -> Result<Arrow, ArrowError> {
        let exponent = exponent.into();
        let fits = exponent.numer().clone().abs() <= error::POWER && *exponent.denom() <= error::POWER;
        if !fits {
            return Err(ArrowError::Exponent { exponent: Box::new(exponent) });
        }
        Ok(Arrow { kind: ArrowKind::Power(exponent), domain: Type::real(), codomain: Type::real() })
    }

    /// fst : τ₁ × τ₂ ⇝ τ₁
    #[must_use]
    pub fn first(first: &Type, second: &Type) -> Arrow {
        Arrow { kind: ArrowKind::First, domain: Type::product(first, second), codomain: first.clone() }
    }

    /// snd : τ₁ × τ₂ ⇝ τ₂
    #[must_use]
    pub fn second(first: &Type, second: &Type) -> Arrow {
        Arrow { kind: ArrowKind::Second, domain: Type::product(first, second), codomain: second.clone() }
    }

    /// id, from a type to another that denotes the same object: ⌊ℝ²⌋ to ⌊ℝ⌋ × ⌊ℝ⌋.
    ///
    /// # Errors
    /// [`ArrowError::NotTheSameObject`]
    pub fn identity(domain: &Type, codomain: &Type) -> Result<Arrow, ArrowError> {
        if domain.dimension() != codomain.dimension() {
            return Err(ArrowError::NotTheSameObject { domain: domain.clone(), codomain: codomain.clone() });
        }
        Ok(Arrow { kind: ArrowKind::Identity, domain: domain.clone(), codomain: codomain.clone() })
    }

    /// The linear map ℝⁿ ⇝ ℝᵐ with these m rows of n entries.
    ///
    /// # Errors
    /// [`ArrowError::Row`]
    pub fn linear(inputs: usize, rows: Vec<Vec<Rational>>) -> Result<Arrow, ArrowError> {
        if let Some((row, entries)) = rows.iter().enumerate().find(|(_, entries)| entries.len() != inputs) {
            return Err(ArrowError::Row { row, expected: inputs, found: entries.len() });
        }
        let (domain, codomain) = (Type::space(inputs), Type::space(rows.len()));
        Ok(Arrow { kind: ArrowKind::Linear(rows), domain, codomain })
    }

    /// Which arrow it is.
    #[must_use]
    pub fn kind(&self) -> &ArrowKind {
        &self.kind
    }

    /// A type that denotes the domain.
    #[must_use]
    pub fn domain(&self) -> &Type {
        &self.domain
    }

    /// The type τ₂ of ⌊f⌋(e).
    #[must_use]
    pub fn codomain(&self) -> &Type {
        &self.codomain
    }
}

/// Whether a constant takes real numbers to a real number, at some instance of its type.
fn is_first_order(constant: Constant) -> bool {
    let scheme = constant.scheme();
    let numeric = scheme.parameters.iter().all(|(_, class)| *class != Class::ANY);
    let mut ty = &scheme.ty;
    let is_real = |ty: &smoothish::syntax::ty::Ty| matches!(ty.kind(), TyKind::Real | TyKind::Variable(..));
    while let TyKind::Function(domain, codomain) = ty.kind() {
        if !is_real(domain) {
            return false;
        }
        ty = codomain;
    }
    numeric && is_real(ty)
}

/// What stands between ⌊ and ⌋.
impl fmt::Display for Arrow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ArrowKind::Number(value) => write!(f, "{value}"),
            ArrowKind::Operation(constant) => f.write_str(infix(*constant).unwrap_or(constant.name())),
            ArrowKind::Power(exponent) => write!(f, "^({exponent})"),
            ArrowKind::First => f.write_str("fst"),
            ArrowKind::Second => f.write_str("snd"),
            ArrowKind::Identity => f.write_str("id"),
            ArrowKind::Linear(rows) => {
                f.write_str("linear[")?;
                for (i, row) in rows.iter().enumerate() {
                    let entries: Vec<String> = row.iter().map(Rational::to_string).collect();
                    write!(f, "{}{}", if i == 0 { "" } else { "; " }, entries.join(" "))?;
                }
                f.write_str("]")
            }
        }
    }
}

/// The sign between the operands of an operator.
pub(super) fn infix(constant: Constant) -> Option<&'static str> {
    match constant {
        Constant::Add => Some("+"),
        Constant::Subtract => Some("−"),
        Constant::Multiply => Some("×"),
        Constant::Divide => Some("÷"),
        _ => None,
    }
}
