//! A small network is trained in plain `f64`, and what it was trained with is certified afterwards.
//!
//! `cargo run --release --example training`, or with a number for another seed.

use smoothish::number::{Interval, Rational};
use smoothish::random::SplitMix64;
use smoothish::smooth::map::{Map, MapError, Space, coordinates};
use smoothish::smooth::tape::{Tape, TapeError};
use std::io::{IsTerminal, Write};
use typenum::{U1, U36};

/// Neurons between two inputs and one output.
const HIDDEN: usize = 8;
/// A weight for each input, a bias and a weight of the output, for each neuron, and the bias of the output.
const PARAMETERS: usize = 4 * HIDDEN + 1;
/// Two coordinates and a class, 1 or -1.
const COLUMNS: usize = 3;
const BATCH: usize = 20;
const EPOCHS: usize = 300;

/// The loss log (1 + exp (-class · output)) of one point: H's network (1) with tanh for the activation.
fn loss<N: smoothish::smooth::dimension::MapEnd>(parameters: &[Map<N, U1>], point: &[Map<N, U1>]) -> Map<N, U1> {
    let [x, y, class] = point else { unreachable!("a point has {COLUMNS} numbers") };
    let neurons = parameters[..4 * HIDDEN].chunks(4);
    let outputs =
        neurons.map(|w| w[3].clone() * (w[0].clone() * x.clone() + w[1].clone() * y.clone() + w[2].clone()).tanh());
    let output = outputs.fold(parameters[4 * HIDDEN].clone(), |sum, neuron| sum + neuron);
    (-(class.clone() * output)).exp().log1p()
}

/// Two half moons, one inside the other, with noise.
fn moons(random: &mut SplitMix64, count: usize) -> Vec<f64> {
    let mut unit = || random.next_below(1 << 20) as f64 / f64::from(1 << 20);
    let mut rows = Vec::with_capacity(COLUMNS * count);
    for i in 0..count {
        let (angle, noise) = (unit() * std::f64::consts::PI, [unit() - 0.5, unit() - 0.5].map(|n| 0.3 * n));
        let class = if i % 2 == 0 { 1.0 } else { -1.0 };
        let [x, y] = if i % 2 == 0 { [angle.cos(), angle.sin()] } else { [1.0 - angle.cos(), 0.5 - angle.sin()] };
        rows.extend([x + noise[0], y + noise[1], class]);
    }
    rows
}

/// What training has come to.
pub struct Trained {
    /// The weights.
    pub parameters: Vec<f64>,
    /// The mean loss after each epoch.
    pub losses: Vec<f64>,
    /// How many of the points that were held out are classified rightly, of 1.
    pub right: f64,
    /// The gradient of the whole loss, as the tape computes it.
    pub gradient: Vec<f64>,
    /// Enclosures of the true one.
    pub certified: Vec<Interval<f64>>,
}

/// Errors of making the maps: neither has a solver, and all sizes fit.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// There is no tape.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// A number is not finite.
    #[error(transparent)]
    Map(#[from] MapError),
}

/// Adam (Kingma and Ba 2015) on minibatches.
pub fn train(seed: u64, epochs: usize, mut told: impl FnMut(usize, f64)) -> Result<Trained, TrainingError> {
    let mut random = SplitMix64::new(seed);
    let (mut data, held_out) = (moons(&mut random, 200), moons(&mut random, 200));
    let inputs = coordinates::<U36, 36>();
    let mut tape = loss(&inputs[..PARAMETERS], &inputs[PARAMETERS..]).tape()?;
    let mut w: Vec<_> = (0..PARAMETERS).map(|_| random.next_below(2001) as f64 / 1000.0 - 1.0).collect();
    let (mut mean, mut square) = (vec![0.0; PARAMETERS], vec![0.0; PARAMETERS]);
    let mut gradient = vec![0.0; PARAMETERS];
    let (mut losses, mut steps) = (Vec::new(), 0);
    for epoch in 0..epochs {
        shuffle(&mut random, &mut data);
        let mut sum = 0.0;
        for batch in data.chunks(BATCH * COLUMNS) {
            sum += tape.batch_gradient(&w, batch, &mut gradient);
            steps += 1;
            for i in 0..PARAMETERS {
                let slope = gradient[i] * COLUMNS as f64 / batch.len() as f64;
                mean[i] += 0.1 * (slope - mean[i]);
                square[i] += 0.001 * (slope * slope - square[i]);
                let (m, v) = (mean[i] / (1.0 - 0.9f64.powi(steps)), square[i] / (1.0 - 0.999f64.powi(steps)));
                w[i] -= 0.02 * m / (v.sqrt() + 1e-8);
            }
        }
        losses.push(sum * COLUMNS as f64 / data.len() as f64);
        told(epoch, losses[epoch]);
    }
    let is_right = |tape: &mut Tape, row: &[f64]| {
        let mut value = [0.0];
        tape.value(&[&w, row].concat(), &mut value);
        // beyond log 2 the output has the wrong sign
        value[0] < std::f64::consts::LN_2
    };
    let right = held_out.chunks(COLUMNS).filter(|row| is_right(&mut tape, row)).count();
    tape.batch_gradient(&w, &data, &mut gradient);
    Ok(Trained {
        certified: whole_loss(&data).gradient_enclosures(&w)?,
        right: right as f64 * COLUMNS as f64 / held_out.len() as f64,
        parameters: w,
        losses,
        gradient,
    })
}

/// The loss of all rows together, as a map of the parameters alone: the numbers of the rows are meant exactly.
fn whole_loss(rows: &[f64]) -> Map<typenum::U33, U1> {
    let space = Space::new();
    let parameters = space.coordinates();
    let constant = |x: &f64| space.constant(Rational::from_f64(*x).unwrap_or_default());
    let losses = rows.chunks(COLUMNS).map(|row| loss(&parameters, &row.iter().map(constant).collect::<Vec<_>>()));
    losses.reduce(|sum, loss| sum + loss).unwrap_or_else(|| space.constant(0))
}

/// Rows in another order (Fisher and Yates).
fn shuffle(random: &mut SplitMix64, rows: &mut [f64]) {
    for i in (1..rows.len() / COLUMNS).rev() {
        let j = random.next_below(i + 1);
        (0..COLUMNS).for_each(|k| rows.swap(i * COLUMNS + k, j * COLUMNS + k));
    }
}

/// A curve in one line of eight heights.
fn sparkline(values: &[f64], width: usize) -> String {
    let top = values.iter().copied().fold(f64::MIN_POSITIVE, f64::max);
    let columns = values.chunks(values.len().div_ceil(width.max(1)).max(1));
    let height = |column: &[f64]| column.iter().sum::<f64>() / column.len() as f64 / top * 7.99;
    columns.map(|column| char::from_u32(0x2581 + height(column).min(7.0) as u32).unwrap_or('?')).collect()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let mut terminal = std::io::stderr();
    let is_watched = terminal.is_terminal();
    let trained = train(seed, EPOCHS, |epoch, loss| {
        let done = 30 * (epoch + 1) / EPOCHS;
        if is_watched {
            let bar = format!("{}{}", "#".repeat(done), " ".repeat(30 - done));
            // a terminal that cannot be written to shows nothing
            let _ = write!(terminal, "\r[{bar}] epoch {:3}, loss {loss:.4}", epoch + 1);
        }
    })?;
    if is_watched {
        eprintln!();
    }
    println!("loss      {}", sparkline(&trained.losses, 60));
    println!("held out  {:.1} % right", 100.0 * trained.right);
    let both = || trained.gradient.iter().zip(&trained.certified);
    let inside = both().filter(|(g, e)| e.lo() <= *g && *g <= e.hi()).count();
    let widest = trained.certified.iter().map(|e| e.hi() - e.lo()).fold(0.0, f64::max);
    println!("gradient  {inside} of {PARAMETERS} components of f64 in their enclosures, the widest {widest:.1e}");
    for (i, (g, e)) in both().enumerate().take(4) {
        println!("  ∂/∂w{i}   {g:+.17e}  in  [{:+.17e}, {:+.17e}]", e.lo(), e.hi());
    }
    Ok(())
}
