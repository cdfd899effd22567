package com.clawperator.conformance

import org.json.JSONArray
import org.json.JSONObject

/** One check of the list that every phone is held against, as `checks.json` has it. */
internal class Check(private val json: JSONObject) {
    val name: String = json.getString("name")
    val expect: JSONArray = json.getJSONArray("expect")

    /** The Android from which on it can hold. */
    val sinceApi: Int = json.optInt("sinceApi", 0)

    /**
     * The check as an execution. The app is fresh already, for a closed app would take the
     * instrumentation with it; so it begins with the screen being up.
     */
    fun execution(command: String): JSONObject {
        val up = JSONObject()
            .put("matcher", JSONObject().put("resourceId", "com.clawperator.conformance:id/counter_button"))
            .put("timeoutMs", 15_000)
        val steps = JSONArray().put(action("up", "wait_for_node", up))
        val own = json.getJSONArray("actions")
        for (number in 0 until own.length()) {
            steps.put(JSONObject(own.getJSONObject(number).toString()).put("id", "s${number + 1}"))
        }
        return execution(command, steps)
    }

    /** What is wrong with the envelope, if anything is. */
    fun problemOf(envelope: JSONObject): String? {
        val steps = envelope.getJSONArray("stepResults")
        val up = steps.optJSONObject(0) ?: return "no step ran: ${envelope.optString("error")}"
        if (!up.getBoolean("success")) return "the app did not come up: ${told(up)}"
        val own = JSONArray()
        for (number in 1 until steps.length()) own.put(steps.get(number))
        return problemOf(own, expect)
    }

    companion object {
        fun list(text: String): List<Check> {
            val list = JSONArray(text)
            return List(list.length()) { Check(list.getJSONObject(it)) }
        }

        fun action(id: String, type: String, params: JSONObject = JSONObject()): JSONObject =
            JSONObject().put("id", id).put("type", type).put("params", params)

        fun execution(command: String, actions: JSONArray): JSONObject = JSONObject()
            .put("commandId", command)
            .put("taskId", "conformance")
            .put("source", "clawperator-instrumentation")
            .put("expectedFormat", "android-ui-automator")
            .put("timeoutMs", TIMEOUT_MS)
            .put("actions", actions)

        const val TIMEOUT_MS = 60_000L
    }
}
