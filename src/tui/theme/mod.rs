//! Themes: how each role looks. A theme says what things mean, never which widget shows them.
//!
//! ```text
//!   themes/dark.toml ──parse──▶ ColourTheme ──on a terminal──▶ ResolvedTheme ──role_style(role)──▶ Style
//! ```

mod file;
mod paint;
pub mod palette;
mod resolved_theme;
mod role;
mod syntax;
mod themes;

pub use file::ColourTheme;
pub use paint::RolePaint;
pub use resolved_theme::ResolvedTheme;
pub use role::Role;
pub use syntax::CaptureStyles;
pub use themes::{BUILT_IN, ThemeCatalog, ThemeText};

#[cfg(test)]
mod tests;
