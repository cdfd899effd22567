package com.clawperator.operator

import android.app.Application
import android.os.Build
import java.io.File

/** Starts the operator with the process, whether the service or a broadcast brought it up. */
class OperatorApp : Application() {
    override fun onCreate() {
        super.onCreate()
        val version = packageManager.getPackageInfo(packageName, 0).versionName.orEmpty()
        val recordings = File(getExternalFilesDir(null) ?: filesDir, "recordings").path
        Native.start(packageName, version, recordings, Build.VERSION.SDK_INT, intArrayOf(ROOT, SHELL))
    }

    private companion object {
        const val ROOT = 0
        const val SHELL = 2000
    }
}
