import { readSync } from 'node:fs';

import { finishSteps } from '@gemini-mcp/core/internal';
import { type Refusal, toRefusal } from './refusal.ts';

/** A buffer that is reused for each file, so that only the texts themselves take memory. */
export class ScratchBuffer {
  #bytes = Buffer.allocUnsafeSlow(65_536);

  /** Returns the same memory at each call, as long as it is large enough. */
  ofAtLeast(sizeBytes: number): Buffer {
    if (this.#bytes.length < sizeBytes) {
      this.#bytes = Buffer.allocUnsafeSlow(Math.max(sizeBytes, this.#bytes.length * 2));
    }
    return this.#bytes;
  }
}

export type WholeBytes = {
  readonly ok: true;
  /** A view of the given memory, valid until its next use. */
  readonly bytes: Buffer;
};

/**
 * Reads a file of `sizeBytes` bytes from a freshly opened descriptor. Refuses a file that turns out shorter or longer rather than cut it:
 * it is being written, or, as in /proc, its kind has no true size.
 */
export function readWhole(
  descriptor: number,
  sizeBytes: number,
  scratch: Pick<ScratchBuffer, 'ofAtLeast'>,
): WholeBytes | Refusal {
  return finishSteps(readInPieces(descriptor, sizeBytes, scratch));
}

/** Copying this much takes a fraction of a millisecond if the file is cached in memory. */
const pieceBytes = 2_097_152;

/** Like `readWhole`, but yields after each piece of the file. */
export function* readInPieces(
  descriptor: number,
  sizeBytes: number,
  scratch: Pick<ScratchBuffer, 'ofAtLeast'>,
): Generator<undefined, WholeBytes | Refusal> {
  const buffer = scratch.ofAtLeast(sizeBytes + 1);
  let total = 0;
  try {
    let count: number;
    do {
      // Reading one byte more than expected detects both a longer file and the end of this one.
      count = readSync(descriptor, buffer, total, Math.min(pieceBytes, sizeBytes + 1 - total), null);
      total += count;
      yield;
    } while (count > 0 && total < sizeBytes);
  } catch (error) {
    return toRefusal(error);
  }
  return total === sizeBytes
    ? { ok: true, bytes: buffer.subarray(0, total) }
    : { ok: false, reason: 'unreadable', detail: 'its size changed while it was being read' };
}
