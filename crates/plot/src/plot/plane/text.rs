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

use super::colour::PixelAppearance;
use super::{LevelSide, PictureSubject, PlanePicture};
use crate::plot::grid::format_exact;
use crate::plot::legend::UNDEFINED;

/// The letters of values, from the lower end of the scale to the upper one.
const VALUE_LETTERS: &[u8; 10] = b" .:-=+*#%@";

/// Returns the lines below the picture: the ranges of x and y, and the meanings of the letters that occur.
#[must_use]
pub fn legend_lines(picture: &PlanePicture) -> Vec<String> {
    let [x, y] = [&picture.request.x, &picture.request.y]
        .map(|[from, to]| format!("{} to {}", format_exact(from), format_exact(to)));
    let rows = draw_rows(picture);
    let occurs = |letter: char| rows.iter().any(|row| row.contains(letter));
    let mut lines = vec![format!("x from {x}, y from {y}")];
    match &picture.request.subject {
        PictureSubject::Values(_) => {
            let [low, high] = picture.scale.map(format_scale_end);
            lines.push(format!("{}  values from {low} to {high}", String::from_utf8_lossy(VALUE_LETTERS)));
        }
        PictureSubject::Level(level) => {
            lines.push(format!("#  above {}", format_exact(level)));
            lines.extend(occurs('+').then(|| "+  the border passes through".to_owned()));
        }
    }
    let marks =
        [('v', "below the scale"), ('^', "above the scale"), ('?', "not decided, or not known"), ('/', UNDEFINED)];
    lines.extend(marks.iter().filter(|(mark, _)| occurs(*mark)).map(|(mark, meaning)| format!("{mark}  {meaning}")));
    lines
}

/// Formats an end of the scale with four decimals, or with an exponent if it is very large or small.
fn format_scale_end(x: f64) -> String {
    let size = x.abs();
    if size != 0.0 && !(1e-3..1e6).contains(&size) {
        return format!("{x:.2e}");
    }
    let text = format!("{x:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Returns the rows of the picture, from the uppermost.
#[must_use]
pub fn draw_rows(picture: &PlanePicture) -> Vec<String> {
    let letter = |pixel| match PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale) {
        PixelAppearance::At(place) => {
            char::from(VALUE_LETTERS[((place * VALUE_LETTERS.len() as f64) as usize).min(VALUE_LETTERS.len() - 1)])
        }
        PixelAppearance::Below => 'v',
        PixelAppearance::Above => '^',
        PixelAppearance::Side(LevelSide::Inside) => '#',
        PixelAppearance::Side(LevelSide::Outside) => ' ',
        PixelAppearance::Side(LevelSide::Border) => '+',
        PixelAppearance::Side(LevelSide::Undecided) | PixelAppearance::Wide | PixelAppearance::Unknown => '?',
        PixelAppearance::Undefined => '/',
    };
    let rows = picture.pixels.chunks(picture.request.columns.max(1) as usize);
    rows.map(|row| row.iter().map(letter).collect::<String>().trim_end().to_owned()).collect()
}
