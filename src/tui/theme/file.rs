//! A theme's file: roles and captures, each with a paint. What is wrong is said with its line and with what is allowed.

use std::path::Path;
use std::sync::Arc;

use ratatui::style::Modifier;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue};

use super::syntax::{CAPTURES, CapturePaints};
use super::{Role, RolePaint};
use crate::config::{ConfigError, SettingOrigin};
use crate::display::EscapeHidden;

/// A theme, whole: every role has a paint.
#[derive(Clone, Debug)]
pub struct ColourTheme {
    /// Its name: that of its file.
    pub name: String,
    /// The paints, in the order of [`Role::ALL`].
    pub paints: Vec<RolePaint>,
    /// The colours of the program's text.
    pub(in crate::tui) syntax: CapturePaints,
}

/// Finds the theme of a name, for a theme that builds on another.
pub type Others<'a> = &'a dyn Fn(&str) -> Option<ColourTheme>;

/// The words of a style.
const WORDS: &[(&str, Modifier)] = &[
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underlined", Modifier::UNDERLINED),
    ("reversed", Modifier::REVERSED),
    ("crossed", Modifier::CROSSED_OUT),
];

type Name<'a> = Spanned<DeString<'a>>;
type Value<'a> = Spanned<DeValue<'a>>;

/// A file while it is read.
struct ThemeReader<'a> {
    path: Arc<Path>,
    text: &'a str,
}

impl ColourTheme {
    /// The theme of a text that stands in the file at `path`. `others` are those it may build on.
    ///
    /// # Errors
    /// When something in it is not allowed, or a role has no paint.
    pub fn parse(path: &Path, text: &str, others: Others) -> Result<ColourTheme, ConfigError> {
        let reader = ThemeReader {
            path: path.into(),
            text,
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        reader.read_theme(name.into_owned(), others)
    }
}

impl ThemeReader<'_> {
    fn error_at(&self, byte: usize, what: impl Into<String>) -> ConfigError {
        let before = &self.text.as_bytes()[..byte.min(self.text.len())];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        ConfigError::new(&SettingOrigin::File(self.path.clone(), line), what)
    }

    fn read_theme(&self, name: String, others: Others) -> Result<ColourTheme, ConfigError> {
        let table = DeTable::parse(self.text).map_err(|error| {
            let start = error.span().map_or(0, |span| span.start);
            self.error_at(start, error.message().replace('\n', " "))
        })?;
        let table = table.get_ref();
        for key in table.keys() {
            let known = ["base", "roles", "syntax", "tm_theme"];
            if !known.contains(&key.get_ref().as_ref()) {
                let what = format!(
                    "a theme has no `{}`: it has base, tm_theme, [roles] and [syntax]",
                    key.get_ref()
                );
                return Err(self.error_at(key.span().start, what));
            }
        }
        let base = match table.get("base") {
            None => None,
            Some(value) => {
                let known = value.get_ref().as_str().and_then(others);
                Some(known.ok_or_else(|| {
                    self.error_at(value.span().start, "base must be the name of another theme")
                })?)
            }
        };
        let (mut paints, mut syntax) = match base {
            Some(base) => (base.paints.into_iter().map(Some).collect(), base.syntax),
            None => (vec![None; Role::ALL.len()], CapturePaints::default()),
        };
        self.read_roles(table.get("roles"), &mut paints)?;
        for (role, paint) in self.table_entries(table.get("syntax"))? {
            let Some(at) = CAPTURES
                .iter()
                .position(|(known, _)| known == role.get_ref())
            else {
                let what = format!("there is no capture `{}` in [syntax]", role.get_ref());
                return Err(self.error_at(role.span().start, what));
            };
            syntax.paints[at] = Some(self.read_paint(paint)?);
        }
        if let Some(value) = table.get("tm_theme") {
            syntax = self.read_textmate_theme(value)?;
        }
        let mut whole = Vec::with_capacity(paints.len());
        for (paint, (_, role)) in paints.into_iter().zip(Role::ALL) {
            let missing = || {
                let what = format!(
                    "the theme has no paint for `{role}`; build it on another one: base = \"dark\""
                );
                ConfigError::new(&SettingOrigin::File(self.path.clone(), 0), what)
            };
            whole.push(paint.ok_or_else(missing)?);
        }
        Ok(ColourTheme {
            name,
            paints: whole,
            syntax,
        })
    }

    fn read_roles(
        &self,
        value: Option<&Value>,
        paints: &mut [Option<RolePaint>],
    ) -> Result<(), ConfigError> {
        for (role, paint) in self.table_entries(value)? {
            let Some(at) = Role::position_by_name(role.get_ref()) else {
                let names: Vec<&str> = Role::ALL.iter().map(|(_, name)| *name).collect();
                let what = format!(
                    "there is no role `{}`; there are {}",
                    role.get_ref(),
                    names.join(", ")
                );
                return Err(self.error_at(role.span().start, what));
            };
            let paint = self.read_paint(paint)?;
            let base = paints[at].take().unwrap_or_default();
            paints[at] = Some(paint.merge_over(&base));
        }
        Ok(())
    }

    /// The entries of a table that may be absent.
    fn table_entries<'a>(
        &self,
        value: Option<&'a Value<'a>>,
    ) -> Result<Vec<(&'a Name<'a>, &'a Value<'a>)>, ConfigError> {
        let Some(value) = value else {
            return Ok(Vec::new());
        };
        match value.get_ref().as_table() {
            Some(table) => Ok(table.iter().collect()),
            None => Err(self.error_at(value.span().start, "this must be a table")),
        }
    }

    fn read_paint(&self, value: &Value) -> Result<RolePaint, ConfigError> {
        let mut paint = RolePaint::default();
        for (key, value) in self.table_entries(Some(value))? {
            match key.get_ref().as_ref() {
                "fg" => paint.fg = Some(self.read_colour(value)?),
                "bg" => paint.bg = Some(self.read_colour(value)?),
                "style" => paint.style = Some(self.read_modifiers(value)?),
                "mono" => paint.mono = Some(self.read_modifiers(value)?),
                other => {
                    let what = format!("a paint has no `{other}`: it has fg, bg, style and mono");
                    return Err(self.error_at(key.span().start, what));
                }
            }
        }
        Ok(paint)
    }

    fn read_colour(&self, value: &Value) -> Result<(u8, u8, u8), ConfigError> {
        let text = value.get_ref().as_str().unwrap_or_default();
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let Some([_, r, g, b]) = number.map(u32::to_be_bytes) else {
            let what = format!("`{text}` is not a colour: write \"#rrggbb\"");
            return Err(self.error_at(value.span().start, what));
        };
        Ok((r, g, b))
    }

    fn read_modifiers(&self, value: &Value) -> Result<Modifier, ConfigError> {
        let mut style = Modifier::empty();
        let fault = |at: usize, word: &str| {
            let words: Vec<&str> = WORDS.iter().map(|(word, _)| *word).collect();
            let what = format!(
                "`{word}` is not a style: write a list of {} in quotes",
                words.join(", ")
            );
            self.error_at(at, what)
        };
        let Some(words) = value.get_ref().as_array() else {
            return Err(fault(value.span().start, "this"));
        };
        for word in words {
            let text = word.get_ref().as_str().unwrap_or_default();
            let known = WORDS.iter().find(|(known, _)| *known == text);
            let (_, modifier) = known.ok_or_else(|| fault(word.span().start, text))?;
            style |= *modifier;
        }
        Ok(style)
    }

    /// A TextMate theme, in a file beside the theme's own.
    fn read_textmate_theme(&self, value: &Value) -> Result<CapturePaints, ConfigError> {
        let fault = |what: String| self.error_at(value.span().start, what);
        let Some(name) = value.get_ref().as_str() else {
            return Err(fault("tm_theme must be the path of a .tmTheme file".into()));
        };
        let beside = self.path.parent().unwrap_or(Path::new(""));
        let path = beside.join(name);
        CapturePaints::read_textmate(&path)
            .map_err(|error| fault(format!("{}: {error}", path.escape_hidden())))
    }
}
