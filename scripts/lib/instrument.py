"""What came of a run of `scripts/instrument`, told.

    instrument.py FOLDER

FOLDER has instrument.txt, what `am instrument -r` printed, and for each link what `clawperator
conformance` answered, conformance-LINK.json. Prints a table, writes junit.xml beside them, and
exits with 0 only if everything ran and nothing failed.
"""

import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

LINKS = ("socket", "broadcast")
PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"
# Codes that every test runner sends: started, passed, error, failure, ignored, assumption.
OUTCOMES = {0: PASSED, -1: FAILED, -2: FAILED, -3: SKIPPED, -4: SKIPPED}
STARTED = 1
FINISHED = -1
LINE = re.compile(r"^INSTRUMENTATION_(STATUS|STATUS_CODE|RESULT|CODE|FAILED|ABORTED): (.*)$")


@dataclass
class Case:
    name: str
    outcome: str
    told: str = ""


@dataclass
class Run:
    name: str
    cases: list = field(default_factory=list)
    # Why it is not whole, if it is not.
    problem: str = ""

    def count(self, outcome):
        return sum(case.outcome == outcome for case in self.cases)

    @property
    def ok(self):
        return not self.problem and not self.count(FAILED)


def read_instrument(printed):
    """The run that `am instrument -r` printed. A value goes on until the next line of the form."""
    run, values, result = Run("instrumentation"), {}, {}
    problems, thrown, ended, announced, opened, last = [], [], None, 0, None, None
    for line in printed.splitlines():
        found = LINE.match(line)
        if not found:
            # From the other stream of `am`, so it may stand anywhere; the reason is told elsewhere.
            if "AndroidException: INSTRUMENTATION_FAILED" in line:
                thrown.append(line.strip())
            elif last:
                store, key = last
                store[key] += "\n" + line
            continue
        kind, text = found.groups()
        last = None
        if kind in ("STATUS", "RESULT"):
            store = values if kind == "STATUS" else result
            key, _, store_value = text.partition("=")
            store[key] = store_value
            last = (store, key)
        elif kind == "STATUS_CODE":
            announced = int(values.get("numtests", announced))
            if "Error" in values:
                problems.append(values["Error"].partition("\n")[0])
            elif int(text) == STARTED:
                opened = values.get("test", "?")
            elif "test" in values:
                told = values.get("stack", values.get("stream", "")).strip()
                outcome = OUTCOMES.get(int(text), FAILED)
                run.cases.append(Case(values["test"], outcome, told if outcome != PASSED else ""))
                opened = None
            values = {}
        elif kind == "CODE":
            ended = int(text)
        else:
            problems.append(f"INSTRUMENTATION_{kind}: {text}")
    if opened:
        run.cases.append(Case(opened, FAILED, "it began and did not end"))
    messages = [result[key].strip() for key in ("shortMsg", "longMsg") if key in result]
    problems += [": ".join(dict.fromkeys(messages))] if messages else []
    problems += thrown
    if not problems and ended is None:
        problems.append("what it printed ends in the middle")
    if not problems and ended != FINISHED:
        problems.append(f"it ended with code {ended}")
    if not problems and not run.cases:
        problems.append("no test ran")
    if not problems and len(run.cases) < announced:
        problems.append(f"{len(run.cases)} tests ran, {announced} were announced")
    run.problem = problems[0] if problems else ""
    return run


def read_conformance(link, answered):
    """The run that `clawperator conformance --json` answered, or the failure it ended with."""
    run = Run(f"conformance, {link}")
    try:
        report = json.loads(answered)
        if "checks" not in report:
            run.problem = f"{report['code']}: {report['message']}"
            return run
    except (ValueError, KeyError, TypeError):
        run.problem = f"no answer that can be read: {answered.strip()[:200] or 'nothing'}"
        return run
    for check in report["checks"]:
        outcome = SKIPPED if "skipped" in check else PASSED if check["ok"] else FAILED
        run.cases.append(Case(check["name"], outcome, check.get("problem") or check.get("skipped") or ""))
    return run


def table(runs):
    yield f"{'':24}{PASSED:>8}{FAILED:>8}{SKIPPED:>8}"
    for run in runs:
        counts = "".join(f"{run.count(outcome):8}" for outcome in (PASSED, FAILED, SKIPPED))
        verdict = "did not end well" if run.cases else "did not run"
        yield f"{run.name:24}{counts}" + (f"  {verdict}: {run.problem}" if run.problem else "")
    for run in runs:
        for case in run.cases:
            if case.outcome != PASSED:
                yield f"{run.name}: {case.outcome}: {case.name}"
                yield from (f"    {line}" for line in case.told.splitlines())


def junit(runs):
    """The form that test reports are exchanged in."""
    root = ElementTree.Element("testsuites")
    for run in runs:
        suite = ElementTree.SubElement(
            root, "testsuite", name=run.name, tests=str(len(run.cases)), failures=str(run.count(FAILED)),
            skipped=str(run.count(SKIPPED)), errors=str(int(bool(run.problem))))
        for case in run.cases:
            element = ElementTree.SubElement(suite, "testcase", classname=run.name, name=case.name)
            if case.outcome != PASSED:
                tag = "failure" if case.outcome == FAILED else "skipped"
                ElementTree.SubElement(element, tag, message=case.told.partition("\n")[0]).text = case.told
        if run.problem:
            element = ElementTree.SubElement(suite, "testcase", classname=run.name, name="the run as a whole")
            ElementTree.SubElement(element, "error", message=run.problem)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def main(folder):
    folder = Path(folder)

    def text(name):
        path = folder / name
        return path.read_text(errors="replace") if path.exists() else ""

    runs = [read_instrument(text("instrument.txt"))]
    runs += [read_conformance(link, text(f"conformance-{link}.json")) for link in LINKS]
    (folder / "junit.xml").write_text(junit(runs))
    print("\n".join(table(runs)))
    return 0 if all(run.ok for run in runs) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
