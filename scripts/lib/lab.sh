# Starts and stops the lab phone. Meant to be sourced after setup.sh and android.sh.

# The commands of the phone's shell that the JVM answers.
lab_commands=(am pm cmd input settings getprop dumpsys wm logcat screencap pidof svc monkey uiautomator)

lab=$PWD/target/lab

# Compiles what has changed since the last time.
lab_build() {
    need_rust
    need_java
    need_adb
    need_adbd
    local jvm=$PWD/android/jvm sources
    build
    mkdir -p "$lab"
    sources=$(find "$jvm/pom.xml" "$jvm/src" android/app/src android/conformance/src -type f -print0 |
        sort -z | xargs -0 sha256sum | sha256sum)
    if [ "$sources" != "$(cat "$lab/built" 2>/dev/null)" ] || [ ! -d "$jvm/target/test-classes" ]; then
        echo "compiling the phone" >&2
        framework_mvn test-compile \
            org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath \
            -Dmdep.outputFile="$lab/classpath" -Dmdep.includeScope=test \
            -Dlibrary.path="$built" -Dknock=none >"$lab/maven.txt" 2>&1 ||
            { cat "$lab/maven.txt" >&2; return 1; }
        echo "$sources" >"$lab/built"
    fi
}

# lab_wait SECONDS WHAT COMMAND...: until the command succeeds, or the JVM has gone.
lab_wait() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        if ! kill -0 "$lab_jvm" 2>/dev/null || [ $SECONDS -ge $end ]; then
            echo "$what; what was said stands in $lab:" >&2
            tail -n 20 "$lab/phone.txt" "$lab/adbd.txt" >&2
            return 1
        fi
        sleep 0.1
    done
}

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

# Sets ANDROID_SERIAL and ANDROID_ADB_SERVER_PORT. The folder with the socket is the user's alone:
# whoever reaches the socket has the phone.
lab_start() {
    local package=com.clawperator.operator jvm=$PWD/android/jvm version sdk
    if grep -q "@$package\$" /proc/net/unix; then
        echo "somebody listens at @$package already: another lab? There can be one at a time." >&2
        return 1
    fi
    version=$(sed -nE '/^\[workspace.package\]/,/^$/s/^version = "(.*)"$/\1/p' Cargo.toml)
    sdk=$(value targetSdk)
    lab_private=$(mktemp -d)
    mkdir -p "$lab/recordings" "$lab_private/bin"
    local name
    for name in "${lab_commands[@]}"; do
        cp -l "$built/examples/phone_command" "$lab_private/bin/$name" 2>/dev/null ||
            cp "$built/examples/phone_command" "$lab_private/bin/$name"
    done
    (cd "$jvm" && exec java -cp "target/test-classes:target/classes:target/tools/monitor/classes.jar:$(cat "$lab/classpath")" \
        -Djava.library.path="$built" -Drobolectric.useRealAni=true \
        -Drobolectric.enabledSdks="$sdk" -Dlab="$lab_private" -Dlab.logs="$lab" \
        -Doperator.package="$package" -Doperator.version="$version" \
        org.junit.runner.JUnitCore com.clawperator.operator.lab.LabPhone) >"$lab/phone.txt" 2>&1 </dev/null &
    lab_jvm=$!
    local port
    port=$(free_port)
    env -i PATH="$lab_private/bin:/usr/bin:/bin" HOME="$lab_private" LAB_CONTROL="$lab_private/control" \
        ADBD_PORT="$port" LD_LIBRARY_PATH="$ADBD_LIBRARIES" LD_PRELOAD="$ADBD_PRELOAD" "$ADBD_PATH" >"$lab/adbd.txt" 2>&1 </dev/null &
    lab_adbd=$!
    ANDROID_ADB_SERVER_PORT=$(free_port)
    export ANDROID_ADB_SERVER_PORT ANDROID_SERIAL=127.0.0.1:$port ADB_PATH
    export ADB_USB=0 ADB_MDNS=0 ADB_MDNS_AUTO_CONNECT=0
    lab_wait 120 "the phone does not come up" test -S "$lab_private/control"
    lab_wait 20 "adb does not reach adbd" lab_connect
    lab_wait 20 "the phone's shell does not answer" "$ADB_PATH" shell getprop sys.boot_completed
}

lab_connect() { "$ADB_PATH" connect "$ANDROID_SERIAL" | grep -q ^connected; }

# Nothing of it is left, however far the start came.
lab_stop() {
    local status=$?
    # Whoever is impatient presses Ctrl-C twice.
    trap '' EXIT INT TERM HUP
    [ -z "${ANDROID_ADB_SERVER_PORT:-}" ] || [ -z "${lab_adbd:-}" ] || "$ADB_PATH" kill-server >/dev/null 2>&1 || true
    local process
    for process in $(jobs -p); do kill "$process" 2>/dev/null || true; done
    wait
    rm -rf "${lab_private:-}"
    exit $status
}

# lab_problems FILE: the checks of a report that did not pass.
lab_problems() {
    python3 - "$1" >&2 <<'END'
import json, sys
report = json.load(open(sys.argv[1]))
for check in report.get("checks", []):
    if not check["ok"]:
        print(check["name"] + ": " + check["problem"])
if "code" in report:
    print(report["code"], report["message"])
END
}
