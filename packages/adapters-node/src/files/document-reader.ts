import type { ContextDocument, LeftOut, LineRange } from '@gemini-mcp/core';
import type { LinesRequest } from '@gemini-mcp/core/internal';
import { planLines } from '@gemini-mcp/core/internal';
import type { NamedPath } from '../disk/allowed-roots.ts';
import { closeDescriptor, type DescriptorProof, type Opened, openVerified } from '../disk/open-verified.ts';
import { readMediaType } from '../disk/read-media-type.ts';
import { readInPieces, readWhole, ScratchBuffer } from '../disk/read-whole.ts';
import type { RealRoots } from '../disk/real-roots.ts';
import { isSensitivePath } from '../disk/sensitive-names.ts';
import { decodeText, decodeUtf8, judgeText } from '../disk/text-decoding.ts';
import type { TimeSlices } from '../disk/time-slices.ts';
import type { BundleDraft } from './bundle-draft.ts';
import type { Cause, SkippedFiles } from './skipped-files.ts';

/** A file that may become one or several documents. */
export type Candidate = NamedPath & {
  readonly origin: LeftOut['origin'];
  /** The caller's words: the file itself, or the pattern or directory that led here. */
  readonly source: string;
  /** The requested parts of the file; the whole file if missing. */
  readonly lines?: readonly LinesRequest[];
};

export type DocumentReaderOptions = {
  readonly roots: RealRoots;
  readonly proof: DescriptorProof;
  readonly draft: BundleDraft;
  readonly allowSensitive: boolean;
  readonly slices: TimeSlices;
  readonly skipped: SkippedFiles;
};

/**
 * Turns candidates into documents and media, in order.
 *
 * The calls are synchronous, in slices: with 900 files of 12 KB, promises took 4 to 10 times as long (140 to 600 ms against 22 to 48 ms),
 * because each of the six calls for a file costs two thread switches. The price: a document of 10 MB is one slice, and a network file
 * system that hangs also hangs the process.
 */
export class DocumentReader {
  readonly #options: DocumentReaderOptions;
  readonly #content: ContentReader;
  /** The decision for each path: null if all of it is sent. */
  readonly #settled = new Map<string, Cause | null>();

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
    this.#content = new ContentReader(options.draft, options.slices);
  }

  async readAll(candidates: readonly Candidate[]): Promise<void> {
    for (const candidate of candidates) {
      if (this.#options.slices.isUsedUp) {
        await this.#options.slices.next();
      }
      if (candidate.lines === undefined) {
        this.#list(candidate, this.#settle(candidate));
      } else {
        await this.#settleLines(candidate, candidate.lines);
      }
    }
  }

  #list({ origin, source, displayPath }: Candidate, cause: Cause | null): void {
    const { skipped } = this.#options;
    if (cause !== null && origin === 'file') {
      skipped.addNamed(source, 'file', cause);
    } else if (cause !== null) {
      skipped.addFound(displayPath, origin, source, cause);
    }
  }

  #settle(candidate: Candidate): Cause | null {
    const known = this.#settled.get(candidate.absolutePath);
    const cause = known === undefined ? this.#read(candidate) : repeat(known, candidate);
    this.#settled.set(candidate.absolutePath, known ?? cause);
    return cause;
  }

  #read(candidate: Candidate): Cause | null {
    return this.#use(candidate, (opened) => {
      const known = this.#settled.get(opened.realPath);
      const decided =
        known === undefined
          ? (this.#judgeOpened(candidate, opened) ?? this.#content.takeWhole(fileOf(candidate, opened)))
          : repeat(known, candidate);
      this.#settled.set(opened.realPath, known ?? decided);
      return decided;
    });
  }

  /** If a whole file was left out, lines of it may still fit. If a file is sent whole, all its lines are sent. */
  async #settleLines(candidate: Candidate, requests: readonly LinesRequest[]): Promise<void> {
    const isSent = (path: string): boolean => this.#settled.get(path) === null;
    if (isSent(candidate.absolutePath)) {
      return;
    }
    const cause = await this.#useLines(candidate, async (opened) =>
      isSent(opened.realPath)
        ? null
        : (this.#judgeOpened(candidate, opened) ?? (await this.#takeLines(candidate, opened, requests))),
    );
    for (const { source } of requests) {
      this.#list({ ...candidate, source }, cause);
    }
  }

  /** Records by itself the lines that each request lacks: the file is sound. */
  async #takeLines(candidate: Candidate, opened: Opened, requests: readonly LinesRequest[]): Promise<null> {
    const { isWholeFile, leftOut } = await this.#content.takeLines(fileOf(candidate, opened), requests);
    for (const { source, cause } of leftOut) {
      this.#list({ ...candidate, source }, cause);
    }
    if (isWholeFile) {
      this.#settled.set(candidate.absolutePath, null);
      this.#settled.set(opened.realPath, null);
    }
    return null;
  }

  /** In one piece. */
  #use(candidate: Candidate, use: (opened: Opened) => Cause | null): Cause | null {
    const opened = this.#open(candidate);
    if (!('descriptor' in opened)) {
      return opened;
    }
    try {
      return use(opened);
    } finally {
      closeDescriptor(opened.descriptor);
    }
  }

  /** In slices. */
  async #useLines(candidate: Candidate, use: (opened: Opened) => Promise<Cause | null>): Promise<Cause | null> {
    const opened = this.#open(candidate);
    if (!('descriptor' in opened)) {
      return opened;
    }
    try {
      return await use(opened);
    } finally {
      closeDescriptor(opened.descriptor);
    }
  }

  #open(candidate: Candidate): Opened | Cause {
    const cause = this.#judgeName(candidate);
    if (cause !== null) {
      return cause;
    }
    const { roots, proof } = this.#options;
    return openVerified({ path: candidate.absolutePath, kind: 'file', roots, proof, followsLink: true });
  }

  #judgeName({ absolutePath, origin }: Candidate): Cause | null {
    if (this.#options.slices.isPastDeadline) {
      return { reason: 'deadline' };
    }
    // A file that the caller named is checked regardless, to report it if it does not exist. The draft is checked first because a whole
    // disk has a hundred thousand other files.
    if (this.#options.draft.isFull && origin !== 'file') {
      return { reason: 'over-file-limit' };
    }
    return isSensitivePath(absolutePath) && !this.#maySend(origin) ? { reason: 'sensitive' } : null;
  }

  #judgeOpened({ origin, absolutePath }: Candidate, { realPath }: Opened): Cause | null {
    // The kernel appends this to a path whose last name is gone, even if another hard link keeps the file.
    const paths = [realPath, realPath.replace(/ \(deleted\)$/, '')];
    const isSensitive = paths.some((path) => path !== absolutePath && isSensitivePath(path));
    return isSensitive && !this.#maySend(origin) ? { reason: 'sensitive' } : null;
  }

  /** The operator's permission covers files that a caller names, not files that a walk finds. */
  #maySend(origin: LeftOut['origin']): boolean {
    return this.#options.allowSensitive && origin === 'file';
  }
}

function fileOf({ displayPath, origin }: Candidate, opened: Opened): OpenedFile {
  return { ...opened, path: displayPath, origin };
}

/** For a second mention: a caller that names a file gets its result again, a walk that finds it adds nothing. */
function repeat(known: Cause | null, { origin }: Candidate): Cause | null {
  return origin === 'file' ? known : null;
}

/** A file that may be sent, with the name under which it is sent. */
type OpenedFile = Pick<Opened, 'descriptor' | 'realPath' | 'stats'> & Pick<ContextDocument, 'path' | 'origin'>;

type LinesTaken = {
  /** Whether the requested lines cover the whole file. */
  readonly isWholeFile: boolean;
  readonly leftOut: readonly { readonly source: string; readonly cause: Cause }[];
};

/** Finding a few lines takes reading the whole file: this much takes a tenth of a second. */
const maxSearchedBytes = 67_108_864;

/** For all files of a call together: a name costs the caller nothing, and there may be a thousand. */
const maxSearchedBytesOfCall = 4 * maxSearchedBytes;

/**
 * Reads files into a draft as long as they fit. Refuses a file that is too large before reading it. Reads a document or a medium in one go,
 * because they are small; reads a file to find lines in it in slices, up to the deadline.
 */
class ContentReader {
  readonly #draft: BundleDraft;
  readonly #scratch = new ScratchBuffer();
  readonly #slices: TimeSlices;
  readonly #sentLines = new Map<string, LineRange[]>();
  #searchedBytes = 0;

  constructor(draft: BundleDraft, slices: TimeSlices) {
    this.#draft = draft;
    this.#slices = slices;
  }

  /** Why nothing of the file was taken; null if all of it was. Only a file that the caller names can be a medium. */
  takeWhole(file: OpenedFile): Cause | null {
    const mediaType = file.origin === 'file' ? readMediaType(file.descriptor) : null;
    return mediaType === null ? this.#takeDocument(file) : this.#takeMedium(file, mediaType);
  }

  /** Rejects with the signal's reason. */
  async takeLines(file: OpenedFile, requests: readonly LinesRequest[]): Promise<LinesTaken> {
    const refuse = (cause: Cause): LinesTaken => ({
      isWholeFile: false,
      leftOut: requests.map(({ source }) => ({ source, cause })),
    });
    const read = await this.#readSearched(file);
    if (!('bytes' in read)) {
      return refuse(read);
    }
    const { bytes } = read;
    const source = { length: bytes.length, codeAt: (place: number): number => bytes[place] ?? 0 };
    const plan = await this.#slices.run(planLines(source, requests));
    if (plan === null) {
      return refuse({ reason: 'deadline' });
    }
    const { parts, misses } = plan;
    const refused = parts.flatMap(({ start, end, lines, isWholeFile, sources }) => {
      const cause = this.#takePart(file, bytes.subarray(start, end), isWholeFile ? null : lines);
      return cause === null ? [] : sources.map((source) => ({ source, cause }));
    });
    const missing = misses.map(({ source, detail }) => ({
      source,
      cause: { reason: 'no-such-lines', detail } as const,
    }));
    const isWholeFile = refused.length === 0 && parts.some((part) => part.isWholeFile);
    return { isWholeFile, leftOut: [...missing, ...refused] };
  }

  #takeDocument({ descriptor, stats, path, origin }: OpenedFile): Cause | null {
    const cause = this.#draft.judgeDocument(stats.size, origin);
    if (cause !== null) {
      return cause;
    }
    const read = readWhole(descriptor, stats.size, this.#scratch);
    const decoded = read.ok ? decodeText(read.bytes) : read;
    if (!decoded.ok) {
      return decoded;
    }
    this.#draft.addDocument({ path, text: decoded.text, sizeBytes: stats.size, origin });
    return null;
  }

  #takeMedium({ descriptor, stats, path }: OpenedFile, mediaType: string): Cause | null {
    const cause = this.#draft.judgeMedium(mediaType, stats.size);
    if (cause !== null) {
      return cause;
    }
    // Freshly allocated, so that nothing has to be copied out of it: a medium may have 50 MB.
    const read = readWhole(descriptor, stats.size, { ofAtLeast: (size) => Buffer.allocUnsafeSlow(size) });
    if (!read.ok) {
      return read;
    }
    const { buffer, byteOffset, length } = read.bytes;
    this.#draft.addMedium({ path, mediaType, bytes: new Uint8Array(buffer, byteOffset, length) });
    return null;
  }

  /** The bytes of a text in which to find lines. */
  async #readSearched({ descriptor, stats }: OpenedFile): Promise<{ readonly bytes: Buffer } | Cause> {
    if (this.#draft.isFull) {
      return { reason: 'over-file-limit' };
    }
    if (stats.size > maxSearchedBytes) {
      const detail = `${stats.size} bytes; lines are found only in files of up to ${maxSearchedBytes}`;
      return { reason: 'over-byte-limit', detail };
    }
    if (this.#searchedBytes + stats.size > maxSearchedBytesOfCall) {
      const detail = `lines are found in up to ${maxSearchedBytesOfCall} bytes of files per call`;
      return { reason: 'over-byte-limit', detail };
    }
    const mediaType = readMediaType(descriptor);
    if (mediaType !== null) {
      return { reason: 'no-such-lines', detail: `${mediaType} has no lines` };
    }
    this.#searchedBytes += stats.size;
    const read = await this.#slices.run(readInPieces(descriptor, stats.size, this.#scratch));
    if (read === null) {
      return { reason: 'deadline' };
    }
    return read.ok ? (judgeText(read.bytes) ?? read) : read;
  }

  #takePart({ realPath, path, origin }: OpenedFile, bytes: Buffer, lines: LineRange | null): Cause | null {
    const sent = this.#sentLines.get(realPath) ?? [];
    // Another name for the same file, through a link, may have requested the same lines.
    if (lines !== null && sent.some(({ first, last }) => first <= lines.first && lines.last <= last)) {
      return null;
    }
    const cause = this.#draft.judgeDocument(bytes.length, origin);
    if (cause !== null) {
      return cause;
    }
    const text = decodeUtf8(bytes);
    this.#draft.addDocument({ path, text, sizeBytes: bytes.length, ...(lines !== null && { lines }), origin });
    this.#sentLines.set(realPath, lines === null ? sent : [...sent, lines]);
    return null;
  }
}
