//! The special functions by name. Everything else about one is in its [file](crate::number::special).
//!
//! A special function is a sequence: a first function, and its derivatives of every order. No formula of elementary functions
//! gives these derivatives, so each is a [`Function::Special`] with its order. Some members have names of their own; the language
//! has the others as a constant of the order, such as `polygamma n`.

use super::Function;

/// The constant of the language that gives the derivatives of a special function by their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DerivativeFamily {
    /// The name of the constant.
    pub name: &'static str,
    /// A line of help.
    pub summary: &'static str,
    /// The order in the sequence of the member that the constant has at 0.
    pub first: u16,
}

/// Hands the special functions to a macro: the identifier, the type in [`crate::number::special`] that implements it, the name of
/// the constant of its derivatives in Rust, and the members with names: a constant of [`Function`], a name in Rust, and the order.
#[doc(hidden)]
#[macro_export]
macro_rules! special_functions {
    ($then:ident) => {
        $then! {
            Gamma gamma::Gamma polygamma { LOG_GAMMA lgamma 0, DIGAMMA digamma 1, }
            BesselJ0 bessel::BesselJ::<0> bessel_j0_derivative { BESSEL_J0 bessel_j0 0, }
            BesselJ1 bessel::BesselJ::<1> bessel_j1_derivative { BESSEL_J1 bessel_j1 0, }
            BesselK0 bessel_k::BesselK0 bessel_k0_derivative { BESSEL_K0 bessel_k0 0, }
            AiryAi airy::AiryAi airy_ai_derivative { AIRY_AI airy_ai 0, }
            SinIntegral sine_integral::SinIntegral sin_integral_derivative { SIN_INTEGRAL sin_integral 0, }
            ExpIntegralE1 exponential_integral::ExpIntegralE1 exp_integral_e1_derivative { EXP_INTEGRAL_E1 exp_integral_e1 0, }
            LambertW lambert_w::LambertW lambert_w_derivative { LAMBERT_W lambert_w 0, }
        }
    };
}
pub use special_functions;

macro_rules! declare {
    ($($id:ident $module:ident::$implementation:ident $(::<$n:literal>)? $family:ident { $($constant:ident $name:ident $order:literal,)* })*) => {
        /// A special function with its derivatives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum SpecialId {
            $(#[doc = concat!("The sequence of derivatives with the members", $(" `", stringify!($name), "`",)* ".")] $id,)*
        }

        impl SpecialId {
            /// All special functions, in the order of the help.
            pub const ALL: &'static [Self] = &[$(Self::$id),*];
        }

        impl Function {
            $($(#[doc = concat!("The special function `", stringify!($name), "`.")]
            pub const $constant: Self = Self::Special(SpecialId::$id, $order);)*)*

            /// The members of special functions with names of their own, in the order of the help.
            pub const NAMED_SPECIAL: &'static [Self] = &[$($(Self::$constant,)*)*];
        }
    };
}

special_functions!(declare);

impl SpecialId {
    /// The greatest order that a program may ask for. Derivatives may be of higher order.
    pub const HIGHEST_ORDER: u16 = 1000;

    /// Returns the member that the language has under an order; `None` above [`HIGHEST_ORDER`](Self::HIGHEST_ORDER).
    #[must_use]
    pub fn member(self, order: u64) -> Option<Function> {
        let order = u16::try_from(order).ok().filter(|order| *order <= Self::HIGHEST_ORDER)?;
        Some(Function::Special(self, self.family().first + order))
    }
}

impl Function {
    /// Returns the special function with the order under which the language has it; `None` for functions that have a name.
    #[must_use]
    pub fn unnamed_member(self) -> Option<(SpecialId, u16)> {
        match self {
            Self::Special(id, order) if !Self::NAMED_SPECIAL.contains(&self) => Some((id, order - id.family().first)),
            _ => None,
        }
    }
}
