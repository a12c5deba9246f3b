//! Numbers, maps and solvers: certified values and derivatives of first order.

mod accuracy;
mod bessel;
mod borders;
mod complex;
mod containment;
mod divergence;
mod ends;
mod events;
mod exchange;
mod gamma;
mod map;
mod more_work;
mod optimum;
mod oscillation;
mod planar;
mod quadrature;
mod real;
mod solvers;
mod soundness;
mod special;
mod tape;
mod threads;
mod traps;
mod why;
mod windows;

#[path = "../tier.rs"]
mod tier;

use tier::{drawn, in_tiers};

use smoothish::model::answer::AnswerNumber;
use smoothish::session::{Diagnostic, Evaluate, Question, QuestionContext, Session};
use smoothish::smooth::program::{Block, BlockInstruction, CompiledMap};
use smoothish::value::Value;
use std::sync::Arc;

/// The question for a value, and for the work that it took.
struct Counted(Evaluate);

impl Question for Counted {
    type Output = (Value<AnswerNumber>, u64);

    fn answer_in(
        &self,
        session: &Session,
        on: &mut QuestionContext<'_>,
    ) -> Result<(Value<AnswerNumber>, u64), Diagnostic> {
        let value = self.0.answer_in(session, on)?;
        Ok((value, on.budget().work_done()))
    }
}

/// The body of the integral in a program.
fn integrand(program: &CompiledMap) -> Arc<Block> {
    let of = |instruction: &BlockInstruction| match instruction {
        BlockInstruction::Second { body, .. } => Some(body.clone()),
        _ => None,
    };
    program.root.instructions.iter().find_map(of).expect("an integral")
}

/// The allocator of the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
