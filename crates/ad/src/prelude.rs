//! Re-exports for `use smoothish_ad::prelude::*;`, as most programs over the crate begin.

pub use crate::smooth::map::{Map, coordinates};
pub use smoothish_number::prelude::*;
pub use typenum::{self, U1, U2, U3};
