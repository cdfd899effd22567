package com.clawperator.operator

import android.os.Build
import android.view.View
import android.view.ViewGroup
import com.clawperator.conformance.MainActivity
import com.clawperator.conformance.State
import java.nio.ByteBuffer
import java.util.concurrent.FutureTask
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Test

/** Whatever goes wrong is a failure with a name, and the next command works. */
class FaultsTest : PhoneTest() {
    private fun theNextCommandWorks() {
        run(click("counter_button")).succeeded()
        assertEquals(1, State.counter)
    }

    @Test
    fun `an exception of Android's is a failed step with its words`() {
        Native.connected(object : Shim by service {
            override fun capture(generation: Long): ByteBuffer = throw IllegalStateException("boom 🎉")
        })
        val none = """"retry": {"maxAttempts": 1}"""
        val failed = run(action("click", """{"matcher": ${id("counter_button")}, $none}""")).failedWith("ACTION_FAILED")
        val message = failed.data().getString("message")
        assertTrue(message, "java.lang.IllegalStateException" in message && "boom 🎉" in message)
        Native.connected(service)
        theNextCommandWorks()
    }

    @Test
    fun `an exception without a message, in the middle of acting, is one too`() {
        Native.connected(object : Shim by service {
            override fun perform(node: Int, action: Int, text: String?): Int = throw NullPointerException()
        })
        val failed = run(click("counter_button")).failedWith("ACTION_FAILED")
        assertTrue(failed.toString(), "NullPointerException" in failed.data().getString("message"))
        Native.connected(service)
        theNextCommandWorks()
    }

    @Test
    fun `bytes that are no screen are refused`() {
        Native.connected(object : Shim by service {
            override fun capture(generation: Long): ByteBuffer = ByteBuffer.allocateDirect(100)
        })
        val failed = run(action("snapshot_ui", """{"retry": {"maxAttempts": 1}}""")).failedWith("SNAPSHOT_EXTRACTION_FAILED")
        assertTrue(failed.toString(), "not a packed capture" in failed.data().getString("message"))
        Native.connected(service)
        theNextCommandWorks()
    }

    @Test
    fun `without a window there is nothing to find, until one comes`() {
        system.blank = true
        val command = send(click("counter_button"))
        repeat(10) { liveUntil("a frame") { true } }
        system.blank = false
        Native.event(0)
        envelope(command).succeeded()
        assertEquals(1, State.counter)
    }

    @Test
    fun `a node that dies between looking and clicking is not clicked`() {
        val activity = show(MainActivity::class.java)
        val button = activity.findViewById<View>(
            activity.resources.getIdentifier("counter_button", "id", activity.packageName),
        )!!
        Native.connected(object : Shim by service {
            override fun perform(node: Int, action: Int, text: String?): Int {
                activity.runOnUiThread { (button.parent as? ViewGroup)?.removeView(button) }
                // The frame in which it goes.
                while (button.isAttachedToWindow) Thread.yield()
                return service.perform(node, action, text)
            }
        })
        // It is looked for again and again, which takes a busy computer long.
        val failed = run(click("counter_button"), timeoutMs = 40_000).failedWith("NODE_NOT_FOUND")
        assertEquals(failed.toString(), 0, State.counter)
        Native.connected(service)
        run(click("dialog_button")).succeeded()
    }

    @Test
    fun `a service that is switched off in the middle ends the execution at once`() {
        val waiting = send(action("wait_for_node", """{"matcher": {"textEquals": "never"}, "timeoutMs": 60000}"""), timeoutMs = 60_000)
        liveUntil("the first look") { system.fetches > 0 }
        unbind()
        envelope(waiting).failedWith("SERVICE_UNAVAILABLE")
        run(click("counter_button")).failedWith("SERVICE_UNAVAILABLE")
        bind()
        theNextCommandWorks()
    }

    @Test
    fun `a service that goes during a gesture ends the wait for it`() {
        system.gestureResult = null
        val tap = send(action("click", """{"coordinate": {"x": 411, "y": 198}}"""))
        liveUntil("the gesture") { system.gestures == 1 }
        unbind()
        envelope(tap).failedWith("SERVICE_UNAVAILABLE")
        system.gestureResult = true
        bind()
        theNextCommandWorks()
    }

    @Test
    fun `a node that Android renews at the same moment is not lost`() {
        assumeTrue(Build.VERSION.SDK_INT >= Build.VERSION_CODES.TIRAMISU)
        val packer = TreePacker(service)
        onWorker { packer.pack(1) }
        val node = packer.nodes.single { it.text?.toString() == "Toggle is off" }
        val (parent, index) = onWorker {
            packer.nodes.firstNotNullOf { parent ->
                (0 until parent.childCount).find { parent.getChild(it) == node }?.let { parent to it }
            }
        }
        service.clearCache()
        // Neither is answered before both have been asked: only then does Android answer them at once.
        val renewed = asked { node.refresh() }
        val found = asked { packer.child(parent, index) }
        liveUntil("the answers") { renewed.isDone && found.isDone }
        assertTrue(renewed.get())
        assertEquals(node, found.get())
    }

    /** Asks the app for a node, from a thread of its own; the request is there when this returns. */
    private fun <T> asked(request: () -> T): FutureTask<T> {
        val before = system.fetches
        val task = FutureTask(request)
        Thread(task).start()
        while (system.fetches == before) Thread.yield()
        return task
    }
}
