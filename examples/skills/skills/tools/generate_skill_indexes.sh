#!/usr/bin/env bash
# Generates skills-registry.json and generated/ from every skill.json; --check only compares.
set -euo pipefail
skills="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
exec "${CLAWPERATOR_BIN:-clawperator}" skills index --registry "$skills/skills-registry.json" "$@"
