//! Layout of a picture of the plane, with its axes and a legend of its colours.

use super::colour::{Colour, Palette, Shown};
use super::{Picture, Side, Subject};
use crate::number::Rational;
use crate::plot::axis::{Axis, Tick, shortened};
use crate::plot::figure::{Anchor, Bar, Figure, Free, HIGH, Ink, LETTER, SAMPLE, Shape, cut};

/// The height of a line of letters, in pixels.
const LINE: f64 = 17.0;
/// The margin at the sides, in pixels.
const MARGIN: f64 = 12.0;
/// The width of the bar of colours, in pixels.
const SCALE: f64 = 16.0;

/// Returns the colours alone, `size` by `size` for each pixel, in rows from the uppermost.
#[must_use]
pub fn raster(picture: &Picture, palette: Palette, size: u32) -> Vec<Colour> {
    let [columns, rows, size] = [picture.request.columns, picture.request.rows, size].map(|n| n as usize);
    let mut colours = Vec::with_capacity(columns * rows * size * size);
    for y in 0..rows * size {
        for x in 0..columns * size {
            let pixel = &picture.pixels[y / size * columns + x / size];
            let shown = Shown::of(pixel, &picture.request.subject, picture.scale);
            colours.push(shown.colour(palette, picture.scale, [x, y]));
        }
    }
    colours
}

/// Draws the picture alone, without axes.
#[must_use]
pub fn bare(picture: &Picture, palette: Palette, size: u32) -> Figure {
    let [width, height] = [picture.request.columns, picture.request.rows].map(|n| n * size);
    let place = Bar { left: 0.0, right: f64::from(width), top: 0.0, bottom: f64::from(height) };
    Figure { width, height, shapes: vec![Shape::Raster(place, width, raster(picture, palette, size))] }
}

/// Draws the picture with axes, its title above, and the legend of its colours beside it and below.
#[must_use]
pub fn framed(picture: &Picture, palette: Palette, size: u32) -> Figure {
    let request = &picture.request;
    let [wide, tall] = [request.columns, request.rows].map(|n| f64::from(n * size));
    let up = Axis::new(&request.y[0], &request.y[1], ((tall / (LINE * 1.8)) as u32).clamp(2, 12));
    let across = Axis::new(&request.x[0], &request.x[1], ((wide / (LETTER * 9.0)) as u32).clamp(2, 12));
    let longest = up.ticks.iter().map(|t| t.label.chars().count()).max().unwrap_or(0);
    let entries = entries(picture);
    let scale = matches!(request.subject, Subject::Values(_)).then(|| scale(picture));
    let beside = scale.as_ref().map_or(0.0, |axis| {
        let longest = axis.ticks.iter().map(|t| t.label.chars().count()).max().unwrap_or(0);
        SCALE + 14.0 + LETTER * (longest as f64 + 1.0)
    });
    let left = MARGIN + LETTER * longest as f64 + 8.0;
    let top = MARGIN + LINE * 1.4;
    let place = Bar { left, right: left + wide, top, bottom: top + tall };
    let notes = bases(&across, &up);
    let below = LINE * (1.3 + (entries.len() + notes.len()) as f64) + MARGIN;
    let letters = |text: &str| LETTER * text.chars().count() as f64;
    let widest = entries.iter().map(|(_, text)| SAMPLE + letters(text)).chain(notes.iter().map(|note| letters(note)));
    // The picture is wide enough for every entry of the legend and for a title of 28 letters.
    let width = (place.right + beside + MARGIN).max(left + MARGIN + widest.fold(LETTER * 28.0, f64::max));
    let mut shapes = vec![Shape::Raster(place, request.columns * size, raster(picture, palette, size))];
    let room = ((width - 2.0 * MARGIN) / LETTER) as usize;
    let label = |at, anchor, text| Shape::Text(at, anchor, Ink::Label, text);
    shapes.push(label([MARGIN, MARGIN + 11.0], Anchor::Start, cut(&title(picture), room)));
    frame(&mut shapes, place);
    let mut free = Free::new();
    for Tick { at, label: text } in &across.ticks {
        let x = place.left + share(at, &request.x) * wide;
        let long = letters(text);
        // A label at an end of the axis may not leave the picture.
        let middle = x.max(long / 2.0).min(width - long / 2.0);
        shapes.push(Shape::Line([x, place.bottom], [x, place.bottom + 4.0], Ink::Label));
        if free.takes(middle, long, LETTER) {
            shapes.push(label([middle, place.bottom + LINE], Anchor::Middle, text.clone()));
        }
    }
    let mut free = Free::new();
    for Tick { at, label: text } in &up.ticks {
        let y = place.bottom - share(at, &request.y) * tall;
        shapes.push(Shape::Line([place.left - 4.0, y], [place.left, y], Ink::Label));
        // Labels occupy the axis from bottom to top, and `y` grows downward.
        if free.takes(-y, HIGH, 0.0) {
            shapes.push(label([place.left - 6.0, y + 4.0], Anchor::End, text.clone()));
        }
    }
    if let Some(axis) = &scale {
        let bar = Bar { left: place.right + 10.0, right: place.right + 10.0 + SCALE, ..place };
        legend(&mut shapes, bar, axis, picture.scale, palette);
    }
    let mut base = place.bottom + LINE * 2.2;
    for note in notes {
        shapes.push(label([place.left, base], Anchor::Start, cut(&note, room)));
        base += LINE;
    }
    for (sample, text) in entries {
        let square = Bar { left: place.left, right: place.left + 14.0, top: base - 11.0, bottom: base + 3.0 };
        let colours = (0..14 * 14).map(|i| sample.colour(palette, picture.scale, [i % 14, i / 14])).collect();
        shapes.push(Shape::Raster(square, 14, colours));
        frame(&mut shapes, square);
        shapes.push(label([place.left + SAMPLE, base], Anchor::Start, text));
        base += LINE;
    }
    Figure { width: width.ceil() as u32, height: (place.bottom + below).ceil() as u32, shapes }
}

/// Returns the title of the request, or else the source, with the level of a level set.
fn title(picture: &Picture) -> String {
    match (&picture.request.title, &picture.request.subject) {
        (Some(title), _) => title.clone(),
        (None, Subject::Values(_)) => picture.source.clone(),
        (None, Subject::Level(level)) => format!("{} > {}", picture.source, crate::plot::grid::written(level)),
    }
}

/// Returns the position of a number between two others, 0 at the first. The quotient is exact.
fn share(at: &Rational, [from, to]: &[Rational; 2]) -> f64 {
    (Rational::from(at - from) / Rational::from(to - from)).to_f64()
}

/// Draws the frame of a rectangle.
fn frame(shapes: &mut Vec<Shape>, Bar { left, right, top, bottom }: Bar) {
    let corners = [[left, top], [right, top], [right, bottom], [left, bottom], [left, top]];
    shapes.extend(corners.windows(2).map(|c| Shape::Line(c[0], c[1], Ink::Label)));
}

/// Returns the notes of the numbers that labels count from, for the axes that have one.
fn bases(across: &Axis, up: &Axis) -> Vec<String> {
    let named = [("x", across), ("y", up)].into_iter();
    named
        .filter_map(|(name, axis)| Some(format!("{name} is counted from {}", shortened(axis.base.as_ref()?, 30))))
        .collect()
}

/// Returns the axis of the bar of colours.
fn scale(picture: &Picture) -> Axis {
    let [low, high] = picture.scale.map(|x| Rational::from_f64(x).unwrap_or_default());
    // Values that are all equal give an empty scale, which has no ticks.
    let high = if low < high { high } else { Rational::from(&low + 1) };
    Axis::new(&low, &high, 8)
}

/// Draws the bar of colours with its ticks.
fn legend(shapes: &mut Vec<Shape>, bar: Bar, axis: &Axis, [low, high]: [f64; 2], palette: Palette) {
    let (width, height) = ((bar.right - bar.left) as usize, (bar.bottom - bar.top).max(1.0) as usize);
    let place = |y: usize| 1.0 - (y as f64 + 0.5) / height as f64;
    let colours = (0..height).flat_map(|y| vec![palette.at(place(y), [low, high]); width]).collect();
    shapes.push(Shape::Raster(bar, width as u32, colours));
    frame(shapes, bar);
    let mut free = Free::new();
    for Tick { at, label } in &axis.ticks {
        let y = bar.bottom - (at.to_f64() - low) / (high - low) * (bar.bottom - bar.top);
        shapes.push(Shape::Line([bar.right, y], [bar.right + 3.0, y], Ink::Label));
        if free.takes(-y, HIGH, 0.0) {
            shapes.push(Shape::Text([bar.right + 6.0, y + 4.0], Anchor::Start, Ink::Label, label.clone()));
        }
    }
}

/// Returns the appearances in the picture other than colours of the scale, with their meanings.
fn entries(picture: &Picture) -> Vec<(Shown, String)> {
    let sides = [
        (Side::Inside, "inside, certainly"),
        (Side::Outside, "outside, certainly"),
        (Side::Border, "the border passes through, certainly"),
        (Side::Undecided, "not decided"),
    ];
    let shown = |pixel| Shown::of(pixel, &picture.request.subject, picture.scale);
    let all = sides.map(|(side, text)| (Shown::Side(side), text)).into_iter().chain([
        (Shown::Above, "above the scale"),
        (Shown::Below, "below the scale"),
        (Shown::Wide, "values wider than 1/8 of the scale"),
        (Shown::Undefined, "not shown to be defined"),
        (Shown::Unknown, "not known"),
    ]);
    all.filter(|(sample, _)| picture.pixels.iter().any(|pixel| shown(pixel) == *sample))
        .map(|(sample, text)| (sample, text.to_owned()))
        .collect()
}
