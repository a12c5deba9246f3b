//! The imports of most programs that use the crate: `use smoothish_syntax::prelude::*;`.

pub use crate::syntax::library::Library;
pub use crate::syntax::term::Term;
pub use crate::syntax::ty::Ty;
