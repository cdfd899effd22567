//! What holds for everything that travels between host and operator, however it is cut and mixed.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests fail loudly")]

use clawperator_contract::frame::{Frame, FrameReader};
use clawperator_contract::limits::MAX_SLICE_BYTES;
use clawperator_contract::message::Message;
use clawperator_contract::slices::{Arrived, Reassembly, slice};
use clawperator_contract::{Envelope, ErrorCode, StepResult, json, schema};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use std::collections::BTreeSet;

fn config() -> ProptestConfig {
    ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() }
}

/// A line of any characters, often long enough for several slices.
fn line() -> impl Strategy<Value = String> {
    ("[^\n\r\0]{0,40}", 1..400usize).prop_map(|(text, times)| text.repeat(times))
}

fn frame() -> impl Strategy<Value = Frame> {
    prop_oneof![
        ".{0,80}".prop_map(Frame::Json),
        (any::<u32>(), vec(any::<u8>(), 0..80)).prop_map(|(id, bytes)| Frame::Binary { id, bytes }),
    ]
}

fn envelope() -> impl Strategy<Value = Envelope> {
    let data = btree_map("[a-z_]{1,8}", ".{0,20}", 0..4);
    let good = data.prop_map(|data| StepResult::success("a", "click", data));
    let bad = (select(ErrorCode::ALL), ".{0,20}")
        .prop_map(|(code, message)| StepResult::failure("b", "read_text", code, &message));
    (".{1,9}", ".{1,9}", vec(prop_oneof![3 => good, 1 => bad], 0..4))
        .prop_map(|(command, task, steps)| Envelope::of_steps(&command, &task, steps))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn slices_in_any_order_with_repetitions_give_the_text(
        text in line(), repeated in vec(any::<Index>(), 0..6), seed: u64
    ) {
        let lines = slice("d1", &text).unwrap();
        prop_assert!(lines.iter().all(|line| line.len() <= MAX_SLICE_BYTES));
        let mut all: Vec<&String> = lines.iter().collect();
        all.extend(repeated.iter().map(|index| index.get(&lines)));
        shuffle(&mut all, seed);
        let mut reassembly = Reassembly::default();
        let wholes: Vec<_> = all
            .iter()
            .map(|line| reassembly.push(line))
            .filter(|arrived| matches!(arrived, Arrived::Whole { .. }))
            .collect();
        prop_assert!(!wholes.is_empty());
        for whole in wholes {
            prop_assert_eq!(whole, Arrived::Whole { id: "d1".into(), text: text.clone() });
        }
    }

    #[test]
    fn two_texts_that_come_mixed_come_out_apart(one in line(), two in line(), seed: u64) {
        let mut lines = slice("d1", &one).unwrap();
        lines.extend(slice("d2", &two).unwrap());
        shuffle(&mut lines, seed);
        let mut reassembly = Reassembly::default();
        let mut seen: Vec<_> = lines
            .iter()
            .filter_map(|line| match reassembly.push(line) {
                Arrived::Whole { id, text } => Some((id, text)),
                _ => None,
            })
            .collect();
        seen.sort();
        prop_assert_eq!(seen, [("d1".to_owned(), one), ("d2".to_owned(), two)]);
    }

    #[test]
    fn a_missing_slice_is_always_noticed(
        text in "[^\n\r\0]{20,40}".prop_map(|text| text.repeat(400)),
        lost in vec(any::<Index>(), 1..4),
        seed: u64
    ) {
        let lines = slice("d1", &text).unwrap();
        let lost: BTreeSet<_> = lost.iter().map(|index| index.index(lines.len())).collect();
        prop_assume!(lost.len() < lines.len());
        let mut rest: Vec<_> =
            lines.iter().enumerate().filter(|(at, _)| !lost.contains(at)).map(|(_, l)| l).collect();
        shuffle(&mut rest, seed);
        let mut reassembly = Reassembly::default();
        for line in rest {
            prop_assert_eq!(reassembly.push(line), Arrived::Part);
        }
        let missing: Vec<_> = lost.iter().map(|at| at + 1).collect();
        prop_assert_eq!(reassembly.missing("d1"), Some(missing));
    }

    #[test]
    fn a_line_with_one_byte_changed_is_no_slice_or_the_same_text(
        text in "[ -~]{1,60}", at: Index, byte in 32..127u8
    ) {
        let mut line = slice("d1", &text).unwrap().remove(0).into_bytes();
        let at = at.index(line.len());
        line[at] = byte;
        let mut reassembly = Reassembly::default();
        match reassembly.push(str::from_utf8(&line).unwrap()) {
            Arrived::Whole { text: read, .. } => prop_assert_eq!(read, text),
            // Of a changed total a part may be left over, which is noticed as missing.
            Arrived::Part => prop_assert!(reassembly.missing("d1").is_some()),
            Arrived::Nothing => {}
        }
    }

    #[test]
    fn frames_survive_any_cutting_of_the_stream(
        frames in vec(frame(), 0..6), cuts in vec(1..40usize, 1..40)
    ) {
        let mut stream = Vec::new();
        for frame in &frames {
            frame.write(&mut stream).unwrap();
        }
        let mut reader = FrameReader::default();
        let mut seen = Vec::new();
        let mut rest = stream.as_slice();
        for size in cuts.iter().cycle() {
            let (piece, more) = rest.split_at((*size).min(rest.len()));
            reader.push(piece);
            while let Some(frame) = reader.next_frame().unwrap() {
                seen.push(frame);
            }
            rest = more;
            if rest.is_empty() {
                break;
            }
        }
        prop_assert_eq!(seen, frames);
        prop_assert!(!reader.is_mid_frame());
    }

    #[test]
    fn a_stream_that_ends_early_is_noticed(frame in frame(), cut: Index) {
        let mut stream = Vec::new();
        frame.write(&mut stream).unwrap();
        let cut = 1 + cut.index(stream.len() - 1);
        let mut reader = FrameReader::default();
        reader.push(&stream[..cut]);
        prop_assert_eq!(reader.next_frame(), Ok(None));
        prop_assert!(reader.is_mid_frame());
    }

    #[test]
    fn an_envelope_survives_its_message_and_fits_its_schema(envelope in envelope()) {
        let message =
            Message::Result { dispatch_id: "d1".into(), envelope: envelope.clone(), replayed: false, told: 0 };
        let Frame::Json(text) = message.to_frame() else { panic!("a message is JSON") };
        prop_assert_eq!(Message::from_text(&text), Ok(message));
        let value = serde_json::to_value(&envelope).unwrap();
        prop_assert!(jsonschema::is_valid(&schema::envelope(), &value), "{}", value);
        // One line of the log: whatever a step says, JSON escapes its line breaks.
        prop_assert!(slice("d1", &json::compact(&envelope)).is_ok());
    }

    #[test]
    fn reconciling_twice_is_reconciling_once(envelope in envelope()) {
        let mut again = envelope.clone();
        again.reconcile();
        prop_assert_eq!(again, envelope);
    }
}

fn shuffle<T>(items: &mut [T], seed: u64) {
    use rand::SeedableRng;
    use rand::seq::SliceRandom;
    items.shuffle(&mut rand::rngs::SmallRng::seed_from_u64(seed));
}
