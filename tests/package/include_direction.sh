#!/usr/bin/env bash
# include_direction.sh SOURCE: a folder of src/ includes only itself and the folders that stand before it; what stands outside
# src/ includes only the public headers; and the solvers never see files or models. The same within src/search/, whose own
# files stand above all of its rooms.
set -euo pipefail
cd "$1"
order=(util design loss problem moments l1 search glm exact model select compare report io)   # simulate stands beside them, on util alone
rooms=(state tableau table signed)   # of src/search/
status=0

# forbid WHAT PATTERN FOLDER...: no file below the folders includes anything that matches.
forbid() {
  local what=$1 pattern=$2
  shift 2
  for folder in "$@"; do
    [[ -d $folder ]] || continue
    if grep -rnE --include='*.?pp' "^ *# *include *[<\"](\.\./)*($pattern)" "$folder"; then
      echo "FAILED: $folder/ must not include $what" >&2
      status=1
    fi
  done
}

for folder in src/*/; do
  folder=$(basename "$folder")
  [[ " ${order[*]} simulate " == *" $folder "* ]] || { echo "FAILED: src/$folder/ has no place in the order" >&2; status=1; }
done
for ((i = 0; i < ${#order[@]}; ++i)); do
  later=("${order[@]:i+1}" simulate)
  forbid "a later folder" "($(IFS='|'; echo "${later[*]}"))/" "src/${order[i]}"
done
for folder in src/search/*/; do
  folder=$(basename "$folder")
  [[ " ${rooms[*]} " == *" $folder "* ]] || { echo "FAILED: src/search/$folder/ has no place in the order" >&2; status=1; }
done
for ((i = 0; i < ${#rooms[@]}; ++i)); do
  forbid "a later room" "search/([^/]*\.hpp$(printf '|%s/' "${rooms[@]:i+1}"))" "src/search/${rooms[i]}"
done
forbid "anything but util/" "($(IFS='|'; echo "${order[*]:1}"))/" src/simulate
forbid "app/" "(app|commands)/" src
forbid "models or files" "lass0/(io|model|fit|path|cross_validate|criterion|compare|report|lass0)\.hpp" src/{util,design,problem,moments,l1,search,exact}
forbid "the insides of the library" "($(IFS='|'; echo "${order[*]}")|simulate)/" app python benchmarks examples experiments
forbid "the insides of the library" "src/" app python benchmarks examples experiments include
exit $status
