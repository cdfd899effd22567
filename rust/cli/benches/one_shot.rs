//! What one command costs from its start to its end, through the stock adb server to a simulated
//! phone, beside `adb shell true` on the same phone and on Android's own adbd. All in turns, in
//! one run. The phone answers at once: what is measured is everything around it.
//!
//! `scripts/bench one_shot`, which brings adb and adbd.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::panic,
    missing_docs,
    reason = "a benchmark fails and prints loudly"
)]

use clawperator_lab::{Adb, Lab, options};
use clawperator_simphone::app;
use clawperator_simphone::device::{Latency, Options};
use clawperator_simphone::system::OperatorPackage;
use std::fmt::Write as _;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs, process, thread};

const RUNS: usize = 300;
const PROGRAM: &str = env!("CARGO_BIN_EXE_clawperator");
/// Rows of the list, which make 60 nodes with what is around them.
const ROWS: usize = 9;
const PACKAGE: &str = "com.example.sixty";

fn main() {
    // `cargo test --benches` runs benches too; there is nothing to test here.
    if env::args().any(|arg| arg == "--test") {
        return;
    }
    let host = Adb::start();
    let lab = phone(&host);
    let daemon = Daemon::start(&host);
    let ours = |args: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(["--device", &lab.serial]).args(args);
        command.env("ANDROID_ADB_SERVER_PORT", host.port.to_string()).env("HOME", &host.home);
        command
    };
    assert!(ours(&["open", PACKAGE]).output().unwrap().status.success());
    assert!(ours(&["wait", "--text", "Row 5"]).output().unwrap().status.success());
    let snapshot = ours(&["snapshot"]).output().unwrap().stdout;
    let nodes = String::from_utf8(snapshot).unwrap().matches("<node ").count();
    assert_eq!(nodes, 60, "the screen is not what it is said to be");
    let mut rows: Vec<Row<'_>> = vec![
        Row::new("adb shell true, simulated phone", || {
            host.command(&["-s", &lab.serial, "shell", "true"])
        }),
        Row::new("clawperator click --text", || ours(&["click", "--text", "Row 5"])),
        Row::new("clawperator snapshot", || ours(&["snapshot"])),
        Row::new("clawperator snapshot --view text", || ours(&["snapshot", "--view", "text"])),
        Row::new("clawperator snapshot, broadcast", || ours(&["snapshot", "--link", "broadcast"])),
        Row::new("/bin/true", || Command::new("/bin/true")),
    ];
    if let Some(daemon) = &daemon {
        let made = || host.command(&["-s", &daemon.serial, "shell", "true"]);
        rows.insert(1, Row::new("adb shell true, Android's adbd", made));
    } else {
        println!("ADBD_PATH is not set: without Android's adbd");
    }
    for _ in 0..RUNS {
        rows.iter_mut().for_each(Row::run);
    }
    let simulated = rows[0].at(50);
    let real = daemon.as_ref().map(|_| rows[1].at(50));
    println!("{RUNS} runs each, in turns; a screen of 60 nodes");
    println!("{:<34} {:>9} {:>9}   p50 as a share of adb shell true", "", "p50", "p95");
    for row in &rows {
        let (p50, p95) = (row.at(50), row.at(95));
        let share = |of: Duration| format!("{:.2}", p50.as_secs_f64() / of.as_secs_f64());
        let real = real.map_or_else(|| "-".into(), share);
        println!(
            "{:<34} {p50:>9.2?} {p95:>9.2?}   {} simulated, {real} adbd",
            row.name,
            share(simulated)
        );
    }
}

struct Row<'a> {
    name: &'static str,
    command: Box<dyn Fn() -> Command + 'a>,
    times: Vec<Duration>,
}

impl<'a> Row<'a> {
    fn new(name: &'static str, command: impl Fn() -> Command + 'a) -> Self {
        Self { name, command: Box::new(command), times: Vec::new() }
    }

    fn run(&mut self) {
        let mut command = (self.command)();
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let status = command.status().unwrap();
        self.times.push(start.elapsed());
        assert!(status.success(), "{}", self.name);
    }

    fn at(&self, percent: usize) -> Duration {
        let mut times = self.times.clone();
        times.sort_unstable();
        times[(times.len() - 1) * percent / 100]
    }
}

/// A phone whose one app shows 60 nodes.
fn phone(host: &Arc<Adb>) -> Lab {
    let folder = host.home.join("apps");
    fs::create_dir_all(&folder).unwrap();
    let mut model = format!(
        "package: {PACKAGE}\nlabel: Sixty\nversion: \"1.0\"\nentry: main\nstate:\n  clicks: 0\n\
         screens:\n  main:\n    title: Sixty\n    widgets:\n"
    );
    for row in 1..=ROWS {
        let _ = writeln!(model, "      - row: Row {row}\n        summary: As it is");
        let _ = writeln!(model, "        icon: wifi\n        does: {{add: {{clicks: 1}}}}");
    }
    model += "      - text: Below\n";
    fs::write(folder.join("sixty.yaml"), model).unwrap();
    let mut options = Options { latency: Latency::default(), ..options() };
    options.apps.extend(app::from_folder(&folder).unwrap());
    Lab::at(host, options, vec![OperatorPackage::current()])
}

/// Android's own adbd, until it is dropped.
struct Daemon {
    child: Child,
    serial: String,
}

impl Daemon {
    fn start(host: &Adb) -> Option<Self> {
        let program = env::var_os("ADBD_PATH")?;
        let port = 20_000 + u16::try_from(process::id() % 20_000).unwrap();
        let child = Command::new(program)
            .env("ADBD_PORT", port.to_string())
            .env("LD_LIBRARY_PATH", env::var_os("ADBD_LIBRARIES").unwrap_or_default())
            .env("LD_PRELOAD", env::var_os("ADBD_PRELOAD").unwrap_or_default())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut daemon = Self { child, serial: format!("127.0.0.1:{port}") };
        for _ in 0..100 {
            if host.run(&["connect", &daemon.serial]).out().starts_with("connected") {
                return Some(daemon);
            }
            assert!(daemon.child.try_wait().unwrap().is_none(), "adbd ended");
            thread::sleep(Duration::from_millis(50));
        }
        panic!("adbd does not listen")
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
