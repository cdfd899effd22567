"""That a fault of the conformance app's APK is found. Run by `scripts/apk check`."""

import io
import unittest
import zipfile

import manifest
import verify_conformance

ANDROID = "http://schemas.android.com/apk/res/android:"
INSTRUMENTATION = f"""\
      E: instrumentation (line=4)
        A: {ANDROID}name(0x01010003)="com.example.Run" (Raw: "com.example.Run")
        A: {ANDROID}targetPackage(0x01010021)="com.example.app" (Raw: "com.example.app")
"""
HEAD = """\
N: android=http://schemas.android.com/apk/res/android (line=2)
  E: manifest (line=2)
    A: package="com.example.app" (Raw: "com.example.app")
"""


class Conformance(unittest.TestCase):
    def test_one_instrumentation_for_the_app_itself(self):
        other = INSTRUMENTATION.replace("com.example.app", "com.example.other")
        for text, faults in ((INSTRUMENTATION, 0), ("", 1), (other, 1), (INSTRUMENTATION * 2, 1)):
            root = manifest.read(HEAD + text)
            self.assertEqual(len(list(verify_conformance.instrumentation_faults(root))), faults)

    def test_the_list_of_checks_is_the_hosts(self):
        for files, faults in (({"assets/checks.json": b"[]"}, 0), ({"assets/checks.json": b"[1]"}, 1), ({}, 1),
                              ({"assets/checks.json": b"[]", "lib/x86_64/x.so": b""}, 1)):
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for name, content in files.items():
                    archive.writestr(name, content)
            with zipfile.ZipFile(packed) as archive:
                self.assertEqual(len(list(verify_conformance.content_faults(archive, b"[]"))), faults)


if __name__ == "__main__":
    unittest.main()
