//! The question `Pieces`: the pieces of a function of one variable, and the part of its domain that was not explored.

use super::{Question, Scope};
use crate::meaning;
use crate::meaning::pap::NAME;
use crate::meaning::pap::hooks;
use crate::meaning::pap::replay::{MOST_STEPS, Unfolded, Unfolding};
use crate::model::answer::{self, MeaningError};
use crate::number::Rational;
use crate::pieces::fraction::Normaliser;
use crate::pieces::intensional::gradient;
use crate::pieces::line::told;
use crate::pieces::{Decided, Outcome, Region, Rest};
use crate::session::answer::Diagnostic;
use crate::session::places::QUESTION;
use crate::session::tolerance::place;
use crate::session::{Session, SessionError};
use crate::smooth::graph::{Binary, Graph, Operation, Variable};
use crate::smooth::map::untyped::Untyped;
use crate::syntax::source::Source;
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The default limit on the number of pieces. A choice: more do not fit a screen.
pub const USUAL_LIMIT: usize = 100;
/// The highest derivative that is printed. A choice: each order multiplies the size of the text.
pub const MOST_ORDER: u32 = 8;

/// A question for the pieces of a function of type `Real -> Real` on an interval.
///
/// # Examples
/// ```
/// use smoothish::session::{Limits, Pieces, Session};
/// let relu = Pieces::new(r"\x => if x > 0 then x else 0", "-1", "1").derivatives(1);
/// let found = Session::new().ask(&relu, &Limits::seconds(60))?;
/// assert!(found.is_reached());
/// assert!(found.value().rows.iter().any(|piece| piece.maps.as_deref() == Ok(&["x".to_owned(), "1".to_owned()][..])));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pieces {
    source: Arc<Source>,
    ends: Result<[Rational; 2], String>,
    derivatives: u32,
    limit: usize,
}

impl Pieces {
    /// Creates the question for a text, between two numbers: decimals or fractions, parsed exactly.
    #[must_use]
    pub fn new(text: &str, from: &str, to: &str) -> Self {
        let ends = place(from).and_then(|from| Ok([from, place(to)?]));
        Self { ends, ..Self::of(Arc::new(Source::new(QUESTION, text)), Rational::new(), Rational::new()) }
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn of(source: Arc<Source>, from: Rational, to: Rational) -> Self {
        Self { source, ends: Ok([from, to]), derivatives: 0, limit: USUAL_LIMIT }
    }

    /// Requests derivatives on each piece, up to `order`.
    #[must_use]
    pub fn derivatives(self, order: u32) -> Self {
        Self { derivatives: order, ..self }
    }

    /// Limits the number of pieces.
    #[must_use]
    pub fn limit(self, limit: usize) -> Self {
        Self { limit, ..self }
    }
}

/// A piece of a function, as texts.
#[derive(Clone, Debug)]
pub struct Piece {
    /// The set on which the piece is the function.
    pub region: Region,
    /// The function and its derivatives, or the reason why it has no value.
    pub maps: Result<Vec<String>, String>,
    /// The guards of the piece, with the outcome that each has on it.
    pub guards: Vec<String>,
}

/// The unexplored parts that have one reason.
#[derive(Clone, Debug)]
pub struct Left {
    /// The reason.
    pub why: Rest,
    /// The number of parts.
    pub parts: usize,
    /// Lower and upper bound of their total length.
    pub length: [Rational; 2],
    /// The positions in the program at which exploration stopped, with the number of parts for each.
    pub places: Vec<(Option<String>, usize)>,
}

/// The pieces of one function.
#[derive(Debug)]
pub struct PiecesFound {
    /// The pieces as texts, from left to right.
    pub rows: Vec<Piece>,
    /// The unexplored parts.
    pub rest: Vec<Left>,
    /// The pieces as maps.
    pub unfolded: Unfolded,
}

impl Question for Pieces {
    type Output = PiecesFound;

    fn pose(&self, session: &Session, on: &mut Scope<'_>) -> Result<PiecesFound, Diagnostic> {
        let source = &self.source;
        let [from, to] = self.ends.as_ref().map_err(|error| Diagnostic::wrong(format!("error: {error}")))?;
        if from >= to {
            return Err(Diagnostic::wrong("error: the left end must be less than the right one").named("interval"));
        }
        if self.derivatives > MOST_ORDER {
            let order = self.derivatives;
            let text = format!("error: derivatives go up to order {MOST_ORDER}, not {order}");
            return Err(Diagnostic::wrong(text).named("order"));
        }
        let ty = Ty::function(Ty::real(), Ty::real());
        let term = session.typed(source, &ty)?;
        let unfolding = Unfolding {
            hooks: Arc::new(hooks::Library),
            unfoldings: None,
            limit: self.limit,
            steps: MOST_STEPS,
            budget: on.budget().clone(),
        };
        let unfolded = unfolding.on(&term, from, to);
        let refused = |error: MeaningError| match error.lacks() {
            Some(lacking) => {
                let others = meaning::that_have(&term, &ty, NAME);
                let help = match &*others {
                    [] => String::new(),
                    _ => format!(
                        "\n  = help: of its values at points ask smoothish eval --model {}",
                        others.join(", or --model ")
                    ),
                };
                Diagnostic::wrong(format!("error: {lacking}{help}"))
            }
            None => session.diagnose(source, &SessionError::Meaning(error)),
        };
        let unfolded = unfolded.map_err(refused)?;
        let pap = &unfolded.pap;
        let mut texts =
            Texts { variable: pap.variables[0], forms: Normaliser::default(), guards: FxHashMap::default() };
        let mut rows: Vec<Piece> = pap
            .pieces
            .iter()
            .map(|piece| Piece {
                region: piece.region.clone().unwrap_or_default(),
                maps: match &piece.outcome {
                    Outcome::Value(value) => Ok(texts.maps(value, self.derivatives)),
                    Outcome::Undefined(found) => {
                        let place = unfolded.place(found.site);
                        Err(answer::Undefined::of_value(found, place, &term, ToString::to_string).message)
                    }
                },
                guards: piece.guards.iter().map(|decided| texts.written(decided)).collect(),
            })
            .collect();
        // By a lower bound of the left end, then by an upper bound of the right one: ends may be algebraic numbers.
        rows.sort_by_cached_key(|row| {
            row.region.0.first().map(|first| (first.left.lo.clone(), first.right.hi.clone()))
        });
        let mut rest: Vec<Left> = Vec::new();
        for part in &pap.frontier {
            let [least, most] = part.region.as_ref().map(Region::length).unwrap_or_default();
            let place = unfolded
                .place(part.site)
                .and_then(|place| session.locate(source, &place).map(|found| found.to_string()));
            if !rest.iter().any(|left| left.why == part.why) {
                rest.push(Left { why: part.why, parts: 0, length: Default::default(), places: Vec::new() });
            }
            let Some(left) = rest.iter_mut().find(|left| left.why == part.why) else { continue };
            left.parts += 1;
            left.length[0] += least;
            left.length[1] += most;
            match left.places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count += 1,
                None => left.places.push((place, 1)),
            }
        }
        if !rest.is_empty() {
            // The limit on pieces leaves parts too, but stops no work: only a spent budget is reported as a limit.
            on.is_wide();
            if on.budget().is_exhausted() {
                on.is_cut_short();
            }
        }
        Ok(PiecesFound { rows, rest, unfolded })
    }
}

/// Printer of maps, with a cache of the guards that several pieces share.
struct Texts {
    variable: Variable,
    forms: Normaliser,
    /// The texts of guards, by the address of the graph and the sign. The pieces keep the graphs alive, so no address
    /// is reused.
    guards: FxHashMap<(usize, &'static str), String>,
}

impl Texts {
    /// Prints a function and its derivatives up to `orders`.
    fn maps(&mut self, value: &Graph, orders: u32) -> Vec<String> {
        let mut graph = value.clone();
        let mut all = vec![self.text(&graph)];
        for _ in 0..orders {
            graph = gradient(&[self.variable], &graph).swap_remove(0);
            all.push(self.text(&graph));
        }
        all
    }

    /// Prints a map of one variable, as an expanded polynomial if it is one.
    fn text(&mut self, g: &Graph) -> String {
        let polynomial = self.forms.polynomial(g, self.variable);
        let graph = polynomial.map_or_else(|| g.clone(), |coefficients| expanded(self.variable, &coefficients));
        if let Some(q) = graph.as_rational() {
            return q.to_string();
        }
        let shown = Untyped::of_graphs(&[self.variable], &[graph]).map(|map| map.to_string());
        shown.map_or_else(|_| "…".to_owned(), |text| text.strip_prefix("\\x => ").unwrap_or(&text).to_owned())
    }

    /// Prints the outcome of a guard; an affine one as a bound of the variable.
    fn written(&mut self, decided: &Decided) -> String {
        let (graph, sign) = (&decided.guard.graph, decided.sign());
        if let Some(known) = self.guards.get(&(graph.address(), sign)) {
            return known.clone();
        }
        let coefficients = self.forms.polynomial(graph, self.variable);
        let written = match (coefficients.as_deref(), graph.operation()) {
            (Some([b, a]), _) if *a != 0 => {
                // Dividing by a negative coefficient turns an inequality round.
                let turned = match sign {
                    ">" => "<",
                    ">=" => "<=",
                    "<" => ">",
                    "<=" => ">=",
                    same => same,
                };
                format!("x {} {}", if *a > 0 { sign } else { turned }, told(&-Rational::from(b / a)))
            }
            // A difference is printed as a comparison of its two sides.
            (_, Operation::Binary(Binary::Subtract, left, right)) => {
                format!("{} {sign} {}", self.text(left), self.text(right))
            }
            _ => format!("{} {sign} 0", self.text(graph)),
        };
        self.guards.insert((graph.address(), sign), written.clone());
        written
    }
}

/// Builds the expanded polynomial Σ aₙ·xⁿ, from the highest power down.
fn expanded(v: Variable, coefficients: &[Rational]) -> Graph {
    let x = Graph::variable(v);
    let mut sum: Option<Graph> = None;
    for (n, a) in coefficients.iter().enumerate().rev().filter(|(_, a)| **a != 0) {
        let power = |a: &Rational| {
            let power = (n > 0).then(|| Graph::power(&x, &Rational::from(n))).flatten();
            match power {
                None => Graph::rational(a.clone()),
                Some(power) if *a == 1 => power,
                Some(power) => Graph::binary(Binary::Multiply, &Graph::rational(a.clone()), &power),
            }
        };
        sum = Some(match sum {
            None => power(a),
            Some(sum) if *a < 0 => Graph::binary(Binary::Subtract, &sum, &power(&Rational::from(-a))),
            Some(sum) => Graph::binary(Binary::Add, &sum, &power(a)),
        });
    }
    sum.unwrap_or_else(|| Graph::integer(0))
}
