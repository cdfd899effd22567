package com.clawperator.operator

import android.accessibilityservice.AccessibilityService
import android.accessibilityservice.GestureDescription
import android.accessibilityservice.GestureDescription.StrokeDescription
import android.app.KeyguardManager
import android.content.ActivityNotFoundException
import android.content.Intent
import android.graphics.Bitmap
import android.graphics.Path
import android.graphics.Rect
import android.net.Uri
import android.os.Build
import android.os.Bundle
import android.os.PowerManager
import android.provider.Settings
import android.util.Log
import android.util.SparseArray
import android.view.Display
import android.view.KeyEvent
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityNodeInfo
import java.io.ByteArrayOutputStream
import java.nio.ByteBuffer
import java.util.concurrent.Executor
import java.util.concurrent.Executors

/** Tells the operator what happens on the screen, and does what it asks. It decides nothing. */
class OperatorService : AccessibilityService(), Shim {
    private val acted = TreePacker(this)
    private val looked = TreePacker(this)

    /** Fingers that are still down after a part of a gesture. */
    private var fingers = SparseArray<StrokeDescription>()

    /** For what takes its time. An exception on it would end the app. */
    private val thread = Executors.newSingleThreadExecutor()
    private val background = Executor { work ->
        thread.execute {
            try {
                work.run()
            } catch (e: Exception) {
                Log.w("Clawperator", "in the background", e)
            }
        }
    }

    override fun onServiceConnected() = Native.connected(this)

    override fun onUnbind(intent: Intent?): Boolean {
        Native.disconnected()
        return false
    }

    override fun onDestroy() {
        thread.shutdown()
        super.onDestroy()
    }

    override fun onInterrupt() = Unit

    override fun onAccessibilityEvent(event: AccessibilityEvent) {
        val recorded = if (event.eventType == AccessibilityEvent.TYPE_VIEW_SCROLLED) {
            val tellsDelta = Build.VERSION.SDK_INT >= Build.VERSION_CODES.P
            val dx = if (tellsDelta) event.scrollDeltaX else -1
            val dy = if (tellsDelta) event.scrollDeltaY else -1
            Native.scrolled(event.scrollX, event.scrollY, event.fromIndex, dx, dy)
        } else {
            Native.event(event.eventType)
        }
        if (recorded) {
            // Android takes its own back when this returns.
            @Suppress("DEPRECATION")
            val copy = AccessibilityEvent.obtain(event)
            background.execute { record(copy) }
        }
    }

    override fun onKeyEvent(event: KeyEvent): Boolean {
        val pressed = event.action == KeyEvent.ACTION_DOWN && event.repeatCount == 0
        if (pressed && Native.key(event.keyCode)) {
            background.execute { Native.recordKey(event.keyCode) }
        }
        return false
    }

    private fun record(event: AccessibilityEvent) {
        val node = event.source
        // Android 8 hands over the node as the app made it, without its id.
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.P) node?.refresh()
        val bounds = Rect()
        node?.getBoundsInScreen(bounds)
        val texts = StringBuilder()
        for (text in event.text) {
            if (text != null) texts.append(if (texts.isEmpty()) "" else " ").append(text)
        }
        Native.record(
            event.eventType,
            event.packageName?.toString(),
            event.className?.toString(),
            if (texts.isEmpty()) null else texts.toString(),
            node?.text?.toString(),
            (node?.contentDescription ?: event.contentDescription)?.toString(),
            node?.viewIdResourceName,
            event.isPassword || node?.isPassword == true,
            intArrayOf(
                bounds.left, bounds.top, bounds.right, bounds.bottom,
                event.scrollX, event.scrollY, event.maxScrollX, event.maxScrollY,
            ),
        )
    }

    override fun capture(generation: Long): ByteBuffer = acted.pack(generation)

    override fun look(): ByteBuffer = looked.pack(0)

    override fun perform(node: Int, action: Int, text: String?): Int {
        if (node !in 0 until acted.nodes.size) return Shim.GONE
        val target = acted.nodes[node]
        val arguments = if (text == null) null else Bundle()
        arguments?.putCharSequence(AccessibilityNodeInfo.ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE, text)
        return when {
            target.performAction(action, arguments) -> Shim.DONE
            target.refresh() -> Shim.REFUSED
            else -> Shim.GONE
        }
    }

    override fun gesture(token: Int, strokes: IntArray): Boolean {
        val gesture = GestureDescription.Builder()
        val down = SparseArray<StrokeDescription>()
        var at = 0
        while (at < strokes.size) {
            val finger = strokes[at++]
            val start = strokes[at++].toLong()
            val length = strokes[at++].toLong()
            val stays = strokes[at++] == 1
            val path = Path()
            for (point in 0 until strokes[at++]) {
                val x = strokes[at++].toFloat()
                val y = strokes[at++].toFloat()
                if (point == 0) path.moveTo(x, y) else path.lineTo(x, y)
            }
            val stroke = fingers[finger]?.continueStroke(path, start, length, stays)
                ?: StrokeDescription(path, start, length, stays)
            if (stays) down.put(finger, stroke)
            gesture.addStroke(stroke)
        }
        fingers = down
        val ended = object : GestureResultCallback() {
            override fun onCompleted(gesture: GestureDescription?) = Native.gestureEnded(token, true)

            override fun onCancelled(gesture: GestureDescription?) = Native.gestureEnded(token, false)
        }
        return dispatchGesture(gesture.build(), ended, null)
    }

    override fun global(action: Int) = performGlobalAction(action)

    override fun launch(packageName: String) = open(packageManager.getLaunchIntentForPackage(packageName))

    override fun view(uri: String) = open(Intent(Intent.ACTION_VIEW, Uri.parse(uri)))

    private fun open(intent: Intent?): Int {
        if (intent == null) return Shim.NO_HANDLER
        return try {
            startActivity(intent.addFlags(Intent.FLAG_ACTIVITY_NEW_TASK))
            Shim.DONE
        } catch (_: ActivityNotFoundException) {
            Shim.NO_HANDLER
        } catch (_: SecurityException) {
            Shim.REFUSED
        }
    }

    override fun screenshot(token: Int): Boolean {
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.R) return false
        val taken = object : TakeScreenshotCallback {
            override fun onSuccess(screenshot: ScreenshotResult) {
                val png = try {
                    png(screenshot)
                } catch (e: RuntimeException) {
                    Log.w("Clawperator", "a screenshot", e)
                    null
                }
                Native.screenshotEnded(token, ERROR_TAKE_SCREENSHOT_INTERNAL_ERROR, png)
            }

            override fun onFailure(errorCode: Int) = Native.screenshotEnded(token, errorCode, null)

            private fun png(screenshot: ScreenshotResult): ByteArray? {
                val buffer = screenshot.hardwareBuffer
                try {
                    val bytes = ByteArrayOutputStream()
                    val bitmap = Bitmap.wrapHardwareBuffer(buffer, screenshot.colorSpace)
                    val packed = bitmap?.compress(Bitmap.CompressFormat.PNG, 100, bytes) == true
                    return if (packed) bytes.toByteArray() else null
                } finally {
                    buffer.close()
                }
            }
        }
        takeScreenshot(Display.DEFAULT_DISPLAY, background, taken)
        return true
    }

    override fun display() = when {
        !(getSystemService(POWER_SERVICE) as PowerManager).isInteractive -> Shim.SCREEN_OFF
        (getSystemService(KEYGUARD_SERVICE) as KeyguardManager).isKeyguardLocked -> Shim.SCREEN_LOCKED
        else -> Shim.SCREEN_ON
    }

    override fun wake() {
        open(Intent(this, WakeActivity::class.java))
    }

    override fun setting(name: String) = Settings.Global.getInt(contentResolver, name, -1)
}
