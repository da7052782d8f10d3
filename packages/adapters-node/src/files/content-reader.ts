import type { ContextDocument, LineRange } from '@gemini-mcp/core';

import { type LinesRequest, planLines } from '@gemini-mcp/core/internal';
import type { Opened } from '../disk/open-verified.ts';
import { readMediaType } from '../disk/read-media-type.ts';
import { readInPieces, readWhole, ScratchBuffer } from '../disk/read-whole.ts';
import { decodeText, decodeUtf8, judgeText } from '../disk/text-decoding.ts';
import type { TimeSlices } from '../disk/time-slices.ts';
import type { BundleDraft } from './bundle-draft.ts';
import type { Cause } from './skipped-files.ts';

/** A file that may be sent, with the name under which it is sent. */
export type OpenedFile = Pick<Opened, 'descriptor' | 'realPath' | 'stats'> & Pick<ContextDocument, 'path' | 'origin'>;

export type LinesTaken = {
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
export class ContentReader {
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
