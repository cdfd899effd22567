use crate::bench::options;
use clawperator_runtime::phone::{Clock, Phone};
use clawperator_simphone::clock::SimClock;
use clawperator_simphone::device::{Device, Latency, Options};
use clawperator_simphone::phone::SimPhone;
use std::thread;
use std::time::Duration;

fn real() -> Device {
    let options = options();
    Device::new(Options { clock: SimClock::real(), ..options }).unwrap()
}

#[test]
fn in_real_time_a_wait_ends_when_another_thread_does_something() {
    let device = real();
    let mut phone = SimPhone::new(device.clone());
    let since = phone.generation();
    let until = device.clock().now() + Duration::from_secs(60);
    let other = device.clone();
    let shell = thread::spawn(move || other.launch("com.android.settings"));
    phone.wait(Some(since), until);
    assert!(phone.generation() > since && device.clock().now() < until);
    shell.join().unwrap();
}

#[test]
fn in_real_time_the_waker_ends_a_wait() {
    let device = real();
    let mut phone = SimPhone::new(device.clone());
    let waker = phone.waker();
    let until = device.clock().now() + Duration::from_secs(60);
    let other = thread::spawn(move || waker());
    phone.wait(None, until);
    assert!(device.clock().now() < until);
    other.join().unwrap();
}

#[test]
fn in_real_time_things_happen_while_nobody_looks() {
    let options = options();
    let latency = Latency { launch: Duration::from_millis(5), ..Latency::default() };
    let device = Device::new(Options { clock: SimClock::real(), latency, ..options }).unwrap();
    let (told, heard) = std::sync::mpsc::channel();
    device.listen(Box::new(move |event, _| {
        let _ = told.send(event.kind());
    }));
    device.launch("com.android.settings");
    assert_eq!(heard.recv_timeout(Duration::from_secs(60)), Ok("window_change"));
}

#[test]
fn many_threads_use_one_phone() {
    let device = Device::new(options()).unwrap();
    thread::scope(|scope| {
        for number in 0..4_u64 {
            let device = device.clone();
            scope.spawn(move || {
                let mut phone = SimPhone::new(device.clone());
                for round in 0..25 {
                    match (number + round) % 4 {
                        0 => drop(phone.capture()),
                        1 => drop(device.launch("com.android.settings")),
                        2 => device.tap(clawperator_contract::runnable::Point { x: 500, y: 900 }),
                        _ => drop(device.screen()),
                    }
                }
            });
        }
    });
    assert!(device.screen().is_some());
}

#[test]
fn virtual_time_passes_only_by_waiting_and_then_at_once() {
    let device = Device::new(options()).unwrap();
    let mut phone = SimPhone::new(device.clone());
    let since = phone.capture().unwrap().generation;
    let start = device.clock().now();
    phone.wait(Some(since), start + Duration::from_secs(3_600));
    assert_eq!(device.clock().now(), start + Duration::from_secs(3_600));
}

#[test]
fn a_listener_may_use_the_phone_it_listens_to() {
    let device = Device::new(options()).unwrap();
    let (told, heard) = std::sync::mpsc::channel();
    let other = device.clone();
    device.listen(Box::new(move |event, _| {
        if event.kind() == "window_change" && other.running().len() < 2 {
            other.launch("com.example.news");
        }
        let _ = told.send(event.kind());
    }));
    device.launch("com.android.settings");
    assert_eq!(device.running(), ["com.example.news", "com.android.settings"]);
    assert_eq!(heard.try_iter().count(), 2);
}
