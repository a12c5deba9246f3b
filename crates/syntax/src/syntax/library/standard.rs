//! The modules of the standard library.

/// The names of the modules of the standard library, in the order in which they are loaded. A test compares them with
/// the sources.
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

/// Returns `true` if a module belongs to the standard library.
#[must_use]
pub fn is_standard(module: &str) -> bool {
    STANDARD.contains(&module)
}
