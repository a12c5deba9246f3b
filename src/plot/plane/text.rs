//! The picture as letters, for a terminal: a letter for every pixel.
//!
//! | letter | meaning |
//! |---|---|
//! | ` .:-=+*#%@` | values, from the lower end of the scale to the upper one |
//! | `v` and `^` | values below the scale, and above it |
//! | `#` and space | certainly inside of a level set, certainly outside |
//! | `+` | the border certainly passes through |
//! | `?` | not decided, a wide enclosure, or not known |
//! | `/` | not shown to be defined |

use super::colour::Shown;
use super::{Picture, Side};

/// From the lower end of the scale to the upper one.
const RAMP: &[u8; 10] = b" .:-=+*#%@";

/// The rows of the picture, from the uppermost.
#[must_use]
pub fn draw(picture: &Picture) -> Vec<String> {
    let letter = |pixel| match Shown::of(pixel, &picture.request.subject, picture.scale) {
        Shown::At(place) => char::from(RAMP[((place * RAMP.len() as f64) as usize).min(RAMP.len() - 1)]),
        Shown::Below => 'v',
        Shown::Above => '^',
        Shown::Side(Side::Inside) => '#',
        Shown::Side(Side::Outside) => ' ',
        Shown::Side(Side::Border) => '+',
        Shown::Side(Side::Undecided) | Shown::Wide | Shown::Unknown => '?',
        Shown::Undefined => '/',
    };
    let rows = picture.pixels.chunks(picture.request.columns.max(1) as usize);
    rows.map(|row| row.iter().map(letter).collect::<String>().trim_end().to_owned()).collect()
}
