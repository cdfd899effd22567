//! The shapes of answers, for `/openapi.json`. The tests hold real answers against them.

use serde_json::{Value, json};

fn ok(properties: &Value, required: &[&str]) -> Value {
    let mut whole = json!({ "ok": { "const": true } });
    if let (Some(whole), Some(more)) = (whole.as_object_mut(), properties.as_object()) {
        whole.extend(more.clone());
    }
    let required: Vec<&str> = ["ok"].into_iter().chain(required.iter().copied()).collect();
    json!({ "type": "object", "properties": whole, "required": required })
}

pub(super) fn any() -> Value {
    ok(&json!({}), &[])
}

pub(super) fn health() -> Value {
    ok(&json!({ "uptimeMs": { "type": "integer", "minimum": 0 } }), &["uptimeMs"])
}

pub(super) fn version() -> Value {
    ok(&json!({ "version": { "type": "string" } }), &["version"])
}

pub(super) fn devices() -> Value {
    let device = json!({
        "type": "object",
        "properties": {
            "serial": { "type": "string" },
            "state": { "type": "string" },
            "product": { "type": "string" },
            "model": { "type": "string" },
            "device": { "type": "string" },
            "waiting": { "type": "integer", "minimum": 0, "description": "Orders that wait for it." },
        },
        "required": ["serial", "state", "waiting"],
    });
    ok(&json!({ "devices": { "type": "array", "items": device } }), &["devices"])
}

pub(super) fn packages() -> Value {
    let names = json!({ "type": "array", "items": { "type": "string" } });
    let properties = json!({ "deviceId": { "type": "string" }, "packages": names });
    ok(&properties, &["deviceId", "packages"])
}

pub(super) fn served() -> Value {
    ok(
        &json!({
            "deviceId": { "type": "string" },
            "terminalSource": { "const": "clawperator_result" },
            "envelope": { "$ref": "#/components/schemas/Envelope" },
            "dispatchId": { "type": "string" },
            "link": { "enum": ["socket", "broadcast"] },
            "replayed": { "const": true },
        }),
        &["deviceId", "terminalSource", "envelope", "dispatchId", "link"],
    )
}

pub(super) fn taken() -> Value {
    ok(
        &json!({
            "dispatchId": { "type": "string" },
            "deviceId": { "type": "string" },
            "state": { "enum": ["waiting", "running", "ended"] },
        }),
        &["dispatchId", "deviceId", "state"],
    )
}

pub(super) fn validated() -> Value {
    let properties = json!({ "validated": { "const": true }, "execution": { "type": "object" } });
    ok(&properties, &["validated", "execution"])
}

pub(super) fn dry_run() -> Value {
    let properties = json!({ "dryRun": { "const": true }, "plan": { "type": "object" } });
    ok(&properties, &["dryRun", "plan"])
}

pub(super) fn execution() -> Value {
    ok(&json!({ "execution": { "type": "object" } }), &["execution"])
}

pub(super) fn skills() -> Value {
    let list = json!({ "type": "array", "items": { "type": "object" } });
    let properties = json!({ "skills": list, "count": { "type": "integer", "minimum": 0 } });
    ok(&properties, &["skills", "count"])
}

pub(super) fn skill() -> Value {
    ok(&json!({ "skill": { "type": "object" } }), &["skill"])
}

pub(super) fn skill_ran() -> Value {
    ok(
        &json!({
            "skillId": { "type": "string" },
            "output": { "type": "string" },
            "exitCode": { "type": "integer" },
            "durationMs": { "type": "integer", "minimum": 0 },
        }),
        &["skillId", "output", "exitCode", "durationMs"],
    )
}

pub(super) fn recipe() -> Value {
    let properties = json!({
        "valid": { "type": "boolean" },
        "problems": { "type": "array", "items": { "type": "object" } },
    });
    ok(&properties, &["valid", "problems"])
}

pub(super) fn recipe_ran() -> Value {
    let properties = json!({
        "deviceId": { "type": "string" },
        "recipeId": { "type": "string" },
        "status": { "enum": ["success", "partial", "failed"] },
        "outputs": { "type": "object" },
        "steps": { "type": "array", "items": { "type": "object" } },
    });
    ok(&properties, &["deviceId", "recipeId", "status", "outputs", "steps"])
}

pub(super) fn recordings() -> Value {
    let list = json!({ "type": "array", "items": { "type": "object" } });
    ok(&json!({ "deviceId": { "type": "string" }, "sessions": list }), &["deviceId", "sessions"])
}

pub(super) fn recording() -> Value {
    let properties = json!({
        "deviceId": { "type": "string" },
        "sessionId": { "type": "string" },
        "text": { "type": "string" },
    });
    ok(&properties, &["deviceId", "sessionId", "text"])
}

pub(super) fn avds() -> Value {
    ok(&json!({ "avds": { "type": "array", "items": { "type": "object" } } }), &["avds"])
}

pub(super) fn running() -> Value {
    ok(&json!({ "devices": { "type": "array", "items": { "type": "object" } } }), &["devices"])
}

/// What every failure looks like.
pub(super) fn failure(codes: &[&str]) -> Value {
    json!({
        "type": "object",
        "properties": {
            "ok": { "const": false },
            "error": {
                "type": "object",
                "properties": {
                    "code": { "enum": codes },
                    "message": { "type": "string" },
                    "details": { "type": "object" },
                    "hint": { "type": "string" },
                },
                "required": ["code", "message"],
            },
        },
        "required": ["ok", "error"],
    })
}

pub(super) fn pocket_seen() -> Value {
    let snapshot = json!({
        "type": "object",
        "properties": {
            "deviceId": { "type": "string" },
            "currentApp": { "type": "string" },
            "screenshotBase64": { "type": "string" },
            "somScreenshotBase64": { "type": ["string", "null"] },
            "uiElements": { "type": "array", "items": { "type": "object" } },
        },
        "required": ["deviceId", "currentApp", "screenshotBase64", "uiElements"],
    });
    let properties = json!({ "deviceId": { "type": "string" }, "snapshot": snapshot });
    ok(&properties, &["deviceId", "snapshot"])
}

pub(super) fn pocket_done() -> Value {
    let result = json!({
        "type": "object",
        "properties": { "text": { "type": "string" }, "data": { "type": "object" } },
        "required": ["text"],
    });
    let properties = json!({
        "deviceId": { "type": "string" },
        "action": { "type": "object" },
        "notes": { "type": "array", "items": { "type": "object" } },
        "result": result,
    });
    ok(&properties, &["deviceId", "action", "notes", "result"])
}
