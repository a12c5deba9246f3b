//! Records as JSON.

use super::{
    ExchangeError, FileOutputs, Operand, OperandType, RecordKind, RecordList, RecordReader, VERSION, parse_number,
    truncate_text,
};
use serde_json::{Value, json};

/// The value of `format`.
const FORMAT: &str = "smoothish";

pub(crate) fn write_json(listing: &RecordList) -> String {
    let record = |kind: RecordKind, operands: &[Operand]| {
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

fn json_error(reason: impl Into<String>) -> ExchangeError {
    ExchangeError::Json { reason: reason.into() }
}

pub(crate) fn read_json(text: &str, builder: &mut RecordReader) -> Result<FileOutputs, ExchangeError> {
    let object: Value = serde_json::from_str(text).map_err(|error| json_error(error.to_string()))?;
    if object.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err(json_error("expected an object with `\"format\": \"smoothish\"`"));
    }
    match object.get("version").and_then(Value::as_u64) {
        // there is one version so far: an older one cannot occur
        Some(VERSION) => {}
        Some(found) => return Err(ExchangeError::Version { found, latest: VERSION }),
        None => return Err(json_error("expected a number as `version`")),
    }
    let inputs = object.get("inputs").and_then(Value::as_u64);
    builder.set_inputs(inputs.ok_or_else(|| json_error("expected a natural number as `inputs`"))?)?;
    let list = |name: &str| {
        let list = object.get(name).and_then(Value::as_array);
        list.ok_or_else(|| json_error(format!("expected a list as `{name}`")))
    };
    for node in list("nodes")? {
        push_node(node, builder)?;
    }
    let output =
        |value: &Value| read_index(value).ok_or_else(|| json_error("expected the numbers of nodes as `outputs`"));
    Ok(FileOutputs(list("outputs")?.iter().map(output).collect::<Result<_, _>>()?))
}

fn push_node(node: &Value, builder: &mut RecordReader) -> Result<(), ExchangeError> {
    let record = builder.len();
    let named =
        node.as_array().and_then(|parts| parts.split_first()).and_then(|(name, rest)| Some((name.as_str()?, rest)));
    let (name, operands) =
        named.ok_or_else(|| json_error(format!("expected a list that begins with a name as record {record}")))?;
    let kind =
        RecordKind::from_name(name).ok_or_else(|| ExchangeError::Operation { record, name: truncate_text(name) })?;
    let unfit = || ExchangeError::Operands { record, name: name.to_owned(), expected: kind.operand_summary() };
    if operands.len() != kind.operand_types().len() {
        return Err(unfit());
    }
    let mut read = Vec::with_capacity(operands.len());
    for (slot, value) in kind.operand_types().iter().zip(operands) {
        // operands are counted before memory is allocated for them
        builder.count_operands(value.as_array().map_or(0, Vec::len))?;
        let found = match slot {
            OperandType::Node => read_index(value).map(Operand::Node),
            OperandType::Nodes => read_list(value, read_index).map(Operand::Nodes),
            OperandType::Variable => value.as_u64().map(Operand::Variable),
            OperandType::Variables => read_list(value, Value::as_u64).map(Operand::Variables),
            OperandType::Natural => value.as_u64().map(Operand::Natural),
            // a number with a decimal point is rejected: it need not be the number that was meant
            OperandType::Number => match (value.as_str(), value.as_i64()) {
                (Some(text), _) => Some(Operand::Number(parse_number(text, record)?)),
                (None, integer) => integer.map(|n| Operand::Number(n.into())),
            },
        };
        read.push(found.ok_or_else(unfit)?);
    }
    builder.push_record(kind, &read)
}

fn read_index(value: &Value) -> Option<usize> {
    value.as_u64().and_then(|n| usize::try_from(n).ok())
}

fn read_list<T>(value: &Value, part: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(part).collect()
}
