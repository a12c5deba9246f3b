//! Kinks and edges that lie at an end, of an interval or of a piece of one.
//!
//! Every value is derived by hand, in closed form, and was computed a second time by mpmath from the question as it stands.

use smoothish::model::answer::AnswerNumber;
use smoothish::number::real::RefinedEnclosure;
use smoothish::number::{Rational, decimal};
use smoothish::session::{Evaluate, Limits, Session};
use smoothish::value::Value;
use std::sync::OnceLock;

/// The answer for a bounded amount of work.
fn ask(question: &str, eps: &str) -> RefinedEnclosure {
    ask_within(50_000_000, question, eps)
}

pub fn ask_within(work: u64, question: &str, eps: &str) -> RefinedEnclosure {
    static SESSION: OnceLock<Session> = OnceLock::new();
    let session = SESSION.get_or_init(Session::new);
    let limits = Limits { work: Some(work), ..Limits::none() };
    let answer = session.ask(&Evaluate::new(question).with_width(eps), &limits);
    match answer.unwrap_or_else(|e| panic!("{question}: {e}")).into_value() {
        Value::Real(AnswerNumber::Enclosure(found)) => *found,
        other => panic!("{question}: {other:?}"),
    }
}

pub fn number(text: &str) -> Rational {
    decimal::parse(text).expect("a decimal")
}

/// What integrals within integrals may take.
const WORK: u64 = 4_000_000_000;

/// Each question is answered to the tolerance, and the answer holds the value, which is given to 20 digits.
fn hold(eps: &str, questions: &[(&str, &str)]) {
    hold_within(50_000_000, eps, questions);
}

fn hold_within(work: u64, eps: &str, questions: &[(&str, &str)]) {
    for (question, value) in questions {
        let RefinedEnclosure { enclosure, reached, .. } = ask_within(work, question, eps);
        let slack = number("1e-20");
        let (low, high) = (number(value) - &slack, number(value) + &slack);
        assert!(*enclosure.lo() <= high && *enclosure.hi() >= low, "{question} is {value}, not in {enclosure:?}");
        assert!(reached, "{question}: {enclosure:?}");
    }
}

/// Nothing is claimed.
fn say_nothing(questions: &[&str]) {
    for question in questions {
        let answer = ask_within(crate::in_tiers(10_000_000, 50_000_000), question, "1e-6");
        assert!(!answer.enclosure.is_defined(), "{question}: {:?}", answer.enclosure);
    }
}

// The integrand beside the kink is the root of the greater of 0 and a number: never of less.
#[test]
fn a_branch_that_is_given_knows_that_it_is_the_greater_one() {
    hold(
        "1e-9",
        &[
            // 2/3·0.7^(3/2)
            (r"integral01 (\x => sqrt (max 0 (x - 0.3)))", "0.390441345715901922389813612033"),
            // 2/3·(0.3^(3/2) + 0.7^(3/2))
            (r"integral01 (\x => sqrt (abs (x - 0.3)))", "0.499985857216935145081207568593"),
            // 2/7·((1/3)^(7/2) + (2/3)^(7/2))
            (r"integral01 (\x => (abs (x - 1/3))^(5/2))", "0.075230930334512529379561618833"),
            // 0.81π, four quarters of a disc
            (r"4 * integral01 (\x => sqrt (max 0 (0.81 - x^2)))", "2.54469004940773252315474114046"),
            (r"integral01 (\x => acos (min 1 (3 * x)))", "0.333333333333333333333333333333"),
            // acosh 3 - 2√2/3
            (r"integral01 (\x => acosh (max 1 (3 * x)))", "0.819938132457022684597426167153"),
        ],
    );
    hold(
        "1e-4",
        &[
            // ∫ 2/3·x^(3/2)
            (r"integral01 (\x => integral01 (\y => sqrt (max 0 (x - y))))", "0.266666666666666666666666666667"),
        ],
    );
    // what is clamped on the wrong side is a root of negative numbers
    say_nothing(&[
        r"integral01 (\x => sqrt (min 0 (x - 0.3)))",
        r"integral01 (\x => acos (max 1 (3 * x)))",
        r"integral01 (\x => (max 0 (x - 0.3))^(-1/2))",
    ]);
}

// A power that is not smooth at the kink moves with the kink, and its integral has derivatives as long as there is one.
#[test]
fn powers_of_clamped_numbers_move_with_their_kinks() {
    hold(
        "1e-9",
        &[
            // F(c) = 2/3·(1-c)^(3/2)
            (r"deriv (\c => integral01 (\x => sqrt (max 0 (x - c)))) 0.3", "-0.836660026534075547978172025785"),
            (r"deriv (deriv (\c => integral01 (\x => sqrt (max 0 (x - c))))) 0.3", "0.597614304667196819984408589847"),
            // F(c) = 2/5·(1-c)^(5/2)
            (r"deriv (\c => integral01 (\x => (max 0 (x - c))^(3/2))) 0.3", "-0.58566201857385288358472041805"),
            (r"deriv (deriv (\c => integral01 (\x => (max 0 (x - c))^(3/2)))) 0.3", "1.25499003980111332196725803868"),
            // √c - √(1-c)
            (r"deriv (\c => integral01 (\x => sqrt (abs (x - c)))) 0.3", "-0.288937469028909434521202242984"),
            // log c - log (1-c): the integrand is unbounded where it moves
            (r"deriv (\c => integral01 (\x => log (abs (x - c)))) 0.3", "-0.847297860387203613710107506521"),
            (r"deriv (\c => integral01 (\x => log (abs (x - c)))) 0.5", "0"),
        ],
    );
    // log c - log (1-c) is unbounded at 0, √c has no slope there; 1/|x - c| has no integral
    say_nothing(&[
        r"deriv (\c => integral01 (\x => log (abs (x - c)))) 0",
        r"deriv (deriv (\c => integral01 (\x => sqrt (abs (x - c))))) 0",
        r"integral01 (\x => 1 / abs (x - 0.3))",
    ]);
}

#[test]
fn a_switch_that_is_0_at_an_end_is_decided_on_the_rest() {
    hold(
        "1e-9",
        &[
            // c/2 for c > 0
            (r"deriv (\c => integral01 (\x => abs (c * x))) 1", "0.5"),
            (r"deriv (deriv (\c => integral01 (\x => abs (c * x)))) 1", "0"),
            // (1-c)/2 for c < 1: the zero is at the other end
            (r"deriv (deriv (\c => integral01 (\x => max 0 ((1 - x) * c)))) 1", "0"),
            // 2/c for π ≤ c ≤ 2π
            (r"deriv (\c => integral01 (\x => max 0 (sin (c * x)))) 5", "-0.08"),
            (r"deriv (deriv (\c => integral01 (\x => max 0 (sin (c * x))))) 5", "0.032"),
            // 0.7 - l/2 for l ≤ 1.4, and 0 beyond
            (r"argmin01 (\w => (0.7 - w)^2 + 2 * abs w)", "0"),
            (r"deriv (\l => argmin01 (\w => (0.7 - w)^2 + l * abs w)) 2", "0"),
            (r"deriv (\l => argmin01 (\w => (0.7 - w)^2 + l * abs w)) 1", "-0.5"),
            (r"deriv (\l => min01 (\w => (0.7 - w)^2 + l * abs w)) 2", "0"),
            (r"deriv (deriv (\l => min01 (\w => (0.7 - w)^2 + l * abs w))) 2", "0"),
            (r"argmax01 (\x => x/2 - abs (1 - x))", "1"),
        ],
    );
    // abs (c·x) has a kink at c = 0 for all x; at l = 1.4 the place has slopes -1/2 and 0; the kink at c = 0 leaves the end
    say_nothing(&[
        r"deriv (deriv (\c => integral01 (\x => abs (c * x)))) 0",
        r"deriv (deriv (\c => integral01 (\x => abs (x - c)))) 0",
        r"deriv (\c => argmax01 (\x => x - 2 * abs (x - c))) 0",
    ]);
    let at_the_border = ask(r"deriv (\l => argmin01 (\w => (0.7 - w)^2 + l * abs w)) 1.4", "1e-6").enclosure;
    assert!(at_the_border.contains(&number("-0.5")) && at_the_border.contains(&number("0")), "{at_the_border:?}");
}

#[test]
fn integrals_of_what_is_unbounded_or_0_over_0_at_an_end() {
    let table = [
        (r"integral01 (\x => sin x / x)", "0.946083070367183014941353313823"),
        // π²/12
        (r"integral01 (\x => log (1 + x) / x)", "0.822467033424113218236207583323"),
        (r"integral01 (\x => (1 - cos x) / x^2)", "0.486385376235322732342288196293"),
        (r"integral01 (\x => x * log x)", "-0.25"),
        (r"integral01 log", "-1"),
        (r"integral01 (\x => 1 / sqrt x)", "2"),
        (r"integral01 sqrt", "0.666666666666666666666666666667"),
        (r"integral01 (\x => x^(-1/3))", "1.5"),
        // ∫ e^(-v) dv from 0 on, by v = 1/x - 1
        (r"integral01 (\x => exp (1 - 1/x) / x^2)", "1"),
        // x·log x - x
        (r"integral01 (\x => log (abs (x - 0.3)))", "-1.6108643020548934630256709632"),
        // √c·2/3, differentiated: 1/(3√c)
        (r"deriv (\c => integral01 (\x => sqrt (c * x))) 2", "0.235702260395515841466948120702"),
        // 2/√c, differentiated: -c^(-3/2)
        (r"deriv (\c => integral01 (\x => 1 / sqrt (c * x))) 4", "-0.125"),
    ];
    hold("1e-9", &table);
    // half-lines by v = (1 - s)/s: 3!, 1/2, π/2, √π and -√π/4
    let beyond = "let beyond (f : Real -> Real) : Real = integral01 (\\s => f ((1 - s) / s) / s^2) in ";
    for (question, value) in [
        (r"beyond (\v => v^3 * exp (-v))", "6"),
        (r"beyond (\v => exp (-v) * cos v)", "0.5"),
        (r"beyond (\v => 1 / (1 + v^2))", "1.57079632679489661923132169164"),
        (r"beyond (\v => exp (-v) / sqrt v)", "1.77245385090551602729816748334"),
        (r"deriv (\c => beyond (\v => exp (-(c * v^2)))) 1", "-0.443113462726379006824541870835"),
    ] {
        hold("1e-6", &[(&format!("{beyond}{question}"), value)]);
    }
    hold("1e-18", &table[..9]);
    hold("1e-8", &[(r"integral01 (\x => 1 / sqrt (x * (1 - x)))", "3.14159265358979323846264338328")]);
    // no integral, and none that is shown: a part of [0, 1] where nothing is defined, a pole, a pole inside
    say_nothing(&[
        r"integral01 (\x => log (x - 1/4))",
        r"integral01 (\x => 1 / x)",
        r"integral01 (\x => 1 / (1 - x))",
        r"integral01 (\x => exp (1/x))",
        r"integral01 (\x => 1 / (x - 1/2))",
        r"integral01 (\x => x / (x - x))",
        r"integral01 (\x => sqrt (-x))",
    ]);
}

// With u = 1/x the first two are ∫₁^∞ du/(1 + eᵘ) and its slope in the scale of u; what has no closed form is by quadrature.

// With y = (1 - s)/s an integral over [0, 1] is one over 0 ≤ y; by quadrature in y, derivatives by differences of it at 30 digits.

// ∫ x^c = 1/(c + 1), with the slopes -1/(c + 1)² and 2/(c + 1)³; with x for 1 - x at the other end.
// What vanishes at an end by an identity is 0 there, though no enclosure shows it.
#[test]
fn a_zero_at_an_end_that_an_identity_shows() {
    hold(
        "1e-9",
        &[
            // ∫ dx/√(b² - x²) = π/2
            (r"integral 0 pi (\x => 1/sqrt (pi^2-x^2))", "1.570796326794896619231321691639"),
            (r"integral 0 (sqrt 2) (\x => 1/sqrt (2-x^2))", "1.570796326794896619231321691639"),
            // Γ(1/4)Γ(1/2)/(4√2·Γ(3/4))
            (r"integral 0 (sqrt 2) (\x => 1/sqrt (4-x^4))", "0.927037338650685959216925173597"),
            (r"integral 0 (cbrt 2) (\x => 1/sqrt (4-x^6))", "0.764977018528596437456597086154"),
            (r"integral 0 (2^(1/3)) (\x => 1/sqrt (4-x^6))", "0.764977018528596437456597086154"),
            // -π/2·log 2, π/√2 and π/8·log 2 - G, with Catalan's constant
            (r"integral 0 (pi/2) (\x => log (cos x))", "-1.088793045151801065250344449118"),
            (r"integral 0 (pi/2) (\x => sqrt (tan x))", "2.221441469079183123507940495030"),
            (r"integral 0 (pi/4) (\x => log (1 - tan x))", "-0.643767332889268748742017402652"),
            // -π²/2·log 2; two zeros of second order, -π·log 2 and 0
            (r"integral 0 pi (\x => x*log (sin x))", "-3.420544231928558272423739576977"),
            (r"integral 0 pi (\x => log (1 + cos x))", "-2.177586090303602130500688898237"),
            (r"integral 0 (2*pi) (\x => log (2 - 2*cos x))", "0"),
            (r"integral01 (\x => 1/sqrt (sin (pi*x)))", "1.669253683348146372562859465598"),
            (r"integral01 (\x => 1/sqrt (exp 1 - exp x))", "1.316218236800726241335923157203"),
            (r"integral01 (\x => 1/sqrt (log 2 - log (1+x)))", "2.697561708833198667615737875826"),
            (r"integral 0 (pi/3) (\x => 1/sqrt (cos x - 1/2))", "2.384011014551230403152259235028"),
            // the kink and the jump at the end are none on the range
            (r"integral 0 (sqrt 2) (\x => max 0 (2 - x^2)/sqrt (2-x^2))", "1.570796326794896619231321691639"),
            (r"integral 0 (2*pi) (\x => 1/sqrt (abs (sin x)))", "10.488230217168479241859358359564"),
            // √2·log (1 + √2)
            (r"integral 0 (log 2) (\x => 1/sqrt (2 - exp x))", "1.246450480280461026788040160501"),
            (r"max01 (\x => sin (pi*x)/sqrt (sin (pi*x)))", "1"),
            // the period of a pendulum, 4K(sin (a/2)), and its slope
            (r"(\a => 4*integral 0 a (\x => 1/sqrt (2*(cos x - cos a)))) 1", "6.699975664370452712701211379161"),
            (r"deriv (\a => 4*integral 0 a (\x => 1/sqrt (2*(cos x - cos a)))) 1", "0.885206953111523837614080938036"),
            // π/4·a²
            (r"deriv (\a => integral 0 a (\x => x^2/sqrt (a^2-x^2))) 2", "3.141592653589793238462643383279"),
            (r"deriv (\a => integral 0 (sqrt a) (\x => 1/sqrt (a-x^2))) 2", "0"),
        ],
    );
    // 2 - 2e-30 + 1e-60 - …
    hold(
        "1e-40",
        &[(
            r"integral01 (\x => 1/sqrt (1 + 1e-60 - x))",
            "1.999999999999999999999999999998000000000000000000000000000001",
        )],
    );
    // A number that is near 0 is none: the integrand has no value between its zero and the end. Zeros of the first order
    // under a quotient are not integrable. And c³ is 0 together with two slopes for c = 0 alone: the integral is c for c > 0.
    say_nothing(&[
        r"integral01 (\x => 1/sqrt (1 - 1e-60 - x))",
        r"integral 0 (pi + 1e-40) (\x => 1/sqrt (sin x))",
        r"integral 0 (pi/2) tan",
        r"integral 0 (pi/2) (\x => 1/sqrt (1 - sin x))",
        // an identity of where √c has a value: beside c = 0 there is none
        r"deriv (\c => integral01 (\x => 1/sqrt (1 + (sqrt c)^2 - c - x))) 0",
        r"deriv (\c => integral 0 (sqrt c) (\x => 1/sqrt (c - x^2))) 0",
        r"deriv (\c => integral01 (\x => c^3/x^2*exp (-c^2/x))) 0",
    ]);
}

#[test]
fn powers_have_slopes_in_their_exponents() {
    hold(
        "1e-9",
        &[
            (r"integral01 (\x => exp (1/3 * log x))", "0.75"),
            (r"integral01 (\x => exp (-1/2 * log x + x) / exp x)", "2"),
            (r"deriv (\c => integral01 (\x => exp (c * log x))) 0", "-1"),
            (r"deriv (\c => integral01 (\x => x^c)) 1", "-0.25"),
            (r"deriv (\c => integral01 (\x => exp (c * log (1 - x)))) (-1/2)", "-4"),
            (r"deriv (deriv (\c => integral01 (\x => exp (log x * c)))) 0.5", "0.592592592592592592593"),
            (r"deriv (\c => integral01 (\x => exp (log x / c))) 1", "0.25"),
            // B(c, 2) = 1/(c (c + 1)), and its slope at 1/2
            (r"integral01 (\x => exp (-1/2 * log x + log (1 - x)))", "1.33333333333333333333"),
            (r"deriv (\c => integral01 (\x => exp ((c - 1) * log x + log (1 - x)))) 0.5", "-3.55555555555555555556"),
        ],
    );
    say_nothing(&[
        r"integral01 (\x => exp (-1 * log x))",
        r"deriv (\c => integral01 (\x => exp (c * log x))) (-1)",
        r"deriv (\c => integral01 (\x => exp (c * log x) / x)) 0",
    ]);
}

#[test]
fn optima_beside_places_where_the_function_is_not_defined() {
    hold(
        "1e-9",
        &[
            // 3/p = 7/(1-p)
            (r"argmax01 (\p => 3 * log p + 7 * log (1 - p))", "0.3"),
            (r"max01 (\p => 3 * log p + 7 * log (1 - p))", "-6.10864302054893463025670963197"),
            // a/(a+7) has the slope 7/100 at 3; the maximum has that of a·log p at its place, log 0.3
            (r"deriv (\a => argmax01 (\p => a * log p + 7 * log (1 - p))) 3", "0.07"),
            (r"deriv (\a => max01 (\p => a * log p + 7 * log (1 - p))) 3", "-1.20397280432593599262274621776"),
            // log 2
            (r"max01 (\p => -(p * log p) - (1 - p) * log (1 - p))", "0.693147180559945309417232121458"),
            // Kelly's bet: 0.6 - 0.4
            (r"argmax01 (\x => 0.6 * log (1 + x) + 0.4 * log (1 - x))", "0.2"),
            // e^(-1/e), at 1/e
            (r"min01 (\x => exp (x * log x))", "0.692200627555346353865421997183"),
            (r"argmin01 (\x => exp (x * log x))", "0.367879441171442321595523770161"),
            // 0 as a limit, and at 1
            (r"max01 (\x => x * log x)", "0"),
            (r"max01 (\x => -1/x)", "-1"),
        ],
    );
    say_nothing(&[r"max01 (\x => 1/x)", r"min01 log", r"max01 (\x => log (x - 1/4))", r"max01 (\x => 1 / (x - 1/2))"]);
}

// Where a sign jumps, an integral is split, and the place moves.
// At an end where the function has no value, its limit has the sign; an infinite one too.
#[test]
fn first_roots_of_functions_that_are_not_defined_at_an_end() {
    hold(
        "1e-9",
        &[
            (r"firstRoot (\s => 1/s - 3)", "0.333333333333333333333333333333"),
            (r"deriv (\c => firstRoot (\s => c/s - 3)) 1", "0.333333333333333333333333333333"),
            (r"firstRoot (\s => sqrt s/s - 2)", "0.25"),
            // sin (4s) = s
            (r"firstRoot (\s => sin (4*s)/s - 1)", "0.618644196842457253141107527582"),
            // exp (W₋₁(-1/5))
            (r"firstRoot (\x => x*log x + 0.2)", "0.0786583602868517645316101219377"),
            // negative from 0 on, positive up to 1
            (r"firstRoot log", "0"),
            (r"firstRoot (\s => 1 - 1/s)", "0"),
            (r"deriv (\c => firstRoot (\s => c - 1/s)) 0", "0"),
            (r"firstRoot (\s => 1/(1-s) - s)", "1"),
        ],
    );
    // No limit; a limit 0, which is no sign; a pole inside.
    say_nothing(&[r"firstRoot (\s => sin (1/s))", r"firstRoot (\s => s*sin (1/s))", r"firstRoot (\s => 1/(0.5 - s))"]);
}

#[test]
fn an_integral_sees_a_sign_jump_and_move() {
    hold(
        "1e-9",
        &[
            (r"integral01 (\u => signum (0.3 - u))", "-0.4"),
            (r"deriv (\t => integral01 (\u => (1 + signum (t - u)) / 2)) 0.5", "1"),
            (r"deriv (deriv (\t => integral01 (\u => (1 + signum (t - u)) / 2))) 0.5", "0"),
            // ∫₀ᵗ u - ∫ₜ¹ u = t² - 1/2
            (r"deriv (\t => integral01 (\u => u * signum (t - u))) 0.3", "0.6"),
            (r"deriv (deriv (\t => integral01 (\u => u * signum (t - u)))) 0.3", "2"),
            // the border is at √t: 2√t - 1, and 1/√t
            (r"deriv (\t => integral01 (\u => signum (t - u^2))) 0.25", "2"),
            // a guard says the same
            (r"deriv (\t => integral01 (\u => if u < t then 1 else 0)) 0.5", "1"),
        ],
    );
    // at t = 0 the border leaves [0, 1]; at 0 it is touched and not crossed
    say_nothing(&[
        r"deriv (\t => integral01 (\u => signum (t - u))) 0",
        r"deriv (\t => integral01 (\u => signum (t - (u - 1/2)^2))) 0",
    ]);
}

// A derivative jumps where its function has a kink, and where a guard inside of it has its border: a jump like any other, and at a
// single place it need not be defined.
#[test]
fn an_integral_sees_the_jump_of_a_derivative_move() {
    hold(
        "1e-9",
        &[
            // 1 - t
            (r"deriv (\t => integral01 (\u => deriv (\v => max 0 (v - t)) u)) 0.5", "-1"),
            (r"deriv (deriv (\t => integral01 (\u => deriv (\v => max 0 (v - t)) u))) 0.5", "0"),
            // (1 - t²)/2
            (r"deriv (deriv (\t => integral01 (\u => u * deriv (\v => max 0 (v - t)) u))) 0.5", "-1"),
            // 1 - 2t
            (r"deriv (\t => integral01 (\u => deriv (\v => abs (v - t)) u)) 0.3", "-2"),
            // 1 - √t
            (r"deriv (\t => integral01 (\u => deriv (\v => max 0 (v - t)) (u^2))) 0.25", "-1"),
            // t² + 3·(1 - t)
            (r"deriv (\t => integral01 (\u => deriv (\v => if v < t then v^2 else 3 * v) u)) 0.5", "-2"),
            (r"deriv (deriv (\t => integral01 (\u => deriv (\v => if v < t then v^2 else 3 * v) u))) 0.5", "2"),
            // 2·(1 - t): the second derivative of the square of max 0 (v - t) is not defined where it jumps
            (r"integral01 (\u => deriv (deriv (\v => max 0 (v - 0.3) * (v - 0.3))) u)", "1.4"),
            (r"deriv (\t => integral01 (\u => deriv (deriv (\v => max 0 (v - t) * (v - t))) u)) 0.5", "-2"),
        ],
    );
    // at t = 0 the jump leaves [0, 1]; a set on all of [0, 1] is a set; what is not defined anywhere is not
    say_nothing(&[
        r"deriv (\t => integral01 (\u => deriv (\v => max 0 (v - t)) u)) 0",
        r"deriv (\t => integral01 (\u => deriv (\v => max v (2 * v)) (t * u))) 0",
        r"integral01 (\u => deriv (deriv abs) (0 * u))",
    ]);
}

/// Two borders that move and meet for one input alone: beside it there is a sliver between them, on which the third branch is taken.
/// It has no value there, or a large one, so that the integral is 1 for all other c.
#[test]
fn borders_that_meet_for_one_input_alone_are_two() {
    say_nothing(&[
        r"deriv (\c => integral01 (\x => if x < c then 0 else if x < c + (c - 1/2)^3 then log (-1) else x)) (1/2)",
        r"deriv (\c => integral01 (\x => if x < c then 0 else if x < c + (c-1/2)^2 then 1/(c-1/2)^2 else 0)) (1/2)",
        r"deriv (\c => integral01 (\x => if x < c then 0 else deriv (\y => if y < c + (c-1/2)^3 then log (y-2) else y) x)) (1/2)",
        // a sliver of length δ² on which the integrand is of size δ^(-4/3): it counts for δ^(2/3)
        r"deriv (\c => integral01 (\x => (abs (x - c))^(-2/3) * signum (x - c - (c-1/2)^2))) (1/2)",
    ]);
    // both branches have a value there: the sliver is as small as its length
    hold(
        "1e-9",
        &[
            (
                r"deriv (\c => integral01 (\x => if x < c then 0 else if x < c + (c-1/2)^2 then 1 else 3*x)) (1/2)",
                "-1.5",
            ),
            (r"deriv (\c => integral01 (\x => if x < c then 0 else if c - x > 0 then 5 else 3*x)) 0.3", "-0.9"),
        ],
    );
}

/// What is 0 over 0 on an interval has no value there; that the numerator is 0 by its form says nothing.
#[test]
fn nought_over_nought_is_nothing() {
    say_nothing(&[
        r"integral01 (\x => (x - x) / (x - x))",
        r"integral01 (\x => 0 / (0 * x))",
        r"integral01 (\x => max 0 (x - 1/2) / max 0 (x - 1/2))",
        r"deriv (\c => integral01 (\x => max 0 (x - c) / max 0 (x - c))) (1/2)",
        r"rd (\c => integral01 (\x => max 0 (x - c) / max 0 (x - c))) (1/2) 1",
        r"(\c => integral01 (\x => (c - 1/2) * x / ((c - 1/2) * x))) (1/2)",
        r"max01 (\x => x + (x - x) / (x - x))",
    ]);
    hold("1e-9", &[(r"(\c => integral01 (\x => (c - 1/2) * x / ((c - 1/2) * x))) (3/4)", "1")]);
}

/// The losing side is tied at an end, and is not Lipschitz in c: the kink moves like the cube root of c. Of its slope nothing is left
/// out because it is multiplied by 0.
#[test]
fn the_losing_side_of_a_kink_is_asked_for_its_slope() {
    say_nothing(&[
        r"rd (\c => integral01 (\x => max (x - c) (cbrt (c + max 0 (x - 1/2)) / 2))) 0 1",
        r"rd (\c => integral01 (\x => max (abs (x - 1/2)) (cbrt (c + max 0 (x - 3/4)) / 4))) 0 1",
    ]);
}

// E₁(1), E₁(2) + e⁻²·…, the Laplace density, Black and Scholes' delta: closed forms by integrals of exponentials. The rule that takes the branch of
// the limit on the whole of [0, 1] gives E₁(1) for the second, too.
#[test]
fn kinks_of_numbers_without_a_bound_have_a_side_beside_the_end() {
    hold(
        "1e-6",
        &[
            (r"integral01 (\s => exp (-1/s)*max (1/s) (1/2))", "0.219383934395520273677"),
            (r"integral01 (\s => exp (-1/s)*max (1/s) 2)", "0.308357262439414764644"),
            (r"line (\x => exp (-abs x)/2)", "1"),
            (r"beyond 1 (\x => exp (-x)*max x 0.5)", "0.735758882342884643191"),
            (r"deriv (\k => line (\x => bell x*max 0 (x-k))) 0.5", "-0.308537538725986896362"),
            (r"normal 0 1 relu", "0.398942280401432677940"),
            // (1/√2)³·2/3 + log (4/3), at the border 1/2
            (r"integral01 (\s => if 1/s > 2 then sqrt s else 1/(1+s))", "0.523384332847296768907"),
            // E₁(2): the kink moves, and nothing is lost on either side
            (r"deriv (\c => integral01 (\s => exp (-1/s)*max (c/s) 2)) 1", "0.048900510708061119567"),
        ],
    );
    // no absolute value of these is integrable, or it is for this input alone
    say_nothing(&[
        r"integral01 (\x => max 0 (1/x - 1000))",
        r"deriv (\c => integral01 (\x => abs (c/x))) 0",
        r"deriv (\c => integral01 (\x => max 0 (c^3/x^2*exp (-c^2/x)))) 0",
    ]);
}

/// The functions of the table have forms where their arguments are unbounded, and terms that cancel do so there.
#[test]
fn functions_of_unbounded_numbers_have_integrals_and_slopes() {
    hold(
        "1e-9",
        &[
            (r"line (\x => 1/cosh x)", "3.14159265358979323846"),
            (r"beyond 0 (\t => exp (-cosh t))", "0.42102443824070833334"),
            (r"beyond 0 erfc", "0.56418958354775628695"),
            (r"beyond 0 (\x => 1 - tanh x)", "0.69314718055994530942"),
            (r"beyond 0 (\x => log1p (exp (-x)))", "0.82246703342411321824"),
            (r"beyond 0 (\x => 2*log x/cosh x)", "-1.04177122520395378216037547516"),
            (r"beyond 0 (\x => x*erfc x*exp x)", "0.58800933895647774031"),
            (r"beyond 0 (\x => (pi/2 - atan x)*exp (-x))", "0.94934670255908326159"),
            (r"beyond 0 (\x => atan2 1 x*exp (-x))", "0.94934670255908326159"),
            (r"beyond 0 (\x => asinh x*exp (-x^2))", "0.44888991516571827612"),
            (r"beyond 1 (\x => digamma x*exp (-x))", "0.09788773181818519172"),
            (r"line (\x => bell x*log1p (exp x))", "0.80605918334743978453"),
            // ½·(1 + log 2π), the entropy
            (r"line (\x => -(bell x)*log (bell x))", "1.41893853320467274178"),
            // -π/a², -1/(c²√π), -K₁(1), -log 2
            (r"deriv (\a => line (\x => 1/cosh (a*x))) 1", "-3.14159265358979323846"),
            (r"deriv (\c => beyond 0 (\x => erfc (c*x))) 1", "-0.56418958354775628695"),
            (r"deriv (\c => beyond 0 (\x => exp (-c*cosh x))) 1", "-0.60190723019723457474"),
            (r"deriv (\c => beyond 0 (\x => 1 - tanh (c*x))) 1", "-0.69314718055994530942"),
        ],
    );
}

/// A logarithm is a comparison function of its own.
#[test]
fn logarithms_inside_of_functions_have_integrals_and_slopes() {
    hold(
        "1e-9",
        &[
            // 2/e, 1/e
            (r"integral01 (\x => abs (log x + 1))", "0.73575888234288464319"),
            (r"integral01 (\x => max 0 (log x + 1))", "0.36787944117144232160"),
            // 2·exp (-c) + c - 1 has the slope 1 - 2/e at c = 1
            (r"deriv (\c => integral01 (\x => abs (log x + c))) 1", "0.26424111765711535681"),
            // 1/log 2; 2/√(log 2); 1/log (2c) has the slope -1/(log 2)² at c = 1
            (r"beyond 2 (\x => 1/(x*(log x)^2))", "1.44269504088896340736"),
            (r"beyond 2 (\x => 1/(x*(log x)^(3/2)))", "2.40224481757289958972"),
            (r"deriv (\c => beyond 2 (\x => 1/(x*(log (c*x))^2))) 1", "-2.081368981005607797869581603735"),
            (r"integral01 (\x => log (log (1/x) + 2))", "1.05447579744816789411439377914"),
            // Γ(3/2), Γ(1/2), √(2π)
            (r"integral01 (\x => sqrt (-log x))", "0.886226925452758013649083741671"),
            (r"integral01 (\x => 1/sqrt (-log (1-x)))", "1.772453850905516027298167483341"),
            (r"integral01 (\x => sqrt (-log x)/sqrt x)", "2.506628274631000502415765284811"),
            // half of the mass of a distribution, and the slope of it
            (r"integral01 (\x => exp (-(log x)^2/2)/(x*sqrt (2*pi)))", "0.5"),
            (r"deriv (\s => integral01 (\x => exp (-(log x)^2/(2*s^2))/(x*s*sqrt (2*pi)))) 1", "0"),
            (r"beyond 0 (\x => exp (-(log x-1/2)^2/2)/sqrt (2*pi)*log1p x/x)", "1.08172569837520912970"),
        ],
    );
    // these integrals are infinite
    say_nothing(&[
        r"beyond 2 (\x => 1/(x*log x))",
        r"integral01 (\x => 1/(x*sqrt (1 - log x)))",
        r"beyond 1 (\x => 1/x)",
    ]);
}

/// An exponent that moves with an input may cross the border beyond which the integral is infinite: at c = 0 it is finite, or so
/// are all of its slopes, and for every c on one side of 0 it is infinite.
#[test]
fn exponents_at_a_border_have_no_slopes() {
    say_nothing(&[
        r"deriv (\c => integral 0 0.5 (\x => exp (-c*log x)/(x*(log x)^4))) 0",
        r"deriv (\c => integral 0 0.5 (\x => exp (-c^2*log x)/(x*(log x)^4))) 0",
        r"deriv (\c => beyond 1 (\x => exp (c*log x)/(x*(1+log x)^4))) 0",
        r"deriv (\c => beyond 1 (\x => exp (c^2*log x)/(x*(1+log x)^4))) 0",
        r"deriv (\c => integral 0 0.5 (\x => exp (c*log x - sqrt (-log x))/(x^2*(log x)^4))) 1",
        r"deriv (\c => integral 0 0.5 (\x => 1/(2 + exp (-c*log x)/log x))) 0",
        r"deriv (\c => integral 0 0.5 (\x => exp (exp (-c*log x)/(log x)^2))) 0",
    ]);
    hold(
        "1e-9",
        &[
            // ∫ x⁻¹·(log x)⁻⁴ = 1/(3·(log 2)³), the value at c = 0
            (r"integral 0 0.5 (\x => 1/(x*(log x)^4))", "1.00092690238563514783"),
            // off the border there are slopes
            (r"deriv (\c => integral 0 0.5 (\x => exp (-c*log x)/(sqrt x*(log x)^4))) 0", "0.58098520488809389750"),
        ],
    );
}

/// A root of a zero of order 2 that is reached through 1/x or exp (-x): its operand is never negative.
#[test]
fn even_roots_of_what_vanishes_far_away() {
    hold(
        "1e-9",
        &[
            // √(cosh u - 1) = √2·sinh (u/2): 2√2·(cosh ½ - 1), and likewise 2√2·(1 - cos ½)
            (r"beyond 1 (\x => sqrt (cosh (1/x) - 1)/x^2)", "0.3609807418116409022403"),
            (r"beyond 1 (\x => sqrt (1 - cos (1/x))/x^2)", "0.3462488024912077753585"),
            (r"beyond 0 (\x => sqrt (cosh (1/(1+x)) - 1)/(1+x)^2)", "0.3609807418116409022403"),
            (r"beyond 0 (\x => sqrt (cosh (exp (-x)) - 1)*exp (-x))", "0.3609807418116409022403"),
            (r"beyond 0 (\x => sqrt (1 - cos (exp (-x)))*exp (-x))", "0.3462488024912077753585"),
            // its slope in c at 1, of 2√2·(cosh (c/2) - 1)/c, and of 2√2·(1 - cos (c/2))/c
            (r"deriv (\c => beyond 1 (\x => sqrt (cosh (c/x) - 1)/x^2)) 1", "0.3759593065065678012013"),
            (r"deriv (\c => beyond 0 (\x => sqrt (1 - cos (c*exp (-x)))*exp (-x))) 1", "0.3317612963508819525513"),
            // ∫₀¹ log (cosh u - 1) du
            (r"beyond 1 (\x => log (cosh (1/x) - 1)/x^2)", "-2.665506739558605644296"),
            // ∫₀¹ √(log (cosh u)) du
            (r"beyond 1 (\x => sqrt (log (cosh (1/x)))/x^2)", "0.3406618204361954399631"),
        ],
    );
    // below 0 there is no root
    say_nothing(&[r"beyond 1 (\x => sqrt (1 - cosh (1/x))/x^2)", r"beyond 1 (\x => sqrt (cos (1/x) - 1)/x^2)"]);
}

/// Inside of an interval an integrand may be singular where an operand is 0: both sides have an integral by themselves.
#[test]
fn what_is_singular_inside_of_an_interval_is_cut_there() {
    hold(
        "1e-9",
        &[
            (r"integral (-1) 1 (\x => 1/cbrt x)", "0"),
            // 3/2·(2^(2/3) - 1)
            (r"integral (-1) 2 (\x => 1/cbrt x)", "0.881101577952299212127558458908"),
            (r"integral (-1) 1 (\x => (sin x)/x)", "1.89216614073436602988270662765"),
        ],
    );
    // a principal value is no integral
    say_nothing(&[r"integral 0 2 (\x => 1/(x-1))", r"integral (-1) 1 (\x => 1/x^3)", r"integral (-1) 1 (\x => 1/x^2)"]);
}

/// The price of an option and its slopes; an expectation of a clamped number.
#[test]
fn expectations_of_numbers_with_kinks_have_slopes() {
    hold(
        "1e-9",
        &[
            (r"line (\x => bell x*max 0 (100*exp (0.2*x-0.02)-105))", "5.90559347155549355996"),
            // -Φ(d₂) and -φ(d₂)/(0.2·105)
            (
                r"deriv (\k => line (\x => bell x*max 0 (100*exp (0.2*x-0.02)-k))) 105",
                "-0.365441635665921493890527001244",
            ),
            (
                r"deriv (\k => line (\x => bell x*(if 100*exp (0.2*x-0.02) > k then 1 else 0))) 105",
                "-0.01790613200819850170298865828733",
            ),
            (r"line (\x => bell x*abs x)", "0.79788456080286535588"),
            // 2·(1 - Φ(1)) - φ(1)
            (r"line (\x => bell x*(max 0 (x-1))^2)", "0.0753397833437707530317047158"),
        ],
    );
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// What is integrated first cancels, and beside 0 its absolute value has no bound: where the factor that has none stands inside, there is no value;
    /// where it stands outside, the inner integral is 0, which is another program. Nothing that is shared or computed outside changes that.
    #[test]
    fn a_factor_is_not_moved_out_of_an_integral() {
        say_nothing(&[
            r"integral01 (\x => integral01 (\s => (0 - x + 2 * x * s) / x^2))",
            r"integral01 (\x => let c = 1 / x^2 in integral01 (\s => (0 - x + 2 * x * s) * c))",
            r"integral01 (\x => integral01 (\s => (2 * s - 1) / x))",
            r"let g = \x => 1 / x^2 in integral01 (\x => integral01 (\s => g x * (2 * x * s - x)))",
            r"integral01 (\x => (\k => integral01 (\s => k * (2 * s - 1))) (1 / x))",
            r"integral01 (\s => integral01 (\x => (2 * s - 1) / x))",
            r"deriv (\c => integral01 (\x => integral01 (\s => (0 - x + 2 * x * s + c) / x^2))) 0",
        ]);
        hold(
            "1e-9",
            &[
                (r"integral01 (\x => integral01 (\s => 0 - x + 2 * x * s) / x^2)", "0"),
                (r"integral01 (\x => integral01 (\s => 2 * s - 1) / x)", "0"),
            ],
        );
    }

    #[test]
    fn functions_of_exponentials_are_bounded_with_their_derivatives() {
        let far = r"let y = (1 - s)/s in";
        for (order, body, value) in [
            (0, "exp (-(y^2) - exp y) / s^2", "0.171684496244945325429455952009"),
            (0, "exp (-(y^2)) * erf (exp y) / s^2", "0.848208515147959202519242614061"),
            (0, "exp (-y) * tanh (exp y) / s^2", "0.9307528270993732372617374700363951226507"),
            (1, "exp (-(y^2) - c*exp (c*y)) / s^2", "-0.357966893995995025744550352802"),
            (2, "exp (-(y^2) - c*exp (c*y)) / s^2", "0.726176197502313863530487278198"),
            // -1/e of ∫ exp (y - c·exp y) = exp (-c)/c
            (1, "exp (y - c*exp y) / s^2", "-0.735758882342884643191047540323"),
            (1, "y * exp (-exp (c*y)) / s^2", "-0.195686394433340358651075578091"),
            (2, "exp (-(y^2)) * erf (c*exp (c*y) + 1) / s^2", "-0.0330136654665491584415632563287"),
            (3, "exp (-(y^2)) * erfc (c*exp (c*y)*(1 - 2*s)) / s^2", "-0.284585226799178465751521842042"),
            (4, "exp (-(y^2)) * erf (c*exp (c*y)) / s^2", "-11.1713359853158811878683843571"),
        ] {
            hold("1e-9", &[(&format!(r"nthDeriv {order} (\c => integral01 (\s => {far} {body})) 1"), value)]);
        }
        // nothing falls: of the first the integral is infinite, of the second the slope is ∫ exp y
        say_nothing(&[
            r"integral01 (\s => exp (exp (1/s)))",
            r"deriv (\c => integral01 (\s => s * erf (c * exp (1/s)))) 0",
            r"deriv (\c => integral01 (\s => s * exp (-(c * exp (1/s))))) 0",
            r"integral01 (\s => exp (-exp (-(1/s))) / s)",
        ]);
    }

    /// What is singular at a corner of a square alone: for the outer integral, beside an end.
    #[test]
    fn roots_at_a_corner() {
        hold_within(
            WORK,
            "1e-9",
            &[
                // 4/15·(2^(5/2) - 2), and (√2 + asinh 1)/3
                (r"integral01 (\x => integral01 (\y => sqrt (x + y)))", "0.975161133197968052055134639157"),
                (r"integral01 (\x => integral01 (\y => sqrt (x^2 + y^2)))", "0.765195716464212691344766016396"),
                // ∫ (√(1 - x²) + (2 - x²)·asin (1/√(2 - x²)))/2
                (r"integral01 (\x => integral01 (\y => sqrt (2 - x^2 - y^2)))", "1.13703289860537228304690915605"),
            ],
        );
    }

    /// A root that is taken at an end is expanded in a root of the distance, with its derivatives; the values are closed forms, but for the
    /// error function of a root, which is an integral in polar coordinates.
    #[test]
    fn roots_beside_an_end_have_expansions() {
        hold_within(
            WORK,
            "1e-9",
            &[
                // π/6 and π/10
                (
                    r"integral01 (\x => integral01 (\y => sqrt (max 0 (1 - x^2 - y^2))))",
                    "0.523598775598298873077107230547",
                ),
                (
                    r"integral01 (\x => integral01 (\y => (max 0 (1 - x^2 - y^2))^1.5))",
                    "0.314159265358979323846264338328",
                ),
                // d⁴/dx⁴ and d/dx of π/4·(1 - x²)
                (r"nthDeriv 4 (\x => integral01 (\y => sqrt (max 0 (1 - x^2 - y^2)))) 0.5", "0"),
                (
                    r"deriv (\x => integral01 (\y => sqrt (max 0 (1 - x^2 - y^2)))) 0.99",
                    "-1.5550883635269476530390084747233",
                ),
                (
                    r"nthDeriv 3 (\c => integral01 (\x => sqrt (max 0 (x * exp (c * x) - c)))) 0.3",
                    "-0.785546612107888754363716975879",
                ),
                (r"integral01 (\x => cbrt x * exp x)", "1.37637741048162549411118249304"),
            ],
        );
        hold_within(
            WORK,
            "1e-30",
            &[
                (r"integral01 (\x => cbrt x * exp x)", "1.37637741048162549411118249304"),
                (r"integral01 (\x => (max 0 (x - 0.3))^1.5 * exp x)", "0.368883466479123741431426138694"),
            ],
        );
        let erf = r"integral01 (\x => integral01 (\y => exp (-(x^2 + y^2)) * erf (sqrt (max 0 (1 - x^2 - y^2)))))";
        hold_within(WORK, "1e-3", &[(erf, "0.335830988989633323894441580161")]);
    }

    #[test]
    fn what_grows_faster_than_any_power_has_quotients_and_logarithms() {
        hold(
            "1e-9",
            &[
                // log (1 + 1/e), 1/(1 + e)
                (r"integral01 (\x => 1 / (x^2 * (1 + exp (1/x))))", "0.313261687518222834048995495"),
                (r"integral01 (\x => exp (1/x) / (x^2 * (1 + exp (1/x))^2))", "0.268941421369995120748840758"),
                (r"integral01 (\x => 1 / (x^2 * (2 + expm1 (1/x))))", "0.313261687518222834048995495"),
                (r"integral01 (\x => x^3 * log (1 + exp (1/x)))", "0.394930948339971627057665057413"),
                (r"integral01 (\x => x^3 * log1p (exp (1/x)))", "0.394930948339971627057665057413"),
                (
                    r"integral01 (\x => x * (exp (1/x) - exp (-1/x)) / (exp (1/x) + exp (-1/x)))",
                    "0.44474275995927375415288747892",
                ),
                (r"integral01 (\x => 1 / sqrt (exp (1/x)))", "0.326643862324553017730401565334"),
                (r"integral01 (\x => exp (1/x) * exp (-1/x^2))", "0.313773874147134269948150900941"),
                (r"deriv (\c => integral01 (\x => 1 / (1 + exp (c/x)))) 1", "-0.149780374934110156858714488989"),
                // what comes to an end with its slopes: the second is 1 - 2 atan (1/2)
                (r"deriv (\c => integral01 (\x => x * tanh (c/x))) 1", "0.127891363962782620186316675236"),
                (r"deriv (\c => integral01 (\x => x * atan (c/x))) 2", "0.0727047819983877675714875370776"),
                (r"deriv (\c => integral01 (\x => x * erf (c/x))) (-1)", "0.100509083320024442022709519607"),
                (r"deriv (\c => integral01 (\x => x * erfc (c/x))) 1", "-0.100509083320024442022709519607"),
            ],
        );
        say_nothing(&[
            // neither has an integral
            r"integral01 (\x => log (1 + exp (1/x)))",
            r"integral01 (\x => exp (1/x) / (1 + exp (1/x) / 2) / x)",
            r"integral01 (\x => exp (1/x) / (1 + x))",
            // 1/2 at 0, where the slope is that of -∫ 1/(4x)
            r"deriv (\c => integral01 (\x => 1 / (1 + exp (c/x)))) 0",
            r"deriv (\c => integral01 (\x => tanh (c/x))) 0",
            r"deriv (\c => integral01 (\x => atan (c/x))) 0",
            // a pole at 1/log 2
            r"integral01 (\x => 1 / (exp (0.5/x) - 2))",
        ]);
    }

    /// Functions that are singular as a logarithm or a power is; the values are of integrals by parts, but for π²/12, a series.
    #[test]
    fn what_has_the_singularity_of_another_function_has_an_integral() {
        hold(
            "1e-9",
            &[
                ("integral01 atanh", "0.693147180559945309417232121458"),
                (r"integral01 (\x => x * atanh x)", "0.5"),
                (r"integral01 (\x => (atanh x)^2)", "0.822467033424113218236207583323"),
                (r"integral01 (\x => atanh (2*x - 1))", "0"),
                (r"integral01 (\x => log1p (-x))", "-1"),
                // 2 log (1 + √2), π/2
                (r"integral01 (\x => asinh (1/x))", "1.762747174039086050465218649960"),
                (r"integral01 (\x => asinh (-1/x))", "-1.762747174039086050465218649960"),
                (r"integral01 (\x => acosh (1/x))", "1.570796326794896619231321691640"),
                // Raabe: log (2π)/2
                ("integral01 lgamma", "0.918938533204672741780329736406"),
                (r"integral01 (\x => x * digamma x)", "-0.918938533204672741780329736406"),
                // log (2π) - γ
                (r"integral01 (\x => x^2 * polygamma 1 x)", "1.260661401507812622954142840"),
                // 2·log Γ (1/2) - 4·∫ log Γ over [0, 1/2]
                (r"deriv (\c => integral01 (\x => lgamma (c * x))) 0.5", "-2.070149512669326666464545"),
                // at 1/√2, where 1/(1 - x²) is 2
                (r"argmax01 (\x => 2*x - atanh x)", "0.707106781186547524400844362105"),
                (r"max01 (\x => x - atanh x)", "0"),
            ],
        );
        say_nothing(&[
            "integral01 digamma",
            r"integral01 (\x => (digamma x)^2)",
            r"integral01 (\x => polygamma 1 x)",
            r"integral01 (\x => x * polygamma 1 x)",
            r"integral01 (\x => exp (4 * atanh x))",
            // for a greater c it is not defined
            r"deriv (\c => integral01 (\x => atanh (c * x))) 1",
            r"deriv (\c => integral01 (\x => log1p (-c * x))) 1",
            // nor for any other c, though 1 + (c - 1)² has no slope at 1
            r"deriv (\c => integral01 (\x => log1p (-x * (1 + (c - 1)^2)))) 1",
            r"deriv (\c => integral01 (\x => atanh (x * (1 + (c - 1)^2)))) 1",
        ]);
    }

    /// What is not defined at a corner of the square alone, or at all of its points on an edge as well; closed forms.
    #[test]
    fn what_is_singular_at_a_corner_has_an_integral() {
        hold_within(
            WORK,
            "1e-6",
            &[
                // 8/3 (√2 - 1), twice
                (r"integral01 (\x => integral01 (\y => 1/sqrt (x + y)))", "1.1045694996615869166"),
                (r"integral01 (\x => integral01 (\y => 1/sqrt (2 - x - y)))", "1.1045694996615869166"),
                // 2/3 (1 - log 2), 4/3 log 2 - 5/6, 2 log 2 - 3/2
                (r"integral01 (\x => integral01 (\y => x*y/(x + y)))", "0.2045685462933699124"),
                (r"integral01 (\x => integral01 (\y => (x + y)*log (x + y)))", "0.0908629074132601753"),
                (r"integral01 (\x => integral01 (\y => log (x + y)))", "-0.1137056388801093812"),
                // an input on which the corner does not depend
                (r"deriv (\c => integral01 (\x => integral01 (\y => c^2*log (x + y)))) 0.5", "-0.1137056388801093812"),
                // 9/10 (2^(5/3) - 2)
                (r"integral01 (\x => integral01 (\y => (x + y)^(-1/3)))", "1.05732189354275930"),
            ],
        );
        // of infinite integrals, what is not defined inside, and what is so for an input and not for those beside it
        say_nothing(&[
            r"deriv (\c => integral01 (\x => 0/(x + c))) 0",
            r"deriv (\c => integral01 (\x => c + 0*log (x + c^3))) 0",
            r"deriv (\c => c + integral01 (\x => (x-x)/(x + c))) 0",
            r"deriv (\c => integral01 (\x => 0*log (c - x))) 1",
            r"deriv (\c => integral01 (\y => integral01 (\x => 0*log (x + y + c)))) 0",
            r"deriv (\c => max 5 (integral01 (\x => log (x + c)))) 0",
            r"deriv (\c => max 5 (integral01 (\y => integral01 (\x => x/(x + y + c))))) 0",
            r"deriv (\c => integral01 (\y => max 5 (integral01 (\x => log (x + y + c))))) 0",
            r"deriv (\c => max 5 (c * integral01 (\x => log (x + c)))) 0",
            r"deriv (\c => max01 (\x => x^2/(x + c))) 0",
            r"integral01 (\x => integral01 (\y => 1/(x + y)^2))",
            r"integral01 (\x => integral01 (\y => log (x - y)))",
            r"deriv (\c => integral01 (\x => integral01 (\y => 1/sqrt (c + x + y)))) 0",
        ]);
    }

    /// What has no limit at an end has no greatest value there, though it is bounded.
    #[test]
    fn what_oscillates_at_an_end_has_no_optimum_there() {
        for question in [
            r"argmax01 (\x => sin (1/x) - x)",
            r"max01 (\x => sin (1/x) - x)",
            r"max01 (\x => sin (1/x) / (1 + x))",
            r"max01 (\x => cos (1/x) * (1 - x))",
            r"argmin01 (\x => (1+x) * (2 + cos (1/x)))",
            r"argmin01 (\x => x^2 + cos (1/x))",
        ] {
            let answer = ask_within(1_000_000, question, "1e-6");
            assert!(!answer.enclosure.is_defined(), "{question}: {:?}", answer.enclosure);
        }
        hold("1e-3", &[(r"integral01 (\x => x * sin (1/x))", "0.378530017124161309819")]);
    }

    /// At c = 0 a power of c is 0 with its slope, and it is not beside 0. Integrals that diverge for all other c, or for those of one
    /// sign; slopes that differ from side to side, or are infinite; optima that are ∞ beside c, or jump.
    #[test]
    fn what_vanishes_for_one_input_alone_is_no_zero() {
        say_nothing(&[
            r"deriv (\c => integral01 (\x => c^2 / x)) 0",
            r"deriv (\c => integral01 (\x => c^2 / abs (x - 0.3))) 0",
            r"deriv (\c => integral01 (\x => exp (c^2/x))) 0",
            r"deriv (\c => integral01 (\x => (1 + c^2/x)^2)) 0",
            r"deriv (deriv (\c => integral01 (\x => c^3 / x))) 0",
            r"deriv (\c => integral01 (\x => integral01 (\y => c^2 / (x * y)))) 0",
            r"deriv (\c => integral01 (\x => log (x^2 + c^2))) 0",
            r"deriv (\c => integral01 (\x => log ((abs (x - 0.3))^2 + c^2))) 0",
            r"deriv (\c => integral01 (\x => x^2 / (x^2 + c^2))) 0",
            r"deriv (\c => integral01 (\x => (x^2 + c^2)^(-1/3))) 0",
            r"deriv (\c => integral01 (\x => (x + c^2)^(-2/3))) 0",
            r"deriv (\c => integral01 (\x => 1 / sqrt (x + c^2))) 0",
            r"deriv (\c => integral01 (\x => (abs (x - c^2))^(-2/3))) 0",
            r"deriv (\c => integral01 (\x => atan (c^2/x) / sqrt x)) 0",
            r"deriv (\c => integral01 (\x => (x + c^2)^(1/3) * x^(-5/6))) 0",
            r"deriv (\c => integral01 (\x => (x^2 + c^2)^(1/9) / sqrt x)) 0",
            r"deriv (\c => integral01 (\x => log (x + c^3))) 0",
            r"deriv (\c => integral01 (\x => log (x * (x + c^3)))) 0",
            r"deriv (\c => integral01 (\x => x / (x - c^3))) 0",
            r"deriv (\c => integral01 (\x => if x < c^3 then log (-1) else x)) 0",
            r"deriv (\c => integral01 (\x => if x < c^2 then 1/c^2 else 1)) 0",
            r"deriv (\c => integral01 (\x => if x < c^2 then 0 else x^(-2/3))) 0",
            r"deriv (\c => max01 (\x => c/x + x)) 0",
            r"deriv (\c => argmax01 (\x => c/x + x)) 0",
            r"deriv (\c => max01 (\x => exp (c/x) + x)) 0",
            r"deriv (\c => max01 (\x => c^2/x + x)) 0",
            r"deriv (\c => max01 (\x => x - c/x)) 0",
            r"deriv (\c => min01 (\x => (2 - x) * x/(x + c))) 0",
            r"deriv (\c => argmin01 (\x => (2 - x) * x/(x + c))) 0",
            r"deriv (\c => min01 (\x => (2 - x) * x/(x + c^2))) 0",
            r"deriv (\c => max01 (\x => x + x/(x + c))) 0",
            r"deriv (\c => max01 (\x => -1 / (x - c))) 0",
            r"deriv (\c => max01 (\x => log (x + c))) 0",
            r"deriv (\c => argmax01 (\p => 3 * log (p + c) + 7 * log (1 - p))) 0",
            r"deriv (\c => min01 (\x => (x + c) * log (x + c))) 0",
        ]);
    }

    /// Where both variables come to 0 the integrand has no bound, and where one of them is 0 the integral inside has none.
    #[test]
    fn what_has_no_bound_at_a_corner_has_an_integral() {
        hold_within(
            WORK,
            "1e-6",
            &[
                // 2 log 2, π²/6, log 2 - 1/2, log 2 - 3 + π/2
                (r"integral01 (\x => integral01 (\y => 1/(x + y)))", "1.3862943611198906188"),
                (r"integral01 (\x => integral01 (\y => 1/(1 - x*y)))", "1.6449340668482264365"),
                (r"integral01 (\x => integral01 (\y => x*y/(x + y)^2))", "0.1931471805599453094"),
                (r"integral01 (\x => integral01 (\y => log (x^2 + y^2)))", "-0.7360564926451580714"),
            ],
        );
        hold_within(
            WORK,
            crate::in_tiers("1e-3", "1e-4"),
            &[
                // what is infinite inside, times what makes up for it: log 2
                (r"integral01 (\x => x * integral01 (\y => 1/(x + y)^2))", "0.6931471805599453094"),
                // 2 log (1 + √2)
                (r"integral01 (\x => integral01 (\y => 1/sqrt (x^2 + y^2)))", "1.7627471740390860505"),
                (r"deriv (\c => integral01 (\x => integral01 (\y => c/(x + y)))) 0.5", "1.3862943611198906188"),
            ],
        );
        // 8 - 4√2: the work of pieces on which the nodes know that the power has no pole
        hold_within(
            150_000_000,
            crate::in_tiers("1e-3", "1e-4"),
            &[(r"integral01 (\x => integral01 (\y => (x + y)^(-1.5)))", "2.3431457505076198048")],
        );
        // (2 - 2^(1/10))·100/9: both orders of the corner are near -1, and -7/8 would leave too much for the other one
        let answer =
            ask_within(20_000_000, r"integral01 (\x => integral01 (\y => (x + y)^(-19/10)))", "1e-2").enclosure;
        assert!(answer.is_defined() && answer.contains(&number("10.3136281940411870643")), "{answer:?}");
        // (x - y)/(x + y)³ has two values, ½ and -½, by the order of its variables
        say_nothing(&[
            r"integral01 (\x => integral01 (\y => 1/(x^2 + y^2)))",
            r"integral01 (\x => integral01 (\y => 1/(x - y)))",
            r"integral01 (\x => integral01 (\y => (x - y)/(x + y)^3))",
            r"integral01 (\x => integral01 (\y => 1/(x*y)))",
            r"deriv (\c => integral01 (\y => integral01 (\x => 1/(x + y + c)))) 0",
            r"deriv (\c => max 5 (integral01 (\y => integral01 (\x => 1/(x + y + c))))) 0",
        ]);
    }
}
