#!/bin/sh
# Makes src/bindings.rs anew. Needs apt-get, dpkg-deb, bindgen (`cargo install bindgen-cli`; made
# with 0.73.2) and a libclang, which bindgen finds by itself or through LIBCLANG_PATH. Nothing is
# installed: the headers are unpacked into a temporary folder.
#
# usage: regenerate.sh [folder with hsa/hsa.h in it]
set -eu
cd "$(dirname "$0")"

package=libhsa-runtime-dev
if [ $# -gt 0 ]; then
    include=$1
    origin="$include"
else
    scratch=$(mktemp -d)
    trap 'rm -rf "$scratch"' EXIT
    (cd "$scratch" && apt-get download -q "$package" && dpkg-deb -x "$package"_*.deb .)
    include=$scratch/usr/include
    origin="Debian's $package $(dpkg-deb -f "$scratch/$package"_*.deb Version)"
fi

{
    echo "// Made by regenerate.sh from $origin. Do not edit."
    echo "//"
    echo "// The declarations are those of AMD's headers and keep their notice:"
    echo "//"
    sed 's,^,// ,; s, *$,,' NOTICE
    echo
    echo "#![allow(missing_docs, clippy::all, clippy::undocumented_unsafe_blocks)]"
    echo "#![allow(non_camel_case_types, non_snake_case, non_upper_case_globals)]"
    echo
} > src/bindings.rs

bindgen headers.h \
    --allowlist-function 'hsa_.*' --allowlist-type '(hsa|amd)_.*' --allowlist-var '(HSA|AMD)_.*' \
    --blocklist-item 'hsa_(ext|amd)_(image|sampler).*' \
    --dynamic-loading Hsa --default-enum-style consts --no-prepend-enum-name \
    --no-doc-comments --no-layout-tests --use-core --disable-header-comment \
    --rust-target 1.85 --rust-edition 2024 --wrap-unsafe-ops \
    -- -I"$include" ${BINDGEN_EXTRA_CLANG_ARGS:-} >> src/bindings.rs
