package com.clawperator.conformance

import android.app.Activity
import android.app.Instrumentation
import android.app.UiAutomation
import android.content.Intent
import android.os.Build
import android.os.Bundle
import android.os.ParcelFileDescriptor
import java.util.UUID
import org.json.JSONArray

/**
 * Runs the checks from inside the app: the operator is asked as the shell asks it, and afterwards
 * the app looks at itself. What comes of each is reported in the form all tools know:
 *
 *     am instrument -w -r com.clawperator.conformance/.ConformanceInstrumentation
 *
 * `-e operator PACKAGE` names another operator than the released one.
 */
class ConformanceInstrumentation : Instrumentation() {
    private lateinit var link: OperatorLink
    private lateinit var automation: UiAutomation
    private var operator = "com.clawperator.operator"
    private var front: Activity? = null

    override fun onCreate(arguments: Bundle?) {
        super.onCreate(arguments)
        arguments?.getString("operator")?.let { operator = it }
        start()
    }

    override fun callActivityOnResume(activity: Activity) {
        super.callActivityOnResume(activity)
        front = activity
    }

    override fun callActivityOnPause(activity: Activity) {
        super.callActivityOnPause(activity)
        if (front === activity) front = null
    }

    override fun onStart() {
        super.onStart()
        val checks = Check.list(context.assets.open("checks.json").bufferedReader().readText())
        val failed = ArrayList<String>()
        try {
            // Without this flag Android switches every accessibility service off, the operator too.
            automation = getUiAutomation(UiAutomation.FLAG_DONT_SUPPRESS_ACCESSIBILITY_SERVICES)
            link = OperatorLink(operator, ::shell)
            becomeReady()
            checks.forEachIndexed { number, check ->
                val report = Report(check.name, number + 1, checks.size)
                sendStatus(Report.STARTED, report.bundle(""))
                val (status, told) = outcome(check)
                if (status == Report.FAILED) failed += check.name
                sendStatus(status, report.bundle(told))
            }
        } catch (unanswered: Unanswered) {
            // Every other check would say the same, and slowly.
            return finish(Activity.RESULT_CANCELED, Bundle().apply { putString("shortMsg", unanswered.message) })
        }
        val verdict = if (failed.isEmpty()) "OK (${checks.size} tests)" else
            "FAILURES!!!\nTests run: ${checks.size},  Failures: ${failed.size}"
        finish(Activity.RESULT_OK, Bundle().apply { putString(REPORT_KEY_STREAMRESULT, "\n$verdict\n") })
    }

    /** The operator's service may still be on its way when the run begins; without it nothing is seen. */
    private fun becomeReady() {
        val deadline = System.nanoTime() + READY_MS * 1_000_000
        while (true) {
            val look = JSONArray().put(Check.action("look", "snapshot_ui"))
            val envelope = link.run(Check.execution(UUID.randomUUID().toString(), look))
            if (envelope.getString("status") == "success") return
            if (System.nanoTime() > deadline) throw Unanswered("$operator is not ready: ${envelope.optString("error")}")
            Thread.sleep(PAUSE_MS)
        }
    }

    private fun outcome(check: Check): Pair<Int, String> {
        if (Build.VERSION.SDK_INT < check.sinceApi) {
            return Report.SKIPPED to "Android tells this from API level ${check.sinceApi} on"
        }
        val problem = try {
            begin()
            val envelope = link.run(check.execution("instrumentation-${UUID.randomUUID()}"))
            check.problemOf(envelope) ?: lookAtItself(check)
        } catch (unanswered: Unanswered) {
            throw unanswered
        } catch (error: Exception) {
            error.stackTraceToString()
        }
        return if (problem == null) Report.PASSED to "" else Report.FAILED to problem
    }

    /** The app as it is when it has just been started. */
    private fun begin() {
        runOnMainSync(State::reset)
        val fresh = Intent(targetContext, MainActivity::class.java)
            .addFlags(Intent.FLAG_ACTIVITY_NEW_TASK or Intent.FLAG_ACTIVITY_CLEAR_TASK)
        startActivitySync(fresh)
    }

    private fun lookAtItself(check: Check): String? {
        var problem: String? = null
        runOnMainSync { problem = OwnScreens.problemOf(check.name, front) }
        return problem
    }

    private fun shell(command: String): String =
        ParcelFileDescriptor.AutoCloseInputStream(automation.executeShellCommand(command))
            .bufferedReader().use { it.readText() }

    private companion object {
        const val READY_MS = 20_000L
        const val PAUSE_MS = 500L
    }
}

/** What is told of one check, under the names that `am instrument` prints and test tools read. */
private class Report(private val check: String, private val number: Int, private val count: Int) {
    fun bundle(told: String) = Bundle().apply {
        putString(Instrumentation.REPORT_KEY_IDENTIFIER, "ConformanceInstrumentation")
        putInt("numtests", count)
        putInt("current", number)
        putString("class", "com.clawperator.conformance.Conformance")
        putString("test", check)
        putString(Instrumentation.REPORT_KEY_STREAMRESULT, if (told.isEmpty()) "" else "\n$check: $told")
        if (told.isNotEmpty()) putString("stack", told)
    }

    companion object {
        const val STARTED = 1
        const val PASSED = 0
        const val FAILED = -2

        /** What it takes for granted is not so. */
        const val SKIPPED = -4
    }
}
