//! Links the binary at a fixed address.
//!
//! A program that can be loaded anywhere has thousands of addresses to mend each time it starts;
//! for a tool that agents start all day that is a tenth of its time. There is no unsafe code in it
//! for a random address to protect; libraries, heap and stack are at random addresses all the same.

fn main() {
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if linux {
        println!("cargo::rustc-link-arg-bins=-no-pie");
    }
}
