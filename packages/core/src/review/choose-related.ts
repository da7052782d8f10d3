import type { OpenedChange } from '../ports/change-reader.ts';
import { bareName, directoryOf, FileIndex, importsOf, isTest, mentionOf } from './related-files.ts';

/** A file that was not changed and is sent for what it says about the change. */
export type RelatedFile = { readonly path: string; readonly text: string };

type Changed = { readonly path: string; readonly after: string | null };

export type RelatedFiles = {
  readonly files: readonly RelatedFile[];
  /** How many more there are, for which the budget had no room. */
  readonly omitted: number;
  /** Whether every file that imports a changed one was looked for. */
  readonly hasAllImporters: boolean;
};

/** More candidates are not read: most of them would not fit. */
const maxCandidates = 150;

/** What a project says about how to write its code, as data. */
const guides = ['AGENTS.md', 'CONTRIBUTING.md', 'STYLEGUIDE.md', 'CLAUDE.md', 'GEMINI.md'];

/**
 * The files that a change touches, as many as fit: the nearest guides, then their tests, then what changed files import, then what imports them.
 * Small files first within each kind, so that one large file does not push out many.
 */
export async function chooseRelated(
  change: Pick<OpenedChange, 'listPaths' | 'readTexts' | 'findMentions'>,
  changed: readonly Changed[],
  { maxCharacters }: { readonly maxCharacters: number },
  signal: AbortSignal,
): Promise<RelatedFiles> {
  const index = new FileIndex(await change.listPaths(signal));
  const own = new Set(changed.map(({ path }) => path));
  const kinds = [
    changed.flatMap(({ path }) => guides.map((name) => index.nearest(path, name))),
    changed.flatMap(({ path }) => index.companions(path)),
    changed.flatMap(({ path, after }) => importsOf(after ?? '').flatMap((name) => index.resolve(path, name))),
  ].map((paths) => [...new Set(paths)].filter((path): path is string => path !== null && !own.has(path)));
  const importers = await findImporters(change, { changed, index, own }, signal);
  const candidates = [...new Set([...kinds, importers.paths].flat())];
  const texts = await change.readTexts(candidates.slice(0, maxCandidates), signal);
  const files = fit(
    [...kinds, importers.paths].map((paths) => paths.flatMap((path) => withText(path, texts))),
    maxCharacters,
  );
  const unread = Math.max(0, candidates.length - maxCandidates);
  return { files, omitted: texts.size - files.length + unread, hasAllImporters: importers.isComplete };
}

function withText(path: string, texts: ReadonlyMap<string, string>): readonly RelatedFile[] {
  const text = texts.get(path);
  return text === undefined ? [] : [{ path, text }];
}

function fit(kinds: readonly (readonly RelatedFile[])[], maxCharacters: number): readonly RelatedFile[] {
  const chosen = new Map<string, RelatedFile>();
  let room = maxCharacters;
  for (const file of kinds.flatMap((kind) => kind.toSorted((one, other) => one.text.length - other.text.length))) {
    if (!chosen.has(file.path) && file.text.length <= room) {
      chosen.set(file.path, file);
      room -= file.text.length;
    }
  }
  return [...chosen.values()];
}

type Tree = { readonly changed: readonly Changed[]; readonly index: FileIndex; readonly own: ReadonlySet<string> };

type Importers = { readonly paths: readonly string[]; readonly isComplete: boolean };

const maxMentionedFiles = 20;

/** Too short a name is a word of many files. */
const minMentionCharacters = 3;

/** Files that import a changed one: those that mention its name and whose import statements lead to it. */
async function findImporters(
  change: Pick<OpenedChange, 'readTexts' | 'findMentions'>,
  { changed, index, own }: Tree,
  signal: AbortSignal,
): Promise<Importers> {
  const sources = changed.filter(({ path }) => !isTest(path) && bareName(path).length >= minMentionCharacters);
  const texts = [...new Set(sources.map(({ path }) => mentionOf(path)))];
  const endings = [...new Set(sources.flatMap(({ path }) => endingsOf(path)))];
  if (texts.length === 0 || endings.length === 0) {
    return { paths: [], isComplete: true };
  }
  const found = await change.findMentions({ texts: texts.slice(0, maxMentionedFiles), endings }, signal);
  const mentions = (found ?? []).filter((path) => !own.has(path));
  const read = await change.readTexts(nearestFirst(mentions, sources).slice(0, maxCandidates), signal);
  const imports = (path: string, text: string): boolean =>
    importsOf(text).some((name) => index.resolve(path, name).some((target) => own.has(target)));
  const isComplete = found !== null && texts.length <= maxMentionedFiles && mentions.length <= maxCandidates;
  return { paths: [...read].flatMap(([path, text]) => (imports(path, text) ? [path] : [])), isComplete };
}

/** Languages whose files import each other under several endings. */
const families: readonly (readonly string[])[] = [
  ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.vue', '.svelte'],
  ['.c', '.h', '.cc', '.cpp', '.cxx', '.hpp', '.hh', '.m', '.mm'],
  ['.java', '.kt'],
];

/** The endings of files that may import a file. */
function endingsOf(path: string): readonly string[] {
  const [ending] = /\.[a-z0-9]+$/i.exec(path) ?? [];
  return ending === undefined ? [] : (families.find((family) => family.includes(ending)) ?? [ending]);
}

function nearestFirst(paths: readonly string[], sources: readonly Changed[]): readonly string[] {
  const directories = new Set(sources.map(({ path }) => directoryOf(path)));
  const distance = (path: string): number => (directories.has(directoryOf(path)) ? 0 : 1);
  return paths.toSorted((one, other) => distance(one) - distance(other));
}
