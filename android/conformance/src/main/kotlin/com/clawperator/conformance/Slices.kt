package com.clawperator.conformance

import java.util.zip.CRC32

/**
 * The text that was told in the log under this id, if all of it is there: numbered lines, each
 * with its checksum and the whole's, as `rust/contract/src/slices.rs` describes them.
 */
internal fun textToldAs(id: String, log: String): String? {
    val slices = log.lineSequence().mapNotNull { Slice.of(it) }.filter { it.id == id }.toList()
    val newest = slices.lastOrNull() ?: return null
    val pieces = slices.filter { it.whole == newest.whole && it.total == newest.total }.associateBy { it.number }
    if (pieces.size < newest.total) return null
    return pieces.toSortedMap().values.joinToString("") { it.text }.takeIf { crc(it) == newest.whole }
}

private class Slice(val id: String, val number: Int, val total: Int, val whole: Long, val text: String) {
    companion object {
        private val FORM = Regex(
            """\s*\[Clawperator-Slice] (\S+) (\d{1,4})/(\d{1,4}) ([0-9a-f]{8}) ([0-9a-f]{8}) (.*)\|\s*""",
        )

        /** A line is a slice only if all of it is there and its checksum holds. */
        fun of(line: String): Slice? {
            val (id, number, total, whole, own, text) = FORM.matchEntire(line)?.destructured ?: return null
            if (crc(text) != own.toLong(16)) return null
            return Slice(id, number.toInt(), total.toInt(), whole.toLong(16), text)
        }
    }
}

private fun crc(text: String): Long = CRC32().apply { update(text.toByteArray()) }.value
