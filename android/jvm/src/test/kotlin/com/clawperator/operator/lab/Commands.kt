package com.clawperator.operator.lab

import android.content.Intent
import android.os.Binder
import android.os.ShellCommand
import android.view.KeyCharacterMap
import android.view.KeyEvent
import android.accessibilityservice.GestureDescription
import android.accessibilityservice.GestureDescription.MotionEventGenerator
import android.accessibilityservice.GestureDescription.StrokeDescription
import android.graphics.Path
import com.clawperator.operator.CommandReceiver
import java.io.File
import java.io.FileDescriptor
import java.util.concurrent.CompletableFuture

/** The commands of the phone's shell that do something. What only tells stands in [Facts]. */
internal class Commands(private val state: State, private val lab: LabPhone) {
    private val facts = Facts(state)

    fun run(command: Command): Int = when (command.name) {
        "am" -> am(command)
        "input" -> input(command)
        "logcat" -> state.log.logcat(command)
        "screencap" -> screencap(command)
        "settings" -> settings(command)
        else -> lab.main { facts.tell(command) }
    }

    /** The intent that the words say, as Android's own `am` reads it. */
    private fun intent(words: List<String>): Intent {
        val reader = object : ShellCommand() {
            override fun onCommand(verb: String?) = 0

            override fun onHelp() = Unit
        }
        val none = FileDescriptor()
        reader.init(Binder(), none, none, none, words.toTypedArray(), 0)
        return Intent.parseCommandArgs(reader) { option, _ -> option in listOf("-W", "--receiver-foreground") }
    }

    private fun am(command: Command): Int = when (val verb = command.words.getOrNull(1)) {
        "start", "start-activity" -> lab.main { start(command) }
        "broadcast" -> lab.main { broadcast(command) }
        "force-stop" -> lab.main { state.forceStop(command.words.last()) }.let { 0 }
        "get-current-user" -> 0.also { command.say("0\n") }
        else -> command.complain("Unknown command: $verb\n")
    }

    private fun start(command: Command): Int {
        val intent = intent(command.words.drop(2))
        command.say("Starting: $intent\n")
        if (!state.open(intent)) {
            return command.complain("Error: Activity not started, unable to resolve $intent\n", 1)
        }
        if (command.has("-W")) command.say("Status: ok\nActivity: ${facts.focus()}\nComplete\n")
        return 0
    }

    private fun broadcast(command: Command): Int {
        val intent = intent(command.words.drop(2))
        command.say("Broadcasting: $intent\n")
        val app = intent.`package` ?: intent.component?.packageName
        // Whether anybody took it does not show: a broadcast without a receiver completes too.
        if (intent.action == COMMAND && app == state.operator) {
            CommandReceiver().onReceive(state.application, intent)
        }
        command.say("Broadcast completed: result=0\n")
        return 0
    }

    private fun input(command: Command): Int {
        val words = command.arguments.let { if (it.firstOrNull() in SOURCES) it.drop(1) else it }
        val numbers = words.mapNotNull(String::toFloatOrNull)
        when (words.firstOrNull()) {
            "tap" -> if (numbers.size != 2) return usage(command) else touch(numbers + numbers, TAP_MS)
            "swipe" -> if (numbers.size < 4) return usage(command) else touch(numbers, numbers.getOrNull(4)?.toLong() ?: SWIPE_MS)
            // The tool's own way to write a space.
            "text" -> lab.main { type(words.getOrElse(1) { "" }.replace("%s", " ")) }
            "keyevent" -> for (word in words.drop(1).filter { !it.startsWith("--") }) {
                val code = KeyEvent.keyCodeFromString(word)
                if (code == KeyEvent.KEYCODE_UNKNOWN) return command.complain("Error: Unknown keycode $word\n")
                state.key(code)
            }
            else -> return usage(command)
        }
        return 0
    }

    private fun usage(command: Command) =
        command.complain("Usage: input tap <x> <y> | swipe <x1> <y1> <x2> <y2> [ms] | text <text> | keyevent <key>\n")

    /** From the first place to the second, at their time. */
    private fun touch(places: List<Float>, ms: Long) {
        val path = Path().apply {
            moveTo(places[0], places[1])
            if (places[2] != places[0] || places[3] != places[1]) lineTo(places[2], places[3])
        }
        val gesture = GestureDescription.Builder().addStroke(StrokeDescription(path, 0, ms)).build()
        val steps = MotionEventGenerator.getGestureStepsFromGestureDescription(gesture, SAMPLE_MS)
        val done = CompletableFuture<Unit>()
        lab.main { state.phone.system.touch(steps) { done.complete(Unit) } }
        done.get()
    }

    private fun type(text: String) {
        val keyboard = KeyCharacterMap.load(KeyCharacterMap.VIRTUAL_KEYBOARD)
        keyboard.getEvents(text.toCharArray()).orEmpty().forEach(state::type)
    }

    private fun screencap(command: Command): Int {
        val png = lab.main { state.pictures.png() } ?: return command.complain("Capturing failed\n", 1)
        val file = command.arguments.lastOrNull { !it.startsWith("-") }
        if (file == null) command.say(png) else File(file).writeBytes(png)
        return 0
    }

    private fun settings(command: Command): Int {
        val words = command.arguments
        val (verb, space, key) = words.take(3).takeIf { it.size == 3 }
            ?: return command.complain("Settings provider (settings) commands: get, put, delete NAMESPACE KEY\n")
        when (verb) {
            "get" -> command.say("${lab.main { state.setting(space, key) }}\n")
            "put" -> words.getOrNull(3)?.let { lab.main { state.put(space, key, it) } } ?: return command.complain("Bad arguments\n")
            "delete" -> {
                val rows = lab.main {
                    val there = if (state.setting(space, key) == null) 0 else 1
                    state.put(space, key, null)
                    there
                }
                command.say("Deleted $rows rows\n")
            }
            else -> return command.complain("Bad arguments\n")
        }
        return 0
    }

    private companion object {
        const val COMMAND = "app.clawperator.operator.ACTION_AGENT_COMMAND"
        val SOURCES = listOf("touchscreen", "keyboard")
        const val TAP_MS = 10L
        const val SWIPE_MS = 300L

        /** As often as Android reports a finger. */
        const val SAMPLE_MS = 10
    }
}
