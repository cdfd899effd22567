//! A gesture as Android takes it.
//!
//! Android moves a finger along a path at one speed. Points with times say more than that: a finger
//! may rest and then move. Where one speed would take a finger too far from where it should be, the
//! gesture is cut into parts that follow one another, with the fingers kept down in between.

use clawperator_contract::runnable::{Point, StrokePoint};
use std::time::Duration;

/// How far a finger may be from where it should be. A third of what Android takes for the slop of
/// an unsteady finger, 8 dp, on a dense screen.
const STRAY: f64 = 8.0;

/// What is dispatched as one gesture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) strokes: Vec<Stroke>,
}

/// One finger of a part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stroke {
    /// Which finger: it goes on where it was if it was down at the end of the part before.
    finger: usize,
    start: Duration,
    length: Duration,
    /// Does it stay down for the next part?
    stays: bool,
    points: Vec<Point>,
}

impl Part {
    pub(crate) fn length(&self) -> Duration {
        let ends = self.strokes.iter().map(|stroke| stroke.start + stroke.length);
        ends.max().unwrap_or_default()
    }

    /// As the shim reads it: for each stroke its finger, start and length in milliseconds, one if
    /// it stays down, the number of its points, and their coordinates.
    pub(crate) fn encode(&self) -> Vec<i32> {
        let whole = |number: u128| i32::try_from(number).unwrap_or(i32::MAX);
        let mut numbers = Vec::new();
        for stroke in &self.strokes {
            numbers.push(whole(stroke.finger as u128));
            numbers.push(whole(stroke.start.as_millis()));
            // Android refuses a stroke that takes no time.
            numbers.push(whole(stroke.length.as_millis().max(1)));
            numbers.push(i32::from(stroke.stays));
            numbers.push(whole(stroke.points.len() as u128));
            numbers.extend(stroke.points.iter().flat_map(|point| [point.x, point.y]));
        }
        numbers
    }
}

/// The parts of a gesture, in order.
pub(crate) fn parts(strokes: &[Vec<StrokePoint>]) -> Vec<Part> {
    let fingers: Vec<(usize, &[StrokePoint])> =
        strokes.iter().map(Vec::as_slice).enumerate().filter(|(_, s)| !s.is_empty()).collect();
    if fingers.is_empty() {
        return Vec::new();
    }
    if fingers.iter().all(|(_, stroke)| is_even(stroke)) {
        let whole = |(finger, stroke): &(usize, &[StrokePoint])| Stroke {
            finger: *finger,
            start: stroke[0].at,
            length: end(stroke) - stroke[0].at,
            stays: false,
            points: way(stroke),
        };
        return vec![Part { strokes: fingers.iter().map(whole).collect() }];
    }
    cut(&fingers)
}

fn cut(fingers: &[(usize, &[StrokePoint])]) -> Vec<Part> {
    let mut times: Vec<Duration> =
        fingers.iter().flat_map(|(_, s)| s.iter().map(|p| p.at)).collect();
    times.sort_unstable();
    times.dedup();
    let mut parts = Vec::new();
    // Time in which no finger is down belongs to the part after it.
    let mut idle = Duration::ZERO;
    let mut from = 0;
    while from + 1 < times.len() {
        let begin = times[from];
        let down: Vec<_> =
            fingers.iter().filter(|(_, s)| s[0].at <= begin && end(s) > begin).collect();
        let reaches = |to: usize| {
            let between = &times[from + 1..to];
            let comes_or_goes =
                |time: &Duration| fingers.iter().any(|(_, s)| s[0].at == *time || end(s) == *time);
            !between.iter().any(comes_or_goes)
                && down.iter().all(|(_, s)| is_even(&piece(s, begin, times[to])))
        };
        let mut to = from + 1;
        while to + 1 < times.len() && reaches(to + 1) {
            to += 1;
        }
        let until = times[to];
        if down.is_empty() {
            idle = until - begin;
        } else {
            let stroke = |(finger, stroke): &&(usize, &[StrokePoint])| Stroke {
                finger: *finger,
                start: idle,
                length: until - begin,
                stays: end(stroke) > until,
                points: way(&piece(stroke, begin, until)),
            };
            parts.push(Part { strokes: down.iter().map(stroke).collect() });
            idle = Duration::ZERO;
        }
        from = to;
    }
    parts
}

fn end(stroke: &[StrokePoint]) -> Duration {
    stroke.last().map_or(Duration::ZERO, |last| last.at)
}

/// The places of a stroke, a resting finger's only once.
fn way(stroke: &[StrokePoint]) -> Vec<Point> {
    let mut points: Vec<Point> = stroke.iter().map(|passed| passed.point).collect();
    points.dedup();
    points
}

/// A stroke between two moments.
fn piece(stroke: &[StrokePoint], begin: Duration, until: Duration) -> Vec<StrokePoint> {
    let inside = stroke.iter().filter(|point| point.at > begin && point.at < until).copied();
    let mut piece = vec![StrokePoint { at: begin, point: place(stroke, begin) }];
    piece.extend(inside);
    piece.push(StrokePoint { at: until, point: place(stroke, until) });
    piece
}

/// Where the finger is at a moment.
fn place(stroke: &[StrokePoint], at: Duration) -> Point {
    let after = stroke.partition_point(|point| point.at <= at);
    match (after.checked_sub(1).map(|before| stroke[before]), stroke.get(after)) {
        (Some(a), Some(b)) => {
            let part = (at - a.at).as_secs_f64() / (b.at - a.at).as_secs_f64();
            let between = |a: i32, b: i32| a + rounded(f64::from(b - a) * part);
            Point { x: between(a.point.x, b.point.x), y: between(a.point.y, b.point.y) }
        }
        (Some(only), None) => only.point,
        (None, Some(first)) => first.point,
        (None, None) => Point { x: 0, y: 0 },
    }
}

#[allow(clippy::cast_possible_truncation, reason = "a part of a distance in pixels")]
fn rounded(pixels: f64) -> i32 {
    pixels.round() as i32
}

/// Would one speed along the way do?
fn is_even(stroke: &[StrokePoint]) -> bool {
    let (Some(first), Some(last)) = (stroke.first(), stroke.last()) else { return true };
    let all_time = (last.at - first.at).as_secs_f64();
    let all_way: f64 = stroke.windows(2).map(|pair| distance(pair[0].point, pair[1].point)).sum();
    let mut gone = 0.0;
    stroke.windows(2).all(|pair| {
        gone += distance(pair[0].point, pair[1].point);
        let time = (pair[1].at - first.at).as_secs_f64();
        (gone - all_way * time / all_time.max(f64::MIN_POSITIVE)).abs() <= STRAY
    })
}

fn distance(a: Point, b: Point) -> f64 {
    f64::from(b.x - a.x).hypot(f64::from(b.y - a.y))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stroke(points: &[(u64, i32, i32)]) -> Vec<StrokePoint> {
        let point = |(at, x, y): &(u64, i32, i32)| StrokePoint {
            at: Duration::from_millis(*at),
            point: Point { x: *x, y: *y },
        };
        points.iter().map(point).collect()
    }

    fn encoded(strokes: &[Vec<StrokePoint>]) -> Vec<Vec<i32>> {
        parts(strokes).iter().map(Part::encode).collect()
    }

    #[test]
    fn a_tap_is_one_place_for_its_time() {
        let tap = stroke(&[(0, 40, 50), (120, 40, 50)]);
        assert_eq!(encoded(&[tap]), [vec![0, 0, 120, 0, 1, 40, 50]]);
    }

    #[test]
    fn a_pinch_is_one_part_with_two_fingers() {
        let left = stroke(&[(0, 100, 500), (300, 300, 500)]);
        let right = stroke(&[(50, 900, 500), (300, 700, 500)]);
        let expected =
            [[0, 0, 300, 0, 2, 100, 500, 300, 500], [1, 50, 250, 0, 2, 900, 500, 700, 500]];
        assert_eq!(encoded(&[left, right]), [expected.concat()]);
    }

    #[test]
    fn hold_then_move_is_two_parts_with_the_finger_down_in_between() {
        let drag = stroke(&[(0, 100, 100), (600, 100, 100), (900, 100, 700)]);
        assert_eq!(
            encoded(&[drag]),
            [vec![0, 0, 600, 1, 1, 100, 100], vec![0, 0, 300, 0, 2, 100, 100, 100, 700]]
        );
    }

    #[test]
    fn a_finger_that_holds_while_another_moves_goes_on_where_it_was() {
        let held = stroke(&[(0, 10, 10), (400, 10, 10)]);
        let other = stroke(&[(0, 50, 50), (200, 50, 50), (400, 50, 450)]);
        let both = encoded(&[held, other]);
        assert_eq!(both[0], [[0, 0, 200, 1, 1, 10, 10], [1, 0, 200, 1, 1, 50, 50]].concat());
        assert_eq!(both[1][..7], [0, 0, 200, 0, 1, 10, 10]);
        assert_eq!(both[1][7..], [1, 0, 200, 0, 2, 50, 50, 50, 450]);
    }

    #[test]
    fn points_at_one_speed_stay_one_part_however_many_they_are() {
        let points: Vec<_> = (0..500).map(|n| (n, i32::try_from(n).unwrap(), 7)).collect();
        assert_eq!(parts(&[stroke(&points)]).len(), 1);
    }

    #[test]
    fn two_taps_in_a_row_with_a_slow_third_finger_wait_for_one_another() {
        let first = stroke(&[(0, 1, 1), (50, 1, 1)]);
        let second = stroke(&[(150, 2, 2), (250, 2, 2), (300, 2, 300)]);
        let parts = parts(&[first, second]);
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[1].encode(), [1, 100, 100, 1, 1, 2, 2], "after a pause of 100 ms");
        assert_eq!(parts[1].length(), Duration::from_millis(200));
    }
}
