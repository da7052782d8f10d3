import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HttpSetup } from './http-setup.ts';
import { type JsonRpcMessage, McpHttpClient } from './mcp-http-client.ts';

/** The records that the server keeps for a principal. */
export type Belongings = {
  readonly answer: string;
  readonly job: string;
  readonly conversation: string;
};

export type Exchange = {
  readonly answer: JsonRpcMessage;
  /** Everything in the response, including the answer, as one text. */
  readonly heard: string;
  /** Progress notifications. */
  readonly progress: readonly JsonRpcMessage[];
};

/** A principal with a token, a directory, and a secret in all its data. */
export class PrincipalUnderTest {
  readonly name: string;
  readonly secret: string;
  readonly token: string;
  readonly root: string;
  #client: McpHttpClient | null = null;

  private constructor(name: string, root: string) {
    this.name = name;
    this.root = root;
    this.secret = `secret-of-${name}`;
    this.token = `token-of-${name}-0123456789-0123456789-0123456789`;
  }

  /** With a directory of this many files, named after them. */
  static async create(setup: HttpSetup, name: string, files: number): Promise<PrincipalUnderTest> {
    const principal = new PrincipalUnderTest(name, join(setup.root, `root-of-${name}`));
    await mkdir(principal.root);
    for (let index = 0; index < files; index += 1) {
      await writeFile(join(principal.root, principal.fileName(index)), `${principal.secret} ${index}`);
    }
    return principal;
  }

  /** The entry in the principals file. */
  get entry(): Readonly<Record<string, unknown>> {
    const tokenSha256 = createHash('sha256').update(this.token).digest('hex');
    return { name: this.name, tokenSha256, roots: [this.root] };
  }

  fileName(index: number): string {
    return `${this.secret}-${index}.txt`;
  }

  async connect(origin: string): Promise<void> {
    this.#client = new McpHttpClient({ origin, token: this.token });
    await this.#client.initialize(this.name);
  }

  disconnect(): void {
    this.#client?.close();
  }

  get client(): McpHttpClient {
    if (this.#client === null) {
      throw new Error(`${this.name} has not connected`);
    }
    return this.#client;
  }

  /** Sends a request whose id is its progress token too, and keeps everything that comes back. */
  async exchange(
    { id, method, params }: { readonly id: number; readonly method: string; readonly params: Record<string, unknown> },
    onMessage: (message: JsonRpcMessage) => void = () => undefined,
  ): Promise<Exchange> {
    const { text, messages } = await this.client.send({
      body: { jsonrpc: '2.0', id, method, params: { ...params, _meta: { progressToken: id } } },
      onMessage,
    });
    const progress = messages.filter((message) => message.method === 'notifications/progress');
    const [answer, ...others] = messages.filter((message) => message.method === undefined);
    const isOfAnother = progress.some(({ params: told }) => told?.['progressToken'] !== id);
    if (answer?.id !== id || others.length > 0 || isOfAnother) {
      throw new Error(`Crossed: ${this.name} asked as ${id} and got ${text}`);
    }
    return { answer, heard: text, progress };
  }

  /** Makes the server keep a record of each kind. Every answer must contain the requested words. */
  async acquire(): Promise<Belongings> {
    const long = await this.client.call('gemini_query', { prompt: `Repeat long ${this.secret}.` });
    const job = await this.client.call('gemini_query', { prompt: `Repeat ${this.secret}.`, background: true });
    const jobHandle = String(job.meta['jobHandle']);
    await this.client.call('gemini_job', { handle: jobHandle, action: 'wait' });
    const chat = await this.client.call('chat', { prompt: `Repeat ${this.secret}.` });
    return {
      answer: /handle "([^"]+)"/.exec(long.text)?.[1] ?? '',
      job: jobHandle,
      conversation: `gemini://sessions/${String(chat.meta['sessionId'])}`,
    };
  }
}
