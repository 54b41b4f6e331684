#!/usr/bin/env bash
# tools/check_layers finds every kind of wrong include and of text and long files, and nothing in a tree that keeps the rule.
set -euo pipefail
check=$(cd "$(dirname "$0")/../.." && pwd)/tools/check_layers

"$check"

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

# holding FILE LINE: a tree of one file with that line.
holding() {
  rm -rf "$tree/src" "$tree/sim"
  mkdir -p "$tree/src" "$tree/sim" "$(dirname "$tree/$1")"
  printf '%s\n' "$2" > "$tree/$1"
}

# refused_line FILE LINE: a file with that line must be found; allowed_line: it must not.
refused_line() {
  holding "$@"
  if "$check" "$tree" >/dev/null 2>&1; then
    echo "check_layers let $1 hold $2" >&2
    exit 1
  fi
}

allowed_line() {
  holding "$@"
  if ! "$check" "$tree" >/dev/null 2>&1; then
    echo "check_layers refused $1 with $2" >&2
    exit 1
  fi
}

refused() { refused_line "$1" "#include $2"; }

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

refused_line src/app/plan/a.cc 'auto hint = "see `patra task list`";'
refused_line src/app/plan/a.cc 'auto hint = "see `patra "  "task list`";'
refused_line src/domain/plan/a.h 'auto hint = "either --gaps or nothing";'
refused_line src/domain/plan/a.h 'auto hint = R"(--gaps)";'
refused_line src/app/desk/a.cc 'auto hint = "set PATRA_DB";'
allowed_line src/app/plan/a.cc 'auto hint = "see ‹task.list›";  // as in "patra task list"'
allowed_line src/app/plan/a.cc "const char quote = '\"'; --i; auto hint = \"a--b, made by a newer patra\";"
allowed_line src/adapter/cli/a.cc 'auto hint = "see `patra task list`";'
refused_line src/app/plan/a.cc "$(yes 'int i;' | head -n 451)"
allowed_line src/app/plan/a.cc "$(yes 'int i;' | head -n 450)"
allowed_line src/domain/plan/a.cc "$(yes 'int i;' | head -n 451)"
echo "check_layers: every wrong include and text, and every long file, was found"
