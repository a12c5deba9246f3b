//! The reverse sweep over a tape: the cotangents of a node are added up, and propagated once (A Fig. 6).
//!
//! The sweep itself consists of operations. If a derivative lies within another, they are added to the tape, behind the
//! nodes that are swept. So there is one tape, and numbers need no tags. Perturbation confusion is impossible, as each
//! sweep ends at its own inputs.

use super::code::Step;
use super::machine::{Machine, Stop, Turns};
use super::repeat::{Loop, State};
use super::tape::{NOWHERE, Node, Place, Slot};
use crate::number::Rational;
use crate::stack::deep;
use crate::trace::number::{Arithmetic, Numbers};

/// The number of nodes between two checks of the clock. A choice.
const LOOK_EVERY: u32 = 1 << 12;

/// The storage of a backward run: the values of arguments, and their adjoints. An index is a node or a register.
pub(super) trait Way<N: Numbers> {
    /// Returns the value at an index during the forward run.
    fn number<'n>(&'n self, machine: &'n Machine<'_, N>, at: u32) -> &'n N::Number;
    /// Returns the node of an index on the tape.
    fn place(&self, at: u32) -> Place;
    /// Returns the place for the adjoint of an index. `None` for constants, and for nodes before the inputs of the
    /// sweep.
    fn handed(&mut self, at: u32) -> Option<&mut Option<Slot<N::Number>>>;
}

/// The adjoints of the nodes from an index on.
struct Handed<T> {
    from: Place,
    slots: Vec<Option<Slot<T>>>,
}

impl<T> Handed<T> {
    /// Removes the adjoint of a node.
    fn take(&mut self, place: Place) -> Option<Slot<T>> {
        self.slots[(place - self.from) as usize].take()
    }
}

impl<N: Numbers> Way<N> for Handed<N::Number> {
    fn number<'n>(&'n self, machine: &'n Machine<'_, N>, at: u32) -> &'n N::Number {
        &machine.tape.values[at as usize]
    }

    fn place(&self, at: u32) -> Place {
        at
    }

    #[inline]
    fn handed(&mut self, at: u32) -> Option<&mut Option<Slot<N::Number>>> {
        if at == NOWHERE { None } else { Some(&mut self.slots[at.checked_sub(self.from)? as usize]) }
    }
}

impl<N: Numbers> Machine<'_, N> {
    /// Pulls the cotangents of `results` back to the first `inputs` nodes after `from`, and returns their adjoints. If
    /// `TAPED`, the operations of the sweep are added to the tape.
    pub(super) fn sweep<const TAPED: bool>(
        &mut self,
        from: Place,
        inputs: u32,
        results: &[Slot<N::Number>],
        cotangent: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
        // Only nodes before this end are swept; the sweep may add others behind it.
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
                // All results of a loop are propagated together, at the first of them, where all are complete.
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
                        self.pull::<TAPED>(&mut handed, step, arguments, place, w)?;
                    }
                }
            }
        }
        let zero = || Slot::constant(self.numbers.rational(&Rational::new()));
        Ok((from..from + inputs).map(|place| handed.take(place).unwrap_or_else(zero)).collect())
    }

    /// Adds a cotangent to the adjoint of an index.
    #[inline(always)]
    pub(super) fn hand<const TAPED: bool>(
        &mut self,
        way: &mut impl Way<N>,
        to: u32,
        w: Slot<N::Number>,
    ) -> Result<(), Stop> {
        let Some(handed) = way.handed(to) else { return Ok(()) };
        *handed = Some(match handed.take() {
            Some(so_far) => self.operate::<TAPED>(Step::ADD, &so_far, &w)?,
            None => w,
        });
        Ok(())
    }

    /// Computes an operation at a cotangent and a value of the forward run.
    #[inline(always)]
    fn with<const TAPED: bool>(
        &mut self,
        way: &impl Way<N>,
        step: Step,
        w: &Slot<N::Number>,
        at: u32,
    ) -> Result<Slot<N::Number>, Stop> {
        if TAPED {
            let other = self.slot_of(way, at);
            return self.operate::<TAPED>(step, w, &other);
        }
        Ok(Slot::constant(self.compute(step, &w.value, way.number(self, at))?))
    }

    /// Returns a value of the forward run, with its node.
    fn slot_of(&self, way: &impl Way<N>, at: u32) -> Slot<N::Number> {
        Slot { value: way.number(self, at).clone(), place: way.place(at) }
    }

    /// Propagates the cotangent of an operation to its arguments, by `op_r`.
    #[inline(always)]
    pub(super) fn pull<const TAPED: bool>(
        &mut self,
        way: &mut impl Way<N>,
        step: Step,
        [a, b]: [u32; 2],
        result: u32,
        w: Slot<N::Number>,
    ) -> Result<(), Stop> {
        match step {
            Step::Arithmetic(Arithmetic::Add) => {
                self.hand::<TAPED>(way, a, w.clone())?;
                self.hand::<TAPED>(way, b, w)
            }
            Step::Arithmetic(Arithmetic::Negate) => {
                let negative = self.operate::<TAPED>(step, &w, &w)?;
                self.hand::<TAPED>(way, a, negative)
            }
            Step::Arithmetic(Arithmetic::Subtract) => {
                // A product or quotient is not computed for an argument that takes no cotangent, as constants.
                if way.handed(b).is_some() {
                    let negative = self.operate::<TAPED>(Step::NEGATE, &w, &w)?;
                    self.hand::<TAPED>(way, b, negative)?;
                }
                self.hand::<TAPED>(way, a, w)
            }
            Step::Arithmetic(Arithmetic::Multiply) => {
                for (to, other) in [(a, b), (b, a)] {
                    if way.handed(to).is_some() {
                        let product = self.with::<TAPED>(way, step, &w, other)?;
                        self.hand::<TAPED>(way, to, product)?;
                    }
                }
                Ok(())
            }
            Step::Arithmetic(Arithmetic::Divide) => {
                // w/b is shared by both components: -(w/b)·y is the other.
                let first = self.with::<TAPED>(way, step, &w, b)?;
                if way.handed(b).is_some() {
                    let second = self.with::<TAPED>(way, Step::MULTIPLY, &first, result)?;
                    let second = self.operate::<TAPED>(Step::NEGATE, &second, &second)?;
                    self.hand::<TAPED>(way, b, second)?;
                }
                self.hand::<TAPED>(way, a, first)
            }
            // Any other operation has its `op_r` as compiled code, so the list of operations needs no rules here.
            Step::Other(number) => {
                let body = self.pullback(number)?;
                let two = if self.arity(number) == 2 { &[a, b][..] } else { &[a][..] };
                let mut arguments: Vec<_> = two.iter().map(|at| self.slot_of(way, *at)).collect();
                arguments.extend([self.slot_of(way, result), w]);
                let found = self.run::<TAPED>(body, arguments, Turns::All)?.slots();
                for (at, slot) in two.iter().zip(found) {
                    self.hand::<TAPED>(way, *at, slot)?;
                }
                Ok(())
            }
        }
    }

    /// Propagates through a loop: from the last checkpoint to the first, the iterations behind each are run again.
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
        // The outer tape is set aside, as the iterations are run on a tape of their own.
        let outer = std::mem::take(&mut self.tape);
        let found: Result<(), Stop> = states.into_iter().rev().try_for_each(|state| {
            let handed = std::mem::take(&mut cotangent);
            // An undo log takes less memory and time than a tape, but it cannot record calls.
            cotangent = match self.code.functions[state.function as usize].is_straight(state.function) {
                true => self.straight_back(state, stride, handed)?,
                false => deep(|| self.taped_back(state, stride, handed))?,
            };
            Ok(())
        });
        self.tape = outer;
        found?;
        for (place, slot) in inputs.into_iter().zip(cotangent) {
            self.hand::<false>(handed, place, slot)?;
        }
        Ok(())
    }

    /// Pulls a cotangent back through `turns` iterations from a state on, by a tape.
    fn taped_back(
        &mut self,
        state: State<N::Number>,
        turns: u64,
        cotangent: Vec<Slot<N::Number>>,
    ) -> Result<Vec<Slot<N::Number>>, Stop> {
        let place = |value: N::Number| Slot { place: self.tape.push(Node::Leaf, value.clone()), value };
        let arguments: Vec<_> = state.arguments.into_iter().map(place).collect();
        let count = arguments.len() as u32;
        let results = self.run::<true>(state.function, arguments, Turns::Some(turns))?.slots();
        let found = self.sweep::<false>(0, count, &results, cotangent);
        self.tape.clear();
        found
    }
}
