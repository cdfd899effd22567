//! `logcat` and `log`.

use clawperator_lab::Lab;

#[test]
fn the_log_is_dumped_in_each_format() {
    let lab = Lab::new();
    lab.shell("log -t Test 'hello phone'");
    lab.shell("log -p w -t Other second");
    let raw = lab.does(&["logcat", "-d", "-v", "raw"]).out();
    assert!(raw.ends_with("hello phone\nsecond\n"), "{raw}");
    let brief = lab.does(&["logcat", "-d", "-v", "brief"]).out();
    assert!(brief.contains("I/Test    ( 1000): hello phone\n"), "{brief}");
    assert!(brief.contains("W/Other   ( 1000): second\n"), "{brief}");
    let long = lab.does(&["logcat", "-d", "-v", "threadtime"]).out();
    assert_eq!(long, lab.does(&["logcat", "-d"]).out());
    let line = long.lines().find(|line| line.contains("hello")).unwrap();
    assert_eq!(&line[18..], "  1000  1000 I Test    : hello phone");
    let time = &line[..18];
    assert!(time.as_bytes()[2] == b'-' && time.as_bytes()[14] == b'.', "{time}");
    let ran = lab.adb(&["logcat", "-d", "-v", "nonsense"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn only_what_is_asked_for_is_told() {
    let lab = Lab::new();
    for line in ["-p d -t Mine low", "-p i -t Mine right", "-p e -t Theirs wrong"] {
        lab.shell(&format!("log {line}"));
    }
    let told = |args: &[&str]| lab.does(&[&["logcat", "-d", "-v", "raw"], args].concat()).out();
    assert_eq!(told(&["-s", "Mine:I"]), "right\n");
    assert_eq!(told(&["Mine:D", "*:S"]), "low\nright\n");
    assert_eq!(told(&["*:E"]), "wrong\n");
    assert_eq!(told(&["-t", "1"]), "wrong\n");
    assert_eq!(told(&["-T", "2"]), "right\nwrong\n");
    assert_eq!(told(&["-s", "Nobody"]), "");
}

#[test]
fn the_log_is_read_from_a_moment_on() {
    let lab = Lab::new();
    lab.shell("log -t Test before");
    // The log counts milliseconds; between two commands of adb there are always some.
    lab.shell("log -t Test after");
    let since =
        |moment: &str| lab.does(&["logcat", "-d", "-v", "raw", "-T", moment, "-s", "Test"]).out();
    let told = lab.does(&["logcat", "-d", "-s", "Test"]).out();
    let after = told.lines().find(|line| line.ends_with(": after")).unwrap();
    // By a moment as the log writes it, with and without its year, and as seconds.
    assert_eq!(since(&after[..18]), "after\n");
    assert_eq!(since(&format!("2026-{}", &after[..18])), "after\n");
    let told = lab.does(&["logcat", "-d", "-v", "epoch", "-s", "Test"]).out();
    let after = told.lines().find(|line| line.ends_with(": after")).unwrap();
    assert_eq!(since(after.split_whitespace().next().unwrap()), "after\n");
    assert_eq!(since("01-01 00:00:00.000"), "before\nafter\n");
    assert_eq!(since("12-31 23:59:59.999"), "");
}

#[test]
fn the_log_is_cleared() {
    let lab = Lab::new();
    lab.shell("log -t Test before");
    lab.does(&["logcat", "-c"]);
    lab.shell("log -t Test after");
    assert_eq!(lab.does(&["logcat", "-d", "-v", "raw"]).out(), "after\n");
}

#[test]
fn the_log_is_followed_until_nobody_reads_it() {
    let lab = Lab::new();
    lab.shell("log -t Test old");
    let mut one = lab.follow(&["-v", "raw", "-s", "Test:I"]);
    let mut two = lab.follow(&["-v", "raw", "-T", "1", "-s", "Test:I"]);
    for word in ["one", "two", "three"] {
        lab.shell(&format!("log -t Test {word}"));
        one.find_map(|line| (line == word).then_some(()));
        two.find_map(|line| (line == word).then_some(()));
    }
    drop(one);
    lab.shell("log -t Test four");
    two.find_map(|line| (line == "four").then_some(()));
    // A phone that goes away ends what followed it: else this would hang.
    drop(lab);
    drop(two);
}
