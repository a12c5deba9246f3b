//! Parsing of programs that can be plotted.

use super::Session;
use crate::plot::{PlotError, is_real_function, plane};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};

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
