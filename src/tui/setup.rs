//! What the screen begins with: the configuration, made into keys, colours and panes.

use std::collections::BTreeMap;

use super::commands::Keymap;
use super::layout::{LAYOUTS, Layout};
use super::palette::Palette;
use super::theme::{Look, Themes};
use crate::config::{Config, Error, Errors, Origin, Placed, Sources};

/// What the screen begins with.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Where the configuration is read from, and read again when it changes.
    pub sources: Sources,
    /// The configuration.
    pub config: Config,
    /// Which themes there are.
    pub themes: Themes,
    /// What the terminal shows.
    pub palette: Palette,
    /// Which keys do what.
    pub keys: Keymap,
    /// How things look.
    pub look: Look,
    /// Which panes.
    pub layout: &'static Layout,
    /// What the environment said of the terminal.
    terminal: BTreeMap<&'static str, String>,
}

/// The variables that say what the terminal can show.
const TERMINAL: [&str; 6] = [
    "TERM",
    "COLORTERM",
    "COLORFGBG",
    "LC_ALL",
    "LC_CTYPE",
    "LANG",
];

impl Setup {
    /// Reads the configuration; `variable` looks up what the environment says of the terminal.
    ///
    /// # Errors
    /// When something in it is not allowed.
    pub fn new(
        sources: Sources,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Setup, Errors> {
        let known = TERMINAL.map(|name| Some((name, variable(name)?)));
        Setup::read(sources, known.into_iter().flatten().collect())
    }

    /// Everything as usual, on this terminal.
    pub fn usual(palette: Palette) -> Setup {
        Setup {
            sources: Sources::default(),
            config: Config::default(),
            themes: Themes::default(),
            palette,
            keys: Keymap::default(),
            look: Look::built_in(palette),
            layout: &LAYOUTS[0],
            terminal: BTreeMap::new(),
        }
    }

    /// Reads the configuration again.
    ///
    /// # Errors
    /// When something in it is not allowed.
    pub fn again(&self) -> Result<Setup, Errors> {
        Setup::read(self.sources.clone(), self.terminal.clone())
    }

    fn read(sources: Sources, terminal: BTreeMap<&'static str, String>) -> Result<Setup, Errors> {
        // All that is wrong is told at once.
        let mut faults = Vec::new();
        let config = sources.look(&mut faults)?;
        let themes = Themes {
            directory: sources.directory().map(|path| path.join("themes")),
        };
        let variable = |name: &str| terminal.get(name).cloned();
        let palette = Palette::detect(variable).settled(config.colour(), config.glyphs());
        let theme = themes.find(config.theme(), variable);
        let keys = Keymap::new(config.keys());
        let layout = layout(config.layout());
        faults.extend(theme.as_ref().err().cloned());
        faults.extend(layout.as_ref().err().cloned());
        faults.extend(
            keys.as_ref()
                .err()
                .into_iter()
                .flat_map(|errors| errors.clone().into_all()),
        );
        Errors::none(faults)?;
        Ok(Setup {
            keys: keys?,
            look: Look::new(&theme?, palette),
            layout: layout?,
            sources,
            config,
            themes,
            palette,
            terminal,
        })
    }

    /// The look of another theme.
    ///
    /// # Errors
    /// When there is no such theme, or it is not one.
    pub fn look_of(&self, theme: &str) -> Result<Look, Error> {
        let named = Placed {
            value: theme.to_owned(),
            from: Origin::Typed,
        };
        let theme = self
            .themes
            .find(&named, |name| self.terminal.get(name).cloned())?;
        Ok(Look::new(&theme, self.palette))
    }
}

/// The layout of this name.
///
/// # Errors
/// When there is none.
pub fn layout(named: &Placed<String>) -> Result<&'static Layout, Error> {
    let found = LAYOUTS.iter().find(|layout| layout.name == named.value);
    found.ok_or_else(|| {
        let names: Vec<&str> = LAYOUTS.iter().map(|layout| layout.name).collect();
        let what = format!(
            "there is no layout `{}`; there are {}",
            named.value,
            names.join(", ")
        );
        Error::new(&named.from, what)
    })
}
