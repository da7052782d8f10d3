import { FakeClock } from '@gemini-mcp/core/testing';
import type { McpLogEntry } from '../../handlers/mcp-log.ts';
import { isJsonObject } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import type { Surface, SurfaceSource } from '../../surface/surface.ts';
import type { McpHttpOptions } from '../mcp-http-options.ts';
import { metaKeys } from '../modern/envelope.ts';
import { ModernEndpoint } from '../modern/http/modern-endpoint.ts';
import { callerNamed, messagesOf, postRequest, type TestCaller } from './http-caller.ts';

/** The envelope of a request, with these fields in place of the usual ones; undefined leaves one out. */
export function envelope(fields: JsonObject = {}): JsonObject {
  return {
    [metaKeys.version]: '2026-07-28',
    [metaKeys.clientCapabilities]: { elicitation: { form: {} } },
    [metaKeys.clientInfo]: { name: 'test', version: '1' },
    ...fields,
  };
}

/** The body of a request of revision 2026-07-28. */
export function modernRequest(id: unknown, method: string, params: JsonObject = {}, meta?: JsonObject): JsonObject {
  return { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope(meta) } };
}

/** The headers that belong to a body. */
export function headersOf({ method, params }: JsonObject): Readonly<Record<string, string>> {
  const { name, uri, taskId, _meta: meta } = isJsonObject(params) ? params : {};
  const named = [name, uri, taskId].find((value) => typeof value === 'string');
  const version = isJsonObject(meta) ? meta[metaKeys.version] : undefined;
  return {
    'mcp-protocol-version': typeof version === 'string' ? version : '2026-07-28',
    'mcp-method': String(method),
    ...(typeof named === 'string' && { 'mcp-name': named }),
  };
}

export type ModernClient = {
  readonly endpoint: ModernEndpoint;
  readonly clock: FakeClock;
  readonly log: readonly McpLogEntry[];
  readonly send: (
    body: JsonObject,
    headers?: Readonly<Record<string, string | null>>,
    from?: TestCaller,
  ) => Promise<Response>;
  /** Sends a request and resolves to its last message. */
  readonly ask: (method: string, params?: JsonObject, meta?: JsonObject) => Promise<JsonObject>;
};

/** An endpoint, and alice who posts to it. */
export function connectModern(surface: Surface | SurfaceSource, more: Partial<McpHttpOptions> = {}): ModernClient {
  const log: McpLogEntry[] = [];
  const clock = new FakeClock();
  const endpoint = new ModernEndpoint({ version: '1.2.3', clock, log: (entry) => log.push(entry), ...more });
  let lastId = 0;
  const send: ModernClient['send'] = (body, headers = {}, from = callerNamed('alice', surface)) =>
    endpoint.post(postRequest({ ...headersOf(body), ...headers }), body, from);
  return {
    endpoint,
    clock,
    log,
    send,
    ask: async (method, params, meta) => {
      lastId += 1;
      const last = (await messagesOf(await send(modernRequest(lastId, method, params, meta)))).at(-1);
      return isJsonObject(last) ? last : {};
    },
  };
}
