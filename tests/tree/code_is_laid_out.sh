#!/bin/sh
# `make format` would change nothing.
exec "$(dirname "$0")/../../tools/format"
