/** What one command may use, with every process that it starts. */
export type CommandLimits = {
  /** Memory of all its processes together, and by how much the memory that is shared on this machine may grow meanwhile: 4 GiB. */
  readonly maxMemoryBytes: number;
  /** Of the machine's memory: if less is left, a command ends if half of the free memory went meanwhile, or `maxMemoryBytes`. */
  readonly minAvailableShare: number;
  /** Processes at once, and for users other than root threads as well: enough for a build on many cores, far from what a machine can hold. */
  readonly maxProcesses: number;
  /** One file. */
  readonly maxFileBytes: number;
  /** By how much the free space of the disk may shrink meanwhile. */
  readonly maxDiskBytes: number;
  /** How many files and directories more the disk may hold meanwhile. */
  readonly maxNewFiles: number;
  readonly maxOpenFiles: number;
  /** What it prints in all. */
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
