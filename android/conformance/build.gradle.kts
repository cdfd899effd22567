plugins {
    alias(libs.plugins.android)
}

val appVersion: List<Int> by rootProject.extra

android {
    namespace = libs.versions.conformanceId.get()
    compileSdk = libs.versions.compileSdk.get().toInt()

    defaultConfig {
        applicationId = libs.versions.conformanceId.get()
        minSdk = libs.versions.minSdk.get().toInt()
        targetSdk = libs.versions.targetSdk.get().toInt()
        versionName = appVersion.joinToString(".")
        versionCode = appVersion.fold(0) { code, part -> code * 1000 + part }
    }

    compileOptions {
        sourceCompatibility = JavaVersion.toVersion(libs.versions.jvmTarget.get())
        targetCompatibility = sourceCompatibility
    }

    // The list of checks, which the host reads too.
    sourceSets["main"].assets.srcDir(rootDir.resolve("rust/host/conformance"))
}
