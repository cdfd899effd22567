package com.clawperator.operator

import java.nio.ByteBuffer

/** What this app tells the Rust library. None of it waits, and none of it throws. */
internal object Native {
    init {
        System.loadLibrary("clawperator_operator")
    }

    @JvmStatic
    external fun start(
        packageName: String,
        version: String,
        recordings: String,
        apiLevel: Int,
        acceptedUids: IntArray,
    )

    @JvmStatic external fun stop()

    @JvmStatic external fun connected(shim: Shim)

    @JvmStatic external fun disconnected()

    /** Something happened; true if a recording wants to know more. */
    @JvmStatic external fun event(type: Int): Boolean

    @JvmStatic external fun scrolled(x: Int, y: Int, firstItem: Int, dx: Int, dy: Int): Boolean

    @JvmStatic external fun key(code: Int): Boolean

    /** Takes the screen, so never on the main thread. Numbers: bounds, then x, y and their maxima. */
    @JvmStatic
    external fun record(
        type: Int,
        packageName: String?,
        className: String?,
        eventText: String?,
        nodeText: String?,
        description: String?,
        resourceId: String?,
        password: Boolean,
        numbers: IntArray,
    )

    @JvmStatic external fun recordKey(code: Int)

    @JvmStatic external fun gestureEnded(token: Int, completed: Boolean)

    @JvmStatic external fun screenshotEnded(token: Int, failure: Int, png: ByteArray?)

    @JvmStatic external fun receive(payload: String?, dispatch: String?, resume: String?, cancel: String?)
}

/** What the Rust library asks of Android, from its own threads. It calls these by name. */
internal interface Shim {
    /** The packed screen, whose nodes can be acted on until the next capture. */
    fun capture(generation: Long): ByteBuffer

    /** The packed screen, only to be read. */
    fun look(): ByteBuffer

    fun perform(node: Int, action: Int, text: String?): Int

    /** For each stroke: finger, start, length, one if it stays down, number of points, points. */
    fun gesture(token: Int, strokes: IntArray): Boolean

    fun global(action: Int): Boolean

    fun launch(packageName: String): Int

    fun view(uri: String): Int

    fun screenshot(token: Int): Boolean

    fun display(): Int

    fun wake()

    fun setting(name: String): Int

    companion object {
        const val GONE = -1
        const val REFUSED = 0
        const val DONE = 1
        const val NO_HANDLER = 2

        const val SCREEN_ON = 0
        const val SCREEN_LOCKED = 1
        const val SCREEN_OFF = 2
    }
}
