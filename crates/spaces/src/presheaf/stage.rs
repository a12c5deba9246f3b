//! Stages that are known by nothing but a lifetime.
//!
//! An element of an exponential treats all stages alike, and a tangent hides the stage it lives over (S §5.1, §5.3). In
//! Rust such a stage is [`Stage<'d>`], with an invariant lifetime `'d` that no other stage has. So an element of one stage
//! cannot be taken for one of another, and none can leave the closure that its stage was made for: both are errors of the
//! compiler.
//!
//! That holds of presheaves whose elements carry their stage in their types. Those of the language,
//! [`Dynamic`](super::language::Dynamic), do not: its elements have one type at all stages.
//!
//! Two stages do not mix:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::stage::at_a_stage;
//! at_a_stage(1, |one| {
//!     at_a_stage(1, |other| {
//!         one.id().then(&other.id());
//!     });
//! });
//! ```
//!
//! while everything of one stage goes together:
//!
//! ```
//! use smoothish_spaces::presheaf::stage::at_a_stage;
//! let size = at_a_stage(2, |stage| stage.id().then(&stage.id()).components().len());
//! assert_eq!(size, 2);
//! ```

use crate::smooth::dimension::Shape;
use crate::smooth::map::Space;
use std::marker::PhantomData;

/// An arbitrary stage; see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Stage<'d>(PhantomData<fn(&'d ()) -> &'d ()>);

impl Shape for Stage<'_> {}

/// The stage that is stored where a stage is hidden. No element of it is ever handed out under this name.
pub(super) type Hidden = Stage<'static>;

/// Something done at an arbitrary stage with this many coordinates.
///
/// What is made at the stage stays there:
///
/// ```compile_fail,E0521
/// use smoothish_spaces::presheaf::stage::at_a_stage;
/// let mut kept = None;
/// at_a_stage(2, |stage| kept = Some(stage.id()));
/// ```
pub fn at_a_stage<R>(size: usize, with: impl for<'d> FnOnce(&Space<Stage<'d>>) -> R) -> R {
    with(&Space::<Hidden>::of_size(size))
}
