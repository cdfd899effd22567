package com.clawperator.conformance

import java.util.Base64

/**
 * A command for `UiAutomation.executeShellCommand`. No shell sees what is given to that: Android
 * cuts it at white space, knows no quotes, and starts the first word with the others as arguments.
 * So a shell is asked for, with a script that has no white space at all: it decodes the real one.
 * Every Android since 7 has `base64`, and its alphabet means nothing to a shell.
 */
internal fun shellCommand(words: List<String>): String {
    val script = shellQuoted(words) + " 2>&1"
    val coded = Base64.getEncoder().encodeToString(script.toByteArray())
    return "sh -c echo\${IFS}$coded|base64\${IFS}-d|sh"
}

/** Words as one line that a shell takes apart into just these words, whatever is in them. */
internal fun shellQuoted(words: List<String>): String =
    words.joinToString(" ") { "'" + it.replace("'", "'\\''") + "'" }
