//! What most programs over the crate begin with: `use smoothish_syntax::prelude::*;`.

pub use crate::syntax::library::Library;
pub use crate::syntax::term::Term;
pub use crate::syntax::ty::Ty;
