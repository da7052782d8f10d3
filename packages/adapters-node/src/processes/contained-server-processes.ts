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
  /** Of it a server sees what every program needs: who the user is, and how to reach the network. */
  readonly environment: Environment;
  /** Where servers, and what they start, are looked for. */
  readonly programPath: ProgramPath;
  /** Whether this program goes on for as long as a server runs; true if missing. */
  readonly keepsAlive?: boolean;
};

/** What is kept of the last that a server writes to standard error. */
const maxErrorBytes = 4_000;

/**
 * Clients wait two seconds for the end of this program, one of which it may need for the last answers after the end of its input. Nothing is
 * to be left of a server by then.
 */
const graceMs = 500;

/**
 * Servers as contained processes. On Linux a small process of ours ends what is left of them when this process was killed. A process that a
 * server has started is found by its group or its environment: one that has left both is not.
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
      return { started: false, detail: 'It was not wanted any more.' };
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
  /** One for all writes that wait: each would be a listener. */
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
    // A server ends by itself when its input does: the specification asks it to. The signal is for those that do not.
    this.#contained.stdin.end();
    this.#contained.terminate();
    this.#contained.stdout.destroy();
    await this.#over;
  }

  #forgetDrain(): void {
    this.#drained = undefined;
  }
}

/** Ends, and does not reject, where the pipe was closed before all was read. */
async function* readUntilClosed({ stdout }: ContainedProcess): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of stdout) {
      yield chunk;
    }
  } catch {
    // The process has ended, or was ended.
  }
}

function describeEnd({ exitCode, signal, spawnError }: ProcessEnd): string {
  if (spawnError !== null) {
    return spawnError.detail;
  }
  return exitCode === null ? `it was ended by ${signal ?? 'an unknown signal'}` : `it exited with code ${exitCode}`;
}

/** The proxies without a user and a password: these are for programs of ours. */
function withoutLogins(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      /^(?:https?|all)_proxy$/i.test(name) ? value.replace(/^([a-z][a-z\d+.-]*:\/\/)?[^/]*@/i, '$1') : value,
    ]),
  );
}

/**
 * Waits for its input to end, which the system does for a process that is killed, and then kills every process with the marker, until
 * two looks in a row find none: one that is just starting another shows no environment for a moment. It looks again for a second: one that
 * was being started at that moment may get the processor only later, and is then tied to no one.
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
 * Starts a small process that outlives this one by a moment, and ends every process whose run id begins with `prefix` when this one has
 * ended, also by SIGKILL: the kernel ends only the direct children then, and launchers such as npx have children of their own. The
 * process is in no one's way: it waits in a read, and keeps no program alive. Resolves to false where there is no /proc to look into, or no
 * process can be started.
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
 * Finds the program of a server: a name on the safe part of PATH, or an absolute path, which is the user's own word. Rejects where the
 * system has nothing left to look with.
 */
async function resolveServerProgram(command: string, path: ProgramPath): Promise<ResolvedProgram> {
  const shown = escapeName(command).slice(0, 300);
  if (isAbsolute(command)) {
    return (await isExecutableFile(command))
      ? { found: true, path: command }
      : { found: false, detail: `${shown} is not there, or is no program that can be run.` };
  }
  if (command === '' || /[/\\]/.test(command)) {
    return { found: false, detail: `Name the program, or its absolute path: "${shown}" is neither.` };
  }
  const search = await path.search(command);
  if (search.path !== null) {
    return { found: true, path: search.path };
  }
  const passedOver = search.passedOver.map(({ fault }) => describePathFault(fault)).slice(0, 3);
  return {
    found: false,
    detail: [
      `"${shown}" was not found, or lies where others can write. Install it, or give its absolute path.`,
      ...passedOver,
    ].join(' '),
  };
}
