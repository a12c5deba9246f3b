//! Random first-order terms: their towers, their graphs by jets, and their embedding into λ_S through the session give
//! values and derivatives up to order 3 that meet.

use smoothish::function::Function;
use smoothish::meaning::first_order::denotation::{graphs_of_term, tower_of_term};
use smoothish::meaning::first_order::translation::{core_term_of, core_type_of};
use smoothish::meaning::first_order::typing::FirstOrderTypeKind;
use smoothish::meaning::first_order::{AdArrow, FirstOrderContext, FirstOrderTerm, FirstOrderType};
use smoothish::model::answer::AnswerNumber;
use smoothish::number::{Context as _, Enclosure, Mpfr, Rational};
use smoothish::random::SplitMix64;
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::smooth::graph::{Graph, Variable};
use smoothish::smooth::tower::Tower;
use smoothish::syntax::constant::Constant;
use smoothish::value::Value;
use std::time::Duration;

fn types() -> [FirstOrderType; 4] {
    let real = FirstOrderType::real();
    [
        real.clone(),
        real.clone(),
        FirstOrderType::product(&real, &real),
        FirstOrderType::product(&FirstOrderType::space(2), &real),
    ]
}

/// A term of a type.
fn generate(random: &mut SplitMix64, context: &FirstOrderContext, ty: &FirstOrderType, size: usize) -> FirstOrderTerm {
    // a later variable hides an earlier one of the same name
    let visible = |name: &str| context.position(name).is_some_and(|(_, known)| known == ty);
    let fitting: Vec<&str> = ["x", "y", "z"].into_iter().filter(|name| visible(name)).collect();
    if !fitting.is_empty() && random.random_bool(if size < 2 { 90 } else { 15 }) {
        return FirstOrderTerm::variable(random.pick::<&str>(&fitting));
    }
    let part = size.saturating_sub(1) / 2;
    if size > 3 && random.random_bool(15) {
        let bound = random.pick(&types()).clone();
        let name = *random.pick(&["x", "y", "z"]);
        let value = generate(random, context, &bound, part);
        return FirstOrderTerm::bind(name, &value, &generate(random, &context.with(name, &bound), ty, part));
    }
    if size > 3 && random.random_bool(15) {
        let bound = random.pick(&types()).clone();
        let name = *random.pick(&["x", "y", "z"]);
        let (at, along) = (generate(random, context, &bound, part / 2), generate(random, context, &bound, part / 2));
        let body = generate(random, &context.with(name, &bound), ty, part);
        return FirstOrderTerm::derivative(&body, name, &at, &along);
    }
    if size > 2 && random.random_bool(15) {
        let other = random.pick(&types()).clone();
        let (arrow, whole) = match random.random_bool(50) {
            true => (AdArrow::first(ty, &other), FirstOrderType::product(ty, &other)),
            false => (AdArrow::second(&other, ty), FirstOrderType::product(&other, ty)),
        };
        return FirstOrderTerm::apply(arrow, &generate(random, context, &whole, size - 1));
    }
    match ty.kind() {
        FirstOrderTypeKind::Unit => FirstOrderTerm::unit(),
        FirstOrderTypeKind::Product(a, b) => {
            generate(random, context, a, part).pair(&generate(random, context, b, part))
        }
        FirstOrderTypeKind::Space(1) => real(random, context, size),
        FirstOrderTypeKind::Space(n) => {
            let pair = FirstOrderType::product(&FirstOrderType::real(), &FirstOrderType::real());
            let argument = generate(random, context, &pair, size.saturating_sub(1));
            let mut entry = || Rational::from(random.next_below(5) as i64 - 2);
            let rows = (0..*n).map(|_| vec![entry(), entry()]).collect();
            FirstOrderTerm::apply(AdArrow::linear(2, rows).expect("rows of two"), &argument)
        }
    }
}

fn real(random: &mut SplitMix64, context: &FirstOrderContext, size: usize) -> FirstOrderTerm {
    if size < 2 {
        return FirstOrderTerm::number(coordinate(random));
    }
    let one = FirstOrderType::real();
    let part = |random: &mut SplitMix64| generate(random, context, &one, size / 2);
    let operation = |constant, parts: &[FirstOrderTerm]| FirstOrderTerm::operation(constant, parts).expect("an arrow");
    use Constant::{Abs, Elementary, Max, Min, Negate, Sigmoid};
    use Function::{Asinh, Atan, Cos, Exp, Sin, Tanh};
    match random.pick_weighted(&[(6, 0), (3, 1), (6, 2), (1, 3), (1, 4), (1, 5)]) {
        0 => {
            let (a, b) = (part(random), part(random));
            match random.next_below(3) {
                0 => a.plus(&b),
                1 => a.minus(&b),
                _ => a.times(&b),
            }
        }
        1 => {
            let a = part(random);
            operation(*random.pick(&[Negate, Elementary(Atan), Elementary(Tanh), Sigmoid, Elementary(Asinh)]), &[a])
        }
        2 => {
            let a = part(random);
            operation(Elementary(*random.pick(&[Sin, Cos, Sin, Cos, Exp])), &[a])
        }
        3 => {
            let (a, b) = (part(random), part(random));
            operation(*random.pick(&[Max, Min]), &[a, b])
        }
        4 => {
            let a = part(random);
            match random.random_bool(50) {
                true => operation(Abs, &[a]),
                false => FirstOrderTerm::apply(AdArrow::power(*random.pick(&[2, 3])).expect("small"), &a),
            }
        }
        _ => {
            let (a, b) = (part(random), part(random));
            a.over(&FirstOrderTerm::number(1).plus(&b.times(&b)))
        }
    }
}

fn coordinate(random: &mut SplitMix64) -> Rational {
    Rational::from((random.next_below(33) as i64 - 16, 8))
}

/// Something of a type, written from its coordinates.
fn written(ty: &FirstOrderType, from: &mut dyn Iterator<Item = String>) -> String {
    match ty.kind() {
        FirstOrderTypeKind::Unit | FirstOrderTypeKind::Space(0) => "()".to_owned(),
        FirstOrderTypeKind::Space(1) => from.next().expect("a coordinate"),
        FirstOrderTypeKind::Space(n) => {
            let parts: Vec<String> = (0..*n).map(|_| from.next().expect("a coordinate")).collect();
            format!("({})", parts.join(", "))
        }
        FirstOrderTypeKind::Product(a, b) => format!("({}, {})", written(a, from), written(b, from)),
    }
}

/// The ways to the coordinates of a type, `[0][1]`.
fn paths(ty: &FirstOrderType, before: &str, into: &mut Vec<String>) {
    match ty.kind() {
        FirstOrderTypeKind::Unit | FirstOrderTypeKind::Space(0) => {}
        FirstOrderTypeKind::Space(1) => into.push(before.to_owned()),
        FirstOrderTypeKind::Space(n) => into.extend((0..*n).map(|i| format!("{before}[{i}]"))),
        FirstOrderTypeKind::Product(a, b) => {
            paths(a, &format!("{before}[0]"), into);
            paths(b, &format!("{before}[1]"), into);
        }
    }
}

struct Sample {
    term: FirstOrderTerm,
    context: FirstOrderContext,
    ty: FirstOrderType,
    point: Vec<Rational>,
    directions: Vec<Vec<Rational>>,
}

impl Sample {
    fn new(random: &mut SplitMix64) -> Sample {
        let mut context = FirstOrderContext::new();
        for name in ["x", "y"].iter().take(1 + random.next_below(2)) {
            context = context.with(name, random.pick(&types()));
        }
        let ty = random.pick(&types()).clone();
        let size = 3 + random.next_below(14);
        let term = generate(random, &context, &ty, size);
        let n = context.dimension();
        let mut vector = || -> Vec<Rational> { (0..n).map(|_| coordinate(random)).collect() };
        let (point, directions) = (vector(), (0..3).map(|_| vector()).collect());
        Sample { term, context, ty, point, directions }
    }

    /// By S Fig. 4, the derivative along the first so many directions.
    fn by_tower(&self, order: usize) -> Vec<Enclosure> {
        let tower = tower_of_term::<Mpfr>(&self.term, &self.context).unwrap_or_else(|e| panic!("{}: {e}", self.term));
        self.evaluate(&tower, order)
    }

    fn by_jets(&self, order: usize) -> Vec<Enclosure> {
        let variables: Vec<Variable> = (0..self.context.dimension()).map(|_| Variable::fresh()).collect();
        let inputs: Vec<Graph> = variables.iter().map(|v| Graph::variable(*v)).collect();
        let graphs =
            graphs_of_term(&self.term, &self.context, &inputs).unwrap_or_else(|e| panic!("{}: {e}", self.term));
        self.evaluate(&Tower::by_jets(&graphs, &variables).expect("graphs of the inputs"), order)
    }

    fn evaluate(&self, tower: &Tower<Mpfr>, order: usize) -> Vec<Enclosure> {
        let arithmetic = Mpfr::new(96);
        let vector = |v: &Vec<Rational>| v.iter().map(|x| arithmetic.enclose_rational(x)).collect::<Vec<_>>();
        let directions: Vec<_> = self.directions[..order].iter().map(vector).collect();
        let value = tower.derivative(&vector(&self.point), &directions, &arithmetic);
        value.unwrap_or_else(|e| panic!("{}: {e}", self.term)).iter().map(|x| arithmetic.to_enclosure(x)).collect()
    }

    /// The questions about the embedded term, one for each coordinate of the result.
    fn questions(&self, order: usize) -> Vec<String> {
        let (function, ty) = core_term_of(&self.term, &self.context).unwrap_or_else(|e| panic!("{}: {e}", self.term));
        let mut coordinates = (0..self.point.len()).map(|i| {
            let steps = (0..order).map(|k| format!(" + t{k} * ({})", self.directions[k][i])).collect::<String>();
            format!("(({}){steps})", self.point[i])
        });
        let arguments: Vec<String> =
            self.context.variables().iter().map(|(_, ty)| format!(" {}", written(ty, &mut coordinates))).collect();
        let mut ways = Vec::new();
        paths(&self.ty, "", &mut ways);
        let before = (0..order).map(|k| format!("deriv (\\t{k} => ")).collect::<String>();
        let after = ") 0".repeat(order);
        let ask = |way| format!("let f : {ty} = {function} in {before}(f{}){way}{after}", arguments.concat());
        ways.into_iter().map(ask).collect()
    }
}

fn bounded(enclosure: &Enclosure) -> bool {
    enclosure.is_defined() && enclosure.is_bounded()
}

/// Embedded terms have the types that are claimed for them, and can be read back.
#[test]
fn embedded_terms_have_their_types() {
    let library = smoothish::syntax::library::Library::new();
    for index in 0..300 {
        let sample = Sample::new(&mut SplitMix64::for_sample(19, index));
        assert_eq!(sample.term.type_in(&sample.context).as_ref(), Ok(&sample.ty));
        let (term, ty) = core_term_of(&sample.term, &sample.context).unwrap();
        let result = sample.context.variables().iter().fold(ty.to_string(), |ty, (_, variable)| {
            let domain = core_type_of(variable);
            ty.strip_prefix(&format!("{domain} -> ")).unwrap_or_else(|| panic!("{ty}")).to_owned()
        });
        assert_eq!(result, core_type_of(&sample.ty).to_string());
        let found = library.infer_expression(&format!("({term} : {ty})"));
        assert_eq!(found.unwrap_or_else(|e| panic!("{term} : {ty}: {e}")).1, ty);
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn towers_jets_and_the_embedding_agree() {
        let session = Session::default();
        let mut compared = [0; 4];
        let mut by_jets = 0;
        for index in 0..500 {
            let sample = Sample::new(&mut SplitMix64::for_sample(17, index));
            for (order, count) in compared.iter_mut().enumerate() {
                // towers cost a set of subsets for each derivative inside
                if order > 1 && sample.term.size() > 40 {
                    continue;
                }
                let (towers, jets) = (sample.by_tower(order), sample.by_jets(order));
                let questions = sample.questions(order);
                assert_eq!((towers.len(), jets.len()), (questions.len(), questions.len()));
                for ((tower, jet), question) in towers.iter().zip(&jets).zip(&questions) {
                    if bounded(tower) && bounded(jet) {
                        assert!(tower.overlaps(jet), "order {order}, {}: {tower:?} and {jet:?}", sample.term);
                        by_jets += 1;
                    }
                    let limits = Limits::within_time(Duration::from_millis(500));
                    let answer = session.ask(&Evaluate::new(question).with_width("1e-6"), &limits);
                    let answer = answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value();
                    let Value::Real(AnswerNumber::Enclosure(found)) = answer else {
                        panic!("{question}: no number");
                    };
                    let found = found.enclosure;
                    if bounded(tower) && bounded(&found) {
                        assert!(
                            tower.overlaps(&found),
                            "order {order}, {}\n{question}\n{tower:?} {found:?}",
                            sample.term
                        );
                        *count += 1;
                    }
                }
            }
        }
        assert!(compared.iter().all(|count| *count > 500), "{compared:?}");
        assert!(by_jets > 2000, "{by_jets}");
    }
}
