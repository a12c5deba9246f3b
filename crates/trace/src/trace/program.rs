//! Programs of the core language, with the positions of their parts in the source.

use super::term::{Site, Term, Variable};
use super::ty::Ty;
use crate::model::Place;

/// A program of the core language. A function is a term whose free variables are the parameters.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parameters with their types; empty for a closed program.
    pub parameters: Vec<(Variable, Ty)>,
    /// The term.
    pub term: Term,
    /// The type of the term.
    pub ty: Ty,
    /// The positions to which the [sites](Site) of the term are indices.
    pub places: Vec<Place>,
}

impl Program {
    /// Returns the position of a site; `None` if it has none.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<&Place> {
        self.places.get(site.index()?)
    }

    /// Returns the parts of the reverse derivative of a function of one vector: its parameter, a new variable for the
    /// point, and a cotangent. The cotangent is 1 if the function is real-valued, and a variable otherwise. `None` for
    /// other programs.
    #[must_use]
    pub fn transposed(&self) -> Option<Transposed<'_>> {
        let [(x, ty)] = &self.parameters[..] else { return None };
        let point = x.renamed();
        let mut parameters = vec![(point.clone(), ty.clone())];
        let cotangent = match self.ty {
            Ty::Real => Term::number(1),
            _ => {
                let w = Variable::fresh(&"w".into());
                parameters.push((w.clone(), self.ty.clone()));
                Term::variable(&w)
            }
        };
        Some(Transposed { x, ty, point: Term::variable(&point), cotangent, parameters })
    }
}

/// The parts of `W.rd_V(x : T. M)` other than M.
#[derive(Clone, Debug)]
pub struct Transposed<'p> {
    /// x
    pub x: &'p Variable,
    /// T
    pub ty: &'p Ty,
    /// V
    pub point: Term,
    /// W
    pub cotangent: Term,
    /// The parameters of the derivative: V, and W unless it is 1.
    pub parameters: Vec<(Variable, Ty)>,
}
