//! Theories: mathematics as text that runs. Those that come with the library are in [`builtin`].

#[cfg(feature = "laws")]
#[doc(inline)]
pub use smoothish_laws::theory::*;
#[cfg(not(feature = "laws"))]
#[doc(inline)]
pub use smoothish_theory::theory::*;

pub mod builtin;
