//! Which of several processes this is, as the launcher that started them says in the environment.

/// This process among those that were started together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rank {
    /// Its number among all.
    pub rank: u32,
    /// How many there are.
    pub size: u32,
    /// Its number among those of this machine, which chooses its device.
    pub local: u32,
}

/// The variables of a launcher: rank, number of ranks, rank on this machine.
type Variables = [&'static str; 3];

/// Those that start processes before those that may only have started the launcher: within a Slurm job, the processes of
/// `mpirun` all find the same `SLURM_PROCID`.
const LAUNCHERS: &[Variables] = &[
    // Open MPI: mpirun(1), "Environment Variables".
    [
        "OMPI_COMM_WORLD_RANK",
        "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK",
    ],
    // MVAPICH2.
    [
        "MV2_COMM_WORLD_RANK",
        "MV2_COMM_WORLD_SIZE",
        "MV2_COMM_WORLD_LOCAL_RANK",
    ],
    // Hydra, which starts MPICH and Intel MPI.
    ["PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID"],
    // IBM's jsrun.
    ["JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK"],
    // Flux.
    ["FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID"],
    // Slurm's srun(1): a batch script has the others, but not the number of tasks of a step.
    ["SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID"],
];

impl Rank {
    /// Reads the environment; `None` if no launcher is known to have started this process.
    pub fn from_environment() -> Option<Rank> {
        Rank::read(|name| std::env::var(name).ok())
    }

    fn read(variable: impl Fn(&str) -> Option<String>) -> Option<Rank> {
        let number = |name: &str| variable(name)?.trim().parse::<u32>().ok();
        LAUNCHERS.iter().find_map(|[rank, size, local]| {
            let (rank, size) = (number(rank)?, number(size)?);
            (rank < size).then(|| Rank {
                rank,
                size,
                // Without it: as if there were one machine.
                local: number(local).unwrap_or(rank),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(variables: &[(&str, &str)]) -> Option<(u32, u32, u32)> {
        let find = |name: &str| variables.iter().find(|(key, _)| *key == name);
        Rank::read(|name| find(name).map(|(_, value)| value.to_string())).map(|rank| (rank.rank, rank.size, rank.local))
    }

    #[test]
    fn every_launcher_is_known_by_its_variables() {
        for [rank, size, local] in LAUNCHERS {
            assert_eq!(
                read(&[(rank, "5"), (size, "8"), (local, "1")]),
                Some((5, 8, 1)),
                "{rank}"
            );
            assert_eq!(read(&[(rank, "5"), (size, "8")]), Some((5, 8, 5)), "{rank}");
            assert_eq!(read(&[(rank, "5"), (local, "1")]), None, "{rank}");
        }
        assert_eq!(read(&[]), None);
    }

    #[test]
    fn mpirun_within_a_slurm_job_counts() {
        let slurm = [("SLURM_PROCID", "0"), ("SLURM_NTASKS", "4"), ("SLURM_LOCALID", "0")];
        // A batch script is one process, whatever its job may start.
        assert_eq!(read(&slurm), None);
        let mut both = slurm.to_vec();
        both.extend([("SLURM_STEP_NUM_TASKS", "1"), ("OMPI_COMM_WORLD_RANK", "3")]);
        both.extend([("OMPI_COMM_WORLD_SIZE", "4"), ("OMPI_COMM_WORLD_LOCAL_RANK", "3")]);
        assert_eq!(read(&both), Some((3, 4, 3)));
    }

    #[test]
    fn what_makes_no_sense_is_ignored() {
        assert_eq!(read(&[("PMI_RANK", "4"), ("PMI_SIZE", "4")]), None);
        assert_eq!(read(&[("PMI_RANK", "-1"), ("PMI_SIZE", "x")]), None);
    }
}
