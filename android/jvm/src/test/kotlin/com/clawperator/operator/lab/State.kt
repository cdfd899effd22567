package com.clawperator.operator.lab

import android.accessibilityservice.AccessibilityService
import android.app.Activity
import android.app.Application
import android.app.KeyguardManager
import android.content.ComponentName
import android.content.Intent
import android.os.Handler
import android.os.Looper
import android.os.Message
import android.os.MessageQueue
import android.os.PowerManager
import android.provider.Settings
import android.view.KeyEvent
import android.view.View
import android.view.WindowManager
import android.view.WindowManagerGlobal
import com.clawperator.operator.OperatorService
import com.clawperator.operator.Phone
import com.clawperator.operator.WakeActivity
import java.io.File
import java.time.Duration
import org.robolectric.Shadows.shadowOf

/** What is installed, switched on and shown, and what the system does about it. */
internal class State(val phone: Phone, val application: Application, private val folder: File) {
    val log = LogBook(File(folder, "logcat.txt"))
    val home = HomeScreen(application)
    val pictures = Pictures(phone.system)
    val operator: String = System.getProperty("operator.package") ?: "com.clawperator.operator"
    val version: String = System.getProperty("operator.version") ?: "0"
    val apps get() = listOf(operator, application.packageName)

    private val main = Handler(Looper.getMainLooper())
    private val power = application.getSystemService(PowerManager::class.java)!!
    private val keyguard = application.getSystemService(KeyguardManager::class.java)!!
    val awake get() = power.isInteractive
    val locked get() = keyguard.isKeyguardLocked

    fun boot() {
        val wake = ComponentName(application, WakeActivity::class.java)
        shadowOf(application.packageManager).addActivityIfNotPresent(wake)
        phone.open = { open(it) }
        phone.system.global = ::globalAction
        phone.system.screenshot = pictures::answer
        shadowOf(power).turnScreenOn(true)
        home.show()
        phone.start(operator, version, File(folder, "recordings"))
        put("global", "development_settings_enabled", "1")
        put("global", "adb_enabled", "1")
        put("secure", SERVICES, "$operator/${OperatorService::class.java.name}")
        put("secure", "accessibility_enabled", "1")
    }

    fun live(time: Duration) {
        phone.live(time)
        wakeUpFor(phone.activities.front)
        home.visible = phone.activities.behind
        phone.system.blank = !awake || locked
        log.collect()
    }

    private fun wakeUpFor(activity: Activity?) {
        if (activity == null) return
        if (shadowOf(activity).turnScreenOn && !awake) shadowOf(power).turnScreenOn(true)
        if (shadowOf(activity).showWhenLocked && locked) unlock()
    }

    fun unlock() = shadowOf(keyguard).setKeyguardLocked(false)

    /** Off brings the lock. */
    fun power(on: Boolean) {
        if (!on) shadowOf(keyguard).setKeyguardLocked(true)
        shadowOf(power).turnScreenOn(on)
    }

    fun setting(space: String, key: String): String? = when (space) {
        "secure" -> Settings.Secure.getString(application.contentResolver, key)
        "global" -> Settings.Global.getString(application.contentResolver, key)
        else -> Settings.System.getString(application.contentResolver, key)
    }

    /** A change of the accessibility settings binds the service or lets it go. */
    fun put(space: String, key: String, value: String?) {
        when (space) {
            "secure" -> Settings.Secure.putString(application.contentResolver, key, value)
            "global" -> Settings.Global.putString(application.contentResolver, key, value)
            else -> Settings.System.putString(application.contentResolver, key, value)
        }
        val wanted = setting("secure", "accessibility_enabled") == "1" && services().any(::isOurs)
        if (wanted && !phone.bound) phone.bind()
        if (!wanted && phone.bound) phone.unbind()
    }

    fun services(): List<String> = setting("secure", SERVICES).orEmpty().split(':').filter { it.isNotEmpty() }

    private fun isOurs(service: String): Boolean {
        val name = ComponentName.unflattenFromString(service) ?: return false
        return name.packageName == operator && name.className == OperatorService::class.java.name
    }

    /** Whether anything answered to it. */
    fun open(intent: Intent): Boolean {
        val target = intent.resolveActivity(application.packageManager) ?: return false
        val launch = intent.action == Intent.ACTION_MAIN && intent.hasCategory(Intent.CATEGORY_LAUNCHER)
        // An app that runs already comes back as it was left.
        if (launch && phone.activities.toFront()) return true
        phone.show(Class.forName(target.className).asSubclass(Activity::class.java), Intent(intent).setComponent(target))
        return true
    }

    /** Both apps live in this process, so what Android does by ending theirs is done piece by piece. */
    fun forceStop(app: String) {
        if (app != application.packageName) return
        phone.activities.drop()
        for (window in WindowManagerGlobal.getInstance().windowViews.filter { it !== home.view }) {
            application.getSystemService(WindowManager::class.java)!!.removeViewImmediate(window)
        }
        forgetWhatWasToCome()
        com.clawperator.conformance.State.reset()
    }

    private fun forgetWhatWasToCome() {
        val first = MessageQueue::class.java.getDeclaredField("mMessages").apply { isAccessible = true }
        val next = Message::class.java.getDeclaredField("next").apply { isAccessible = true }
        val waiting = generateSequence(first.get(Looper.getMainLooper().queue) as Message?) { next.get(it) as Message? }
        for (message in waiting.toList()) {
            val work = message.callback ?: continue
            if (work.javaClass.name.startsWith(application.packageName)) message.target.removeCallbacks(work)
        }
    }

    private fun globalAction(action: Int): Boolean {
        when (action) {
            AccessibilityService.GLOBAL_ACTION_BACK -> key(KeyEvent.KEYCODE_BACK)
            AccessibilityService.GLOBAL_ACTION_HOME -> key(KeyEvent.KEYCODE_HOME)
            AccessibilityService.GLOBAL_ACTION_LOCK_SCREEN -> key(KeyEvent.KEYCODE_SLEEP)
            // There is no notification shade, so there is nothing to close.
            AccessibilityService.GLOBAL_ACTION_DISMISS_NOTIFICATION_SHADE -> Unit
            else -> return false
        }
        return true
    }

    /** From any thread. */
    fun key(code: Int) {
        main.post {
            when (code) {
                KeyEvent.KEYCODE_HOME -> phone.activities.toBack()
                KeyEvent.KEYCODE_POWER -> power(!awake)
                KeyEvent.KEYCODE_SLEEP -> power(false)
                KeyEvent.KEYCODE_WAKEUP -> power(true)
                KeyEvent.KEYCODE_MENU -> if (locked) unlock() else type(code)
                else -> type(code)
            }
        }
    }

    private fun type(code: Int) {
        type(KeyEvent(KeyEvent.ACTION_DOWN, code))
        type(KeyEvent(KeyEvent.ACTION_UP, code))
    }

    /** The window in front gets it, after the service has seen it. */
    fun type(event: KeyEvent) {
        if (phone.bound) phone.system.client.onKeyEvent(event, 0)
        val front: View = phone.system.roots().lastOrNull() ?: return
        front.dispatchKeyEvent(event)
    }

    private companion object {
        const val SERVICES = "enabled_accessibility_services"
    }
}
