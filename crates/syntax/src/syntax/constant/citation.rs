//! The sources of the constants in the literature.

use super::Constant;

impl Constant {
    /// Returns the definition of the constant in a paper, or the reason for it if no paper has it. S is [Sherman et al.
    /// 2021](crate::refs::SHERMAN_2021).
    pub fn source(self) -> &'static str {
        match self {
            Constant::Add | Constant::Subtract | Constant::Multiply | Constant::NaturalProduct | Constant::Divide => {
                "S Fig. 2, §4.3.1"
            }
            Constant::NaturalDifference => "not in S; a difference that is no natural number is none",
            Constant::Negate => "S Fig. 1, where -x is written; 0 - x",
            Constant::Power => "S Fig. 1 for x²; other exponents by exp and log",
            Constant::RealPower => "not in S; exp and log of S §4.3",
            Constant::NaturalPower => "S Fig. 1 for x²",
            Constant::Equal
            | Constant::NotEqual
            | Constant::Less
            | Constant::LessEqual
            | Constant::Greater
            | Constant::GreaterEqual
            | Constant::Not
            | Constant::ToReal => "S §8.1: data without derivatives may decide",
            Constant::RealLess | Constant::RealLessEqual | Constant::RealGreater | Constant::RealGreaterEqual => {
                "not in S; a truth value that is undefined on its border extends §8.1"
            }
            Constant::RealEqual | Constant::RealNotEqual => "W §2.1; no other paper has it",
            Constant::Max => "S Fig. 2, §4.3.2",
            Constant::Min | Constant::Abs | Constant::Signum => "S §4.3.2, as max",
            Constant::Elementary(function) => function.row().source,
            Constant::Planar(function) => function.row().source,
            Constant::Pi => "S Fig. 2, §4.3",
            Constant::E | Constant::Sigmoid | Constant::Polygamma => "not in S; a primitive as in S §4.3",
            Constant::Fst | Constant::Snd => "S §3, Fig. 5",
            Constant::Fold => "H §5.1",
            Constant::Functional(functional) => functional.source(),
            Constant::Deriv => "S §2.1, §4.3.3",
            Constant::Scale | Constant::Dot => "S Fig. 1b, in the plane",
            Constant::Zero => "A §2, (6): the 0 of a space of vectors",
            Constant::Trace => "not in S; by it a divergence is one of any number of coordinates",
            Constant::Det | Constant::LinearSolve => "not in S; sums and products of coordinates, as Fig. 1b",
            Constant::Jvp => "A §2, fd; by reverse mode its equation (6)",
            Constant::Rd => "A §3.1, M.rd_L(x.N)",
            Constant::Tangent | Constant::TangentValue => "S Fig. 2, §5.3",
            Constant::TangentProd => "S Fig. 2, §5.3, Proposition 5.1",
            Constant::TangentR => "S Fig. 2, §5.3, Proposition 5.2",
            Constant::TangentToR => "S Fig. 2, §5.3, Proposition 5.3",
        }
    }
}
