import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

const patienceMs = 30_000;

/** The next line of a stream. Rejects when the stream ends without one, or after 30 s. */
export function readLine(stream: Readable): Promise<string> {
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: stream });
    const timer = setTimeout(() => {
      lines.close();
    }, patienceMs);
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      clearTimeout(timer);
      reject(new Error('The process ended, or was silent for 30 s, before it had said a line'));
    });
  });
}
