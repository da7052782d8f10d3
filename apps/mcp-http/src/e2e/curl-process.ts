import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export type CurlOptions = {
  readonly url: string;
  readonly token: string;
  readonly body: unknown;
};

/** The data of one event, unparsed. */
export type CurlEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** The real curl, which posts JSON, requests events, and prints its output at once. */
export class CurlProcess {
  /** Its exit code; null once it is killed. */
  readonly ended: Promise<number | null>;
  readonly #child: ChildProcessByStdio<null, Readable, Readable>;
  #received = '';
  #complaint = '';
  #hasEnded = false;
  #listeners: (() => void)[] = [];

  constructor({ url, token, body }: CurlOptions) {
    const headers = [`Authorization: Bearer ${token}`, 'Content-Type: application/json', 'Accept: text/event-stream'];
    const flags = headers.flatMap((header) => ['--header', header]);
    this.#child = spawn('curl', ['-N', '-s', '-S', '-i', ...flags, '--data', JSON.stringify(body), url], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.#received += text;
      this.#wake();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint += text;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (exitCode) => {
        this.#hasEnded = true;
        resolve(exitCode);
        this.#wake();
      });
    });
  }

  /** The whole output, with the head of the response. */
  get received(): string {
    return this.#received;
  }

  /** The complete ones. */
  get events(): readonly CurlEvent[] {
    const [, ...body] = this.#received.split('\r\n\r\n');
    const frames = body.join('\r\n\r\n').split('\n\n').slice(0, -1);
    return frames.filter((frame) => frame.startsWith('data: ')).map((frame) => JSON.parse(frame.slice(6)));
  }

  /** Resolves once the condition holds. Rejects if curl ends before. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#hasEnded) {
        throw new Error(`curl has ended: ${this.#complaint} ${this.#received}`);
      }
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve);
      });
    }
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #wake(): void {
    for (const wake of this.#listeners.splice(0)) {
      wake();
    }
  }
}
