//! Where the program adb is.
