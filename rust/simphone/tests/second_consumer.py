"""Asks a phone everything that adbutils can ask: `second_consumer.py SERVER_PORT SERIAL`."""

import io
import re
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import adbutils

CONFORMANCE = "com.clawperator.conformance"


def devices(client, serial):
    assert serial in [device.serial for device in client.device_list()]
    assert serial in [info.serial for info in client.list() if info.state == "device"]
    assert client.device(serial).get_state() == "device"


def shell(device):
    assert device.shell("echo hello") == "hello"
    assert device.shell(["echo", "two words; and more"]) == "two words; and more"
    result = device.shell2("echo out; sh -c 'exit 3'")
    assert (result.returncode, result.output.strip()) == (3, "out"), result
    result = device.shell2("echo out; exit 3", v2=True)
    assert (result.returncode, result.stdout) == (3, "out\n"), result
    result = device.shell2("ls /nowhere", v2=True)
    assert result.returncode == 1 and result.stdout == "", result
    assert result.stderr == "ls: /nowhere: No such file or directory\n", result
    stream = device.shell("echo streamed", stream=True)
    assert stream.read_until_close() == "streamed\n"
    assert device.getprop("ro.product.model") == "Sim Phone"
    assert device.prop.model == "Sim Phone"
    assert device.prop.get("ro.build.version.sdk") == "35"


def files(device):
    content = bytes(range(256)) * 1000
    path = "/sdcard/Download/consumer.bin"
    assert device.sync.push(io.BytesIO(content), path, 0o644) == len(content)
    info = device.sync.stat(path)
    assert info.size == len(content) and info.mode & 0o777 == 0o644, info
    assert device.sync.exists(path) and not device.sync.exists(path + "x")
    assert "consumer.bin" in [entry.path for entry in device.sync.list("/sdcard/Download")]
    assert device.sync.read_bytes(path) == content
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder, "consumer.bin")
        assert device.sync.pull(path, here) == len(content)
        assert here.read_bytes() == content
    device.remove(path)
    assert not device.sync.exists(path)


def apps(device):
    assert {"android", CONFORMANCE, "com.android.settings"} <= set(device.list_packages())
    assert "com.android.settings" not in device.list_packages(["-3"])
    info = device.app_info("com.example.news")
    assert (info.version_name, info.path) == ("7.0", "/data/app/com.example.news/base.apk"), info
    assert device.app_info("com.example.none") is None
    device.app_start(CONFORMANCE)
    until(lambda: device.app_current().package == CONFORMANCE)
    device.app_start("com.android.settings", ".MainActivity")
    until(lambda: device.app_current().package == "com.android.settings")
    device.app_stop("com.android.settings")
    assert device.app_current().package != "com.android.settings"


def screen(device):
    assert tuple(device.window_size()) == (1080, 2400)
    assert device.rotation() == 0
    assert device.battery().level == 80
    picture = device.screenshot(error_ok=False)
    assert picture.size == (1080, 2400) and len(set(picture.resize((54, 120)).getdata())) > 5
    device.switch_screen(False)
    assert not device.is_screen_on()
    device.switch_screen(True)
    assert device.is_screen_on()
    device.shell("wm dismiss-keyguard")


def touching(device):
    device.app_start(CONFORMANCE)
    click(device, "Add one")
    until(lambda: find(device, "Count: 1"))
    click(device, "Type here")
    device.send_keys("it's me")
    until(lambda: find(device, "it's me"))
    device.keyevent("KEYCODE_DEL")
    until(lambda: find(device, "it's m"))
    device.keyevent(4)
    click(device, "Open list")
    until(lambda: not find(device, "Open list"))
    before = device.dump_hierarchy()
    device.swipe(0.5, 0.8, 0.5, 0.3, 0.2)
    until(lambda: device.dump_hierarchy() != before)
    device.keyevent("HOME")
    until(lambda: device.app_current().package == "com.android.launcher3")


def find(device, text):
    """The middle of the node with this text."""
    for node in ElementTree.fromstring(device.dump_hierarchy()).iter("node"):
        if node.get("text") == text:
            left, top, right, bottom = map(int, re.findall(r"-?\d+", node.get("bounds")))
            return (left + right) // 2, (top + bottom) // 2
    return None


def click(device, text):
    until(lambda: find(device, text))
    device.click(*find(device, text))


def until(holds):
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end, "it never was so"


def main(port, serial):
    client = adbutils.AdbClient(host="127.0.0.1", port=int(port))
    devices(client, serial)
    device = client.device(serial)
    for part in [shell, files, apps, screen, touching]:
        part(device)
    print("all right")


main(*sys.argv[1:])
