import { readFileSync } from 'node:fs';
import type { CommandLimits } from '../command-limits.ts';
import type { ProgramStart } from '../plan/run-stage.ts';
import { gate, type SandboxedProgram, startSandboxed } from '../running/start-sandboxed.ts';
import { bubblewrapArguments } from './bubblewrap-arguments.ts';
import type { FoundSandbox } from './command-sandbox.ts';
import { MountSources, ProjectChanged } from './mount-sources.ts';
import { type ExpectedMount, findMisplaced, parseMounts } from './mount-table.ts';
import type { ProjectMount } from './project-mounts.ts';
import type { SandboxView } from './sandbox-view.ts';

export type StartInSandboxOptions = {
  readonly sandbox: FoundSandbox;
  readonly view: SandboxView;
  readonly mounts: readonly ProjectMount[];
  readonly limits: CommandLimits;
  readonly environment: Readonly<Record<string, string>>;
  /** The program's working directory: a real path in the view. */
  readonly directory: string;
};

/** The number of the first mount descriptor for bubblewrap. */
const firstDescriptor = 6;

/**
 * Starts a program in a sandbox. It begins only if the kernel shows the mounts as requested. Throws `ProjectChanged` if the project has
 * changed since the look, and otherwise the reason if a file cannot be opened.
 */
export function startInSandbox(options: StartInSandboxOptions, start: ProgramStart): SandboxedProgram {
  const { sandbox, view, limits, environment, directory } = options;
  const { words, assignments, input, output, errors } = start;
  const sources = new MountSources(options.mounts, view.place);
  try {
    const expected = sources.expect(view.place);
    const handed = sandbox.features.bindsDescriptors
      ? sources.mounts.filter(({ descriptor }) => descriptor !== null)
      : [];
    const positions = new Map(handed.map((mount, index) => [mount, firstDescriptor + index]));
    const program = startSandboxed({
      file: sandbox.bubblewrap,
      systemCallFilter: sandbox.systemCallFilter,
      arguments: [
        ...bubblewrapArguments({
          ...{ view, sandbox, mounts: sources.mounts },
          descriptorOf: (mount) => positions.get(mount) ?? -1,
        }),
        ...['--chdir', directory],
        // Set inside: none of them reaches the program that builds the sandbox.
        ...assignments.flatMap(({ name, value }) => ['--setenv', name, value]),
        '--',
        ...gate,
        ...boundArguments({ prlimit: sandbox.prlimit, limits, countsInside: sandbox.countsInside }),
        ...words,
      ],
      environment,
      ...{ input, output, errors },
      descriptors: handed.flatMap(({ descriptor }) => descriptor ?? []),
      findFault: (pid) => findFault(pid, sources, { expected, view }),
    });
    void program.begun.then(() => sources.release());
    return program;
  } catch (error) {
    sources.release();
    throw error;
  }
}

function findFault(
  pid: number,
  sources: MountSources,
  { expected, view }: { readonly expected: readonly ExpectedMount[]; readonly view: SandboxView },
): string | null {
  const misplaced = findMisplaced({
    ...{ expected, own: sources.own, tops: [...view.writable, ...view.toolPaths] },
    found: parseMounts(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')),
  });
  const path = misplaced ?? sources.findReplaced();
  return path === null ? null : new ProjectChanged(path).message;
}

type BoundArgumentsOptions = {
  readonly prlimit: string;
  readonly limits: CommandLimits;
  /** Whether the kernel counts a user's processes separately in each user namespace (Linux 5.14). */
  readonly countsInside: boolean;
};

/** The prefix of a program that limits each of its processes. The address space is not limited, which would break WebAssembly. */
function boundArguments({ prlimit, limits, countsInside }: BoundArgumentsOptions): readonly string[] {
  return [
    prlimit,
    '--core=0',
    `--fsize=${limits.maxFileBytes}`,
    `--nofile=${limits.maxOpenFiles}`,
    ...(countsInside ? [`--nproc=${limits.maxProcesses}`] : []),
    '--',
  ];
}
