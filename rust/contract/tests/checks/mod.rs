//! One check per parser that reads bytes from outside: it may refuse them, in good order, but
//! never panic, and what it accepts must hold. The mutation tests and the fuzz targets share them.

#![allow(dead_code, reason = "each fuzz target uses one of them")]

use clawperator_contract::action::Origin;
use clawperator_contract::frame::{Frame, FrameError, FrameReader};
use clawperator_contract::limits::{
    MAX_ACTIONS, MAX_ACTIONS_ON_PHONE, MAX_ID_LENGTH, MAX_PAYLOAD_BYTES, TIMEOUT_MS,
};
use clawperator_contract::message::Message;
use clawperator_contract::slices::{Arrived, Reassembly, slice};
use clawperator_contract::{Envelope, ErrorCode, Execution, Runnable, Status, json, normalise};
use serde_json::Value;

/// The host's reading of a payload.
pub(crate) fn execution(bytes: &[u8]) {
    let accepted = match Execution::from_text(bytes) {
        Ok(accepted) => accepted,
        Err(failure) => {
            let codes = [
                ErrorCode::InvalidJson,
                ErrorCode::ExecutionValidationFailed,
                ErrorCode::PayloadTooLarge,
            ];
            assert!(codes.contains(&failure.code), "{failure}");
            assert!(!failure.message.is_empty());
            return;
        }
    };
    let text = accepted.to_json();
    assert!(text.len() <= MAX_PAYLOAD_BYTES);
    assert!((1..=MAX_ACTIONS).contains(&accepted.actions().len()));
    assert!(
        accepted.actions().iter().all(|action| action.kind().spec().origin != Origin::Internal)
    );
    assert_eq!(Execution::from_text(text.as_bytes()).as_ref(), Ok(&accepted), "{text}");
}

/// The phone's reading of a payload.
pub(crate) fn runnable(bytes: &[u8]) {
    match Runnable::from_text(bytes) {
        Ok(runnable) => {
            for id in [&runnable.command_id, &runnable.task_id] {
                let length = id.chars().count();
                assert!(!id.trim().is_empty() && length <= MAX_ID_LENGTH, "{id}");
            }
            assert!((1..=MAX_ACTIONS_ON_PHONE).contains(&runnable.actions.len()));
            assert!(TIMEOUT_MS.holds(runnable.timeout.as_secs_f64() * 1_000.0));
            // What the phone reads is what it would read of the canonical form.
            let value = json::parse(bytes).unwrap();
            let again = Runnable::from_value(normalise::execution(value));
            assert_eq!(again.as_ref(), Ok(&runnable));
        }
        Err(unrunnable) => {
            assert_eq!(unrunnable.invalid.code, ErrorCode::PayloadInvalid);
            assert!(!unrunnable.invalid.message.is_empty());
            // An answer needs the id; whenever there is one, it must be kept.
            let value = json::parse(bytes).ok().filter(|_| bytes.len() <= MAX_PAYLOAD_BYTES);
            let named = value.as_ref().and_then(|value| value["commandId"].as_str());
            assert!(named.is_none() || unrunnable.command_id.as_deref() == named);
        }
    }
}

fn frames_of(bytes: &[u8], piece: usize) -> (Vec<Frame>, Option<FrameError>, bool) {
    let mut reader = FrameReader::default();
    let mut frames = Vec::new();
    for piece in bytes.chunks(piece) {
        reader.push(piece);
        loop {
            match reader.next_frame() {
                Ok(Some(frame)) => frames.push(frame),
                Ok(None) => break,
                Err(error) => return (frames, Some(error), true),
            }
        }
    }
    (frames, None, reader.is_mid_frame())
}

/// A stream of frames.
pub(crate) fn frames(bytes: &[u8]) {
    let whole = frames_of(bytes, bytes.len().max(1));
    for piece in [1, 7] {
        assert_eq!(frames_of(bytes, piece), whole, "cut into pieces of {piece}");
    }
    let (frames, _, mid_frame) = whole;
    let mut written = Vec::new();
    for frame in &frames {
        frame.write(&mut written).unwrap();
    }
    assert!(bytes.starts_with(&written), "frames are not the bytes they were read from");
    assert_eq!(mid_frame, written.len() < bytes.len());
}

/// The text of a JSON frame.
pub(crate) fn message(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    match Message::from_text(text) {
        Ok(message) => {
            let Frame::Json(told) = message.to_frame() else { panic!("a message is JSON") };
            assert_eq!(Message::from_text(&told), Ok(message), "{told}");
        }
        Err(failure) => assert_eq!(failure.code, ErrorCode::LinkProtocolError),
    }
}

/// Lines of the phone's log.
pub(crate) fn slices(bytes: &[u8]) {
    let mut reassembly = Reassembly::default();
    for line in String::from_utf8_lossy(bytes).lines() {
        let Arrived::Whole { id, text } = reassembly.push(line) else { continue };
        assert_eq!(reassembly.missing(&id), None, "a whole text has nothing missing");
        // Hostile lines may carry what we would not write ourselves.
        let Ok(lines) = slice(&id, &text) else { continue };
        let mut again = Reassembly::default();
        let last = lines.iter().map(|line| again.push(line)).last();
        assert_eq!(last, Some(Arrived::Whole { id, text }));
    }
}

/// The JSON of an envelope.
pub(crate) fn envelope(bytes: &[u8]) {
    let Ok(envelope) = serde_json::from_slice::<Envelope>(bytes) else { return };
    let told = json::compact(&envelope);
    assert_eq!(serde_json::from_str::<Envelope>(&told).unwrap(), envelope);
    let value: Value = serde_json::from_str(&told).unwrap();
    assert!(value.get("error").is_some() && value.get("errorCode").is_some());
    let mut once = envelope;
    once.reconcile();
    assert!(once.first_failure().is_none() || once.status == Status::Failed);
    let mut twice = once.clone();
    twice.reconcile();
    assert_eq!(twice, once);
}
