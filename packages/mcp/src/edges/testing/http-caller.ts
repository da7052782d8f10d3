import type { McpCaller } from '../mcp-http-options.ts';

const url = 'http://127.0.0.1:3000/mcp';

export type TestCaller = McpCaller & {
  /** What closing the HTTP request does. */
  readonly hangUp: () => void;
};

/** One HTTP request's sender. */
export function callerNamed(binding: string, surface: McpCaller['surface']): TestCaller {
  const controller = new AbortController();
  return {
    owner: `owner of ${binding}`,
    binding,
    surface,
    signal: controller.signal,
    hangUp: () => controller.abort(),
  };
}

/** A POST as clients send it, with these headers in place of the usual ones; null leaves one out. */
export function postRequest(headers: Readonly<Record<string, string | null>> = {}): Request {
  const usual = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  return new Request(url, { method: 'POST', headers: withoutNulls({ ...usual, ...headers }) });
}

export function getRequest(headers: Readonly<Record<string, string | null>> = {}): Request {
  return new Request(url, { headers: withoutNulls({ accept: 'text/event-stream', ...headers }) });
}

export function deleteRequest(headers: Readonly<Record<string, string>>): Request {
  return new Request(url, { method: 'DELETE', headers: { ...headers } });
}

function withoutNulls(headers: Readonly<Record<string, string | null>>): Headers {
  const given = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    if (value !== null) {
      given.set(name, value);
    }
  }
  return given;
}

export const initialize = {
  jsonrpc: '2.0',
  id: 'init',
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
} as const;

export type TestMessage = {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly method: string;
  readonly params?: object;
};

export function rpc(id: unknown, method: string, params?: object): TestMessage {
  return { jsonrpc: '2.0', id, method, ...(params !== undefined && { params }) };
}

/** A call that asks for progress under its own id. */
export function callTool(id: unknown, name: string, args: object = {}): TestMessage {
  return rpc(id, 'tools/call', { name, arguments: args, _meta: { progressToken: `token ${id}` } });
}

/** The messages of a whole body, of JSON or of events. */
export async function messagesOf(response: Response): Promise<unknown[]> {
  const text = await response.text();
  if (response.headers.get('content-type')?.startsWith('application/json') === true) {
    return [JSON.parse(text)].flat();
  }
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}
