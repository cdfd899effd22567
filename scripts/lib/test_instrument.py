"""That a run which failed, broke or never began is told as that. Run by `scripts/apk check`."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

import instrument


def status(code, test="a click clicks", current=1, count=2, **more):
    values = {"class": "com.example.Checks", "current": current, "id": "ExampleInstrumentation",
              "numtests": count, "stream": "", "test": test, **more}
    lines = [f"INSTRUMENTATION_STATUS: {key}={value}" for key, value in values.items()]
    return "\n".join([*lines, f"INSTRUMENTATION_STATUS_CODE: {code}"]) + "\n"


STACK = "first line\nexpected: x\n\tat com.example.Checks.run(Checks.kt:7)"
FIRST = status(1) + status(0)
END = "INSTRUMENTATION_RESULT: stream=\n\nOK (2 tests)\n\nINSTRUMENTATION_CODE: -1\n"
CRASH = """\
INSTRUMENTATION_RESULT: shortMsg=Process crashed.
INSTRUMENTATION_CODE: 0
"""
MISSING = """\
INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{com.example/com.example.Run}
INSTRUMENTATION_STATUS: id=ActivityManagerService
INSTRUMENTATION_STATUS_CODE: -1
android.util.AndroidException: INSTRUMENTATION_FAILED: com.example/com.example.Run
\tat com.android.commands.am.Instrument.run(Instrument.java:519)
"""


class Instrument(unittest.TestCase):
    def read(self, printed):
        run = instrument.read_instrument(printed)
        return [case.outcome for case in run.cases], run.problem

    def test_a_whole_run_is_well(self):
        printed = FIRST + status(1, "another", 2) + status(0, "another", 2) + END
        self.assertEqual(self.read(printed), (["passed", "passed"], ""))
        self.assertEqual(self.read(printed.replace("\n", "\r\n")), (["passed", "passed"], ""))

    def test_a_failure_has_its_whole_stack_and_a_skipped_test_its_reason(self):
        printed = FIRST + status(1, "bad", 2, 3) + status(-2, "bad", 2, 3, stack=STACK)
        printed += status(1, "old", 3, 3) + status(-4, "old", 3, 3, stack="too old") + END
        run = instrument.read_instrument(printed)
        self.assertEqual([(case.name, case.outcome, case.told) for case in run.cases[1:]],
                         [("bad", "failed", STACK), ("old", "skipped", "too old")])
        self.assertFalse(run.ok)

    def test_a_crash_is_told_with_the_test_it_happened_in(self):
        run = instrument.read_instrument(FIRST + status(1, "another", 2) + CRASH)
        self.assertEqual(run.problem, "Process crashed.")
        self.assertEqual([(case.name, case.outcome) for case in run.cases],
                         [("a click clicks", "passed"), ("another", "failed")])

    def test_what_crashed_is_said_once(self):
        long = CRASH.replace("INSTRUMENTATION_CODE", "INSTRUMENTATION_RESULT: longMsg=a.B: c\nINSTRUMENTATION_CODE")
        self.assertEqual(self.read(FIRST + long)[1], "Process crashed.: a.B: c")
        self.assertEqual(self.read(long.replace("a.B: c", "Process crashed."))[1], "Process crashed.")

    def test_an_instrumentation_that_is_not_there_never_ran(self):
        outcomes, problem = self.read(MISSING)
        self.assertEqual(outcomes, [])
        self.assertIn("Unable to find instrumentation info for: ComponentInfo{com.example/com.example.Run}", problem)
        reason, trace = MISSING[:MISSING.index("android.util")], MISSING[MISSING.index("android.util"):]
        self.assertIn("INSTRUMENTATION_FAILED", self.read(trace)[1])
        # Two streams of one program come in any order.
        self.assertEqual(self.read(trace + reason)[1], problem)

    def test_a_system_that_went_down_and_a_line_that_was_cut(self):
        self.assertIn("System has crashed", self.read(FIRST + "INSTRUMENTATION_ABORTED: System has crashed.\n")[1])
        self.assertEqual(self.read(FIRST)[1], "what it printed ends in the middle")
        self.assertEqual(self.read("")[1], "what it printed ends in the middle")
        self.assertEqual(self.read("error: no devices/emulators found\n")[1], "what it printed ends in the middle")

    def test_an_end_that_is_not_the_end_of_all_tests(self):
        self.assertEqual(self.read(FIRST + END)[1], "1 tests ran, 2 were announced")
        self.assertEqual(self.read(END)[1], "no test ran")
        self.assertEqual(self.read(FIRST + "INSTRUMENTATION_CODE: 0\n")[1], "it ended with code 0")


class Conformance(unittest.TestCase):
    def test_a_report_is_read_check_by_check(self):
        report = {"ok": False, "checks": [{"name": "a", "ok": True}, {"name": "b", "ok": False, "problem": "why"},
                                          {"name": "c", "ok": True, "skipped": "too old"}]}
        run = instrument.read_conformance("socket", json.dumps(report))
        self.assertEqual([(case.outcome, case.told) for case in run.cases],
                         [("passed", ""), ("failed", "why"), ("skipped", "too old")])

    def test_a_failure_of_the_whole_is_its_problem(self):
        run = instrument.read_conformance("socket", '{"code": "APP_NOT_FOUND", "message": "not installed"}')
        self.assertEqual((run.ok, run.problem), (False, "APP_NOT_FOUND: not installed"))
        for answer in ("", "Killed", "[]", "{}"):
            self.assertIn("no answer", instrument.read_conformance("socket", answer).problem)


class Folder(unittest.TestCase):
    def told(self, **files):
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()) as out:
            for name, text in files.items():
                (Path(folder) / name.replace("__", "-").replace("_", ".")).write_text(text)
            code = instrument.main(folder)
            return code, out.getvalue(), ElementTree.parse(Path(folder) / "junit.xml").getroot()

    def test_all_well_is_0_and_anything_else_is_not(self):
        printed = status(1, count=1) + status(0, count=1) + END
        report = '{"checks": [{"name": "a", "ok": true}]}'
        links = {"conformance__socket_json": report, "conformance__broadcast_json": report}
        code, out, xml = self.told(instrument_txt=printed, **links)
        self.assertEqual((code, [suite.get("tests") for suite in xml]), (0, ["1", "1", "1"]))
        code, out, xml = self.told(instrument_txt=MISSING, **links)
        self.assertEqual((code, xml[0].get("errors")), (1, "1"))
        self.assertIn("did not run: Unable to find", out)
        del links["conformance__socket_json"]
        self.assertEqual(self.told(instrument_txt=printed, **links)[0], 1)


if __name__ == "__main__":
    unittest.main()
