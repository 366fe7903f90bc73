# shellcheck shell=bash
# A real browser, and what drives it beside Home Assistant with its web interface.

# Sets CHROMIUM to the one on this machine, or fails.
find_chromium() {
  local name
  for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
    if [ -n "$name" ] && CHROMIUM=$(command -v "$name"); then
      export CHROMIUM
      return 0
    fi
  done
  CHROMIUM=
  return 1
}

# Sets CHROMIUM, installing Debian's where there is none and this is root's to do; else says how to get it.
setup_chromium() {
  if find_chromium; then return 0; fi
  if [ "$(id -u)" -eq 0 ] && on_debian; then
    lock
    say "browser: installing Debian's chromium"
    # A page without a single font shows nothing.
    if quietly apt-get -qq update &&
      quietly env DEBIAN_FRONTEND=noninteractive apt-get -qq -y --no-install-recommends install chromium fonts-liberation; then
      unlock
      if find_chromium; then return 0; fi
    fi
    unlock
  fi
  case $(uname -s) in
    Darwin) die "a browser is needed: install Chromium (brew install --cask chromium) and run this again, or let \$CHROMIUM name one." ;;
    *) die "a browser is needed: install Chromium (Debian: apt-get install chromium) and run this again, or let \$CHROMIUM name one." ;;
  esac
}

browser_requirements() { sed -n 's/ *# browser$//p' "$ROOT/requirements_test.txt"; }

# setup_browser: Chromium, Home Assistant with its web interface, and what runs tests of both.
setup_browser() {
  local key
  setup_chromium
  setup_demo yes
  key=browser-$(browser_requirements | digest)
  [ "$(cat "$VENV_DEMO/browser" 2>/dev/null)" != "$key" ] || return 0
  lock
  [ -n "${PYTHON:-}" ] && [ -n "${UV:-}" ] || find_tools
  say "browser: installing what drives it into $VENV_DEMO"
  browser_requirements >"$VENV_DEMO/browser.txt"
  install "$VENV_DEMO" -r "$VENV_DEMO/browser.txt" \
    -c "$(echo "$VENV_DEMO"/lib/python3.*/site-packages/homeassistant/package_constraints.txt)"
  echo "$key" >"$VENV_DEMO/browser"
  unlock
}
