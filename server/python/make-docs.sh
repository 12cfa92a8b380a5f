#!/bin/sh
# `npm run python -- docs`: the API reference from the docstrings, as pages in dist/python-docs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
top=$here/../..
venv=$top/.venv/docs
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/pip" install --quiet --editable "$here" pdoc==16.0.0 gymnasium pettingzoo
cd "$top"
rm -rf dist/python-docs
"$venv/bin/python" -W error::UserWarning "$here/docs.py" dist/python-docs
echo "open dist/python-docs/kessel.html"
