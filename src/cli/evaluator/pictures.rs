//! What is drawn, and why something is not.

use super::Workbench;
use crate::cli::ask::{Drawn, Limits, Refusal, Rendered};
use crate::number::Rational;
use crate::plot::{self, PlotError, plane};
use crate::session::SessionError;
use crate::syntax::source::Source;
use std::time::Instant;

impl Workbench {
    /// A plot, and what is said about it.
    pub(super) fn drawn(&self, source: &Source, plot: plot::Plot, start: Instant, limits: &Limits) -> Drawn {
        let stop = limits.stop();
        let settled = plot.envelopes.iter().flat_map(|e| &e.columns).all(|c| c.settled);
        Drawn {
            stopped: (plot.exhausted && !settled).then_some(stop),
            notes: plot.assumed.iter().map(|place| self.promise(source, place)).collect(),
            plot,
            elapsed: start.elapsed(),
        }
    }

    /// A picture of a function of two variables.
    ///
    /// # Errors
    /// A [`Refusal`] where the expression is wrong or no such function, or the request cannot be drawn.
    pub(in crate::cli) fn render(
        &self,
        source: &Source,
        request: &plane::Request,
        limits: &Limits,
    ) -> Result<Rendered, Refusal> {
        let start = Instant::now();
        let drawn = self.watched("drawing", &Rational::from(1).into(), limits, |budget| {
            request.check()?;
            plane::picture(&self.session.surface(&source.text)?, &source.text, request, budget)
        });
        let picture = drawn.map_err(|error| self.undrawn(source, error))?;
        let stop = limits.stop();
        let settled = picture.pixels.iter().all(|pixel| pixel.settled);
        Ok(Rendered {
            stopped: (picture.exhausted && !settled).then_some(stop),
            notes: picture.assumed.iter().map(|place| self.promise(source, place)).collect(),
            picture,
            elapsed: start.elapsed(),
        })
    }

    /// Why a picture is refused.
    pub(super) fn undrawn(&self, source: &Source, error: PlotError) -> Refusal {
        match error {
            PlotError::Program(e) => self.refusal(source, &SessionError::Program(e)),
            PlotError::Interpretation(e) => self.refusal(source, &SessionError::Interpretation(e)),
            PlotError::Evaluation { error, place, on } => {
                let place = place.map(|place| *place);
                let mut refusal = self.refusal(source, &SessionError::Evaluation { error, place });
                refusal.message += &format!("\n  = note: for {on}");
                refusal
            }
            other => Refusal::wrong(format!("error: {other}")),
        }
    }
}
