//! What a command learns of our environment: everything but secrets.

use std::env;
use std::process::Command;

/// A word that ends so names a secret: `PGPASSWORD`, `GITHUB_TOKEN`, but not `TOKENIZERS_PATH`.
const ENDINGS: [&str; 12] = [
    "APIKEY",
    "APIKEYS",
    "CREDENTIAL",
    "CREDENTIALS",
    "PASSPHRASE",
    "PASSWD",
    "PASSWORD",
    "PASSWORDS",
    "SECRET",
    "SECRETS",
    "TOKEN",
    "TOKENS",
];

/// These name one only as a whole word: `AUTHOR` and `PATH` are none.
const WORDS: [&str; 6] = ["AUTH", "COOKIE", "COOKIES", "PASS", "PAT", "PWD"];

/// What stands before the word `KEY` when the key is one that opens something.
const KEYS: [&str; 7] = ["ACCESS", "API", "DEPLOY", "ENCRYPTION", "MASTER", "PRIVATE", "SIGNING"];

/// Places, not secrets: without the first, git could not fetch; the others are folders.
const HARMLESS: [&str; 3] = ["SSH_AUTH_SOCK", "PWD", "OLDPWD"];

/// Files that bash runs before the command it was given.
const STARTUP: [&str; 2] = ["BASH_ENV", "ENV"];

/// Takes from a command's environment what it must not know, and what would change what a name in
/// it means after the name was judged.
pub(super) fn scrub(command: &mut Command) {
    for (name, _) in env::vars_os() {
        // A name that is no text is no setting of anybody, and may hide anything.
        let keep = name.to_str().is_some_and(|name| !is_secret(name) && !decides(name));
        if !keep {
            command.env_remove(name);
        }
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    if HARMLESS.contains(&name.as_str()) {
        return false;
    }
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    let secret =
        |word: &&str| WORDS.contains(word) || ENDINGS.iter().any(|ending| word.ends_with(ending));
    let key = |pair: &[&str]| KEYS.contains(&pair[0]) && matches!(pair[1], "KEY" | "KEYS");
    words.iter().any(secret) || words.windows(2).any(key)
}

fn decides(name: &str) -> bool {
    STARTUP.contains(&name) || name.starts_with("BASH_FUNC_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_the_words_of_their_names() {
        for name in [
            "OPENAI_API_KEY",
            "openai_api_key",
            "OPENAIAPIKEY",
            "GITHUB_TOKEN",
            "CLIENT_SECRET",
            "SECRET_KEY_BASE",
            "PGPASSWORD",
            "MYSQL_PWD",
            "DB_PASS",
            "GH_PAT",
            "AWS_ACCESS_KEY_ID",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "SSH_PRIVATE_KEY",
            "NPM_AUTH",
            "npm_config_//registry.example/:_authToken",
        ] {
            assert!(is_secret(name), "{name} is given away");
        }
        for name in [
            "SSH_AUTH_SOCK",
            "GIT_AUTHOR_NAME",
            "GIT_AUTHOR_EMAIL",
            "AUTHOR",
            "XAUTHORITY",
            "PATH",
            "HOME",
            "PWD",
            "TERM",
            "TMPDIR",
            "TOKENIZERS_PARALLELISM",
            "KEYBOARD_LAYOUT",
            "SSH_ASKPASS",
            "COMPASS_URL",
        ] {
            assert!(!is_secret(name), "{name} is lost");
        }
    }
}
