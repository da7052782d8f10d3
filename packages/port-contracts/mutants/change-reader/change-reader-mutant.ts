import type { ChangeReader, ChangeRequest, OpenedChange } from '@gemini-mcp/core';
import type { Mutant } from '../prove-mutants.ts';

export type ChangeReaderMutant = Mutant & {
  readonly change: (right: ChangeReader) => ChangeReader;
};

/** Reads with the right reader, and changes what it read. */
export function reading(
  change: (opened: OpenedChange, request: ChangeRequest) => OpenedChange,
): ChangeReaderMutant['change'] {
  return (right) => ({
    read: async (request, signal) => {
      const read = await right.read(request, signal);
      return read.ok ? { ok: true, change: change(read.change, request) } : read;
    },
  });
}

/** Gives the right reader another request. */
export function asking(change: (request: ChangeRequest) => ChangeRequest): ChangeReaderMutant['change'] {
  return (right) => ({ read: (request, signal) => right.read(change(request), signal) });
}
