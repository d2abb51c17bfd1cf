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

for file in bin/twinset include/twinset/dedup.h share/man/man1/twinset.1; do
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
