package com.clawperator.conformance

import android.app.AlertDialog
import android.text.Editable
import android.text.TextWatcher
import android.view.View
import android.view.inputmethod.EditorInfo
import android.widget.EditText
import android.widget.Switch
import android.widget.TextView

/** The first screen: one of each of the simple things. */
class MainActivity : ScreenActivity() {
    private lateinit var counter: TextView
    private lateinit var toggle: TextView
    private lateinit var submitted: TextView
    private lateinit var answer: TextView

    override fun build() {
        counter = text("counter_value")
        button("counter_button", "Add one") { State.counter++ }.setOnLongClickListener {
            State.counter = 0
            show()
            true
        }
        add("toggle", Switch(this)).apply {
            text = "Toggle"
            isChecked = State.toggle
            setOnCheckedChangeListener { _, on ->
                State.toggle = on
                show()
            }
        }
        toggle = text("toggle_value")
        add("text_field", EditText(this)).apply {
            hint = "Type here"
            isSingleLine = true
            imeOptions = EditorInfo.IME_ACTION_GO
            setText(State.text)
            addTextChangedListener(object : TextWatcher {
                override fun beforeTextChanged(s: CharSequence?, start: Int, count: Int, after: Int) = Unit

                override fun onTextChanged(s: CharSequence?, start: Int, before: Int, count: Int) = Unit

                override fun afterTextChanged(s: Editable) {
                    State.text = s.toString()
                    show()
                }
            })
            setOnEditorActionListener { _, _, _ ->
                State.submitted = true
                show()
                true
            }
        }
        submitted = text("submitted_value")
        button("list_button", "Open list") { open(ListActivity::class.java) }
        button("late_button", "Open late screen") { open(LateActivity::class.java) }
        button("dialog_button", "Open dialog", ::ask)
        answer = text("answer_value")
        button("tabs_button", "Open tabs") { open(TabsActivity::class.java) }
        button("inputs_button", "Open inputs") { open(InputsActivity::class.java) }
        button("disabled_button", "Never enabled") {}.isEnabled = false
    }

    override fun show() {
        counter.text = "Count: ${State.counter}"
        toggle.text = "Toggle is ${if (State.toggle) "on" else "off"}"
        submitted.text = "Submitted: ${State.text}"
        submitted.visibility = if (State.submitted) View.VISIBLE else View.GONE
        answer.text = "Answer: ${State.answer}"
    }

    private fun ask() {
        fun answered(text: String) {
            State.answer = text
            show()
        }
        AlertDialog.Builder(this)
            .setTitle("Are you sure?")
            .setMessage("This cannot be undone.")
            .setNegativeButton("Cancel") { _, _ -> answered("no") }
            .setPositiveButton("OK") { _, _ -> answered("yes") }
            .show()
    }
}
