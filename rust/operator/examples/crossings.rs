//! For the benchmark of a capture in `android/jvm`: a library with the two ways of getting a screen
//! out of Java. One takes it packed, in one call, as the operator does. The other asks each node for
//! each of its attributes, as one does who calls Android's classes from Rust. Both end with the same
//! `Screen`.

#![allow(unsafe_code, reason = "JNI hands over raw pointers and is called through them")]
#![allow(elided_lifetimes_in_paths, reason = "the bindings' macro writes them so")]
#![allow(missing_docs, unreachable_pub, reason = "a benchmark, and the macro's")]

use clawperator_runtime::screen::{
    Bounds, Flags, NodeSpec, Range, Screen, ScreenBuilder, WindowSpec,
};
use clawperator_runtime::snapshot::xml;
use jni::errors::{Error, Result};
use jni::objects::{JClass, JString};
use jni::refs::Reference;
use jni::sys::jint;
use jni::{Env, bind_java_type};
use std::sync::Mutex;

bind_java_type! {
    Chars => java.lang.CharSequence,
    methods { fn text { name = "toString", sig = () -> JString } },
}

bind_java_type! {
    Rect => android.graphics.Rect,
    constructors { fn new() },
    fields { left: jint, top: jint, right: jint, bottom: jint },
}

bind_java_type! {
    Collection => "android.view.accessibility.AccessibilityNodeInfo$CollectionInfo",
    methods { fn get_row_count() -> jint, fn get_column_count() -> jint },
}

bind_java_type! {
    Item => "android.view.accessibility.AccessibilityNodeInfo$CollectionItemInfo",
}

bind_java_type! {
    RangeInfo => "android.view.accessibility.AccessibilityNodeInfo$RangeInfo",
    methods { fn get_min() -> jfloat, fn get_max() -> jfloat, fn get_current() -> jfloat },
}

bind_java_type! {
    Extras => android.os.Bundle,
    type_map = { Chars => java.lang.CharSequence },
    methods { fn get_char_sequence(key: JString) -> Chars },
}

bind_java_type! {
    Node => android.view.accessibility.AccessibilityNodeInfo,
    type_map = {
        Chars => java.lang.CharSequence,
        Rect => android.graphics.Rect,
        Extras => android.os.Bundle,
        Collection => "android.view.accessibility.AccessibilityNodeInfo$CollectionInfo",
        Item => "android.view.accessibility.AccessibilityNodeInfo$CollectionItemInfo",
        RangeInfo => "android.view.accessibility.AccessibilityNodeInfo$RangeInfo",
    },
    methods {
        fn get_child_count() -> jint,
        fn get_child(index: jint, strategy: jint) -> Node,
        fn get_bounds_in_screen(bounds: Rect),
        fn get_text() -> Chars,
        fn get_content_description() -> Chars,
        fn get_class_name() -> Chars,
        fn get_package_name() -> Chars,
        fn get_view_id_resource_name() -> JString,
        fn get_extras() -> Extras,
        fn get_collection_info() -> Collection,
        fn get_collection_item_info() -> Item,
        fn get_range_info() -> RangeInfo,
        fn get_actions() -> jint,
        fn is_checkable() -> jboolean,
        fn is_checked() -> jboolean,
        fn is_clickable() -> jboolean,
        fn is_enabled() -> jboolean,
        fn is_focusable() -> jboolean,
        fn is_focused() -> jboolean,
        fn is_scrollable() -> jboolean,
        fn is_long_clickable() -> jboolean,
        fn is_password() -> jboolean,
        fn is_selected() -> jboolean,
        fn is_editable() -> jboolean,
        fn is_heading() -> jboolean,
        fn is_visible_to_user() -> jboolean,
        fn is_screen_reader_focusable() -> jboolean,
        fn is_showing_hint_text() -> jboolean,
    },
}

bind_java_type! {
    Shim => com.clawperator.operator.Shim,
    methods { fn capture(generation: jlong) -> JByteBuffer },
}

bind_java_type! {
    Crossings => com.clawperator.operator.Crossings,
    type_map = {
        Shim => com.clawperator.operator.Shim,
        Node => android.view.accessibility.AccessibilityNodeInfo,
    },
    native_methods {
        static extern fn packed(shim: Shim) -> jint,
        static extern fn by_attribute(root: Node, strategy: jint, width: jint, height: jint) -> jint,
        static extern fn xml() -> JString,
    },
}

/// The screen that was taken last, so that both ways can be compared.
static LAST: Mutex<Option<Screen>> = Mutex::new(None);

fn keep(screen: Screen) -> Result<()> {
    let mut last = LAST.lock().map_err(|_| Error::NullPtr("the last screen"))?;
    *last = Some(screen);
    Ok(())
}

impl CrossingsNativeInterface for CrossingsAPI {
    type Error = Error;

    /// As `rust/operator/src/java/service.rs` does it; returns how often it went into Java.
    fn packed<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        shim: Shim<'local>,
    ) -> Result<jint> {
        let packed = shim.capture(env, 0)?;
        let length = env.get_direct_buffer_capacity(&packed)?;
        let start = env.get_direct_buffer_address(&packed)?;
        // SAFETY: the buffer is direct, `packed` keeps it alive, and nobody else asks for captures.
        let bytes = unsafe { std::slice::from_raw_parts(start, length) };
        keep(Screen::decode(bytes).map_err(|_| Error::NullPtr("a screen"))?)?;
        Ok(1)
    }

    fn by_attribute<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        root: Node<'local>,
        strategy: jint,
        width: jint,
        height: jint,
    ) -> Result<jint> {
        let mut asking = Asking { strategy, calls: 0 };
        let root = asking.node(env, &root)?;
        let mut screen = ScreenBuilder::new(width, height);
        screen.foreground(&root.package).window(&WindowSpec::application(root));
        keep(screen.screen().map_err(|_| Error::NullPtr("a screen"))?)?;
        Ok(asking.calls)
    }

    fn xml<'local>(env: &mut Env<'local>, _class: JClass<'local>) -> Result<JString<'local>> {
        let last = LAST.lock().map_err(|_| Error::NullPtr("the last screen"))?;
        JString::from_str(env, last.as_ref().map_or_else(String::new, xml::write))
    }
}

/// Asks for one attribute after the other, and counts.
struct Asking {
    strategy: jint,
    calls: jint,
}

impl Asking {
    fn called<T>(&mut self, answer: Result<T>) -> Result<T> {
        self.calls += 1;
        answer
    }

    fn text(&mut self, env: &mut Env<'_>, chars: Result<Chars<'_>>) -> Result<String> {
        let chars = self.called(chars)?;
        if chars.is_null() {
            return Ok(String::new());
        }
        let text = chars.text(env);
        self.string(env, text)
    }

    fn string(&mut self, env: &Env<'_>, text: Result<JString<'_>>) -> Result<String> {
        let text = self.called(text)?;
        if text.is_null() { Ok(String::new()) } else { text.try_to_string(env) }
    }

    /// Local references of a node end with it.
    fn node(&mut self, env: &mut Env<'_>, node: &Node<'_>) -> Result<NodeSpec> {
        let mut spec = env.with_local_frame(32, |env| self.attributes(env, node))?;
        let answer = node.get_child_count(env);
        for index in 0..self.called(answer)? {
            let child = env.with_local_frame(8, |env| {
                let child = node.get_child(env, index, self.strategy);
                let child = self.called(child)?;
                if child.is_null() { Ok(None) } else { self.node(env, &child).map(Some) }
            })?;
            spec.children.extend(child);
        }
        Ok(spec)
    }

    fn attributes(&mut self, env: &mut Env<'_>, node: &Node<'_>) -> Result<NodeSpec> {
        let text = node.get_text(env);
        let text = self.text(env, text)?;
        let description = node.get_content_description(env);
        let description = self.text(env, description)?;
        let class = node.get_class_name(env);
        let class = self.text(env, class)?;
        let package = node.get_package_name(env);
        let package = self.text(env, package)?;
        let resource_id = node.get_view_id_resource_name(env);
        let resource_id = self.string(env, resource_id)?;
        let extras = node.get_extras(env);
        let extras = self.called(extras)?;
        let key = JString::from_str(env, "AccessibilityNodeInfo.roleDescription")?;
        let role = extras.get_char_sequence(env, &key);
        let role_description = self.text(env, role)?;
        Ok(NodeSpec {
            text,
            description,
            class,
            resource_id,
            package,
            role_description,
            flags: self.flags(env, node)?,
            bounds: self.bounds(env, node)?,
            collection: self.collection(env, node)?,
            range: self.range(env, node)?,
            children: Vec::new(),
        })
    }

    fn bounds(&mut self, env: &mut Env<'_>, node: &Node<'_>) -> Result<Bounds> {
        let rect = Rect::new(env);
        let rect = self.called(rect)?;
        let filled = node.get_bounds_in_screen(env, &rect);
        self.called(filled)?;
        let sides = [rect.left(env), rect.top(env), rect.right(env), rect.bottom(env)];
        let [left, top, right, bottom] = sides.map(|side| self.called(side));
        Ok(Bounds::new(left?, top?, right?, bottom?))
    }

    fn collection(&mut self, env: &mut Env<'_>, node: &Node<'_>) -> Result<Option<(i32, i32)>> {
        let info = node.get_collection_info(env);
        let info = self.called(info)?;
        if info.is_null() {
            return Ok(None);
        }
        let sizes = [info.get_row_count(env), info.get_column_count(env)];
        let [rows, columns] = sizes.map(|size| self.called(size));
        Ok(Some((rows?, columns?)))
    }

    fn range(&mut self, env: &mut Env<'_>, node: &Node<'_>) -> Result<Option<Range>> {
        let info = node.get_range_info(env);
        let info = self.called(info)?;
        if info.is_null() {
            return Ok(None);
        }
        let values = [info.get_min(env), info.get_max(env), info.get_current(env)];
        let [min, max, current] = values.map(|value| self.called(value));
        Ok(Some(Range { min: min?, max: max?, current: current? }))
    }

    fn flags(&mut self, env: &mut Env<'_>, node: &Node<'_>) -> Result<Flags> {
        const ACTION_SET_TEXT: jint = 0x0020_0000;
        let item = node.get_collection_item_info(env).map(|item| !item.is_null());
        let sets_text = node.get_actions(env).map(|bits| bits & ACTION_SET_TEXT != 0);
        let answers = [
            (Flags::CHECKABLE, node.is_checkable(env)),
            (Flags::CHECKED, node.is_checked(env)),
            (Flags::CLICKABLE, node.is_clickable(env)),
            (Flags::ENABLED, node.is_enabled(env)),
            (Flags::FOCUSABLE, node.is_focusable(env)),
            (Flags::FOCUSED, node.is_focused(env)),
            (Flags::SCROLLABLE, node.is_scrollable(env)),
            (Flags::LONG_CLICKABLE, node.is_long_clickable(env)),
            (Flags::PASSWORD, node.is_password(env)),
            (Flags::SELECTED, node.is_selected(env)),
            (Flags::EDITABLE, node.is_editable(env)),
            (Flags::HEADING, node.is_heading(env)),
            (Flags::VISIBLE, node.is_visible_to_user(env)),
            (Flags::SCREEN_READER_FOCUSABLE, node.is_screen_reader_focusable(env)),
            (Flags::SHOWING_HINT, node.is_showing_hint_text(env)),
            (Flags::COLLECTION_ITEM, item),
            (Flags::SETS_TEXT, sets_text),
        ];
        let mut flags = Flags::NONE;
        for (flag, answer) in answers {
            if self.called(answer)? {
                flags = flags.with(flag);
            }
        }
        Ok(flags)
    }
}
