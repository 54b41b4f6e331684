#!/usr/bin/env bash
# The unit is one that systemd understands, whose sandbox leaves little open, and whose program has the options that it is started with.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
program=$1
if ! command -v systemd-analyze >/dev/null; then
  echo "there is no systemd-analyze here: the unit is not looked at"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The program need not be installed for that, nor its manual.
sed -e "s|/usr/bin/patra|$program|" -e '/^Documentation=/d' "$root/packaging/systemd/patra.service" >"$folder/patra.service"
said=$(systemd-analyze verify "$folder/patra.service" 2>&1 | grep -F patra.service || true)
if [ -n "$said" ]; then
  echo "$said"
  exit 1
fi
# Of a hundred; without any sandbox it is 96.
systemd-analyze security --offline=true --threshold=15 "$folder/patra.service" >"$folder/exposure" || { tail -n 3 "$folder/exposure"; exit 1; }
for option in $(sed -n 's/^ExecStart=[^ ]* //p' "$folder/patra.service" | grep -o -- '--[a-z-]*'); do
  "$program" help serve | grep -q -- "$option" || "$program" --help | grep -q -- "$option" || { echo "patra serve has no $option"; exit 1; }
done
