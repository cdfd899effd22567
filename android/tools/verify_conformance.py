"""Checks the signed APK of the conformance app.

    verify_conformance.py APK TOML FOLDER

FOLDER has manifest.txt and signatures.txt, as for verify.py. The operator's limits of size do not
count here: nobody installs this app but to test a phone.
"""

import sys
import tomllib
import zipfile
from pathlib import Path

import manifest
import verify

CHECKS = Path(__file__).parents[2] / "rust/host/conformance/checks.json"


def instrumentation_faults(root):
    """It runs in the app it looks at."""
    found = [element.attributes for element in root.all("instrumentation")]
    if len(found) != 1:
        yield f"one instrumentation belongs here, found {len(found)}"
    for attributes in found:
        if attributes.get("targetPackage") != root.attributes.get("package"):
            yield f"its instrumentation is for {attributes.get('targetPackage')}, not for the app itself"


def content_faults(archive, checks):
    names = archive.namelist()
    if "assets/checks.json" not in names:
        yield "it has no list of checks"
    elif archive.read("assets/checks.json") != checks:
        yield "its list of checks is not the host's"
    if libraries := [name for name in names if name.startswith("lib/")]:
        yield f"it has native libraries: {libraries}"


def main(apk, toml, folder):
    folder = Path(folder)
    values = tomllib.loads(Path(toml).read_text())["versions"]
    root = manifest.read((folder / "manifest.txt").read_text())
    faults = list(verify.zip_faults(apk))
    faults += verify.signature_faults((folder / "signatures.txt").read_text())
    faults += verify.identity_faults(root, values["conformanceId"], values)
    faults += instrumentation_faults(root)
    with zipfile.ZipFile(apk) as archive:
        faults += content_faults(archive, CHECKS.read_bytes())
    for fault in faults:
        print(f"{apk}: {fault}", file=sys.stderr)
    if not faults:
        print(f"{apk}: {Path(apk).stat().st_size // 1024} KB")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
