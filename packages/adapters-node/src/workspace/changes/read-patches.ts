import { type PatchFile, parsePatch } from '@gemini-mcp/core/internal';
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

/** In one start of Git: systems accept some 2 MB of arguments. */
const batchFiles = 300;

/** Of all files together. */
const maxPatchBytes = 33_554_432;

/** The diffs of these files alone, by path: Git is not asked for others. Those after the limit are missing. */
export async function readPatches(
  git: Git,
  { entries, compared }: { readonly entries: readonly RawEntry[]; readonly compared: Compared },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Patch>> {
  const patches = new Map<string, Patch>();
  let room = maxPatchBytes;
  for (let start = 0; start < entries.length && room > 0; start += batchFiles) {
    const batch = entries.slice(start, start + batchFiles);
    const paths = batch.flatMap(({ path, previousPath }) => (previousPath === null ? [path] : [path, previousPath]));
    const words = ['--literal-pathspecs', 'diff', '--patch', '--full-index', '--ignore-cr-at-eol', ...diffOptions];
    const end = await git.run({ arguments: [...words, ...sides(compared), '--', ...paths], maxBytes: room }, signal);
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

function addPatches(patches: Map<string, Patch>, pieces: readonly string[]): void {
  for (const piece of pieces) {
    const parsed = parsePatch(piece);
    for (const file of parsed.ok ? parsed.files : []) {
      patches.set(file.newPath ?? file.oldPath ?? '', patchOf(file, piece));
    }
  }
}

function patchOf({ isBinary, hunks }: PatchFile, text: string): Patch {
  if (isBinary) {
    return { type: 'binary' };
  }
  return hunks.length > 0 ? { type: 'diff', text } : { type: 'no-lines' };
}

/** Git writes nothing about a file of which only line ends differ. */
function addUnchanged(patches: Map<string, Patch>, batch: readonly RawEntry[]): void {
  for (const { path } of batch) {
    patches.set(path, patches.get(path) ?? { type: 'no-lines' });
  }
}
