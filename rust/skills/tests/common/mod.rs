//! A recipe to change in one place at a time.

#![allow(dead_code, reason = "not every test needs all of it")]

use clawperator_skills::check;
use std::collections::BTreeMap;

/// A sound action: one change, confirmed.
pub(crate) const SOUND: &str = r#"---
recipe_id: com.example.climate.set-heating
recipe_version: 1.0.0
recipe_type: action
application_id: com.example.climate
summary: Switch the heating and see that it switched.
frameworks: [views]
session_policy: fresh
app_build: {version_name: "2.4", version_code: 24}
tested_on: {android_api: 35}
capabilities: [observe, navigate, click, toggle]
inputs:
  - {name: room, type: string, required: true, default: ""}
outputs:
  - {name: temperature, type: number, from: read_temperature, pattern: '([0-9.]+)'}
---
# Heating

## Step 1: Open the room

```yaml
id: open_room
type: click
effect: navigate
selector:
  text_equals: ${inputs.room}
  annotation: USER_SPECIFIC
```

## Step 2: Warmer

```yaml
id: warmer
type: click
selector:
  resource_id: com.example.climate:id/warmer
  annotation: STRUCTURAL
confirm:
  selector:
    text_contains: "°C"
```

## Step 3: Read it

```yaml
id: read_temperature
type: read_text
selector:
  text_contains: "°C"
```
"#;

/// The sound recipe with one thing replaced.
pub(crate) fn with(old: &str, new: &str) -> String {
    assert!(SOUND.contains(old), "nothing to replace: {old}");
    SOUND.replacen(old, new, 1)
}

/// All that is said about a document, as people see it.
pub(crate) fn said(text: &str) -> String {
    let checked = check::check("heating.recipe.md", text, None);
    checked.problems.iter().map(|problem| problem.shown()).collect()
}

/// Inputs.
pub(crate) fn vars(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}
