#!/bin/sh
# run_node.sh SCRIPT ARGUMENTS: 77 where there is no Node.
command -v node >/dev/null || { echo "SKIPPED: node is not installed (tools/setup web)" >&2; exit 77; }
exec node "$@"
