//! Huge programs: the answer comes within a second or so, in bounded memory, and names the limit.

use super::{answer, library};
use smoothish::syntax::library::Library;
use std::time::{Duration, Instant};

/// Debug builds on a busy machine are slow; what is guarded against here takes minutes or for ever.
const PATIENCE: Duration = Duration::from_secs(30);

fn quickly(library: &Library, program: &str, expected: &str) {
    let start = Instant::now();
    let report = answer(library, program);
    let head: String = program.chars().take(40).collect();
    let shown: String = report.chars().take(600).collect();
    assert!(report.contains(expected), "{head}…\n{shown}");
    assert!(start.elapsed() < PATIENCE, "{head}… took {:?}", start.elapsed());
}

#[test]
fn deep_programs_are_refused() {
    let library = Library::new();
    let deep = "nested more than 10000 levels deep";
    let many = 100_000;
    for (before, middle, after) in [
        ("(", "1", ")"),
        ("(", "", ""),
        ("- ", "1", ""),
        ("\\x => ", "x", ""),
        ("\\x ", "=> x", ""),
        ("(\\x => ", "x", ") 1"),
        ("let x = ", "1", " in x"),
        ("let x = 1 in ", "x", ""),
        ("let f x = ", "x", " in f"),
        ("let (a, b) = (1, 2) in ", "a", ""),
        ("if tt then ", "1", " else 2"),
        ("sin (", "1", ")"),
        ("f ", "x", ""),
        ("(1, ", "1", ")"),
        ("2 ^ ", "1", ""),
        ("tt && ", "tt", ""),
        ("1 + (", "1", ")"),
        ("x", "", ".to"),
        ("x", "", "[0]"),
        ("x", "", "²"),
        ("\\(", "x", ", y) => x"),
        ("let (", "x", ", y) = 1 in x"),
        ("(1 : ", "Real", ")"),
        ("(\\x : ", "Real", " => 1)"),
    ] {
        let program = format!("{}{middle}{}", before.repeat(many), after.repeat(many));
        let start = Instant::now();
        let report = answer(&library, &program);
        let shown: String = report.chars().take(500).collect();
        let told = report.contains(deep) || report.contains("is not known here") || report.contains("expected");
        let told = told || report.contains("bound twice") || report.contains("is too large");
        assert!(report.starts_with("error") && told, "{before} {middle} {after}\n{shown}");
        assert!(start.elapsed() < PATIENCE, "{before} {middle} {after}: {:?}", start.elapsed());
    }
    quickly(&library, &format!("{}1{}", "(".repeat(many), ")".repeat(many)), deep);
    quickly(&library, &format!("(1 : {}Real{})", "(".repeat(many), ")".repeat(many)), deep);
    quickly(&library, &format!("(1 : {}Real)", "Real -> ".repeat(many)), deep);
    quickly(&library, &format!("(1 : {}Real{})", "Tan (".repeat(many), ")".repeat(many)), deep);
    quickly(&library, &format!("(1 : Real{})", "^1".repeat(many)), deep);
    quickly(&library, &format!("1{}", " + 1".repeat(1_000_000)), deep);
    quickly(&library, &"- ".repeat(many), deep);
    quickly(&library, &"let x = 1 in ".repeat(many), deep);
}

#[test]
fn programs_just_within_the_depth_are_accepted() {
    let library = Library::new();
    for (program, ty) in [
        (format!("{}1{}", "(".repeat(9_990), ")".repeat(9_990)), "Real"),
        (format!("1{}", " + 1".repeat(9_990)), "Real"),
        (format!("{}1", "- ".repeat(9_990)), "Real"),
        (format!("{}1{}", "sin (".repeat(4_900), ")".repeat(4_900)), "Real"),
        (format!("{}x", "let x = 1 in ".repeat(9_990)), "Real"),
        (format!("{}tt", "tt && ".repeat(9_990)), "Bool"),
    ] {
        quickly(&library, &program, ty);
    }
    let functions = format!("{}1", "\\_ => ".repeat(9_000));
    assert!(answer(&library, &functions).contains("-> Real"));
    let parameters = format!("\\{} => 1", (0..9_000).map(|number| format!("x{number} ")).collect::<String>());
    assert!(answer(&library, &parameters).contains("-> Real"));
}

/// What a deep term is made of can be printed, compared, dropped, on a thread with a small stack.
#[test]
fn deep_programs_need_no_deep_stack() {
    let thread = std::thread::Builder::new().stack_size(256 * 1024).spawn(|| {
        let library = Library::new();
        let program = format!("{}x{}", "\\x => (1, ".repeat(4_000), ")".repeat(4_000));
        let (term, ty) = library.infer_expression(&program).map_err(|error| error.to_string())?;
        let printed = term.to_string();
        let again = library.infer_expression(&printed).map_err(|error| error.to_string())?;
        Ok::<bool, String>(ty == again.1 && printed == again.0.to_string())
    });
    let result = thread.map(|thread| thread.join());
    assert!(matches!(result, Ok(Ok(Ok(true)))), "{result:?}");
}

#[test]
fn types_that_explode_are_refused() {
    let library = Library::new();
    let large = "the types here are too large";
    let doubling: String = (1..60).map(|n| format!("let p{n} = \\x => p{} (p{} x) in ", n - 1, n - 1)).collect();
    quickly(&library, &format!("let p0 = \\x => (x, x) in {doubling} p59"), large);
    let pairs: String = (1..60).map(|n| format!("let x{n} = (x{}, x{}) in ", n - 1, n - 1)).collect();
    quickly(&library, &format!("let x0 = 1 in {pairs} x59"), large);
    let functions: String = (1..60).map(|n| format!("let f{n} = \\g => g f{} f{} in ", n - 1, n - 1)).collect();
    quickly(&library, &format!("let f0 = \\x => x in {functions} f59"), large);
    let monomorphic: String = (1..60).map(|n| format!("(\\x{n} => ")).collect();
    let arguments: String = (1..60).rev().map(|n| format!(") (x{}, x{})", n - 1, n - 1)).collect();
    quickly(&library, &format!("(\\x0 => {monomorphic} x59 {arguments}) 1"), large);
    quickly(&library, &format!("\\(x : {}Real{}) => x", "(".repeat(60), "^2)".repeat(60)), large);
    quickly(&library, "\\(x : ((Real^10000)^10000)^10000) => x", large);
    quickly(&library, &format!("\\(x : Real^10000) => {}", "\\(x : Real^10000) => ".repeat(2_000) + "x"), large);
    quickly(&library, &format!("\\(x : Real^10000) => ({}x)", "x + x, ".repeat(9_999)), "");
    // Unification of two large types that were built apart.
    let pair = |name: &str| -> String {
        (1..14).map(|n| format!("let {name}{n} = ({name}{}, {name}{}) in ", n - 1, n - 1)).collect()
    };
    let apart = format!("let a0 = 1 in {} let b0 = 1 in {} a13 + b13", pair("a"), pair("b"));
    quickly(&library, &apart, "^2");
}

#[test]
fn large_programs_within_the_limits_are_accepted() {
    let library = library();
    let row = format!("({})", vec!["x"; 9_000].join(","));
    let rows = format!("\\(x : Real) => ({})", [row.as_str(); 10].join(","));
    quickly(&library, &rows, "Real -> (Real^9000)^10");
    let lets: String =
        (0..4_000).map(|n| format!("let f{n} = \\x => gradient (\\(a, b) => a * b + x) (x, {n}) in ")).collect();
    quickly(&library, &format!("{lets} f3999 1"), "Real^2");
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn long_texts_are_refused() {
        let library = Library::new();
        quickly(&library, &" ".repeat(10_000_001), "the input has 10000001 bytes; at most 10000000 are read");
        quickly(&library, &"1 ".repeat(4_999_999), "nested more than 10000 levels deep");
        let wide = format!("({})", vec!["1"; 10_001].join(","));
        quickly(&library, &wide, "a tuple of more than 10000 components is too wide: at most 10000 are allowed");
        let row = format!("({})", vec!["1"; 9_000].join(","));
        let square = format!("({})", vec![row.as_str(); 500].join(","));
        quickly(&library, &square, "the program has more than 1000000 parts");
        quickly(&library, &"x".repeat(9_999_999), "is not known here");
        let literals = "1e99999 * ".repeat(1_000) + "1";
        quickly(&library, &literals, "the long numbers of this text are too long together: at most 2000000 bits");
        quickly(&library, &("1e999 * ".repeat(2_000) + "1"), "");
        quickly(&library, &"1".repeat(9_999_999), "this number is too long: at most 100000 digits");
        quickly(&library, &format!("0.{}1", "0".repeat(9_999_990)), "this number is too long");
        quickly(&library, &format!("({}", "\"".repeat(9_999_990)), "expected an expression");
        quickly(&library, &"!".repeat(9_999_999), "expected an expression, found nothing");
        quickly(&library, &"\n".repeat(9_999_999), "expected an expression, found nothing");
        quickly(&library, &format!("1 {}", "\\".repeat(9_999_990)), "expected a parameter");
        quickly(&library, &format!("let f {} = 1 in f", "(".repeat(9_999_900)), "nested more than 10000 levels deep");
        quickly(&library, &format!("x{}", "[0]".repeat(3_000_000)), "nested more than 10000 levels deep");
        quickly(&library, &format!("\\{} => 1", "x ".repeat(900_000)), "is bound twice");
        quickly(&library, &format!("let f {} = 1 in f", "A ".repeat(900_000)), "`A` is bound twice");
        let distinct: String = (0..400_000).map(|number| format!("A{number} ")).collect();
        quickly(&library, &format!("let f {distinct} = 1 in f"), "Real");
        quickly(&library, "2^100000", "Real");
        quickly(&library, "1e100000 + 1e-100000", "Real");
    }
}
