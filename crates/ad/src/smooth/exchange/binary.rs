//! Records as bytes.

use super::error::ExchangeError;
use super::read::{Builder, Outputs, number};
use super::record::{Kind, Listing, Operand, Slot};
use super::{MAGIC, VERSION};
use crate::number::Rational;
use rustc_hash::FxHashMap;

/// The first byte of a number: a double, or a text.
const DOUBLE: u8 = 0;
const TEXT: u8 = 1;

pub(super) fn write(listing: &Listing) -> Vec<u8> {
    let mut names: Vec<Kind> = Vec::new();
    let mut places: FxHashMap<Kind, u64> = FxHashMap::default();
    for record in &listing.records {
        // names are listed in the order of their first use, so equal maps have equal bytes
        places.entry(record.kind).or_insert_with(|| {
            names.push(record.kind);
            names.len() as u64 - 1
        });
    }
    let mut out = Writer(MAGIC.to_vec());
    out.natural(VERSION);
    out.natural(listing.inputs as u64);
    out.natural(names.len() as u64);
    names.iter().for_each(|kind| out.text(kind.name()));
    out.natural(listing.records.len() as u64);
    for (index, record) in listing.records.iter().enumerate() {
        out.natural(places[&record.kind]);
        record.operands.iter().for_each(|operand| out.operand(index, operand));
    }
    out.natural(listing.outputs.len() as u64);
    listing.outputs.iter().for_each(|output| out.natural(*output as u64));
    out.0
}

struct Writer(Vec<u8>);

impl Writer {
    fn natural(&mut self, mut n: u64) {
        while n >= 0x80 {
            self.0.push(n as u8 | 0x80);
            n >>= 7;
        }
        self.0.push(n as u8);
    }

    fn text(&mut self, text: &str) {
        self.natural(text.len() as u64);
        self.0.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, q: &Rational) {
        // eight bytes if the number is exactly a double, else its digits
        let double = q.to_f64();
        if Rational::from_f64(double).as_ref() == Some(q) {
            self.0.push(DOUBLE);
            self.0.extend_from_slice(&double.to_le_bytes());
        } else {
            self.0.push(TEXT);
            self.text(&q.to_string());
        }
    }

    fn operand(&mut self, index: usize, operand: &Operand) {
        match operand {
            // nodes refer backwards, usually to close ones: small distances take one byte
            Operand::Node(node) => self.natural((index - node) as u64),
            Operand::Nodes(nodes) => {
                self.natural(nodes.len() as u64);
                nodes.iter().for_each(|node| self.natural((index - node) as u64));
            }
            Operand::Variable(n) | Operand::Natural(n) => self.natural(*n),
            Operand::Variables(all) => {
                self.natural(all.len() as u64);
                all.iter().for_each(|v| self.natural(*v));
            }
            Operand::Number(q) => self.number(q),
        }
    }
}

pub(super) fn read(bytes: &[u8], builder: &mut Builder) -> Result<Outputs, ExchangeError> {
    if !bytes.starts_with(MAGIC) {
        return Err(ExchangeError::Format);
    }
    let mut input = Reader { bytes, at: MAGIC.len() };
    match input.natural()? {
        VERSION => {}
        found => return Err(ExchangeError::Version { found, latest: VERSION }),
    }
    builder.inputs(input.natural()?)?;
    let count = input.length(builder)?;
    let mut kinds = Vec::new();
    for _ in 0..count {
        let name = input.text()?;
        // an unknown name is an error only if a record uses it
        kinds.push(Kind::named(name).ok_or(name));
    }
    let count = input.length(builder)?;
    let mut operands = Vec::new();
    for record in 0..count {
        let place = input.natural()?;
        let kind = usize::try_from(place).ok().and_then(|place| kinds.get(place).copied());
        let unknown = |name: &str| ExchangeError::Operation { record, name: super::record::short(name) };
        let kind = kind.ok_or_else(|| unknown(""))?.map_err(unknown)?;
        operands.clear();
        for slot in kind.slots() {
            operands.push(input.operand(*slot, builder)?);
        }
        builder.push(kind, &operands)?;
    }
    let count = input.length(builder)?;
    let outputs = (0..count).map(|_| Ok(usize::try_from(input.natural()?).unwrap_or(usize::MAX)));
    let outputs = outputs.collect::<Result<Vec<_>, ExchangeError>>()?;
    if input.at < bytes.len() {
        return Err(ExchangeError::Trailing { offset: input.at });
    }
    Ok(Outputs(outputs))
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn damaged(&self) -> ExchangeError {
        ExchangeError::Damaged { offset: self.at }
    }

    fn take(&mut self, count: usize) -> Result<&'b [u8], ExchangeError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len());
        let taken = &self.bytes[self.at..end.ok_or_else(|| self.damaged())?];
        self.at += count;
        Ok(taken)
    }

    fn natural(&mut self) -> Result<u64, ExchangeError> {
        // nine digits of 7 bits: numbers have at most 63 bits
        let mut n = 0u64;
        for shift in (0..63).step_by(7) {
            let digit = self.take(1)?[0];
            n |= u64::from(digit & 0x7f) << shift;
            if digit < 0x80 {
                return Ok(n);
            }
        }
        Err(self.damaged())
    }

    /// Returns the length of a list. Each element takes at least one byte, so a length beyond the end of the file is
    /// rejected at once.
    fn length(&mut self, builder: &mut Builder) -> Result<usize, ExchangeError> {
        let length = usize::try_from(self.natural()?).unwrap_or(usize::MAX);
        if length > self.bytes.len() - self.at {
            return Err(self.damaged());
        }
        builder.count(length)?;
        Ok(length)
    }

    fn text(&mut self) -> Result<&'b str, ExchangeError> {
        let length = usize::try_from(self.natural()?).unwrap_or(usize::MAX);
        std::str::from_utf8(self.take(length)?).map_err(|_| self.damaged())
    }

    /// Returns the node at the distance that follows.
    fn node(&mut self, record: usize) -> Result<usize, ExchangeError> {
        let back = usize::try_from(self.natural()?).unwrap_or(usize::MAX);
        record.checked_sub(back).filter(|node| *node < record).ok_or(ExchangeError::Reference { record })
    }

    fn operand(&mut self, slot: Slot, builder: &mut Builder) -> Result<Operand, ExchangeError> {
        let record = builder.len();
        Ok(match slot {
            Slot::Node => Operand::Node(self.node(record)?),
            Slot::Nodes => {
                let length = self.length(builder)?;
                Operand::Nodes((0..length).map(|_| self.node(record)).collect::<Result<_, _>>()?)
            }
            Slot::Variable => Operand::Variable(self.natural()?),
            Slot::Variables => {
                let length = self.length(builder)?;
                Operand::Variables((0..length).map(|_| self.natural()).collect::<Result<_, _>>()?)
            }
            Slot::Natural => Operand::Natural(self.natural()?),
            Slot::Number => Operand::Number(self.number(record)?),
        })
    }

    fn number(&mut self, record: usize) -> Result<Rational, ExchangeError> {
        match self.take(1)?[0] {
            DOUBLE => {
                let bytes = self.take(8)?.try_into().map_err(|_| self.damaged())?;
                let double = f64::from_le_bytes(bytes);
                let wrong = || ExchangeError::Number { record, text: double.to_string() };
                Rational::from_f64(double).ok_or_else(wrong)
            }
            TEXT => number(self.text()?, record),
            _ => Err(self.damaged()),
        }
    }
}
