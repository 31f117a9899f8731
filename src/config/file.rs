//! Reading `config.toml`: the options by their names, and the table `keys`.

use std::io;
use std::path::Path;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::options::{AllowedValues, ConfigOption, OPTIONS, find_option};
use super::{ConfigError, ConfigLayer, ConfigValue, SettingOrigin};

/// What the file at `path` says, as far as it is allowed; nothing when there is none and it need not be.
pub(super) fn read_config_file(
    path: &Path,
    must_exist: bool,
    faults: &mut Vec<ConfigError>,
) -> Result<ConfigLayer, ConfigError> {
    let whole = SettingOrigin::File(path.into(), 0);
    match std::fs::read_to_string(path) {
        Ok(text) => parse_config(path.into(), &text, faults),
        Err(error) if error.kind() == io::ErrorKind::NotFound && !must_exist => {
            Ok(ConfigLayer::default())
        }
        Err(error) => {
            let why = match error.kind() {
                io::ErrorKind::InvalidData => "it is not UTF-8".into(),
                _ => error.to_string(),
            };
            let what = format!("it cannot be read: {why}; fix it, or name another with --config");
            Err(ConfigError::new(&whole, what))
        }
    }
}

fn parse_config(
    path: Arc<Path>,
    text: &str,
    faults: &mut Vec<ConfigError>,
) -> Result<ConfigLayer, ConfigError> {
    let at = |byte: usize| {
        let before = &text.as_bytes()[..byte.min(text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        SettingOrigin::File(path.clone(), line)
    };
    let table = DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        ConfigError::new(&at(start), error.message().replace('\n', " "))
    })?;
    let mut layer = ConfigLayer::default();
    for (name, value) in table.get_ref() {
        let from = at(name.span().start);
        if name.get_ref() == "keys" {
            parse_keys(value, &at, &from, &mut layer, faults);
            continue;
        }
        let Some(option) = find_option(name.get_ref()) else {
            faults.push(ConfigError::new(
                &from,
                unknown_option_message(name.get_ref()),
            ));
            continue;
        };
        match value_to_string(option, value.get_ref()) {
            Some(word) => faults.extend(layer.set_option(option, &word, from).err()),
            None => faults.push(ConfigError::new(&from, expected_value_message(option))),
        }
    }
    Ok(layer)
}

/// A word, or for a switch `true` and `false`, or a number for a word of digits.
fn value_to_string(option: &ConfigOption, value: &DeValue) -> Option<String> {
    let is_switch = option.allowed == AllowedValues::Words(&["on", "off"]);
    match value {
        DeValue::String(word) => Some(word.to_string()),
        DeValue::Integer(number) => match option.allowed {
            AllowedValues::Words(words) => {
                let digits = number.as_str().to_owned();
                words.contains(&digits.as_str()).then_some(digits)
            }
            AllowedValues::Name => None,
        },
        DeValue::Boolean(true) if is_switch => Some("on".into()),
        DeValue::Boolean(false) if is_switch => Some("off".into()),
        _ => None,
    }
}

fn expected_value_message(option: &ConfigOption) -> String {
    match option.allowed {
        AllowedValues::Words(words) => format!(
            "{} must be {}",
            option.name,
            super::options::join_alternatives(words)
        ),
        AllowedValues::Name => format!("{} must be a name in quotes", option.name),
    }
}

fn unknown_option_message(name: &str) -> String {
    let mut known: Vec<&str> = OPTIONS.iter().map(|option| option.name).collect();
    known.push("keys");
    let near = known
        .iter()
        .find(|known| common_affix_length(known, name) + 1 >= name.len().max(known.len()));
    match near {
        Some(near) => format!("there is no option `{name}`; did you mean `{near}`?"),
        None => format!(
            "there is no option `{name}`; there are {}",
            super::options::join_alternatives(&known).replace(" or ", " and ")
        ),
    }
}

/// How many letters of both words stand at their beginning and their end alike.
fn common_affix_length(one: &str, other: &str) -> usize {
    let alike =
        |pairs: &mut dyn Iterator<Item = (u8, u8)>| pairs.take_while(|(a, b)| a == b).count();
    let head = alike(&mut one.bytes().zip(other.bytes()));
    let most = one.len().min(other.len()) - head;
    head + alike(&mut one.bytes().rev().zip(other.bytes().rev())).min(most)
}

fn parse_keys(
    value: &Spanned<DeValue>,
    at: &dyn Fn(usize) -> SettingOrigin,
    from: &SettingOrigin,
    layer: &mut ConfigLayer,
    faults: &mut Vec<ConfigError>,
) {
    let Some(table) = value.get_ref().as_table() else {
        let what = "keys must be a table: the name of a command and its keys on each line";
        faults.push(ConfigError::new(from, what));
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
            faults.push(ConfigError::new(&from, what));
            continue;
        };
        layer
            .keys
            .insert(command.get_ref().to_string(), ConfigValue { value, from });
    }
}
