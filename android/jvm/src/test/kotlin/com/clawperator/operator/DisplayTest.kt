package com.clawperator.operator

import android.app.Activity
import android.app.Application
import android.app.Application.ActivityLifecycleCallbacks
import android.app.KeyguardManager
import android.content.Context
import android.os.Build
import android.os.Bundle
import android.os.PowerManager
import android.view.WindowManager
import com.clawperator.conformance.State
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Before
import org.junit.Test
import org.robolectric.Shadows.shadowOf
import org.robolectric.shadows.ShadowPowerManager

/** A screen that is off or locked. */
class DisplayTest : PhoneTest() {
    private val power: ShadowPowerManager
        get() = shadowOf(context.getSystemService(Context.POWER_SERVICE) as PowerManager)
    private val lock get() = shadowOf(context.getSystemService(Context.KEYGUARD_SERVICE) as KeyguardManager)

    private fun screenIsOn(on: Boolean) = power.setIsInteractive(on)

    /** The activities that were to wake the phone. */
    private val wakes = ArrayList<Activity>()

    @Before
    fun watch() {
        (context as Application).registerActivityLifecycleCallbacks(object : ActivityLifecycleCallbacks {
            override fun onActivityCreated(activity: Activity, state: Bundle?) {
                if (activity is WakeActivity) wakes += activity
            }

            override fun onActivityStarted(activity: Activity) = Unit

            override fun onActivityResumed(activity: Activity) = Unit

            override fun onActivityPaused(activity: Activity) = Unit

            override fun onActivityStopped(activity: Activity) = Unit

            override fun onActivitySaveInstanceState(activity: Activity, state: Bundle) = Unit

            override fun onActivityDestroyed(activity: Activity) = Unit
        })
    }

    @Test
    fun `a screen that stays off is named, and nothing is touched`() {
        screenIsOn(false)
        run(click("counter_button"), timeoutMs = 20_000).failedWith("DEVICE_NOT_INTERACTIVE")
        assertEquals(0, State.counter)
        assertTrue("it was asked to come on, and nothing stays of that", wakes.single().isFinishing)
    }

    @Test
    fun `a lock that stays is named, and nothing behind it is read`() {
        lock.setKeyguardLocked(true)
        run(action("snapshot_ui"), timeoutMs = 20_000).failedWith("SCREEN_LOCKED")
        assertTrue(log().none { "counter_button" in it })
        assertEquals("Android still asks for the code", false, wakes.single().isFinishing)
    }

    @Test
    fun `a lock without a code goes, and then the click is done`() {
        screenIsOn(false)
        lock.setKeyguardLocked(true)
        val command = send(click("counter_button"), timeoutMs = 20_000)
        liveUntil("the activity that wakes") { wakes.isNotEmpty() }
        val waking = wakes.single()
        assertShowsOverTheLock(waking)
        // As the window manager does for such an activity; the lock then tells it that it is gone.
        screenIsOn(true)
        lock.setKeyguardLocked(false)
        assertTrue("it has nothing more to do", waking.isFinishing)
        envelope(command).succeeded()
        assertEquals(1, State.counter)
    }

    private fun assertShowsOverTheLock(activity: Activity) {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.O_MR1) {
            assertTrue(shadowOf(activity).showWhenLocked)
            assertTrue(shadowOf(activity).turnScreenOn)
            return
        }
        @Suppress("DEPRECATION")
        val asked = WindowManager.LayoutParams.FLAG_SHOW_WHEN_LOCKED or
            WindowManager.LayoutParams.FLAG_TURN_SCREEN_ON
        assertEquals(asked, activity.window.attributes.flags and asked)
    }
}
