package com.clawperator.operator

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.TextView
import java.lang.ref.WeakReference
import java.lang.reflect.Proxy
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.concurrent.atomic.AtomicInteger
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.robolectric.shadows.ShadowLog

/** As many texts as it is told, all on the screen. */
class Crowd : Activity() {
    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        val rows = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        val count = intent.getIntExtra("count", 0)
        for (row in 0 until count / 20) {
            val line = LinearLayout(this)
            for (cell in 0 until 19) {
                line.addView(TextView(this).apply { text = "$row.$cell"; textSize = 4f }, LinearLayout.LayoutParams(40, 24))
            }
            rows.addView(line)
        }
        setContentView(ScrollView(this).apply { addView(rows) })
    }
}

/** What crossing between Java and Rust costs. */
class CostsTest : PhoneTest() {
    @Test
    fun `a hundred thousand calls leave nothing behind`() {
        val calls = AtomicInteger()
        val sample = ConcurrentLinkedQueue<WeakReference<String>>()
        Native.connected(object : Shim by service {
            override fun view(uri: String): Int {
                if (calls.incrementAndGet() % 100 == 0) sample.add(WeakReference(uri))
                return Shim.DONE
            }
        })
        val steps = Array(50) { action("open_uri", """{"uri": "conformance://$it"}""") }
        val payload = execution("many", 120_000, *steps).toString()
        repeat(2_000) { round ->
            broadcast("payload" to payload)
            liveUntil("round $round") { calls.get() == (round + 1) * 50 }
            ShadowLog.clear()
        }
        Native.connected(service)
        // A local reference that leaked would hold its text as long as the worker is attached.
        val deadline = System.nanoTime() + 10_000_000_000
        while (sample.any { it.get() != null } && System.nanoTime() < deadline) System.gc()
        assertEquals(100_000, calls.get())
        assertEquals(0, sample.count { it.get() != null })
    }

    @Test
    fun `a screen crosses in one call, however many nodes it has`() {
        val calls = ArrayList<String>()
        val counting = Proxy.newProxyInstance(Shim::class.java.classLoader, arrayOf(Shim::class.java)) { _, method, arguments ->
            calls += method.name
            method.invoke(service, *arguments.orEmpty())
        } as Shim
        Native.connected(counting)
        val crossings = listOf(60, 1_000).map { count ->
            show(Crowd::class.java, Intent().putExtra("count", count))
            calls.clear()
            val lines = snapshot().size
            assertTrue("$lines lines of $count nodes", lines > count / 2)
            assertEquals("$calls", 1, calls.count { it == "capture" || it == "look" })
            calls.toList()
        }
        assertEquals("all calls for 60 nodes and for 1,000", crossings[0], crossings[1])
        Native.connected(service)
    }

    @Test
    fun `captures of 60 and of 1000 nodes`() {
        for (count in listOf(60, 1_000)) {
            show(Crowd::class.java, Intent().putExtra("count", count))
            val times = List(32) {
                system.fetches = 0
                onWorker {
                    val start = System.nanoTime()
                    val packed = service.capture(it.toLong())
                    Triple((System.nanoTime() - start) / 1_000, packed.getIntAt(32), system.fetches)
                }
            }
            val (micros, nodes, fetches) = times.drop(12).sortedBy { it.first }[10]
            println("capture of $nodes nodes: $micros us in the shim, $fetches requests")
            assertTrue("$nodes nodes", nodes > count)
            // Each request goes to the app and back; without prefetching there is one for each node.
            assertTrue("$fetches requests for $nodes nodes", fetches * 10 < nodes)
        }
    }

    private fun java.nio.ByteBuffer.getIntAt(at: Int) = order(java.nio.ByteOrder.LITTLE_ENDIAN).getInt(at)
}
