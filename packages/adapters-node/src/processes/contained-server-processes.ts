import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { isAbsolute } from 'node:path';
import {
  escapeName,
  type ServerProcess,
  type ServerProcessEnd,
  type ServerProcesses,
  type ServerProgram,
  type ServerStart,
} from '@gemini-mcp/core/internal';
import { containCommand } from './contained-command.ts';
import { type ContainedProcess, type ProcessEnd, startContainedProcess } from './contained-process.ts';
import { runMarkerName } from './marked-processes.ts';
import { TailBuffer } from './output/tail-buffer.ts';
import { buildHelperEnvironment, type Environment } from './programs/child-environment.ts';
import { findSystemProgram, systemDirectories } from './programs/find-system-program.ts';
import { isExecutableFile } from './programs/is-executable-file.ts';
import { describePathFault } from './programs/path-fault.ts';
import type { ProgramPath } from './programs/program-path.ts';
import { startProgram } from './start-program.ts';
import { describeShortage } from './system-shortage.ts';

export type ContainedServerProcessesOptions = {
  /** A server receives only the variables that every program needs: the user's identity and the network settings. */
  readonly environment: Environment;
  /** Where servers, and the programs that they start, are searched for. */
  readonly programPath: ProgramPath;
  /** Whether a running server keeps this program alive; defaults to true. */
  readonly keepsAlive?: boolean;
};

/** The limit on kept standard error; the last bytes stay. */
const maxErrorBytes = 4_000;

/**
 * Clients wait two seconds for this program to end, and it may need one of them for its last answers after the end of its input. No server
 * process may be left by then.
 */
const graceMs = 500;

/**
 * Runs servers as contained processes. On Linux a small watcher process ends the leftovers of servers if this process is killed. A process
 * that a server started is found by its group or its environment; one that has left both is not found.
 */
export class ContainedServerProcesses implements ServerProcesses {
  readonly #options: ContainedServerProcessesOptions;
  readonly #id: string = randomUUID();
  #count = 0;
  #watch: Promise<boolean> | undefined;

  constructor(options: ContainedServerProcessesOptions) {
    this.#options = options;
  }

  async start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart> {
    try {
      return await this.#start(program, signal);
    } catch (error) {
      return {
        started: false,
        detail: describeShortage(error) ?? (error instanceof Error ? error.message : String(error)),
      };
    }
  }

  async #start(program: ServerProgram, signal: AbortSignal): Promise<ServerStart> {
    const { environment, programPath, keepsAlive = true } = this.#options;
    const resolved = await resolveServerProgram(program.command, programPath);
    if (!resolved.found) {
      return { started: false, detail: resolved.detail };
    }
    const path = await programPath.forChildren();
    const command = await containCommand({ file: resolved.path, arguments: program.arguments });
    this.#watch ??= watchForDeath(this.#id);
    await this.#watch;
    if (signal.aborted) {
      return { started: false, detail: 'It was no longer needed.' };
    }
    const errors = new TailBuffer(maxErrorBytes);
    this.#count += 1;
    const contained = startContainedProcess({
      command,
      cwd: program.workingDirectory,
      environment: { ...withoutLogins(buildHelperEnvironment(environment, path)), ...program.environment, PATH: path },
      runId: `${this.#id}-${this.#count}`,
      input: null,
      onStdout: null,
      onStderr: (chunk) => errors.push(chunk),
      graceMs,
    });
    if (contained.pid === null) {
      const { spawnError } = await contained.ended;
      return { started: false, detail: spawnError?.detail ?? 'It could not be started.' };
    }
    if (!keepsAlive) {
      contained.unref();
    }
    return { started: true, process: new ContainedServer(contained, errors) };
  }
}

class ContainedServer implements ServerProcess {
  readonly ended: Promise<ServerProcessEnd>;
  readonly #contained: ContainedProcess;
  readonly #over: Promise<void>;
  /** Shared by all waiting writes: one per write would add a listener each. */
  #drained: Promise<void> | undefined;

  constructor(contained: ContainedProcess, errors: TailBuffer) {
    this.#contained = contained;
    this.#over = contained.ended.then(() => undefined);
    this.ended = contained.ended.then((end) => ({ detail: describeEnd(end), errorText: errors.text() }));
  }

  get output(): AsyncIterable<Uint8Array> {
    return readUntilClosed(this.#contained);
  }

  async write(text: string): Promise<void> {
    const { stdin } = this.#contained;
    if (stdin.writable && !stdin.write(text)) {
      this.#drained ??= once(stdin, 'drain').then(
        () => this.#forgetDrain(),
        () => this.#forgetDrain(),
      );
      await Promise.race([this.#drained, this.#over]);
    }
  }

  async end(): Promise<void> {
    // The specification asks a server to end when its input does. The signal is for servers that do not.
    this.#contained.stdin.end();
    this.#contained.terminate();
    this.#contained.stdout.destroy();
    await this.#over;
  }

  #forgetDrain(): void {
    this.#drained = undefined;
  }
}

/** Ends, instead of rejecting, if the pipe was closed before all was read. */
async function* readUntilClosed({ stdout }: ContainedProcess): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stdout) {
      yield chunk;
    }
  } catch {
    // The process has ended, or was killed.
  }
}

function describeEnd({ exitCode, signal, spawnError }: ProcessEnd): string {
  if (spawnError !== null) {
    return spawnError.detail;
  }
  return exitCode === null ? `it was ended by ${signal ?? 'an unknown signal'}` : `it exited with code ${exitCode}`;
}

/** The proxies without their user names and passwords: those are for our own programs. */
function withoutLogins(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      /^(?:https?|all)_proxy$/i.test(name) ? value.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1') : value,
    ]),
  );
}

/**
 * Waits for the end of its input, which a killed process causes as well, then kills every process with the marker until two consecutive
 * scans find none: a process that is just starting another shows no environment for a moment. Scans for another second: a process that was
 * being started at that moment may get the processor only later, and is then linked to no other process.
 */
const script = `
trap '' HUP INT TERM
end_marked() {
  clean=0 rounds=0
  while [ "$clean" -lt 2 ] && [ "$rounds" -lt 40 ]; do
    rounds=$((rounds + 1)) clean=$((clean + 1))
    for found in $(grep -ls "$1" /proc/[0-9]*/environ); do
      pid=\${found#/proc/}
      kill -KILL "\${pid%/environ}" && clean=0
    done
  done 2>/dev/null
}
while read -r line; do :; done
end_marked "$1"
for pause in 0.1 0.3 0.6; do
  sleep "$pause"
  end_marked "$1"
done 2>/dev/null
`;

/**
 * Starts a small process that outlives this one briefly and, when this one has ended, even by SIGKILL, kills every process whose run id
 * begins with `prefix`: the kernel kills only the direct children, and launchers such as npx have children of their own. The watcher waits
 * in a read and keeps no program alive. Resolves to false without /proc, or if no process can be started.
 */
async function watchForDeath(prefix: string): Promise<boolean> {
  const shell = process.platform === 'linux' ? await findSystemProgram('sh') : null;
  if (shell === null) {
    return false;
  }
  const start = startProgram(shell, ['-c', script, 'sh', `${runMarkerName}=${prefix}`], {
    cwd: '/',
    env: { PATH: systemDirectories.join(':') },
    detached: true,
  });
  if (!start.started) {
    return false;
  }
  const { child } = start;
  child.stdout.destroy();
  child.stderr.destroy();
  child.unref();
  return true;
}

type ResolvedProgram =
  | { readonly found: true; readonly path: string }
  /** `detail` says why, and what to do. */
  | { readonly found: false; readonly detail: string };

/**
 * Finds the program of a server: a name on the safe part of PATH, or an absolute path, which the user vouches for. Rejects if the system is
 * out of resources.
 */
async function resolveServerProgram(command: string, path: ProgramPath): Promise<ResolvedProgram> {
  const shown = escapeName(command).slice(0, 300);
  if (isAbsolute(command)) {
    return (await isExecutableFile(command))
      ? { found: true, path: command }
      : { found: false, detail: `${shown} does not exist or is not an executable program.` };
  }
  if (command === '' || /[/\\]/.test(command)) {
    return { found: false, detail: `Use a program name or an absolute path: "${shown}" is neither.` };
  }
  const search = await path.search(command);
  if (search.path !== null) {
    return { found: true, path: search.path };
  }
  const passedOver = search.passedOver.map(({ fault }) => describePathFault(fault)).slice(0, 3);
  return {
    found: false,
    detail: [
      `"${shown}" was not found, or others can write to its place. Install it, or give its absolute path.`,
      ...passedOver,
    ].join(' '),
  };
}
