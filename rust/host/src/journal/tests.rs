//! Promises of the log.

use super::read::{Filter, Since, follow, tail};
use super::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::env;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

/// 2026-03-01T23:59:59.500Z.
const EVENING: u64 = 1_772_409_599_500;
const DAY: u64 = 86_400_000;

/// A folder of its own for one test, gone afterwards, and a clock.
struct Place {
    dir: PathBuf,
    now: Arc<AtomicU64>,
}

impl Place {
    fn new(name: &str) -> Self {
        let dir = env::temp_dir().join(format!("host-journal-{}-{name}", process::id()));
        let _ = fs::remove_dir_all(&dir);
        Self { dir, now: Arc::new(AtomicU64::new(EVENING)) }
    }

    fn journal(&self, level: Level) -> Journal {
        self.journal_with(Settings { dir: Some(self.dir.clone()), level, complaint: None })
    }

    fn journal_with(&self, settings: Settings) -> Journal {
        let now = Arc::clone(&self.now);
        let clock = move || UNIX_EPOCH + Duration::from_millis(now.load(Ordering::Relaxed));
        Journal::with_clock(settings, Box::new(clock))
    }

    fn pass(&self, ms: u64) {
        self.now.fetch_add(ms, Ordering::Relaxed);
    }

    fn names(&self) -> Vec<String> {
        let files = keep::files(&self.dir).unwrap();
        files.into_iter().map(|file| file.date).collect()
    }

    fn lines(&self, date: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.dir.join(keep::file_name(date))).unwrap();
        assert!(text.ends_with('\n'));
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn fill(&self, date: &str, bytes: u64) {
        fs::create_dir_all(&self.dir).unwrap();
        File::create(self.dir.join(keep::file_name(date))).unwrap().set_len(bytes).unwrap();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.dir);
    }
}

fn say(journal: &Journal, event: &str) {
    assert_eq!(journal.write(Level::Info, event, "", &Fields::default()), None);
}

fn event_of(line: &str) -> String {
    let line: Value = serde_json::from_str(line).unwrap();
    line["event"].as_str().unwrap().to_owned()
}

#[test]
fn a_record_in_bytes() {
    let place = Place::new("bytes");
    let fields = Fields {
        command_id: Some("c1"),
        task_id: Some("t1"),
        device_id: Some("emulator-5554"),
        dispatch_id: Some("d1"),
        link: Some("socket"),
        status: Some("failed"),
        duration_ms: Some(12),
        exit_code: Some(-1),
        code: Some(ErrorCode::DeviceOffline),
    };
    let journal = place.journal(Level::Info);
    assert_eq!(journal.write(Level::Warn, "dispatch.end", "a \"b\"\nc", &fields), None);
    say(&journal, "next");
    let text = fs::read_to_string(place.dir.join("clawperator-2026-03-01.log")).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"ts":"2026-03-01T23:59:59.500Z","level":"warn","event":"dispatch.end","#,
            r#""message":"a \"b\"\nc","commandId":"c1","taskId":"t1","deviceId":"emulator-5554","#,
            r#""dispatchId":"d1","link":"socket","status":"failed","durationMs":12,"exitCode":-1,"#,
            r#""code":"DEVICE_OFFLINE"}"#,
            "\n",
            r#"{"ts":"2026-03-01T23:59:59.500Z","level":"info","event":"next","message":""}"#,
            "\n"
        )
    );
}

#[test]
fn nothing_is_made_before_a_record_passes_the_threshold() {
    let place = Place::new("lazy");
    let journal = place.journal(Level::Warn);
    for level in [Level::Debug, Level::Info] {
        assert!(!journal.takes(level));
        assert_eq!(journal.write(level, "quiet", "", &Fields::default()), None);
    }
    assert!(!place.dir.exists());
    for level in [Level::Warn, Level::Error] {
        assert!(journal.takes(level));
        assert_eq!(journal.write(level, "loud", "", &Fields::default()), None);
    }
    assert_eq!(place.lines("2026-03-01").len(), 2);
}

#[test]
fn every_day_has_its_own_file() {
    let place = Place::new("rollover");
    let journal = place.journal(Level::Info);
    say(&journal, "before");
    place.pass(499);
    say(&journal, "still");
    place.pass(1);
    say(&journal, "after");
    assert_eq!(place.names(), ["2026-03-01", "2026-03-02"]);
    assert_eq!(place.lines("2026-03-01").len(), 2);
    assert_eq!(place.lines("2026-03-02")[0]["ts"], "2026-03-02T00:00:00.000Z");
}

#[test]
fn a_file_that_is_deleted_is_made_again() {
    let place = Place::new("deleted");
    let journal = place.journal(Level::Info);
    say(&journal, "one");
    fs::remove_dir_all(&place.dir).unwrap();
    say(&journal, "two");
    assert_eq!(place.lines("2026-03-01")[0]["event"], "two");
}

#[test]
fn fourteen_days_are_kept() {
    let place = Place::new("days");
    for date in ["2025-12-31", "2026-02-15", "2026-02-16", "2026-02-28"] {
        place.fill(date, 10);
    }
    fs::write(place.dir.join("clawperator-notes.log"), "").unwrap();
    fs::write(place.dir.join("clawperator-2020-01-01.log.gz"), "").unwrap();
    say(&place.journal(Level::Info), "today");
    assert_eq!(place.names(), ["2026-02-16", "2026-02-28", "2026-03-01"]);
    assert!(place.dir.join("clawperator-notes.log").exists());
    assert!(place.dir.join("clawperator-2020-01-01.log.gz").exists());
}

#[test]
fn fifty_megabytes_are_kept_and_the_oldest_go_first() {
    let place = Place::new("size");
    let mb = 1 << 20;
    for (date, size) in
        [("2026-02-25", 1), ("2026-02-26", 20), ("2026-02-27", 20), ("2026-02-28", 30)]
    {
        place.fill(date, size * mb);
    }
    say(&place.journal(Level::Info), "today");
    assert_eq!(place.names(), ["2026-02-27", "2026-02-28", "2026-03-01"]);
}

#[test]
fn tidying_happens_once_a_day_and_never_touches_today() {
    let place = Place::new("once");
    let journal = place.journal(Level::Info);
    say(&journal, "today");
    place.fill("2020-01-01", 10);
    place.fill("2026-03-01", 60 << 20);
    say(&journal, "later");
    assert_eq!(place.names(), ["2020-01-01", "2026-03-01"]);
    place.pass(DAY);
    say(&journal, "tomorrow");
    assert_eq!(place.names(), ["2026-03-02"]);
}

#[test]
fn many_writers_write_whole_lines() {
    let place = Place::new("many");
    let (writers, each) = (8, 100);
    thread::scope(|scope| {
        for writer in 0..writers {
            // A journal of its own, as another process has.
            let journal = place.journal(Level::Info);
            scope.spawn(move || {
                for number in 0..each {
                    let message = "x".repeat(number * 20);
                    let event = format!("{writer}.{number}");
                    assert_eq!(
                        journal.write(Level::Info, &event, &message, &Fields::default()),
                        None
                    );
                }
            });
        }
    });
    let lines = place.lines("2026-03-01");
    let events: BTreeSet<_> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    assert_eq!((lines.len(), events.len()), (writers * each, writers * each));
}

#[cfg(unix)]
#[test]
fn only_the_user_may_read_it() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("private");
    say(&place.journal(Level::Info), "one");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&place.dir), 0o700);
    assert_eq!(mode(&place.dir.join("clawperator-2026-03-01.log")), 0o600);
}

#[test]
fn a_log_that_cannot_be_written_is_told_once_and_then_left_alone() {
    let place = Place::new("unwritable");
    fs::create_dir_all(&place.dir).unwrap();
    fs::write(place.dir.join("file"), "").unwrap();
    let dir = Some(place.dir.join("file/logs"));
    let journal = place.journal_with(Settings { dir, ..Settings::default() });
    let write = || journal.write(Level::Error, "e", "m", &Fields::default());
    let warning = write().unwrap();
    assert!(warning.contains("nothing is logged any more"), "{warning}");
    assert!(warning.contains("file/logs"), "{warning}");
    assert_eq!((write(), journal.takes(Level::Error)), (None, false));
}

#[test]
fn without_a_home_nothing_is_logged_and_that_is_told_once() {
    let place = Place::new("homeless");
    let journal = place.journal_with(Settings::default());
    let write = || journal.write(Level::Error, "e", "m", &Fields::default());
    assert!(write().unwrap().contains("CLAWPERATOR_LOG_DIR"));
    assert_eq!(write(), None);
}

#[test]
fn settings_that_were_not_understood_are_told_with_the_first_record() {
    let place = Place::new("complaint");
    let complaint = Some("loud is no level".to_owned());
    let settings = Settings { dir: Some(place.dir.clone()), level: Level::Info, complaint };
    let journal = place.journal_with(settings);
    let write = |level| journal.write(level, "e", "m", &Fields::default());
    assert_eq!(write(Level::Debug), None);
    assert_eq!(write(Level::Info).unwrap(), "loud is no level");
    assert_eq!(write(Level::Info), None);
}

#[test]
fn a_message_is_cut_between_characters() {
    let place = Place::new("long");
    let message = "ä".repeat(MAX_MESSAGE + 1);
    let journal = place.journal(Level::Info);
    assert_eq!(journal.write(Level::Info, "e", &message, &Fields::default()), None);
    let line = &place.lines("2026-03-01")[0];
    assert_eq!(line["message"], json!("ä".repeat(MAX_MESSAGE)));
}

#[test]
fn the_last_lines_reach_back_over_days() {
    let place = Place::new("tail");
    let journal = place.journal(Level::Info);
    let none = Filter::default();
    assert_eq!(tail(&place.dir, 5, &none).unwrap(), Vec::<String>::new());
    for event in ["a", "b", "c", "d"] {
        say(&journal, event);
        place.pass(DAY / 2);
    }
    assert_eq!(place.names().len(), 3);
    let events = |count| {
        let lines = tail(&place.dir, count, &none).unwrap();
        lines.iter().map(|line| event_of(line)).collect::<Vec<_>>()
    };
    assert_eq!(events(3), ["b", "c", "d"]);
    assert_eq!(events(9), ["a", "b", "c", "d"]);
    assert_eq!(events(0), Vec::<String>::new());
}

#[test]
fn lines_are_chosen_by_all_that_is_said() {
    let place = Place::new("filter");
    let journal = place.journal(Level::Debug);
    let records = [
        (Level::Debug, "adb.command", "c1", "p1"),
        (Level::Info, "dispatch.begin", "c1", "p1"),
        (Level::Warn, "dispatch.end", "c1", "p2"),
        (Level::Error, "dispatch.end", "c2", "p1"),
    ];
    for (level, event, command, device) in records {
        let fields =
            Fields { command_id: Some(command), device_id: Some(device), ..Fields::default() };
        assert_eq!(journal.write(level, event, "", &fields), None);
        place.pass(60_000);
    }
    let text = |text: &str| Some(text.to_owned());
    let now = UNIX_EPOCH + Duration::from_millis(place.now.load(Ordering::Relaxed));
    let since = |text: &str| Some(Since::parse(text, now).unwrap());
    let cases = [
        (Filter::default(), 4),
        (Filter { level: Some(Level::Warn), ..Filter::default() }, 2),
        (Filter { event_prefix: text("dispatch."), ..Filter::default() }, 3),
        (Filter { command_id: text("c1"), ..Filter::default() }, 3),
        (Filter { device_id: text("p1"), ..Filter::default() }, 3),
        (Filter { command_id: text("c1"), device_id: text("p1"), ..Filter::default() }, 2),
        (Filter { command_id: text("c"), ..Filter::default() }, 0),
        (Filter { since: since("2m"), ..Filter::default() }, 2),
        (Filter { since: since("2026-03-02"), ..Filter::default() }, 3),
        (Filter { since: since("2026-03-02T00:01Z"), ..Filter::default() }, 2),
        (Filter { since: since("1d"), ..Filter::default() }, 4),
    ];
    for (filter, count) in cases {
        assert_eq!(tail(&place.dir, 9, &filter).unwrap().len(), count, "{filter:?}");
    }
    // A line of no record is shown only where everything is.
    assert!(Filter::default().wants("Segmentation fault"));
    assert!(!Filter { level: Some(Level::Debug), ..Filter::default() }.wants("Segmentation fault"));
}

#[test]
fn a_moment_that_is_none_is_refused() {
    for text in
        ["", "m", "10", "10x", "-5m", "ä", "2026-3-1", "2026-03-01x", "99999999999999999999d"]
    {
        assert_eq!(Since::parse(text, UNIX_EPOCH), None, "{text}");
    }
}

/// Follows the log; before each look the next act is done. Answers with the events that came.
fn followed(place: &Place, lines: usize, acts: &[&dyn Fn()]) -> Vec<String> {
    let mut events = Vec::new();
    let mut acts = acts.iter();
    let mut on_line = |line: &str| {
        events.push(event_of(line));
        ControlFlow::Continue(())
    };
    let mut should_stop = |pause: Duration| {
        assert_eq!(pause, Duration::from_millis(250));
        acts.next().map(|act| act()).is_none()
    };
    follow(&place.dir, lines, &Filter::default(), &mut on_line, &mut should_stop).unwrap();
    events
}

#[test]
fn following_goes_on_over_midnight_and_hears_the_late_record_of_yesterday() {
    let place = Place::new("follow");
    let journal = place.journal(Level::Info);
    say(&journal, "old");
    say(&journal, "last");
    let late = || {
        place.pass(DAY);
        say(&journal, "tomorrow");
        place.now.fetch_sub(DAY, Ordering::Relaxed);
        say(&journal, "late");
    };
    let events = followed(
        &place,
        1,
        &[&|| say(&journal, "new"), &|| {}, &late, &|| {
            place.pass(DAY);
            say(&journal, "then");
        }],
    );
    assert_eq!(events, ["last", "new", "late", "tomorrow", "then"]);
}

#[test]
fn following_begins_before_there_is_a_log() {
    let place = Place::new("follow-none");
    let journal = place.journal(Level::Info);
    assert_eq!(followed(&place, 9, &[&|| {}, &|| say(&journal, "first")]), ["first"]);
}

#[test]
fn following_survives_a_file_that_is_emptied_or_deleted() {
    let place = Place::new("follow-cut");
    let journal = place.journal(Level::Info);
    for event in ["a", "b", "c"] {
        say(&journal, event);
    }
    let path = place.dir.join("clawperator-2026-03-01.log");
    let emptied = || {
        File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        say(&journal, "d");
    };
    let deleted = || fs::remove_file(&path).unwrap();
    let again = || say(&journal, "e");
    assert_eq!(followed(&place, 0, &[&emptied, &deleted, &again]), ["d", "e"]);
}

#[test]
fn half_a_line_is_handed_over_when_it_is_whole() {
    let place = Place::new("follow-half");
    say(&place.journal(Level::Info), "a");
    let path = place.dir.join("clawperator-2026-03-01.log");
    let add = |text: &str| {
        File::options().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
    };
    let events = followed(&place, 9, &[&|| add("{\"event\":"), &|| {}, &|| add("\"b\"}\n{\"ev")]);
    assert_eq!(events, ["a", "b"]);
}

#[test]
fn who_does_not_read_any_more_ends_it() {
    let place = Place::new("follow-end");
    let journal = place.journal(Level::Info);
    say(&journal, "a");
    say(&journal, "b");
    let mut count = 0;
    let mut on_line = |_: &str| {
        count += 1;
        ControlFlow::Break(())
    };
    let mut should_stop = |_| panic!("it should have ended");
    follow(&place.dir, 9, &Filter::default(), &mut on_line, &mut should_stop).unwrap();
    assert_eq!(count, 1);
}

#[test]
fn a_log_that_cannot_be_read_is_a_failure() {
    let place = Place::new("unreadable");
    fs::create_dir_all(&place.dir).unwrap();
    fs::write(place.dir.join("file"), "").unwrap();
    let failure = tail(&place.dir.join("file"), 1, &Filter::default()).unwrap_err();
    assert_eq!(failure.code, ErrorCode::InputUnreadable);
}
