package com.clawperator.conformance

import android.app.Activity
import android.content.Intent
import android.os.Bundle
import android.view.MenuItem
import android.view.View
import android.view.ViewGroup
import android.widget.Button
import android.widget.LinearLayout
import android.widget.ScrollView
import android.widget.TextView

/** What the screens share, as long as the process lives. */
object State {
    var counter = 0
    var toggle = false
    var agree = false
    var text = ""
    var submitted = false
    var colour = "Red"
    var level = 30
    var answer = "none"

    fun reset() {
        counter = 0
        toggle = false
        agree = false
        text = ""
        submitted = false
        colour = "Red"
        level = 30
        answer = "none"
    }
}

/** A screen: widgets below one another, with the ids of the simulated app of the same name. */
abstract class ScreenActivity : Activity() {
    private lateinit var column: LinearLayout

    override fun onCreate(savedInstanceState: Bundle?) {
        super.onCreate(savedInstanceState)
        column = LinearLayout(this).apply { orientation = LinearLayout.VERTICAL }
        build()
        val whole = if (scrolls) ScrollView(this).apply { id = id("scroll_view"); addView(column) } else column
        // From Android 15 on a screen reaches below the bars, unless it says otherwise.
        whole.fitsSystemWindows = true
        setContentView(whole)
        actionBar?.setDisplayHomeAsUpEnabled(this !is MainActivity)
    }

    /** Goes where back goes, whoever opened the screen. */
    override fun onNavigateUp(): Boolean {
        finish()
        return true
    }

    override fun onOptionsItemSelected(item: MenuItem): Boolean {
        if (item.itemId == android.R.id.home) return onNavigateUp()
        return super.onOptionsItemSelected(item)
    }

    /** Does the screen scroll as a whole where it is too small? */
    protected open val scrolls get() = true

    override fun onResume() {
        super.onResume()
        show()
    }

    /** Adds the widgets. */
    protected abstract fun build()

    /** Brings the widgets in line with the state. */
    protected open fun show() = Unit

    /** By name, so that the same source builds with and without generated code. */
    protected fun id(name: String): Int = resources.getIdentifier(name, "id", packageName)

    protected fun <T : View> add(name: String, view: T, height: Int = ViewGroup.LayoutParams.WRAP_CONTENT): T {
        view.id = id(name)
        column.addView(view, LinearLayout.LayoutParams(ViewGroup.LayoutParams.MATCH_PARENT, height))
        return view
    }

    protected fun text(name: String, shown: String = ""): TextView =
        add(name, TextView(this)).apply { text = shown }

    protected fun button(name: String, label: String, does: () -> Unit): Button =
        add(name, Button(this)).apply {
            text = label
            isAllCaps = false
            setOnClickListener {
                does()
                show()
            }
        }

    protected fun open(screen: Class<out Activity>) = startActivity(Intent(this, screen))

    /** A title with a summary below it, as in a list of settings. */
    protected fun row(title: String, summary: String): View =
        texts(android.R.id.title to title, android.R.id.summary to summary)

    /** Texts below one another, by id. */
    protected fun texts(vararg lines: Pair<Int, String>): View = LinearLayout(this).apply {
        orientation = LinearLayout.VERTICAL
        for ((name, shown) in lines) addView(TextView(context).apply { id = name; text = shown })
    }
}
