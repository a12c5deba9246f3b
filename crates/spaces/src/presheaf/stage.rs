//! Arbitrary stages, distinguished by a lifetime only.
//!
//! An element of an exponential treats all stages alike, and a tangent hides the stage over which it lives (S §5.1,
//! §5.3). In Rust such a stage is [`Stage<'d>`], with an invariant lifetime `'d` of its own. So an element of one stage
//! cannot be used as an element of another, and no element can leave the closure that its stage was made for. The
//! compiler rejects both.
//!
//! This holds for presheaves whose elements have their stage in their types. The values of the language,
//! [`Dynamic`](super::language::Dynamic), have the same type at all stages, so it does not hold for them.
//!
//! Two stages do not mix:
//!
//! ```compile_fail,E0521
//! use smoothish_spaces::presheaf::stage::with_stage;
//! with_stage(1, |one| {
//!     with_stage(1, |other| {
//!         one.id().then(&other.id());
//!     });
//! });
//! ```
//!
//! Elements of one stage can be combined:
//!
//! ```
//! use smoothish_spaces::presheaf::stage::with_stage;
//! let size = with_stage(2, |stage| stage.id().then(&stage.id()).components().len());
//! assert_eq!(size, 2);
//! ```

use crate::smooth::dimension::MapEnd;
use crate::smooth::map::Space;
use std::marker::PhantomData;

/// An arbitrary stage, see the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Stage<'d>(PhantomData<fn(&'d ()) -> &'d ()>);

impl MapEnd for Stage<'_> {}

/// The type under which a hidden stage is stored. No element is ever handed out at this stage.
pub(super) type HiddenStage = Stage<'static>;

/// Runs a function at an arbitrary stage with `size` coordinates.
///
/// Elements of the stage cannot leave the function:
///
/// ```compile_fail,E0521
/// use smoothish_spaces::presheaf::stage::with_stage;
/// let mut kept = None;
/// with_stage(2, |stage| kept = Some(stage.id()));
/// ```
pub fn with_stage<R>(size: usize, with: impl for<'d> FnOnce(&Space<Stage<'d>>) -> R) -> R {
    // The argument is valid for all lifetimes, so it cannot use that this one is `'static`.
    with(&Space::<HiddenStage>::of_size(size))
}
