//! Earlier names of session types, for one release.

/// The earlier name of [`PlotPlane`](super::PlotPlane).
#[cfg(feature = "plot")]
#[deprecated(since = "0.2.0", note = "renamed to `PlotPlane`")]
pub type Raster = super::PlotPlane;

/// The earlier name of [`PlotEnvelopes`](super::PlotEnvelopes).
#[cfg(feature = "plot")]
#[deprecated(since = "0.2.0", note = "renamed to `PlotEnvelopes`")]
pub type Envelope = super::PlotEnvelopes;

/// The earlier name of [`PlotDensity`](super::PlotDensity).
#[cfg(feature = "plot")]
#[deprecated(since = "0.2.0", note = "renamed to `PlotDensity`")]
pub type Density = super::PlotDensity;

/// The earlier name of [`ListPieces`](super::ListPieces).
#[deprecated(since = "0.2.0", note = "renamed to `ListPieces`")]
pub type Pieces = super::ListPieces;

/// The earlier name of [`RunTape`](super::RunTape).
#[deprecated(since = "0.2.0", note = "renamed to `RunTape`")]
pub type Sweep = super::RunTape;

/// The earlier name of [`AccuracyGoal`](super::AccuracyGoal).
#[deprecated(since = "0.2.0", note = "renamed to `AccuracyGoal`")]
pub type Goal = super::AccuracyGoal;
