//! The OpenPocket action schema: what an agent written for it sends, read safely, and the executors
//! that do it.
