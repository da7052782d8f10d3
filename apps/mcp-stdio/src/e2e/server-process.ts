import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';

export const serverPath: string = fileURLToPath(new URL('../../dist/gemini-mcp-server.cjs', import.meta.url));

export type JsonRpcMessage = {
  readonly jsonrpc: '2.0';
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: Record<string, unknown>;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string };
};

export type ToolResult = {
  readonly text: string;
  readonly isError: boolean;
  readonly meta?: Readonly<Record<string, unknown>>;
};

export type StartedCall = { readonly id: number; readonly result: Promise<ToolResult> };

export type ServerEnd = { readonly exitCode: number | null; readonly signal: string | null };

export type ServerProcessOptions = {
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly flags?: readonly string[];
  /** A command that becomes the server, as `prlimit` does; none unless given. */
  readonly launcher?: readonly string[];
  /** What starts the server instead of this Node and the built file, such as `npx`; ended with all that it starts. */
  readonly command?: readonly [string, ...string[]];
};

/** The built server as a process, spoken to by raw lines. Every line of its stdout must be a message, or `messages` throws. */
export class ServerProcess {
  readonly ended: Promise<ServerEnd>;
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #waiting = new Map<number, (message: JsonRpcMessage) => void>();
  readonly #isGroup: boolean;
  #stdout = '';
  #readUpTo = 0;
  #stderr = '';
  #lastId = 0;
  #listeners: (() => void)[] = [];

  constructor({ environment, cwd, flags = [], launcher = [], command }: ServerProcessOptions) {
    if (!existsSync(serverPath)) {
      throw new Error('The server is not built: run `pnpm build` first.');
    }
    const [file = process.execPath, ...words] = command ?? [...launcher, process.execPath, serverPath, ...flags];
    this.#isGroup = command !== undefined;
    this.#child = spawn(file, words, { cwd, env: environment, stdio: 'pipe', detached: this.#isGroup });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text;
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('close', (exitCode, signal) => resolve({ exitCode, signal }));
    });
  }

  get pid(): number {
    return this.#child.pid ?? -1;
  }

  get stderr(): string {
    return this.#stderr;
  }

  /** Everything that the server has said, each line parsed. */
  get messages(): readonly JsonRpcMessage[] {
    return this.#stdout
      .slice(0, this.#readUpTo)
      .split('\n')
      .filter((line) => line !== '')
      .map(parseMessage);
  }

  /** Opens the connection as a client does. */
  async initialize(clientName = 'e2e', capabilities: Record<string, unknown> = {}): Promise<JsonRpcMessage> {
    const clientInfo = { name: clientName, version: '1.0.0' };
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    this.send({ method: 'notifications/initialized' });
    return answer;
  }

  /** Sends a request; resolves with its answer, rejects when the server ends without one. */
  request(method: string, params: Record<string, unknown> = {}): Promise<JsonRpcMessage> {
    return this.start(method, params).answer;
  }

  /** Sends a request and returns its id, for a cancellation. */
  start(
    method: string,
    params: Record<string, unknown>,
  ): { readonly id: number; readonly answer: Promise<JsonRpcMessage> } {
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<JsonRpcMessage>((resolve, reject) => {
      this.#waiting.set(id, resolve);
      void this.ended.then(() => reject(new Error(`The server ended without an answer to ${method}: ${this.#stderr}`)));
    });
    // A test that ends the server on purpose does not wait for the answer.
    answer.catch(() => undefined);
    this.send({ id, method, params });
    return { id, answer };
  }

  /** Answers all current and later requests of the server for one method. */
  answerRequests(method: string, answer: () => Record<string, unknown>): void {
    let answered = 0;
    const answerNew = (): void => {
      const requests = this.messages.filter((message) => message.method === method);
      for (const { id } of requests.slice(answered)) {
        this.send({ id, result: answer() });
      }
      answered = requests.length;
    };
    this.#child.stdout.on('data', answerNew);
  }

  /** Calls a tool; resolves with the text that the client's model would read. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    return readToolResult(await this.request('tools/call', { name, arguments: args }));
  }

  query(args: Record<string, unknown>): Promise<ToolResult> {
    return this.call('gemini_query', args);
  }

  /** Starts a call of a tool, to be cancelled by its id. */
  startCall(name: string, args: Record<string, unknown>): StartedCall {
    const { id, answer } = this.start('tools/call', { name, arguments: args });
    const result = answer.then(readToolResult);
    result.catch(() => undefined);
    return { id, result };
  }

  cancel(requestId: number): void {
    this.send({ method: 'notifications/cancelled', params: { requestId } });
  }

  /** Whether an answer to a request has come. */
  hasAnswered(id: number): boolean {
    return this.messages.some((message) => message.id === id && message.method === undefined);
  }

  send(message: Record<string, unknown>): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  write(bytes: string | Buffer): void {
    this.#child.stdin.write(bytes);
  }

  endInput(): void {
    this.#child.stdin.end();
  }

  kill(signal: NodeJS.Signals): void {
    if (!this.#isGroup) {
      this.#child.kill(signal);
      return;
    }
    try {
      process.kill(-this.pid, signal);
    } catch {
      // All of the group has ended.
    }
  }

  /** Resolves when stdout or stderr satisfy a condition. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#listeners.push(resolve);
      });
    }
  }

  #read(text: string): void {
    this.#stdout += text;
    for (
      let end = this.#stdout.indexOf('\n', this.#readUpTo);
      end !== -1;
      end = this.#stdout.indexOf('\n', this.#readUpTo)
    ) {
      const message = parseMessage(this.#stdout.slice(this.#readUpTo, end));
      this.#readUpTo = end + 1;
      if (typeof message.id === 'number' && message.method === undefined) {
        this.#waiting.get(message.id)?.(message);
        this.#waiting.delete(message.id);
      }
    }
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#listeners.splice(0)) {
      wake();
    }
  }
}

function readToolResult(message: JsonRpcMessage): ToolResult {
  const { result } = message;
  if (result === undefined || !Array.isArray(result['content'])) {
    throw new Error(`No tool result: ${JSON.stringify(message)}`);
  }
  const texts = result['content'].map((part: { text?: string }) => part.text ?? '');
  const meta = result['_meta'];
  return {
    text: texts.join('\n'),
    isError: result['isError'] === true,
    ...(typeof meta === 'object' && meta !== null && { meta: { ...meta } }),
  };
}

function parseMessage(line: string): JsonRpcMessage {
  const message: JsonRpcMessage = JSON.parse(line);
  if (message.jsonrpc !== '2.0') {
    throw new Error(`stdout carries something other than the protocol: ${line.slice(0, 200)}`);
  }
  return message;
}
