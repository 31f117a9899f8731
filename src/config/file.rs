//! Reading `config.toml`: the options by their names, and the table `keys`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::options::{Allowed, OPTIONS, Opt, option};
use super::{Error, Layer, Origin, Placed};

/// What the file at `path` says, as far as it is allowed; nothing when there is none and it need not be.
pub(super) fn read(path: &Path, must_exist: bool, faults: &mut Vec<Error>) -> Result<Layer, Error> {
    let whole = Origin::File(path.into(), 0);
    match std::fs::read_to_string(path) {
        Ok(text) => parse(path.into(), &text, faults),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => {
            Ok(Layer::default())
        }
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::InvalidData => "it is not UTF-8".into(),
                _ => error.to_string(),
            };
            let what = format!("it cannot be read: {why}; mend it, or name another with --config");
            Err(Error::new(&whole, what))
        }
    }
}

fn parse(path: Arc<Path>, text: &str, faults: &mut Vec<Error>) -> Result<Layer, Error> {
    let at = |byte: usize| {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        Origin::File(path.clone(), line)
    };
    let table = DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        Error::new(&at(start), error.message().replace('\n', " "))
    })?;
    let mut layer = Layer::default();
    for (name, value) in table.get_ref() {
        let from = at(name.span().start);
        if name.get_ref() == "keys" {
            keys(value, &at, &from, &mut layer, faults);
            continue;
        }
        let Some(option) = option(name.get_ref()) else {
            faults.push(Error::new(&from, unknown(name.get_ref())));
            continue;
        };
        match word(option, value.get_ref()) {
            Some(word) => faults.extend(layer.set(option, &word, from).err()),
            None => faults.push(Error::new(&from, must_be(option))),
        }
    }
    Ok(layer)
}

/// A word, or for a switch `true` and `false`, or a number for a word of digits.
fn word(option: &Opt, value: &DeValue) -> Option<String> {
    let is_switch = option.allowed == Allowed::Words(&["on", "off"]);
    match value {
        DeValue::String(word) => Some(word.to_string()),
        DeValue::Integer(number) => match option.allowed {
            Allowed::Words(words) => {
                let digits = number.as_str().to_owned();
                words.contains(&digits.as_str()).then_some(digits)
            }
            Allowed::Name => None,
        },
        DeValue::Boolean(true) if is_switch => Some("on".into()),
        DeValue::Boolean(false) if is_switch => Some("off".into()),
        _ => None,
    }
}

fn must_be(option: &Opt) -> String {
    match option.allowed {
        Allowed::Words(words) => format!(
            "{} must be {}",
            option.name,
            super::options::alternatives(words)
        ),
        Allowed::Name => format!("{} must be a name in quotes", option.name),
    }
}

fn unknown(name: &str) -> String {
    let mut known: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
    known.push("keys");
    let near = known
        .iter()
        .find(|known| shared(known, name) + 1 >= name.len().max(known.len()));
    match near {
        Some(near) => format!("there is no option `{name}`; did you mean `{near}`?"),
        None => format!(
            "there is no option `{name}`; there are {}",
            super::options::alternatives(&known).replace(" or ", " and ")
        ),
    }
}

/// How many letters of both words stand at their beginning and their end alike.
fn shared(one: &str, other: &str) -> usize {
    let alike =
        |pairs: &mut dyn Iterator<Item = (u8, u8)>| pairs.take_while(|(a, b)| a == b).count();
    let head = alike(&mut one.bytes().zip(other.bytes()));
    let most = one.len().min(other.len()) - head;
    head + alike(&mut one.bytes().rev().zip(other.bytes().rev())).min(most)
}

fn keys(
    value: &Spanned<DeValue>,
    at: &dyn Fn(usize) -> Origin,
    from: &Origin,
    layer: &mut Layer,
    faults: &mut Vec<Error>,
) {
    let Some(table) = value.get_ref().as_table() else {
        let what = "keys must be a table: the name of a command and its keys on each line";
        faults.push(Error::new(from, what));
        return;
    };
    for (command, value) in table {
        let from = at(command.span().start);
        let words = match value.get_ref() {
            DeValue::String(key) => Some(vec![key.to_string()]),
            DeValue::Array(keys) => keys
                .iter()
                .map(|key| key.get_ref().as_str().map(str::to_owned))
                .collect(),
            _ => None,
        };
        let Some(value) = words else {
            let what = format!(
                "the keys of `{}` must be a key in quotes, as \"p\", or a list of them, as [\"p\", \"ctrl-p\"]",
                command.get_ref()
            );
            faults.push(Error::new(&from, what));
            continue;
        };
        layer
            .keys
            .insert(command.get_ref().to_string(), Placed { value, from });
    }
}
