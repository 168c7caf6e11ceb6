#!/usr/bin/env bash
# Builds the load client and measures the budgets; see bench.py.
set -eu
cd "$(dirname "$0")/../.."
mkdir -p .build
gcc -O2 -Wall -o .build/bench-client Tests/Benchmarks/client.c
swift build -c release --static-swift-stdlib --product TimedDaemon
exec .make/venv/bin/python Tests/Benchmarks/bench.py
