import { constants } from 'node:buffer';
import type { ContextBundle, ContextDocument, ContextSelection, InlineMedia, LeftOut } from '@gemini-mcp/core';
import type { Cause } from './skipped-files.ts';

export type BundleLimits = Pick<ContextSelection, 'maxFiles' | 'maxBytes' | 'mediaTypes' | 'maxMediaBytes'>;

/** The contents of a bundle so far, and the room left. */
export class BundleDraft {
  readonly #limits: BundleLimits;
  readonly #documents: ContextDocument[] = [];
  readonly #media: InlineMedia[] = [];
  #remainingBytes: number;
  #remainingMediaBytes: number;

  constructor(limits: BundleLimits) {
    this.#limits = limits;
    this.#remainingBytes = limits.maxBytes;
    this.#remainingMediaBytes = limits.maxMediaBytes ?? 0;
  }

  get isFull(): boolean {
    return this.#documents.length + this.#media.length >= this.#limits.maxFiles;
  }

  /** Why a document of this size does not fit; null if it fits. */
  judgeDocument(sizeBytes: number, origin: LeftOut['origin']): Cause | null {
    if (this.isFull) {
      return { reason: 'over-file-limit' };
    }
    if (sizeBytes <= Math.min(this.#remainingBytes, constants.MAX_STRING_LENGTH)) {
      return null;
    }
    // A figure for each of a walk's many files would be noise.
    return { reason: 'over-byte-limit', ...(origin === 'file' && { detail: `${sizeBytes} bytes` }) };
  }

  /** Why a medium does not fit; null if it fits. */
  judgeMedium(mediaType: string, sizeBytes: number): Cause | null {
    if (!(this.#limits.mediaTypes ?? []).includes(mediaType)) {
      return { reason: 'media-not-carried', detail: mediaType };
    }
    if (this.isFull) {
      return { reason: 'over-file-limit' };
    }
    return sizeBytes <= this.#remainingMediaBytes ? null : { reason: 'over-media-limit', detail: `${sizeBytes} bytes` };
  }

  addDocument(document: ContextDocument): void {
    this.#remainingBytes -= document.sizeBytes;
    this.#documents.push(document);
  }

  addMedium(medium: InlineMedia): void {
    this.#remainingMediaBytes -= medium.bytes.length;
    this.#media.push(medium);
  }

  /** Returns the bundle. Drops entries that a walk recorded, by name alone, for a file that is sent. */
  finish(leftOut: readonly LeftOut[]): ContextBundle {
    const sent = new Set(this.#media.map(({ path }) => path));
    return {
      documents: this.#documents,
      ...(this.#media.length > 0 && { media: this.#media }),
      leftOut: leftOut.filter(({ path, origin }) => origin === 'file' || !sent.has(path)),
    };
  }
}
