import type { LeftOut } from '../failure/left-out.ts';
import type { ContextDocument, ContextSelection, InlineMedia } from '../ports/context-resolver.ts';

/** The part of an entry that says why. */
export type Cause = Pick<LeftOut, 'reason' | 'detail'>;

/** The files taken so far, and the outcome of each path: null if it is sent whole. */
export class InMemoryDraft {
  readonly documents: ContextDocument[] = [];
  readonly media: InlineMedia[] = [];
  readonly settled: Map<string, Cause | null> = new Map();
  readonly limits: ContextSelection;

  constructor(limits: ContextSelection) {
    this.limits = limits;
  }

  get isFull(): boolean {
    return this.documents.length + this.media.length >= this.limits.maxFiles;
  }

  takeDocument(document: ContextDocument): Cause | null {
    const used = this.documents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
    if (this.isFull) {
      return { reason: 'over-file-limit' };
    }
    if (used + document.sizeBytes > this.limits.maxBytes) {
      return { reason: 'over-byte-limit', detail: `${document.sizeBytes} bytes` };
    }
    this.documents.push(document);
    return null;
  }

  takeMedium(medium: InlineMedia): Cause | null {
    const { mediaTypes = [], maxMediaBytes = 0 } = this.limits;
    const used = this.media.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (!mediaTypes.includes(medium.mediaType)) {
      return { reason: 'media-not-carried', detail: medium.mediaType };
    }
    if (used + medium.bytes.length > maxMediaBytes) {
      return { reason: 'over-media-limit', detail: `${medium.bytes.length} bytes` };
    }
    this.media.push(medium);
    return null;
  }
}
