//! The table itself. Order matters: it is the order of [`ActionType`], and inside a row the order
//! in which parameters are checked and written.

use super::{ActionSpec, ActionType, Field, HostNumber, Kind, Origin, Rule};
use crate::limits::{
    Bounds, DISTANCE_RATIO, MAX_DURATION_MS, MAX_ENTERED_TEXT_LENGTH, MAX_ID_LENGTH,
    MAX_MATCHER_VALUE_LENGTH, MAX_SCROLLS, MAX_SWIPES, MAX_URI_LENGTH, NAVIGATION_TIMEOUT_MS,
    NO_POSITION_CHANGE, NODE_TIMEOUT_MS, SETTLE_DELAY_MS, SLEEP_MS,
};
use crate::retry::Preset;

const fn field(key: &'static str, kind: Kind, note: &'static str) -> Field {
    Field { key, required: false, kind, origin: Origin::Contract, note }
}

const fn required(key: &'static str, kind: Kind, note: &'static str) -> Field {
    Field { key, required: true, kind, origin: Origin::Contract, note }
}

const fn extension(key: &'static str, kind: Kind, note: &'static str) -> Field {
    Field { key, required: false, kind, origin: Origin::Extension, note }
}

const fn retry(preset: Preset) -> Field {
    field("retry", Kind::Retry(preset), "how often and how patiently to try")
}

const fn text(max: usize) -> Kind {
    Kind::Text { host_max: Some(max), phone_max: Some(max) }
}

const ANY_TEXT: Kind = Kind::Text { host_max: None, phone_max: None };

/// A text the host leaves to the payload's size.
const fn phone_text(max: usize) -> Kind {
    Kind::Text { host_max: None, phone_max: Some(max) }
}

const fn number(host: HostNumber, phone: Bounds, default: Option<f64>) -> Kind {
    Kind::Number { host, whole: false, phone, default }
}

const fn count(host: HostNumber, phone: Bounds, default: f64) -> Kind {
    Kind::Number { host, whole: true, phone, default: Some(default) }
}

const DIRECTIONS: &[&str] = &["down", "up", "left", "right"];

const MATCHER: Field = field("matcher", Kind::Matcher, "the target node");
const WHERE: Field = extension("where", Kind::Selector, "the target node, by the full selector");
const REF: Field = extension("ref", Kind::NodeRef, "the target node, by reference into a snapshot");
const CONTAINER_NOTE: &str = "search and scroll only inside this node";
const CONTAINER: Field = field("container", Kind::Matcher, CONTAINER_NOTE);
/// Where the contract knows no container, ours takes one all the same.
const OUR_CONTAINER: Field = extension("container", Kind::Matcher, CONTAINER_NOTE);
const CONTAINER_WHERE: Field =
    extension("containerWhere", Kind::Selector, "the container, by the full selector");
const CLICK_TYPE: Field = field(
    "clickType",
    Kind::Word { values: &["default", "click", "long_click", "longclick", "focus"] },
    "`default`, `long_click` or `focus`",
);
const DIRECTION: Field = field(
    "direction",
    Kind::Choice { values: DIRECTIONS, any_case: false },
    "where to look; the phone assumes `down`",
);
const FIND_CHILD: Field = field(
    "findFirstScrollableChild",
    Kind::Flag(true),
    "take the first scrollable node inside a container that does not scroll itself",
);
const DISTANCE_NOTE: &str = "how far one swipe goes: 1 covers four tenths of the container";
const SETTLE_NOTE: &str = "longest rest after a swipe; it ends early when the screen is quiet";
const APPLICATION_ID: Field =
    required("applicationId", phone_text(MAX_MATCHER_VALUE_LENGTH), "the package");
const SESSION_ID: Field = field("sessionId", phone_text(MAX_ID_LENGTH), "name of the recording");

const NODE_TARGETS: &[&str] = &["matcher", "where", "ref"];
const SEARCH_TARGETS: &[&str] = &["matcher", "where"];
/// A reference or a point needs no search, so there is nothing a container could narrow.
const REF_OR_CONTAINER: &[&str] = &["ref", "container", "containerWhere"];
const CONTAINERS: &[&str] = &["container", "containerWhere"];

/// Every action type.
pub static ACTIONS: &[ActionSpec] = &[
    ActionSpec {
        kind: ActionType::OpenApp,
        name: "open_app",
        aliases: &[],
        origin: Origin::Contract,
        summary: "launches an app by its package",
        fields: &[APPLICATION_ID, retry(Preset::AppLaunch)],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::OpenUri,
        name: "open_uri",
        aliases: &["open_url"],
        origin: Origin::Contract,
        summary: "opens a URI in the app that handles it",
        fields: &[
            required("uri", text(MAX_URI_LENGTH), "the URI; `intent:` is refused"),
            retry(Preset::AppLaunch),
        ],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::CloseApp,
        name: "close_app",
        aliases: &[],
        origin: Origin::Contract,
        summary: "force-stops an app; the host does it at the step's turn",
        fields: &[APPLICATION_ID, retry(Preset::AppClose)],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::StartRecording,
        name: "start_recording",
        aliases: &[],
        origin: Origin::Contract,
        summary: "starts to record what a person does",
        fields: &[SESSION_ID, retry(Preset::None)],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::StopRecording,
        name: "stop_recording",
        aliases: &[],
        origin: Origin::Contract,
        summary: "ends the recording and writes it out",
        fields: &[SESSION_ID, retry(Preset::None)],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::WaitForNode,
        name: "wait_for_node",
        aliases: &["wait_for", "find", "find_node"],
        origin: Origin::Contract,
        summary: "waits until a node is on the screen",
        fields: &[
            MATCHER,
            WHERE,
            OUR_CONTAINER,
            CONTAINER_WHERE,
            field(
                "timeoutMs",
                number(HostNumber::Any, NODE_TIMEOUT_MS, None),
                "longest wait; without it the retry policy decides",
            ),
            retry(Preset::UiReadiness),
        ],
        rules: &[Rule::ExactlyOne(SEARCH_TARGETS), Rule::AtMostOne(CONTAINERS)],
    },
    ActionSpec {
        kind: ActionType::Click,
        name: "click",
        aliases: &["tap", "press"],
        origin: Origin::Contract,
        summary: "clicks, long-clicks or focuses a node, or touches a point",
        fields: &[
            MATCHER,
            WHERE,
            REF,
            field("coordinate", Kind::Coordinate, "a point instead of a node"),
            OUR_CONTAINER,
            CONTAINER_WHERE,
            CLICK_TYPE,
            retry(Preset::UiReadiness),
        ],
        rules: &[
            Rule::ExactlyOne(&["matcher", "coordinate", "where", "ref"]),
            Rule::AtMostOne(&["coordinate", "ref", "container", "containerWhere"]),
            Rule::FocusNeedsNode,
        ],
    },
    ActionSpec {
        kind: ActionType::ScrollAndClick,
        name: "scroll_and_click",
        aliases: &[],
        origin: Origin::Contract,
        summary: "scrolls until the target shows, then clicks it",
        fields: &[
            MATCHER,
            WHERE,
            DIRECTION,
            CONTAINER,
            CONTAINER_WHERE,
            field("clickAfter", Kind::Flag(true), "`false` stops once the target shows"),
            field("maxSwipes", count(HostNumber::Any, MAX_SWIPES, 10.0), "most swipes"),
            field(
                "distanceRatio",
                number(HostNumber::Any, DISTANCE_RATIO, Some(0.7)),
                DISTANCE_NOTE,
            ),
            field(
                "settleDelayMs",
                number(HostNumber::Any, SETTLE_DELAY_MS, Some(250.0)),
                SETTLE_NOTE,
            ),
            FIND_CHILD,
            CLICK_TYPE,
            field("scrollRetry", Kind::Retry(Preset::UiScroll), "patience while scrolling"),
            field("clickRetry", Kind::Retry(Preset::UiReadiness), "patience for the final click"),
        ],
        rules: &[Rule::ExactlyOne(SEARCH_TARGETS), Rule::AtMostOne(CONTAINERS)],
    },
    ActionSpec {
        kind: ActionType::Scroll,
        name: "scroll",
        aliases: &[],
        origin: Origin::Contract,
        summary: "swipes once in a container",
        fields: &[
            DIRECTION,
            CONTAINER,
            CONTAINER_WHERE,
            field(
                "distanceRatio",
                number(HostNumber::Within(DISTANCE_RATIO), DISTANCE_RATIO, Some(0.7)),
                DISTANCE_NOTE,
            ),
            field(
                "settleDelayMs",
                number(HostNumber::Within(SETTLE_DELAY_MS), SETTLE_DELAY_MS, Some(250.0)),
                SETTLE_NOTE,
            ),
            FIND_CHILD,
            retry(Preset::None),
        ],
        rules: &[Rule::AtMostOne(CONTAINERS)],
    },
    ActionSpec {
        kind: ActionType::ScrollUntil,
        name: "scroll_until",
        aliases: &[],
        origin: Origin::Contract,
        summary: "scrolls until the target shows, the edge is reached or a limit ends it",
        fields: &[
            DIRECTION,
            MATCHER,
            WHERE,
            CONTAINER,
            CONTAINER_WHERE,
            field("clickAfter", Kind::Flag(false), "click the target once it shows"),
            field(
                "distanceRatio",
                number(HostNumber::Within(DISTANCE_RATIO), DISTANCE_RATIO, Some(0.7)),
                DISTANCE_NOTE,
            ),
            field(
                "settleDelayMs",
                number(HostNumber::Within(SETTLE_DELAY_MS), SETTLE_DELAY_MS, Some(250.0)),
                SETTLE_NOTE,
            ),
            field(
                "maxScrolls",
                count(HostNumber::Within(MAX_SCROLLS), MAX_SCROLLS, 20.0),
                "most scrolls",
            ),
            field(
                "maxDurationMs",
                number(HostNumber::Within(MAX_DURATION_MS), MAX_DURATION_MS, Some(10_000.0)),
                "longest the whole loop may take",
            ),
            field(
                "noPositionChangeThreshold",
                count(HostNumber::Within(NO_POSITION_CHANGE), NO_POSITION_CHANGE, 3.0),
                "scrolls in a row without movement that end the loop",
            ),
            FIND_CHILD,
            CLICK_TYPE,
        ],
        rules: &[
            Rule::AtMostOne(SEARCH_TARGETS),
            Rule::AtMostOne(CONTAINERS),
            Rule::ClickAfterNeeds(SEARCH_TARGETS),
        ],
    },
    ActionSpec {
        kind: ActionType::ReadText,
        name: "read_text",
        aliases: &["read"],
        origin: Origin::Contract,
        summary: "reads the label of a node, or of every node that fits",
        fields: &[
            MATCHER,
            WHERE,
            REF,
            field("all", Kind::Flag(false), "read every match, not only the first"),
            CONTAINER,
            CONTAINER_WHERE,
            field(
                "validator",
                Kind::Word { values: &["temperature", "version", "regex"] },
                "form the text must have",
            ),
            field(
                "validatorPattern",
                Kind::Pattern,
                "with `regex`: matched against the whole text",
            ),
            retry(Preset::UiReadiness),
        ],
        rules: &[
            Rule::ExactlyOne(NODE_TARGETS),
            Rule::AtMostOne(REF_OR_CONTAINER),
            Rule::RegexNeedsPattern,
        ],
    },
    ActionSpec {
        kind: ActionType::EnterText,
        name: "enter_text",
        // type_text without a target is an extension of its own, below.
        aliases: &["type_text", "text_entry", "input_text"],
        origin: Origin::Contract,
        summary: "puts a text into a field",
        fields: &[
            MATCHER,
            WHERE,
            REF,
            OUR_CONTAINER,
            CONTAINER_WHERE,
            required("text", phone_text(MAX_ENTERED_TEXT_LENGTH), "what to enter"),
            field("submit", Kind::Flag(false), "press the keyboard's enter afterwards"),
            field("clear", Kind::Flag(true), "`false` appends to what the field holds"),
            retry(Preset::UiReadiness),
        ],
        rules: &[Rule::ExactlyOne(NODE_TARGETS), Rule::AtMostOne(REF_OR_CONTAINER)],
    },
    ActionSpec {
        kind: ActionType::SnapshotUi,
        name: "snapshot_ui",
        aliases: &["snapshot"],
        origin: Origin::Contract,
        summary: "describes the screen as text",
        fields: &[
            extension(
                "view",
                Kind::Choice { values: &["xml", "text"], any_case: false },
                "`xml`, the hierarchy, or `text`, a compact listing with references",
            ),
            retry(Preset::UiReadiness),
        ],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::TakeScreenshot,
        name: "take_screenshot",
        aliases: &["screenshot", "capture_screenshot"],
        origin: Origin::Contract,
        summary: "takes a picture of the screen",
        fields: &[field("path", ANY_TEXT, "where the host puts the PNG"), retry(Preset::None)],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::Sleep,
        name: "sleep",
        aliases: &[],
        origin: Origin::Contract,
        summary: "waits a given time",
        fields: &[
            required(
                "durationMs",
                number(HostNumber::Within(SLEEP_MS), SLEEP_MS, None),
                "how long",
            ),
            retry(Preset::None),
        ],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::PressKey,
        name: "press_key",
        aliases: &["key_press"],
        origin: Origin::Contract,
        summary: "presses back, home or recents",
        fields: &[
            required(
                "key",
                Kind::Choice { values: &["back", "home", "recents"], any_case: true },
                "the key",
            ),
            retry(Preset::None),
        ],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::WaitForNavigation,
        name: "wait_for_navigation",
        aliases: &[],
        origin: Origin::Contract,
        summary: "waits until another app or screen has come up",
        fields: &[
            field("expectedPackage", text(MAX_MATCHER_VALUE_LENGTH), "the package to come up"),
            field("expectedNode", Kind::Matcher, "a node of the screen to come up"),
            required(
                "timeoutMs",
                number(
                    HostNumber::AboveZeroTo(NAVIGATION_TIMEOUT_MS.max),
                    NAVIGATION_TIMEOUT_MS,
                    None,
                ),
                "longest wait",
            ),
        ],
        rules: &[Rule::AtLeastOne(&["expectedPackage", "expectedNode"])],
    },
    ActionSpec {
        kind: ActionType::ReadKeyValuePair,
        name: "read_key_value_pair",
        aliases: &[],
        origin: Origin::Contract,
        summary: "reads the value that stands beside a label",
        fields: &[
            required("labelMatcher", Kind::Matcher, "the label node"),
            field("all", Kind::Flag(false), "read every match, not only the first"),
            OUR_CONTAINER,
            CONTAINER_WHERE,
            retry(Preset::UiReadiness),
        ],
        rules: &[Rule::AtMostOne(CONTAINERS)],
    },
    ActionSpec {
        kind: ActionType::Gesture,
        name: "gesture",
        aliases: &[],
        origin: Origin::Extension,
        summary: "moves fingers over points of the screen: tap, swipe, drag, hold and move, pinch",
        fields: &[Field {
            required: true,
            ..extension("strokes", Kind::Strokes, "one list of points per finger")
        }],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::TypeText,
        name: "type_text",
        aliases: &[],
        origin: Origin::Extension,
        summary: "types into the field that has the focus",
        fields: &[
            Field { required: true, ..extension("text", ANY_TEXT, "what to type") },
            extension("submit", Kind::Flag(false), "press the keyboard's enter afterwards"),
            extension("clear", Kind::Flag(false), "`true` replaces what the field holds"),
        ],
        rules: &[],
    },
    ActionSpec {
        kind: ActionType::DoctorPing,
        name: "doctor_ping",
        aliases: &[],
        origin: Origin::Internal,
        summary: "answers with versions and settings",
        fields: &[],
        rules: &[],
    },
];
