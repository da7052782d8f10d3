import type { LineSource } from '../context/locate-lines.ts';
import { mediaTypeOf } from '../context/media-type-of.ts';
import { type AskedLines, parseLineRange } from '../context/parse-line-range.ts';
import { finishSteps, type LinesPart, type LinesRequest, planLines } from '../context/plan-lines.ts';
import type { LeftOut } from '../failure/left-out.ts';
import type { Clock } from '../ports/clock.ts';
import type {
  ContextBundle,
  ContextDocument,
  ContextResolver,
  ContextSelection,
  InlineMedia,
} from '../ports/context-resolver.ts';
import { utf8Length } from '../text/utf8-length.ts';
import { type Cause, InMemoryDraft } from './in-memory-draft.ts';
import { InMemoryFiles, type InMemoryFilesOptions } from './in-memory-files.ts';

export type InMemoryContextResolverOptions = InMemoryFilesOptions & {
  readonly clock: Clock;
};

type Origin = LeftOut['origin'];
/** `source` is its name in `leftOut`; `lines` are set if not the whole file is requested. */
type Candidate = {
  readonly path: string;
  readonly source: string;
  readonly origin: Origin;
  readonly lines?: readonly LinesRequest[];
};
type Content = Pick<ContextDocument, 'text' | 'sizeBytes'>;
type Medium = Pick<InlineMedia, 'mediaType' | 'bytes'>;

/**
 * Files that exist only in memory, without secrets: everything in the tree may be sent. Of ignore files, it reads `.gitignore` in the working
 * directory, one name on each line. Only content given as bytes can be an image or a PDF.
 */
export class InMemoryContextResolver implements ContextResolver {
  readonly workingDirectory: string;
  readonly #files: InMemoryFiles;
  readonly #clock: Clock;

  constructor({ clock, ...files }: InMemoryContextResolverOptions) {
    this.#files = new InMemoryFiles(files);
    this.workingDirectory = this.#files.workingDirectory;
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
    const draft = new InMemoryDraft(selection);
    for (const candidate of candidates) {
      this.#settle(candidate, draft, leftOut);
    }
    // An abort during the call takes effect, as with a resolver that waits for files.
    await Promise.resolve();
    signal.throwIfAborted();
    return { documents: draft.documents, ...(draft.media.length > 0 && { media: draft.media }), leftOut };
  }

  #named(names: readonly string[], leftOut: LeftOut[]): readonly Candidate[] {
    const whole: Candidate[] = [];
    const parts = new Map<string, readonly LinesRequest[]>();
    for (const source of new Set(names)) {
      const { path, asked } = this.#target(source);
      if (path === null || !this.#files.isFile(path)) {
        leftOut.push({ path: source, reason: this.#files.whyNotFile(path), origin: 'file' });
      } else if (asked === null) {
        whole.push({ path, source, origin: 'file' });
      } else {
        parts.set(path, [...(parts.get(path) ?? []), { source, asked }]);
      }
    }
    const partial = [...parts].map(([path, lines]): Candidate => ({ path, source: path, origin: 'file', lines }));
    return [...whole, ...partial].sort((one, other) => (one.path < other.path ? -1 : Number(one.path > other.path)));
  }

  /** If a file really has such a name, that file counts. */
  #target(source: string): { readonly path: string | null; readonly asked: AskedLines | null } {
    const path = this.#files.locate(source);
    const named = this.#files.isFile(path) ? null : parseLineRange(source);
    return named === null ? { path, asked: null } : { path: this.#files.locate(named.path), asked: named.asked };
  }

  #matched(patterns: readonly string[], leftOut: LeftOut[]): readonly Candidate[] {
    const paths: string[] = [];
    for (const pattern of new Set(patterns)) {
      const path = this.#files.locate(pattern);
      if (pattern === '' || pattern.startsWith('!') || path === null) {
        leftOut.push({ path: pattern, reason: path === null ? 'outside-roots' : 'pattern-refused', origin: 'glob' });
        continue;
      }
      const { files, outside } = this.#files.match(path);
      paths.push(...files);
      leftOut.push(...outside.map((link): LeftOut => ({ path: link, reason: 'outside-roots', origin: 'glob' })));
      if (files.length + outside.length === 0) {
        leftOut.push({ path: pattern, reason: 'pattern-without-match', origin: 'glob' });
      }
    }
    return sorted(paths, 'glob');
  }

  #below(directories: readonly string[], leftOut: LeftOut[]): readonly Candidate[] {
    const paths: string[] = [];
    for (const name of new Set(directories)) {
      const path = this.#files.locate(name);
      if (path !== null && this.#files.isDirectory(path)) {
        const { files, outside } = this.#files.below(path);
        paths.push(...files);
        leftOut.push(...outside.map((link): LeftOut => ({ path: link, reason: 'outside-roots', origin: 'directory' })));
      } else {
        leftOut.push({ path: name, reason: this.#files.whyNotDirectory(path), origin: 'directory' });
      }
    }
    return sorted(paths, 'directory');
  }

  #settle(candidate: Candidate, draft: InMemoryDraft, leftOut: LeftOut[]): void {
    const { path, source, origin, lines } = candidate;
    const known = draft.settled.get(path);
    if (lines !== undefined) {
      if (known !== null) {
        leftOut.push(...this.#takeLines(path, lines, draft));
      }
      return;
    }
    const cause = known === undefined ? this.#takeWhole(candidate, draft) : known;
    if (cause !== null && (known === undefined || origin === 'file')) {
      leftOut.push({ path: source, ...cause, origin });
    }
    draft.settled.set(path, cause);
  }

  #takeWhole({ path, origin }: Candidate, draft: InMemoryDraft): Cause | null {
    const content = this.#read(path, draft);
    if ('reason' in content) {
      return content;
    }
    if ('mediaType' in content) {
      return origin === 'file' ? draft.takeMedium({ path, ...content }) : { reason: 'binary' };
    }
    return draft.takeDocument({ path, ...content, origin });
  }

  #takeLines(path: string, requests: readonly LinesRequest[], draft: InMemoryDraft): readonly LeftOut[] {
    const sources = requests.map(({ source }) => source);
    const content = this.#read(path, draft);
    if ('reason' in content) {
      return entries(sources, content);
    }
    if ('mediaType' in content) {
      return entries(sources, { reason: 'no-such-lines', detail: `${content.mediaType} has no lines` });
    }
    const { parts, misses } = finishSteps(planLines(sourceOf(content.text), requests));
    const missing = misses.map(({ source, detail }) => entryOf(source, { reason: 'no-such-lines', detail }));
    return [...missing, ...parts.flatMap((part) => takePart(path, content.text, part, draft))];
  }

  #read(path: string, draft: InMemoryDraft): Content | Medium | Cause {
    if (this.#clock.now() >= draft.limits.deadlineAtMs) {
      return { reason: 'deadline' };
    }
    const content = this.#files.read(path);
    if (draft.isFull) {
      return { reason: 'over-file-limit' };
    }
    return typeof content === 'string' ? contentOf(content) : decode(content);
  }
}

function takePart(path: string, whole: string, part: LinesPart, draft: InMemoryDraft): readonly LeftOut[] {
  const text = whole.slice(part.start, part.end);
  const cause = draft.takeDocument({
    path,
    text,
    sizeBytes: utf8Length(text),
    ...(!part.isWholeFile && { lines: part.lines }),
    origin: 'file',
  });
  if (cause !== null) {
    return entries(part.sources, cause);
  }
  if (part.isWholeFile) {
    draft.settled.set(path, null);
  }
  return [];
}

function entries(sources: readonly string[], cause: Cause): readonly LeftOut[] {
  return sources.map((source) => entryOf(source, cause));
}

function entryOf(path: string, cause: Cause): LeftOut {
  return { path, ...cause, origin: 'file' };
}

function contentOf(text: string): Content | Cause {
  return text.includes('\0') ? { reason: 'binary' } : { text, sizeBytes: utf8Length(text) };
}

function decode(bytes: Uint8Array): Content | Medium | Cause {
  const mediaType = mediaTypeOf(bytes);
  if (mediaType !== null) {
    return { mediaType, bytes: bytes.slice() };
  }
  try {
    const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    return contentOf(decodeURIComponent(escaped));
  } catch {
    return { reason: 'not-utf8' };
  }
}

function sorted(paths: readonly string[], origin: Origin): readonly Candidate[] {
  return [...new Set(paths)].sort().map((path) => ({ path, source: path, origin }));
}

function sourceOf(text: string): LineSource {
  return { length: text.length, codeAt: (place) => text.charCodeAt(place) };
}
