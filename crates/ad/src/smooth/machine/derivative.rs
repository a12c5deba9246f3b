//! Derivatives inside programs: the body over an algebra with a generator more.

use super::{Branches, Machine};
use crate::number::Magnitude;
use crate::number::effort::{Effort, Shortcuts};
use crate::smooth::algebra::{Algebra, Generator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::{Hooked, Hooks};
use crate::smooth::jet::Jet;
use crate::smooth::program::Block;
use std::sync::Arc;

impl<C: Hooked> Machine<'_, C> {
    /// `D body (at) · along`.
    ///
    /// Where the captures do not vary in the algebra and there is one variable, the body is a function of one variable
    /// composed with `at`: its Taylor series is computed once and composed, so that nested derivatives cost polynomially
    /// in their depth. Otherwise one infinitesimal is adjoined. In a partial derivative one place moves; the others are like captures.
    ///
    /// The branches are those of the body; where one cannot be decided, the derivative jumps.
    ///
    /// # Errors
    /// Those of [`Machine::run`].
    pub fn derivative(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        [at, along, captures]: [&[Jet<C::Num>]; 3],
        place: Option<usize>,
        branches: &mut Branches,
    ) -> Result<Jet<C::Num>, SmoothError> {
        if place.is_none()
            && let Some(zero) = self.along_nothing(body, algebra, [at, along, captures])?
        {
            return Ok(zero);
        }
        let jets = self.jets(algebra);
        let near: Vec<_>;
        let at = if self.beside {
            near = at.iter().map(|x| self.neighbourhood(x)).collect();
            &near[..]
        } else {
            at
        };
        let moves = |i: usize| place.is_none_or(|place| place == i);
        let mut others = (0..at.len()).filter(|i| !moves(*i)).map(|i| &at[i]).chain(captures);
        if (at.len() == 1 || place.is_some()) && others.all(Jet::is_constant) {
            let place = place.unwrap_or(0);
            let (along, others) = (&along[place], at);
            let at = &at[place];
            let n = jets.nilpotent_part(at);
            let order = jets.nilpotency(&n);
            let Some(line) = self.real.adjoin(Generator::Direction(order)) else {
                return Ok(self.too_large(algebra));
            };
            let x = Jet::new([Some(jets.value(at)), Some(self.context.integer(1))]);
            let point: Vec<_> =
                (0..others.len()).map(|i| if i == place { x.clone() } else { others[i].clone() }).collect();
            let y = self.expanded(body, &line, [&point, captures], 0, branches)?;
            let slope: Vec<_> =
                (1..=order as usize).map(|j| y.get(j).map(|c| self.context.scale(c, j as i64))).collect();
            let result = jets.multiply(&jets.compose(&slope, &n), along);
            return Ok(jets.as_value(result, y.get(0), [at, along]));
        }
        let Some(extended) = algebra.adjoin(Generator::Direction(1)) else {
            return Ok(self.too_large(algebra));
        };
        let moved: Vec<_> = at
            .iter()
            .zip(along)
            .enumerate()
            .map(|(i, (x, v))| {
                let mut moved = x.clone();
                for &(outer, here) in extended.slice(1).iter().filter(|_| moves(i)) {
                    moved.set(here as usize, v.get(outer as usize).cloned());
                }
                moved
            })
            .collect();
        let y = self.expanded(body, &extended, [&moved, captures], algebra.generator_count(), branches)?;
        let result = Jet::new(extended.slice(1).iter().map(|&(_, here)| y.get(here as usize).cloned()));
        Ok(jets.as_value(result, y.get(0), at.iter().chain(along).chain(captures)))
    }

    /// The derivative along the direction 0, where one look by each solver, at ranges alone, shows that there is one: it is 0 then, and
    /// nothing is to be found more narrowly. A [sweep](crate::smooth::reverse) asks for it, to know where its map is defined.
    fn along_nothing(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        inputs: [&[Jet<C::Num>]; 3],
    ) -> Result<Option<Jet<C::Num>>, SmoothError> {
        let is_zero = |c: &C::Num| self.context.is_point(c) && self.context.contains_zero(c);
        let is_nothing = |v: &Jet<C::Num>| v.coefficients().flatten().all(is_zero);
        let looks = !self.is_watched() && self.effort.shortcuts == Shortcuts::ALL;
        if !looks || body.is_plain || !inputs[1].iter().all(is_nothing) {
            return Ok(None);
        }
        let shortcuts = Shortcuts { expansions: false, ..Shortcuts::ALL };
        let effort = Effort::new(Magnitude::INFINITY, self.effort.budget).with_shortcuts(shortcuts);
        let machine = self.at_a_glance(&effort);
        let branches = &mut Branches::default();
        let found = machine.derivative(body, algebra, inputs, None, branches)?;
        let is_known = found.coefficients().flatten().all(|c| self.context.is_defined(c) && is_zero(c));
        if !is_known || !branches.undecided.is_empty() {
            return Ok(None);
        }
        self.edges.adopt(&machine.edges);
        effort.assumed().into_iter().for_each(|site| self.effort.assume_promise(site));
        Ok(Some(found))
    }

    /// The function that is differentiated, over an algebra whose last generators are adjoined for that.
    pub(super) fn expanded(
        &self,
        body: &Block,
        algebra: &Arc<Algebra>,
        inputs: [&[Jet<C::Num>]; 2],
        first: usize,
        branches: &mut Branches,
    ) -> Result<Jet<C::Num>, SmoothError> {
        let y = self.derivatives(body, algebra, inputs, first, branches)?.swap_remove(0);
        Ok(if C::ACTIVE { self.context.hooks().expansion(&self.jets(algebra), y) } else { y })
    }

    /// What is known where the algebra that it takes has more monomials than fit: nothing.
    #[must_use]
    pub fn too_large(&self, algebra: &Algebra) -> Jet<C::Num> {
        self.effort.leave_open();
        self.jets(algebra).bottom_everywhere()
    }
}
