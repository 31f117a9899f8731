//! Writes the grammar of each language in `grammars/` as a compact table into `OUT_DIR`.
//!
//! A grammar is read from the very crate whose parser is linked: its `grammar.json` and `parser.c` are part of its published sources.
//! So nothing of theirs is checked in here, and the two can never be of different versions. The crate is found through
//! `cargo metadata`; where that fails, in cargo's registry directory with the version from `Cargo.lock`.

#[allow(dead_code, unused_imports)]
#[path = "src/grammar/mod.rs"]
mod grammar;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

fn main() {
    if let Err(what) = write_tables() {
        // Cargo shows this line; a panic's message would drown in its backtrace.
        eprintln!("error: {what}");
        std::process::exit(1);
    }
}

fn write_tables() -> Result<(), String> {
    let root = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    for watched in ["build.rs", "src/grammar", "grammars", "Cargo.lock"] {
        // A path that does not exist would make cargo run this again and again.
        if root.join(watched).exists() {
            println!("cargo::rerun-if-changed={watched}");
        }
    }
    let metadata = metadata(&root);
    for language in languages(&root.join("grammars"))? {
        let home = language.home(&root, &metadata)?;
        language.check_version(&home)?;
        let read = |path: &str| {
            let path = home.join(path);
            println!("cargo::rerun-if-changed={}", path.display());
            fs::read_to_string(&path).map_err(|e| {
                format!(
                    "{}: {e}. lop reads the grammar of {} from the sources of the crate {}, which should have this file",
                    path.display(),
                    language.name,
                    language.package
                )
            })
        };
        let table =
            grammar::Grammar::from_tree_sitter(&read(&language.grammar)?, &read(&language.parser)?)
                .map_err(|e| {
                    format!(
                        "the grammar of {}, in {}: {e}",
                        language.name,
                        home.display()
                    )
                })?
                .encode();
        // Tests bring the grammar as a user does.
        let path = out.join(format!("{}.home", language.name));
        fs::write(&path, home.to_string_lossy().as_bytes())
            .map_err(|e| format!("{}: {e}", path.display()))?;
        let path = out.join(format!("{}.grammar", language.name));
        fs::write(&path, table).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set: build.rs is meant to be run by cargo"))
}

/// What a `language.toml` says about where its grammar comes from.
struct Language {
    name: String,
    package: String,
    version: String,
    grammar: String,
    parser: String,
}

fn languages(folder: &Path) -> Result<Vec<Language>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path().join("language.toml")))
        .filter(|file| file.exists())
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| {
            let text = fs::read_to_string(file).map_err(|e| format!("{}: {e}", file.display()))?;
            let value = |key: &str| {
                string(&text, key).ok_or_else(|| {
                    format!("{}: there is no line `{key} = \"...\"`", file.display())
                })
            };
            Ok(Language {
                name: value("name")?,
                package: value("crate")?,
                version: value("version")?,
                grammar: value("grammar")?,
                parser: value("parser")?,
            })
        })
        .collect()
}

/// The string of a line `key = "string"`. That is all of TOML that is needed here, and saves a build dependency.
fn string(toml: &str, key: &str) -> Option<String> {
    let top = toml.split("\n[").next()?;
    top.lines().find_map(|line| {
        let value = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
        Some(
            value
                .trim()
                .strip_prefix('"')?
                .strip_suffix('"')?
                .to_owned(),
        )
    })
}

impl Language {
    /// The folder of the crate's sources.
    fn home(&self, root: &Path, metadata: &Result<Value, String>) -> Result<PathBuf, String> {
        let first = match metadata {
            Ok(metadata) => match package_home(metadata, &self.package) {
                Some(home) => return Ok(home),
                None => "it does not know the crate".to_owned(),
            },
            Err(what) => what.clone(),
        };
        self.in_registry(root).map_err(|second| {
            format!(
                "the sources of the crate {}, which has the grammar of {}, are not found; `cargo fetch` may help.\n  cargo metadata: {first}\n  registry: {second}",
                self.package, self.name
            )
        })
    }

    /// Names of rules are data, so another version of the crate may be another grammar.
    fn check_version(&self, home: &Path) -> Result<(), String> {
        let manifest = home.join("Cargo.toml");
        let text =
            fs::read_to_string(&manifest).map_err(|e| format!("{}: {e}", manifest.display()))?;
        let package = text.split("[package]").nth(1);
        let found = package.and_then(|package| string(package, "version"));
        if found.as_deref() == Some(&self.version) {
            return Ok(());
        }
        Err(format!(
            "grammars/{}/language.toml is about {} {}, but {} is version {}",
            self.name,
            self.package,
            self.version,
            home.display(),
            found.as_deref().unwrap_or("unknown")
        ))
    }

    fn in_registry(&self, root: &Path) -> Result<PathBuf, String> {
        let lock = root
            .ancestors()
            .map(|folder| folder.join("Cargo.lock"))
            .find(|file| file.exists())
            .ok_or("there is no Cargo.lock")?;
        let text = fs::read_to_string(&lock).map_err(|e| format!("{}: {e}", lock.display()))?;
        let name = format!("name = \"{}\"", self.package);
        let version = text
            .split("[[package]]")
            .find(|package| package.lines().any(|line| line == name))
            .and_then(|package| string(package.trim_start(), "version"))
            .ok_or_else(|| format!("{} does not name the crate", lock.display()))?;
        let cargo = env::var_os("CARGO_HOME")
            .map(PathBuf::from)
            .or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cargo")))
            .ok_or("neither CARGO_HOME nor HOME is set")?;
        let sources = cargo.join("registry").join("src");
        let folder = format!("{}-{version}", self.package);
        let registries =
            fs::read_dir(&sources).map_err(|e| format!("{}: {e}", sources.display()))?;
        registries
            .filter_map(|registry| Some(registry.ok()?.path().join(&folder)))
            .find(|home| home.exists())
            .ok_or_else(|| format!("no folder {folder} in {}", sources.display()))
    }
}

/// What cargo knows of the packages of this build. Never from the network: they are there already, or nothing could be built.
fn metadata(root: &Path) -> Result<Value, String> {
    let cargo = variable("CARGO")?;
    let target = variable("TARGET")?;
    let run = |locked: &[&str]| {
        let output = Command::new(&cargo)
            .args(["metadata", "--format-version", "1", "--offline"])
            // Without it, packages for other systems are asked for, which were never downloaded.
            .args(["--filter-platform", &target])
            .args(locked)
            .arg("--manifest-path")
            .arg(root.join("Cargo.toml"))
            .output()
            .map_err(|e| format!("{cargo}: {e}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("{} {}", output.status, said.trim()));
        }
        serde_json::from_slice(&output.stdout).map_err(|e| e.to_string())
    };
    run(&["--locked"]).or_else(|_| run(&[]))
}

/// The folder of a package. Of several versions of one name, the one that this package itself depends on.
fn package_home(metadata: &Value, name: &str) -> Option<PathBuf> {
    let root = metadata["resolve"]["root"].as_str();
    let nodes = metadata["resolve"]["nodes"].as_array()?;
    let direct = nodes
        .iter()
        .find(|node| node["id"].as_str() == root)
        .and_then(|node| node["dependencies"].as_array());
    let is_direct = |package: &&Value| direct.is_none_or(|ids| ids.contains(&package["id"]));
    let packages = metadata["packages"].as_array()?;
    let manifest = packages
        .iter()
        .filter(|package| package["name"] == name)
        .find(is_direct)?["manifest_path"]
        .as_str()?;
    Some(Path::new(manifest).parent()?.to_owned())
}
