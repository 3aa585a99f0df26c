//! Open MPI's launcher, for the tests that run a program as several processes.

use std::path::PathBuf;

use anyhow::Result;

use super::tool::Tool;

/// `mpirun` and the libraries that it cannot do without. What networks need is left out: all processes are on this machine.
const PACKAGES: &[&str] = &[
    "openmpi-bin",
    "openmpi-common",
    "libopenmpi3",
    "libpmix2",
    "libhwloc15",
    "libevent-core-2.1-7",
    "libevent-pthreads-2.1-7",
    "libmunge2",
];

/// Runs the unpacked launcher, which was built to be in `/usr`. Root is as good as anybody here.
const WRAPPER: &str = r#"#!/bin/sh
root=$(cd "$(dirname "$0")" && pwd)/root
libraries=$root/usr/lib/x86_64-linux-gnu
export OPAL_PREFIX="$root/usr" OPAL_LIBDIR="$libraries" OPAL_PKGLIBDIR="$libraries/openmpi/lib/openmpi3"
export OMPI_MCA_mca_base_component_show_load_errors=0 PMIX_MCA_pcompress_base_silence_warning=1
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export LD_LIBRARY_PATH="$libraries"
exec "$root/usr/bin/orterun" "$@"
"#;

const MPIRUN: Tool = Tool {
    name: "mpirun",
    packages: PACKAGES,
    about: "Open MPI (4 MB, 14 MB on disk)",
    wrapper: WRAPPER,
};

/// The launcher: the system's, or Debian's, which is fetched and unpacked where it is missing.
pub fn provide() -> Result<PathBuf> {
    MPIRUN.provide()
}
