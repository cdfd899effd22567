package com.clawperator.conformance

import org.json.JSONArray
import org.json.JSONObject

/**
 * What is wrong with these steps, if anything is. It says the same as the host does
 * (`rust/host/src/conformance/expectation.rs`); the samples beside that are held against both.
 */
internal fun problemOf(steps: JSONArray, expect: JSONArray): String? {
    for (number in 0 until minOf(steps.length(), expect.length())) {
        problemOf(steps.getJSONObject(number), expect.getJSONObject(number))?.let { return it }
    }
    val (ran, expected) = steps.length() to expect.length()
    return if (ran == expected) null else "$ran steps ran, $expected were expected"
}

private fun problemOf(step: JSONObject, wanted: JSONObject): String? {
    val data = step.optJSONObject("data") ?: JSONObject()
    val error = if (wanted.has("error")) wanted.getString("error") else null
    val asExpected = if (error == null) step.getBoolean("success") else data.optString("error") == error
    if (!asExpected) return "expected ${error ?: "success"}, saw ${told(step)}"
    val texts = wanted.optJSONObject("data") ?: return null
    return texts.keys().asSequence().sorted().firstNotNullOfOrNull { key ->
        val seen = if (data.has(key)) data.getString(key) else null
        val (said, fits) = wish(texts.get(key), seen)
        if (fits) null else "${step.getString("id")}: $key is ${seen?.let(::short) ?: "nothing"}, expected $said"
    }
}

/** What is wished for, in words, and whether it is so. */
private fun wish(wish: Any, seen: String?): Pair<String, Boolean> = when {
    wish is String -> quoted(wish) to (seen == wish)
    wish is JSONObject && wish.has("contains") -> wish.getString("contains").let {
        "something with ${quoted(it)} in it" to (seen != null && it in seen)
    }
    wish is JSONObject && wish.has("lacks") -> wish.getString("lacks").let {
        "something without ${quoted(it)}" to (seen != null && it !in seen)
    }
    else -> throw IllegalArgumentException("nobody knows how to expect $wish")
}

/** A step in a few words. */
internal fun told(step: JSONObject): String {
    val name = "${step.getString("id")} (${step.getString("actionType")})"
    if (step.getBoolean("success")) return "$name succeed"
    val data = step.optJSONObject("data") ?: JSONObject()
    return "$name fail with ${data.optString("error")}: ${data.optString("message")}"
}

/** The beginning of a text: a snapshot fills pages. */
private fun short(text: String) = if (text.length <= 200) quoted(text) else quoted(text.take(200)) + "…"

private fun quoted(text: String) = JSONObject.quote(text).replace("\\/", "/")
