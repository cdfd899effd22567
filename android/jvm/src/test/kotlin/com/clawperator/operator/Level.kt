package com.clawperator.operator

import android.graphics.Rect
import android.graphics.Region
import android.os.Build
import android.os.Bundle
import android.view.View
import android.view.WindowManagerGlobal
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityInteractionClient
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityWindowInfo
import android.view.accessibility.IAccessibilityInteractionConnection

/**
 * Where the inside of Android differs from one API level to another. Constructors that old levels
 * keep to themselves are not called at all.
 */
object Level {
    private const val R = Build.VERSION_CODES.R

    /** Newer levels have windows on several displays. */
    fun windowList(windows: List<AccessibilityWindowInfo>): Any {
        if (Build.VERSION.SDK_INT < R) return windows
        return AccessibilityWindowInfo.WindowListSparseArray().apply { put(0, windows) }
    }

    /** Old levels are told only whether there is somebody to answer. */
    fun found(packages: Array<String>?): Any? =
        if (Build.VERSION.SDK_INT < Build.VERSION_CODES.P) packages != null else packages

    @Suppress("DEPRECATION")
    fun window(): AccessibilityWindowInfo = AccessibilityWindowInfo.obtain()

    fun place(window: AccessibilityWindowInfo, bounds: Rect) {
        if (Build.VERSION.SDK_INT < R) {
            window.javaClass.getMethod("setBoundsInScreen", Rect::class.java).invoke(window, bounds)
        } else {
            window.setRegionInScreen(Region(bounds))
        }
    }

    @Suppress("UNCHECKED_CAST")
    fun windowViews(): List<View> {
        val views = WindowManagerGlobal::class.java.getDeclaredField("mViews").apply { isAccessible = true }
        return ArrayList(views.get(WindowManagerGlobal.getInstance()) as List<View>)
    }

    /** What the system adds to a request for nodes: this service wants ids, and all views. */
    val serviceFlags = flag("REPORT_VIEW_IDS") or flag("INCLUDE_NOT_IMPORTANT_VIEWS")

    private fun flag(name: String): Int {
        val flags = AccessibilityNodeInfo::class.java.declaredFields
        val flag = flags.first { it.name == "FLAG_SERVICE_REQUESTS_$name" || it.name == "FLAG_$name" }
        return flag.apply { isAccessible = true }.getInt(null)
    }

    @Suppress("DEPRECATION")
    fun event(type: Int): AccessibilityEvent = AccessibilityEvent.obtain(type)

    @Suppress("DEPRECATION")
    fun copy(event: AccessibilityEvent): AccessibilityEvent = AccessibilityEvent.obtain(event)

    /** The framework's memory of nodes and windows follows the events. */
    fun remember(event: AccessibilityEvent) {
        val client = AccessibilityInteractionClient.getInstance()
        val heard = client.javaClass.methods.first { it.name == "onAccessibilityEvent" }
        val rest = arrayOfNulls<Any?>(heard.parameterCount - 1).apply { fill(SystemDouble.CONNECTION) }
        heard.invoke(client, event, *rest)
    }

    /** Newer levels pass a matrix, which may be missing, before the arguments. */
    fun find(window: IAccessibilityInteractionConnection, request: List<Any?>, arguments: Bundle?) {
        val find = IAccessibilityInteractionConnection::class.java.methods
            .first { it.name == "findAccessibilityNodeInfoByAccessibilityId" }
        val unknown = arrayOfNulls<Any?>(find.parameterCount - request.size - 1)
        find.invoke(window, *request.toTypedArray(), *unknown, arguments)
    }
}
