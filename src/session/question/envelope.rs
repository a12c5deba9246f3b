//! The questions `Envelope` and `Density`: enclosures of a function, or of a density, over the columns of a plot.

use super::sampled::read;
use super::{Question, Scope};
use crate::number::Rational;
use crate::plot::density::{self, DensityError};
use crate::plot::grid::written;
use crate::plot::{self, Column, Plot, PlotError, Request, Values, symbol};
use crate::session::answer::{Diagnostic, Note, NoteKind};
use crate::session::places::QUESTION;
use crate::session::{Session, SessionError};
use crate::syntax::source::Source;
use crate::syntax::ty::Ty;
use std::sync::Arc;

/// The number of intervals that a note lists. A choice: more do not fit a line.
const NAMED: usize = 3;

/// A question for the envelopes of a function of type `Real -> Real` and of its derivatives.
///
/// # Examples
/// ```
/// use smoothish::number::Rational;
/// use smoothish::plot::Request;
/// use smoothish::session::{Envelope, Limits, Session};
/// let request = Request { columns: 5, orders: vec![1], ..Request::new(Rational::from(-1), Rational::from(1)) };
/// let drawn = Session::new().ask(&Envelope::new(r"\x => abs x", request), &Limits::seconds(60))?;
/// // the column that holds the kink shows the whole jump
/// let columns = &drawn.value().envelopes[0].columns;
/// assert_eq!(columns[2].enclosure().unwrap().to_string(), "[-1, 1]");
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Envelope {
    source: Arc<Source>,
    request: Request,
    ascii: bool,
}

/// A question for the density of a program of type `P Real`.
#[derive(Clone, Debug)]
pub struct Density {
    source: Arc<Source>,
    request: Request,
    ascii: bool,
}

macro_rules! constructors {
    ($question:ident) => {
        impl $question {
            /// Creates the question for a text.
            #[must_use]
            pub fn new(text: &str, request: Request) -> Self {
                Self::of(Arc::new(Source::new(QUESTION, text)), request)
            }

            /// Creates the question for a named text; messages show the name.
            #[must_use]
            pub fn of(source: Arc<Source>, request: Request) -> Self {
                Self { source, request, ascii: false }
            }

            /// Writes the notes in ASCII only.
            #[must_use]
            pub fn ascii(self, ascii: bool) -> Self {
                Self { ascii, ..self }
            }
        }
    };
}
constructors!(Envelope);
constructors!(Density);

impl Question for Envelope {
    type Output = Plot;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Plot, Diagnostic> {
        let Self { source, request, ascii } = self;
        let plotted = || {
            request.check()?;
            plot::envelopes(&session.curve(&source.text)?, &source.text, request, on.budget())
        };
        let plot = plotted().map_err(|error| session.undrawn(source, error))?;
        session.tell_of_plot(source, &plot, *ascii, on);
        Ok(plot)
    }
}

impl Question for Density {
    type Output = Plot;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<Plot, Diagnostic> {
        let Self { source, request, ascii } = self;
        let program = read(session, false, source)?;
        // A density needs an order on the values; a tuple has no single axis to draw it over.
        if program.gives != Ty::real() {
            return Err(Diagnostic::wrong(format!(
                "error: a density is drawn of a program that gives real numbers, of type P Real, and this one gives {}",
                program.gives
            )));
        }
        let plot = density::envelopes(&program.term, &source.text, request, on.budget());
        let plot = plot.map_err(|error| match error {
            DensityError::Plot(error) => session.undrawn(source, error),
            DensityError::Measure(fault) => session.without_measure(source, fault),
        })?;
        session.tell_of_plot(source, &plot, *ascii, on);
        Ok(plot)
    }
}

impl Session {
    /// Renders an error of a plot.
    pub(super) fn undrawn(&self, source: &Arc<Source>, error: PlotError) -> Diagnostic {
        match error {
            PlotError::Program(e) => self.diagnose(source, &SessionError::Program(e)),
            PlotError::Interpretation(e) => self.diagnose(source, &SessionError::Interpretation(e)),
            PlotError::Evaluation { error, place, on } => {
                let place = place.map(|place| *place);
                let refusal = self.diagnose(source, &SessionError::Evaluation { error, place });
                refusal.noting(&format!("for {on}"))
            }
            other => Diagnostic::wrong(format!("error: {other}")).named("plot"),
        }
    }

    fn tell_of_plot(&self, source: &Arc<Source>, plot: &Plot, ascii: bool, on: &mut Scope<'_>) {
        for place in &plot.assumed {
            let note = Note::new("assumed", NoteKind::Assumption, self.promise(source, place));
            on.note(note.at(self.locate(source, place)));
        }
        // A limit that was hit without any visible harm is not reported.
        let settled = plot.envelopes.iter().flat_map(|e| &e.columns).all(|c| c.settled);
        if !settled {
            on.is_wide();
        }
        let cut = if plot.exhausted && !settled { on.is_cut_short().within(on.limits()) } else { String::new() };
        for envelope in &plot.envelopes {
            let all = envelope.columns.len();
            let name = match (envelope.order, plot.envelopes.len()) {
                (0, 1) => String::new(),
                (k, _) => format!("{}: ", symbol(k, ascii)),
            };
            let kinds: [Kind; 3] = [
                ("undefined", "not shown to be defined", &|c| c.values == Values::Undefined, ""),
                ("nothing", "nothing was found out", &|c| c.values == Values::Unknown, &cut),
                (
                    "wide",
                    "not shown to be within a pixel of the truth",
                    &|c| c.enclosure().is_some() && !c.settled,
                    &cut,
                ),
            ];
            for (id, what, belongs, cut) in kinds {
                let found: Vec<&Column> = envelope.columns.iter().filter(|c| belongs(c)).collect();
                if !found.is_empty() {
                    let text = format!("{name}{what}{cut} on {} of {all} columns: {}", found.len(), places(&found));
                    on.note(Note::new(id, NoteKind::Outcome, text));
                }
            }
        }
    }
}

/// A class of columns for a note: its id, its text, its predicate, and the limit that may be the cause.
type Kind<'c> = (&'static str, &'c str, &'c dyn Fn(&Column) -> bool, &'c str);

/// Lists the intervals that the columns cover, adjacent ones joined.
fn places(columns: &[&Column]) -> String {
    let mut runs: Vec<[&Rational; 2]> = Vec::new();
    for column in columns {
        let [left, right] = column.x.each_ref();
        match runs.last_mut() {
            Some(run) if run[1] == left => run[1] = right,
            _ => runs.push([left, right]),
        }
    }
    let named = runs.iter().take(NAMED).map(|[a, b]| format!("[{}, {}]", written(a), written(b)));
    let more = if runs.len() > NAMED { ", …" } else { "" };
    format!("x in {}{more}", named.collect::<Vec<_>>().join(", "))
}
