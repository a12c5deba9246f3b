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
    /// Blue below the middle of the scale, white in it, red above.
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

impl Palette {
    fn anchors(self) -> &'static [Colour] {
        match self {
            Self::Viridis => &VIRIDIS,
            Self::Grey => &GREY,
            Self::Signed => &SIGNED,
        }
    }

    /// The colour of a place on the scale, from 0 to 1.
    #[must_use]
    pub fn at(self, place: f64) -> Colour {
        let anchors = self.anchors();
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
                // what lies beyond an end of the scale has the colour of that end
                let [lo, hi] = [lo, hi].map(|y| ((y - low) / (high - low)).clamp(0.0, 1.0));
                if hi - lo <= WIDE { Self::At((lo + hi) / 2.0) } else { Self::Wide }
            }
        }
    }

    /// The colour at a place of the picture: stripes show what is not known.
    #[must_use]
    pub fn colour(self, palette: Palette, [x, y]: [usize; 2]) -> Colour {
        match self {
            Self::At(place) => palette.at(place),
            Self::Wide | Self::Side(Side::Undecided) => UNDECIDED,
            Self::Side(Side::Inside) => INSIDE,
            Self::Side(Side::Outside) => OUTSIDE,
            Self::Side(Side::Border) => BORDER,
            Self::Undefined => UNDEFINED[usize::from((x + y) % 6 >= 3)],
            Self::Unknown => UNKNOWN[usize::from(x % 4 >= 1 || y % 4 >= 1)],
        }
    }
}
