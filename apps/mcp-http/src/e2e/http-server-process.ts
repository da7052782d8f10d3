import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { ServerUnderTest } from '@gemini-mcp/fake-gemini';

/** The file of the built server. */
export const serverPath: string = fileURLToPath(new URL('../../dist/gemini-mcp-server-http.cjs', import.meta.url));

export type ServerEnd = { readonly exitCode: number | null; readonly signal: string | null };

export type HttpServerOptions = {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly flags?: readonly string[];
  /** A command that becomes the server, such as `prlimit`. Default: no such command. */
  readonly launcher?: readonly string[];
  /** Starts the server in place of this Node and the built file, such as `npx`; ended with its whole process group. */
  readonly command?: readonly [string, ...string[]];
};

/** The built HTTP server as a process. */
export class HttpServerProcess implements ServerUnderTest {
  readonly ended: Promise<ServerEnd>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  readonly #isGroup: boolean;
  #stdout = '';
  #stderr = '';
  #listeners: (() => void)[] = [];

  constructor({ environment, cwd, flags = [], launcher = [], command }: HttpServerOptions) {
    if (!existsSync(serverPath)) {
      throw new Error('The server is not built: run `pnpm build` first.');
    }
    const [file = process.execPath, ...words] = command ?? [...launcher, process.execPath, serverPath, ...flags];
    this.#isGroup = command !== undefined;
    this.#child = spawn(file, words, {
      cwd,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: this.#isGroup,
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text;
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (exitCode, signal) => {
        resolve({ exitCode, signal });
        this.#wake();
      });
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get stdout(): string {
    return this.#stdout;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Its address, without a trailing slash; set once it has printed it. */
  get origin(): string {
    const { origin } = new URL(this.#listening?.[1] ?? '');
    return origin;
  }

  /** The token that it created at its start; empty if the test configured one. */
  get printedToken(): string {
    return /Bearer ([\w-]{43})/.exec(this.#stderr)?.[1] ?? '';
  }

  /** Resolves when it listens, rejects if it ends before. */
  async ready(): Promise<this> {
    let hasEnded = false;
    void this.ended.then(() => {
      hasEnded = true;
    });
    await this.until(() => hasEnded || this.#listening !== null);
    if (this.#listening === null) {
      throw new Error(`The server ended before it listened: ${this.#stderr}`);
    }
    return this;
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.#isGroup) {
      this.#child.kill(signal);
      return;
    }
    try {
      process.kill(-this.pid, signal);
    } catch {
      // The whole process group has ended.
    }
  }

  /** Resolves once stderr, or the end of the process, satisfies the condition. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve);
      });
    }
  }

  get #listening(): RegExpExecArray | null {
    return /^listening on (http:\S+)$/m.exec(this.#stderr);
  }

  #wake(): void {
    for (const wake of this.#listeners.splice(0)) {
      wake();
    }
  }
}
