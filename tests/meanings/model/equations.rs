//! The equations of H Fig. 5 (H29): both sides, made of random terms, have the same values and derivatives.
//!
//! A term stands over a real variable x, as in H over a context. Substitution is carried out on terms, so the two sides
//! are different programs; they are compared by value, slope and curvature at a point, in the presheaf model.

use super::eps;
use smoothish::law::generate::{TermGenerator, TermVocabulary, data_library, either_type, maybe_type};
use smoothish::law::term::{BinderId, TermHead, TestTerm, pair_type};
use smoothish::meaning;
use smoothish::model::answer::AnswerNumber;
use smoothish::number::Enclosure;
use smoothish::number::budget::Budget;
use smoothish::random::SplitMix64;
use smoothish::syntax::constant::Constant;
use smoothish::syntax::data::Constructor;
use smoothish::syntax::ty::{Ty, TyKind};
use smoothish::value::Value;
use std::sync::Arc;
use std::time::Duration;

const SAMPLES: u64 = 40;
/// The variable x, and variables that no generator has reached.
const X: BinderId = 900_000;
const U: BinderId = 900_001;
const V: BinderId = 900_002;

fn variable(id: BinderId, ty: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Variable(id), ty.clone(), Vec::new())
}

/// The term with another in the place of a variable. Every binder has a number of its own, so nothing is captured.
fn substituted(term: &TestTerm, id: BinderId, value: &TestTerm) -> TestTerm {
    if term.head == TermHead::Variable(id) {
        return value.clone();
    }
    let parts = term.parts.iter().map(|part| substituted(part, id, value)).collect();
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}

/// What an equation is made of.
struct Draw {
    generator: TermGenerator,
    random: SplitMix64,
}

impl Draw {
    fn ty(&mut self) -> Ty {
        let real = Ty::real;
        let types = [
            real(),
            pair_type(real(), real()),
            Ty::function(real(), real()),
            maybe_type(real()),
            Ty::list(real()),
            either_type(real(), Ty::list(real())),
        ];
        self.random.pick(&types).clone()
    }

    /// A term over x and variables of these types.
    fn open<const N: usize>(&mut self, types: [&Ty; N], ty: &Ty) -> ([BinderId; N], TestTerm) {
        let function = types.iter().rev().fold(ty.clone(), |to, from| Ty::function((*from).clone(), to));
        loop {
            let size = 4 + self.random.next_below(14);
            let mut term = self.generator.draw_term(&Ty::function(Ty::real(), function.clone()), size);
            let mut ids = Vec::new();
            while let TermHead::Lambda(id, _) = term.head
                && ids.len() <= N
            {
                ids.push(id);
                term = term.parts.swap_remove(0);
            }
            if ids.len() == N + 1 {
                let term = substituted(&term, ids[0], &variable(X, &Ty::real()));
                return (std::array::from_fn(|index| ids[index + 1]), term);
            }
        }
    }

    /// A term over x.
    fn closed(&mut self, ty: &Ty) -> TestTerm {
        self.open([], ty).1
    }
}

/// The numbers in a value.
fn numbers(reply: &Value<AnswerNumber>, into: &mut Vec<Enclosure>) {
    match reply {
        Value::Real(AnswerNumber::Enclosure(answer)) => into.push(answer.enclosure.clone()),
        Value::Tuple(parts) => parts.iter().for_each(|part| numbers(part, into)),
        other => panic!("{other:?}"),
    }
}

/// Value, slope and curvature of a side as a function of x; nothing where it is no program.
fn jet(side: &str, at: &str) -> Option<Vec<Enclosure>> {
    let text = format!("let f (v{X} : Real) : Real = {side} in (f {at}, deriv f {at}, deriv (deriv f) {at})");
    let (term, ty) = data_library().infer_expression(&text).ok()?;
    let budget = Arc::new(Budget::new(100_000, Some(Duration::from_secs(20)), None));
    let answer = meaning::semantics_named("presheaf").unwrap().evaluate(&term, &ty, &eps(), &budget).ok()?;
    let mut found = Vec::new();
    numbers(&answer.value, &mut found);
    Some(found)
}

/// How many samples of an equation survive, and how many are refuted.
fn tried(seed: u64, sides: impl Fn(&mut Draw) -> (String, String)) -> (u64, u64) {
    let (mut survived, mut refuted) = (0, 0);
    for index in 0..SAMPLES {
        let random = SplitMix64::for_sample(seed, index);
        let mut draw = Draw {
            generator: TermGenerator::with_vocabulary(random.clone(), TermVocabulary::Smooth),
            random: SplitMix64::for_sample(seed + 1, index),
        };
        let (left, right) = sides(&mut draw);
        let at = *draw.random.pick(&["0", "1/2", "(-3/4)", "1"]);
        let (Some(first), Some(second)) = (jet(&left, at), jet(&right, at)) else { continue };
        let apart = first.iter().zip(&second).any(|(a, b)| a.lo() > b.hi() || b.lo() > a.hi());
        let says_something =
            first.iter().chain(&second).all(|e| e.is_defined() && e.lo().is_finite() && e.hi().is_finite());
        refuted += u64::from(apart);
        survived += u64::from(!apart && says_something);
        if apart {
            println!("{left}\n{right}\n{first:?}\n{second:?}");
        }
    }
    (survived, refuted)
}

#[track_caller]
fn holds(seed: u64, sides: impl Fn(&mut Draw) -> (String, String)) {
    let (survived, refuted) = tried(seed, sides);
    assert_eq!(refuted, 0);
    assert!(survived >= SAMPLES * 3 / 4, "only {survived} of {SAMPLES} say something");
}

#[track_caller]
fn fails(seed: u64, at_least: u64, sides: impl Fn(&mut Draw) -> (String, String)) {
    let (_, refuted) = tried(seed, sides);
    assert!(refuted >= at_least, "only {refuted} of {SAMPLES} are refuted");
}

/// `case ⟨t₁, t₂⟩ of ⟨x₁, x₂⟩ → s = s[t₁/x₁, t₂/x₂]`
#[test]
fn beta_of_products() {
    holds(1, |draw| {
        let (a, b) = (draw.ty(), draw.ty());
        let (first, second) = (draw.closed(&a), draw.closed(&b));
        let ([i, j], body) = draw.open([&a, &b], &Ty::real());
        let left = format!("let (v{i}, v{j}) = (({first} : {a}), ({second} : {b})) in {body}");
        (left, substituted(&substituted(&body, i, &first), j, &second).to_string())
    });
}

/// `s[t/y] = case t of ⟨x₁, x₂⟩ → s[⟨x₁, x₂⟩/y]`
#[test]
fn eta_of_products() {
    holds(3, |draw| {
        let (a, b) = (draw.ty(), draw.ty());
        let both = pair_type(a.clone(), b.clone());
        let term = draw.closed(&both);
        let ([y], body) = draw.open([&both], &Ty::real());
        let parts = TestTerm::new(TermHead::Tuple, both.clone(), vec![variable(U, &a), variable(V, &b)]);
        let right = format!("let (v{U}, v{V}) = ({term} : {both}) in {}", substituted(&body, y, &parts));
        (substituted(&body, y, &term).to_string(), right)
    });
}

/// A variant of the vocabulary, and its constructors.
fn variant(draw: &mut Draw) -> (Ty, Vec<Constructor>) {
    let (a, b) = (draw.ty(), draw.ty());
    let ty = if draw.random.random_bool(50) { maybe_type(a) } else { either_type(a, b) };
    let TyKind::Data(data, _) = ty.kind() else { panic!("{ty}") };
    (ty.clone(), data.constructors().collect())
}

/// The type of the argument of a constructor.
fn argument(constructor: &Constructor, ty: &Ty) -> Option<Ty> {
    let TyKind::Data(_, arguments) = ty.kind() else { panic!("{ty}") };
    constructor.argument().map(|argument| argument.with_arguments(arguments))
}

/// `case ℓᵢ t of {ℓ₁ x₁ → s₁ | …} = sᵢ[t/xᵢ]`
#[test]
fn beta_of_variants() {
    let sides = |draw: &mut Draw, wrong: bool| {
        let (ty, constructors) = variant(draw);
        let chosen = draw.random.next_below(2);
        let mut cases = Vec::new();
        let (mut whole, mut rights) = (String::new(), Vec::new());
        for (index, constructor) in constructors.iter().enumerate() {
            let name = constructor.name();
            let Some(of) = argument(constructor, &ty) else {
                let body = draw.closed(&Ty::real());
                cases.push(format!("{name} => ({body})"));
                rights.push(body.to_string());
                if index == chosen {
                    whole = format!("({name} : {ty})");
                }
                continue;
            };
            let term = draw.closed(&of);
            let ([i], body) = draw.open([&of], &Ty::real());
            cases.push(format!("{name} v{i} => ({body})"));
            rights.push(substituted(&body, i, &term).to_string());
            if index == chosen {
                whole = format!("({name} ({term}) : {ty})");
            }
        }
        let left = format!("match {whole} with {}", cases.join(" | "));
        (left, rights.swap_remove(if wrong { 1 - chosen } else { chosen }))
    };
    holds(5, |draw| sides(draw, false));
    fails(5, SAMPLES / 2, |draw| sides(draw, true));
}

/// `s[t/y] = case t of {ℓ₁ x₁ → s[ℓ₁ x₁/y] | …}`
#[test]
fn eta_of_variants() {
    let sides = |draw: &mut Draw, wrong: bool| {
        let (ty, constructors) = variant(draw);
        let term = draw.closed(&ty);
        let ([y], body) = draw.open([&ty], &Ty::real());
        let injected = |index: usize| {
            let parts = argument(&constructors[index], &ty).iter().map(|of| variable(U, of)).collect();
            TestTerm::new(TermHead::Inject(constructors[index].clone()), ty.clone(), parts)
        };
        let case = |index: usize| {
            let other = term.clone();
            let inside = if wrong && index == 1 { other } else { injected(index) };
            let name = constructors[index].name();
            let bound = if argument(&constructors[index], &ty).is_some() { format!(" v{U}") } else { String::new() };
            let body = substituted(&body, y, &inside);
            // a wrong case answers something else
            format!("{name}{bound} => ({body}){}", if wrong { " + 1" } else { "" })
        };
        let right = format!("match ({term} : {ty}) with {} | {}", case(0), case(1));
        (substituted(&body, y, &term).to_string(), right)
    };
    holds(7, |draw| sides(draw, false));
    fails(7, SAMPLES / 2, |draw| sides(draw, true));
}

/// The parts of `fold (x₁, x₂).t over … from r`: the numbers of x₁ and x₂, t and r.
fn folded(draw: &mut Draw, of: &Ty) -> (BinderId, BinderId, TestTerm, TestTerm) {
    let ([i, j], step) = draw.open([of, &Ty::real()], &Ty::real());
    (i, j, step, draw.closed(&Ty::real()))
}

/// `fold (x₁, x₂).t over [] from r = r`
#[test]
fn fold_of_the_empty_list() {
    holds(9, |draw| {
        let of = draw.ty();
        let (i, j, step, start) = folded(draw, &of);
        (format!("fold (\\(v{i} : {of}) (v{j} : Real) => {step}) ({start}) []"), start.to_string())
    });
}

/// `fold (x₁, x₂).t over s₁ :: s₂ from r = t[s₁/x₁, fold (x₁, x₂).t over s₂ from r/x₂]`: from the right.
#[test]
fn fold_of_a_longer_list() {
    let sides = |draw: &mut Draw, wrong: bool| {
        let of = if wrong { Ty::real() } else { draw.ty() };
        let (i, j, mut step, start) = folded(draw, &of);
        // what is random may ignore the element and the rest of the list: this does not
        let variable = |id: BinderId| TestTerm::new(TermHead::Variable(id), Ty::real(), Vec::new());
        step = TestTerm::apply_constant(Constant::Subtract, Ty::real(), vec![step, variable(j)]);
        if of == Ty::real() {
            step = TestTerm::apply_constant(Constant::Add, Ty::real(), vec![step, variable(i)]);
        }
        let head = draw.closed(&of);
        let mut tails = std::iter::repeat_with(|| draw.closed(&Ty::list(of.clone()))).take(50);
        let tail = tails.find(|tail| !tail.parts.is_empty()).unwrap();
        let function = Ty::function(of.clone(), Ty::function(Ty::real(), Ty::real()));
        let inner =
            TestTerm::new(TermHead::Lambda(j, Ty::real()), Ty::function(Ty::real(), Ty::real()), vec![step.clone()]);
        let function = TestTerm::new(TermHead::Lambda(i, of.clone()), function, vec![inner]);
        let fold = |start: TestTerm| {
            TestTerm::apply_constant(Constant::Fold, Ty::real(), vec![function.clone(), start, tail.clone()])
        };
        let step_at = |rest: &TestTerm| substituted(&substituted(&step, i, &head), j, rest);
        let right = if wrong { fold(step_at(&start)) } else { step_at(&fold(start.clone())) };
        (format!("fold ({function}) ({start}) (({head} : {of}) :: ({tail} : List ({of})))"), right.to_string())
    };
    holds(11, |draw| sides(draw, false));
    // a fold from the left
    fails(11, SAMPLES / 4, |draw| sides(draw, true));
    let numbers = |side: &str| jet(side, "1").unwrap_or_else(|| panic!("{side}"));
    let right = numbers(&format!("fold (\\x y => x - y) 0 [10 * v{X}, 3, 2]"));
    // 10x - (3 - (2 - 0)) at 1, and its slope
    assert!(right[0].contains(&9.into()) && right[1].contains(&10.into()), "{right:?}");
}

/// `u = s[[]/y]` and `r[s/x₂] = s[x₁ :: y/y]` imply `s[t/y] = fold (x₁, x₂).r over t from u`: an `h` that satisfies the
/// premises by recursion is the fold.
#[test]
fn folds_are_unique() {
    let with_h = |of: &Ty, i: BinderId, j: BinderId, step: &TestTerm, start: &str, rest: &str| {
        format!(
            "(let rec h (xs : List ({of})) : Real = match xs with [] => ({start}) | v{i} :: rest => (let v{j} = h rest in \
             {step}) in {rest})"
        )
    };
    // the premises, at random instances
    holds(13, |draw| {
        let of = draw.ty();
        let (i, j, step, start) = folded(draw, &of);
        (with_h(&of, i, j, &step, &start.to_string(), "h []"), start.to_string())
    });
    holds(15, |draw| {
        let of = draw.ty();
        let (i, j, step, start) = folded(draw, &of);
        let (head, tail) = (draw.closed(&of), draw.closed(&Ty::list(of.clone())));
        let start = start.to_string();
        let left = with_h(&of, i, j, &step, &start, &format!("h (({head}) :: ({tail}))"));
        let right = format!("let v{i} : {of} = {head} in let v{j} : Real = h ({tail}) in {step}");
        (left, with_h(&of, i, j, &step, &start, &right))
    });
    let sides = |draw: &mut Draw, more: &str| {
        let of = draw.ty();
        let (i, j, step, start) = folded(draw, &of);
        let list = draw.closed(&Ty::list(of.clone()));
        let right = format!("fold (\\(v{i} : {of}) (v{j} : Real) => {step}) ({start}) ({list} : List ({of}))");
        (with_h(&of, i, j, &step, &format!("({start}){more}"), &format!("h ({list})")), right)
    };
    holds(17, |draw| sides(draw, ""));
    // without the first premise it is another function
    fails(17, SAMPLES / 10, |draw| sides(draw, " + 1"));
    // an h that is no recursion: c · sum satisfies c · 0 = 0 and c · (x + s) = c · x + c · s
    holds(19, |draw| {
        let (c, list) = (draw.closed(&Ty::real()), draw.closed(&Ty::list(Ty::real())));
        let given = format!("let c : Real = {c} in let xs : List Real = {list} in");
        (format!("{given} c * fold (+) 0 xs"), format!("{given} fold (\\x s => c * x + s) 0 xs"))
    });
}

/// `(λx.t) s = t[s/x]`
#[test]
fn beta_of_functions() {
    holds(21, |draw| {
        let a = draw.ty();
        let (term, ([i], body)) = (draw.closed(&a), draw.open([&a], &Ty::real()));
        (format!("(\\(v{i} : {a}) => {body}) ({term})"), substituted(&body, i, &term).to_string())
    });
}

/// `t = λx.t x`, inside a term that uses the function.
#[test]
fn eta_of_functions() {
    holds(23, |draw| {
        let (a, b) = (draw.ty(), draw.ty());
        let ty = Ty::function(a.clone(), b.clone());
        let size = 4 + draw.random.next_below(10);
        let (term, ([y], body)) = (draw.generator.draw_term(&ty, size), draw.open([&ty], &Ty::real()));
        let applied = TestTerm::new(TermHead::Apply, b, vec![term.clone(), variable(U, &a)]);
        let expanded = TestTerm::new(TermHead::Lambda(U, a), ty, vec![applied]);
        (substituted(&body, y, &term).to_string(), substituted(&body, y, &expanded).to_string())
    });
}
