//! Checks whether a program lies in the calculus of a paper.

use super::embed::embed_program;
use crate::model::fragment::{Fragment, FragmentError};
use crate::syntax::term::Term;

/// Checks whether the theorems of a paper apply to a closed program: by [`Fragment::admits_term`], and for the language
/// of A by [embedding](embed_program) the program.
///
/// # Errors
/// [`FragmentError`]: the construct that lies outside of the calculus, its position, and what to write instead.
///
/// # Examples
/// ```
/// use smoothish_trace::model::fragment::Fragment;
/// use smoothish_trace::syntax::library::Library;
/// use smoothish_trace::trace::fragment::check_fragment;
/// let (term, _) = Library::new().infer_expression(r"\x => if x < 0 then 0 else sin x")?;
/// assert!(check_fragment(Fragment::Abadi, &term).is_ok());
/// let error = check_fragment(Fragment::Derivable, &term).expect_err("a comparison");
/// assert!(error.to_string().starts_with("the Taylor macro has no rule for `<` of real numbers;"));
/// assert_eq!(error.location().span.start, 9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn check_fragment(fragment: Fragment, term: &Term) -> Result<(), FragmentError> {
    match fragment {
        Fragment::Abadi => embed_program(term).map(drop),
        Fragment::LambdaS | Fragment::Derivable | Fragment::OmegaPap => fragment.admits_term(term),
    }
}
