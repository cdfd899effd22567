// No Android module exists yet: this build has nothing to build.
