import type { CommandLimits } from '../command-limits.ts';

export type BoundArgumentsOptions = {
  readonly prlimit: string;
  readonly limits: CommandLimits;
  /** Whether the kernel counts the processes of a user for each user namespace by itself (Linux 5.14). */
  readonly countsInside: boolean;
};

/** The words before a program that bound what each of its processes may use. No bound of address space: it breaks WebAssembly. */
export function boundArguments({ prlimit, limits, countsInside }: BoundArgumentsOptions): readonly string[] {
  return [
    prlimit,
    '--core=0',
    `--fsize=${limits.maxFileBytes}`,
    `--nofile=${limits.maxOpenFiles}`,
    ...(countsInside ? [`--nproc=${limits.maxProcesses}`] : []),
    '--',
  ];
}
