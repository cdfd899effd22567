//! `shell:` and `exec:` for services: what was asked, and stdin, stdout, stderr and an exit code
//! over whichever of the two forms the host chose.

mod framing;
mod session;

pub use framing::WindowSize;
pub use session::{Shell, ShellInput, ShellOutput, ShellWriter};

/// How output and input travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShellProtocol {
    /// Bytes as they are: stderr within stdout, no exit code. `shell:` and `exec:`.
    Raw,
    /// In packets that tell stdin, stdout, stderr and the exit code apart. `shell,v2:`.
    V2,
}

/// A `shell` or `exec` service as it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShellRequest {
    /// How output and input travel.
    pub protocol: ShellProtocol,
    /// The host wants a terminal: `adb shell` without a command, or with `-t`.
    pub terminal: bool,
    /// The host's `TERM`, where it says.
    pub term: Option<String>,
    /// The command line, for a shell to take apart; empty for an interactive shell.
    pub command: String,
}

impl ShellRequest {
    /// Reads `shell:COMMAND`, `shell,v2[,TERM=..][,raw|,pty]:COMMAND` or `exec:COMMAND`; `None`
    /// when `service` is none of these.
    #[must_use]
    pub fn parse(service: &str) -> Option<Self> {
        let (kind, command) = service.split_once(':')?;
        let mut words = kind.split(',');
        let name = words.next()?;
        let mut request = Self {
            protocol: ShellProtocol::Raw,
            // As adbd has it: a terminal for a person, none for a command.
            terminal: name == "shell" && command.is_empty(),
            term: None,
            command: command.to_owned(),
        };
        match name {
            "exec" if kind == "exec" => return Some(request),
            "shell" => {}
            _ => return None,
        }
        for word in words {
            match word {
                "v2" => request.protocol = ShellProtocol::V2,
                "raw" => request.terminal = false,
                "pty" => request.terminal = true,
                // What we do not know changes nothing we do; adbd only logs it too.
                word => {
                    request.term = word.strip_prefix("TERM=").map(str::to_owned).or(request.term)
                }
            }
        }
        Some(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(service: &str) -> ShellRequest {
        ShellRequest::parse(service).unwrap()
    }

    #[test]
    fn a_command_keeps_its_colons_and_commas() {
        assert_eq!(parse("shell:echo a,b:c").command, "echo a,b:c");
        assert_eq!(parse("shell,v2,raw:echo a,b:c").command, "echo a,b:c");
    }

    #[test]
    fn words_before_the_colon_choose_the_form() {
        let request = parse("shell,v2,TERM=xterm-256color,pty:top");
        assert_eq!(request.protocol, ShellProtocol::V2);
        assert_eq!(request.term.as_deref(), Some("xterm-256color"));
        assert!(request.terminal);
        assert!(!parse("shell,v2,TERM=dumb,raw:").terminal);
    }

    #[test]
    fn a_shell_without_a_command_is_for_a_person() {
        assert!(parse("shell:").terminal);
        assert!(!parse("shell:ls").terminal);
        assert!(!parse("exec:ls").terminal);
    }

    #[test]
    fn other_services_are_no_shell() {
        for service in ["sync:", "shellfish:", "reboot:", "exec,v2:ls", "shell", ""] {
            assert_eq!(ShellRequest::parse(service), None, "{service}");
        }
    }
}
