import { parsePatch } from '@gemini-mcp/core/internal';
import type { Compared } from './compared-commits.ts';
import { type Git, textOf } from './git.ts';
import type { RawEntry } from './raw-entries.ts';

/** The diff of one file, or why it has no lines. */
export type Patch = { readonly type: 'diff'; readonly text: string } | { readonly type: 'binary' | 'no-lines' };

/** Nothing that the repository brings is started, and the content of a submodule is not looked at: it has settings of its own. */
export const diffOptions: readonly string[] = [
  ...['--no-color', '--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--find-renames', '-l3000'],
  ...['--src-prefix=a/', '--dst-prefix=b/'],
];

/** The arguments of `git diff` for two sides. */
export function sides({ from, to }: Compared): readonly string[] {
  if (to === 'working tree') {
    return [from];
  }
  return to === 'index' ? ['--cached', from] : [from, to];
}

/** In one start of Git: systems accept some 2 MB of arguments, and Git compares each name with each file of the index. */
const batchFiles = 300;

/** Of all files together: five times what one review takes. */
const maxPatchBytes = 16_777_216;

export type WantedPatches = {
  /** The changed files whose diffs are wanted, and all the others: Git must not read these. */
  readonly entries: readonly RawEntry[];
  readonly others: readonly RawEntry[];
  readonly compared: Compared;
};

/** The diffs of these files alone, by path: Git is not asked for others. Those after the limit are missing. */
export async function readPatches(
  git: Git,
  { compared, ...wanted }: WantedPatches,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Patch>> {
  const patches = new Map<string, Patch>();
  let room = maxPatchBytes;
  for (const { batch, pathspecs } of batchesOf(wanted)) {
    if (room <= 0) {
      break;
    }
    const words = ['diff', '--patch', '--full-index', '--ignore-cr-at-eol', ...diffOptions];
    const end = await git.run(
      { arguments: [...words, ...sides(compared), '--', ...pathspecs], maxBytes: room },
      signal,
    );
    if (!end.ok) {
      break;
    }
    room -= end.output.length;
    const pieces = textOf(end.output).split(/^(?=diff --git )/m);
    addPatches(patches, end.isCut ? pieces.slice(0, -1) : pieces);
    addUnchanged(patches, end.isCut ? [] : batch);
  }
  return patches;
}

type Batch = { readonly batch: readonly RawEntry[]; readonly pathspecs: readonly string[] };

/** Everything but a few files takes one start, which compares the tree once. */
function batchesOf({ entries, others }: Pick<WantedPatches, 'entries' | 'others'>): readonly Batch[] {
  if (entries.length === 0) {
    return [];
  }
  if (others.length <= batchFiles) {
    const excluded = namesOf(others).map((name) => `:(top,literal,exclude)${name}`);
    return [{ batch: entries, pathspecs: [':(top)', ...excluded] }];
  }
  return Array.from({ length: Math.ceil(entries.length / batchFiles) }, (_, index) => {
    const batch = entries.slice(index * batchFiles, (index + 1) * batchFiles);
    return { batch, pathspecs: namesOf(batch).map((name) => `:(top,literal)${name}`) };
  });
}

function namesOf(entries: readonly RawEntry[]): readonly string[] {
  return entries.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]));
}

/** Reads the heads alone: the lines of a large diff would take ten times its memory. */
function addPatches(patches: Map<string, Patch>, pieces: readonly string[]): void {
  for (const piece of pieces) {
    const hunks = piece.indexOf('\n@@ ');
    const parsed = parsePatch(hunks === -1 ? piece : piece.slice(0, hunks + 1));
    const [head] = parsed.ok ? parsed.files : [];
    if (head !== undefined) {
      patches.set(head.newPath ?? head.oldPath ?? '', patchOf(piece, { hasLines: hunks !== -1, ...head }));
    }
  }
}

type Head = { readonly hasLines: boolean; readonly isBinary: boolean };

function patchOf(text: string, { hasLines, isBinary }: Head): Patch {
  if (hasLines) {
    return { type: 'diff', text };
  }
  return { type: isBinary ? 'binary' : 'no-lines' };
}

/** Git writes nothing about a file of which only line ends differ. */
function addUnchanged(patches: Map<string, Patch>, batch: readonly RawEntry[]): void {
  for (const { path } of batch) {
    patches.set(path, patches.get(path) ?? { type: 'no-lines' });
  }
}
