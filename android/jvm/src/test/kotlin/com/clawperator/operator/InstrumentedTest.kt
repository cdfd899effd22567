package com.clawperator.operator

import android.app.Activity
import android.app.Application
import android.os.Build
import android.os.Bundle
import com.clawperator.conformance.Check
import com.clawperator.conformance.MainActivity
import com.clawperator.conformance.OperatorLink
import com.clawperator.conformance.OwnScreens
import com.clawperator.conformance.State
import java.io.File
import org.junit.Assert.assertEquals
import org.junit.Test
import org.robolectric.RuntimeEnvironment

/**
 * The parts of the instrumentation drive the operator on real views, as they do on a phone. Only
 * `am` and `logcat` are played: they need Android's system process.
 */
class InstrumentedTest : PhoneTest() {
    private val checks = Check.list(File("../../rust/host/conformance/checks.json").readText())

    /** One of each kind; how the whole list runs is for a phone with a system process. */
    private val some = listOf(
        "a click by text does what the button does",
        "a long click is not a click",
        "text of every kind arrives as it was sent, and is submitted",
        "the value beside a label is read",
        "what comes late is waited for",
        "a dialog is answered",
        "a page behind a tab is reached",
        "a password is typed and never told",
        "a picture of a secure window is refused",
        "a failed step ends the execution",
    )

    @Test
    fun `checks hold, for the operator and for the app itself`() {
        val known = some.map { name -> checks.single { it.name == name } }
        val possible = known.filter { it.sinceApi <= Build.VERSION.SDK_INT && !needsHost(it) }
        val problems = possible.mapNotNull { check ->
            val name = check.name
            State.reset()
            var front: Activity = show(MainActivity::class.java)
            onResume { front = it }
            val envelope = onWorker { link().run(check.execution(name)) }
            val problem = check.problemOf(envelope) ?: OwnScreens.problemOf(name, front)
            problem?.let { "$name: $it" }
        }
        assertEquals("", problems.joinToString("\n"))
    }

    @Test
    fun `the app contradicts what did not happen`() {
        val main = show(MainActivity::class.java)
        val click = "a click by text does what the button does"
        assertEquals("in the app: the counter is 0, expected 1", OwnScreens.problemOf(click, main))
        val uri = "a URI opens its screen"
        val elsewhere = "in the app: the screen is MainActivity, expected ListActivity"
        assertEquals(elsewhere, OwnScreens.problemOf(uri, main))
        assertEquals("the app is not in front", OwnScreens.problemOf(uri, null))
    }

    /** Old Androids let only a host press enter, and there is none here. */
    private fun needsHost(check: Check) =
        Build.VERSION.SDK_INT < Build.VERSION_CODES.R && check.name.endsWith("and is submitted")

    private fun onResume(told: (Activity) -> Unit) =
        RuntimeEnvironment.getApplication().registerActivityLifecycleCallbacks(object : Bare() {
            override fun onActivityResumed(activity: Activity) = told(activity)
        })

    private open class Bare : Application.ActivityLifecycleCallbacks {
        override fun onActivityCreated(activity: Activity, saved: Bundle?) = Unit
        override fun onActivityStarted(activity: Activity) = Unit
        override fun onActivityResumed(activity: Activity) = Unit
        override fun onActivityPaused(activity: Activity) = Unit
        override fun onActivityStopped(activity: Activity) = Unit
        override fun onActivitySaveInstanceState(activity: Activity, saved: Bundle) = Unit
        override fun onActivityDestroyed(activity: Activity) = Unit
    }

    private fun link() = OperatorLink(PACKAGE, ::shell, pause = Thread::yield)

    private fun shell(command: String): String {
        if (command.startsWith("logcat ")) return log().joinToString("\n")
        // A real shell takes the command apart; `am` only says which words came to it.
        val am = File(folder.root, "am")
        am.writeText("#!/bin/sh\nprintf '%s\\0' \"\$@\"\n")
        am.setExecutable(true)
        val builder = ProcessBuilder(command.split(Regex("\\s+")))
        builder.environment().merge("PATH", folder.root.path) { old, own -> "$own:$old" }
        val words = builder.start().inputStream.readBytes().decodeToString().split("\u0000")
        val extras = words.indices.filter { words[it] == "--es" }.map { words[it + 1] to words[it + 2] }
        broadcast(*extras.toTypedArray())
        return "Broadcast completed: result=0"
    }
}
