//! Layout of a picture of the plane, with its axes and a legend of its colours.
//!
//! # Colours of numbers
//!
//! Colours of numbers, of sides of a level, and of pixels that are not known.
//!
//! # Pictures of the plane as letters
//!
//! Pictures of the plane as letters, for a terminal: a letter for every pixel.
//!
//! | letter | meaning |
//! |---|---|
//! | ` .:-=+*#%@` | values, from the lower end of the scale to the upper one |
//! | `v`, `^` | values below the scale, and above it |
//! | `#` and space | certainly inside of a level set, certainly outside |
//! | `+` | the border certainly passes through |
//! | `?` | not decided, a wide enclosure, or not known |
//! | `/` | not shown to be defined |

use super::{LevelSide, PictureSubject, Pixel, PixelState, PlanePicture};
use crate::number::Rational;
use crate::plot::axis::{Axis, Tick, elide_middle, format_exact};
use crate::plot::figure::{
    Anchor, Bar, Figure, FigureShape, LABEL_HEIGHT, LETTER_WIDTH, LabelSpace, Paint, SAMPLE_WIDTH, UNDEFINED,
    shorten_source,
};

/// The height of a line of letters, in pixels.
const LINE_HEIGHT: f64 = 17.0;
/// The margin at the sides, in pixels.
const MARGIN: f64 = 12.0;
/// The width of the bar of colours, in pixels.
const COLOUR_BAR_WIDTH: f64 = 16.0;

/// Returns the colours alone, `size` by `size` for each pixel, in rows from the uppermost.
#[must_use]
pub fn raster_colours(picture: &PlanePicture, palette: Palette, size: u32) -> Vec<Colour> {
    let [columns, rows, size] = [picture.request.columns, picture.request.rows, size].map(|n| n as usize);
    let mut colours = Vec::with_capacity(columns * rows * size * size);
    for y in 0..rows * size {
        for x in 0..columns * size {
            let pixel = &picture.pixels[y / size * columns + x / size];
            let shown = PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale);
            colours.push(shown.dot_colour(palette, picture.scale, [x, y]));
        }
    }
    colours
}

/// Draws the picture alone, without axes.
#[must_use]
pub fn figure_without_axes(picture: &PlanePicture, palette: Palette, size: u32) -> Figure {
    let [width, height] = [picture.request.columns, picture.request.rows].map(|n| n * size);
    let place = Bar { left: 0.0, right: f64::from(width), top: 0.0, bottom: f64::from(height) };
    Figure { width, height, shapes: vec![FigureShape::Raster(place, width, raster_colours(picture, palette, size))] }
}

/// Draws the picture with axes, its title above, and the legend of its colours beside it and below.
#[must_use]
pub fn figure_with_axes(picture: &PlanePicture, palette: Palette, size: u32) -> Figure {
    let request = &picture.request;
    let [wide, tall] = [request.columns, request.rows].map(|n| f64::from(n * size));
    let up = Axis::new(&request.y[0], &request.y[1], ((tall / (LINE_HEIGHT * 1.8)) as u32).clamp(2, 12));
    let across = Axis::new(&request.x[0], &request.x[1], ((wide / (LETTER_WIDTH * 9.0)) as u32).clamp(2, 12));
    let longest = up.ticks.iter().map(|t| t.label.chars().count()).max().unwrap_or(0);
    let entries = legend_entries(picture);
    let scale = matches!(request.subject, PictureSubject::Values(_)).then(|| colour_bar_axis(picture));
    let beside = scale.as_ref().map_or(0.0, |axis| {
        let longest = axis.ticks.iter().map(|t| t.label.chars().count()).max().unwrap_or(0);
        COLOUR_BAR_WIDTH + 14.0 + LETTER_WIDTH * (longest as f64 + 1.0)
    });
    let left = MARGIN + LETTER_WIDTH * longest as f64 + 8.0;
    let top = MARGIN + LINE_HEIGHT * 1.4;
    let place = Bar { left, right: left + wide, top, bottom: top + tall };
    let notes = label_bases(&across, &up);
    let below = LINE_HEIGHT * (1.3 + (entries.len() + notes.len()) as f64) + MARGIN;
    let letters = |text: &str| LETTER_WIDTH * text.chars().count() as f64;
    let widest =
        entries.iter().map(|(_, text)| SAMPLE_WIDTH + letters(text)).chain(notes.iter().map(|note| letters(note)));
    // The picture is wide enough for every entry of the legend and for a title of 28 letters.
    let width = (place.right + beside + MARGIN).max(left + MARGIN + widest.fold(LETTER_WIDTH * 28.0, f64::max));
    let mut shapes = vec![FigureShape::Raster(place, request.columns * size, raster_colours(picture, palette, size))];
    let room = ((width - 2.0 * MARGIN) / LETTER_WIDTH) as usize;
    let label = |at, anchor, text| FigureShape::Text(at, anchor, Paint::Label, text);
    shapes.push(label([MARGIN, MARGIN + 11.0], Anchor::Start, shorten_source(&picture_title(picture), room)));
    push_frame(&mut shapes, place);
    let mut free = LabelSpace::new();
    for Tick { at, label: text } in &across.ticks {
        let x = place.left + axis_position(at, &request.x) * wide;
        let long = letters(text);
        // A label at an end of the axis may not leave the picture.
        let middle = x.max(long / 2.0).min(width - long / 2.0);
        shapes.push(FigureShape::Line([x, place.bottom], [x, place.bottom + 4.0], Paint::Label));
        if free.try_occupy(middle, long, LETTER_WIDTH) {
            shapes.push(label([middle, place.bottom + LINE_HEIGHT], Anchor::Middle, text.clone()));
        }
    }
    let mut free = LabelSpace::new();
    for Tick { at, label: text } in &up.ticks {
        let y = place.bottom - axis_position(at, &request.y) * tall;
        shapes.push(FigureShape::Line([place.left - 4.0, y], [place.left, y], Paint::Label));
        // Labels occupy the axis from bottom to top, and `y` grows downward.
        if free.try_occupy(-y, LABEL_HEIGHT, 0.0) {
            shapes.push(label([place.left - 6.0, y + 4.0], Anchor::End, text.clone()));
        }
    }
    if let Some(axis) = &scale {
        let bar = Bar { left: place.right + 10.0, right: place.right + 10.0 + COLOUR_BAR_WIDTH, ..place };
        draw_colour_bar(&mut shapes, bar, axis, picture.scale, palette);
    }
    let mut base = place.bottom + LINE_HEIGHT * 2.2;
    for note in notes {
        shapes.push(label([place.left, base], Anchor::Start, shorten_source(&note, room)));
        base += LINE_HEIGHT;
    }
    for (sample, text) in entries {
        let square = Bar { left: place.left, right: place.left + 14.0, top: base - 11.0, bottom: base + 3.0 };
        let colours = (0..14 * 14).map(|i| sample.dot_colour(palette, picture.scale, [i % 14, i / 14])).collect();
        shapes.push(FigureShape::Raster(square, 14, colours));
        push_frame(&mut shapes, square);
        shapes.push(label([place.left + SAMPLE_WIDTH, base], Anchor::Start, text));
        base += LINE_HEIGHT;
    }
    Figure { width: width.ceil() as u32, height: (place.bottom + below).ceil() as u32, shapes }
}

/// Returns the title of the request, or else the source, with the level of a level set.
fn picture_title(picture: &PlanePicture) -> String {
    match (&picture.request.title, &picture.request.subject) {
        (Some(title), _) => title.clone(),
        (None, PictureSubject::Values(_)) => picture.source.clone(),
        (None, PictureSubject::Level(level)) => {
            format!("{} > {}", picture.source, crate::plot::axis::format_exact(level))
        }
    }
}

/// Returns the position of a number between two others, 0 at the first. The quotient is exact.
fn axis_position(at: &Rational, [from, to]: &[Rational; 2]) -> f64 {
    (Rational::from(at - from) / Rational::from(to - from)).to_f64()
}

/// Draws the frame of a rectangle.
fn push_frame(shapes: &mut Vec<FigureShape>, Bar { left, right, top, bottom }: Bar) {
    let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
    shapes.extend(corners.windows(2).map(|c| FigureShape::Line(c[0], c[1], Paint::Label)));
}

/// Returns the notes of the numbers that labels count from, for the axes that have one.
fn label_bases(across: &Axis, up: &Axis) -> Vec<String> {
    let named = [("x", across), ("y", up)].into_iter();
    named
        .filter_map(|(name, axis)| Some(format!("{name} is counted from {}", elide_middle(axis.base.as_ref()?, 30))))
        .collect()
}

/// Returns the axis of the bar of colours.
fn colour_bar_axis(picture: &PlanePicture) -> Axis {
    let [low, high] = picture.scale.map(|x| Rational::from_f64(x).unwrap_or_default());
    // Values that are all equal give an empty scale, which has no ticks.
    let high = if low < high { high } else { Rational::from(&low + 1) };
    Axis::new(&low, &high, 8)
}

/// Draws the bar of colours with its ticks.
fn draw_colour_bar(shapes: &mut Vec<FigureShape>, bar: Bar, axis: &Axis, [low, high]: [f64; 2], palette: Palette) {
    let (width, height) = ((bar.right - bar.left) as usize, (bar.bottom - bar.top).max(1.0) as usize);
    let place = |y: usize| 1.0 - (y as f64 + 0.5) / height as f64;
    let colours = (0..height).flat_map(|y| vec![palette.colour_at(place(y), [low, high]); width]).collect();
    shapes.push(FigureShape::Raster(bar, width as u32, colours));
    push_frame(shapes, bar);
    let mut free = LabelSpace::new();
    for Tick { at, label } in &axis.ticks {
        let y = bar.bottom - (at.to_f64() - low) / (high - low) * (bar.bottom - bar.top);
        shapes.push(FigureShape::Line([bar.right, y], [bar.right + 3.0, y], Paint::Label));
        if free.try_occupy(-y, LABEL_HEIGHT, 0.0) {
            shapes.push(FigureShape::Text([bar.right + 6.0, y + 4.0], Anchor::Start, Paint::Label, label.clone()));
        }
    }
}

/// Returns the appearances in the picture other than colours of the scale, with their meanings.
fn legend_entries(picture: &PlanePicture) -> Vec<(PixelAppearance, String)> {
    let sides = [
        (LevelSide::Inside, "inside, certainly"),
        (LevelSide::Outside, "outside, certainly"),
        (LevelSide::Border, "the border passes through, certainly"),
        (LevelSide::Undecided, "not decided"),
    ];
    let shown = |pixel| PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale);
    let all = sides.map(|(side, text)| (PixelAppearance::Side(side), text)).into_iter().chain([
        (PixelAppearance::Above, "above the scale"),
        (PixelAppearance::Below, "below the scale"),
        (PixelAppearance::Wide, "values wider than 1/8 of the scale"),
        (PixelAppearance::Undefined, "not shown to be defined"),
        (PixelAppearance::Unknown, "not known"),
    ]);
    all.filter(|(sample, _)| picture.pixels.iter().any(|pixel| shown(pixel) == *sample))
        .map(|(sample, text)| (sample, text.to_owned()))
        .collect()
}

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
