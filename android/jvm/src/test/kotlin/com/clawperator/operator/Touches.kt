package com.clawperator.operator

import android.accessibilityservice.GestureDescription.GestureStep
import android.os.Handler
import android.os.Looper
import android.os.SystemClock
import android.view.InputDevice
import android.view.MotionEvent
import android.view.MotionEvent.PointerCoords
import android.view.MotionEvent.PointerProperties
import android.view.View

/** Fingers on the screen: the window that is touched first keeps them until the last is lifted. */
class Touches(private val front: () -> View?) {
    private class Finger(var stroke: Int, val pointer: Int, var x: Float, var y: Float)

    private val fingers = ArrayList<Finger>()
    private val main = Handler(Looper.getMainLooper())
    private var target: View? = null
    private var downAt = 0L

    /** Each step at its time, then `done`. */
    fun perform(steps: List<GestureStep>, done: () -> Unit) {
        val start = SystemClock.uptimeMillis()
        for (step in steps) main.postAtTime({ step(step) }, start + step.timeSinceGestureStart)
        main.postAtTime(done, start + (steps.lastOrNull()?.timeSinceGestureStart ?: 0))
    }

    private fun step(step: GestureStep) {
        val points = step.touchPoints.take(step.numTouchPoints)
        var moved = false
        for (point in points) {
            val finger = fingers.find { it.stroke == point.mStrokeId || it.stroke == point.mContinuedStrokeId }
                ?: continue
            moved = moved || finger.x != point.mX || finger.y != point.mY
            finger.stroke = point.mStrokeId
            finger.x = point.mX
            finger.y = point.mY
        }
        if (moved) send(MotionEvent.ACTION_MOVE)
        for (point in points.filter { it.mIsEndOfPath }) {
            val finger = fingers.find { it.stroke == point.mStrokeId } ?: continue
            send(MotionEvent.ACTION_UP, finger)
            fingers.remove(finger)
        }
        for (point in points.filter { it.mIsStartOfPath }) {
            val free = generateSequence(0) { it + 1 }.first { pointer -> fingers.none { it.pointer == pointer } }
            val finger = Finger(point.mStrokeId, free, point.mX, point.mY)
            fingers += finger
            send(MotionEvent.ACTION_DOWN, finger)
        }
    }

    /** `ACTION_DOWN` and `ACTION_UP` are those of a further finger while others are down. */
    private fun send(action: Int, finger: Finger? = null) {
        val now = SystemClock.uptimeMillis()
        if (action == MotionEvent.ACTION_DOWN && fingers.size == 1) {
            target = front()
            downAt = now
        }
        val window = target?.takeIf { it.isAttachedToWindow } ?: return
        val code = when {
            finger == null || fingers.size == 1 -> action
            action == MotionEvent.ACTION_DOWN -> further(MotionEvent.ACTION_POINTER_DOWN, finger)
            else -> further(MotionEvent.ACTION_POINTER_UP, finger)
        }
        val properties = fingers.map {
            PointerProperties().apply { id = it.pointer; toolType = MotionEvent.TOOL_TYPE_FINGER }
        }
        val places = fingers.map { PointerCoords().apply { x = it.x; y = it.y; pressure = 1f; size = 1f } }
        val event = MotionEvent.obtain(
            downAt, now, code, fingers.size, properties.toTypedArray(), places.toTypedArray(),
            0, 0, 1f, 1f, 0, 0, InputDevice.SOURCE_TOUCHSCREEN, 0,
        )
        val origin = IntArray(2).also(window::getLocationOnScreen)
        event.offsetLocation(-origin[0].toFloat(), -origin[1].toFloat())
        window.dispatchTouchEvent(event)
        event.recycle()
    }

    private fun further(action: Int, finger: Finger) =
        action or (fingers.indexOf(finger) shl MotionEvent.ACTION_POINTER_INDEX_SHIFT)
}
