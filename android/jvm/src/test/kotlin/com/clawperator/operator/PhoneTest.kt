package com.clawperator.operator

import android.app.Activity
import android.content.Context
import android.content.Intent
import com.clawperator.conformance.MainActivity
import com.clawperator.conformance.State
import java.time.Duration
import java.util.UUID
import org.json.JSONArray
import org.json.JSONObject
import org.junit.After
import org.junit.Assert.fail
import org.junit.Before
import org.junit.Rule
import org.junit.rules.TemporaryFolder
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.GraphicsMode
import org.robolectric.shadows.ShadowLog

/** A phone: the operator runs, its service is bound, and the first screen of the app is shown. */
@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
abstract class PhoneTest {
    @get:Rule val folder = TemporaryFolder()

    protected lateinit var phone: Phone
    protected val system get() = phone.system
    protected val service get() = phone.service
    protected val context: Context get() = RuntimeEnvironment.getApplication()

    @Before
    fun boot() {
        State.reset()
        phone = Phone()
        phone.start(PACKAGE, "1.2.3", folder.root)
        bind()
        show(MainActivity::class.java)
    }

    @After
    fun shutDown() = phone.stop()

    protected fun bind() = phone.bind()

    protected fun unbind() = phone.unbind()

    protected fun <T : Activity> show(screen: Class<T>, intent: Intent? = null): T = phone.show(screen, intent)

    /** Lets the app live until something is so. Every turn is a frame of the app's time. */
    protected fun liveUntil(what: String, done: () -> Boolean) {
        val deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos()
        while (!done()) {
            if (System.nanoTime() > deadline) fail("$what did not happen; ${whatGoesOn()}")
            phone.live(Duration.ofMillis(16))
            Thread.yield()
        }
    }

    /** The log, and where each thread is that could have done something. */
    private fun whatGoesOn(): String {
        val threads = Thread.getAllStackTraces().filterValues { it.isNotEmpty() }.map { (thread, stack) ->
            "${thread.name} (${thread.state})\n" + stack.joinToString("\n") { "    $it" }
        }
        return "the log says:\n${log().joinToString("\n")}\nthe threads are:\n${threads.joinToString("\n")}"
    }

    /** Runs work on a thread of its own while the app lives. */
    protected fun <T> onWorker(work: () -> T): T {
        var result: Result<T>? = null
        val thread = Thread { result = runCatching(work) }
        thread.start()
        liveUntil("the work") { result != null }
        return result!!.getOrThrow()
    }

    protected fun log(): List<String> = ShadowLog.getLogsForTag("Clawperator").map { it.msg }

    /** Sends an execution as a broadcast and returns its envelope. */
    protected fun run(vararg actions: JSONObject, timeoutMs: Int = 10_000): JSONObject {
        val command = send(*actions, timeoutMs = timeoutMs)
        return envelope(command)
    }

    protected fun send(vararg actions: JSONObject, timeoutMs: Int = 10_000): String {
        val command = UUID.randomUUID().toString()
        broadcast("payload" to execution(command, timeoutMs, *actions).toString())
        return command
    }

    protected fun envelope(command: String): JSONObject {
        var envelope: JSONObject? = null
        liveUntil("the end of $command") {
            envelope = log().filter { it.startsWith(RESULT) }
                .map { JSONObject(it.removePrefix(RESULT)) }
                .find { it.getString("commandId") == command }
            envelope != null
        }
        return envelope!!
    }

    protected fun broadcast(vararg extras: Pair<String, String>) {
        val intent = Intent("app.clawperator.operator.ACTION_AGENT_COMMAND")
        extras.forEach { (key, value) -> intent.putExtra(key, value) }
        CommandReceiver().onReceive(context, intent)
    }

    protected fun execution(command: String, timeoutMs: Int, vararg actions: JSONObject): JSONObject =
        JSONObject()
            .put("commandId", command)
            .put("taskId", "task")
            .put("source", "test")
            .put("expectedFormat", "android-ui-automator")
            .put("timeoutMs", timeoutMs)
            .put("actions", JSONArray(actions.toList()))

    /** An action; its parameters are JSON. */
    protected fun action(type: String, params: String = "{}"): JSONObject =
        JSONObject().put("id", type).put("type", type).put("params", JSONObject(params))

    protected fun id(name: String) = """{"resourceId": "com.clawperator.conformance:id/$name"}"""

    protected fun click(name: String) = action("click", """{"matcher": ${id(name)}}""")

    /** Lines of the last snapshot in the log. */
    protected fun snapshot(): List<String> {
        run(action("snapshot_ui", """{"view": "text"}""")).succeeded()
        return log().dropLast(1).takeLastWhile { it != "[TaskScope] UI Hierarchy:" }
    }

    protected fun JSONObject.failedWith(code: String): JSONObject {
        val told = if (isNull("errorCode")) data().optString("error") else getString("errorCode")
        if (getString("status") != "failed" || told != code) fail("not $code: ${toString(2)}")
        return this
    }

    /** Data of the last step. */
    protected fun JSONObject.data(): JSONObject {
        val steps = getJSONArray("stepResults")
        return steps.getJSONObject(steps.length() - 1).getJSONObject("data")
    }

    protected fun JSONObject.succeeded(): JSONObject {
        if (getString("status") != "success") fail(toString(2))
        return this
    }

    protected companion object {
        /** Names the socket, of which the machine has one: two runs at once must not hear each other. */
        val PACKAGE = "com.clawperator.operator.test${ProcessHandle.current().pid()}"

        const val RESULT = "[Clawperator-Result] "
    }
}
