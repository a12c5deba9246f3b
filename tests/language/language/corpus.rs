//! Truncations and mutations of good texts: whatever comes out, nothing panics and everything ends.

use super::library;
use smoothish::syntax::source;
use smoothish::syntax::source::SourceText;
use smoothish::theory::builtin::SOURCES;
use smoothish::theory::format;
use smoothish::theory::loader::TheoryCollection;

/// A small generator of numbers, the same on every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

const PROGRAMS: [&str; 9] = [
    "deriv (λ c ⇒ integral01 (λ x ⇒ relu (x - c))) 0.6",
    "let rec fact (n : ℕ) : Nat = if n == 0 && not tt then 1 else n * fact (n - 1) in toReal (fact 5)",
    "let f A (x : A) (y : Real^2) : A * Real = (x, y[0]² + y[1]^2) in snd (f (tt, ff) (1, -2e-3))",
    "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0) ! a comment\n + 2",
    "snd (tangent_R.to (tangent (\\x => x³) (tangent_R.from (x, 1))))",
    "let (a, (b, _)) : Real * (Real * unit) = (1, (2, ())) in \\((p, q) : Bool * (A -> B ≅ C)) => p",
    "(\\x y => max x y : Real -> Real -> Real) (-1) (Integral.mean Integral.uniform)",
    "do { (x, b) <- return (1, tt); let y = 2; observe (normal x 1) y; return (x<-1) }",
    "if 1 /= 2 || 3 <= 4 then (+) 1 2 else x’ × π · e",
];

const PIECES: [&str; 51] = [
    "(", ")", "[", "]", ",", ":", ".", "..", "=", "=>", "->", "\\", "λ", "⇒", "^", "²", "⁻", "-", "+", "*", "/", "==",
    "<", "&&", "||", "~", "≅", "!", "\"", "let ", "rec ", " in ", "if ", " then ", " else ", "do ", "{", "}", ";",
    "<-", "tt", "Real", "Tan ", "x", "_", "1e9", "0.", "ℜ2", "\u{301}", "\u{202e}", "\0",
];

/// A text with some characters removed, doubled, exchanged or replaced.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut letters: Vec<String> = text.chars().map(String::from).collect();
    for _ in 0..=random.below(4) {
        if letters.is_empty() {
            break;
        }
        let at = random.below(letters.len());
        match random.below(5) {
            0 => {
                letters.remove(at);
            }
            1 => letters[at] = PIECES[random.below(PIECES.len())].to_owned(),
            2 => letters.insert(at, PIECES[random.below(PIECES.len())].to_owned()),
            3 => {
                let other = random.below(letters.len());
                letters.swap(at, other);
            }
            _ => {
                let end = (at + random.below(20)).min(letters.len());
                let copy: Vec<String> = letters[at..end].to_vec();
                let to = random.below(letters.len());
                letters.splice(to..to, copy);
            }
        }
    }
    letters.concat()
}

#[test]
fn broken_programs_are_answered() {
    let library = library();
    let try_out = |text: &str| match library.infer_expression(text) {
        Ok((term, ty)) => assert!(!term.to_string().is_empty() && !ty.to_string().is_empty()),
        Err(error) => {
            let report = source::render_error(&SourceText::new("question", text), &error);
            assert!(report.starts_with("error: ") && report.contains(" --> question"), "{text}\n{report}");
        }
    };
    let mut random = Random::new(1);
    for program in PROGRAMS {
        for (end, _) in program.char_indices() {
            try_out(&program[..end]);
            try_out(&program[end..]);
        }
        for _ in 0..1_500 {
            try_out(&mutated(program, &mut random));
        }
    }
    for _ in 0..3_000 {
        let soup: String = (0..random.below(30)).map(|_| PIECES[random.below(PIECES.len())]).collect();
        try_out(&soup);
    }
}

#[test]
fn any_bytes_are_answered() {
    let mut random = Random::new(3);
    for _ in 0..2_000 {
        let bytes: Vec<u8> = (0..random.below(60)).map(|_| random.below(256) as u8).collect();
        if let Ok(text) = smoothish::syntax::source::decode_utf8(&bytes) {
            let _ = smoothish::syntax::library::Library::new().infer_expression(text);
        }
    }
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn broken_theories_are_answered() {
        let mut random = Random::new(2);
        for (name, text) in SOURCES {
            for _ in 0..60 {
                let broken = mutated(text, &mut random);
                let mut theories = TheoryCollection::new();
                if let Err(error) = theories.load([SourceText::new(name, broken)]) {
                    assert!(error.render().starts_with("error: "));
                }
            }
            for end in (0..text.len()).step_by(37).filter(|&end| text.is_char_boundary(end)) {
                let _ = format::parse(&text[..end]);
            }
        }
    }
}
