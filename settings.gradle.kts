// The phone side, where the Android SDK and NDK are installed; see docs/operator-build.md.
pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
    }
}

rootProject.name = "clawperator"

include(":app", ":conformance")
project(":app").projectDir = file("android/app")
project(":conformance").projectDir = file("android/conformance")
