//! adb's device side over TCP.
