//! `smoothish trace`.

use std::process::Command;

/// What the program prints, what it complains of, and its exit status.
pub(super) fn smoothish(arguments: &[&str]) -> (String, String, i32) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_smoothish")).args(arguments).env("NO_COLOR", "1").output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().expect("a status"))
}

pub(super) const SQUARES: &str = r"\x => let rec f (y : Real) : Real = if 10 < y then y else f (y * y) in f x";

/// 2, 4, 16: the loop runs three times for x between 10^¼ = 1.77827… and √10 = 3.16227….
#[test]
fn a_loop_is_written_out_and_says_where_it_stays_so() {
    let (text, complaint, status) = smoothish(&["trace", "--at", "2", SQUARES]);
    assert_eq!((&*complaint, status), ("", 0));
    assert_eq!(
        text,
        "! 3 guards decided; the value is 16\n! valid at least for x in [1.77828, 3.1622]\n\
         \\(x : Real) => let a = x * x in a * a\n"
    );
    // what is printed can be pasted, with its comments
    let (value, complaint, status) = smoothish(&["eval", &format!("({text}) 3")]);
    assert_eq!((&*value, &*complaint, status), ("81\n", "", 0));
    let (json, _, status) = smoothish(&["trace", "--json", "--at", "2", SQUARES]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((status, &json["valid"][0]["hi"], &json["guards"][2]["holds"]), (0, &"3.1622".into(), &true.into()));
    assert_eq!((&json["guards"][0]["place"], &json["type"]), (&"question:1:40".into(), &"Real -> Real".into()));
}

#[test]
fn derivatives_of_traces_can_be_pasted() {
    for strategy in ["accumulated", "literal"] {
        let (text, complaint, status) =
            smoothish(&["trace", "--reverse", "--strategy", strategy, "--at", "2", SQUARES]);
        assert_eq!((&*complaint, status), ("", 0));
        // 4 x³ at 2, and at another point of the interval
        for (at, value) in [("2", "32\n"), ("5/2", "62.5\n")] {
            assert_eq!(smoothish(&["eval", &format!("({text}) ({at})")]).0, value, "{text}");
        }
    }
    // parts of parts, which have the same names: a d + b c, and its slopes (d, c, b, a)
    let crossed = r"\(p : (Real * Real) * (Real * Real)) => fst (fst p) * snd (snd p) + snd (fst p) * fst (snd p)";
    let (text, _, _) = smoothish(&["trace", "--at", "((2, 3), (5, 7))", crossed]);
    assert_eq!(smoothish(&["eval", &format!("({text}) ((2, 3), (5, 7))")]).0, "29\n", "{text}");
    let (text, _, _) = smoothish(&["trace", "--reverse", "--at", "((2, 3), (5, 7))", crossed]);
    let slopes = smoothish(&["eval", &format!("({text}) ((2, 3), (5, 7))")]).0;
    assert_eq!(slopes, "((7, 5), (3, 2))\n", "{text}");
    // of a map of the plane: a function of the point and a cotangent
    let (text, _, _) = smoothish(&["trace", "--reverse", "--at", "(2, 3)", r"\(x, y) => (x * y, x^2)"]);
    assert_eq!(smoothish(&["eval", &format!("({text}) (2, 3) (1, 10)")]).0, "(43, 2)\n");
}

/// Status 2: the question is wrong.
#[test]
fn wrong_questions_are_refused() {
    for (arguments, text) in [
        (&["sin"][..], "give one of type Real, by --at"),
        (&["--at", "1", "2.0"], "--at needs a function"),
        (&["--at", "(1, 2)", "sin"], "takes Real, and the point is Real^2"),
        (&["--at", "sin", "sin"], "the point is a function"),
        (&["--at", "1", r"\x y => x + y"], "make them a tuple"),
        (&["--at", "1", r"\x => integral01 (\y => x * y)"], "traces have no `integral01`"),
        (&["--at", "1", r"\x => x +"], "error"),
        (&["--reverse", "2.0"], "--reverse needs a function"),
        (&["--at", "1", "--strategy", "fast", "sin"], "accumulated, literal"),
    ] {
        let (out, complaint, status) = smoothish(&[&["trace"], arguments].concat());
        assert_eq!((&*out, status), ("", 2), "{arguments:?}: {complaint}");
        assert!(complaint.contains(text), "{complaint}");
    }
    let loop_of = r"\x => let rec f (y : Real) : Real = if 1000000 < y then y else f (y * 2) in f x";
    let (_, complaint, status) = smoothish(&["trace", "--reverse", "--strategy", "literal", "--at", "1", loop_of]);
    assert!(status == 4 && complaint.contains("strategy `accumulated`"), "{complaint}");
}

/// A while loop, backward: the derivative of the program, with the interval on which it runs as often.
#[test]
fn newtons_loop() {
    let newton = r"\a => let rec it (x : Real) (a : Real) : Real =
                     if x * x - a < 1e-9 then x else it ((x + a / x) / 2) a in it 2 a";
    let (text, complaint, status) = smoothish(&["trace", "--reverse", "--at", "2", newton]);
    assert_eq!((&*complaint, status), ("", 0));
    let (slope, _, _) = smoothish(&["eval", "--eps", "1e-12", &format!("({text}) 2")]);
    // 9797086969/27710346528
    assert!(slope.starts_with("[0.35355"), "{slope}");
    let (_, _, status) = smoothish(&["eval", &format!("({text}) 2 - 9797086969/27710346528")]);
    assert_eq!(status, 0);
}

/// A's own operation without a type: vectors that are left open are numbers, so that 1·3 + 2·4 = 11; and a function of anything is one of numbers.
#[test]
fn a_type_that_is_left_open_is_that_of_numbers() {
    let (text, complaint, status) =
        smoothish(&["trace", "--at", "(1, 2, 3, 4)", r"\(a, b, c, d) => dot (a, b) (c, d)"]);
    assert_eq!((&*complaint, status), ("", 0));
    assert!(text.starts_with("! no guards; the value is 11\n"), "{text}");
    let (text, _, status) = smoothish(&["trace", "--reverse", "--at", "3", r"\x => dot x x"]);
    assert_eq!(status, 0);
    assert_eq!(smoothish(&["eval", &format!("({text}) 3")]).0, "6\n", "{text}");
    let (text, _, status) = smoothish(&["trace", "--at", "5", r"\x => x"]);
    assert_eq!((status, text.lines().last()), (0, Some(r"\(x : Real) => x")), "{text}");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Numbers in place of a trace: (x⁴, 4 x³) at 2, of a map of the plane row by row, on doubles where that is said.
    #[test]
    fn a_tape_gives_numbers() {
        let tape = |arguments: &[&str]| smoothish(&[&["trace", "--strategy", "tape"], arguments].concat());
        for (arguments, expected) in [
            (&["--at", "2", SQUARES][..], "! by a tape, certified\n16\n"),
            (&["--reverse", "--at", "2", SQUARES], "! by a tape, certified; the value is 16\n32\n"),
            (
                &["--reverse", "--at", "(2, 3)", r"\(x, y) => (x * y, x^2)"],
                "! by a tape, certified; the value is (6, 4)\n((3, 2), (4, 0))\n",
            ),
            (&["--reverse", "--double", "--at", "2", SQUARES], "! by a tape, doubles; the value is 16 ± 0\n32 ± 0\n"),
        ] {
            assert_eq!(tape(arguments), (expected.to_owned(), String::new(), 0), "{arguments:?}");
        }
        // 0.1 + 0.1 + 0.1 in doubles is off 3/10 by 4.44e-17 (by fractions)
        let (sum, _, status) = tape(&["--double", "--at", "0.1", r"\x => x + x + x"]);
        let (value, error) = sum.trim_start_matches("! by a tape, doubles\n").trim_end().split_once(" ± ").expect(&sum);
        assert_eq!((status, value.parse()), (0, Ok(0.1 + 0.1 + 0.1)));
        let error: f64 = error.parse().expect("a number");
        assert!((4.44e-17..=8.0 * f64::EPSILON * 0.3).contains(&error), "{error}");
        let (sum, _, _) = tape(&["--double", "--json", "--at", "1/2", r"\x => (x, x + x)"]);
        let sum: serde_json::Value = serde_json::from_str(&sum).expect("JSON");
        let part = |value: f64| serde_json::json!({ "value": value, "error": 0.0 });
        assert_eq!(sum["value"], serde_json::json!([part(0.5), part(1.0)]));
        // 1/3 + 1/3 + 1/3 is 1, which no enclosure in doubles tells from 1
        let (_, complaint, status) = tape(&["--double", "--at", "1/3", r"\x => if x + x + x < 1 then 0 else 1"]);
        assert!(status == 4 && complaint.contains("`<` was not decided with 53 bits"), "{complaint}");
        let (json, _, status) = tape(&["--json", "--reverse", "--at", "2", SQUARES]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!((status, &json["reverse"][0]["lo"], &json["certified"]), (0, &"32".into(), &true.into()));
        for (arguments, status, text) in [
            (&["--at", "10", SQUARES][..], 4, "`<` is at the edge"),
            (&["--at", "sqrt 10", SQUARES], 4, "was not decided with 1024 bits"),
            (&["--at", "1", "--timeout", "1", SQUARES], 4, "not found out in time"),
            (&["--at", "1", "--fuel", "5", SQUARES], 2, "unfold recursions without a limit"),
        ] {
            let (_, complaint, found) = tape(arguments);
            assert!(found == status && complaint.contains(text), "{arguments:?}: {complaint}");
        }
        let (_, complaint, status) = smoothish(&["trace", "--double", "--at", "2", SQUARES]);
        assert!(status == 2 && complaint.contains("--double is for the strategy `tape`"), "{complaint}");
    }

    /// A15, A16: every rule by its conclusion, its redex and its context; what is printed besides is what is printed without.
    #[test]
    fn steps_are_rules() {
        let question = r"\x => let rec f (y : Real) : Real = if 10 < y then y else f (y * y) in f x + 1";
        let (plain, _, _) = smoothish(&["trace", "--at", "2", question]);
        let (text, complaint, status) = smoothish(&["trace", "--steps", "--at", "2", question]);
        assert_eq!((&*complaint, status), ("", 0));
        assert!(text.ends_with(&plain), "{text}");
        let (json, _, _) = smoothish(&["trace", "--steps", "--json", "--at", "2", question]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        let steps = json["reduction"]["steps"].as_array().expect("steps");
        let of = |part: &str| steps.iter().map(|step| step[part].as_str().unwrap_or("").to_owned()).collect::<Vec<_>>();
        let (call, choice, op) = ("f(V) ⇝ let x = V in C", "if b then M else N ⇝ C", "op(V) ⇝ op(V)");
        let decided = |b| format!("E[pred(V)] ⇝ C, pred(V) ⇒ {b}");
        let (no, yes) = (decided(false), decided(true));
        let unfolded = [call, &no, choice, op];
        let rules =
            [&["letrec f(x) = M in N ⇝ C"], &unfolded[..], &unfolded, &[call, &yes, choice, "V ⇝ V", "V + W ⇝ V + W"]];
        assert_eq!(of("rule"), rules.concat());
        // the hole is where the call stands, and a call in tail position goes on in it
        let levels: Vec<_> = steps.iter().map(|step| step["level"].as_u64()).collect();
        assert_eq!(levels, [0, 1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 1, 0].map(Some));
        let contexts = of("context");
        assert_eq!((&*contexts[0], &*contexts[1], &*contexts[4], &*contexts[13]), ("", "□ + 1", "f □", ""));
        // no two variables are written alike
        let traces = of("trace");
        assert_eq!(traces[1], "let y = x in …");
        assert_eq!(traces[10], "let y = x in let c = y * y in let y1 = c in let c1 = y1 * y1 in let y2 = c1 in …");
        assert!(traces[12].starts_with("let c2 = let y = x in "), "{}", traces[12]);
        assert_eq!(of("redex")[13], "c2 + 1");
        // what is long has an end
        let long = r"\x => let rec f (y : Real) : Real = if y < 0 then y else f (y - 1) in f x";
        let (json, _, _) = smoothish(&["trace", "--steps", "--json", "--at", "3001/2", long]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["reduction"]["steps"].as_array().map(Vec::len), Some(1000));
        // letrec, 1502 calls with two rules for each choice, 1501 differences, and a value
        assert_eq!(json["reduction"]["further"], 1 + 3 * 1502 + 1501 + 1 - 1000);
    }

    /// Status 4 with the cause, the place, and how nearly.
    #[test]
    fn what_is_undefined_says_why_and_where() {
        for (arguments, cause, text) in [
            (&["--at", "sqrt 10", SQUARES][..], "undecided", "1024 bits; the two sides agree to within 2^-10"),
            (&["--at", "10", SQUARES], "boundary", "`<` is at the edge"),
            (&["--at", "1/3", r"\x => if x < 1/3 then x else 0"], "boundary", "question:1:10"),
            (&["--at", "1", "--fuel", "50", SQUARES], "fuel", "`f` was unfolded as often as its limit allows"),
            (&["--at", "1", "--timeout", "1", SQUARES], "fuel", "not found out in time"),
            (&["--at", "-1", "log"], "domain", "`log` is outside of its domain"),
            (&["--at", "0", "abs"], "boundary", "`abs` is at the edge"),
            (&["if sqrt 2 * sqrt 2 < 2 then 1 else 0"], "undecided", "agree to within 2^-10"),
        ] {
            let (out, complaint, status) = smoothish(&[&["trace"], arguments].concat());
            assert_eq!((&*out, status), ("", 4), "{arguments:?}");
            assert!(complaint.contains(text), "{complaint}");
            let (json, _, status) = smoothish(&[&["trace", "--json"], arguments].concat());
            let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            assert_eq!((status, &json["undefined"]["cause"]), (4, &cause.into()), "{json}");
        }
        // the least fuel is enough
        assert_eq!(smoothish(&["trace", "--at", "2", "--fuel", "3", SQUARES]).2, 0);
        assert_eq!(smoothish(&["trace", "--at", "2", "--fuel", "2", SQUARES]).2, 4);
    }
}
