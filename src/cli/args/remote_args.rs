//! Options of a farm that runs tests.

use std::fs;
use std::path::PathBuf;

use clap::Args;

/// The farm, and what its workers need. Plain data; `launch/farm.rs` reads it.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Tests on a farm")]
pub struct RemoteArgs {
    /// Also run tests on a farm that speaks the Remote Execution API: grpc://HOST:PORT, or grpcs://HOST:PORT with TLS. The program, the test and what
    /// --remote-file names are sent there (docs/REMOTE.md)
    #[arg(long, value_name = "ADDRESS", value_parser = parse_address)]
    pub remote: Option<String>,
    /// The instance of the farm's server
    #[arg(
        long,
        value_name = "NAME",
        requires = "remote",
        default_value = "",
        hide_default_value = true
    )]
    pub remote_instance: String,
    /// A header of every call, such as authorization=@FILE, whose value is the first line of FILE
    #[arg(long, value_name = "NAME=VALUE", requires = "remote", value_parser = parse_header)]
    pub remote_header: Vec<(String, String)>,
    /// A property that a worker must have, such as container-image=docker://gcc:14
    #[arg(long, value_name = "KEY=VALUE", requires = "remote", value_parser = parse_pair)]
    pub remote_platform: Vec<(String, String)>,
    /// A file or directory that the test reads besides the program; on a worker it lies beside the test as it does here
    #[arg(long, value_name = "PATH", requires = "remote")]
    pub remote_file: Vec<PathBuf>,
    /// Number of tests that the farm has at a time: twice its workers keep them busy [default: 16]
    #[arg(long, value_name = "N", requires = "remote", value_parser = clap::value_parser!(u16).range(1..))]
    pub remote_jobs: Option<u16>,
    /// Accept what the farm finds interesting without a test on this machine
    #[arg(long, requires = "remote")]
    pub remote_trust: bool,
    /// The certificates of the authorities that are trusted, in PEM [default: those of the system]
    #[arg(long, value_name = "PATH", requires = "remote")]
    pub remote_ca: Option<PathBuf>,
    /// The own certificate for the farm, in PEM
    #[arg(
        long,
        value_name = "PATH",
        requires = "remote",
        requires = "remote_key"
    )]
    pub remote_cert: Option<PathBuf>,
    /// The key of the own certificate, in PEM
    #[arg(long, value_name = "PATH", requires = "remote_cert")]
    pub remote_key: Option<PathBuf>,
}

/// `grpc://HOST:PORT` and `grpcs://HOST:PORT`. A user's name, a password and a path are no part of it.
fn parse_address(text: &str) -> Result<String, String> {
    let form = "the address of a farm is grpc://HOST:PORT, or grpcs://HOST:PORT with TLS";
    let host = ["grpc://", "grpcs://"].iter();
    let host = host.filter_map(|scheme| text.strip_prefix(scheme)).next();
    let (host, port) = host.and_then(|host| host.rsplit_once(':')).ok_or(form)?;
    let is_host = !host.is_empty() && !host.contains(['@', '/', ' ']);
    match (is_host, port.parse::<u16>()) {
        (true, Ok(1..)) => Ok(text.to_owned()),
        (true, _) => Err(format!("{form}, with a port from 1 to 65535")),
        (false, _) if text.contains('@') => {
            Err("a farm takes no user and password; a token is a --remote-header".into())
        }
        (false, _) => Err(form.into()),
    }
}

/// `KEY=VALUE`.
fn parse_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
        _ => Err("a name and a value, as in KEY=VALUE".into()),
    }
}

/// `NAME=VALUE`, or `NAME=@FILE`, so that a secret is neither in the list of processes nor in the shell's history.
fn parse_header(text: &str) -> Result<(String, String), String> {
    let (name, value) = parse_pair(text)?;
    let Some(path) = value.strip_prefix('@') else {
        return Ok((name, value));
    };
    let text =
        fs::read_to_string(path).map_err(|error| format!("{path} cannot be read: {error}"))?;
    Ok((name, text.lines().next().unwrap_or_default().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_a_port() {
        for good in ["grpc://farm.example:8980", "grpcs://[::1]:443"] {
            assert_eq!(parse_address(good), Ok(good.to_owned()));
        }
        for bad in [
            "farm:8980",
            "http://farm:8980",
            "grpc://farm",
            "grpc://farm:99999",
            "grpc://farm:8980/foo",
            "grpc://me:secret@farm:8980",
            "grpc://:1",
            "",
        ] {
            assert!(parse_address(bad).is_err(), "{bad}");
        }
        let said = parse_address("grpc://me:secret@farm:8980");
        assert!(said.is_err_and(|said| !said.contains("secret")));
    }

    #[test]
    fn a_header_may_be_in_a_file() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("token");
        fs::write(&path, "Bearer abc\n").expect("a file");
        let header = parse_header(&format!("authorization=@{}", path.display()));
        assert_eq!(header, Ok(("authorization".into(), "Bearer abc".into())));
        let plain = parse_header("x-key=a=b");
        assert_eq!(plain, Ok(("x-key".into(), "a=b".into())));
        assert!(parse_header("x-key").is_err());
        assert!(parse_header("=value").is_err());
    }
}
