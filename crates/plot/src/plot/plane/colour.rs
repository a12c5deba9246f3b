//! What is painted: colours of numbers, of sides, and of what is not known.

use super::{Known, Pixel, Side, Subject};

/// A colour, in red, green and blue.
pub type Colour = [u8; 3];

/// How numbers are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Palette {
    /// From dark blue over green to yellow, evenly in brightness, which those see who see no difference of red and green.
    #[default]
    Viridis,
    /// From black to white.
    Grey,
    /// Blue below 0, white at 0, red above: as far from white as the number is from 0.
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

/// What a picture of a level set is painted with.
pub const INSIDE: Colour = [46, 124, 201];
/// Outside of a level set.
pub const OUTSIDE: Colour = [232, 236, 240];
/// The border of a level set.
pub const BORDER: Colour = [20, 24, 40];
/// What is not decided, and an enclosure that is wide.
pub const UNDECIDED: Colour = [240, 150, 40];
/// What is not shown to be defined: of stripes, the darker ones.
pub const UNDEFINED: [Colour; 2] = [[150, 150, 150], [215, 215, 215]];
/// Nothing is known.
pub const UNKNOWN: [Colour; 2] = [[90, 90, 90], [255, 255, 255]];

/// The part of the scale that an enclosure may have and still be shown by the colour of its middle.
const WIDE: f64 = 1.0 / 8.0;
/// What ends of enclosures may lie beyond the scale without being told, as they are rounded.
const HAIR: f64 = 1e-9;

impl Palette {
    fn anchors(self) -> &'static [Colour] {
        match self {
            Self::Viridis => &VIRIDIS,
            Self::Grey => &GREY,
            Self::Signed => &SIGNED,
        }
    }

    /// The colour of a place from 0 to 1 on a scale between two numbers.
    #[must_use]
    pub fn at(self, place: f64, [low, high]: [f64; 2]) -> Colour {
        let anchors = self.anchors();
        let largest = low.abs().max(high.abs());
        let place = match self {
            Self::Signed if largest > 0.0 => {
                // without a sum of ends that may overflow
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

/// What a pixel is shown as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    /// A place on the scale.
    At(f64),
    /// Below its lower end, or near that.
    Below,
    /// Above its upper end, or near that.
    Above,
    /// Its values are farther apart than an eighth of the scale, or may be.
    Wide,
    /// A side of a level.
    Side(Side),
    /// Not shown to be defined.
    Undefined,
    /// Not known.
    Unknown,
}

impl Shown {
    /// What a pixel is shown as.
    #[must_use]
    pub fn of(pixel: &Pixel, subject: &Subject, [low, high]: [f64; 2]) -> Self {
        match (pixel.known, subject) {
            (Known::Unknown, _) => Self::Unknown,
            (Known::Undefined, _) => Self::Undefined,
            (Known::Within(_), Subject::Level(_)) => Self::Side(pixel.side),
            (Known::Within([lo, hi]), Subject::Values(_)) => {
                let places = [lo, hi].map(|y| (y - low) / (high - low));
                let middle = places[0] / 2.0 + places[1] / 2.0;
                let [lo, hi] = places.map(|place| place.clamp(0.0, 1.0));
                match (lo, hi) {
                    _ if hi - lo > WIDE || middle.is_nan() => Self::Wide,
                    _ if middle < -HAIR => Self::Below,
                    _ if middle > 1.0 + HAIR => Self::Above,
                    (lo, hi) => Self::At((lo + hi) / 2.0),
                }
            }
        }
    }

    /// The colour at a place of the picture: stripes and dots show what is not known, the colour of an end with spots what lies beyond it.
    #[must_use]
    pub fn colour(self, palette: Palette, scale: [f64; 2], [x, y]: [usize; 2]) -> Colour {
        let spotted = |colour: Colour| {
            let is_dark = colour.iter().map(|&channel| u32::from(channel)).sum::<u32>() < 3 * 128;
            let is_spot = x % 4 < 2 && y % 4 < 2;
            if is_spot { [if is_dark { 255 } else { 0 }; 3] } else { colour }
        };
        match self {
            Self::At(place) => palette.at(place, scale),
            Self::Below => spotted(palette.at(0.0, scale)),
            Self::Above => spotted(palette.at(1.0, scale)),
            Self::Wide | Self::Side(Side::Undecided) => UNDECIDED,
            Self::Side(Side::Inside) => INSIDE,
            Self::Side(Side::Outside) => OUTSIDE,
            Self::Side(Side::Border) => BORDER,
            Self::Undefined => UNDEFINED[usize::from((x + y) % 6 >= 3)],
            Self::Unknown => UNKNOWN[usize::from(x % 4 >= 1 || y % 4 >= 1)],
        }
    }
}
