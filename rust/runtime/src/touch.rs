//! Fingers on the glass.

use crate::context::Run;
use crate::phone::GestureEnd;
use crate::step::{Outcome, StepFailure, Try, data, may_have_acted};
use crate::wait::gone_or_failed;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::runnable::{ClickType, Point, StrokePoint};
use std::time::Duration;

/// How long a finger rests for a tap. Some vendors drop shorter ones.
const TAP: Duration = Duration::from_millis(120);

/// How long a finger rests for a long press; Android counts one from 500 ms on.
const LONG_PRESS: Duration = Duration::from_millis(650);

/// A finger that rests on a point.
pub(crate) fn press(point: Point, click_type: ClickType) -> Vec<StrokePoint> {
    let length = if click_type == ClickType::LongClick { LONG_PRESS } else { TAP };
    vec![StrokePoint { at: Duration::ZERO, point }, StrokePoint { at: length, point }]
}

/// `gesture`: moves fingers as the payload says.
pub(crate) fn gesture(run: &mut Run<'_>, strokes: &[Vec<StrokePoint>]) -> Outcome<StepData> {
    run.check()?;
    match run.phone.gesture(&lasting(strokes)) {
        Ok(GestureEnd::Completed) => Ok(data([("strokes", strokes.len().to_string())])),
        Ok(end) => Err(gesture_failure(end).into()),
        Err(error) => Err(gone_or_failed(&error)),
    }
}

/// A stroke of no length in time is a tap.
fn lasting(strokes: &[Vec<StrokePoint>]) -> Vec<Vec<StrokePoint>> {
    let lasts = |stroke: &[StrokePoint]| match stroke {
        [first, .., last] if last.at > first.at => stroke.to_vec(),
        [first, ..] => vec![*first, StrokePoint { at: first.at + TAP, ..*first }],
        [] => Vec::new(),
    };
    strokes.iter().map(|stroke| lasts(stroke)).collect()
}

fn gesture_failure(end: GestureEnd) -> StepFailure {
    let message = match end {
        GestureEnd::Refused => "the phone refused the gesture; nothing was touched",
        _ => "the gesture was broken off; something may have been touched",
    };
    StepFailure::new(ErrorCode::GestureFailed, message)
}

/// A gesture as an attempt: refused, it may be tried again; broken off, it may not.
pub(crate) fn try_gesture(run: &mut Run<'_>, strokes: &[Vec<StrokePoint>]) -> Outcome<Try<()>> {
    run.check()?;
    match run.phone.gesture(strokes) {
        Ok(GestureEnd::Completed) => Ok(Try::Done(())),
        Ok(GestureEnd::Refused) => Ok(Try::NotYet(gesture_failure(GestureEnd::Refused))),
        Ok(end) => Ok(Try::Over(gesture_failure(end))),
        Err(error) => may_have_acted(error),
    }
}
