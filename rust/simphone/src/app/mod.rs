//! Apps as data: a YAML file says what an app shows and what comes of touching it.
//!
//! `docs/simphone-apps.md` has the format. Reading goes in three steps: YAML into a tree that
//! knows its places (`rust/tree`), templates filled in (`expand`), and the tree read key by key into
//! the model (`read_*`), with every name that leads nowhere found on the way.

mod error;
mod expand;
mod fields;
mod model;
mod read_action;
mod read_app;
mod read_widget;
mod shipped;
#[cfg(test)]
mod tests;
mod value;

pub use error::{AppError, Problem};
pub use model::{
    Action, Actions, Answer, App, Body, Check, CheckStyle, Ime, Kind, Page, Tab, Widget,
};
pub use shipped::{SHIPPED, from_folder, shipped};
pub use value::{Condition, ConditionError, ITEM_NUMBER, Label, Scope, State, Value};
