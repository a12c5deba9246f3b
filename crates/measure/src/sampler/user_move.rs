//! Moves that a user gives: involutions of values and auxiliary numbers, with the acceptance rule of Green (1995).
//!
//! A *pair* is a value of the program with auxiliary numbers, which a second program draws. Let p be the density of pairs, T an
//! involution of pairs, and 𝒥 its factor. From the pair z the chain goes to T z with probability `min(1, p(T z)·𝒥(z)/p(z))`. That
//! leaves p invariant if T ∘ T is the identity. Auxiliary numbers are drawn anew before each proposal.
//!
//! | part | how |
//! |---|---|
//! | coordinates | the real draws that the value consists of; other draws of the run stay as they are |
//! | 𝒥 | the determinant of the slopes by AD in these draws, by elimination |
//! | T ∘ T = id | by normal forms for each two paths; where they do not show it, by doubles at each proposal |
//! | a value of another form, a *reversible jump* | its discrete draws are those of a run with a value of that form, seen before the chain begins |
//!
//! A move that some simple point or some run of the program refutes is refused. After that, a proposal from z is rejected if
//! T (T z) is not z. That biases nothing: T maps the set of all z with T (T z) = z to itself, and is an involution there.

use super::tree::{ExecutionTree, SampledRun, compile_tape};
use super::{SamplerContext, SamplerError, WeightedSamples};
use crate::function::Function;
use crate::measure::distribution::draw::log;
use crate::measure::support::SupportChart;
use crate::number::budget::Budget;
use crate::number::double::eval_nearest;
use crate::random::SplitMix64;
use crate::smooth::graph::{Graph, NodeOperation, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::tape::Tape;
use crate::stack::with_stack;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{TruthType, Value, ValueKind};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use std::sync::Arc;

/// A user's move.
#[derive(Clone, Copy, Debug)]
pub struct UserMove<'t> {
    /// The program of pairs, of type `P (A * U)`, which first runs the program of type `P A`. Without auxiliary numbers it is that
    /// program.
    pub pairs: &'t Term,
    /// The involution, a function from the values of `pairs` to such values.
    pub involution: &'t Term,
}

/// The reason why a move is known to be its own inverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InvolutionEvidence {
    /// Normal forms show it, for all paths that a proposal took.
    NormalForms,
    /// Points at which it was tried.
    Points,
}

/// The numbers of the first points at which a move is tried. A choice: a point that refutes it is then short.
const SIMPLE_NUMBERS: [f64; 6] = [0.0, 1.0, 2.0, 0.5, 3.0, -1.0];
/// The number of runs at which a move is tried, and which find the forms of values. A choice.
const TRIED_RUNS: usize = 500;
/// The relative error up to which numbers count as equal. A choice: far above rounding.
const RELATIVE_ERROR: f64 = 1e-7;
/// The largest number of slopes of a move. A choice: a move of 300 draws.
const MAX_SLOPES: usize = 100_000;

/// A value and its image under a move, as maps of the real draws of a path.
#[derive(Debug)]
pub(super) struct MoveShape {
    /// The value and its image.
    values: [Value<Graph>; 2],
    /// The forms of both: all but the real numbers.
    forms: [String; 2],
    /// The real numbers of both.
    numbers: [Vec<Graph>; 2],
    /// The real draws of the path.
    variables: Vec<Variable>,
    /// For each number of the value, the real draw that it is. `None` if the program computes it, or if it is an earlier one.
    draws: Vec<Option<usize>>,
}

impl MoveShape {
    /// Reads a value and its image on a path with these real draws.
    ///
    /// # Errors
    /// [`SamplerError::MovedValue`] if they contain functions.
    pub(super) fn new(value: Value<Graph>, image: Value<Graph>, variables: &[Variable]) -> Result<Self, SamplerError> {
        let values = [value, image];
        let forms = [form_of(&values[0])?, form_of(&values[1])?];
        let numbers = values.each_ref().map(|value| value.real_numbers().into_iter().cloned().collect::<Vec<Graph>>());
        let mut draws: Vec<Option<usize>> = Vec::new();
        for number in &numbers[0] {
            let own = match number.operation() {
                NodeOperation::Variable(v) => variables.iter().position(|own| own == v),
                _ => None,
            };
            // A draw that occurs twice is a coordinate once: with both copies the slopes would have the determinant 0.
            draws.push(own.filter(|own| !draws.contains(&Some(*own))));
        }
        Ok(Self { values, forms, numbers, variables: variables.to_vec(), draws })
    }

    /// Returns the real draws that the value consists of.
    fn moved_draws(&self) -> Vec<usize> {
        self.draws.iter().copied().flatten().collect()
    }

    /// Returns `true` if the value contains all real draws of the path.
    fn has_all_draws(&self) -> bool {
        self.moved_draws().len() == self.variables.len()
    }

    /// Returns `true` if normal forms show that this move and then another one lead back. `draws` are those of the image.
    fn is_undone_by(&self, other: &Self) -> bool {
        // the other draws are those of the same run
        let kept = |i: usize| self.variables.get(i).map(|v| Graph::variable(*v));
        let image = |i: usize| {
            other.draws.iter().position(|draw| *draw == Some(i)).and_then(|slot| self.numbers[1].get(slot).cloned())
        };
        let place = |(i, v): (usize, &Variable)| Some((*v, image(i).or_else(|| kept(i))?));
        let Some(places) = other.variables.iter().enumerate().map(place).collect::<Option<Vec<_>>>() else {
            return false;
        };
        // Where a normal form is undefined the run is, too, and no proposal comes from there.
        let mut forms = RationalNormalForm::default();
        let is_same = |(number, back): (&Graph, &Graph)| {
            forms.normal_form(&(back.substitute(&places) - number)).is_some_and(|difference| difference.is_zero())
        };
        self.forms[0] == other.forms[1] && self.numbers[0].iter().zip(&other.numbers[1]).all(is_same)
    }
}

/// Returns the form of a value: all but its real numbers, from left to right.
///
/// # Errors
/// [`SamplerError::MovedValue`] for a function, a tangent or an isomorphism.
fn form_of(value: &Value<Graph>) -> Result<String, SamplerError> {
    // A stack of our own, as lists may be deeper than the machine's.
    let (mut waiting, mut form) = (vec![value], String::new());
    while let Some(value) = waiting.pop() {
        // Each part says how many parts it has, so that equal texts are of equal forms.
        let written = match value {
            Value::Real(_) => write!(form, "r"),
            Value::Natural(n) => write!(form, "{n},"),
            Value::Boolean(b) => match b.decided_value() {
                Some(holds) => write!(form, "{}", if holds { "t" } else { "f" }),
                None => return Err(SamplerError::MovedValue("an undecided truth value")),
            },
            Value::Unit => write!(form, "u"),
            Value::Tuple(parts) => write!(form, "({}", parts.len()),
            Value::Variant(index, _) => write!(form, "<{index}"),
            Value::List(list) => write!(form, "[{}", list.iter().count()),
            Value::Function(_) | Value::Tangent(_) | Value::Isomorphism(..) => {
                return Err(SamplerError::MovedValue(value.kind().noun_phrase()));
            }
        };
        // a text takes any number of characters
        written.unwrap_or_default();
        let parts = waiting.len();
        waiting.extend(value.direct_parts());
        waiting[parts..].reverse();
    }
    Ok(form)
}

/// Formats a value with these real numbers, as the language writes it. The type gives the names of constructors.
fn format_point(value: &Value<Graph>, ty: &Ty, numbers: &mut impl Iterator<Item = f64>) -> String {
    let mut list = |parts: &mut dyn Iterator<Item = (&Value<Graph>, &Ty)>| {
        let parts: Vec<String> = parts.map(|(part, ty)| with_stack(|| format_point(part, ty, numbers))).collect();
        parts.join(", ")
    };
    match (value, ty.kind()) {
        (Value::Real(_), _) => format_double(numbers.next().unwrap_or(f64::NAN)),
        (Value::Natural(n), _) => n.to_string(),
        (Value::Boolean(b), _) => if b.decided_value() == Some(true) { "tt" } else { "ff" }.to_owned(),
        (Value::Tuple(parts), TyKind::Tuple(types)) => format!("({})", list(&mut parts.iter().zip(types))),
        (Value::List(parts), TyKind::Data(_, of)) if of.len() == 1 => {
            format!("[{}]", list(&mut parts.iter().map(|part| (part, &of[0]))))
        }
        (Value::Variant(index, argument), TyKind::Data(data, arguments)) => {
            let Some(constructor) = data.constructors().nth(*index) else { return "…".to_owned() };
            let Some(ty) = constructor.argument() else { return constructor.name().to_string() };
            let inner = list(&mut std::iter::once((&**argument, &ty.with_arguments(arguments))));
            // signs and applications bind less than a constructor
            let is_loose = inner.starts_with('-') || argument.kind() == ValueKind::Variant && inner.contains(' ');
            format!("{} {}", constructor.name(), if is_loose { format!("({inner})") } else { inner })
        }
        _ => "()".to_owned(),
    }
}

/// Formats a double as the shortest decimal that is read back as it.
fn format_double(x: f64) -> String {
    // A choice: outside of these sizes plain digits are mostly zeros.
    let is_plain = x == 0.0 || (1e-5..1e16).contains(&x.abs()) || !x.is_finite();
    if is_plain { x.to_string() } else { format!("{x:e}") }
}

/// A move from the end of a path, compiled.
#[derive(Debug)]
pub(super) struct LeafMove {
    shape: Arc<MoveShape>,
    /// The numbers of the value and of the image, then the slopes of each number of the image in the draws of the value.
    tape: Tape,
}

impl LeafMove {
    /// Compiles a move.
    ///
    /// # Errors
    /// [`SamplerError::Tape`], and [`SamplerError::TooLarge`] for too many slopes.
    pub(super) fn new(shape: MoveShape) -> Result<Self, SamplerError> {
        let from: Vec<Variable> = shape.moved_draws().into_iter().map(|draw| shape.variables[draw]).collect();
        let [numbers, images] = &shape.numbers;
        if images.len() * from.len() > MAX_SLOPES {
            return Err(SamplerError::TooLarge { most: MAX_SLOPES });
        }
        let slopes = SupportChart::slope_matrix(images, &from).into_iter().flatten();
        // One tape for all: the value, its image and the slopes share most of their operations.
        let all: Vec<Graph> = numbers.iter().chain(images).cloned().chain(slopes).collect();
        Ok(Self { tape: compile_tape(&shape.variables, &all)?, shape: Arc::new(shape) })
    }

    /// Computes the numbers of the value, those of its image, and their slopes, row by row.
    fn evaluate(&mut self, run: &SampledRun) -> [Vec<f64>; 3] {
        let reals: Vec<f64> = run.real_draws().collect();
        let mut numbers = vec![0.0; self.tape.output_count()];
        self.tape.value(&reals, &mut numbers);
        let mut images = numbers.split_off(self.shape.numbers[0].len());
        let slopes = images.split_off(self.shape.numbers[1].len());
        [numbers, images, slopes]
    }
}

/// A run with a value of some form, by which moves find the discrete draws of values of that form.
#[derive(Debug)]
struct FormTemplate {
    run: SampledRun,
    draws: Vec<Option<usize>>,
    has_all_draws: bool,
    /// `true` if runs with other discrete draws have values of that form.
    is_ambiguous: bool,
}

/// The run whose real draws a move replaces.
struct MoveTarget {
    run: SampledRun,
    /// For each number of the image, the real draw that it becomes.
    draws: Vec<Option<usize>>,
}

/// The image of a pair under a move.
#[derive(Clone, Debug)]
pub struct MovedRun {
    /// The real numbers of the pair and of its image.
    pub numbers: [Vec<f64>; 2],
    /// The logarithm of the factor 𝒥.
    pub log_factor: f64,
    /// The run with the image as its value. `None` if no run is known to have it.
    pub next: Option<SampledRun>,
}

/// The tree of a program of pairs with a move.
#[derive(Debug)]
pub struct MoveTree<'a> {
    tree: ExecutionTree<'a>,
    ty: Ty,
    /// The forms of values, in the order in which they were seen.
    templates: Vec<FormTemplate>,
    template_of: FxHashMap<String, usize>,
    /// For the leaves of a run and of the next one: `true` if normal forms show that the move leads back.
    shown: FxHashMap<(usize, usize), bool>,
}

impl<'a> MoveTree<'a> {
    /// Creates the tree of a move. No run has been made yet.
    ///
    /// # Errors
    /// [`SamplerError`] for a construct that the semantics of piecewise programs lacks.
    pub fn new(own: UserMove<'_>, budget: &'a Arc<Budget>) -> Result<Self, SamplerError> {
        let ty = match own.pairs.ty().kind() {
            TyKind::Data(_, arguments) => arguments.first().cloned(),
            _ => None,
        };
        let tree = ExecutionTree::with_move(own.pairs, own.involution, budget)?;
        let (templates, template_of, shown) = (Vec::new(), FxHashMap::default(), FxHashMap::default());
        Ok(Self { tree, ty: ty.unwrap_or_else(Ty::unknown), templates, template_of, shown })
    }

    /// Returns the reason why the move is known to be its own inverse on the paths of all proposals so far.
    #[must_use]
    pub fn involution_evidence(&self) -> InvolutionEvidence {
        match !self.shown.is_empty() && self.shown.values().all(|is_shown| *is_shown) {
            true => InvolutionEvidence::NormalForms,
            false => InvolutionEvidence::Points,
        }
    }

    /// Draws a pair. Later moves may lead to values of its form.
    ///
    /// # Errors
    /// [`SamplerError`]
    pub fn draw_pair(&mut self, random: &mut SplitMix64) -> Result<SampledRun, SamplerError> {
        let run = self.tree.draw_run(random)?;
        let Some(shape) = self.tree.leaf_move(&run).map(|own| own.shape.clone()) else { return Ok(run) };
        if let Some(known) = self.template_of.get(&shape.forms[0]) {
            let known = &mut self.templates[*known];
            // A value would not tell to which of the runs a move leads.
            known.is_ambiguous |= !known.run.discrete_draws().eq(run.discrete_draws());
        } else {
            self.template_of.insert(shape.forms[0].clone(), self.templates.len());
            let (draws, has_all_draws) = (shape.draws.clone(), shape.has_all_draws());
            self.templates.push(FormTemplate { run: run.clone(), draws, has_all_draws, is_ambiguous: false });
        }
        Ok(run)
    }

    /// Returns a pair with other real draws. Returns `None` if its program would then draw from other distributions.
    ///
    /// # Errors
    /// [`SamplerError`]
    pub fn pair_at(&mut self, pair: &SampledRun, reals: &[f64]) -> Result<Option<SampledRun>, SamplerError> {
        self.tree.rerun_with(pair, reals)
    }

    /// Applies the move to a pair.
    ///
    /// # Errors
    /// [`SamplerError`] if the move changes what is not drawn, or leads to runs that its image does not determine.
    pub fn apply_move(&mut self, pair: &SampledRun) -> Result<MovedRun, SamplerError> {
        let rejected = |numbers| Ok(MovedRun { numbers, log_factor: 0.0, next: None });
        let Some(own) = self.tree.leaf_move(pair) else { return rejected([Vec::new(), Vec::new()]) };
        let ([start, image, slopes], shape) = (own.evaluate(pair), own.shape.clone());
        let numbers = [start, image];
        let Some(MoveTarget { run, draws }) = self.find_target(pair, &shape, &numbers)? else {
            return rejected(numbers);
        };
        let columns = shape.moved_draws().len();
        let rows: Vec<usize> = (0..draws.len()).filter(|slot| draws[*slot].is_some()).collect();
        if rows.len() != columns {
            let ([start, image], after) = (self.format_pair(&shape, &numbers), rows.len());
            return Err(SamplerError::MovedDraws { start, before: columns, image, after });
        }
        // T is a map of ℝⁿ here, with the draws of the value as coordinates, whatever else the run draws.
        let log_factor =
            log_absolute_determinant(rows.iter().map(|row| slopes[row * columns..][..columns].to_vec()).collect());
        let mut reals: Vec<f64> = run.real_draws().collect();
        draws
            .iter()
            .zip(&numbers[1])
            .filter_map(|(draw, x)| Some(((*draw)?, *x)))
            .for_each(|(draw, x)| reals[draw] = x);
        let Some(next) = self.tree.rerun_with(&run, &reals)? else { return rejected(numbers) };
        let Some(there) = self.tree.leaf_move(&next) else { return rejected(numbers) };
        let is_image = there.shape.forms[0] == shape.forms[1]
            && there.shape.draws == draws
            && are_near(&there.evaluate(&next)[0], &numbers[1], &numbers);
        // On the same path only a number that is no draw can differ. On another path the image is no value of the program.
        if !is_image && next.leaf == pair.leaf {
            let [start, image] = self.format_pair(&shape, &numbers);
            return Err(SamplerError::MovedConstant { start, image });
        }
        Ok(MovedRun { numbers, log_factor, next: Some(next).filter(|_| is_image) })
    }

    /// Returns the run whose real draws a move replaces, and which of them the numbers of the image become. Returns `None` if no
    /// run is known to have a value of the form of the image.
    ///
    /// # Errors
    /// [`SamplerError::AmbiguousForm`] if there may be several.
    fn find_target(
        &self,
        pair: &SampledRun,
        shape: &MoveShape,
        numbers: &[Vec<f64>; 2],
    ) -> Result<Option<MoveTarget>, SamplerError> {
        // In the same form the other draws of the run stay, real and discrete.
        if shape.forms[0] == shape.forms[1] {
            return Ok(Some(MoveTarget { run: pair.clone(), draws: shape.draws.clone() }));
        }
        // The form of the pair has to be known as well: otherwise the way back is not.
        let known = shape.forms.each_ref().map(|form| self.template_of.get(form).map(|known| &self.templates[*known]));
        let [Some(before), Some(after)] = known else { return Ok(None) };
        if !shape.has_all_draws() || !after.has_all_draws || before.is_ambiguous || after.is_ambiguous {
            let [start, image] = self.format_pair(shape, numbers);
            return Err(SamplerError::AmbiguousForm { start, image });
        }
        let target = || MoveTarget { run: after.run.clone(), draws: after.draws.clone() };
        Ok((before.draws == shape.draws).then(target))
    }

    /// Formats the value of a pair and its image.
    fn format_pair(&self, shape: &MoveShape, numbers: &[Vec<f64>; 2]) -> [String; 2] {
        [0, 1].map(|i| format_point(&shape.values[i], &self.ty, &mut numbers[i].iter().copied()))
    }

    /// Returns the shape of the move at the end of a run.
    fn shape_at(&mut self, run: &SampledRun) -> Option<Arc<MoveShape>> {
        self.tree.leaf_move(run).map(|own| own.shape.clone())
    }

    /// Returns `true` if normal forms show that the move takes `next` back to `pair`, from which it came.
    fn is_shown_to_return(&mut self, pair: &SampledRun, next: &SampledRun) -> bool {
        let leaves = (pair.leaf, next.leaf);
        if let Some(known) = self.shown.get(&leaves) {
            return *known;
        }
        let shapes = self.shape_at(pair).zip(self.shape_at(next));
        let is_shown = shapes.is_some_and(|(own, other)| own.is_undone_by(&other));
        self.shown.insert(leaves, is_shown);
        is_shown
    }

    /// Proposes the image of a pair, with the logarithm of 𝒥. Returns `None` if it has no density, or the move does not lead back.
    fn propose(&mut self, pair: &SampledRun) -> Result<Option<(SampledRun, f64)>, SamplerError> {
        let MovedRun { numbers, log_factor, next } = self.apply_move(pair)?;
        let Some(next) = next.filter(|next| has_density(next) && log_factor.is_finite()) else { return Ok(None) };
        // A rejection where T does not lead back restricts T to the set where it is an involution.
        if !self.is_shown_to_return(pair, &next) {
            let back = self.apply_move(&next)?;
            if !self.is_start(pair, &numbers, &next, &back) || !are_inverse(log_factor, back.log_factor) {
                return Ok(None);
            }
        }
        Ok(Some((next, log_factor)))
    }

    /// Returns `true` if the image of `next` is `pair`, up to rounding.
    fn is_start(&mut self, pair: &SampledRun, numbers: &[Vec<f64>; 2], next: &SampledRun, back: &MovedRun) -> bool {
        let shapes = self.shape_at(pair).zip(self.shape_at(next));
        shapes.is_some_and(|(own, other)| own.forms[0] == other.forms[1])
            && are_near(&back.numbers[1], &numbers[0], numbers)
    }

    /// Tries the move at runs of the program.
    ///
    /// # Errors
    /// [`SamplerError::NotInvolution`] and [`SamplerError::MoveFactor`] at a point that refutes it, and other errors of the program.
    pub fn try_move(&mut self, random: &mut SplitMix64, budget: &Budget) -> Result<(), SamplerError> {
        let mut pairs = Vec::new();
        // All forms have to be known first, as a move may lead to any of them. A run costs 256 work units, as in a chain.
        while pairs.len() < TRIED_RUNS && budget.spend(1 << 8) {
            pairs.push(self.draw_pair(random)?);
        }
        for pair in &pairs {
            match self.try_at(pair) {
                Err(fault @ SamplerError::NotInvolution { .. }) => {
                    return Err(self.simplest_refutation().unwrap_or(fault));
                }
                tried => tried?,
            }
        }
        Ok(())
    }

    /// Returns a refutation of a move at a simple point. Alone such a point refutes nothing, since it has no probability.
    fn simplest_refutation(&mut self) -> Option<SamplerError> {
        for index in 0..self.templates.len() {
            let pair = self.templates[index].run.clone();
            for start in 0..SIMPLE_NUMBERS.len() {
                let numbers = SIMPLE_NUMBERS.into_iter().cycle().skip(start);
                let reals: Vec<f64> = pair.real_draws().zip(numbers).map(|(_, simple)| simple).collect();
                let simple = self.pair_at(&pair, &reals).ok().flatten();
                if let Some(Err(fault @ SamplerError::NotInvolution { .. })) = simple.map(|simple| self.try_at(&simple))
                {
                    return Some(fault);
                }
            }
        }
        None
    }

    /// Tries at a pair that the move leads back, and that the factors of both ways have the product 1.
    fn try_at(&mut self, pair: &SampledRun) -> Result<(), SamplerError> {
        if !has_density(pair) {
            return Ok(());
        }
        let MovedRun { numbers, log_factor, next } = self.apply_move(pair)?;
        let Some(next) = next.filter(has_density) else { return Ok(()) };
        let back = self.apply_move(&next)?;
        let (Some(own), Some(other)) = (self.shape_at(pair), self.shape_at(&next)) else { return Ok(()) };
        let [start, image] = self.format_pair(&own, &numbers);
        if !self.is_start(pair, &numbers, &next, &back) {
            let [_, back] = self.format_pair(&other, &back.numbers);
            return Err(SamplerError::NotInvolution { start, image, back });
        }
        if !are_inverse(log_factor, back.log_factor) {
            let factors = [log_factor, back.log_factor].map(|log| eval_nearest(Function::Exp, log));
            return Err(SamplerError::MoveFactor { point: start, factors });
        }
        Ok(())
    }
}

/// Returns `true` if the density of a run is positive.
fn has_density(run: &SampledRun) -> bool {
    run.log_density() > f64::NEG_INFINITY
}

/// Returns `true` if two lists of numbers are equal up to rounding, which is relative to the largest number of `sizes`.
fn are_near(a: &[f64], b: &[f64], sizes: &[Vec<f64>; 2]) -> bool {
    let size = sizes.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()));
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs() <= RELATIVE_ERROR * size)
}

/// Returns `true` if two factors, given by their logarithms, are positive, finite and inverse to each other up to rounding.
fn are_inverse(log_factor: f64, log_back: f64) -> bool {
    // false for NaN and for infinities
    (log_factor + log_back).abs() <= RELATIVE_ERROR * (1.0 + log_factor.abs())
}

/// Returns the logarithm of the absolute value of the determinant of a square matrix, by elimination with pivots.
fn log_absolute_determinant(mut rows: Vec<Vec<f64>>) -> f64 {
    let mut sum = 0.0;
    for column in 0..rows.len() {
        // The largest pivot keeps the factors below 1, so that rounding does not grow.
        let pivot = (column..rows.len()).max_by(|i, j| rows[*i][column].abs().total_cmp(&rows[*j][column].abs()));
        rows.swap(column, pivot.unwrap_or(column));
        let (top, below) = rows[column..].split_at_mut(1);
        let top = &top[0];
        sum += log(top[column].abs());
        // most rows of a move of a few draws are those of the identity
        for row in below.iter_mut().filter(|row| row[column] != 0.0) {
            let factor = row[column] / top[column];
            row.iter_mut().zip(top).skip(column).for_each(|(x, y)| *x -= factor * y);
        }
    }
    sum
}

/// Samples a chain by a user's move. Auxiliary numbers are drawn anew before each proposal.
pub(super) fn sample_by_move(
    chain: &mut SamplerContext<'_, '_>,
    moves: &mut MoveTree<'_>,
) -> Result<WeightedSamples, SamplerError> {
    moves.try_move(chain.random, chain.budget)?;
    chain.run_chain(|chain, state, _| {
        let Some(pair) = moves.tree.extend_run(state, chain.random)? else { return Ok(false) };
        // Auxiliary numbers are drawn by their densities alone. With scores of theirs the chain would have another distribution.
        if (pair.weight - state.weight).abs() > RELATIVE_ERROR * (1.0 + state.weight.abs()) {
            return Err(SamplerError::WeighedAuxiliary);
        }
        let Some((next, log_factor)) = moves.propose(&pair)? else { return Ok(false) };
        // The auxiliary numbers of the image are forgotten: the next step draws them anew.
        let Some(proposed) = chain.tree.shorten_run(&next)? else { return Ok(false) };
        let is_accepted = chain.accept_proposal(next.log_density() - pair.log_density(), log_factor);
        if is_accepted {
            *state = proposed;
        }
        Ok(is_accepted)
    })
}
