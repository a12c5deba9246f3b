//! The limits of the searches, as one table that callers may change.
//!
//! A search divides pieces until the whole is known well enough, and it ends at limits. A larger limit never makes an answer
//! wrong, nor a smaller one: each enclosure that is found is right. Limits change how narrow an answer is, how much work and
//! how much memory it takes. So they are choices, made by measurement on the random programs of the campaign and on the
//! questions of the book.
//!
//! | number | kind |
//! |---|---|
//! | a limit on pieces | multiplied by the [effort](Tuning::with_effort) |
//! | a patience, or a size of batches | kept as it is |

use std::fmt;

/// An error in a change of the limits.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TuningError {
    /// There is no limit of this name.
    #[error("unknown key \"{0}\"")]
    UnknownKey(String),
    /// The number is out of the range of the limit.
    #[error("{key} is a whole number from 1 to {most}, not {found}")]
    OutOfRange {
        /// The name of the limit.
        key: &'static str,
        /// The largest value.
        most: u64,
        /// The value as given.
        found: String,
    },
    /// The effort is below 1, or not a number.
    #[error("effort is at least 1, not {0}")]
    Effort(String),
}

/// A limit: its name, its description and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TuningKey {
    /// The name, which is that of the field.
    pub name: &'static str,
    /// The description.
    pub about: &'static str,
    /// `true` for a limit on pieces, which the effort multiplies.
    pub is_cap: bool,
}

/// The largest value of a limit. A choice: beyond it a search ends by its memory.
const MAX_VALUE: u64 = 1 << 40;
/// The largest effort. A choice: a thousand times the pieces take a thousand times the memory.
const MAX_EFFORT: f64 = 1e6;

macro_rules! tuning {
    ($($(#[doc = $about:literal])+ $kind:ident $name:ident = $value:expr,)+) => {
        /// The limits of the searches. See the [module](self).
        ///
        /// # Examples
        /// ```
        /// use smoothish_number::number::tuning::Tuning;
        /// let tuning = Tuning { panels: 1 << 18, ..Tuning::default() };
        /// assert_eq!(tuning.with_effort(2.0)?.panels, 1 << 19);
        /// assert!(Tuning::default().with_effort(0.5).is_err());
        /// # Ok::<(), smoothish_number::number::tuning::TuningError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Tuning {
            $($(#[doc = $about])+ pub $name: u64,)+
        }

        impl Tuning {
            /// All limits, in the order in which they are printed.
            pub const KEYS: &[TuningKey] =
                &[$(TuningKey { name: stringify!($name), about: concat!($($about),+), is_cap: tuning!(@ $kind) }),+];

            /// The limits of a build that nobody has changed.
            pub const DEFAULT: Self = Self { $($name: $value),+ };

            /// Returns the limit of a name, to be changed.
            fn field_mut(&mut self, key: &str) -> Option<&mut u64> {
                match key {
                    $(stringify!($name) => Some(&mut self.$name),)+
                    _ => None,
                }
            }

            /// Returns the limit of a name. Returns `None` for any other name.
            #[must_use]
            pub fn value_of(&self, key: &str) -> Option<u64> {
                match key {
                    $(stringify!($name) => Some(self.$name),)+
                    _ => None,
                }
            }
        }
    };
    (@ cap) => { true };
    (@ fixed) => { false };
}

tuning! {
    /// Panels of one integral. They take a few hundred megabytes, and each halving of the excess as many again.
    cap panels = 1 << 16,
    /// Panels of one integral of a smooth function that has gained nothing for many rounds. Halved often enough, it gains.
    cap patient_panels = 1 << 10,
    /// Rounds of an integral in a row without a gain of an eighth, before the search ends.
    fixed panel_patience = 6,
    /// Panels that are split between two publications of an integral.
    fixed panel_batch = 8,
    /// Panels of one integral at once on which the integrand may stay unbounded. With more, nothing is known.
    cap unbounded_panels = 32,
    /// Splits in a row for which the integrand may stay unbounded on a panel.
    fixed unbounded_splits = 40,
    /// Pieces of one optimum.
    cap optimum_pieces = 1 << 14,
    /// Rounds of an optimum in a row without a gain in its value, for point inputs. Far from the limit an inner solver may give nothing better for a few halvings.
    fixed optimum_patience = 10,
    /// Rounds of an optimum in a row without a gain in its places, once its value is known.
    fixed place_patience = 4,
    /// Pieces of an optimum that count as a plateau if they gain nothing.
    cap plateau_pieces = 64,
    /// Pieces of one optimum at once on which the function may be undefined. With more, nothing is known.
    cap undefined_pieces = 32,
    /// Boxes of a first root at once. With more, the undecided part is much wider than a box.
    cap root_boxes = 64,
    /// Times that a range is divided to show that a function is defined on it.
    cap definedness_splits = 255,
    /// Boxes that are examined for the zeros of a system of equations.
    cap system_boxes = 6_000,
    /// Boxes of one integral over several draws.
    cap cubature_boxes = 2_000_000,
    /// Boxes of such an integral from which several are divided together, on all threads.
    fixed cubature_together = 512,
    /// Parts of one pixel of a picture.
    cap pixel_parts = 64,
    /// Parts of one pixel on which the function is nowhere shown to be defined.
    cap undefined_parts = 16,
}

impl Tuning {
    /// Changes one limit.
    ///
    /// # Errors
    /// [`TuningError::UnknownKey`]; [`TuningError::OutOfRange`] if the value is no whole number from 1 on.
    pub fn change_key(&mut self, key: &str, value: i128) -> Result<(), TuningError> {
        let name = Self::KEYS.iter().find(|known| known.name == key).map(|known| known.name);
        let (Some(name), Some(field)) = (name, self.field_mut(key)) else {
            return Err(TuningError::UnknownKey(key.to_owned()));
        };
        let in_range = u64::try_from(value).ok().filter(|value| (1..=MAX_VALUE).contains(value));
        *field = in_range.ok_or(TuningError::OutOfRange { key: name, most: MAX_VALUE, found: value.to_string() })?;
        Ok(())
    }

    /// Multiplies each limit on pieces by an effort of 1 or more, rounded up.
    ///
    /// # Errors
    /// [`TuningError::Effort`] if the effort is below 1, above a million, or not a number.
    pub fn with_effort(mut self, effort: f64) -> Result<Self, TuningError> {
        if !(1.0..=MAX_EFFORT).contains(&effort) {
            return Err(TuningError::Effort(effort.to_string()));
        }
        for key in Self::KEYS.iter().filter(|key| key.is_cap) {
            if let Some(field) = self.field_mut(key.name) {
                // The largest limits and efforts leave the range of whole numbers in a double.
                *field = ((*field as f64 * effort).ceil() as u64).min(MAX_VALUE);
            }
        }
        Ok(self)
    }

    /// Returns a limit as a number of pieces in memory.
    #[must_use]
    pub fn to_size(limit: u64) -> usize {
        usize::try_from(limit).unwrap_or(usize::MAX)
    }

    /// Returns a limit as a count.
    #[must_use]
    pub fn to_count(limit: u64) -> u32 {
        u32::try_from(limit).unwrap_or(u32::MAX)
    }
}

impl Default for Tuning {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Prints all limits as TOML, each with its description.
impl fmt::Display for Tuning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for key in Self::KEYS {
            writeln!(f, "#{}", key.about)?;
            if key.is_cap {
                writeln!(f, "# --effort multiplies it.")?;
            }
            writeln!(f, "{} = {}", key.name, self.value_of(key.name).unwrap_or_default())?;
        }
        Ok(())
    }
}
