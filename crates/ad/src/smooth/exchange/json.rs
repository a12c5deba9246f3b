//! Records as JSON.

use super::VERSION;
use super::error::ExchangeError;
use super::read::{Builder, Outputs, number};
use super::record::{Kind, Listing, Operand, Slot, short};
use serde_json::{Value, json};

/// The value of `format`.
const FORMAT: &str = "smoothish";

pub(super) fn write(listing: &Listing) -> String {
    let record = |kind: Kind, operands: &[Operand]| {
        let mut all = vec![json!(kind.name())];
        all.extend(operands.iter().map(|operand| match operand {
            Operand::Node(n) => json!(n),
            Operand::Nodes(all) => json!(all),
            Operand::Variable(n) | Operand::Natural(n) => json!(n),
            Operand::Variables(all) => json!(all),
            Operand::Number(q) => json!(q.to_string()),
        }));
        Value::Array(all)
    };
    let nodes: Vec<Value> = listing.records.iter().map(|r| record(r.kind, &r.operands)).collect();
    let mut object = json!({ "format": FORMAT, "version": VERSION, "inputs": listing.inputs });
    object["nodes"] = Value::Array(nodes);
    object["outputs"] = json!(listing.outputs);
    object.to_string()
}

fn wrong(reason: impl Into<String>) -> ExchangeError {
    ExchangeError::Json { reason: reason.into() }
}

pub(super) fn read(text: &str, builder: &mut Builder) -> Result<Outputs, ExchangeError> {
    let object: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    if object.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(wrong("expected an object with `\"format\": \"smoothish\"`"));
    }
    match object.get("version").and_then(Value::as_u64) {
        // there is one version so far: an older one cannot occur
        Some(VERSION) => {}
        Some(found) => return Err(ExchangeError::Version { found, latest: VERSION }),
        None => return Err(wrong("expected a number as `version`")),
    }
    let inputs = object.get("inputs").and_then(Value::as_u64);
    builder.inputs(inputs.ok_or_else(|| wrong("expected a natural number as `inputs`"))?)?;
    let list = |name: &str| {
        let list = object.get(name).and_then(Value::as_array);
        list.ok_or_else(|| wrong(format!("expected a list as `{name}`")))
    };
    for node in list("nodes")? {
        push(node, builder)?;
    }
    let output = |value: &Value| index(value).ok_or_else(|| wrong("expected the numbers of nodes as `outputs`"));
    Ok(Outputs(list("outputs")?.iter().map(output).collect::<Result<_, _>>()?))
}

fn push(node: &Value, builder: &mut Builder) -> Result<(), ExchangeError> {
    let record = builder.len();
    let named =
        node.as_array().and_then(|parts| parts.split_first()).and_then(|(name, rest)| Some((name.as_str()?, rest)));
    let (name, operands) =
        named.ok_or_else(|| wrong(format!("expected a list that begins with a name as record {record}")))?;
    let kind = Kind::named(name).ok_or_else(|| ExchangeError::Operation { record, name: short(name) })?;
    let unfit = || ExchangeError::Operands { record, name: name.to_owned(), expected: kind.expected() };
    if operands.len() != kind.slots().len() {
        return Err(unfit());
    }
    let mut read = Vec::with_capacity(operands.len());
    for (slot, value) in kind.slots().iter().zip(operands) {
        // operands are counted before memory is allocated for them
        builder.count(value.as_array().map_or(0, Vec::len))?;
        let found = match slot {
            Slot::Node => index(value).map(Operand::Node),
            Slot::Nodes => list(value, index).map(Operand::Nodes),
            Slot::Variable => value.as_u64().map(Operand::Variable),
            Slot::Variables => list(value, Value::as_u64).map(Operand::Variables),
            Slot::Natural => value.as_u64().map(Operand::Natural),
            // a number with a decimal point is rejected: it need not be the number that was meant
            Slot::Number => match (value.as_str(), value.as_i64()) {
                (Some(text), _) => Some(Operand::Number(number(text, record)?)),
                (None, integer) => integer.map(|n| Operand::Number(n.into())),
            },
        };
        read.push(found.ok_or_else(unfit)?);
    }
    builder.push(kind, &read)
}

fn index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|n| usize::try_from(n).ok())
}

fn list<T>(value: &Value, part: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(part).collect()
}
