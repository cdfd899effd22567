plugins {
    alias(libs.plugins.android) apply false
    // Android's plugin compiles Kotlin itself, with the compiler it finds here.
    alias(libs.plugins.kotlin) apply false
}

// The version of both apps is the workspace's. Its code leaves three digits for each part, as in
// scripts/apk.
val appVersion by extra(
    Regex("""\[workspace\.package]\s+version = "(\d+)\.(\d+)\.(\d+)"""")
        .find(rootDir.resolve("Cargo.toml").readText())!!
        .groupValues.drop(1).map(String::toInt),
)

// `gradle wrapper` makes ./gradlew of this version.
tasks.wrapper {
    gradleVersion = libs.versions.gradle.get()
}
