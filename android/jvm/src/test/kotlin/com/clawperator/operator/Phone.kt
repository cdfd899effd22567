package com.clawperator.operator

import android.accessibilityservice.IAccessibilityServiceClient
import android.app.Activity
import android.content.Context
import android.content.Intent
import android.os.Binder
import android.os.Looper
import android.view.View
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityManager
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ActivityController
import org.robolectric.android.controller.ServiceController

/** The operator with its service, and the activities of apps, as Android keeps them. */
class Phone {
    val system = SystemDouble()
    lateinit var service: OperatorService
        private set

    private val context: Context get() = RuntimeEnvironment.getApplication()
    private lateinit var controller: ServiceController<OperatorService>
    private val manager = shadowOf(context.getSystemService(AccessibilityManager::class.java))
    private val shown = ArrayList<ActivityController<out Activity>>()
    private var eventsTold = 0

    /** Starts the operator's process. Whoever runs this plays the shell. */
    fun start(packageName: String, version: String, recordings: File) {
        manager.setEnabled(true)
        val ownUid = Files.getAttribute(Path.of("/proc/self"), "unix:uid") as Int
        Native.start(packageName, version, recordings.path, 35, intArrayOf(ownUid))
    }

    fun stop() {
        Native.stop()
        controller.destroy()
        shown.forEach { it.close() }
    }

    /** As Android does when the service is switched on. */
    fun bind() {
        controller = Robolectric.buildService(OperatorService::class.java).create()
        service = controller.get()
        system.client = IAccessibilityServiceClient.Stub.asInterface(service.onBind(Intent()))
        system.client.init(system.connection, SystemDouble.CONNECTION, Binder())
        shadowOf(Looper.getMainLooper()).idle()
    }

    /** As Android does when it is switched off. */
    fun unbind() {
        service.onUnbind(Intent())
    }

    fun <T : Activity> show(screen: Class<T>, intent: Intent? = null): T {
        // Android shows the window of a stopped activity to nobody.
        shown.lastOrNull()?.get()?.window?.decorView?.visibility = View.INVISIBLE
        val activity = Robolectric.buildActivity(screen, intent).setup().visible()
        shown += activity
        shadowOf(Looper.getMainLooper()).idle()
        return activity.get()
    }

    /** Lets this much of the apps' time pass. */
    fun live(time: Duration) {
        shadowOf(Looper.getMainLooper()).idleFor(time)
        startWhatWasAskedFor()
        tellEvents()
    }

    /**
     * The system hands events of apps to the service. Not through its binder: there the framework
     * first asks the app for the node, and here both have the same main thread, which then waits
     * for itself.
     */
    private fun tellEvents() {
        val events = manager.sentAccessibilityEvents
        while (eventsTold < events.size) {
            val event = AccessibilityEvent(events[eventsTold++])
            event.setConnectionId(SystemDouble.CONNECTION)
            event.setSealed(true)
            service.onAccessibilityEvent(event)
        }
    }

    /** The system starts activities that somebody asked for. */
    private fun startWhatWasAskedFor() {
        val intent = shadowOf(RuntimeEnvironment.getApplication()).nextStartedActivity ?: return
        val name = intent.component?.className ?: return
        show(Class.forName(name).asSubclass(Activity::class.java), intent)
    }
}
