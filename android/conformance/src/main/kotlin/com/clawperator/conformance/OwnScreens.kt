package com.clawperator.conformance

import android.app.Activity
import android.view.View
import android.widget.CompoundButton
import android.widget.ListView
import android.widget.TextView

/**
 * What the app itself must have seen of each check. An envelope tells what the operator believes;
 * the app knows whether it was clicked.
 */
internal object OwnScreens {
    /** What is wrong with the app after this check, if anything is. On the main thread only. */
    fun problemOf(check: String, front: Activity?): String? {
        val look = LOOKS[check] ?: return "nobody says what the app must have seen of it"
        if (front == null) return "the app is not in front"
        return Look(front).apply(look).wrong.firstOrNull()?.let { "in the app: $it" }
    }

    val names: Set<String> get() = LOOKS.keys

    private class Look(private val front: Activity) {
        val wrong = ArrayList<String>()

        fun same(what: String, seen: Any?, expected: Any?) {
            if (seen != expected) wrong += "$what is $seen, expected $expected"
        }

        inline fun <reified T : Activity> on() = same("the screen", front.javaClass.simpleName, T::class.java.simpleName)

        fun <T : View> view(name: String): T? =
            front.findViewById(front.resources.getIdentifier(name, "id", front.packageName))

        fun text(name: String) = view<TextView>(name)?.text?.toString()

        fun counted(count: Int) {
            on<MainActivity>()
            same("the counter", State.counter, count)
            same("what it shows", text("counter_value"), "Count: $count")
        }

        fun submitted(expected: String) {
            same("the text", State.text, expected)
            same("what the field shows", text("text_field"), expected)
            same("that it was submitted", State.submitted, true)
        }

        fun opened(row: Int) {
            on<DetailActivity>()
            same("the row", front.intent.getIntExtra("n", 0), row)
        }

        fun listMoved(moved: Boolean) {
            on<ListActivity>()
            same("that the list moved", view<ListView>("list")?.run { firstVisiblePosition > 0 }, moved)
        }
    }

    private val LOOKS: Map<String, Look.() -> Unit> = mapOf(
        "a click by text does what the button does" to { counted(1) },
        "a click by id, twice in one execution, is done twice" to { counted(2) },
        "a long click is not a click" to { counted(0) },
        "a role narrows a text" to { counted(1) },
        "what is not there is said to be missing, with what is near" to { counted(0) },
        "what is disabled is not clicked" to {
            counted(0)
            same("that the button is enabled", view<View>("disabled_button")?.isEnabled, false)
        },
        "a switch is switched" to {
            same("the toggle", State.toggle, true)
            same("what the switch shows", view<CompoundButton>("toggle")?.isChecked, true)
        },
        "text of every kind arrives as it was sent, and is submitted" to { submitted("Zoë's \"\$(x)\" `y` 🎉") },
        "text takes the place of text, or is added to it" to { submitted("second third") },
        "a text is read and held against a pattern" to { counted(0) },
        "every match is read" to { counted(0) },
        "a snapshot names the screen's nodes" to { counted(0) },
        "a list is scrolled until its row is there, and the row is clicked" to { opened(40) },
        "scroll and click does the same" to { opened(30) },
        "a swipe moves a list, and its edge is known" to { listMoved(true) },
        "what is not in a list is not found there, and the end is named" to { listMoved(false) },
        "a container that does not scroll is refused" to { counted(0) },
        "a container that is not there is said to be missing" to { counted(0) },
        "the value beside a label is read" to { opened(3) },
        "what comes late is waited for" to {
            on<LateActivity>()
            same("that it is there", view<View>("late_node")?.isShown, true)
        },
        "what happens later is waited for" to { same("the answer", State.answer, "later") },
        "waiting ends" to { counted(0) },
        "a dialog is answered" to { same("the answer", State.answer, "yes") },
        "back goes back" to { counted(0) },
        "a page behind a tab is reached" to {
            on<TabsActivity>()
            same("that the second page is shown", view<View>("second_page")?.isShown, true)
            same("that the first page is shown", view<View>("first_page")?.isShown, false)
        },
        "a password is typed and never told" to { same("the password", text("password_field"), "hunter2") },
        "a box is checked and a colour chosen" to {
            same("that it is agreed", State.agree, true)
            same("the colour", State.colour, "Green")
        },
        "a picture of a secure window is refused" to { on<InputsActivity>() },
        "a URI opens its screen" to { on<ListActivity>() },
        "a URI nobody answers is refused" to { counted(0) },
        "an app that is not there is not found" to { counted(0) },
        "a failed step ends the execution" to { counted(0) },
        "a dialog's nodes are told, and those of the window below" to { same("the answer", State.answer, "none") },
        "a row that was opened is told" to { opened(3) },
        "up goes back" to { counted(0) },
        "what was loading is gone when it is there" to {
            same("that it is still loading", view<View>("loading")?.isShown, false)
        },
        "tabs say which is chosen" to { same("that the second page is shown", view<View>("second_page")?.isShown, true) },
        "cards lie side by side and are scrolled" to { same("where the cards are", view<View>("cards")?.scrollX, 0) },
        "choices and their state are told" to {
            same("that it is agreed", State.agree, true)
            same("the colour", State.colour, "Green")
        },
        "a switch tells its state" to { same("the toggle", State.toggle, true) },
        "a field that is clicked takes what is typed" to { same("the text", State.text, "typed") },
        "an app that was left is as it was" to { counted(1) },
        "a picture of an open window is taken" to { on<MainActivity>() },
    )
}
