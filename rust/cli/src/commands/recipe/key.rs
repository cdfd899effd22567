//! The key that hashes of outputs are made with: this computer's own, made once.

use clawperator_contract::{ErrorCode, Failure};
use clawperator_skills::run::Redactor;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

const LENGTH: usize = 32;

/// What covers outputs on this computer. Without a home it has a key for this run alone.
pub(crate) fn redactor() -> Result<Redactor, Failure> {
    let home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
    let key = match home {
        Some(home) => kept(&home.join(".clawperator/redaction.key")),
        None => fresh(),
    };
    key.map(Redactor::new).map_err(|error| {
        let said = format!("the key for hashed outputs in ~/.clawperator cannot be had: {error}");
        Failure::new(ErrorCode::OutputUnwritable, said).hint("make ~/.clawperator writable")
    })
}

fn kept(path: &Path) -> io::Result<[u8; LENGTH]> {
    match fs::read(path) {
        Ok(bytes) => bytes.try_into().map_err(|_| {
            io::Error::new(io::ErrorKind::InvalidData, format!("{} is broken", path.display()))
        }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(path),
        Err(error) => Err(error),
    }
}

/// Whoever makes it first has made it: another run that is as quick reads that one.
fn make(path: &Path) -> io::Result<[u8; LENGTH]> {
    let key = fresh()?;
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let draft = folder.join(format!("redaction.key.{}", std::process::id()));
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&draft)?;
    file.write_all(&key)?;
    file.sync_all()?;
    let linked = fs::hard_link(&draft, path);
    fs::remove_file(&draft)?;
    match linked {
        Ok(()) => Ok(key),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => kept(path),
        Err(error) => Err(error),
    }
}

fn fresh() -> io::Result<[u8; LENGTH]> {
    let mut key = [0; LENGTH];
    getrandom::fill(&mut key).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(key)
}
