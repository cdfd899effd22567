package com.clawperator.operator

import android.view.KeyEvent
import com.clawperator.conformance.State
import java.io.File
import java.util.concurrent.TimeUnit
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** How executions come in and results go out. */
class LinksTest : PhoneTest() {
    /** The events of a kind in a recording that may still be written: what has no end yet is no line. */
    private fun recorded(name: String, type: String): List<JSONObject> =
        File(folder.root, "$name.ndjson").readText().split('\n').dropLast(1).map(::JSONObject)
            .filter { it.optString("type") == type }

    @Test
    fun `a host at the abstract socket runs an execution and gets the envelope`() {
        val execution = execution("over-the-socket", 10_000, click("counter_button"))
        val host = ProcessBuilder(System.getProperty("knock"), PACKAGE, execution.toString())
            .redirectErrorStream(true)
            .start()
        liveUntil("the end of the host") { !host.isAlive }
        val said = host.inputStream.bufferedReader().readText()
        assertEquals(said, 0, host.exitValue())
        assertEquals("over-the-socket", JSONObject(said).succeeded().getString("commandId"))
        assertEquals(1, State.counter)
        assertTrue("nothing of it is in the log", log().none { "over-the-socket" in it })
    }

    @Test
    fun `a dispatch is told again without being done again`() {
        val command = execution("c1", 10_000, click("counter_button")).toString()
        fun told() = log().count { "c1" in it && "d-1" in it }
        broadcast("payload" to command, "dispatch" to "d-1")
        liveUntil("the result") { told() == 1 }
        broadcast("resume" to "d-1")
        liveUntil("the same result") { told() == 2 }
        broadcast("payload" to command, "dispatch" to "d-1")
        liveUntil("the same result") { told() == 3 }
        assertEquals(1, State.counter)
    }

    @Test
    fun `an execution that waits is cancelled`() {
        val payload = execution("c2", 60_000, action("sleep", """{"durationMs": 50000}""")).toString()
        broadcast("payload" to payload, "dispatch" to "d-2")
        broadcast("cancel" to "d-2")
        liveUntil("the end") { log().any { "EXECUTION_CANCELLED" in it } }
    }

    @Test
    fun `a payload that cannot be read is answered where it has a name`() {
        broadcast("payload" to """{"commandId": "broken", "actions": "none"}""")
        envelope("broken").failedWith("PAYLOAD_INVALID")
        broadcast("something" to "else")
        broadcast("payload" to "not JSON at all")
        run(action("doctor_ping")).succeeded()
    }

    @Test
    fun `a recording holds what was done and the screen it was done on`() {
        run(action("start_recording", """{"sessionId": "rec"}""")).succeeded()
        run(click("counter_button")).succeeded()
        fun clicks() = recorded("rec", "click")
        liveUntil("the line of the click") { clicks().isNotEmpty() }
        run(action("stop_recording")).succeeded()
        val click = clicks().single()
        val name = click.getString("resourceId")
        assertEquals(click.toString(), "com.clawperator.conformance:id/counter_button", name)
        assertTrue("the screen", click.getString("snapshot").contains("<hierarchy"))
        assertEquals("rec", File(folder.root, "latest").readText())
    }

    @Test
    fun `keys that steer are recorded, letters are not, and the app gets all of them`() {
        val pressed = listOf(KeyEvent.KEYCODE_BACK, KeyEvent.KEYCODE_A, KeyEvent.KEYCODE_HOME)
        fun press() {
            system.keysTaken.clear()
            for (code in pressed) {
                system.client.onKeyEvent(KeyEvent(KeyEvent.ACTION_DOWN, code), 1)
                system.client.onKeyEvent(KeyEvent(KeyEvent.ACTION_UP, code), 2)
            }
            liveUntil("the answers") { system.keysTaken.size == 2 * pressed.size }
            assertTrue(system.keysTaken.none { it })
        }
        press()
        run(action("start_recording", """{"sessionId": "keys"}""")).succeeded()
        press()
        fun keys() = recorded("keys", "press_key").map { it.getString("key") }
        liveUntil("both keys") { keys().size >= 2 }
        run(action("stop_recording")).succeeded()
        assertEquals(listOf("back", "home"), keys())
    }
}
