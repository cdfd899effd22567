//! The emulator's own console: the port in its serial, on this computer.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::path::Path;
use std::time::Duration;

/// The console answers at once, or not at all.
const PATIENCE: Duration = Duration::from_secs(5);
/// A port that is closed says so at once.
const GLANCE: Duration = Duration::from_millis(500);

/// Tells the emulator of this serial to end. It only means that the order was taken.
pub(super) fn kill(serial: &str, home: Option<&Path>) -> Result<(), String> {
    let (mut console, said) = open(serial, home)?;
    console.writer.write_all(b"kill\n").map_err(&said)?;
    // The goodbye may be cut off by the end itself.
    match answer(&mut console.reader) {
        Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(said(error)),
        _ => Ok(()),
    }
}

/// Puts the emulator of this serial at a place, in degrees.
///
/// # Errors
/// It is no emulator of this computer, or its console refuses.
pub fn locate(serial: &str, lat: f64, lon: f64, home: Option<&Path>) -> Result<(), String> {
    let (mut console, said) = open(serial, home)?;
    // Longitude first.
    console.writer.write_all(format!("geo fix {lon} {lat}\n").as_bytes()).map_err(&said)?;
    answer(&mut console.reader).map(drop).map_err(said)
}

struct Console {
    reader: BufReader<TcpStream>,
    writer: TcpStream,
}

/// A console that takes orders, and how its troubles are said.
fn open(
    serial: &str,
    home: Option<&Path>,
) -> Result<(Console, impl Fn(io::Error) -> String + use<>), String> {
    let port = port_of(serial).ok_or_else(|| format!("{serial} does not name a console port"))?;
    let said = move |error: io::Error| format!("the emulator's console at port {port}: {error}");
    let mut writer = connect(port, PATIENCE).map_err(said)?;
    writer.set_read_timeout(Some(PATIENCE)).map_err(said)?;
    writer.set_write_timeout(Some(PATIENCE)).map_err(said)?;
    let mut reader = BufReader::new(writer.try_clone().map_err(said)?);
    let greeting = answer(&mut reader).map_err(said)?;
    if greeting.contains("Authentication required") {
        let file = home.ok_or("HOME is not set")?.join(".emulator_console_auth_token");
        let token = std::fs::read_to_string(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        writer.write_all(format!("auth {}\n", token.trim()).as_bytes()).map_err(said)?;
        answer(&mut reader).map_err(said)?;
    }
    Ok((Console { reader, writer }, said))
}

/// Does anything still listen at the console's port? Only a refusal says no: a process that hangs
/// lets callers wait once its queue is full.
pub(super) fn listens(serial: &str) -> bool {
    port_of(serial).is_some_and(|port| match connect(port, GLANCE) {
        Ok(_) => true,
        Err(error) => error.kind() != io::ErrorKind::ConnectionRefused,
    })
}

fn connect(port: u16, within: Duration) -> io::Result<TcpStream> {
    TcpStream::connect_timeout(&(Ipv4Addr::LOCALHOST, port).into(), within)
}

fn port_of(serial: &str) -> Option<u16> {
    serial.strip_prefix("emulator-")?.parse().ok()
}

/// Everything up to the line `OK`; a line `KO` is the console's refusal.
fn answer(reader: &mut impl BufRead) -> io::Result<String> {
    let mut text = String::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line.starts_with("KO") {
            return Err(io::Error::new(io::ErrorKind::InvalidData, line.trim().to_owned()));
        }
        if line.starts_with("OK") {
            return Ok(text);
        }
        text.push_str(&line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_in_the_serial() {
        assert_eq!(port_of("emulator-5554"), Some(5554));
        assert_eq!(port_of("emulator-99999"), None);
        assert_eq!(port_of("R58M12ABC"), None);
        assert_eq!(kill("R58M", None).unwrap_err(), "R58M does not name a console port");
    }

    #[test]
    fn a_place_is_told_with_the_longitude_first_after_the_token() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let serial = format!("emulator-{}", listener.local_addr().unwrap().port());
        let home = std::env::temp_dir().join(format!("console-{}", std::process::id()));
        std::fs::create_dir_all(&home).unwrap();
        std::fs::write(home.join(".emulator_console_auth_token"), "s3cret\n").unwrap();
        let emulator = std::thread::spawn(move || {
            let (mut console, _) = listener.accept().unwrap();
            let mut lines = BufReader::new(console.try_clone().unwrap()).lines();
            console.write_all(b"Android Console: Authentication required\r\nOK\r\n").unwrap();
            let told = lines.next().unwrap().unwrap();
            console.write_all(b"OK\r\n").unwrap();
            let order = lines.next().unwrap().unwrap();
            console.write_all(b"OK\r\n").unwrap();
            (told, order)
        });
        locate(&serial, 48.2, -16.37, Some(&home)).unwrap();
        std::fs::remove_dir_all(&home).unwrap();
        let heard = emulator.join().unwrap();
        assert_eq!(heard, ("auth s3cret".into(), "geo fix -16.37 48.2".into()));
    }

    #[test]
    fn an_answer_ends_with_ok_or_ko() {
        let read = |text: &str| answer(&mut text.as_bytes());
        assert_eq!(read("Android Console: hello\r\nOK\r\n").unwrap(), "Android Console: hello\r\n");
        assert_eq!(read("OK: killing emulator, bye bye\r\n").unwrap(), "");
        let refused = read("KO: unknown command\r\n").unwrap_err();
        assert_eq!(refused.to_string(), "KO: unknown command");
        assert_eq!(read("half a li").unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }
}
