//! Layout of a picture of the plane, with its axes and a legend of its colours.

use super::colour::{Colour, Palette, PixelAppearance};
use super::{LevelSide, PictureSubject, PlanePicture};
use crate::number::Rational;
use crate::plot::axis::{Axis, Tick, elide_middle};
use crate::plot::figure::{
    Anchor, Bar, Figure, FigureShape, LABEL_HEIGHT, LETTER_WIDTH, LabelSpace, Paint, SAMPLE_WIDTH, shorten_source,
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
            format!("{} > {}", picture.source, crate::plot::grid::format_exact(level))
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
