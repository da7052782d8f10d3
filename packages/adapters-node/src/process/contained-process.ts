import { execa } from 'execa';
import { type Command, containCommand } from './contained-command.ts';
import { killMarkedProcesses, runMarkerName } from './marked-processes.ts';

/** How long a process group may take to end by itself after SIGTERM. */
const graceMs = 2_000;

export type ContainedProcessOptions = {
  readonly command: Command;
  readonly cwd: string;
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** Marks every process that comes of this one. */
  readonly runId: string;
  /** Written whole, then the stream is closed. */
  readonly input: string;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
};

export type ProcessEnd = {
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Why the process never ran, null when it did. */
  readonly spawnError: string | null;
};

export type ContainedProcess = {
  /** Resolves once the process, its group, every marked descendant and the pipes are gone; never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Asks the group to end, and after a grace time makes it; further calls change nothing. */
  terminate(): void;
};

/** Starts a process in a group of its own, from which nothing is left when it has ended. */
export async function startContainedProcess(options: ContainedProcessOptions): Promise<ContainedProcess> {
  const { file, arguments: flags } = await containCommand(options.command);
  const subprocess = execa(file, flags, {
    cwd: options.cwd,
    env: { ...options.environment, [runMarkerName]: options.runId },
    extendEnv: false,
    detached: true,
    windowsHide: true,
    reject: false,
    buffer: false,
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
  });
  subprocess.stdout.on('data', options.onStdout);
  subprocess.stderr.on('data', options.onStderr);
  // A process that closes its input or dies before it has read all is no error of ours: its end tells.
  subprocess.stdin.on('error', () => undefined);
  subprocess.stdin.end(options.input);
  // A grandchild that holds the pipes open must not hold the call open.
  subprocess.once('exit', () => endGroup(subprocess.pid, options.runId));
  let killTimer: NodeJS.Timeout | undefined;
  let isOver = false;
  const ended = subprocess.then((result): ProcessEnd => {
    isOver = true;
    clearTimeout(killTimer);
    endGroup(subprocess.pid, options.runId);
    return {
      exitCode: result.exitCode ?? null,
      signal: result.signal ?? null,
      spawnError: subprocess.pid === undefined ? (result.shortMessage ?? 'could not be started') : null,
    };
  });
  const terminate = (): void => {
    // Once it is over, its id may be another process's.
    if (!isOver && killTimer === undefined) {
      signalGroup(subprocess.pid, 'SIGTERM');
      killTimer = setTimeout(() => endGroup(subprocess.pid, options.runId), graceMs);
    }
  };
  return { ended, terminate };
}

function endGroup(pid: number | undefined, runId: string): void {
  signalGroup(pid, 'SIGKILL');
  killMarkedProcesses(new Set([runId]));
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) {
    return;
  }
  try {
    // Windows has no groups; there the process itself is ended.
    process.kill(process.platform === 'win32' ? pid : -pid, signal);
  } catch {
    // Nobody is left in the group.
  }
}
