//! Printing of types.

use crate::stack::with_stack;
use crate::syntax::ty::{Scheme, Ty, TyKind};
use std::fmt::{self, Write};

/// The precedence that a position requires of a type, from the loosest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TypePrecedence {
    Whole,
    Arrow,
    Product,
    Factor,
    Argument,
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_type(self, TypePrecedence::Whole, f)
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.ty, f)
    }
}

/// A type to be printed as an argument: in parentheses unless it is one word.
#[doc(hidden)]
pub struct TypeArgument<'t>(&'t Ty);

impl fmt::Display for TypeArgument<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print_type(self.0, TypePrecedence::Argument, f)
    }
}

impl Ty {
    /// Returns the type for printing as an argument.
    #[doc(hidden)]
    pub fn as_argument(&self) -> TypeArgument<'_> {
        TypeArgument(self)
    }
}

fn print_type(ty: &Ty, place: TypePrecedence, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let own = match ty.kind() {
        // `A^n` binds tighter than `A * B`.
        TyKind::Tuple(parts) => {
            if repeated_component(parts).is_some() {
                TypePrecedence::Factor
            } else {
                TypePrecedence::Product
            }
        }
        TyKind::Function(..) => TypePrecedence::Arrow,
        TyKind::Tangent(_) => TypePrecedence::Factor,
        TyKind::Data(_, arguments) if !arguments.is_empty() => TypePrecedence::Factor,
        TyKind::Iso(..) => TypePrecedence::Whole,
        _ => TypePrecedence::Argument,
    };
    with_stack(|| {
        if own >= place {
            return print_bare_type(ty, f);
        }
        f.write_char('(')?;
        print_bare_type(ty, f)?;
        f.write_char(')')
    })
}

fn print_bare_type(ty: &Ty, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match ty.kind() {
        TyKind::Variable(_, name) => f.write_str(name),
        TyKind::Real => f.write_str("Real"),
        TyKind::Nat => f.write_str("Nat"),
        TyKind::Bool => f.write_str("Bool"),
        TyKind::Unit => f.write_str("unit"),
        TyKind::Tuple(parts) => {
            if let Some(part) = repeated_component(parts) {
                print_type(part, TypePrecedence::Argument, f)?;
                return write!(f, "^{}", parts.len());
            }
            for (number, part) in parts.iter().enumerate() {
                if number > 0 {
                    f.write_str(" * ")?;
                }
                print_type(part, TypePrecedence::Factor, f)?;
            }
            Ok(())
        }
        TyKind::Function(domain, codomain) => {
            // Arrows associate to the right: a function in the domain needs parentheses.
            print_type(domain, TypePrecedence::Product, f)?;
            f.write_str(" -> ")?;
            print_type(codomain, TypePrecedence::Arrow, f)
        }
        TyKind::Tangent(inner) => {
            f.write_str("Tan ")?;
            print_type(inner, TypePrecedence::Argument, f)
        }
        TyKind::Data(data, arguments) => {
            f.write_str(data.name())?;
            arguments.iter().try_for_each(|argument| {
                f.write_char(' ')?;
                print_type(argument, TypePrecedence::Argument, f)
            })
        }
        TyKind::Iso(left, right) => {
            print_type(left, TypePrecedence::Arrow, f)?;
            f.write_str(" ~= ")?;
            print_type(right, TypePrecedence::Arrow, f)
        }
    }
}

/// Returns the component of a tuple of equal components. `None` if they differ.
fn repeated_component(parts: &[Ty]) -> Option<&Ty> {
    let first = parts.first()?;
    parts.iter().all(|part| part == first).then_some(first)
}
