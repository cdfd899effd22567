"""The protocol's own Python SDK at `clawperator mcp`: lists and calls every tool.

Arguments: how to begin, `legacy` with a handshake as before 2026 or `auto` as the server likes it
best; serial of the phone; then the program and what it takes, or the address of a server.
"""

import base64
import json
import os
import sys

import anyio
from mcp import MCPError, StdioServerParameters
from mcp.client import Client
from mcp.client.stdio import stdio_client

MODE, PHONE, SERVER, *REST = sys.argv[1:]
SETTINGS = "com.android.settings"
TOOLS = [
    "devices", "snapshot", "screenshot", "click", "type", "scroll", "press", "open", "wait",
    "read", "execute", "skill",
]


def target():
    """Where the server is."""
    if SERVER.startswith("http"):
        return SERVER
    server = StdioServerParameters(command=SERVER, args=REST, env=dict(os.environ))
    return stdio_client(server)


class Agent:
    """A client that knows which tools it has called."""

    def __init__(self, client):
        self.client = client
        self.called = set()

    async def call(self, tool, /, fails=None, **arguments):
        """Calls a tool that must go well, or must fail with this code."""
        self.called.add(tool)
        arguments.setdefault("device", PHONE)
        result = await self.client.call_tool(tool, arguments)
        facts = result.structured_content
        said = result.content[0].text
        assert result.is_error == (fails is not None), said
        if fails:
            assert facts["error"]["code"] == fails, facts
            assert facts["error"]["message"] and fails in said, said
        return result


def seen(result):
    """What the screen showed, which is told in two places and marked in both."""
    text = result.content[0].text
    begin = next(line for line in text.splitlines() if line.startswith("--- untrusted "))
    boundary = begin.split()[2].rstrip(":")
    inside = text.split(begin + "\n")[1].split(f"\n--- end of untrusted {boundary} ---")
    assert len(inside) == 2 and len(boundary) == 20, text
    return result.structured_content["untrusted"], inside[0]


async def definitions(client):
    listed = (await client.list_tools()).tools
    assert [tool.name for tool in listed] == TOOLS, listed
    whole = json.dumps(
        {"tools": [tool.model_dump(by_alias=True, exclude_none=True) for tool in listed]},
        separators=(",", ":"), ensure_ascii=False,
    )
    assert len(whole.encode()) <= 6000, len(whole.encode())
    for tool in listed:
        hints = tool.annotations
        assert None not in (
            hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint,
            hints.open_world_hint,
        ), tool
        assert not (hints.read_only_hint and hints.destructive_hint), tool
    assert "untrusted" in client.instructions, client.instructions


async def tour(agent):
    """Every tool, as an agent would use it."""
    facts = (await agent.call("devices", apps=True)).structured_content
    assert [one["serial"] for one in facts["devices"]] == [PHONE], facts
    assert SETTINGS in facts["apps"]["packages"], facts

    told, text = seen(await agent.call("open", app=SETTINGS, restart=True, snapshot=True))
    assert told["app"] == SETTINGS and "Battery" in told["screen"] and "Battery" in text, told

    told, text = seen(await agent.call("snapshot"))
    assert told["screen"].rstrip() == text, text
    generation = text.split()[1].lstrip("g")
    row = next(line for line in text.splitlines() if '"Battery"' in line)
    ref = f"{row.split(':')[0].split()[-1]}@{generation}"

    told, _ = seen(await agent.call("click", ref=ref, snapshot=True))
    assert "Battery" in told["screen"], told
    seen(await agent.call("click", ref=ref, fails="NODE_STALE"))
    await agent.call("press", key="back")

    told, _ = seen(await agent.call("wait", text="Battery", timeoutMs=5000))
    assert told["label"] == "Battery", told
    told, _ = seen(await agent.call("wait", app=SETTINGS))
    assert told["app"] == SETTINGS, told

    told, _ = seen(await agent.call("read", label="Battery"))
    assert told["value"].startswith("80%"), told
    told, _ = seen(await agent.call("read", id="android:id/title", all=True))
    assert "Battery" in json.loads(told["text"]), told

    told, _ = seen(await agent.call("scroll", snapshot=True))
    assert told["direction"] == "down", told
    told, _ = seen(await agent.call("scroll", text="About phone"))
    assert told["termination_reason"] == "TARGET_FOUND", told
    told, _ = seen(await agent.call("click", text="About phone", scroll="down", snapshot=True))
    assert "Android version" in told["screen"], told

    taken = await agent.call("screenshot")
    picture = taken.content[1]
    assert picture.type == "image" and picture.mime_type == "image/png", picture
    png = base64.b64decode(picture.data)
    assert png.startswith(b"\x89PNG\r\n") and len(png) > 10_000, len(png)
    size = [int.from_bytes(png[at:at + 4], "big") for at in (16, 20)]
    assert size == [1080, 2400], size

    await agent.call("open", app="com.example.account")
    told, _ = seen(await agent.call("type", role="textfield", text="hello"))
    assert told["text"] == "hello", told
    told, _ = seen(await agent.call("type", text=" there", append=True, snapshot=True))
    assert "hello there" in told["screen"], told


async def executions(agent):
    actions = [
        {"id": "open", "type": "open_app", "params": {"applicationId": SETTINGS}},
        {"id": "look", "type": "snapshot", "params": {"view": "text"}},
        {"id": "shot", "type": "take_screenshot"},
    ]
    heard = []

    async def progress(done, total, message):
        heard.append((done, total, message))

    result = await agent.client.call_tool(
        "execute", {"actions": actions, "device": PHONE}, progress_callback=progress
    )
    told, text = seen(result)
    assert [step["success"] for step in told["stepResults"]] == [True] * 3, told
    assert "[look] snapshot_ui done" in text and result.content[1].type == "image", text
    assert heard == [
        (1, 3, "step 1 of 3: open_app done"),
        (2, 3, "step 2 of 3: snapshot_ui done"),
        (3, 3, "step 3 of 3: take_screenshot done"),
    ], heard
    valid = await agent.call("execute", actions=actions, validateOnly=True)
    assert valid.structured_content["validated"] is True, valid


async def skills(agent):
    listed = (await agent.call("skill")).structured_content["skills"]
    ids = [skill["id"] for skill in listed]
    assert "com.android.settings.get-battery" in ids, listed
    found = (await agent.call("skill", search="battery")).structured_content["skills"]
    assert [skill["id"] for skill in found] == ["com.android.settings.get-battery"], found
    ran = await agent.call("skill", id="com.android.settings.get-battery")
    told, _ = seen(ran)
    assert told["outputs"], told
    await agent.call("skill", id="com.example.nothing", fails="SKILL_NOT_FOUND")


async def troubles(agent):
    """What goes wrong comes back as something an agent can read and mend."""
    error = await agent.call("wait", text="No such thing", timeoutMs=200, fails="NODE_NOT_FOUND")
    assert error.structured_content["error"]["hint"], error
    wrong = [{"id": "a", "type": "clik"}]
    failed = await agent.call("execute", actions=wrong, fails="EXECUTION_VALIDATION_FAILED")
    details = failed.structured_content["error"]["details"]
    assert details["path"] == "actions.0.type" and "click" in details["hint"], details
    written = [{"id": "a", "type": "take_screenshot", "params": {"path": "/tmp/x.png"}}]
    failed = await agent.call("execute", actions=written, fails="EXECUTION_VALIDATION_FAILED")
    assert failed.structured_content["error"]["details"]["path"] == "actions.0.params.path"
    for arguments in ({}, {"text": "a", "x": 1, "y": 2}, {"txt": "a"}, {"x": 1}):
        await agent.call("click", fails="EXECUTION_VALIDATION_FAILED", **arguments)
    await agent.call("snapshot", device="other", fails="DEVICE_NOT_FOUND")
    try:
        await agent.client.call_tool("no_such_tool", {})
        raise AssertionError("a tool that is not there was called")
    except MCPError as error:
        assert error.code == -32602 and "no_such_tool" in error.message, error


async def cancellation(agent):
    """What is cancelled stops on the phone: nobody could use it meanwhile otherwise."""
    home = {"id": "home", "type": "press_key", "params": {"key": "home"}}
    sleep = {"id": "sleep", "type": "sleep", "params": {"durationMs": 100_000}}
    running = anyio.Event()

    async def progress(done, total, message):
        running.set()

    async with anyio.create_task_group() as group:
        async def long():
            await agent.client.call_tool(
                "execute",
                {"actions": [home, sleep], "timeoutMs": 110_000, "device": PHONE},
                progress_callback=progress,
            )
            raise AssertionError("it went on to its end")

        group.start_soon(long)
        await running.wait()
        group.cancel_scope.cancel()
    with anyio.fail_after(20):
        seen(await agent.call("snapshot"))


async def main():
    async with Client(target(), mode=MODE) as client:
        agent = Agent(client)
        await definitions(client)
        await tour(agent)
        await executions(agent)
        await skills(agent)
        await troubles(agent)
        await cancellation(agent)
        assert agent.called == set(TOOLS), set(TOOLS) - agent.called
        print(client.protocol_version, client.server_info.name, "all right")


anyio.run(main)
