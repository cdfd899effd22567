package com.clawperator.operator

import android.accessibilityservice.AccessibilityService
import android.content.Context
import android.graphics.Point
import android.graphics.Rect
import android.hardware.display.DisplayManager
import android.os.Build
import android.view.Display
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityNodeInfo.AccessibilityAction
import android.view.accessibility.AccessibilityWindowInfo
import java.nio.ByteBuffer
import java.nio.ByteOrder
import java.util.ArrayDeque

/**
 * Writes all windows with all their nodes into one buffer, in the form that
 * `rust/runtime/src/screen/packed.rs` describes and reads.
 */
internal class TreePacker(private val service: AccessibilityService) {
    /** The nodes of the newest capture, in the order in which they were written. */
    val nodes = ArrayList<AccessibilityNodeInfo>()

    private var buffer = allocate(256 shl 10)
    private val texts = LinkedHashMap<String, Int>()
    private val box = Rect()

    /** A window, or what stands for it where the service gets none. */
    private class Pane(
        val root: AccessibilityNodeInfo?,
        val id: Int,
        val type: Int,
        val active: Boolean,
        val layer: Int,
        val bounds: Rect,
        val title: CharSequence?,
    )

    private class Step(val node: AccessibilityNodeInfo, val place: Int) {
        var nextChild = 0
    }

    fun pack(generation: Long): ByteBuffer {
        nodes.clear()
        texts.clear()
        texts[""] = 0
        // What the framework remembers of the last capture may be older than the screen.
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) service.clearCache()
        val panes = panes()
        buffer.clear()
        reserve(HEADER_BYTES + WINDOW_BYTES * panes.size)
        buffer.position(HEADER_BYTES + WINDOW_BYTES * panes.size)
        var foreground = 0
        for (number in 0 until panes.size) {
            val pane = panes[number]
            val first = nodes.size
            if (pane.root != null) walk(pane.root)
            writeWindow(HEADER_BYTES + WINDOW_BYTES * number, pane, nodes.size - first)
            if (pane.active && foreground == 0) foreground = text(pane.root?.packageName)
        }
        val units = writeTexts()
        writeHeader(generation, foreground, panes.size, units)
        buffer.flip()
        // The slice's capacity is what was written: all that the reader needs to be told.
        return buffer.slice()
    }

    private fun panes(): List<Pane> {
        val panes = ArrayList<Pane>()
        for (window in service.windows) panes.add(pane(window))
        if (panes.isEmpty()) lonePane()?.let(panes::add)
        return panes
    }

    private fun pane(window: AccessibilityWindowInfo): Pane {
        val root = if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            window.getRoot(PREFETCH) ?: window.root
        } else {
            window.root
        }
        val bounds = Rect().also(window::getBoundsInScreen)
        return Pane(root, window.id, window.type, window.isActive, window.layer, bounds, window.title)
    }

    private fun lonePane(): Pane? {
        val root = service.rootInActiveWindow ?: return null
        val bounds = Rect().also(root::getBoundsInScreen)
        val type = AccessibilityWindowInfo.TYPE_APPLICATION
        return Pane(root, root.windowId, type, true, 0, bounds, null)
    }

    /** Depth first, without recursion: an app decides how deep its tree is. */
    private fun walk(root: AccessibilityNodeInfo) {
        val path = ArrayDeque<Step>()
        path.addLast(Step(root, writeNode(root, NO_PARENT)))
        while (true) {
            val top = path.peekLast() ?: return
            if (top.nextChild >= top.node.childCount || nodes.size >= MOST_NODES) {
                path.removeLast()
                continue
            }
            val child = child(top.node, top.nextChild++) ?: continue
            path.addLast(Step(child, writeNode(child, top.place)))
        }
    }

    /**
     * When Android renews a node after an event just while it is asked for, it answers both requests
     * at once, and one that may not be given up gets nothing. So nothing is asked for again, plainly.
     */
    internal fun child(node: AccessibilityNodeInfo, index: Int): AccessibilityNodeInfo? =
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU) {
            node.getChild(index, PREFETCH) ?: node.getChild(index)
        } else {
            node.getChild(index)
        }

    private fun writeNode(node: AccessibilityNodeInfo, parent: Int): Int {
        val place = nodes.size
        nodes.add(node)
        node.getBoundsInScreen(box)
        val range = node.rangeInfo
        reserve(NODE_BYTES)
        buffer.putInt(parent).putInt(flags(node))
        buffer.putInt(box.left).putInt(box.top).putInt(box.right).putInt(box.bottom)
        buffer.putInt(text(node.text)).putInt(text(node.contentDescription))
        buffer.putInt(text(node.className)).putInt(text(node.viewIdResourceName))
        buffer.putInt(text(node.packageName)).putInt(text(node.extras.getCharSequence(ROLE_DESCRIPTION)))
        buffer.putInt(node.collectionInfo?.rowCount ?: 0).putInt(node.collectionInfo?.columnCount ?: 0)
        buffer.putFloat(range?.min ?: 0f).putFloat(range?.max ?: 0f).putFloat(range?.current ?: 0f)
        buffer.putInt(0)
        return place
    }

    @Suppress("DEPRECATION") // isChecked, from API 36 on
    private fun flags(node: AccessibilityNodeInfo): Int {
        var bits = bit(0, node.isCheckable) or
            bit(1, node.isChecked) or
            bit(2, node.isClickable) or
            bit(3, node.isEnabled) or
            bit(4, node.isFocusable) or
            bit(5, node.isFocused) or
            bit(6, node.isScrollable) or
            bit(7, node.isLongClickable) or
            bit(8, node.isPassword) or
            bit(9, node.isSelected) or
            bit(10, node.isEditable) or
            bit(12, node.isVisibleToUser) or
            bit(14, node.collectionInfo != null) or
            bit(15, node.collectionItemInfo != null) or
            bit(16, node.rangeInfo != null) or
            bit(19, node.isShowingHintText) or
            bit(20, AccessibilityAction.ACTION_SET_TEXT in node.actionList)
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) {
            bits = bits or bit(11, node.isHeading) or bit(13, node.isScreenReaderFocusable)
        }
        return bits
    }

    private fun bit(place: Int, on: Boolean) = if (on) 1 shl place else 0

    private fun writeWindow(at: Int, pane: Pane, nodeCount: Int) {
        val bounds = pane.bounds
        buffer.putInt(at, pane.id).putInt(at + 4, pane.type)
        buffer.putInt(at + 8, if (pane.active) 1 else 0).putInt(at + 12, pane.layer)
        buffer.putInt(at + 16, bounds.left).putInt(at + 20, bounds.top)
        buffer.putInt(at + 24, bounds.right).putInt(at + 28, bounds.bottom)
        buffer.putInt(at + 32, text(pane.root?.packageName)).putInt(at + 36, text(pane.title))
        buffer.putInt(at + 40, nodeCount)
    }

    /** Says how many UTF-16 units there are. */
    private fun writeTexts(): Int {
        var units = 0
        for (text in texts.keys) units += text.length
        reserve(4 * texts.size + 2 * units)
        for (text in texts.keys) buffer.putInt(text.length)
        val chars = buffer.asCharBuffer()
        for (text in texts.keys) chars.put(text)
        buffer.position(buffer.position() + 2 * units)
        return units
    }

    private fun writeHeader(generation: Long, foreground: Int, windowCount: Int, units: Int) {
        val displays = service.getSystemService(Context.DISPLAY_SERVICE) as DisplayManager
        val display = displays.getDisplay(Display.DEFAULT_DISPLAY)
        val size = Point()
        @Suppress("DEPRECATION") // what replaces it wants a window, and a service has none
        display.getRealSize(size)
        buffer.putInt(0, MAGIC).putInt(4, display.rotation).putLong(8, generation)
        buffer.putInt(16, size.x).putInt(20, size.y).putInt(24, foreground)
        buffer.putInt(28, windowCount).putInt(32, nodes.size).putInt(36, texts.size)
        buffer.putInt(40, units).putInt(44, 0)
    }

    private fun text(text: CharSequence?): Int =
        if (text.isNullOrEmpty()) 0 else texts.getOrPut(text.toString()) { texts.size }

    private fun reserve(bytes: Int) {
        if (buffer.remaining() >= bytes) return
        val written = buffer
        written.flip()
        buffer = allocate(2 * (written.capacity() + bytes)).put(written)
    }

    private fun allocate(bytes: Int): ByteBuffer =
        ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN)

    companion object {
        /** The bytes "CLW1". */
        private const val MAGIC = 0x31574C43
        private const val HEADER_BYTES = 48
        private const val WINDOW_BYTES = 44
        private const val NODE_BYTES = 72
        private const val NO_PARENT = -1

        /** Some apps make trees that contain themselves. */
        private const val MOST_NODES = 20_000

        /** Under which androidx and Compose put it. */
        private const val ROLE_DESCRIPTION = "AccessibilityNodeInfo.roleDescription"

        /**
         * In the order of the walk, and not given up when the walk asks for more: 1,009 nodes take 52
         * requests to the app; breadth first 808, and one that may be given up 1,000.
         */
        const val PREFETCH = AccessibilityNodeInfo.FLAG_PREFETCH_DESCENDANTS_DEPTH_FIRST or
            AccessibilityNodeInfo.FLAG_PREFETCH_SIBLINGS or
            AccessibilityNodeInfo.FLAG_PREFETCH_UNINTERRUPTIBLE
    }
}
