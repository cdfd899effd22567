package com.clawperator.operator.lab

import java.io.DataInputStream
import java.io.DataOutputStream
import java.io.IOException
import java.net.StandardProtocolFamily
import java.net.UnixDomainSocketAddress
import java.nio.channels.Channels
import java.nio.channels.ServerSocketChannel
import java.nio.channels.SocketChannel
import java.nio.file.Files
import java.nio.file.Path
import kotlin.concurrent.thread

/**
 * A command of the phone's shell, and where its output goes. The words come as a count and each
 * with its length; what is said goes back in pieces: a byte that says what, a length, the bytes.
 */
internal class Command(val words: List<String>, private val out: DataOutputStream) {
    val name get() = words.first()
    val arguments get() = words.drop(1)

    /** What follows a flag. */
    fun value(flag: String): String? = words.indexOf(flag).takeIf { it > 0 }?.let { words.getOrNull(it + 1) }

    fun has(flag: String) = flag in words

    fun say(text: String) = say(text.toByteArray())

    fun say(bytes: ByteArray) = piece(OUTPUT, bytes)

    /** Says it, and is the exit code of a command that failed. */
    fun complain(text: String, code: Int = FAILED): Int {
        piece(ERRORS, text.toByteArray())
        return code
    }

    fun end(code: Int) = piece(EXIT, byteArrayOf(code.toByte()))

    private fun piece(kind: Int, bytes: ByteArray) {
        out.writeByte(kind)
        out.writeInt(bytes.size)
        out.write(bytes)
        out.flush()
    }

    companion object {
        const val FAILED = 255
        private const val OUTPUT = 1
        private const val ERRORS = 2
        private const val EXIT = 3
    }
}

/** Takes commands at a socket in the lab's folder, each on a thread of its own. */
internal class Control(path: Path, private val run: (Command) -> Int) {
    @Volatile
    var over = false
        private set

    private val server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)

    init {
        Files.deleteIfExists(path)
        server.bind(UnixDomainSocketAddress.of(path))
        thread(isDaemon = true, name = "control") {
            while (true) {
                val connection = server.accept()
                thread(isDaemon = true, name = "command") { serve(connection) }
            }
        }
    }

    private fun serve(connection: SocketChannel) = connection.use {
        val input = DataInputStream(Channels.newInputStream(it))
        val words = List(input.readInt()) { String(input.readNBytes(input.readInt())) }
        if (words == listOf("power-off")) {
            over = true
            return
        }
        val command = Command(words, DataOutputStream(Channels.newOutputStream(it).buffered()))
        try {
            val code = try {
                run(command)
            } catch (failure: IOException) {
                throw failure
            } catch (failure: Exception) {
                command.complain("${command.name}: ${failure.stackTraceToString()}")
            }
            command.end(code)
        } catch (_: IOException) {
            // Whoever asked has gone.
        }
    }
}
