package com.clawperator.operator.lab

import java.io.File
import java.time.Instant
import java.time.ZoneId
import java.time.format.DateTimeFormatter
import org.robolectric.shadows.ShadowLog

/** The phone's log: what the framework's `Log` was given, with the time at which it was seen. */
internal class LogBook(file: File) {
    class Entry(val at: Instant, val level: Int, val tag: String, val message: String)

    private val entries = ArrayList<Entry>()
    private val lock = Object()
    private val copy = file.printWriter()
    private val pid = ProcessHandle.current().pid()

    /** Takes over what is new. */
    fun collect() {
        val items = ShadowLog.getLogs()
        if (items.isEmpty()) return
        // Lines that come in between are taken next time: they stand behind those that were seen.
        val count = items.size
        synchronized(lock) {
            for (item in items.subList(seen.coerceAtMost(count), count)) {
                val told = listOfNotNull(item.msg, item.throwable?.stackTraceToString()).joinToString("\n")
                val entry = Entry(Instant.now(), item.type, item.tag ?: "", told)
                entries += entry
                copy.print(written(entry, "threadtime"))
            }
            if (count > seen) {
                copy.flush()
                lock.notifyAll()
            }
        }
        seen = count
    }

    private var seen = 0

    /** `logcat`: what fits, then what comes, unless only what is there was asked for. */
    fun logcat(command: Command): Int {
        if (command.has("-c")) return 0.also { synchronized(lock) { cleared = entries.size } }
        val format = command.value("-v") ?: "threadtime"
        if (format !in FORMATS) return command.complain("Invalid parameter \"$format\" to -v\n", 1)
        val rules = rules(command)
        val from = command.value("-T") ?: command.value("-t")
        var next = first(from)
        while (true) {
            val fresh = synchronized(lock) {
                while (next == entries.size && !command.ends()) {
                    lock.wait(LOOK_MS)
                    // An empty piece finds out whether anybody still listens.
                    command.say("")
                }
                entries.subList(next, entries.size).toList()
            }
            next += fresh.size
            val text = fresh.filter { passes(it, rules) }.joinToString("") { written(it, format) }
            if (text.isNotEmpty()) command.say(text)
            if (command.ends()) return 0
        }
    }

    private fun Command.ends() = has("-d") || has("-t")

    private var cleared = 0

    private fun first(from: String?): Int = synchronized(lock) {
        val count = from?.toIntOrNull()
        val seconds = from?.toDoubleOrNull()
        val place = when {
            from == null -> 0
            count != null -> entries.size - count
            seconds != null -> entries.indexOfFirst { it.at.toEpochMilli() / 1e3 >= seconds }
            else -> entries.indexOfFirst { STAMP.format(it.at) >= from.takeLast(STAMP_LENGTH) }
        }
        (if (place < 0 && count == null) entries.size else place).coerceIn(cleared, entries.size)
    }

    /** Tags with the level from which on they are shown. */
    private fun rules(command: Command): Map<String, Int> {
        val words = command.arguments.toMutableList()
        for (flag in listOf("-v", "-T", "-t", "-b", "--pid")) {
            val at = words.indexOf(flag)
            if (at >= 0) repeat(2) { if (at < words.size) words.removeAt(at) }
        }
        val rules = HashMap<String, Int>()
        if (command.has("-s")) rules["*"] = SILENT
        for (word in words.filter { !it.startsWith("-") }) {
            val level = word.substringAfter(':', "V").uppercase().take(1)
            rules[word.substringBefore(':')] = if (level == "S") SILENT else LETTERS.indexOf(level) + VERBOSE
        }
        return rules
    }

    private fun passes(entry: Entry, rules: Map<String, Int>) =
        entry.level >= (rules[entry.tag] ?: rules["*"] ?: VERBOSE)

    private fun written(entry: Entry, format: String): String {
        val letter = LETTERS.getOrElse(entry.level - VERBOSE) { '?' }
        val id = "%5d".format(pid)
        val start = when (format) {
            "raw" -> ""
            "tag" -> "$letter/%-8s: ".format(entry.tag)
            "brief" -> "$letter/%-8s($id): ".format(entry.tag)
            "time" -> "${STAMP.format(entry.at)} $letter/%-8s($id): ".format(entry.tag)
            else -> "${STAMP.format(entry.at)} $id $id $letter %-8s: ".format(entry.tag)
        }
        return entry.message.lines().joinToString("") { "$start$it\n" }
    }

    private companion object {
        const val LETTERS = "VDIWEF"
        const val VERBOSE = 2
        const val SILENT = 99
        const val LOOK_MS = 500L
        const val STAMP_LENGTH = 18
        val FORMATS = setOf("raw", "tag", "brief", "time", "threadtime")
        val STAMP: DateTimeFormatter =
            DateTimeFormatter.ofPattern("MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault())
    }
}
