package com.clawperator.operator

import android.accessibilityservice.AccessibilityService
import android.content.Intent
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityNodeInfo
import android.view.accessibility.AccessibilityWindowInfo
import org.junit.Assert.assertEquals
import org.junit.Test

/** Two ways of getting a screen into Rust: `rust/operator/examples/crossings.rs`. */
internal object Crossings {
    init {
        System.load(System.getProperty("crossings"))
    }

    /** These say how often they went into Java. */
    @JvmStatic external fun packed(shim: Shim): Int

    @JvmStatic external fun byAttribute(root: AccessibilityNodeInfo, strategy: Int, width: Int, height: Int): Int

    /** The screen that was taken last. */
    @JvmStatic external fun xml(): String
}

/** What a capture of a thousand real views costs, packed and asked for piece by piece. */
class CaptureBench : PhoneTest() {
    /** Has the nodes at hand: what is measured then is packing, crossing and decoding. */
    private class Remembering(val service: OperatorService, val root: AccessibilityNodeInfo) : AccessibilityService() {
        override fun onAccessibilityEvent(event: AccessibilityEvent) = Unit

        override fun onInterrupt() = Unit

        override fun clearCache() = false

        override fun getWindows() = emptyList<AccessibilityWindowInfo>()

        override fun getRootInActiveWindow() = root

        override fun getSystemService(name: String): Any? = service.getSystemService(name)
    }

    private fun walk(node: AccessibilityNodeInfo): Int {
        var count = 1
        for (index in 0 until node.childCount) node.getChild(index, TreePacker.PREFETCH)?.let { count += walk(it) }
        return count
    }

    private fun root(): AccessibilityNodeInfo {
        service.clearCache()
        return service.windows.first { it.isActive }.getRoot(TreePacker.PREFETCH)!!
    }

    private fun byAttribute(root: AccessibilityNodeInfo): Int {
        val size = context.resources.displayMetrics
        return Crossings.byAttribute(root, TreePacker.PREFETCH, size.widthPixels, size.heightPixels)
    }

    @Test
    fun `a thousand nodes`() {
        show(Crowd::class.java, Intent().putExtra("count", 1_000))
        val root = onWorker { root().also { println("${walk(it)} nodes") } }
        val packer = TreePacker(Remembering(service, root))
        val remembered = object : Shim by service {
            override fun capture(generation: Long) = packer.pack(generation)
        }
        println("calls into Java: packed ${Crossings.packed(remembered)}, by attribute ${byAttribute(root)}")
        onWorker {
            Crossings.packed(service)
            val packed = Crossings.xml()
            byAttribute(root())
            assertEquals("both see the same screen", packed, Crossings.xml())
        }
        println("with the framework's fetching of the nodes:")
        report(inTurns(10, 40, ::onWorker, { walk(root()) }, { Crossings.packed(service) }, { byAttribute(root()) }))
        println("with the nodes at hand:")
        onWorker { walk(root()) }
        val here = { turn: () -> Unit -> turn() }
        report(inTurns(60, 200, here, { walk(root) }, { Crossings.packed(remembered) }, { byAttribute(root) }))
    }

    /** Microseconds of each, sorted. */
    private fun inTurns(warm: Int, turns: Int, on: (() -> Unit) -> Unit, vararg ways: () -> Int): List<List<Long>> {
        val times = ways.map { ArrayList<Long>() }
        repeat(warm + turns) { turn ->
            on {
                for ((way, taken) in ways.zip(times)) {
                    val start = System.nanoTime()
                    way()
                    if (turn >= warm) taken += (System.nanoTime() - start) / 1_000
                }
            }
        }
        return times.map { it.sorted() }
    }

    private fun report(times: List<List<Long>>) {
        val names = listOf("reaching each node", "packed, crossed once, decoded", "asked attribute by attribute")
        for ((name, taken) in names.zip(times)) {
            println("  %-32s p50 %6d us  p95 %6d us".format(name, taken[taken.size / 2], taken[taken.size * 95 / 100]))
        }
        val (reach, packed, asked) = times.map { it[it.size / 2].toDouble() }
        println("  all in all %.1f times, without the reaching %.1f times".format(asked / packed, (asked - reach) / (packed - reach)))
    }
}
