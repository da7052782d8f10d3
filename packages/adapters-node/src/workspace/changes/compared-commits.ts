import type { ChangeSelection } from '@gemini-mcp/core';
import { escapeName } from '@gemini-mcp/core/internal';
import type { Git } from './git.ts';

/** The two sides of a change. */
export type Compared = {
  /** The id of a commit, or of the empty tree. */
  readonly from: string;
  /** The id of a commit, or where the changed files lie. */
  readonly to: string | 'index' | 'working tree';
  readonly title: string;
};

export type ComparedFound =
  | { readonly ok: true; readonly compared: Compared }
  | { readonly ok: false; readonly problem: string };

type GitSelection = Exclude<ChangeSelection, { readonly type: 'patch' }>;

/** Finds the commits that a selection compares. */
export async function findCompared(selection: GitSelection, git: Git, signal: AbortSignal): Promise<ComparedFound> {
  const finder = new Finder(git, signal);
  switch (selection.type) {
    case 'working':
    case 'staged': {
      const from = (await finder.commit('HEAD')) ?? (await finder.emptyTree());
      const to = selection.type === 'working' ? 'working tree' : 'index';
      return from === null ? unreadable : found(from, to, `${to} against ${short(from)}`);
    }
    case 'branch':
      return finder.branch();
    case 'commit':
      return finder.ofCommit(selection.revision);
    case 'range':
      return finder.range(selection);
  }
}

const unreadable: ComparedFound = {
  ok: false,
  problem: 'Git cannot read this repository: it may be damaged or incomplete.',
};

function found(from: string, to: Compared['to'], title: string): ComparedFound {
  return { ok: true, compared: { from, to, title } };
}

function short(id: string): string {
  return id.slice(0, 10);
}

/** Where a branch usually goes back to. */
const bases = [
  'refs/remotes/origin/HEAD',
  'refs/remotes/origin/main',
  'refs/remotes/origin/master',
  'refs/heads/main',
  'refs/heads/master',
];

class Finder {
  readonly #git: Git;
  readonly #signal: AbortSignal;

  constructor(git: Git, signal: AbortSignal) {
    this.#git = git;
    this.#signal = signal;
  }

  /** The id of a commit; null if there is no such commit. */
  commit(revision: string): Promise<string | null> {
    return this.#id(['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]);
  }

  /** Its id depends on the kind of hash. */
  emptyTree(): Promise<string | null> {
    return this.#id(['hash-object', '-t', 'tree', '--stdin']);
  }

  async branch(): Promise<ComparedFound> {
    const head = await this.commit('HEAD');
    if (head === null) {
      return { ok: false, problem: 'The repository has no commit yet. Review the working tree.' };
    }
    for (const base of bases) {
      const tip = await this.commit(base);
      if (tip !== null && tip !== head) {
        const name = base.replace(/^refs\/(?:heads|remotes)\//, '');
        return this.#sinceMergeBase({ from: tip, to: head, title: `HEAD ${short(head)} since it left ${name}` });
      }
    }
    return {
      ok: false,
      problem:
        'No other branch to compare with was found (origin/HEAD, main, master). Give a range such as develop...HEAD.',
    };
  }

  async ofCommit(revision: string): Promise<ComparedFound> {
    const to = await this.commit(revision);
    if (to === null) {
      return this.#unknown(revision);
    }
    const parent = await this.commit(`${to}^1`);
    const isFirst = parent === null && (await this.#hasNoParent(to));
    const from = isFirst ? await this.emptyTree() : parent;
    return from === null
      ? {
          ok: false,
          problem: `The parent of ${short(to)} is missing: this copy of the repository is shallow. Fetch more of it.`,
        }
      : found(from, to, `commit ${short(to)}`);
  }

  async range({ from, to, fromMergeBase }: Extract<GitSelection, { readonly type: 'range' }>): Promise<ComparedFound> {
    const [first, second] = [await this.commit(from), await this.commit(to)];
    if (first === null || second === null) {
      return this.#unknown(first === null ? from : to);
    }
    const title = `${from}${fromMergeBase ? '...' : '..'}${to}`;
    return fromMergeBase ? this.#sinceMergeBase({ from: first, to: second, title }) : found(first, second, title);
  }

  async #sinceMergeBase({ from, to, title }: Compared): Promise<ComparedFound> {
    const base = await this.#id(['merge-base', from, to]);
    return base === null
      ? {
          ok: false,
          problem:
            'The two sides have no common commit here. If this copy of the repository is shallow, fetch more of it.',
        }
      : found(base, to, title);
  }

  async #unknown(revision: string): Promise<ComparedFound> {
    const end = await this.#git.run({ arguments: ['rev-parse', '--is-shallow-repository'] }, this.#signal);
    const name = escapeName(revision);
    const problem =
      end.ok && end.output.startsWith('true')
        ? `${name} is not in this copy of the repository, which is shallow. Fetch more of it; for actions/checkout set fetch-depth: 0.`
        : `${name} is no commit of this repository. Its settings are not read, so names such as @{upstream} are unknown.`;
    return { ok: false, problem };
  }

  async #hasNoParent(commit: string): Promise<boolean> {
    const end = await this.#git.run({ arguments: ['cat-file', 'commit', commit] }, this.#signal);
    return end.ok && !/^parent /m.test(end.output.split('\n\n', 1)[0] ?? '');
  }

  async #id(words: readonly string[]): Promise<string | null> {
    const end = await this.#git.run({ arguments: words, maxBytes: 1_000 }, this.#signal);
    const [id = ''] = end.ok ? end.output.split('\n') : [];
    return /^[0-9a-f]{40,64}$/.test(id) ? id : null;
  }
}
