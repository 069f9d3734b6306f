#!/bin/sh
# Builds Mailstop, copies its executables into PREFIX/bin, writes its manual pages and
# registers its hooks.
set -eu

executables='mailstop resolve mailstop-session-start mailstop-user-prompt-submit
mailstop-post-tool-use mailstop-stop mailstop-observe'

usage() {
    cat <<'TEXT'
Usage: ./install.sh [OPTIONS]

Builds Mailstop, copies its executables into PREFIX/bin and its manual pages into
PREFIX/share/man, registers the hooks with the clients on this machine, and shows that
a message blocks a Stop.

  --prefix DIR      where to install (default: ~/.local)
  --prebuilt DIR    copy the executables in DIR instead of building them
  --no-hooks        copy the executables and the manual pages only
  --client CLIENT   claude, codex or all (default: those on this machine)
  --scope SCOPE     user, project or local (default: user)
  --dry-run         show what would change, and write nothing
  --no-sandbox      leave Codex's sandbox as it is
  --force           register the hooks although a wider scope has them already
  --uninstall       take the hooks out of the clients and remove what was copied
  --help            show this
TEXT
}

fail() {
    printf 'error: %s\n' "$1" >&2
    [ -z "${2:-}" ] || printf 'hint: %s\n' "$2" >&2
    exit "${3:-1}"
}

# One word as a shell reads it, for `eval set --`.
quoted() {
    printf "'%s' " "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# Registers the hooks with the mailstop in a folder, and the options that were passed on.
register() {
    folder=$1
    eval "set -- $passed"
    code=0
    "$folder/mailstop" install "$@" || code=$?
    case $code in
        0) ;;
        3)
            echo "note: no client was found yet"
            echo "next: when Claude Code or Codex is installed, run $bin/mailstop install" ;;
        *) exit "$code" ;;
    esac
}

# What still names the executables: hooks in another client, scope or repository, or
# a settings file that cannot be read.
still_named() {
    "$bin/mailstop" uninstall --dry-run 2>&1 |
        grep -e '^[A-Z][A-Za-z ]*: would ' -e '^warning: hooks are still in ' -e '^error: ' || :
}

prefix=${HOME:+$HOME/.local}
prebuilt=
action=install
hooks=yes
dry_run=no
passed=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix | --prebuilt | --client | --scope)
            [ -n "${2:-}" ] || fail "$1 needs a value" 'see ./install.sh --help' 2
            case $1 in
                --prefix) prefix=$2 ;;
                --prebuilt) prebuilt=$2 ;;
                *) passed="$passed$(quoted "$1")$(quoted "$2")" ;;
            esac
            shift
            ;;
        --prefix=*) prefix=${1#*=} ;;
        --prebuilt=*) prebuilt=${1#*=} ;;
        --client=* | --scope=* | --no-sandbox | --force) passed="$passed$(quoted "$1")" ;;
        --dry-run)
            dry_run=yes
            passed="$passed$(quoted "$1")"
            ;;
        --no-hooks) hooks=no ;;
        --uninstall) action=uninstall ;;
        --help | -h)
            usage
            exit 0
            ;;
        *) fail "unknown option: $1" 'see ./install.sh --help' 2 ;;
    esac
    shift
done
[ -n "$prefix" ] || fail 'HOME is not set' 'name a folder: ./install.sh --prefix DIR'
case $prefix in
    /*) ;;
    *) prefix=$(pwd)/$prefix ;;
esac
bin=$prefix/bin
pages=$prefix/share/man/man1

if [ "$action" = uninstall ]; then
    [ -x "$bin/mailstop" ] || fail "there is no mailstop in $bin" 'name its folder: --prefix DIR'
    if [ "$hooks" = yes ]; then
        eval "set -- $passed"
        "$bin/mailstop" uninstall "$@"
        [ "$dry_run" = no ] || exit 0
        left=$(still_named)
        if [ -n "$left" ]; then
            echo "kept the executables in $bin: a client fails on every event without them"
            printf '%s\n' "$left"
            echo "next: take those out with $bin/mailstop uninstall, and run this again"
            exit 0
        fi
    fi
    [ "$dry_run" = no ] || exit 0
    for name in $executables; do
        rm -f "$bin/$name"
    done
    rm -f "$pages/mailstop.1" "$pages"/mailstop-*.1
    echo "removed the executables from $bin; mail is kept"
    exit 0
fi

if [ -z "$prebuilt" ]; then
    source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
    command -v cargo >/dev/null 2>&1 ||
        fail 'cargo was not found' 'install Rust from https://rustup.rs, or pass --prebuilt DIR'
    # Only cargo goes there: a relative folder, or a project, is meant from here.
    (cd "$source" && cargo build --release --bins)
    # Cargo knows where it builds to; its configuration may say another folder.
    prebuilt=$(cd "$source" && cargo metadata --format-version 1 --no-deps |
        sed -n 's/.*"target_directory":"\([^"]*\)".*/\1/p')/release
fi
for name in $executables; do
    [ -f "$prebuilt/$name" ] ||
        fail "$name is not in $prebuilt" 'build it first, or name the folder with --prebuilt DIR'
done

if [ "$dry_run" = yes ]; then
    echo "would copy the executables to $bin and the manual pages to $pages, and name that folder in place of $prebuilt"
    [ "$hooks" = no ] || register "$prebuilt"
    exit 0
fi

# Each is renamed into place, so that one which runs at this moment goes on undisturbed.
mkdir -p "$bin"
new=
trap '[ -z "$new" ] || rm -f "$new"' EXIT
for name in $executables; do
    new=$bin/.$name.$$
    cp "$prebuilt/$name" "$new"
    chmod 755 "$new"
    mv -f "$new" "$bin/$name"
done
new=
echo "installed the executables to $bin"
# Everything works without them.
if "$bin/mailstop" man --into "$pages" >/dev/null; then
    echo "installed the manual pages to $pages"
else
    echo "note: the manual pages are missing; mailstop man shows them all the same"
fi
case :${PATH-}: in
    *:"$bin":*) ;;
    *) echo "note: $bin is not on your PATH; hooks do not need it, typing mailstop does" ;;
esac

if [ "$hooks" = no ]; then
    echo "next: register the hooks with $bin/mailstop install"
    exit 0
fi
register "$bin"
"$bin/mailstop" doctor --demo
