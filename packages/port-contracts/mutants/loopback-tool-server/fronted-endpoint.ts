import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type Clock,
  type LoopbackToolServer,
  type ModelTool,
  ToolRouter,
  type ToolSession,
  type ToolSessionRequest,
} from '@gemini-mcp/core';
import { PlainLoopbackToolServer } from '../../src/tools/plain-loopback-tool-server.ts';
import type {
  Asked,
  ChangedToolSession,
  EndpointAnswer,
  LoopbackToolServerMutant,
} from './loopback-tool-server-mutant.ts';

type Fronted = { readonly toolSession: ToolSession; readonly path: string };

/** Passes everything to the right endpoint, and may change requests and responses. */
export class FrontedEndpoint implements LoopbackToolServer {
  readonly #right: PlainLoopbackToolServer;
  readonly #mutant: LoopbackToolServerMutant | null;
  readonly #runs: Fronted[] = [];
  readonly #server: Server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  readonly #over = new AbortController();
  readonly #memory = new Map<string, number>();

  constructor(options: { readonly clock: Clock }, mutant: LoopbackToolServerMutant | null) {
    this.#right = new PlainLoopbackToolServer(options);
    this.#mutant = mutant;
  }

  async open(asked: ToolSessionRequest, signal: AbortSignal): Promise<ToolSession> {
    const { request: change, source = asIs, toolSession, deaf } = this.#mutant ?? {};
    const { tools } = await ToolRouter.from(asked.sources, this.#over.signal);
    const changed = change?.(asked) ?? asked;
    const sources = changed.sources.map((one) => source(one, changed));
    const right = await this.#right.open({ ...changed, sources }, deaf ? this.#over.signal : signal);
    const { pathname } = new URL(right.url);
    this.#runs.push({ toolSession: right, path: pathname });
    const url = `http://127.0.0.1:${await this.#listen()}${pathname}`;
    return toolSessionOf(right, url, toolSession?.(right, { tools, url }) ?? {});
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.#right.close();
    if (this.#server.listening) {
      this.#server.closeAllConnections();
      this.#server.close();
      await once(this.#server, 'close');
    }
  }

  async #listen(): Promise<number> {
    if (!this.#server.listening) {
      this.#server.listen({ host: '127.0.0.1', port: 0 });
      await once(this.#server, 'listening');
    }
    return portOf(this.#server);
  }

  async #pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    try {
      const { method = '', url: path = '', headers } = incoming;
      const { host = '', origin = null, authorization = null } = headers;
      const said: Asked = { method, path, host, origin, authorization, body: await text(incoming) };
      const run = this.#runs.find((one) => one.path === path) ?? this.#runs[0];
      const right = {
        token: run?.toolSession.token ?? '',
        path: run?.path ?? '',
        host: `127.0.0.1:${portOf(this.#server)}`,
      };
      const asked = this.#mutant?.asked?.(said, right, this.#memory) ?? said;
      const came = await this.#send(asked);
      const answer = this.#mutant?.answered?.(came, said) ?? came;
      outgoing.writeHead(answer.status, answer.status === 200 ? { 'content-type': 'application/json' } : {});
      outgoing.end(answer.body);
    } catch {
      outgoing.destroy();
    }
  }

  async #send({ method, path, host, origin, authorization, body }: Asked): Promise<EndpointAnswer> {
    const port = new URL(this.#runs[0]?.toolSession.url ?? '').port;
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: host.replace(`:${portOf(this.#server)}`, `:${port}`),
      ...(origin !== null && { origin }),
      ...(authorization !== null && { authorization }),
    };
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
    sent.end(body);
    const [incoming]: IncomingMessage[] = await once(sent, 'response');
    return incoming === undefined
      ? { status: 500, body: '' }
      : { status: incoming.statusCode ?? 0, body: await text(incoming) };
  }
}

const asIs: NonNullable<LoopbackToolServerMutant['source']> = (right) => right;

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

function toolSessionOf(right: ToolSession, url: string, changed: ChangedToolSession): ToolSession {
  return {
    url: changed.url ?? url,
    token: changed.token ?? right.token,
    listed: changed.listed ?? right.listed,
    toolsDigest: changed.toolsDigest ?? right.toolsDigest,
    get calls() {
      return changed.calls?.() ?? right.calls;
    },
    get nextNumber() {
      return changed.nextNumber?.() ?? right.nextNumber;
    },
    goOn: changed.goOn ?? ((next) => right.goOn(next)),
    close: changed.close ?? (() => right.close()),
  };
}

/** The report that each mutant of the list gets about the tools. */
export type ToldTools = { readonly tools: readonly ModelTool[]; readonly url: string };
