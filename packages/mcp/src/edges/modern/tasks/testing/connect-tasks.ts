import { PassThrough } from 'node:stream';
import { BackgroundJobs } from '@gemini-mcp/core';
import { FakeClock } from '@gemini-mcp/core/testing';
import { isJsonObject } from '../../../../input/request-params.ts';
import type { JsonObject } from '../../../../input/tool-input.ts';
import type { ToolOutcome } from '../../../../surface/tool.ts';
import { serveStdio } from '../../../stdio/serve-stdio.ts';
import { callerNamed, messagesOf, postRequest } from '../../../testing/http-caller.ts';
import { headersOf, modernRequest } from '../../../testing/modern-caller.ts';
import { readEvents } from '../../../testing/read-events.ts';
import { metaKeys, tasksExtension } from '../../envelope.ts';
import { ModernEndpoint } from '../../http/modern-endpoint.ts';
import { createPuppetTool, type PuppetTool } from './puppet-tool.ts';

/** The `_meta` of a client that knows tasks and can be asked. */
export const withTasks: JsonObject = {
  [metaKeys.clientCapabilities]: { elicitation: { form: {} }, extensions: { [tasksExtension]: {} } },
};

export type TaskClient = Omit<PuppetTool, 'tool'> & {
  readonly clock: FakeClock;
  readonly jobs: BackgroundJobs<ToolOutcome>;
  /** Sends a request of a client that knows tasks, unless `meta` says otherwise; resolves to its answer. */
  readonly ask: (method: string, params?: JsonObject, meta?: JsonObject) => Promise<JsonObject>;
  /** Sends a request with many messages; resolves to what reads the next one. */
  readonly open: (method: string, params: JsonObject, meta?: JsonObject) => Promise<() => Promise<JsonObject>>;
  /** Ends the connection as the client does, and resolves when the server has noticed. */
  readonly leave: () => Promise<void>;
};

type Transport = Pick<TaskClient, 'ask' | 'open' | 'leave'>;

export type ConnectOptions = {
  /** Whether the server offers its jobs as tasks. */
  readonly offersTasks?: boolean;
};

/** Connects alice to a server with the puppet tool. */
export const waysToConnect: readonly (readonly [string, (options?: ConnectOptions) => TaskClient])[] = [
  ['over HTTP', (options) => connect(options, overHttp)],
  ['over stdio', (options) => connect(options, overStdio)],
];

function connect({ offersTasks = true }: ConnectOptions = {}, transport: typeof overHttp): TaskClient {
  const clock = new FakeClock();
  let handles = 0;
  const createHandle = (): string => {
    handles += 1;
    return `job${handles}`;
  };
  const jobs = new BackgroundJobs<ToolOutcome>({ clock, createHandle, onError: () => undefined });
  const { tool, ...puppet } = createPuppetTool(jobs);
  const surface = { tools: [tool], prompts: [], resources: [] };
  const common = { version: '1', clock, log: () => undefined, ...(offersTasks && { jobs: async () => jobs }) };
  return { ...puppet, clock, jobs, ...transport({ ...common, surface }) };
}

type Served = Parameters<typeof serveStdio>[0]['server'];

function overHttp({ surface, ...common }: Omit<Served, 'ownerOf'>): Transport {
  const endpoint = new ModernEndpoint(common);
  let lastId = 0;
  const alice = callerNamed('alice', surface);
  const post = (method: string, params: JsonObject = {}, meta = withTasks): Promise<Response> => {
    lastId += 1;
    const body = modernRequest(lastId, method, params, meta);
    return endpoint.post(postRequest(headersOf(body)), body, alice);
  };
  return {
    ask: async (...request) => {
      const last = (await messagesOf(await post(...request))).at(-1);
      return isJsonObject(last) ? last : {};
    },
    open: async (...request) => {
      const events = readEvents(await post(...request));
      return async () => JSON.parse((await events.next()) ?? 'null');
    },
    leave: async () => endpoint.close(),
  };
}

function overStdio(common: Omit<Served, 'ownerOf'>): Transport {
  const [stdin, stdout] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })];
  const served = serveStdio(
    { stdin, stdout, server: { ...common, ownerOf: () => 'alice' } },
    new AbortController().signal,
  );
  const messages: JsonObject[] = [];
  let wake = (): void => undefined;
  let text = '';
  stdout.on('data', (piece: string) => {
    const lines = (text + piece).split('\n');
    text = lines.pop() ?? '';
    messages.push(...lines.map((line) => JSON.parse(line)));
    wake();
  });
  let lastId = 0;
  const send = (method: string, params: JsonObject = {}, meta = withTasks): number => {
    lastId += 1;
    stdin.write(`${JSON.stringify(modernRequest(lastId, method, params, meta))}\n`);
    return lastId;
  };
  const take = async (isWanted: (message: JsonObject) => boolean): Promise<JsonObject> => {
    for (;;) {
      const index = messages.findIndex(isWanted);
      if (index !== -1) {
        return messages.splice(index, 1)[0] ?? {};
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    ask: (...request) => {
      const id = send(...request);
      return take((message) => message['id'] === id);
    },
    open: async (...request) => {
      const id = send(...request);
      return () => take((message) => message['id'] === id || message['id'] === undefined);
    },
    leave: async () => {
      stdin.end();
      await (await served).callsEnded;
    },
  };
}
