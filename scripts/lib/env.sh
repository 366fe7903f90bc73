# shellcheck shell=bash disable=SC2034  # what is named here is used by the scripts that source it
# Where things are and how the scripts speak. Every script sources this file first; sourcing it changes nothing on disk.

# A newer release of Home Assistant than the test harness pins: what people run today.
HA_LATEST=2026.11.0

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
if [ -z "${BELLBOARD_HOME:-}" ]; then
  # A service account may have no HOME; "~" then still finds the one in the password file.
  BELLBOARD_HOME=${XDG_CACHE_HOME:-$(cd ~ && pwd)/.cache}/bellboard
fi
export BELLBOARD_HOME

PYTHON_DIR=$BELLBOARD_HOME/python
UV_DIR=$BELLBOARD_HOME/uv
VENV_TEST=$BELLBOARD_HOME/venv-test
VENV_TEST_LATEST=$BELLBOARD_HOME/venv-test-latest
VENV_DEMO=$BELLBOARD_HOME/venv-demo
LLM_DIR=$BELLBOARD_HOME/llm
# What Python compiles is kept, wherever that was turned off (as in many containers): otherwise each process, and the
# tests start many, compiles all of Home Assistant again. In a place of its own, so that the checkout stays as it is.
export PYTHONDONTWRITEBYTECODE="" PYTHONPYCACHEPREFIX=$BELLBOARD_HOME/pycache
export ROOT VENV_TEST VENV_TEST_LATEST VENV_DEMO LLM_DIR

# To standard error, because the standard output of some scripts is an answer for other programs.
say() { printf '%s\n' "$*" >&2; }

die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# Says every eight seconds that what was said last goes on, until it is killed or this script ends.
patiently() {
  local seconds=0 tick=${BELLBOARD_TICK:-8}
  while sleep 1 && kill -0 $$ 2>/dev/null; do
    seconds=$((seconds + 1))
    [ $((seconds % tick)) -ne 0 ] || say "  … $seconds s"
  done
}

# recorded LOG COMMAND...: what it prints goes into LOG; whoever waits for long is told that it goes on.
recorded() {
  local log=$1 status=0 ticker
  shift
  patiently >/dev/null </dev/null &
  ticker=$!
  "$@" >"$log" 2>&1 || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  return "$status"
}

# Runs a command quietly; its output is shown only when it fails.
quietly() {
  local log status=0
  log=$(mktemp)
  recorded "$log" "$@" || status=$?
  [ "$status" -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return "$status"
}

# A short name for the contents of standard input (cksum is on every system, sha256sum is not).
digest() { cksum | tr ' ' '-'; }

# Lets one set-up run at a time, so that two scripts started together do not write one venv.
lock() {
  local lock=$BELLBOARD_HOME/.lock owner told=
  mkdir -p "$BELLBOARD_HOME"
  until mkdir "$lock" 2>/dev/null; do
    owner=$(cat "$lock/pid" 2>/dev/null || true)
    if [ -n "$owner" ] && ! kill -0 "$owner" 2>/dev/null; then
      rm -rf "$lock" # its owner was killed
      continue
    fi
    [ -n "$told" ] || say "waiting for another set-up to finish (process ${owner:-unknown})"
    told=1
    sleep 1
  done
  echo $$ >"$lock/pid"
  trap 'rm -rf "$BELLBOARD_HOME/.lock"' EXIT
}

unlock() {
  rm -rf "$BELLBOARD_HOME/.lock"
  trap - EXIT
}
