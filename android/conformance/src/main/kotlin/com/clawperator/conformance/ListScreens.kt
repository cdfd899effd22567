package com.clawperator.conformance

import android.content.Intent
import android.view.View
import android.view.ViewGroup
import android.widget.BaseAdapter
import android.widget.ListView

/** Two hundred rows, each of which opens. */
class ListActivity : ScreenActivity() {
    override val scrolls get() = false

    override fun build() {
        val list = add("list", ListView(this), ViewGroup.LayoutParams.MATCH_PARENT)
        list.adapter = object : BaseAdapter() {
            override fun getCount() = 200

            override fun getItem(position: Int) = position + 1

            override fun getItemId(position: Int) = position.toLong()

            override fun getView(position: Int, old: View?, parent: ViewGroup): View =
                row("Row ${position + 1}", "Summary of row ${position + 1}").apply {
                    setPadding(0, 24, 0, 24)
                }
        }
        list.setOnItemClickListener { _, _, position, _ ->
            startActivity(Intent(this, DetailActivity::class.java).putExtra("n", position + 1))
        }
    }
}

/** One row. */
class DetailActivity : ScreenActivity() {
    override fun build() {
        val number = intent.getIntExtra("n", 0)
        title = "Detail of row $number"
        text("detail_value", "You opened row $number")
        add("", row("Number", "$number"))
        button("close_button", "Close", ::finish)
    }
}
