#!/usr/bin/env bash
# run.sh <device> --var room=NAME
set -euo pipefail
device=$1
shift
exec "${CLAWPERATOR_BIN:-clawperator}" recipe run --json --device "$device" \
    "$(dirname "$0")/../artifacts/read-room.recipe.md" "$@"
