package com.clawperator.operator

import android.accessibilityservice.AccessibilityService
import android.graphics.BitmapFactory
import android.graphics.Color
import android.os.Build
import android.view.View
import com.clawperator.conformance.InputsActivity
import com.clawperator.operator.lab.Pictures
import java.io.File
import org.json.JSONObject
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Assume.assumeTrue
import org.junit.Test

/** Pictures that the accessibility service takes. */
class PicturesTest : PhoneTest() {
    private fun androidCan() = Build.VERSION.SDK_INT >= Build.VERSION_CODES.R

    @Test
    fun `an Android that takes no pictures for services leaves it to the host`() {
        assumeTrue(!androidCan())
        run(action("take_screenshot")).failedWith("UNSUPPORTED_RUNTIME_SCREENSHOT")
    }

    @Test
    fun `a picture shows what is on the screen`() {
        assumeTrue(androidCan())
        system.screenshot = Pictures(system)::answer
        val execution = execution("picture", 20_000, action("take_screenshot"))
        val file = File(folder.root, "picture.png")
        val host = ProcessBuilder(System.getProperty("knock"), PACKAGE, execution.toString(), file.path)
            .redirectErrorStream(true)
            .start()
        liveUntil("the end of the host") { !host.isAlive }
        JSONObject(host.inputStream.bufferedReader().readText()).succeeded()
        file.copyTo(File("target/pictures/main.png"), overwrite = true)

        val picture = file.readBytes().let { BitmapFactory.decodeByteArray(it, 0, it.size) }
        val front = system.roots().last()
        val button = front.findViewById<View>(context.resources.getIdentifier("counter_button", "id", context.packageName))!!
        val at = IntArray(2).also(button::getLocationOnScreen)
        val colours = HashSet<Int>()
        for (x in at[0] until at[0] + button.width) {
            for (y in at[1] until at[1] + button.height) colours += picture.getPixel(x, y)
        }
        assertTrue("a button has a face, an edge and letters on it: $colours", colours.size > 10)
        val below = IntArray(picture.width) { picture.getPixel(it, front.height - 10) }.toSet()
        assertEquals("the empty part below is of one colour", 1, below.size)
        assertTrue("which is drawn", below.single() != Color.BLACK && Color.alpha(below.single()) == 255)
    }

    @Test
    fun `a window that forbids pictures is named`() {
        assumeTrue(androidCan())
        system.screenshot = Pictures(system)::answer
        show(InputsActivity::class.java)
        run(action("take_screenshot")).failedWith("SCREENSHOT_SECURE_WINDOW")
    }

    @Test
    fun `other reasons of Android's are told, and the next picture can be taken`() {
        assumeTrue(androidCan())
        system.screenshot = { SystemDouble.refused(AccessibilityService.ERROR_TAKE_SCREENSHOT_INTERNAL_ERROR) }
        val failed = run(action("take_screenshot"))
        assertTrue(failed.toString(), "code 1" in failed.data().getString("message"))
    }
}
