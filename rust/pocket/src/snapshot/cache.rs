//! Elements of a moment ago, for phones where asking for them takes seconds.
//!
//! They are used again only while the screen looks the same, once between two dumps, and never when
//! they are older than 15 seconds (unless told otherwise), counted from the dump they come from. When
//! dumps fail they stand in twice in a row at most.

use super::elements::Found;
use super::metrics::Source;
use clawperator_picture::{distance, is_flat};
use std::time::{Duration, Instant};

const OLDEST: Duration = Duration::from_secs(15);
/// Bits in which two looks of the same screen may differ.
const ALIKE: u32 = 4;
const MOST_REUSES: u32 = 1;
const MOST_FALLBACKS: u32 = 2;

/// How a screen looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look<'a> {
    pub(super) app: &'a str,
    /// Of the scaled picture.
    pub(super) size: (u32, u32),
    pub(super) hash: &'a str,
}

/// The elements of the last dump, with how the screen looked then.
#[derive(Debug)]
struct Entry {
    app: String,
    size: (u32, u32),
    hash: String,
    found: Vec<Found>,
    since: Instant,
    reuses: u32,
    fallbacks: u32,
}

/// What is kept of one phone.
#[derive(Debug)]
pub(super) struct Cache {
    kept: Option<Entry>,
    pub(super) oldest: Duration,
}

impl Default for Cache {
    fn default() -> Self {
        Self::up_to(OLDEST)
    }
}

impl Entry {
    fn fits(&self, look: Look<'_>, now: Instant, oldest: Duration) -> bool {
        // Flat screens all look the same, so their looks prove nothing.
        self.app == look.app
            && self.size == look.size
            && now.saturating_duration_since(self.since) <= oldest
            && !is_flat(look.hash)
            && distance(&self.hash, look.hash).is_some_and(|bits| bits <= ALIKE)
    }
}

impl Cache {
    /// Keeps nothing yet, and elements no longer than this.
    pub(super) fn up_to(oldest: Duration) -> Self {
        Self { kept: None, oldest }
    }

    /// How far the looks are from those of the elements kept, if any are.
    pub(super) fn distance(&self, look: Look<'_>) -> Option<u32> {
        self.kept.as_ref().and_then(|entry| distance(&entry.hash, look.hash))
    }

    /// The elements kept, if the phone need not be asked.
    pub(super) fn reuse(&mut self, look: Look<'_>, now: Instant) -> Option<Vec<Found>> {
        let entry = self.kept.as_mut()?;
        if entry.reuses >= MOST_REUSES || !entry.fits(look, now, self.oldest) {
            return None;
        }
        entry.reuses += 1;
        Some(entry.found.clone())
    }

    /// What to show after a dump, which may have brought nothing.
    pub(super) fn after_dump(
        &mut self,
        look: Look<'_>,
        dumped: Vec<Found>,
        now: Instant,
    ) -> (Vec<Found>, Source) {
        if !dumped.is_empty() {
            self.kept = Some(Entry {
                app: look.app.into(),
                size: look.size,
                hash: look.hash.into(),
                found: dumped.clone(),
                since: now,
                reuses: 0,
                fallbacks: 0,
            });
            return (dumped, Source::Fresh);
        }
        let oldest = self.oldest;
        match &mut self.kept {
            Some(entry) if entry.fallbacks < MOST_FALLBACKS && entry.fits(look, now, oldest) => {
                entry.fallbacks += 1;
                // Until a dump succeeds there is nothing new to use again.
                entry.reuses = MOST_REUSES;
                (entry.found.clone(), Source::CacheFallback)
            }
            _ => {
                self.forget();
                (Vec::new(), Source::FreshEmpty)
            }
        }
    }

    /// Keeps nothing any more.
    pub(super) fn forget(&mut self) {
        self.kept = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::snapshot::Rect;

    const HERE: Look<'_> = Look { app: "app", size: (768, 1707), hash: "0000000909090000" };
    const ELSEWHERE: Look<'_> = Look { app: "other", ..HERE };

    fn dump(count: usize) -> Vec<Found> {
        let one = Found {
            text: "A".into(),
            description: String::new(),
            resource_id: String::new(),
            class: String::new(),
            clickable: true,
            bounds: Rect::default(),
            place: 0,
        };
        vec![one; count]
    }

    /// The sources of looks, each at a time in seconds and with what a dump would bring.
    fn sources(looks: &[(u64, Look<'_>, usize)]) -> Vec<Source> {
        let (mut cache, start) = (Cache::default(), Instant::now());
        let seen = looks.iter().map(|(second, look, count)| {
            let now = start + Duration::from_secs(*second);
            match cache.reuse(*look, now) {
                Some(found) => {
                    assert!(!found.is_empty());
                    Source::Cache
                }
                None => cache.after_dump(*look, dump(*count), now).1,
            }
        });
        seen.collect()
    }

    use Source::{Cache as Again, CacheFallback, Fresh, FreshEmpty};

    #[test]
    fn a_screen_that_stays_is_dumped_every_second_time() {
        let looks = [0, 1, 2, 3, 4].map(|second| (second, HERE, 3));
        assert_eq!(sources(&looks), [Fresh, Again, Fresh, Again, Fresh]);
    }

    #[test]
    fn what_is_old_or_of_another_app_or_looks_different_is_dumped_anew() {
        assert_eq!(sources(&[(0, HERE, 3), (16, HERE, 3)]), [Fresh, Fresh]);
        assert_eq!(sources(&[(0, HERE, 3), (1, ELSEWHERE, 3)]), [Fresh, Fresh]);
        let turned = Look { size: (1707, 768), ..HERE };
        assert_eq!(sources(&[(0, HERE, 3), (1, turned, 3)]), [Fresh, Fresh]);
        let different = Look { hash: "0000008080800000", ..HERE };
        assert_eq!(sources(&[(0, HERE, 3), (1, different, 3)]), [Fresh, Fresh]);
        let alike = Look { hash: "0000000909090007", ..HERE };
        assert_eq!(sources(&[(0, HERE, 3), (1, alike, 3)]), [Fresh, Again]);
    }

    #[test]
    fn failed_dumps_are_stood_in_for_twice_and_no_more() {
        let fails = [(0, HERE, 3), (1, HERE, 0), (2, HERE, 0), (3, HERE, 0), (4, HERE, 0)];
        let seen = sources(&fails);
        assert_eq!(seen, [Fresh, Again, CacheFallback, CacheFallback, FreshEmpty]);
        let recovers = [fails[0], fails[1], fails[2], fails[3], (4, HERE, 3), (5, HERE, 3)];
        let seen = sources(&recovers);
        assert_eq!(seen, [Fresh, Again, CacheFallback, CacheFallback, Fresh, Again]);
    }

    #[test]
    fn elements_of_another_screen_never_stand_in() {
        assert_eq!(sources(&[(0, HERE, 3), (1, ELSEWHERE, 0)]), [Fresh, FreshEmpty]);
        assert_eq!(sources(&[(0, HERE, 0)]), [FreshEmpty]);
        let different = Look { hash: "0000008080800000", ..HERE };
        assert_eq!(sources(&[(0, HERE, 3), (1, different, 0)]), [Fresh, FreshEmpty]);
    }

    #[test]
    fn flat_screens_are_not_taken_for_one_another() {
        let flat = Look { hash: "0000000000000000", ..HERE };
        assert_eq!(
            sources(&[(0, flat, 3), (1, flat, 3), (2, flat, 0)]),
            [Fresh, Fresh, FreshEmpty]
        );
    }
}
