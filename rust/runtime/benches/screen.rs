//! What it costs to look at a screen: decode a capture and find a node, write it as XML and as the
//! text view. Beside each, in the same run, something everybody knows the price of: copying the
//! packed bytes, and reading the same XML with a fast parser.
//!
//! `cargo bench -p clawperator-runtime --bench screen`

#![allow(missing_docs, reason = "a benchmark")]
#![allow(clippy::unwrap_used, reason = "a benchmark fails loudly")]

#[path = "../tests/support/screens.rs"]
mod screens;

use clawperator_contract::selector::Selector;
use clawperator_runtime::matching::Matcher;
use clawperator_runtime::screen::Screen;
use clawperator_runtime::snapshot::{text, xml};
use clawperator_runtime::why::why_nothing;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;

/// From a small page to a broken one: growth must be linear.
const SIZES: [usize; 5] = [100, 300, 1_000, 3_000, 10_000];

fn text_of_last() -> Selector {
    let text_equals = Some("Summary of the last row".to_owned());
    Selector { text_equals, ..Selector::default() }
}

fn by_size(criterion: &mut Criterion) {
    let matcher = Matcher::new(&text_of_last());
    for size in SIZES {
        let packed = screens::rows(size);
        let screen = Screen::decode(&packed).unwrap();
        let mut group = criterion.benchmark_group("nodes");
        group.throughput(Throughput::Elements(u64::from(screen.len())));
        group.bench_function(BenchmarkId::new("decode and match", size), |bencher| {
            bencher.iter(|| {
                let screen = Screen::decode(black_box(&packed)).unwrap();
                matcher.find(&screen, None).unwrap().index()
            });
        });
        group.bench_function(BenchmarkId::new("xml", size), |bencher| {
            bencher.iter(|| xml::write(black_box(&screen)));
        });
        group.bench_function(BenchmarkId::new("text", size), |bencher| {
            bencher.iter(|| text::write(black_box(&screen)));
        });
        group.finish();
    }
}

fn baselines(criterion: &mut Criterion) {
    let packed = screens::rows(1_000);
    let written = xml::write(&Screen::decode(&packed).unwrap());
    let mut group = criterion.benchmark_group("baseline of 1000 nodes");
    group.bench_function("copy the packed bytes", |bencher| {
        bencher.iter(|| black_box(&packed).to_vec());
    });
    group.bench_function("copy the xml", |bencher| {
        bencher.iter(|| black_box(&written).clone());
    });
    group.bench_function("parse the xml", |bencher| {
        bencher.iter(|| roxmltree::Document::parse(black_box(&written)).unwrap());
    });
    group.finish();
}

fn ways_to_match(criterion: &mut Criterion) {
    let screen = Screen::decode(&screens::rows(1_000)).unwrap();
    let text = |text: &str| Some(text.to_owned());
    let mut group = criterion.benchmark_group("match the last of 1000 nodes");
    for (name, selector) in [
        ("text", text_of_last()),
        ("part of a text", Selector { text_contains: text("THE LAST"), ..Selector::default() }),
        ("a role that is not there", Selector { role: text("chip"), ..Selector::default() }),
    ] {
        let matcher = Matcher::new(&selector);
        group.bench_function(name, |bencher| bencher.iter(|| matcher.find(&screen, None)));
    }
    let missing = Selector { text_equals: text("Sumary of last row"), ..Selector::default() };
    group.bench_function("say why nothing matches", |bencher| {
        bencher.iter(|| why_nothing(black_box(&screen), &missing, None));
    });
    group.finish();
}

fn named_screens(criterion: &mut Criterion) {
    for (name, screen) in screens::named() {
        let mut group = criterion.benchmark_group(name);
        group.bench_function("xml", |bencher| bencher.iter(|| xml::write(black_box(&screen))));
        group.bench_function("text", |bencher| bencher.iter(|| text::write(black_box(&screen))));
        group.finish();
    }
}

criterion_group!(benches, by_size, baselines, ways_to_match, named_screens);
criterion_main!(benches);
