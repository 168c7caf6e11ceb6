#!/usr/bin/env bash
# Builds the load client and measures the budgets; see bench.py.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .build
gcc -O2 -Wall -o .build/bench-client Tests/Benchmarks/client.c
exec python3 Tests/Benchmarks/bench.py
