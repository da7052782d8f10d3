import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createRandom } from './random.ts';
import type { Workbench } from './workbench.ts';

export type RepositorySize = {
  readonly files: number;
  readonly bytes: number;
};

const words =
  'the a context reads writes file when const value return of each not path if then limit signal size'.split(' ');
const symbols = ['=>', '{', '}', '(', ')', ';', '//', '0', '1', '===', '"', "'", '…', '→', 'é', '漢字', '🙂'] as const;
const asciiSymbols = 12;
const maxLineLength = 100;

/** Entries that a walk must skip: an ignored directory, and files that a pattern excludes. */
const ignored = { rules: '/out/\n*.log\n', directory: 'out', files: 50, bytes: 4_096 } as const;

/**
 * Makes a git repository of text files: sizes from a few hundred bytes to a hundred times that, a few levels of
 * directories, every tenth file with characters beyond Latin-1. The same at each run. Resolves to its directory.
 */
export async function generateRepository(workbench: Workbench, size: RepositorySize): Promise<string> {
  const directory = await workbench.makeDirectory();
  const random = createRandom(1);
  const weights = Array.from({ length: size.files }, () => Math.exp(5 * random()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  for (const [index, weight] of weights.entries()) {
    const bytes = Math.round((size.bytes * weight) / total);
    await write(join(directory, filePath(index)), proseOf(bytes, random, index % 10 === 0));
  }
  await write(join(directory, '.gitignore'), ignored.rules);
  for (let index = 0; index < ignored.files; index += 1) {
    await write(join(directory, ignored.directory, `${index}.txt`), proseOf(ignored.bytes, random, false));
  }
  await git(workbench, directory, ['init', '--quiet']);
  await git(workbench, directory, ['add', '--all']);
  return directory;
}

/** A variable that makes git ignore the user's own settings. */
export function gitEnvironment(directory: string): Readonly<Record<string, string>> {
  return { PATH: process.env['PATH'] ?? '', HOME: directory, GIT_CONFIG_NOSYSTEM: '1' };
}

async function git(workbench: Workbench, directory: string, args: readonly string[]): Promise<void> {
  await workbench.run({ file: 'git', arguments: args, cwd: directory, environment: gitEnvironment(directory) });
}

/** One to four levels deep, at most 20 files in a directory. */
function filePath(index: number): string {
  const directory = Math.floor(index / 20);
  const levels = [`area-${directory % 5}`, `part-${directory % 9}`, `unit-${directory}`].slice(0, directory % 4);
  return [...levels, `group-${directory}`, `file-${index}.${index % 3 === 0 ? 'md' : 'ts'}`].join('/');
}

function proseOf(bytes: number, random: () => number, isWide: boolean): string {
  let text = '';
  let line = '';
  for (let length = 0; length < bytes; ) {
    const word = nextWord(random, isWide);
    line += `${word} `;
    length += Buffer.byteLength(word) + 1;
    if (line.length > maxLineLength) {
      text += `${line.trimEnd()}\n`;
      line = '';
    }
  }
  return `${text}${line.trimEnd()}\n`;
}

function nextWord(random: () => number, isWide: boolean): string {
  const list = random() < 0.7 ? words : symbols.slice(0, isWide ? symbols.length : asciiSymbols);
  return list[Math.floor(random() * list.length)] ?? '';
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
