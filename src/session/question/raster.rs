//! The question `Raster`: a picture of a function of two variables, in which every pixel is an enclosure.

use super::{Question, Scope};
use crate::number::Rational;
use crate::plot::grid::written;
use crate::plot::plane::colour::Shown;
use crate::plot::plane::{self, Known, Picture, Pixel, Request, Side, Subject};
use crate::session::Session;
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::places::QUESTION;
use crate::syntax::source::Source;
use std::sync::Arc;

/// A question for a picture of a function of type `Real -> Real -> Real` or `Real * Real -> Real`.
///
/// # Examples
/// ```
/// use smoothish::number::Rational;
/// use smoothish::plot::plane::{Request, Subject};
/// use smoothish::session::{Limits, Raster, Session};
/// let side = || [-1, 1].map(Rational::from);
/// let request = Request { x: side(), y: side(), columns: 64, rows: 64, subject: Subject::Level(Rational::from(0)), threads: None, title: None };
/// let disc = Session::new().ask(&Raster::new(r"\x y => 1 - x^2 - y^2", request), &Limits::seconds(60))?;
/// let [low, high] = disc.value().area().expect("a level set");
/// assert!(low < 3.1416 && high > 3.1415);
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Raster {
    source: Arc<Source>,
    request: Request,
}

impl Raster {
    /// Creates the question for a text.
    #[must_use]
    pub fn new(text: &str, request: Request) -> Self {
        Self::of(Arc::new(Source::new(QUESTION, text)), request)
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn of(source: Arc<Source>, request: Request) -> Self {
        Self { source, request }
    }
}

impl Question for Raster {
    type Output = Picture;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Picture, Diagnostic> {
        let Self { source, request } = self;
        let drawn = || {
            request.check()?;
            plane::picture(&session.surface(&source.text)?, &source.text, request, on.budget())
        };
        let picture = drawn().map_err(|error| session.undrawn(source, error))?;
        for place in &picture.assumed {
            let note = Note::new("assumed", NoteKind::Assumption, session.promise(source, place));
            on.note(note.at(session.locate(source, place)));
        }
        tell(&picture, on);
        Ok(picture)
    }
}

fn tell(picture: &Picture, on: &mut Scope<'_>) {
    let settled = picture.pixels.iter().all(|pixel| pixel.settled);
    if !settled {
        on.is_wide();
    }
    let cut = if picture.exhausted && !settled { on.is_cut_short().within(on.limits()) } else { String::new() };
    let all = picture.pixels.len();
    let mut counted = |id, what: &str, is_such: &dyn Fn(&Pixel) -> bool| {
        let found = picture.count(is_such);
        if found > 0 {
            on.note(Note::new(id, NoteKind::Outcome, format!("{what} on {found} of {all} pixels")));
        }
    };
    let within = |pixel: &Pixel| matches!(pixel.known, Known::Within(_));
    counted("undefined", "not shown to be defined", &|pixel| pixel.known == Known::Undefined);
    counted("nothing", &format!("nothing was found out{cut}"), &|pixel| pixel.known == Known::Unknown);
    match &picture.request.subject {
        Subject::Values(_) => {
            counted("wide", &format!("not shown to be near the truth{cut}"), &|pixel| within(pixel) && !pixel.settled);
            let shown = |pixel: &Pixel| Shown::of(pixel, &picture.request.subject, picture.scale);
            counted("scale", "wider than 1/8 of the scale", &|pixel| shown(pixel) == Shown::Wide);
            counted("scale", "above the scale", &|pixel| shown(pixel) == Shown::Above);
            counted("scale", "below the scale", &|pixel| shown(pixel) == Shown::Below);
        }
        // A level set asks for a side of each pixel, so a wide enclosure on one side is no fault.
        Subject::Level(_) => {
            counted("wide", &format!("not decided{cut}"), &|pixel| within(pixel) && pixel.side == Side::Undecided)
        }
    }
    if let Some([low, high]) = picture.area() {
        let (low, high) = (short(&low, false), short(&high, true));
        on.note(Note::new("area", NoteKind::Outcome, format!("the area inside lies between {low} and {high}")));
    }
}

/// Writes a bound: exactly if it is short, otherwise to six decimals, rounded outward.
fn short(q: &Rational, upward: bool) -> String {
    const PLACES: u32 = 1_000_000;
    let exact = written(q);
    // A choice: twelve characters, about as many as six decimals take.
    if exact.len() <= 12 {
        return exact;
    }
    let whole = Rational::from(q * PLACES);
    written(&(if upward { whole.ceil() } else { whole.floor() } / PLACES))
}
