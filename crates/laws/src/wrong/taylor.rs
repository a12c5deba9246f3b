//! Mutants of the Taylor macro (H §3.2, §5.1).
//!
//! # Mutants of the dual numbers of piecewise programs
//!
//! Mutants of the dual numbers of piecewise programs, by the macro (W §3.3).
//!
//! # Rewriting of programs before they are derived
//!
//! A mutant of structure derives another program.

use crate::function::Function;
use crate::meaning::taylor::block::{BlockValue, JetBlock, apply_constant_term, term_without_source, variable_term};
use crate::meaning::taylor::functor::{
    ClarkeTaylorHooks, DefaultTaylorHooks, PiecewiseTaylorHooks, ProductTerm, TaylorHooks, jet_coordinate, lift_kink,
};
use crate::meaning::taylor::jet::Basis;
use crate::meaning::taylor::partial::SmoothOperation;
use crate::model::fragment::Fragment;
use crate::number::Rational;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::source::Span;
use crate::syntax::substitution::alpha_equal;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashMap;
use std::sync::{Arc, LazyLock};

rules! {
    /// The rules of the macro for derivatives.
    Taylor {
        CrossTerm "taylor_cross_term", "a product has the terms x_β y_{α−β} (H12, E30)" => "only those with β = 0 or β = α";
        SameArgument "taylor_same_argument", "the mixed terms of a product are of both arguments (H15, E31)" => "of one argument, as printed";
        Binomials "taylor_binomials", "the terms of a product have binomial coefficients (H8, E25)" => "1";
        Partial "taylor_partial", "∂₂ sigmoid is y (1 − y) (1 − 2 y) (H12)" => "the opposite";
        Cosine "taylor_cosine", "∂₁ cos is −sin (H12)" => "sin";
        Coordinates "taylor_coordinates", "coordinates are in lexicographic order (H4)" => "the second and the last are exchanged";
        ConstantLength "taylor_constant_length", "a number becomes ⟨c, 0, …, 0⟩, as long as every jet (E28)" => "⟨c, 0⟩";
        ConstantSlope "taylor_constant_slope", "a number becomes ⟨c, 0, …, 0⟩ (H11)" => "⟨c, 1, 0, …, 0⟩";
        FoldStart "taylor_fold_start", "a fold starts from the jet that it is given (H25)" => "from the same twice over";
        FoldLeft "taylor_fold_left", "a fold begins with the last element (H29)" => "with the first";
        FoldStep "taylor_fold_step", "the step of a fold takes the element and then the state (H25)" => "the state and then the element";
        Conditional "taylor_if", "𝒟(if b then t else s) is if b then 𝒟t else 𝒟s (H25)" => "if b then 𝒟s else 𝒟t";
        Branches "taylor_match", "each constructor has its own branch (H25)" => "the branches of two are exchanged";
        Argument "taylor_constructor", "the parts of the argument of a constructor are in order (H25)" => "the first and the last are exchanged";
        Components "taylor_components", "the components of a pair are in order (H11)" => "they are exchanged";
        Projection "taylor_projection", "𝒟(fst t) is fst 𝒟t (H11)" => "snd 𝒟t";
        Comparison "taylor_comparison", "natural numbers are compared as they were (H25)" => "<= becomes <, and >= becomes >";
        Difference "taylor_difference", "differences are those of coordinates (H12)" => "sums";
        NaturalSlope "taylor_natural_slope", "a natural number becomes ⟨n, 0, …, 0⟩ (H11)" => "⟨n, 1, 0, …, 0⟩";
        Capture "taylor_capture", "a variable is that of its own binder (H14)" => "the third from the inside is taken for the second";
        Handed "taylor_eta", "a constant that is handed over keeps the order of its arguments (H11)" => "they are reversed";
        Sharing "taylor_sharing", "each known exponent has a power of its own (H10)" => "those with one numerator share it";
        ExponentFactor "taylor_exponent_factor", "∂ x^q is q x^(q-1) (H12)" => "the numerator of q in place of q";
        ExponentSign "taylor_exponent_sign", "∂ x^q is q x^(q-1), also where q < 0 (H12)" => "|q| x^(q-1)";
        ExponentFalls "taylor_exponent_falls", "∂ x^q is q x^(q-1) (H12)" => "q x^q";
        ExponentSecond "taylor_exponent_second", "∂₂ x^q is q (q-1) x^(q-2) (H12)" => "twice that";
        ExponentSlope "taylor_exponent_slope", "x^y has a derivative in y (H12)" => "0";
        Quotient "taylor_quotient", "a coordinate of x/y is divided by y₀ (H12)" => "by y₀²";
        Factorial "taylor_factorial", "1/β! stands before a derivative of order β (E29)" => "1";
        MixedPartial "taylor_mixed_partial", "operations of two arguments have mixed derivatives (H6)" => "0";
        HighBinomials "taylor_high_binomials", "the binomial coefficients of a product grow with the order (E25)" => "2 from the second on";
        Highest "taylor_highest", "the last coordinate is a derivative as the others are (H4)" => "0, where there are more than two";
    }
}

impl TaylorHooks for Taylor {
    // a natural number arrives as a conversion: neither a literal nor a constant
    fn constant_jet(&self, value: Term, length: usize) -> Term {
        let number = |n: i64| term_without_source(TermKind::Real(Rational::from(n)));
        let mut parts = vec![number(0); length];
        parts[0] = value;
        match self {
            Self::ConstantLength => parts.truncate(2),
            Self::ConstantSlope => parts[1] = number(1),
            // a natural number arrives as a conversion: neither a literal nor a constant
            Self::NaturalSlope if !matches!(parts[0].kind(), TermKind::Real(_) | TermKind::Constant(_)) => {
                parts[1] = number(1);
            }
            _ => {}
        }
        term_without_source(TermKind::Tuple(parts))
    }
    fn product_term(
        &self,
        x: &[BlockValue],
        y: &[BlockValue],
        (part, rest, coefficient): (usize, usize, u128),
    ) -> Option<ProductTerm> {
        let mixed = part > 0 && rest > 0;
        match self {
            Self::CrossTerm if mixed => None,
            // as printed, both factors of a mixed term come from one argument (E31)
            Self::SameArgument if mixed && part < rest => Some((coefficient, x[part], x[rest])),
            Self::SameArgument if mixed => Some((coefficient, y[part], y[rest])),
            Self::Binomials => Some((1, x[part], y[rest])),
            Self::HighBinomials => Some((coefficient.min(2), x[part], y[rest])),
            _ => Some((coefficient, x[part], y[rest])),
        }
    }
    fn quotient_coordinate(&self, block: &mut JetBlock, numerator: BlockValue, below: BlockValue) -> BlockValue {
        let right = block.divide(numerator, below);
        if *self == Self::Quotient { block.divide(right, below) } else { right }
    }
    fn taylor_coefficient(&self, beta: &[usize]) -> Rational {
        if *self == Self::Factorial { Rational::from(1) } else { DefaultTaylorHooks.taylor_coefficient(beta) }
    }
    fn unknown_exponent(&self, block: &mut JetBlock, mut jet: Vec<BlockValue>) -> Vec<BlockValue> {
        if *self == Self::ExponentSlope {
            let zero = block.rational(0);
            jet[1..].fill(zero);
        }
        jet
    }
    fn known_exponent(&self, exponent: Rational) -> Rational {
        // a power that is cached by its numerator alone is shared by exponents that differ
        if *self == Self::Sharing { Rational::from(exponent.numer()) } else { exponent }
    }
    fn partial_derivative(
        &self,
        block: &mut JetBlock,
        operation: &SmoothOperation,
        beta: &[usize],
        x: &[BlockValue],
    ) -> BlockValue {
        let right = operation.build_partial(block, beta, x);
        match (self, operation, beta) {
            (Self::ExponentFactor, SmoothOperation::Power(q), [1]) => {
                let denominator = block.rational(Rational::from(q.denom()));
                block.multiply(denominator, right)
            }
            (Self::ExponentSign, SmoothOperation::Power(q), [1]) if *q < 0 => {
                let minus = block.rational(-1);
                block.multiply(minus, right)
            }
            (Self::ExponentFalls, SmoothOperation::Power(_), [1]) => block.multiply(x[0], right),
            (Self::ExponentSecond, SmoothOperation::Power(_), [2]) => {
                let two = block.rational(2);
                block.multiply(two, right)
            }
            // orders from 1 to 4 in both arguments: beyond these the right rule is used
            (Self::MixedPartial, _, [1..=4, 1..=4]) => block.rational(0),
            (Self::Partial, SmoothOperation::Constant(Constant::Sigmoid), [2])
            | (Self::Cosine, SmoothOperation::Constant(Constant::Elementary(Function::Cos)), [1]) => {
                let minus = block.rational(-1);
                block.multiply(minus, right)
            }
            _ => right,
        }
    }
    fn result_coordinates(&self, block: &mut JetBlock, mut jet: Vec<BlockValue>) -> Vec<BlockValue> {
        let last = jet.len() - 1;
        match self {
            Self::Coordinates => jet.swap(1, last),
            Self::Highest if last > 1 => jet[last] = block.rational(0),
            _ => {}
        }
        jet
    }
    fn source_program(&self, term: &Term) -> Option<Term> {
        let rewrites = |term: &Term, arguments: usize| self.wrong_part(term, arguments);
        self.keeps_structure().then(|| rewrite_program(term, &rewrites))
    }
}

impl Taylor {
    /// Returns `true` if the rule is one of the structure, which 𝒟 keeps.
    fn keeps_structure(self) -> bool {
        matches!(
            self,
            Self::FoldStart
                | Self::FoldLeft
                | Self::FoldStep
                | Self::Conditional
                | Self::Branches
                | Self::Argument
                | Self::Components
                | Self::Projection
                | Self::Comparison
                | Self::Difference
                | Self::Capture
                | Self::Handed
        )
    }

    /// Returns the part that is derived in place of a part of a program. Returns `None` if the rule does not concern
    /// it.
    fn wrong_part(self, part: &Term, arguments: usize) -> Option<Term> {
        let mut found = part.clone();
        let (kind, ty) = found.parts_mut();
        match (self, kind) {
            (Self::Conditional, TermKind::If { then, otherwise, .. }) => std::mem::swap(then, otherwise),
            (Self::Branches, TermKind::Match { branches, .. }) if branches.len() == 2 => {
                let [first, second] = &mut branches[..] else { return None };
                std::mem::swap(first, second);
            }
            (Self::Components, TermKind::Tuple(parts)) if parts.len() == 2 => parts.swap(0, 1),
            // cons is left alone: its parts have different types
            (Self::Argument, TermKind::Inject { constructor, argument }) if !constructor.is_cons() => {
                let (TermKind::Tuple(parts), _) = argument.parts_mut() else { return None };
                let last = parts.len() - 1;
                parts.swap(0, last);
            }
            (Self::Capture, TermKind::Variable { index, .. }) if *index == 2 => *index = 1,
            (Self::Handed, TermKind::Constant(constant)) if arguments < constant.arity() && constant.arity() > 1 => {
                return Some(reverse_arguments(*constant, ty));
            }
            (Self::FoldStart | Self::FoldLeft | Self::FoldStep, TermKind::Constant(Constant::Fold)) => {
                return Some(self.wrong_fold(ty));
            }
            (_, TermKind::Constant(constant)) => {
                *constant = match (self, *constant) {
                    (Self::Projection, Constant::Fst) => Constant::Snd,
                    (Self::Comparison, Constant::LessEqual) => Constant::Less,
                    (Self::Comparison, Constant::GreaterEqual) => Constant::Greater,
                    (Self::Difference, Constant::Subtract) => Constant::Add,
                    _ => return None,
                }
            }
            _ => return None,
        }
        Some(found)
    }

    /// Returns `\step start list => …`, of the type of a fold, under the rule.
    fn wrong_fold(self, ty: &Ty) -> Term {
        let names = ["step", "start", "list"];
        let [step, start, list] = [2, 1, 0].map(|index| variable_term(index, &names[2 - index].into()));
        let fold = |step: &Term, start: Term| apply_constant_term(Constant::Fold, [step.clone(), start, list.clone()]);
        let body = match self {
            Self::FoldStart => fold(&step, fold(&step, start)),
            Self::FoldLeft => apply_all(fold_left(ty), [step, start, list]),
            _ => fold(&apply_all(exchange_step(ty), [step]), start),
        };
        bind_lambdas(&names, &argument_types(ty), body)
    }
}

/// Returns the types of the arguments of a function type, one after another.
fn argument_types(ty: &Ty) -> Vec<Ty> {
    match ty.kind() {
        TyKind::Function(domain, codomain) => [vec![domain.clone()], argument_types(codomain)].concat(),
        _ => Vec::new(),
    }
}

/// Returns a constant that takes its arguments in reverse.
fn reverse_arguments(constant: Constant, ty: &Ty) -> Term {
    let names = ["x", "y", "z"];
    let arity = constant.arity();
    let body =
        apply_constant_term(constant, (0..arity).map(|index| variable_term(index, &names[arity - 1 - index].into())));
    bind_lambdas(&names[..arity], &argument_types(ty), body)
}

/// Applies a function to arguments, one after another.
fn apply_all(function: Term, arguments: impl IntoIterator<Item = Term>) -> Term {
    arguments.into_iter().fold(function, |f, x| Term::apply(f, x, Span::default()))
}

/// Binds variables of these types around a body. A type that is missing is unknown.
fn bind_lambdas(names: &[&str], types: &[Ty], body: Term) -> Term {
    let bound = names.iter().zip(types.iter().cloned().chain(std::iter::repeat_with(Ty::unknown)));
    bound
        .collect::<Vec<_>>()
        .into_iter()
        .rev()
        .fold(body, |body, (name, ty)| Term::lambda((*name).into(), ty, body, Span::default()))
}

/// Returns `\step start list => fold (\x k a => k (step x a)) (\a => a) list start`, of the type of a fold.
fn fold_left(ty: &Ty) -> Term {
    // the fold from the left, written with the fold from the right over functions
    let of = |index, name: &str| variable_term(index, &name.into());
    let all = argument_types(ty);
    let state = all.get(1).cloned().unwrap_or_else(Ty::unknown);
    let element = all.first().map(argument_types).and_then(|step| step.first().cloned()).unwrap_or_else(Ty::unknown);
    let next = apply_all(of(5, "step"), [of(2, "x"), of(0, "a")]);
    let after = Ty::function(state.clone(), state.clone());
    let step = bind_lambdas(&["x", "k", "a"], &[element, after, state.clone()], apply_all(of(1, "k"), [next]));
    let fold = apply_constant_term(Constant::Fold, [step, bind_lambdas(&["a"], &[state], of(0, "a")), of(0, "list")]);
    bind_lambdas(&["step", "start", "list"], &all, apply_all(fold, [of(1, "start")]))
}

/// Returns `\step x y => step y x`, for the step of a fold.
fn exchange_step(ty: &Ty) -> Term {
    let of = |index, name: &str| variable_term(index, &name.into());
    let step = argument_types(ty).first().cloned().unwrap_or_else(Ty::unknown);
    let types = [vec![step.clone()], argument_types(&step)].concat();
    bind_lambdas(&["step", "x", "y"], &types, apply_all(of(2, "step"), [of(0, "y"), of(1, "x")]))
}

/// A wrong entry of the table of derivatives: the first derivative of one operation, in one argument, doubled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongTableEntry {
    /// The operation.
    operation: Constant,
    /// The index of the argument.
    argument: usize,
    /// The name of the mutant.
    name: String,
}

impl WrongTableEntry {
    /// Returns the operation.
    #[must_use]
    pub fn operation(&self) -> Constant {
        self.operation
    }

    /// Returns one entry for each argument of each operation whose derivatives stand in a table.
    #[must_use]
    pub fn all() -> &'static [Self] {
        static ALL: LazyLock<Vec<WrongTableEntry>> = LazyLock::new(|| {
            let has_table = |constant: &Constant| match constant {
                // a function whose derivative is another function of the library needs no table
                Constant::Elementary(f) => {
                    f.derivative_function().is_none() && SmoothOperation::of_constant(*constant).is_some()
                }
                Constant::Sigmoid | Constant::Planar(_) => true,
                _ => false,
            };
            let all = Constant::ALL.iter().copied().filter(has_table);
            let entries = all.flat_map(|operation| {
                let name = move |argument: usize| match operation.arity() {
                    1 => format!("taylor_slope_{}", operation.name()),
                    _ => format!("taylor_slope_{}_{}", operation.name(), argument + 1),
                };
                (0..operation.arity()).map(move |argument| WrongTableEntry {
                    operation,
                    argument,
                    name: name(argument),
                })
            });
            entries.collect()
        });
        &ALL
    }
}

impl TaylorHooks for WrongTableEntry {
    fn partial_derivative(
        &self,
        block: &mut JetBlock,
        operation: &SmoothOperation,
        beta: &[usize],
        x: &[BlockValue],
    ) -> BlockValue {
        let right = operation.build_partial(block, beta, x);
        let mine = beta.iter().enumerate().all(|(place, order)| *order == usize::from(place == self.argument));
        if mine && *operation == SmoothOperation::Constant(self.operation) {
            let two = block.rational(2);
            return block.multiply(two, right);
        }
        right
    }
}

/// A mutant of the macro.
#[derive(Clone, Debug)]
pub struct MacroMutant {
    /// The name, which no other mutant has.
    pub name: String,
    /// The right rule in words.
    pub rule: String,
    /// The wrong rule in words.
    pub instead: String,
    /// The rules of the macro.
    pub rules: &'static dyn TaylorHooks,
}

impl MacroMutant {
    /// Returns all mutants of the macro: [`Taylor`] and [`WrongTableEntry`].
    #[must_use]
    pub fn all() -> Vec<Self> {
        let rules = Taylor::ALL.iter().map(|rule| Self {
            name: rule.name().to_owned(),
            rule: rule.rule().to_owned(),
            instead: rule.instead().to_owned(),
            rules: rule,
        });
        let entries = WrongTableEntry::all().iter().map(|entry| Self {
            name: entry.name.clone(),
            rule: format!(
                "the table has the derivative of {} in argument {}",
                entry.operation.name(),
                entry.argument + 1
            ),
            instead: "twice that".to_owned(),
            rules: entry,
        });
        rules.chain(entries).collect()
    }
}

rules! {
    /// 𝒟 of programs in pieces.
    Dual {
        Border "dual_border", "𝒟 of x < y is x < y of the values" => "x <= y";
        ByTangent "dual_by_tangent", "𝒟 of a comparison is of the values" => "of the tangents";
        AbsSlope "dual_abs_slope", "the slope of abs is -1 on the left" => "1";
        MaxSlope "dual_max_slope", "the slope of max is that of the larger" => "that of the first";
        RootEdge "dual_root_edge", "𝒟 of a root has a value at 0, as the root has (W18)" => "none";
        AngleCut "dual_angle_cut", "𝒟 of an angle has a value on its cut, as the angle has (W18)" => "none";
        HalfProduct "dual_half_product", "the slope of a product has two terms" => "the first";
        ConstantSlope "dual_constant_slope", "the slope of a number is 0" => "1";
        Branches "dual_branches", "𝒟(if b then t else s) is if b then 𝒟t else 𝒟s" => "if b then 𝒟s else 𝒟t";
        Components "dual_components", "the components of a pair are in order" => "they are exchanged";
    }
}

impl TaylorHooks for Dual {
    fn fragment(&self) -> Fragment {
        PiecewiseTaylorHooks.fragment()
    }
    fn lift_piecewise(
        &self,
        constant: Constant,
        arguments: &[Term],
        basis: &Basis,
        smooth: Option<&Term>,
    ) -> Option<Term> {
        let dual = |value: Term, slope: Term| Some(term_without_source(TermKind::Tuple(vec![value, slope])));
        match (self, constant, arguments) {
            // the border moves to the other side, which only a sample on the border itself can show
            (Self::Border, Constant::RealLess, _) => {
                PiecewiseTaylorHooks.lift_piecewise(Constant::RealLessEqual, arguments, basis, smooth)
            }
            (Self::ByTangent, _, [x, y]) if constant.compares_reals() => {
                Some(apply_constant_term(constant, [jet_coordinate(x, 1), jet_coordinate(y, 1)]))
            }
            (Self::AbsSlope, Constant::Abs, [x]) => {
                dual(apply_constant_term(Constant::Abs, [jet_coordinate(x, 0)]), jet_coordinate(x, 1))
            }
            (Self::MaxSlope, Constant::Max, [x, y]) => dual(
                apply_constant_term(Constant::Max, [jet_coordinate(x, 0), jet_coordinate(y, 0)]),
                jet_coordinate(x, 1),
            ),
            // without a rule for pieces, the formula of the smooth case is used, which is undefined there
            (Self::RootEdge, Constant::Elementary(_), _) | (Self::AngleCut, Constant::Planar(_), _) => None,
            _ => PiecewiseTaylorHooks.lift_piecewise(constant, arguments, basis, smooth),
        }
    }
    fn product_term(
        &self,
        x: &[BlockValue],
        y: &[BlockValue],
        (part, rest, coefficient): (usize, usize, u128),
    ) -> Option<ProductTerm> {
        (*self != Self::HalfProduct || part == 0).then_some((coefficient, x[part], y[rest]))
    }
    fn constant_jet(&self, value: Term, length: usize) -> Term {
        let slope = i64::from(*self == Self::ConstantSlope);
        let mut parts = vec![term_without_source(TermKind::Real(Rational::from(slope))); length];
        parts[0] = value;
        term_without_source(TermKind::Tuple(parts))
    }
    // structural rules: the derived program is that of another program
    fn source_program(&self, term: &Term) -> Option<Term> {
        let rewrites = |part: &Term, _: usize| {
            let mut found = part.clone();
            match (self, found.parts_mut().0) {
                (Self::Branches, TermKind::If { then, otherwise, .. }) => std::mem::swap(then, otherwise),
                (Self::Components, TermKind::Tuple(parts)) => parts.reverse(),
                _ => return None,
            }
            Some(found)
        };
        matches!(self, Self::Branches | Self::Components).then(|| rewrite_program(term, &rewrites))
    }
}

impl Dual {
    /// Returns the rules for the macro.
    #[must_use]
    // a static element of `ALL`, which is in the order of the declaration
    pub fn as_hooks(self) -> &'static dyn TaylorHooks {
        &Self::ALL[self as usize]
    }
}

rules! {
    /// 𝒟 of roots and optima, of integrals of them, and of kinks.
    Solver {
        RootSign "solver_root_sign", "a coordinate of a root is divided by −F_y (S §5.2.2)" => "by F_y";
        LowerCoordinates "solver_lower_coordinates", "a coordinate of a root is computed at those of lower degree (S §5.2.2)" => "at 0 in their place";
        Ends "solver_ends", "a solution at an end of [0, 1] stays there (S §5.2.3)" => "it moves as one in the interior does";
        UndefinedKink "solver_undefined_kink", "a second derivative at a kink is undefined (S §4.3.2)" => "0, as the slope of the signum";
        Integrands "solver_integrands", "a derivative of an integral is defined if that of the integrand is, everywhere" => "almost everywhere";
    }
}

impl Solver {
    /// Returns the rules for the macro; those for kinks are Clarke's.
    #[must_use]
    // a static element of `ALL`, which is in the order of the declaration
    pub fn as_hooks(self) -> &'static dyn TaylorHooks {
        &Self::ALL[self as usize]
    }
}

impl TaylorHooks for Solver {
    fn solution_slope(&self, slope: Term) -> Term {
        if *self == Self::RootSign { apply_constant_term(Constant::Negate, [slope]) } else { slope }
    }
    fn known_coordinate(&self, coordinate: Term) -> Term {
        match self {
            Self::LowerCoordinates => term_without_source(TermKind::Real(Rational::new())),
            _ => coordinate,
        }
    }
    fn solution_has_ends(&self) -> bool {
        *self != Self::Ends
    }
    fn tests_integrands(&self) -> bool {
        *self != Self::Integrands
    }
    fn has_sets(&self) -> bool {
        *self == Self::UndefinedKink
    }
    fn lift_piecewise(&self, constant: Constant, arguments: &[Term], basis: &Basis, _: Option<&Term>) -> Option<Term> {
        match self {
            Self::UndefinedKink => lift_kink(constant, arguments, basis, false),
            _ => lift_kink(constant, arguments, basis, true),
        }
    }
    fn has_kink_rule(&self, constant: Constant) -> bool {
        ClarkeTaylorHooks.has_kink_rule(constant)
    }
}

/// Rewrites the parts of a program and of its definitions, each part after its own parts. `rule` gets a part and the
/// number of arguments that it is applied to. `None` leaves the part as it is.
pub(super) fn rewrite_program(program: &Term, rule: &dyn Fn(&Term, usize) -> Option<Term>) -> Term {
    TermRewriter { rule, known: FxHashMap::default() }.rewrite_term(program, 0)
}

/// The state of a rewriting.
struct TermRewriter<'r> {
    /// The rule.
    rule: &'r dyn Fn(&Term, usize) -> Option<Term>,
    /// The definitions that are rewritten already, by address.
    known: FxHashMap<usize, Arc<Definition>>,
}

impl TermRewriter<'_> {
    /// Rewrites a term that is applied to this number of arguments.
    fn rewrite_term(&mut self, term: &Term, arguments: usize) -> Term {
        let mut found = term.clone();
        match found.parts_mut().0 {
            TermKind::Global(definition) => *definition = self.rewrite_definition(definition),
            TermKind::Apply { function, argument } => {
                *function = with_stack(|| self.rewrite_term(function, arguments + 1));
                *argument = with_stack(|| self.rewrite_term(argument, 0));
            }
            kind => kind.children_mut().for_each(|child| *child = with_stack(|| self.rewrite_term(child, 0))),
        }
        (self.rule)(&found, arguments).unwrap_or(found)
    }

    /// Rewrites a definition, once for all its uses.
    fn rewrite_definition(&mut self, definition: &Arc<Definition>) -> Arc<Definition> {
        let address = Arc::as_ptr(definition) as usize;
        if let Some(known) = self.known.get(&address) {
            return known.clone();
        }
        let term = with_stack(|| self.rewrite_term(&definition.term, 0));
        // an unchanged definition is kept, so that the program shares it with the original
        let found = match alpha_equal(&term, &definition.term) {
            true => definition.clone(),
            false => Arc::new(Definition {
                module: definition.module.clone(),
                name: definition.name.clone(),
                scheme: definition.scheme.clone(),
                term,
                doc: definition.doc.clone(),
                span: definition.span,
                constructor: definition.constructor.clone(),
                foreign: definition.foreign.clone(),
            }),
        };
        self.known.insert(address, found.clone());
        found
    }
}
