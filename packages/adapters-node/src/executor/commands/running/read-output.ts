import { Socket } from 'node:net';

/** How long, after a command has ended, its pipe may still deliver: none of its processes is left that could. */
const drainMs = 1_000;

/** What comes out of a pipe. */
export type OutputReader = {
  /** Resolves when all has been read that comes; to be called once nothing writes any more. Never rejects. */
  finish(): Promise<void>;
};

/** Reads a pipe to its end, and closes it then. */
export function readOutput(readEnd: number, onChunk: (chunk: Buffer) => void): OutputReader {
  const socket = new Socket({ fd: readEnd, readable: true, writable: false });
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  socket.on('error', () => undefined);
  socket.on('data', onChunk);
  return {
    finish: async () => {
      const timer = setTimeout(() => socket.destroy(), drainMs);
      await closed;
      clearTimeout(timer);
    },
  };
}
