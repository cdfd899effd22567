// The phone side builds with Gradle where the Android SDK is installed.
rootProject.name = "clawperator"
