/** The limits on one command and all processes that it starts. */
export type CommandLimits = {
  /** The memory of all its processes together, and the growth of memory shared on this machine meanwhile: 4 GiB. */
  readonly maxMemoryBytes: number;
  /**
   * A share of the machine's memory: if less is available, a command ends once half of the free memory, or `maxMemoryBytes`, was used up
   * meanwhile.
   */
  readonly minAvailableShare: number;
  /**
   * Concurrent processes, and for users other than root threads as well: enough for a build on many cores, far below what a machine can
   * hold.
   */
  readonly maxProcesses: number;
  /** The size of one file. */
  readonly maxFileBytes: number;
  /** The loss of free disk space meanwhile. */
  readonly maxDiskBytes: number;
  /** The number of new files and directories on the disk meanwhile. */
  readonly maxNewFiles: number;
  readonly maxOpenFiles: number;
  /** The command's total output. */
  readonly maxOutputBytes: number;
};

const mebibyte = 1_048_576;

export const usualCommandLimits: CommandLimits = {
  maxMemoryBytes: 4_096 * mebibyte,
  minAvailableShare: 0.05,
  maxProcesses: 1_024,
  maxFileBytes: 2_048 * mebibyte,
  maxDiskBytes: 8_192 * mebibyte,
  maxNewFiles: 500_000,
  maxOpenFiles: 16_384,
  maxOutputBytes: 64 * mebibyte,
};
