//! Every command, from what is typed to what the phone shows.

mod around;
mod executions;
mod looking;
mod moving;
mod recording;
mod setting_up;
mod touching;
