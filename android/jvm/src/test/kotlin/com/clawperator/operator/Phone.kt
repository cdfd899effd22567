package com.clawperator.operator

import android.accessibilityservice.IAccessibilityServiceClient
import android.app.Activity
import android.content.Context
import android.content.Intent
import android.os.Binder
import android.os.Build
import android.os.Looper
import android.view.View
import android.view.accessibility.AccessibilityEvent
import android.view.accessibility.AccessibilityManager
import java.io.File
import java.nio.file.Files
import java.nio.file.Path
import java.time.Duration
import java.util.concurrent.Executors
import org.robolectric.Robolectric
import org.robolectric.RuntimeEnvironment
import org.robolectric.Shadows.shadowOf
import org.robolectric.android.controller.ServiceController
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowAccessibilityManager

/** Hands events of apps on; Robolectric keeps them all for ever. */
@Implements(AccessibilityManager::class)
class EventQueue : ShadowAccessibilityManager() {
    @Implementation
    override fun sendAccessibilityEvent(event: AccessibilityEvent) {
        sent += Level.copy(event)
    }

    companion object {
        /** Only the main thread adds and takes. */
        val sent = ArrayDeque<AccessibilityEvent>()
    }
}

/** The operator with its service, and the activities of apps, as Android keeps them. */
class Phone {
    val system = SystemDouble()
    val activities = Activities()
    lateinit var service: OperatorService
        private set

    /** How an activity that somebody asked for is started. */
    var open: (Intent) -> Unit = { intent ->
        intent.component?.let { show(Class.forName(it.className).asSubclass(Activity::class.java), intent) }
    }

    /** Is the service switched on? */
    var bound = false
        private set

    private val context: Context get() = RuntimeEnvironment.getApplication()
    private lateinit var controller: ServiceController<OperatorService>
    private var focused: View? = null

    init {
        // What the app is built with; Robolectric makes an old app of it, with old behaviour.
        context.applicationInfo.targetSdkVersion = 35
    }

    /** Where the service's main thread would be. */
    private val teller = Executors.newSingleThreadExecutor()

    /** Starts the operator's process. Whoever runs this plays the shell. */
    fun start(packageName: String, version: String, recordings: File) {
        EventQueue.sent.clear()
        shadowOf(context.getSystemService(AccessibilityManager::class.java)).setEnabled(true)
        val ownUid = Files.getAttribute(Path.of("/proc/self"), "unix:uid") as Int
        Native.start(packageName, version, recordings.path, Build.VERSION.SDK_INT, intArrayOf(ownUid))
    }

    /**
     * The apps live until the last event has been told: old levels ask the app for a node while they
     * hold the one lock of what they remember. Left waiting, that would reach into the next phone's
     * life, whose clock begins anew, and nobody could look at a screen until it is over.
     */
    fun stop() {
        teller.shutdownNow()
        while (!teller.isTerminated) {
            shadowOf(Looper.getMainLooper()).idleFor(Duration.ofMillis(16))
            Thread.yield()
        }
        Native.stop()
        if (bound) controller.destroy()
        activities.drop()
    }

    /** As Android does when the service is switched on. */
    fun bind() {
        controller = Robolectric.buildService(OperatorService::class.java).create()
        service = controller.get()
        system.client = IAccessibilityServiceClient.Stub.asInterface(service.onBind(Intent()))
        system.client.init(system.connection, SystemDouble.CONNECTION, Binder())
        bound = true
        shadowOf(Looper.getMainLooper()).idle()
    }

    /** As Android does when it is switched off. */
    fun unbind() {
        bound = false
        service.onUnbind(Intent())
        controller.destroy()
    }

    fun <T : Activity> show(screen: Class<T>, intent: Intent? = null): T = activities.start(screen, intent)

    /** Lets this much of the apps' time pass. */
    fun live(time: Duration) {
        shadowOf(Looper.getMainLooper()).idleFor(time)
        startWhatWasAskedFor()
        activities.settle()
        moveFocus()
        tellEvents()
    }

    /** The window in front has the focus; the service is told that windows have changed. */
    private fun moveFocus() {
        val front = system.roots().lastOrNull()
        if (front === focused) return
        focused?.let { focus(it, false) }
        front?.let { focus(it, true) }
        focused = front
        EventQueue.sent += Level.event(AccessibilityEvent.TYPE_WINDOWS_CHANGED)
    }

    private fun focus(window: View, has: Boolean) {
        val root = window.parent ?: return
        // It had one argument more on older phones: whether they are touched.
        val tell = root.javaClass.declaredMethods.single { it.name == "windowFocusChanged" }
        tell.isAccessible = true
        if (tell.parameterCount == 1) tell.invoke(root, has) else tell.invoke(root, has, true)
    }

    /**
     * The system hands events of apps to the service. Not through its binder: there the framework
     * first asks the app for the node, on the main thread, which here is the app's too and would
     * wait for itself.
     */
    private fun tellEvents() {
        while (true) {
            val event = EventQueue.sent.removeFirstOrNull() ?: return
            event.setConnectionId(SystemDouble.CONNECTION)
            event.setSealed(true)
            if (!bound) continue
            val told = service
            teller.execute {
                Level.remember(event)
                told.onAccessibilityEvent(event)
            }
        }
    }

    /** The system starts activities that somebody asked for. */
    private fun startWhatWasAskedFor() {
        open(shadowOf(RuntimeEnvironment.getApplication()).nextStartedActivity ?: return)
    }
}
