//! Records as bytes.

use super::{
    ExchangeError, FileOutputs, MAGIC, Operand, OperandType, RecordKind, RecordList, RecordReader, VERSION,
    parse_number,
};
use crate::number::Rational;
use rustc_hash::FxHashMap;

/// The first byte of a number: a double, or a text.
const DOUBLE: u8 = 0;
const TEXT: u8 = 1;

pub(crate) fn write_binary(listing: &RecordList) -> Vec<u8> {
    let mut names: Vec<RecordKind> = Vec::new();
    let mut places: FxHashMap<RecordKind, u64> = FxHashMap::default();
    for record in &listing.records {
        // names are listed in the order of their first use, so equal maps have equal bytes
        places.entry(record.kind).or_insert_with(|| {
            names.push(record.kind);
            names.len() as u64 - 1
        });
    }
    let mut out = ByteWriter(MAGIC.to_vec());
    out.write_natural(VERSION);
    out.write_natural(listing.inputs as u64);
    out.write_natural(names.len() as u64);
    names.iter().for_each(|kind| out.write_text(kind.name()));
    out.write_natural(listing.records.len() as u64);
    for (index, record) in listing.records.iter().enumerate() {
        out.write_natural(places[&record.kind]);
        record.operands.iter().for_each(|operand| out.write_operand(index, operand));
    }
    out.write_natural(listing.outputs.len() as u64);
    listing.outputs.iter().for_each(|output| out.write_natural(*output as u64));
    out.0
}

struct ByteWriter(Vec<u8>);

impl ByteWriter {
    fn write_natural(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn write_text(&mut self, text: &str) {
        self.write_natural(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn write_number(&mut self, q: &Rational) {
        // eight bytes if the number is exactly a double, else its digits
        let double = q.to_f64();
        if Rational::from_f64(double).as_ref() == Some(q) {
            self.0.push(DOUBLE);
            self.0.extend_from_slice(&double.to_le_bytes());
        } else {
            self.0.push(TEXT);
            self.write_text(&q.to_string());
        }
    }

    fn write_operand(&mut self, index: usize, operand: &Operand) {
        match operand {
            // nodes refer backwards, usually to close ones: small distances take one byte
            Operand::Node(node) => self.write_natural((index - node) as u64),
            Operand::Nodes(nodes) => {
                self.write_natural(nodes.len() as u64);
                nodes.iter().for_each(|node| self.write_natural((index - node) as u64));
            }
            Operand::Variable(n) | Operand::Natural(n) => self.write_natural(*n),
            Operand::Variables(all) => {
                self.write_natural(all.len() as u64);
                all.iter().for_each(|v| self.write_natural(*v));
            }
            Operand::Number(q) => self.write_number(q),
        }
    }
}

pub(crate) fn read_binary(bytes: &[u8], builder: &mut RecordReader) -> Result<FileOutputs, ExchangeError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ExchangeError::Format);
    }
    let mut input = ByteReader { bytes, at: MAGIC.len() };
    match input.read_natural()? {
        VERSION => {}
        found => return Err(ExchangeError::Version { found, latest: VERSION }),
    }
    builder.set_inputs(input.read_natural()?)?;
    let count = input.read_length(builder)?;
    let mut kinds = Vec::new();
    for _ in 0..count {
        let name = input.read_text()?;
        // an unknown name is an error only if a record uses it
        kinds.push(RecordKind::from_name(name).ok_or(name));
    }
    let count = input.read_length(builder)?;
    let mut operands = Vec::new();
    for record in 0..count {
        let place = input.read_natural()?;
        let kind = usize::try_from(place).ok().and_then(|place| kinds.get(place).copied());
        let unknown = |name: &str| ExchangeError::Operation { record, name: super::truncate_text(name) };
        let kind = kind.ok_or_else(|| unknown(""))?.map_err(unknown)?;
        operands.clear();
        for slot in kind.operand_types() {
            operands.push(input.read_operand(*slot, builder)?);
        }
        builder.push_record(kind, &operands)?;
    }
    let count = input.read_length(builder)?;
    let outputs = (0..count).map(|_| Ok(usize::try_from(input.read_natural()?).unwrap_or(usize::MAX)));
    let outputs = outputs.collect::<Result<Vec<_>, ExchangeError>>()?;
    if input.at < bytes.len() {
        return Err(ExchangeError::Trailing { offset: input.at });
    }
    Ok(FileOutputs(outputs))
}

struct ByteReader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> ByteReader<'b> {
    fn damage_error(&self) -> ExchangeError {
        ExchangeError::Damaged { offset: self.at }
    }

    fn take_bytes(&mut self, count: usize) -> Result<&'b [u8], ExchangeError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let taken = &self.bytes[self.at..end.ok_or_else(|| self.damage_error())?];
        self.at += count;
        Ok(taken)
    }

    fn read_natural(&mut self) -> Result<u64, ExchangeError> {
        // nine digits of 7 bits: numbers have at most 63 bits
        let mut n = 0u64;
        for shift in (0..63).step_by(7) {
            let digit = self.take_bytes(1)?[0];
            n |= u64::from(digit & 0x7f) << shift;
            if digit < 0x80 {
                return Ok(n);
            }
        }
        Err(self.damage_error())
    }

    /// Returns the length of a list. Each element takes at least one byte, so a length beyond the end of the file is
    /// rejected at once.
    fn read_length(&mut self, builder: &mut RecordReader) -> Result<usize, ExchangeError> {
        let length = usize::try_from(self.read_natural()?).unwrap_or(usize::MAX);
        if length > self.bytes.len() - self.at {
            return Err(self.damage_error());
        }
        builder.count_operands(length)?;
        Ok(length)
    }

    fn read_text(&mut self) -> Result<&'b str, ExchangeError> {
        let length = usize::try_from(self.read_natural()?).unwrap_or(usize::MAX);
        std::str::from_utf8(self.take_bytes(length)?).map_err(|_| self.damage_error())
    }

    /// Returns the node at the distance that follows.
    fn read_node(&mut self, record: usize) -> Result<usize, ExchangeError> {
        let back = usize::try_from(self.read_natural()?).unwrap_or(usize::MAX);
        record.checked_sub(back).filter(|node| *node < record).ok_or(ExchangeError::Reference { record })
    }

    fn read_operand(&mut self, slot: OperandType, builder: &mut RecordReader) -> Result<Operand, ExchangeError> {
        let record = builder.len();
        Ok(match slot {
            OperandType::Node => Operand::Node(self.read_node(record)?),
            OperandType::Nodes => {
                let length = self.read_length(builder)?;
                Operand::Nodes((0..length).map(|_| self.read_node(record)).collect::<Result<_, _>>()?)
            }
            OperandType::Variable => Operand::Variable(self.read_natural()?),
            OperandType::Variables => {
                let length = self.read_length(builder)?;
                Operand::Variables((0..length).map(|_| self.read_natural()).collect::<Result<_, _>>()?)
            }
            OperandType::Natural => Operand::Natural(self.read_natural()?),
            OperandType::Number => Operand::Number(self.read_number(record)?),
        })
    }

    fn read_number(&mut self, record: usize) -> Result<Rational, ExchangeError> {
        match self.take_bytes(1)?[0] {
            DOUBLE => {
                let bytes = self.take_bytes(8)?.try_into().map_err(|_| self.damage_error())?;
                let double = f64::from_le_bytes(bytes);
                let wrong = || ExchangeError::Number { record, text: double.to_string() };
                Rational::from_f64(double).ok_or_else(wrong)
            }
            TEXT => parse_number(self.read_text()?, record),
            _ => Err(self.damage_error()),
        }
    }
}
