import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type {
  ServerProcess,
  ServerProcessEnd,
  ServerProcesses,
  ServerProgram,
  ServerStart,
} from '@gemini-mcp/core/internal';
import { buildHelperEnvironment, type Environment } from '../gemini-cli/environment/child-environment.ts';
import { containCommand } from '../process/contained-command.ts';
import { type ContainedProcess, type ProcessEnd, startContainedProcess } from '../process/contained-process.ts';
import { describeShortage } from '../process/system-shortage.ts';
import { TailBuffer } from '../process/tail-buffer.ts';
import type { ProgramPath } from '../programs/program-path.ts';
import { resolveServerProgram } from './resolve-server-program.ts';
import { watchForDeath } from './watch-for-death.ts';

export type ContainedServerProcessesOptions = {
  /** Of it a server sees what every program needs: who the user is, and how to reach the network. */
  readonly environment: Environment;
  /** Where servers, and what they start, are looked for. */
  readonly programPath: ProgramPath;
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
    const { environment, programPath } = this.#options;
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
