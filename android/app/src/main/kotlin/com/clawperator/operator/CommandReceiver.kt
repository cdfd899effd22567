package com.clawperator.operator

import android.content.BroadcastReceiver
import android.content.Context
import android.content.Intent

/** Hands commands that come as broadcasts to the operator. */
class CommandReceiver : BroadcastReceiver() {
    override fun onReceive(context: Context, intent: Intent) {
        fun extra(name: String) = intent.getStringExtra(name)
        Native.receive(extra("payload"), extra("dispatch"), extra("resume"), extra("cancel"))
    }
}
