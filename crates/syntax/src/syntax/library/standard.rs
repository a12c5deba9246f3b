//! Which modules come with the library.

/// The names of the theories that come with it, in the order in which they are loaded. A test holds them
/// against the sources.
pub const STANDARD: [&str; 30] = [
    "Prelude",
    "Data",
    "Trace",
    "Tree",
    "Network",
    "Category",
    "OrderedField",
    "SecondOrder",
    "Smooth",
    "Reverse",
    "Matrix",
    "Partial",
    "Pap",
    "Domain",
    "Clarke",
    "CartesianDifferential",
    "Integral",
    "Rounding",
    "Taylor",
    "Tangents",
    "Surface",
    "Maximizer",
    "SmoothBool",
    "Distributions",
    "Estimators",
    "Measure",
    "Support",
    "Solid",
    "Shapes",
    "Compact",
];

/// Whether a module comes with the library, and is not its user's.
#[must_use]
pub fn is_standard(module: &str) -> bool {
    STANDARD.contains(&module)
}
