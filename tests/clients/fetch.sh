#!/bin/sh
# Installs the clients named in `versions` into a cache folder, so that the stories
# in tests/clients.rs can run them. They are large and not ours: they stay out of
# the repository. Does nothing for a client that is already there; several runs at
# once do no harm, since a client appears under its name by one rename.
#
# Only the platform's own package is taken, and no install script runs: the
# native executable inside needs neither Node nor the wrapper package.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
cache=${MAILSTOP_CLIENTS:-${XDG_CACHE_HOME:-$HOME/.cache}/mailstop-clients}

case "$(uname -s)" in
Linux) os=linux ;;
Darwin) os=darwin ;;
*) echo "error: no client is published for $(uname -s)" >&2 && exit 1 ;;
esac
case "$(uname -m)" in
x86_64 | amd64) cpu=x64 ;;
aarch64 | arm64) cpu=arm64 ;;
*) echo "error: no client is published for $(uname -m)" >&2 && exit 1 ;;
esac

# Prints what npm calls the platform's package of a client.
package() {
    case "$1" in
    claude) echo "@anthropic-ai/claude-code-$os-$cpu@$2" ;;
    codex) echo "@openai/codex@$2-$os-$cpu" ;;
    *) echo "error: versions names a client that fetch.sh does not know: $1" >&2 && exit 1 ;;
    esac
}

# Prints where the executable lies in an installed package, relative to it.
executable() {
    cd "$1"
    case "$2" in
    claude) set -- node_modules/@anthropic-ai/claude-code-*/claude ;;
    codex) set -- node_modules/@openai/codex/vendor/*/bin/codex ;;
    esac
    [ -x "$1" ] || { echo "error: the package has no executable at $1" >&2 && exit 1; }
    echo "$1"
}

fetch() {
    client=$1 version=$2 home=$cache/$1-$2
    [ -x "$home/$client" ] && return
    command -v npm >/dev/null ||
        { echo "error: npm is needed to fetch $client $version" >&2 && exit 1; }
    echo "fetching $client $version" >&2
    mkdir -p "$cache"
    part=$(mktemp -d "$cache/.fetch.XXXXXX")
    trap 'rm -rf "$part"' EXIT
    trap 'exit 1' HUP INT TERM
    name=$(package "$client" "$version")
    npm install --prefix "$part" --ignore-scripts --no-save --no-audit --no-fund \
        --loglevel=error "$name" >&2
    target=$(executable "$part" "$client")
    ln -s "$target" "$part/$client"
    chmod 755 "$part"
    # A folder that is there but has no executable is left over from a broken fetch.
    [ -x "$home/$client" ] || { rm -rf "$home" && mv "$part" "$home"; }
    # Where another run was faster, `mv` has put this copy inside the other's.
    rm -rf "$part" "${home:?}/${part##*/}"
    trap - EXIT
}

while read -r client version; do
    case "$client" in '' | '#'*) continue ;; esac
    fetch "$client" "$version" </dev/null
done <"$here/versions"
echo "$cache"
