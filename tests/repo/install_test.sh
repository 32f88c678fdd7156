#!/usr/bin/env bash
# install_test.sh CMAKE BUILD VERSION: installing puts everything in its place, and cgrep runs there.
# SPDX-License-Identifier: MIT
set -uo pipefail

prefix=$(mktemp -d)
trap 'rm -rf "$prefix"' EXIT
"$1" --install "$2" --prefix "$prefix" >"$prefix/log" 2>&1 || { cat "$prefix/log"; exit 1; }

status=0
for file in bin/cgrep share/man/man1/cgrep.1 share/man/man1/cgrep-show.1 \
            share/man/man5/cgrep-config.5 share/man/man7/cgrep-query.7 share/man/man7/cgrep-stores.7 \
            share/bash-completion/completions/cgrep \
            share/zsh/vendor-completions/_cgrep share/fish/vendor_completions.d/cgrep.fish \
            share/doc/cgrep/README.md share/doc/cgrep/CHANGELOG.md share/doc/cgrep/LICENSE; do
  [[ -s $prefix/$file ]] || { echo "not installed: $file"; status=1; }
done
version=$("$prefix/bin/cgrep" --version)
[[ $version == "cgrep $3"* ]] || { echo "cgrep --version says: $version"; status=1; }
exit $status
