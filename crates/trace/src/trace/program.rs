//! Programs of the core language, with the places that their parts come from.

use super::term::{Site, Term, Variable};
use super::ty::Ty;
use crate::model::Place;

/// A program of the core language, or a function whose parameters are free variables of it.
#[derive(Clone, Debug)]
pub struct Program {
    /// The parameters, and their types; none for a closed program.
    pub parameters: Vec<(Variable, Ty)>,
    /// The term.
    pub term: Term,
    /// Its type.
    pub ty: Ty,
    /// The places that its [sites](Site) number.
    pub places: Vec<Place>,
}

impl Program {
    /// The place of a site.
    #[must_use]
    pub fn place(&self, site: Site) -> Option<&Place> {
        self.places.get(site.index()?)
    }

    /// Where a function of one vector is differentiated in reverse, and of what: its parameter with its type, a point under another
    /// name, and a cotangent, which is 1 for real values; the parameters that these are. `None` for anything else.
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

/// What stands around the body of a function in `W.rd_V(x : T. M)`.
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
    /// The parameters of the whole: V, and W unless it is 1.
    pub parameters: Vec<(Variable, Ty)>,
}
