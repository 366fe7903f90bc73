# shellcheck shell=bash
# Programs from a newer Debian in a private folder, for machines that reach only their Debian mirror.
# Nothing of the system is changed: apt works on its own lists, packages are unpacked and not installed.

on_debian() { command -v apt-get >/dev/null && command -v dpkg >/dev/null && [ -n "$(debian_triplet)" ]; }

# The folder name Debian gives this machine's libraries; empty where there is none.
debian_triplet() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) echo x86_64-linux-gnu ;;
    Linux-aarch64) echo aarch64-linux-gnu ;;
  esac
}

debian_loader() { # FOLDER: the dynamic loader unpacked in it
  case $(debian_triplet) in
    x86_64-linux-gnu) echo "$1/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" ;;
    aarch64-linux-gnu) echo "$1/usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1" ;;
  esac
}

# The Debian mirror this machine is set up for, else the public one.
debian_mirror() {
  local found
  found=$(
    {
      cat /etc/apt/sources.list.d/*.sources 2>/dev/null | sed -n 's/^URIs:[[:space:]]*//p' | tr ' ' '\n'
      cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null |
        sed -n 's/^deb[[:space:]]*\(\[[^]]*\]\)\{0,1\}[[:space:]]*\([^[:space:]]*\).*/\2/p'
    } | grep -E '^https?://.*/debian/?$' | head -n 1
  ) || true
  if [ -z "$found" ]; then
    found=http://deb.debian.org/debian
    # apt checks signatures itself; https needs the certificates, which a bare image may lack.
    [ ! -f /etc/ssl/certs/ca-certificates.crt ] || found=https://deb.debian.org/debian
  fi
  echo "$found"
}

debian_keyring() { # FOLDER: a keyring that proves Debian's packages, fetched into FOLDER where the system has none
  local key
  for key in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg} "$1"/usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
    [ ! -f "$key" ] || { echo "$key"; return; }
  done
  (cd "$1" && quietly apt-get download debian-archive-keyring && dpkg -x debian-archive-keyring_*.deb .) || return 1
  for key in "$1"/usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
    [ ! -f "$key" ] || { echo "$key"; return; }
  done
  return 1
}

# debian_unpack SUITE FOLDER PACKAGE...: the packages and all they need, down to the C library, unpacked in FOLDER.
# A package named with a leading "=" is taken alone, without what it needs.
debian_unpack() {
  local suite=$1 folder=$2 apt=$2.apt name key
  shift 2
  local whole=() alone=()
  for name in "$@"; do
    case $name in =*) alone+=("${name#=}") ;; *) whole+=("$name") ;; esac
  done
  rm -rf "$folder" "$apt"
  mkdir -p "$folder" "$apt"/{parts,state/lists/partial,cache/archives/partial,alone}
  key=$(debian_keyring "$apt") || die "Debian's keyring is missing: install the package debian-archive-keyring and run this again."
  printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: main\nSigned-By: %s\n' \
    "$(debian_mirror)" "$suite" "$key" >"$apt/parts/debian.sources"
  : >"$apt/status" # as if nothing were installed, so that apt lists every library that is needed
  local options=(
    -qq -y
    -o "Dir::Etc::sourcelist=/dev/null"
    -o "Dir::Etc::sourceparts=$apt/parts"
    -o "Dir::Etc::preferences=/dev/null"
    -o "Dir::Etc::preferencesparts=/dev/null"
    -o "Dir::State=$apt/state"
    -o "Dir::State::status=$apt/status"
    -o "Dir::Cache=$apt/cache"
    -o "APT::Install-Recommends=false"
    -o "APT::Sandbox::User="
    -o "Acquire::Languages=none"
    -o "Debug::NoLocking=true"
  )
  quietly apt-get "${options[@]}" update || die "no package lists from $(debian_mirror): check the network and run this again."
  quietly apt-get "${options[@]}" --download-only install "${whole[@]}" || die "Debian $suite does not have: ${whole[*]}"
  if [ "${#alone[@]}" -gt 0 ]; then
    (cd "$apt/alone" && quietly apt-get "${options[@]}" download "${alone[@]}") || die "Debian $suite does not have: ${alone[*]}"
  fi
  quietly debian_extract "$folder" "$apt"/cache/archives/*.deb "$apt"/alone/*.deb || die "a package could not be unpacked: see above."
  rm -rf "$apt"
}

debian_extract() { # FOLDER FILE...: the packages, as far as there are such files, unpacked in it
  local folder=$1 name
  shift
  for name in "$@"; do
    [ ! -f "$name" ] || dpkg -x "$name" "$folder" || return 1
  done
}
