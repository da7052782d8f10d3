import type { ServerResponse } from 'node:http';

/** Calls `done` once, when the last byte of a response has been given to the system, or its receiver has gone away. */
export function whenResponseEnds(outgoing: ServerResponse, done: () => void): void {
  if (outgoing.closed || outgoing.destroyed) {
    done();
    return;
  }
  outgoing.once('close', done);
}
