import { createInterface } from 'node:readline';
import type { Child, Program, Workbench } from '../workbench.ts';
import { killGroup } from '../workbench.ts';

const firstId = 1_000_000;

const clientInfo = { name: 'gemini-mcp-bench', version: '1.0.0' };

/** A client of a server on standard streams that does next to nothing itself: the lines of the server are not parsed. */
export class LineClient {
  readonly #child: Child;
  readonly #waiting = new Map<number, (line: string) => void>();
  #lastId = firstId;

  private constructor(child: Child) {
    this.#child = child;
    // The log goes on, and somebody has to read it.
    child.stderr.resume();
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(line));
  }

  /** Starts the server; resolves once it has answered `initialize`. */
  static async open(workbench: Workbench, program: Program): Promise<LineClient> {
    const client = new LineClient(workbench.start(program));
    await client.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    client.#send({ method: 'notifications/initialized' });
    return client;
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  /** Resolves to the line of the answer. */
  request(method: string, params: Readonly<Record<string, unknown>> = {}): Promise<string> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#send({ id, method, params });
    });
  }

  close(): Promise<void> {
    return killGroup(this.#child);
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(line: string): void {
    for (const [id, resolve] of this.#waiting) {
      if (line.includes(`"id":${id}`)) {
        this.#waiting.delete(id);
        resolve(line);
        return;
      }
    }
  }
}
