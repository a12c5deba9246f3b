//! The theories that come with the library.

use super::error::TheoryError;
use super::loader::Theories;
use crate::syntax::library::Library;
use crate::syntax::source::Source;
use std::sync::LazyLock;

/// The texts, each with its name.
pub const SOURCES: [(&str, &str); 17] = [
    ("theories/prelude.theory", include_str!("../../theories/prelude.theory")),
    ("theories/data.theory", include_str!("../../theories/data.theory")),
    ("theories/tree.theory", include_str!("../../theories/tree.theory")),
    ("theories/network.theory", include_str!("../../theories/network.theory")),
    ("theories/category.theory", include_str!("../../theories/category.theory")),
    ("theories/field.theory", include_str!("../../theories/field.theory")),
    ("theories/second_order.theory", include_str!("../../theories/second_order.theory")),
    ("theories/smooth.theory", include_str!("../../theories/smooth.theory")),
    ("theories/reverse.theory", include_str!("../../theories/reverse.theory")),
    ("theories/domain.theory", include_str!("../../theories/domain.theory")),
    ("theories/clarke.theory", include_str!("../../theories/clarke.theory")),
    ("theories/differential.theory", include_str!("../../theories/differential.theory")),
    ("theories/integral.theory", include_str!("../../theories/integral.theory")),
    ("theories/tangents.theory", include_str!("../../theories/tangents.theory")),
    ("theories/surface.theory", include_str!("../../theories/surface.theory")),
    ("theories/maximizer.theory", include_str!("../../theories/maximizer.theory")),
    ("theories/smooth_bool.theory", include_str!("../../theories/smooth_bool.theory")),
];

/// Loads the theories that come with the library.
///
/// # Errors
/// None, in a library whose tests pass: they load these texts.
///
/// # Examples
/// ```
/// let theories = smoothish::theory::builtin::load()?;
/// let (_, ty) = theories.library().infer_expression("der variance uniform")?;
/// assert_eq!(ty.to_string(), "((Real -> Real) -> Real) -> Real");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn load() -> Result<Theories, TheoryError> {
    match &*THEORIES {
        Ok(theories) => Ok(theories.clone()),
        Err(error) => Err(error.clone()),
    }
}

/// Read once for the whole program.
static THEORIES: LazyLock<Result<Theories, TheoryError>> =
    LazyLock::new(|| Theories::of_definitions(SOURCES.map(|(name, text)| Source::new(name, text))));

/// The definitions of the theories that come with the library.
#[must_use]
pub fn library() -> Library {
    match &*THEORIES {
        Ok(theories) => theories.library().clone(),
        // The texts are compiled in, and a test loads them.
        Err(error) => unreachable!("{}", error.render()),
    }
}
