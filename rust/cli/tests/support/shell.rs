//! Runs the commands of the documentation as a reader would: in a shell, and where a page asks for
//! it with a phone at the stock adb. Nothing of the machine they run on is seen or touched: the
//! home, the working folder and the adb server are the test's own.

use crate::answers;
use crate::support::root;
use clawperator_lab::{Lab, adb, finish, options};
use clawperator_simphone::device::{Latency, Options};
use clawperator_simphone::system::OperatorPackage;
use clawperator_simphone::{app, import};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// What stands on the pages where the phone's serial would.
const SERIAL: &str = "<device_serial>";

/// What a command said, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) status: i32,
    pub(crate) text: String,
}

/// What surrounds the commands of one block.
pub(crate) struct Surroundings {
    folder: PathBuf,
    phone: Option<Lab>,
    /// Held to the end: with two phones at adb, each would have to be named.
    _alone: MutexGuard<'static, ()>,
}

impl Surroundings {
    /// Words as they stand in the comment before a block: nothing, or the way to a screen such as
    /// `com.android.settings > Network & internet`. Without words there is no phone at all.
    pub(crate) fn new(phone: Option<&str>) -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        static ALONE: Mutex<()> = Mutex::new(());
        let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = adb().home.join(format!("reader-{number}"));
        fs::create_dir_all(folder.join("home")).unwrap();
        symlink(root().join("examples"), folder.join("examples")).unwrap();
        let Some(words) = phone else { return Self { folder, phone: None, _alone: alone } };
        let mut words = words.split('>').map(str::trim).filter(|word| !word.is_empty()).peekable();
        let operators = match words.next_if(|word| ["no operator", "service off"].contains(word)) {
            Some("no operator") => Vec::new(),
            Some(_) => vec![OperatorPackage { enabled: false, ..OperatorPackage::current() }],
            None => vec![OperatorPackage::current()],
        };
        let phone = Some(Lab::at(adb(), readers_phone(), operators));
        let surroundings = Self { folder, phone, _alone: alone };
        if let Some(package) = words.next() {
            surroundings.must(&format!("clawperator open {package}"));
        }
        for text in words {
            surroundings.must(&format!("clawperator click --text '{text}'"));
        }
        surroundings
    }

    fn must(&self, command: &str) {
        let answer = self.run(command);
        assert_eq!(answer.status, 0, "{command}: {}", answer.text);
    }

    /// Runs a command in a shell. What differs each time is told as the pages tell it.
    pub(crate) fn run(&self, command: &str) -> Answer {
        let serial = self.phone.as_ref().map_or(SERIAL, |phone| phone.serial.as_str());
        let programs =
            [Path::new(env!("CARGO_BIN_EXE_clawperator")).parent().unwrap(), &adb().home];
        let programs = programs.map(|folder| folder.display().to_string()).join(":");
        let path = std::env::var("PATH").unwrap_or_default();
        let mut shell = Command::new("sh");
        let ours = ["ADB_", "ANDROID_", "CLAWPERATOR_", "EMULATOR_", "SDKMANAGER_", "AVDMANAGER_"];
        for (name, _) in std::env::vars_os() {
            if ours.iter().any(|prefix| name.to_string_lossy().starts_with(prefix)) {
                shell.env_remove(name);
            }
        }
        shell
            .args(["-c", &command.replace(SERIAL, serial)])
            .current_dir(&self.folder)
            .env("PATH", format!("{programs}:{path}"))
            .env("HOME", self.folder.join("home"))
            .env("TMPDIR", &self.folder)
            .env("ADB_PATH", adb().program())
            .env("ANDROID_ADB_SERVER_PORT", adb().port.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let ran = finish(shell.spawn().unwrap(), &[command]);
        assert_eq!(ran.err(), "", "an answer goes to standard output: {command}");
        let mut text = String::from_utf8(ran.stdout).unwrap();
        let home = self.folder.join("home");
        let places =
            [(home, "/home/me"), (self.folder.clone(), "/tmp"), (adb().program(), "/usr/bin/adb")];
        for (place, shown) in places {
            text = text.replace(&place.display().to_string(), shown);
        }
        let text = answers::with_steady_names(&text.replace(serial, SERIAL));
        let text = answers::shortened(&text);
        Answer { status: ran.code.expect("an exit code"), text }
    }
}

impl Drop for Surroundings {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// The phone that comes with the program, and on it what the examples speak of. It takes no time
/// to answer, so that a page says nothing about the speed of the computer it was written on.
fn readers_phone() -> Options {
    static READ: LazyLock<Options> = LazyLock::new(|| {
        let support = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support");
        let mut options = options();
        options.latency = Latency::default();
        options.apps.extend(app::from_folder(&support.join("apps")).unwrap());
        let screens = import::folder("com.example.shop", "Shop", &support.join("screens"));
        options.apps.push(screens.unwrap());
        options
    });
    Options { clock: options().clock, ..READ.clone() }
}
