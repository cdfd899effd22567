package com.clawperator.operator

import android.app.Activity
import android.content.Intent
import android.os.Looper
import android.view.View
import org.robolectric.Robolectric
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController

/** The activities of the one task there is, from back to front. */
class Activities {
    private val stack = ArrayList<ActivityController<out Activity>>()

    /** Does the task stand behind the home screen? */
    var behind = true
        private set

    val front: Activity? get() = stack.lastOrNull()?.get()?.takeUnless { behind }
    val all: List<Activity> get() = stack.map { it.get() }

    fun <T : Activity> start(screen: Class<T>, intent: Intent? = null): T {
        val below = stack.lastOrNull()
        if (below != null && !behind) below.pause()
        val above = Robolectric.buildActivity(screen, intent).setup().visible()
        stack += above
        behind = false
        // What shines through is paused, but still seen.
        if (below != null && !above.get().window.isTranslucent()) hide(below)
        shadowOf(Looper.getMainLooper()).idle()
        return above.get()
    }

    private fun android.view.Window.isTranslucent() = windowStyle.getBoolean(
        com.android.internal.R.styleable.Window_windowIsTranslucent, false,
    )

    /** Android shows the window of a stopped activity to nobody. */
    private fun hide(activity: ActivityController<*>) {
        activity.stop()
        activity.get().window.decorView.visibility = View.INVISIBLE
    }

    private fun reveal(activity: ActivityController<*>) {
        activity.get().window.decorView.visibility = View.VISIBLE
        activity.restart().start().resume()
    }

    /** Those that are finished go, and what was below them comes to the front. */
    fun settle() {
        val finished = stack.filter { it.get().isFinishing }
        if (finished.isEmpty()) return
        val wasFront = finished.last() === stack.last() && !behind
        finished.forEach { if (it === stack.last() && !behind) it.pause() }
        stack.removeAll(finished)
        if (wasFront) stack.lastOrNull()?.let(::reveal)
        finished.forEach(::destroy)
        if (stack.isEmpty()) behind = true
    }

    private fun destroy(activity: ActivityController<*>) {
        val decor = activity.get().window.decorView
        activity.stop().destroy()
        if (decor.isAttachedToWindow) activity.get().windowManager.removeViewImmediate(decor)
    }

    fun toBack() {
        val front = stack.lastOrNull()?.takeUnless { behind } ?: return
        front.pause()
        hide(front)
        behind = true
    }

    /** False where there is nothing to bring. */
    fun toFront(): Boolean {
        val front = stack.lastOrNull() ?: return false
        if (behind) reveal(front)
        behind = false
        return true
    }

    /** As the death of their process does: nobody is asked. */
    fun drop() {
        stack.forEach { it.close() }
        stack.clear()
        behind = true
    }
}
