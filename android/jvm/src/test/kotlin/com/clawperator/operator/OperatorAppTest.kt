package com.clawperator.operator

import java.io.File
import javax.xml.parsers.DocumentBuilderFactory
import org.junit.Assert.assertEquals
import org.junit.Assert.assertTrue
import org.junit.Test
import org.w3c.dom.Element

/** What the manifest promises to the rest of the phone. */
class OperatorAppTest {
    private val manifest = DocumentBuilderFactory.newInstance().newDocumentBuilder()
        .parse(File("../app/src/main/AndroidManifest.xml")).documentElement

    private fun one(tag: String) = manifest.getElementsByTagName(tag).item(0) as Element

    private fun Element.android(name: String) = getAttribute("android:$name")

    @Test
    fun `only Android binds the service and only the shell sends commands`() {
        assertEquals("android.permission.BIND_ACCESSIBILITY_SERVICE", one("service").android("permission"))
        assertEquals(OperatorService::class.java.name, one("service").android("name"))
        assertEquals("android.permission.DUMP", one("receiver").android("permission"))
        assertEquals(CommandReceiver::class.java.name, one("receiver").android("name"))
    }

    @Test
    fun `no permission is asked for, not even the internet`() {
        assertEquals(0, manifest.getElementsByTagName("uses-permission").length)
    }
}
