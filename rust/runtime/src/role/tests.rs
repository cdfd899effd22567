use super::*;
use crate::screen::{Bounds, NodeSpec, ScreenBuilder, WindowSpec};

const AREA: Bounds = Bounds::new(0, 0, 100, 100);

/// The role of a node in a parent.
fn role_in(parent: NodeSpec, node: NodeSpec) -> Role {
    let node = NodeSpec { bounds: AREA, ..node };
    let root = NodeSpec { bounds: AREA, children: vec![node], ..parent };
    let mut builder = ScreenBuilder::new(100, 100);
    let screen = builder.window(&WindowSpec::application(root)).screen().unwrap();
    Role::of(screen.nodes().nth(1).unwrap())
}

fn role(node: NodeSpec) -> Role {
    role_in(NodeSpec::default(), node)
}

fn of_class(class: &str) -> NodeSpec {
    NodeSpec { class: class.into(), ..NodeSpec::default() }
}

fn with(flags: Flags, node: NodeSpec) -> NodeSpec {
    NodeSpec { flags: node.flags.with(flags), ..node }
}

fn labelled(label: &str, node: NodeSpec) -> NodeSpec {
    NodeSpec { text: label.into(), ..node }
}

#[test]
fn what_the_app_says_comes_before_every_guess() {
    let said = |said: &str, class: &str| {
        role(NodeSpec { role_description: said.into(), ..of_class(class) })
    };
    assert_eq!(said("Switch", "android.view.View"), Role::Switch);
    assert_eq!(said(" radio BUTTON ", "android.view.View"), Role::Radio);
    assert_eq!(said("Dropdown list", "android.widget.Button"), Role::Menu);
    assert_eq!(said("Image", "android.view.View"), Role::Image);
    assert_eq!(said("Schalter", "android.widget.Button"), Role::Button, "not a word known here");
    let image = NodeSpec { role_description: "image".into(), ..NodeSpec::default() };
    assert_eq!(role(with(Flags::CLICKABLE, image)), Role::Icon);
}

#[test]
fn a_label_in_a_bar_of_tabs_is_a_tab() {
    let bar = of_class("com.google.android.material.tabs.TabLayout$SlidingTabIndicator");
    let view = || of_class("android.widget.LinearLayout");
    assert_eq!(role_in(bar.clone(), labelled("Chats", view())), Role::Tab);
    assert_eq!(role_in(bar, view()), Role::Container, "without a label it is not");
    let id = |id: &str| NodeSpec { resource_id: id.into(), ..NodeSpec::default() };
    for parent in ["app:id/Bottom_bar", "app:id/main_navigation", "tabs"] {
        assert_eq!(role_in(id(parent), labelled("Home", view())), Role::Tab, "{parent}");
    }
    let package = id("com.tabletop.navigation:id/rows");
    assert_eq!(role_in(package, labelled("Home", of_class("android.widget.TextView"))), Role::Text);
}

#[test]
fn widgets_are_known_by_a_word_of_their_class() {
    for (class, expected) in [
        ("androidx.viewpager.widget.ViewPager", Role::Pager),
        ("android.widget.CheckBox", Role::Checkbox),
        ("android.widget.RadioButton", Role::Radio),
        ("android.widget.ToggleButton", Role::Toggle),
        ("android.widget.Switch", Role::Switch),
        ("androidx.appcompat.widget.SwitchCompat", Role::Switch),
        ("com.example.FancySwitchButton", Role::Switch),
        ("android.widget.Button", Role::Button),
        ("android.widget.ImageButton", Role::Button),
        ("com.example.BUTTONBAR", Role::Button),
        ("android.widget.EditText", Role::TextField),
        ("android.widget.MultiAutoCompleteTextView", Role::TextField),
        ("androidx.recyclerview.widget.RecyclerView", Role::List),
        ("android.widget.ExpandableListView", Role::List),
        ("android.widget.GridView", Role::Grid),
        ("androidx.appcompat.widget.Toolbar", Role::Toolbar),
        ("com.google.android.material.tabs.TabLayout", Role::TabBar),
        ("com.google.android.material.bottomnavigation.BottomNavigationView", Role::TabBar),
        ("android.widget.ImageView", Role::Image),
        ("com.google.android.material.chip.Chip", Role::Chip),
        ("android.widget.ViewSwitcher", Role::Unknown),
        ("android.view.View", Role::Unknown),
        ("", Role::Unknown),
    ] {
        assert_eq!(role(of_class(class)), expected, "{class}");
    }
}

#[test]
fn a_recycler_with_several_columns_is_a_grid() {
    let recycler = |columns| NodeSpec {
        collection: Some((3, columns)),
        ..of_class("androidx.recyclerview.widget.RecyclerView")
    };
    assert_eq!(role(recycler(1)), Role::List);
    assert_eq!(role(recycler(2)), Role::Grid);
}

#[test]
fn a_picture_in_a_clickable_row_is_an_icon() {
    let row = with(Flags::CLICKABLE, of_class("android.widget.LinearLayout"));
    assert_eq!(role_in(row, of_class("android.widget.ImageView")), Role::Icon);
}

#[test]
fn an_item_of_a_collection_is_a_list_item_whatever_its_layout() {
    let item = with(Flags::COLLECTION_ITEM, of_class("android.widget.FrameLayout"));
    assert_eq!(role(item), Role::ListItem);
    let button = with(Flags::COLLECTION_ITEM, of_class("android.widget.Button"));
    assert_eq!(role(button), Role::Button, "a widget stays what it is");
}

#[test]
fn a_heading_is_a_title_when_it_says_something() {
    let heading = with(Flags::HEADING, of_class("android.widget.FrameLayout"));
    assert_eq!(role(labelled("Network", heading.clone())), Role::Title);
    assert_eq!(role(heading), Role::Container);
}

#[test]
fn a_layout_is_a_row_or_a_column_where_that_is_known() {
    for class in ["LinearLayout", "FrameLayout", "ConstraintLayout", "CoordinatorLayout"] {
        assert_eq!(role(with(Flags::HORIZONTAL, of_class(class))), Role::Row);
        assert_eq!(role(with(Flags::VERTICAL, of_class(class))), Role::Column);
        assert_eq!(role(of_class(class)), Role::Container);
    }
}

#[test]
fn other_views_are_judged_by_label_and_clicks() {
    let view = || of_class("com.example.TextThing");
    let clickable = |node| with(Flags::CLICKABLE, node);
    assert_eq!(role(clickable(of_class("com.example.IconThing"))), Role::Icon);
    assert_eq!(role(clickable(view())), Role::Unknown);
    assert_eq!(role(labelled("Hello", view())), Role::Text);
    let read_out = with(Flags::SCREEN_READER_FOCUSABLE, labelled("Hello", view()));
    assert_eq!(role(read_out), Role::Label);
    let toolbar = of_class("android.widget.Toolbar");
    assert_eq!(role_in(toolbar, labelled("Inbox", view())), Role::Title);
    assert_eq!(role(clickable(labelled("Sign in", view()))), Role::Button);
    assert_eq!(role(clickable(labelled("x".repeat(30).as_str(), view()))), Role::Button);
    assert_eq!(role(clickable(labelled("exactly twenty chars", view()))), Role::Button);
    assert_eq!(role(clickable(labelled("exactly twenty1 chars", view()))), Role::Text);
}

#[test]
fn a_role_is_found_by_its_name_in_any_case() {
    for role in Role::ALL {
        assert_eq!(Role::named(role.name()), Some(*role));
        assert_eq!(Role::named(&role.name().to_uppercase()), Some(*role));
    }
    assert_eq!(Role::named("list item"), None);
    assert_eq!(Role::ALL.len(), 26);
}
