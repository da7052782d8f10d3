import type { IncomingMessage } from 'node:http';

export type ReceiveBodyOptions = {
  readonly incoming: IncomingMessage;
  readonly maxBytes: number;
  /** Asked for each piece before it is kept. */
  readonly take: (bytes: number) => boolean;
};

export type ReceivedBody =
  | { readonly type: 'whole'; readonly bytes: Buffer }
  /** Over `maxBytes`. Nothing of it is kept, and no more is read. */
  | { readonly type: 'too-large' }
  /** `take` has refused a piece of it. Nothing of it is kept, and no more is read. */
  | { readonly type: 'no-room' }
  /** The connection ended before the body did. */
  | { readonly type: 'incomplete' };

/** Reads a request's body into memory, as far as it may be. Never rejects. */
export function receiveBody({ incoming, maxBytes, take }: ReceiveBodyOptions): Promise<ReceivedBody> {
  const announced = Number(incoming.headers['content-length'] ?? 0);
  if (announced > maxBytes) {
    return Promise.resolve({ type: 'too-large' });
  }
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let bytes = 0;
    const settle = (received: ReceivedBody): void => {
      incoming.off('data', keep).off('end', finish).off('error', breakOff).off('close', breakOff).pause();
      resolve(received);
    };
    const keep = (piece: Buffer): void => {
      bytes += piece.length;
      if (bytes > maxBytes) {
        settle({ type: 'too-large' });
      } else if (take(piece.length)) {
        pieces.push(piece);
      } else {
        settle({ type: 'no-room' });
      }
    };
    const finish = (): void => settle({ type: 'whole', bytes: Buffer.concat(pieces) });
    const breakOff = (): void => settle({ type: 'incomplete' });
    incoming.on('data', keep).once('end', finish).once('error', breakOff).once('close', breakOff);
    if (incoming.closed) {
      breakOff();
    }
  });
}
