#!/usr/bin/env bash
# tools/check_layers finds every kind of wrong include, and nothing in a tree that keeps the rule.
set -euo pipefail
check=$(cd "$(dirname "$0")/../.." && pwd)/tools/check_layers

"$check"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# refused FILE INCLUDE: a file with that line must be found.
refused() {
  rm -rf "$tree/src" "$tree/sim"
  mkdir -p "$tree/src" "$tree/sim" "$(dirname "$tree/$1")"
  echo "#include $2" > "$tree/$1"
  if "$check" "$tree" >/dev/null 2>&1; then
    echo "check_layers let $1 include $2" >&2
    exit 1
  fi
}

refused src/base/a.cc '"domain/b.h"'
refused src/domain/a.cc '"app/port/b.h"'
refused src/domain/a.h '<nlohmann/json.hpp>'
refused src/app/plan/a.cc '"infra/sqlite/b.h"'
refused src/infra/sqlite/a.cc '"infra/curl/b.h"'
refused src/infra/sqlite/a.cc '"app/plan/b.h"'
refused src/adapter/cli/a.cc '"app/port/b.h"'
refused src/adapter/cli/a.cc '"app/plan/b.h"'
refused src/adapter/cli/a.cc '"domain/plan/b.h"'
refused src/app/api/a.h '"domain/plan/b.h"'
refused src/domain/word/a.h '"domain/plan/b.h"'
refused src/adapter/cli/a.cc '"infra/sqlite/b.h"'
refused src/base/a.h '"base/b_internal.h"'
refused src/domain/a.cc '"base/b_internal.h"'
refused sim/a.cc '"domain/b.h"'
refused src/base/a.cc '"nowhere/b.h"'
echo "check_layers: every wrong include was found"
