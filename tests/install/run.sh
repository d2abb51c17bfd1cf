#!/usr/bin/env bash
# Proves find_package(twinset): tests/install/run.sh BUILD_DIR
# Installs the build into a temporary prefix, moves the prefix, and builds and runs the program of
# this folder against it.
set -euo pipefail

build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/moved"  # what is installed may not remember where

for file in bin/twinset bin/twinset-measure bin/twinset-corpora include/twinset/dedup.h share/man/man1/twinset.1; do
  [ -e "$work/moved/$file" ] || { echo "not installed: $file"; exit 1; }
done
# Programs that were built are installed where twinset looks for them.
for program in "$build"/twinset-http "$build"/twinset-engine-*; do
  if [ -f "$program" ] && [ ! -x "$work/moved/libexec/twinset/${program##*/}" ]; then
    echo "not installed: ${program##*/}"
    exit 1
  fi
done
if grep -rIlF "$(cd "$here/../.." && pwd)" "$work/moved" --include='*.cmake' --include='*.h'; then
  echo "these installed files name the source folder"
  exit 1
fi
"$work/moved/bin/twinset" version >/dev/null

cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/moved" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/build" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
mkdir "$work/run"
"$work/build/consumer" "$work/run"

# The examples, which link twinset::core: no database, no engines, no program over a pipe.
cmake -S "$here/../../examples/cpp" -B "$work/examples" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/moved" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
cmake --build "$work/examples" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
example() {  # EXPECTED NAME ARGUMENTS...
  local expected=$1 name=$2 printed
  shift 2
  printed=$("$work/examples/$name" "$@" | tail -1) || { echo "$name failed"; exit 1; }
  [ "$printed" = "$expected" ] || { echo "$name printed '$printed', not '$expected'"; exit 1; }
}
example "Something else entirely, about a mill that grinds corn by night." dedup_strings
example "exact: 0.777778" sketch_and_compare
"$work/moved/bin/twinset" dedup "$work/run/in.jsonl" --out "$work/run/dups" --save "$work/run/saved" --quiet
example "1 b" ask_a_collection "$work/run/saved" "one two three four five six, seven EIGHT nine"
example "1 pair of 3 documents" pairs_as_they_come
example "kept 2" documents_from_a_queue
for name in dedup_strings sketch_and_compare; do
  if ldd "$work/examples/$name" | grep -E 'sqlite|curl|xapian|libpq'; then
    echo "$name links what only twinset::measure needs"
    exit 1
  fi
done
# Work files in memory: a run over strings opens no file for writing and makes none.
if command -v strace >/dev/null; then
  strace -f -e trace=file,desc -o "$work/trace" "$work/examples/dedup_strings" >/dev/null
  if grep -E 'O_(WRONLY|RDWR|CREAT)|mkdir|rename|unlink' "$work/trace"; then
    echo "dedup_strings touches files"
    exit 1
  fi
fi
