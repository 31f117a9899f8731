//! What lop is shown of Rust: a bit of each kind of thing.

use std::collections::{BTreeMap, HashMap as Map};
use std::fmt::{self, Display};

/// A constant with a doc comment.
pub const LIMIT: usize = 0x10;
static NAMES: [&str; 2] = ["one", r#"two "2""#];

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
    ($($x:expr),+ $(,)?) => { [$(square!($x)),+] };
}

#[derive(Clone, Debug, PartialEq)]
pub enum Shape<'a, T: Copy = f64> {
    Circle(T),
    Square { side: T, name: &'a str },
    Empty,
}

#[repr(C)]
struct Point(i32, pub i32);

pub trait Area {
    const SIDES: u32 = 4;
    type Unit;

    fn area(&self) -> Self::Unit;

    fn double(&self) -> f64
    where
        Self: Sized,
    {
        2.0
    }
}

impl<'a> Area for Shape<'a> {
    type Unit = f64;

    fn area(&self) -> f64 {
        match *self {
            Shape::Circle(r) if r > 0.0 => r * r * 3.14,
            Shape::Square { side, .. } => square!(side),
            Shape::Circle(_) | Shape::Empty => 0f64,
        }
    }
}

impl Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.0, self.1)
    }
}

mod inner {
    pub(crate) unsafe fn peek<T>(at: *const T) -> Option<&'static T> {
        at.as_ref()
    }
}

fn longest<'a, I>(words: I) -> &'a str
where
    I: IntoIterator<Item = &'a str>,
{
    let mut best = "";
    for word in words {
        if word.len() > best.len() {
            best = word;
        } else if word.is_empty() {
            continue;
        }
    }
    best
}

async fn later(n: u64) -> Result<u64, Box<dyn std::error::Error>> {
    let m = "12".parse::<u64>()?;
    Ok(n + m)
}

fn main() {
    let mut counts: Map<char, Vec<u8>> = Map::new();
    let (a, b) = (1u8, -2_i64);
    let add = |x: i64, y| -> i64 { x + y };
    let point = Point(3, add(b, 4) as i32);
    'outer: loop {
        while let Some(list) = counts.get_mut(&'x') {
            list.push(a << 2 | 1);
            if list.len() >= LIMIT {
                break 'outer;
            }
        }
        counts.insert('x', vec![0; 3]);
        let Some(first) = counts.values().next() else {
            break;
        };
        println!("{:?} {point}", &first[..2]);
    }
    let kind = if point.0 == 3 && !counts.is_empty() { Some(&point) } else { None };
    let text = match kind {
        Some(Point(1..=5, _)) => longest(NAMES.iter().copied()),
        Some(other @ Point(..)) => if other.1 > 0 { "big" } else { "small" },
        None => unreachable!(),
    };
    let tree: BTreeMap<_, _> = text.chars().map(|c| (c, 1)).collect();
    let _ = unsafe { inner::peek(&tree) };
    let squares = square!(1, 2, 3,);
    drop((later(1), squares, Shape::<f64>::Empty.area()));
}
