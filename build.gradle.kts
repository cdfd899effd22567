plugins {
    alias(libs.plugins.android) apply false
    // Android's plugin compiles Kotlin itself, with the compiler it finds here.
    alias(libs.plugins.kotlin) apply false
}

// `gradle wrapper` makes ./gradlew of this version.
tasks.wrapper {
    gradleVersion = libs.versions.gradle.get()
}
