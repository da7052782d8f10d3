import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Where a key is typed or comes through a pipe. */
export type KeyInput = {
  readonly stdin: NodeJS.ReadStream;
  /** Receives the prompt at a terminal. */
  readonly stderr: NodeJS.WriteStream;
};

const prompt = 'Paste your Gemini API key (it stays invisible), and press Enter: ';

/**
 * Reads a line from a terminal without showing it, or everything from a pipe. Resolves to null if the user ends the input instead. If
 * aborted, rejects with the signal's reason.
 */
export async function readKey({ stdin, stderr }: KeyInput, signal: AbortSignal): Promise<string | null> {
  if (!stdin.isTTY) {
    return await Promise.race([text(stdin), aborted(signal)]);
  }
  stderr.write(prompt);
  try {
    return await Promise.race([readInvisibly(stdin), aborted(signal)]);
  } finally {
    stderr.write('\n');
  }
}

function readInvisibly(stdin: NodeJS.ReadStream): Promise<string | null> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // As a terminal, so that the line can be corrected, and the terminal itself shows nothing.
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('SIGINT', () => lines.close());
    lines.once('close', () => resolve(null));
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
