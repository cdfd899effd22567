//! What two runs of the same command may say differently.

/// The names the pages use in place of those that are minted anew each time.
const COMMAND: &str = "1700000000000-abcd123";
const DISPATCH: &str = "0123456789abcdef0123";

/// Keys whose values are times, how often it was looked meanwhile, what changed meanwhile, or sizes
/// of pictures with a clock in them.
const VARYING: [&str; 8] =
    ["waited_ms", "elapsed_ms", "durationMs", "ts", "modified", "attempts", "bytes", "generation"];

/// A hierarchy that is longer is not shown on a page; nobody would read it.
const LONGEST_HIERARCHY: usize = 3_000;

/// The answer with minted names as the pages have them.
pub(crate) fn with_steady_names(answer: &str) -> String {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let hex = |text: &str| text.bytes().take_while(u8::is_ascii_hexdigit).count();
    let mut steady = String::new();
    let mut rest = answer;
    while let Some(dash) = rest.find('-') {
        let (before, after) = rest.split_at(dash + 1);
        steady += before;
        let time = digits(after);
        let tail = after.get(time..).and_then(|text| text.strip_prefix('-')).map_or(0, hex);
        rest = if time == 13 && tail == 7 {
            steady += COMMAND;
            &after[COMMAND.len()..]
        } else if hex(after) == DISPATCH.len() && before.ends_with("d-") {
            steady += DISPATCH;
            &after[DISPATCH.len()..]
        } else {
            after
        };
    }
    steady + rest
}

/// The answer with long hierarchies as `<hierarchy rotation=\"0\">...</hierarchy>`.
pub(crate) fn shortened(answer: &str) -> String {
    let (opens, closes) = (r#"<hierarchy rotation=\"0\">"#, "</hierarchy>");
    let mut short = String::new();
    let mut rest = answer;
    while let Some((before, after)) = rest.split_once(opens) {
        let Some((inside, after)) = after.split_once(closes) else { break };
        let inside = if inside.len() > LONGEST_HIERARCHY { "..." } else { inside };
        short += &[before, opens, inside, closes].concat();
        rest = after;
    }
    short + rest
}

/// The answer without what differs from run to run, for comparing.
pub(crate) fn steady(answer: &str) -> String {
    let text = VARYING.iter().fold(answer.to_owned(), |text, key| without(&text, key));
    without_generations(&without_durations(&text))
}

/// People are told how long a step took.
fn without_durations(answer: &str) -> String {
    let mut parts = answer.split(" ms").peekable();
    let mut steady = String::new();
    while let Some(part) = parts.next() {
        let number = |c: char| c.is_ascii_digit();
        steady += if parts.peek().is_some() { part.trim_end_matches(number) } else { part };
        steady += " ms";
    }
    steady
}

/// Blots out the value of a key, in JSON of any form.
fn without(answer: &str, key: &str) -> String {
    let key = format!("\"{key}\":");
    let mut parts = answer.split(key.as_str());
    let mut steady = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let value = part.trim_start();
        let end = match value.strip_prefix('"') {
            Some(text) => text.find('"').map_or(value.len(), |end| end + 2),
            None => value.find([',', '}', '\n']).unwrap_or(value.len()),
        };
        steady += &key;
        steady.push('…');
        steady += &value[end..];
    }
    steady
}

/// Captures are counted, and how many there were before depends on how often it was looked.
fn without_generations(answer: &str) -> String {
    ["@", "screen g"].iter().fold(answer.to_owned(), |text, mark| {
        let number = |c: char| c.is_ascii_digit();
        let mut parts = text.split(mark);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |all, part| all + mark + part.trim_start_matches(number))
    })
}

#[test]
fn answers_that_differ_in_times_and_minted_names_are_the_same() {
    let named = with_steady_names("a-1794722567681-df83712, d-00112233445566778899, wait-for-it-1");
    assert_eq!(named, "a-1700000000000-abcd123, d-0123456789abcdef0123, wait-for-it-1");
    let one = r#"{"ref":"n3@104","waited_ms":"17","durationMs":4,"x":1} done in 5 ms"#;
    let other = r#"{"ref":"n3@9","waited_ms":"0","durationMs":17,"x":1} done in 17 ms"#;
    assert_eq!(steady(one), steady(other));
    for (was, is) in [("n3@104", "n4@104"), ("\"x\":1", "\"x\":2")] {
        assert_ne!(steady(one), steady(&one.replace(was, is)), "{is}");
    }
}
