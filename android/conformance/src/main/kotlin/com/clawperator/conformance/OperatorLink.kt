package com.clawperator.conformance

import java.util.UUID
import org.json.JSONObject

/** The operator did not answer, or could not be asked. */
internal class Unanswered(message: String) : Exception(message)

/**
 * The broadcast link, from a program on the phone that may ask its shell: `am` sends the execution,
 * the log tells the envelope. [shell] runs a command and answers with what it prints.
 */
internal class OperatorLink(
    private val operator: String,
    private val shell: (String) -> String,
    private val pause: () -> Unit = { Thread.sleep(POLL_MS) },
) {
    /** Sends an execution; its envelope. */
    fun run(execution: JSONObject): JSONObject {
        val dispatch = UUID.randomUUID().toString()
        // The log is read from a moment before; it is never cleared, others read it too.
        val since = "${System.currentTimeMillis() / 1_000 - 1}.000"
        tell("payload" to execution.toString(), "dispatch" to dispatch)
        val start = System.nanoTime()
        var asked = 0L
        while (true) {
            textToldAs(dispatch, shell("logcat -d -v raw -T $since -s Clawperator:I"))?.let { return JSONObject(it) }
            val waited = (System.nanoTime() - start) / 1_000_000
            if (waited > Check.TIMEOUT_MS + MARGIN_MS) {
                tell("cancel" to dispatch)
                throw Unanswered("$operator did not answer within ${waited / 1_000} s")
            }
            // The log may lose lines; what was answered is told again, nothing is done again.
            if (waited / ASK_AGAIN_MS > asked) {
                asked = waited / ASK_AGAIN_MS
                tell("resume" to dispatch)
            }
            pause()
        }
    }

    private fun tell(vararg extras: Pair<String, String>) {
        val words = listOf("am", "broadcast", "--receiver-foreground", "-a", ACTION, "-p", operator) +
            extras.flatMap { (key, value) -> listOf("--es", key, value) }
        val said = shell(shellCommand(words))
        if ("Broadcast completed" !in said) throw Unanswered("`am broadcast` said: ${said.trim()}")
    }

    private companion object {
        const val ACTION = "app.clawperator.operator.ACTION_AGENT_COMMAND"
        const val POLL_MS = 100L
        const val MARGIN_MS = 5_000L

        /** Longer than most checks take, so that most are never asked for again. */
        const val ASK_AGAIN_MS = 10_000L
    }
}
