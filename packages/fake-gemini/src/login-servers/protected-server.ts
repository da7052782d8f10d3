import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AuthorizationServer } from './authorization-server.ts';
import { LoopbackServer } from './loopback-server.ts';

export type ProtectedServerOptions = {
  readonly issuer: AuthorizationServer;
  /** Overrides of its true metadata. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Replaces its challenge. */
  readonly challenge?: string;
};

/**
 * An MCP server over HTTP, at `/mcp`, that accepts tokens of its issuer alone: with the scope `tools`, and for the tool `rule` with
 * `admin`.
 */
export class ProtectedServer {
  /** The headers of the requests to `/mcp`. */
  readonly headers: IncomingHttpHeaders[] = [];
  /** Requested addresses. */
  readonly asked: string[] = [];
  /** Rejects every token. */
  refusesAll = false;
  url = '';
  /** May change. */
  issuer: AuthorizationServer;
  readonly #options: ProtectedServerOptions;
  readonly #loopback = new LoopbackServer();

  constructor(options: ProtectedServerOptions) {
    this.#options = options;
    this.issuer = options.issuer;
  }

  async listen(): Promise<string> {
    const origin = await this.#loopback.listen();
    this.url = `${origin}/mcp`;
    this.#loopback.server.on('request', (request, response) => void this.#answer(request, response));
    return this.url;
  }

  async close(): Promise<void> {
    await this.#loopback.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(`${request.method} ${request.url}`);
    if (request.url?.startsWith('/.well-known/oauth-protected-resource')) {
      const { metadata } = this.#options;
      sendJson(response, 200, {
        resource: this.url,
        authorization_servers: [this.issuer.issuer],
        scopes_supported: ['tools'],
        ...metadata,
      });
      return;
    }
    const body = await text(request);
    if (!request.url?.startsWith('/mcp')) {
      response.writeHead(404).end();
      return;
    }
    this.headers.push(request.headers);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? null;
    const scopes = token === null || this.refusesAll ? null : await this.issuer.scopesOf(token, this.url);
    if (scopes === null) {
      const metadata = new URL('/.well-known/oauth-protected-resource/mcp', this.url).href;
      const challenge = this.#options.challenge ?? `Bearer resource_metadata="${metadata}", scope="tools"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    answerMessage(request, response, body, scopes);
  }
}

function answerMessage(
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
  scopes: readonly string[],
): void {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const { id, method, params }: Message = JSON.parse(body);
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  if (params?.name === 'rule' && !scopes.includes('admin')) {
    const challenge = 'Bearer error="insufficient_scope", scope="tools admin"';
    response.writeHead(403, { 'www-authenticate': challenge }).end('no');
    return;
  }
  sendJson(response, 200, { jsonrpc: '2.0', id, result: resultOf(method, params) });
}

type Message = { readonly id?: number; readonly method?: string; readonly params?: { readonly name?: string } };

function resultOf(method: string | undefined, params: Message['params']): unknown {
  switch (method) {
    case 'initialize':
      return {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'protected', version: '1' },
      };
    case 'tools/list':
      return { tools: ['work', 'rule'].map((name) => ({ name, inputSchema: { type: 'object' } })) };
    default:
      return { content: [{ type: 'text', text: `${params?.name} was done` }] };
  }
}

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
