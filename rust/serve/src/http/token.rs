//! The token, made once and kept for this user's eyes only.

use clawperator_contract::{ErrorCode, Failure};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Characters of the shortest token that is taken from a file: less could be guessed.
const SHORTEST: usize = 16;

/// The token of this file; it is made where there is none.
pub fn of(path: &Path) -> Result<String, Failure> {
    let failed = |error: io::Error| {
        let code = ErrorCode::OutputUnwritable;
        Failure::new(code, format!("the token in {}: {error}", path.display())).hint(code.remedy())
    };
    match fs::read_to_string(path) {
        Ok(text) if text.trim().len() >= SHORTEST => Ok(text.trim().to_owned()),
        Ok(_) => Err(failed(io::Error::other(format!("it has less than {SHORTEST} characters")))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => make(path).map_err(failed),
        Err(error) => Err(failed(error)),
    }
}

fn make(path: &Path) -> io::Result<String> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let token: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)?.write_all(format!("{token}\n").as_bytes())?;
    Ok(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_made_once_and_nobody_else_reads_it() {
        let folder = std::env::temp_dir().join(format!("token-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let path = folder.join("token");
        let made = of(&path).unwrap();
        assert_eq!(made.len(), 48);
        assert_eq!(of(&path).unwrap(), made);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        }
        fs::write(&path, "short").unwrap();
        assert!(of(&path).is_err());
        fs::remove_dir_all(folder).unwrap();
    }
}
