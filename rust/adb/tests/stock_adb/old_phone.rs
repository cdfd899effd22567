//! A phone from before exit codes.

use crate::{server, soon};
use clawperator_adb::AdbError;
use clawperator_adbd::{Auth, Banner, Device, Server, Service, Shell, ShellRequest};
use clawperator_lab::adb;
use std::io::Write as _;
use std::sync::Arc;

struct OldPhone;

impl Device for OldPhone {
    fn banner(&self) -> Banner {
        Banner { features: vec!["cmd".into()], ..Banner::new("old", "Old", "old") }
    }

    fn open(&self, service: &str) -> Option<Service> {
        // It has never heard of `shell,v2`.
        let request = ShellRequest::parse(service).filter(|_| service.starts_with("shell:"))?;
        Some(Box::new(move |stream| {
            let shell = Shell::new(request.protocol, stream);
            let said = format!("ran {}\n", request.command);
            let _ = shell.output.stdout().write_all(said.as_bytes());
            let _ = shell.output.exit(7);
        }))
    }
}

#[test]
fn a_phone_without_exit_codes_still_runs_commands() {
    let phone = Server::bind("127.0.0.1:0", Arc::new(OldPhone), Auth::NoAuth).unwrap();
    let serial = adb().connect(phone.port());
    let device = server(adb()).device(&serial);
    let output = device.shell("id", soon()).unwrap();
    assert_eq!((output.text().as_str(), output.code), ("ran id", 0));
    let refused = device.shell_with_input("cat", &mut &b"x"[..], soon()).unwrap_err();
    let AdbError::Refused { message, .. } = refused else { panic!("{refused}") };
    assert!(message.starts_with("the phone is too old"), "{message}");
    server(adb()).disconnect(&serial, soon()).unwrap();
}
