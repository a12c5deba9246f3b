//! Programs of the core language, with the positions of their parts in the source.

use super::term::{CoreTerm, CoreVariable, SourceId};
use super::ty::CoreTy;
use crate::model::SourceLocation;

/// A program of the core language. A function is a term whose free variables are the parameters.
#[derive(Clone, Debug)]
pub struct CoreProgram {
    /// The parameters with their types; empty for a closed program.
    pub parameters: Vec<(CoreVariable, CoreTy)>,
    /// The term.
    pub term: CoreTerm,
    /// The type of the term.
    pub ty: CoreTy,
    /// The positions to which the [sites](SourceId) of the term are indices.
    pub positions: Vec<SourceLocation>,
}

impl CoreProgram {
    /// Returns the position of a site; `None` if it has none.
    #[must_use]
    pub fn position_of(&self, site: SourceId) -> Option<&SourceLocation> {
        self.positions.get(site.index()?)
    }

    /// Returns the parts of the reverse derivative of a function of one vector: its parameter, a new variable for the
    /// point, and a cotangent. The cotangent is 1 if the function is real-valued, and a variable otherwise. `None` for
    /// other programs.
    #[must_use]
    pub fn transposed_parts(&self) -> Option<TransposedParts<'_>> {
        let [(x, ty)] = &self.parameters[..] else { return None };
        let point = x.renamed();
        let mut parameters = vec![(point.clone(), ty.clone())];
        let cotangent = match self.ty {
            CoreTy::Real => CoreTerm::number(1),
            _ => {
                let w = CoreVariable::fresh(&"w".into());
                parameters.push((w.clone(), self.ty.clone()));
                CoreTerm::variable(&w)
            }
        };
        Some(TransposedParts { x, ty, point: CoreTerm::variable(&point), cotangent, parameters })
    }
}

/// The parts of `W.rd_V(x : T. M)` other than M.
#[derive(Clone, Debug)]
pub struct TransposedParts<'p> {
    /// x
    pub x: &'p CoreVariable,
    /// T
    pub ty: &'p CoreTy,
    /// V
    pub point: CoreTerm,
    /// W
    pub cotangent: CoreTerm,
    /// The parameters of the derivative: V, and W unless it is 1.
    pub parameters: Vec<(CoreVariable, CoreTy)>,
}
