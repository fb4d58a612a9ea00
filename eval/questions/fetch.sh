#!/bin/sh
# Downloads the documentation packages of the question set and unpacks the
# documentation tree of each into DIR/NAME.  No root and no install needed.
#   sh fetch.sh DIR
# The versions are those the questions were written against (Debian 12). When a
# version is no longer offered the current one of that name is taken, and said.
set -eu
dir=${1:?usage: fetch.sh DIR}
mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
chmod 755 "$tmp"
while read -r name version root; do
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
done <<LIST
borgbackup-doc 1.2.4-1 usr/share/doc/borgbackup/html
developers-reference 12.18 usr/share/developers-reference
exim4-doc-html 4.96-1 usr/share/doc/exim4-doc-html/spec_html
git-doc 1:2.39.5-0+deb12u3 usr/share/doc/git-doc
rsyslog-doc 8.2302.0+dfsg-1 usr/share/doc/rsyslog-doc/html
sqlite3-doc 3.40.1-2+deb12u2 usr/share/doc/sqlite3
LIST
