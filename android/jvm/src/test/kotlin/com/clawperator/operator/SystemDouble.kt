package com.clawperator.operator

import android.accessibilityservice.AccessibilityService
import android.accessibilityservice.GestureDescription.GestureStep
import android.accessibilityservice.IAccessibilityServiceClient
import android.accessibilityservice.IAccessibilityServiceConnection
import android.content.pm.ParceledListSlice
import android.graphics.Rect
import android.os.Binder
import android.os.Bundle
import android.os.Handler
import android.os.Looper
import android.os.RemoteCallback
import android.view.View
import android.view.ViewRootImpl
import android.view.WindowManager
import android.view.accessibility.AccessibilityRecord
import android.view.accessibility.AccessibilityWindowInfo
import android.view.accessibility.IAccessibilityInteractionConnection
import android.view.accessibility.IAccessibilityInteractionConnectionCallback
import java.lang.reflect.InvocationHandler
import java.lang.reflect.Method
import java.lang.reflect.Proxy
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowService

/** Robolectric replaces most of the service; an empty shadow lets Android's own code run. */
@Implements(AccessibilityService::class)
class BareService : ShadowService()

/** Robolectric's record knows no source; Android's own asks the window for it. */
@Implements(AccessibilityRecord::class)
class BareRecord

/**
 * What Android's system process does between an accessibility service and the windows of apps. It
 * is all that is not Android's own code here.
 */
class SystemDouble : InvocationHandler {
    lateinit var client: IAccessibilityServiceClient
    val globalActions = ArrayList<Int>()

    /** For each key that the service was told of: did it keep the key from the app? */
    val keysTaken = ArrayList<Boolean>()

    /** Gestures that were asked for. */
    var gestures = 0

    /** Requests for nodes that a window has got. */
    @Volatile var fetches = 0

    /** What a gesture is answered with; null keeps silent. */
    var gestureResult: Boolean? = true

    /** What a global action does; false refuses it. */
    var global: (Int) -> Boolean = { true }

    /** The answer to a wish for a picture: by default that the app forbids it. */
    var screenshot: () -> Bundle = { refused(AccessibilityService.ERROR_TAKE_SCREENSHOT_SECURE_WINDOW) }

    /** Shows no window at all, as between two apps. */
    var blank = false

    val connection = Proxy.newProxyInstance(
        javaClass.classLoader,
        arrayOf(IAccessibilityServiceConnection::class.java),
        this,
    ) as IAccessibilityServiceConnection

    private val connections = HashMap<ViewRootImpl, IAccessibilityInteractionConnection>()
    private val windowIds = HashMap<View, Int>()
    private val main = Handler(Looper.getMainLooper())
    private val touches = Touches { roots().lastOrNull() }

    override fun invoke(proxy: Any?, method: Method, arguments: Array<Any?>?): Any? {
        val a = arguments ?: emptyArray()
        return when (method.name) {
            "asBinder" -> Binder()
            "getWindows" -> Level.windowList(windows())
            "findAccessibilityNodeInfoByAccessibilityId" -> Level.found(find(a))
            "performAccessibilityAction" -> perform(a)
            "performGlobalAction" -> globalActions.add(a[0] as Int) && global(a[0] as Int)
            "setOnKeyEventResult" -> keysTaken.add(a[0] as Boolean)
            "takeScreenshot" -> main.post { (a[1] as RemoteCallback).sendResult(screenshot()) }
            "dispatchGesture", "sendGesture" -> gesture(a[0] as Int, (a[1] as ParceledListSlice<*>).list)
            else -> when (method.returnType) {
                Boolean::class.javaPrimitiveType -> false
                Int::class.javaPrimitiveType -> 0
                Float::class.javaPrimitiveType -> 1f
                else -> null
            }
        }
    }

    /** Windows from back to front, as the window manager has them. */
    fun roots(): List<View> =
        if (blank) emptyList() else Level.windowViews().filter { it.isShown }

    private fun root(windowId: Int): View? {
        val roots = roots()
        return if (windowId == ACTIVE_WINDOW) roots.lastOrNull() else roots.find { windowId(it) == windowId }
    }

    /** The number Android gives a window; its nodes carry it. Asked for by several threads. */
    @Synchronized
    private fun windowId(root: View): Int {
        val attached = View::class.java.getDeclaredField("mAttachInfo").apply { isAccessible = true }.get(root)
        val number = attached.javaClass.getDeclaredField("mAccessibilityWindowId").apply { isAccessible = true }
        return windowIds.getOrPut(root) { windowIds.size + 1 }.also { number.setInt(attached, it) }
    }

    private fun windows(): List<AccessibilityWindowInfo> {
        val roots = roots()
        return roots.mapIndexed { layer, root ->
            Level.window().apply {
                id = windowId(root)
                type = AccessibilityWindowInfo.TYPE_APPLICATION
                this.layer = layer
                isActive = layer == roots.lastIndex
                title = (root.layoutParams as WindowManager.LayoutParams).accessibilityTitle
                val place = IntArray(2).also(root::getLocationOnScreen)
                Level.place(this, Rect(place[0], place[1], place[0] + root.width, place[1] + root.height))
                setConnectionId(CONNECTION)
            }
        }.reversed()
    }

    @Synchronized
    private fun interaction(windowId: Int): IAccessibilityInteractionConnection? {
        val root = root(windowId)?.parent as? ViewRootImpl ?: return null
        return connections.getOrPut(root) {
            Class.forName("android.view.ViewRootImpl\$AccessibilityInteractionConnection")
                .getDeclaredConstructor(ViewRootImpl::class.java)
                .apply { isAccessible = true }
                .newInstance(root) as IAccessibilityInteractionConnection
        }
    }

    /** windowId, nodeId, interactionId, callback, flags, threadId, arguments */
    private fun find(a: Array<Any?>): Array<String>? {
        val window = interaction(a[0] as Int) ?: return null
        // Android adds what the service asked for in its description.
        val flags = a[4] as Int or Level.serviceFlags
        Level.find(window, listOf(a[1], null, a[2], a[3], flags, APP_PROCESS, a[5], null), a[6] as Bundle?)
        synchronized(this) { fetches++ }
        // Nodes that name another app than these are not believed.
        return root(a[0] as Int)?.let { arrayOf(it.context.packageName) }
    }

    /** windowId, nodeId, action, arguments, interactionId, callback, threadId */
    private fun perform(a: Array<Any?>): Boolean {
        val window = interaction(a[0] as Int) ?: return false
        window.performAccessibilityAction(
            a[1] as Long, a[2] as Int, a[3] as Bundle?, a[4] as Int,
            a[5] as IAccessibilityInteractionConnectionCallback, 0, APP_PROCESS, a[6] as Long,
        )
        return true
    }

    private fun gesture(sequence: Int, steps: List<*>) {
        gestures++
        val result = gestureResult ?: return
        val ended = Runnable { client.onPerformGestureResult(sequence, result) }
        main.post { if (result) touch(steps.map { it as GestureStep }, ended::run) else ended.run() }
    }

    /** Fingers on the screen, then `done`. */
    fun touch(steps: List<GestureStep>, done: () -> Unit) = touches.perform(steps, done)

    companion object {
        fun refused(code: Int) = Bundle().apply {
            putInt(AccessibilityService.KEY_ACCESSIBILITY_SCREENSHOT_STATUS, code)
        }

        const val CONNECTION = 7
        private const val ACTIVE_WINDOW = Int.MAX_VALUE

        /** Another process than the service's: in the same one the framework takes a shortcut. */
        private const val APP_PROCESS = 12_345
    }
}
