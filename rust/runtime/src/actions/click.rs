//! Clicking nodes and points.

use crate::context::Run;
use crate::phone::NodeAction;
use crate::screen::{Flags, Node, Screen};
use crate::step::{Outcome, StepFailure, Try, data, may_have_acted};
use crate::touch::{press, try_gesture};
use crate::wait::Patience;
use clawperator_contract::ErrorCode;
use clawperator_contract::envelope::StepData;
use clawperator_contract::runnable::{Click, ClickTarget, ClickType};

/// How far up the node that takes the click may be: deep rows nest about this far.
const LEVELS: usize = 8;

pub(super) fn perform(run: &mut Run<'_>, click: &Click) -> Outcome<StepData> {
    let mut told = data([("click_types", click.click_type.name().to_owned())]);
    let tries = match &click.target {
        ClickTarget::Point(point) => {
            told.insert("coordinate".into(), format!("{},{}", point.x, point.y));
            let strokes = [press(*point, click.click_type)];
            run.patiently(Patience::Policy(click.retry), |run| try_gesture(run, &strokes))?.1
        }
        ClickTarget::Node(target) => {
            let patience = Patience::Policy(click.retry);
            run.seek_target(patience, target, click.scope.as_ref(), |run, screen, node| {
                node_clicked(run, screen, node, click.click_type)
            })?
            .1
        }
    };
    tries.tell(&mut told);
    Ok(told)
}

/// One attempt to click a node. What was delivered is never repeated.
pub(crate) fn node_clicked(
    run: &mut Run<'_>,
    screen: &Screen,
    node: Node<'_>,
    click_type: ClickType,
) -> Outcome<Try<()>> {
    match click_type {
        ClickType::Click => touched(run, screen, node, Flags::CLICKABLE, &NodeAction::Click),
        ClickType::LongClick => {
            touched(run, screen, node, Flags::LONG_CLICKABLE, &NodeAction::LongClick)
        }
        ClickType::Focus => focused(run, node),
    }
}

/// Through the nearest node that takes it, else by a touch in the middle.
fn touched(
    run: &mut Run<'_>,
    screen: &Screen,
    node: Node<'_>,
    takes: Flags,
    action: &NodeAction,
) -> Outcome<Try<()>> {
    let taker = nearest(node, takes);
    if !taker.unwrap_or(node).has(Flags::ENABLED) {
        return Ok(Try::NotYet(not_clickable(node, "is disabled")));
    }
    if let Some(taker) = taker {
        match run.act_on(taker.handle(), action)? {
            Ok(true) => return Ok(Try::Done(())),
            // Refused: nothing was done, a touch may do it.
            Ok(false) => {}
            Err(error) => return may_have_acted(error),
        }
    }
    let visible = node.bounds().intersection(screen.bounds);
    if visible.is_empty() {
        return Ok(Try::NotYet(not_clickable(node, "has no place on the screen")));
    }
    let click_type =
        if *action == NodeAction::LongClick { ClickType::LongClick } else { ClickType::Click };
    try_gesture(run, &[press(visible.center(), click_type)])
}

fn focused(run: &mut Run<'_>, node: Node<'_>) -> Outcome<Try<()>> {
    let taker = nearest(node, Flags::FOCUSABLE).unwrap_or(node);
    for action in [NodeAction::Focus, NodeAction::Select] {
        match run.act_on(taker.handle(), &action)? {
            Ok(true) => return Ok(Try::Done(())),
            Ok(false) => {}
            Err(error) => return may_have_acted(error),
        }
    }
    Ok(Try::NotYet(not_clickable(node, "takes neither focus nor selection")))
}

/// It or the nearest node above it with that flag.
pub(super) fn nearest(node: Node<'_>, flag: Flags) -> Option<Node<'_>> {
    node.self_and_ancestors().take(LEVELS + 1).find(|node| node.has(flag))
}

fn not_clickable(node: Node<'_>, problem: &str) -> StepFailure {
    let message = format!("{} {problem}", described(node));
    StepFailure::new(ErrorCode::NodeNotClickable, message)
}

/// A node in a message.
pub(super) fn described(node: Node<'_>) -> String {
    let reference = node.reference();
    if node.has_label() {
        let label: String = node.label().chars().take(40).collect();
        return format!("\"{label}\" ({reference})");
    }
    match node.resource_id() {
        "" => format!("the node {reference}"),
        id => format!("the node {id} ({reference})"),
    }
}
