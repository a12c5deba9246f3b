//! Plots of functions in pieces: each piece by itself, with its ends, and the parts that were not explored.
//!
//! A stretch of a piece is drawn like any function, by the map of the piece. So there is one analytic map on the
//! whole of a column, and the envelope does not join the two sides of a border. Ends are marked: a filled mark if the
//! point belongs to the piece, an open one otherwise. Parts that were not explored are [`ColumnValues::Unknown`].

use super::error::format_interval;
use super::{
    CertifiedPlot, ColumnValues, CurveFailure, Envelope, EnvelopeBuilder, PlotColumn, PlotError, PlotRequest, axis,
};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::{LineInterval, PiecewiseMap};
use crate::smooth::curve::UnivariateMap;
use crate::smooth::graph::{Graph, Variable};

/// A mark of a plot in pieces.
#[derive(Clone, Debug, PartialEq)]
pub enum PieceMark {
    /// A border, at which two parts touch.
    Border(Rational),
    /// An end of a piece.
    End {
        /// The position of the end.
        x: Rational,
        /// The value of the map of the piece there.
        y: Enclosure,
        /// `true` if the point belongs to the piece.
        belongs: bool,
    },
}

impl PieceMark {
    /// Returns the position of the mark.
    #[must_use]
    pub fn position(&self) -> &Rational {
        match self {
            Self::Border(x) | Self::End { x, .. } => x,
        }
    }
}

/// The largest number of parts whose ends are marked. A choice: more marks would hide the envelope.
const MOST_MARKED: usize = 40;

/// A part of the line, and the map on it if there is one.
struct PlottedPart<'p> {
    /// The interval of the part.
    stretch: &'p LineInterval,
    map: Option<&'p Graph>,
    /// The values of its column if there is no map.
    missing: ColumnValues,
}

/// Computes the envelopes of a function in pieces and of its derivatives: those of the map of each piece.
///
/// # Errors
/// Errors of [`plot_pieces`](super::plot_function).
pub fn plot_pieces(
    pap: &PiecewiseMap,
    source: &str,
    request: &PlotRequest,
    budget: &Budget,
) -> Result<CertifiedPlot, PlotError> {
    request.check_limits()?;
    let mut parts: Vec<PlottedPart<'_>> = Vec::new();
    for piece in &pap.pieces {
        let map = piece.outcome.as_number();
        let stretches = piece.region.iter().flat_map(|region| &region.0);
        parts.extend(stretches.map(|stretch| PlottedPart { stretch, map, missing: ColumnValues::Undefined }));
    }
    for part in &pap.frontier {
        let stretches = part.region.iter().flat_map(|region| &region.0);
        parts.extend(stretches.map(|stretch| PlottedPart { stretch, map: None, missing: ColumnValues::Unknown }));
    }
    // Pieces and unexplored parts come from two lists, and columns must run from left to right.
    parts.sort_by_cached_key(|part| (part.stretch.left.lo.clone(), part.stretch.right.hi.clone()));
    let [v] = pap.variables[..] else { return Err(wrong_variable_count(pap.variables.len())) };
    let orders = request.orders.iter();
    let envelopes = orders.map(|order| part_envelopes(v, &parts, *order, request, budget)).collect::<Result<_, _>>()?;
    Ok(CertifiedPlot {
        source: source.to_owned(),
        request: request.clone(),
        envelopes,
        assumed: Vec::new(),
        exhausted: budget.is_exhausted(),
    })
}

/// Returns the error for a function of several variables, or of none.
fn wrong_variable_count(found: usize) -> PlotError {
    PlotError::Size { what: "the number of variables", least: 1, most: 1, found: found as u32 }
}

/// Returns the error for a failed evaluation. Pieces have no site of a primitive at fault.
fn evaluation_error(CurveFailure { error, on }: CurveFailure) -> PlotError {
    PlotError::Evaluation { error, place: None, on: format_interval("x", &on).into() }
}

/// Computes the envelope of one derivative, part by part.
fn part_envelopes(
    v: Variable,
    parts: &[PlottedPart<'_>],
    order: u32,
    request: &PlotRequest,
    budget: &Budget,
) -> Result<Envelope, PlotError> {
    let whole = Rational::from(&request.to - &request.from);
    let (mut columns, mut marks, mut window) = (Vec::new(), Vec::new(), None);
    let is_marked = parts.len() <= MOST_MARKED;
    for (number, PlottedPart { stretch, map, missing }) in parts.iter().enumerate() {
        let (from, to) = (&stretch.left.lo, &stretch.right.hi);
        let before = number.checked_sub(1).map(|before| &parts[before]);
        // Two missing parts side by side count as one, so no border lies between them.
        let is_joined = |before: &&PlottedPart<'_>| before.map.is_none() && map.is_none() && before.missing == *missing;
        if before.is_some_and(|before| !before.stretch.is_point() && !is_joined(&before)) {
            marks.push(PieceMark::Border(from.clone()));
        }
        let curve = match map {
            // A part without a map is one column of missing values; a missing point has neither width nor value.
            Some(g) => UnivariateMap::new(v, g)
                .map_err(|error| evaluation_error(CurveFailure { error, on: [from.clone(), to.clone()] }))?,
            None if from == to => continue,
            None => {
                columns.push(PlotColumn {
                    x: [from.clone(), to.clone()],
                    values: missing.clone(),
                    settled: true,
                    kink: None,
                });
                continue;
            }
        };
        let mut ends = Vec::new();
        if from < to {
            let share = Rational::from(to - from) / &whole * request.columns;
            // Parts share the columns of the request in proportion to their widths, and each gets at least one.
            let count = share.ceil().to_f64().clamp(1.0, f64::from(request.columns)) as u32;
            let borders = axis::column_borders(from, to, count);
            let mut drawing =
                EnvelopeBuilder::enclose_columns(&curve, order, &borders, request, budget).map_err(evaluation_error)?;
            drawing.narrow_at_borders().map_err(evaluation_error)?;
            drawing.refine_columns().map_err(evaluation_error)?;
            ends.extend([(from, stretch.closed[0]), (to, stretch.closed[1])]);
            if is_marked {
                mark_ends(&mut drawing, &ends, request, &mut marks).map_err(evaluation_error)?;
            }
            let found = drawing.build_envelope().map_err(evaluation_error)?;
            window = Some(window.map_or(found.window.clone(), |all: super::axis::Window| all.hull(&found.window)));
            columns.extend(found.columns);
        } else {
            // A point has no column, only a mark. The sampler needs borders to choose its precision, so it gets a
            // fictitious column beside it.
            let beside = from + Rational::from(&whole / request.columns);
            let borders = [from.clone(), beside];
            let mut drawing =
                EnvelopeBuilder::enclose_columns(&curve, order, &borders, request, budget).map_err(evaluation_error)?;
            let y = drawing.sampler.value_at(from).map_err(evaluation_error)?;
            if y.is_defined() {
                let own = super::axis::Window::around_values([&y], crate::number::Magnitude::ZERO, false, None, None);
                window = Some(window.map_or(own.clone(), |all: super::axis::Window| all.hull(&own)));
                marks.push(PieceMark::End { x: from.clone(), y, belongs: true });
            }
        }
    }
    // Ends of the request override the window, which is the hull of those of all parts.
    let given = |end: &Option<Rational>, own: Rational| end.clone().unwrap_or(own);
    let found = window.unwrap_or(super::axis::Window { low: Rational::from(-1), high: Rational::from(1) });
    let (low, high) = (given(&request.low, found.low), given(&request.high, found.high));
    let window = super::axis::Window::new(low.clone(), high)
        .unwrap_or_else(|| super::axis::Window { high: Rational::from(&low + 1u32), low });
    Ok(Envelope { order, columns, window, marks })
}

/// Adds marks at the ends of a stretch, but for those at the ends of the picture.
fn mark_ends(
    drawing: &mut EnvelopeBuilder<'_>,
    ends: &[(&Rational, bool)],
    request: &PlotRequest,
    marks: &mut Vec<PieceMark>,
) -> Result<(), CurveFailure> {
    for (x, belongs) in ends {
        // The picture ends there, and not necessarily the piece.
        if **x == request.from || **x == request.to {
            continue;
        }
        let y = drawing.sampler.value_at(x)?;
        if y.is_defined() && y.is_bounded() {
            marks.push(PieceMark::End { x: (*x).clone(), y, belongs: *belongs });
        }
    }
    Ok(())
}
