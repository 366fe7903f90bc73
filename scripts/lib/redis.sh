# shellcheck shell=bash
# A Redis server for the tests, which start it themselves: the one on this machine, else Debian's.

setup_redis() {
  local folder=$BELLBOARD_HOME/redis loader
  if command -v redis-server >/dev/null || "$folder/redis-server" --version >/dev/null 2>&1; then return 0; fi
  on_debian || die "redis-server is needed for the tests: install it (on macOS: brew install redis) and run this again."
  lock
  if ! "$folder/redis-server" --version >/dev/null 2>&1; then # no other set-up did it while this one waited
    say "redis: taking redis-server from Debian into $folder"
    mkdir -p "$folder"
    debian_unpack stable "$folder/debian" redis-server
    loader=$(debian_loader "$folder/debian")
    printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"\n' \
      "$loader" "$(dirname "$loader")" "$folder/debian/usr/bin/redis-server" >"$folder/redis-server"
    chmod +x "$folder/redis-server"
    "$folder/redis-server" --version >/dev/null || die "redis-server from Debian does not run here: install redis-server and run this again."
  fi
  unlock
}
