//! A simulated phone.
