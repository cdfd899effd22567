plugins {
    alias(libs.plugins.android)
}

val abis = libs.versions.abis.get().split(" ")
val rustLibraries = layout.buildDirectory.dir("rust")

val appVersion: List<Int> by rootProject.extra

android {
    namespace = libs.versions.applicationId.get()
    compileSdk = libs.versions.compileSdk.get().toInt()
    ndkVersion = libs.versions.ndk.get()

    defaultConfig {
        applicationId = libs.versions.applicationId.get()
        minSdk = libs.versions.minSdk.get().toInt()
        targetSdk = libs.versions.targetSdk.get().toInt()
        versionName = appVersion.joinToString(".")
        versionCode = appVersion.fold(0) { code, part -> code * 1000 + part }
        ndk.abiFilters += abis
    }

    buildTypes {
        debug {
            applicationIdSuffix = ".dev"
        }
        release {
            isMinifyEnabled = true
            proguardFiles("keep.pro")
        }
    }

    compileOptions {
        sourceCompatibility = JavaVersion.toVersion(libs.versions.jvmTarget.get())
        targetCompatibility = sourceCompatibility
    }

    // Compressed, as in scripts/apk.
    packaging.jniLibs.useLegacyPackaging = true
    sourceSets["main"].jniLibs.srcDir(rustLibraries)
}

// Needs `cargo install cargo-ndk` and both targets of rustup.
val cargoNdk by tasks.registering(Exec::class) {
    workingDir = rootDir
    environment("CARGO_PROFILE_RELEASE_OPT_LEVEL", libs.versions.optLevel.get())
    commandLine(
        listOf("cargo", "ndk", "--platform", libs.versions.minSdk.get(), "-o", rustLibraries.get().asFile.path) +
            abis.flatMap { listOf("-t", it) } +
            listOf("build", "--release", "--locked", "--package", "clawperator-operator", "--lib"),
    )
}

tasks.named("preBuild") {
    dependsOn(cargoNdk)
}
