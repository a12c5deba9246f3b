//! The propositions of S §4 on random towers, each with wrong versions.
//!
//! | in S | here |
//! |---|---|
//! | Prop. 4.2, 4.3 | [`outer_linear_map`], [`inner_linear_map`] |
//! | Prop. 4.4, 4.7, 4.8 | [`chain_rule`], [`pairing_rule`], [`product_rule`], against the slopes on both sides of a point |
//! | Prop. 4.5, Lemma 4.6 | [`cartesian_category`], [`linear_maps_are_consistent`] |
//! | Prop. 4.9, 4.10 | [`terms_are_consistent`], [`differences_are_derivatives`] |

use super::JudgedSample;
use crate::law::graphs::{GraphGenerator, random_direction, random_odd_dyadic, random_point};
use crate::number::{Context, Enclosure, Function, Mpfr, Rational};
use crate::random::SplitMix64;
use crate::smooth::dimension::RealObject;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use crate::smooth::map::{Map, coordinate_variables};
use crate::smooth::tower::consistency::{CheckOutcome, Consistency};
use crate::smooth::tower::graph::SetPartitions;
use crate::smooth::tower::{EnclosureVector, LinearMap, Tower, TowerError, primitive};
use crate::verdict::Verdict;

/// A tower over interval arithmetic.
pub type TowerMap = Tower<Mpfr>;
type Number = <Mpfr as Context>::Num;
/// A choice of terms of the sum over partitions.
pub type PartitionFilter = fn(&[Vec<usize>]) -> bool;
/// The result of an operation on towers.
pub type TowerResult = Result<TowerMap, TowerError>;

/// The precision of these laws, in bits. A choice: twice what the comparisons need.
const BITS: u32 = 160;
/// The order up to which two towers are compared. A choice.
const ORDERS: usize = 3;

/// Returns the arithmetic of these laws.
fn arithmetic() -> Mpfr {
    Mpfr::new(BITS)
}

/// A random map with its formula in the coordinates x0, x1, ….
#[derive(Clone, Debug)]
pub struct DrawnTower {
    /// The tower.
    pub tower: TowerMap,
    /// The formula.
    pub text: String,
}

/// Draws a map ℝⁿ ⇝ ℝ of a few primitives, smooth everywhere.
fn draw_smooth_function(random: &mut SplitMix64, inputs: usize) -> Result<DrawnTower, TowerError> {
    let any = |random: &mut SplitMix64| {
        let index = random.next_below(inputs);
        let tower = Tower::linear(&LinearMap::select(inputs, [index]));
        DrawnTower { tower, text: format!("x{index}") }
    };
    let mut f = any(random);
    for _ in 0..1 + random.next_below(3) {
        let g = any(random);
        let both = || f.tower.pair(&g.tower);
        let of = |function: Function| f.tower.then(&primitive::elementary_tower(function));
        let (tower, text) = match random.next_below(7) {
            0 => (both()?.then(&primitive::product())?, format!("({}) * {}", f.text, g.text)),
            1 => (both()?.then(&primitive::sum())?, format!("({} + {})", f.text, g.text)),
            2 => (both()?.then(&primitive::difference())?, format!("({} - {})", f.text, g.text)),
            3 => (of(Function::Sin)?, format!("sin ({})", f.text)),
            4 => (of(Function::Atan)?, format!("atan ({})", f.text)),
            5 => (f.tower.then(&primitive::power(2, 1))?, format!("({})^2", f.text)),
            _ => (of(Function::Cos)?, format!("cos ({})", f.text)),
        };
        f = DrawnTower { tower, text };
    }
    Ok(f)
}

/// Draws a map ℝⁿ ⇝ ℝ with a kink: a maximum, a minimum, a ramp or an absolute value.
fn draw_kinked_function(random: &mut SplitMix64, inputs: usize) -> Result<DrawnTower, TowerError> {
    let (f, g) = (draw_smooth_function(random, inputs)?, draw_smooth_function(random, inputs)?);
    let both = || f.tower.pair(&g.tower);
    let (tower, text) = match random.next_below(4) {
        0 => (both()?.then(&primitive::maximum())?, format!("max ({}) ({})", f.text, g.text)),
        1 => (both()?.then(&primitive::minimum())?, format!("min ({}) ({})", f.text, g.text)),
        2 => (f.tower.then(&primitive::relu())?, format!("relu ({})", f.text)),
        _ => (f.tower.then(&primitive::absolute())?, format!("abs ({})", f.text)),
    };
    Ok(DrawnTower { tower, text })
}

/// Draws a map ℝⁿ ⇝ ℝᵐ, with kinks if asked for.
///
/// # Errors
/// None that a map of primitives could have: those of composing towers of wrong dimensions.
pub fn draw_tower(
    random: &mut SplitMix64,
    inputs: usize,
    outputs: usize,
    has_kinks: bool,
) -> Result<DrawnTower, TowerError> {
    let (mut tower, mut texts) = (Tower::terminal(inputs), Vec::new());
    for _ in 0..outputs {
        let draw = if has_kinks { draw_kinked_function } else { draw_smooth_function };
        let part = draw(random, inputs)?;
        tower = tower.pair(&part.tower)?;
        texts.push(part.text);
    }
    Ok(DrawnTower { tower, text: if outputs == 1 { texts.concat() } else { format!("({})", texts.join(", ")) } })
}

/// Draws a map that has kinks half of the time.
fn draw_any(random: &mut SplitMix64, inputs: usize, outputs: usize) -> Result<DrawnTower, TowerError> {
    let has_kinks = random.next_below(2) == 0;
    draw_tower(random, inputs, outputs, has_kinks)
}

/// Composes towers by the sum over partitions (S §4.4), without the terms of the partitions that `lacks` accepts.
/// Independent of [`Tower::then`].
pub fn compose_lacking(f: &TowerMap, g: &TowerMap, lacks: PartitionFilter) -> TowerMap {
    let (f, g) = (f.clone(), g.clone());
    let (inputs, outputs) = (f.inputs(), g.outputs());
    let derivative = move |c: &Mpfr, x: &[Number], vs: &[&[Number]]| -> Result<EnclosureVector<Mpfr>, TowerError> {
        let mut sum: EnclosureVector<Mpfr> = (0..outputs).map(|_| c.enclose_integer(0)).collect();
        for partition in SetPartitions::new(vs.len()).filter(|p| !lacks(p)) {
            let block = |b: &Vec<usize>| f.derivative(x, &b.iter().map(|i| vs[*i].to_vec()).collect::<Vec<_>>(), c);
            let directions = partition.iter().map(block).collect::<Result<Vec<_>, _>>()?;
            let term = g.derivative(&f.value_at(x, c)?, &directions, c)?;
            sum = sum.iter().zip(&term).map(|(sum, part)| c.add(sum, part)).collect();
        }
        Ok(sum)
    };
    Tower::new(inputs, outputs, derivative)
}

/// Accepts the partitions of the term `g″(f′, f′)`: two blocks of one direction.
fn is_outer_second(partition: &[Vec<usize>]) -> bool {
    partition.len() == 2 && partition.iter().all(|block| block.len() == 1)
}

/// Accepts the partitions of the term `g′(f″)`: one block of two directions.
fn is_inner_second(partition: &[Vec<usize>]) -> bool {
    partition.len() == 1 && partition[0].len() == 2
}

/// Composes by the library, or by a wrong formula that lacks a term.
fn compose(f: &TowerMap, g: &TowerMap, lacks: Option<PartitionFilter>) -> TowerResult {
    match lacks {
        None => f.then(g),
        Some(lacks) => Ok(compose_lacking(f, g, lacks)),
    }
}

/// Encloses rational numbers.
fn enclose_all(numbers: &[Rational]) -> Vec<Number> {
    numbers.iter().map(|q| arithmetic().enclose_rational(q)).collect()
}

/// Returns `true` for an enclosure that is defined and no wider than rounding makes it.
fn is_narrow(x: &Number) -> bool {
    let c = arithmetic();
    let size = c.magnitude(x).max(c.magnitude(&c.enclose_integer(1)));
    c.is_defined(x) && c.is_bounded(x) && c.width(x) <= size.mul_exp2(-i64::from(BITS / 2))
}

/// Compares two towers at random points, half of them where kinks lie, along random directions. Vacuous if no
/// derivative is known on both sides.
fn compare_towers(
    left: &TowerMap,
    right: &TowerMap,
    random: &mut SplitMix64,
    at: &dyn Fn() -> String,
) -> Result<JudgedSample, TowerError> {
    let c = arithmetic();
    let mut judged = JudgedSample::vacuous();
    for k in 0..=ORDERS {
        let point = random_point(random, left.inputs());
        let directions: Vec<_> = (0..k).map(|_| random_direction(random, left.inputs())).collect();
        let (x, v) = (enclose_all(&point), directions.iter().map(|v| enclose_all(v)).collect::<Vec<_>>());
        for (l, r) in left.derivative(&x, &v, &c)?.iter().zip(&right.derivative(&x, &v, &c)?) {
            let (shown_l, shown_r) = (c.to_enclosure(l), c.to_enclosure(r));
            if !shown_l.overlaps(&shown_r) {
                let witness = format!("order {k} at {point:?} along {directions:?} of {}", at());
                return Ok(Verdict::refuted(witness, shown_l, shown_r).into());
            }
            if k > 0 && is_narrow(l) && is_narrow(r) {
                judged.verdict = Verdict::Survived;
                if !shown_l.contains(&Rational::new()) {
                    judged.contains("a derivative that is not 0");
                }
            } else if k > 0 {
                judged.contains("a set or ⊥");
            }
        }
    }
    Ok(judged)
}

/// Draws an m × n matrix of small integers.
fn draw_matrix(random: &mut SplitMix64, n: usize, m: usize) -> Result<LinearMap, TowerError> {
    let mut entry = || Rational::from(random.next_below(7) as i64 - 3);
    let rows: Vec<Vec<Rational>> = (0..m).map(|_| (0..n).map(|_| entry()).collect()).collect();
    LinearMap::from_rows(n, &rows)
}

/// Turns an error of towers into a refutation: the laws are about maps of right dimensions.
fn or_refuted(judged: Result<JudgedSample, TowerError>) -> JudgedSample {
    judged.unwrap_or_else(|error| Verdict::refuted("a random map", "a derivative", error).into())
}

/// Tests **Prop. 4.2**: `linear(g) ∘ f` has the derivatives `g(f⁽ᵏ⁾)`. Wrong: a composition without the term `g′(f″)`.
pub fn outer_linear_map(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let (f, matrix) = (draw_any(random, 2, 3)?, draw_matrix(random, 3, 2)?);
        let left = compose(&f.tower, &Tower::linear(&matrix), wrong.map(|_| is_inner_second as PartitionFilter))?;
        compare_towers(&left, &f.tower.then_linear(&matrix)?, random, &|| format!("linear after {}", f.text))
    };
    or_refuted(judge(random))
}

/// Tests **Prop. 4.3**: `g ∘ linear(f)` has the derivatives `g⁽ᵏ⁾(f v₁, …)`. Wrong: a composition without the term
/// `g″(f′, f′)`.
pub fn inner_linear_map(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let (matrix, g) = (draw_matrix(random, 2, 3)?, draw_any(random, 3, 1)?);
        let left = compose(&Tower::linear(&matrix), &g.tower, wrong.map(|_| is_outer_second as PartitionFilter))?;
        compare_towers(&left, &g.tower.after_linear(&matrix)?, random, &|| format!("{} after linear", g.text))
    };
    or_refuted(judge(random))
}

/// Tests **Prop. 4.5**: composition is associative where both sides are known (E43), identities are neutral, and pairs
/// have their projections. Wrong: a composition without `g′(f″)`, one without `g″(f′, f′)`, and pairs in reverse.
pub fn cartesian_category(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let lacks = match wrong {
        Some(0) => Some(is_inner_second as PartitionFilter),
        Some(1) => Some(is_outer_second as PartitionFilter),
        _ => None,
    };
    let then = |f: &TowerMap, g: &TowerMap| compose(f, g, lacks);
    let pair = |f: &TowerMap, g: &TowerMap| if wrong == Some(2) { g.pair(f) } else { f.pair(g) };
    let judge = |random: &mut SplitMix64| {
        let (b, c) = (1 + random.next_below(2), 1 + random.next_below(2));
        let (f, g, h) = (draw_any(random, 2, b)?, draw_any(random, b, c)?, draw_any(random, c, 1)?);
        let at = || format!("{}; {}; {}", f.text, g.text, h.text);
        let associated = (then(&then(&f.tower, &g.tower)?, &h.tower)?, then(&f.tower, &then(&g.tower, &h.tower)?)?);
        let neutral = [
            (then(&Tower::identity(2), &f.tower)?, f.tower.clone()),
            (then(&f.tower, &Tower::identity(b))?, f.tower.clone()),
        ];
        let (p, q) = (draw_any(random, 2, 1)?, draw_any(random, 2, 1)?);
        let both = pair(&p.tower, &q.tower)?;
        let projected = [
            (then(&both, &Tower::first(1, 1))?, p.tower.clone()),
            (then(&both, &Tower::second(1, 1))?, q.tower.clone()),
        ];
        let mut all = JudgedSample::vacuous();
        for (left, right) in [associated].into_iter().chain(neutral) {
            all = all.and(compare_towers(&left, &right, random, &at)?);
        }
        for (left, right) in projected {
            all = all.and(compare_towers(&left, &right, random, &|| format!("({}, {})", p.text, q.text))?);
        }
        Ok(all)
    };
    or_refuted(judge(random))
}

/// Turns the outcome of the refuter of consistency into a verdict. A mere doubt counts as survival: no computation sees
/// a limit.
fn judge_consistency(tower: &TowerMap, how: &Consistency, at: &dyn Fn() -> String) -> Verdict {
    match how.refute(tower, &arithmetic()) {
        Ok(CheckOutcome::Refuted(why)) => {
            Verdict::refuted(format!("{:?}, {}, of {}", why.reason, why.sample, at()), &why.left, &why.right)
        }
        Ok(CheckOutcome::Survived { asked: 0 }) | Err(_) => Verdict::Vacuous,
        Ok(CheckOutcome::Survived { .. } | CheckOutcome::Doubtful(_)) => Verdict::Survived,
    }
}

/// Tests **Lemma 4.6**: `linear(f)` is consistent for a linear f. Wrong: the derivative of another matrix.
pub fn linear_maps_are_consistent(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let (matrix, other) = (draw_matrix(random, 2, 2)?, draw_matrix(random, 2, 2)?);
        let tower = match wrong {
            None => Tower::linear(&matrix),
            Some(_) => {
                let (value, slope) = (Tower::linear(&matrix), Tower::linear(&other));
                Tower::new(2, 2, move |c: &Mpfr, x: &[Number], vs: &[&[Number]]| match vs {
                    [] => value.value_at(x, c),
                    [v] => slope.value_at(v, c),
                    _ => Ok(vec![c.enclose_integer(0), c.enclose_integer(0)]),
                })
            }
        };
        let how = Consistency { orders: 2, samples: 12, seed: random.next() };
        let mut judged = JudgedSample::from(judge_consistency(&tower, &how, &|| format!("{matrix:?}")));
        if matrix != LinearMap::zero(2, 2) {
            judged.contains("a matrix that is not 0");
        }
        Ok(judged)
    };
    or_refuted(judge(random))
}

/// A piecewise linear function `Σ aᵢ·max(x − kᵢ, 0) + b·x` with kinks at small integers, which is evaluated exactly.
#[derive(Clone, Debug)]
pub struct PiecewiseLinear {
    slope: i64,
    bends: Vec<(i64, i64)>,
}

impl PiecewiseLinear {
    /// Draws a function with one to three kinks.
    pub fn draw_function(random: &mut SplitMix64) -> Self {
        let small = |random: &mut SplitMix64| random.next_below(7) as i64 - 3;
        let bends = (0..1 + random.next_below(3)).map(|_| (small(random), random.next_below(3) as i64 - 1)).collect();
        Self { slope: small(random), bends }
    }

    /// Draws a half integer, where the function may bend.
    pub fn draw_point(random: &mut SplitMix64) -> Rational {
        Rational::from((random.next_below(9) as i64 - 4, 2))
    }

    /// Returns the exact value at `x`.
    #[must_use]
    pub fn value_at(&self, x: &Rational) -> Rational {
        let bend = |(a, k): &(i64, i64)| Rational::from(x - *k).max(Rational::new()) * *a;
        self.bends.iter().map(bend).fold(Rational::from(x * self.slope), |sum, bend| sum + bend)
    }

    /// Returns the tower of the function, from its formula.
    ///
    /// # Errors
    /// Those of [`Tower::of_graph`].
    pub fn tower(&self) -> TowerResult {
        let variable = Variable::fresh();
        let x = Graph::variable(variable);
        let binary = |f: Binary, a: &Graph, b: &Graph| Graph::binary(f, a, b);
        let bend = |(a, k): &(i64, i64)| {
            let moved = binary(Binary::Subtract, &x, &Graph::integer(*k));
            let ramp = binary(Binary::Maximum, &moved, &Graph::integer(0));
            binary(Binary::Multiply, &Graph::integer(*a), &ramp)
        };
        let start = binary(Binary::Multiply, &Graph::integer(self.slope), &x);
        let sum = self.bends.iter().map(bend).fold(start, |sum, bend| binary(Binary::Add, &sum, &bend));
        Tower::of_graph(&sum, &[variable])
    }
}

/// Returns the slopes of a function that is exact and piecewise linear on both sides of a point. No kink may lie within
/// 2⁻³⁰.
pub fn one_sided_slopes(f: impl Fn(&Rational) -> Rational, x: &Rational) -> [Rational; 2] {
    [1, -1].map(|side| {
        let h = Rational::from((side, 1 << 30));
        (f(&Rational::from(x + &h)) - f(x)) / h
    })
}

/// Returns the first component of the derivative of a map of one variable along 1.
fn slope_at(f: &TowerMap, x: &Rational) -> Result<Number, TowerError> {
    let c = arithmetic();
    let mut found = f.derivative(&enclose_all(std::slice::from_ref(x)), &[vec![c.enclose_integer(1)]], &c)?;
    Ok(found.swap_remove(0))
}

/// Judges the derivative `found` at a point: it must contain the slopes on both sides.
fn judge_slopes(found: &Number, slopes: &[Rational; 2], wrong: Option<usize>, at: &dyn Fn() -> String) -> JudgedSample {
    let mut judged = JudgedSample::from(Verdict::Survived);
    let shown = arithmetic().to_enclosure(found);
    // the wrong version of the rules for Clarke derivatives: one end of the set
    let shown = if wrong.is_some() { Enclosure::point(shown.lo().clone()).unwrap_or(shown) } else { shown };
    if let Some(missed) = slopes.iter().find(|slope| !shown.contains(slope)) {
        return Verdict::refuted(at(), shown, missed).into();
    }
    if slopes[0] != slopes[1] {
        judged.contains("a kink");
    }
    if !is_narrow(found) {
        judged.contains("a set");
    }
    judged
}

/// Tests **Prop. 4.4**: the derivative of a composite, as the product of sets, contains the slopes of the composite.
/// Wrong: one end of the set.
pub fn chain_rule(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let (f, g) = (PiecewiseLinear::draw_function(random), PiecewiseLinear::draw_function(random));
        let x = PiecewiseLinear::draw_point(random);
        let found = slope_at(&f.tower()?.then(&g.tower()?)?, &x)?;
        let slopes = one_sided_slopes(|x| g.value_at(&f.value_at(x)), &x);
        Ok(judge_slopes(&found, &slopes, wrong, &|| format!("{x} of {g:?} after {f:?}")))
    };
    or_refuted(judge(random))
}

/// Tests **Prop. 4.7**: the derivative of a pair, as a set, contains the pair of the slopes. Wrong: one end of each set.
pub fn pairing_rule(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let (f, g) = (PiecewiseLinear::draw_function(random), PiecewiseLinear::draw_function(random));
        let x = PiecewiseLinear::draw_point(random);
        let pair = f.tower()?.pair(&g.tower()?)?;
        let mut all = JudgedSample::vacuous();
        for (h, projection) in [(&f, Tower::first(1, 1)), (&g, Tower::second(1, 1))] {
            let found = slope_at(&pair.then(&projection)?, &x)?;
            let slopes = one_sided_slopes(|x| h.value_at(x), &x);
            all = all.and(judge_slopes(&found, &slopes, wrong, &|| format!("{x} of ({f:?}, {g:?})")));
        }
        Ok(all)
    };
    or_refuted(judge(random))
}

/// Tests **Prop. 4.8** for two factors of one variable: `f′·g + f·g′` contains the slopes of the product. Wrong: the
/// term `f·g′` is left out.
pub fn product_rule(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let (f, g) = (PiecewiseLinear::draw_function(random), PiecewiseLinear::draw_function(random));
        let x = PiecewiseLinear::draw_point(random);
        let found = match wrong {
            None => slope_at(&f.tower()?.pair(&g.tower()?)?.then(&primitive::product())?, &x)?,
            Some(_) => {
                let c = arithmetic();
                c.mul(&slope_at(&f.tower()?, &x)?, &c.enclose_rational(&g.value_at(&x)))
            }
        };
        // on either side both factors are linear: the slope of the product is f′g + fg′ by the slopes of that side
        let (of_f, of_g) = (one_sided_slopes(|x| f.value_at(x), &x), one_sided_slopes(|x| g.value_at(x), &x));
        let [right, left] = [0, 1].map(|side: usize| &of_f[side] * g.value_at(&x) + &of_g[side] * f.value_at(&x));
        Ok(judge_slopes(&found, &[right, left], None, &|| format!("{x} of {f:?} times {g:?}")))
    };
    or_refuted(judge(random))
}

/// Returns the sine of a graph with the sine for its derivative: an inconsistent tower.
#[must_use]
pub fn inconsistent_sine(x: &Graph) -> Graph {
    let sine = Map::<RealObject, RealObject>::id().sin();
    let [at, along] = [Map::<(RealObject, RealObject), RealObject>::first(), Map::second()];
    let wrong = Map::fold_der(&sine, &(at.sin() * along));
    wrong.components()[0].substitute(&[(coordinate_variables(1)[0], x.clone())])
}

/// Draws a term of the first-order language as a graph, with kinks two thirds of the time and derivatives half of it.
fn draw_first_order_term(random: &mut SplitMix64, judged: &mut JudgedSample) -> (Graph, Vec<Variable>) {
    let inputs: Vec<Variable> = (0..1 + random.next_below(2)).map(|_| Variable::fresh()).collect();
    let graphs = GraphGenerator { derivative_depth: random.next_below(2), has_kinks: random.next_below(3) != 0 };
    let operations = 2 + random.next_below(4);
    let mut graph = graphs.draw_graph(random, &inputs, operations);
    if graphs.has_kinks && random.next_below(2) == 0 {
        // few drawn graphs have a maximum in them
        graph = Graph::binary(Binary::Maximum, &graph, &Graph::variable(inputs[0]));
    }
    let nodes = crate::law::graphs::graph_nodes(&graph);
    let has = |is: &dyn Fn(&NodeOperation) -> bool| nodes.iter().any(|node| is(node.operation()));
    if has(&|operation| matches!(operation, NodeOperation::Derivative(_))) {
        judged.contains("a derivative inside");
    }
    if has(&|operation| matches!(operation, NodeOperation::Binary(Binary::Maximum | Binary::Minimum, ..))) {
        judged.contains("a kink");
    }
    if inputs.iter().any(|input| graph.depends_on(*input)) {
        judged.contains("an input that is used");
    }
    (graph, inputs)
}

/// Tests **Prop. 4.9**: the tower of a first-order term is successively consistent, by the clauses of S Fig. 4 and by
/// jets. Wrong: the term goes through a sine whose derivative is the sine.
pub fn terms_are_consistent(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let mut judged = JudgedSample::vacuous();
        let (graph, inputs) = draw_first_order_term(random, &mut judged);
        let graph = if wrong.is_some() { inconsistent_sine(&graph) } else { graph };
        let how = Consistency { orders: 2, samples: 12, seed: random.next() };
        let at = || format!("{graph:?}");
        let literal = judge_consistency(&Tower::of_graph(&graph, &inputs)?, &how, &at);
        let by_jets = judge_consistency(&Tower::by_jets(std::slice::from_ref(&graph), &inputs)?, &how, &at);
        judged.verdict = literal.and(by_jets);
        Ok(judged)
    };
    or_refuted(judge(random))
}

/// Tests **Prop. 4.10**: the k-th derivative is that of the value. The k-th difference of the values lies in the k-th
/// derivative over the segment between its points, for k = 1, 2, 3. Wrong: a sine whose derivative is the sine.
pub fn differences_are_derivatives(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let c = arithmetic();
        let mut judged = JudgedSample::vacuous();
        let (graph, inputs) = draw_first_order_term(random, &mut judged);
        let graph = if wrong.is_some() { inconsistent_sine(&graph) } else { graph };
        let tower: TowerMap = Tower::of_graph(&graph, &inputs)?;
        for k in 1..=ORDERS {
            // a choice: small enough that the derivative over the segment says something
            let scale = Rational::from(1) >> (4 + random.next_below(4)) as u32;
            let start: Vec<Rational> = inputs.iter().map(|_| random_odd_dyadic(random)).collect();
            let step: Vec<Rational> =
                random_direction(random, inputs.len()).iter().map(|v| Rational::from(v * &scale)).collect();
            let at = |j: usize| -> Vec<Number> {
                let moved = |(x, h): (&Rational, &Rational)| x + Rational::from(h * j as u64);
                enclose_all(&start.iter().zip(&step).map(moved).collect::<Vec<_>>())
            };
            let (mut difference, mut binomial) = (c.enclose_integer(0), 1_i64);
            for j in 0..=k {
                // Δᵏ = Σ (−1)^(k−j) C(k, j) f(x + j·h)
                let signed = if (k - j) % 2 == 0 { binomial } else { -binomial };
                difference = c.add(&difference, &c.mul_integer(&tower.value_at(&at(j), &c)?[0], signed));
                binomial = binomial * (k - j) as i64 / (j + 1) as i64;
            }
            let segment: Vec<Number> = at(0).iter().zip(&at(k)).map(|(a, b)| c.hull(a, b)).collect();
            let derivative = tower.derivative(&segment, &vec![enclose_all(&step); k], &c)?;
            let (left, right) = (c.to_enclosure(&difference), c.to_enclosure(&derivative[0]));
            if !left.overlaps(&right) {
                return Ok(
                    Verdict::refuted(format!("order {k} from {start:?} by {step:?} of {graph:?}"), left, right).into()
                );
            }
            if c.is_defined(&difference) && c.is_bounded(&derivative[0]) {
                judged.verdict = Verdict::Survived;
                if !right.contains(&Rational::new()) {
                    judged.contains("a derivative that is not 0");
                }
            }
        }
        Ok(judged)
    };
    or_refuted(judge(random))
}

/// Tests that truncated jets are the derivatives of the literal tower (X4), on `sin` of a random term. Wrong: the tower
/// is composed without the term `g″(f′, f′)`.
pub fn jets_are_towers(mut random: SplitMix64, wrong: Option<usize>) -> JudgedSample {
    let random = &mut random;
    let judge = |random: &mut SplitMix64| {
        let mut drawn = JudgedSample::vacuous();
        let (graph, inputs) = draw_first_order_term(random, &mut drawn);
        let sine = primitive::elementary_tower(Function::Sin);
        let lacks = wrong.map(|_| is_outer_second as PartitionFilter);
        let literal = compose(&Tower::of_graph(&graph, &inputs)?, &sine, lacks)?;
        let by_jets = Tower::by_jets(&[Graph::function(Function::Sin, &graph)], &inputs)?;
        let judged = compare_towers(&literal, &by_jets, random, &|| format!("sin of {graph:?}"))?;
        drawn.verdict = Verdict::Vacuous;
        Ok(drawn.and(judged))
    };
    or_refuted(judge(random))
}
