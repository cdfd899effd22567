package com.clawperator.operator.lab

import android.accessibilityservice.AccessibilityService
import android.graphics.Bitmap
import android.graphics.Canvas
import android.graphics.Color
import android.graphics.ColorSpace
import android.graphics.Point
import android.hardware.HardwareBuffer
import android.hardware.display.DisplayManager
import android.os.Bundle
import android.os.SystemClock
import android.view.Display
import android.view.View
import android.view.WindowManager
import com.clawperator.operator.SystemDouble
import java.io.ByteArrayOutputStream
import org.robolectric.RuntimeEnvironment
import org.robolectric.annotation.Implementation
import org.robolectric.annotation.Implements
import org.robolectric.shadows.ShadowNativeBitmap

/** There is no graphics memory here: a buffer of it stands for the picture that was drawn. */
@Implements(value = Bitmap::class, isInAndroidSdk = false, callNativeMethodsByDefault = true)
class BufferedBitmap : ShadowNativeBitmap() {
    companion object {
        val drawn = java.util.WeakHashMap<HardwareBuffer, Bitmap>()

        @JvmStatic
        @Implementation(methodName = "nativeWrapHardwareBufferBitmap")
        @Suppress("unused", "UNUSED_PARAMETER")
        fun wrap(buffer: HardwareBuffer, colours: Long): Bitmap? =
            synchronized(drawn) { drawn[buffer] }
    }
}

/** Pictures of the windows, drawn by Android's own code. */
internal class Pictures(private val system: SystemDouble) {
    private val displays = RuntimeEnvironment.getApplication().getSystemService(DisplayManager::class.java)!!
    private val View.place get() = layoutParams as WindowManager.LayoutParams

    /** Null where an app forbids it. On the main thread. */
    fun draw(): Bitmap? {
        val windows = system.roots()
        if (windows.any { it.place.flags and WindowManager.LayoutParams.FLAG_SECURE != 0 }) return null
        val size = Point()
        @Suppress("DEPRECATION") // what replaces it is younger than the oldest Android
        displays.getDisplay(Display.DEFAULT_DISPLAY).getRealSize(size)
        val bitmap = Bitmap.createBitmap(size.x, size.y, Bitmap.Config.ARGB_8888)
        val canvas = Canvas(bitmap)
        canvas.drawColor(Color.BLACK)
        for (window in windows) {
            if (window.place.flags and WindowManager.LayoutParams.FLAG_DIM_BEHIND != 0) {
                canvas.drawColor(Color.argb(window.place.dimAmount, 0f, 0f, 0f))
            }
            val at = IntArray(2).also(window::getLocationOnScreen)
            canvas.save()
            canvas.translate(at[0].toFloat(), at[1].toFloat())
            window.draw(canvas)
            canvas.restore()
        }
        return bitmap
    }

    fun png(): ByteArray? {
        val bytes = ByteArrayOutputStream()
        return draw()?.let { it.compress(Bitmap.CompressFormat.PNG, 100, bytes); bytes.toByteArray() }
    }

    /** What the accessibility service is told. */
    fun answer(): Bundle {
        val picture = draw() ?: return SystemDouble.refused(AccessibilityService.ERROR_TAKE_SCREENSHOT_SECURE_WINDOW)
        val buffer = HardwareBuffer.create(
            picture.width, picture.height, HardwareBuffer.RGBA_8888, 1, HardwareBuffer.USAGE_GPU_SAMPLED_IMAGE,
        )
        synchronized(BufferedBitmap.drawn) { BufferedBitmap.drawn[buffer] = picture }
        return Bundle().apply {
            putInt(AccessibilityService.KEY_ACCESSIBILITY_SCREENSHOT_STATUS, AccessibilityService.TAKE_SCREENSHOT_SUCCESS)
            putParcelable(AccessibilityService.KEY_ACCESSIBILITY_SCREENSHOT_HARDWAREBUFFER, buffer)
            val space = ColorSpace.get(ColorSpace.Named.SRGB)
            putParcelable(AccessibilityService.KEY_ACCESSIBILITY_SCREENSHOT_COLORSPACE, android.graphics.ParcelableColorSpace(space))
            putLong(AccessibilityService.KEY_ACCESSIBILITY_SCREENSHOT_TIMESTAMP, SystemClock.uptimeMillis())
        }
    }
}
