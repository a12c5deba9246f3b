//! Functions on an open set that are given by pieces: what gluing makes.
//!
//! At a point the function is any piece whose [region](super::region) contains it. That this is one function is what
//! [`Diffeology::glue`](super::space::Diffeology::glue) checks of a family; a candidate that was put together without it may
//! fail to be one.

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

/// A function given by pieces, each with something local that says what it does.
#[derive(Clone, Debug)]
pub struct Piecewise<L> {
    domain: Open,
    pieces: Vec<Piece<L>>,
}

/// A piece of a function.
#[derive(Clone, Debug)]
pub struct Piece<L> {
    /// Where.
    pub region: Region,
    /// What.
    pub value: L,
}

/// Among how many pieces overlaps are looked for.
const MOST_OVERLAPS: usize = 8;

impl<L: Clone> Piecewise<L> {
    /// The function of one piece.
    #[must_use]
    pub fn whole(domain: &Open, value: L) -> Self {
        Self { domain: domain.clone(), pieces: vec![Piece { region: Region::everything(), value }] }
    }

    /// The function that is each of several on a region.
    #[must_use]
    pub fn joined(domain: &Open, parts: Vec<(Region, Self)>) -> Self {
        let within = |(region, part): (Region, Self)| {
            part.pieces.into_iter().map(move |p| Piece { region: region.and(&p.region), value: p.value })
        };
        Self { domain: domain.clone(), pieces: parts.into_iter().flat_map(within).collect() }
    }

    /// The function after a map, given what that does to the pieces.
    #[must_use]
    pub fn along(&self, f: &Reparametrisation, moved: impl Fn(&L) -> L) -> Self {
        let piece = |p: &Piece<L>| Piece { region: p.region.along(f), value: moved(&p.value) };
        Self { domain: f.from().clone(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Every piece made into another thing.
    #[must_use]
    pub fn each<M>(&self, made: impl Fn(&L) -> M) -> Piecewise<M> {
        let piece = |p: &Piece<L>| Piece { region: p.region.clone(), value: made(&p.value) };
        Piecewise { domain: self.domain.clone(), pieces: self.pieces.iter().map(piece).collect() }
    }

    /// Every piece made into another thing, which may fail.
    ///
    /// # Errors
    /// The first that there is.
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

    /// The open set.
    #[must_use]
    pub fn domain(&self) -> &Open {
        &self.domain
    }

    /// The pieces.
    #[must_use]
    pub fn pieces(&self) -> &[Piece<L>] {
        &self.pieces
    }

    /// The pieces that certainly contain a point, and whether it certainly lies in none.
    ///
    /// # Errors
    /// Those of evaluating closed graphs.
    pub fn around(&self, u: &[Graph], trial: &Trial) -> Result<(Vec<&Piece<L>>, bool), DiffeologyError> {
        let (mut inside, mut outside) = (Vec::new(), true);
        for piece in &self.pieces {
            match piece.region.membership(u, trial)? {
                Membership::Inside => inside.push(piece),
                Membership::Unknown => outside = false,
                Membership::Outside => {}
            }
        }
        let outside = outside && inside.is_empty();
        Ok((inside, outside))
    }

    /// Whether a point of the domain certainly lies in a piece.
    ///
    /// # Errors
    /// Those of evaluating closed graphs.
    pub fn has_inside(&self, piece: &Piece<L>, u: &[Rational], trial: &Trial) -> Result<bool, DiffeologyError> {
        Ok(self.domain.contains(u) && piece.region.membership(&exactly(u), trial)? == Membership::Inside)
    }

    /// What the function is at a point.
    ///
    /// # Errors
    /// [`DiffeologyError::Dimension`]; [`DiffeologyError::NoPiece`] where no piece is known to contain the point; those of
    /// evaluating closed graphs.
    pub fn at(&self, u: &[Graph], trial: &Trial) -> Result<&L, DiffeologyError> {
        DiffeologyError::fits("the point", self.domain.dimension(), u.len())?;
        for piece in &self.pieces {
            if piece.region.membership(u, trial)? == Membership::Inside {
                return Ok(&piece.value);
            }
        }
        Err(DiffeologyError::NoPiece { point: told_point(u, trial) })
    }

    /// Points where two pieces overlap, for the pieces of which that is known.
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

    /// Tries a statement of the pieces at sample points of the domain, and that pieces which share a point agree there. A
    /// point that is certainly in no piece refutes; one that is not known to be in any leaves the whole vacuous.
    ///
    /// # Errors
    /// Those of the statements and of evaluating closed graphs.
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
            if outside {
                return Ok(Verdict::refuted(shown(&u), "no value", "a value"));
            }
            let mut here = if pieces.is_empty() { Verdict::Vacuous } else { Verdict::Survived };
            for piece in &pieces {
                here = here.both(holds(piece, &u, &mut random)?);
            }
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

    /// The inclusion of a neighbourhood of a point on which the function is one piece; `None` where none is found.
    ///
    /// # Errors
    /// Those of evaluating maps.
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

    /// Whether a label of the pieces is constant on each connected part of the domain, as a locally constant one is. Two
    /// points of one part with different labels refute it.
    ///
    /// # Errors
    /// Those of evaluating closed graphs.
    pub fn is_constant<T: PartialEq + fmt::Display>(&self, trial: &Trial, label: impl Fn(&L) -> T) -> Tried {
        let mut random = Random::new(trial.seed);
        for part in self.domain.components() {
            let mut first: Option<(Vec<Rational>, T)> = None;
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
