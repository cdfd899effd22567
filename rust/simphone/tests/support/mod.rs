//! What the tests with a stock adb share.

#![allow(dead_code, unreachable_pub, reason = "each test binary uses its part")]

pub mod adb;
pub mod lab;
