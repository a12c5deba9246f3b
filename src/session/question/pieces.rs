//! The question `ListPieces`: the pieces of a function of one variable, and the part of its domain that was not explored.

use super::{Question, QuestionContext};
use crate::meaning;
use crate::meaning::pap;
use crate::meaning::pap::NAME;
use crate::meaning::pap::replay::{ExplorationOptions, ExploredPieces, MAX_RUN_STEPS};
use crate::model::answer;
use crate::model::answer::SemanticsError;
use crate::number::Rational;
use crate::pieces::intensional::partial_derivatives;
use crate::pieces::line::format_rational;
use crate::pieces::{GuardCondition, IntervalUnion, PieceValue, StopReason};
use crate::session::answer::Diagnostic;
use crate::session::question::QUESTION_NAME;
use crate::session::tolerance::parse_exact;
use crate::session::{Session, SessionError};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use crate::smooth::map::DynMap;
use crate::smooth::normal_form::RationalNormalForm;
use crate::syntax::source::SourceText;
use crate::syntax::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The default limit on the number of pieces. A choice: more do not fit a screen.
pub const DEFAULT_LIMIT: usize = 100;
/// The highest derivative that is printed. A choice: each order multiplies the size of the text.
pub const MOST_ORDER: u32 = 8;

/// A question for the pieces of a function of type `Real -> Real` on an interval.
///
/// # Examples
/// ```
/// use smoothish::session::{Limits, ListPieces, Session};
/// let relu = ListPieces::new(r"\x => if x > 0 then x else 0", "-1", "1").with_derivatives(1);
/// let found = Session::new().ask(&relu, &Limits::seconds(60))?;
/// assert!(found.is_reached());
/// assert!(found.value().rows.iter().any(|piece| piece.maps.as_deref() == Ok(&["x".to_owned(), "1".to_owned()][..])));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListPieces {
    source: Arc<SourceText>,
    ends: Result<[Rational; 2], String>,
    with_derivatives: u32,
    with_limit: usize,
}

impl ListPieces {
    /// Creates the question for a text, between two numbers: decimals or fractions, parsed exactly.
    #[must_use]
    pub fn new(text: &str, from: &str, to: &str) -> Self {
        let ends = parse_exact(from).and_then(|from| Ok([from, parse_exact(to)?]));
        Self {
            ends,
            ..Self::from_source(Arc::new(SourceText::new(QUESTION_NAME, text)), Rational::new(), Rational::new())
        }
    }

    /// Creates the question for a named text; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>, from: Rational, to: Rational) -> Self {
        Self { source, ends: Ok([from, to]), with_derivatives: 0, with_limit: DEFAULT_LIMIT }
    }

    /// Requests derivatives on each piece, up to `order`.
    #[must_use]
    pub fn with_derivatives(self, order: u32) -> Self {
        Self { with_derivatives: order, ..self }
    }

    /// Limits the number of pieces.
    #[must_use]
    pub fn with_limit(self, limit: usize) -> Self {
        Self { with_limit: limit, ..self }
    }
}

/// A piece of a function, as texts.
#[derive(Clone, Debug)]
pub struct PrintedPiece {
    /// The set on which the piece is the function.
    pub region: IntervalUnion,
    /// The function and its derivatives, or the reason why it has no value.
    pub maps: Result<Vec<String>, String>,
    /// The guards of the piece, with the outcome that each has on it.
    pub guards: Vec<String>,
}

/// The unexplored parts that have one reason.
#[derive(Clone, Debug)]
pub struct UnexploredParts {
    /// The reason.
    pub reason: StopReason,
    /// The number of parts.
    pub parts: usize,
    /// Lower and upper bound of their total length.
    pub length: [Rational; 2],
    /// The positions in the program at which exploration stopped, with the number of parts for each.
    pub places: Vec<(Option<String>, usize)>,
}

/// The pieces of one function.
#[derive(Debug)]
pub struct PieceList {
    /// The pieces as texts, from left to right.
    pub rows: Vec<PrintedPiece>,
    /// The unexplored parts.
    pub unexplored: Vec<UnexploredParts>,
    /// The pieces as maps.
    pub unfolded: ExploredPieces,
}

impl Question for ListPieces {
    type Output = PieceList;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<PieceList, Diagnostic> {
        let source = &self.source;
        let [from, to] = self.ends.as_ref().map_err(|error| Diagnostic::invalid_input(format!("error: {error}")))?;
        if from >= to {
            return Err(
                Diagnostic::invalid_input("error: the left end must be less than the right one").with_id("interval")
            );
        }
        if self.with_derivatives > MOST_ORDER {
            let order = self.with_derivatives;
            let text = format!("error: derivatives go up to order {MOST_ORDER}, not {order}");
            return Err(Diagnostic::invalid_input(text).with_id("order"));
        }
        let ty = Ty::function(Ty::real(), Ty::real());
        let term = session.check_source(source, &ty)?;
        let unfolding = ExplorationOptions {
            hooks: Arc::new(pap::DefaultPiecewiseHooks),
            unfolding_limit: None,
            limit: self.with_limit,
            max_steps: MAX_RUN_STEPS,
            budget: on.budget().clone(),
        };
        let unfolded = unfolding.explore_interval(&term, from, to);
        let refused = |error: SemanticsError| match error.unsupported_construct() {
            Some(lacking) => {
                let others = meaning::supporting_semantics(&term, &ty, NAME);
                let help = match &*others {
                    [] => String::new(),
                    _ => format!(
                        "\n  = help: for values at points use smoothish eval --model {}",
                        others.join(", or --model ")
                    ),
                };
                Diagnostic::invalid_input(format!("error: {lacking}{help}"))
            }
            None => session.diagnose(source, &SessionError::Semantics(error)),
        };
        let unfolded = unfolded.map_err(refused)?;
        let pap = &unfolded.pap;
        let mut texts = PiecePrinter {
            variable: pap.variables[0],
            forms: RationalNormalForm::default(),
            guards: FxHashMap::default(),
        };
        let mut rows: Vec<PrintedPiece> = pap
            .pieces
            .iter()
            .map(|piece| PrintedPiece {
                region: piece.region.clone().unwrap_or_default(),
                maps: match &piece.outcome {
                    PieceValue::Value(value) => Ok(texts.print_maps(value, self.with_derivatives)),
                    PieceValue::Undefined(found) => {
                        let place = unfolded.location_of(found.site);
                        Err(answer::UndefinedReason::of_value(found, place, &term, ToString::to_string).message)
                    }
                },
                guards: piece.guards.iter().map(|decided| texts.print_guard(decided)).collect(),
            })
            .collect();
        // By a lower bound of the left end, then by an upper bound of the right one: ends may be algebraic numbers.
        rows.sort_by_cached_key(|row| {
            row.region.0.first().map(|first| (first.left.lo.clone(), first.right.hi.clone()))
        });
        let mut rest: Vec<UnexploredParts> = Vec::new();
        for part in &pap.frontier {
            let [least, most] = part.region.as_ref().map(IntervalUnion::length_bounds).unwrap_or_default();
            let place = unfolded
                .location_of(part.site)
                .and_then(|place| session.locate(source, &place).map(|found| found.to_string()));
            if !rest.iter().any(|left| left.reason == part.reason) {
                rest.push(UnexploredParts {
                    reason: part.reason,
                    parts: 0,
                    length: Default::default(),
                    places: Vec::new(),
                });
            }
            let Some(left) = rest.iter_mut().find(|left| left.reason == part.reason) else { continue };
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
            on.record_wide();
            if on.budget().is_exhausted() {
                on.record_limit();
            }
        }
        Ok(PieceList { rows, unexplored: rest, unfolded })
    }
}

/// Printer of maps, with a cache of the guards that several pieces share.
struct PiecePrinter {
    variable: Variable,
    forms: RationalNormalForm,
    /// The texts of guards, by the address of the graph and the sign. The pieces keep the graphs alive, so no address
    /// is reused.
    guards: FxHashMap<(usize, &'static str), String>,
}

impl PiecePrinter {
    /// Prints a function and its derivatives up to `orders`.
    fn print_maps(&mut self, value: &Graph, orders: u32) -> Vec<String> {
        let mut graph = value.clone();
        let mut all = vec![self.print_map(&graph)];
        for _ in 0..orders {
            graph = partial_derivatives(&[self.variable], &graph).swap_remove(0);
            all.push(self.print_map(&graph));
        }
        all
    }

    /// Prints a map of one variable, as an expanded polynomial if it is one.
    fn print_map(&mut self, g: &Graph) -> String {
        let polynomial = self.forms.as_polynomial(g, self.variable);
        let graph =
            polynomial.map_or_else(|| g.clone(), |coefficients| expanded_polynomial(self.variable, &coefficients));
        if let Some(q) = graph.as_rational() {
            return q.to_string();
        }
        let shown = DynMap::of_graphs(&[self.variable], &[graph]).map(|map| map.to_string());
        shown.map_or_else(|_| "…".to_owned(), |text| text.strip_prefix("\\x => ").unwrap_or(&text).to_owned())
    }

    /// Prints the outcome of a guard; an affine one as a bound of the variable.
    fn print_guard(&mut self, decided: &GuardCondition) -> String {
        let (graph, sign) = (&decided.guard.graph, decided.comparison_symbol());
        if let Some(known) = self.guards.get(&(graph.address(), sign)) {
            return known.clone();
        }
        let coefficients = self.forms.as_polynomial(graph, self.variable);
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
                format!("x {} {}", if *a > 0 { sign } else { turned }, format_rational(&-Rational::from(b / a)))
            }
            // A difference is printed as a comparison of its two sides.
            (_, NodeOperation::Binary(Binary::Subtract, left, right)) => {
                format!("{} {sign} {}", self.print_map(left), self.print_map(right))
            }
            _ => format!("{} {sign} 0", self.print_map(graph)),
        };
        self.guards.insert((graph.address(), sign), written.clone());
        written
    }
}

/// Builds the expanded polynomial Σ aₙ·xⁿ, from the highest power down.
fn expanded_polynomial(v: Variable, coefficients: &[Rational]) -> Graph {
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
