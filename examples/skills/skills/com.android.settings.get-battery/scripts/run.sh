#!/usr/bin/env bash
# run.sh <device> 
set -euo pipefail
device=$1
shift
exec "${CLAWPERATOR_BIN:-clawperator}" recipe run --json --device "$device" \
    "$(dirname "$0")/../artifacts/get-battery.recipe.md" "$@"
