package com.clawperator.conformance

import java.io.File
import java.util.zip.CRC32
import org.json.JSONArray
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertFalse
import org.junit.Assert.assertNull
import org.junit.Assert.assertTrue
import org.junit.Test

/** What the instrumentation is made of, as far as no phone is needed. */
class InstrumentationPartsTest {
    private val checks = Check.list(File("../../rust/host/conformance/checks.json").readText())

    /** As Android runs a command for an instrumentation: no shell, cut at white space. */
    private fun run(command: String): String {
        val process = ProcessBuilder(command.split(Regex("\\s+"))).start()
        return process.inputStream.bufferedReader().readText()
    }

    @Test
    fun `a command arrives word by word, whatever is in the words`() {
        val hostile = listOf("a'b \$(id) `id` \"x\" \\ ", "two\nlines\t", "", "; exit 1 & |", "Zoë 🎉", "*", "~", "%s")
        for (word in hostile) assertEquals(word, run(shellCommand(listOf("printf", "%s", word))))
        assertEquals("3", run(shellCommand(listOf("sh", "-c", "printf $#", "x", "a b", "c d", "e"))))
    }

    @Test
    fun `what a command complains of is seen too`() {
        assertTrue(run(shellCommand(listOf("ls", "/there/is nothing"))).contains("is nothing"))
    }

    @Test
    fun `the payload of every check survives the way`() {
        for (check in checks) {
            val payload = check.execution("c").toString()
            assertEquals(payload, run(shellCommand(listOf("printf", "%s", payload))))
        }
    }

    /** As the operator writes it, which a test of its own crate pins. */
    @Test
    fun `a text is read from the log as documented`() {
        assertEquals("abc", textToldAs("d1", "[Clawperator-Slice] d1 1/1 352441c2 352441c2 abc|"))
    }

    @Test
    fun `a text is put together from its slices among everything else in a log`() {
        val pieces = listOf("ends in a space ", "", "bars || é🎉", "]")
        val lines = slices("d1", pieces)
        val others = slices("d2", listOf("other", "text"))
        val log = listOf("--------- beginning of main", lines[2], others[0], lines[0], "", lines[3] + "\r", lines[1], lines[0])
        assertEquals(pieces.joinToString(""), textToldAs("d1", log.joinToString("\n")))
        assertNull("one is missing", textToldAs("d2", log.joinToString("\n")))
        assertNull("nobody told it", textToldAs("d3", log.joinToString("\n")))
    }

    @Test
    fun `a slice that was cut or changed counts as missing`() {
        val lines = slices("d1", listOf("one", "two"))
        assertNull(textToldAs("d1", "${lines[0]}\n${lines[1].dropLast(1)}"))
        assertNull(textToldAs("d1", "${lines[0]}\n${lines[1].replace("two", "tow")}"))
        assertNull("of two texts", textToldAs("d1", "${lines[0]}\n${slices("d1", listOf("x", "y"))[1]}"))
    }

    private fun slices(id: String, pieces: List<String>): List<String> {
        fun crc(text: String) = "%08x".format(CRC32().apply { update(text.toByteArray()) }.value)
        val whole = crc(pieces.joinToString(""))
        return pieces.mapIndexed { at, piece ->
            "[Clawperator-Slice] $id ${at + 1}/${pieces.size} $whole ${crc(piece)} $piece|"
        }
    }

    @Test
    fun `what was seen is held against what is wanted as the host does`() {
        val samples = JSONArray(File("../../rust/host/src/conformance/samples.json").readText())
        assertTrue(samples.length() > 10)
        for (number in 0 until samples.length()) {
            val sample = samples.getJSONObject(number)
            val problem = if (sample.isNull("problem")) null else sample.getString("problem")
            assertEquals(problem, problemOf(sample.getJSONArray("steps"), sample.getJSONArray("expect")))
        }
    }

    @Test
    fun `the app says of every check what it must have seen`() {
        assertEquals(checks.map { it.name }.toSet(), OwnScreens.names)
        assertTrue(checks.size >= 30)
    }

    @Test
    fun `a check begins with the screen being up and never closes the app`() {
        for (check in checks) {
            val actions = check.execution("c").getJSONArray("actions")
            val types = List(actions.length()) { actions.getJSONObject(it).getString("type") }
            assertEquals("wait_for_node", types.first())
            assertFalse(check.name, "close_app" in types)
        }
    }

    @Test
    fun `an app that did not come up is told apart from a check that failed`() {
        val late = """{"id": "up", "actionType": "wait_for_node", "success": false,
            "data": {"error": "NODE_NOT_FOUND", "message": "none"}}"""
        val envelope = JSONObject("""{"status": "failed", "stepResults": [$late]}""")
        val problem = checks.first().problemOf(envelope)
        assertEquals("the app did not come up: up (wait_for_node) fail with NODE_NOT_FOUND: none", problem)
        val nothing = JSONObject("""{"status": "failed", "error": "no service", "stepResults": []}""")
        assertEquals("no step ran: no service", checks.first().problemOf(nothing))
    }

    @Test
    fun `who cannot be asked or does not answer is said so`() {
        val refusing = OperatorLink("an.operator", { "Error: no receiver" })
        assertEquals("`am broadcast` said: Error: no receiver", failure { refusing.run(JSONObject()) })
    }

    private fun failure(work: () -> Unit) = runCatching(work).exceptionOrNull()?.message
}
