package com.clawperator.operator

import android.accessibilityservice.AccessibilityService
import android.os.Build
import com.clawperator.conformance.LateActivity
import com.clawperator.conformance.ListActivity
import com.clawperator.conformance.State
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test

/** Executions that come as broadcasts act on real views. */
class ActingTest : PhoneTest() {
    @Test
    fun `a snapshot shows the views with their ids`() {
        val lines = snapshot()
        val button = lines.single { "#counter_button" in it }
        assertTrue(button, button.startsWith("button \"Add one\" #counter_button"))
        assertTrue(lines.single { "#disabled_button" in it }.contains("disabled"))
        assertTrue(lines.single { "#text_field" in it }.startsWith("textfield \"Type here\""))
        assertTrue("hidden views are not shown", lines.none { "#submitted_value" in it })
    }

    @Test
    fun `the XML of a snapshot names package and place`() {
        run(action("snapshot_ui")).succeeded()
        val button = log().single { "counter_button" in it }
        assertTrue(button, "package=\"com.clawperator.conformance\"" in button)
        assertTrue(button, "bounds=\"[0,150][822,246]\"" in button)
    }

    @Test
    fun `a click clicks and a long click does what it does`() {
        run(click("counter_button"), click("counter_button")).succeeded()
        assertEquals(2, State.counter)
        val long = action("click", """{"matcher": ${id("counter_button")}, "clickType": "long_click"}""")
        run(long).succeeded()
        assertEquals(0, State.counter)
    }

    @Test
    fun `text with an emoji arrives whole`() {
        run(action("enter_text", """{"matcher": ${id("text_field")}, "text": "Zoë 🎉"}""")).succeeded()
        assertEquals("Zoë 🎉", State.text)
    }

    @Test
    fun `text is submitted, where Android can press enter for a service`() {
        val text = action("enter_text", """{"matcher": ${id("text_field")}, "text": "Zoë 🎉", "submit": true}""")
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.R) {
            val message = run(text).failedWith("ACTION_FAILED").data().getString("message")
            assertTrue(message, "not submitted: the field offers no enter" in message)
            assertEquals("Zoë 🎉", State.text)
            return
        }
        val read = action("read_text", """{"matcher": ${id("submitted_value")}}""")
        val envelope = run(text, read).succeeded()
        assertEquals("Submitted: Zoë 🎉", envelope.data().getString("text"))
    }

    @Test
    fun `a tap at coordinates is a touch of the view there`() {
        run(action("click", """{"coordinate": {"x": 411, "y": 198}}""")).succeeded()
        assertEquals(1, State.counter)
    }

    @Test
    fun `a gesture that is broken off fails and says so`() {
        system.gestureResult = false
        run(action("click", """{"coordinate": {"x": 411, "y": 198}}""")).failedWith("GESTURE_FAILED")
        assertEquals(0, State.counter)
    }

    @Test
    fun `keys of the system are global actions`() {
        run(action("press_key", """{"key": "back"}"""), action("press_key", """{"key": "home"}""")).succeeded()
        val pressed = system.globalActions.filter { it < AccessibilityService.GLOBAL_ACTION_DISMISS_NOTIFICATION_SHADE }
        assertEquals(
            listOf(AccessibilityService.GLOBAL_ACTION_BACK, AccessibilityService.GLOBAL_ACTION_HOME),
            pressed,
        )
    }

    @Test
    fun `a list of two hundred rows is scrolled to a row and the row is clicked`() {
        show(ListActivity::class.java)
        val far = """{"matcher": {"textEquals": "Row 40"}, "direction": "down", "clickAfter": true, "maxScrolls": 30, "maxDurationMs": 60000}"""
        run(action("scroll_until", far), timeoutMs = 60_000).succeeded()
        val read = action("read_text", """{"matcher": ${id("detail_value")}}""")
        assertEquals("You opened row 40", run(read).succeeded().data().getString("text"))
        val pair = action("read_key_value_pair", """{"labelMatcher": {"textEquals": "Number"}}""")
        assertEquals("40", run(pair).succeeded().data().getString("value"))
    }

    @Test
    fun `a node that comes late is waited for`() {
        show(LateActivity::class.java)
        run(action("wait_for_node", """{"matcher": ${id("late_node")}, "timeoutMs": 9000}""")).succeeded()
    }

    @Test
    fun `a dialog is a window of its own`() {
        run(click("dialog_button"), action("wait_for_node", """{"matcher": {"textContains": "undone"}}""")).succeeded()
        assertTrue(snapshot().any { "Are you sure?" in it })
        run(action("click", """{"matcher": {"resourceId": "android:id/button1"}}""")).succeeded()
        liveUntil("the answer") { State.answer == "yes" }
    }

    @Test
    fun `apps are launched, and one that is not there is named`() {
        run(action("open_app", """{"applicationId": "com.clawperator.conformance"}""")).succeeded()
        run(action("open_app", """{"applicationId": "com.example.nowhere"}""")).failedWith("APP_NOT_FOUND")
        run(action("open_uri", """{"uri": "conformance://list"}""")).succeeded()
    }

    @Test
    fun `a picture that the app forbids is a failure with that name`() {
        val code = if (Build.VERSION.SDK_INT < Build.VERSION_CODES.R) {
            "UNSUPPORTED_RUNTIME_SCREENSHOT"
        } else {
            "SCREENSHOT_SECURE_WINDOW"
        }
        run(action("take_screenshot")).failedWith(code)
    }

    @Test
    fun `a drag that rests first keeps the finger down`() {
        val drag = """{"strokes": [[{"t": 0, "x": 411, "y": 198}, {"t": 600, "x": 411, "y": 198}, {"t": 900, "x": 411, "y": 900}]]}"""
        run(action("gesture", drag)).succeeded()
        assertEquals("two parts", 2, system.gestures)
    }

    @Test
    fun `a doctor is told of the phone`() {
        assertEquals("${Build.VERSION.SDK_INT}", run(action("doctor_ping")).succeeded().data().getString("api_level"))
    }
}
