#!/usr/bin/env bash
# Fuzzes the JSON door and the framing, each for half of SECONDS, or with --replay runs the kept corpus once.
#   Tests/Fuzz/run.sh [SECONDS]      Tests/Fuzz/run.sh --replay
set -eu
cd "$(dirname "$0")/../.."
export SWIFT_BACKTRACE=enable=no
out=.build/fuzz
mkdir -p "$out"

build() { # name, sources
  local name=$1; shift
  local newest
  newest=$(ls -t "$@" Tests/Fuzz/$name.swift | head -1)
  if [ ! -x "$out/$name" ] || [ "$newest" -nt "$out/$name" ]; then
    # One module: the sources' own imports of each other are taken out.
    rm -rf "$out/$name.sources"; mkdir -p "$out/$name.sources"
    for file in "$@" "Tests/Fuzz/$name.swift"; do
      sed -E '/^import (JSON|JSONRPC)$/d' "$file" > "$out/$name.sources/$(basename "$file")"
    done
    swiftc -O -sanitize=fuzzer,address -parse-as-library -module-name Fuzz -o "$out/$name" "$out/$name.sources/"*.swift \
      > "$out/$name.build.log" 2>&1 || { grep error "$out/$name.build.log"; exit 1; }
  fi
}

build DoorFuzzer Sources/JSON/*.swift
build FramingFuzzer Sources/JSON/*.swift Sources/JSONRPC/Envelope.swift Sources/JSONRPC/LineBuffer.swift

for name in DoorFuzzer FramingFuzzer; do
  corpus=Tests/Fuzz/corpus/$name
  if [ "${1:-}" = --replay ]; then
    "$out/$name" -runs=0 "$corpus" > "$out/$name.log" 2>&1 || { cat "$out/$name.log"; exit 1; }
    echo "$name: $(ls "$corpus" | wc -l) kept inputs replayed without a finding"
  else
    mkdir -p "$out/$name.work"
    "$out/$name" -max_total_time=$(( ${1:-600} / 2 )) -max_len=4096 -print_final_stats=1 -artifact_prefix="$out/" \
      "$out/$name.work" "$corpus" > "$out/$name.log" 2>&1 || { tail -40 "$out/$name.log"; exit 1; }
    echo "$name: $(grep -E 'number_of_executed_units|new_units_added' "$out/$name.log" | tr '\n' ' ')"
  fi
done
