"""Runs the test programs that `cargo test --no-run --message-format=json` names, several at a time.

Cargo runs one program after the other, and most of ours wait for processes and timeouts rather than
compute. A program that fails is shown whole, in one piece; the others are only counted.
"""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

AT_ONCE = 2 * (os.cpu_count() or 1)


def programs(messages):
    """The test programs among cargo's messages: (name, package's folder, executable)."""
    for line in messages:
        message = json.loads(line)
        if message["reason"] == "compiler-message":
            sys.stderr.write(message["message"]["rendered"])
        if message["reason"] == "build-finished" and not message["success"]:
            sys.exit("the tests do not compile")
        if message.get("profile", {}).get("test") and message.get("executable"):
            package = os.path.dirname(message["manifest_path"])
            name = f"{os.path.basename(package)}/{message['target']['name']}"
            yield name, package, message["executable"]


def run(name, package, executable):
    started = time.monotonic()
    # As cargo does it: in the package's folder, with that folder's name.
    done = subprocess.run(
        [executable],
        cwd=package,
        env={**os.environ, "CARGO_MANIFEST_DIR": package},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    return name, done.returncode, done.stdout, time.monotonic() - started


def main():
    # In the order of their names, so that the order does not depend on what was compiled last.
    found = sorted(programs(sys.stdin))
    if not found:
        sys.exit("cargo named no test program")
    failed, passed, slowest = [], 0, (0.0, "")
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for end in as_completed([pool.submit(run, *program) for program in found]):
            name, status, said, took = end.result()
            slowest = max(slowest, (took, name))
            results = re.findall(r"^test result: ok\. (\d+) passed", said, re.MULTILINE)
            passed += sum(map(int, results))
            if status != 0:
                failed.append(name)
                print(f"-- {name} failed with {status}:\n{said}", flush=True)
    print(f"{passed} tests in {len(found)} programs, the slowest {slowest[1]} with {slowest[0]:.0f} s")
    if failed:
        sys.exit(f"failed: {', '.join(sorted(failed))}")


main()
