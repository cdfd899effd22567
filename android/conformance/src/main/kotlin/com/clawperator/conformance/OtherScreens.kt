package com.clawperator.conformance

import android.os.Handler
import android.os.Looper
import android.text.InputType
import android.view.View
import android.view.WindowManager
import android.widget.CheckBox
import android.widget.EditText
import android.widget.HorizontalScrollView
import android.widget.ImageView
import android.widget.LinearLayout
import android.widget.ProgressBar
import android.widget.RadioButton
import android.widget.RadioGroup
import android.widget.SeekBar
import android.widget.TextView

/** Something comes late, something goes, something happens later. */
class LateActivity : ScreenActivity() {
    private val later = Handler(Looper.getMainLooper())

    override fun build() {
        val loading = text("loading", "Loading…")
        val late = text("late_node", "Here at last").apply { visibility = View.GONE }
        later.postDelayed({
            loading.visibility = View.GONE
            late.visibility = View.VISIBLE
        }, 1_500)
        button("delayed_button", "Do something later") {
            later.postDelayed({
                State.answer = "later"
                open(MainActivity::class.java)
            }, 800)
        }
    }
}

/** Pages behind tabs, one with cards side by side. */
class TabsActivity : ScreenActivity() {
    override fun build() {
        val row = add("tabs", LinearLayout(this))
        val cards = HorizontalScrollView(this).apply {
            addView(LinearLayout(context).apply {
                for (word in listOf("One", "Two", "Three", "Four", "Five", "Six")) {
                    addView(texts(id("tile_title") to "Card $word", id("tile_value") to word), LinearLayout.LayoutParams(400, 300))
                }
            })
        }
        val pages = listOf<Pair<String, View>>(
            "First" to text("first_page", "The first page"),
            "Second" to text("second_page", "The second page"),
            "Cards" to add("cards", cards),
        )
        fun choose(chosen: Int) = pages.forEachIndexed { number, (_, page) ->
            page.visibility = if (number == chosen) View.VISIBLE else View.GONE
            row.getChildAt(number)?.isSelected = number == chosen
        }
        pages.forEachIndexed { number, (label, _) ->
            row.addView(LinearLayout(this).apply {
                contentDescription = label
                addView(TextView(context).apply { text = label })
                setPadding(40, 40, 40, 40)
                setOnClickListener { choose(number) }
            })
        }
        choose(0)
    }
}

/** Fields and choices, in a window of which no picture may be taken. */
class InputsActivity : ScreenActivity() {
    private lateinit var colour: TextView
    private lateinit var level: TextView
    private lateinit var progress: ProgressBar

    override fun build() {
        window.addFlags(WindowManager.LayoutParams.FLAG_SECURE)
        add("password_field", EditText(this)).apply {
            hint = "Password"
            inputType = InputType.TYPE_CLASS_TEXT or InputType.TYPE_TEXT_VARIATION_PASSWORD
        }
        add("agree", CheckBox(this)).apply {
            text = "I agree"
            isChecked = State.agree
            setOnCheckedChangeListener { _, on -> State.agree = on }
        }
        add("colours", RadioGroup(this)).apply {
            val names = listOf("Red", "Green", "Blue")
            for (name in names) {
                addView(RadioButton(context).apply { id = View.generateViewId(); text = name })
            }
            check(getChildAt(names.indexOf(State.colour)).id)
            setOnCheckedChangeListener { group, chosen ->
                State.colour = names[group.indexOfChild(group.findViewById(chosen))]
                show()
            }
        }
        colour = text("colour_value")
        text("", "Level")
        add("level", SeekBar(this)).apply {
            contentDescription = "Level"
            progress = State.level
            setOnSeekBarChangeListener(object : SeekBar.OnSeekBarChangeListener {
                override fun onProgressChanged(bar: SeekBar, value: Int, byUser: Boolean) {
                    State.level = value
                    show()
                }

                override fun onStartTrackingTouch(bar: SeekBar) = Unit

                override fun onStopTrackingTouch(bar: SeekBar) = Unit
            })
        }
        level = text("level_value")
        text("", "Progress")
        progress = add("progress", ProgressBar(this, null, android.R.attr.progressBarStyleHorizontal))
        progress.contentDescription = "Progress"
        add("picture", ImageView(this)).apply {
            setImageResource(android.R.drawable.ic_menu_gallery)
            contentDescription = "A picture"
        }
    }

    override fun show() {
        colour.text = "Colour: ${State.colour}"
        level.text = "Level: ${State.level}"
        progress.progress = State.level
    }
}
