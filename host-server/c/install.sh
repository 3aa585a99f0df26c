#!/bin/sh
# Installs the library, its header, and what pkg-config and CMake need to find them.
#
# usage: install.sh PREFIX [folder with librpc_server.so and librpc_server.a, as cargo made them]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
prefix=${1:?usage: install.sh PREFIX [folder with the libraries]}
built=${2:-$here/../../target/release}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' "$here/../../Cargo.toml")

mkdir -p "$prefix/include" "$prefix/lib/pkgconfig" "$prefix/lib/cmake/RpcServer"
prefix=$(cd "$prefix" && pwd)
cp "$here/include/rpc_server.h" "$prefix/include/"
cp "$built/librpc_server.a" "$prefix/lib/"
cp "$built/librpc_server.so" "$prefix/lib/librpc_server.so.$version"
ln -sf "librpc_server.so.$version" "$prefix/lib/librpc_server.so.0"
ln -sf librpc_server.so.0 "$prefix/lib/librpc_server.so"
sed "s,@PREFIX@,$prefix,; s,@VERSION@,$version," "$here/rpc_server.pc.in" > "$prefix/lib/pkgconfig/rpc_server.pc"
cp "$here/RpcServerConfig.cmake" "$prefix/lib/cmake/RpcServer/"
sed "s,@VERSION@,$version," "$here/RpcServerConfigVersion.cmake.in" \
    > "$prefix/lib/cmake/RpcServer/RpcServerConfigVersion.cmake"
