import type { LeftOut, LeftOutReason } from '../context/left-out.ts';
import { utf8Length } from '../context/utf8-length.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContextBundle, ContextDocument, ContextResolver, ContextSelection } from '../ports/context-resolver.ts';

export type InMemoryContextResolverOptions = {
  /** Path below the working directory to content. */
  readonly tree: Readonly<Record<string, string | Uint8Array>>;
  readonly clock: Clock;
};

type Origin = LeftOut['origin'];
/** `source` is what an entry of `leftOut` calls it. */
type Candidate = { readonly path: string; readonly source: string; readonly origin: Origin };

/**
 * Files that exist only in memory. Of patterns it knows `*`, `?` and `**`. It has no ignore files, no links and no secrets:
 * whatever is in the tree may be sent.
 */
export class InMemoryContextResolver implements ContextResolver {
  readonly #files: ReadonlyMap<string, string | Uint8Array>;
  readonly #clock: Clock;

  constructor({ tree, clock }: InMemoryContextResolverOptions) {
    this.#files = new Map(Object.entries(tree));
    this.#clock = clock;
  }

  async resolve(selection: ContextSelection, signal: AbortSignal): Promise<ContextBundle> {
    signal.throwIfAborted();
    const leftOut: LeftOut[] = [];
    const candidates = [
      ...this.#named(selection.files, leftOut),
      ...this.#matched(selection.globPatterns, leftOut),
      ...this.#below(selection.directories, leftOut),
    ];
    const documents = this.#take(candidates, selection, leftOut);
    // Whoever aborts while this is under way hears of it, as with a resolver that waits for files.
    await Promise.resolve();
    signal.throwIfAborted();
    return { documents, leftOut };
  }

  #named(names: readonly string[], leftOut: LeftOut[]): readonly Candidate[] {
    const candidates: Candidate[] = [];
    for (const source of new Set(names)) {
      const path = normalise(source);
      if (path !== null && this.#files.has(path)) {
        candidates.push({ path, source, origin: 'file' });
      } else {
        leftOut.push({ path: source, reason: this.#whyNotFile(path), origin: 'file' });
      }
    }
    return candidates.sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
  }

  #whyNotFile(path: string | null): LeftOutReason {
    if (path === null) {
      return 'outside-roots';
    }
    return this.#isDirectory(path) ? 'not-a-file' : 'not-found';
  }

  #matched(patterns: readonly string[], leftOut: LeftOut[]): readonly Candidate[] {
    const paths: string[] = [];
    for (const pattern of new Set(patterns)) {
      const path = normalise(pattern);
      if (pattern === '' || pattern.startsWith('!') || path === null) {
        leftOut.push({ path: pattern, reason: path === null ? 'outside-roots' : 'pattern-refused', origin: 'glob' });
        continue;
      }
      const found = [...this.#files.keys()].filter((file) => matchesPath(path.split('/'), file.split('/')));
      paths.push(...found);
      if (found.length === 0) {
        leftOut.push({ path: pattern, reason: 'pattern-without-match', origin: 'glob' });
      }
    }
    return sorted(paths, 'glob');
  }

  #below(directories: readonly string[], leftOut: LeftOut[]): readonly Candidate[] {
    const paths: string[] = [];
    for (const name of new Set(directories)) {
      const path = normalise(name);
      if (path !== null && this.#isDirectory(path)) {
        paths.push(...[...this.#files.keys()].filter((file) => isBelow(file, path)));
      } else {
        leftOut.push({ path: name, reason: this.#whyNotDirectory(path), origin: 'directory' });
      }
    }
    return sorted(paths, 'directory');
  }

  #whyNotDirectory(path: string | null): LeftOutReason {
    if (path === null) {
      return 'outside-roots';
    }
    return this.#files.has(path) ? 'not-a-directory' : 'not-found';
  }

  #isDirectory(path: string): boolean {
    return path === '' || [...this.#files.keys()].some((file) => isBelow(file, path));
  }

  #take(candidates: readonly Candidate[], selection: ContextSelection, leftOut: LeftOut[]): readonly ContextDocument[] {
    const documents: ContextDocument[] = [];
    const settled = new Map<string, LeftOutReason | 'taken'>();
    let { maxBytes, maxFiles } = selection;
    for (const { path, source, origin } of candidates) {
      const known = settled.get(path);
      const judged = known ?? this.#judge(path, { ...selection, maxBytes, maxFiles });
      if (typeof judged === 'object') {
        documents.push({ path, ...judged, origin });
        maxBytes -= judged.sizeBytes;
        maxFiles -= 1;
      } else if (judged !== 'taken' && (known === undefined || origin === 'file')) {
        leftOut.push({ path: source, reason: judged, origin });
      }
      settled.set(path, typeof judged === 'object' ? 'taken' : judged);
    }
    return documents;
  }

  /** Judges a file by the limits that are left. */
  #judge(path: string, { maxFiles, maxBytes, deadlineAtMs }: ContextSelection): Content | LeftOutReason {
    if (this.#clock.now() >= deadlineAtMs) {
      return 'deadline';
    }
    if (maxFiles <= 0) {
      return 'over-file-limit';
    }
    const content = this.#files.get(path) ?? '';
    const decoded = typeof content === 'string' ? contentOf(content) : decode(content);
    if (typeof decoded === 'string') {
      return decoded;
    }
    return decoded.sizeBytes > maxBytes ? 'over-byte-limit' : decoded;
  }
}

type Content = Pick<ContextDocument, 'text' | 'sizeBytes'>;

function contentOf(text: string): Content | 'binary' {
  return text.includes('\0') ? 'binary' : { text, sizeBytes: utf8Length(text) };
}

function decode(bytes: Uint8Array): Content | 'binary' | 'not-utf8' {
  try {
    const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    return contentOf(decodeURIComponent(escaped));
  } catch {
    return 'not-utf8';
  }
}

function sorted(paths: readonly string[], origin: Origin): readonly Candidate[] {
  return [...new Set(paths)].sort().map((path) => ({ path, source: path, origin }));
}

/** Empty for the working directory itself, null for what lies outside it. */
function normalise(name: string): string | null {
  const names: string[] = [];
  for (const part of name.split('/')) {
    if (part === '..' && names.pop() === undefined) {
      return null;
    }
    if (part !== '' && part !== '.' && part !== '..') {
      names.push(part);
    }
  }
  return name.startsWith('/') ? null : names.join('/');
}

function isBelow(file: string, directory: string): boolean {
  return directory === '' || file.startsWith(`${directory}/`);
}

function matchesPath(pattern: readonly string[], path: readonly string[]): boolean {
  const [segment, ...rest] = pattern;
  const [name, ...below] = path;
  if (segment === undefined || name === undefined) {
    return segment === undefined && name === undefined;
  }
  if (segment === '**') {
    return matchesPath(rest, path) || (!name.startsWith('.') && (matchesPath(pattern, below) || isAll(rest, below)));
  }
  return matchesName(segment, name) && matchesPath(rest, below);
}

/** `**` at the end takes everything. */
function isAll(rest: readonly string[], below: readonly string[]): boolean {
  return rest.length === 0 && below.length === 0;
}

function matchesName(pattern: string, name: string): boolean {
  if (name.startsWith('.') && !pattern.startsWith('.')) {
    return false;
  }
  const escaped = pattern.replace(/[.+^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su').test(name);
}
