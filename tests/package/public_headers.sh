#!/usr/bin/env bash
# public_headers.sh SOURCE: every type that a public header names is defined in one of them, so that users can use all they see.
set -euo pipefail
cd "$1/include/lass0"
status=0
for name in $(sed -nE 's/^(class|struct) (\w+);$/\2/p' ./*.hpp | sort -u); do
  grep -qE "^(class|struct) $name( final)?( :.*)? \{" ./*.hpp && continue
  echo "FAILED: $name is declared here, and defined in no public header:" >&2
  grep -nE "^(class|struct) $name;" ./*.hpp >&2
  status=1
done
exit $status
