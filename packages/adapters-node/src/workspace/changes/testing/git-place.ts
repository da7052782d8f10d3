import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ChangeRead, ChangeSelection, OpenedChange } from '@gemini-mcp/core';
import { SystemClock } from '../../../processes/system-clock.ts';
import { GitChangeReader } from '../git-change-reader.ts';

/** A repository of a test, and a reader of it. */
export class GitPlace {
  readonly root: string = realpathSync(mkdtempSync(join(tmpdir(), 'git-place-')));
  readonly top: string = join(this.root, 'project');
  readonly reader: GitChangeReader;
  readonly #clock = new SystemClock();

  constructor() {
    this.reader = new GitChangeReader({
      clock: this.#clock,
      stateDirectory: join(this.root, 'state'),
      privateDirectories: [],
    });
    mkdirSync(join(this.root, 'outside'));
    execFileSync('git', ['init', '-q', '-b', 'main', this.top]);
  }

  /** Runs Git as a user does. */
  git(...words: readonly string[]): string {
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', '-c', 'commit.gpgSign=false'];
    const env = { PATH: process.env['PATH'], HOME: this.root, GIT_CONFIG_NOSYSTEM: '1' };
    return execFileSync('git', [...identity, ...words], { cwd: this.top, encoding: 'utf8', env, stdio: 'pipe' });
  }

  write(files: Readonly<Record<string, string | Uint8Array>>): void {
    for (const [path, text] of Object.entries(files)) {
      const target = join(this.top, path);
      mkdirSync(dirname(target), { recursive: true });
      writeFileSync(target, text);
    }
  }

  commit(files: Readonly<Record<string, string | Uint8Array>>, message = 'change'): string {
    this.write(files);
    this.git('add', '-A', '-f');
    this.git('commit', '-q', '--allow-empty', '--no-verify', '-m', message);
    return this.git('rev-parse', 'HEAD').trim();
  }

  async read(
    selection: ChangeSelection,
    directory: string = this.top,
    roots: readonly string[] = [this.top],
  ): Promise<ChangeRead> {
    const deadlineAtMs = this.#clock.now() + 30_000;
    return this.reader.read({ selection, directory, roots, deadlineAtMs }, new AbortController().signal);
  }

  /** Reads a change that must be readable, and closes it. */
  async change(
    selection: ChangeSelection = { type: 'working' },
  ): Promise<Pick<OpenedChange, 'title' | 'files' | 'unread'>> {
    const read = await this.read(selection);
    if (!read.ok) {
      throw new Error(read.problem);
    }
    await read.change.close();
    return read.change;
  }

  /** Directories that readings left. */
  left(): readonly string[] {
    try {
      return readdirSync(join(this.root, 'state', 'runs'));
    } catch {
      return [];
    }
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
