//! `emulator start`.

use crate::world::{EMULATOR, Folder, SHORT, World, contains, display, eventually, failed, hint};
use clawperator_contract::ErrorCode;
use clawperator_host::emulator::{Phones, Start};
use nix::sys::signal::kill;
use nix::unistd::getpgid;
use serde_json::json;

const TOOL: &str = "sdk/emulator/emulator";
/// An emulator that runs but stays off adb.
const SILENT: &str = "echo $$ > $world/pids/$$; echo 'INFO | starting'; exec sleep 600";

fn world() -> World {
    let world = World::with_tools();
    world.avd("pixel", 35, "x86_64");
    world
}

#[test]
fn a_device_is_started_and_stays_with_its_log() {
    let world = world();
    let started = world.emulators().start("pixel", &Start::default()).unwrap();
    let log = world.path("logs/emulator-pixel.log");
    assert_eq!(
        serde_json::to_value(&started).unwrap(),
        json!({
            "type": "emulator", "avdName": "pixel", "serial": "emulator-5554", "booted": true,
            "logFile": display(&log),
        })
    );
    contains(&std::fs::read_to_string(log).unwrap(), "emulator version");
    let [process] = world.processes()[..] else { panic!("one emulator was started") };
    kill(process, None).expect("it stays");
    assert_eq!(getpgid(Some(process)), Ok(process), "it leads a group of its own");
    failed(world.emulators().start("pixel", &Start::default()), ErrorCode::EmulatorAlreadyRunning);
}

#[test]
fn a_window_is_shown_where_there_is_a_display_or_as_the_caller_says() {
    for (display, headless, window) in [
        (true, None, true),
        (false, None, !cfg!(target_os = "linux")),
        (true, Some(true), false),
        (false, Some(false), true),
    ] {
        let mut world = world();
        if display {
            world.environment = world.environment.clone().with("DISPLAY", ":0");
        }
        let how = Start { headless, arguments: vec!["-gpu".into(), "host".into()] };
        world.emulators().start("pixel", &how).unwrap();
        let hidden = if window { "" } else { " -no-window" };
        assert_eq!(
            world.read("emulator.calls"),
            format!("-avd pixel -no-snapshot-load -no-boot-anim{hidden} -gpu host\n")
        );
    }
}

#[test]
fn the_emulator_sees_the_same_folders_as_this_program() {
    let world = world();
    let say = "echo \"$ANDROID_HOME $ANDROID_SDK_ROOT $ANDROID_AVD_HOME\" > $world/folders\n";
    world.program(TOOL, &format!("{say}{EMULATOR}"));
    world.emulators().start("pixel", &Start::default()).unwrap();
    let (sdk, avds) = (world.path("sdk"), world.path("home/.android/avd"));
    let expected = format!("{0} {0} {1}\n", display(&sdk), display(&avds));
    assert_eq!(world.read("folders"), expected);
}

#[test]
fn it_is_ready_when_both_signs_of_the_boot_are_there() {
    let world = world();
    world.program(TOOL, SILENT);
    let name = "ro.boot.qemu.avd_name=pixel\n";
    // First another emulator, then the right one, step by step, off adb for a moment.
    world.phones.then(Folder::emulator_has_begun);
    world.phones.then(|adb| adb.put("emulator-5554", "ro.boot.qemu.avd_name=other\n"));
    world.phones.then(|adb| adb.broken(true));
    world.phones.then(|adb| adb.broken(false));
    world.phones.then(move |adb| adb.put("emulator-5556", name));
    world.phones.then(move |adb| adb.put("emulator-5556", &format!("{name}sys.boot_completed=1")));
    world.phones.then(|adb| adb.remove("emulator-5556"));
    world.phones.then(move |adb| {
        adb.put("emulator-5556", &format!("{name}sys.boot_completed=1\ndev.bootcomplete=1"));
    });
    let started = world.emulators().start("pixel", &Start::default()).unwrap();
    assert_eq!(started.serial, "emulator-5556");
}

#[test]
fn an_unknown_device_is_not_started() {
    let world = world();
    failed(world.emulators().start("pixle", &Start::default()), ErrorCode::EmulatorNotFound);
    assert_eq!(world.read("emulator.calls"), "");
}

#[test]
fn without_the_emulator_nothing_is_started() {
    let world = world();
    std::fs::remove_file(world.path(TOOL)).unwrap();
    let result = world.emulators().start("pixel", &Start::default());
    let failure = failed(result, ErrorCode::AndroidSdkToolMissing);
    assert_eq!(failure.details["missingTools"], json!(["emulator"]));
}

#[test]
fn without_adb_nothing_is_started() {
    let world = world();
    world.phones.broken(true);
    let failure = world.emulators().start("pixel", &Start::default()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::AdbServerFailed);
    assert_eq!(world.read("emulator.calls"), "");
}

#[test]
fn an_emulator_that_dies_early_has_its_last_words_in_the_failure() {
    let world = world();
    world.program(
        TOOL,
        "echo 'ERROR | x86_64 emulation currently requires hardware acceleration!'
echo 'CPU acceleration status: /dev/kvm is not found' >&2; exit 1",
    );
    let failure =
        failed(world.emulators().start("pixel", &Start::default()), ErrorCode::EmulatorStartFailed);
    contains(&failure.message, "ended early (exit status: 1)");
    contains(&failure.message, "/dev/kvm is not found");
    contains(hint(&failure), "usermod -aG kvm");
    assert_eq!(failure.details["logFile"], display(&world.path("logs/emulator-pixel.log")));
}

#[test]
fn an_emulator_that_runs_but_is_not_on_adb_yet_is_running_already() {
    let world = world();
    world.program(
        TOOL,
        "echo 'ERROR | Running multiple emulators with the same AVD is an experimental feature.'
exit 1",
    );
    let result = world.emulators().start("pixel", &Start::default());
    failed(result, ErrorCode::EmulatorAlreadyRunning);
}

#[test]
fn an_emulator_that_dies_while_it_boots_is_told() {
    let world = world();
    world.program(
        TOOL,
        &EMULATOR
            .replace("dev.bootcomplete=1", "dev.bootcomplete=0")
            .replace("exec sleep 600", "while [ ! -e $world/die ]; do sleep 0.01; done; exit 9"),
    );
    world.phones.then(|adb| eventually("it is on adb", || !adb.running().unwrap().is_empty()));
    let die = world.path("die");
    world.phones.then(move |_| std::fs::write(die, "").unwrap());
    let result = world.emulators().start("pixel", &Start::default());
    contains(&failed(result, ErrorCode::EmulatorStartFailed).message, "exit status: 9");
}

#[test]
fn an_emulator_that_never_comes_to_adb_is_ended() {
    let world = world();
    world.program(TOOL, SILENT);
    world.phones.then(Folder::emulator_has_begun);
    let mut emulators = world.emulators();
    emulators.limits.registration = SHORT;
    let result = emulators.start("pixel", &Start::default());
    let failure = failed(result, ErrorCode::EmulatorStartFailed);
    contains(&failure.message, "did not appear on adb within 0.3 s and was ended");
    let [process] = world.processes()[..] else { panic!("one emulator was started") };
    // A process that was killed stays until somebody has taken note of its end.
    eventually("it ends", || kill(process, None).is_err());
}

#[test]
fn an_emulator_that_does_not_finish_booting_is_left_running_and_named() {
    let world = world();
    world.program(TOOL, &EMULATOR.replace("dev.bootcomplete=1", "dev.bootcomplete="));
    let mut emulators = world.emulators();
    emulators.limits.boot = SHORT;
    let result = emulators.start("pixel", &Start::default());
    let failure = failed(result, ErrorCode::EmulatorBootTimeout);
    assert_eq!(failure.details["serial"], "emulator-5554");
    contains(hint(&failure), "emulator status");
    kill(world.processes()[0], None).expect("it goes on");
}

#[test]
fn a_log_that_cannot_be_written_is_told() {
    let mut world = world();
    world.write("file", "");
    world.environment = world.environment.clone().with("CLAWPERATOR_LOG_DIR", world.path("file/x"));
    let result = world.emulators().start("pixel", &Start::default());
    contains(&failed(result, ErrorCode::EmulatorStartFailed).message, "file/x");
}
