//! Input as a person or a shell command gives it: fingers, keys, text.

use super::scroll::FRAME;
use super::{Device, lock};
use clawperator_contract::runnable::{Point, StrokePoint};
use clawperator_runtime::phone::{Clock, Moment};
use std::time::Duration;

/// How long a tap takes.
const TAP: Duration = Duration::from_millis(50);

/// Points of a single stroke; a finger cannot do more.
const MOST_POINTS: usize = 100_000;

/// Keys that mean something to this phone, with Android's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Android's own names")]
pub enum KeyCode {
    Home = 3,
    Back = 4,
    Power = 26,
    Enter = 66,
    Delete = 67,
    AppSwitch = 187,
    Sleep = 223,
    Wakeup = 224,
}

impl KeyCode {
    const ALL: [Self; 8] = [
        Self::Home,
        Self::Back,
        Self::Power,
        Self::Enter,
        Self::Delete,
        Self::AppSwitch,
        Self::Sleep,
        Self::Wakeup,
    ];

    /// The key of that number.
    #[must_use]
    pub fn numbered(number: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|key| *key as u32 == number)
    }

    /// The key of that name, as `input keyevent` takes it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.strip_prefix("KEYCODE_").unwrap_or(name) {
            "HOME" => Self::Home,
            "BACK" => Self::Back,
            "POWER" => Self::Power,
            "ENTER" => Self::Enter,
            "DEL" => Self::Delete,
            "APP_SWITCH" => Self::AppSwitch,
            "SLEEP" => Self::Sleep,
            "WAKEUP" => Self::Wakeup,
            _ => return None,
        })
    }
}

/// What a finger does at one moment.
enum Touch {
    Down(Point),
    At(Point),
    Up,
    Lost,
}

impl Device {
    /// A tap.
    pub fn tap(&self, point: Point) {
        self.press(point, TAP);
    }

    /// A finger that rests on a point for so long.
    pub fn press(&self, point: Point, time: Duration) {
        let down = StrokePoint { at: Duration::ZERO, point };
        self.gesture(&[vec![down, StrokePoint { at: time, point }]]);
    }

    /// A finger that moves from one point to another.
    pub fn swipe(&self, from: Point, to: Point, time: Duration) {
        let down = StrokePoint { at: Duration::ZERO, point: from };
        self.gesture(&[vec![down, StrokePoint { at: time, point: to }]]);
    }

    /// Fingers on the glass, one list of points each. Strokes that follow each other are done one
    /// after the other; several fingers at once mean nothing to this phone's apps.
    pub fn gesture(&self, strokes: &[Vec<StrokePoint>]) {
        self.gesture_part(strokes, 1.0);
    }

    /// A part of a gesture, after which the fingers are lost.
    pub(crate) fn gesture_part(&self, strokes: &[Vec<StrokePoint>], part: f64) {
        let _one_at_a_time = lock(&self.shared.fingers);
        let start = self.shared.clock.now();
        let mut strokes: Vec<_> = strokes.iter().filter(|stroke| !stroke.is_empty()).collect();
        strokes.sort_by_key(|stroke| stroke[0].at);
        let ends = |stroke: &[StrokePoint]| stroke.last().map_or(Duration::ZERO, |last| last.at);
        let overlap = strokes.windows(2).any(|pair| pair[1][0].at < ends(pair[0]));
        let end = strokes.iter().map(|stroke| ends(stroke)).max().unwrap_or_default();
        if overlap || part < 1.0 {
            let half = end.mul_f64(part.clamp(0.0, 1.0));
            if let (false, Some(stroke)) = (overlap, strokes.first()) {
                let touches = touches(stroke, start).filter(|(at, _)| *at <= start + half);
                self.touch_all(touches.filter(|(_, touch)| !matches!(touch, Touch::Up)));
            }
            return self.touch_all(std::iter::once((start + half, Touch::Lost)));
        }
        for stroke in strokes {
            self.touch_all(touches(stroke, start));
        }
    }

    fn touch_all(&self, touches: impl Iterator<Item = (Moment, Touch)>) {
        self.at_moments(touches, |world, touch| match touch {
            // Nothing is felt by a screen that is off.
            _ if !world.powered => world.finger_lost(),
            Touch::Down(point) => world.finger_down(point),
            Touch::At(point) => world.finger_at(point),
            Touch::Up => world.finger_up(),
            Touch::Lost => world.finger_lost(),
        });
    }

    /// Presses a key.
    pub fn key(&self, key: KeyCode) {
        match key {
            KeyCode::Home => self.change(super::World::home_key),
            KeyCode::Back => self.change(super::World::back),
            KeyCode::AppSwitch => self.change(super::World::recents_key),
            KeyCode::Enter => self.change(super::World::enter),
            KeyCode::Delete => self.change(super::World::erase),
            KeyCode::Sleep => self.sleep(),
            KeyCode::Wakeup => self.wake(),
            KeyCode::Power if self.shared.lock().powered => self.sleep(),
            KeyCode::Power => self.wake(),
        }
    }

    /// Types into the field that has the focus; nowhere without one.
    pub fn type_text(&self, text: &str) {
        self.change(|world| world.type_text(text));
    }
}

/// A stroke frame by frame.
fn touches(
    stroke: &[StrokePoint],
    start: Moment,
) -> impl Iterator<Item = (Moment, Touch)> + use<'_> {
    let first = stroke.first().map(|first| (start + first.at, Touch::Down(first.point)));
    let ways = stroke.windows(2).flat_map(move |pair| {
        let (from, to) = (pair[0], pair[1]);
        let time = to.at.saturating_sub(from.at);
        let frames = u32::try_from(time.as_nanos().div_ceil(FRAME.as_nanos())).unwrap_or(u32::MAX);
        let frames = frames.max(1);
        (1..=frames).map(move |frame| {
            let part = f64::from(frame) / f64::from(frames);
            let at = start + from.at + time.mul_f64(part);
            (at, Touch::At(between(from.point, to.point, part)))
        })
    });
    let last = stroke.last().map(|last| (start + last.at, Touch::Up));
    first.into_iter().chain(ways.take(MOST_POINTS)).chain(last)
}

#[allow(clippy::cast_possible_truncation, reason = "between two numbers of this very type")]
fn between(from: Point, to: Point, part: f64) -> Point {
    let mid = |from: i32, to: i32| {
        (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as i32
    };
    Point { x: mid(from.x, to.x), y: mid(from.y, to.y) }
}
