#!/usr/bin/env bash
# consumer.sh SOURCE BUILD WORK BLAS: installs the built tree, moves the prefix, and builds and runs examples/consumer
# and the installed program from there.
set -euo pipefail
source=$1 build=$2 work=$3 blas=$4
fail() { echo "FAILED: $*" >&2; exit 1; }

rm -rf "$work/installed" "$work/moved" "$work/consumer"
cmake --install "$build" --prefix "$work/installed" >/dev/null
mv "$work/installed" "$work/moved"

grep -rlF -e "$work/installed" -e "$build" -e "$source" "$work/moved" --include='*.cmake' --include='*.hpp' &&
  fail "these installed files name the build machine's folders"

library=$(find "$work/moved" -name liblass0.so)
[[ -n $library ]] || fail "liblass0.so is not installed"
if nm -D --defined-only "$library" | grep -iE ' (cblas_|openblas_|dgemm_)'; then
  fail "liblass0.so shows its BLAS to whoever links it"
fi
if [[ $blas != fortran ]]; then  # that one is meant to be there at run time
  ldd "$library" | grep -iE 'blas|lapack|gfortran' && fail "liblass0.so needs a BLAS at run time"
fi

cmake -S "$source/examples/consumer" -B "$work/consumer" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/moved" >/dev/null
grep -q "^lass0_DIR:PATH=$work/moved/" "$work/consumer/CMakeCache.txt" ||
  fail "the consumer found another lass0 than the installed one"
cmake --build "$work/consumer"
"$work/consumer/consumer" | tee "$work/consumer.txt"
grep -qx "support: 2 5" "$work/consumer.txt" || fail "the consumer should have found columns 2 and 5"

"$work/moved/bin/lass0" --version || fail "the installed program does not run"
echo "passed: installed, moved, found, linked, ran"
