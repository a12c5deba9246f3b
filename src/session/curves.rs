//! Programs that can be drawn.

use super::Session;
use crate::plot::{PlotError, is_curve, plane};
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};

impl Session {
    /// The program that a text is, of type `Real -> Real`.
    ///
    /// # Errors
    /// [`PlotError::Program`], [`PlotError::Type`]
    pub fn curve(&self, source: &str) -> Result<Term, PlotError> {
        let (term, ty) = self.infer(source)?;
        if is_curve(&ty) {
            return Ok(term);
        }
        // a number that is compared by `==` alone may as well be real
        self.infer_at(source, &Ty::function(Ty::real(), Ty::real())).map_err(|_| PlotError::Type { found: ty })
    }

    /// The program that a text is, of type `Real -> Real -> Real` or `Real * Real -> Real`.
    ///
    /// # Errors
    /// [`PlotError::Program`], [`PlotError::PlaneType`]
    pub fn surface(&self, source: &str) -> Result<Term, PlotError> {
        let [curried, uncurried] = plane::types();
        let error = match self.infer_at(source, &curried) {
            Ok(term) => return Ok(term),
            Err(error) => error,
        };
        if let Ok(term) = self.infer_at(source, &uncurried) {
            return Ok(term);
        }
        // what is wrong by itself says so; what has another type is told which one is expected
        match self.infer(source) {
            Ok((_, found)) if !matches!(found.kind(), TyKind::Variable(..)) => Err(PlotError::PlaneType { found }),
            Ok(_) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}
