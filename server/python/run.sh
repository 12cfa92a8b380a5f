#!/bin/sh
# `npm run python`: makes .venv. `npm run python -- text` (or full, ray) runs tests with further libraries, and
# `npm run python -- docs` writes the API reference.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
case ${1:-} in
  "") exec sh "$here/setup-venv.sh" ;;
  full | text | ray) exec sh "$here/run-with.sh" "$@" ;;
  docs) exec sh "$here/make-docs.sh" ;;
  *)
    echo "npm run python -- NAME, where NAME is one of full, text, ray, docs" >&2
    exit 2
    ;;
esac
