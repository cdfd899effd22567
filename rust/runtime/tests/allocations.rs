//! Looking at a screen must not cost more allocations the more there is on it.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test fails loudly")]

#[path = "support/screens.rs"]
mod screens;

use clawperator_contract::selector::Selector;
use clawperator_runtime::matching::Matcher;
use clawperator_runtime::screen::Screen;

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

/// Allocations are counted for all threads of the process: hence one test in this file, and no
/// other beside it.
#[test]
fn looking_at_more_nodes_allocates_no_more_often() {
    decoding_a_hundred_or_ten_thousand_nodes_allocates_equally_often();
    matching_allocates_nothing();
}

fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let _profiler = dhat::Profiler::builder().testing().build();
    let before = dhat::HeapStats::get().total_blocks;
    let result = work();
    (dhat::HeapStats::get().total_blocks - before, result)
}

fn decoding_a_hundred_or_ten_thousand_nodes_allocates_equally_often() {
    let (small, large) = (screens::rows(100), screens::rows(10_000));
    let (for_small, few) = allocations(|| Screen::decode(&small).unwrap());
    let (for_large, many) = allocations(|| Screen::decode(&large).unwrap());
    println!("decode: {for_small} for {} nodes, {for_large} for {}", few.len(), many.len());
    assert!(few.len() <= 100 && many.len() > 9_900);
    assert_eq!(for_small, for_large);
    assert!(for_large <= 8, "{for_large} allocations");
}

fn matching_allocates_nothing() {
    let screen = Screen::decode(&screens::rows(10_000)).unwrap();
    let last = "Summary of the last row";
    let text = |text: &str| Some(text.to_owned());
    for selector in [
        Selector { text_equals: text(last), ..Selector::default() },
        Selector { text_contains: text("OF THE LAST"), ..Selector::default() },
        Selector { text_contains: text("Straße"), ..Selector::default() },
        Selector { role: text("button"), ..Selector::default() },
        Selector {
            any_of: vec![Selector { text_equals: text(last), ..Selector::default() }],
            clickable: Some(true),
            role: text("text"),
            ..Selector::default()
        },
    ] {
        let matcher = Matcher::new(&selector);
        let (count, _) = allocations(|| matcher.find_all(&screen, None).count());
        assert_eq!(count, 0, "{selector}");
    }
    println!("match: 0 for {} nodes", screen.len());
}
