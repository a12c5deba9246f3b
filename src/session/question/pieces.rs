//! The question `ListPieces`: the pieces of a function on a box of ℝⁿ, and the part of its domain that was not explored.
//!
//! In one variable the pieces are unions of intervals, with their lengths. In several they are cells: guards, a point, the dimension,
//! and an enclosure of the volume.

use super::{Question, QuestionContext};
use crate::meaning;
use crate::meaning::pap;
use crate::meaning::pap::NAME;
use crate::meaning::pap::replay::{ExplorationOptions, ExploredPieces, MAX_RUN_STEPS};
use crate::measure::volume::{PieceVolumes, enclose_volumes};
use crate::model::answer;
use crate::model::answer::SemanticsError;
use crate::number::{Enclosure, Rational, decimal};
use crate::pieces::intensional::partial_derivatives;
use crate::pieces::line::format_rational;
use crate::pieces::paving::box_volume;
use crate::pieces::proof::SetPoints;
use crate::pieces::{AnalyticPiece, GuardCondition, IntervalUnion, PieceValue, RationalBox, SetDimension, StopReason};
use crate::session::answer::Diagnostic;
use crate::session::question::QUESTION_NAME;
use crate::session::tolerance::parse_exact;
use crate::session::{Note, NoteKind, Session, SessionError};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Variable};
use crate::smooth::map::DynMap;
use crate::smooth::normal_form::RationalNormalForm;
use crate::smooth::reverse::without_derivatives;
use crate::syntax::source::SourceText;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The default limit on the number of pieces. A choice: more do not fit a screen.
pub const DEFAULT_LIMIT: usize = 100;
/// The highest derivative that is printed. A choice: each order multiplies the size of the text.
pub const MOST_ORDER: u32 = 8;
/// The most variables of a function. A choice: boxes halve one side at a time, and 128 of them divide few sides.
pub const MOST_VARIABLES: usize = 6;
/// The default width of volumes, the reciprocal of it.
const DEFAULT_WIDTH_RECIPROCAL: u32 = 1_000_000;

/// A question for the pieces of a function of n real numbers on a box. The function takes its numbers one after the other, or as a
/// tuple, and returns a number or a tuple of numbers.
///
/// # Examples
/// ```
/// use smoothish::session::{Limits, ListPieces, Session};
/// let relu = ListPieces::new(r"\x => if x > 0 then x else 0", "-1", "1").with_derivatives(1);
/// let found = Session::new().ask(&relu, &Limits::seconds(60))?;
/// assert!(found.is_reached());
/// assert!(found.value().rows.iter().any(|piece| piece.maps.as_deref() == Ok(&["x".to_owned(), "1".to_owned()][..])));
///
/// let disc = ListPieces::new(r"\x y => if x * x + y * y < 1 then 1 else 0", "(-1, -1)", "(1, 1)");
/// let found = Session::new().ask(&disc, &Limits::seconds(60))?;
/// let inside = found.value().rows.iter().find(|piece| piece.guards == ["x * x + y * y < 1"]);
/// assert!(inside.is_some_and(|piece| piece.size[0] < 3.1415927 && piece.size[1] > 3.1415926));
/// # Ok::<(), smoothish::session::Diagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct ListPieces {
    source: Arc<SourceText>,
    corners: Result<[Vec<Rational>; 2], String>,
    with_derivatives: u32,
    with_limit: usize,
    with_width: Rational,
}

impl ListPieces {
    /// Creates the question for a text, between two numbers or two corners of a box such as `(-1, -1)`: decimals or fractions,
    /// parsed exactly.
    #[must_use]
    pub fn new(text: &str, from: &str, to: &str) -> Self {
        let source = Arc::new(SourceText::new(QUESTION_NAME, text));
        let corners = parse_corner(from).and_then(|from| Ok([from, parse_corner(to)?]));
        Self { corners, ..Self::on_box(source, Vec::new(), Vec::new()) }
    }

    /// Creates the question for a named text between two numbers; messages show the name.
    #[must_use]
    pub fn from_source(source: Arc<SourceText>, from: Rational, to: Rational) -> Self {
        Self::on_box(source, vec![from], vec![to])
    }

    /// Creates the question for a named text on a box, which two opposite corners give.
    #[must_use]
    pub fn on_box(source: Arc<SourceText>, from: Vec<Rational>, to: Vec<Rational>) -> Self {
        Self {
            source,
            corners: Ok([from, to]),
            with_derivatives: 0,
            with_limit: DEFAULT_LIMIT,
            with_width: Rational::from((1, DEFAULT_WIDTH_RECIPROCAL)),
        }
    }

    /// Requests volumes to this width, for functions of several variables.
    #[must_use]
    pub fn with_width(self, eps: Rational) -> Self {
        Self { with_width: eps, ..self }
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

/// Parses a corner of a box: one number, or several in parentheses.
fn parse_corner(text: &str) -> Result<Vec<Rational>, String> {
    let text = text.trim();
    let inner = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).unwrap_or(text);
    inner.split(',').map(|number| parse_exact(number.trim())).collect()
}

/// A piece of a function, as texts.
#[derive(Clone, Debug)]
pub struct PrintedPiece {
    /// The set on which the piece is the function, for functions of one variable.
    pub region: Option<IntervalUnion>,
    /// A rational point of the set, or what is known of its points.
    pub points: SetPoints,
    /// The dimension of the set.
    pub dimension: SetDimension,
    /// Lower and upper bound of the length, or of the volume.
    pub size: [Rational; 2],
    /// The function and its derivatives, or the reason why it has no value. A value of ℝᵐ is a tuple. The derivative of a function of
    /// several variables has the tuple of its partial derivatives for each number of the value.
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
    /// Lower and upper bound of their total length, or volume.
    pub size: [Rational; 2],
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
    /// The number of variables.
    pub variables: usize,
}

impl Question for ListPieces {
    type Output = PieceList;

    fn answer_in(&self, session: &Session, on: &mut QuestionContext<'_>) -> Result<PieceList, Diagnostic> {
        let source = &self.source;
        let domain = self.check_domain()?;
        if self.with_width <= 0 {
            let eps = format_rational(&self.with_width);
            let text = format!("error: the width of volumes must be greater than 0, not {eps}");
            return Err(Diagnostic::invalid_input(text).with_id("tolerance"));
        }
        let n = domain.len();
        let most = if n == 1 { MOST_ORDER } else { 1 };
        if self.with_derivatives > most {
            let order = self.with_derivatives;
            let of = if n == 1 { String::new() } else { format!(" of functions of {n} variables") };
            let text = format!("error: derivatives{of} go up to order {most}, not {order}");
            return Err(Diagnostic::invalid_input(text).with_id("order"));
        }
        let program = PiecesProgram::infer(session, source, n)?;
        let unfolding = ExplorationOptions {
            hooks: Arc::new(pap::DefaultPiecewiseHooks),
            unfolding_limit: None,
            limit: self.with_limit,
            max_steps: MAX_RUN_STEPS,
            budget: on.budget().clone(),
        };
        let unfolded = match &domain[..] {
            [[from, to]] => unfolding.explore_interval(&program.term, from, to),
            domain => unfolding.explore_box(&program.term, domain, program.is_curried),
        };
        let unfolded = unfolded.map_err(|error| program.diagnose(session, source, error))?;
        // on a line the lengths are exact already
        let volumes = (n > 1).then(|| enclose_volumes(&unfolded.pap, &self.with_width, on.budget())).flatten();
        let mut texts = PiecePrinter {
            variables: &unfolded.pap.variables,
            forms: RationalNormalForm::default(),
            guards: FxHashMap::default(),
        };
        let print = |(index, piece): (usize, &AnalyticPiece)| PrintedPiece {
            region: piece.region.clone(),
            points: piece.points.clone(),
            dimension: piece.dimension,
            size: piece_size(piece, volumes.as_ref().and_then(|all| all.pieces.get(index)), &domain),
            maps: match &piece.outcome {
                PieceValue::Values(values) => Ok(texts.print_maps(values, self.with_derivatives, program.has_tuples)),
                PieceValue::Undefined(found) => {
                    let place = unfolded.location_of(found.site);
                    let why = answer::UndefinedReason::of_value(found, place, &program.term, ToString::to_string);
                    Err(why.message)
                }
            },
            guards: piece.guards.iter().map(|decided| texts.print_guard(decided)).collect(),
        };
        let mut rows: Vec<PrintedPiece> = unfolded.pap.pieces.iter().enumerate().map(print).collect();
        // By a lower bound of the left end, then by an upper bound of the right one: ends may be algebraic numbers. Cells keep the order
        // in which they were found.
        rows.sort_by_cached_key(|row| {
            let first = row.region.as_ref().and_then(|region| region.0.first());
            first.map(|first| (first.left.lo.clone(), first.right.hi.clone()))
        });
        let rest = self.collect_unexplored(session, &unfolded, volumes.as_ref());
        let notes = if n > 1 { self.describe_doubts(&rows) } else { Vec::new() };
        if !rest.is_empty() || !notes.is_empty() {
            // The limit on pieces leaves parts too, but stops no work: only a spent budget is reported as a limit.
            on.record_wide();
            if on.budget().is_exhausted() {
                on.record_limit();
            }
        }
        notes.into_iter().for_each(|note| on.record_note(note));
        Ok(PieceList { rows, unexplored: rest, unfolded, variables: n })
    }
}

impl ListPieces {
    /// Returns the box, whose corners must have one dimension and lie in order.
    fn check_domain(&self) -> Result<RationalBox, Diagnostic> {
        let wrong = |text: String, id| Err(Diagnostic::invalid_input(format!("error: {text}")).with_id(id));
        let [from, to] = match &self.corners {
            Ok(corners) => corners,
            Err(error) => return wrong(error.clone(), "wrong"),
        };
        if from.len() != to.len() {
            let numbers = |n: usize| if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") };
            let [from, to] = [from.len(), to.len()].map(numbers);
            return wrong(format!("the box begins at {from}, and ends at {to}; both are corners of it"), "dimension");
        }
        if from.len() > MOST_VARIABLES {
            let n = from.len();
            return wrong(
                format!("pieces are listed for functions of up to {MOST_VARIABLES} variables, not {n}"),
                "dimension",
            );
        }
        match from.iter().zip(to).position(|(from, to)| from >= to) {
            Some(_) if from.len() == 1 => wrong("the left end must be less than the right one".to_owned(), "interval"),
            Some(axis) => {
                let [a, b] = [&from[axis], &to[axis]].map(format_rational);
                let axis = axis + 1;
                wrong(
                    format!("the left end must be less than the right one: in coordinate {axis} they are {a} and {b}"),
                    "interval",
                )
            }
            None => Ok(from.iter().cloned().zip(to.iter().cloned()).map(|(from, to)| [from, to]).collect()),
        }
    }

    /// Returns notes on pieces of which little is known: without a point, or with a wide volume.
    fn describe_doubts(&self, rows: &[PrintedPiece]) -> Vec<Note> {
        let pieces = |n: usize| if n == 1 { "1 piece".to_owned() } else { format!("{n} pieces") };
        let count = |is_such: &dyn Fn(&PrintedPiece) -> bool| rows.iter().filter(|row| is_such(row)).count();
        let open = count(&|row| row.points == SetPoints::Unknown);
        let wide = count(&|row| Rational::from(&row.size[1] - &row.size[0]) > self.with_width);
        let eps = decimal::print_exactly(&self.with_width).unwrap_or_else(|| self.with_width.to_string());
        let told = [
            (open, "open", format!("of {} no point is known: it may be empty", pieces(open))),
            (wide, "volume", format!("the volume of {} is not known to within {eps}", pieces(wide))),
        ];
        told.into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(_, id, text)| Note::new(id, NoteKind::Outcome, text))
            .collect()
    }

    /// Collects the unexplored parts by their reasons.
    fn collect_unexplored(
        &self,
        session: &Session,
        unfolded: &ExploredPieces,
        volumes: Option<&PieceVolumes>,
    ) -> Vec<UnexploredParts> {
        let mut rest: Vec<UnexploredParts> = Vec::new();
        for part in &unfolded.pap.frontier {
            let unknown = || [Rational::new(), part.size_bound.clone()];
            let [least, most] = part.region.as_ref().map_or_else(unknown, IntervalUnion::length_bounds);
            let place = unfolded
                .location_of(part.site)
                .and_then(|place| session.locate(&self.source, &place).map(|found| found.to_string()));
            if !rest.iter().any(|left| left.reason == part.reason) {
                rest.push(UnexploredParts {
                    reason: part.reason,
                    parts: 0,
                    size: Default::default(),
                    places: Vec::new(),
                });
            }
            let Some(left) = rest.iter_mut().find(|left| left.reason == part.reason) else { continue };
            left.parts += 1;
            left.size[0] += least;
            left.size[1] += most;
            match left.places.iter_mut().find(|(known, _)| *known == place) {
                Some((_, count)) => *count += 1,
                None => left.places.push((place, 1)),
            }
        }
        // what the pieces leave is known better than what the boxes of each part cover
        if let Some([least, most]) = volumes.and_then(|volumes| rational_ends(&volumes.unexplored)) {
            let is_only = rest.len() == 1;
            for left in &mut rest {
                left.size[0] = if is_only { least.clone() } else { Rational::new() };
                left.size[1] = left.size[1].clone().min(most.clone());
            }
        }
        rest
    }
}

/// Returns the ends of an enclosure as rational numbers. Returns `None` if it is unbounded.
fn rational_ends(found: &Enclosure) -> Option<[Rational; 2]> {
    Some([found.lo().to_rational()?, found.hi().to_rational()?])
}

/// Returns bounds of the length of a piece, or of its volume.
fn piece_size(piece: &AnalyticPiece, volume: Option<&Enclosure>, domain: &[[Rational; 2]]) -> [Rational; 2] {
    match &piece.region {
        Some(region) => region.length_bounds(),
        None => volume.and_then(rational_ends).unwrap_or_else(|| [Rational::new(), box_volume(domain)]),
    }
}

/// A program whose pieces are listed.
struct PiecesProgram {
    term: Term,
    ty: Ty,
    /// `true` if it takes its numbers one after the other.
    is_curried: bool,
    /// `true` if its values are tuples.
    has_tuples: bool,
}

/// Returns a type with real numbers in the place of numbers of other types and of parameters. Returns `None` for a type with functions
/// or data in it.
fn with_real_numbers(ty: &Ty) -> Option<Ty> {
    match ty.kind() {
        TyKind::Real | TyKind::Nat | TyKind::Variable(..) => Some(Ty::real()),
        TyKind::Tuple(parts) => {
            Some(Ty::new(TyKind::Tuple(parts.iter().map(with_real_numbers).collect::<Option<_>>()?)))
        }
        _ => None,
    }
}

impl PiecesProgram {
    /// Infers a program as a function of n real numbers, one after the other or in a tuple.
    fn infer(session: &Session, source: &Arc<SourceText>, n: usize) -> Result<Self, Diagnostic> {
        let curried = |n: usize, value: Ty| (0..n).fold(value, |value, _| Ty::function(Ty::real(), value));
        let plain = curried(n, Ty::real());
        let tuple = (n > 1).then(|| Ty::function(Ty::new(TyKind::Tuple(vec![Ty::real(); n])), Ty::real()));
        for (ty, is_curried) in [(Some(plain.clone()), true), (tuple, false)] {
            if let Some((ty, Ok(term))) = ty.map(|ty| (ty.clone(), session.infer_at(&source.text, &ty))) {
                return Ok(Self { term, ty, is_curried, has_tuples: false });
            }
        }
        // Of values that are tuples the type is inferred first. What is wrong by itself keeps its own error.
        let (_, found) = session.infer_source(source)?;
        let (mut arguments, mut value) = (Vec::new(), &found);
        while let TyKind::Function(argument, result) = value.kind() {
            arguments.push(with_real_numbers(argument));
            value = result;
        }
        let of_values = with_real_numbers(value).filter(|_| !arguments.is_empty());
        let dimensions: Option<Vec<usize>> = arguments.iter().map(|own| own.as_ref()?.real_dimension()).collect();
        let (Some(of_values), Some(dimensions)) = (of_values, dimensions) else {
            return Err(session.check_source(source, &plain).map_or_else(|error| error, |_| wrong_dimension(n, 0)));
        };
        let is_curried = dimensions.iter().all(|own| *own == 1);
        if !is_curried && dimensions.len() > 1 {
            return Err(session.check_source(source, &plain).map_or_else(|error| error, |_| wrong_dimension(n, 0)));
        }
        let taken = dimensions.iter().sum();
        // the most likely mistake: the box is of another dimension than the function
        if taken != n {
            return Err(wrong_dimension(n, taken));
        }
        let has_tuples = of_values.real_dimension() != Some(1);
        let ty = arguments.into_iter().flatten().rev().fold(of_values, |value, own| Ty::function(own, value));
        let term = session.check_source(source, &ty)?;
        Ok(Self { term, ty, is_curried, has_tuples })
    }

    /// Describes an error of the exploration, with the models that have what is missing.
    fn diagnose(&self, session: &Session, source: &Arc<SourceText>, error: SemanticsError) -> Diagnostic {
        let Some(lacking) = error.unsupported_construct() else {
            return session.diagnose(source, &SessionError::Semantics(error));
        };
        let others = meaning::supporting_semantics(&self.term, &self.ty, NAME);
        let help = match &*others {
            [] => String::new(),
            _ => {
                format!("\n  = help: for values at points use smoothish eval --model {}", others.join(", or --model "))
            }
        };
        Diagnostic::invalid_input(format!("error: {lacking}{help}"))
    }
}

/// Returns the error for a box of another dimension than the function has variables.
fn wrong_dimension(given: usize, taken: usize) -> Diagnostic {
    let numbers = |n: usize| if n == 1 { "1 number".to_owned() } else { format!("{n} numbers") };
    let text = format!(
        "error: the function takes {}, and the ends have {given}; give each end as many numbers as the function takes, such as {}",
        numbers(taken),
        match taken {
            1 => "-1".to_owned(),
            _ => format!("({})", vec!["-1"; taken].join(", ")),
        }
    );
    Diagnostic::invalid_input(text).with_id("dimension")
}

/// Printer of maps, with a cache of the guards that several pieces share.
struct PiecePrinter<'a> {
    variables: &'a [Variable],
    forms: RationalNormalForm,
    /// The texts of guards, by the address of the graph and the sign. The pieces keep the graphs alive, so no address
    /// is reused.
    guards: FxHashMap<(usize, &'static str), String>,
}

impl PiecePrinter<'_> {
    /// Prints a function and its derivatives up to `orders`. Values are tuples if `has_tuples`.
    fn print_maps(&mut self, values: &[Graph], orders: u32, has_tuples: bool) -> Vec<String> {
        let mut graphs = values.to_vec();
        let mut all = vec![self.print_tuple(&graphs, has_tuples)];
        for _ in 0..orders {
            match self.variables {
                // the derivative of a number is a number, so that the next one is of the same form
                [v] => {
                    graphs = graphs.iter().map(|g| partial_derivatives(&[*v], g).swap_remove(0)).collect();
                    all.push(self.print_tuple(&graphs, has_tuples));
                }
                several => {
                    let gradient = |g: &Graph| without_derivatives(&partial_derivatives(several, g));
                    let rows: Vec<String> = graphs.iter().map(|g| self.print_tuple(&gradient(g), true)).collect();
                    all.push(if has_tuples { format!("({})", rows.join(", ")) } else { rows.concat() });
                }
            }
        }
        all
    }

    fn print_tuple(&mut self, graphs: &[Graph], is_tuple: bool) -> String {
        let texts: Vec<String> = graphs.iter().map(|g| self.print_map(g)).collect();
        if is_tuple { format!("({})", texts.join(", ")) } else { texts.concat() }
    }

    /// Prints a map: of one variable as an expanded polynomial if it is one, of several by its normal form if that is shorter.
    fn print_map(&mut self, g: &Graph) -> String {
        let graph = match self.variables {
            [v] => {
                let polynomial = self.forms.as_polynomial(g, *v);
                polynomial.map_or_else(|| g.clone(), |coefficients| expanded_polynomial(*v, &coefficients))
            }
            _ => self.forms.simplify_graph(g),
        };
        if let Some(q) = graph.as_rational() {
            return q.to_string();
        }
        let shown = DynMap::of_graphs(self.variables, &[graph]).map(|map| map.to_string());
        // the head names the variables: those of all maps are the same
        shown.map_or_else(
            |_| "…".to_owned(),
            |text| text.split_once(" => ").map_or_else(|| text.clone(), |(_, body)| body.to_owned()),
        )
    }

    /// Prints the outcome of a guard; an affine one of one variable as a bound of that.
    fn print_guard(&mut self, decided: &GuardCondition) -> String {
        let (graph, sign) = (&decided.guard.graph, decided.comparison_symbol());
        if let Some(known) = self.guards.get(&(graph.address(), sign)) {
            return known.clone();
        }
        let coefficients = match self.variables {
            [v] => self.forms.as_polynomial(graph, *v),
            _ => None,
        };
        let written = match (coefficients.as_deref(), graph.operation()) {
            (Some([b, a]), _) if *a != 0 => {
                // Dividing by a negative coefficient turns an inequality round.
                let symbol = if *a > 0 { sign } else { turned_symbol(sign) };
                format!("x {symbol} {}", format_rational(&-Rational::from(b / a)))
            }
            // In several variables a number stands on the right, as in x * x + y * y < 1, and other sides are in order, as in x < y.
            (_, NodeOperation::Binary(Binary::Subtract, left, right))
                if self.variables.len() > 1
                    && (left.as_rational().is_some()
                        || right.as_rational().is_none() && matches!(sign, ">" | ">=")) =>
            {
                format!("{} {} {}", self.print_map(right), turned_symbol(sign), self.print_map(left))
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

/// Returns the comparison with its sides exchanged.
fn turned_symbol(sign: &'static str) -> &'static str {
    match sign {
        ">" => "<",
        ">=" => "<=",
        "<" => ">",
        "<=" => ">=",
        same => same,
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
