#!/bin/sh
# `npm run python -- full`: tests with every library of tests_full/requirements.txt, in an environment of its own below .venv;
# `npm run python -- text` the same with tests_text, libraries for language models; `npm run python -- ray` with tests_ray.
# Arguments name test files: npm run python -- full test_sb3.py
set -eu
which=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
case $which in
  full) given=${KESSEL_FULL_VENV:-} ;;
  text) given=${KESSEL_TEXT_VENV:-} ;;
  ray) given=${KESSEL_RAY_VENV:-} ;;
esac
venv=${given:-$here/../../.venv/$which}
[ -x "$venv/bin/python" ] || "${PYTHON:-python3}" -m venv "$venv"
# uv takes a tenth of pip's time; where it cannot reach the index, pip may (it reads pip.conf)
install() {
  { "$venv/bin/pip" install --quiet uv && "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" "$@"; } ||
    "$venv/bin/pip" install --quiet "$@"
}
[ -n "$given" ] || install --editable "$here" --requirement "$here/tests_$which/requirements.txt"
# packages that ask for another version of what the others ask for, without what they ask for
alone=$here/tests_$which/alone.txt
[ -n "$given" ] || [ ! -f "$alone" ] || install --no-deps --requirement "$alone"
cd "$here"
if [ $# -eq 0 ]; then set -- 'test_*.py'; fi
for files in "$@"; do
  PYTHONPATH="$here" "$venv/bin/python" -m unittest discover --start-directory "tests_$which" --top-level-directory . --pattern "$files"
done
