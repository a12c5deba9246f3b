//! Colours of numbers, of sides of a level, and of pixels that are not known.

use super::{LevelSide, PictureSubject, Pixel, PixelState};

/// A colour, in red, green and blue.
pub type Colour = [u8; 3];

/// A scale of colours for numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// From dark blue over green to yellow, with even steps of brightness. It is legible with red-green colour
    /// blindness.
    #[default]
    Viridis,
    /// From black to white.
    Grey,
    /// Blue below 0, white at 0, red above. The distance from white is proportional to that from 0.
    Signed,
}

/// Nine colours of Viridis, evenly spaced (Smith and van der Walt, CC0).
const VIRIDIS: [Colour; 9] = [
    [68, 1, 84],
    [71, 44, 122],
    [59, 81, 139],
    [44, 113, 142],
    [33, 144, 141],
    [39, 173, 129],
    [92, 200, 99],
    [170, 220, 50],
    [253, 231, 37],
];
const GREY: [Colour; 2] = [[0, 0, 0], [255, 255, 255]];
const SIGNED: [Colour; 3] = [[33, 82, 190], [247, 247, 247], [190, 40, 40]];

/// The inside of a level set.
pub const INSIDE: Colour = [46, 124, 201];
/// The outside of a level set.
pub const OUTSIDE: Colour = [232, 236, 240];
/// The border of a level set.
pub const BORDER: Colour = [20, 24, 40];
/// Undecided pixels, and wide enclosures.
pub const UNDECIDED: Colour = [240, 150, 40];
/// Pixels on which the function is not shown to be defined: the dark and the light stripes.
pub const UNDEFINED_COLOURS: [Colour; 2] = [[150, 150, 150], [215, 215, 215]];
/// Pixels that are not known: the dots and what is between them.
pub const UNKNOWN: [Colour; 2] = [[90, 90, 90], [255, 255, 255]];

/// The largest width of an enclosure that is shown by the colour of its middle, as a part of the scale. A choice.
const WIDE: f64 = 1.0 / 8.0;
/// The distance beyond the scale, as a part of it, that does not count. It absorbs the outward rounding of the ends.
const HAIR: f64 = 1e-9;

impl Palette {
    /// Returns the colours of the palette, evenly spaced.
    fn anchor_colours(self) -> &'static [Colour] {
        match self {
            Self::Viridis => &VIRIDIS,
            Self::Grey => &GREY,
            Self::Signed => &SIGNED,
        }
    }

    /// Returns the colour of a position from 0 to 1 on a scale between two numbers.
    #[must_use]
    pub fn colour_at(self, place: f64, [low, high]: [f64; 2]) -> Colour {
        let anchors = self.anchor_colours();
        let largest = low.abs().max(high.abs());
        let place = match self {
            // The colour of a number depends on 0, which may lie anywhere on the scale.
            Self::Signed if largest > 0.0 => {
                // Scaled ends avoid a sum that may overflow.
                let number = low / largest * (1.0 - place) + high / largest * place;
                (number + 1.0) / 2.0
            }
            Self::Signed => 0.5,
            Self::Viridis | Self::Grey => place,
        };
        let place = place.clamp(0.0, 1.0) * (anchors.len() - 1) as f64;
        let first = (place.floor() as usize).min(anchors.len() - 2);
        let share = place - first as f64;
        let mixed = |channel: usize| {
            let [a, b] = [first, first + 1].map(|i| f64::from(anchors[i][channel]));
            (a + (b - a) * share).round() as u8
        };
        [mixed(0), mixed(1), mixed(2)]
    }
}

/// The appearance of a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PixelAppearance {
    /// A position on the scale.
    At(f64),
    /// The middle of the enclosure lies below the lower end of the scale.
    Below,
    /// The middle of the enclosure lies above the upper end of the scale.
    Above,
    /// The enclosure is wider than an eighth of the scale.
    Wide,
    /// A side of a level.
    Side(LevelSide),
    /// The function is not shown to be defined.
    Undefined,
    /// The values are not known.
    Unknown,
}

impl PixelAppearance {
    /// Returns the appearance of a pixel.
    #[must_use]
    pub fn of_pixel(pixel: &Pixel, subject: &PictureSubject, [low, high]: [f64; 2]) -> Self {
        match (pixel.state, subject) {
            (PixelState::Unknown, _) => Self::Unknown,
            (PixelState::Undefined, _) => Self::Undefined,
            (PixelState::Within(_), PictureSubject::Level(_)) => Self::Side(pixel.side),
            (PixelState::Within([lo, hi]), PictureSubject::Values(_)) => {
                let places = [lo, hi].map(|y| (y - low) / (high - low));
                // Halves are added, since a sum of two large numbers may overflow.
                let middle = places[0] / 2.0 + places[1] / 2.0;
                let [lo, hi] = places.map(|place| place.clamp(0.0, 1.0));
                match (lo, hi) {
                    // Only the part on the scale is visible, so an enclosure far outside of it is not wide. NaN comes
                    // from an unbounded enclosure.
                    _ if hi - lo > WIDE || middle.is_nan() => Self::Wide,
                    _ if middle < -HAIR => Self::Below,
                    _ if middle > 1.0 + HAIR => Self::Above,
                    (lo, hi) => Self::At((lo + hi) / 2.0),
                }
            }
        }
    }

    /// Returns the colour at a position of the picture. Stripes and dots mark pixels that are not known; spots on the
    /// colour of an end mark values beyond it.
    #[must_use]
    pub fn dot_colour(self, palette: Palette, scale: [f64; 2], [x, y]: [usize; 2]) -> Colour {
        let spotted = |colour: Colour| {
            // Spots are white on dark colours and black on bright ones.
            let is_dark = colour.iter().map(|&channel| u32::from(channel)).sum::<u32>() < 3 * 128;
            let is_spot = x % 4 < 2 && y % 4 < 2;
            if is_spot { [if is_dark { 255 } else { 0 }; 3] } else { colour }
        };
        match self {
            Self::At(place) => palette.colour_at(place, scale),
            Self::Below => spotted(palette.colour_at(0.0, scale)),
            Self::Above => spotted(palette.colour_at(1.0, scale)),
            Self::Wide | Self::Side(LevelSide::Undecided) => UNDECIDED,
            Self::Side(LevelSide::Inside) => INSIDE,
            Self::Side(LevelSide::Outside) => OUTSIDE,
            Self::Side(LevelSide::Border) => BORDER,
            Self::Undefined => UNDEFINED_COLOURS[usize::from((x + y) % 6 >= 3)],
            Self::Unknown => UNKNOWN[usize::from(x % 4 >= 1 || y % 4 >= 1)],
        }
    }
}
