# shellcheck shell=bash
# The virtual environments: what goes into each, and whether it is still what was asked for.

# Compiled packages are left out where there is no compiler; this says which case a venv was made in.
compiler() { command -v cc || command -v gcc || command -v clang || echo none; }

# up_to_date VENV KEY: the venv runs and was made for KEY.
up_to_date() { [ "$(cat "$1/.bellboard" 2>/dev/null)" = "$2" ] && "$1/bin/python" -c '' 2>/dev/null; }

mark_up_to_date() { echo "$2" >"$1/.bellboard"; }

# must_make VENV KEY: whether there is work to do; if so, this set-up holds the lock from here on.
must_make() {
  if up_to_date "$1" "$2"; then return 1; fi
  lock
  if up_to_date "$1" "$2"; then # another set-up did it while this one waited
    unlock
    return 1
  fi
}

make_venv() {
  [ -n "${PYTHON:-}" ] && [ -n "${UV:-}" ] || find_tools
  rm -f "$1/.bellboard"
  if ! python_fits "$1/bin/python"; then
    rm -rf "$1"
    quietly "$UV" venv --quiet --python "$PYTHON" "$1" || die "no virtual environment could be made in $1"
  fi
}

# install VENV ARGUMENT...: uv pip install.
install() {
  local venv=$1
  shift
  quietly "$UV" pip install --quiet --python "$venv/bin/python" "$@" || die "packages for $venv could not be installed: see above."
}

# install_compiled VENV ARGUMENT...: the same for packages that need a C compiler, which may be left out.
install_compiled() {
  local venv=$1 log=$1/compiled.log
  shift
  if recorded "$log" "$UV" pip install --quiet --python "$venv/bin/python" "$@"; then return 0; fi
  if [ "$(compiler)" = none ]; then
    say "  without pymicro-vad and pyspeex-noise: no C compiler here, so Assist pipelines are left out"
  else
    say "  without pymicro-vad and pyspeex-noise: they did not compile (see $log), so Assist pipelines are left out"
  fi
}

plain_requirements() { grep -v '# C compiler' "$ROOT/requirements_test.txt"; }
compiled_requirements() { sed -n 's/ *# C compiler.*//p' "$ROOT/requirements_test.txt"; }

setup_test() {
  local key
  key=test-$({ cat "$ROOT/requirements_test.txt"; compiler; } | digest)
  must_make "$VENV_TEST" "$key" || return 0
  make_venv "$VENV_TEST"
  say "test: installing requirements_test.txt into $VENV_TEST"
  plain_requirements >"$VENV_TEST/requirements.txt"
  compiled_requirements >"$VENV_TEST/compiled.txt"
  install "$VENV_TEST" -r "$VENV_TEST/requirements.txt"
  install_compiled "$VENV_TEST" -r "$VENV_TEST/compiled.txt"
  mark_up_to_date "$VENV_TEST" "$key"
  unlock
}

# needs VENV [ARGUMENT...]: what the Home Assistant in the venv would install for these integrations.
needs() {
  local venv=$1
  shift
  "$venv/bin/python" "$ROOT/scripts/lib/integration_requirements.py" "$@"
}

setup_test_latest() {
  # Integrations whose own requirements are those of this release, too.
  local key venv=$VENV_TEST_LATEST integrations=(assist_pipeline camera cloud mcp mcp_server music_assistant)
  key=latest-$({ echo "$HA_LATEST ${integrations[*]}"; cat "$ROOT/requirements_test.txt"; compiler; } | digest)
  must_make "$venv" "$key" || return 0
  make_venv "$venv"
  say "test-latest: installing the tests' packages with Home Assistant $HA_LATEST into $venv"
  install "$venv" "homeassistant==$HA_LATEST"
  # The harness pins an older release: what the newest one pins goes before what is pinned for that.
  {
    echo "homeassistant==$HA_LATEST"
    "$venv/bin/python" -c 'from importlib.metadata import requires; print(*requires("homeassistant"), sep="\n")'
    needs "$venv" "${integrations[@]}"
  } >"$venv/overrides.txt"
  plain_requirements >"$venv/requirements.txt"
  compiled_requirements >"$venv/compiled.txt"
  install "$venv" -r "$venv/requirements.txt" --override "$venv/overrides.txt"
  install_compiled "$venv" -r "$venv/compiled.txt"
  mark_up_to_date "$venv" "$key"
  unlock
}

# setup_demo yes|no: Home Assistant as a user runs it; "yes" adds its web interface (some 280 MB).
setup_demo() {
  local key venv=$VENV_DEMO package
  # The web interface comes by itself, so that nothing else is installed a second time for it.
  key=demo-$({ echo "$HA_LATEST"; cat "$ROOT/scripts/lib/integration_requirements.py"; compiler; } | digest)
  if must_make "$venv" "$key"; then make_demo "$venv" "$key"; fi
  [ "$1" = yes ] || return 0
  [ "$(cat "$venv/frontend" 2>/dev/null)" != "$key" ] || return 0
  lock
  [ -n "${PYTHON:-}" ] && [ -n "${UV:-}" ] || find_tools
  package=$(needs "$venv" frontend | grep '^home-assistant-frontend==')
  say "demo: installing Home Assistant's web interface (some 280 MB)"
  install "$venv" "$package"
  echo "$key" >"$venv/frontend"
  unlock
}

# compile_ahead VENV ARGUMENT...: the wheels of packages that need a C compiler, made in the background for uv's cache;
# the compiler works while other packages are fetched. Sets COMPILING to the process to wait for.
compile_ahead() {
  local venv=$1 folder=$1/compiled
  shift
  (
    "$UV" pip install --quiet --python "$venv/bin/python" --no-deps --target "$folder" "$@" || true
    rm -rf "$folder"
  ) >/dev/null 2>&1 </dev/null &
  COMPILING=$!
}

# make_demo VENV KEY: Home Assistant with all that a first start would install.
make_demo() {
  local venv=$1 key=$2 constraints
  make_venv "$venv"
  say "demo: installing Home Assistant $HA_LATEST into $venv"
  install "$venv" "homeassistant==$HA_LATEST"
  constraints=$(echo "$venv"/lib/python3.*/site-packages/homeassistant/package_constraints.txt)
  needs "$venv" assist_pipeline | grep -E '^(pymicro-vad|pyspeex-noise)==' >"$venv/compiled.txt"
  compile_ahead "$venv" -r "$venv/compiled.txt" -c "$constraints"
  # So that it starts at once and without a network.
  needs "$venv" --start --without home-assistant-frontend --without pymicro-vad --without pyspeex-noise \
    assist_pipeline onboarding shopping_list todo demo >"$venv/requirements.txt"
  install "$venv" -r "$venv/requirements.txt" -c "$constraints"
  recorded /dev/null wait "$COMPILING"
  install_compiled "$venv" -r "$venv/compiled.txt" -c "$constraints"
  mark_up_to_date "$venv" "$key"
  unlock
}
