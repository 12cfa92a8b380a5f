#!/bin/sh
# Makes .venv at the top of the repository, with this package and what its tests need. Does nothing when it is there.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:-$here/../../.venv}
python=${PYTHON:-python3}
[ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
"$venv/bin/python" -c "import kessel, gymnasium, pettingzoo, onnx, onnxruntime, ruff, hatchling" 2>/dev/null || "$venv/bin/pip" install --quiet --editable "$here[test]"
"$venv/bin/python" -c "import kessel; print('ready:', kessel.__file__)"
