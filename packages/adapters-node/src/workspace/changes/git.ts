import { containCommand } from '../../processes/contained-command.ts';
import { findSystemProgram, systemDirectories } from '../../processes/programs/find-system-program.ts';
import { runProgram } from '../../processes/run-program.ts';
import type { PrivateGitDirectory } from './private-git-directory.ts';

/** How a Git command ended. `output` has one character for each byte. */
export type GitEnd =
  | { readonly ok: true; readonly output: string /** Whether the output is longer. */; readonly isCut: boolean }
  /** `exitCode` is null if Git did not run to its end. */
  | { readonly ok: false; readonly exitCode: number | null };

export type GitCommand = {
  readonly arguments: readonly string[];
  readonly input?: string;
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
};

/** Where systems and their package managers install Git. */
const directories = [...systemDirectories, '/usr/local/bin', '/opt/homebrew/bin', '/opt/local/bin'];

const usualBytes = 33_554_432;
const maxTimeoutMs = 120_000;

/**
 * Runs Git on a private Git directory: read-only commands, without the user's and the system's settings, without variables of this process, without
 * network, prompts and locks.
 */
export class Git {
  readonly #program: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #cwd: string;
  readonly #timeLeft: () => number;

  private constructor(program: string, { path, run }: PrivateGitDirectory, { top, isBare, timeLeft }: GitPlace) {
    this.#program = program;
    this.#cwd = top;
    this.#timeLeft = timeLeft;
    this.#environment = {
      ...{ PATH: '/usr/bin:/bin', HOME: run.temporary, TMPDIR: run.temporary, LC_ALL: 'C', GIT_DIR: path },
      ...(isBare ? {} : { GIT_WORK_TREE: top }),
      ...{
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_SYSTEM: '/dev/null',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_ATTR_NOSYSTEM: '1',
      },
      ...{ GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', GIT_NO_LAZY_FETCH: '1', GIT_NO_REPLACE_OBJECTS: '1' },
      ...{ GIT_ALLOW_PROTOCOL: '', GIT_PAGER: 'cat', GIT_GRAFT_FILE: '/dev/null' },
    };
  }

  /** Null if this machine has no Git that may be run. */
  static async find(directory: PrivateGitDirectory, place: GitPlace): Promise<Git | null> {
    const program = await findSystemProgram('git', directories);
    return program === null ? null : new Git(program, directory, place);
  }

  /** Never rejects. */
  async run(
    { arguments: words, input = '', maxBytes = usualBytes, timeoutMs = maxTimeoutMs }: GitCommand,
    signal: AbortSignal,
  ): Promise<GitEnd> {
    try {
      const contained = await containCommand({ file: this.#program, arguments: ['--no-pager', ...words] });
      const end = await runProgram(
        {
          ...contained,
          cwd: this.#cwd,
          environment: this.#environment,
          input: Buffer.from(input, 'utf8'),
          timeoutMs: Math.max(1, Math.min(timeoutMs, this.#timeLeft())),
          graceMs: 100,
          maxOutputCharacters: maxBytes + 1,
          encoding: 'latin1',
        },
        signal,
      );
      return end.ran && end.exitCode === 0
        ? { ok: true, output: end.stdout.slice(0, maxBytes), isCut: end.stdout.length > maxBytes }
        : { ok: false, exitCode: end.ran ? end.exitCode : null };
    } catch {
      return { ok: false, exitCode: null };
    }
  }
}

export type GitPlace = {
  /** The top of the working tree. */
  readonly top: string;
  readonly isBare: boolean;
  /** Milliseconds until everything must be read. */
  readonly timeLeft: () => number;
};

/** Output with one character for each byte as text; bytes that are not UTF-8 become U+FFFD. */
export function textOf(output: string): string {
  return Buffer.from(output, 'latin1').toString('utf8');
}
