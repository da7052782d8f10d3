import { join, sep } from 'node:path';
import type { ChangeRead, FileDiff, MentionSearch, OpenedChange, UnreadFile, UnreadReason } from '@gemini-mcp/core';
import { unifiedDiff } from '@gemini-mcp/core/internal';
import type { RealRoots } from '../../disk/real-roots.ts';
import { isSensitivePath } from '../../disk/sensitive-names.ts';
import type { Compared } from './compared-commits.ts';
import { type Git, textOf } from './git.ts';
import { type RawEntry, readRawEntries } from './raw-entries.ts';
import { diffOptions, type Patch, readPatches, sides } from './read-patches.ts';
import { type FileText, listTree, readBlobs, readFromDisk } from './tree-files.ts';

export type GitChange = {
  readonly git: Git;
  readonly top: string;
  readonly roots: RealRoots;
  readonly compared: Compared;
  readonly close: () => Promise<void>;
};

/** Larger files are no source code. */
const maxFileBytes = 1_048_576;
const maxRelatedBytes = 200_000;

/** A review of more files would fill no model's window with anything that it can judge. */
const maxFiles = 3_000;

/** Reads the files of a change. What it holds is closed if it fails. */
export async function openGitChange(opened: GitChange, signal: AbortSignal): Promise<ChangeRead> {
  const { close, compared } = opened;
  try {
    const listed = await listEntries(opened, signal);
    if (listed === null) {
      await close();
      return { ok: false, problem: failed };
    }
    const sorted = sortEntries(listed, opened);
    const { unread } = sorted;
    const read = await readFiles(sorted, opened, signal);
    const files = read.flatMap((one) => ('reason' in one ? [] : [one]));
    const change: OpenedChange = {
      title: compared.title,
      files: files.toSorted((one, other) => (one.path < other.path ? -1 : 1)),
      unread: [...unread, ...read.flatMap((one) => ('reason' in one ? [one] : []))],
      close,
      ...treeOf(opened),
    };
    return { ok: true, change };
  } catch (error) {
    await close();
    throw error;
  }
}

const failed =
  'Git could not compare the two sides in time: the repository may be damaged, incomplete (a partial clone) or very slow to read.';

/** The changed paths, new files among them. Null if Git fails. */
async function listEntries({ git, compared }: GitChange, signal: AbortSignal): Promise<readonly RawEntry[] | null> {
  const raw = git.run(
    { arguments: ['diff', '--raw', '-z', '--no-abbrev', ...diffOptions, ...sides(compared)] },
    signal,
  );
  const ofTree = compared.to === 'working tree' ? git.run({ arguments: treeWords }, signal) : null;
  const [changed, tree] = [await raw, await ofTree];
  if (!changed.ok || tree?.ok === false) {
    return null;
  }
  const names = (tree?.output ?? '').split('\0').map(textOf);
  const others = names.flatMap((line) => (line.startsWith('? ') ? [untrackedEntry(line.slice(2))] : []));
  const unmerged = new Set(names.flatMap((line) => /^M \d+ [0-9a-f]+ \d\t(.+)$/s.exec(line)?.[1] ?? []));
  const entries = readRawEntries(changed.output).map(
    (entry): RawEntry => (unmerged.has(entry.path) ? { ...entry, status: 'unmerged' } : entry),
  );
  return [...entries, ...others];
}

/** New files, marked with `?`, and files in conflict, marked with `M`. */
const treeWords = ['ls-files', '-z', '-t', '--others', '--unmerged', '--exclude-standard'];

function untrackedEntry(path: string): RawEntry {
  const mode = path.endsWith('/') ? '160000' : '100644';
  return { status: 'added', path, previousPath: null, mode, previousMode: '000000', blob: '' };
}

type Sorted = {
  readonly entries: readonly RawEntry[];
  readonly others: readonly RawEntry[];
  /** The others, with the reason. */
  readonly unread: readonly UnreadFile[];
};

function sortEntries(listed: readonly RawEntry[], { top, roots }: GitChange): Sorted {
  const entries: RawEntry[] = [];
  const others: RawEntry[] = [];
  const unread: UnreadFile[] = [];
  for (const entry of listed) {
    const reason = unreadReason(entry, top, roots) ?? (entries.length < maxFiles ? null : 'over-limit');
    if (reason === null) {
      entries.push(entry);
    } else {
      others.push(entry);
      unread.push({ path: entry.path, reason });
    }
  }
  return { entries, others, unread };
}

function unreadReason(
  { path, previousPath, mode, previousMode, status }: RawEntry,
  top: string,
  roots: RealRoots,
): UnreadReason | null {
  const names = previousPath === null ? [path] : [path, previousPath];
  if (!names.every((name) => roots.contains(join(top, name.replaceAll('/', sep))))) {
    return 'outside-roots';
  }
  if (names.some((name) => isSensitivePath(join(top, name)))) {
    return 'sensitive';
  }
  if (names.some((name) => name.includes('\uFFFD'))) {
    return 'not-utf8';
  }
  if (mode === '160000' || previousMode === '160000') {
    return 'submodule';
  }
  return status === 'unmerged' ? 'unmerged' : null;
}

async function readFiles(
  { entries, others }: Sorted,
  opened: GitChange,
  signal: AbortSignal,
): Promise<readonly (FileDiff | UnreadFile)[]> {
  const { git, top, roots, compared } = opened;
  const tracked = { entries: entries.filter(isTracked), others: others.filter(isTracked) };
  const patching = readPatches(git, { ...tracked, compared }, signal);
  const isOnDisk = compared.to === 'working tree';
  const ids = isOnDisk ? [] : entries.filter(({ mode }) => mode.startsWith('100')).map(({ blob }) => blob);
  const blobs = await readBlobs(git, ids, { maxBytes: maxFileBytes }, signal);
  const patches = await patching;
  return entries.map((entry) => {
    if (!entry.mode.startsWith('100')) {
      return withPatch(entry, null, patches.get(entry.path));
    }
    const text = isOnDisk
      ? readFromDisk(top, entry.path, { roots, maxBytes: maxFileBytes })
      : (blobs.get(entry.blob) ?? { ok: false, reason: 'unreadable' });
    return withPatch(entry, text, entry.blob === '' ? patchOfNew(entry.path, text) : patches.get(entry.path));
  });
}

/** New files are not in Git's comparison. */
function isTracked({ blob }: RawEntry): boolean {
  return blob !== '';
}

function patchOfNew(path: string, text: FileText): Patch {
  return text.ok
    ? { type: 'diff', text: unifiedDiff({ path, before: null, after: text.text }).diff }
    : { type: 'binary' };
}

/** `text` is null for a deleted file and for a link. */
function withPatch(entry: RawEntry, text: FileText | null, patch: Patch | undefined): FileDiff | UnreadFile {
  const { path, previousPath, status } = entry;
  if (text?.ok === false) {
    return { path, reason: text.reason };
  }
  if (patch?.type !== 'diff') {
    return { path, reason: patch?.type ?? 'over-limit' };
  }
  const known = status === 'unmerged' ? 'modified' : status;
  return { path, previousPath, status: known, patch: patch.text, text: text?.text ?? null };
}

const mentionTimeoutMs = 1_000;

/** The exit code of `git grep`. */
const nothingFound = 1;

const maxMentions = 200;

function treeOf(opened: GitChange): Pick<OpenedChange, 'listPaths' | 'readTexts' | 'findMentions'> {
  const { git, top, roots, compared } = opened;
  let listed: Promise<ReadonlyMap<string, string>> | undefined;
  const list = (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
    listed ??= listTree(git, compared.to, signal);
    return listed;
  };
  return {
    listPaths: async (signal) => [...(await list(signal)).keys()].toSorted(),
    readTexts: async (paths, signal) => {
      const tree = await list(signal);
      const wanted = paths.filter(
        (path) =>
          tree.has(path) && !isSensitivePath(join(top, path)) && roots.contains(join(top, path.replaceAll('/', sep))),
      );
      const isOnDisk = compared.to === 'working tree';
      const blobs = isOnDisk
        ? null
        : await readBlobs(
            git,
            wanted.map((path) => tree.get(path) ?? ''),
            { maxBytes: maxRelatedBytes },
            signal,
          );
      const read = (path: string): FileText | undefined =>
        blobs === null
          ? readFromDisk(top, path, { roots, maxBytes: maxRelatedBytes })
          : blobs.get(tree.get(path) ?? '');
      return new Map(
        wanted.flatMap((path): [string, string][] => {
          const text = read(path);
          return text?.ok === true ? [[path, text.text]] : [];
        }),
      );
    },
    findMentions: (search, signal) => findMentions(opened, search, signal),
  };
}

async function findMentions(
  { git, compared }: GitChange,
  { texts, endings }: MentionSearch,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const { to } = compared;
  const where = to === 'working tree' ? [] : to === 'index' ? ['--cached'] : [to];
  const patterns = texts.flatMap((text) => ['-e', text]);
  const files = endings.map((ending) => `:(glob)**/*${ending}`);
  const words = [
    'grep',
    '-z',
    '-l',
    '-I',
    '-F',
    '--no-textconv',
    '--no-color',
    '--threads=2',
    ...patterns,
    ...where,
    '--',
    ...files,
  ];
  const end = await git.run({ arguments: words, timeoutMs: mentionTimeoutMs }, signal);
  if (!end.ok) {
    return end.exitCode === nothingFound ? [] : null;
  }
  const prefix = where.length === 1 && to !== 'index' ? `${to}:` : '';
  return end.output
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => textOf(name).slice(prefix.length))
    .toSorted()
    .slice(0, maxMentions);
}
