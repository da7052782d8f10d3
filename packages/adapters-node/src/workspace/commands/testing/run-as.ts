import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandPlan, CommandReport, StepResult } from '@gemini-mcp/core';
import type { TestUser } from '@gemini-mcp/fake-gemini';
import { build } from 'esbuild';
import type { CommandLimits } from '../command-limits.ts';

/** The task of the test program. */
export type ProgramTask = {
  readonly runsDirectory: string;
  readonly project: string;
  readonly plans: readonly CommandPlan[];
  readonly timeoutMs?: number;
  readonly waitMs?: number;
  readonly limits?: Partial<CommandLimits>;
  /** No command is reported before it has printed this text. */
  readonly until?: string;
  readonly isAllowedByUser?: boolean;
  /** Whether it leaves the run open, to be killed while commands run. */
  readonly stays?: boolean;
};

let program: Promise<string> | undefined;

async function buildProgram(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'command-program.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['@gemini-mcp/source'],
  });
  return outputFiles[0]?.text ?? '';
}

/** A project, and a directory for temporary data of runs, that belong to a user. */
export class UserPlace {
  readonly base: string;
  readonly project: string;
  readonly #user: TestUser;

  private constructor(base: string, user: TestUser) {
    this.base = base;
    this.project = join(base, 'project');
    this.#user = user;
  }

  static async make(user: TestUser): Promise<UserPlace> {
    const base = await realpath(await mkdtemp(join(tmpdir(), 'walls-')));
    const place = new UserPlace(base, user);
    await chmod(base, 0o755);
    for (const path of [place.project, place.runsDirectory]) {
      await mkdir(path, { mode: 0o700 });
      await chown(path, user.id, user.id);
    }
    program ??= buildProgram();
    await writeFile(join(base, 'program.mjs'), await program, { mode: 0o644 });
    return place;
  }

  get runsDirectory(): string {
    return join(this.base, 'runs');
  }

  start(task: Omit<ProgramTask, 'project' | 'runsDirectory'>): ChildProcessWithoutNullStreams {
    const { id } = this.#user;
    const isOther = id !== process.getuid?.();
    const child = spawn(process.execPath, [join(this.base, 'program.mjs')], {
      cwd: this.base,
      env: { PATH: '/usr/bin:/bin', HOME: this.base, SECRET_KEY: 'AIza-outer-key' },
      ...(isOther && { uid: id, gid: id }),
    });
    const whole: ProgramTask = { ...task, project: this.project, runsDirectory: this.runsDirectory };
    child.stdin.end(JSON.stringify(whole));
    child.stderr.pipe(process.stderr);
    return child;
  }

  /** Runs command lines, and resolves to the report on each. */
  async run(task: Omit<ProgramTask, 'project' | 'runsDirectory'>): Promise<readonly StepResult<CommandReport>[]> {
    const child = this.start(task);
    let text = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    await once(child, 'close');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  async remove(): Promise<void> {
    await rm(this.base, { recursive: true });
  }
}
