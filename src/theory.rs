//! Theories: mathematics as executable text. The standard library is in [`builtin`].

#[cfg(feature = "laws")]
#[doc(inline)]
pub use smoothish_laws::theory::*;
#[cfg(not(feature = "laws"))]
#[doc(inline)]
pub use smoothish_theory::theory::*;

pub mod builtin;
