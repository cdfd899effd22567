//! The three scrolling actions.

use super::click::node_clicked;
use crate::context::Run;
use crate::scroll::{Moved, Scrolled, Scroller};
use crate::search::Search;
use crate::step::{Outcome, StepFailure, Try, data, failed};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::retry::{Preset, RetryPolicy};
use clawperator_contract::runnable::{ClickType, Scroll, ScrollAndClick, ScrollUntil};
use std::time::Duration;

/// Looks for a target after the edge was reached: lists load more a moment after one gets there.
const GRACE_LOOKS: u32 = 3;

/// `scroll`: one swipe.
pub(super) fn once(run: &mut Run<'_>, scroll: &Scroll) -> Outcome<StepData> {
    let scroller = Scroller::new(&scroll.swipe);
    let (scrolled, tries) =
        run.patiently(Patience::Policy(scroll.retry), |run| scroller.swipe(run))?;
    let outcome = match scrolled.moved {
        Moved::Yes => "moved",
        Moved::EdgeReached | Moved::ContainerGone => "edge_reached",
    };
    let mut told = data([
        ("scroll_outcome", outcome.to_owned()),
        ("direction", scroll.swipe.direction.name().to_owned()),
        ("distance_ratio", scroll.swipe.distance_ratio.to_string()),
        ("settle_delay_ms", scroll.swipe.settle_delay.as_millis().to_string()),
        ("resolved_container", scrolled.container),
    ]);
    tries.tell(&mut told);
    Ok(told)
}

/// Why a loop of scrolls ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    TargetFound,
    EdgeReached,
    MaxScrolls,
    MaxDuration,
    NoPositionChange,
    ContainerLost,
}

impl Ended {
    fn name(self) -> &'static str {
        match self {
            Self::TargetFound => "TARGET_FOUND",
            Self::EdgeReached => "EDGE_REACHED",
            Self::MaxScrolls => "MAX_SCROLLS_REACHED",
            Self::MaxDuration => "MAX_DURATION_REACHED",
            Self::NoPositionChange => "NO_POSITION_CHANGE",
            Self::ContainerLost => "CONTAINER_LOST",
        }
    }
}

/// `scroll_until`: swipes until the target shows or a limit ends it.
pub(super) fn until(run: &mut Run<'_>, scroll: &ScrollUntil) -> Outcome<StepData> {
    let search = scroll.target.as_ref().map(|target| Search::new(target, None));
    let mut told = data([
        ("direction", scroll.swipe.direction.name().to_owned()),
        ("click_after", scroll.click_after.to_string()),
        ("click_types", scroll.click_type.name().to_owned()),
    ]);
    let mut progress = Progress::default();
    let mut ended = match scroll_loop(run, scroll, search.as_ref(), &mut progress) {
        Ok(ended) => ended,
        Err(stop) => {
            // Nothing scrolls; what is waited for may still come by itself.
            let failure = failed(stop)?;
            match &search {
                Some(search) if last_look(run, search)? => Ended::TargetFound,
                _ => return Err(with_data(failure, told).into()),
            }
        }
    };
    told.insert("scrolls_executed".into(), progress.scrolls.to_string());
    if !progress.container.is_empty() {
        told.insert("resolved_container".into(), progress.container);
    }
    if let Some(search) = &search {
        if ended != Ended::TargetFound && last_look(run, search)? {
            ended = Ended::TargetFound;
        }
        told.insert("termination_reason".into(), ended.name().into());
        if ended != Ended::TargetFound {
            let mut failure = search.explained(search.missing(), run.screen.as_deref());
            failure.message = format!("scrolling ended with {}: {}", ended.name(), failure.message);
            return Err(with_data(failure, told).into());
        }
        if scroll.click_after {
            click(run, search, scroll.click_type, Preset::UiReadiness.policy(), &mut told)?;
        }
    } else {
        told.insert("termination_reason".into(), ended.name().into());
        if ended == Ended::ContainerLost {
            let failure = StepFailure::new(ErrorCode::ContainerNotFound, "the container went away");
            return Err(with_data(failure, told).into());
        }
    }
    Ok(told)
}

#[derive(Default)]
struct Progress {
    scrolls: u32,
    container: String,
}

fn scroll_loop(
    run: &mut Run<'_>,
    scroll: &ScrollUntil,
    search: Option<&Search<'_>>,
    progress: &mut Progress,
) -> Outcome<Ended> {
    if shows(run, search)? {
        return Ok(Ended::TargetFound);
    }
    let scroller = Scroller::new(&scroll.swipe);
    let end = run.clock.now() + scroll.max_duration;
    let mut still = 0;
    loop {
        run.check()?;
        if run.clock.now() >= end {
            return Ok(Ended::MaxDuration);
        }
        if progress.scrolls >= scroll.max_scrolls {
            return Ok(Ended::MaxScrolls);
        }
        let swiped = if progress.scrolls == 0 && still == 0 {
            first_swipe(run, &scroller, search)?
        } else {
            scroller.swipe(run)?
        };
        let moved = match swiped {
            Try::Done(Scrolled { moved, container }) => {
                progress.scrolls += 1;
                progress.container = container;
                moved
            }
            // A gesture that was refused or broken off moved nothing, but used up a scroll.
            Try::NotYet(failure) | Try::Over(failure)
                if failure.code == ErrorCode::GestureFailed =>
            {
                progress.scrolls += 1;
                still += 1;
                if still >= scroll.no_position_change_threshold {
                    return Ok(Ended::NoPositionChange);
                }
                continue;
            }
            Try::NotYet(_) | Try::Over(_) if shows_now(run, search) => {
                return Ok(Ended::TargetFound);
            }
            Try::NotYet(failure) | Try::Over(failure) => {
                let container_gone = failure.code == ErrorCode::ContainerNotFound;
                if container_gone && progress.scrolls > 0 {
                    return Ok(Ended::ContainerLost);
                }
                return Err(failure.into());
            }
        };
        if shows_now(run, search) {
            return Ok(Ended::TargetFound);
        }
        match moved {
            Moved::Yes => still = 0,
            Moved::ContainerGone => return Ok(Ended::ContainerLost),
            Moved::EdgeReached => {
                let found = shows_within_grace(run, search, scroll.swipe.settle_delay)?;
                return Ok(if found { Ended::TargetFound } else { Ended::EdgeReached });
            }
        }
    }
}

/// The first swipe waits for something to swipe: a screen that just opened fills a moment later.
fn first_swipe(
    run: &mut Run<'_>,
    scroller: &Scroller<'_>,
    search: Option<&Search<'_>>,
) -> Outcome<Try<Scrolled>> {
    let patience = Patience::Policy(Preset::UiScroll.policy());
    let swiped = run.patiently(patience, |run| {
        Ok(match scroller.swipe(run)? {
            Try::NotYet(missing) if missing.code == ErrorCode::GestureFailed => Try::Over(missing),
            Try::NotYet(missing) if shows_now(run, search) => Try::Over(missing),
            other => other,
        })
    });
    match swiped {
        Ok((scrolled, _)) => Ok(Try::Done(scrolled)),
        Err(stop) => failed(stop).map(Try::Over),
    }
}

/// Looks, and says whether the target shows.
fn shows(run: &mut Run<'_>, search: Option<&Search<'_>>) -> Outcome<bool> {
    if search.is_none() {
        return Ok(false);
    }
    match run.look_or::<()>()? {
        Ok(_) => Ok(shows_now(run, search)),
        Err(_) => Ok(false),
    }
}

/// Does the newest look show the target?
fn shows_now(run: &Run<'_>, search: Option<&Search<'_>>) -> bool {
    let (Some(search), Some(screen)) = (search, run.screen.as_deref()) else { return false };
    search.first(screen).is_ok()
}

fn shows_within_grace(
    run: &mut Run<'_>,
    search: Option<&Search<'_>>,
    settle: Duration,
) -> Outcome<bool> {
    if search.is_none() {
        return Ok(false);
    }
    let rhythm = (settle / 2).clamp(Duration::from_millis(100), Duration::from_millis(500));
    for _ in 0..GRACE_LOOKS {
        run.wait_for_next_change(run.clock.now() + rhythm)?;
        if shows(run, search)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// One more patient wait before giving up on a target.
fn last_look(run: &mut Run<'_>, search: &Search<'_>) -> Outcome<bool> {
    let patience = Patience::Policy(Preset::UiReadiness.policy());
    match run.seek(patience, search, |_, _, _| Ok(Try::Done(()))) {
        Ok(_) => Ok(true),
        Err(stop) => failed(stop).map(|_| false),
    }
}

/// `scroll_and_click`: swipes until the target shows, then clicks it.
pub(super) fn and_click(run: &mut Run<'_>, scroll: &ScrollAndClick) -> Outcome<StepData> {
    let search = Search::new(&scroll.target, None);
    let mut told = data([
        ("max_swipes", scroll.max_swipes.to_string()),
        ("direction", scroll.swipe.direction.name().to_owned()),
        ("click_types", scroll.click_type.name().to_owned()),
        ("click_after", scroll.click_after.to_string()),
    ]);
    let scroller = Scroller::new(&scroll.swipe);
    let mut found = shows(run, Some(&search))?;
    let (mut swipes, mut still) = (0, 0);
    while !found && swipes < scroll.max_swipes && still < 2 {
        run.check()?;
        swipes += 1;
        let patience = Patience::Policy(scroll.scroll_retry);
        let swiped = run.patiently(patience, |run| {
            Ok(match scroller.swipe(run)? {
                Try::Done(scrolled) => Try::Done(Some(scrolled)),
                // Nothing to scroll, but nothing to scroll for either.
                Try::NotYet(_) if shows_now(run, Some(&search)) => Try::Done(None),
                Try::NotYet(failure) => Try::NotYet(failure),
                Try::Over(failure) => Try::Over(failure),
            })
        });
        let scrolled = match swiped {
            Ok((scrolled, _)) => scrolled,
            Err(stop) => {
                told.insert("swipes_executed".into(), swipes.to_string());
                return Err(with_data(failed(stop)?, told).into());
            }
        };
        let moved = scrolled.is_some_and(|scrolled| scrolled.moved == Moved::Yes);
        still = if moved { 0 } else { still + 1 };
        found = shows_now(run, Some(&search));
    }
    told.insert("swipes_executed".into(), swipes.to_string());
    if !scroll.click_after {
        if found || last_look(run, &search)? {
            return Ok(told);
        }
        let failure = search.explained(search.missing(), run.screen.as_deref());
        return Err(with_data(failure, told).into());
    }
    click(run, &search, scroll.click_type, scroll.click_retry, &mut told)?;
    Ok(told)
}

fn click(
    run: &mut Run<'_>,
    search: &Search<'_>,
    click_type: ClickType,
    retry: RetryPolicy,
    told: &mut StepData,
) -> Outcome<()> {
    let clicked = run.seek(Patience::Policy(retry), search, |run, screen, node| {
        node_clicked(run, screen, node, click_type)
    });
    match clicked {
        Ok(((), tries)) => {
            tries.tell(told);
            Ok(())
        }
        Err(stop) => Err(with_data(failed(stop)?, told.clone()).into()),
    }
}

fn with_data(mut failure: StepFailure, told: StepData) -> StepFailure {
    for (key, value) in told {
        failure.data.entry(key).or_insert(value);
    }
    failure
}
