//! Links the binary at a fixed address.
//!
//! A program that can be loaded anywhere has thousands of addresses to mend each time it starts;
//! for a tool that agents start all day that is a tenth of its time. There is no unsafe code in it
//! for a random address to protect; libraries, heap and stack are at random addresses all the same.

fn main() {
    let linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux");
    if linux {
        println!("cargo::rustc-link-arg-bins=-no-pie");
        if std::env::var("PROFILE").is_ok_and(|profile| profile == "release") && has_static_eh() {
            println!("cargo::rustc-link-lib=static:-bundle=gcc_eh");
        }
    }
}

/// The unwinder can be part of the binary instead of a library that is loaded each time; the
/// compiler that links us usually has it. Only where everything is one piece (LTO), or one half of
/// the program would use the one and the other the other.
fn has_static_eh() -> bool {
    let asked = std::process::Command::new("cc").arg("-print-file-name=libgcc_eh.a").output();
    asked.is_ok_and(|output| output.stdout.contains(&b'/'))
}
