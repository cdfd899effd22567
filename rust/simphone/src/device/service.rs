//! The phone as an accessibility service sees it: captures, and actions on their nodes.

use super::agenda::Due;
use super::view::{Key, Scene, View};
use super::world::World;
use clawperator_contract::runnable::Point;
use clawperator_runtime::phone::{NodeAction, PhoneError};
use clawperator_runtime::screen::{
    Bounds, Flags, Generation, NodeHandle, NodeSpec, Screen, ScreenBuilder, WindowSpec,
};
use std::sync::Arc;

/// Nodes of the newest capture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Handles {
    generation: Generation,
    keys: Vec<Key>,
    /// The capture itself, for a fault that shows it again.
    scene: Option<Arc<Scene>>,
}

impl World {
    /// Counts an operation of the service, which may be its last.
    pub(crate) fn asked(&mut self) -> Result<(), PhoneError> {
        if self.service && self.chaos.kills() {
            self.service = false;
        }
        if self.service { Ok(()) } else { Err(PhoneError::ServiceUnavailable) }
    }

    pub(crate) fn capture(&mut self) -> Result<Screen, PhoneError> {
        self.hide_one();
        let mut scene = self.scene();
        if scene.panes.is_empty() {
            return Err(PhoneError::NoWindow);
        }
        if let Some(before) = &self.handles.scene
            && self.chaos.strikes(|faults| faults.stale_trees)
        {
            scene = Arc::clone(before);
        }
        self.counter += 1;
        let mut keys = Vec::new();
        let screen = self.built(&scene, self.counter, &mut keys)?;
        self.handles = Handles { generation: self.counter, keys, scene: Some(scene) };
        Ok(screen)
    }

    /// The screen for whoever is not the service; its nodes cannot be acted on.
    pub(crate) fn look(&mut self) -> Result<Screen, PhoneError> {
        let scene = self.scene();
        self.built(&scene, self.counter, &mut Vec::new())
    }

    fn built(
        &self,
        scene: &Scene,
        generation: Generation,
        keys: &mut Vec<Key>,
    ) -> Result<Screen, PhoneError> {
        let mut builder = ScreenBuilder::new(self.metrics.width, self.metrics.height);
        builder.generation(generation);
        builder.foreground(scene.active().map_or("", |pane| pane.package.as_str()));
        for pane in &scene.panes {
            builder.window(&WindowSpec {
                id: pane.id,
                kind: pane.kind,
                active: pane.active,
                layer: pane.layer,
                package: pane.package.clone(),
                title: pane.title.clone(),
                bounds: pane.root.bounds,
                root: self.node(&pane.root, &pane.package, keys),
            });
        }
        builder.screen().map_err(|error| PhoneError::Failed(error.to_string()))
    }

    fn node(&self, view: &View, package: &str, keys: &mut Vec<Key>) -> NodeSpec {
        keys.push(view.key);
        let shown = view.children.iter().filter(|child| !self.hidden.contains(&child.key));
        NodeSpec {
            text: view.text.clone(),
            description: view.description.clone(),
            class: view.class.to_string(),
            resource_id: view.id.clone(),
            package: if view.package.is_empty() { package } else { &view.package }.to_owned(),
            role_description: view.role_description.clone(),
            flags: view.flags,
            bounds: view.bounds,
            collection: view.collection,
            range: view.range,
            children: shown.map(|child| self.node(child, package, keys)).collect(),
        }
    }

    /// A node of the app in front vanishes for a moment.
    fn hide_one(&mut self) {
        if !self.chaos.strikes(|faults| faults.vanishing_nodes) {
            return;
        }
        let scene = self.scene();
        let mut keys = Vec::new();
        if let Some(pane) = scene.active() {
            pane.root.each(&mut |view| keys.push(view.key));
        }
        // Not the window itself, nor what all of the app is in.
        let Some(key) = keys.get(2 + self.chaos.pick(keys.len().saturating_sub(2))) else { return };
        self.hidden.push(*key);
        let for_how_long = self.chaos.delay(50, 500);
        self.agenda.plan(self.now + for_how_long, Due::Back { key: *key });
        self.changed();
    }

    /// Acts on a node of the newest capture, if it is still there.
    pub(crate) fn perform(
        &mut self,
        node: NodeHandle,
        action: &NodeAction,
    ) -> Result<bool, PhoneError> {
        if node.generation != self.handles.generation {
            return Err(PhoneError::NodeGone);
        }
        let at = usize::try_from(node.index.0).unwrap_or(usize::MAX);
        let key = *self.handles.keys.get(at).ok_or(PhoneError::NodeGone)?;
        let scene = self.scene();
        let (pane, path) = scene.find(key).ok_or(PhoneError::NodeGone)?;
        let Some(view) = path.last().filter(|view| !self.hidden.contains(&view.key)) else {
            return Err(PhoneError::NodeGone);
        };
        let enabled = view.flags.has(Flags::ENABLED);
        let page = pane.page.filter(|_| enabled);
        Ok(match (action, page) {
            (NodeAction::Click, _) => self.click(pane, view, middle(view.bounds)),
            (NodeAction::LongClick, _) => self.long_click(pane, view),
            (NodeAction::Focus, Some(page)) if view.field.is_some() => {
                self.focus(page, key, false);
                true
            }
            (NodeAction::Focus, Some(_)) => view.flags.has(Flags::FOCUSABLE),
            (NodeAction::SetText(text), Some(_)) => self.set_text(key, text),
            (NodeAction::ImeEnter, Some(_)) => self.submit_field(key),
            (NodeAction::ScrollForward, Some(page)) => self.scroll_page(page, view, true),
            (NodeAction::ScrollBackward, Some(page)) => self.scroll_page(page, view, false),
            (NodeAction::Select, _) | (_, None) => false,
        })
    }
}

fn middle(bounds: Bounds) -> Point {
    bounds.center()
}
