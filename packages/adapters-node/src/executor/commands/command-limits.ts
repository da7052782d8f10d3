/** What one command may use, with every process that it starts. */
export type CommandLimits = {
  /** Resident memory of all its processes together: 4 GiB. */
  readonly maxMemoryBytes: number;
  /** Processes at once, and for users other than root threads as well: enough for a build on many cores, far from what a machine can hold. */
  readonly maxProcesses: number;
  /** One file. */
  readonly maxFileBytes: number;
  /** By how much the free space of the disk may shrink meanwhile. */
  readonly maxDiskBytes: number;
  readonly maxOpenFiles: number;
  /** What it prints in all. */
  readonly maxOutputBytes: number;
};

const mebibyte = 1_048_576;

export const usualCommandLimits: CommandLimits = {
  maxMemoryBytes: 4_096 * mebibyte,
  maxProcesses: 1_024,
  maxFileBytes: 2_048 * mebibyte,
  maxDiskBytes: 8_192 * mebibyte,
  maxOpenFiles: 16_384,
  maxOutputBytes: 64 * mebibyte,
};
