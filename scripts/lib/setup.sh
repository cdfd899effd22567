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
