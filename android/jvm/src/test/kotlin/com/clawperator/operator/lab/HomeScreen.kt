package com.clawperator.operator.lab

import android.app.Application
import android.graphics.PixelFormat
import android.view.ContextThemeWrapper
import android.view.View
import android.view.WindowManager
import android.widget.LinearLayout
import android.widget.TextView

/** What is there when no app is: a window with the apps' names, behind all others. */
internal class HomeScreen(private val application: Application) {
    private val context = object : ContextThemeWrapper(application, android.R.style.Theme_Material_Light) {
        override fun getPackageName() = PACKAGE
    }

    val view = LinearLayout(context).apply {
        orientation = LinearLayout.VERTICAL
        setBackgroundColor(BACKGROUND)
    }

    var visible: Boolean
        get() = view.visibility == View.VISIBLE
        set(value) {
            val wanted = if (value) View.VISIBLE else View.INVISIBLE
            if (view.visibility != wanted) view.visibility = wanted
        }

    fun show() {
        view.addView(TextView(context).apply {
            text = application.applicationInfo.loadLabel(application.packageManager)
            setPadding(60, 120, 60, 120)
            setOnClickListener {
                application.startActivity(application.packageManager.getLaunchIntentForPackage(application.packageName))
            }
        })
        val place = WindowManager.LayoutParams(
            WindowManager.LayoutParams.MATCH_PARENT,
            WindowManager.LayoutParams.MATCH_PARENT,
            WindowManager.LayoutParams.TYPE_APPLICATION,
            0,
            PixelFormat.OPAQUE,
        )
        place.title = "Home"
        application.getSystemService(WindowManager::class.java)!!.addView(view, place)
    }

    companion object {
        /** The name it has on the simulated phone. */
        const val PACKAGE = "com.android.launcher3"
        private const val BACKGROUND = 0xFFECEFF1.toInt()
    }
}
