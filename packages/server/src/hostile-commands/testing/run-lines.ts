import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CommandReport, StepResult } from '@gemini-mcp/core';
import { build } from 'esbuild';

export type LinesTask = {
  readonly project: string;
  readonly stateDirectory: string;
  readonly lines: readonly string[];
  readonly timeoutMs: number;
  readonly toolPaths: readonly string[];
};

/** The outcome of one command line: `refused` was not understood. */
export type LineOutcome = {
  readonly decision: 'refused' | 'allow' | 'ask' | 'deny';
  /** Null if it did not run. */
  readonly result: StepResult<CommandReport> | null;
};

/** A project of a user, with a directory next to it that no command may reach. */
export class LinesPlace {
  readonly base: string;
  readonly project: string;
  readonly outside: string;
  readonly #userId: number;

  private constructor(base: string, userId: number) {
    this.base = base;
    this.project = join(base, 'project');
    this.outside = join(base, 'outside');
    this.#userId = userId;
  }

  static async make(userId: number): Promise<LinesPlace> {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'lines-')));
    const place = new LinesPlace(base, userId);
    await chmod(base, 0o755);
    for (const path of [place.project, place.outside, join(base, 'state')]) {
      await mkdir(path, { mode: 0o700 });
      await chown(path, userId, userId);
    }
    await build({
      entryPoints: [join(import.meta.dirname, 'command-lines-program.ts')],
      outfile: join(base, 'program.mjs'),
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@gemini-mcp/source'],
      logLevel: 'error',
    });
    await chmod(join(base, 'program.mjs'), 0o644);
    return place;
  }

  /** Writes a file of the project, with the directories above it. */
  async put(path: string, content: string, mode = 0o644): Promise<void> {
    const target = join(this.project, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { mode });
    for (let at = target; at !== this.project; at = dirname(at)) {
      await chown(at, this.#userId, this.#userId);
    }
  }

  async run(
    lines: readonly string[],
    { timeoutMs = 5_000, toolPaths = [] }: { readonly timeoutMs?: number; readonly toolPaths?: readonly string[] } = {},
  ): Promise<readonly LineOutcome[]> {
    const child = spawn(process.execPath, [join(this.base, 'program.mjs')], {
      cwd: this.base,
      env: { PATH: '/usr/bin:/bin', HOME: this.base, GEMINI_API_KEY: 'AIza-canary' },
      uid: this.#userId,
      gid: this.#userId,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const stateDirectory = join(this.base, 'state');
    const task: LinesTask = { project: this.project, stateDirectory, lines, timeoutMs, toolPaths };
    child.stdin.end(JSON.stringify(task));
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(child, 'close');
    return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  }

  async remove(): Promise<void> {
    await rm(this.base, { recursive: true });
  }
}
