#!/usr/bin/env bash
# scaling_recipe_test.sh PROGRAMS: runs the commands of docs/scaling.md, "A cluster on one machine", as they stand there, with the
# programs of that folder, in a folder and on ports of its own. Fails where one of them does, or where records are not as the
# provider has them.
set -euo pipefail
programs=${1:?the folder of patra and patra-sim}
root=$(cd "$(dirname "$0")/../.." && pwd)

for needed in mariadbd mariadb-install-db redis-check-rdb redis-cli; do
  command -v "$needed" >/dev/null || { echo "scaling_recipe: there is no $needed; tools/setup test installs it"; exit 77; }
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
recipe=$folder/recipe.sh
export TRY=$folder/try
mkdir "$TRY"

# The fenced blocks of that section. Each command is shown, so that what failed can be seen, and processes that it started end
# with it, however it ends.
{
  echo 'set -euo pipefail'
  echo 'trap '\''kill $(jobs -p) 2>/dev/null || true; wait'\'' EXIT'
  awk '/^## /{in_section = $0 == "## A cluster on one machine"} /^```/{in_block = in_section && $0 == "```sh"; next} in_block' \
    "$root/docs/scaling.md"
} >"$recipe"
commands=$(grep -cE '^(patra|patra-sim|mariadbd|mariadb-install-db|as_root|kill) ' "$recipe" || true)
if [ "$commands" -lt 14 ]; then
  echo "scaling_recipe: only $commands commands were found in docs/scaling.md"
  exit 1
fi

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
DATABASE_PORT=$(free_port) GATE_PORT=$(free_port) PROVIDER_PORT=$(free_port)
export DATABASE_PORT GATE_PORT PROVIDER_PORT
# What is tried is not the disk.
export DATABASE_OPTIONS="--innodb-flush-method=nosync --innodb-doublewrite=0 --innodb-use-native-aio=0 --innodb-buffer-pool-size=128M"
export PATH="$programs:$PATH" PATRA_SOURCES="$root/sources" XDG_RUNTIME_DIR="$folder"
unset PATRA_DATABASE_URL PATRA_GATE_URL PATRA_DATABASE_PASSWORD PATRA_GATE_PASSWORD PATRA_CONFIG

if ! (cd "$folder" && timeout -k 10 100 bash -x "$recipe" >"$folder/out" 2>"$folder/err"); then
  echo "scaling_recipe: a command failed"
  tail -n 30 "$folder/out" "$folder/err" "$TRY"/*.log 2>/dev/null || true
  exit 1
fi
fail() {
  echo "scaling_recipe: $1"
  cat "$folder/out"
  exit 1
}
read -r right _ expected _ < <(grep 'items are right' "$folder/out") || fail "nothing was compared"
[ "$right" = "$expected" ] && [ "$right" -gt 15000 ] || fail "$right of $expected records are right"
! grep -qE '^(missing|extra|stale|wrong):' "$folder/out" || fail "records differ"
grep -q 'redis://127.0.0.1' "$folder/out" || fail "the gate is not the shared one"
[ ! -e "$TRY" ] || fail "the folder is still there"
