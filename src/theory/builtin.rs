//! The theories of the standard library.

#[cfg(feature = "laws")]
use super::loader::TheoryCollection;
use super::texts::TheoryTexts;
use crate::syntax::library::Library;
use crate::syntax::source::SourceText;
use std::sync::LazyLock;

/// The names and texts of the theories. Each stands after those that it extends.
pub const SOURCES: [(&str, &str); 31] = [
    ("theories/prelude.theory", include_str!("../../theories/prelude.theory")),
    ("theories/data.theory", include_str!("../../theories/data.theory")),
    ("theories/trace.theory", include_str!("../../theories/trace.theory")),
    ("theories/tree.theory", include_str!("../../theories/tree.theory")),
    ("theories/network.theory", include_str!("../../theories/network.theory")),
    ("theories/category.theory", include_str!("../../theories/category.theory")),
    ("theories/field.theory", include_str!("../../theories/field.theory")),
    ("theories/second_order.theory", include_str!("../../theories/second_order.theory")),
    ("theories/smooth.theory", include_str!("../../theories/smooth.theory")),
    ("theories/reverse.theory", include_str!("../../theories/reverse.theory")),
    ("theories/matrix.theory", include_str!("../../theories/matrix.theory")),
    ("theories/partial.theory", include_str!("../../theories/partial.theory")),
    ("theories/pap.theory", include_str!("../../theories/pap.theory")),
    ("theories/domain.theory", include_str!("../../theories/domain.theory")),
    ("theories/clarke.theory", include_str!("../../theories/clarke.theory")),
    ("theories/differential.theory", include_str!("../../theories/differential.theory")),
    ("theories/integral.theory", include_str!("../../theories/integral.theory")),
    ("theories/rounding.theory", include_str!("../../theories/rounding.theory")),
    ("theories/taylor.theory", include_str!("../../theories/taylor.theory")),
    ("theories/tangents.theory", include_str!("../../theories/tangents.theory")),
    ("theories/surface.theory", include_str!("../../theories/surface.theory")),
    ("theories/maximizer.theory", include_str!("../../theories/maximizer.theory")),
    ("theories/smooth_bool.theory", include_str!("../../theories/smooth_bool.theory")),
    ("theories/distributions.theory", include_str!("../../theories/distributions.theory")),
    ("theories/estimators.theory", include_str!("../../theories/estimators.theory")),
    ("theories/measure.theory", include_str!("../../theories/measure.theory")),
    ("theories/support.theory", include_str!("../../theories/support.theory")),
    ("theories/solid.theory", include_str!("../../theories/solid.theory")),
    ("theories/shapes.theory", include_str!("../../theories/shapes.theory")),
    ("theories/compact.theory", include_str!("../../theories/compact.theory")),
    ("theories/everyday.theory", include_str!("../../theories/everyday.theory")),
];

fn builtin_sources() -> impl Iterator<Item = SourceText> {
    SOURCES.into_iter().map(|(name, text)| SourceText::new(name, text))
}

/// Loads the theories of the standard library. A theory is parsed and typed when one of its names is first looked up.
///
/// # Examples
/// ```standalone_crate
/// let theories = smoothish::theory::builtin::load_theories();
/// let (_, ty) = theories.library().infer_expression("der variance uniform")?;
/// assert_eq!(ty.to_string(), "((Real -> Real) -> Real) -> Real");
/// let read = theories.library().modules().iter().filter(|module| module.is_loaded());
/// assert_eq!(read.map(|module| &**module.name()).collect::<Vec<_>>(), ["Integral"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg(feature = "laws")]
#[must_use]
pub fn load_theories() -> TheoryCollection {
    THEORIES.clone()
}

/// The loaded theories. They are shared by the whole process, so that each is parsed at most once.
#[cfg(feature = "laws")]
static THEORIES: LazyLock<TheoryCollection> = LazyLock::new(|| TheoryCollection::from_lazy_sources(builtin_sources()));

/// The texts of the theories, without their laws: the feature `laws` is off.
#[cfg(not(feature = "laws"))]
static THEORIES: LazyLock<TheoryTexts> = LazyLock::new(|| TheoryTexts::from_lazy_sources(builtin_sources()));

/// Returns the texts of the standard library.
#[must_use]
pub fn library_texts() -> TheoryTexts {
    #[cfg(feature = "laws")]
    return THEORIES.texts().clone();
    #[cfg(not(feature = "laws"))]
    THEORIES.clone()
}

/// Returns the definitions of the standard library.
#[must_use]
pub fn library() -> Library {
    THEORIES.library().clone()
}
