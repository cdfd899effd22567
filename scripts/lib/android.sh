# Brings the tools that build the APK where there is no Android SDK: once, quietly, each checked
# against a sum in android/tools. Meant to be sourced after setup.sh.

# value NAME: one of the values that every build of the phone side reads.
value() { sed -nE "s/^$1 = \"([^\"]*)\"$/\1/p" gradle/libs.versions.toml; }

# The version of the app is that of the workspace.
app_version() { sed -nE '/^\[workspace.package\]/,/^$/s/^version = "(.*)"$/\1/p' Cargo.toml; }

rust_version() { sed -nE 's/^channel = "(.*)"$/\1/p' rust-toolchain.toml; }

# Maven colours even nothing; it is heard only when it fails.
quiet_mvn() {
    local said
    said=$(mvn --quiet --batch-mode -Dstyle.color=never "$@" 2>&1 </dev/null) || {
        echo "$said" >&2
        return 1
    }
}

# framework_mvn ARGS...: Maven in android/jvm, where the phone side runs on Android's own framework,
# with the values it needs.
framework_mvn() {
    local name values=()
    for name in kotlin apktool minSdk targetSdk jvmTarget; do values+=("-D$name=$(value $name)"); done
    mvn --quiet --batch-mode -Dstyle.color=never --file android/jvm/pom.xml "${values[@]}" "$@"
}

# Sets `tools`, the folder with android.jar, aapt2 and jars/.
need_android_tools() {
    need_java
    apt_install python3 python3
    apt_install unzip unzip
    apt_install zip zip
    local here=$PWD/android/tools
    tools=$cache/android-$(cat "$here"/{maven.sha256,requirements.txt} | sha256sum | cut -c1-12)
    [ ! -e "$tools/.done" ] || return 0
    echo "fetching the tools that build the APK" >&2
    rm -rf "$tools"
    mkdir -p "$tools"/{jars,fetched}

    quiet_mvn --file "$here/pom.xml" \
        "-Dkotlin=$(value kotlin)" "-Dr8=$(value r8)" \
        "-Dapksig=$(value apksig)" "-Dapktool=$(value apktool)" \
        org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies \
        "-DoutputDirectory=$tools/jars"
    (cd "$tools/jars" && sha256sum --check --quiet "$here/maven.sha256")
    unzip -q -j "$tools/jars/apktool-lib-$(value apktool).jar" prebuilt/linux/aapt2 -d "$tools"
    chmod +x "$tools/aapt2"

    python3 -m pip --version >/dev/null 2>&1 || apt_install pip3 python3-pip
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --no-binary :all: \
        --ignore-requires-python --require-hashes -r "$here/requirements.txt" -d "$tools/fetched"
    tar -xzf "$tools"/fetched/chaquopy_stubgen-*.tar.gz -O --wildcards "*/tests/android-$(value compileSdk).jar" \
        >"$tools/android.jar"
    rm -rf "$tools/fetched"
    touch "$tools/.done"
}

# The source of the standard library, which is compiled with the app's own. Sets `library`. It is
# rustup's component where that is installed, or else the same from Debian's archive, where
# machines that reach only package archives have it from, or else rustup's, installed now.
need_std_source() {
    local sums=$PWD/android/tools/rust-src.sha256 folder
    library=$(rustc --print sysroot)/lib/rustlib/src/rust/library
    [ ! -d "$library" ] || return 0
    folder=$cache/rust-src-$(sha256sum "$sums" | cut -c1-12)
    if [ ! -e "$folder/.done" ]; then
        echo "fetching the source of Rust's standard library" >&2
        debian_rust_src "$folder" "$sums" || { rustup --quiet component add rust-src && return; }
    fi
    library=$folder/library
}

# debian_rust_src FOLDER SUMS. The machine's own list of packages stays as it is.
debian_rust_src() {
    local folder=$1 sums=$2 mirror version
    mirror=$(apt-get indextargets --format '$(REPO_URI)' | grep -m1 -E '/debian/?$') || return 1
    version=$(rust_version)
    rm -rf "$folder"
    mkdir -p "$folder"/{lists/partial,archives/partial,debs}
    echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror trixie-backports main" \
        >"$folder/sources.list"
    local apt=(apt-get -qq -o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=-
        -o "Dir::State::lists=$folder/lists" -o "Dir::Cache=$folder" -o APT::Sandbox::User=root)
    # The name of the file says the version: name_version_architecture.deb.
    (cd "$folder/debs" && "${apt[@]}" update &&
        "${apt[@]}" download "$(sed -E 's/^[0-9a-f]+ +([^_]+)_([^_]+)_.*/\1=\2/' "$sums")" &&
        sha256sum --check --quiet "$sums" &&
        dpkg-deb --fsys-tarfile rust-src_*.deb |
        tar -x -C "$folder" --strip-components=4 "./usr/src/rustc-$version/library") || return 1
    rm -rf "$folder"/{lists,archives,debs,sources.list,*.bin}
    touch "$folder/.done"
}

# kotlin_jars: the compiler and what it needs, as a class path.
kotlin_jars() { printf '%s:' "$tools"/jars/{kotlin,annotations}*.jar; }
