#!/bin/sh
# `npm run python:full`: tests with every library of tests_full/requirements.txt, in an environment of its own below .venv.
# Arguments name test files: npm run python:full -- test_sb3.py
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${KESSEL_FULL_VENV:-$here/../../.venv/full}
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
[ -n "${KESSEL_FULL_VENV:-}" ] || "$venv/bin/pip" install --quiet --editable "$here" --requirement "$here/tests_full/requirements.txt"
cd "$here"
if [ $# -eq 0 ]; then set -- 'test_*.py'; fi
for files in "$@"; do
  PYTHONPATH="$here" "$venv/bin/python" -m unittest discover --start-directory tests_full --top-level-directory . --pattern "$files"
done
