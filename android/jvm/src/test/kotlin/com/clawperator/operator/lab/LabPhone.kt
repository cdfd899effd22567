package com.clawperator.operator.lab

import android.os.SystemClock
import android.view.Display
import android.hardware.display.DisplayManager
import com.clawperator.operator.BareRecord
import com.clawperator.operator.BareService
import com.clawperator.operator.EventQueue
import com.clawperator.operator.Phone
import java.io.File
import java.time.Duration
import java.util.concurrent.FutureTask
import java.util.concurrent.LinkedBlockingQueue
import java.util.concurrent.TimeUnit
import org.junit.Assume.assumeTrue
import org.junit.Test
import org.junit.runner.RunWith
import org.robolectric.RobolectricTestRunner
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.annotation.Config
import org.robolectric.annotation.GraphicsMode
import org.robolectric.shadows.ShadowChoreographer
import org.robolectric.shadows.ShadowWindowManagerGlobal

/**
 * Not a test: the phone that `scripts/lab` starts. It lives in real time until it is told to end,
 * and does what the commands of its shell ask. Only a test's runner can bring Android's framework
 * up, so it is started as one.
 */
@RunWith(RobolectricTestRunner::class)
@GraphicsMode(GraphicsMode.Mode.NATIVE)
// As wide and as dense as the simulated phone.
@Config(qualifiers = "w411dp-h914dp-420dpi", shadows = [BareService::class, BareRecord::class, EventQueue::class, BufferedBitmap::class])
class LabPhone {
    private val asked = LinkedBlockingQueue<FutureTask<*>>()

    /** Does something where apps do everything, and waits for it. */
    internal fun <T> main(work: () -> T): T = FutureTask(work).also(asked::put).get()

    @Test
    fun live() {
        val folder = System.getProperty("lab")
        assumeTrue("started by scripts/lab", folder != null)
        val application = RuntimeEnvironment.getApplication()
        ShadowChoreographer.setFrameDelay(FRAME)
        shadowOf(application).checkActivities(true)
        touchMode()
        val display = application.getSystemService(DisplayManager::class.java)!!.getDisplay(Display.DEFAULT_DISPLAY)
        shadowOf(display).apply { setRealWidth(WIDTH); setRealHeight(HEIGHT); setWidth(WIDTH); setHeight(HEIGHT) }

        val state = State(Phone(), application, File(System.getProperty("lab.logs")))
        state.boot()
        val commands = Commands(state, this)
        val control = Control(File(folder!!, "control").toPath(), commands::run)
        val start = System.nanoTime()
        val booted = SystemClock.uptimeMillis()
        while (!control.over) {
            // The apps' time is what has passed; what took long is made up for bit by bit.
            val passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)
            val behind = passed - (SystemClock.uptimeMillis() - booted)
            state.live(Duration.ofMillis(behind.coerceIn(0, MOST_AT_ONCE)))
            // A thread that asks the main thread for something cannot wake it here, so it looks.
            asked.poll(LOOK_MICROS, TimeUnit.MICROSECONDS)?.run()
        }
        state.phone.stop()
    }

    /** A phone is touched: fields get the focus only when somebody wants it. */
    private fun touchMode() = ShadowWindowManagerGlobal::class.java
        .getDeclaredMethod("setInTouchMode", Boolean::class.javaPrimitiveType)
        .apply { isAccessible = true }
        .invoke(null, true)

    private companion object {
        const val WIDTH = 1080
        const val HEIGHT = 2400
        val FRAME: Duration = Duration.ofMillis(16)
        const val MOST_AT_ONCE = 64L
        const val LOOK_MICROS = 1_000L
    }
}
