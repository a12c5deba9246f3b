//! Functions on an open set that are given by pieces: the results of gluing.
//!
//! At a point, the value of the function is that of any piece whose [region](super::region) contains the point.
//! [`Diffeology::glue`](super::space::Diffeology::glue) checks that the pieces agree where they overlap. A candidate
//! that was put together without this check may fail to be a function.

use super::Tried;
use super::error::{DiffeologyError, shown};
use super::open::Open;
use super::real::{Membership, exactly, told_point};
use super::region::Region;
use super::reparametrisation::Reparametrisation;
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::graph::Graph;
use crate::smooth::map::Trial;
use crate::verdict::Verdict;
use std::fmt;

/// A function given by pieces. Each piece carries local data of type `L` that describe the function on its region.
#[derive(Clone, Debug)]
pub struct Piecewise<L> {
    domain: Open,
    pieces: Vec<Piece<L>>,
}

/// A piece of a function.
#[derive(Clone, Debug)]
pub struct Piece<L> {
    /// The region on which the piece describes the function.
    pub region: Region,
    /// The local description of the function.
    pub value: L,
}

/// The number of pieces whose overlaps are sampled. A choice: each pair of them costs an intersection of open sets.
const MOST_OVERLAPS: usize = 8;

impl<L: Clone> Piecewise<L> {
    /// Returns the function with a single piece, on all of `domain`.
    #[must_use]
    pub fn whole(domain: &Open, value: L) -> Self {
        Self { domain: domain.clone(), pieces: vec![Piece { region: Region::everything(), value }] }
    }

    /// Returns the function that equals each of `parts` on its region.
    #[must_use]
    pub fn joined(domain: &Open, parts: Vec<(Region, Self)>) -> Self {
        let within = |(region, part): (Region, Self)| {
            part.pieces.into_iter().map(move |p| Piece { region: region.and(&p.region), value: p.value })
        };
        Self { domain: domain.clone(), pieces: parts.into_iter().flat_map(within).collect() }
    }

    /// Reparametrises the function along `f`. `moved` reparametrises the description of a piece.
    #[must_use]
    pub fn along(&self, f: &Reparametrisation, moved: impl Fn(&L) -> L) -> Self {
        let piece = |p: &Piece<L>| Piece { region: p.region.along(f), value: moved(&p.value) };
        Self { domain: f.from().clone(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Applies `made` to the description of each piece.
    #[must_use]
    pub fn each<M>(&self, made: impl Fn(&L) -> M) -> Piecewise<M> {
        let piece = |p: &Piece<L>| Piece { region: p.region.clone(), value: made(&p.value) };
        Piecewise { domain: self.domain.clone(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Applies `made` to the description of each piece.
    ///
    /// # Errors
    /// The first error of `made`.
    pub fn try_each<M>(
        &self,
        made: impl Fn(&L) -> Result<M, DiffeologyError>,
    ) -> Result<Piecewise<M>, DiffeologyError> {
        let piece = |p: &Piece<L>| Ok(Piece { region: p.region.clone(), value: made(&p.value)? });
        Ok(Piecewise {
            domain: self.domain.clone(),
            pieces: self.pieces.iter().map(piece).collect::<Result<_, DiffeologyError>>()?,
        })
    }

    /// Returns the open set on which the function is defined.
    #[must_use]
    pub fn domain(&self) -> &Open {
        &self.domain
    }

    /// Returns the pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece<L>] {
        &self.pieces
    }

    /// Returns the pieces that certainly contain a point. The second component is `true` if the point certainly lies in
    /// no piece.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn around(&self, u: &[Graph], trial: &Trial) -> Result<(Vec<&Piece<L>>, bool), DiffeologyError> {
        let (mut inside, mut outside) = (Vec::new(), true);
        for piece in &self.pieces {
            match piece.region.membership(u, trial)? {
                Membership::Inside => inside.push(piece),
                // An undecided piece might contain the point, so the point is not certainly outside.
                Membership::Unknown => outside = false,
                Membership::Outside => {}
            }
        }
        let outside = outside && inside.is_empty();
        Ok((inside, outside))
    }

    /// Returns `true` if `u` lies in the domain and certainly in the region of `piece`.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn has_inside(&self, piece: &Piece<L>, u: &[Rational], trial: &Trial) -> Result<bool, DiffeologyError> {
        Ok(self.domain.contains(u) && piece.region.membership(&exactly(u), trial)? == Membership::Inside)
    }

    /// Returns the description of the function at a point: that of the first piece that certainly contains it.
    ///
    /// # Errors
    /// - [`DiffeologyError::Dimension`] if the point has another dimension.
    /// - [`DiffeologyError::NoPiece`] if no piece is known to contain the point.
    /// - The errors of evaluating closed graphs.
    pub fn at(&self, u: &[Graph], trial: &Trial) -> Result<&L, DiffeologyError> {
        DiffeologyError::fits("the point", self.domain.dimension(), u.len())?;
        for piece in &self.pieces {
            if piece.region.membership(u, trial)? == Membership::Inside {
                return Ok(&piece.value);
            }
        }
        Err(DiffeologyError::NoPiece { point: told_point(u, trial) })
    }

    /// Samples the pairwise overlaps of the pieces whose regions are open sets. Disagreements of pieces show there
    /// only.
    fn overlaps(&self, random: &mut Random) -> Result<Vec<Vec<Rational>>, DiffeologyError> {
        let opens: Vec<Open> = self
            .pieces
            .iter()
            .take(MOST_OVERLAPS)
            .filter_map(|piece| piece.region.as_open(&self.domain).transpose())
            .collect::<Result<_, _>>()?;
        let mut points = Vec::new();
        for (i, first) in opens.iter().enumerate() {
            for second in &opens[..i] {
                points.extend(first.intersection(second)?.samples(random, 2));
            }
        }
        Ok(points)
    }

    /// Tests a statement at sample points of the domain: `holds` for each piece at a point, and `agree` for neighbours
    /// among the pieces that share a point. A point that certainly lies in no piece refutes. A point that is not known
    /// to lie in a piece makes the verdict vacuous.
    ///
    /// # Errors
    /// The errors of the statements and of evaluating closed graphs.
    pub fn everywhere(
        &self,
        trial: &Trial,
        mut holds: impl FnMut(&Piece<L>, &[Rational], &mut Random) -> Tried,
        mut agree: impl FnMut(&L, &L, &[Rational]) -> Tried,
    ) -> Tried {
        let mut random = Random::new(trial.seed);
        let mut all = Verdict::Survived;
        let mut points = self.domain.samples(&mut random, trial.samples as usize);
        points.extend(self.overlaps(&mut random)?);
        for u in points {
            let (pieces, outside) = self.around(&exactly(&u), trial)?;
            // A function must have a value everywhere on its domain.
            if outside {
                return Ok(Verdict::refuted(shown(&u), "no value", "a value"));
            }
            let mut here = if pieces.is_empty() { Verdict::Vacuous } else { Verdict::Survived };
            for piece in &pieces {
                here = here.both(holds(piece, &u, &mut random)?);
            }
            // A choice: all pairs would be quadratic. Overlap of enclosures is not transitive, so neighbours test less.
            for pair in pieces.windows(2) {
                here = here.both(agree(&pair[0].value, &pair[1].value, &u)?.at(|| shown(&u)));
            }
            all = all.both(here);
            if all.is_refuted() {
                break;
            }
        }
        Ok(all)
    }

    /// Returns the inclusion of a neighbourhood of `u` that lies in the region of `piece`. Returns `None` if none is
    /// found.
    ///
    /// # Errors
    /// The errors of evaluating maps.
    pub fn near(
        &self,
        piece: &Piece<L>,
        u: &[Rational],
        trial: &Trial,
    ) -> Result<Option<Reparametrisation>, DiffeologyError> {
        match piece.region.neighbourhood(u, &self.domain, trial)? {
            Some(around) => Ok(Some(Reparametrisation::inclusion(&around, &self.domain)?)),
            None => Ok(None),
        }
    }

    /// Tests whether `label` is constant on each connected component of the domain, as a locally constant label is. Two
    /// points of one component with different labels refute this.
    ///
    /// # Errors
    /// The errors of evaluating closed graphs.
    pub fn is_constant<T: PartialEq + fmt::Display>(&self, trial: &Trial, label: impl Fn(&L) -> T) -> Tried {
        let mut random = Random::new(trial.seed);
        for part in self.domain.components() {
            let mut first: Option<(Vec<Rational>, T)> = None;
            // Twice as many points as in other tests: each point tests one label, and two are needed for a refutation.
            for u in part.samples(&mut random, 2 * trial.samples as usize) {
                for piece in self.around(&exactly(&u), trial)?.0 {
                    let found = label(&piece.value);
                    match &first {
                        Some((at, known)) if *known != found => {
                            let witness = format!("{} and {}, in one connected part", shown(at), shown(&u));
                            return Ok(Verdict::refuted(witness, known, found));
                        }
                        Some(_) => {}
                        None => first = Some((u.clone(), found)),
                    }
                }
            }
        }
        Ok(Verdict::Survived)
    }
}
