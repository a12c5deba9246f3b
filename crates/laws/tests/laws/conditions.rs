//! The table of conditions: every row against numbers, jets and doubles, and a wrong row for each.

use smoothish_laws::function::{
    ArgumentCondition, BorderKind, Function, NumberSet, OperationConditions, Planar, PowerKind, RealOperation, Region,
    SpecialId, TestedQuantity,
};
use smoothish_laws::law::conditions::{ConditionSample, conditions_hold};
use smoothish_laws::random::SplitMix64;
use smoothish_laws::verdict::Verdict;

/// The boxes for each row.
const SAMPLES: u64 = 400;
/// The seeds that each have to refute a wrong row.
const SEEDS: u64 = 20;

/// All rows: the operations, the functions with a name, one higher derivative of each special function, and the functions of
/// two variables.
fn all_operations() -> Vec<RealOperation> {
    let functions = Function::ALL.iter().copied();
    let derivatives = SpecialId::ALL.iter().map(|id| Function::Special(*id, 3));
    let binary = Planar::ALL.iter().copied().map(RealOperation::Binary);
    let unary = functions.chain(derivatives).map(RealOperation::Function);
    RealOperation::BASIC.into_iter().chain(unary).chain(binary).collect()
}

/// Tests a row on samples of a seed. Stops at a refutation.
fn test_row(operation: RealOperation, row: &OperationConditions, seed: u64) -> Verdict {
    let mut verdict = Verdict::Vacuous;
    for index in 0..SAMPLES {
        let sample = ConditionSample::draw(operation, &mut SplitMix64::for_sample(seed, index));
        verdict = verdict.and(conditions_hold(&sample, row));
        if verdict.is_refuted() {
            break;
        }
    }
    verdict
}

#[test]
fn every_row_agrees_with_numbers_jets_and_doubles() {
    for operation in all_operations() {
        let verdict = test_row(operation, operation.conditions(), 7);
        assert_eq!(verdict, Verdict::Survived, "{operation} {operation:?}");
    }
}

const fn first(set: NumberSet) -> ArgumentCondition {
    ArgumentCondition { quantity: TestedQuantity::First, set }
}

const NONZERO: Region = Region(&[&[first(NumberSet::Except(0))]]);
const FROM_ZERO: Region = Region(&[&[first(NumberSet::AtLeast(0))]]);
const FROM_TWO: Region = Region(&[&[first(NumberSet::AtLeast(2))]]);
const BOTH_NONZERO: Region = Region(&[
    &[first(NumberSet::Except(0))],
    &[ArgumentCondition { quantity: TestedQuantity::Second, set: NumberSet::Except(0) }],
]);

/// A row with a change.
fn change_row(row: &OperationConditions, change: impl FnOnce(&mut OperationConditions)) -> OperationConditions {
    let mut changed = *row;
    change(&mut changed);
    changed
}

/// Wrong rows for a right one, each with what is wrong in it.
fn wrong_rows(row: &OperationConditions) -> Vec<(&'static str, OperationConditions)> {
    let mut wrong = Vec::new();
    let mut add = |what, change: &dyn Fn(&mut OperationConditions)| wrong.push((what, change_row(row, change)));
    if row.border == BorderKind::Empty {
        add("not analytic for x < 2", &|row| row.analytic = FROM_TWO);
    } else {
        add("analytic at the border", &|row| row.analytic = row.value);
        for border in [BorderKind::Empty, BorderKind::Kink, BorderKind::Jump, BorderKind::Root] {
            if border != row.border {
                add("another border", &|row| row.border = border);
            }
        }
    }
    if row.is_total() {
        add("no value at 0", &|row| row.value = NONZERO);
    } else {
        add("a value everywhere", &|row| row.value = Region::EVERYWHERE);
        add("a value everywhere, and analytic", &|row| {
            (row.value, row.analytic) = (Region::EVERYWHERE, Region::EVERYWHERE);
        });
    }
    // every double is in the region of the tangent, though not every number
    match row.in_floats.contains_rationals(&[]) {
        true => add("fewer doubles", &|row| row.in_floats = BOTH_NONZERO),
        false => add("more doubles", &|row| row.in_floats = Region::EVERYWHERE),
    }
    wrong
}

#[test]
fn a_wrong_row_is_refuted_by_every_seed() {
    let mut survivors = Vec::new();
    for operation in all_operations() {
        for (what, row) in wrong_rows(operation.conditions()) {
            let refuted = (0..SEEDS).filter(|seed| test_row(operation, &row, *seed).is_refuted()).count();
            if refuted < SEEDS as usize {
                survivors.push(format!("{operation:?}: {what}: {refuted} of {SEEDS}"));
            }
        }
    }
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// Mistakes that a person might make in one row.
#[test]
fn plausible_mistakes_are_refuted_by_every_seed() {
    let quotient = RealOperation::Divide.conditions();
    let angle = RealOperation::Binary(Planar::Atan2);
    let mistakes: [(&str, RealOperation, OperationConditions); 6] = [
        ("1/x is defined at 0", RealOperation::Power(PowerKind::Inverse), {
            OperationConditions::analytic_on(Region::EVERYWHERE, "")
        }),
        ("x / y asks for x", RealOperation::Divide, {
            change_row(quotient, |row| (row.value, row.analytic) = (NONZERO, NONZERO))
        }),
        ("log 0 is defined", RealOperation::Function(Function::Log), OperationConditions::analytic_on(FROM_ZERO, "")),
        (
            "sqrt is analytic at 0",
            RealOperation::Function(Function::Sqrt),
            OperationConditions::new(FROM_ZERO, FROM_ZERO, BorderKind::Empty, ""),
        ),
        (
            "lgamma has a pole at 0 alone",
            RealOperation::Function(Function::LOG_GAMMA),
            OperationConditions::analytic_on(NONZERO, ""),
        ),
        ("atan2 is defined off both axes", angle, change_row(angle.conditions(), |row| row.value = BOTH_NONZERO)),
    ];
    for (what, operation, row) in mistakes {
        let refuted = (0..SEEDS).filter(|seed| test_row(operation, &row, *seed).is_refuted()).count();
        assert_eq!(refuted, SEEDS as usize, "{what}");
    }
}
