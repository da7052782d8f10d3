import { containCommand } from '../../../process/contained-command.ts';
import { runProgram } from '../../../process/run-program.ts';
import { findSystemProgram } from '../../../programs/find-system-program.ts';

export type RipgrepFilter = {
  /** A file is kept if one of them is in it. */
  readonly texts: readonly string[];
  readonly ignoresCase: boolean;
  /** Absolute. */
  readonly paths: readonly string[];
};

/** Fewer files are read sooner than a program is started. */
const minFiles = 200;

/** Of the arguments of one start: systems take some 2 MB of them, and `runProgram` keeps so much of what is printed. */
const maxBatchBytes = 524_288;
const timeoutMs = 20_000;

/**
 * Has ripgrep find the files in which one of some texts is, so that the others need not be read: it is asked by names that were found here, and
 * nothing that it reads is passed on. Resolves to those files, and those of which it could not tell; to null where there is no ripgrep,
 * or where it is not worth starting. Never rejects.
 */
export async function filterByRipgrep(
  { texts, ignoresCase, paths }: RipgrepFilter,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | null> {
  const program = paths.length < minFiles ? null : await findSystemProgram('rg');
  if (program === null) {
    return null;
  }
  const options = [
    // Neither settings of the user's nor ignore files: what is searched was decided before.
    ...['--no-config', '--no-ignore', '--hidden', '--no-messages', '--no-mmap', '--text', '--encoding=none'],
    ...['--files-with-matches', '--null', '--fixed-strings', '--color=never', '--max-columns=0', '--threads=2'],
    ...(ignoresCase ? ['--ignore-case'] : ['--case-sensitive']),
    ...texts.flatMap((text) => ['-e', text]),
  ];
  const found = new Set<string>();
  for (const batch of cutBatches(paths)) {
    const command = { file: program, arguments: [...options, '--', ...batch] };
    for (const path of await runBatch(command, batch, signal)) {
      found.add(path);
    }
  }
  return found;
}

async function runBatch(
  command: { readonly file: string; readonly arguments: readonly string[] },
  batch: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  try {
    const contained = await containCommand(command);
    const environment = { PATH: '/usr/bin:/bin' };
    const end = await runProgram({ ...contained, environment, timeoutMs, graceMs: 100 }, signal);
    const isKnown = end.ran && (end.exitCode === 0 || end.exitCode === 1);
    return isKnown ? end.stdout.split('\0').filter((path) => path !== '') : batch;
  } catch {
    return batch;
  }
}

function cutBatches(paths: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let room = 0;
  for (const path of paths) {
    const bytes = Buffer.byteLength(path) + 1;
    if (bytes > room) {
      batches.push([]);
      room = maxBatchBytes;
    }
    room -= bytes;
    batches.at(-1)?.push(path);
  }
  return batches;
}
