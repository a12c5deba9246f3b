//! One sweep back through a tape: what a node is handed by its uses is added up, and handed on once (A Fig. 6).
//!
//! The sweep itself is made of operations. Where a derivative lies within another they go on the tape as well, behind what is
//! swept; so there is one tape, numbers need no tags, and perturbations cannot be confused: a sweep ends at its own inputs.

use super::code::Step;
use super::machine::{Ended, Machine, Stop, Turns};
use super::repeat::Loop;
use super::tape::{NOWHERE, Node, Place, Slot};
use crate::number::Rational;
use crate::stack::deep;
use crate::trace::number::{Arithmetic, Numbers};

/// How many nodes lie between two looks at the clock.
const LOOK_EVERY: u32 = 1 << 12;

/// What nodes were handed, from some place on.
struct Handed<T> {
    from: Place,
    slots: Vec<Option<Slot<T>>>,
}

impl<T> Handed<T> {
    fn take(&mut self, place: Place) -> Option<Slot<T>> {
        self.slots[(place - self.from) as usize].take()
    }
}

impl<N: Numbers> Machine<'_, N> {
    /// What the first nodes from a place on are handed, where the results are handed a cotangent; `TAPED` says whether the sweep
    /// goes on the tape.
    pub(super) fn sweep<const TAPED: bool>(
        &mut self,
        from: Place,
        inputs: u32,
        results: &[Slot<N::Number>],
        cotangent: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
        let end = self.tape.end();
        let mut handed = Handed { from, slots: vec![None; (end - from) as usize] };
        for (result, slot) in results.iter().zip(cotangent) {
            self.hand::<TAPED>(&mut handed, result.place, slot)?;
        }
        for place in (from + inputs..end).rev() {
            if place.is_multiple_of(LOOK_EVERY) {
                self.look()?;
            }
            match self.tape.nodes[place as usize] {
                // all results of a loop are handed on together, at the first of them
                Node::Result { number, .. } if number > 0 => {}
                Node::Result { of, .. } => self.around(&mut handed, place, of)?,
                Node::Leaf => {}
                Node::Same(other) => {
                    if let Some(w) = handed.take(place) {
                        self.hand::<TAPED>(&mut handed, other, w)?;
                    }
                }
                Node::Operation(step, arguments) => {
                    if let Some(w) = handed.take(place) {
                        self.pull::<TAPED>(&mut handed, step, arguments, place, &w)?;
                    }
                }
            }
        }
        let zero = || Slot::constant(self.numbers.rational(&Rational::new()));
        Ok((from..from + inputs).map(|place| handed.take(place).unwrap_or_else(zero)).collect())
    }

    fn hand<const TAPED: bool>(
        &mut self,
        handed: &mut Handed<N::Number>,
        to: Place,
        w: Slot<N::Number>,
    ) -> Result<(), Stop> {
        if to == NOWHERE || to < handed.from {
            return Ok(());
        }
        let index = (to - handed.from) as usize;
        let sum = match handed.slots[index].take() {
            Some(so_far) => self.operate::<TAPED>(Step::ADD, &so_far, &w)?,
            None => w,
        };
        handed.slots[index] = Some(sum);
        Ok(())
    }

    /// An operation at a cotangent and the number of a node.
    fn with<const TAPED: bool>(
        &mut self,
        step: Step,
        w: &Slot<N::Number>,
        place: Place,
    ) -> Result<Slot<N::Number>, Stop> {
        if TAPED {
            let other = self.number(place);
            return self.operate::<TAPED>(step, w, &other);
        }
        Ok(Slot::constant(self.compute(step, &w.value, &self.tape.values[place as usize])?))
    }

    fn number(&self, place: Place) -> Slot<N::Number> {
        Slot { value: self.tape.values[place as usize].clone(), place }
    }

    /// `op_r`, at the arguments and the value of a node.
    fn pull<const TAPED: bool>(
        &mut self,
        handed: &mut Handed<N::Number>,
        step: Step,
        [a, b]: [Place; 2],
        result: Place,
        w: &Slot<N::Number>,
    ) -> Result<(), Stop> {
        let is_wanted = |place: Place| place != NOWHERE && place >= handed.from;
        let wanted = [a, b].map(is_wanted);
        match step {
            Step::Arithmetic(Arithmetic::Add) => {
                self.hand::<TAPED>(handed, a, w.clone())?;
                self.hand::<TAPED>(handed, b, w.clone())
            }
            Step::Arithmetic(Arithmetic::Negate) => {
                let negative = self.operate::<TAPED>(step, w, w)?;
                self.hand::<TAPED>(handed, a, negative)
            }
            Step::Arithmetic(Arithmetic::Subtract) => {
                self.hand::<TAPED>(handed, a, w.clone())?;
                if wanted[1] {
                    let negative = self.operate::<TAPED>(Step::NEGATE, w, w)?;
                    self.hand::<TAPED>(handed, b, negative)?;
                }
                Ok(())
            }
            Step::Arithmetic(Arithmetic::Multiply) => {
                for (to, other, wanted) in [(a, b, wanted[0]), (b, a, wanted[1])] {
                    if wanted {
                        let product = self.with::<TAPED>(step, w, other)?;
                        self.hand::<TAPED>(handed, to, product)?;
                    }
                }
                Ok(())
            }
            Step::Arithmetic(Arithmetic::Divide) => {
                let first = self.with::<TAPED>(step, w, b)?;
                if wanted[1] {
                    let second = self.with::<TAPED>(Step::MULTIPLY, &first, result)?;
                    let second = self.operate::<TAPED>(Step::NEGATE, &second, &second)?;
                    self.hand::<TAPED>(handed, b, second)?;
                }
                self.hand::<TAPED>(handed, a, first)
            }
            Step::Other(number) => {
                let body = self.pullback(number)?;
                let two = if self.arity(number) == 2 { &[a, b][..] } else { &[a][..] };
                let mut arguments: Vec<_> = two.iter().map(|place| self.number(*place)).collect();
                arguments.extend([self.number(result), w.clone()]);
                let found = self.run::<TAPED>(body, arguments, Turns::All)?.slots();
                for (place, slot) in two.iter().zip(found) {
                    self.hand::<TAPED>(handed, *place, slot)?;
                }
                Ok(())
            }
        }
    }

    /// Back through a loop: from the last state that was kept to the first, each part being run again on a tape.
    fn around(&mut self, handed: &mut Handed<N::Number>, first: Place, of: u32) -> Result<(), Stop> {
        let Loop { checkpoints, inputs, results } = &mut self.tape.loops[of as usize];
        let cotangent: Vec<_> = (first..first + *results).map(|place| handed.take(place)).collect();
        if cotangent.iter().all(Option::is_none) {
            return Ok(());
        }
        let (stride, inputs) = (checkpoints.stride, std::mem::take(inputs));
        let states = std::mem::take(&mut checkpoints.states);
        let zero = || Slot::constant(self.numbers.rational(&Rational::new()));
        let mut cotangent: Vec<_> = cotangent.into_iter().map(|w| w.unwrap_or_else(zero)).collect();
        let outer = std::mem::take(&mut self.tape);
        let found: Result<(), Stop> = states.into_iter().rev().try_for_each(|state| {
            let place = |value: N::Number| Slot { place: self.tape.push(Node::Leaf, value.clone()), value };
            let arguments: Vec<_> = state.arguments.into_iter().map(place).collect();
            let count = arguments.len() as u32;
            cotangent = deep(|| {
                let ended = self.run::<true>(state.function, arguments, Turns::Some(stride))?;
                let (Ended::Returned(results) | Ended::Repeating(results)) = ended;
                self.sweep::<false>(0, count, &results, std::mem::take(&mut cotangent))
            })?;
            self.tape.clear();
            Ok(())
        });
        self.tape = outer;
        found?;
        for (place, slot) in inputs.into_iter().zip(cotangent) {
            self.hand::<false>(handed, place, slot)?;
        }
        Ok(())
    }
}
