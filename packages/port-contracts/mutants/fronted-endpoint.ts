import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type Clock,
  type Lending,
  type LendingRequest,
  type LentTool,
  LentTools,
  type ToolEndpoint,
} from '@gemini-mcp/core';
import { PlainToolEndpoint } from '../src/tools/plain-tool-endpoint.ts';
import type { Asked, ChangedLending, EndpointAnswer, ToolEndpointMutant } from './tool-endpoint-mutant.ts';

type Fronted = { readonly lending: Lending; readonly path: string };

/** Hands everything on to the right endpoint, and may change what goes in and what comes out. */
export class FrontedEndpoint implements ToolEndpoint {
  readonly #right: PlainToolEndpoint;
  readonly #mutant: ToolEndpointMutant | null;
  readonly #runs: Fronted[] = [];
  readonly #server: Server = createServer((incoming, outgoing) => void this.#pass(incoming, outgoing));
  readonly #over = new AbortController();
  readonly #memory = new Map<string, number>();

  constructor(options: { readonly clock: Clock }, mutant: ToolEndpointMutant | null) {
    this.#right = new PlainToolEndpoint(options);
    this.#mutant = mutant;
  }

  async open(asked: LendingRequest, signal: AbortSignal): Promise<Lending> {
    const { request: change, source = asIs, lending, deaf } = this.#mutant ?? {};
    const { tools } = await LentTools.from(asked.sources, this.#over.signal);
    const changed = change?.(asked) ?? asked;
    const sources = changed.sources.map((one) => source(one, changed));
    const right = await this.#right.open({ ...changed, sources }, deaf ? this.#over.signal : signal);
    const { pathname } = new URL(right.url);
    this.#runs.push({ lending: right, path: pathname });
    const url = `http://127.0.0.1:${await this.#listen()}${pathname}`;
    return lendingOf(right, url, lending?.(right, { tools, url }) ?? {});
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
        token: run?.lending.token ?? '',
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
    const port = new URL(this.#runs[0]?.lending.url ?? '').port;
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

const asIs: NonNullable<ToolEndpointMutant['source']> = (right) => right;

function portOf(server: Server): number {
  const address = server.address();
  return address === null || typeof address === 'string' ? 0 : address.port;
}

function lendingOf(right: Lending, url: string, changed: ChangedLending): Lending {
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

/** What each mutant of the list is told of the tools. */
export type ToldTools = { readonly tools: readonly LentTool[]; readonly url: string };
