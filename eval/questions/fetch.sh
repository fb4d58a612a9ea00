#!/bin/sh
# Downloads the documentation packages of the question set and unpacks the
# documentation tree of each into DIR/NAME.  No root and no install needed.
#   sh fetch.sh DIR [more]
# With `more` those of `questions-more.jsonl` instead.
# The versions are those the questions were written against (Debian 12). When a
# version is no longer offered the current one of that name is taken, and said.
set -eu
dir=${1:?usage: fetch.sh DIR [more]}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
packages() {
    if [ "$1" = more ]; then
        cat <<LIST
git-annex 10.20230126-3 usr/share/doc/git-annex/html
mutt 2.2.12-0.1~deb12u1 usr/share/doc/mutt/html
postfix-doc 3.7.11-0+deb12u1 usr/share/doc/postfix/html
postgresql-doc-15 15.18-0+deb12u1 usr/share/doc/postgresql-doc-15/html
python-sqlalchemy-doc 1.4.46+ds1-1 usr/share/doc/python-sqlalchemy-doc/html
zsh-doc 5.9-4 usr/share/doc/zsh-common/html
LIST
    else
        cat <<LIST
borgbackup-doc 1.2.4-1 usr/share/doc/borgbackup/html
developers-reference 12.18 usr/share/developers-reference
exim4-doc-html 4.96-1 usr/share/doc/exim4-doc-html/spec_html
git-doc 1:2.39.5-0+deb12u3 usr/share/doc/git-doc
rsyslog-doc 8.2302.0+dfsg-1 usr/share/doc/rsyslog-doc/html
sqlite3-doc 3.40.1-2+deb12u2 usr/share/doc/sqlite3
LIST
    fi
}
packages "${2:-}" | while read -r name version root; do
    [ -n "$name" ] || continue
    cd "$tmp"
    rm -rf ./*
    if ! apt-get -q download "$name=$version" >/dev/null 2>&1; then
        echo "$name: version $version is not offered; taking the current one" >&2
        apt-get -q download "$name" >/dev/null
    fi
    dpkg-deb -x ./*.deb x
    rm -rf "${dir:?}/$name"
    cp -r "x/$root" "$dir/$name"
    find "$dir/$name" -type l -delete       # twins by name only
    find "$dir/$name" -type d -name _static -prune -exec rm -rf {} +
    echo "$name $(dpkg-deb -f ./*.deb Version): $(find "$dir/$name" -type f | wc -l) files"
done
