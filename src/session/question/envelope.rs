//! The questions `PlotEnvelopes` and `PlotDensity`: enclosures of a function, or of a density, over the columns of a plot.
//!
//! The question `PlotPlane`: a picture of a function of two variables, in which every pixel is an enclosure.
//!
//! Parsing of programs that can be plotted.

use super::sampled::read_probabilistic_program;
use super::{Question, QuestionContext};
use crate::number::Rational;
use crate::plot;
use crate::plot::axis::format_exact;
use crate::plot::density::DensityError;
use crate::plot::plane::figure::PixelAppearance;
use crate::plot::plane::{LevelSide, PictureRequest, PictureSubject, Pixel, PixelState, PlanePicture};
use crate::plot::{
    CertifiedPlot, ColumnValues, PlotColumn, PlotError, PlotRequest, density, derivative_symbol, is_real_function,
    plane,
};
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::question::QUESTION_NAME;
use crate::session::{Session, SessionError};
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use std::sync::Arc;

/// The number of intervals that a note lists. A choice: more do not fit a line.
const MAX_NAMED_INTERVALS: usize = 3;

/// A question for the envelopes of a function of type `Real -> Real` and of its derivatives.
///
/// # Examples
/// ```
/// use smoothish::number::Rational;
/// use smoothish::plot::PlotRequest;
/// use smoothish::session::{PlotEnvelopes, Limits, Session};
/// let request = PlotRequest { columns: 5, orders: vec![1], ..PlotRequest::new(Rational::from(-1), Rational::from(1)) };
/// let drawn = Session::new().ask(&PlotEnvelopes::new(r"\x => abs x", request), &Limits::seconds(60))?;
/// // the column that holds the kink shows the whole jump
/// let columns = &drawn.value().envelopes[0].columns;
/// assert_eq!(columns[2].enclosure().unwrap().to_string(), "[-1, 1]");
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlotEnvelopes {
    source: Arc<SourceText>,
    request: PlotRequest,
    with_ascii: bool,
}

/// A question for the density of a program of type `P Real`.
#[derive(Clone, Debug)]
pub struct PlotDensity {
    source: Arc<SourceText>,
    request: PlotRequest,
    with_ascii: bool,
}

macro_rules! plot_question_constructors {
    ($question:ident) => {
        impl $question {
            /// Creates the question for a text.
            #[must_use]
            pub fn new(text: &str, request: PlotRequest) -> Self {
                Self::of(Arc::new(SourceText::new(QUESTION_NAME, text)), request)
            }

            /// Creates the question for a named text; messages show the name.
            #[must_use]
            pub fn of(source: Arc<SourceText>, request: PlotRequest) -> Self {
                Self { source, request, with_ascii: false }
            }

            /// Writes the notes in ASCII only.
            #[must_use]
            pub fn ascii(self, with_ascii: bool) -> Self {
                Self { with_ascii, ..self }
            }
        }
    };
}
plot_question_constructors!(PlotEnvelopes);
plot_question_constructors!(PlotDensity);

impl Question for PlotEnvelopes {
    type Output = CertifiedPlot;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<CertifiedPlot, Diagnostic> {
        let Self { source, request, with_ascii: ascii } = self;
        let plotted = || {
            request.check_limits()?;
            plot::plot_function(&session.infer_curve(&source.text)?, &source.text, request, on.budget())
        };
        let plot = plotted().map_err(|error| session.plot_diagnostic(source, error))?;
        session.record_plot_notes(source, &plot, *ascii, on);
        Ok(plot)
    }
}

impl Question for PlotDensity {
    type Output = CertifiedPlot;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<CertifiedPlot, Diagnostic> {
        let Self { source, request, with_ascii: ascii } = self;
        let program = read_probabilistic_program(session, false, source)?;
        // A density needs an order on the values; a tuple has no single axis to draw it over.
        if program.result_type != Ty::real() {
            return Err(Diagnostic::invalid_input(format!(
                "error: a density is drawn of a program that gives real numbers, of type P Real, and this one gives {}",
                program.result_type
            )));
        }
        let plot = density::plot_density(&program.term, &source.text, request, on.budget());
        let plot = plot.map_err(|error| match error {
            DensityError::Plot(error) => session.plot_diagnostic(source, error),
            DensityError::Measure(fault) => session.measure_diagnostic(source, fault),
        })?;
        session.record_plot_notes(source, &plot, *ascii, on);
        Ok(plot)
    }
}

impl Session {
    /// Renders an error of a plot.
    pub(super) fn plot_diagnostic(&self, source: &Arc<SourceText>, error: PlotError) -> Diagnostic {
        match error {
            PlotError::Program(e) => self.diagnose(source, &SessionError::Program(e)),
            PlotError::Interpretation(e) => self.diagnose(source, &SessionError::Interpretation(e)),
            PlotError::Evaluation { error, place, on } => {
                let place = place.map(|place| *place);
                let refusal = self.diagnose(source, &SessionError::Evaluation { error, place });
                refusal.with_note(&format!("for {on}"))
            }
            other => Diagnostic::invalid_input(format!("error: {other}")).with_id("plot"),
        }
    }

    fn record_plot_notes(
        &self,
        source: &Arc<SourceText>,
        plot: &CertifiedPlot,
        ascii: bool,
        on: &mut QuestionContext<'_>,
    ) {
        for place in &plot.assumed {
            let note = Note::new("assumed", NoteKind::Assumption, self.promise_text(source, place));
            on.record_note(note.with_place(self.locate(source, place)));
        }
        // A limit that was hit without any visible harm is not reported.
        let settled = plot.envelopes.iter().flat_map(|e| &e.columns).all(|c| c.settled);
        if !settled {
            on.record_wide();
        }
        let cut = if plot.exhausted && !settled { on.record_limit().describe_end(on.limits()) } else { String::new() };
        for envelope in &plot.envelopes {
            let all = envelope.columns.len();
            let name = match (envelope.order, plot.envelopes.len()) {
                (0, 1) => String::new(),
                (k, _) => format!("{}: ", derivative_symbol(k, ascii)),
            };
            let kinds: [ColumnClass; 3] = [
                ("undefined", "not shown to be defined", &|c| c.values == ColumnValues::Undefined, ""),
                ("nothing", "no information was found", &|c| c.values == ColumnValues::Unknown, &cut),
                (
                    "wide",
                    "not shown to be within a pixel of the truth",
                    &|c| c.enclosure().is_some() && !c.settled,
                    &cut,
                ),
            ];
            for (id, what, belongs, cut) in kinds {
                let found: Vec<&PlotColumn> = envelope.columns.iter().filter(|c| belongs(c)).collect();
                if !found.is_empty() {
                    let text =
                        format!("{name}{what}{cut} on {} of {all} columns: {}", found.len(), list_intervals(&found));
                    on.record_note(Note::new(id, NoteKind::Outcome, text));
                }
            }
        }
    }
}

/// A class of columns for a note: its id, its text, its predicate, and the limit that may be the cause.
type ColumnClass<'c> = (&'static str, &'c str, &'c dyn Fn(&PlotColumn) -> bool, &'c str);

/// Lists the intervals that the columns cover, adjacent ones joined.
fn list_intervals(columns: &[&PlotColumn]) -> String {
    let mut runs: Vec<[&Rational; 2]> = Vec::new();
    for column in columns {
        let [left, right] = column.x.each_ref();
        match runs.last_mut() {
            Some(run) if run[1] == left => run[1] = right,
            _ => runs.push([left, right]),
        }
    }
    let named =
        runs.iter().take(MAX_NAMED_INTERVALS).map(|[a, b]| format!("[{}, {}]", format_exact(a), format_exact(b)));
    let more = if runs.len() > MAX_NAMED_INTERVALS { ", …" } else { "" };
    format!("x in {}{more}", named.collect::<Vec<_>>().join(", "))
}

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
    counted("nothing", &format!("no information was found{cut}"), &|pixel| pixel.state == PixelState::Unknown);
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

impl Session {
    /// Infers the type of a program, which must be `Real -> Real`. Returns its term.
    ///
    /// # Errors
    /// [`PlotError::Program`], [`PlotError::Type`]
    pub fn infer_curve(&self, source: &str) -> Result<Term, PlotError> {
        let (term, ty) = self.infer(source)?;
        if is_real_function(&ty) {
            return Ok(term);
        }
        // A number that is only compared by `==` may have any type of numbers: check it against real numbers before
        // refusing it.
        self.infer_at(source, &Ty::function(Ty::real(), Ty::real())).map_err(|_| PlotError::Type { found: ty })
    }

    /// Infers the type of a program, which must be `Real -> Real -> Real` or `Real * Real -> Real`. Returns its term.
    ///
    /// # Errors
    /// [`PlotError::Program`], [`PlotError::PlaneType`]
    pub fn infer_surface(&self, source: &str) -> Result<Term, PlotError> {
        let [curried, uncurried] = plane::plottable_types();
        let error = match self.infer_at(source, &curried) {
            Ok(term) => return Ok(term),
            Err(error) => error,
        };
        if let Ok(term) = self.infer_at(source, &uncurried) {
            return Ok(term);
        }
        // A program that is wrong by itself keeps its own error. If only its type differs, the error names the expected
        // types.
        match self.infer(source) {
            Ok((_, found)) if !matches!(found.kind(), TyKind::Variable(..)) => Err(PlotError::PlaneType { found }),
            Ok(_) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}
