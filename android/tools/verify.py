"""Checks a signed APK: what it asks for, what it lets in, and what its libraries need.

    verify.py APK TOML FOLDER

FOLDER has manifest.txt (aapt2 dump xmltree) and signatures.txt (Sign.java verify). The
methods of the app are written to methods.txt there, for the run of the library in emulation.
"""

import struct
import sys
import tomllib
import zipfile
from pathlib import Path

import dex
import elf
import manifest

MAX_APK = 1_800_000
MAX_DEX = 25_000
PAGE = 0x4000  # 16 KB, as new phones have
LIBRARY = "libclawperator_operator.so"
# For Java; for the NativeActivity of the launcher, and what that calls on a thread of its own.
EXPORTS = {"JNI_OnLoad", "ANativeActivity_onCreate", "android_main"}
COMPONENTS = ("activity", "activity-alias", "service", "receiver", "provider")


def identity_faults(root, package, values):
    """What it is, and for which Androids."""
    own = root.attributes
    if own.get("package") != package:
        yield f"the package is {own.get('package')}, not {package}"
    sdk = next(root.all("uses-sdk")).attributes
    for level in ("minSdk", "targetSdk"):
        if sdk.get(f"{level}Version") != values[level]:
            yield f"{level} is {sdk.get(f'{level}Version')}, not {values[level]}"


def manifest_faults(root, values):
    """Who may reach the app, and what the app may reach."""
    yield from identity_faults(root, values["applicationId"], values)
    for asked in root.all("uses-permission", "uses-permission-sdk-23"):
        if asked.attributes["name"] == "android.permission.INTERNET":
            yield "it asks for INTERNET: nothing may leave the phone but over adb"
    application = next(root.all("application"))
    for flag in ("debuggable", "testOnly"):
        if application.attributes.get(flag, "false") != "false":
            yield f"the application is {flag}"
    if application.attributes.get("extractNativeLibs", "true") != "true":
        yield "extractNativeLibs is false, but the libraries are compressed"
    guards, screens = [], []
    for component in application.all(*COMPONENTS):
        if component.attributes.get("exported") != "true":
            continue
        name, guard = component.attributes["name"], component.attributes.get("permission")
        if component.tag == "receiver" and guard == "android.permission.DUMP":
            guards.append(guard)
        elif component.tag == "service" and guard == "android.permission.BIND_ACCESSIBILITY_SERVICE":
            guards.append(guard)
        elif component.tag == "activity" and is_launcher(component):
            screens.append((name, library_of(component)))
        else:
            yield f"the {component.tag} {name} is open to other apps (permission: {guard})"
    if len(guards) != 2 or len(set(guards)) != 2:
        yield f"one receiver for the shell and one accessibility service belong here, found {guards}"
    if screens != [("android.app.NativeActivity", LIBRARY)]:
        yield f"the launcher should find one NativeActivity with our library, found {screens}"


def is_launcher(activity):
    return any(category.attributes["name"] == "android.intent.category.LAUNCHER"
               for category in activity.all("category"))


def library_of(activity):
    """The library that a NativeActivity loads."""
    for data in activity.all("meta-data"):
        if data.attributes["name"] == "android.app.lib_name":
            return f"lib{data.attributes['value']}.so"
    return None


def library_faults(library, abi, allowed):
    """`allowed`: for each library of Android the names that may be imported from it."""
    if library.abi != abi:
        yield f"it is for {library.abi}"
    if library.soname != LIBRARY:
        yield f"its SONAME is '{library.soname}'"
    for name in library.needed:
        if name not in allowed:
            yield f"it needs {name}"
    for name in library.imports - set().union(*allowed.values()):
        yield f"it imports {name}, which is on no list in android/tools/bionic"
    if any(alignment % PAGE for alignment in library.alignments) or not library.alignments:
        yield f"its segments are aligned to {[hex(a) for a in library.alignments]}, not to {PAGE:#x}"
    if library.text_relocations:
        yield "it has text relocations, which Android refuses"
    if library.exports != EXPORTS:
        yield f"it exports {sorted(library.exports)}, not {sorted(EXPORTS)}"


def native_faults(methods, library):
    """The names stand in the library as they are registered. Which belongs to which is seen when
    it runs in emulation."""
    natives = [method for method in methods if method.flags & dex.NATIVE]
    if not natives:
        yield "the app has no native methods"
    for method in natives:
        for word in (method.name, method.signature):
            if word.encode() + b"\0" not in library:
                yield f"it does not know '{word}' of {method}"


def signature_faults(printed):
    for scheme in ("v2", "v3"):
        if f"{scheme}: true" not in printed.splitlines():
            yield f"it has no signature of scheme {scheme}"


def zip_faults(apk):
    """New Android refuses an app whose table of resources is compressed or not aligned."""
    with zipfile.ZipFile(apk) as archive:
        table = archive.getinfo("resources.arsc")
    with open(apk, "rb") as file:
        file.seek(table.header_offset + 26)
        name, extra = struct.unpack("<2H", file.read(4))
    if table.compress_type != zipfile.ZIP_STORED or (table.header_offset + 30 + name + extra) % 4:
        yield "resources.arsc is compressed or not aligned to 4 bytes"


def allowed_imports():
    lists = Path(__file__).with_name("bionic").glob("*.txt")
    return {path.stem + ".so": {line for line in path.read_text().splitlines() if line[:1] != "#"}
            for path in lists}


def main(apk, toml, folder):
    folder, allowed = Path(folder), allowed_imports()
    values = tomllib.loads(Path(toml).read_text())["versions"]
    faults = list(zip_faults(apk))
    faults += signature_faults((folder / "signatures.txt").read_text())
    faults += manifest_faults(manifest.read((folder / "manifest.txt").read_text()), values)
    with zipfile.ZipFile(apk) as archive:
        code = archive.read("classes.dex")
        methods = dex.methods(code)
        found = {name.split("/")[1]: archive.read(name)
                 for name in archive.namelist() if name.startswith("lib/")}
    if sorted(found) != sorted(values["abis"].split()):
        faults.append(f"it has libraries for {sorted(found)}, not for {values['abis']}")
    for abi, data in sorted(found.items()):
        for fault in (*library_faults(elf.library(data), abi, allowed), *native_faults(methods, data)):
            faults.append(f"the library for {abi}: {fault}")
    size = Path(apk).stat().st_size
    if size > MAX_APK:
        faults.append(f"it has {size} bytes, more than {MAX_APK}")
    if len(code) > MAX_DEX:
        faults.append(f"its dex has {len(code)} bytes, more than {MAX_DEX}")
    (folder / "methods.txt").write_text("".join(f"{method}\n" for method in methods))

    for fault in faults:
        print(f"{apk}: {fault}", file=sys.stderr)
    if not faults:
        libraries = ", ".join(f"{abi} {len(data) // 1024} KB" for abi, data in sorted(found.items()))
        print(f"{apk}: {size // 1024} KB (dex {len(code) // 1024} KB, {libraries})")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
