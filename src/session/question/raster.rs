//! The question `PlotPlane`: a picture of a function of two variables, in which every pixel is an enclosure.

use super::{Question, QuestionContext};
use crate::number::Rational;
use crate::plot::grid::format_exact;
use crate::plot::plane::colour::PixelAppearance;
use crate::plot::plane::{self, LevelSide, PictureRequest, PictureSubject, Pixel, PixelState, PlanePicture};
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::places::QUESTION_NAME;
use crate::syntax::source::SourceText;
use std::sync::Arc;

/// A question for a picture of a function of type `Real -> Real -> Real` or `Real * Real -> Real`.
///
/// # Examples
/// ```
/// use smoothish::number::Rational;
/// use smoothish::plot::plane::{PictureRequest, PictureSubject};
/// use smoothish::session::{Limits, PlotPlane, Session};
/// let side = || [-1, 1].map(Rational::from);
/// let request = PictureRequest { x: side(), y: side(), columns: 64, rows: 64, subject: PictureSubject::Level(Rational::from(0)), thread_count: None, title: None };
/// let disc = Session::new().ask(&PlotPlane::new(r"\x y => 1 - x^2 - y^2", request), &Limits::seconds(60))?;
/// let [low, high] = disc.value().area_bounds().expect("a level set");
/// assert!(low < 3.1416 && high > 3.1415);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlotPlane {
    source: Arc<SourceText>,
    request: PictureRequest,
}

impl PlotPlane {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str, request: PictureRequest) -> Self {
        Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)), request)
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>, request: PictureRequest) -> Self {
        Self { source, request }
    }
}

impl Question for PlotPlane {
    type Output = PlanePicture;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<PlanePicture, Diagnostic> {
        let Self { source, request } = self;
        let drawn = || {
            request.check_limits()?;
            plane::plot_plane(&session.infer_surface(&source.text)?, &source.text, request, on.budget())
        };
        let picture = drawn().map_err(|error| session.plot_diagnostic(source, error))?;
        for place in &picture.assumed {
            let note = Note::new("assumed", NoteKind::Assumption, session.promise_text(source, place));
            on.record_note(note.with_place(session.locate(source, place)));
        }
        record_picture_notes(&picture, on);
        Ok(picture)
    }
}

fn record_picture_notes(picture: &PlanePicture, on: &mut QuestionContext<'_>) {
    let settled = picture.pixels.iter().all(|pixel| pixel.settled);
    if !settled {
        on.record_wide();
    }
    let cut = if picture.exhausted && !settled { on.record_limit().describe_end(on.limits()) } else { String::new() };
    let all = picture.pixels.len();
    let mut counted = |id, what: &str, is_such: &dyn Fn(&Pixel) -> bool| {
        let found = picture.count_pixels(is_such);
        if found > 0 {
            on.record_note(Note::new(id, NoteKind::Outcome, format!("{what} on {found} of {all} pixels")));
        }
    };
    let within = |pixel: &Pixel| matches!(pixel.state, PixelState::Within(_));
    counted("undefined", "not shown to be defined", &|pixel| pixel.state == PixelState::Undefined);
    counted("nothing", &format!("nothing was found out{cut}"), &|pixel| pixel.state == PixelState::Unknown);
    match &picture.request.subject {
        PictureSubject::Values(_) => {
            counted("wide", &format!("not shown to be near the truth{cut}"), &|pixel| within(pixel) && !pixel.settled);
            let shown = |pixel: &Pixel| PixelAppearance::of_pixel(pixel, &picture.request.subject, picture.scale);
            counted("scale", "wider than 1/8 of the scale", &|pixel| shown(pixel) == PixelAppearance::Wide);
            counted("scale", "above the scale", &|pixel| shown(pixel) == PixelAppearance::Above);
            counted("scale", "below the scale", &|pixel| shown(pixel) == PixelAppearance::Below);
        }
        // A level set asks for a side of each pixel, so a wide enclosure on one side is no fault.
        PictureSubject::Level(_) => {
            counted("wide", &format!("not decided{cut}"), &|pixel| within(pixel) && pixel.side == LevelSide::Undecided)
        }
    }
    if let Some([low, high]) = picture.area_bounds() {
        let (low, high) = (shorten_bound(&low, false), shorten_bound(&high, true));
        on.record_note(Note::new("area", NoteKind::Outcome, format!("the area inside lies between {low} and {high}")));
    }
}

/// Writes a bound: exactly if it is short, otherwise to six decimals, rounded outward.
fn shorten_bound(q: &Rational, upward: bool) -> String {
    const PLACES: u32 = 1_000_000;
    let exact = format_exact(q);
    // A choice: twelve characters, about as many as six decimals take.
    if exact.len() <= 12 {
        return exact;
    }
    let whole = Rational::from(q * PLACES);
    format_exact(&(if upward { whole.ceil() } else { whole.floor() } / PLACES))
}
