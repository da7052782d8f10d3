import { type ChildProcessByStdio, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../bin/swap-places.c', import.meta.url));

/** Without a compiler: three renames for each exchange, between which the first name is missing. */
const slowProgram = `
  const { renameSync } = require('node:fs');
  const places = process.argv.slice(1);
  let exchanges = 0;
  process.on('SIGTERM', () => {
    console.log(exchanges);
    process.exit(0);
  });
  const swap = () => {
    for (let index = 0; index < places.length; index += 2) {
      const [one, other] = places.slice(index, index + 2);
      renameSync(one, one + '.aside');
      renameSync(other, one);
      renameSync(one + '.aside', other);
      exchanges += 1;
    }
    setImmediate(swap);
  };
  console.log('ready');
  swap();
`;

/** A process that keeps exchanging the entries at pairs of paths, as fast as it can and with pauses of up to some milliseconds. */
export class PlaceSwapper {
  readonly #child: ChildProcessByStdio<null, Readable, null>;
  readonly #directory: string;
  #said = '';

  private constructor(child: ChildProcessByStdio<null, Readable, null>, directory: string) {
    this.#child = child;
    this.#directory = directory;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#said += text;
    });
  }

  /** Resolves when the exchanges have begun. Both paths of a pair must exist, on one file system. */
  static async start(...pairs: readonly (readonly [one: string, other: string])[]): Promise<PlaceSwapper> {
    const directory = mkdtempSync(join(tmpdir(), 'swap-places-'));
    const [file, ...words] = prepare(directory);
    const child = spawn(file, [...words, ...pairs.flat()], { stdio: ['ignore', 'pipe', 'inherit'] });
    const swapper = new PlaceSwapper(child, directory);
    await once(child.stdout, 'data');
    return swapper;
  }

  /** Ends it, and resolves to the number of exchanges. Rejects if it ended before. */
  async stop(): Promise<number> {
    const hasFailed = this.#child.exitCode !== null;
    this.#child.kill('SIGTERM');
    await (hasFailed ? undefined : once(this.#child, 'close'));
    rmSync(this.#directory, { recursive: true });
    if (hasFailed) {
      throw new Error(`The swapper ended by itself, with ${this.#child.exitCode}.`);
    }
    return Number(this.#said.split('\n')[1]);
  }
}

function prepare(directory: string): readonly [file: string, ...words: string[]] {
  const program = join(directory, 'swap-places');
  if (process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0) {
    execFileSync('cc', ['-O2', '-pthread', '-o', program, source]);
    return [program];
  }
  return [process.execPath, '-e', slowProgram];
}
