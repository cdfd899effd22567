//! A computer with an SDK of shell scripts. Each test has its own, in a folder of its own.

use clawperator_contract::{ErrorCode, Failure};
use clawperator_host::emulator::{Emulators, Environment, Phones, Sdk};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// A limit for what is meant to hang.
pub(crate) const SHORT: Duration = Duration::from_millis(300);

/// What avdmanager does when all is well, as far as anybody can see it.
pub(crate) const AVDMANAGER: &str = r#"
echo "$@" >> "$world/avdmanager.calls"
if [ "$1" = delete ]; then
  rm -r "$ANDROID_AVD_HOME/$4.ini" "$ANDROID_AVD_HOME/$4.avd"
  echo "AVD '$4' deleted."; exit 0
fi
printf 'Do you wish to create a custom hardware profile? [no] '
read answer; echo "$answer" > "$world/avdmanager.answer"
path=$(echo "$6" | tr ';' '/'); rest=${path#*/}; api=${rest%%/*}
mkdir -p "$ANDROID_AVD_HOME/$4.avd"
printf 'avd.ini.encoding=UTF-8\npath=%s\ntarget=%s\n' "$ANDROID_AVD_HOME/$4.avd" "$api" \
  > "$ANDROID_AVD_HOME/$4.ini"
printf 'abi.type=%s\nimage.sysdir.1=%s/\nhw.device.name=%s\n' "${path##*/}" "$path" "$8" \
  > "$ANDROID_AVD_HOME/$4.avd/config.ini"
"#;

/// What sdkmanager does: it asks for a licence that nobody accepted yet, and installs.
pub(crate) const SDKMANAGER: &str = r#"
echo "$@" >> "$world/sdkmanager.calls"
if [ ! -e "$world/licence" ]; then
  printf '[===    ] 10%% Computing updates...\rLicense android-sdk-license:   ] 10%%\n---\n'
  printf 'Terms and Conditions\n---\nAccept? (y/N): '
  read answer
  if [ "$answer" != y ]; then
    echo 'Skipping following packages as the license is not accepted:'
    echo 'Google Play Intel x86_64 Atom System Image'; exit 0
  fi
  touch "$world/licence"
fi
image="$world/sdk/$(echo "$2" | tr ';' '/')"
mkdir -p "$image"; touch "$image/package.xml"
printf '[======] 100%% Unzipping...\r\n'
"#;

/// An emulator that comes up on adb, booted, and stays.
pub(crate) const EMULATOR: &str = r#"
echo "$@" >> "$world/emulator.calls"
echo $$ > "$world/pids/$$"
echo 'INFO    | Android emulator version 35.2.10.0'
printf 'ro.boot.qemu.avd_name=%s\nro.build.version.sdk=35\nro.product.cpu.abi=x86_64\n' "$2" \
  > "$world/new"
printf 'sys.boot_completed=1\ndev.bootcomplete=1\n' >> "$world/new"
mv "$world/new" "$world/adb/emulator-5554"
exec sleep 600
"#;

pub(crate) struct World {
    pub(crate) folder: PathBuf,
    pub(crate) environment: Environment,
    pub(crate) phones: Folder,
}

impl World {
    /// A computer of the kind x86_64 with an empty SDK.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("clawperator-emulators-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().canonicalize().unwrap().join(name);
        let _ = fs::remove_dir_all(&folder);
        for part in ["adb", "pids", "sdk", "home/.android/avd"] {
            fs::create_dir_all(folder.join(part)).unwrap();
        }
        let environment = Environment::default()
            .with("HOME", folder.join("home"))
            .with("ANDROID_HOME", folder.join("sdk"))
            .with("CLAWPERATOR_LOG_DIR", folder.join("logs"));
        let phones = Folder { folder: folder.clone(), events: Mutex::default() };
        Self { folder, environment, phones }
    }

    /// The same with all three tools in good health.
    pub(crate) fn with_tools() -> Self {
        let world = Self::new();
        world.program("sdk/cmdline-tools/latest/bin/avdmanager", AVDMANAGER);
        world.program("sdk/cmdline-tools/latest/bin/sdkmanager", SDKMANAGER);
        world.program("sdk/emulator/emulator", EMULATOR);
        world
    }

    pub(crate) fn emulators(&self) -> Emulators<'_> {
        let mut emulators = Emulators::new(Sdk::new(self.environment.clone()), &self.phones);
        emulators.host_abi = "x86_64".into();
        emulators
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.folder.join(path)
    }

    /// What a fake tool has written down.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap_or_default()
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Writes a program. Another process does it: a file that this one had open for writing while
    /// another thread started something cannot be run ("text file busy").
    pub(crate) fn program(&self, path: &str, body: &str) {
        let script = format!("#!/bin/sh\nworld={}\n{body}\n", self.folder.display());
        let source = format!("{path}.source");
        self.write(&source, &script);
        let mut install = Command::new("install");
        install.args(["-m", "755"]).arg(self.path(&source)).arg(self.path(path));
        assert!(install.status().unwrap().success());
    }

    /// A virtual device with its image.
    pub(crate) fn avd(&self, name: &str, api: u32, abi: &str) {
        let image = format!("system-images/android-{api}/google_apis_playstore/{abi}");
        self.write(&format!("sdk/{image}/package.xml"), "");
        let folder = self.path(&format!("home/.android/avd/{name}.avd"));
        let pointer = format!("path={}\ntarget=android-{api}\n", folder.display());
        self.write(&format!("home/.android/avd/{name}.ini"), &pointer);
        let config = format!(
            "PlayStore.enabled = yes\nabi.type = {abi}\nhw.device.name = pixel_7\n\
             image.sysdir.1 = {image}/\n"
        );
        self.write(&format!("home/.android/avd/{name}.avd/config.ini"), &config);
    }

    /// An emulator on adb.
    pub(crate) fn running(&self, serial: &str, avd: &str) {
        self.phones.put(
            serial,
            &format!(
                "ro.boot.qemu.avd_name={avd}\nro.build.version.sdk=35\nro.product.cpu.abi=x86_64\n\
                 sys.boot_completed=1\ndev.bootcomplete=1\n"
            ),
        );
    }

    /// The emulators that were started and live.
    pub(crate) fn processes(&self) -> Vec<Pid> {
        let entries = fs::read_dir(self.path("pids")).unwrap();
        let pid = |name: String| Pid::from_raw(name.parse().unwrap());
        entries.map(|entry| pid(entry.unwrap().file_name().into_string().unwrap())).collect()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        for process in self.processes() {
            let _ = kill(process, Signal::SIGKILL);
        }
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// adb as a folder: a file for each phone, a line for each of its properties.
pub(crate) struct Folder {
    folder: PathBuf,
    events: Mutex<VecDeque<Event>>,
}

type Event = Box<dyn FnOnce(&Folder) + Send>;

impl Folder {
    pub(crate) fn put(&self, serial: &str, properties: &str) {
        let new = self.folder.join("adb.new");
        fs::write(&new, properties).unwrap();
        fs::rename(new, self.file(serial)).unwrap();
    }

    pub(crate) fn remove(&self, serial: &str) {
        fs::remove_file(self.file(serial)).unwrap();
    }

    /// What happens the next time somebody waits.
    pub(crate) fn then(&self, event: impl FnOnce(&Self) + Send + 'static) {
        self.events.lock().unwrap().push_back(Box::new(event));
    }

    /// Waits for the emulator's script to have begun, however busy the machine is.
    pub(crate) fn emulator_has_begun(&self) {
        eventually("the emulator begins", || {
            fs::read_dir(self.folder.join("pids")).unwrap().next().is_some()
        });
    }

    /// From now on adb fails, or no longer.
    pub(crate) fn broken(&self, broken: bool) {
        let sign = self.folder.join("broken");
        if broken { fs::write(sign, "").unwrap() } else { fs::remove_file(sign).unwrap() }
    }

    fn file(&self, serial: &str) -> PathBuf {
        self.folder.join("adb").join(serial)
    }

    fn check(&self) -> Result<(), Failure> {
        if self.folder.join("broken").exists() {
            return Err(Failure::new(ErrorCode::AdbServerFailed, "nobody listens at port 5037"));
        }
        Ok(())
    }
}

impl Phones for Folder {
    fn running(&self) -> Result<Vec<String>, Failure> {
        self.check()?;
        let entries = fs::read_dir(self.folder.join("adb")).unwrap();
        let mut serials: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        serials.sort();
        Ok(serials)
    }

    fn property(&self, serial: &str, name: &str) -> Result<String, Failure> {
        self.check()?;
        let text = fs::read_to_string(self.file(serial)).unwrap_or_default();
        if text.is_empty() {
            return Err(Failure::new(ErrorCode::DeviceOffline, format!("{serial} is offline")));
        }
        let of_name =
            |line: &str| Some(line.split_once('=').filter(|(it, _)| *it == name)?.1.to_owned());
        Ok(text.lines().find_map(of_name).unwrap_or_default())
    }

    fn wait_for_change(&self, within: Duration) -> Result<(), Failure> {
        let event = self.events.lock().unwrap().pop_front();
        match event {
            Some(event) => event(self),
            // Whatever is waited for is a process of its own that needs a moment.
            None => std::thread::sleep(within.min(Duration::from_millis(2))),
        }
        Ok(())
    }
}

/// What went wrong, by its code.
pub(crate) fn failed<T: std::fmt::Debug>(result: Result<T, Failure>, code: ErrorCode) -> Failure {
    let failure = result.expect_err("it should have failed");
    assert_eq!(failure.code, code, "{failure}");
    assert!(failure.hint.as_ref().is_some_and(|hint| !hint.is_empty()), "{failure} has no hint");
    failure
}

pub(crate) fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in {text:?}");
}

pub(crate) fn hint(failure: &Failure) -> &str {
    failure.hint.as_deref().unwrap_or_default()
}

pub(crate) fn display(path: &Path) -> String {
    path.display().to_string()
}

/// Waits for something that another process does.
pub(crate) fn eventually(what: &str, happened: impl Fn() -> bool) {
    for _ in 0..30_000 {
        if happened() {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("not seen: {what}");
}
