//! Other spellings the contract accepts for keys, each table once.
//!
//! A canonical key in the same object wins over its aliases; of two aliases the later one wins.
//! Aliases of action types stand in [`crate::action::ACTIONS`].

/// A canonical key and its other spellings.
pub type Aliases = (&'static str, &'static [&'static str]);

/// Keys of the execution itself.
pub const EXECUTION: &[Aliases] = &[
    ("commandId", &["command_id"]),
    ("taskId", &["task_id"]),
    ("expectedFormat", &["expected_format"]),
    ("timeoutMs", &["timeout_ms"]),
];

/// Keys of `params`. An alias counts only where the action takes the canonical key.
pub const PARAMS: &[Aliases] = &[
    (
        "applicationId",
        &["application_id", "app_id", "appId", "app", "package", "package_id", "packageId"],
    ),
    ("sessionId", &["session_id"]),
    ("uri", &["url"]),
    ("durationMs", &["duration_ms"]),
    ("timeoutMs", &["timeout_ms"]),
    ("path", &["file", "filePath", "output_path"]),
    ("matcher", &["selector", "node", "element"]),
    ("text", &["value"]),
    ("clickType", &["click_type"]),
    ("container", &["within", "container_selector"]),
    ("containerWhere", &["container_where"]),
    ("maxSwipes", &["max_swipes"]),
    ("distanceRatio", &["distance_ratio"]),
    ("settleDelayMs", &["settle_delay_ms"]),
    ("maxScrolls", &["max_scrolls"]),
    ("maxDurationMs", &["max_duration_ms"]),
    ("noPositionChangeThreshold", &["no_position_change_threshold"]),
    ("findFirstScrollableChild", &["find_first_scrollable_child"]),
    ("clickAfter", &["click_after"]),
    ("validatorPattern", &["validator_pattern"]),
    ("expectedPackage", &["expected_package"]),
    ("expectedNode", &["expected_node", "wait_for"]),
    ("labelMatcher", &["label_matcher", "label_selector"]),
    ("scrollRetry", &["scroll_retry"]),
    ("clickRetry", &["click_retry"]),
];

/// A boolean spelling of `clickType`: `true` means `long_click`, `false` the default.
pub const LONG_PRESS: &[&str] = &["longPress", "long_press"];

/// Keys of a NodeMatcher, in canonical order.
pub const MATCHER: &[Aliases] = &[
    ("resourceId", &["id", "resource_id"]),
    ("role", &[]),
    ("textEquals", &["text", "text_equals"]),
    ("textContains", &["text_contains"]),
    (
        "contentDescEquals",
        &["content_desc", "description", "accessibility_label", "content_desc_equals"],
    ),
    (
        "contentDescContains",
        &["content_desc_contains", "description_contains", "accessibility_label_contains"],
    ),
];

/// Keys that `where` takes beside those of a NodeMatcher, in canonical order.
pub const SELECTOR: &[Aliases] = &[
    ("class", &["class_name", "className"]),
    ("clickable", &[]),
    ("enabled", &[]),
    ("selected", &[]),
    ("indexInParent", &["index_in_parent"]),
    ("anyOf", &["any_of"]),
    ("allOf", &["all_of"]),
];

/// Keys of a retry object.
pub const RETRY: &[Aliases] = &[
    ("maxAttempts", &["max_attempts"]),
    ("initialDelayMs", &["initial_delay_ms"]),
    ("maxDelayMs", &["max_delay_ms"]),
    ("backoffMultiplier", &["backoff_multiplier"]),
    ("jitterRatio", &["jitter_ratio"]),
];
