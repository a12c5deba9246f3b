//! What most programs over the crate begin with: `use smoothish_ad::prelude::*;`.

pub use crate::smooth::map::{Map, coordinates};
pub use smoothish_number::prelude::*;
pub use typenum::{self, U1, U2, U3};
