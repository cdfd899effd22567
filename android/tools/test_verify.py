"""That a fault of an APK is found. Run by `scripts/apk check`."""

import unittest

import elf
import manifest
import verify
from dex import NATIVE, Method

ANDROID = "http://schemas.android.com/apk/res/android:"
GOOD = f"""\
N: android=http://schemas.android.com/apk/res/android (line=2)
  E: manifest (line=2)
    A: package="com.example.app" (Raw: "com.example.app")
      E: uses-sdk (line=0)
        A: {ANDROID}minSdkVersion(0x0101020c)=26
        A: {ANDROID}targetSdkVersion(0x01010270)=35
      E: application (line=3)
        A: {ANDROID}name(0x01010003)="com.example.App" (Raw: "com.example.App")
          E: service (line=4)
            A: {ANDROID}name(0x01010003)="com.example.Service" (Raw: "com.example.Service")
            A: {ANDROID}permission(0x01010006)="android.permission.BIND_ACCESSIBILITY_SERVICE" (Raw: "x")
            A: {ANDROID}exported(0x01010010)=true
          E: receiver (line=5)
            A: {ANDROID}name(0x01010003)="com.example.Receiver" (Raw: "com.example.Receiver")
            A: {ANDROID}permission(0x01010006)="android.permission.DUMP" (Raw: "x")
            A: {ANDROID}exported(0x01010010)=true
          E: activity (line=6)
            A: {ANDROID}name(0x01010003)="com.example.Activity" (Raw: "com.example.Activity")
            A: {ANDROID}exported(0x01010010)=false
          E: activity (line=7)
            A: {ANDROID}name(0x01010003)="android.app.NativeActivity" (Raw: "android.app.NativeActivity")
            A: {ANDROID}exported(0x01010010)=true
              E: meta-data (line=8)
                A: {ANDROID}name(0x01010003)="android.app.lib_name" (Raw: "x")
                A: {ANDROID}value(0x01010024)="clawperator_operator" (Raw: "x")
              E: category (line=9)
                A: {ANDROID}name(0x01010003)="android.intent.category.LAUNCHER" (Raw: "x")
"""
VALUES = {"applicationId": "com.example.app", "minSdk": "26", "targetSdk": "35"}


def library(**changed):
    good = dict(abi="x86_64", soname=verify.LIBRARY, needed=["libc.so"], alignments=[0x4000],
                exports=set(verify.EXPORTS), imports={"malloc"}, weak_imports={"getrandom"})
    return elf.Library(**{**good, **changed})


class Manifest(unittest.TestCase):
    def faults(self, *changes):
        text = GOOD
        for old, new in changes:
            self.assertIn(old, text)
            text = text.replace(old, new)
        return list(verify.manifest_faults(manifest.read(text), VALUES))

    def test_a_good_manifest_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_another_package_or_level_is_a_fault(self):
        self.assertEqual(len(self.faults(("com.example.app", "com.example.other"))), 1)
        self.assertEqual(len(self.faults(("=26", "=25"), ("=35", "=36"))), 2)

    def test_a_receiver_that_every_app_can_reach_is_a_fault(self):
        open_to_all, one_guard = self.faults(("android.permission.DUMP", "android.permission.SET_TIME"))
        self.assertIn("com.example.Receiver is open", open_to_all)
        self.assertIn("one receiver", one_guard)

    def test_a_service_that_nobody_can_reach_is_a_fault(self):
        found = self.faults(("=true", "=false"))
        self.assertEqual(len(found), 2)
        self.assertIn("one accessibility service", found[0])

    def test_an_exported_activity_is_a_fault_unless_the_launcher_starts_it(self):
        self.assertIn("Activity is open", self.faults(("=false", "=true"))[0])
        not_started = self.faults(("category.LAUNCHER", "category.INFO"))
        self.assertIn("NativeActivity is open", not_started[0])
        self.assertIn("one NativeActivity", not_started[1])

    def test_a_launcher_that_finds_another_screen_is_a_fault(self):
        for change in (("android.app.NativeActivity", "com.example.Other"),
                       ('"clawperator_operator"', '"other"'), ("android.app.lib_name", "other")):
            with self.subTest(change):
                self.assertIn("one NativeActivity", self.faults(change)[0])

    def test_the_internet_is_a_fault(self):
        asked = f"""\
      E: uses-permission (line=8)
        A: {ANDROID}name(0x01010003)="android.permission.INTERNET" (Raw: "x")
      E: application"""
        self.assertIn("INTERNET", self.faults(("      E: application", asked))[0])


class Libraries(unittest.TestCase):
    def faults(self, **changed):
        allowed = {"libc.so": {"malloc"}, "libm.so": set()}
        return list(verify.library_faults(library(**changed), "x86_64", allowed))

    def test_a_good_library_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_each_fault_is_found(self):
        for changed in (dict(abi="arm64-v8a"), dict(soname=""), dict(needed=["libssl.so"]),
                        dict(imports={"malloc", "statx"}), dict(alignments=[0x4000, 0x1000]),
                        dict(alignments=[]), dict(exports=set()), dict(text_relocations=True),
                        dict(exports={*verify.EXPORTS, "leaked"})):
            with self.subTest(changed):
                self.assertEqual(len(self.faults(**changed)), 1)

    def test_a_native_that_the_library_does_not_know_is_a_fault(self):
        method = Method("com/example/Native", "start", "(I)V", NATIVE)
        self.assertEqual(list(verify.native_faults([method], b"\0start\0(I)V\0")), [])
        self.assertEqual(len(list(verify.native_faults([method], b"\0start\0(II)V\0"))), 1)
        self.assertEqual(len(list(verify.native_faults([], b""))), 1)

    def test_both_signatures_are_asked_for(self):
        for printed, faults in (("v2: true\nv3: true\n", 0), ("v2: true\nv3: false\n", 1), ("", 2)):
            self.assertEqual(len(list(verify.signature_faults(printed))), faults)


if __name__ == "__main__":
    unittest.main()
