package com.clawperator.operator.lab

import android.os.Build

/** The commands of the phone's shell that only tell, in the words that Android has for it. */
internal class Facts(private val state: State) {
    fun tell(command: Command): Int = when (command.name) {
        "getprop" -> getprop(command)
        "pm" -> pm(command, command.arguments)
        "pidof" -> pidof(command)
        "dumpsys" -> dumpsys(command)
        "wm" -> wm(command)
        else -> command.complain("${command.name}: the lab has no such command\n", NOT_FOUND)
    }

    private val properties = mapOf(
        "ro.build.version.sdk" to "${Build.VERSION.SDK_INT}",
        "ro.build.version.release" to Build.VERSION.RELEASE,
        "ro.product.model" to "Lab",
        "ro.product.manufacturer" to "Clawperator",
        "ro.product.cpu.abilist" to "x86_64",
        "sys.boot_completed" to "1",
    )

    private fun getprop(command: Command): Int {
        when (val name = command.arguments.firstOrNull()) {
            null -> properties.forEach { (key, value) -> command.say("[$key]: [$value]\n") }
            else -> command.say("${properties[name].orEmpty()}\n")
        }
        return 0
    }

    private fun pm(command: Command, words: List<String>): Int {
        val app = words.getOrNull(1)
        return when (words.firstOrNull()) {
            "path" -> if (app in state.apps) 0.also { command.say("package:/data/app/$app/base.apk\n") } else 1
            "list" -> {
                val others = if (command.has("-3")) emptyList() else listOf("android", HomeScreen.PACKAGE)
                (state.apps + others).sorted().forEach { command.say("package:$it\n") }
                0
            }
            "grant" -> {
                val why = "Package $app has not requested permission ${words.getOrNull(2)}"
                command.complain("Exception occurred while executing 'grant':\njava.lang.SecurityException: $why\n")
            }
            else -> command.complain("Unknown command: ${words.firstOrNull()}\n")
        }
    }

    private fun pidof(command: Command): Int {
        val running = listOf(state.operator) + state.phone.activities.all.map { it.packageName }
        if (command.arguments.none { it in running }) return 1
        command.say("${ProcessHandle.current().pid()}\n")
        return 0
    }

    private fun wm(command: Command): Int {
        when (command.arguments.firstOrNull()) {
            "size" -> command.say("Physical size: 1080x2400\n")
            "density" -> command.say("Physical density: ${state.application.resources.configuration.densityDpi}\n")
            "dismiss-keyguard" -> state.unlock()
            else -> return command.complain("Window manager (window) commands: size, density, dismiss-keyguard\n")
        }
        return 0
    }

    /** The component in front. */
    fun focus(): String {
        val front = state.phone.activities.front ?: return "${HomeScreen.PACKAGE}/.Home"
        return front.componentName.flattenToShortString()
    }

    private fun dumpsys(command: Command): Int {
        val told = when (val service = command.arguments.firstOrNull()) {
            "package" -> versions(command.arguments.getOrElse(1) { "" })
            "window" -> windows()
            "activity" -> "  topResumedActivity=ActivityRecord{1 u0 ${focus()} t1}\n  ResumedActivity: ActivityRecord{1 u0 ${focus()} t1}\n"
            "power" -> "POWER MANAGER (dumpsys power)\n  mWakefulness=${if (state.awake) "Awake" else "Asleep"}\n"
            "trust" -> "Trust manager state:\n User \"Owner\" (id=0, flags=0x13) (current): trusted=0, trustManaged=0, deviceLocked=0, strongAuthRequired=0x0\n"
            "accessibility" -> {
                val enabled = state.services().joinToString(", ") { "{$it}" }
                "User state[\n     attributes:{id=0}\n     Enabled services:{$enabled}\n]\n"
            }
            else -> return command.complain("Can't find service: $service\n", 1)
        }
        command.say(told)
        return 0
    }

    private fun versions(app: String): String {
        val name = when (app) {
            state.operator -> state.version
            state.application.packageName -> state.application.packageManager.getPackageInfo(app, 0).versionName
            else -> return "Unable to find package: $app\n"
        }
        val sdk = state.application.applicationInfo.run { "minSdk=$minSdkVersion targetSdk=$targetSdkVersion" }
        return "Packages:\n  Package [$app] (1):\n    versionCode=1 $sdk\n    versionName=$name\n"
    }

    private fun windows(): String {
        val window = if (state.locked) "NotificationShade" else focus()
        return "WINDOW MANAGER WINDOWS (dumpsys window windows)\n" +
            "  mCurrentFocus=Window{1 u0 $window}\n  mFocusedApp=ActivityRecord{1 u0 ${focus()} t1}\n" +
            "  KeyguardServiceDelegate\n    showing=${state.locked}\n    secure=false\n"
    }

    private companion object {
        const val NOT_FOUND = 127
    }
}
