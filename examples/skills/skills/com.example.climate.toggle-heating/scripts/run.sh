#!/usr/bin/env bash
# run.sh <device> --var tile_name=NAME --var final_state=On|Off
set -euo pipefail
device=$1
shift
exec "${CLAWPERATOR_BIN:-clawperator}" recipe run --json --device "$device" \
    "$(dirname "$0")/../artifacts/toggle-heating.recipe.md" "$@"
