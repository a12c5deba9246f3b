//! Sets and functions, a category of values of one's own, with one choice of sums and of folds among several.

use smoothish_laws::category::value::{
    ArrowError, ArrowResult, ValueCartesian, ValueCategory, ValueClosed, ValueCocartesian, ValueLists, ValueSetoid,
};
use smoothish_laws::law::category::DrawValue;
use smoothish_laws::random::SplitMix64;
use smoothish_laws::verdict::Verdict;
use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

/// The sets: those of simple types over ℤ/7 and finite sets.
#[derive(Clone, Debug, PartialEq)]
pub enum Set {
    Modular,
    /// 0, …, n − 1
    Finite(usize),
    One,
    Zero,
    Pairs(Box<[Set; 2]>),
    Either(Box<[Set; 2]>),
    Functions(Box<[Set; 2]>),
    Lists(Box<Set>),
}

/// Their elements.
#[derive(Clone)]
pub enum Value {
    Residue(u64),
    Star,
    Pair(Box<[Value; 2]>),
    In(usize, Box<Value>),
    Function(Function),
    List(Vec<Value>),
}

/// A function of elements.
pub type Function = Arc<dyn Fn(&Value) -> Value>;

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Residue(n) => write!(f, "{n}"),
            Self::Star => f.write_str("*"),
            Self::Pair(parts) => write!(f, "({:?}, {:?})", parts[0], parts[1]),
            Self::In(side, value) => write!(f, "In{side} {value:?}"),
            Self::Function(_) => f.write_str("a function"),
            Self::List(list) => f.debug_list().entries(list).finish(),
        }
    }
}

pub fn pair(x: Value, y: Value) -> Value {
    Value::Pair(Box::new([x, y]))
}

pub fn function(f: impl Fn(&Value) -> Value + 'static) -> Function {
    Arc::new(f)
}

/// A component of a pair, and of anything else nothing: an arrow between the wrong sets fails the test.
pub fn part(pair: &Value, index: usize) -> &Value {
    let Value::Pair(parts) = pair else { panic!("{pair:?} is no pair") };
    &parts[index]
}

pub fn call(f: &Value, x: &Value) -> Value {
    let Value::Function(f) = f else { panic!("{f:?} is no function") };
    f(x)
}

impl Set {
    /// Draws an element, by a number that determines it; `None` of the empty set.
    pub fn draw(&self, random: &mut SplitMix64) -> Option<Value> {
        Some(match self {
            Self::Modular => Value::Residue(random.next_below(7) as u64),
            Self::Finite(0) => return None,
            Self::Finite(n) => Value::Residue(random.next_below(*n) as u64),
            Self::One => Value::Star,
            Self::Zero => return None,
            Self::Pairs(of) => pair(of[0].draw(random)?, of[1].draw(random)?),
            Self::Either(of) => {
                let side = random.next_below(2);
                let drawn = of[side].draw(random).map(|x| (side, x));
                let (side, x) = match drawn {
                    Some(drawn) => drawn,
                    None => (1 - side, of[1 - side].draw(random)?),
                };
                Value::In(side, Box::new(x))
            }
            Self::Functions(of) => {
                let ([from, to], seed) = ((**of).clone(), random.next());
                to.draw(random).or_else(|| from.draw(random).is_none().then_some(Value::Star))?;
                Value::Function(function(move |x| {
                    // the result depends on all that can be observed of the argument, and on nothing else
                    let mut random = SplitMix64::new(seed ^ from.observe(x));
                    to.draw(&mut random).expect("a value of a set that has one")
                }))
            }
            Self::Lists(of) => {
                let length = random.next_below(4);
                Value::List((0..length).map_while(|_| of.draw(random)).collect())
            }
        })
    }

    /// A number that is equal for equal elements.
    pub fn observe(&self, x: &Value) -> u64 {
        let mix = |a: u64, b: u64| SplitMix64::new(a.rotate_left(9) ^ b).next();
        match (self, x) {
            (Self::Modular | Self::Finite(_), Value::Residue(n)) => *n,
            (Self::Pairs(of), _) => mix(of[0].observe(part(x, 0)), of[1].observe(part(x, 1))),
            (Self::Either(of), Value::In(side, x)) => mix(*side as u64, of[*side].observe(x)),
            (Self::Functions(of), f) => (0..3).fold(1, |sum, seed| {
                let argument = of[0].draw(&mut SplitMix64::new(seed));
                argument.map_or(sum, |x| mix(sum, of[1].observe(&call(f, &x))))
            }),
            (Self::Lists(of), Value::List(list)) => list.iter().fold(2, |sum, x| mix(sum, of.observe(x))),
            _ => 0,
        }
    }

    /// How two elements differ, where they are seen to.
    pub fn difference(&self, x: &Value, y: &Value, random: &mut SplitMix64) -> Option<[String; 2]> {
        let differ = || Some([format!("{x:?}"), format!("{y:?}")]);
        match (self, x, y) {
            (Self::Modular | Self::Finite(_), Value::Residue(a), Value::Residue(b)) => {
                if a == b {
                    None
                } else {
                    differ()
                }
            }
            (Self::Pairs(of), ..) => (0..2).find_map(|i| of[i].difference(part(x, i), part(y, i), random)),
            (Self::Either(of), Value::In(i, a), Value::In(j, b)) => {
                if i == j {
                    of[*i].difference(a, b, random)
                } else {
                    differ()
                }
            }
            (Self::Functions(of), ..) => {
                let drawn = |random: &mut SplitMix64| (0..4).map_while(|_| of[0].draw(random)).collect();
                let arguments: Vec<Value> = of[0].elements().unwrap_or_else(|| drawn(random));
                arguments.iter().find_map(|argument| of[1].difference(&call(x, argument), &call(y, argument), random))
            }
            (Self::Lists(of), Value::List(a), Value::List(b)) => {
                if a.len() != b.len() {
                    return differ();
                }
                a.iter().zip(b).find_map(|(a, b)| of.difference(a, b, random))
            }
            _ => None,
        }
    }
}

/// The largest set whose elements are listed.
const MOST: usize = 1 << 12;

impl Set {
    /// The number of elements of a finite set that is not too large.
    pub fn size(&self) -> Option<usize> {
        let size = match self {
            Self::Modular => 7,
            Self::Finite(n) => *n,
            Self::One => 1,
            Self::Zero => 0,
            Self::Pairs(of) => of[0].size()? * of[1].size()?,
            Self::Either(of) => of[0].size()? + of[1].size()?,
            Self::Functions(of) => of[1].size()?.checked_pow(of[0].size()?.try_into().ok()?)?,
            Self::Lists(_) => return None,
        };
        (size <= MOST).then_some(size)
    }

    /// The number of an element of a finite set, from 0.
    pub fn number_of(&self, x: &Value) -> usize {
        let size = |set: &Self| set.size().expect("a part of a finite set is finite");
        match (self, x) {
            (Self::Modular | Self::Finite(_), Value::Residue(n)) => *n as usize,
            (Self::One, _) => 0,
            (Self::Pairs(of), _) => of[0].number_of(part(x, 0)) * size(&of[1]) + of[1].number_of(part(x, 1)),
            (Self::Either(of), Value::In(side, x)) => {
                of[*side].number_of(x) + if *side == 0 { 0 } else { size(&of[0]) }
            }
            (Self::Functions(of), f) => (0..size(&of[0]))
                .fold(0, |number, k| number * size(&of[1]) + of[1].number_of(&call(f, &of[0].numbered(k)))),
            _ => panic!("{x:?} is in no finite set {self:?}"),
        }
    }

    /// The element with a number.
    pub fn numbered(&self, number: usize) -> Value {
        let size = |set: &Self| set.size().expect("a part of a finite set is finite");
        match self {
            Self::Modular | Self::Finite(_) => Value::Residue(number as u64),
            Self::One => Value::Star,
            Self::Pairs(of) => pair(of[0].numbered(number / size(&of[1])), of[1].numbered(number % size(&of[1]))),
            Self::Either(of) => match number.checked_sub(size(&of[0])) {
                None => Value::In(0, Box::new(of[0].numbered(number))),
                Some(number) => Value::In(1, Box::new(of[1].numbered(number))),
            },
            Self::Functions(of) => {
                let (domain, base) = (size(&of[0]), size(&of[1]));
                let table: Vec<Value> =
                    (0..domain).map(|k| of[1].numbered(number / base.pow((domain - 1 - k) as u32) % base)).collect();
                let from = of[0].clone();
                Value::Function(function(move |x| table[from.number_of(x)].clone()))
            }
            Self::Zero | Self::Lists(_) => panic!("{self:?} has no elements with numbers"),
        }
    }

    /// All elements of a finite set that is not too large.
    pub fn elements(&self) -> Option<Vec<Value>> {
        self.size().map(|size| (0..size).map(|number| self.numbered(number)).collect())
    }
}

/// The category of these sets, with one choice of sums and of folds among several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Sets {
    #[default]
    Right,
    /// A + B is Either B A: another choice of sums, as good as the first.
    Swapped,
    /// A fold from the start of a list, which is wrong.
    FromTheStart,
}

/// The arrow of an injection.
pub fn injection(side: usize) -> Function {
    function(move |x| Value::In(side, Box::new(x.clone())))
}

impl ValueCategory for Sets {
    type Object = Set;
    type Arrow = Function;
    type Error = Infallible;

    fn identity(&self, _: &Set) -> ArrowResult<Self> {
        Ok(function(Value::clone))
    }
    fn then(&self, _: [&Set; 3], f: &Function, g: &Function) -> ArrowResult<Self> {
        let (f, g) = (f.clone(), g.clone());
        Ok(function(move |x| g(&f(x))))
    }
}

impl ValueCartesian for Sets {
    fn terminal_object(&self) -> Set {
        Set::One
    }
    fn product_object(&self, a: &Set, b: &Set) -> Set {
        Set::Pairs(Box::new([a.clone(), b.clone()]))
    }
    fn terminal(&self, _: &Set) -> ArrowResult<Self> {
        Ok(function(|_| Value::Star))
    }
    fn pair(&self, _: [&Set; 3], f: &Function, g: &Function) -> ArrowResult<Self> {
        let (f, g) = (f.clone(), g.clone());
        Ok(function(move |x| pair(f(x), g(x))))
    }
    fn first(&self, _: [&Set; 2]) -> ArrowResult<Self> {
        Ok(function(|p| part(p, 0).clone()))
    }
    fn second(&self, _: [&Set; 2]) -> ArrowResult<Self> {
        Ok(function(|p| part(p, 1).clone()))
    }
}

impl ValueClosed for Sets {
    fn exponential_object(&self, a: &Set, b: &Set) -> Set {
        Set::Functions(Box::new([a.clone(), b.clone()]))
    }
    fn curry(&self, _: [&Set; 3], f: &Function) -> ArrowResult<Self> {
        let f = f.clone();
        Ok(function(move |x| {
            let (f, x) = (f.clone(), x.clone());
            Value::Function(function(move |a| f(&pair(x.clone(), a.clone()))))
        }))
    }
    fn apply(&self, _: [&Set; 2]) -> ArrowResult<Self> {
        Ok(function(|p| call(part(p, 0), part(p, 1))))
    }
}

impl ValueCocartesian for Sets {
    fn initial_object(&self) -> Set {
        Set::Zero
    }
    fn sum_object(&self, a: &Set, b: &Set) -> Set {
        let [a, b] = if *self == Sets::Swapped { [b, a] } else { [a, b] };
        Set::Either(Box::new([a.clone(), b.clone()]))
    }
    fn initial(&self, _: &Set) -> ArrowResult<Self> {
        Ok(function(|x| panic!("{x:?} is in the empty set")))
    }
    fn left(&self, _: [&Set; 2]) -> ArrowResult<Self> {
        Ok(injection(usize::from(*self == Sets::Swapped)))
    }
    fn right(&self, _: [&Set; 2]) -> ArrowResult<Self> {
        Ok(injection(usize::from(*self != Sets::Swapped)))
    }
    fn case(&self, _: [&Set; 3], f: &Function, g: &Function) -> ArrowResult<Self> {
        let sides = if *self == Sets::Swapped { [g.clone(), f.clone()] } else { [f.clone(), g.clone()] };
        Ok(function(move |x| {
            let Value::In(side, x) = x else { panic!("{x:?} is in no sum") };
            sides[*side](x)
        }))
    }
}

impl ValueLists for Sets {
    fn list_object(&self, a: &Set) -> Set {
        Set::Lists(Box::new(a.clone()))
    }
    fn nil(&self, _: &Set) -> ArrowResult<Self> {
        Ok(function(|_| Value::List(Vec::new())))
    }
    fn cons(&self, _: &Set) -> ArrowResult<Self> {
        Ok(function(|p| {
            let Value::List(tail) = part(p, 1) else { panic!("{p:?} has no tail") };
            Value::List(std::iter::once(part(p, 0)).chain(tail).cloned().collect())
        }))
    }
    fn fold(&self, _: [&Set; 2], start: &Function, step: &Function) -> ArrowResult<Self> {
        let (start, step, is_right) = (start.clone(), step.clone(), *self != Sets::FromTheStart);
        Ok(function(move |list| {
            let Value::List(list) = list else { panic!("{list:?} is no list") };
            let order: Vec<&Value> = if is_right { list.iter().rev().collect() } else { list.iter().collect() };
            order.into_iter().fold(start(&Value::Star), |state, x| step(&pair(x.clone(), state)))
        }))
    }
}

impl ValueSetoid for Sets {
    type Trial = u64;

    fn agree(
        &self,
        [from, to]: [&Set; 2],
        f: &Function,
        g: &Function,
        seed: &u64,
    ) -> Result<Verdict, ArrowError<Infallible>> {
        for index in 0..8 {
            let random = &mut SplitMix64::for_sample(*seed, index);
            // of the empty set there is one function
            let Some(x) = from.draw(random) else { return Ok(Verdict::Survived) };
            if let Some([left, right]) = to.difference(&f(&x), &g(&x), random) {
                return Ok(Verdict::refuted(format!("at {x:?}"), left, right));
            }
        }
        Ok(Verdict::Survived)
    }
}

impl DrawValue for Sets {
    fn draw_value(&self, [from, to]: [&Set; 2], random: &mut SplitMix64) -> ArrowResult<Self> {
        let functions = self.exponential_object(from, to);
        match functions.draw(random) {
            Some(Value::Function(f)) => Ok(f),
            _ => Err(ArrowError::NoImage { functor: "sets".into(), construct: "a function into the empty set".into() }),
        }
    }
}
