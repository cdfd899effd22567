#!/bin/sh
# From a recording to a recipe that runs, on the simulated phone:
# record, draft, compile, run, and tell the outputs.
#
#   examples/record-to-recipe.sh [FOLDER]
#
# The files stay in FOLDER, or in a new one. CLAWPERATOR names the program, if it is not installed.
set -eu

examples=$(cd "$(dirname "$0")" && pwd)
clawperator=${CLAWPERATOR:-clawperator}
folder=${1:-$(mktemp -d)}

step() {
    printf '\n# %s\n$ clawperator' "$1"
    shift
    printf ' %s' "$@"
    printf '\n'
    "$clawperator" "$@"
}

# On a phone in your hand: `recording start`, your own taps, Back at the end, `recording stop`,
# `recording pull`. Here an execution taps.
step 'Record what is done in the climate app' \
    --device sim recording capture --session-id warmer \
    --during "$examples/warmer-bedroom.json" --out "$folder"

recipe=$folder/warmer.recipe.md
step 'Draft a recipe from it; the room is an input, its name is not in the file' \
    recording parse --input "$folder/warmer.ndjson" --recipe --out "$recipe"

step 'Nothing is wrong with the draft' recipe validate "$recipe"

step 'The execution it stands for' recipe compile "$recipe" --var room=Bedroom

step 'Run it for the room of the recording' --device sim recipe run "$recipe" --var room=Bedroom

step 'Run it for another room' --device sim recipe run "$recipe" --var room=Kitchen
