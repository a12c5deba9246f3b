//! Pictures of the plane as letters, for a terminal: a letter for every pixel.
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
use super::{Picture, Side, Subject};
use crate::plot::grid::written;
use crate::plot::legend::UNDEFINED;

/// The letters of values, from the lower end of the scale to the upper one.
const RAMP: &[u8; 10] = b" .:-=+*#%@";

/// Returns the lines below the picture: the ranges of x and y, and the meanings of the letters that occur.
#[must_use]
pub fn key(picture: &Picture) -> Vec<String> {
    let [x, y] =
        [&picture.request.x, &picture.request.y].map(|[from, to]| format!("{} to {}", written(from), written(to)));
    let rows = draw(picture);
    let occurs = |letter: char| rows.iter().any(|row| row.contains(letter));
    let mut lines = vec![format!("x from {x}, y from {y}")];
    match &picture.request.subject {
        Subject::Values(_) => {
            let [low, high] = picture.scale.map(rounded);
            lines.push(format!("{}  values from {low} to {high}", String::from_utf8_lossy(RAMP)));
        }
        Subject::Level(level) => {
            lines.push(format!("#  above {}", written(level)));
            lines.extend(occurs('+').then(|| "+  the border passes through".to_owned()));
        }
    }
    let marks =
        [('v', "below the scale"), ('^', "above the scale"), ('?', "not decided, or not known"), ('/', UNDEFINED)];
    lines.extend(marks.iter().filter(|(mark, _)| occurs(*mark)).map(|(mark, meaning)| format!("{mark}  {meaning}")));
    lines
}

/// Formats an end of the scale with four decimals, or with an exponent if it is very large or small.
fn rounded(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{x:.2e}");
    }
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the rows of the picture, from the uppermost.
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
