import { unifiedDiff } from '../edits/unified-diff.ts';
import type {
  ChangeRead,
  ChangeReader,
  ChangeRequest,
  FileDiff,
  OpenedChange,
  UnreadFile,
} from '../ports/change-reader.ts';
import { textAfterPatch } from '../review/apply-patch.ts';
import { parsePatch } from '../review/parse-patch.ts';

/** A tree of files: paths to texts. */
type Tree = Readonly<Record<string, string>>;

export type FakeChangeReaderOptions = {
  /** Paths to texts. */
  readonly before: Readonly<Record<string, string>>;
  readonly after: Readonly<Record<string, string>>;
  /** Absolute: the top of the repository; `/project` by default. */
  readonly directory?: string;
  /** Whether every search for mentions fails. */
  readonly mentionsFail?: boolean;
};

/** A repository in memory with one change, which every selection but a patch means. Files named `.env` look like secrets. */
export class FakeChangeReader implements ChangeReader {
  readonly #options: Required<FakeChangeReaderOptions>;
  #open = 0;

  constructor(options: FakeChangeReaderOptions) {
    this.#options = { directory: '/project', mentionsFail: false, ...options };
  }

  /** How many changes are not closed. */
  get open(): number {
    return this.#open;
  }

  async read({ selection, directory, roots }: ChangeRequest, signal: AbortSignal): Promise<ChangeRead> {
    signal.throwIfAborted();
    const isInside = roots.some((root) => directory === root || directory.startsWith(`${root}/`));
    if (!isInside || directory !== this.#options.directory) {
      return { ok: false, problem: `${directory} is no directory inside the allowed ones. Name another one.` };
    }
    const { before, after, mentionsFail } = this.#options;
    const change = selection.type === 'patch' ? patchOf(selection.text, after) : changeOf(before, after);
    if ('problem' in change) {
      return { ok: false, ...change };
    }
    this.#open += 1;
    return { ok: true, change: { ...change, ...treeOf(after, mentionsFail), close: this.#closer() } };
  }

  #closer(): () => Promise<void> {
    let isOpen = true;
    return async () => {
      this.#open -= isOpen ? 1 : 0;
      isOpen = false;
    };
  }
}

type Read = Pick<OpenedChange, 'title' | 'files' | 'unread'>;

function changeOf(before: Tree, after: Tree): Read {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .toSorted();
  return {
    title: 'working tree against a commit',
    ...sort(changed.map((path) => fileOf(path, before[path], after[path]))),
  };
}

function patchOf(patch: string, tree: Tree): Read | { readonly problem: string } {
  const parsed = parsePatch(patch);
  if (!parsed.ok) {
    return { problem: parsed.problem };
  }
  const files = parsed.files.map(({ oldPath, newPath, hunks, text }): FileDiff => {
    const path = newPath ?? oldPath ?? '';
    const onDisk = tree[path];
    return {
      path,
      previousPath: null,
      status: 'modified',
      patch: text,
      text: onDisk === undefined ? null : textAfterPatch(onDisk, hunks),
    };
  });
  return { title: 'the given patch', ...sort(files) };
}

function fileOf(path: string, before: string | undefined, after: string | undefined): FileDiff {
  const { diff: patch } = unifiedDiff({ path, before: before ?? null, after: after ?? null });
  const status = before === undefined ? 'added' : after === undefined ? 'deleted' : 'modified';
  return { path, previousPath: null, status, patch, text: after ?? null };
}

function sort(files: readonly FileDiff[]): Pick<Read, 'files' | 'unread'> {
  const unread = files.flatMap(({ path }): UnreadFile[] => {
    if (path.split('/').includes('..')) {
      return [{ path, reason: 'outside-roots' }];
    }
    return isSecret(path) ? [{ path, reason: 'sensitive' }] : [];
  });
  return { files: files.filter(({ path }) => !unread.some((one) => one.path === path)), unread };
}

function isSecret(path: string): boolean {
  return path.split('/').includes('.env');
}

function treeOf(tree: Tree, mentionsFail: boolean): Pick<OpenedChange, 'listPaths' | 'readTexts' | 'findMentions'> {
  const readable = Object.entries(tree).filter(([path]) => !isSecret(path));
  return {
    listPaths: async () => Object.keys(tree).toSorted(),
    readTexts: async (paths) => new Map(readable.filter(([path]) => paths.includes(path))),
    findMentions: async ({ texts, endings }, signal) =>
      mentionsFail || signal.aborted
        ? null
        : Object.entries(tree)
            .filter(
              ([path, text]) =>
                endings.some((ending) => path.endsWith(ending)) && texts.some((one) => text.includes(one)),
            )
            .map(([path]) => path)
            .toSorted(),
  };
}
