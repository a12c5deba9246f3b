//! Oscillation beside an end: integrands with sin and cos of unbounded values, by repeated integration by parts.
//!
//! Beside the end a block is a sum of *waves*, `Re (Z·e^(iψ))` with a real phase ψ that goes to ±∞, and of a part without
//! oscillation. Sums and products of waves are waves:
//!
//! | a value | is |
//! |---|---|
//! | `cos (ψ + β)`, `sin (ψ + β)`, β bounded | the wave of phase ψ with `Z = e^(iβ)`, or `-i·e^(iβ)` |
//! | `Re (Z·e^(iψ)) · Re (W·e^(iφ))` | `½ Re (ZW·e^(i(ψ+φ))) + ½ Re (Z·W̄·e^(i(ψ-φ)))` |
//!
//! Phases are linear forms in registers, so that `ψ - φ = 0` is seen exactly: `sin² x` is `½ - ½·cos 2x`. A [`PhaseSplit`] is the
//! block that computes all Z and ψ; none of its registers oscillates.
//!
//! # Integration by parts
//!
//! Let `D = s·d/ds` and `G₀ = s·Z`, on `x = e + l·s`, 0 < s ≤ 1. With `G_{j+1} = i·D (G_j/Dψ)`
//!
//! `∫₀¹ Z·e^(iψ) ds  =  Σ_{j<m} [G_j·e^(iψ)/(i·Dψ)]  +  ∫₀¹ G_m·e^(iψ) ds/s`.
//!
//! If Dψ is nowhere 0, and each `G_j/Dψ` goes to 0 at the end, and `G_m/s` is integrable, then the limit of `∫_σ¹` for σ → 0 exists
//! and is this: the boundary terms at s = 1, and a remainder of at most `∫₀¹ |G_m| ds/s`. The m of the least remainder is taken.
//!
//! *Euler jets.* D is d/dt at t = 0 for s·eᵗ in place of s. So t is one more input of the run: the length of the piece moves
//! as l·eᵗ. The series of a register then holds for all s together with its Taylor coefficients in t, which are those of D.
//!
//! # Inputs
//!
//! The identity holds for all inputs nearby. The series are those of widened inputs, so their bounds hold for all of these: the last
//! integral and its derivatives in the inputs are dominated, and go under the integral. A derivative of e^(iψ) in an input
//! brings a factor that grows as ψ does, which a larger m makes up for. Boundary terms at the end vanish for all inputs nearby,
//! and so do their derivatives.
//!
//! If `Z` and its derivatives are integrable themselves (m = 0), the integral converges absolutely.

use super::edges::{AsymptoticOperand, RegisterForm};
use super::scale::ScaleMonomial;
use super::series::{AsymptoticSeries, AsymptoticTerm, EndIntegral, SeriesArithmetic};
use super::{MOST_REGISTERS, OneSidedLimit};
use crate::function::Monotonicity;
use crate::number::arithmetic::{Function, Sign};
use crate::number::magnitude::Magnitude;
use crate::number::{Rational, budget};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, SourceId, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister, ControlDependences, MinMaxTree};
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The number of waves of a register, at most. A choice: products double them.
const MOST_WAVES: usize = 16;
/// The highest power of a wave that is multiplied out. A choice.
const HIGHEST_POWER: i64 = 6;
/// The number of integrations by parts without a lesser remainder after which no more are tried. A choice.
const PATIENCE: usize = 4;

/// A phase as a linear form in the registers of the split block. Its first coefficient is positive; the empty one is 0.
type PhaseForm = BTreeMap<BlockRegister, Rational>;

/// A wave `Re ((re + i·im)·e^(iψ))` of a register; a part that is absent is 0.
#[derive(Clone, Debug)]
struct RegisterWave {
    phase: PhaseForm,
    re: Option<BlockRegister>,
    im: Option<BlockRegister>,
}

/// A wave of the integrand: registers of the split block.
#[derive(Clone, Debug)]
struct IntegrandWave {
    phase: BlockRegister,
    re: Option<BlockRegister>,
    im: Option<BlockRegister>,
}

/// A block that computes the amplitudes and phases of another one beside an end; see the [module](self).
#[derive(Debug)]
pub struct PhaseSplit<N> {
    /// The block of all amplitudes and phases.
    block: Block,
    /// The block of the part without oscillation; `None` if that is 0.
    pub plain: Option<Block>,
    /// The constants of both blocks.
    pub constants: Vec<N>,
    waves: Vec<IntegrandWave>,
}

impl<N> PhaseSplit<N> {
    /// Returns the number of waves.
    #[must_use]
    pub fn wave_count(&self) -> usize {
        self.waves.len()
    }

    /// Returns the block of the values of a wave, `re·cos ψ - im·sin ψ`.
    #[must_use]
    pub fn wave_block(&self, wave: usize) -> Block {
        let IntegrandWave { phase, re, im } = self.waves[wave].clone();
        let (mut instructions, inputs) = (self.block.instructions.clone(), 1 + self.block.captures);
        let mut push = |instruction| {
            instructions.push(instruction);
            BlockRegister((inputs + instructions.len()) as u32 - 1)
        };
        let mut part = |f, amplitude: Option<BlockRegister>| {
            let amplitude = amplitude?;
            let turn = push(BlockInstruction::Unary(Unary::Function(f), phase));
            Some(push(BlockInstruction::Binary(Binary::Multiply, amplitude, turn)))
        };
        let output = match (part(Function::Cos, re), part(Function::Sin, im)) {
            (Some(a), Some(b)) => push(BlockInstruction::Binary(Binary::Subtract, a, b)),
            (None, Some(b)) => push(BlockInstruction::Unary(Unary::Negate, b)),
            (Some(a), None) => a,
            // A wave has an amplitude.
            (None, None) => phase,
        };
        let site = self.block.sites.first().copied().unwrap_or_default();
        plain_block(self.block.captures, instructions, site, vec![output])
    }
}

/// The mean `∫₀¹ ds` of a wave of an integrand over a piece beside an end.
#[derive(Clone, Debug)]
pub enum WaveIntegral<N> {
    /// An enclosure of the limit of integrals, with its derivatives in the inputs.
    Value {
        /// The enclosure.
        mean: Jet<N>,
        /// `true` if the integral and its derivatives are shown to converge absolutely.
        is_absolute: bool,
        /// The width that more integrations by parts, or a shorter piece, would narrow.
        remainder: Magnitude,
    },
    /// A boundary term oscillates without a limit.
    NoLimit,
    /// Neither of these is shown.
    Unknown,
}

/// The series of the registers of a split block.
struct SeriesRegisters<'r, 'm, C: HookedContext> {
    arithmetic: SeriesArithmetic<'r, 'm, C>,
    found: Vec<Option<AsymptoticSeries<C::Num>>>,
    forms: Vec<RegisterForm>,
}

impl<'r, 'm, C: HookedContext> SeriesRegisters<'r, 'm, C> {
    /// Starts with the parameter `e + l·s` and the captures.
    fn new(
        arithmetic: SeriesArithmetic<'r, 'm, C>,
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
    ) -> Self {
        let at_end = AsymptoticSeries::of_term(ScaleMonomial::of_one(), approach.end.clone());
        let along = AsymptoticSeries::of_term(ScaleMonomial::of_powers(1, 0), approach.length.clone());
        let mut found = vec![arithmetic.add_series(&at_end, &along)];
        found.extend(captures.iter().map(|capture| arithmetic.series_of_constant(capture.clone())));
        let mut registers = Self { arithmetic, found, forms: Vec::new() };
        for index in 0..registers.found.len() {
            registers.add_form(RegisterForm::of_register(BlockRegister(index as u32)));
        }
        registers
    }

    /// Adds the form of the next register. A register that is no form of others may be an atom of an exponent.
    fn add_form(&mut self, form: RegisterForm) {
        let own = BlockRegister(self.forms.len() as u32);
        if let Some(series) = self.found[self.forms.len()].as_ref().filter(|_| form.terms.contains_key(&own)) {
            let leading = self.arithmetic.leading_term(series);
            self.arithmetic.add_register(own, series, leading.as_ref());
        }
        self.forms.push(form);
    }

    /// Returns the series of a register, if it is known.
    fn series(&self, r: BlockRegister) -> Option<&AsymptoticSeries<C::Num>> {
        self.found[r.0 as usize].as_ref()
    }

    /// Returns the sign of a register on all of the piece.
    fn sign(&self, r: BlockRegister) -> Option<Sign> {
        self.sign_of_series(self.series(r)?)
    }

    fn sign_of_series(&self, series: &AsymptoticSeries<C::Num>) -> Option<Sign> {
        let sign = self.arithmetic.sign(&self.arithmetic.leading_term(series)?.factor);
        matches!(sign, Sign::Positive | Sign::Negative).then_some(sign)
    }

    /// Returns `true` if a register is seen to be bounded.
    fn is_bounded(&self, r: BlockRegister) -> Option<bool> {
        Some(self.arithmetic.range_of(self.series(r)?).is_some())
    }

    /// Adds the result of an instruction, and returns its register.
    fn push_result(&mut self, instruction: &BlockInstruction, constants: &[C::Num]) -> BlockRegister {
        let own = BlockRegister(self.found.len() as u32);
        let series = self.series_of_result(instruction, constants);
        let form = self.form_of_result(instruction, constants).filter(|form| form.terms.len() <= MOST_REGISTERS);
        self.found.push(series);
        self.add_form(form.unwrap_or_else(|| RegisterForm::of_register(own)));
        own
    }

    fn series_of_result(
        &self,
        instruction: &BlockInstruction,
        constants: &[C::Num],
    ) -> Option<AsymptoticSeries<C::Num>> {
        let arithmetic = &self.arithmetic;
        let of = |r: &BlockRegister| self.series(*r);
        match instruction {
            BlockInstruction::Constant(c) => {
                arithmetic.series_of_constant(Jet::constant(constants[*c as usize].clone()))
            }
            BlockInstruction::Unary(Unary::Negate, x) => Some(arithmetic.negate_series(of(x)?)),
            BlockInstruction::Unary(Unary::Function(f), x) => {
                match (f, f.row().monotonicity) {
                    (_, Monotonicity::Root(n)) => return self.raise(of(x)?, (1, n.into())),
                    (Function::Log, _) => return self.logarithm(of(x)?),
                    _ => {}
                }
                let (series, leading) = (of(x)?, arithmetic.leading_term(of(x)?)?);
                let form = Some(self.forms[x.0 as usize].clone());
                arithmetic.apply_function(*f, &AsymptoticOperand { series, leading: &leading, form })
            }
            BlockInstruction::Binary(Binary::Add, x, y) => arithmetic.add_series(of(x)?, of(y)?),
            BlockInstruction::Binary(Binary::Subtract, x, y) => arithmetic.subtract_series(of(x)?, of(y)?),
            BlockInstruction::Binary(Binary::Multiply, x, y) if x == y => arithmetic.square_series(of(x)?),
            BlockInstruction::Binary(Binary::Multiply, x, y) => arithmetic.multiply_series(of(x)?, of(y)?),
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                arithmetic.multiply_series(of(x)?, &self.raise(of(y)?, (-1, 1))?)
            }
            BlockInstruction::Binary(Binary::Planar(f), x, y) => {
                let [x, y] = [of(x)?, of(y)?];
                let (first, second) = (arithmetic.leading_term(x)?, arithmetic.leading_term(y)?);
                arithmetic.apply_planar(
                    *f,
                    &AsymptoticOperand { series: x, leading: &first, form: None },
                    &AsymptoticOperand { series: y, leading: &second, form: None },
                )
            }
            BlockInstruction::Power(x, e) => self.raise(of(x)?, (e.numerator, e.denominator)),
            _ => None,
        }
    }

    /// Splits a series into its greatest term and a series `1 + d` where d goes to 0. Returns `None` if it has a single term, or no
    /// greatest one with a sign.
    ///
    /// The factor `eᵖᵗ` of the greatest term is in that alone, so the other one hardly varies with t.
    fn split_greatest(&self, a: &AsymptoticSeries<C::Num>) -> Option<[AsymptoticSeries<C::Num>; 2]> {
        let arithmetic = &self.arithmetic;
        if a.terms.len() < 2 {
            return None;
        }
        let (monomial, mut unit) = arithmetic.factor_out(a)?;
        let own = unit.terms.iter().position(|term| term.monomial.is_one())?;
        let greatest = unit.terms[own].factor.clone();
        if arithmetic.sign(&greatest) == Sign::Undecided {
            return None;
        }
        let inverse = arithmetic.outer.reciprocal(&greatest);
        unit = arithmetic.map_factors(&unit, |factor| arithmetic.outer.multiply(factor, &inverse));
        unit.terms[own].factor = arithmetic.one();
        Some([AsymptoticSeries::of_term(monomial, greatest), unit])
    }

    /// Returns a power with a rational exponent.
    fn raise(&self, a: &AsymptoticSeries<C::Num>, e: (i64, u32)) -> Option<AsymptoticSeries<C::Num>> {
        let raised =
            |a: &AsymptoticSeries<C::Num>| self.arithmetic.raise_series(a, &self.arithmetic.leading_term(a)?, e);
        // A square stays a sum, which is exact.
        let parts = self.split_greatest(a).filter(|_| e != (2, 1));
        let by_parts =
            parts.and_then(|[greatest, unit]| self.arithmetic.multiply_series(&raised(&greatest)?, &raised(&unit)?));
        by_parts.or_else(|| raised(a))
    }

    /// Returns the logarithm.
    fn logarithm(&self, a: &AsymptoticSeries<C::Num>) -> Option<AsymptoticSeries<C::Num>> {
        let log =
            |a: &AsymptoticSeries<C::Num>| self.arithmetic.logarithm_of_series(a, &self.arithmetic.leading_term(a)?);
        let by_parts = self
            .split_greatest(a)
            .and_then(|[greatest, unit]| self.arithmetic.add_series(&log(&greatest)?, &log(&unit)?));
        by_parts.or_else(|| log(a))
    }

    /// Returns the linear form of a result; `None` if it is not linear in registers before it.
    fn form_of_result(&self, instruction: &BlockInstruction, constants: &[C::Num]) -> Option<RegisterForm> {
        let context = self.arithmetic.context();
        let of = |r: &BlockRegister| &self.forms[r.0 as usize];
        let constant = |r: &BlockRegister| of(r).terms.is_empty().then(|| of(r).constant.clone());
        match instruction {
            BlockInstruction::Constant(c) => {
                let number = &constants[*c as usize];
                let is_exact = context.is_defined(number) && context.is_point(number);
                let constant = is_exact.then(|| context.to_enclosure(number).lo().to_rational()).flatten()?;
                Some(RegisterForm { constant, terms: BTreeMap::new() })
            }
            BlockInstruction::Unary(Unary::Negate, x) => Some(of(x).negate_form()),
            BlockInstruction::Binary(Binary::Add, x, y) => Some(of(x).plus_multiple(&Rational::from(1), of(y))),
            BlockInstruction::Binary(Binary::Subtract, x, y) => Some(of(x).plus_multiple(&Rational::from(-1), of(y))),
            BlockInstruction::Binary(Binary::Multiply, x, y) => match (constant(x), constant(y)) {
                (Some(c), _) => Some(RegisterForm::default().plus_multiple(&c, of(y))),
                (None, Some(c)) => Some(RegisterForm::default().plus_multiple(&c, of(x))),
                _ => None,
            },
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                let c = constant(y).filter(|c| *c != 0)?;
                Some(RegisterForm::default().plus_multiple(&c.recip(), of(x)))
            }
            _ => None,
        }
    }
}

/// The construction of a [`PhaseSplit`].
struct PhaseSplitter<'r, 'm, C: HookedContext> {
    registers: SeriesRegisters<'r, 'm, C>,
    instructions: Vec<BlockInstruction>,
    constants: Vec<C::Num>,
    numbers: BTreeMap<Rational, BlockRegister>,
}

impl<C: HookedContext> PhaseSplitter<'_, '_, C> {
    /// Adds an instruction to the split block.
    fn emit(&mut self, instruction: BlockInstruction) -> BlockRegister {
        let register = self.registers.push_result(&instruction, &self.constants);
        self.instructions.push(instruction);
        register
    }

    fn number(&mut self, q: &Rational) -> BlockRegister {
        if let Some(known) = self.numbers.get(q) {
            return *known;
        }
        self.constants.push(self.registers.arithmetic.context().enclose_rational(q));
        let register = self.emit(BlockInstruction::Constant(self.constants.len() as u32 - 1));
        self.numbers.insert(q.clone(), register);
        register
    }

    fn negate(&mut self, a: Option<BlockRegister>) -> Option<BlockRegister> {
        a.map(|a| self.emit(BlockInstruction::Unary(Unary::Negate, a)))
    }

    /// Returns `a + b`, or `a - b`; an absent number is 0.
    fn sum(&mut self, a: Option<BlockRegister>, b: Option<BlockRegister>, is_plus: bool) -> Option<BlockRegister> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let f = if is_plus { Binary::Add } else { Binary::Subtract };
                Some(self.emit(BlockInstruction::Binary(f, a, b)))
            }
            (a, None) => a,
            (None, b) if is_plus => b,
            (None, b) => self.negate(b),
        }
    }

    fn product(&mut self, a: Option<BlockRegister>, b: Option<BlockRegister>) -> Option<BlockRegister> {
        Some(self.emit(BlockInstruction::Binary(Binary::Multiply, a?, b?)))
    }

    /// Returns `Σ c·r` as a register. Returns `None` for 0.
    fn linear_form(&mut self, constant: &Rational, terms: &[(BlockRegister, Rational)]) -> Option<BlockRegister> {
        let mut sum = (*constant != 0).then(|| self.number(constant));
        for (register, c) in terms {
            let term = if *c == 1 { Some(*register) } else { Some(self.number(c)) };
            let term = if *c == 1 { term } else { self.product(term, Some(*register)) };
            sum = self.sum(sum, term, true);
        }
        sum
    }

    /// Adds waves, those of the same phase together.
    fn add_waves(&mut self, a: Vec<RegisterWave>, b: Vec<RegisterWave>, is_plus: bool) -> Option<Vec<RegisterWave>> {
        let mut all = a;
        for wave in b {
            match all.iter_mut().find(|own| own.phase == wave.phase) {
                Some(own) => {
                    own.re = self.sum(own.re, wave.re, is_plus);
                    own.im = self.sum(own.im, wave.im, is_plus);
                }
                None if is_plus => all.push(wave),
                None => {
                    let (re, im) = (self.negate(wave.re), self.negate(wave.im));
                    all.push(RegisterWave { re, im, ..wave });
                }
            }
        }
        (all.len() <= MOST_WAVES).then_some(all)
    }

    /// Returns a wave, with the sign of its phase turned if its first coefficient is negative: `Re Z = Re Z̄`.
    fn with_positive_phase(
        &mut self,
        mut phase: PhaseForm,
        re: Option<BlockRegister>,
        im: Option<BlockRegister>,
    ) -> RegisterWave {
        phase.retain(|_, c| *c != 0);
        match phase.values().next() {
            // The real part alone counts.
            None => RegisterWave { phase, re, im: None },
            Some(first) if *first < 0 => {
                phase.values_mut().for_each(|c| *c = Rational::from(-&*c));
                RegisterWave { phase, re, im: self.negate(im) }
            }
            Some(_) => RegisterWave { phase, re, im },
        }
    }

    fn multiply_waves(&mut self, a: &[RegisterWave], b: &[RegisterWave]) -> Option<Vec<RegisterWave>> {
        let mut all = Vec::new();
        for z in a {
            for w in b {
                let [rr, ii] = [self.product(z.re, w.re), self.product(z.im, w.im)];
                let [ri, ir] = [self.product(z.re, w.im), self.product(z.im, w.re)];
                // One of them does not oscillate, and is real.
                if z.phase.is_empty() || w.phase.is_empty() {
                    let phase = if z.phase.is_empty() { w.phase.clone() } else { z.phase.clone() };
                    let wave = RegisterWave { phase, re: rr, im: self.sum(ri, ir, true) };
                    all = self.add_waves(all, vec![wave], true)?;
                    continue;
                }
                let half = Some(self.number(&Rational::from((1, 2))));
                // ZW with the sum of the phases, and Z·W̄ with their difference.
                for is_sum in [true, false] {
                    let mut phase = z.phase.clone();
                    for (register, c) in &w.phase {
                        let own = phase.entry(*register).or_default();
                        if is_sum { *own += c } else { *own -= c }
                    }
                    let re = self.sum(rr, ii, !is_sum);
                    let im = self.sum(ir, ri, is_sum);
                    let (re, im) = (self.product(half, re), self.product(half, im));
                    let wave = self.with_positive_phase(phase, re, im);
                    all = self.add_waves(all, vec![wave], true)?;
                }
            }
        }
        Some(all)
    }

    /// Returns the register of a value that does not oscillate.
    fn steady(&mut self, waves: &[RegisterWave]) -> Option<BlockRegister> {
        match waves {
            [] => Some(self.number(&Rational::new())),
            [wave] if wave.phase.is_empty() => Some(wave.re.unwrap_or_else(|| self.number(&Rational::new()))),
            _ => None,
        }
    }

    fn steady_wave(register: BlockRegister) -> Vec<RegisterWave> {
        vec![RegisterWave { phase: PhaseForm::new(), re: Some(register), im: None }]
    }

    /// Returns sin or cos of a register that does not oscillate itself.
    fn circular(&mut self, f: Function, x: BlockRegister) -> Option<Vec<RegisterWave>> {
        if self.registers.is_bounded(x)? {
            return Some(Self::steady_wave(self.emit(BlockInstruction::Unary(Unary::Function(f), x))));
        }
        let form = self.registers.forms[x.0 as usize].clone();
        let (mut phase, mut rest) = (PhaseForm::new(), Vec::new());
        for (register, c) in form.terms {
            if self.registers.is_bounded(register)? {
                rest.push((register, c));
            } else {
                phase.insert(register, c);
            }
        }
        let (cosine, sine) = match self.linear_form(&form.constant, &rest) {
            None => (Some(self.number(&Rational::from(1))), None),
            Some(beta) => {
                let mut apply = |f| Some(self.emit(BlockInstruction::Unary(Unary::Function(f), beta)));
                (apply(Function::Cos), apply(Function::Sin))
            }
        };
        let wave = match f {
            Function::Cos => self.with_positive_phase(phase, cosine, sine),
            // sin = Re (-i·e^(iβ)·e^(iψ))
            _ => {
                let turned = self.negate(cosine);
                self.with_positive_phase(phase, sine, turned)
            }
        };
        Some(vec![wave])
    }

    /// Splits an instruction of the original block, whose registers have these waves.
    fn split_instruction(
        &mut self,
        instruction: &BlockInstruction,
        waves: &[Option<Vec<RegisterWave>>],
    ) -> Option<Vec<RegisterWave>> {
        let of = |r: &BlockRegister| waves[r.0 as usize].clone();
        let chosen = |sign: Sign, a: &BlockRegister, b: &BlockRegister| of(if sign == Sign::Positive { a } else { b });
        match instruction {
            BlockInstruction::Constant(c) => Some(Self::steady_wave(self.emit(BlockInstruction::Constant(*c)))),
            BlockInstruction::Unary(Unary::Negate, x) => {
                let x = of(x)?;
                self.add_waves(Vec::new(), x, false)
            }
            BlockInstruction::Unary(Unary::Function(f), x) => {
                let x = self.steady(&of(x)?)?;
                match f {
                    Function::Sin | Function::Cos => self.circular(*f, x),
                    _ => Some(Self::steady_wave(self.emit(BlockInstruction::Unary(Unary::Function(*f), x)))),
                }
            }
            BlockInstruction::Unary(Unary::Abs, x) => {
                let number = self.steady(&of(x)?)?;
                match self.registers.sign(number)? {
                    Sign::Negative => Some(Self::steady_wave(self.negate(Some(number))?)),
                    _ => of(x),
                }
            }
            BlockInstruction::Unary(Unary::Signum, x) => {
                let number = self.steady(&of(x)?)?;
                let sign = if self.registers.sign(number)? == Sign::Positive { 1 } else { -1 };
                Some(Self::steady_wave(self.number(&Rational::from(sign))))
            }
            BlockInstruction::Binary(f @ (Binary::Add | Binary::Subtract), x, y) => {
                let (x, y) = (of(x)?, of(y)?);
                self.add_waves(x, y, *f == Binary::Add)
            }
            BlockInstruction::Binary(Binary::Multiply, x, y) => {
                let (x, y) = (of(x)?, of(y)?);
                // One step, so that a square stays one.
                if let (Some(a), Some(b)) = (self.steady(&x), self.steady(&y)) {
                    return Some(Self::steady_wave(self.product(Some(a), Some(b))?));
                }
                self.multiply_waves(&x, &y)
            }
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                let (x, y) = (of(x)?, of(y)?);
                let divisor = self.steady(&y)?;
                let mut over = |a: Option<BlockRegister>| {
                    a.map(|a| self.emit(BlockInstruction::Binary(Binary::Divide, a, divisor)))
                };
                Some(
                    x.into_iter()
                        .map(|wave| RegisterWave { re: over(wave.re), im: over(wave.im), phase: wave.phase })
                        .collect(),
                )
            }
            BlockInstruction::Binary(f @ (Binary::Maximum | Binary::Minimum), x, y) => {
                if x == y {
                    return of(x);
                }
                let [a, b] = [self.steady(&of(x)?)?, self.steady(&of(y)?)?];
                let difference =
                    self.registers.arithmetic.subtract_series(self.registers.series(a)?, self.registers.series(b)?)?;
                let sign = self.registers.sign_of_series(&difference)?;
                if *f == Binary::Maximum { chosen(sign, x, y) } else { chosen(sign, y, x) }
            }
            BlockInstruction::Binary(Binary::Planar(f), y, x) => {
                let [y, x] = [self.steady(&of(y)?)?, self.steady(&of(x)?)?];
                Some(Self::steady_wave(self.emit(BlockInstruction::Binary(Binary::Planar(*f), y, x))))
            }
            BlockInstruction::Power(x, e) => {
                let waves = of(x)?;
                if let Some(x) = self.steady(&waves) {
                    return Some(Self::steady_wave(self.emit(BlockInstruction::Power(x, *e))));
                }
                if e.denominator != 1 || !(1..=HIGHEST_POWER).contains(&e.numerator) {
                    return None;
                }
                (1..e.numerator).try_fold(waves.clone(), |product, _| self.multiply_waves(&product, &waves))
            }
            BlockInstruction::Guard(x) => of(x),
            BlockInstruction::Select { guard, then, otherwise } => {
                let number = self.steady(&of(guard)?)?;
                let sign = self.registers.sign(number)?;
                chosen(sign, then, otherwise)
            }
            _ => None,
        }
    }
}

/// Returns a plain block of one parameter.
fn plain_block(
    captures: usize,
    instructions: Vec<BlockInstruction>,
    site: SourceId,
    outputs: Vec<BlockRegister>,
) -> Block {
    Block {
        parameters: 1,
        captures,
        is_plain: instructions.iter().all(BlockInstruction::is_plain),
        has_solver: false,
        sites: vec![site; instructions.len()],
        regions: ControlDependences::new(1 + captures, &instructions, &outputs),
        rivals: MinMaxTree::new(1 + captures, &instructions, &outputs),
        outputs,
        instructions,
        shared: Box::default(),
        edges: Default::default(),
        swapped: None,
        depth: 1,
    }
}

/// Returns `true` if a block has sin or cos of its own, and no block inside.
#[must_use]
pub fn may_oscillate(block: &Block) -> bool {
    let is_wave = |instruction: &BlockInstruction| {
        matches!(instruction, BlockInstruction::Unary(Unary::Function(Function::Sin | Function::Cos), _))
    };
    block.parameters == 1
        && block.outputs.len() == 1
        && block.instructions.iter().any(is_wave)
        && block.instructions.iter().all(|instruction| instruction.nested_inputs().is_none())
}

/// Returns `true` if a sine or cosine of a block may oscillate beside an end: its argument is not seen to be bounded on the piece.
/// Where it is bounded, it is so on every shorter piece.
///
/// As a search for waves at one depth, this costs work.
pub fn has_unbounded_phase<C: HookedContext>(
    machine: &JetEvaluator<'_, C>,
    block: &Block,
    approach: &OneSidedLimit<C::Num>,
    captures: &[Jet<C::Num>],
) -> bool {
    let limbs = budget::limb_count(machine.context.precision());
    if !machine.effort.budget.spend(block.instructions.len() as u64 * limbs) {
        return false;
    }
    let near = machine.widen_inputs(captures);
    let length = machine.context.abs(&machine.jets(&machine.real).value_of(approach.length));
    let arithmetic = SeriesArithmetic::new(machine, machine.jets(&machine.real), &length);
    let mut registers = SeriesRegisters::new(arithmetic, approach, &near);
    block.instructions.iter().any(|instruction| {
        let is_unbounded = match instruction {
            BlockInstruction::Unary(Unary::Function(Function::Sin | Function::Cos), x) => {
                registers.is_bounded(*x) != Some(true)
            }
            _ => false,
        };
        registers.push_result(instruction, machine.constants());
        is_unbounded
    })
}

impl<N: Clone + Send + Sync> PhaseSplit<N> {
    /// Splits a block beside an end into waves and a part without oscillation. Returns `None` if it does not oscillate, or a step
    /// has no rule.
    ///
    /// The split is right for all inputs nearby, on all of the piece.
    #[must_use]
    pub fn of_block<C: HookedContext<Num = N>>(
        machine: &JetEvaluator<'_, C>,
        block: &Block,
        site: SourceId,
        approach: &OneSidedLimit<N>,
        captures: &[Jet<N>],
    ) -> Option<Self> {
        if !may_oscillate(block) {
            return None;
        }
        let limbs = budget::limb_count(machine.context.precision());
        if !machine.effort.budget.spend(8 * block.instructions.len() as u64 * limbs) {
            return None;
        }
        let near = machine.widen_inputs(captures);
        let length = machine.context.abs(&machine.jets(&machine.real).value_of(approach.length));
        let arithmetic = SeriesArithmetic::new(machine, machine.jets(&machine.real), &length);
        let mut splitter = PhaseSplitter {
            registers: SeriesRegisters::new(arithmetic, approach, &near),
            instructions: Vec::new(),
            constants: machine.constants().to_vec(),
            numbers: BTreeMap::new(),
        };
        let inputs = 1 + captures.len();
        let mut waves: Vec<_> =
            (0..inputs).map(|i| Some(PhaseSplitter::<C>::steady_wave(BlockRegister(i as u32)))).collect();
        for instruction in &block.instructions {
            let found = splitter.split_instruction(instruction, &waves);
            waves.push(found);
        }
        let output = waves[block.outputs[0].0 as usize].clone()?;
        let mut plain = None;
        let mut found = Vec::new();
        for wave in output {
            if wave.phase.is_empty() {
                plain = wave.re;
            } else if wave.re.is_some() || wave.im.is_some() {
                let terms: Vec<_> = wave.phase.into_iter().collect();
                let phase = splitter.linear_form(&Rational::new(), &terms)?;
                found.push(IntegrandWave { phase, re: wave.re, im: wave.im });
            }
        }
        if found.is_empty() {
            return None;
        }
        let PhaseSplitter { instructions, constants, .. } = splitter;
        let outputs = found.iter().flat_map(|wave| [Some(wave.phase), wave.re, wave.im]).flatten().collect();
        let plain = plain.map(|plain| plain_block(captures.len(), instructions.clone(), site, vec![plain]));
        let block = plain_block(captures.len(), instructions, site, outputs);
        Some(Self { block, plain, constants, waves: found })
    }

    /// Encloses the mean `∫₀¹ f (e + l·s) ds` of a wave of a split block over the piece, as a limit of integrals, by at most `order`
    /// integrations by parts. The end and the length are numbers.
    ///
    /// Fewer are made if the remainder is at most `wanted`. The piece may be shorter than that of the split.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn integrate_wave<C: HookedContext<Num = N>>(
        &self,
        (machine, wave): (&JetEvaluator<'_, C>, usize),
        (algebra, order): (&Arc<Algebra>, u32),
        approach: &OneSidedLimit<N>,
        captures: &[Jet<N>],
        wanted: Magnitude,
    ) -> Result<WaveIntegral<N>, SmoothError> {
        let Some(euler) = algebra.adjoin(AlgebraGenerator::Direction(order + 1)) else {
            return Ok(WaveIntegral::Unknown);
        };
        let limbs = budget::limb_count(machine.context.precision());
        let steps = self.block.instructions.len() as u64 + 4 * u64::from(order);
        if !machine.effort.budget.spend(4 * steps * euler.product_count() * limbs) {
            return Ok(WaveIntegral::Unknown);
        }
        let own = self.evaluator(machine);
        let run = WaveRun { machine: &own, algebra, euler: &euler, order: order as usize };
        let found = run.integrate((self, &self.waves[wave]), approach, captures, wanted);
        machine.edges.merge_boundaries(&own.edges);
        found
    }

    /// Returns an evaluator for the blocks of the split.
    #[must_use]
    pub fn evaluator<'m, C: HookedContext<Num = N>>(&self, machine: &JetEvaluator<'m, C>) -> JetEvaluator<'m, C> {
        let mut own =
            JetEvaluator::with_constants(machine.context, machine.effort, &machine.real, self.constants.clone());
        own.is_widened = machine.is_widened;
        own
    }

    /// Returns `|Dψ|` at s = 1 for each wave: about the number of radians up to there from the end, if ψ is a power.
    /// It is 0 if it is not known.
    ///
    /// # Errors
    /// Those of [`JetEvaluator::eval_block`].
    pub fn phase_speeds<C: HookedContext<Num = N>>(
        &self,
        machine: &JetEvaluator<'_, C>,
        approach: &OneSidedLimit<N>,
        captures: &[Jet<N>],
    ) -> Result<Vec<Magnitude>, SmoothError> {
        let context = machine.context;
        let Some(euler) = machine.real.adjoin(AlgebraGenerator::Direction(1)) else { return Ok(Vec::new()) };
        let captures: Vec<_> = captures.iter().map(|c| c.truncate_to(1)).collect();
        let run = WaveRun { machine: &self.evaluator(machine), algebra: &machine.real, euler: &euler, order: 0 };
        let values = run.values_at_one(self, approach, &captures)?;
        let speed = |wave: &IntegrandWave| {
            let speed = values.get(&self.block, wave.phase).get(1).cloned();
            let is_known = |c: &N| context.is_defined(c) && context.is_bounded(c);
            speed.filter(is_known).map_or(Magnitude::ZERO, |speed| context.magnitude(&speed))
        };
        Ok(self.waves.iter().map(speed).collect())
    }
}

/// The outputs of a split block at s = 1.
struct ValuesAtOne<N>(Vec<Jet<N>>);

impl<N: Clone> ValuesAtOne<N> {
    fn get(&self, block: &Block, register: BlockRegister) -> Jet<N> {
        let place = block.outputs.iter().position(|output| *output == register);
        place.map_or_else(Jet::zero, |place| self.0[place].clone())
    }
}

/// The integration of waves by parts: over the piece by series, and at s = 1 by jets, with t as the last generator.
struct WaveRun<'r, 'm, C: HookedContext> {
    machine: &'r JetEvaluator<'m, C>,
    algebra: &'r Arc<Algebra>,
    euler: &'r Arc<Algebra>,
    order: usize,
}

/// The result of some integrations by parts.
struct StepBound<N> {
    /// The width of the bound of the remainder.
    width: Magnitude,
    /// The bound of the remainder.
    bound: Jet<N>,
    /// The boundary terms at s = 1, over `e^(iψ)`.
    boundary: ComplexPair<Jet<N>>,
}

/// A complex series or jet.
#[derive(Clone, Debug)]
struct ComplexPair<A> {
    re: A,
    im: A,
}

impl<A> ComplexPair<A> {
    fn map<B>(&self, mut f: impl FnMut(&A) -> Option<B>) -> Option<ComplexPair<B>> {
        Some(ComplexPair { re: f(&self.re)?, im: f(&self.im)? })
    }
}

impl<C: HookedContext> WaveRun<'_, '_, C> {
    fn context(&self) -> &C {
        self.machine.context
    }

    /// Returns `a·eᵗ` for a number a.
    fn times_exponential(&self, a: &C::Num) -> Jet<C::Num> {
        let mut jet = Jet::zero();
        let mut coefficient = a.clone();
        for power in 0..=self.order + 1 {
            if power > 1 {
                coefficient = self.context().div_integer(&coefficient, power as u64);
            }
            if let Some(&(_, here)) = self.euler.power_slice(power).first() {
                jet.set(here as usize, Some(coefficient.clone()));
            }
        }
        jet
    }

    /// Returns the derivative in t. The coefficient of the highest power is lost.
    fn derivative_in_t(&self, a: &Jet<C::Num>) -> Jet<C::Num> {
        let mut y = Jet::zero();
        for power in 1..=self.order + 1 {
            let (below, above) = (self.euler.power_slice(power - 1), self.euler.power_slice(power));
            for (&(_, to), &(_, from)) in below.iter().zip(above) {
                let coefficient = a.get(from as usize).map(|c| self.context().mul_integer(c, power as i64));
                y.set(to as usize, coefficient);
            }
        }
        y
    }

    /// Drops the powers of t from `count` on.
    fn keep_powers(&self, a: &Jet<C::Num>, count: usize) -> Jet<C::Num> {
        a.truncate_to(count * self.algebra.len())
    }

    /// Evaluates the split block at s = 1.
    fn values_at_one(
        &self,
        split: &PhaseSplit<C::Num>,
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
    ) -> Result<ValuesAtOne<C::Num>, SmoothError> {
        let jets = self.machine.jets(self.euler);
        let length = jets.value_of(approach.length);
        let x = jets.add(approach.end, &self.times_exponential(&length));
        let mut branches = BranchDecisions::default();
        self.machine
            .eval_block(&split.block, self.euler, &[x], captures, &mut branches, EvalTarget::Outputs)
            .map(ValuesAtOne)
    }

    /// Integrates a wave.
    fn integrate(
        &self,
        (split, wave): (&PhaseSplit<C::Num>, &IntegrandWave),
        approach: &OneSidedLimit<C::Num>,
        captures: &[Jet<C::Num>],
        wanted: Magnitude,
    ) -> Result<WaveIntegral<C::Num>, SmoothError> {
        let (context, outer) = (self.context(), self.machine.jets(self.algebra));
        let values = self.values_at_one(split, approach, captures)?;
        // Widened by about a unit in the last place, so that all bounds hold for the inputs nearby too.
        let widen = |capture: &Jet<C::Num>| match (capture.is_constant(), capture.get(0)) {
            (false, value) => {
                let value = value.cloned().unwrap_or_else(|| context.enclose_integer(0));
                let mut near = capture.clone();
                near.set(0, Some(context.inflate_slightly(&value)));
                near
            }
            _ => capture.clone(),
        };
        let near: Vec<_> = captures.iter().map(widen).collect();
        let length = outer.value_of(approach.length);
        let size = context.abs(&length);
        let arithmetic = SeriesArithmetic::new(self.machine, self.machine.jets(self.euler), &size);
        let moving = OneSidedLimit { end: approach.end, length: &self.times_exponential(&length), root: None };
        let mut over = SeriesRegisters::new(arithmetic, &moving, &near);
        for instruction in &split.block.instructions {
            over.push_result(instruction, &split.constants);
        }
        let steady = SeriesArithmetic::new(self.machine, self.machine.jets(self.algebra), &size);
        for atom in over.arithmetic.atoms.borrow().iter() {
            steady.add_atom(steady.map_factors(&atom.series, |factor| self.keep_powers(factor, 1)), None);
        }
        let found = self.integrate_by_parts(split, wave, (&over, &steady), &values, wanted);
        Ok(found.unwrap_or(WaveIntegral::Unknown))
    }

    /// Integrates a wave by parts. Returns `None` if some step has no bound.
    fn integrate_by_parts(
        &self,
        split: &PhaseSplit<C::Num>,
        wave: &IntegrandWave,
        (over, steady): (&SeriesRegisters<'_, '_, C>, &SeriesArithmetic<'_, '_, C>),
        values: &ValuesAtOne<C::Num>,
        wanted: Magnitude,
    ) -> Option<WaveIntegral<C::Num>> {
        let (context, series) = (self.context(), &over.arithmetic);
        let (jets, outer) = (self.machine.jets(self.euler), self.machine.jets(self.algebra));
        let phase = over.series(wave.phase)?;
        let phase_at_one = values.get(&split.block, wave.phase);
        let speed = self.derivative_of_series(series, phase)?;
        let inverse = over.raise(&speed, (-1, 1))?;
        let inverse_at_one = jets.reciprocal(&self.derivative_in_t(&phase_at_one));
        let turn = self.turn_by_inputs(steady, phase)?;
        let exponential = self.times_exponential(&context.enclose_integer(1));
        let along = ScaleMonomial::of_powers(1, 0);
        let amplitude = |part: Option<BlockRegister>| match part {
            None => Some(AsymptoticSeries { terms: Vec::new() }),
            Some(part) => {
                let times = series.map_factors(over.series(part)?, |factor| jets.multiply(factor, &exponential));
                Some(series.times_monomial(&times, &along))
            }
        };
        let at_one = |part: Option<BlockRegister>| {
            part.map_or_else(Jet::zero, |part| jets.multiply(&values.get(&split.block, part), &exponential))
        };
        let mut g = ComplexPair { re: amplitude(wave.re)?, im: amplitude(wave.im)? };
        let mut g_at_one = ComplexPair { re: at_one(wave.re), im: at_one(wave.im) };
        let mut boundary = ComplexPair { re: Jet::zero(), im: Jet::zero() };
        let mut best: Option<StepBound<C::Num>> = None;
        let (mut is_absolute, mut patience) = (false, PATIENCE);
        for j in 0..=self.order {
            let bound = self.remainder(steady, &g, &turn);
            is_absolute |= j == 0 && bound.is_some();
            if let Some((width, bound)) = bound {
                match &best {
                    Some(best) if best.width <= width => patience -= 1,
                    _ => {
                        (best, patience) = (Some(StepBound { width, bound, boundary: boundary.clone() }), PATIENCE);
                    }
                }
                if width <= wanted || patience == 0 {
                    break;
                }
            }
            if j == self.order {
                break;
            }
            // The powers of t that are still exact.
            let count = self.order + 1 - j;
            let inverse = series.map_factors(&inverse, |factor| self.keep_powers(factor, count));
            let Some(h) = g.map(|part| series.multiply_series(part, &inverse)) else { break };
            match self.limit_of_boundary(steady, &h) {
                Some(true) => {}
                Some(false) if best.is_none() => return Some(WaveIntegral::NoLimit),
                _ => break,
            }
            let inverse = self.keep_powers(&inverse_at_one, count);
            let h_at_one = g_at_one.map(|part| Some(jets.multiply(part, &inverse)))?;
            // -i·H at t = 0
            let now = h_at_one.map(|part| Some(self.keep_powers(part, 1)))?;
            boundary = ComplexPair { re: outer.add(&boundary.re, &now.im), im: outer.subtract(&boundary.im, &now.re) };
            let differentiate = |a: &AsymptoticSeries<C::Num>| {
                let found = self.derivative_of_series(series, a)?;
                Some(series.map_factors(&found, |factor| self.keep_powers(factor, count - 1)))
            };
            let Some(ComplexPair { re, im }) = h.map(differentiate) else { break };
            g = ComplexPair { re: series.negate_series(&im), im: re };
            let ComplexPair { re, im } =
                h_at_one.map(|part| Some(self.keep_powers(&self.derivative_in_t(part), count - 1)))?;
            g_at_one = ComplexPair { re: jets.negate(&im), im: re };
        }
        let StepBound { width: remainder, bound, boundary } = best?;
        // Re (B·e^(iψ)) at s = 1.
        let phase_at_one = self.keep_powers(&phase_at_one, 1);
        let [cosine, sine] = [Function::Cos, Function::Sin].map(|f| outer.apply_function(f, &phase_at_one));
        let value = outer.subtract(&outer.multiply(&boundary.re, &cosine), &outer.multiply(&boundary.im, &sine));
        let mean = outer.add(&value, &bound);
        let is_known = |c: &C::Num| context.is_defined(c) && context.is_bounded(c);
        let is_found = mean.coefficients().flatten().all(is_known);
        is_found.then_some(WaveIntegral::Value { mean, is_absolute, remainder })
    }

    /// Returns the derivative in t of a series. Its atoms vary with t too.
    fn derivative_of_series(
        &self,
        arithmetic: &SeriesArithmetic<'_, '_, C>,
        a: &AsymptoticSeries<C::Num>,
    ) -> Option<AsymptoticSeries<C::Num>> {
        let mut terms = arithmetic.map_factors(a, |factor| self.derivative_in_t(factor)).terms;
        for term in &a.terms {
            for (atom, coefficient) in &term.monomial.exponent {
                let exponent = arithmetic.atoms.borrow()[*atom].series.clone();
                let slope = self.derivative_of_series(arithmetic, &exponent)?;
                let scale = self.context().enclose_rational(coefficient);
                let factor = arithmetic.outer.scale(&term.factor, &scale);
                let own = arithmetic.map_factors(&slope, |slope| arithmetic.outer.multiply(slope, &factor));
                terms.extend(arithmetic.times_monomial(&own, &term.monomial).terms);
            }
        }
        arithmetic.collect_terms(terms)
    }

    /// Returns `e^(iν)`, where ν is what the phase varies by with the inputs. Returns `None` if it has no bound.
    fn turn_by_inputs(
        &self,
        steady: &SeriesArithmetic<'_, '_, C>,
        phase: &AsymptoticSeries<C::Num>,
    ) -> Option<ComplexPair<AsymptoticSeries<C::Num>>> {
        let outer = &steady.outer;
        let nilpotent = steady.map_factors(phase, |factor| outer.nilpotent_part(&self.keep_powers(factor, 1)));
        let nilpotent = steady.collect_terms(nilpotent.terms)?;
        let mut turn = ComplexPair {
            re: steady.series_of_constant(Jet::constant(self.context().enclose_integer(1)))?,
            im: AsymptoticSeries { terms: Vec::new() },
        };
        // νᵏ/k!, until it is 0: with atoms that move the phase varies otherwise.
        if phase.terms.iter().any(|term| !term.monomial.is_pure()) && self.algebra.len() > 1 {
            return None;
        }
        let mut power = turn.re.clone();
        for k in 1.. {
            power = steady.multiply_series(&power, &nilpotent)?;
            power = steady
                .map_factors(&power, |factor| outer.map_coefficients(factor, |c| self.context().div_integer(c, k)));
            power.terms.retain(|term| term.factor.coefficients().flatten().next().is_some());
            if power.terms.is_empty() {
                break;
            }
            let signed = if k % 4 < 2 { power.clone() } else { steady.negate_series(&power) };
            let part = if k % 2 == 0 { &mut turn.re } else { &mut turn.im };
            *part = steady.add_series(part, &signed)?;
        }
        Some(turn)
    }

    /// Bounds `∫₀¹ G·e^(iψ) ds/s`, with its derivatives in the inputs. Returns `None` if there is no bound.
    fn remainder(
        &self,
        steady: &SeriesArithmetic<'_, '_, C>,
        g: &ComplexPair<AsymptoticSeries<C::Num>>,
        turn: &ComplexPair<AsymptoticSeries<C::Num>>,
    ) -> Option<(Magnitude, Jet<C::Num>)> {
        let context = self.context();
        let g = g.map(|part| Some(steady.map_factors(part, |factor| self.keep_powers(factor, 1))))?;
        let product = |a: &AsymptoticSeries<C::Num>, b: &AsymptoticSeries<C::Num>| steady.multiply_series(a, b);
        let re = steady.subtract_series(&product(&g.re, &turn.re)?, &product(&g.im, &turn.im)?)?;
        let im = steady.add_series(&product(&g.re, &turn.im)?, &product(&g.im, &turn.re)?)?;
        let around = |c: &C::Num| {
            let most = context.abs(c);
            context.hull(&context.neg(&most), &most)
        };
        let mut all = AsymptoticSeries { terms: re.terms.into_iter().chain(im.terms).collect() };
        all = steady.map_factors(&all, |factor| steady.outer.map_coefficients(factor, around));
        // ds/s
        let all = steady.times_monomial(&all, &ScaleMonomial::of_powers(-1, 0));
        let EndIntegral::Value(bound) = steady.integrate_series(&all) else { return None };
        let is_known = bound.coefficients().flatten().all(|c| steady.is_known(c));
        let width = bound.coefficients().flatten().map(|c| context.width(c)).max().unwrap_or(Magnitude::ZERO);
        is_known.then_some((width, bound))
    }

    /// Returns `true` if a boundary term goes to 0 at the end, for all inputs nearby; `false` if it oscillates without a limit.
    fn limit_of_boundary(
        &self,
        steady: &SeriesArithmetic<'_, '_, C>,
        h: &ComplexPair<AsymptoticSeries<C::Num>>,
    ) -> Option<bool> {
        let h = h.map(|part| Some(steady.map_factors(part, |factor| self.keep_powers(factor, 1))))?;
        let vanishes = |part: &AsymptoticSeries<C::Num>| {
            part.terms.iter().all(|term| {
                let pure = steady.as_pure_term(term);
                pure.is_some_and(|AsymptoticTerm { monomial, .. }| {
                    // With the power 0 an exponent that moves is another one for inputs nearby.
                    let is_strict = monomial.power > 0 || monomial.moving.is_empty();
                    monomial.compare_powers() == Ordering::Less && is_strict
                })
            })
        };
        if vanishes(&h.re) && vanishes(&h.im) {
            return Some(true);
        }
        let stays = |part: &AsymptoticSeries<C::Num>| {
            steady.leading_term(part).is_some_and(|leading| {
                leading.monomial.is_pure()
                    && leading.monomial.compare_powers() != Ordering::Less
                    && matches!(steady.sign(&leading.factor), Sign::Positive | Sign::Negative)
            })
        };
        (stays(&h.re) || stays(&h.im)).then_some(false)
    }
}
